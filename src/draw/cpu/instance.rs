//! draw_model.wgsl: a model's place in the picture, and its triangles on a grid of pixels.

use super::texture::Lining;
use super::triangles::{Corners, Grid, Kind, Triangle};
use crate::geometry::CLAY;
use crate::uniforms::InstanceUniform;
use crate::{Geometry, Materials};
use glam::{Mat4, Vec3, Vec4};
use rayon::prelude::*;

/// A model as the shaders see it.
pub struct Instance<'a> {
    pub geometry: Geometry<'a>,
    pub uniform: InstanceUniform,
}

/// Triangles that one thread looks at in one go.
const AT_ONCE: usize = 4096;

impl<'a> Instance<'a> {
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
        let [r, g, b, part] = self.uniform.tint;
        self.own_color(vertex).truncate().lerp(Vec3::new(r, g, b), part)
    }

    pub fn own_color(&self, vertex: u32) -> Vec4 {
        Vec4::from(self.geometry.colors.get(vertex as usize).copied().unwrap_or(CLAY))
    }

    /// A ghost is seen as a whole, without what its surface is made of.
    fn materials(&self) -> Option<&'a Materials> {
        self.geometry.materials.map(|materials| &**materials).filter(|_| self.is_solid())
    }

    fn is_solid(&self) -> bool {
        self.uniform.options[0] >= 1.0
    }

    /// What a triangle is made of, if there is more to say than its colours.
    pub fn lining(&self, triangle: u32) -> Option<Lining<'a>> {
        let materials = self.materials()?;
        let material = materials.of_triangle(triangle)?;
        let vertices = self.geometry.triangles[triangle as usize];
        let opacities = vertices.map(|vertex| self.own_color(vertex).w);
        Some(Lining::new(materials, material, vertices, opacities))
    }

    fn kind(&self, materials: &Materials, triangle: u32, eye: Option<Vec3>) -> Kind {
        let Some(material) = materials.of_triangle(triangle).map(|it| &materials.list[it]) else {
            return Kind::default();
        };
        let is_back = |eye: Vec3| {
            let corners = self.geometry.triangles[triangle as usize];
            let [a, b, c] = corners.map(|vertex| self.unit_position(vertex));
            (b - a).cross(c - a).dot(eye - a) < 0.0
        };
        let is_back =
            (!material.is_double_sided || material.is_blended()) && eye.is_some_and(is_back);
        Kind {
            is_hidden: is_back && !material.is_double_sided,
            is_back,
            has_holes: material.least_solid_alpha().is_some(),
            is_blended: material.is_blended(),
        }
    }

    fn triangles(
        &self,
        model: u32,
        grid: &Grid,
        clip_from_unit: &Mat4,
        eye: Option<Vec3>,
    ) -> Vec<Vec<Triangle>> {
        let materials = self.materials();
        let clip = |position: &Vec3| *clip_from_unit * self.unit_from_model(*position).extend(1.0);
        let Geometry { positions, triangles, .. } = self.geometry;
        let clip: Vec<Vec4> = positions.par_iter().with_min_len(AT_ONCE).map(clip).collect();
        let of_chunk = |(chunk, triangles): (usize, &[[u32; 3]])| {
            let mut made = Vec::new();
            for (triangle, i) in triangles.iter().zip(0..) {
                let clip = triangle.map(|vertex| clip[vertex as usize]);
                let index = (chunk * AT_ONCE) as u32 + i;
                let kind = materials.map(|materials| self.kind(materials, index, eye));
                let kind = kind.unwrap_or_default();
                grid.add(&Corners { clip, model, index, kind }, &mut made);
            }
            made
        };
        triangles.par_chunks(AT_ONCE).enumerate().map(of_chunk).collect()
    }
}

/// The triangles of all models, in the order of the models, whatever the number of threads.
/// With an eye, backs of what has only a front are not seen.
pub fn triangles(
    models: &[(u32, &Instance)],
    grid: &Grid,
    clip_from_unit: &Mat4,
    eye: Option<Vec3>,
) -> Vec<Triangle> {
    let of_model =
        |(index, model): &(u32, &Instance)| model.triangles(*index, grid, clip_from_unit, eye);
    let all: Vec<Vec<Vec<Triangle>>> = models.par_iter().map(of_model).collect();
    all.into_iter().flatten().flatten().collect()
}
