//! draw_background.wgsl: a calm gradient, and a ground that is only seen by the light and shadow on it.

use super::map::Map;
use super::scene::{smoothstep, stored, xyz};
use crate::uniforms::SceneUniform;
use glam::{Vec2, Vec3, Vec4};

/// What the ground does to the background behind it: (factor of light, 0 to 1 presence of ground).
fn ground_shade(scene: &SceneUniform, ground_light: &Map<Vec2>, ray: Vec3) -> Vec2 {
    let height = scene.eye[1] - scene.eye[3];
    if scene.ray_right[3] < 0.5 || ray.y >= 0.0 || height <= 0.0 {
        return Vec2::new(1.0, 0.0);
    }
    let point = xyz(scene.eye) - ray * (height / ray.y);
    let at = Vec2::new(point.x, point.z);
    let [left, back, width, depth] = scene.ground_region;
    let uv = (at - Vec2::new(left, back)) / Vec2::new(width, depth);
    let mut light = Vec2::ONE;
    if uv.cmpgt(Vec2::ZERO).all() && uv.cmplt(Vec2::ONE).all() {
        light = ground_light.smooth(uv * ground_light.size(), |light| light);
        // Nothing may be cut off at the border of the map.
        let inside = uv.min(1.0 - uv);
        light = Vec2::ONE.lerp(light, smoothstep(0.0, 0.06, inside.min_element()));
    }
    let half_stage = Vec2::new(width, depth) * 0.5;
    let away = ((at - Vec2::new(scene.sky[2], scene.sky[3])) / half_stage).length();
    Vec2::new(0.46 * light.x + 0.54 * light.y, (-away * away * 1.4).exp())
}

/// Up to half a step of 8 bits, in a pattern of 4 × 4 pixels (Bayer).
fn dithered(color: Vec3, [x, y]: [u32; 2]) -> Vec3 {
    let (low, high) = ([x % 2, y % 2], [x % 4 / 2, y % 4 / 2]);
    let rank = 4 * ((low[0] ^ low[1]) * 2 + low[1]) + (high[0] ^ high[1]) * 2 + high[1];
    // Near enough to 2.2 x^(1 − 1 / 2.2), and quick.
    let step = Vec3::new(color.x.sqrt(), color.y.sqrt(), color.z.sqrt()) * (2.1 / 255.0);
    color + step * ((rank as f32 + 0.5) / 16.0 - 0.5)
}

pub fn background(
    scene: &SceneUniform,
    ground_light: &Map<Vec2>,
    ndc: Vec2,
    pixel: [u32; 2],
) -> Vec4 {
    if scene.ray_forward[3] > 0.5 {
        return Vec4::splat(1.0 - scene.ray_up[3]);
    }
    let ray = xyz(scene.ray_right) * ndc.x + xyz(scene.ray_up) * ndc.y + xyz(scene.ray_forward);
    let ground = ground_shade(scene, ground_light, ray);
    if scene.ray_up[3] > 0.5 {
        return Vec4::new(0.0, 0.0, 0.0, 1.0 - ground.x);
    }
    let rise = smoothstep(-1.0, 1.0, ndc.y);
    let mut color = xyz(scene.background_bottom).lerp(xyz(scene.background_top), rise);
    color *= 1.0 - 0.07 * (ndc * 0.7).length_squared();
    // A pool of light where the subject stands; shadows are a little cool, as the sky fills them.
    color *= 1.0 + 0.10 * ground.y;
    color *= Vec3::new(0.03, 0.035, 0.045).lerp(Vec3::ONE, ground.x);
    stored(dithered(color, pixel), 1.0)
}
