//! Clips of another file, matched by the names of the nodes they move.

use super::sample::rotation_vector;
use crate::load::ClipFile;
use crate::{Clip, Property, Skeleton, Track, Trs};
use std::collections::HashMap;
use thiserror::Error;

#[derive(Debug, Error, PartialEq, Eq)]
pub enum RetargetError {
    #[error(
        "this character has none of the bones that the other file's clips move; those clips move \"{example}\" and others, the character has \"{own}\" and others"
    )]
    NothingInCommon { example: String, own: String },
}

/// Clips for this skeleton, and how well they fit it.
#[derive(Debug)]
pub struct Retargeted {
    pub clips: Vec<Clip>,
    /// Nodes that the clips move: found here, not found, and found but standing differently at
    /// rest, by more than [`SAME_REST_DEG`] or a tenth of their length.
    pub matched: usize,
    pub unmatched: usize,
    pub resting_differently: usize,
}

impl Retargeted {
    /// What does not fit, in sentences; the clips are those of a file.
    pub fn notes(&self, file: &str) -> Vec<String> {
        let Retargeted { matched, unmatched, resting_differently, .. } = self;
        let mut notes = Vec::new();
        if *unmatched > 0 {
            let moved = matched + unmatched;
            notes.push(format!(
                "{matched} of the {moved} nodes that {file} moves are in this character"
            ));
        }
        if *resting_differently > 0 {
            notes.push(format!(
                "{resting_differently} of them rest differently there, so the result may be distorted; clips should come from the same rig"
            ));
        }
        notes
    }
}

const SAME_REST_DEG: f64 = 10.0;

/// Local transforms are taken over as they are: the skeletons should share rest pose and
/// proportions.
pub fn retarget(skeleton: &Skeleton, other: &ClipFile) -> Result<Retargeted, RetargetError> {
    let names = Names::new(skeleton);
    let found: Vec<Option<usize>> = other.nodes.iter().map(|node| names.find(&node.name)).collect();
    let mut is_moved = vec![false; other.nodes.len()];
    let mut clips = Vec::new();
    for clip in &other.clips {
        let mut tracks = Vec::new();
        for track in &clip.tracks {
            is_moved[track.node] = true;
            match found[track.node] {
                Some(node) if fits(skeleton, node, track) => {
                    tracks.push(Track { node, ..track.clone() })
                }
                _ => {}
            }
        }
        clips.push(Clip { name: clip.name.clone(), tracks });
    }
    let moved: Vec<usize> = (0..other.nodes.len()).filter(|&node| is_moved[node]).collect();
    let matched: Vec<(usize, usize)> =
        moved.iter().filter_map(|&node| Some((node, found[node]?))).collect();
    if matched.is_empty() {
        let example = moved.first().map_or("nothing", |&node| &other.nodes[node].name);
        let own = skeleton.nodes.first().map_or("nothing", |node| &node.name);
        let (example, own) = (example.to_owned(), own.to_owned());
        return Err(RetargetError::NothingInCommon { example, own });
    }
    let differs = |(theirs, ours): &&(usize, usize)| {
        rests_differently(&other.nodes[*theirs].rest, &skeleton.nodes[*ours].rest)
    };
    Ok(Retargeted {
        clips,
        matched: matched.len(),
        unmatched: moved.len() - matched.len(),
        resting_differently: matched.iter().filter(differs).count(),
    })
}

fn rests_differently(a: &Trs, b: &Trs) -> bool {
    let turned = rotation_vector(a.rotation * b.rotation.conjugate()).length();
    let length = a.translation.length().max(b.translation.length());
    turned > SAME_REST_DEG.to_radians() || a.translation.distance(b.translation) > 0.1 * length
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
