//! How far joints move in the frames of bones, over all clips of a character.
//!
//! A frame is where a bone is and how it is turned, without its scale: R_kᵀ (p_j − p_k), in the scene's
//! units. The travel of a joint is the diagonal of the box around all places it comes to.

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
/// Moments that one thread works on at a time.
const CHUNK: usize = 8;

/// Per (bone, frame): how far the bone's joint moves there. A frame of None is the scene.
pub fn travels(
    character: &Character,
    skeleton: &Skeleton,
    frames: &[(usize, Option<usize>)],
) -> Vec<f64> {
    if frames.is_empty() {
        return Vec::new();
    }
    let moments = moments(&character.clips, skeleton.nodes.len() + 4 * frames.len());
    let of_chunk = |chunk: &[(&Clip, f64)]| {
        let mut boxes = vec![Extent::NOTHING; frames.len()];
        for &(clip, time_secs) in chunk {
            let pose = pose(skeleton, clip, time_secs);
            for (extent, &(bone, frame)) in boxes.iter_mut().zip(frames) {
                extent.add(place(skeleton, &pose, bone, frame));
            }
        }
        boxes
    };
    let chunks: Vec<Vec<Extent>> = moments.par_chunks(CHUNK).map(of_chunk).collect();
    let mut all = vec![Extent::NOTHING; frames.len()];
    for boxes in chunks {
        all.iter_mut().zip(boxes).for_each(|(all, extent)| all.join(extent));
    }
    all.iter().map(Extent::diagonal).collect()
}

/// As many as the limit allows, of as many clips as it allows.
fn moments(clips: &[Clip], work_of_pose: usize) -> Vec<(&Clip, f64)> {
    let moving: Vec<&Clip> = clips.iter().filter(|clip| !clip.tracks.is_empty()).collect();
    let work: usize = moving.iter().map(|clip| work_of_pose + clip.tracks.len()).sum();
    let per_clip = (MOST_WORK / work.max(1)).clamp(2, MOMENTS);
    let most_clips = MOST_WORK / (work * per_clip / moving.len().max(1)).max(1);
    let every = moving.len().div_ceil(most_clips.max(1)).max(1);
    let chosen = moving.into_iter().step_by(every);
    let of_clip = |clip| {
        let step_secs = Clip::duration_secs(clip) / (per_clip - 1) as f64;
        (0..per_clip).map(move |moment| (clip, moment as f64 * step_secs))
    };
    chosen.flat_map(of_clip).collect()
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
            self.join(Extent { lowest: place, highest: place });
        }
    }

    fn join(&mut self, other: Extent) {
        self.lowest = self.lowest.min(other.lowest);
        self.highest = self.highest.max(other.highest);
    }

    fn diagonal(&self) -> f64 {
        let diagonal = (self.highest - self.lowest).length();
        if diagonal.is_finite() { diagonal } else { 0.0 }
    }
}
