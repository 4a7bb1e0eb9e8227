//! Bones as sticks and balls over a picture.

use crate::rig::{Character, Pose};
use glam::Vec3;

/// Bones without children: a stick needs somewhere to point.
fn leaves(character: &Character) -> Vec<usize> {
    let bones = &character.skeleton.bones;
    let mut is_leaf = vec![true; bones.len()];
    bones.iter().filter_map(|bone| bone.parent).for_each(|parent| is_leaf[parent] = false);
    (0..bones.len()).filter(|&bone| is_leaf[bone]).collect()
}

/// The joint of every bone, then a tip for every leaf.
pub fn joint_parents(character: &Character) -> Vec<Option<usize>> {
    let joints = character.skeleton.bones.iter().map(|bone| bone.parent);
    joints.chain(leaves(character).into_iter().map(Some)).collect()
}

/// Leaves point at the centre of what they move.
pub fn joints(character: &Character, pose: &Pose) -> Vec<Vec3> {
    let centroids = character.centroids().evaluate(character, pose);
    let joints = (0..centroids.len()).map(|bone| character.bone_origin(pose, bone));
    let tips = leaves(character).into_iter().map(|bone| centroids[bone]);
    joints.chain(tips).map(|joint| joint.as_vec3()).collect()
}
