//! Whom the bones of a character move relative to, for one program: the one place that decides it.
//!
//! [`hung`] gives the character with those parents in its skeleton; weights, centroids, velocities and
//! everything else ask that. Poses follow the nodes of the file in any case.

use super::bone_names::{BoneNames, Warnings};
use super::warning::BindWarning;
use jounce_base::Hierarchy;
use jounce_base::character_settings::CharacterSettings;
use jounce_ir::Program;
use jounce_rig::{Character, CharacterError};
use std::sync::Arc;

/// The character as a program wants it to hang. The same one where nothing differs from the file.
pub fn hung(
    program: &Program,
    character: &Arc<Character>,
    settings: &CharacterSettings,
) -> Result<Arc<Character>, CharacterError> {
    character.with_parents(&parents(program, character, settings).0)
}

/// Per bone of a character, which may hang in any way, the parent that a program wants for it; and what of
/// the settings cannot be.
pub fn parents(
    program: &Program,
    character: &Character,
    settings: &CharacterSettings,
) -> (Vec<Option<usize>>, Vec<BindWarning>) {
    match program.hierarchy {
        Hierarchy::File => {
            let bones = 0..character.skeleton.bones.len();
            (bones.map(|bone| character.skeleton.parent_in_file(bone)).collect(), Vec::new())
        }
        Hierarchy::Motion => motion_parents(character, settings),
    }
}

/// Where warnings say that bones are named: no node does.
const PARENTS: &str = "parents";

/// What was found, and instead of it what the user has set.
pub fn motion_parents(
    character: &Character,
    settings: &CharacterSettings,
) -> (Vec<Option<usize>>, Vec<BindWarning>) {
    let found = &character.motion_hierarchy().parents;
    if settings.parents.is_empty() {
        return (found.clone(), Vec::new());
    }
    let skeleton = &character.skeleton;
    let names = BoneNames::new(skeleton);
    let mut warnings = Warnings::default();
    let mut find = |name: &String| names.find_or_warn(PARENTS, name, &mut warnings);
    let mut parents = found.clone();
    let mut is_set = vec![false; parents.len()];
    for (bone, parent) in &settings.parents {
        let parent = match parent {
            Some(parent) => find(parent).map(Some),
            None => Some(None),
        };
        if let (Some(bone), Some(parent)) = (find(bone), parent) {
            (parents[bone], is_set[bone]) = (parent, true);
        }
    }
    // What was found has no cycle, so each has bones in it whose parent was set.
    loop {
        let around = in_cycles(&parents);
        if around.is_empty() {
            return (parents, warnings.0);
        }
        for bone in around {
            if !is_set[bone] {
                continue;
            }
            let parent = parents[bone].map(|parent| skeleton.bone_name(parent).to_owned());
            let (name, parent) = (skeleton.bone_name(bone).to_owned(), parent.unwrap_or_default());
            warnings.push(BindWarning::HangsOnItself { name, parent });
            (parents[bone], is_set[bone]) = (found[bone], false);
        }
    }
}

/// The bones for which the settings name a parent, whether it can be theirs or not.
pub fn bones_with_set_parents(character: &Character, settings: &CharacterSettings) -> Vec<usize> {
    let names = BoneNames::new(&character.skeleton);
    settings.parents.keys().filter_map(|name| names.find(name)).collect()
}

/// The bones that come to themselves on the way up.
pub fn in_cycles(parents: &[Option<usize>]) -> Vec<usize> {
    // Per bone the walk that has come by first.
    let mut walks = vec![usize::MAX; parents.len()];
    let mut around = Vec::new();
    for start in 0..parents.len() {
        let mut at = Some(start);
        while let Some(bone) = at.filter(|&bone| walks[bone] == usize::MAX) {
            walks[bone] = start;
            at = parents[bone];
        }
        // Met itself: once around from here.
        if let Some(first) = at.filter(|&bone| walks[bone] == start) {
            let mut bone = first;
            loop {
                around.push(bone);
                match parents[bone] {
                    Some(next) if next != first => bone = next,
                    _ => break,
                }
            }
        }
    }
    around
}

#[cfg(test)]
mod tests {
    use super::in_cycles;

    #[test]
    fn bones_around_a_cycle_are_found_and_those_below_it_are_not() {
        let tree = [None, Some(0), Some(1), Some(0), None];
        assert!(in_cycles(&tree).is_empty());
        // 1 ─ 2 ─ 3 ─ 1, with 0 and 4 below; 5 on itself; 6 free.
        let parents = [Some(1), Some(2), Some(3), Some(1), Some(0), Some(5), None];
        let mut found = in_cycles(&parents);
        found.sort_unstable();
        assert_eq!(found, [1, 2, 3, 5]);
    }
}
