//! Linear, premultiplied colours become bytes of a picture.

use glam::{Vec3, Vec4};
use jounce_base::srgb::bytes_from_linear;
use std::sync::LazyLock;

/// Steps of light that are told apart; in the darkest colours, where it matters most, 1/20 of a byte.
const STEPS: usize = 1 << 16;

static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let light = |step: usize| step as f32 / (STEPS - 1) as f32;
    (0..STEPS).map(|step| bytes_from_linear(Vec3::splat(light(step)))[0]).collect()
});

pub struct Encoder {
    bytes: &'static [u8],
    is_transparent: bool,
}

impl Encoder {
    pub fn new(is_transparent: bool) -> Encoder {
        Encoder { bytes: &BYTES, is_transparent }
    }

    /// sRGB with straight alpha.
    pub fn bytes(&self, color: Vec4) -> [u8; 4] {
        // NaN is black.
        let byte = |light: f32| {
            let step = (light * (STEPS - 1) as f32 + 0.5) as usize;
            self.bytes[step.min(STEPS - 1)]
        };
        if !self.is_transparent {
            return [byte(color.x), byte(color.y), byte(color.z), 255];
        }
        let alpha = (color.w.clamp(0.0, 1.0) * 255.0).round() as u8;
        if alpha == 0 {
            return [0; 4];
        }
        let [r, g, b] = (color.truncate() / color.w).to_array().map(byte);
        [r, g, b, alpha]
    }
}

static LIGHT: LazyLock<Vec<f32>> =
    LazyLock::new(|| (0..256).map(|byte| jounce_base::srgb::linear_from_hex(byte).z).collect());

/// The way back: linear and premultiplied.
pub fn linear([r, g, b, a]: [u8; 4]) -> Vec4 {
    let alpha = f32::from(a) / 255.0;
    let light = |byte: u8| LIGHT[usize::from(byte)] * alpha;
    Vec4::new(light(r), light(g), light(b), alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_drawn_is_the_same_when_it_is_drawn_over() {
        for byte in 0..=255 {
            let opaque = [byte, 255 - byte, 7, 255];
            assert_eq!(Encoder::new(false).bytes(linear(opaque)), opaque);
        }
        let glass = [200, 30, 90, 128];
        assert_eq!(Encoder::new(true).bytes(linear(glass)), glass);
    }
}
