//! The default motion of a character.

use super::Cast;
use glam::DVec3;
use jounce_graph::document::MotionSettings;
use jounce_rig::motion::{BoneMotion, Playback, Player, TestMotion};
use jounce_rig::{Clip, Pose};

const SAMPLES: usize = 24;
/// Slower than this, in radians or sizes of the character per second, nobody sees it move.
const LEAST_SPEED: f64 = 0.05;
/// Faster than this, in sizes per second, skin snaps: it counts as if it were this fast. Else one foot that flips
/// would outdo a whole body that runs.
const MOST_COUNTED: f64 = 5.0;
/// Over which speeds are measured.
const STEP_SECS: f64 = 1.0 / 60.0;

impl Cast {
    /// The clip with the most motion: the one in which the skin moves fastest on average, beside what it travels along
    /// the ground, the first of several that are alike. A test motion where all clips are only poses.
    pub fn default_motion(&self, fps: Option<f64>) -> MotionSettings {
        let clip = self.clip_with_most_motion();
        let still = clip.is_none() && !self.clips.is_empty();
        MotionSettings {
            character: Some(self.name.clone()),
            clips: self.clips_of.clone(),
            clip: clip.map(|clip| clip.name.clone()),
            test: still.then(|| self.test_motion()),
            looped: true,
            fps,
            ..MotionSettings::default()
        }
    }

    fn clip_with_most_motion(&self) -> Option<&Clip> {
        let skin = SkinOfBones::of(self);
        let moving = self.clips.iter().filter(|clip| self.moves(clip));
        // The last of equal ones wins, which from the end is the first.
        let measured = moving.rev().map(|clip| (skin.mean_speed(self, clip), &**clip));
        let most = measured.max_by(|(a, _), (b, _)| a.total_cmp(b));
        most.map(|(_, clip)| clip)
    }

    /// Does anything move but the bones that carry the whole character?
    fn moves(&self, clip: &Clip) -> bool {
        let character = &*self.character;
        let size = character.size().max(f64::MIN_POSITIVE);
        let player = Player { character, clip, playback: Playback::looped(clip.duration_secs()) };
        let carriers = character.carriers();
        let speed =
            |motion: &BoneMotion| motion.angular.length().max(motion.linear.length() / size);
        sample_times(clip).any(|time_secs| {
            let motions = player.velocities(time_secs, 0.0);
            let mut moved = motions.iter().zip(carriers).filter(|(_, carries)| !**carries);
            moved.any(|(motion, _)| speed(motion) > LEAST_SPEED)
        })
    }

    fn test_motion(&self) -> String {
        let test = TestMotion::default_for(&self.character);
        format!("{}:{}", test.kind.name(), self.character.skeleton.bone_name(test.bone))
    }
}

fn sample_times(clip: &Clip) -> impl Iterator<Item = f64> {
    let length_secs = clip.duration_secs();
    (0..SAMPLES).map(move |sample| length_secs * sample as f64 / SAMPLES as f64)
}

/// For each bone its skin as one point: quick to move, and a hand with twenty bones counts as the hand it is.
struct SkinOfBones(Vec<PointOfBone>);

struct PointOfBone {
    node: usize,
    point_in_node: DVec3,
    /// Of all skin.
    share: f64,
}

impl SkinOfBones {
    fn of(cast: &Cast) -> SkinOfBones {
        let character = &*cast.character;
        let rest = character.rest_pose();
        let skin = character.roles().skin_of_bones();
        let total: f64 = skin.iter().map(|skin| skin.area).sum();
        let points = skin.iter().zip(&character.skeleton.bones).filter(|(skin, _)| skin.area > 0.0);
        let point = |node: usize, center: DVec3| {
            rest.scene_from_node[node].inverse().transform_point3(center)
        };
        let points = points.map(|(skin, bone)| PointOfBone {
            node: bone.node,
            point_in_node: point(bone.node, skin.center),
            share: skin.area / total,
        });
        // A bone that is scaled to nothing has no point.
        SkinOfBones(points.filter(|point| point.point_in_node.is_finite()).collect())
    }

    /// In sizes of the character per second.
    fn mean_speed(&self, cast: &Cast, clip: &Clip) -> f64 {
        let character = &*cast.character;
        let size = character.size().max(f64::MIN_POSITIVE);
        let player = Player { character, clip, playback: Playback::looped(clip.duration_secs()) };
        let of_moment = |time_secs: f64| {
            let (now, next) = (player.pose(time_secs), player.pose(time_secs + STEP_SECS));
            let at = |pose: &Pose, point: &PointOfBone| {
                pose.scene_from_node[point.node].transform_point3(point.point_in_node)
            };
            let velocity =
                |point: &PointOfBone| (at(&next, point) - at(&now, point)) / (STEP_SECS * size);
            let velocities: Vec<DVec3> = self.0.iter().map(velocity).collect();
            let weighted = || velocities.iter().zip(&self.0);
            let mean: DVec3 = weighted().map(|(velocity, point)| *velocity * point.share).sum();
            let travel = DVec3::new(mean.x, 0.0, mean.z);
            let speed = |velocity: DVec3| (velocity - travel).length().min(MOST_COUNTED);
            weighted().map(|(velocity, point)| speed(*velocity) * point.share).sum::<f64>()
        };
        sample_times(clip).map(of_moment).sum::<f64>() / SAMPLES as f64
    }
}
