//! The parts of a limb: an arm ends in a hand with fingers, a leg in a foot.

use super::measures::Measures;
use super::tree::Tree;
use jounce_base::Role;

/// Of the height at which a leg begins: bones whose joint is lower are its foot.
const FOOT_SHARE: f64 = 0.2;
/// Of the length of an arm: where it forks before this, it is no hand that begins.
const EARLIEST_FORK: f64 = 0.3;
/// Of the length of an arm: a bone that is longer than this before it forks is a forearm, not a palm.
const LONGEST_PALM: f64 = 0.3;
/// Of the length of an arm without a fork: what begins after this is its hand.
const HAND_START: f64 = 0.65;
/// In lengths of the longest branch: what is shorter makes no fork.
const LEAST_BRANCH: f64 = 0.5;
/// Of the way to it: what reaches further than this beyond the last joint of an arm is held by it, as a sword is.
const LONGEST_HAND: f64 = 0.4;
/// Joints before one that holds something.
const LEAST_JOINTS: usize = 3;

pub fn leg(tree: &Tree, measures: &Measures, top: usize, roles: &mut [Role]) {
    let highest_foot = FOOT_SHARE * measures.height_above_ground(top);
    for bone in tree.and_below(top) {
        let is_above_foot = tree.parents[bone].is_none_or(|parent| roles[parent] != Role::Foot);
        let is_foot = !is_above_foot || measures.height_above_ground(bone) <= highest_foot;
        roles[bone] = if is_foot && bone != top { Role::Foot } else { Role::Leg };
    }
}

/// Along the bones of an arm to the end of its longest chain.
fn length_without_what_is_held(tree: &Tree, measures: &Measures, top: usize) -> f64 {
    let mut longest: f64 = 0.0;
    let mut open = vec![(top, 0.0, 0)];
    while let Some((bone, way, joints)) = open.pop() {
        let of = &measures.bones[bone];
        let below = tree.children[bone].iter().filter(|child| measures.has_skin(**child));
        let open_before = open.len();
        open.extend(below.map(|&child| {
            (child, way + measures.bones[child].origin.distance(of.origin), joints + 1)
        }));
        let is_end = open.len() == open_before;
        let holds = is_end && joints >= LEAST_JOINTS && of.tip > LONGEST_HAND * way;
        longest = longest.max(way + if holds { 0.0 } else { of.tip });
    }
    longest
}

pub fn arm(tree: &Tree, measures: &Measures, top: usize, roles: &mut [Role]) {
    let mut give = |bone: usize, role: Role| {
        tree.and_below(bone).into_iter().for_each(|below| roles[below] = role);
    };
    give(top, Role::Arm);
    let length = length_without_what_is_held(tree, measures, top);
    let (mut bone, mut way, mut hand) = (top, 0.0, None);
    loop {
        if hand.is_none() && bone != top && way >= HAND_START * length {
            hand = Some(bone);
        }
        let mut below: Vec<usize> =
            tree.children[bone].iter().copied().filter(|&child| measures.has_skin(child)).collect();
        let away =
            |child: usize| measures.bones[child].origin.distance(measures.bones[bone].origin);
        let reach = |child: usize| away(child) + measures.bones[child].branch.length;
        below.sort_by(|&a, &b| reach(b).total_cmp(&reach(a)));
        let Some(&longest) = below.first() else { break };
        let of = |child: usize| measures.bones[child].branch.length;
        // Bones that twist a forearm are short beside it.
        let long = below.iter().filter(|&&child| of(child) >= LEAST_BRANCH * of(longest)).count();
        let is_fork = long >= 2;
        let furthest = below.iter().map(|&child| away(child)).fold(0.0, f64::max);
        if is_fork && way + furthest >= EARLIEST_FORK * length {
            let is_forearm = furthest > LONGEST_PALM * length;
            let palms = if is_forearm { below } else { vec![bone] };
            for palm in palms {
                // The palm itself is the hand, and the fingers are what it carries.
                give(palm, Role::Hand);
                tree.children[palm].iter().for_each(|&finger| give(finger, Role::Finger));
            }
            return;
        }
        way += away(longest);
        bone = longest;
    }
    if let Some(hand) = hand {
        give(hand, Role::Hand);
    }
}
