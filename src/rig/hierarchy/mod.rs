//! Which bone carries which, recovered from skin and motion where a file's own tree is not how the body
//! hangs together: rigs for inverse kinematics keep feet, hands or whole limbs outside of their chain.
//!
//! ```text
//!  contact  where the skin of a branch touches that of other bones at rest     ┐
//!  travel   how far a joint moves in the frame of a bone, in the clips         ┴► choose ─► parents
//! ```
//! A bone moves, with all below it, under bone k
//!
//! - if its branch has skin, but less than half of it all,
//! - if its joint moves by more than 5 % of the size in the frame of the file's parent, and by at most an
//!   eighth of that in the frame of k,
//! - and if k has at least half of the branch's contact.
//!
//! Where there are no clips: if the branch touches no bone above it in the file, and nine tenths of its
//! contact are k's. The larger share goes first, and no bone ever comes to hang on itself. On rigs whose
//! tree is the body's nothing changes.
//!
//! The cost does not grow with how vertices are spread: see the limits in [`contact`] and [`travel`].

mod areas;
mod contact;
mod shares;
mod travel;

pub use areas::SkinAreas;
pub use areas::carriers;

use super::weights::Subtrees;
use super::{Character, Skeleton};
use shares::Candidate;
use travel::Watched;

/// Parts of the size.
const LEAST_TRAVEL: f64 = 0.05;
/// A joint moves so many times as far in the frame of the file's parent as in that of the better one.
const TIMES_STILLER: f64 = 8.0;
const LEAST_SHARE: f64 = 0.5;
const LEAST_SHARE_WITHOUT_CLIPS: f64 = 0.9;
/// Of all skin. What carries that much is the body, and not a part of it.
const MOST_SKIN: f64 = 0.5;
/// A branch with less than this part of all skin has none.
const NO_SKIN: f64 = 1e-9;

/// Who carries whom, by skin and motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionHierarchy {
    /// Per bone; None: the scene.
    pub parents: Vec<Option<usize>>,
    /// Where they differ from the file's, in the order of the bones.
    pub changes: Vec<Rehung>,
}

/// A bone that hangs elsewhere than in the file, with all below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rehung {
    pub bone: usize,
    /// None: the scene.
    pub file_parent: Option<usize>,
    pub parent: usize,
    /// Of all that the branch's skin touches, how much belongs to the new parent: 0 to 1.
    pub contact_share: f64,
    /// None where there are no clips to see it in.
    pub travel: Option<Travel>,
}

/// How far a joint moves in the clips that move it, on average, in sizes of the character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Travel {
    pub in_file_parent: f64,
    pub in_parent: f64,
}

impl MotionHierarchy {
    /// Of a character; the parents in its parts count, whatever it hangs on now.
    pub(super) fn of(character: &Character) -> MotionHierarchy {
        let parts: &super::CharacterParts = character;
        let skeleton = &parts.skeleton;
        let mut candidates = candidates(character, skeleton);
        let with_travel = match parts.clips.iter().any(|clip| !clip.tracks.is_empty()) {
            true => by_travel(character, skeleton, &candidates),
            false => {
                candidates
                    .retain(|it| it.share >= LEAST_SHARE_WITHOUT_CLIPS && !it.touches_ancestors);
                candidates.iter().map(|it| (*it, None)).collect()
            }
        };
        choose(skeleton, with_travel)
    }
}

/// Branches whose contact is mostly that of a bone other than the file's parent.
fn candidates(character: &Character, skeleton: &Skeleton) -> Vec<Candidate> {
    let size = character.size();
    if !(size > 0.0) || skeleton.bones.len() < 2 {
        return Vec::new();
    }
    let areas = character.areas();
    let in_branch = areas.in_branches(skeleton);
    let is_part = |bone: usize| {
        let share = in_branch[bone] / areas.total;
        share > NO_SKIN && share < MOST_SKIN
    };
    let subtrees = Subtrees::new(skeleton);
    let contacts = contact::contacts(character, &subtrees, size);
    let mut candidates = shares::candidates(skeleton, &subtrees, contacts, is_part);
    candidates
        .retain(|it| it.share >= LEAST_SHARE && skeleton.bones[it.bone].parent != Some(it.parent));
    candidates
}

/// Those whose joint moves much more in the file than where it would hang.
fn by_travel(
    character: &Character,
    skeleton: &Skeleton,
    candidates: &[Candidate],
) -> Vec<(Candidate, Option<Travel>)> {
    let watched = candidates.iter().map(|it| Watched {
        bone: it.bone,
        file_parent: skeleton.bones[it.bone].parent,
        parent: it.parent,
    });
    let travels = travel::travels(character, skeleton, &watched.collect::<Vec<Watched>>());
    let better = candidates.iter().copied().zip(travels).filter(|(_, travel)| {
        travel.in_file_parent > LEAST_TRAVEL
            && travel.in_parent * TIMES_STILLER <= travel.in_file_parent
    });
    better.map(|(candidate, travel)| (candidate, Some(travel))).collect()
}

/// The larger share first; of equal ones the larger contact, then the bone nearer to the root.
fn choose(
    skeleton: &Skeleton,
    mut candidates: Vec<(Candidate, Option<Travel>)>,
) -> MotionHierarchy {
    candidates.sort_by(|(a, _), (b, _)| {
        let by_share = b.share.total_cmp(&a.share).then(b.contact.total_cmp(&a.contact));
        by_share.then(a.bone.cmp(&b.bone))
    });
    let mut parents: Vec<Option<usize>> = skeleton.bones.iter().map(|bone| bone.parent).collect();
    let mut changes = Vec::new();
    for (candidate, travel) in candidates {
        let Candidate { bone, parent, share, .. } = candidate;
        if is_at_or_above(&parents, bone, parent) {
            continue;
        }
        let file_parent = parents[bone].replace(parent);
        changes.push(Rehung { bone, file_parent, parent, contact_share: share, travel });
    }
    changes.sort_by_key(|change| change.bone);
    MotionHierarchy { parents, changes }
}

/// Is a bone the other one, or above it? There is no cycle among the parents.
pub fn is_at_or_above(parents: &[Option<usize>], bone: usize, other: usize) -> bool {
    std::iter::successors(Some(other), |&at| parents[at]).any(|at| at == bone)
}

#[cfg(test)]
mod tests;
