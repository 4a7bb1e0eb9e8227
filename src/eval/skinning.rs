//! Where the skinned vertices of a moment come from.

use super::Bound;
use super::validate::is_sane_vec3;
use glam::{DAffine3, DVec3, Vec3};
use jounce_rig::skinning::skin_vertices;
use jounce_rig::{Base, Influences, Skinned};
use std::sync::Arc;

/// What skinning needs of a character; it does not change with the pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// In bind space.
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    /// Per vertex: (binding, weight).
    pub influences: Influences,
    pub binding_count: usize,
    /// The bone that each binding hangs on.
    pub bone_of_binding: Vec<u32>,
    /// Whom each bone moves relative to.
    pub bone_parents: Vec<Option<usize>>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Skinning {
    /// In the scene already.
    Given { positions: Vec<DVec3>, normals: Vec<DVec3> },
    /// Evaluators skin by themselves.
    Posed(Posed),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Posed {
    pub base: Base,
    /// One per binding.
    pub scene_from_bind: Vec<DAffine3>,
    /// Vertices in bind space, where morph targets have moved them.
    pub morphed: Option<Arc<Skinned>>,
}

impl Posed {
    /// Positions and normals in bind space.
    pub fn bind<'a>(&'a self, skin: &'a Skin) -> (&'a [Vec3], &'a [Vec3]) {
        match &self.morphed {
            Some(morphed) => (&morphed.positions, &morphed.normals),
            None => (&skin.positions, &skin.normals),
        }
    }
}

/// Plain skinning as the reference does it. What passed [`super::validate::check`] fits together.
pub fn skinned(bound: &Bound, skinning: &Skinning) -> Skinned {
    match (skinning, &bound.skin) {
        (Skinning::Given { positions, normals }, _) => Skinned {
            positions: positions.iter().map(|p| p.as_vec3()).collect(),
            normals: normals.iter().map(|n| n.as_vec3()).collect(),
        },
        (Skinning::Posed(posed), Some(skin)) => {
            let bind = posed.bind(skin);
            let mut skinned =
                skin_vertices(bind, &skin.influences, &posed.scene_from_bind, posed.base);
            replace_unusable(&mut skinned.positions, &bound.rest_positions);
            replace_unusable(&mut skinned.normals, &bound.rest_normals);
            skinned
        }
        (Skinning::Posed(_), None) => Skinned::default(),
    }
}

/// Skinning has no answer for a vertex without weights, say; the rest pose has one. A whole
/// character must not fail for it.
fn replace_unusable(found: &mut [Vec3], rest: &[DVec3]) {
    for (found, rest) in found.iter_mut().zip(rest) {
        if !is_sane_vec3(found.as_dvec3()) {
            *found = rest.as_vec3();
        }
    }
}
