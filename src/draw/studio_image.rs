//! The studio as a mirror sees it: walls, floor and softboxes, computed once, and blurred for every roughness.
//!
//! It stands around the viewer as the lamps do (see `light`), so it is read by directions relative to them.

use super::View;
use super::light::{FILL_DEG, KEY_DEG, RIM_DEG};
use glam::{Vec2, Vec3, Vec4};
use rayon::prelude::*;
use std::f32::consts::{PI, TAU};
use std::sync::LazyLock;

/// Around, from top to bottom, and from a mirror to a matt surface.
pub const STUDIO_IMAGE_SIZE: [usize; 3] = [128, 64, 8];

/// Red, green and blue of all but the key light; how much of the key light is seen is the fourth, because
/// that can be in shadow.
pub fn studio_image() -> &'static [Vec4] {
    &STUDIO_IMAGE
}

static STUDIO_IMAGE: LazyLock<Vec<Vec4>> = LazyLock::new(|| {
    let [width, height, levels] = STUDIO_IMAGE_SIZE;
    let sharp = Panorama::new([width, height], radiance);
    let mut texels = sharp.texels.clone();
    for level in 1..levels {
        let roughness = level as f32 / (levels - 1) as f32;
        if roughness < MATT {
            let lobe = Lobe::new(roughness);
            texels.extend(Panorama::new([width, height], |toward| lobe.mean(toward)).texels);
        } else {
            // Nothing small is left to see: a coarse image is enough, read between its texels.
            let coarse = Panorama::new([32, 16], |toward| sharp.blurred(toward, roughness));
            texels.extend(Panorama::new([width, height], |toward| coarse.at(toward)).texels);
        }
    }
    texels
});

/// From this roughness on a few directions would be too few, and all of them are looked at.
const MATT: f32 = 0.4;

/// What is around, row by row from straight above.
struct Panorama {
    size: [usize; 2],
    texels: Vec<Vec4>,
}

impl Panorama {
    fn new(size: [usize; 2], seen: impl Fn(Vec3) -> Vec4 + Sync) -> Panorama {
        let mut texels = vec![Vec4::ZERO; size[0] * size[1]];
        texels.par_chunks_mut(size[0]).enumerate().for_each(|(y, row)| {
            row.iter_mut().enumerate().for_each(|(x, texel)| *texel = seen(direction(size, x, y)));
        });
        Panorama { size, texels }
    }

    /// Between the four nearest texels.
    fn at(&self, toward: Vec3) -> Vec4 {
        let [width, height] = self.size;
        let around = toward.x.atan2(toward.z) / TAU + 0.5;
        let down = toward.y.clamp(-1.0, 1.0).acos() / PI;
        let at = Vec2::new(around * width as f32, down * height as f32) - 0.5;
        let (low, part) = (at.floor(), at - at.floor());
        let texel = |x: i32, y: i32| {
            let x = x.rem_euclid(width as i32) as usize;
            self.texels[y.clamp(0, height as i32 - 1) as usize * width + x]
        };
        let (x, y) = (low.x as i32, low.y as i32);
        let row = |y: i32| texel(x, y).lerp(texel(x + 1, y), part.x);
        row(y).lerp(row(y + 1), part.y)
    }

    /// The mean over all directions, weighed as GGX mirrors them: the density of half vectors times the cosine
    /// of the light, both seen along the normal.
    fn blurred(&self, toward: Vec3, roughness: f32) -> Vec4 {
        let [width, height] = self.size;
        let alpha_squared = roughness.powi(4);
        let (mut sum, mut weights) = (Vec4::ZERO, 0.0);
        for (y, row) in self.texels.chunks_exact(width).enumerate() {
            let area = (PI * (y as f32 + 0.5) / height as f32).sin();
            for (x, texel) in row.iter().enumerate() {
                let cosine = direction(self.size, x, y).dot(toward);
                if cosine > 0.0 {
                    let half_squared = (1.0 + cosine) * 0.5;
                    let spread = half_squared * (alpha_squared - 1.0) + 1.0;
                    let weight = area * cosine / (spread * spread);
                    sum += *texel * weight;
                    weights += weight;
                }
            }
        }
        sum / weights
    }
}

/// The middle of a texel.
fn direction([width, height]: [usize; 2], x: usize, y: usize) -> Vec3 {
    let (sine, cosine) = (PI * (y as f32 + 0.5) / height as f32).sin_cos();
    let around = TAU * ((x as f32 + 0.5) / width as f32 - 0.5);
    Vec3::new(around.sin() * sine, cosine, around.cos() * sine)
}

/// Directions in which a surface of some roughness mirrors, around the one that a smooth surface would.
struct Lobe(Vec<Vec3>);

const LOBE_SAMPLES: u32 = 64;

impl Lobe {
    /// Half vectors as GGX spreads them, seen along the normal (Karis 2013, "split sum").
    fn new(roughness: f32) -> Lobe {
        let alpha_squared = roughness.powi(4);
        let sample = |i: u32| {
            let part = (i as f32 + 0.5) / LOBE_SAMPLES as f32;
            let around = TAU * (i.reverse_bits() as f32 / (u32::MAX as f32));
            let cosine = ((1.0 - part) / (1.0 + (alpha_squared - 1.0) * part)).max(0.0).sqrt();
            let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
            let half = Vec3::new(around.cos() * sine, around.sin() * sine, cosine);
            half * (2.0 * half.z) - Vec3::Z
        };
        Lobe((0..LOBE_SAMPLES).map(sample).filter(|light| light.z > 0.0).collect())
    }

    fn mean(&self, toward: Vec3) -> Vec4 {
        let (across, up) = toward.any_orthonormal_pair();
        let (mut sum, mut weights) = (Vec4::ZERO, 0.0);
        for light in &self.0 {
            sum += radiance(across * light.x + up * light.y + toward * light.z) * light.z;
            weights += light.z;
        }
        sum / weights
    }
}

/// What comes from a direction, which is counted from the fill light.
fn radiance(from: Vec3) -> Vec4 {
    let rise = smoothstep(-0.5, 0.7, from.y);
    let wall = Vec3::new(0.40, 0.405, 0.415).lerp(Vec3::new(0.60, 0.615, 0.64), rise);
    let floor = Vec3::new(0.30, 0.288, 0.28);
    let mut light = wall.lerp(floor, smoothstep(0.02, -0.16, from.y));
    // The corners of the room are dark, which is what makes a mirror look like one.
    light *= 1.0 - 0.45 * smoothstep(0.35, 0.85, from.y);
    let lamp = |[around, height]: [f32; 2]| [around - FILL_DEG[0], height];
    light += Vec3::new(1.10, 1.14, 1.20) * softbox(from, lamp(FILL_DEG), Vec2::new(0.24, 0.62));
    light += Vec3::new(3.0, 3.1, 3.3) * softbox(from, lamp(RIM_DEG), Vec2::new(0.16, 0.55));
    light += Vec3::splat(0.75) * softbox(from, [0.0, 88.0], Vec2::new(0.55, 0.55));
    light.extend(softbox(from, lamp(KEY_DEG), Vec2::new(0.42, 0.34)))
}

/// A rectangle that shines: 1 inside, 0 outside. Half its width and height are slopes seen from the subject.
fn softbox(from: Vec3, [around, height]: [f32; 2], half: Vec2) -> f32 {
    let axes = View::from_degrees(around, height).axes();
    let ahead = from.dot(axes.z_axis);
    if ahead <= 0.05 {
        return 0.0;
    }
    let at = Vec2::new(from.dot(axes.x_axis), from.dot(axes.y_axis)).abs() / ahead;
    let edge = |at: f32, half: f32| smoothstep(half + 0.05, half - 0.05, at);
    edge(at.x, half.x) * edge(at.y, half.y)
}

/// From `low`, where it is 0, to `high`, which may be less.
fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean_of(level: usize) -> Vec4 {
        let [width, height, _] = STUDIO_IMAGE_SIZE;
        let texels = &studio_image()[level * width * height..(level + 1) * width * height];
        let weigh = |at: usize| (PI * ((at / width) as f32 + 0.5) / height as f32).sin();
        let sum: Vec4 = texels.iter().enumerate().map(|(at, texel)| *texel * weigh(at)).sum();
        sum / (0..texels.len()).map(weigh).sum::<f32>()
    }

    /// Blurring moves light and makes none.
    #[test]
    fn every_roughness_holds_the_same_light() {
        let sharp = mean_of(0);
        assert!(sharp.min_element() > 0.01 && sharp.max_element() < 1.0, "{sharp}");
        for level in 1..STUDIO_IMAGE_SIZE[2] {
            let off = ((mean_of(level) - sharp) / sharp).abs().max_element();
            assert!(off < 0.08, "level {level}: {} for {sharp}", mean_of(level));
        }
    }

    #[test]
    fn the_lamps_are_where_shadows_come_from() {
        let toward = |[around, height]: [f32; 2]| {
            View::from_degrees(around - FILL_DEG[0], height).axes().z_axis
        };
        assert!(radiance(toward(KEY_DEG)).w > 0.99);
        assert!(radiance(toward(RIM_DEG)).x > 3.0 && radiance(toward(FILL_DEG)).x > 1.0);
        assert!(radiance(Vec3::NEG_Y).w == 0.0);
    }
}
