//! From what hangs where to a role for every bone. Names say nothing here: they differ from file to file.

use super::limbs::{Limb, Sides, Stands};
use super::measures::Measures;
use super::mirror;
use super::spine::Spine;
use super::tree::Tree;
use super::{limb_parts, structure::Structure};
use crate::Character;
use jounce_base::Role;

/// In sizes of the character: what is shorter is a part of what carries it.
const SHORTEST_FREE: f64 = 0.08;
const SHORTEST_LIMB: f64 = 0.05;
/// Length over thickness: less is a lump, not a chain.
const MOST_STOUT: f64 = 1.3;
/// Of all skin: a single bone with more is a lump too, such as a shell.
const LARGEST_FREE_BONE: f64 = 0.3;
/// Of a chain in the middle of a head: shorter or stouter is a jaw, not hair or a trunk.
const SHORTEST_ON_HEAD: f64 = 0.15;
const STOUTEST_ON_HEAD: f64 = 3.0;

pub fn automatic(character: &Character, structure: &Structure) -> Vec<Role> {
    let Structure { tree, measures, .. } = structure;
    let mirror = mirror::find(tree, measures, &character.rest().positions);
    let sides = Sides::new(character, tree, measures, &mirror);
    let spine = Spine::new(tree, measures, &sides);
    let assigning = Assigning { tree, measures, sides: &sides, spine: &spine };
    assigning.roles()
}

struct Assigning<'a> {
    tree: &'a Tree,
    measures: &'a Measures,
    sides: &'a Sides,
    spine: &'a Spine,
}

impl Assigning<'_> {
    fn roles(&self) -> Vec<Role> {
        let mut roles = vec![Role::Trunk; self.tree.len()];
        self.middle(&mut roles);
        let arms = self.arms();
        for (place, limb) in self.sides.limbs.iter().enumerate() {
            self.limb(limb, arms.contains(&Some(place)), &mut roles);
        }
        if let Some(top) = self.spine.lone_leg {
            limb_parts::leg(self.tree, self.measures, top, &mut roles);
        }
        for &bone in &self.tree.parents_first {
            if !self.measures.has_skin(bone) {
                // It moves nothing that can be seen.
                roles[bone] = self.tree.parents[bone].map_or(Role::Trunk, |above| roles[above]);
            }
        }
        roles
    }

    fn middle(&self, roles: &mut [Role]) {
        let spine = self.spine;
        spine.neck.iter().for_each(|&bone| roles[bone] = Role::Neck);
        if let Some(head) = spine.head {
            self.give(head, Role::Head, roles);
            // Parents first: what hangs on a free chain is given again with it.
            for bone in self.tree.and_below(head) {
                let is_chain = bone != head && self.sides.is_middle[bone];
                let length = self.measures.bones[bone].branch.length;
                let is_long = length >= SHORTEST_ON_HEAD * self.measures.size;
                let is_slender = self.measures.slenderness(bone) >= STOUTEST_ON_HEAD;
                if is_chain && is_long && is_slender && roles[bone] == Role::Head {
                    self.give(bone, Role::Free, roles);
                }
            }
        }
        for &bone in &spine.others {
            if self.is_free(bone) {
                self.give(bone, Role::Free, roles);
            }
        }
    }

    fn is_free(&self, bone: usize) -> bool {
        let branch = &self.measures.bones[bone].branch;
        let is_long = branch.length >= SHORTEST_FREE * self.measures.size;
        let is_only = self.spine.head.is_none() && self.spine.others.len() == 1;
        let is_shell = !is_only
            && branch.bones_with_skin == 1
            && branch.area >= LARGEST_FREE_BONE * self.measures.total_area;
        is_long && !is_shell && self.measures.slenderness(bone) >= MOST_STOUT
    }

    fn give(&self, top: usize, role: Role, roles: &mut [Role]) {
        self.tree.and_below(top).into_iter().for_each(|bone| roles[bone] = role);
    }

    /// The pair among those that hang freely on the trunk: the one with most bones, then the more slender one.
    /// A body on four legs or more has none: what else it has are wings.
    fn arms(&self) -> [Option<usize>; 2] {
        if self.sides.leg_count() >= 4 {
            return [None; 2];
        }
        let limbs = self.sides.limbs.iter().enumerate();
        let free = limbs.filter(|(_, limb)| limb.twin.is_some() && self.is_free_on_trunk(limb));
        let worth = |limb: &Limb| {
            let of = |top: usize| {
                let branch = &self.measures.bones[top].branch;
                (branch.bones_with_skin as f64, self.measures.slenderness(top))
            };
            let twin = limb.twin.map_or(limb.top, |twin| self.sides.limbs[twin].top);
            let (one, other) = (of(limb.top), of(twin));
            (one.0 + other.0, one.1 + other.1)
        };
        let best = free.max_by(|(_, a), (_, b)| {
            let (a, b) = (worth(a), worth(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        best.map_or([None; 2], |(place, limb)| [Some(place), limb.twin])
    }

    fn is_free_on_trunk(&self, limb: &Limb) -> bool {
        let is_long =
            self.measures.bones[limb.top].branch.length >= SHORTEST_LIMB * self.measures.size;
        limb.stands == Stands::Not
            && is_long
            && limb.attach.is_some_and(|it| self.spine.is_core[it])
    }

    fn limb(&self, limb: &Limb, is_arm: bool, roles: &mut [Role]) {
        let attach = limb.attach.map_or(Role::Trunk, |bone| roles[bone]);
        match limb.stands {
            Stands::AsLeg => limb_parts::leg(self.tree, self.measures, limb.top, roles),
            Stands::AsFoot => self.give(limb.top, Role::Foot, roles),
            Stands::Not if is_arm => limb_parts::arm(self.tree, self.measures, limb.top, roles),
            Stands::Not => {
                // Both of a pair are what either of them is.
                let twin = limb.twin.map(|twin| self.sides.limbs[twin].top);
                let tops = [Some(limb.top), twin];
                let longest =
                    tops.iter().flatten().map(|&top| self.measures.bones[top].branch.length);
                let longest = longest.fold(0.0, f64::max);
                let is_free = longest >= SHORTEST_FREE * self.measures.size;
                self.give(limb.top, if is_free { Role::Free } else { attach }, roles);
            }
        }
    }
}
