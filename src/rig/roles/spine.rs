//! What is in the middle of the body: the trunk between its legs, the neck and the head at its end, and the
//! chains beside them.
//!
//! ```text
//!            tail ─ ─ ─ core ───────── path ─────────► neck ─► head
//!                        │ │             │
//!                      legs legs        arms
//! ```
//! The *core* is all that legs hang on and what carries it. Of the branches that leave it one leads to the
//! head: the one that ends high and bulky. It is trunk as far as arms hang on it.

use super::limbs::{Limb, Sides, Stands, stands};
use super::measures::Measures;
use super::tree::Tree;
use std::collections::HashSet;

pub struct Spine {
    /// And of the branch with the head what is trunk.
    pub is_core: Vec<bool>,
    /// In the order from the trunk.
    pub neck: Vec<usize>,
    /// The topmost bone of the head: all in the middle below it belongs to it.
    pub head: Option<usize>,
    /// Other branches that leave the core or the trunk, and those of the neck.
    pub others: Vec<usize>,
    /// Stands on the ground all alone: the one leg of a body that has no others.
    pub lone_leg: Option<usize>,
}

/// A head is higher than this share of the height, if it is not known by its bulk.
const LEAST_HEAD_HEIGHT: f64 = 0.7;
/// And so much thicker than the thinnest part of its neck, if neither legs nor arms tell what is up.
const LEAST_BULGE: f64 = 1.25;

impl Spine {
    pub fn new(tree: &Tree, measures: &Measures, sides: &Sides) -> Spine {
        let mut is_core = core(tree, measures, sides);
        let lone_leg = (sides.leg_count() == 0).then(|| lone_leg(tree, measures, sides, &is_core));
        let lone_leg = lone_leg.flatten();
        let branches: Vec<usize> = branches(tree, sides, &is_core);
        let mut others: Vec<usize> =
            branches.iter().copied().filter(|&bone| Some(bone) != lone_leg).collect();
        let found = others.iter().filter_map(|&bone| Ending::new(tree, measures, sides, bone));
        let thickest = others.iter().map(|&bone| measures.bones[bone].branch.radius);
        let thickest = thickest.fold(f64::MIN_POSITIVE, f64::max);
        let score = |ending: &Ending| {
            let head = &measures.bones[ending.head];
            let up = (head.branch.highest - measures.ground) / measures.height.max(1e-12);
            up + 0.5 * (head.branch.radius / thickest).min(1.0)
        };
        let best = found.max_by(|a, b| score(a).total_cmp(&score(b)));
        let Some(Ending { path, trunk_end, head_start, head }) = best else {
            return Spine { is_core, neck: Vec::new(), head: None, others, lone_leg };
        };
        others.retain(|&bone| bone != path[0]);
        let beside = path[..head_start].iter().flat_map(|&bone| &tree.children[bone]);
        let is_on_path: HashSet<usize> = path.iter().copied().collect();
        let beside = beside.filter(|child| sides.is_middle[**child] && !is_on_path.contains(child));
        others.extend(beside);
        path[..trunk_end].iter().for_each(|&bone| is_core[bone] = true);
        let neck = path[trunk_end..head_start].to_vec();
        Spine { is_core, neck, head: Some(head), others, lone_leg }
    }
}

/// A branch that may end in a head.
struct Ending {
    path: Vec<usize>,
    /// Places on the path.
    trunk_end: usize,
    head_start: usize,
    head: usize,
}

impl Ending {
    fn new(tree: &Tree, measures: &Measures, sides: &Sides, root: usize) -> Option<Ending> {
        let path = main_path(tree, measures, sides, root);
        let arms = last_arms(measures, sides, &path);
        let trunk_end = arms.map_or(0, |place| place + 1);
        let head_start = head_start(measures, &path, trunk_end)?;
        let head = path[head_start];
        let girth = |place: usize| girth(measures, &path, place);
        let thick = (head_start..path.len()).map(girth).fold(0.0, f64::max);
        let with_skin = (0..path.len()).filter(|&place| measures.bones[path[place]].area > 0.0);
        let thin = with_skin.map(girth).fold(f64::INFINITY, f64::min);
        let top = measures.bones[head].branch.highest - measures.ground;
        let is_high = top >= LEAST_HEAD_HEIGHT * measures.height;
        let has_limbs = sides.leg_count() > 0 || arms.is_some();
        let is_head = (has_limbs && is_high) || thick >= LEAST_BULGE * thin;
        // A shell is no head: nothing leads to it.
        let is_end = path.len() > 1 || has_limbs;
        (is_head && is_end).then_some(Ending { path, trunk_end, head_start, head })
    }
}

/// How much skin there is along a bone, per length.
fn girth(measures: &Measures, path: &[usize], place: usize) -> f64 {
    let bone = &measures.bones[path[place]];
    let next = path.get(place + 1).map(|&next| &measures.bones[next]);
    // What comes after may begin at the same joint, or far beyond the skin.
    let length = next.filter(|next| next.area > 0.0).map(|next| next.origin.distance(bone.origin));
    let length = length.map_or(bone.tip, |length| length.max(0.25 * bone.tip));
    bone.area / length.max(1e-3 * measures.size).max(f64::MIN_POSITIVE)
}

/// All that carries legs. Without legs: the first bone with skin or with several branches.
fn core(tree: &Tree, measures: &Measures, sides: &Sides) -> Vec<bool> {
    let mut is_core = vec![false; tree.len()];
    let of_legs = |limb: &&Limb| limb.stands == Stands::AsLeg;
    for attach in sides.limbs.iter().filter(of_legs).filter_map(|limb| limb.attach) {
        for bone in tree.and_above(attach) {
            // What is above was marked with it.
            if std::mem::replace(&mut is_core[bone], true) {
                break;
            }
        }
    }
    if is_core.contains(&true) {
        return is_core;
    }
    let area = |bone: &&usize| measures.bones[**bone].branch.area;
    let roots = tree.roots.iter().filter(|&&root| sides.is_middle[root]);
    let mut next = roots.max_by(|a, b| area(a).total_cmp(&area(b))).copied();
    while let Some(bone) = next {
        is_core[bone] = true;
        let mut below = tree.children[bone].iter().filter(|&&child| measures.has_skin(child));
        let only = below.next().filter(|&&child| sides.is_middle[child]);
        let has_no_skin = measures.bones[bone].area < 0.005 * measures.total_area;
        next = only.filter(|_| has_no_skin && below.next().is_none()).copied();
    }
    is_core
}

/// A branch that goes down to the ground, of a body that nothing else carries.
fn lone_leg(tree: &Tree, measures: &Measures, sides: &Sides, is_core: &[bool]) -> Option<usize> {
    let is_leg = |&bone: &usize| {
        let of = &measures.bones[bone];
        let drop = of.origin.y - of.branch.lowest;
        stands(measures, bone) == Stands::AsLeg
            && drop >= 0.6 * of.branch.length
            && of.branch.length >= 0.2 * measures.height
    };
    branches(tree, sides, is_core).into_iter().find(is_leg)
}

/// Bones in the middle that leave the core.
fn branches(tree: &Tree, sides: &Sides, is_core: &[bool]) -> Vec<usize> {
    let leaves = |&bone: &usize| {
        let hangs_on_core = tree.parents[bone].is_none_or(|parent| is_core[parent]);
        sides.is_middle[bone] && !is_core[bone] && hangs_on_core
    };
    (0..tree.len()).filter(leaves).collect()
}

/// From a bone down to where most of the skin is and what is highest.
fn main_path(tree: &Tree, measures: &Measures, sides: &Sides, root: usize) -> Vec<usize> {
    let worth = |bone: &&usize| {
        let branch = &measures.bones[**bone].branch;
        let up = (branch.highest - measures.ground) / measures.height.max(1e-12);
        branch.area / measures.total_area + up
    };
    let mut path = vec![root];
    let mut bone = root;
    loop {
        let below = tree.children[bone].iter().filter(|&&child| sides.is_middle[child]);
        match below.max_by(|a, b| worth(a).total_cmp(&worth(b))) {
            Some(&child) => path.push(child),
            None => return path,
        }
        bone = path[path.len() - 1];
    }
}

/// The last place on a path where a pair hangs that is not of the head: where something comes after it that is
/// bulky beside it. Animals on four legs have none as a rule, so they need more of it.
fn last_arms(measures: &Measures, sides: &Sides, path: &[usize]) -> Option<usize> {
    let least = if sides.leg_count() >= 4 { 0.5 } else { 0.1 };
    let mut largest_after = vec![0.0_f64; path.len() + 1];
    for place in (0..path.len()).rev() {
        largest_after[place] = largest_after[place + 1].max(measures.bones[path[place]].area);
    }
    let place_on_path: std::collections::HashMap<usize, usize> =
        path.iter().enumerate().map(|(place, &bone)| (bone, place)).collect();
    let place = |limb: &Limb| {
        let place = *place_on_path.get(&limb.attach?)?;
        let is_long = measures.bones[limb.top].branch.length >= 0.08 * measures.size;
        let own = measures.bones[path[place]].area;
        let goes_on = largest_after[place + 1] > 0.002 * measures.total_area
            && largest_after[place + 1] >= least * own;
        let counts = limb.twin.is_some() && limb.stands == Stands::Not && is_long && goes_on;
        counts.then_some(place)
    };
    sides.limbs.iter().filter_map(place).max()
}

/// The last bulky bone, and what is above it as long as it is bulky too and close.
fn head_start(measures: &Measures, path: &[usize], from: usize) -> Option<usize> {
    let area = |place: usize| measures.bones[path[place]].area;
    let most = (from..path.len()).map(area).fold(0.0, f64::max);
    let last = (from..path.len()).rev().find(|&place| area(place) >= 0.5 * most)?;
    if most <= 0.0 {
        return None;
    }
    let mut start = last;
    while start > from {
        let (above, below) = (&measures.bones[path[start - 1]], &measures.bones[path[start]]);
        let is_close = above.origin.distance(below.origin) <= 2.0 * below.radius.max(above.radius);
        if above.area < 0.5 * area(last) || !is_close {
            break;
        }
        start -= 1;
    }
    Some(start)
}
