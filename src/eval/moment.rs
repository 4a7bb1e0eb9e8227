//! What one frame brings: bones, skinned vertices, sliders. All in f64.

use super::door::is_sane_vec3;
use super::{Motion, Parameters};
use crate::ir::{Program, Source};
use crate::rig::centroid::exact_centroids;
use crate::rig::polar::proper_rotation;
use crate::rig::{Base, Character, Pose, Skinned};
use glam::{DQuat, DVec3, Vec3};

/// Lists are in the order of bones or of vertices. Public so that anything can be evaluated;
/// [`super::door::check`] looks at all of it before it is.
pub struct Moment<'a> {
    pub time_secs: f64,
    pub parameters: Parameters,
    pub motion: &'a dyn Motion,
    pub bone_origins: Vec<DVec3>,
    /// Unit quaternions, from the bone's frame to the scene.
    pub bone_rotations: Vec<DQuat>,
    /// Of a root bone: none.
    pub bone_parent_rotations: Vec<DQuat>,
    pub bone_centroids: Vec<DVec3>,
    /// Empty if the program does not read them: they need a pass over the mesh.
    pub bone_exact_centroids: Vec<DVec3>,
    pub skinned_positions: Vec<DVec3>,
    pub skinned_normals: Vec<DVec3>,
}

/// What a moment is made from.
pub struct MomentParts<'a> {
    pub character: &'a Character,
    pub program: &'a Program,
    pub parameters: &'a Parameters,
    pub pose: &'a Pose,
    pub motion: &'a dyn Motion,
    pub time_secs: f64,
    /// In place of the program's own.
    pub base: Option<Base>,
}

impl<'a> Moment<'a> {
    /// The moment, and plain skinning, which normals are made from.
    pub fn new(parts: &MomentParts<'a>) -> (Moment<'a>, Skinned) {
        let MomentParts { character, program, pose, .. } = *parts;
        let mut skinned = character.skin(pose, parts.base.unwrap_or(program.base));
        replace_unusable(&mut skinned, character.rest());
        let bones = &character.skeleton.bones;
        let bone_rotations: Vec<DQuat> =
            bones.iter().map(|bone| rotation(pose, bone.node)).collect();
        let parents = bones.iter().map(|bone| bone.parent);
        let of_parent =
            |parent: Option<usize>| parent.map_or(DQuat::IDENTITY, |p| bone_rotations[p]);
        let bone_exact_centroids = if program.reads(Source::BoneExactCentroid) {
            exact_centroids(character, pose, &skinned.positions)
        } else {
            Vec::new()
        };
        let bone_centroids = if program.reads(Source::BoneCentroid) {
            character.centroids().evaluate(character, pose)
        } else {
            Vec::new()
        };
        let moment = Moment {
            time_secs: parts.time_secs,
            parameters: parts.parameters.clone(),
            motion: parts.motion,
            bone_origins: (0..bones.len()).map(|b| character.bone_origin(pose, b)).collect(),
            bone_parent_rotations: parents.map(of_parent).collect(),
            bone_rotations,
            bone_centroids,
            bone_exact_centroids,
            skinned_positions: in_f64(&skinned.positions),
            skinned_normals: in_f64(&skinned.normals),
        };
        (moment, skinned)
    }
}

fn in_f64(vectors: &[Vec3]) -> Vec<DVec3> {
    vectors.iter().map(|v| v.as_dvec3()).collect()
}

/// Without scale and mirror. Of q and −q, which are one rotation, the one with w ≥ 0.
fn rotation(pose: &Pose, node: usize) -> DQuat {
    let q = proper_rotation(pose.scene_from_node[node].matrix3);
    if q.w < 0.0 { -q } else { q }
}

/// Skinning has no answer for a vertex without weights, say; the rest pose has one. A whole
/// character must not fail for it.
fn replace_unusable(skinned: &mut Skinned, rest: &Skinned) {
    for (found, rest) in
        [(&mut skinned.positions, &rest.positions), (&mut skinned.normals, &rest.normals)]
    {
        for (found, rest) in found.iter_mut().zip(rest) {
            if !is_sane_vec3(found.as_dvec3()) {
                let is_usable = is_sane_vec3(rest.as_dvec3());
                *found = if is_usable { *rest } else { Vec3::ZERO };
            }
        }
    }
}
