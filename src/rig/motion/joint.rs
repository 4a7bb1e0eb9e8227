//! The local transform of every node at a time, and each bone relative to its parent bone.

use super::playback::ClipMoment;
use super::sample::{sample_rotation, sample_vector, sample_weights};
use crate::polar::{proper_rotation, turn_axis};
use crate::{Bone, Character, Clip, Pose, Property, Skeleton, Trs};
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

/// All nodes at one moment of a clip.
pub fn local_motions(skeleton: &Skeleton, clip: &Clip, moment: &ClipMoment) -> Vec<LocalMotion> {
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
                (local.trs.translation, local.linear) = sample_vector(&track.keys, moment);
            }
            Property::Rotation => {
                (local.trs.rotation, local.angular) = sample_rotation(&track.keys, moment);
            }
            // Animated scale is followed by the skin and adds no velocity.
            Property::Scale => local.trs.scale = sample_vector(&track.keys, moment).0,
            Property::MorphWeights => continue,
        }
        local.matrix = None;
    }
    locals
}

pub fn pose(character: &Character, clip: &Clip, time_secs: f64) -> Pose {
    let locals = local_motions(&character.skeleton, clip, &ClipMoment::value(time_secs));
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

/// A bone's place in its parent bone's frame, and the rates of change there.
pub struct RelativeMotion {
    pub relative: Relative,
    /// d/dt of the relative translation, in the parent's frame.
    pub linear: DVec3,
    /// Relative angular velocity, in the parent's frame.
    pub angular: DVec3,
}

impl RelativeMotion {
    const NONE: RelativeMotion = RelativeMotion {
        relative: Relative { translation: DVec3::ZERO, rotation: DQuat::IDENTITY },
        linear: DVec3::ZERO,
        angular: DVec3::ZERO,
    };
}

/// Per bone, in the frame of its parent.
pub fn relative_motions(skeleton: &Skeleton, locals: &[LocalMotion]) -> Vec<RelativeMotion> {
    let is_bone = |node: usize| {
        skeleton.bone_at_or_above[node].is_some_and(|bone| skeleton.bones[bone].node == node)
    };
    // Each node relative to the nearest bone above it; parents come first.
    let mut composed = vec![Composed::IDENTITY; skeleton.nodes.len()];
    for &node in &skeleton.parents_first {
        let above = skeleton.nodes[node].parent.filter(|&parent| !is_bone(parent));
        let above = above.map_or(Composed::IDENTITY, |parent| composed[parent]);
        composed[node] = above.then(&locals[node]);
    }
    let in_file = |bone: &Bone| composed[bone.node].relative_motion(&locals[bone.node]);
    let mut motions: Vec<RelativeMotion> = skeleton.bones.iter().map(in_file).collect();
    let is_elsewhere = |&bone: &usize| skeleton.bones[bone].parent != skeleton.parent_in_file(bone);
    let elsewhere: Vec<usize> = (0..skeleton.bones.len()).filter(is_elsewhere).collect();
    if !elsewhere.is_empty() {
        let scene = in_scene(skeleton, locals);
        let of = |bone: usize| &scene[skeleton.bones[bone].node];
        for bone in elsewhere {
            let parent = skeleton.bones[bone].parent.map_or(&Composed::IDENTITY, of);
            motions[bone] = of(bone).relative_to(parent);
        }
    }
    motions
}

/// Every node in the scene.
fn in_scene(skeleton: &Skeleton, locals: &[LocalMotion]) -> Vec<Composed> {
    let mut scene = vec![Composed::IDENTITY; skeleton.nodes.len()];
    for &node in &skeleton.parents_first {
        let above = skeleton.nodes[node].parent.map_or(Composed::IDENTITY, |above| scene[above]);
        scene[node] = above.then(&locals[node]);
    }
    scene
}

/// Local motions composed from the top down.
#[derive(Clone, Copy)]
struct Composed {
    nodes: usize,
    matrix: DMat3,
    translation: DVec3,
    linear: DVec3,
    angular: DVec3,
}

impl Composed {
    const IDENTITY: Composed = Composed {
        nodes: 0,
        matrix: DMat3::IDENTITY,
        translation: DVec3::ZERO,
        linear: DVec3::ZERO,
        angular: DVec3::ZERO,
    };

    /// With A the linear part so far and ω what turns it:
    ///
    /// ```text
    /// x ← x + A t      ẋ ← ẋ + ω × (A t) + A ṫ      ω ← ω + rot(A) ω_node      A ← A R S
    /// ```
    fn then(&self, local: &LocalMotion) -> Composed {
        let node = local.parent_from_node();
        let arm = self.matrix * node.translation;
        Composed {
            nodes: self.nodes + 1,
            matrix: self.matrix * node.matrix3,
            translation: self.translation + arm,
            linear: self.linear + self.angular.cross(arm) + self.matrix * local.linear,
            angular: self.angular + turn_axis(self.matrix, local.angular),
        }
    }

    /// `own` is the last of the composed motions: alone, its rotation needs no decomposition.
    fn relative_motion(&self, own: &LocalMotion) -> RelativeMotion {
        let rotation = if self.nodes == 1 && own.matrix.is_none() {
            own.trs.rotation
        } else {
            proper_rotation(self.matrix)
        };
        let relative = Relative { translation: self.translation, rotation };
        RelativeMotion { relative, linear: self.linear, angular: self.angular }
    }

    /// In the frame of another bone, both given in the scene. With A its linear part and ω what turns it
    /// (its scale adds no velocity):
    ///
    /// ```text
    /// y = A⁻¹ (x − x_parent)      ẏ = A⁻¹ (ẋ − ẋ_parent − ω_parent × (x − x_parent))
    /// ω_y = rot(A)⁻¹ (ω − ω_parent)
    /// ```
    /// A parent of no size has no frame: nothing moves there.
    fn relative_to(&self, parent: &Composed) -> RelativeMotion {
        let parent_from_scene = parent.matrix.inverse();
        let arm = self.translation - parent.translation;
        let linear = self.linear - parent.linear - parent.angular.cross(arm);
        let motion = RelativeMotion {
            relative: Relative {
                translation: parent_from_scene * arm,
                rotation: proper_rotation(parent_from_scene * self.matrix),
            },
            linear: parent_from_scene * linear,
            angular: turn_axis(parent_from_scene, self.angular - parent.angular),
        };
        let Relative { translation, rotation } = motion.relative;
        let is_finite = translation.is_finite()
            && rotation.is_finite()
            && motion.linear.is_finite()
            && motion.angular.is_finite();
        if is_finite { motion } else { RelativeMotion::NONE }
    }
}
