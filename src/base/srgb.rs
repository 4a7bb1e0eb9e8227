//! Colours as people type them, and as light adds up.

use glam::Vec3;

/// Linear RGB from the `0xRRGGBB` a painter would type (sRGB).
pub fn linear_from_hex(hex: u32) -> Vec3 {
    let channel = |shift: u32| {
        let encoded = ((hex >> shift) & 0xff) as f32 / 255.0;
        if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
    };
    Vec3::new(channel(16), channel(8), channel(0))
}

/// What a picture file stores of linear RGB.
pub fn bytes_from_linear(linear: Vec3) -> [u8; 3] {
    let encoded =
        |x: f32| if x <= 0.003_130_8 { x * 12.92 } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 };
    linear.to_array().map(|x| (encoded(x.clamp(0.0, 1.0)) * 255.0).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_what_is_stored() {
        for hex in [0x00_00_00, 0xff_ff_ff, 0x0a_80_c3, 0x01_02_03] {
            let [r, g, b] = bytes_from_linear(linear_from_hex(hex)).map(u32::from);
            assert_eq!((r << 16) | (g << 8) | b, hex);
        }
    }
}
