//! Which way a character looks, found from its shape and its clips.
//!
//! A file does not say it (glTF only asks for +Z), so several kinds of evidence vote, each with a horizontal
//! vector of length 0 to 1: where toes point, where feet go while they are lifted, where clips travel, on which
//! side of the body the head is, and which bones are named left and right. Most bodies are also the same on
//! both sides of a plane, and then they look along it: the votes only say which way.
//!
//! ```text
//!  legs (lowest part of the skin) ─► toes, gait ┐
//!  clips ─► travel      rest pose ─► head       ├─► sum ─► along the mirror plane ─► forward
//!  names of bones ─► sides                      ┘
//! ```
//! Nothing here depends on the character's size, on where it stands, or on how it is turned about Y.

mod legs;
mod mirror;
mod sides;

use super::motion::{Playback, Player};
use super::{Character, Clip};
use glam::{DVec2, DVec3, Vec3};
use legs::Leg;

/// Where a character's front is.
#[derive(Clone, Debug, PartialEq)]
pub struct Facing {
    /// Horizontal, in the scene, of length 1.
    pub forward: Vec3,
    /// What speaks for it; empty: nothing does, and it is +Z, as glTF asks for.
    pub votes: Vec<Vote>,
}

/// One kind of evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Vote {
    pub kind: Evidence,
    /// x and z in the scene; longer is surer, at most 1.
    pub toward: DVec2,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    Toes,
    Gait,
    Travel,
    Head,
    Names,
}

impl Evidence {
    /// How much it counts where it is sure. Toes and gait hardly ever lie. Heads are carried back by some, clips
    /// end in a fall, and a rig that was made facing away has its sides named the wrong way round.
    fn weight(self) -> f64 {
        match self {
            Evidence::Toes | Evidence::Gait => 1.0,
            Evidence::Head => 0.7,
            Evidence::Travel | Evidence::Names => 0.4,
        }
    }
}

/// What a sum of votes must reach along a direction to mean anything.
const LEAST_SUM: f64 = 0.06;
/// So much speaks for +Z where nothing else does.
const BY_CONVENTION: DVec2 = DVec2::new(0.0, 0.02);
/// Nobody turns a character by so little on purpose: a direction this near to an axis is the axis.
const SNAP_RAD: f64 = 0.12;

impl Facing {
    pub(super) fn of(character: &Character) -> Facing {
        let legs = legs::legs(character);
        let clips = Clips::of(character);
        let votes = [
            (Evidence::Toes, toes(&legs)),
            (Evidence::Gait, clips.gait(&legs)),
            (Evidence::Travel, clips.travel()),
            (Evidence::Head, head(character)),
            (Evidence::Names, sides::by_names(character)),
        ];
        let vote = |(kind, toward): (Evidence, DVec2)| Vote { kind, toward };
        let is_vote = |vote: &Vote| vote.toward.is_finite() && vote.toward.length() > 1e-6;
        let votes: Vec<Vote> = votes.into_iter().map(vote).filter(is_vote).collect();
        let sum: DVec2 = votes.iter().map(|vote| vote.toward * vote.kind.weight()).sum();
        let along = match mirror::directions(&character.rest().positions) {
            // The same on all sides, or on no two: what was voted for is all there is.
            directions if directions.is_empty() => (sum + BY_CONVENTION).normalize_or(DVec2::Y),
            directions => {
                let both_ways = directions.into_iter().flat_map(|it| [it, -it]);
                let wanted = sum + BY_CONVENTION;
                let best = both_ways.max_by(|a, b| a.dot(wanted).total_cmp(&b.dot(wanted)));
                best.unwrap_or(DVec2::Y)
            }
        };
        if !(sum.dot(along) >= LEAST_SUM) {
            return Facing { forward: Vec3::Z, votes: Vec::new() };
        }
        let along = snapped(along);
        Facing { forward: DVec3::new(along.x, 0.0, along.y).as_vec3(), votes }
    }

    /// Around Y: 0 looks along +Z, a quarter along +X.
    pub fn yaw_rad(&self) -> f32 {
        self.forward.x.atan2(self.forward.z)
    }
}

fn snapped(along: DVec2) -> DVec2 {
    let axes = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y];
    axes.into_iter().find(|axis| axis.angle_to(along).abs() < SNAP_RAD).unwrap_or(along)
}

fn horizontal(vector: DVec3) -> DVec2 {
    DVec2::new(vector.x, vector.z)
}

/// A foot reaches forward from its leg: by this part of its own length it is as sure as can be.
const SURE_TOES: f64 = 0.2;

/// The mean over all feet.
fn toes(legs: &[Leg]) -> DVec2 {
    let reach = |leg: &Leg| (leg.foot_reach / SURE_TOES).clamp_length_max(1.0);
    legs.iter().map(reach).sum::<DVec2>() / legs.len().max(1) as f64
}

/// The head is this far ahead of the body's middle, as a fraction of the size, where it is as sure as can be.
const SURE_HEAD: f64 = 0.2;
/// Above this part of the height is the head.
const HEAD_ABOVE: f64 = 0.78;

/// From the middle of the skin to the middle of its highest part, by area.
fn head(character: &Character) -> DVec2 {
    let (lowest, highest) = character.rest_bounds();
    let positions = &character.rest().positions;
    let above = f64::from(lowest.y) + HEAD_ABOVE * f64::from(highest.y - lowest.y);
    let (mut whole, mut top) = (Mean::default(), Mean::default());
    for corners in &character.mesh.triangles {
        let [a, b, c] = corners.map(|vertex| positions[vertex as usize].as_dvec3());
        let (middle, area) = ((a + b + c) / 3.0, 0.5 * (b - a).cross(c - a).length());
        whole.add(horizontal(middle), area);
        if middle.y > above {
            top.add(horizontal(middle), area);
        }
    }
    let (Some(whole), Some(top)) = (whole.value(), top.value()) else { return DVec2::ZERO };
    let size = character.size().max(f64::MIN_POSITIVE);
    ((top - whole) / (SURE_HEAD * size)).clamp_length_max(1.0)
}

/// A weighted mean.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: DVec2,
    weight: f64,
}

impl Mean {
    fn add(&mut self, value: DVec2, weight: f64) {
        if value.is_finite() && weight.is_finite() {
            self.sum += value * weight;
            self.weight += weight;
        }
    }

    fn value(&self) -> Option<DVec2> {
        (self.weight > 0.0).then(|| self.sum / self.weight)
    }
}

/// More clips, and more moments of one, are not looked at.
const MOST_CLIPS: usize = 24;
const MOMENTS: usize = 24;
/// Bones that are followed, in all moments together, so that huge rigs do not take long.
const MOST_POSES: usize = 400_000;

/// Where nodes are at some moments of each clip.
struct Clips<'a> {
    character: &'a Character,
    clips: Vec<Moments>,
}

/// Of one clip, evenly spread from its first moment to its last.
struct Moments {
    step_secs: f64,
    poses: Vec<super::Pose>,
}

impl Clips<'_> {
    fn of(character: &Character) -> Clips<'_> {
        let nodes = character.skeleton.nodes.len().max(1);
        let most_clips = (MOST_POSES / (nodes * MOMENTS)).min(MOST_CLIPS);
        let is_long = |clip: &&Clip| clip.duration_secs() > 0.0;
        let moments = |clip: &Clip| {
            let (duration_secs, playback) =
                (clip.duration_secs(), Playback::once(clip.duration_secs()));
            let step_secs = duration_secs / (MOMENTS - 1) as f64;
            let player = Player { character, clip, playback };
            let poses = (0..MOMENTS).map(|it| player.pose(it as f64 * step_secs)).collect();
            Moments { step_secs, poses }
        };
        let clips = character.clips.iter().filter(is_long).take(most_clips).map(moments);
        Clips { character, clips: clips.collect() }
    }

    /// A foot goes forward while it is lifted and back while it stands, seen from the body; where the body
    /// travels, forward or not at all. Either way Σ (h − h̄) v points forward, with its height h and its
    /// velocity v; divided by Σ |h − h̄| |v| it is at most 1.
    fn gait(&self, legs: &[Leg]) -> DVec2 {
        let (mut sum, mut most) = (DVec2::ZERO, 0.0);
        let rest = &self.character.rest_pose().scene_from_node;
        for leg in legs {
            let node = self.character.skeleton.bones[leg.bone].node;
            let sole_in_node = rest[node].inverse().transform_point3(leg.sole);
            if !sole_in_node.is_finite() {
                continue;
            }
            for clip in &self.clips {
                let sole =
                    |pose: &super::Pose| pose.scene_from_node[node].transform_point3(sole_in_node);
                let soles: Vec<DVec3> = clip.poses.iter().map(sole).collect();
                let mean_height = soles.iter().map(|it| it.y).sum::<f64>() / soles.len() as f64;
                for pair in soles.windows(2) {
                    let lifted = 0.5 * (pair[0].y + pair[1].y) - mean_height;
                    let velocity = horizontal(pair[1] - pair[0]) / clip.step_secs;
                    sum += lifted * velocity;
                    most += lifted.abs() * velocity.length();
                }
            }
        }
        // Less than this is what feet do that stand.
        let size = self.character.size().max(f64::MIN_POSITIVE);
        let steps = legs.len() * self.clips.len() * (MOMENTS - 1);
        let still = STILL_FOOT * size * size * steps as f64;
        sum / (most + still).max(f64::MIN_POSITIVE)
    }

    /// Where all bones together get from the first moment of a clip to the last: a size is as sure as can be.
    fn travel(&self) -> DVec2 {
        let bones = &self.character.skeleton.bones;
        let size = self.character.size().max(f64::MIN_POSITIVE);
        let middle = |pose: &super::Pose| {
            let places = bones.iter().map(|bone| pose.scene_from_node[bone.node].translation);
            horizontal(places.sum::<DVec3>()) / bones.len().max(1) as f64
        };
        let of_clip = |clip: &Moments| {
            let (first, last) = (clip.poses.first(), clip.poses.last());
            let way = first.zip(last).map(|(first, last)| middle(last) - middle(first));
            (way.unwrap_or_default() / size).clamp_length_max(1.0)
        };
        let ways: Vec<DVec2> = self.clips.iter().map(of_clip).collect();
        let travelling = ways.iter().filter(|way| way.length() > LEAST_TRAVEL).count();
        let sum: DVec2 = ways.iter().filter(|way| way.length() > LEAST_TRAVEL).sum();
        sum / travelling.max(1) as f64
    }
}

/// Lift times speed of a foot that only shifts its weight, in sizes² per second.
const STILL_FOOT: f64 = 2e-4;
/// Less, in sizes, is no way to speak of.
const LEAST_TRAVEL: f64 = 0.25;

#[cfg(test)]
mod tests;
