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
/// A clip of two or three frames is a pose to blend with, not a motion.
const SHORTEST_SECS: f64 = 0.2;
/// How far apart, in sizes, the skin may be at the two ends of a clip that is played round and round.
const MOST_AT_SEAM: f64 = 0.02;
/// A clip whose ends do not meet jumps at its seam, so it has to move this much more to be shown first.
const SEAM_DIVISOR: f64 = 2.0;

impl Cast {
    /// The clip with the most motion: the one in which the skin moves fastest on average, beside what it travels along
    /// the ground, the first of several that are alike. One that loops goes before one that jumps at its seam, and any
    /// motion before poses of two frames. A test motion where nothing moves in any clip.
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
        let moving: Vec<&Clip> =
            self.clips.iter().map(|clip| &**clip).filter(|clip| self.moves(clip)).collect();
        let liveliness = |clip: &Clip| {
            let speed = skin.mean_speed(self, clip);
            if skin.gap_at_seam(self, clip) > MOST_AT_SEAM { speed / SEAM_DIVISOR } else { speed }
        };
        let is_motion = |clip: &Clip| clip.duration_secs() >= SHORTEST_SECS;
        // The last of equal ones wins, which from the end is the first.
        let measured =
            moving.into_iter().rev().map(|clip| (is_motion(clip), liveliness(clip), clip));
        let most = measured.max_by(|(a_is_motion, a, _), (b_is_motion, b, _)| {
            a_is_motion.cmp(b_is_motion).then(a.total_cmp(b))
        });
        most.map(|(_, _, clip)| clip)
    }

    /// Does anything move but the bones that carry the whole character?
    fn moves(&self, clip: &Clip) -> bool {
        let character = &*self.character;
        let size = character.size().max(f64::MIN_POSITIVE);
        let player = player(self, clip);
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
        let player = player(cast, clip);
        let size = cast.character.size().max(f64::MIN_POSITIVE);
        let of_moment = |time_secs: f64| {
            let (now, next) = (player.pose(time_secs), player.pose(time_secs + STEP_SECS));
            let most = MOST_COUNTED * STEP_SECS * size;
            self.mean_distance(&now, &next, most) / (STEP_SECS * size)
        };
        sample_times(clip).map(of_moment).sum::<f64>() / SAMPLES as f64
    }

    /// In sizes of the character: how far the skin is at the end from where it was at the start.
    fn gap_at_seam(&self, cast: &Cast, clip: &Clip) -> f64 {
        let length_secs = clip.duration_secs();
        let playback = Playback::new(length_secs, false);
        let player = Player { playback, ..player(cast, clip) };
        let size = cast.character.size().max(f64::MIN_POSITIVE);
        let (start, end) = (player.pose(0.0), player.pose(length_secs));
        self.mean_distance(&start, &end, f64::INFINITY) / size
    }

    /// Of the skin in two poses, beside what all of it travels along the ground. Points count for at most `most`.
    fn mean_distance(&self, from: &Pose, to: &Pose, most: f64) -> f64 {
        let at = |pose: &Pose, point: &PointOfBone| {
            pose.scene_from_node[point.node].transform_point3(point.point_in_node)
        };
        let ways: Vec<DVec3> = self.0.iter().map(|point| at(to, point) - at(from, point)).collect();
        let weighted = || ways.iter().zip(&self.0);
        let mean: DVec3 = weighted().map(|(way, point)| *way * point.share).sum();
        let travel = DVec3::new(mean.x, 0.0, mean.z);
        weighted().map(|(way, point)| (*way - travel).length().min(most) * point.share).sum()
    }
}

fn player<'a>(cast: &'a Cast, clip: &'a Clip) -> Player<'a> {
    let playback = Playback::looped(clip.duration_secs());
    Player { character: &cast.character, clip, playback }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jounce_rig::{Interpolation, Keys, Property, Track};
    use std::sync::Arc;

    /// The cow with clips that turn its head: by name, length and the angles at even times.
    fn chosen(clips: &[(&str, f32, &[f32])]) -> String {
        let mut cast = Cast::of_argument("cow".as_ref(), None).expect("it is built in");
        let skeleton = &cast.character.skeleton;
        let head = (0..skeleton.bones.len()).find(|&bone| skeleton.bone_name(bone) == "Head");
        let node = skeleton.bones[head.expect("a cow has a head")].node;
        let clip = |(name, secs, angles): &(&str, f32, &[f32])| {
            let last = (angles.len() - 1) as f32;
            let keys = Keys {
                interpolation: Interpolation::Linear,
                width: 4,
                times_secs: (0..angles.len()).map(|key| secs * key as f32 / last).collect(),
                values: angles
                    .iter()
                    .flat_map(|angle| [0.0, (angle / 2.0).sin(), 0.0, (angle / 2.0).cos()])
                    .collect(),
            };
            let tracks = vec![Track { node, property: Property::Rotation, keys }];
            Arc::new(Clip { name: (*name).to_owned(), tracks })
        };
        cast.clips = clips.iter().map(clip).collect();
        cast.default_motion(None).clip.unwrap_or_default()
    }

    #[test]
    fn the_clip_that_moves_most_is_shown_and_of_equal_ones_the_first() {
        let [idle, nod] = [[0.0, 0.2, 0.0], [0.0, 0.8, 0.0]];
        assert_eq!(chosen(&[("idle", 1.0, &idle), ("nod", 1.0, &nod), ("same", 1.0, &nod)]), "nod");
    }

    #[test]
    fn two_frames_to_blend_with_are_no_motion_however_far_apart_they_are() {
        let far = [0.0, 1.4, 0.0];
        assert_eq!(chosen(&[("pose", 0.067, &far), ("idle", 1.0, &[0.0, 0.2, 0.0])]), "idle");
        assert_eq!(chosen(&[("pose", 0.067, &far)]), "pose");
    }

    #[test]
    fn a_clip_that_loops_goes_before_one_that_jumps_at_its_seam() {
        let (dash, run) = ([0.0, 1.0, 2.4], [0.0, 0.9, 0.0]);
        assert_eq!(chosen(&[("dash", 1.0, &dash), ("run", 1.0, &run)]), "run");
    }
}
