//! Meshes as plain lists.

use super::{DrawError, Materials, OnDevice};
use glam::Vec3;
use std::sync::Arc;

/// What a model is made of. `normals` and `colors` may be empty: then the surface is flat shaded,
/// and of the colour of clay.
#[derive(Clone, Copy, Debug, Default)]
pub struct Geometry<'a> {
    pub positions: &'a [Vec3],
    /// Need not be of unit length, nor point outwards.
    pub normals: &'a [Vec3],
    /// Linear RGB; the fourth number is the opacity of materials, and not used without them.
    pub colors: &'a [[f32; 4]],
    pub triangles: &'a [[u32; 3]],
    /// None: clay of these colours.
    pub materials: Option<&'a Arc<Materials>>,
}

/// What a [`super::Painter`] is given of a model.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mesh<'a> {
    pub geometry: Geometry<'a>,
    /// Drawn in place of positions and normals by the painter of that device.
    pub on_device: Option<OnDevice<'a>>,
}

/// The colour of a model that has none.
pub const CLAY: [f32; 4] = [0.60, 0.58, 0.55, 1.0];

impl Geometry<'_> {
    /// Do its lists belong together?
    pub fn check(&self) -> Result<(), DrawError> {
        let count = self.positions.len();
        if !self.normals.is_empty() {
            check_count("normals", self.normals.len(), count)?;
        }
        if !self.colors.is_empty() {
            check_count("colours", self.colors.len(), count)?;
        }
        if let Some(materials) = self.materials {
            materials.check(count, self.triangles.len())?;
        }
        for (triangle, corners) in self.triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= count) {
                return Err(DrawError::NoSuchVertex { triangle, vertex, count });
            }
        }
        Ok(())
    }
}

pub fn check_count(what: &'static str, found: usize, expected: usize) -> Result<(), DrawError> {
    if found == expected { Ok(()) } else { Err(DrawError::Count { what, found, expected }) }
}
