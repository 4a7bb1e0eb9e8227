//! What every operation computes, in f64: the definition that all evaluators are judged by.
//!
//! Transcendental functions are those of the `libm` crate, not the platform's, so that all machines
//! agree to the last bit. A root, a floor and a fused multiply-add are exact or rounded once everywhere, so
//! they are the machine's own: `libm` takes a root by an old instruction of its own, which on a processor
//! in the middle of wide vectors costs as much as fifty others.

use super::op::{Binary, Op, Unary};
use super::{Number, Value};
use glam::DVec3;

/// A divisor smaller than this is 0: then sane numbers (1e12) divided stay finite in f32.
pub const SMALLEST_DIVISOR: f64 = 1e-20;
/// The square of the shortest vector that has a direction.
pub const SMALLEST_SQUARE: f64 = 1e-20;
/// Nothing sane is larger: positions, sizes, settings.
pub const LARGEST_SANE: f64 = 1e12;
/// Powers are limited to this.
pub const LARGEST: f64 = 1e30;
/// e^±69 = 1e±30.
pub const LARGEST_EXPONENT: f64 = 69.0;

#[inline]
pub fn sqrt(x: f64) -> f64 {
    if x > 0.0 { x.sqrt() } else { 0.0 }
}

#[inline]
pub fn exp(x: f64) -> f64 {
    libm::exp(limit(x, LARGEST_EXPONENT))
}

#[inline]
pub fn log(x: f64) -> f64 {
    libm::log(if x > 1.0 / LARGEST { x } else { 1.0 / LARGEST })
}

/// x^y for x > 0; 0 for x ≤ 0, as far as y > 0; 1 for y = 0.
pub fn pow(x: f64, y: f64) -> f64 {
    if y == 0.0 {
        1.0
    } else if x > 0.0 {
        let power = libm::pow(x, y);
        if power < LARGEST { power } else { LARGEST }
    } else {
        0.0
    }
}

pub fn atan2(y: f64, x: f64) -> f64 {
    if y == 0.0 && x == 0.0 { 0.0 } else { libm::atan2(y, x) }
}

#[inline]
pub fn divide(a: f64, b: f64) -> f64 {
    if b.abs() >= SMALLEST_DIVISOR { a / b } else { 0.0 }
}

#[inline]
pub fn min(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

#[inline]
pub fn max(a: f64, b: f64) -> f64 {
    if a < b { b } else { a }
}

#[inline]
pub fn is_sane(x: f64) -> bool {
    x.abs() <= LARGEST_SANE
}

#[inline]
pub fn normalize(v: DVec3) -> DVec3 {
    let square = dot(v, v);
    if square >= SMALLEST_SQUARE { v * (1.0 / square.sqrt()) } else { DVec3::ZERO }
}

#[inline]
pub fn dot(a: DVec3, b: DVec3) -> f64 {
    a.x * b.x + a.y * b.y + a.z * b.z
}

#[inline]
fn limit(x: f64, most: f64) -> f64 {
    max(min(x, most), -most)
}

/// Runs one operation on known operands. None for operations that read data, and for operands of
/// types that do not fit, which the builder never makes.
#[inline(always)]
pub fn apply(op: &Op, of: impl Fn(Value) -> Number) -> Option<Number> {
    Some(match *op {
        Op::Unary(op, a) => unary(op, of(a))?,
        Op::Binary(op, a, b) => binary(op, of(a), of(b))?,
        Op::Fma(a, b, c) => fma(of(a), of(b), of(c))?,
        Op::Select(condition, yes, no) => select(of(condition), of(yes), of(no))?,
        Op::Vec3(x, y, z) => vec3(of(x), of(y), of(z))?,
        Op::Component(v, i) => component(of(v), i)?,
        Op::Constant(..) => op.as_constant()?,
        _ => return None,
    })
}

// None of these where the types do not fit.

#[inline(always)]
pub fn fma(a: Number, b: Number, c: Number) -> Option<Number> {
    use Number::{Float, Vec3};
    Some(match (a, b, c) {
        (Float(a), Float(b), Float(c)) => Float(a.mul_add(b, c)),
        (Vec3(a), Float(b), Vec3(c)) => Vec3(fma_vec3(a, DVec3::splat(b), c)),
        (Vec3(a), Vec3(b), Vec3(c)) => Vec3(fma_vec3(a, b, c)),
        _ => return None,
    })
}

#[inline(always)]
pub fn select(condition: Number, yes: Number, no: Number) -> Option<Number> {
    match condition {
        Number::Bool(true) => Some(yes),
        Number::Bool(false) => Some(no),
        _ => None,
    }
}

#[inline(always)]
pub fn vec3(x: Number, y: Number, z: Number) -> Option<Number> {
    match (x, y, z) {
        (Number::Float(x), Number::Float(y), Number::Float(z)) => {
            Some(Number::Vec3(DVec3::new(x, y, z)))
        }
        _ => None,
    }
}

#[inline(always)]
pub fn component(v: Number, i: u8) -> Option<Number> {
    match v {
        Number::Vec3(v) => Some(Number::Float(v[usize::from(i)])),
        _ => None,
    }
}

#[inline(always)]
pub fn unary(op: Unary, a: Number) -> Option<Number> {
    use Number::{Bool, Float, Vec3};
    Some(match (op, a) {
        (Unary::Neg, Float(x)) => Float(-x),
        (Unary::Neg, Vec3(v)) => Vec3(-v),
        (Unary::Abs, Float(x)) => Float(x.abs()),
        (Unary::Abs, Vec3(v)) => Vec3(v.abs()),
        (Unary::Floor, Float(x)) => Float(x.floor()),
        (Unary::Floor, Vec3(v)) => Vec3(each(v, f64::floor)),
        (Unary::Sqrt, Float(x)) => Float(sqrt(x)),
        (Unary::Sin, Float(x)) => Float(libm::sin(x)),
        (Unary::Cos, Float(x)) => Float(libm::cos(x)),
        (Unary::Exp, Float(x)) => Float(exp(x)),
        (Unary::Log, Float(x)) => Float(log(x)),
        (Unary::Not, Bool(b)) => Bool(!b),
        (Unary::Normalize, Vec3(v)) => Vec3(normalize(v)),
        _ => return None,
    })
}

#[inline(always)]
pub fn binary(op: Binary, a: Number, b: Number) -> Option<Number> {
    use Number::{Bool, Float, Vec3};
    Some(match (op, a, b) {
        (Binary::Add, Float(a), Float(b)) => Float(a + b),
        (Binary::Add, Vec3(a), Vec3(b)) => Vec3(a + b),
        (Binary::Sub, Float(a), Float(b)) => Float(a - b),
        (Binary::Sub, Vec3(a), Vec3(b)) => Vec3(a - b),
        (Binary::Mul, Float(a), Float(b)) => Float(a * b),
        (Binary::Mul, Vec3(a), Vec3(b)) => Vec3(a * b),
        (Binary::Mul, Vec3(a), Float(b)) => Vec3(a * b),
        (Binary::Div, Float(a), Float(b)) => Float(divide(a, b)),
        (Binary::Div, Vec3(a), Float(b)) => Vec3(each(a, |a| divide(a, b))),
        (Binary::Div, Vec3(a), Vec3(b)) => Vec3(both(a, b, divide)),
        (Binary::Min, Float(a), Float(b)) => Float(min(a, b)),
        (Binary::Min, Vec3(a), Vec3(b)) => Vec3(both(a, b, min)),
        (Binary::Max, Float(a), Float(b)) => Float(max(a, b)),
        (Binary::Max, Vec3(a), Vec3(b)) => Vec3(both(a, b, max)),
        (Binary::SaneOr, Float(a), Float(b)) => Float(if is_sane(a) { a } else { b }),
        (Binary::SaneOr, Vec3(a), Vec3(b)) => {
            Vec3(if is_sane(a.x) && is_sane(a.y) && is_sane(a.z) { a } else { b })
        }
        (Binary::Pow, Float(a), Float(b)) => Float(pow(a, b)),
        (Binary::Atan2, Float(a), Float(b)) => Float(atan2(a, b)),
        (Binary::Less, Float(a), Float(b)) => Bool(a < b),
        (Binary::LessEqual, Float(a), Float(b)) => Bool(a <= b),
        (Binary::Equal, Float(a), Float(b)) => Bool(a == b),
        (Binary::And, Bool(a), Bool(b)) => Bool(a && b),
        (Binary::Or, Bool(a), Bool(b)) => Bool(a || b),
        (Binary::Dot, Vec3(a), Vec3(b)) => Float(dot(a, b)),
        (Binary::Cross, Vec3(a), Vec3(b)) => Vec3(a.cross(b)),
        _ => return None,
    })
}

#[inline]
fn each(v: DVec3, f: impl Fn(f64) -> f64) -> DVec3 {
    DVec3::new(f(v.x), f(v.y), f(v.z))
}

#[inline]
fn both(a: DVec3, b: DVec3, f: impl Fn(f64, f64) -> f64) -> DVec3 {
    DVec3::new(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z))
}

#[inline]
fn fma_vec3(a: DVec3, b: DVec3, c: DVec3) -> DVec3 {
    // Rounded once, on every machine: where it has no such instruction, a function of the system does it.
    DVec3::new(a.x.mul_add(b.x, c.x), a.y.mul_add(b.y, c.y), a.z.mul_add(b.z, c.z))
}
