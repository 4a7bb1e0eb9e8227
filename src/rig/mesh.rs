//! The vertices of a character, in the order of the contract: nodes as in the file's `nodes` array,
//! each node's mesh once per node, primitives in order.

use super::Materials;
use glam::{Vec2, Vec3};
use std::ops::Range;

/// Everything is per vertex unless it says otherwise.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// In bind space.
    pub positions: Vec<Vec3>,
    /// Unit length, in bind space. Never empty: what the file lacks is computed at load.
    pub normals: Vec<Vec3>,
    /// Linear RGBA: the material's base colour times the vertex colour.
    pub colors: Vec<[f32; 4]>,
    /// Texture coordinates; empty where no material needs them.
    pub uvs: [Vec<Vec2>; 2],
    pub triangles: Vec<[u32; 3]>,
    pub parts: Vec<Part>,
    pub morph_targets: Vec<MorphTarget>,
    /// What the parts are made of.
    pub materials: Materials,
}

/// One primitive of one mesh as one node carries it.
#[derive(Clone, Debug)]
pub struct Part {
    pub name: String,
    pub node: usize,
    pub vertices: Range<usize>,
    pub triangles: Range<usize>,
    /// Which of the mesh's materials; None: the plain one.
    pub material: Option<usize>,
}

/// Offsets added in bind space before skinning, times one of [`super::Pose::morph_weights`].
/// Only the vertices that move are listed.
#[derive(Clone, Debug, Default)]
pub struct MorphTarget {
    pub weight: usize,
    pub vertices: Vec<u32>,
    pub position_offsets: Vec<Vec3>,
    pub normal_offsets: Vec<Vec3>,
}
