//! Many of one mesh, without all of them in memory.
//!
//! Each part casts its shadows; when all have, each part is drawn over the picture of those before it, the
//! farthest first.

use super::instance::Instance;
use super::layers::{Layer, Lit};
use super::light::Light;
use super::{CpuPainter, LARGEST_MAP_PX, check_size, draw_tiles};
use crate::geometry::check_count;
use crate::light::{Lights, MapSizes, UnitSpace};
use crate::uniforms::{instance_uniform, scene_uniform};
use crate::{
    Background, DrawError, Geometry, HerdOf, HerdVertices, Mesh, PictureOf, PlacedOf, Style,
};
use glam::{Mat4, Vec3};
use image::RgbaImage;

/// What the vertices of a part may take.
const PART_BYTES: usize = 16 << 20;

impl CpuPainter {
    pub(super) fn paint_parts(
        &mut self,
        picture: &PictureOf<Mesh>,
        herd: &mut HerdOf<Mesh>,
        size_px: [u32; 2],
    ) -> Result<RgbaImage, DrawError> {
        check_size(size_px)?;
        let unit = UnitSpace::of(&picture.stage);
        let lights = Lights::of(picture, &unit);
        let scene = scene_uniform(picture, &unit, &lights, size_px, false);
        let parts = parts(herd, picture.camera.eye());
        let is_shaded = picture.look.style != Style::Silhouette;
        let (sizes, wireframe) = (MapSizes::of(&lights, LARGEST_MAP_PX), picture.look.wireframe);
        self.reset_maps(&scene, &sizes, is_shaded);
        if is_shaded {
            for part in &parts {
                with_part(herd, part, &unit, wireframe, |models, _| {
                    self.cast_shadows(&scene, models);
                })?;
            }
        }
        self.light_ground(&scene, is_shaded);
        let is_transparent = picture.look.background == Background::Transparent;
        let mut image: Option<RgbaImage> = None;
        for part in &parts {
            with_part(herd, part, &unit, wireframe, |models, instances| {
                let wires = is_shaded && wireframe > 0.0;
                let layers = [Layer::of_models(&scene, size_px, models, wires)];
                let light = Light::new(&scene, &self.key_map, &self.sky_height);
                let (ground, under) = (&self.ground, image.as_ref());
                let lit = Lit { scene: &scene, light, ground, instances, under };
                image = Some(draw_tiles(&lit, &layers, size_px, is_transparent));
            })?;
        }
        image.ok_or(DrawError::NoMoments)
    }
}

/// Members that are there together, the farthest first.
fn parts(herd: &HerdOf<Mesh>, eye: Vec3) -> Vec<Vec<usize>> {
    let bytes = 2 * size_of::<Vec3>() * herd.source.vertex_count().max(1);
    let size = (PART_BYTES / bytes).clamp(1, herd.source.part_size().max(1));
    let distance = |&member: &usize| {
        let place = herd.scene_from_member[member].w_axis.truncate();
        place.distance_squared(eye)
    };
    let mut members: Vec<usize> = (0..herd.scene_from_member.len()).collect();
    members.sort_by(|a, b| distance(b).total_cmp(&distance(a)));
    members.chunks(size).map(<[usize]>::to_vec).collect()
}

/// Hands over the models of a part, with their numbers, and once more without.
fn with_part(
    herd: &mut HerdOf<Mesh>,
    part: &[usize],
    unit: &UnitSpace,
    wireframe: f32,
    work: impl FnOnce(&[(u32, &Instance)], &[Instance]),
) -> Result<(), DrawError> {
    let vertices = herd.source.vertex_count();
    let Geometry { colors, triangles, .. } = herd.model.geometry;
    let (positions, normals) = match herd.source.part(part)? {
        HerdVertices::Lists { positions, normals } => (positions, normals),
        HerdVertices::OnDevice(_) => return Err(DrawError::NoMoments),
    };
    check_count("positions", positions.len(), part.len() * vertices)?;
    check_count("normals", normals.len(), part.len() * vertices)?;
    let mut instances = Vec::with_capacity(part.len());
    for (place, &member) in part.iter().enumerate() {
        let range = place * vertices..(place + 1) * vertices;
        let (positions, normals) = (&positions[range.clone()], &normals[range]);
        let geometry = Geometry { positions, normals, colors, triangles };
        if place == 0 {
            // All have the same triangles.
            geometry.check()?;
        }
        let scene_from_model: Mat4 = herd.scene_from_member[member];
        let placed = PlacedOf { scene_from_model, ..PlacedOf::at_origin(herd.model) };
        instances.push(Instance { geometry, uniform: instance_uniform(&placed, unit, wireframe) });
    }
    let models: Vec<(u32, &Instance)> = (0..).zip(&instances).collect();
    work(&models, &instances);
    Ok(())
}
