//! draw_wire.wgsl: triangle edges as thin lines over the surface.

use super::scene::{smoothstep, stored};
use super::surface::Facet;
use crate::uniforms::SceneUniform;
use glam::{Vec3, Vec4};

/// Depth grows towards the eye: lifts the lines off the surface they lie in.
pub const LIFT: f32 = 1.0004;

/// `rays` go through the middle of a pixel, of the one to its right and of the one above.
pub fn fragment(scene: &SceneUniform, facet: &Facet, rays: [Vec3; 3], opacity: f32) -> Vec4 {
    let [here, right, above] = rays.map(|ray| facet.parts(ray));
    let per_pixel = ((right - here).abs() + (above - here).abs()).max(Vec3::splat(1e-9));
    let nearest = (here / per_pixel).min_element();
    // Two triangles share an edge: each draws half of the line.
    let half_width = scene.viewport[2] * 0.5;
    let line = 1.0 - smoothstep(half_width - 0.5, half_width + 0.6, nearest);
    // Triangles of a few pixels would turn into a solid coat: fade the lines out as they crowd.
    let smallest_height = 1.0 / per_pixel.max_element();
    let room = ((smallest_height - 1.0) / 7.0).clamp(0.12, 1.0);
    // Darker than light skin and lighter than dark skin: seen on both.
    stored(Vec3::new(0.05, 0.12, 0.26), line * room * opacity)
}
