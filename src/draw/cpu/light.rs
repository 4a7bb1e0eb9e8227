//! draw_light.wgsl: how much of the key light and of the sky reaches a point.

use super::map::Map;
use super::scene::{smoothstep, turned, xyz};
use crate::light::SKY_REACH;
use crate::uniforms::SceneUniform;
use glam::{Vec2, Vec3};

const KEY_SOFTNESS: f32 = 0.14;
/// How far to search for what hides the key light from the ground.
pub const KEY_REACH: f32 = KEY_SOFTNESS * 1.2;
pub const DEEPEST: f32 = 0.9999;
pub const GROUND_TAPS: usize = 24;
const SURFACE_KEY_TAPS: usize = 12;
const SURFACE_SKY_TAPS: usize = 14;

/// The ground looks for what hides the key light in a map that is so many times coarser: it looks far
/// around, and the whole map is more than a processor keeps at hand.
const COARSER: usize = 4;
/// Shadows on the ground that are at least so soft, in texels of the key map, are read there too.
const SOFT_TEXELS: f32 = 12.0;

/// What is above a point by less does not hide the sky.
pub const LEAST_RISE: f32 = 0.012;

/// The maps that light is read from. On the ground the nearest texel is enough, because the light map is
/// smoothed afterwards; on surfaces it is between the four nearest, as on the GPU.
pub struct Light<'a> {
    pub scene: &'a SceneUniform,
    pub key_map: &'a Map<f32>,
    pub sky_height: &'a Map<f32>,
    coarse_key_map: Map<f32>,
    /// Directions of the taps, each turned by the golden angle against the one before.
    spiral: [Vec2; GROUND_TAPS],
}

impl<'a> Light<'a> {
    pub fn new(scene: &'a SceneUniform, key_map: &'a Map<f32>, sky_height: &'a Map<f32>) -> Self {
        let mut direction = Vec2::X;
        let spiral = std::array::from_fn(|_| {
            let this = direction;
            direction = turned(direction);
            this
        });
        let coarse_key_map = key_map.thinned(COARSER);
        Light { scene, key_map, sky_height, coarse_key_map, spiral }
    }

    /// The directions of a point of the ground, which start anywhere: `start` says where.
    pub fn directions(&self, start: Vec2) -> [Vec2; GROUND_TAPS] {
        self.spiral.map(|direction| direction.rotate(start))
    }

    fn uv_per_unit(&self) -> Vec2 {
        Vec2::new(self.scene.fill_dir[3], self.scene.rim_dir[3])
    }

    /// `tap` says how much of a texel is lit at a depth.
    fn key_lit(
        &self,
        key_map: &Map<f32>,
        at: Vec3,
        radius: f32,
        directions: &[Vec2],
        tap: impl Fn(&Map<f32>, Vec2, f32) -> f32,
    ) -> f32 {
        let size = key_map.size();
        let texels_per_unit = self.uv_per_unit() * size * radius;
        let (middle, depth) = (at.truncate() * size, at.z.min(DEEPEST));
        let taps = directions.len() as f32;
        let mut lit = 0.0;
        for (i, direction) in directions.iter().enumerate() {
            let out = ((i as f32 + 0.5) / taps).sqrt();
            lit += tap(key_map, middle + *direction * out * texels_per_unit, depth);
        }
        lit / taps
    }

    /// On a character: a narrow fixed softness.
    pub fn key_on_surface(&self, point: Vec3, normal: Vec3) -> f32 {
        let radius = 0.011;
        let lifted = point + normal * (radius * 1.1) + xyz(self.scene.key_dir) * 0.004;
        let at = self.scene.key_from_unit.transform_point3(lifted);
        // The part of four texels that a depth is not behind, as a comparison sampler has it.
        let spiral = &self.spiral[..SURFACE_KEY_TAPS];
        self.key_lit(self.key_map, at, radius, spiral, |map, texel, depth| {
            map.smooth(texel, |stored| f32::from(u8::from(depth <= stored)))
        })
    }

    /// On the ground: the shadow softens with the height of what casts it (percentage-closer soft
    /// shadows, Fernando 2005).
    pub fn key_on_ground(&self, point: Vec3, directions: &[Vec2; GROUND_TAPS]) -> f32 {
        let at = self.scene.key_from_unit.transform_point3(point);
        let coarse = &self.coarse_key_map;
        let (size, uv_per_unit) = (coarse.size(), self.uv_per_unit());
        let (mut gap_sum, mut blockers) = (0.0, 0.0);
        for (i, direction) in directions.iter().enumerate() {
            let out = (i as f32 + 0.5) / GROUND_TAPS as f32 * KEY_REACH;
            let away = *direction * out;
            let Some(depth) = coarse.get((at.truncate() + away * uv_per_unit) * size) else {
                continue;
            };
            let gap = (at.z - depth) * self.scene.key_dir[3];
            if depth < DEEPEST && gap > 0.0 && out <= gap * KEY_SOFTNESS + 0.01 {
                gap_sum += gap;
                blockers += 1.0;
            }
        }
        if blockers == 0.0 {
            return 1.0;
        }
        let radius = (gap_sum / blockers * KEY_SOFTNESS).max(0.004);
        let is_soft = radius * uv_per_unit.x * self.key_map.size().x > SOFT_TEXELS;
        let map = if is_soft { coarse } else { self.key_map };
        self.key_lit(map, at, radius, directions, |map, texel, depth| {
            f32::from(u8::from(depth <= map.nearest(texel)))
        })
    }

    /// How open the sky is above a point of the ground, 0 to 1.
    pub fn sky_on_ground(&self, point: Vec3, directions: &[Vec2; GROUND_TAPS]) -> f32 {
        self.sky_visibility(point, Vec3::Y, directions, Map::nearest)
    }

    /// The same of a point of a character.
    pub fn sky_on_surface(&self, point: Vec3, normal: Vec3) -> f32 {
        let height = |map: &Map<f32>, at| map.smooth(at, |height| height);
        self.sky_visibility(point, normal, &self.spiral[..SURFACE_SKY_TAPS], height)
    }

    fn sky_visibility(
        &self,
        point: Vec3,
        normal: Vec3,
        directions: &[Vec2],
        height_at: impl Fn(&Map<f32>, Vec2) -> f32,
    ) -> f32 {
        let size = self.sky_height.size();
        let at = self.scene.sky_from_unit.transform_point3(point).truncate() * size;
        let texels_per_unit = Vec2::new(self.scene.sky[0], self.scene.sky[1]) * size;
        let taps = directions.len() as f32;
        let mut hidden = 0.0;
        for (i, direction) in directions.iter().enumerate() {
            let away = *direction * ((i as f32 + 0.5) / taps * SKY_REACH);
            let height = height_at(self.sky_height, at + away * texels_per_unit);
            let rise = height - point.y - LEAST_RISE;
            if rise <= 0.0 {
                continue;
            }
            let toward = Vec3::new(away.x, rise, away.y);
            let distance = toward.length();
            let faced = (toward.dot(normal) / distance - 0.12).max(0.0) / 0.88;
            hidden += faced * smoothstep(0.0, 0.05, rise) / (1.0 + distance * distance * 6.0);
        }
        (1.0 - 1.5 * hidden / taps).clamp(0.0, 1.0)
    }
}
