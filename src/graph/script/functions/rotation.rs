//! Rotations: about an axis, quaternions, matrices.
//!
//! A quaternion is (v, w) with v the vector part; turning x is x + 2 v × (v × x + w x).

use super::Kind::{Float, Mat3, Quat, Vec3};
use super::algebra::scale;
use super::vector::two;
use super::{Function, function};
use crate::script::kernel::Val;
use jounce_ir::{Binary, Builder, Number, Unary, Value};

pub const FUNCTIONS: &[Function] = &[
    function(
        "rotate",
        &[Vec3, Vec3, Float],
        "v, axis, angle",
        "v turned about an axis by an angle in radians; v unchanged where the axis has no direction.",
        |b, a| {
            let (Some((v, axis)), Some(angle)) = (two(a), a[2].float(b)) else {
                return Ok(None);
            };
            Ok(Some(Val::Vec3(rotate(b, v, axis, angle))))
        },
    ),
    function(
        "rotate",
        &[Float, Quat],
        "x, rotation",
        "x unchanged, because a number has no direction.",
        |_, a| Ok(Some(a[0].clone())),
    ),
    function("rotate", &[Vec3, Quat], "v, rotation", "v turned by a quaternion.", |b, a| {
        Ok(match (&a[0], &a[1]) {
            (Val::Vec3(v), Val::Quat(q, w)) => Some(Val::Vec3(turn(b, (*q, *w), *v))),
            _ => None,
        })
    }),
    function(
        "unrotate",
        &[Float, Quat],
        "x, rotation",
        "x unchanged, because a number has no direction.",
        |_, a| Ok(Some(a[0].clone())),
    ),
    function(
        "unrotate",
        &[Vec3, Quat],
        "v, rotation",
        "v turned back by a quaternion, into its frame.",
        |b, a| {
            Ok(match (&a[0], &a[1]) {
                (Val::Vec3(v), Val::Quat(q, w)) => {
                    let back = b.unary(Unary::Neg, *q);
                    Some(Val::Vec3(turn(b, (back, *w), *v)))
                }
                _ => None,
            })
        },
    ),
    function(
        "quat",
        &[Vec3, Float],
        "axis, angle",
        "The rotation about an axis by an angle in radians; no rotation where the axis has no direction.",
        |b, a| {
            let (Val::Vec3(axis), Some(angle)) = (&a[0], a[1].float(b)) else {
                return Ok(None);
            };
            let half = b.float(0.5);
            let half = b.binary(Binary::Mul, angle, half);
            let (sine, cosine) = (b.unary(Unary::Sin, half), b.unary(Unary::Cos, half));
            let axis = b.unary(Unary::Normalize, *axis);
            let v = scale(b, axis, sine);
            // Without a direction v is 0, and w must be 1.
            let (zero, one) = (b.float(0.0), b.float(1.0));
            let square = b.binary(Binary::Dot, axis, axis);
            let turns = b.binary(Binary::Less, zero, square);
            Ok(Some(Val::Quat(v, b.select(turns, cosine, one))))
        },
    ),
    function(
        "quat",
        &[Float, Float, Float, Float],
        "x, y, z, w",
        "A quaternion of four numbers, scaled to unit length; no rotation for four zeros.",
        |b, a| {
            let parts: Option<Vec<Value>> = a.iter().map(|part| part.float(b)).collect();
            Ok(parts.map(|parts| {
                let v = b.vec3(parts[0], parts[1], parts[2]);
                let (v, w) = unit(b, (v, parts[3]));
                Val::Quat(v, w)
            }))
        },
    ),
    function("conjugate", &[Quat], "rotation", "The opposite rotation.", |b, a| {
        Ok(match &a[0] {
            Val::Quat(v, w) => Some(Val::Quat(b.unary(Unary::Neg, *v), *w)),
            _ => None,
        })
    }),
    function(
        "slerp",
        &[Quat, Quat, Float],
        "a, b, t",
        "A rotation between a and b, the short way round (by normalised mixing).",
        |b, a| {
            let (Val::Quat(v, vw), Val::Quat(u, uw), Some(t)) = (&a[0], &a[1], a[2].float(b))
            else {
                return Ok(None);
            };
            Ok(Some(mix_quats(b, (*v, *vw), (*u, *uw), t)))
        },
    ),
    function("mat3", &[Vec3, Vec3, Vec3], "x, y, z", "A matrix of three columns.", |_, a| {
        Ok(match a {
            [Val::Vec3(x), Val::Vec3(y), Val::Vec3(z)] => Some(Val::Mat3([*x, *y, *z])),
            _ => None,
        })
    }),
    function("mat3", &[Quat], "rotation", "The matrix of a rotation.", |b, a| {
        let Val::Quat(v, w) = a[0] else {
            return Ok(None);
        };
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let columns = axes.map(|axis| {
            let axis = b.constant(Number::Vec3(axis.into()));
            turn(b, (v, w), axis)
        });
        Ok(Some(Val::Mat3(columns)))
    }),
    function("transpose", &[Mat3], "m", "Rows and columns swapped.", |b, a| {
        let Val::Mat3(m) = &a[0] else {
            return Ok(None);
        };
        let columns = [0, 1, 2].map(|row| {
            let [x, y, z] = [0, 1, 2].map(|column| b.component(m[column], row));
            b.vec3(x, y, z)
        });
        Ok(Some(Val::Mat3(columns)))
    }),
    function("determinant", &[Mat3], "m", "How much the matrix scales volumes.", |b, a| {
        let Val::Mat3([x, y, z]) = a[0] else {
            return Ok(None);
        };
        let across = b.binary(Binary::Cross, y, z);
        Ok(Some(Val::Float(b.binary(Binary::Dot, x, across))))
    }),
];

/// x cos θ + â × x sin θ + â (â·x)(1 − cos θ).
fn rotate(b: &mut Builder, v: Value, axis: Value, angle: Value) -> Value {
    let axis = b.unary(Unary::Normalize, axis);
    let (sine, cosine, one) =
        (b.unary(Unary::Sin, angle), b.unary(Unary::Cos, angle), b.float(1.0));
    let along = b.binary(Binary::Dot, axis, v);
    let along = scale(b, axis, along);
    let across = b.binary(Binary::Sub, v, along);
    let rest = b.binary(Binary::Sub, cosine, one);
    let side = b.binary(Binary::Cross, axis, v);
    // v + across (cos θ − 1) + side sin θ: exactly v where the axis has no direction, because
    // then `rest` meets v itself.
    let zero = b.float(0.0);
    let square = b.binary(Binary::Dot, axis, axis);
    let turns = b.binary(Binary::Less, zero, square);
    let rest = b.select(turns, rest, zero);
    let shortened = scale(b, across, rest);
    let moved = scale(b, side, sine);
    let change = b.binary(Binary::Add, shortened, moved);
    b.binary(Binary::Add, change, v)
}

/// x + 2 v × (v × x + w x).
pub fn turn(b: &mut Builder, (v, w): (Value, Value), x: Value) -> Value {
    let side = b.binary(Binary::Cross, v, x);
    let scaled = scale(b, x, w);
    let inner = b.binary(Binary::Add, scaled, side);
    let outer = b.binary(Binary::Cross, v, inner);
    let two = b.float(2.0);
    let twice = b.binary(Binary::Mul, outer, two);
    b.binary(Binary::Add, twice, x)
}

/// (w_a v_b + w_b v_a + v_a × v_b, w_a w_b − v_a · v_b).
pub fn quat_product(
    b: &mut Builder,
    (va, wa): (Value, Value),
    (vb, wb): (Value, Value),
) -> (Value, Value) {
    let (first, second) = (scale(b, vb, wa), scale(b, va, wb));
    let side = b.binary(Binary::Cross, va, vb);
    let sum = b.binary(Binary::Add, first, second);
    let v = b.binary(Binary::Add, sum, side);
    let (product, dot) = (b.binary(Binary::Mul, wa, wb), b.binary(Binary::Dot, va, vb));
    (v, b.binary(Binary::Sub, product, dot))
}

pub fn mat_times(b: &mut Builder, m: &[Value; 3], v: Value) -> Value {
    let [x, y, z] = [0, 1, 2].map(|i| {
        let part = b.component(v, i);
        scale(b, m[usize::from(i)], part)
    });
    let xy = b.binary(Binary::Add, x, y);
    b.binary(Binary::Add, xy, z)
}

/// Unit length; the rotation that does nothing where all four parts are 0.
fn unit(b: &mut Builder, (v, w): (Value, Value)) -> (Value, Value) {
    let (zero, one) = (b.float(0.0), b.float(1.0));
    let (squares, w_square) = (b.binary(Binary::Dot, v, v), b.binary(Binary::Mul, w, w));
    let square = b.binary(Binary::Add, squares, w_square);
    let length = b.unary(Unary::Sqrt, square);
    let (v, unit_w) = (b.binary(Binary::Div, v, length), b.binary(Binary::Div, w, length));
    let (unit_v_square, unit_w_square) =
        (b.binary(Binary::Dot, v, v), b.binary(Binary::Mul, unit_w, unit_w));
    let all = b.binary(Binary::Add, unit_v_square, unit_w_square);
    let is_nothing = b.binary(Binary::LessEqual, all, zero);
    (v, b.select(is_nothing, one, unit_w))
}

/// (1 − t) a ± t b, made unit length.
fn mix_quats(b: &mut Builder, a: (Value, Value), c: (Value, Value), t: Value) -> Val {
    let (zero, one) = (b.float(0.0), b.float(1.0));
    let (dot_v, dot_w) = (b.binary(Binary::Dot, a.0, c.0), b.binary(Binary::Mul, a.1, c.1));
    let dot = b.binary(Binary::Add, dot_v, dot_w);
    let is_long_way = b.binary(Binary::Less, dot, zero);
    let minus_t = b.unary(Unary::Neg, t);
    let share = b.select(is_long_way, minus_t, t);
    let rest = b.binary(Binary::Sub, one, t);
    let (from_v, to_v) = (scale(b, a.0, rest), scale(b, c.0, share));
    let (from_w, to_w) = (b.binary(Binary::Mul, a.1, rest), b.binary(Binary::Mul, c.1, share));
    let mixed = (b.binary(Binary::Add, from_v, to_v), b.binary(Binary::Add, from_w, to_w));
    let (v, w) = unit(b, mixed);
    Val::Quat(v, w)
}
