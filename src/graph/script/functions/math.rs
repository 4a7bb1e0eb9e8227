//! Functions of numbers; on a vec3 they work component by component.

use super::Kind::{Any, Bool, Float, Value as Whatever};
use super::algebra::{
    add, clamp, divide, each1, each2, max, min, mix, modulo, multiply, power, subtract,
};
use super::{Function, function};
use crate::script::kernel::{Val, select};
use jounce_ir::{Binary, Builder, Unary, Value};

pub const FUNCTIONS: &[Function] = &[
    function("abs", &[Any], "x", "x without its sign.", |b, a| Ok(native(b, Unary::Abs, &a[0]))),
    function("sign", &[Any], "x", "−1, 0 or 1.", |b, a| Ok(each1(b, &a[0], sign))),
    function("floor", &[Any], "x", "The next whole number below.", |b, a| {
        Ok(native(b, Unary::Floor, &a[0]))
    }),
    function("ceil", &[Any], "x", "The next whole number above.", |b, a| {
        Ok(each1(b, &a[0], |b, x| {
            let negative = b.unary(Unary::Neg, x);
            let floor = b.unary(Unary::Floor, negative);
            b.unary(Unary::Neg, floor)
        }))
    }),
    function("round", &[Any], "x", "The nearest whole number; halves go up.", |b, a| {
        let half = Val::Float(b.float(0.5));
        let up = add(b, &a[0], &half);
        Ok(up.and_then(|up| native(b, Unary::Floor, &up)))
    }),
    function("fract", &[Any], "x", "The fractional part: x − floor(x).", |b, a| {
        let whole = native(b, Unary::Floor, &a[0]);
        Ok(whole.and_then(|whole| subtract(b, &a[0], &whole)))
    }),
    function(
        "mod",
        &[Any, Any],
        "x, y",
        "The remainder of x / y, with the sign of y: from 0 up to y, but never y itself; 0 for y = 0, and where x is more than 8388608 times y.",
        |b, a| Ok(modulo(b, &a[0], &a[1])),
    ),
    function("min", &[Any, Any], "a, b", "The smaller value.", |b, a| Ok(min(b, &a[0], &a[1]))),
    function("max", &[Any, Any], "a, b", "The larger value.", |b, a| Ok(max(b, &a[0], &a[1]))),
    function(
        "clamp",
        &[Any, Any, Any],
        "x, low, high",
        "x, but not below low and not above high.",
        |b, a| Ok(clamp(b, &a[0], &a[1], &a[2])),
    ),
    function("saturate", &[Any], "x", "x, limited to 0…1.", |b, a| Ok(saturate(b, &a[0]))),
    function(
        "mix",
        &[Any, Any, Any],
        "a, b, t",
        "Exactly a at t = 0, exactly b at t = 1, a straight line between and beyond.",
        |b, a| Ok(mix(b, &a[0], &a[1], &a[2])),
    ),
    function("step", &[Any, Any], "edge, x", "0 where x is below edge, else 1.", |b, a| {
        Ok(each2(b, &a[0], &a[1], |b, edge, x| {
            let below = b.binary(Binary::Less, x, edge);
            let (zero, one) = (b.float(0.0), b.float(1.0));
            b.select(below, zero, one)
        }))
    }),
    function(
        "smoothstep",
        &[Any, Any, Any],
        "from, to, x",
        "0 below `from`, 1 above `to`, a smooth S between; 0 where both are the same.",
        |b, a| Ok(smoothstep(b, &a[0], &a[1], &a[2])),
    ),
    function(
        "remap",
        &[Any, Any, Any, Any, Any],
        "x, from, to, new_from, new_to",
        "x mapped from one range to another; values outside the range are mapped the same way.",
        |b, a| {
            let share = share(b, &a[0], &a[1], &a[2]);
            Ok(share.and_then(|share| mix(b, &a[3], &a[4], &share)))
        },
    ),
    function(
        "pow",
        &[Any, Any],
        "x, y",
        "x to the power of y; 0 for x below 0, unless y is a whole number written out, as in pow(x, 2).",
        |b, a| Ok(power(b, &a[0], &a[1])),
    ),
    function("sqrt", &[Any], "x", "The square root; 0 for x below 0.", |b, a| {
        Ok(each(b, Unary::Sqrt, &a[0]))
    }),
    function("exp", &[Any], "x", "e to the power of x, up to 1e30.", |b, a| {
        Ok(each(b, Unary::Exp, &a[0]))
    }),
    function("log", &[Any], "x", "The natural logarithm; −69 for 0 and below.", |b, a| {
        Ok(each(b, Unary::Log, &a[0]))
    }),
    function("sin", &[Any], "angle", "The sine; angles are in radians.", |b, a| {
        Ok(each(b, Unary::Sin, &a[0]))
    }),
    function("cos", &[Any], "angle", "The cosine.", |b, a| Ok(each(b, Unary::Cos, &a[0]))),
    function("tan", &[Any], "angle", "The tangent.", |b, a| {
        Ok(each1(b, &a[0], |b, x| {
            let (sine, cosine) = (b.unary(Unary::Sin, x), b.unary(Unary::Cos, x));
            b.binary(Binary::Div, sine, cosine)
        }))
    }),
    function(
        "asin",
        &[Any],
        "x",
        "The angle whose sine is x; x is limited to −1…1.",
        |b, a| {
            Ok(each1(b, &a[0], |b, x| {
                let (x, rest) = limited_and_rest(b, x);
                b.binary(Binary::Atan2, x, rest)
            }))
        },
    ),
    function(
        "acos",
        &[Any],
        "x",
        "The angle whose cosine is x; x is limited to −1…1.",
        |b, a| {
            Ok(each1(b, &a[0], |b, x| {
                let (x, rest) = limited_and_rest(b, x);
                b.binary(Binary::Atan2, rest, x)
            }))
        },
    ),
    function("atan", &[Any], "x", "The angle whose tangent is x.", |b, a| {
        let one = Val::Float(b.float(1.0));
        Ok(each2(b, &a[0], &one, |b, y, x| b.binary(Binary::Atan2, y, x)))
    }),
    function(
        "atan2",
        &[Float, Float],
        "y, x",
        "The angle of the direction (x, y); 0 for (0, 0).",
        |b, a| Ok(each2(b, &a[0], &a[1], |b, y, x| b.binary(Binary::Atan2, y, x))),
    ),
    function("radians", &[Any], "degrees", "Degrees as radians.", |b, a| {
        let factor = Val::Float(b.float(std::f64::consts::PI / 180.0));
        Ok(multiply(b, &a[0], &factor))
    }),
    function("degrees", &[Any], "radians", "Radians as degrees.", |b, a| {
        let factor = Val::Float(b.float(180.0 / std::f64::consts::PI));
        Ok(multiply(b, &a[0], &factor))
    }),
    function(
        "select",
        &[Bool, Whatever, Whatever],
        "condition, yes, no",
        "`yes` where the condition is true, else `no`.",
        |b, a| {
            let condition = a[0].single(b);
            Ok(condition.and_then(|condition| select(b, condition, &a[1], &a[2])))
        },
    ),
];

/// An operation that knows vec3 itself.
fn native(b: &mut Builder, op: Unary, x: &Val) -> Option<Val> {
    let x = x.single(b)?;
    let value = b.unary(op, x);
    Some(Val::of(b, value))
}

fn each(b: &mut Builder, op: Unary, x: &Val) -> Option<Val> {
    each1(b, x, |b, x| b.unary(op, x))
}

fn sign(b: &mut Builder, x: Value) -> Value {
    let (zero, one, minus) = (b.float(0.0), b.float(1.0), b.float(-1.0));
    let below = b.binary(Binary::Less, x, zero);
    let above = b.binary(Binary::Less, zero, x);
    let rest = b.select(below, minus, zero);
    b.select(above, one, rest)
}

pub fn saturate(b: &mut Builder, x: &Val) -> Option<Val> {
    clamp(b, x, &Val::Int(0), &Val::Int(1))
}

/// Where x is between two ends: (x − from) / (to − from); 0 where they are equal.
fn share(b: &mut Builder, x: &Val, from: &Val, to: &Val) -> Option<Val> {
    let (gone, way) = (subtract(b, x, from)?, subtract(b, to, from)?);
    divide(b, &gone, &way)
}

/// t²(3 − 2t).
pub fn smoothstep(b: &mut Builder, from: &Val, to: &Val, x: &Val) -> Option<Val> {
    let share = share(b, x, from, to)?;
    let t = saturate(b, &share)?;
    let square = multiply(b, &t, &t)?;
    let twice = multiply(b, &t, &Val::Int(2))?;
    let rest = subtract(b, &Val::Int(3), &twice)?;
    multiply(b, &square, &rest)
}

/// x limited to −1…1, and √(1 − x²).
fn limited_and_rest(b: &mut Builder, x: Value) -> (Value, Value) {
    let (one, minus) = (b.float(1.0), b.float(-1.0));
    let low = b.binary(Binary::Min, x, one);
    let x = b.binary(Binary::Max, low, minus);
    let square = b.binary(Binary::Mul, x, x);
    let rest = b.binary(Binary::Sub, one, square);
    (x, b.unary(Unary::Sqrt, rest))
}
