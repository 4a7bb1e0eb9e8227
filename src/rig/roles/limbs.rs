//! What hangs on one side of the body: pairs of legs, arms, wings, ears. Which of them stand on the ground.

use super::measures::Measures;
use super::mirror::Mirror;
use super::tree::Tree;
use crate::Character;
use glam::DVec3;

/// All that hangs on one side, from the first bone that is no longer in the middle.
#[derive(Clone, Debug)]
pub struct Limb {
    pub top: usize,
    /// The bone in the middle that carries it; None for roots.
    pub attach: Option<usize>,
    /// Its mirror image.
    pub twin: Option<usize>,
    pub stands: Stands,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    Not,
    /// From its first bone down to the ground.
    AsLeg,
    /// All of it is near the ground: a foot that a rig keeps apart from its leg.
    AsFoot,
}

pub struct Sides {
    pub limbs: Vec<Limb>,
    /// Has skin on both sides, itself or below it.
    pub is_middle: Vec<bool>,
}

/// A branch with less than this share of its skin on the other side is on one side.
const MOST_ON_OTHER_SIDE: f64 = 0.2;
/// Of the height: skin this low touches the ground.
pub const TOUCHES: f64 = 0.04;
/// Of the height: what is all below this is a foot.
const FOOT_HEIGHT: f64 = 0.12;
/// Of the length of a limb: what stands on the ground goes down to it at least so far.
const LEAST_DROP: f64 = 0.25;
/// In sizes of the character: so near to its mirror image is the joint of the other side.
const MIRRORED_JOINT: f64 = 0.02;
/// Fewer may be anything.
const LEAST_MIRRORED_JOINTS: usize = 3;
const MOST_JOINTS: usize = 64;
/// Only the largest are matched.
const MOST_LIMBS: usize = 256;

impl Sides {
    pub fn new(character: &Character, tree: &Tree, measures: &Measures, mirror: &Mirror) -> Sides {
        let shares = areas_on_one_side(character, tree, measures, mirror);
        let is_on_one_side = |bone: usize| {
            let area = measures.bones[bone].branch.area;
            let on_other = shares[bone].min(area - shares[bone]);
            // Most of a body is its middle, wherever it stands.
            on_other < MOST_ON_OTHER_SIDE * area && area < 0.5 * measures.total_area
        };
        let mut is_middle = vec![false; tree.len()];
        let mut limbs = Vec::new();
        for &bone in &tree.parents_first {
            let parent = tree.parents[bone];
            if !measures.has_skin(bone) || parent.is_some_and(|parent| !is_middle[parent]) {
                continue;
            }
            match is_on_one_side(bone) {
                true => {
                    limbs.push(Limb { top: bone, attach: parent, twin: None, stands: Stands::Not })
                }
                false => is_middle[bone] = true,
            }
        }
        let mut sides = Sides { limbs, is_middle };
        sides.find_twins(tree, measures, mirror);
        sides.find_legs(measures);
        sides
    }

    pub fn leg_count(&self) -> usize {
        self.limbs.iter().filter(|limb| limb.stands == Stands::AsLeg).count()
    }

    fn find_twins(&mut self, tree: &Tree, measures: &Measures, mirror: &Mirror) {
        let branch = |limb: usize| &measures.bones[self.limbs[limb].top].branch;
        let mut largest: Vec<usize> = (0..self.limbs.len()).collect();
        largest.sort_by(|&a, &b| branch(b).area.total_cmp(&branch(a).area));
        largest.truncate(MOST_LIMBS);
        let mut joints: Vec<Vec<DVec3>> = vec![Vec::new(); self.limbs.len()];
        for &limb in &largest {
            joints[limb] = main_chain(tree, measures, self.limbs[limb].top);
        }
        let mut matches = Vec::new();
        for (place, &one) in largest.iter().enumerate() {
            for &other in &largest[place + 1..] {
                let (a, b) = (branch(one), branch(other));
                let hang_alike = self.limbs[one].attach == self.limbs[other].attach;
                // One hand may hold a sword, and the other a shield: the joints tell them from wings and legs.
                let joints = [&joints[one], &joints[other]].map(Vec::as_slice);
                if hang_alike && are_mirrored(joints, mirror, MIRRORED_JOINT * measures.size) {
                    matches.push((0.0, one, other));
                    continue;
                }
                if mirror.side(a.center) * mirror.side(b.center) >= 0.0 || b.area < 0.5 * a.area {
                    continue;
                }
                let away = mirror.image(a.center).distance(b.center);
                // In a pose they need not be at the same place, but hang on the same bone.
                let is_as_long = (0.67..=1.5).contains(&(a.length / b.length.max(1e-12)));
                if away <= 0.12 * measures.size || (hang_alike && is_as_long) {
                    matches.push((away, one, other));
                }
            }
        }
        matches.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, one, other) in matches {
            if self.limbs[one].twin.is_none() && self.limbs[other].twin.is_none() {
                self.limbs[one].twin = Some(other);
                self.limbs[other].twin = Some(one);
            }
        }
    }

    fn find_legs(&mut self, measures: &Measures) {
        let stands: Vec<Stands> =
            self.limbs.iter().map(|limb| stands(measures, limb.top)).collect();
        for (place, limb) in self.limbs.iter_mut().enumerate() {
            // One of a pair may be lifted.
            let of_twin = limb.twin.map_or(Stands::Not, |twin| stands[twin]);
            limb.stands = if stands[place] == Stands::Not { of_twin } else { stands[place] };
        }
    }
}

/// Are two chains of joints left and right of each other, from their tops on?
fn are_mirrored([one, other]: [&[DVec3]; 2], mirror: &Mirror, most_away: f64) -> bool {
    let is_mirrored = |(a, b): &(&DVec3, &DVec3)| mirror.image(**a).distance(**b) <= most_away;
    let mirrored = one.iter().zip(other).take_while(is_mirrored);
    // Collar bones begin in the middle, where everything is its own image.
    let (beside, inside): (Vec<_>, Vec<_>) =
        mirrored.partition(|(a, _)| mirror.side(**a).abs() > most_away);
    beside.len() >= LEAST_MIRRORED_JOINTS
        && 2 * (beside.len() + inside.len()) >= one.len().max(other.len())
}

/// The joints of the chain with most bones, and with most skin among those.
fn main_chain(tree: &Tree, measures: &Measures, top: usize) -> Vec<DVec3> {
    let worth = |bone: usize| {
        let branch = &measures.bones[bone].branch;
        (branch.bones_with_skin as f64, branch.area)
    };
    let next = |bone: &usize| {
        let below = tree.children[*bone].iter().copied();
        let below = below.filter(|&child| measures.has_skin(child));
        below.max_by(|&a, &b| {
            let (a, b) = (worth(a), worth(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        })
    };
    let chain = std::iter::successors(Some(top), next).take(MOST_JOINTS);
    chain.map(|bone| measures.bones[bone].origin).collect()
}

/// Does a branch stand on the ground?
pub fn stands(measures: &Measures, top: usize) -> Stands {
    let branch = &measures.bones[top].branch;
    if branch.lowest > measures.ground + TOUCHES * measures.height {
        return Stands::Not;
    }
    if branch.highest <= measures.ground + FOOT_HEIGHT * measures.height {
        return Stands::AsFoot;
    }
    let drop = measures.bones[top].origin.y - branch.lowest;
    if drop >= LEAST_DROP * branch.length { Stands::AsLeg } else { Stands::Not }
}

/// Per bone the skin on the side that the normal points to, of it and all below it.
fn areas_on_one_side(
    character: &Character,
    tree: &Tree,
    measures: &Measures,
    mirror: &Mirror,
) -> Vec<f64> {
    let mut areas = vec![0.0; tree.len()];
    let positions = &character.rest().positions;
    for (vertex, list) in character.skin.lists().enumerate() {
        if mirror.side(positions[vertex].as_dvec3()) > 0.0 {
            for influence in list {
                let bone = character.bindings[influence.index as usize].bone;
                let weight = f64::from(influence.weight.max(0.0));
                areas[bone] += weight * measures.vertex_areas[vertex];
            }
        }
    }
    for &bone in tree.parents_first.iter().rev() {
        if let Some(parent) = tree.parents[bone] {
            areas[parent] += areas[bone];
        }
    }
    areas
}
