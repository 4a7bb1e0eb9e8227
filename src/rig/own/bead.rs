//! Eyes and nostrils: little balls set into the surface, meshed on their own so that a pupil's edge
//! is crisp at any resolution of the body.

use super::paint::Color;
use crate::Mesh;
use glam::{Quat, Vec3};

/// A ball seen along `gaze`: rings of colour around that axis.
#[derive(Clone)]
pub struct Bead {
    pub center: Vec3,
    pub radius: f32,
    pub gaze: Vec3,
    pub bone: usize,
    /// From the middle outwards: a colour, and the angle in degrees at which it ends.
    pub rings: Vec<(Color, f32)>,
    /// The place whose softness it shares.
    pub anchor: Vec3,
}

const SIDES: usize = 14;
/// The width of the soft edge between two colours.
const EDGE_DEGREES: f32 = 4.0;

impl Bead {
    pub fn plain(center: Vec3, radius: f32, bone: usize, color: Color) -> Bead {
        Bead { center, radius, gaze: Vec3::Z, bone, rings: vec![(color, 180.0)], anchor: center }
    }

    /// The polar angles of the mesh's rings of vertices with their colours, poles left out.
    fn stations(&self) -> Vec<(f32, Color)> {
        let mut stations = Vec::new();
        let mut from = 0.0;
        for (i, &(color, end)) in self.rings.iter().enumerate() {
            let last = i + 1 == self.rings.len();
            let first_angle = if i == 0 { 0.0 } else { from + EDGE_DEGREES };
            let steps = ((end - first_angle) / 24.0).ceil().max(1.0) as usize;
            for step in 0..=steps {
                let angle = first_angle + (end - first_angle) * step as f32 / steps as f32;
                let pole = (i == 0 && step == 0) || (last && step == steps);
                if !pole {
                    stations.push((angle.to_radians(), color));
                }
            }
            from = end;
        }
        stations
    }

    /// Appends the ball's vertices and triangles; returns how many vertices.
    pub fn append_to(&self, mesh: &mut Mesh) -> usize {
        let first = mesh.positions.len() as u32;
        let turn = Quat::from_rotation_arc(Vec3::Z, self.gaze.normalize());
        let mut push = |polar: f32, around: f32, color: Color| {
            let normal = turn
                * Vec3::new(polar.sin() * around.cos(), polar.sin() * around.sin(), polar.cos());
            mesh.positions.push(self.center + self.radius * normal);
            mesh.normals.push(normal.normalize());
            mesh.colors.push([color.x, color.y, color.z, 1.0]);
        };
        let stations = self.stations();
        push(0.0, 0.0, self.rings[0].0);
        for &(polar, color) in &stations {
            for side in 0..SIDES {
                push(polar, std::f32::consts::TAU * side as f32 / SIDES as f32, color);
            }
        }
        push(std::f32::consts::PI, 0.0, self.rings[self.rings.len() - 1].0);

        let ring_vertex =
            |ring: usize, side: usize| first + 1 + (ring * SIDES + side % SIDES) as u32;
        let end = first + 1 + (stations.len() * SIDES) as u32;
        for side in 0..SIDES {
            let (here, next) = (side, side + 1);
            mesh.triangles.push([first, ring_vertex(0, here), ring_vertex(0, next)]);
            for ring in 1..stations.len() {
                let corners = [
                    ring_vertex(ring - 1, here),
                    ring_vertex(ring, here),
                    ring_vertex(ring, next),
                    ring_vertex(ring - 1, next),
                ];
                mesh.triangles.push([corners[0], corners[1], corners[2]]);
                mesh.triangles.push([corners[0], corners[2], corners[3]]);
            }
            let last = stations.len() - 1;
            mesh.triangles.push([ring_vertex(last, here), end, ring_vertex(last, next)]);
        }
        mesh.positions.len() - first as usize
    }
}
