//! Many of one mesh in a picture, brought part by part: all at once may be more than there is memory for.

use super::{DrawError, OnDevice};
use glam::{Mat4, Vec3};

/// Where the members of a herd come from.
pub trait HerdSource {
    /// The number of vertices of one member.
    fn vertex_count(&self) -> usize;

    /// How many members can be there at once; at least 1.
    fn part_size(&self) -> usize;

    /// Some of them, in the order that is asked for. What was handed out before need not stay.
    fn part(&mut self, members: &[usize]) -> Result<HerdVertices<'_>, DrawError>;
}

/// The vertices of some members, those of one behind those of the other.
#[derive(Clone, Copy, Debug)]
pub enum HerdVertices<'a> {
    Lists {
        positions: &'a [Vec3],
        normals: &'a [Vec3],
    },
    /// Only where the device that draws has computed them.
    OnDevice(OnDevice<'a>),
}

/// What the lists of members that a source computes by the CPU may take at once.
pub const MOST_LIST_BYTES: usize = 128 << 20;

/// How many members of so many vertices have their positions and normals in so many bytes; at least 1.
pub fn members_in(bytes: usize, vertices: usize) -> usize {
    (bytes / (2 * size_of::<Vec3>() * vertices.max(1))).max(1)
}

/// Many of one mesh. `M` is what a model is, as in [`super::PictureOf`]; its positions and normals are not
/// looked at.
pub struct HerdOf<'a, M> {
    /// Triangles and colours, which all share.
    pub model: &'a M,
    /// Where each stands: turned and scaled evenly, no more.
    pub scene_from_member: &'a [Mat4],
    pub source: &'a mut dyn HerdSource,
}
