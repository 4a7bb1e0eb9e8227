//! Bone velocities and accelerations of a clip at any time.
//!
//! Keys joined by straight lines have velocities that jump at every key, so in practice they are
//! smoothed: the mean over the window [t − s, t], which has the closed form (x(t) − x(t−s))/s for
//! translations and log(q(t) q(t−s)⁻¹)/s for rotations. It needs no memory, and is the same at any
//! frame rate. With s = 0 it is the analytic derivative of the keys; which side of a key it takes is said
//! by [`Playback::moment`].

use super::joint::{self, LocalMotion, Relative, RelativeMotion, local_motions, relative_motions};
use super::playback::{ClipMoment, Playback};
use super::sample::rotation_vector;
use crate::polar::turn_axis;
use crate::{Character, Clip, Pose};
use glam::DVec3;

/// The velocity (or acceleration) of a bone relative to its parent, in the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BoneMotion {
    /// Units of the scene per second.
    pub linear: DVec3,
    /// Radians per second.
    pub angular: DVec3,
}

impl BoneMotion {
    pub const ZERO: BoneMotion = BoneMotion { linear: DVec3::ZERO, angular: DVec3::ZERO };
}

/// The window of accelerations: never 0, because between LINEAR keys the analytic one is.
pub const ACCELERATION_WINDOW_SECS: f64 = 0.1;

/// One clip of one character, played.
#[derive(Clone, Copy, Debug)]
pub struct Player<'a> {
    pub character: &'a Character,
    pub clip: &'a Clip,
    pub playback: Playback,
}

impl Player<'_> {
    pub fn pose(&self, time_secs: f64) -> Pose {
        joint::pose(self.character, self.clip, self.playback.clip_time_secs(time_secs))
    }

    /// Per bone; `smoothing_secs` 0 is the analytic derivative.
    pub fn velocities(&self, time_secs: f64, smoothing_secs: f64) -> Vec<BoneMotion> {
        let in_parent = self.velocities_in_parent(time_secs, smoothing_secs);
        self.in_scene(time_secs, in_parent)
    }

    /// Per bone: the change of the smoothed velocity over the same window.
    pub fn accelerations(&self, time_secs: f64, window_secs: f64) -> Vec<BoneMotion> {
        let window_secs = if window_secs > 0.0 { window_secs } else { ACCELERATION_WINDOW_SECS };
        let now = self.velocities_in_parent(time_secs, window_secs);
        let before = self.velocities_in_parent(time_secs - window_secs, window_secs);
        let change = now.iter().zip(before).map(|(now, before)| BoneMotion {
            linear: (now.linear - before.linear) / window_secs,
            angular: (now.angular - before.angular) / window_secs,
        });
        self.in_scene(time_secs, change.collect())
    }

    fn velocities_in_parent(&self, time_secs: f64, smoothing_secs: f64) -> Vec<BoneMotion> {
        if smoothing_secs > 0.0 {
            let (pieces, length_secs) = self.playback.window(time_secs, smoothing_secs);
            if length_secs > 0.0 {
                let mut sum = vec![BoneMotion::ZERO; self.character.skeleton.bones.len()];
                for piece in pieces.iter().filter(|piece| piece.times > 0.0) {
                    let [from, to] = [piece.from_secs, piece.to_secs]
                        .map(|time_secs| self.relatives(&ClipMoment::value(time_secs)));
                    for (sum, (from, to)) in sum.iter_mut().zip(from.iter().zip(&to)) {
                        let share = piece.times / length_secs;
                        let passed = displacement(&from.relative, &to.relative);
                        sum.linear += passed.linear * share;
                        sum.angular += passed.angular * share;
                    }
                }
                return sum;
            }
        }
        let rate = self.playback.rate();
        let analytic = self.relatives(&self.playback.moment(time_secs));
        let signed = analytic.iter().map(|motion| BoneMotion {
            linear: motion.linear * rate,
            angular: motion.angular * rate,
        });
        signed.collect()
    }

    fn relatives(&self, moment: &ClipMoment) -> Vec<RelativeMotion> {
        let skeleton = &self.character.skeleton;
        let locals: Vec<LocalMotion> = local_motions(skeleton, self.clip, moment);
        relative_motions(skeleton, &locals)
    }

    fn in_scene(&self, time_secs: f64, in_parent: Vec<BoneMotion>) -> Vec<BoneMotion> {
        let pose = self.pose(time_secs);
        to_scene(self.character, &pose, in_parent)
    }
}

/// How far a bone came between two places: translation and rotation vector.
pub(super) fn displacement(from: &Relative, to: &Relative) -> BoneMotion {
    BoneMotion {
        linear: to.translation - from.translation,
        angular: rotation_vector(to.rotation * from.rotation.conjugate()),
    }
}

/// From each bone's parent's frame into the scene: v = P v, ω = rot(P) ω.
pub(super) fn to_scene(
    character: &Character,
    pose: &Pose,
    mut motions: Vec<BoneMotion>,
) -> Vec<BoneMotion> {
    let skeleton = &character.skeleton;
    for (motion, bone) in motions.iter_mut().zip(&skeleton.bones) {
        if let Some(parent) = bone.parent {
            let scene_from_parent = pose.scene_from_node[skeleton.bones[parent].node].matrix3;
            motion.linear = scene_from_parent * motion.linear;
            motion.angular = turn_axis(scene_from_parent, motion.angular);
        }
    }
    motions
}
