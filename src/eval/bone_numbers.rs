//! Numbers of a bone that follow from the character: what sources of bones read of it, beside its pose.

use jounce_base::Role;
use jounce_ir::{Program, Source};
use jounce_rig::Character;

/// Of one bone. All are 0 for a flesh element.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BoneNumbers {
    /// 1 for bones without a parent.
    pub is_root: f64,
    /// How many bones are above it.
    pub depth: f64,
    /// 1 for bones whose travel takes the whole character along.
    pub carries: f64,
    /// The number of its [`Role`].
    pub role: f64,
    /// How loosely it hangs, at its end.
    pub looseness: f64,
}

/// Of each bone. What takes long to find is 0 where the program does not ask for it; `roles` are empty then.
pub fn bone_numbers(program: &Program, character: &Character, roles: &[Role]) -> Vec<BoneNumbers> {
    let skeleton = &character.skeleton;
    let from_bool = |is: bool| f64::from(u8::from(is));
    let mut all = vec![BoneNumbers::default(); skeleton.bones.len()];
    for &bone in &skeleton.bones_parents_first {
        let parent = skeleton.bones[bone].parent;
        all[bone].is_root = from_bool(parent.is_none());
        all[bone].depth = parent.map_or(0.0, |parent| all[parent].depth + 1.0);
    }
    if program.reads(Source::BoneCarries) {
        for (numbers, carries) in all.iter_mut().zip(character.carriers()) {
            numbers.carries = from_bool(*carries);
        }
    }
    for (numbers, role) in all.iter_mut().zip(roles) {
        numbers.role = role.number();
    }
    if program.reads(Source::BoneLooseness) {
        let looseness = character.roles().looseness_of_bones(roles);
        for (numbers, of_bone) in all.iter_mut().zip(looseness) {
            numbers.looseness = of_bone.end;
        }
    }
    all
}
