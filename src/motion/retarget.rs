//! Clips of another file, matched by the names of the nodes they move.

use crate::rig::load::ClipFile;
use crate::rig::{Clip, Property, Skeleton, Track};
use std::collections::HashMap;
use thiserror::Error;

#[derive(Debug, Error, PartialEq, Eq)]
pub enum RetargetError {
    #[error(
        "none of the bones that the other file's clips move is in this character; its clips move \"{example}\" and others, the character has \"{own}\" and others"
    )]
    NothingInCommon { example: String, own: String },
}

/// Clips for this skeleton, and how many tracks found no node of their name.
#[derive(Debug)]
pub struct Retargeted {
    pub clips: Vec<Clip>,
    pub unmatched_tracks: usize,
}

/// Local transforms are taken over as they are: the skeletons should share their proportions.
pub fn retarget(skeleton: &Skeleton, other: &ClipFile) -> Result<Retargeted, RetargetError> {
    let names = Names::new(skeleton);
    let mut unmatched_tracks = 0;
    let mut matched = 0;
    let mut clips = Vec::new();
    for clip in &other.clips {
        let mut tracks = Vec::new();
        for track in &clip.tracks {
            match names.find(&other.node_names[track.node]) {
                Some(node) if fits(skeleton, node, track) => {
                    tracks.push(Track { node, ..track.clone() })
                }
                _ => unmatched_tracks += 1,
            }
        }
        matched += tracks.len();
        clips.push(Clip { name: clip.name.clone(), tracks });
    }
    if matched == 0 {
        let moved = other.clips.iter().flat_map(|clip| &clip.tracks).next();
        return Err(RetargetError::NothingInCommon {
            example: moved.map_or(String::new(), |track| other.node_names[track.node].clone()),
            own: skeleton.nodes.first().map_or(String::new(), |node| node.name.clone()),
        });
    }
    Ok(Retargeted { clips, unmatched_tracks })
}

fn fits(skeleton: &Skeleton, node: usize, track: &Track) -> bool {
    track.property != Property::MorphWeights
        || skeleton.nodes[node].morph_weight_count == track.keys.width
}

/// Finds nodes by name: exactly, without regard to case, or without a namespace (`mixamorig:`).
struct Names {
    exact: HashMap<String, usize>,
    folded: HashMap<String, usize>,
}

impl Names {
    fn new(skeleton: &Skeleton) -> Names {
        let mut names = Names { exact: HashMap::new(), folded: HashMap::new() };
        // Bones before other nodes: a mesh node is often called like its armature.
        let bones = skeleton.bones.iter().map(|bone| bone.node);
        for node in bones.chain(0..skeleton.nodes.len()) {
            let name = &skeleton.nodes[node].name;
            names.exact.entry(name.clone()).or_insert(node);
            names.folded.entry(folded(name)).or_insert(node);
        }
        names
    }

    fn find(&self, name: &str) -> Option<usize> {
        let exact = self.exact.get(name);
        exact.or_else(|| self.folded.get(&folded(name))).copied()
    }
}

fn folded(name: &str) -> String {
    name.rsplit(':').next().unwrap_or(name).to_lowercase()
}
