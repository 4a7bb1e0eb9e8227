//! Many of one mesh, without all of them in memory.
//!
//! Each part casts its shadows, and by then it is known where its members are. When all have, parts are made
//! anew, and each is drawn over the picture of those before it, the farthest first.

use super::instance::Instance;
use super::layers::{Layer, Lit};
use super::light::Light;
use super::{CpuPainter, LARGEST_MAP_PX, check_size, draw_tiles};
use crate::geometry::check_count;
use crate::light::{Lights, MapSizes, UnitSpace};
use crate::uniforms::{instance_uniform, scene_uniform};
use crate::{
    Background, Bounds, DrawError, Geometry, HerdOf, HerdVertices, Mesh, PictureOf, PlacedOf,
    Style, members_in,
};
use glam::Mat4;
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
        let places = herd.scene_from_member;
        let mut members: Vec<usize> = (0..places.len()).collect();
        let size = members_in(PART_BYTES, herd.source.vertex_count());
        let size = size.min(herd.source.part_size().max(1));
        let is_shaded = picture.look.style != Style::Silhouette;
        let (sizes, wireframe) = (MapSizes::of(&lights, LARGEST_MAP_PX), picture.look.wireframe);
        self.reset_maps(&scene, &sizes, is_shaded);
        // A silhouette is of one colour, so that it needs no shadows, and no order either.
        if is_shaded {
            let eye = picture.camera.eye();
            let mut distances = vec![0.0; places.len()];
            for part in members.chunks(size) {
                with_part(herd, part, &unit, wireframe, |models, instances| {
                    self.cast_shadows(&scene, models);
                    for (&member, instance) in part.iter().zip(instances) {
                        // Not where it stands: its motion may lead it anywhere from there.
                        let middle = Bounds::of(instance.geometry.positions).center();
                        let middle = places[member].transform_point3(middle);
                        distances[member] = middle.distance_squared(eye);
                    }
                })?;
            }
            members.sort_by(|&a, &b| f32::total_cmp(&distances[b], &distances[a]));
        }
        self.light_ground(&scene, is_shaded);
        let is_transparent = picture.look.background == Background::Transparent;
        let mut image: Option<RgbaImage> = None;
        for part in members.chunks(size) {
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

/// Hands over the models of a part, with their numbers, and once more without.
fn with_part(
    herd: &mut HerdOf<Mesh>,
    part: &[usize],
    unit: &UnitSpace,
    wireframe: f32,
    work: impl FnOnce(&[(u32, &Instance)], &[Instance]),
) -> Result<(), DrawError> {
    let vertices = herd.source.vertex_count();
    let Geometry { colors, triangles, materials, .. } = herd.model.geometry;
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
        let geometry = Geometry { positions, normals, colors, triangles, materials };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Camera, HerdSource, Look, Stage, View};
    use glam::{Vec3, vec3};

    /// Where members are in their own space.
    const MIDDLE: Vec3 = vec3(0.0, 0.0, -30.0);
    const CORNERS: [Vec3; 4] =
        [vec3(-1.0, -1.0, 0.0), vec3(1.0, -1.0, 0.0), vec3(1.0, 1.0, 0.0), vec3(-1.0, 1.0, 0.0)];
    const TRIANGLES: [[u32; 3]; 4] = [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];

    /// Each member is two squares, of which only the one with its number is larger than a point.
    #[derive(Default)]
    struct Squares {
        part_size: usize,
        positions: Vec<Vec3>,
        normals: Vec<Vec3>,
    }

    impl HerdSource for Squares {
        fn vertex_count(&self) -> usize {
            8
        }

        fn part_size(&self) -> usize {
            self.part_size
        }

        fn part(&mut self, members: &[usize]) -> Result<HerdVertices<'_>, DrawError> {
            self.positions.clear();
            for &member in members {
                for square in [0, 1] {
                    let size = if square == member { 1.0 } else { 0.0 };
                    self.positions.extend(CORNERS.map(|corner| MIDDLE + corner * size));
                }
            }
            self.normals = vec![Vec3::Z; self.positions.len()];
            Ok(HerdVertices::Lists { positions: &self.positions, normals: &self.normals })
        }
    }

    /// The red one is nearer to the eye than the blue one, the place where it stands is farther away.
    #[test]
    fn members_are_painted_over_each_other_by_where_they_are_not_by_where_they_stand() {
        let mut colors = [[0.9, 0.05, 0.05, 1.0]; 8];
        colors[4..].fill([0.05, 0.05, 0.9, 1.0]);
        let mut model = Mesh::default();
        model.geometry.colors = &colors;
        model.geometry.triangles = &TRIANGLES;
        let scene_from_member = [20.0, 12.0].map(|z| Mat4::from_translation(Vec3::Z * z));
        let picture = PictureOf {
            // The eye is at the origin.
            camera: Camera {
                target: vec3(0.0, 0.0, -14.0),
                view: View::from_degrees(0.0, 0.0),
                distance: 14.0,
                vertical_fov_rad: Camera::FOV_RAD,
            },
            stage: Stage::around(Bounds {
                min: vec3(-1.0, -1.0, -18.0),
                max: vec3(1.0, 1.0, -10.0),
            }),
            look: Look::default(),
            models: &[],
            skeletons: &[],
        };
        for part_size in [1, 2] {
            let mut source = Squares { part_size, ..Squares::default() };
            let mut herd = HerdOf {
                model: &model,
                scene_from_member: &scene_from_member,
                source: &mut source,
            };
            let image = CpuPainter::default().paint_parts(&picture, &mut herd, [48, 48]).unwrap();
            let [red, _, blue, _] = image.get_pixel(24, 24).0;
            assert!(red > blue, "in parts of {part_size}: red {red}, blue {blue}");
        }
    }
}
