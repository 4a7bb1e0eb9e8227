//! What every operation computes, in f64: the definition that all evaluators are judged by.
//!
//! Transcendental functions are those of the `libm` crate, not the platform's, so that all machines
//! agree to the last bit. A root, a floor and a fused multiply-add are exact or rounded once everywhere, so
//! they are the machine's own: `libm` takes a root by an old instruction of its own, which on a processor
//! in the middle of wide vectors costs as much as fifty others.

use super::op::{Binary, Op, Ternary, Unary};
use super::{Number, Value};
use crate::{any_data, any_loop, any_memory};
use glam::DVec3;

/// A divisor smaller than this is 0: then sane numbers (1e12) divided stay finite in f32.
pub const SMALLEST_DIVISOR: f64 = 1e-20;
/// The square of the shortest vector that has a direction.
pub const SMALLEST_SQUARE: f64 = 1e-20;
/// Nothing sane is larger: positions, sizes, settings.
pub const LARGEST_SANE: f64 = jounce_base::LARGEST_NUMBER;
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
        Op::Ternary(op, a, b, c) => ternary(op, of(a), of(b), of(c))?,
        Op::Component(v, i) => component(of(v), i)?,
        Op::Constant(..) => op.as_constant()?,
        any_data!() | any_memory!() | any_loop!() => return None,
    })
}

// None of these where the types do not fit.

#[inline(always)]
pub fn ternary(op: Ternary, a: Number, b: Number, c: Number) -> Option<Number> {
    match op {
        Ternary::Fma => fma(a, b, c),
        Ternary::Select => select(a, b, c),
        Ternary::Vec3 => vec3(a, b, c),
    }
}

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
    match op {
        Unary::Neg => by_component(a, |x| -x),
        Unary::Abs => by_component(a, f64::abs),
        Unary::Floor => by_component(a, f64::floor),
        Unary::Sqrt => of_float(a, sqrt),
        Unary::Sin => of_float(a, libm::sin),
        Unary::Cos => of_float(a, libm::cos),
        Unary::Exp => of_float(a, exp),
        Unary::Log => of_float(a, log),
        Unary::Not => match a {
            Bool(b) => Some(Bool(!b)),
            Float(_) | Vec3(_) => None,
        },
        Unary::Normalize => match a {
            Vec3(v) => Some(Vec3(normalize(v))),
            Float(_) | Bool(_) => None,
        },
    }
}

#[inline(always)]
pub fn binary(op: Binary, a: Number, b: Number) -> Option<Number> {
    use Number::{Float, Vec3};
    match op {
        Binary::Add => both_alike(a, b, |a, b| a + b),
        Binary::Sub => both_alike(a, b, |a, b| a - b),
        Binary::Mul => both_or_scaled(a, b, |a, b| a * b),
        Binary::Div => both_or_scaled(a, b, divide),
        Binary::Min => both_alike(a, b, min),
        Binary::Max => both_alike(a, b, max),
        Binary::SaneOr => match (a, b) {
            (Float(a), Float(b)) => Some(Float(if is_sane(a) { a } else { b })),
            (Vec3(a), Vec3(b)) => {
                let is_sane = is_sane(a.x) && is_sane(a.y) && is_sane(a.z);
                Some(Vec3(if is_sane { a } else { b }))
            }
            (Float(_) | Number::Bool(_) | Vec3(_), _) => None,
        },
        Binary::Pow => of_floats(a, b, |a, b| Float(pow(a, b))),
        Binary::Atan2 => of_floats(a, b, |a, b| Float(atan2(a, b))),
        Binary::Less => of_floats(a, b, |a, b| Number::Bool(a < b)),
        Binary::LessEqual => of_floats(a, b, |a, b| Number::Bool(a <= b)),
        Binary::Equal => of_floats(a, b, |a, b| Number::Bool(a == b)),
        Binary::And => of_bools(a, b, |a, b| a && b),
        Binary::Or => of_bools(a, b, |a, b| a || b),
        Binary::Dot => of_vectors(a, b, |a, b| Float(dot(a, b))),
        Binary::Cross => of_vectors(a, b, |a, b| Vec3(a.cross(b))),
    }
}

#[inline(always)]
fn by_component(a: Number, f: impl Fn(f64) -> f64) -> Option<Number> {
    match a {
        Number::Float(x) => Some(Number::Float(f(x))),
        Number::Vec3(v) => Some(Number::Vec3(each(v, f))),
        Number::Bool(_) => None,
    }
}

#[inline(always)]
fn of_float(a: Number, f: impl Fn(f64) -> f64) -> Option<Number> {
    match a {
        Number::Float(x) => Some(Number::Float(f(x))),
        Number::Bool(_) | Number::Vec3(_) => None,
    }
}

#[inline(always)]
fn both_alike(a: Number, b: Number, f: impl Fn(f64, f64) -> f64) -> Option<Number> {
    match (a, b) {
        (Number::Float(a), Number::Float(b)) => Some(Number::Float(f(a, b))),
        (Number::Vec3(a), Number::Vec3(b)) => Some(Number::Vec3(both(a, b, f))),
        _ => None,
    }
}

#[inline(always)]
fn both_or_scaled(a: Number, b: Number, f: impl Fn(f64, f64) -> f64) -> Option<Number> {
    match (a, b) {
        (Number::Vec3(a), Number::Float(b)) => Some(Number::Vec3(each(a, |a| f(a, b)))),
        alike => both_alike(alike.0, alike.1, f),
    }
}

#[inline(always)]
fn of_floats(a: Number, b: Number, f: impl Fn(f64, f64) -> Number) -> Option<Number> {
    match (a, b) {
        (Number::Float(a), Number::Float(b)) => Some(f(a, b)),
        _ => None,
    }
}

#[inline(always)]
fn of_bools(a: Number, b: Number, f: impl Fn(bool, bool) -> bool) -> Option<Number> {
    match (a, b) {
        (Number::Bool(a), Number::Bool(b)) => Some(Number::Bool(f(a, b))),
        _ => None,
    }
}

#[inline(always)]
fn of_vectors(a: Number, b: Number, f: impl Fn(DVec3, DVec3) -> Number) -> Option<Number> {
    match (a, b) {
        (Number::Vec3(a), Number::Vec3(b)) => Some(f(a, b)),
        _ => None,
    }
}

#[inline(always)]
fn each(v: DVec3, f: impl Fn(f64) -> f64) -> DVec3 {
    DVec3::new(f(v.x), f(v.y), f(v.z))
}

#[inline(always)]
fn both(a: DVec3, b: DVec3, f: impl Fn(f64, f64) -> f64) -> DVec3 {
    DVec3::new(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z))
}

#[inline]
fn fma_vec3(a: DVec3, b: DVec3, c: DVec3) -> DVec3 {
    // Rounded once, on every machine: where it has no such instruction, a function of the system does it.
    DVec3::new(a.x.mul_add(b.x, c.x), a.y.mul_add(b.y, c.y), a.z.mul_add(b.z, c.z))
}
