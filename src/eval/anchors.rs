//! Anchors: planted bones from which velocities are counted (Rohmer 2021, section 7).
//!
//! From the root, what bone j moves is all below it, with weight up_j. From a planted bone r, the bones on the path from
//! the root to r work the other way round: bone j moves everything that is *not* below it, with weight 1 − up_j, by −ω_j
//! and −v_j about the same joint. With γ_r(u) the reach of the anchor and planted_r how much it holds now, the sum is
//!
//! ```text
//! Σ_j up_j f_j  +  Σ_r planted_r γ_r Σ_{j on the path to r} ( (1 − up_j) f(−ω_j, −v_j)  −  up_j f_j )
//! ```
//! The first term are the bones, as ever. The others are further rows of the bone table, behind flesh: for each anchor
//! and each bone of its path one that is *reversed*, with weight γ_r (1 − up_j), and one that takes the bone's own part
//! away, with weight −γ_r up_j. So an anchored sum is one sum over one column of weights, and evaluators need not know
//! of anchors. What r itself does against the scene is left out: that is what planted means, and the skin of r, on whose
//! path every up_j is 1, gets nothing at all.

use super::moment::{Moment, rotation};
use super::warning::BindWarning;
use glam::{DQuat, DVec3};
use jounce_ir::{AnchorRequest, MOST_ANCHORS};
use jounce_rig::Character;
use jounce_rig::motion::BoneMotion;

mod feet;
mod reach;

/// What a bound program knows of the anchors of its character.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Anchors {
    /// Behind bones and flesh, anchor by anchor, along each path.
    pub rows: Vec<AnchorRow>,
    /// Per anchor the bones from a root down to it.
    paths: Vec<Vec<usize>>,
    /// Per anchor the outermost points of the skin that it carries, of which one is the lowest.
    outermost: Vec<Vec<CarriedPoint>>,
    /// Per bone its part of the skin, its subtree's included.
    skin_shares: Vec<f64>,
    roots: Vec<usize>,
}

/// A row of the bone table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnchorRow {
    /// By its place among the anchors that the character has.
    pub anchor: usize,
    /// Its place among the names that were asked for, of which some may be missing; among feet that were found, theirs.
    pub key: usize,
    pub bone: usize,
    /// Does it carry what is not below the bone, the other way round? Else it takes away what the bone does.
    pub is_reversed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct CarriedPoint {
    bone: usize,
    in_bone: DVec3,
}

/// Where an anchor is in a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AnchorState {
    /// Of the lowest point of what it carries, above the ground.
    pub height: f64,
    /// How fast that point goes up or down. Not its whole speed: in clips that walk on the spot a planted foot slides
    /// back with the ground.
    pub vertical_speed: f64,
}

/// The mean over so many seconds is the speed of an anchor: keys joined by straight lines make velocities that jump.
pub const SPEED_WINDOW_SECS: f64 = 0.05;

/// How much of each vertex counts from each anchor, while a character is bound.
#[derive(Default)]
pub struct AnchorReach(Vec<Vec<f64>>);

impl Anchors {
    /// `find` looks up a bone by its name, and warns where there is none.
    pub fn new(
        request: &AnchorRequest,
        character: &Character,
        size: f64,
        find: impl FnMut(&str) -> Option<usize>,
        mut warn: impl FnMut(BindWarning),
    ) -> (Anchors, AnchorReach) {
        let parents: Vec<Option<usize>> =
            character.skeleton.bones.iter().map(|bone| bone.parent).collect();
        let skin_shares = character.centroids().skin_shares(character);
        let asked: Vec<Option<usize>> = match request.names.is_empty() {
            true => {
                let feet = feet::found(character, &parents, &skin_shares, size);
                feet.into_iter().map(Some).collect()
            }
            false => request.names.iter().map(String::as_str).map(find).collect(),
        };
        if asked.is_empty() {
            warn(BindWarning::NoFeet { node: request.node.clone() });
        }
        let (mut bones, mut keys) = (Vec::new(), Vec::new());
        for (key, bone) in asked.into_iter().take(MOST_ANCHORS).enumerate() {
            if let Some(bone) = bone.filter(|bone| !bones.contains(bone)) {
                bones.push(bone);
                keys.push(key);
            }
        }
        let paths: Vec<Vec<usize>> = bones.iter().map(|&bone| path(&parents, bone)).collect();
        let reach = match request.whole_body {
            true => reach::of_body(character, &parents, &bones),
            false => reach::of_limbs(character, &parents, &bones, &skin_shares),
        };
        let mut rows = Vec::new();
        for (anchor, path) in paths.iter().enumerate() {
            for &bone in path {
                let row = |is_reversed| AnchorRow { anchor, key: keys[anchor], bone, is_reversed };
                rows.extend([row(true), row(false)]);
            }
        }
        let outermost = bones.iter().map(|&bone| outermost(character, &parents, bone)).collect();
        let roots = (0..parents.len()).filter(|&bone| parents[bone].is_none()).collect();
        (Anchors { rows, paths, outermost, skin_shares, roots }, AnchorReach(reach))
    }

    pub fn count(&self) -> usize {
        self.paths.len()
    }

    /// The anchors' bones, in order.
    pub fn bones(&self) -> impl Iterator<Item = usize> + '_ {
        self.paths.iter().filter_map(|path| path.last().copied())
    }

    /// Adds the weights of a vertex's further rows, which begin behind `first_row`, to those of its bones (bone and up_j,
    /// in the order of the bones).
    pub fn add_weights(
        &self,
        reach: &AnchorReach,
        vertex: usize,
        first_row: usize,
        list: &mut Vec<(u32, f64)>,
    ) {
        let bones = list.len();
        for (place, row) in self.rows.iter().enumerate() {
            let reach = reach.0[row.anchor][vertex];
            if reach == 0.0 {
                continue;
            }
            let known = list[..bones].binary_search_by_key(&(row.bone as u32), |(bone, _)| *bone);
            let up = known.map_or(0.0, |at| list[at].1);
            let weight = if row.is_reversed { reach * (1.0 - up) } else { -reach * up };
            if weight != 0.0 {
                list.push(((first_row + place) as u32, weight));
            }
        }
    }

    /// The centre of all skin that is not below a bone, of the centroids c of all bones: (M c − m_j c_j)/(M − m_j), m the
    /// areas at rest. The joint, where that is nothing.
    pub fn centroid_of_the_others(&self, bone: usize, centroids: &[DVec3], joint: DVec3) -> DVec3 {
        let share = |bone: usize| self.skin_shares.get(bone).copied().unwrap_or(0.0);
        let rest = 1.0 - share(bone);
        if rest < 1e-9 {
            return joint;
        }
        let whole: DVec3 = self.roots.iter().map(|&root| centroids[root] * share(root)).sum();
        (whole - centroids[bone] * share(bone)) / rest
    }

    /// Where all anchors are.
    pub fn states(
        &self,
        ground_height: f64,
        moment: &Moment,
        of: &[BoneMotion],
    ) -> Vec<AnchorState> {
        let state = |(points, path): (&Vec<CarriedPoint>, &Vec<usize>)| {
            let place = |point: &CarriedPoint| {
                moment.bone_origins[point.bone] + moment.bone_rotations[point.bone] * point.in_bone
            };
            let joint = path.last().map_or(DVec3::ZERO, |&bone| moment.bone_origins[bone]);
            let lowest = points.iter().map(place).min_by(|a, b| a.y.total_cmp(&b.y));
            let lowest = lowest.unwrap_or(joint);
            // As a point of the anchor's bone, which moves by all that is above it.
            let velocity: DVec3 = path
                .iter()
                .filter_map(|&bone| Some((of.get(bone)?, moment.bone_origins[bone])))
                .map(|(motion, joint)| motion.linear + motion.angular.cross(lowest - joint))
                .sum();
            AnchorState { height: lowest.y - ground_height, vertical_speed: velocity.y.abs() }
        };
        self.outermost.iter().zip(&self.paths).map(state).collect()
    }

    /// The largest bone that is named anywhere, for those who check.
    pub fn last_bone(&self) -> Option<usize> {
        let of_points = self.outermost.iter().flatten().map(|point| point.bone);
        of_points
            .chain(self.paths.iter().flatten().copied())
            .chain(self.roots.iter().copied())
            .max()
    }
}

/// From a root down.
fn path(parents: &[Option<usize>], bone: usize) -> Vec<usize> {
    let mut path: Vec<usize> = std::iter::successors(Some(bone), |&at| parents[at]).collect();
    path.reverse();
    path
}

/// More bones than this below an anchor are looked at as one piece.
const MOST_PIECES: usize = 16;

/// Of the skin that hangs on a bone and on all below it, the outermost points in 26 directions; of each of these bones,
/// where they are few, so that a toe that bends is seen.
fn outermost(character: &Character, parents: &[Option<usize>], anchor: usize) -> Vec<CarriedPoint> {
    let mut is_below = vec![false; parents.len()];
    for &bone in &character.skeleton.bones_parents_first {
        is_below[bone] = bone == anchor || parents[bone].is_some_and(|parent| is_below[parent]);
    }
    let below: Vec<usize> = (0..parents.len()).filter(|&bone| is_below[bone]).collect();
    let pieces = if below.len() > MOST_PIECES { 1 } else { below.len() };
    let mut piece_of = vec![None; parents.len()];
    for (place, &bone) in below.iter().enumerate() {
        piece_of[bone] = Some(place % pieces);
    }
    let directions = directions();
    let mut best: Vec<Option<(f64, usize, usize)>> = vec![None; pieces * directions.len()];
    for (vertex, position) in character.rest().positions.iter().enumerate() {
        let strongest = character.strongest_bone(vertex);
        let Some((bone, piece)) = strongest.and_then(|(bone, _)| Some((bone, piece_of[bone]?)))
        else {
            continue;
        };
        for (place, direction) in directions.iter().enumerate() {
            let reach = position.as_dvec3().dot(*direction);
            let known = &mut best[piece * directions.len() + place];
            if known.is_none_or(|(most, ..)| reach > most) {
                *known = Some((reach, vertex, bone));
            }
        }
    }
    let mut chosen: Vec<(usize, usize)> =
        best.into_iter().flatten().map(|(_, v, b)| (v, b)).collect();
    chosen.sort_unstable();
    chosen.dedup();
    let pose = character.rest_pose();
    let carried = |(vertex, bone): (usize, usize)| {
        let rotation: DQuat = rotation(pose, character.skeleton.bones[bone].node);
        let from_joint =
            character.rest().positions[vertex].as_dvec3() - character.bone_origin(pose, bone);
        CarriedPoint { bone, in_bone: rotation.inverse() * from_joint }
    };
    chosen.into_iter().map(carried).collect()
}

/// To the faces, edges and corners of a cube.
fn directions() -> Vec<DVec3> {
    let sides = [-1.0, 0.0, 1.0];
    let all = sides
        .iter()
        .flat_map(|&x| sides.iter().flat_map(move |&y| sides.map(|z| DVec3::new(x, y, z))));
    all.filter(|direction| *direction != DVec3::ZERO).map(DVec3::normalize).collect()
}
