//! Filters that turn decoded attributes into the numbers of the accessors, in place.
//!
//! Elements that no encoder writes (a scale of 0, an exponent past ±100) have no specified value.
//! Here they give some number and never a panic: `as` saturates, and takes NaN for 0.

use serde::Deserialize;
use std::array;
use std::f32::consts::FRAC_1_SQRT_2;

#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Filter {
    #[default]
    None,
    /// Unit vectors folded onto an octahedron; the fourth component is left alone.
    Octahedral,
    /// Unit quaternions without their largest component.
    Quaternion,
    /// Numbers as an 8-bit exponent and a 24-bit mantissa.
    Exponential,
    /// Colours as luma, two chroma, and alpha.
    Color,
}

impl Filter {
    pub fn takes(self, stride: usize) -> bool {
        match self {
            Filter::None => true,
            Filter::Octahedral | Filter::Color => stride == 4 || stride == 8,
            Filter::Quaternion => stride == 8,
            Filter::Exponential => stride.is_multiple_of(4),
        }
    }

    /// `stride` is one that the filter takes.
    pub fn apply(self, data: &mut [u8], stride: usize) {
        match (self, stride) {
            (Filter::None, _) => {}
            (Filter::Octahedral, 4) => each(data, i8::from_le_bytes, i8::to_le_bytes, |v| {
                octahedral(v, i8::MAX.into()).map(|x| x as i8)
            }),
            (Filter::Octahedral, _) => each(data, i16::from_le_bytes, i16::to_le_bytes, |v| {
                octahedral(v, i16::MAX.into()).map(|x| x as i16)
            }),
            (Filter::Quaternion, _) => {
                each(data, i16::from_le_bytes, i16::to_le_bytes, quaternion);
            }
            (Filter::Exponential, _) => {
                each(data, i32::from_le_bytes, f32::to_le_bytes, |[v]| [exponential(v)]);
            }
            (Filter::Color, 4) => {
                each(data, u8::from_le_bytes, u8::to_le_bytes, |[y, co, cg, a]| {
                    let chroma = [co as i8, cg as i8].map(i32::from);
                    color(y.into(), chroma, a.into(), u8::MAX.into()).map(|x| x as u8)
                })
            }
            (Filter::Color, _) => {
                each(data, u16::from_le_bytes, u16::to_le_bytes, |[y, co, cg, a]| {
                    let chroma = [co as i16, cg as i16].map(i32::from);
                    color(y.into(), chroma, a.into(), u16::MAX.into()).map(|x| x as u16)
                })
            }
        }
    }
}

/// Rewrites elements of `N` numbers of `SIZE` bytes.
fn each<const N: usize, const SIZE: usize, In, Out>(
    data: &mut [u8],
    read: impl Fn([u8; SIZE]) -> In,
    write: impl Fn(Out) -> [u8; SIZE],
    filter: impl Fn([In; N]) -> [Out; N],
) {
    let (numbers, _) = data.as_chunks_mut::<SIZE>();
    for element in numbers.as_chunks_mut::<N>().0 {
        *element = filter(element.map(&read)).map(&write);
    }
}

/// The third component is 1.0 in the precision of the first two.
fn octahedral<T: Copy + Into<f32>>(v: [T; 4], largest: f32) -> [f32; 4] {
    let [x, y, one, rest] = v.map(Into::into);
    let (x, y) = (x / one, y / one);
    let z = 1.0 - x.abs() - y.abs();
    let fold = z.min(0.0);
    let (x, y) = (x - fold.copysign(x), y - fold.copysign(y));
    let scale = largest / (x * x + y * y + z * z).sqrt();
    [(x * scale).round(), (y * scale).round(), (z * scale).round(), rest]
}

/// The fourth component is 1.0 in the precision of the others, except for its two lowest bits:
/// they say which component of the quaternion is missing.
fn quaternion(v: [i16; 4]) -> [i16; 4] {
    let one = f32::from(v[3] | 3);
    let [x, y, z] = [v[0], v[1], v[2]].map(|n| f32::from(n) / one * FRAC_1_SQRT_2);
    let largest = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let after_largest = [largest, x, y, z].map(|n| (n * 32767.0).round() as i16);
    let missing = (v[3] & 3) as usize;
    array::from_fn(|i| after_largest[(i + 4 - missing) % 4])
}

fn exponential(v: i32) -> f32 {
    let (exponent, mantissa) = (v >> 24, v << 8 >> 8);
    // 24 bits times a power of two is exact in f64, whatever the 8-bit exponent.
    let power = f64::from_bits(((1023 + exponent) as u64) << 52);
    (f64::from(mantissa) * power) as f32
}

/// The highest bit that is set in `alpha` tells the precision of all four.
fn color(y: i32, [co, cg]: [i32; 2], alpha: u32, largest: f32) -> [f32; 4] {
    let all = (1_i64 << alpha.checked_ilog2().map_or(0, |bit| bit + 1)) - 1;
    let low = i64::from(alpha) & (all >> 1);
    // Alpha has one bit less than the others, whose last bit is repeated.
    let a = low << 1 | (low & 1);
    let rgb = [y + co - cg, y + cg, y - co - cg];
    let scale = largest / all as f32;
    [rgb[0] as f32, rgb[1] as f32, rgb[2] as f32, a as f32].map(|x| (x * scale).round())
}
