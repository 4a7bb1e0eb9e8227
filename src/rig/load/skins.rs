//! Which nodes are bones, and how each skin and each rigid mesh hangs on them.

use super::accessor::Source;
use super::error::LoadError;
use super::nodes::Tree;
use crate::skeleton::parents_first;
use crate::{Binding, Clip, Property, Skeleton};
use glam::{DAffine3, DMat4};
use gltf::json::skin::Skin;

pub(super) struct Rig {
    pub skeleton: Skeleton,
    pub bindings: Vec<Binding>,
    /// Per skin: its first binding and its number of joints.
    pub skins: Vec<SkinBindings>,
    /// Per node: the binding of the rigid mesh it carries.
    pub rigid_binding: Vec<Option<usize>>,
}

#[derive(Clone, Copy)]
pub(super) struct SkinBindings {
    pub first: usize,
    pub joints: usize,
}

pub(super) fn read(source: Source, tree: &mut Tree, clips: &[Clip]) -> Result<Rig, LoadError> {
    let is_bone = bones(source, tree, clips)?;
    let skeleton = Skeleton::new(std::mem::take(&mut tree.nodes), &is_bone)?;
    let mut bindings = Vec::new();
    let mut skins = Vec::new();
    for skin in &source.root.skins {
        skins.push(SkinBindings { first: bindings.len(), joints: skin.joints.len() });
        for (joint, node_from_bind) in skin.joints.iter().zip(inverse_bind_matrices(source, skin)?)
        {
            let node = joint.value();
            let bone = skeleton.bone_at_or_above[node].unwrap_or(0);
            bindings.push(Binding { node, bone, node_from_bind });
        }
    }
    let mut rigid_binding = vec![None; skeleton.nodes.len()];
    for &node in &tree.mesh_nodes {
        if source.root.nodes[node].skin.is_none()
            && let Some(bone) = skeleton.bone_at_or_above[node]
        {
            rigid_binding[node] = Some(bindings.len());
            bindings.push(Binding { node, bone, node_from_bind: DAffine3::IDENTITY });
        }
    }
    Ok(Rig { skeleton, bindings, skins, rigid_binding })
}

/// Joints are bones. A rigid mesh hangs on the joint above it, unless there is none or something
/// animates it on its own: then its node is a bone too.
fn bones(source: Source, tree: &Tree, clips: &[Clip]) -> Result<Vec<bool>, LoadError> {
    let root = source.root;
    let mut is_bone = vec![false; tree.nodes.len()];
    for joint in root.skins.iter().flat_map(|skin| &skin.joints) {
        let Some(flag) = is_bone.get_mut(joint.value()) else {
            return Err(LoadError::invalid(format!(
                "a skin names node {} as a joint, which does not exist",
                joint.value()
            )));
        };
        *flag = true;
    }
    let is_joint = is_bone.clone();
    let mut is_animated = vec![false; tree.nodes.len()];
    for track in clips.iter().flat_map(|clip| &clip.tracks) {
        is_animated[track.node] |= track.property != Property::MorphWeights;
    }
    let mut hangs_on_joint = vec![false; tree.nodes.len()];
    for node in parents_first(&tree.nodes)? {
        let parent_hangs = tree.nodes[node].parent.is_some_and(|parent| hangs_on_joint[parent]);
        hangs_on_joint[node] = is_joint[node] || (parent_hangs && !is_animated[node]);
    }
    for &node in &tree.mesh_nodes {
        let is_rigid = root.nodes[node].skin.is_none();
        is_bone[node] |= is_rigid && !hangs_on_joint[node];
    }
    Ok(is_bone)
}

fn inverse_bind_matrices(source: Source, skin: &Skin) -> Result<Vec<DAffine3>, LoadError> {
    let Some(accessor) = skin.inverse_bind_matrices else {
        return Ok(vec![DAffine3::IDENTITY; skin.joints.len()]);
    };
    let (numbers, _) = source.floats(accessor, &[16])?;
    let matrices: Vec<DAffine3> = numbers
        .chunks_exact(16)
        .map(|columns| DAffine3::from_mat4(DMat4::from_cols_slice(&columns_f64(columns))))
        .collect();
    if matrices.len() < skin.joints.len() {
        return Err(LoadError::invalid(format!(
            "a skin has {} joints but only {} inverse bind matrices",
            skin.joints.len(),
            matrices.len()
        )));
    }
    Ok(matrices)
}

fn columns_f64(columns: &[f32]) -> [f64; 16] {
    std::array::from_fn(|i| f64::from(columns[i]))
}
