//! draw_model.wgsl: a model's place in the picture, and its triangles on a grid of pixels.

use super::triangles::{Corners, Grid, Triangle};
use crate::Geometry;
use crate::geometry::CLAY;
use crate::uniforms::InstanceUniform;
use glam::{Mat4, Vec3, Vec4};
use rayon::prelude::*;

/// A model as the shaders see it.
pub struct Instance<'a> {
    pub geometry: Geometry<'a>,
    pub uniform: InstanceUniform,
}

/// Triangles that one thread looks at in one go.
const AT_ONCE: usize = 4096;

impl Instance<'_> {
    pub fn unit_position(&self, vertex: u32) -> Vec3 {
        self.unit_from_model(self.geometry.positions[vertex as usize])
    }

    fn unit_from_model(&self, position: Vec3) -> Vec3 {
        self.uniform.unit_from_model.transform_point3(position)
    }

    /// In unit space, of any length; zero where the surface is flat.
    pub fn normal(&self, vertex: u32) -> Vec3 {
        let normal = self.geometry.normals.get(vertex as usize).copied().unwrap_or(Vec3::ZERO);
        self.uniform.unit_from_model_normal.transform_vector3(normal)
    }

    /// With the tint.
    pub fn color(&self, vertex: u32) -> Vec3 {
        let own = self.geometry.colors.get(vertex as usize).copied().unwrap_or(CLAY);
        let [r, g, b, part] = self.uniform.tint;
        Vec4::from(own).truncate().lerp(Vec3::new(r, g, b), part)
    }

    fn triangles(&self, model: u32, grid: &Grid, clip_from_unit: &Mat4) -> Vec<Vec<Triangle>> {
        let clip = |position: &Vec3| *clip_from_unit * self.unit_from_model(*position).extend(1.0);
        let Geometry { positions, triangles, .. } = self.geometry;
        let clip: Vec<Vec4> = positions.par_iter().with_min_len(AT_ONCE).map(clip).collect();
        let of_chunk = |(chunk, triangles): (usize, &[[u32; 3]])| {
            let mut made = Vec::new();
            for (triangle, i) in triangles.iter().zip(0..) {
                let clip = triangle.map(|vertex| clip[vertex as usize]);
                let index = (chunk * AT_ONCE) as u32 + i;
                grid.add(&Corners { clip, model, index }, &mut made);
            }
            made
        };
        triangles.par_chunks(AT_ONCE).enumerate().map(of_chunk).collect()
    }
}

/// The triangles of all models, in the order of the models, whatever the number of threads.
pub fn triangles(models: &[(u32, &Instance)], grid: &Grid, clip_from_unit: &Mat4) -> Vec<Triangle> {
    let of_model =
        |(index, model): &(u32, &Instance)| model.triangles(*index, grid, clip_from_unit);
    let all: Vec<Vec<Vec<Triangle>>> = models.par_iter().map(of_model).collect();
    all.into_iter().flatten().flatten().collect()
}
