//! draw_ground.wgsl: the light map of the ground: x, how much of the key light arrives; y, how much of
//! the sky.

use super::light::{DEEPEST, KEY_REACH, LEAST_RISE, Light};
use super::map::{Map, Overview};
use super::scene::pixel_noise;
use crate::light::SKY_REACH;
use glam::{Vec2, Vec3};

/// Texels of the two maps that are looked at as one.
const KEY_SQUARE: usize = 32;
const SKY_SQUARE: usize = 8;

pub fn ground_light(light: &Light, ground: &mut Map<Vec2>, between: &mut Map<Vec2>) {
    let scene = light.scene;
    let (key_size, sky_size) = (light.key_map.size(), light.sky_height.size());
    let key_reach = Vec2::new(scene.fill_dir[3], scene.rim_dir[3]) * key_size * KEY_REACH;
    let sky_reach = Vec2::new(scene.sky[0], scene.sky[1]) * sky_size * SKY_REACH;
    // Most of the ground is far from everything: nothing can hide the light there.
    let is_blocker = |depth: f32| f32::from(u8::from(depth < DEEPEST));
    let blockers = Overview::of(light.key_map, KEY_SQUARE, key_reach, is_blocker);
    let heights = Overview::of(light.sky_height, SKY_SQUARE, sky_reach, |height| height);
    let [left, back, width, depth] = scene.ground_region;
    let size = ground.size();
    ground.fill(|x, y| {
        let uv = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) / size;
        let point = Vec3::new(left + uv.x * width, scene.eye[3], back + uv.y * depth);
        let key_texel = scene.key_from_unit.transform_point3(point).truncate() * key_size;
        let sky_texel = scene.sky_from_unit.transform_point3(point).truncate() * sky_size;
        let is_shaded = blockers.at(key_texel) > 0.0;
        let is_below = heights.at(sky_texel) - point.y > LEAST_RISE;
        if !is_shaded && !is_below {
            return Vec2::ONE;
        }
        let turn = pixel_noise(x as f32, y as f32) * std::f32::consts::TAU;
        let directions = light.directions(Vec2::from_angle(turn));
        let key = if is_shaded { light.key_on_ground(point, &directions) } else { 1.0 };
        let sky = if is_below { light.sky_on_ground(point, &directions) } else { 1.0 };
        Vec2::new(key, sky)
    });
    // Takes out the noise of the turned discs.
    ground.blur::<2>(3.5, between);
}
