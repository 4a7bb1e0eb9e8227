//! How far joints move in the frames of bones, in the clips of a character.
//!
//! A frame is where a bone is and how it is turned, without its scale: R_kᵀ (p_j − p_k), in the scene's
//! units. In one clip a joint moves by the diagonal of the box around all places that it comes to; clips do
//! not follow one another, so what lies between two of them is no motion. The travel is the mean over those
//! clips that move the joint in the frame of the file's parent: where it stands still, nothing can be seen.

use super::Travel;
use crate::motion::joint::{LocalMotion, local_motions};
use crate::motion::playback::ClipMoment;
use crate::polar::polar_rotation;
use crate::{Character, Clip, Pose, Skeleton};
use glam::{DAffine3, DVec3};
use jounce_base::parallel::*;

/// Moments of a clip that are looked at, evenly over its length.
const MOMENTS: usize = 32;
/// Nodes, tracks and frames that are looked at in all moments together: fewer moments where there are many
/// of them.
const MOST_WORK: usize = 3_000_000;
/// A clip moves a joint if it does by more than this part of the size.
const MOVES: f64 = 0.01;

/// A joint, and the two frames to see it in; None is the scene.
#[derive(Clone, Copy)]
pub struct Watched {
    pub bone: usize,
    pub file_parent: Option<usize>,
    pub parent: usize,
}

/// Per joint; 0 in both frames where no clip moves it.
pub fn travels(character: &Character, skeleton: &Skeleton, watched: &[Watched]) -> Vec<Travel> {
    if watched.is_empty() {
        return Vec::new();
    }
    let (clips, moments) = looked_at(&character.clips, skeleton.nodes.len() + 8 * watched.len());
    let in_clip = |clip: &&Clip| ranges(skeleton, clip, moments, watched);
    let by_clip: Vec<Vec<[f64; 2]>> = clips.par_iter().map(in_clip).collect();
    let size = character.size();
    let mean = |joint: usize| {
        let of_clips = by_clip.iter().map(|ranges| ranges[joint].map(|range| range / size));
        let moved: Vec<[f64; 2]> = of_clips.filter(|[in_file, _]| *in_file > MOVES).collect();
        let mean = |frame: usize| {
            moved.iter().map(|ranges| ranges[frame]).sum::<f64>() / moved.len().max(1) as f64
        };
        Travel { in_file_parent: mean(0), in_parent: mean(1) }
    };
    (0..watched.len()).map(mean).collect()
}

/// As many moments of each clip as the limit allows, and as many clips.
fn looked_at(clips: &[Clip], work_of_pose: usize) -> (Vec<&Clip>, usize) {
    let moving: Vec<&Clip> = clips.iter().filter(|clip| !clip.tracks.is_empty()).collect();
    let work: usize = moving.iter().map(|clip| work_of_pose + clip.tracks.len()).sum();
    let moments = (MOST_WORK / work.max(1)).clamp(2, MOMENTS);
    let most_clips = MOST_WORK / (work * moments / moving.len().max(1)).max(1);
    let every = moving.len().div_ceil(most_clips.max(1)).max(1);
    (moving.into_iter().step_by(every).collect(), moments)
}

/// Per joint how far it moves in a clip, in the frame of the file's parent and of the other one.
fn ranges(skeleton: &Skeleton, clip: &Clip, moments: usize, watched: &[Watched]) -> Vec<[f64; 2]> {
    let mut boxes = vec![[Extent::NOTHING; 2]; watched.len()];
    for moment in 0..moments {
        let time_secs = clip.duration_secs() * moment as f64 / (moments - 1) as f64;
        let pose = pose(skeleton, clip, time_secs);
        for ([in_file, in_other], joint) in boxes.iter_mut().zip(watched) {
            in_file.add(place(skeleton, &pose, joint.bone, joint.file_parent));
            in_other.add(place(skeleton, &pose, joint.bone, Some(joint.parent)));
        }
    }
    boxes.iter().map(|both| both.map(|extent| extent.diagonal())).collect()
}

fn pose(skeleton: &Skeleton, clip: &Clip, time_secs: f64) -> Pose {
    let locals = local_motions(skeleton, clip, &ClipMoment::value(time_secs));
    let matrices: Vec<DAffine3> = locals.iter().map(LocalMotion::parent_from_node).collect();
    Pose::from_locals(skeleton, &matrices, Vec::new())
}

fn place(skeleton: &Skeleton, pose: &Pose, bone: usize, frame: Option<usize>) -> DVec3 {
    let scene_from = |bone: usize| &pose.scene_from_node[skeleton.bones[bone].node];
    let joint = scene_from(bone).translation;
    match frame.map(scene_from) {
        Some(frame) => polar_rotation(frame.matrix3).transpose() * (joint - frame.translation),
        None => joint,
    }
}

/// A box around places.
#[derive(Clone, Copy)]
struct Extent {
    lowest: DVec3,
    highest: DVec3,
}

impl Extent {
    const NOTHING: Extent = Extent { lowest: DVec3::INFINITY, highest: DVec3::NEG_INFINITY };

    fn add(&mut self, place: DVec3) {
        if place.is_finite() {
            self.lowest = self.lowest.min(place);
            self.highest = self.highest.max(place);
        }
    }

    fn diagonal(&self) -> f64 {
        let diagonal = (self.highest - self.lowest).length();
        if diagonal.is_finite() { diagonal } else { 0.0 }
    }
}
