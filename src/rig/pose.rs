//! Where every node is at one moment.

use super::Skeleton;
use glam::DAffine3;

#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// One per node of the skeleton.
    pub scene_from_node: Vec<DAffine3>,
    pub morph_weights: Vec<f64>,
}

impl Pose {
    /// Composes local transforms (one per node) down the tree.
    pub fn from_locals(
        skeleton: &Skeleton,
        parent_from_node: &[DAffine3],
        morph_weights: Vec<f64>,
    ) -> Pose {
        let mut scene_from_node = parent_from_node.to_vec();
        for &node in &skeleton.parents_first {
            if let Some(parent) = skeleton.nodes[node].parent {
                scene_from_node[node] = scene_from_node[parent] * parent_from_node[node];
            }
        }
        Pose { scene_from_node, morph_weights }
    }

    /// The same pose with one node, and all below it, moved in the scene.
    pub fn with_moved(&self, skeleton: &Skeleton, node: usize, motion: &DAffine3) -> Pose {
        let mut moved = self.clone();
        let mut is_below = vec![false; skeleton.nodes.len()];
        for &other in &skeleton.parents_first {
            let parent = skeleton.nodes[other].parent;
            is_below[other] = other == node || parent.is_some_and(|parent| is_below[parent]);
            if is_below[other] {
                moved.scene_from_node[other] = *motion * self.scene_from_node[other];
            }
        }
        moved
    }

    /// The pose the file's nodes stand in without animation.
    pub fn rest(skeleton: &Skeleton, morph_weights: Vec<f64>) -> Pose {
        let locals: Vec<DAffine3> =
            skeleton.nodes.iter().map(|node| node.parent_from_node_at_rest()).collect();
        Pose::from_locals(skeleton, &locals, morph_weights)
    }
}
