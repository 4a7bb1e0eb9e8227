//! Whom a branch touches: contacts of bones, added up over all bones of a branch.
//!
//! From the tips to the root, each bone takes over the sums of the largest branch below it and adds the
//! others, so that even a chain of thousands of bones costs little more than its contacts.

use super::contact::Contacts;
use crate::Skeleton;
use crate::weights::Subtrees;
use std::collections::BTreeMap;

/// A branch, and the bone outside of it that it touches most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The first bone of the branch.
    pub bone: usize,
    pub parent: usize,
    /// Of all that the branch touches.
    pub share: f64,
    pub contact: f64,
    /// Does it touch any bone above it?
    pub touches_ancestors: bool,
}

/// Of the branches that count and touch anything, in no order.
pub fn candidates(
    skeleton: &Skeleton,
    subtrees: &Subtrees,
    contacts: Contacts,
    counts: impl Fn(usize) -> bool,
) -> Vec<Candidate> {
    let bones = &skeleton.bones;
    let mut own: Vec<BTreeMap<usize, f64>> = vec![BTreeMap::new(); bones.len()];
    for ((bone, other), contact) in contacts {
        own[bone as usize].insert(other as usize, contact);
    }
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); bones.len()];
    for (bone, parent) in bones.iter().map(|bone| bone.parent).enumerate() {
        if let Some(parent) = parent {
            children[parent].push(bone);
        }
    }
    let mut found = Vec::new();
    let mut of_branch = own;
    for &bone in skeleton.bones_parents_first.iter().rev() {
        let below = &children[bone];
        if let Some(&largest) = below.iter().max_by_key(|&&child| subtrees.of(child).len()) {
            let mut sums = std::mem::take(&mut of_branch[largest]);
            // What has been outside of the largest branch below, and is inside now.
            sums.remove(&bone);
            for &child in below.iter().filter(|&&child| child != largest) {
                subtrees.of(child).iter().for_each(|inner| {
                    sums.remove(inner);
                });
            }
            let others = below.iter().copied().filter(|&child| child != largest).chain([bone]);
            for other in others {
                for (outer, contact) in std::mem::take(&mut of_branch[other]) {
                    if !subtrees.holds(bone, outer) {
                        *sums.entry(outer).or_insert(0.0) += contact;
                    }
                }
            }
            of_branch[bone] = sums;
        }
        if counts(bone) {
            found.extend(candidate(bone, &of_branch[bone], subtrees));
        }
    }
    found
}

/// Of equal contacts the first bone.
fn candidate(bone: usize, sums: &BTreeMap<usize, f64>, subtrees: &Subtrees) -> Option<Candidate> {
    let total: f64 = sums.values().sum();
    let largest = sums.iter().rev().max_by(|(_, a), (_, b)| a.total_cmp(b));
    let (&parent, &contact) = largest.filter(|(_, contact)| **contact > 0.0)?;
    let touches_ancestors = sums.keys().any(|&other| subtrees.holds(other, bone));
    Some(Candidate { bone, parent, share: contact / total, contact, touches_ancestors })
}
