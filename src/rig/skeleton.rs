//! The node tree of a character and the bones among its nodes.
//!
//! A file's nodes are joints, plain transforms above, between and beside them, and carriers of
//! meshes. All are kept, because all of them move the joints. The *bones* are the nodes that skin
//! hangs on: the joints of all skins, and the carriers of rigid meshes that no joint carries.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use thiserror::Error;

/// Translation, rotation and scale of a node relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trs {
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
}

impl Trs {
    pub const IDENTITY: Trs =
        Trs { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    pub fn at(translation: DVec3) -> Trs {
        Trs { translation, ..Trs::IDENTITY }
    }

    pub fn matrix(&self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

/// One node of the file, at its place in the file's `nodes` array.
#[derive(Clone, Debug)]
pub struct Node {
    pub name: String,
    pub parent: Option<usize>,
    pub rest: Trs,
    /// Set where the file gives the transform as a matrix: such a matrix may hold shear, which
    /// `rest` cannot. It counts as long as nothing animates the node.
    pub rest_matrix: Option<DAffine3>,
    /// How many morph weights this node's mesh has, and where they start in [`super::Pose::morph_weights`].
    pub first_morph_weight: usize,
    pub morph_weight_count: usize,
}

impl Node {
    pub fn new(name: impl Into<String>, parent: Option<usize>, rest: Trs) -> Node {
        Node {
            name: name.into(),
            parent,
            rest,
            rest_matrix: None,
            first_morph_weight: 0,
            morph_weight_count: 0,
        }
    }

    pub fn parent_from_node_at_rest(&self) -> DAffine3 {
        self.rest_matrix.unwrap_or_else(|| self.rest.matrix())
    }
}

/// A node that moves skin. Its parent is the nearest node above that is a bone too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bone {
    pub node: usize,
    pub parent: Option<usize>,
}

/// Nodes in file order, bones with parents before children.
#[derive(Clone, Debug)]
pub struct Skeleton {
    pub nodes: Vec<Node>,
    /// All node indices, parents before children.
    pub parents_first: Vec<usize>,
    pub bones: Vec<Bone>,
    /// For each node the bone it is, or the nearest one above it.
    pub bone_at_or_above: Vec<Option<usize>>,
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum SkeletonError {
    #[error("node {node} names node {parent} as its parent, which does not exist")]
    NoSuchNode { node: usize, parent: usize },
    #[error("node {node} is its own ancestor")]
    Cycle { node: usize },
}

impl Skeleton {
    /// `is_bone` holds one flag per node.
    pub fn new(nodes: Vec<Node>, is_bone: &[bool]) -> Result<Skeleton, SkeletonError> {
        let parents_first = parents_first(&nodes)?;
        let mut bones = Vec::new();
        let mut bone_at_or_above: Vec<Option<usize>> = vec![None; nodes.len()];
        for &node in &parents_first {
            let above = nodes[node].parent.and_then(|parent| bone_at_or_above[parent]);
            bone_at_or_above[node] = above;
            if is_bone[node] {
                bone_at_or_above[node] = Some(bones.len());
                bones.push(Bone { node, parent: above });
            }
        }
        Ok(Skeleton { nodes, parents_first, bones, bone_at_or_above })
    }

    pub fn bone_name(&self, bone: usize) -> &str {
        &self.nodes[self.bones[bone].node].name
    }

    /// The bone of that name: exactly, or else but for upper and lower case.
    pub fn bone_named(&self, name: &str) -> Option<usize> {
        let find = |same: &dyn Fn(&str) -> bool| {
            (0..self.bones.len()).find(|&bone| same(self.bone_name(bone)))
        };
        find(&|candidate| candidate == name)
            .or_else(|| find(&|candidate| candidate.eq_ignore_ascii_case(name)))
    }
}

/// All nodes, each after its parent. Iterative: a hostile file may nest a hundred thousand nodes.
pub(super) fn parents_first(nodes: &[Node]) -> Result<Vec<usize>, SkeletonError> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut stack = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        match node.parent {
            None => stack.push(index),
            Some(parent) if parent < nodes.len() => children[parent].push(index),
            Some(parent) => {
                return Err(SkeletonError::NoSuchNode { node: index, parent });
            }
        }
    }
    stack.reverse();
    let mut order = Vec::with_capacity(nodes.len());
    while let Some(node) = stack.pop() {
        order.push(node);
        stack.extend(children[node].iter().rev());
    }
    if order.len() < nodes.len() {
        let mut reached = vec![false; nodes.len()];
        order.iter().for_each(|&node| reached[node] = true);
        let node = reached.iter().position(|&r| !r).unwrap_or(0);
        return Err(SkeletonError::Cycle { node });
    }
    Ok(order)
}

/// The rotation Q of the polar decomposition M = Q P, orthogonal and possibly a mirror (det −1).
///
/// Newton's iteration Q ← (Q + Q⁻ᵀ)/2 (Higham 1986) converges quadratically; a matrix that
/// flattens space has no unique rotation and gets the best one its columns allow.
pub fn polar_rotation(m: DMat3) -> DMat3 {
    let size = m.x_axis.length().max(m.y_axis.length()).max(m.z_axis.length());
    if !(size > 0.0) || !size.is_finite() {
        return DMat3::IDENTITY;
    }
    let mut q = m * (1.0 / size);
    if q.determinant().abs() < 1e-12 {
        return orthonormal_columns(q);
    }
    for _ in 0..64 {
        let next = (q + q.inverse().transpose()) * 0.5;
        let change =
            (next - q).to_cols_array().iter().fold(0.0, |worst: f64, x| worst.max(x.abs()));
        q = next;
        if change < 1e-15 {
            break;
        }
    }
    q
}

/// A right-handed frame from the columns of a flat matrix: the longest column first, then what is
/// left of the others.
fn orthonormal_columns(m: DMat3) -> DMat3 {
    let x = m.x_axis.try_normalize();
    let y = m.y_axis.try_normalize();
    let z = m.z_axis.try_normalize();
    match (x, y, z) {
        (Some(x), Some(y), _) if x.cross(y).length() > 1e-6 => {
            let z = x.cross(y).normalize();
            DMat3::from_cols(x, z.cross(x), z)
        }
        (_, Some(y), Some(z)) if y.cross(z).length() > 1e-6 => {
            let x = y.cross(z).normalize();
            DMat3::from_cols(x, y, x.cross(y))
        }
        (Some(x), _, Some(z)) if z.cross(x).length() > 1e-6 => {
            let y = z.cross(x).normalize();
            DMat3::from_cols(y.cross(z), y, z)
        }
        _ => DMat3::IDENTITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(parents: &[Option<usize>]) -> Vec<Node> {
        parents
            .iter()
            .enumerate()
            .map(|(i, &parent)| Node::new(format!("n{i}"), parent, Trs::IDENTITY))
            .collect()
    }

    #[test]
    fn a_bones_parent_is_the_nearest_bone_above_plain_nodes() {
        // 2 (bone) ─ 0 (plain) ─ 1 (bone), listed children first as files may.
        let nodes = chain(&[Some(2), Some(0), None]);
        let skeleton = Skeleton::new(nodes, &[false, true, true]).unwrap();
        assert_eq!(skeleton.parents_first, vec![2, 0, 1]);
        assert_eq!(skeleton.bones[1], Bone { node: 1, parent: Some(0) });
        assert_eq!(skeleton.bone_at_or_above[0], Some(0));
    }

    #[test]
    fn a_node_below_itself_is_refused() {
        let nodes = chain(&[Some(1), Some(0), None]);
        let error = Skeleton::new(nodes, &[true; 3]).unwrap_err();
        assert_eq!(error, SkeletonError::Cycle { node: 0 });
    }

    #[test]
    fn the_polar_rotation_of_a_scaled_mirror_keeps_the_mirror() {
        let rotation = DMat3::from_quat(DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -1.2, 2.0));
        let scaled = rotation * DMat3::from_diagonal(DVec3::new(0.01, 100.0, 3.0));
        assert!((polar_rotation(scaled) - rotation).to_cols_array().iter().all(|x| x.abs() < 1e-9));
        let mirrored = rotation * DMat3::from_diagonal(DVec3::splat(-2.0));
        assert!(polar_rotation(mirrored).determinant() < 0.0);
        assert!(polar_rotation(DMat3::ZERO).is_finite());
    }
}
