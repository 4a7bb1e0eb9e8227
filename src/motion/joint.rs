//! The local transform of every node at a time, and each bone relative to its parent bone.

use super::sample::{sample_rotation, sample_vector, sample_weights};
use crate::rig::skeleton::polar_rotation;
use crate::rig::{Character, Clip, Pose, Property, Skeleton, Trs};
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// A node's transform relative to its parent, and how fast it changes.
#[derive(Clone, Copy, Debug)]
pub struct LocalMotion {
    pub trs: Trs,
    /// The file's matrix, as long as nothing animates the node.
    pub matrix: Option<DAffine3>,
    /// d/dt of the translation.
    pub linear: DVec3,
    /// Angular velocity in the parent's frame.
    pub angular: DVec3,
}

impl LocalMotion {
    pub fn parent_from_node(&self) -> DAffine3 {
        self.matrix.unwrap_or_else(|| self.trs.matrix())
    }
}

/// Where a bone stands in the frame of its parent bone, with the plain nodes between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relative {
    pub translation: DVec3,
    pub rotation: DQuat,
}

/// All nodes at one time of a clip.
pub fn local_motions(skeleton: &Skeleton, clip: &Clip, time_secs: f64) -> Vec<LocalMotion> {
    let at_rest = skeleton.nodes.iter().map(|node| LocalMotion {
        trs: node.rest,
        matrix: node.rest_matrix,
        linear: DVec3::ZERO,
        angular: DVec3::ZERO,
    });
    let mut locals: Vec<LocalMotion> = at_rest.collect();
    for track in &clip.tracks {
        let local = &mut locals[track.node];
        match track.property {
            Property::Translation => {
                (local.trs.translation, local.linear) = sample_vector(&track.keys, time_secs);
            }
            Property::Rotation => {
                (local.trs.rotation, local.angular) = sample_rotation(&track.keys, time_secs);
            }
            // Animated scale is followed by the skin and adds no velocity.
            Property::Scale => local.trs.scale = sample_vector(&track.keys, time_secs).0,
            Property::MorphWeights => continue,
        }
        local.matrix = None;
    }
    locals
}

pub fn pose(character: &Character, clip: &Clip, time_secs: f64) -> Pose {
    let locals = local_motions(&character.skeleton, clip, time_secs);
    let mut morph_weights = character.rest_morph_weights.clone();
    for track in &clip.tracks {
        if track.property == Property::MorphWeights {
            let node = &character.skeleton.nodes[track.node];
            let first = node.first_morph_weight;
            let weights = &mut morph_weights[first..first + node.morph_weight_count];
            if weights.len() == track.keys.width {
                sample_weights(&track.keys, time_secs, weights);
            }
        }
    }
    let matrices: Vec<DAffine3> = locals.iter().map(LocalMotion::parent_from_node).collect();
    Pose::from_locals(&character.skeleton, &matrices, morph_weights)
}

/// Per bone its place in its parent bone's frame, and the rates of change there.
pub struct RelativeMotion {
    pub relative: Relative,
    /// d/dt of the relative translation, in the parent's frame.
    pub linear: DVec3,
    /// Relative angular velocity, in the parent's frame.
    pub angular: DVec3,
}

pub fn relative_motions(skeleton: &Skeleton, locals: &[LocalMotion]) -> Vec<RelativeMotion> {
    let mut chain = Vec::new();
    let of_bone = |bone: &crate::rig::Bone| {
        chain.clear();
        let end = bone.parent.map(|parent| skeleton.bones[parent].node);
        let mut at = Some(bone.node);
        while let Some(node) = at.filter(|&node| Some(node) != end) {
            chain.push(&locals[node]);
            at = skeleton.nodes[node].parent;
        }
        chain.reverse();
        compose(&chain)
    };
    skeleton.bones.iter().map(of_bone).collect()
}

/// Composes local motions from the top down. With A the linear part so far and ω what turns it:
///
/// ```text
/// x ← x + A t      ẋ ← ẋ + ω × (A t) + A ṫ      ω ← ω + rot(A) ω_node      A ← A R S
/// ```
fn compose(chain: &[&LocalMotion]) -> RelativeMotion {
    if let [only] = chain {
        let (translation, rotation) = (only.trs.translation, only.trs.rotation);
        return RelativeMotion {
            relative: Relative { translation, rotation },
            linear: only.linear,
            angular: only.angular,
        };
    }
    let mut matrix = DMat3::IDENTITY;
    let (mut translation, mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
    for local in chain {
        let node = local.parent_from_node();
        translation += matrix * node.translation;
        linear += angular.cross(matrix * node.translation) + matrix * local.linear;
        angular += turn_axis(matrix, local.angular);
        matrix *= node.matrix3;
    }
    RelativeMotion {
        relative: Relative { translation, rotation: rotation_of(matrix) },
        linear,
        angular,
    }
}

/// The proper rotation in a matrix. Of a mirror −1·R it is R: what matters is how it changes.
pub fn rotation_of(matrix: DMat3) -> DQuat {
    let orthogonal = polar_rotation(matrix);
    let sign = if orthogonal.determinant() < 0.0 { -1.0 } else { 1.0 };
    DQuat::from_mat3(&(orthogonal * sign)).normalize()
}

/// Carries an angular velocity (a pseudovector) through the rotation of a matrix: under a mirror
/// Q (a × b) = −(Q a × Q b), so its sign turns.
pub fn turn_axis(matrix: DMat3, angular: DVec3) -> DVec3 {
    if angular == DVec3::ZERO {
        return angular;
    }
    let orthogonal = polar_rotation(matrix);
    let sign = if orthogonal.determinant() < 0.0 { -1.0 } else { 1.0 };
    orthogonal * angular * sign
}
