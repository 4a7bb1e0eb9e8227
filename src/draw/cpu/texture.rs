//! draw_texture.wgsl: what a surface is made of where a ray meets it.

use crate::materials::{
    Level, Material, Materials, Slot, Texture, TextureUse, Wrap, light_of_byte,
};
use glam::{Vec2, Vec3, Vec4};

/// Looks along the longer side of what a pixel covers; equal to `anisotropy_clamp` of the samplers.
const MOST_LOOKS: f32 = 4.0;

/// Where a ray meets a triangle, and where the rays of the pixels beside and above it do: how much of each
/// corner is there.
#[derive(Clone, Copy)]
pub struct Spot {
    pub parts: Vec3,
    pub beside: [Vec3; 2],
    /// The same as the first, but not kept inside the triangle: what the others are compared with.
    pub middle: Vec3,
}

/// The texture coordinates of a triangle's corners, with the material that goes by them.
pub struct Lining<'a> {
    pub materials: &'a Materials,
    pub material: &'a Material,
    pub uvs: [[Vec2; 3]; 2],
    /// Opacity of the corners.
    opacities: Vec3,
}

impl<'a> Lining<'a> {
    pub fn new(
        materials: &'a Materials,
        material: usize,
        vertices: [u32; 3],
        opacities: [f32; 3],
    ) -> Lining<'a> {
        Lining {
            materials,
            material: &materials.list[material],
            uvs: [0, 1].map(|set| vertices.map(|vertex| materials.uv(set, vertex))),
            opacities: Vec3::from(opacities),
        }
    }

    /// Where the corners are in the image.
    pub fn places(&self, texture: &TextureUse) -> [Vec2; 3] {
        self.uvs[texture.uv_set].map(|uv| texture.image_from_uv.transform_point2(uv))
    }

    /// What a texture holds there; None if the material has none of these.
    pub fn texel(&self, slot: Slot, spot: &Spot) -> Option<Vec4> {
        let texture = self.material.texture(slot)?;
        let places = self.places(texture);
        let at = |parts: Vec3| places[0] * parts.x + places[1] * parts.y + places[2] * parts.z;
        let middle = at(spot.middle);
        let steps = spot.beside.map(|parts| at(parts) - middle);
        Some(sample(&self.materials.textures[texture.texture], texture, at(spot.parts), steps))
    }

    /// Of the vertices and the texture together.
    pub fn alpha(&self, spot: &Spot) -> f32 {
        let texel = self.texel(Slot::BaseColor, spot).map_or(1.0, |texel| texel.w);
        texel * self.opacities.dot(spot.parts)
    }
}

/// As a sampler does it: among the copies of an image, those that a pixel covers about one texel of, in as
/// many looks as it is longer than wide.
fn sample(texture: &Texture, how: &TextureUse, at: Vec2, steps: [Vec2; 2]) -> Vec4 {
    let size = Vec2::from(texture.size_px().map(|side| side as f32));
    let lengths = steps.map(|step| (step * size).length());
    let along = usize::from(lengths[1] > lengths[0]);
    let (long, short) = (lengths[along], lengths[1 - along]);
    #[allow(clippy::manual_clamp, reason = "a clamp would pass on what is not a number")]
    let looks = match how.is_nearest {
        true => 1.0,
        // What is not a number is one look, too.
        false => (long / short.max(1e-6)).ceil().max(1.0),
    };
    let looks = looks.min(MOST_LOOKS);
    let level = (long / looks).max(1e-6).log2();
    let mut sum = Vec4::ZERO;
    for look in 0..looks as usize {
        let away = (look as f32 + 0.5) / looks - 0.5;
        sum += between_levels(texture, how, at + steps[along] * away, level);
    }
    sum / looks
}

fn between_levels(texture: &Texture, how: &TextureUse, at: Vec2, level: f32) -> Vec4 {
    let last = texture.levels.len() - 1;
    let level = if level.is_finite() { level.clamp(0.0, last as f32) } else { 0.0 };
    let (low, part) = (level as usize, level.fract());
    let look = |level: usize| {
        let is_near = how.is_nearest && low == 0 && part == 0.0;
        read(texture, &texture.levels[level], how, at, is_near)
    };
    if part == 0.0 { look(low) } else { look(low).lerp(look((low + 1).min(last)), part) }
}

/// Between the four nearest texels, or the one that is hit.
fn read(texture: &Texture, level: &Level, how: &TextureUse, at: Vec2, is_near: bool) -> Vec4 {
    let [width, height] = level.size_px;
    let [across, down] = how.wrap;
    let texel = |x: i64, y: i64| {
        let (x, y) = (wrapped(x, width, across), wrapped(y, height, down));
        let at = (y * width as usize + x) * 4;
        let texel = &level.texels[at..at + 4];
        let value = |channel: usize| {
            let byte = texel[channel];
            if texture.is_srgb { light_of_byte(byte) } else { f32::from(byte) / 255.0 }
        };
        Vec4::new(value(0), value(1), value(2), f32::from(texel[3]) / 255.0)
    };
    let at = at * Vec2::new(width as f32, height as f32);
    // Damaged coordinates have a colour too.
    let at = if at.is_finite() { at } else { Vec2::ZERO };
    if is_near {
        return texel(at.x.floor() as i64, at.y.floor() as i64);
    }
    let corner = at - 0.5;
    let whole = corner.floor();
    let part = corner - whole;
    let (x, y) = (whole.x as i64, whole.y as i64);
    let row = |y: i64| texel(x, y).lerp(texel(x.saturating_add(1), y), part.x);
    row(y).lerp(row(y.saturating_add(1)), part.y)
}

fn wrapped(at: i64, side: u32, wrap: Wrap) -> usize {
    let side = i64::from(side);
    let inside = match wrap {
        Wrap::Repeat => at.rem_euclid(side),
        Wrap::Clamp => at.clamp(0, side - 1),
        Wrap::Mirror => {
            let at = at.rem_euclid(2 * side);
            at.min(2 * side - 1 - at)
        }
    };
    inside as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Affine2;
    use image::{Rgba, RgbaImage};

    fn texture_use(wrap: Wrap, is_nearest: bool) -> TextureUse {
        TextureUse {
            texture: 0,
            uv_set: 0,
            image_from_uv: Affine2::IDENTITY,
            wrap: [wrap; 2],
            is_nearest,
        }
    }

    #[test]
    fn borders_repeat_mirror_or_stay() {
        let places = |wrap| (-5..6).map(|at| wrapped(at, 3, wrap)).collect::<Vec<_>>();
        assert_eq!(places(Wrap::Repeat), [1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
        assert_eq!(places(Wrap::Mirror), [1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0]);
        assert_eq!(places(Wrap::Clamp), [0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2]);
    }

    #[test]
    fn far_away_a_texture_is_its_mean() {
        let checks =
            |x: u32, y: u32| Rgba([if (x + y).is_multiple_of(2) { 255 } else { 0 }, 0, 0, 255]);
        let texture = Texture::new(RgbaImage::from_fn(64, 64, checks), false, 4096);
        let how = texture_use(Wrap::Repeat, false);
        let far = sample(&texture, &how, Vec2::splat(0.3), [Vec2::X, Vec2::Y]);
        assert!((far.x - 0.5).abs() < 0.01, "{far}");
        let tiny = Vec2::splat(1e-4);
        let near = sample(&texture, &how, Vec2::splat(0.5 / 64.0), [tiny, tiny]);
        assert!((near.x - 1.0).abs() < 0.02, "{near}");
        // One look along each of the stripes that a long pixel covers: still the mean, not one texel.
        let long = sample(&texture, &how, Vec2::splat(0.3), [Vec2::X * 0.5, Vec2::Y * 1e-3]);
        assert!((long.x - 0.5).abs() < 0.05, "{long}");
    }

    #[test]
    fn coordinates_that_are_no_numbers_have_a_color_too() {
        let texture = Texture::new(RgbaImage::from_pixel(4, 4, Rgba([9; 4])), true, 4096);
        for wrap in [Wrap::Repeat, Wrap::Mirror, Wrap::Clamp] {
            for is_nearest in [false, true] {
                let how = texture_use(wrap, is_nearest);
                for odd in [f32::NAN, f32::INFINITY, -f32::MAX, 1e30] {
                    let at = Vec2::new(odd, -odd);
                    for steps in [[at, at], [Vec2::ZERO; 2]] {
                        let color = sample(&texture, &how, at, steps);
                        assert!(color.is_finite(), "{color} at {at}, {steps:?}");
                    }
                }
            }
        }
    }
}
