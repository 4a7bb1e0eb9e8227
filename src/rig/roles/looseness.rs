//! How loosely skin hangs, from 0 to 1: nothing on what stands or carries, rising to the tips of what hangs
//! freely.
//!
//! ```text
//!  trunk, leg, foot   0
//!  neck, head         0 at the trunk, rising along the neck; the same all over the head
//!  arm                0 at the trunk, 1 at the wrist; hand and fingers 1, so that a hand stays a hand
//!  free               at its root that of what it hangs on, 1 at the tip
//! ```
//! Along a chain it rises with the length: from a joint of looseness s to an end that is r away, a point at
//! distance x has s + (goal − s) x / r.

use super::structure::Structure;
use crate::Character;
use glam::DVec3;
use jounce_base::Role;
use jounce_base::parallel::*;

/// Along one bone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BoneLooseness {
    /// At its joint.
    pub start: f64,
    /// Where the next bone begins, or its skin ends.
    pub end: f64,
    origin: DVec3,
    /// To the end, divided by the square of the length.
    along: DVec3,
}

impl BoneLooseness {
    /// At a place beside the bone.
    fn at(&self, position: DVec3) -> f64 {
        let share = (position - self.origin).dot(self.along).clamp(0.0, 1.0);
        self.start + (self.end - self.start) * share
    }
}

/// Of a head on a trunk, and how much a neck as long as the character adds to it.
const OF_HEAD: f64 = 0.3;
const BY_NECK: f64 = 0.5;
const MOST_OF_HEAD: f64 = 0.6;

/// Do they make one chain?
fn is_one_chain(above: Role, below: Role) -> bool {
    above == below && matches!(below, Role::Free | Role::Arm | Role::Neck)
}

/// Does a chain end where the other begins?
fn is_last_before(above: Role, below: Role) -> bool {
    matches!((above, below), (Role::Neck, Role::Head) | (Role::Arm, Role::Hand))
}

/// What is left of a chain from a joint on.
#[derive(Clone, Copy)]
struct Rest {
    /// From the joint to the end of the bone.
    own: DVec3,
    /// From the joint along the bones to the end of the chain.
    length: f64,
    ends_in_other: bool,
}

pub fn of_bones(structure: &Structure, roles: &[Role]) -> Vec<BoneLooseness> {
    let (tree, bones) = (&structure.tree, &structure.measures.bones);
    let rests = rests(structure, roles);
    let mut all = vec![BoneLooseness::default(); tree.len()];
    // What the chain of each bone rises to.
    let mut goals = vec![0.0; tree.len()];
    for &bone in &tree.parents_first {
        let (role, origin, rest) = (roles[bone], bones[bone].origin, rests[bone]);
        let parent = tree.parents[bone];
        let of_parent = |role| parent.filter(|&parent| roles[parent] == role);
        let on = parent.map_or(0.0, |parent| all[parent].at(origin));
        let chain = parent.filter(|&parent| is_one_chain(roles[parent], role));
        goals[bone] = match role {
            Role::Trunk | Role::Leg | Role::Foot => 0.0,
            Role::Arm | Role::Hand | Role::Finger | Role::Free => 1.0,
            Role::Neck => chain.map_or_else(
                || of_head(rest.length / structure.measures.size.max(f64::MIN_POSITIVE)),
                |parent| goals[parent],
            ),
            Role::Head => {
                let above = of_parent(Role::Head).or_else(|| of_parent(Role::Neck));
                above.map_or(OF_HEAD, |parent| goals[parent])
            }
        };
        let goal = goals[bone];
        let length = rest.own.length();
        let share = if rest.length > 0.0 { (length / rest.length).min(1.0) } else { 1.0 };
        let (start, end) = match role {
            Role::Neck | Role::Arm | Role::Free => (on, on + (goal - on) * share),
            _ => (goal, goal),
        };
        let along = if length > 0.0 { rest.own / length.powi(2) } else { DVec3::ZERO };
        all[bone] = BoneLooseness { start, end, origin, along };
    }
    all
}

fn of_head(neck_in_sizes: f64) -> f64 {
    (OF_HEAD + BY_NECK * neck_in_sizes).min(MOST_OF_HEAD)
}

fn rests(structure: &Structure, roles: &[Role]) -> Vec<Rest> {
    let (tree, measures) = (&structure.tree, &structure.measures);
    let bones = &measures.bones;
    let own = |of: &super::measures::BoneMeasures| Rest {
        own: (of.center - of.origin).normalize_or_zero() * of.tip,
        length: of.tip,
        ends_in_other: false,
    };
    let mut rests: Vec<Rest> = bones.iter().map(own).collect();
    for &bone in tree.parents_first.iter().rev() {
        let Some(parent) = tree.parents[bone].filter(|_| measures.has_skin(bone)) else { continue };
        let is_last = is_last_before(roles[parent], roles[bone]);
        if !is_last && !is_one_chain(roles[parent], roles[bone]) {
            continue;
        }
        let own = bones[bone].origin - bones[parent].origin;
        let beyond = if is_last { 0.0 } else { rests[bone].length };
        let ends_in_other = is_last || rests[bone].ends_in_other;
        let length = own.length() + beyond;
        // The way to the hand goes before all others, however long: cuffs and twist bones end nowhere.
        let known = rests[parent];
        let is_better = match ends_in_other == known.ends_in_other {
            true => length > known.length,
            false => ends_in_other,
        };
        if is_better && length > 0.0 {
            rests[parent] = Rest { own, length, ends_in_other };
        }
    }
    rests
}

/// Per vertex: the mean of its bones, each as it is beside the vertex.
pub fn of_vertices(character: &Character, bones: &[BoneLooseness]) -> Vec<f32> {
    let positions = &character.rest().positions;
    let mean = |vertex: usize| {
        let position = positions[vertex].as_dvec3();
        let (mut sum, mut total) = (0.0, 0.0);
        for influence in character.skin.of(vertex) {
            let weight = f64::from(influence.weight.max(0.0));
            sum += weight * bones[character.bindings[influence.index as usize].bone].at(position);
            total += weight;
        }
        if total > 0.0 { (sum / total) as f32 } else { 0.0 }
    };
    (0..positions.len()).into_par_iter().map(mean).collect()
}
