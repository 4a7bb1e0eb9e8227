//! Numbers as colours that can be read: the same for pictures, films and the viewport.
//!
//! From little to much colours go from dark to bright; lightness grows evenly, so that equal steps look
//! equal and the order is seen even without colour. Around zero they go from
//! magenta over white to cyan, as in the paper's weight painting (Rohmer 2021, Fig. 7).
//! Both are mixed in Oklab (Ottosson 2020), where equal distances look about equal.

use glam::{Mat3, Vec3};
use jounce_base::srgb::linear_from_hex;
use jounce_eval::heat::HeatRange;

/// How much of a painted model's own colours stays where light and shadow would change them.
pub const PAINTED_UNLIT: f32 = 0.72;

/// sRGB, from the least to the most; lightness in Oklab from 0.25 to 0.96.
const DARK_TO_BRIGHT: [u32; 6] = [0x141a4f, 0x55238f, 0xa82f8a, 0xe2565d, 0xf79a3e, 0xfbf3b0];
/// Below zero, zero, above.
const AROUND_ZERO: [u32; 3] = [0xe02fa3, 0xf7f7f7, 0x0096b8];

/// One linear colour per number.
pub fn heat_colors(values: &[f32], range: &HeatRange) -> Vec<[f32; 4]> {
    let ramp = Ramp::new(range.is_signed());
    let color = |&value: &f32| ramp.at(range.place(value)).extend(1.0).to_array();
    values.iter().map(color).collect()
}

/// A scale of colours.
pub struct Ramp {
    /// In Oklab.
    stops: Vec<Vec3>,
    is_signed: bool,
}

impl Ramp {
    pub fn new(is_signed: bool) -> Ramp {
        let colors: &[u32] = if is_signed { &AROUND_ZERO } else { &DARK_TO_BRIGHT };
        let stops = colors.iter().map(|&hex| oklab_from_linear(linear_from_hex(hex))).collect();
        Ramp { stops, is_signed }
    }

    /// The linear colour at a [`HeatRange::place`].
    pub fn at(&self, place: f32) -> Vec3 {
        let part = if self.is_signed { 0.5 + 0.5 * place } else { place };
        let last = self.stops.len() - 1;
        // Written so that NaN counts as the least.
        let along = if part > 0.0 { part.min(1.0) * last as f32 } else { 0.0 };
        let before = (along as usize).min(last - 1);
        let mixed = self.stops[before].lerp(self.stops[before + 1], along - before as f32);
        linear_from_oklab(mixed).clamp(Vec3::ZERO, Vec3::ONE)
    }
}

fn lms_from_linear() -> Mat3 {
    Mat3::from_cols_array_2d(&[
        [0.412_221_46, 0.211_903_5, 0.088_302_46],
        [0.536_332_55, 0.680_699_5, 0.281_718_85],
        [0.051_445_995, 0.107_396_96, 0.629_978_7],
    ])
}

fn oklab_from_roots() -> Mat3 {
    Mat3::from_cols_array_2d(&[
        [0.210_454_26, 1.977_998_5, 0.025_904_037],
        [0.793_617_8, -2.428_592_2, 0.782_771_77],
        [-0.004_072_047, 0.450_593_7, -0.808_675_77],
    ])
}

fn oklab_from_linear(linear: Vec3) -> Vec3 {
    let lms = lms_from_linear() * linear;
    oklab_from_roots() * Vec3::from_array(lms.to_array().map(f32::cbrt))
}

fn linear_from_oklab(oklab: Vec3) -> Vec3 {
    let roots = oklab_from_roots().inverse() * oklab;
    lms_from_linear().inverse() * (roots * roots * roots)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lightness(color: Vec3) -> f32 {
        oklab_from_linear(color).x
    }

    #[test]
    fn from_dark_to_bright_every_step_is_about_as_much_lighter() {
        let ramp = Ramp::new(false);
        let lights: Vec<f32> = (0..=20).map(|i| lightness(ramp.at(i as f32 / 20.0))).collect();
        assert!(lights[0] < 0.3 && lights[20] > 0.93, "{lights:?}");
        let even = (lights[20] - lights[0]) / 20.0;
        for pair in lights.windows(2) {
            let step = pair[1] - pair[0];
            assert!((0.6 * even..1.5 * even).contains(&step), "{step} of {even}: {lights:?}");
        }
    }

    #[test]
    fn around_zero_both_sides_darken_alike() {
        let ramp = Ramp::new(true);
        assert!(lightness(ramp.at(0.0)) > 0.95);
        for place in [0.25, 0.5, 1.0] {
            let (below, above) = (ramp.at(-place), ramp.at(place));
            assert!((lightness(below) - lightness(above)).abs() < 0.06, "{place}");
            // Magenta has little green, cyan little red.
            assert!(below.x > below.y && above.z > above.x, "{below} {above}");
        }
    }

    #[test]
    fn every_number_has_a_colour() {
        for is_signed in [false, true] {
            let ramp = Ramp::new(is_signed);
            for place in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -7.0, 7.0] {
                let color = ramp.at(place);
                assert!(color.is_finite() && color.min_element() >= 0.0);
            }
        }
    }
}
