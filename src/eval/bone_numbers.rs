//! Numbers of a bone that follow from the character: what sources of bones read of it, beside its pose.

use jounce_rig::Skeleton;

/// Of one bone. All are 0 for a flesh element.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BoneNumbers {
    /// 1 for bones without a parent.
    pub is_root: f64,
    /// How many bones are above it.
    pub depth: f64,
}

/// Of each bone.
pub fn bone_numbers(skeleton: &Skeleton) -> Vec<BoneNumbers> {
    let mut all: Vec<BoneNumbers> = Vec::with_capacity(skeleton.bones.len());
    for bone in &skeleton.bones {
        all.push(BoneNumbers {
            is_root: f64::from(u8::from(bone.parent.is_none())),
            depth: bone.parent.map_or(0.0, |parent| all[parent].depth + 1.0),
        });
    }
    all
}
