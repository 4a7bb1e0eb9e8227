//! An image and its smaller copies (mip maps), down to a single texel.

use image::RgbaImage;
use jounce_base::srgb::{bytes_from_linear, linear_from_hex};
use rayon::prelude::*;
use std::sync::LazyLock;

/// RGBA, 8 bits each, row by row. Colours are sRGB where a texture says so, and not multiplied by alpha.
#[derive(Debug)]
pub struct Texture {
    pub is_srgb: bool,
    /// Each half as wide and high as the one before.
    pub levels: Vec<Level>,
}

#[derive(Debug)]
pub struct Level {
    pub size_px: [u32; 2],
    pub texels: Vec<u8>,
}

impl Texture {
    /// `largest_side_px` is what the first copy may have: a larger image is made smaller.
    pub fn new(image: RgbaImage, is_srgb: bool, largest_side_px: u32) -> Texture {
        let (width, height) = image.dimensions();
        let mut level = Level { size_px: [width, height], texels: image.into_raw() };
        let longest = width.max(height);
        if longest > largest_side_px.max(1) {
            let side = |px: u32| {
                let wanted = u64::from(px) * u64::from(largest_side_px) / u64::from(longest);
                wanted.max(1) as u32
            };
            level = level.reduced([width, height].map(side), is_srgb);
        }
        let mut levels = Vec::new();
        while level.size_px != [1, 1] {
            let smaller = level.reduced(level.size_px.map(|side| (side / 2).max(1)), is_srgb);
            levels.push(std::mem::replace(&mut level, smaller));
        }
        levels.push(level);
        Texture { is_srgb, levels }
    }

    pub fn size_px(&self) -> [u32; 2] {
        self.levels[0].size_px
    }

    pub fn bytes(&self) -> usize {
        self.levels.iter().map(|level| level.texels.len()).sum()
    }

    /// What a texture of an image that large would take.
    pub fn bytes_of([width, height]: [u32; 2], largest_side_px: u32) -> u64 {
        let longest = u64::from(width.max(height).max(1));
        let most = u64::from(largest_side_px).min(longest);
        let side = |px: u32| (u64::from(px) * most / longest).max(1);
        // All copies together are a third of the first.
        side(width) * side(height) * 4 * 4 / 3 + 16
    }
}

static LIGHT: LazyLock<[f32; 256]> =
    LazyLock::new(|| std::array::from_fn(|byte| linear_from_hex(byte as u32).z));

/// Steps of light that are told apart, as for pictures.
const STEPS: usize = 1 << 14;
static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let light = |step: usize| step as f32 / (STEPS - 1) as f32;
    (0..STEPS).map(|step| bytes_from_linear(glam::Vec3::splat(light(step)))[0]).collect()
});

/// Linear light of a colour's byte.
pub fn light_of_byte(byte: u8) -> f32 {
    LIGHT[usize::from(byte)]
}

fn byte_of(value: f32, is_color: bool) -> u8 {
    if is_color {
        BYTES[((value * (STEPS - 1) as f32 + 0.5) as usize).min(STEPS - 1)]
    } else {
        (value * 255.0 + 0.5) as u8
    }
}

impl Level {
    /// Each texel is the mean of what it covers. Light is averaged, not its code, and colours count by
    /// how much they are seen: what is under transparent texels must not bleed into their neighbours.
    fn reduced(&self, to: [u32; 2], is_srgb: bool) -> Level {
        let [from_width, from_height] = self.size_px;
        let [width, height] = to;
        let (columns, rows) = (covered(from_width, width), covered(from_height, height));
        let mut texels = vec![0; width as usize * height as usize * 4];
        let bands = texels.par_chunks_mut(width as usize * 4).zip(&rows);
        bands.for_each(|(row, over_rows)| {
            for (texel, over_columns) in row.chunks_exact_mut(4).zip(&columns) {
                let (mut sum, mut seen, mut weights) = ([0.0_f32; 4], [0.0_f32; 3], 0.0);
                for &(y, down) in over_rows {
                    for &(x, across) in over_columns {
                        let at = (y as usize * from_width as usize + x as usize) * 4;
                        let weight = down * across;
                        let alpha = f32::from(self.texels[at + 3]) / 255.0;
                        weights += weight;
                        sum[3] += weight * alpha;
                        for channel in 0..3 {
                            let byte = self.texels[at + channel];
                            let value =
                                if is_srgb { light_of_byte(byte) } else { f32::from(byte) / 255.0 };
                            sum[channel] += weight * value;
                            seen[channel] += weight * alpha * value;
                        }
                    }
                }
                let alpha = sum[3] / weights;
                for channel in 0..3 {
                    let by_alpha = is_srgb && sum[3] > 1e-4;
                    let value =
                        if by_alpha { seen[channel] / sum[3] } else { sum[channel] / weights };
                    texel[channel] = byte_of(value, is_srgb);
                }
                texel[3] = byte_of(alpha, false);
            }
        });
        Level { size_px: to, texels }
    }
}

/// Which of `from` places each of `to` places covers, and how much of them.
fn covered(from: u32, to: u32) -> Vec<Vec<(u32, f32)>> {
    let scale = f64::from(from) / f64::from(to);
    let of_place = |place: u32| {
        let (start, end) = (f64::from(place) * scale, f64::from(place + 1) * scale);
        let first = start as u32;
        let last = (end.ceil() as u32).clamp(first + 1, from);
        let part = |at: u32| (end.min(f64::from(at + 1)) - start.max(f64::from(at))) as f32;
        (first..last).map(|at| (at, part(at))).filter(|(_, part)| *part > 1e-6).collect()
    };
    (0..to).map(of_place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;

    #[test]
    fn copies_get_smaller_down_to_one_texel() {
        let texture = Texture::new(RgbaImage::new(13, 4), true, 4096);
        let sizes: Vec<_> = texture.levels.iter().map(|level| level.size_px).collect();
        assert_eq!(sizes, [[13, 4], [6, 2], [3, 1], [1, 1]]);
        let reduced = Texture::new(RgbaImage::new(64, 32), false, 16);
        assert_eq!(reduced.size_px(), [16, 8]);
        for (size, largest) in [([64, 32], 16), ([13, 4], 4096), ([1, 1], 1), ([100, 3], 7)] {
            let texture = Texture::new(RgbaImage::new(size[0], size[1]), false, largest);
            assert!(texture.bytes() as u64 <= Texture::bytes_of(size, largest), "{size:?}");
        }
    }

    #[test]
    fn light_is_averaged_and_not_its_code() {
        let stripes =
            |x: u32, _| if x.is_multiple_of(2) { Rgba([255; 4]) } else { Rgba([0, 0, 0, 255]) };
        let image = RgbaImage::from_fn(8, 8, stripes);
        let light = Texture::new(image.clone(), true, 4096).levels[1].texels[0];
        assert_eq!(light, 188, "half of the light is this in sRGB");
        assert_eq!(Texture::new(image, false, 4096).levels[1].texels[0], 128);
    }

    #[test]
    fn what_is_not_seen_does_not_bleed() {
        let leaf = |x: u32, _| {
            if x.is_multiple_of(2) { Rgba([20, 200, 20, 255]) } else { Rgba([255, 0, 255, 0]) }
        };
        let texture = Texture::new(RgbaImage::from_fn(8, 8, leaf), true, 4096);
        assert_eq!(texture.levels[1].texels[..4], [20, 200, 20, 128]);
    }

    #[test]
    fn odd_sizes_keep_their_mean() {
        let image = RgbaImage::from_fn(7, 5, |x, y| Rgba([(x * 30) as u8, (y * 40) as u8, 9, 255]));
        let last = Texture::new(image, false, 4096).levels.pop().unwrap();
        assert_eq!(last.size_px, [1, 1]);
        assert!(last.texels[0].abs_diff(90) <= 2 && last.texels[1].abs_diff(80) <= 2, "{last:?}");
    }
}
