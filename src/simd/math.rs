//! The functions of [`jounce_ir::semantics`] in single precision, total in the same way.
//!
//! Polynomials are minimax fits (Remez) of the forms stated; their own error is below 2e-8, what is
//! left is rounding: about 1e-7 of the result.
//!
//! No closures here, nor where these are called: a closure has no CPU features of its own, and what is
//! not inlined passes its vectors through memory.

use super::Lanes;
use jounce_ir::semantics;

// The nearest floats to 1e-20 are a little smaller; the next ones up part the same numbers as in f64.
const SMALLEST_DIVISOR: f32 = (semantics::SMALLEST_DIVISOR as f32).next_up();
const SMALLEST_SQUARE: f32 = (semantics::SMALLEST_SQUARE as f32).next_up();
const LARGEST_SANE: f32 = semantics::LARGEST_SANE as f32;
const LARGEST: f32 = semantics::LARGEST as f32;
const LARGEST_EXPONENT: f32 = semantics::LARGEST_EXPONENT as f32;

/// a / b, 0 where |b| < 1e-20.
#[inline(always)]
pub fn divide<S: Lanes>(a: S, b: S) -> S {
    is_divisor(b).and(a.div(b))
}

#[inline(always)]
fn is_divisor<S: Lanes>(b: S) -> S {
    S::splat(SMALLEST_DIVISOR).less_equal(b.abs())
}

/// √x, 0 where x is not above 0.
#[inline(always)]
pub fn sqrt<S: Lanes>(x: S) -> S {
    let zero = S::splat(0.0);
    zero.less(x).and(x.sqrt())
}

/// |x| ≤ 1e12, false for NaN.
#[inline(always)]
pub fn is_sane<S: Lanes>(x: S) -> S {
    x.abs().less_equal(S::splat(LARGEST_SANE))
}

#[inline(always)]
pub fn dot<S: Lanes>(a: [S; 3], b: [S; 3]) -> S {
    a[2].fma(b[2], a[1].fma(b[1], a[0].mul(b[0])))
}

/// 1/|v|, 0 where |v|² < 1e-20. `square` = |v|².
#[inline(always)]
pub fn inverse_length<S: Lanes>(square: S) -> S {
    let inverse = S::splat(1.0).div(square.sqrt());
    S::splat(SMALLEST_SQUARE).less_equal(square).and(inverse)
}

/// s/|v|, 0 where |v|² < 1e-20.
#[inline(always)]
pub fn divide_by_length<S: Lanes>(s: S, length: S) -> S {
    S::splat(SMALLEST_SQUARE).less_equal(length.mul(length)).and(s.div(length))
}

#[inline(always)]
pub fn cross<S: Lanes>(a: [S; 3], b: [S; 3]) -> [S; 3] {
    // Both products are rounded alike, so that a × a is exactly 0.
    [
        a[1].mul(b[2]).sub(a[2].mul(b[1])),
        a[2].mul(b[0]).sub(a[0].mul(b[2])),
        a[0].mul(b[1]).sub(a[1].mul(b[0])),
    ]
}

/// a − (a · b) b.
#[inline(always)]
pub fn reject<S: Lanes>(a: [S; 3], b: [S; 3]) -> [S; 3] {
    let along = dot(a, b);
    [along.fnma(b[0], a[0]), along.fnma(b[1], a[1]), along.fnma(b[2], a[2])]
}

/// v · s.
#[inline(always)]
pub fn scale<S: Lanes>(v: [S; 3], s: S) -> [S; 3] {
    [v[0].mul(s), v[1].mul(s), v[2].mul(s)]
}

/// `mask ? yes : no`.
#[inline(always)]
pub fn select3<S: Lanes>(mask: S, yes: [S; 3], no: [S; 3]) -> [S; 3] {
    [S::select(mask, yes[0], no[0]), S::select(mask, yes[1], no[1]), S::select(mask, yes[2], no[2])]
}

/// The first, or the second where any component of the first is absurd.
#[inline(always)]
pub fn sane_or<S: Lanes>(a: [S; 3], b: [S; 3]) -> [S; 3] {
    select3(is_sane(a[0]).and(is_sane(a[1])).and(is_sane(a[2])), a, b)
}

/// Beyond this the reduction by multiples of π is left to f64, lane by lane.
const LARGEST_FAST_ANGLE: f32 = 1e5;
const PI_HIGH: f32 = std::f32::consts::PI;
const PI_LOW: f32 = -8.742_278e-8;
/// The same in parts so short that their products with k < 2¹⁶ are exact: for widths that round twice.
const PI_PARTS: [f32; 4] = [3.140_625, 9.670_257_6e-4, 6.277_114e-7, 1.215_420_1e-10];

/// x − k π.
#[inline(always)]
fn minus_pi<S: Lanes>(k: S, x: S) -> S {
    if S::FUSED {
        k.fnma(S::splat(PI_LOW), k.fnma(S::splat(PI_HIGH), x))
    } else {
        let x = k.fnma(S::splat(PI_PARTS[0]), x);
        let x = k.fnma(S::splat(PI_PARTS[1]), x);
        let x = k.fnma(S::splat(PI_PARTS[2]), x);
        k.fnma(S::splat(PI_PARTS[3]), x)
    }
}

/// Angles up to this are below a quarter turn however they are rounded.
pub const SMALL_ANGLE: f32 = 1.57;

/// sin r for |r| ≤ π/2: r + r s P(s), s = r².
#[inline(always)]
pub fn sin_reduced<S: Lanes>(r: S) -> S {
    let s = r.mul(r);
    let p = s.fma(S::splat(2.605_308e-6), S::splat(-1.980_959_5e-4));
    let p = s.fma(p, S::splat(8.333_069e-3));
    let p = s.fma(p, S::splat(-0.166_666_6));
    let sine = r.mul(s).fma(p, r);
    let one = S::splat(1.0);
    sine.min(one).max(one.neg())
}

#[inline(always)]
pub fn sin<S: Lanes>(x: S) -> S {
    let limited = limit_angle(x);
    let k = limited.mul(S::splat(std::f32::consts::FRAC_1_PI)).to_int();
    let r = minus_pi(k.int_to_float(), limited);
    // sin(r + kπ) = (−1)ᵏ sin r.
    let sine = sin_reduced(r).xor(k.shift_left::<31>());
    large_angles(x, sine, libm::sin)
}

#[inline(always)]
pub fn cos<S: Lanes>(x: S) -> S {
    let limited = limit_angle(x);
    let turns = limited.fma(S::splat(std::f32::consts::FRAC_1_PI), S::splat(-0.5));
    let k = turns.to_int();
    let r = minus_pi(k.int_to_float().add(S::splat(0.5)), limited);
    // cos(r + (k + ½)π) = −(−1)ᵏ sin r.
    let cosine = sin_reduced(r).xor(k.shift_left::<31>()).neg();
    large_angles(x, cosine, libm::cos)
}

/// So that the number of half turns is always an integer of 32 bits.
#[inline(always)]
fn limit_angle<S: Lanes>(x: S) -> S {
    let most = S::splat(2.0 * LARGEST_FAST_ANGLE);
    x.min(most).max(most.neg())
}

/// Replaces what the fast reduction cannot do. Rare: nothing turns a thousand times.
#[inline(always)]
fn large_angles<S: Lanes>(x: S, fast: S, exact: fn(f64) -> f64) -> S {
    let is_large = S::splat(LARGEST_FAST_ANGLE).less(x.abs());
    if is_large.any() { lane_by_lane(x, fast, exact) } else { fast }
}

#[inline(never)]
fn lane_by_lane<S: Lanes>(x: S, fast: S, exact: fn(f64) -> f64) -> S {
    let (mut angles, mut results) = ([0.0; 16], [0.0; 16]);
    // Safety: no width has more than 16 lanes.
    unsafe {
        x.store(angles.as_mut_ptr());
        fast.store(results.as_mut_ptr());
    }
    for (angle, result) in angles.into_iter().zip(&mut results).take(S::WIDTH) {
        if angle.abs() > LARGEST_FAST_ANGLE {
            *result = exact(f64::from(angle)) as f32;
        }
    }
    // Safety: as above.
    unsafe { S::load(results.as_ptr()) }
}

/// 2ⁿ for −126 ≤ n ≤ 127, n an integer.
#[inline(always)]
fn power_of_two<S: Lanes>(n: S) -> S {
    n.add_int(S::splat_int(127)).shift_left::<23>()
}

/// e^x for |x| limited to 69: eʳ 2ⁿ with eʳ = 1 + r + r² P(r).
#[inline(always)]
pub fn exp<S: Lanes>(x: S) -> S {
    let most = S::splat(LARGEST_EXPONENT);
    let x = x.min(most).max(most.neg());
    let n = x.mul(S::splat(std::f32::consts::LOG2_E)).to_int();
    let k = n.int_to_float();
    let r = k.fnma(S::splat(-2.121_944_4e-4), k.fnma(S::splat(0.693_359_4), x));
    let p = r.fma(S::splat(1.395_177_3e-3), S::splat(8.369_598e-3));
    let p = r.fma(p, S::splat(0.041_666_187));
    let p = r.fma(p, S::splat(0.166_665_12));
    let p = r.fma(p, S::splat(0.5));
    let power = r.mul(r).fma(p, r).add(S::splat(1.0));
    power.mul(power_of_two(n))
}

/// x = m 2ᵉ with √½ ≤ m < √2, for x > 0 that is no denormal. e as a float.
#[inline(always)]
fn split<S: Lanes>(x: S) -> (S, S) {
    let below_root_half = S::splat_int(0x3f35_04f3);
    let e = x.sub_int(below_root_half).shift_right::<23>();
    let m = x.sub_int(e.shift_left::<23>());
    (m, e.int_to_float())
}

/// ln x, x ≥ 1e-30: e ln 2 + z − z²/2 + z³ P(z), z = m − 1.
#[inline(always)]
pub fn log<S: Lanes>(x: S) -> S {
    let x = S::splat(1.0 / LARGEST).max(x);
    let (m, e) = split(x);
    let z = m.sub(S::splat(1.0));
    let p = z.fma(S::splat(0.067_473_054), S::splat(-0.116_758_645));
    let p = z.fma(p, S::splat(0.118_879_81));
    let p = z.fma(p, S::splat(-0.124_055_43));
    let p = z.fma(p, S::splat(0.142_195_72));
    let p = z.fma(p, S::splat(-0.166_68));
    let p = z.fma(p, S::splat(0.200_021_18));
    let p = z.fma(p, S::splat(-0.250_000_1));
    let p = z.fma(p, S::splat(0.333_333_13));
    let square = z.mul(z);
    let tail = z.mul(square).mul(p);
    let tail = e.fma(S::splat(-2.121_944_4e-4), tail);
    let tail = square.fma(S::splat(-0.5), tail);
    e.fma(S::splat(0.693_359_4), z.add(tail))
}

/// a · b as a rounded product and what rounding lost.
#[inline(always)]
fn two_product<S: Lanes>(a: S, b: S) -> (S, S) {
    let product = a.mul(b);
    if S::FUSED {
        return (product, a.fms(b, product));
    }
    // Dekker: halves of 12 bits, whose products are exact.
    let (a_high, b_high) = (a.and(S::splat_int(!0xfff)), b.and(S::splat_int(!0xfff)));
    let (a_low, b_low) = (a.sub(a_high), b.sub(b_high));
    let rest = a_high.mul(b_high).sub(product);
    let rest = rest.add(a_high.mul(b_low)).add(a_low.mul(b_high));
    (product, rest.add(a_low.mul(b_low)))
}

/// x^y = 2^(y log₂ x) with log₂ x in two floats: y multiplies its error.
///
/// log₂ m = 2/ln 2 · (s + s³ Q(s²)), s = (m − 1)/(m + 1).
#[inline(always)]
pub fn pow<S: Lanes>(x: S, y: S) -> S {
    let (zero, one) = (S::splat(0.0), S::splat(1.0));
    // Denormals are lifted into the range of `split`.
    let is_tiny = x.less(S::splat(f32::MIN_POSITIVE));
    let lifted = S::select(is_tiny, x.mul(S::splat(16_777_216.0)), x);
    let (m, e) = split(S::splat(f32::MIN_POSITIVE).max(lifted).min(S::splat(f32::MAX)));
    let e = e.sub(is_tiny.and(S::splat(24.0)));
    let (above, below) = (m.sub(one), m.add(one));
    let below_rest = m.sub(below.sub(one));
    let s = above.div(below);
    let (back, back_rest) = two_product(s, below);
    let s_rest = above.sub(back).sub(back_rest).sub(s.mul(below_rest)).div(below);
    let u = s.mul(s);
    let q = u.fma(S::splat(0.142_684_68), S::splat(0.200_001_7));
    let q = u.fma(q, S::splat(0.333_333_3));
    let s_rest = s.mul(u).fma(q, s_rest);
    let factor = S::splat(2.885_39);
    let (high, low) = two_product(factor, s);
    let low = low.add(factor.mul(s_rest)).add(S::splat(3.851_926e-8).mul(s));
    // e + high, exactly: e is 0 or the larger.
    let sum = e.add(high);
    let rest = high.sub(sum.sub(e)).add(low);
    let (power, power_rest) = two_product(y, sum);
    let (least, most) = (S::splat(-200.0), S::splat(120.0));
    let limited = power.min(most).max(least);
    let n = limited.to_int();
    let is_limited = power.equal(limited);
    let f = limited.sub(n.int_to_float()).add(is_limited.and(y.fma(rest, power_rest)));
    let p = f.fma(S::splat(1.547_771_7e-4), S::splat(1.340_157_7e-3));
    let p = f.fma(p, S::splat(9.617_999e-3));
    let p = f.fma(p, S::splat(0.055_503_245));
    let p = f.fma(p, S::splat(0.240_226_5));
    let p = f.fma(p, S::splat(std::f32::consts::LN_2));
    let half = n.shift_right::<1>();
    let result = f.fma(p, one).mul(power_of_two(half)).mul(power_of_two(n.sub_int(half)));
    let result = S::splat(LARGEST).min(result);
    let result = zero.less(x).and(result);
    S::select(y.equal(zero), one, result)
}

/// The angle of (x, y); 0 for (0, 0). atan t = t + t u P(u), u = t², for 0 ≤ t ≤ 1.
#[inline(always)]
pub fn atan2<S: Lanes>(y: S, x: S) -> S {
    let (across, along) = (y.abs(), x.abs());
    let is_steep = along.less(across);
    let (small, large) = (S::select(is_steep, along, across), S::select(is_steep, across, along));
    let zero = S::splat(0.0);
    let t = zero.less(large).and(small.div(large));
    let u = t.mul(t);
    let p = u.fma(S::splat(2.975_165_4e-3), S::splat(-0.016_583_545));
    let p = u.fma(p, S::splat(0.043_557_5));
    let p = u.fma(p, S::splat(-0.075_809_255));
    let p = u.fma(p, S::splat(0.106_791_1));
    let p = u.fma(p, S::splat(-0.142_142_55));
    let p = u.fma(p, S::splat(0.199_941_43));
    let p = u.fma(p, S::splat(-0.333_331_67));
    let angle = t.mul(u).fma(p, t);
    let angle = S::select(is_steep, S::splat(std::f32::consts::FRAC_PI_2).sub(angle), angle);
    let angle = S::select(x.less(zero), S::splat(std::f32::consts::PI).sub(angle), angle);
    angle.or(y.sign_bit())
}
