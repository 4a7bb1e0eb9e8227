//! Colours and the patterns on hides.

use glam::{IVec3, Vec3};
pub use jounce_base::srgb::linear_from_hex as srgb;

/// Linear RGB.
pub type Color = Vec3;

/// 0 at `low`, 1 at `high`, flat at both; `low` may be the larger.
pub fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Four or so numbers in 0..1 from a lattice point; the same on every machine.
fn scatter(cell: IVec3, salt: u32) -> Vec3 {
    let mut state = (cell.x as u32).wrapping_mul(0x8da6_b343)
        ^ (cell.y as u32).wrapping_mul(0xd816_3841)
        ^ (cell.z as u32).wrapping_mul(0xcb1a_b31f)
        ^ salt.wrapping_mul(0x9e37_79b9);
    let mut next = || {
        state ^= state >> 16;
        state = state.wrapping_mul(0x7feb_352d);
        state ^= state >> 15;
        state = state.wrapping_mul(0x846c_a68b);
        state ^= state >> 16;
        (state >> 8) as f32 / (1 << 24) as f32
    };
    Vec3::new(next(), next(), next())
}

/// Smooth noise between 0 and 1 that varies over about one unit.
pub fn noise(point: Vec3, salt: u32) -> f32 {
    let base = point.floor();
    let part = point - base;
    let eased = part * part * (Vec3::splat(3.0) - 2.0 * part);
    let mut sum = 0.0;
    for corner in 0..8 {
        let offset = IVec3::new(corner & 1, (corner >> 1) & 1, corner >> 2);
        let side = offset.as_vec3();
        let near = side * eased + (Vec3::ONE - side) * (Vec3::ONE - eased);
        sum += near.element_product() * scatter(base.as_ivec3() + offset, salt).x;
    }
    sum
}

/// How far inside its cell of a random mosaic a point is: 0 on the seams. Cells are about one unit.
pub fn mosaic(point: Vec3, salt: u32) -> f32 {
    let base = point.floor().as_ivec3();
    let mut nearest = [f32::INFINITY; 2];
    for i in 0..27 {
        let cell = base + IVec3::new(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
        // Keeping the seeds off the cell borders keeps the stones of even size.
        let seed = cell.as_vec3() + 0.2 + 0.6 * scatter(cell, salt);
        let distance = point.distance(seed);
        if distance < nearest[0] {
            nearest = [distance, nearest[0]];
        } else if distance < nearest[1] {
            nearest[1] = distance;
        }
    }
    nearest[1] - nearest[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_is_one_and_middle_grey_is_about_a_fifth() {
        assert!((srgb(0xffffff) - Vec3::ONE).length() < 1e-6);
        assert!((srgb(0x808080).x - 0.2159).abs() < 1e-3);
    }

    #[test]
    fn noise_is_continuous_across_its_lattice() {
        for i in 0..50 {
            let point = Vec3::new(i as f32, i as f32 * 0.37, -(i as f32) * 0.71);
            let step = noise(point - 1e-4, 3) - noise(point + 1e-4, 3);
            assert!(step.abs() < 1e-2, "{point}");
        }
    }
}
