//! The node tree of a character and the bones among its nodes.
//!
//! A file's nodes are joints, plain transforms above, between and beside them, and carriers of
//! meshes. All are kept, because all of them move the joints. The *bones* are the nodes that skin
//! hangs on: the joints of all skins, and the carriers of rigid meshes that no joint carries.

use glam::{DAffine3, DQuat, DVec3};
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

/// A node that moves skin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bone {
    pub node: usize,
    /// Whom it moves relative to: in the file the nearest node above that is a bone too, else what
    /// [`Skeleton::with_parents`] was told. Poses do not ask for it: they follow the nodes.
    pub parent: Option<usize>,
}

/// Nodes in file order, bones in the order of [`Skeleton::parents_first`].
#[derive(Clone, Debug)]
pub struct Skeleton {
    pub nodes: Vec<Node>,
    /// All node indices, depth first: parents before children, and what is below a node in one run.
    pub parents_first: Vec<usize>,
    pub bones: Vec<Bone>,
    /// All bones, depth first by their parents; 0, 1, 2 … as long as those are the file's.
    pub bones_parents_first: Vec<usize>,
    /// For each node the bone it is, or the nearest one above it.
    pub bone_at_or_above: Vec<Option<usize>>,
}

#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SkeletonError {
    #[error("node {node} names node {parent} as its parent, which does not exist")]
    NoSuchNode { node: usize, parent: usize },
    #[error("node {node} is its own ancestor")]
    Cycle { node: usize },
    #[error("bone {bone} would hang on itself")]
    BoneCycle { bone: usize },
    #[error("there are {found} parents for {expected} bones")]
    ParentCount { found: usize, expected: usize },
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
        let bones_parents_first = (0..bones.len()).collect();
        Ok(Skeleton { nodes, parents_first, bones, bones_parents_first, bone_at_or_above })
    }

    /// The same nodes and bones, each of which moves relative to another one. Bones keep their numbers.
    pub fn with_parents(&self, parents: &[Option<usize>]) -> Result<Skeleton, SkeletonError> {
        let (found, expected) = (parents.len(), self.bones.len());
        if found != expected {
            return Err(SkeletonError::ParentCount { found, expected });
        }
        if let Some(bone) = parents.iter().position(|p| p.is_some_and(|p| p >= expected)) {
            return Err(SkeletonError::BoneCycle { bone });
        }
        let bones_parents_first =
            depth_first(parents).map_err(|bone| SkeletonError::BoneCycle { bone })?;
        let bones = self.bones.iter().zip(parents);
        let bones = bones.map(|(bone, &parent)| Bone { parent, ..*bone }).collect();
        Ok(Skeleton { bones, bones_parents_first, ..self.clone() })
    }

    /// The nearest bone above a bone in the file, whatever it moves relative to.
    pub fn parent_in_file(&self, bone: usize) -> Option<usize> {
        let above = self.nodes[self.bones[bone].node].parent?;
        self.bone_at_or_above[above]
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

/// All nodes, each after its parent and before its parent's next child (depth first). Iterative: a hostile file may nest a hundred thousand nodes.
pub(super) fn parents_first(nodes: &[Node]) -> Result<Vec<usize>, SkeletonError> {
    let parents: Vec<Option<usize>> = nodes.iter().map(|node| node.parent).collect();
    for (node, &parent) in parents.iter().enumerate() {
        if let Some(parent) = parent.filter(|&parent| parent >= nodes.len()) {
            return Err(SkeletonError::NoSuchNode { node, parent });
        }
    }
    depth_first(&parents).map_err(|node| SkeletonError::Cycle { node })
}

/// Parents before children, and what is below one in one run; or the first that is below itself.
/// All parents are there.
fn depth_first(parents: &[Option<usize>]) -> Result<Vec<usize>, usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    let mut stack = Vec::new();
    for (index, parent) in parents.iter().enumerate() {
        match *parent {
            None => stack.push(index),
            Some(parent) => children[parent].push(index),
        }
    }
    stack.reverse();
    let mut order = Vec::with_capacity(parents.len());
    while let Some(one) = stack.pop() {
        order.push(one);
        stack.extend(children[one].iter().rev());
    }
    if order.len() < parents.len() {
        let mut reached = vec![false; parents.len()];
        order.iter().for_each(|&one| reached[one] = true);
        return Err(reached.iter().position(|&r| !r).unwrap_or(0));
    }
    Ok(order)
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
    fn bones_that_hang_elsewhere_keep_their_numbers_and_come_after_their_parents() {
        // 0 ─ 1 ─ 2 and 3 ─ 4; then 0 hangs on 4.
        let nodes = chain(&[None, Some(0), Some(1), None, Some(3)]);
        let skeleton = Skeleton::new(nodes, &[true; 5]).unwrap();
        assert_eq!(skeleton.bones_parents_first, [0, 1, 2, 3, 4]);
        let parents = [Some(4), Some(0), Some(1), None, Some(3)];
        let other = skeleton.with_parents(&parents).unwrap();
        assert_eq!(other.bones_parents_first, [3, 4, 0, 1, 2]);
        assert_eq!((other.bones[0].parent, other.parent_in_file(0)), (Some(4), None));
        let around = skeleton.with_parents(&[Some(2), Some(0), Some(1), None, Some(3)]);
        assert_eq!(around.unwrap_err(), SkeletonError::BoneCycle { bone: 0 });
        assert!(skeleton.with_parents(&[Some(9), None, None, None, None]).is_err());
        assert!(skeleton.with_parents(&[]).is_err());
    }

    #[test]
    fn a_node_below_itself_is_refused() {
        let nodes = chain(&[Some(1), Some(0), None]);
        let error = Skeleton::new(nodes, &[true; 3]).unwrap_err();
        assert_eq!(error, SkeletonError::Cycle { node: 0 });
    }
}
