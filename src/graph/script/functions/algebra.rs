//! Arithmetic on whatever it makes sense on: floats, vec3, quaternions and matrices.
//!
//! None where it makes none.

use super::super::kernel::Val;
use jounce_ir::semantics::SMALLEST_DIVISOR;
use jounce_ir::{Binary, Builder, Op, Ternary, Unary, Value};

/// Two floats or two vec3: a float counts for all components.
fn alike(b: &mut Builder, x: &Val, y: &Val) -> Option<(Value, Value)> {
    match (x, y) {
        (Val::Vec3(_), _) | (_, Val::Vec3(_)) => Some((x.vec3(b)?, y.vec3(b)?)),
        _ => Some((x.float(b)?, y.float(b)?)),
    }
}

/// An operation that wants operands of the same type.
pub fn binary(b: &mut Builder, op: Binary, x: &Val, y: &Val) -> Option<Val> {
    let (x, y) = alike(b, x, y)?;
    let value = b.binary(op, x, y);
    Some(Val::of(b, value))
}

pub fn add(b: &mut Builder, x: &Val, y: &Val) -> Option<Val> {
    columns(b, Binary::Add, x, y).or_else(|| binary(b, Binary::Add, x, y))
}

pub fn subtract(b: &mut Builder, x: &Val, y: &Val) -> Option<Val> {
    columns(b, Binary::Sub, x, y).or_else(|| binary(b, Binary::Sub, x, y))
}

/// An operation on two matrices, column by column.
fn columns(b: &mut Builder, op: Binary, x: &Val, y: &Val) -> Option<Val> {
    match (x, y) {
        (Val::Mat3(x), Val::Mat3(y)) => {
            Some(Val::Mat3([0, 1, 2].map(|i| b.binary(op, x[i], y[i]))))
        }
        _ => None,
    }
}

/// Also quaternion · quaternion, and a quaternion or a matrix times a vector.
pub fn multiply(b: &mut Builder, x: &Val, y: &Val) -> Option<Val> {
    Some(match (x, y) {
        (Val::Quat(v, vw), Val::Quat(u, uw)) => {
            let (v, u) = super::rotation::quat_product(b, (*v, *vw), (*u, *uw));
            Val::Quat(v, u)
        }
        (Val::Quat(v, w), Val::Vec3(x)) => Val::Vec3(super::rotation::turn(b, (*v, *w), *x)),
        (Val::Mat3(m), Val::Vec3(x)) => Val::Vec3(super::rotation::mat_times(b, m, *x)),
        (Val::Mat3(m), Val::Mat3(n)) => {
            Val::Mat3([0, 1, 2].map(|i| super::rotation::mat_times(b, m, n[i])))
        }
        (Val::Mat3(m), s @ (Val::Float(_) | Val::Int(_)))
        | (s @ (Val::Float(_) | Val::Int(_)), Val::Mat3(m)) => {
            let s = s.float(b)?;
            Val::Mat3(m.map(|column| b.binary(Binary::Mul, column, s)))
        }
        (Val::Vec3(v), Val::Vec3(u)) => Val::Vec3(scale(b, *v, *u)),
        (Val::Vec3(v), s) | (s, Val::Vec3(v)) => {
            let s = s.float(b)?;
            Val::Vec3(scale(b, *v, s))
        }
        _ => {
            let (x, y) = (x.float(b)?, y.float(b)?);
            Val::Float(b.binary(Binary::Mul, x, y))
        }
    })
}

/// vec3 times vec3 or float; three times the same component is a float.
pub fn scale(b: &mut Builder, v: Value, by: Value) -> Value {
    if let Op::Ternary(Ternary::Vec3, x, y, z) = b.op(by)
        && x == y
        && y == z
    {
        return b.binary(Binary::Mul, v, x);
    }
    b.binary(Binary::Mul, v, by)
}

pub fn divide(b: &mut Builder, x: &Val, y: &Val) -> Option<Val> {
    match (x, y) {
        (Val::Vec3(v), Val::Float(_) | Val::Int(_)) => {
            let s = y.float(b)?;
            Some(Val::Vec3(b.binary(Binary::Div, *v, s)))
        }
        (Val::Mat3(m), Val::Float(_) | Val::Int(_)) => {
            let s = y.float(b)?;
            Some(Val::Mat3(m.map(|column| b.binary(Binary::Div, column, s))))
        }
        _ => binary(b, Binary::Div, x, y),
    }
}

/// From here on, 2²³, a ratio in single precision has no fraction left.
const LARGEST_RATIO: f64 = 8_388_608.0;

/// x − y floor(x / y), with the sign of y: in [0, y) for y > 0, in (y, 0] for y < 0. What rounding puts
/// outside is 0, the same place one round on. 0 also where y is too small to divide by, and where x / y
/// is so large that its fraction is nothing but rounding.
pub fn modulo(b: &mut Builder, x: &Val, y: &Val) -> Option<Val> {
    each2(b, x, y, |b, x, y| {
        let ratio = b.binary(Binary::Div, x, y);
        let whole = b.unary(Unary::Floor, ratio);
        let taken = b.binary(Binary::Mul, whole, y);
        let rest = b.binary(Binary::Sub, x, taken);
        let (zero, smallest) = (b.float(0.0), b.float(SMALLEST_DIVISOR));
        let is_negative = b.binary(Binary::Less, y, zero);
        let minus_rest = b.unary(Unary::Neg, rest);
        let unsigned = b.select(is_negative, minus_rest, rest);
        let (size, ratio_size) = (b.unary(Unary::Abs, y), b.unary(Unary::Abs, ratio));
        let largest = b.float(LARGEST_RATIO);
        let conditions = [
            (Binary::LessEqual, zero, unsigned),
            (Binary::Less, unsigned, size),
            (Binary::LessEqual, smallest, size),
            (Binary::Less, ratio_size, largest),
        ];
        let conditions = conditions.map(|(op, x, y)| b.binary(op, x, y));
        let all = |b: &mut Builder, x, y| b.binary(Binary::And, x, y);
        let (in_range, is_known) =
            (all(b, conditions[0], conditions[1]), all(b, conditions[2], conditions[3]));
        let is_sound = all(b, in_range, is_known);
        b.select(is_sound, rest, zero)
    })
}

/// A whole exponent that is written out multiplies, so that squares of negative numbers are right.
pub fn power(b: &mut Builder, x: &Val, y: &Val) -> Option<Val> {
    if let Some(times @ 1..=8) = y.known_int(b) {
        let mut product = x.clone();
        for _ in 1..times {
            product = multiply(b, &product, x)?;
        }
        return match product {
            Val::Int(_) | Val::Float(_) | Val::Vec3(_) => Some(product),
            _ => None,
        };
    }
    each2(b, x, y, |b, x, y| b.binary(Binary::Pow, x, y))
}

pub fn compare(b: &mut Builder, op: Binary, x: &Val, y: &Val) -> Option<Val> {
    let (x, y) = (x.float(b)?, y.float(b)?);
    Some(Val::Bool(b.binary(op, x, y)))
}

/// A function of one float, on each component of a vec3.
pub fn each1(b: &mut Builder, x: &Val, f: impl Fn(&mut Builder, Value) -> Value) -> Option<Val> {
    match x {
        Val::Vec3(v) => {
            let [x, y, z] = [0, 1, 2].map(|i| {
                let part = b.component(*v, i);
                f(b, part)
            });
            Some(Val::Vec3(b.vec3(x, y, z)))
        }
        _ => {
            let x = x.float(b)?;
            Some(Val::Float(f(b, x)))
        }
    }
}

/// A function of two floats, on each component of vec3.
pub fn each2(
    b: &mut Builder,
    x: &Val,
    y: &Val,
    f: impl Fn(&mut Builder, Value, Value) -> Value,
) -> Option<Val> {
    match (x, y) {
        (Val::Vec3(_), _) | (_, Val::Vec3(_)) => {
            let (v, u) = (x.vec3(b)?, y.vec3(b)?);
            let [x, y, z] = [0, 1, 2].map(|i| {
                let (x, y) = (b.component(v, i), b.component(u, i));
                f(b, x, y)
            });
            Some(Val::Vec3(b.vec3(x, y, z)))
        }
        _ => {
            let (x, y) = (x.float(b)?, y.float(b)?);
            Some(Val::Float(f(b, x, y)))
        }
    }
}

pub fn min(b: &mut Builder, x: &Val, y: &Val) -> Option<Val> {
    binary(b, Binary::Min, x, y)
}

pub fn max(b: &mut Builder, x: &Val, y: &Val) -> Option<Val> {
    binary(b, Binary::Max, x, y)
}

/// The lower limit counts where the limits are crossed.
pub fn clamp(b: &mut Builder, x: &Val, low: &Val, high: &Val) -> Option<Val> {
    let limited = min(b, x, high)?;
    max(b, &limited, low)
}

/// (1 − t) a + t b: exactly a for t = 0 and exactly b for t = 1, which a + (b − a) t is not.
pub fn mix(b: &mut Builder, from: &Val, to: &Val, share: &Val) -> Option<Val> {
    let rest = subtract(b, &Val::Int(1), share)?;
    let (from, to) = (multiply(b, from, &rest)?, multiply(b, to, share)?);
    add(b, &from, &to)
}
