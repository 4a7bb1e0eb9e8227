//! Functions of vectors.

use super::Kind::{Any, Float, Vec3};
use super::algebra::{multiply, scale};
use super::{Function, function};
use crate::script::kernel::Val;
use jounce_ir::{Binary, Builder, Unary, Value};

pub const FUNCTIONS: &[Function] = &[
    function("vec3", &[Float, Float, Float], "x, y, z", "A vector of three numbers.", |b, a| {
        let parts = (a[0].float(b), a[1].float(b), a[2].float(b));
        Ok(match parts {
            (Some(x), Some(y), Some(z)) => Some(Val::Vec3(b.vec3(x, y, z))),
            _ => None,
        })
    }),
    function("vec3", &[Any], "x", "A vector with the same number three times.", |b, a| {
        Ok(a[0].vec3(b).map(Val::Vec3))
    }),
    function("length", &[Vec3], "v", "The length of a vector.", |b, a| {
        Ok(one(&a[0]).map(|v| Val::Float(length(b, v))))
    }),
    function("length", &[Float], "x", "The number without its sign.", |b, a| {
        Ok(a[0].float(b).map(|x| Val::Float(b.unary(Unary::Abs, x))))
    }),
    function("distance", &[Vec3, Vec3], "a, b", "How far apart two points are.", |b, a| {
        Ok(two(a).map(|(x, y)| {
            let way = b.binary(Binary::Sub, x, y);
            Val::Float(length(b, way))
        }))
    }),
    function(
        "normalize",
        &[Vec3],
        "v",
        "The same direction, length 1; 0 where there is no direction.",
        |b, a| Ok(one(&a[0]).map(|v| Val::Vec3(b.unary(Unary::Normalize, v)))),
    ),
    function("dot", &[Vec3, Vec3], "a, b", "The scalar product.", |b, a| {
        Ok(two(a).map(|(x, y)| Val::Float(b.binary(Binary::Dot, x, y))))
    }),
    function("cross", &[Vec3, Vec3], "a, b", "The vector product.", |b, a| {
        Ok(two(a).map(|(x, y)| Val::Vec3(b.binary(Binary::Cross, x, y))))
    }),
    function(
        "project",
        &[Vec3, Vec3],
        "v, axis",
        "The part of v along axis; 0 where axis has no direction.",
        |b, a| Ok(two(a).map(|(v, axis)| Val::Vec3(project(b, v, axis)))),
    ),
    function(
        "reject",
        &[Vec3, Vec3],
        "v, axis",
        "The part of v across axis; v where axis has no direction.",
        |b, a| {
            Ok(two(a).map(|(v, axis)| {
                let along = project(b, v, axis);
                Val::Vec3(b.binary(Binary::Sub, v, along))
            }))
        },
    ),
    function(
        "reflect",
        &[Vec3, Vec3],
        "v, normal",
        "v mirrored in the plane with this normal.",
        |b, a| {
            Ok(two(a).map(|(v, normal)| {
                let along = project(b, v, normal);
                let two = b.float(2.0);
                let twice = b.binary(Binary::Mul, along, two);
                Val::Vec3(b.binary(Binary::Sub, v, twice))
            }))
        },
    ),
    function(
        "limit_length",
        &[Vec3, Float],
        "v, most",
        "v, shortened to `most` where it is longer.",
        |b, a| {
            let (Some(v), Some(most)) = (one(&a[0]), a[1].float(b)) else {
                return Ok(None);
            };
            let zero = b.float(0.0);
            let most = b.binary(Binary::Max, most, zero);
            let long = length(b, v);
            let shortened = b.binary(Binary::Min, long, most);
            let factor = b.binary(Binary::Div, shortened, long);
            let factor = Val::Float(factor);
            Ok(multiply(b, &Val::Vec3(v), &factor))
        },
    ),
];

fn one(v: &Val) -> Option<Value> {
    match v {
        Val::Vec3(v) => Some(*v),
        _ => None,
    }
}

pub(super) fn two(a: &[Val]) -> Option<(Value, Value)> {
    Some((one(a.first()?)?, one(a.get(1)?)?))
}

pub fn length(b: &mut Builder, v: Value) -> Value {
    let square = b.binary(Binary::Dot, v, v);
    b.unary(Unary::Sqrt, square)
}

/// (v·â) â: with the unit vector, so that long and short axes are equally exact.
fn project(b: &mut Builder, v: Value, axis: Value) -> Value {
    let axis = b.unary(Unary::Normalize, axis);
    let along = b.binary(Binary::Dot, v, axis);
    scale(b, axis, along)
}
