//! draw_scene.wgsl: what all that is drawn has in common.

use glam::{Vec2, Vec3, Vec4};

/// The direction of a lamp or an axis of the scene.
pub fn xyz([x, y, z, _]: [f32; 4]) -> Vec3 {
    Vec3::new(x, y, z)
}

/// Turned by the golden angle.
pub fn turned(direction: Vec2) -> Vec2 {
    let golden = Vec2::new(-0.737_368_9, 0.675_490_3);
    Vec2::new(
        direction.x * golden.x - direction.y * golden.y,
        direction.x * golden.y + direction.y * golden.x,
    )
}

/// Interleaved gradient noise (Jimenez 2014).
pub fn pixel_noise(x: f32, y: f32) -> f32 {
    fract(52.982_918 * fract(x * 0.067_110_56 + y * 0.005_837_15))
}

fn fract(x: f32) -> f32 {
    x - x.floor()
}

pub fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

pub fn soften_highlights(color: Vec3) -> Vec3 {
    const KNEE: f32 = 0.62;
    const ROOM: f32 = 1.0 - KNEE;
    let bent =
        |c: f32| if c <= KNEE { c } else { KNEE + ROOM * (1.0 - (-(c - KNEE) / ROOM).exp()) };
    Vec3::new(bent(color.x), bent(color.y), bent(color.z))
}

/// Linear colour and opacity, premultiplied.
pub fn stored(color: Vec3, opacity: f32) -> Vec4 {
    (color * opacity).extend(opacity)
}

/// A premultiplied colour over another.
pub fn over(color: Vec4, below: Vec4) -> Vec4 {
    color + below * (1.0 - color.w)
}
