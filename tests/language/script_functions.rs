//! Every function of the language against f64 or a law, over nasty numbers: zeros, denormals,
//! parallel and huge vectors, angles of a million. Nothing may leave as infinity or NaN.
//!
//! Every evaluator runs them: see `tests/support/evaluators.rs`.

use crate::support::conformance::{self, program_of_maps, run, run_on, script};
use crate::support::random::Random;
use glam::{DMat3, DQuat, DVec3, dvec3};
use jounce::eval::Interpreter;
use jounce::ir::Type;
use jounce::script::functions;
use std::collections::BTreeSet;

const F: Type = Type::Float;
const V: Type = Type::Vec3;
const ROWS: usize = 1000;

/// For all arguments the result of `body` is as `holds` says. Arguments are called a, b, c ….
struct Law {
    /// Signatures, as [`signature`] writes them.
    covers: &'static str,
    takes: &'static [Type],
    body: &'static str,
    holds: fn(&Arguments, DVec3) -> bool,
}

/// The arguments of one call, in a row.
struct Arguments<'a> {
    numbers: &'a [f64],
    takes: &'static [Type],
}

impl Arguments<'_> {
    fn start(&self, place: usize) -> usize {
        self.takes[..place].iter().map(|ty| if *ty == V { 3 } else { 1 }).sum()
    }

    fn x(&self, place: usize) -> f64 {
        self.numbers[self.start(place)]
    }

    fn v(&self, place: usize) -> DVec3 {
        DVec3::from_slice(&self.numbers[self.start(place)..])
    }
}

const fn law(
    covers: &'static str,
    takes: &'static [Type],
    body: &'static str,
    holds: fn(&Arguments, DVec3) -> bool,
) -> Law {
    Law { covers, takes, body, holds }
}

/// Equal to single precision, and to a millionth of `scale`.
fn near(found: f64, expected: f64, scale: f64) -> bool {
    let expected = if expected.abs() <= 1e30 { expected } else { 0.0 };
    (found - expected).abs() <= 1e-6 * (expected.abs() + scale) + 1e-37
}

fn near_vec3(found: DVec3, expected: DVec3, scale: f64) -> bool {
    (0..3).all(|i| near(found[i], expected[i], scale))
}

fn same(found: DVec3, expected: f64) -> bool {
    near_vec3(found, DVec3::splat(expected), 0.0)
}

/// On a float and on each component of a vec3.
fn on_each(found: DVec3, v: DVec3, f: impl Fn(f64) -> f64) -> bool {
    (0..3).all(|i| near(found[i], f(v[i]), 0.0))
}

fn divided(a: f64, b: f64) -> f64 {
    if b.abs() >= 1e-20 { a / b } else { 0.0 }
}

fn direction(v: DVec3) -> DVec3 {
    if v.length_squared() >= 1e-20 { v / v.length() } else { DVec3::ZERO }
}

fn turned(v: DVec3, axis: DVec3, angle: f64) -> DVec3 {
    match direction(axis) {
        DVec3::ZERO => v,
        axis => {
            let along = axis * axis.dot(v);
            along + (v - along) * angle.cos() + axis.cross(v) * angle.sin()
        }
    }
}

fn smooth(from: f64, to: f64, x: f64) -> f64 {
    let t = divided(x - from, to - from).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

fn power(x: f64, y: f64) -> f64 {
    match () {
        () if y == 0.0 => 1.0,
        () if x > 0.0 => x.powf(y).min(1e30),
        () => 0.0,
    }
}

fn sum(weights: [f64; 2], values: [f64; 2]) -> f64 {
    weights[0] * values[0] + weights[1] * values[1]
}

#[rustfmt::skip]
const LAWS: &[Law] = &[
    law("abs(Any)", &[V], "abs(a)", |a, r| on_each(r, a.v(0), f64::abs)),
    law("abs(Any)", &[F], "abs(a)", |a, r| same(r, a.x(0).abs())),
    law("sign(Any)", &[V], "sign(a)", |a, r| on_each(r, a.v(0), |x| if x == 0.0 { 0.0 } else { x.signum() })),
    law("floor(Any)", &[V], "floor(a)", |a, r| on_each(r, a.v(0), f64::floor)),
    law("ceil(Any)", &[V], "ceil(a)", |a, r| on_each(r, a.v(0), f64::ceil)),
    law("round(Any)", &[V], "round(a)", |a, r| on_each(r, a.v(0), |x| (x + 0.5).floor())),
    law("fract(Any)", &[V], "fract(a)", |a, r| on_each(r, a.v(0), |x| x - x.floor()) && r.min_element() >= 0.0 && r.max_element() <= 1.0),
    law("mod(Any, Any)", &[F, F], "mod(a, b)", |a, r| {
        let (x, y) = (a.x(0), a.x(1));
        let ratio = x / y;
        if y.abs() < 1e-20 || ratio.abs() >= 8_388_608.0 {
            return r.x == 0.0;
        }
        // At the ends of the range rounding decides which end it is.
        let expected = x - y * ratio.floor();
        let off = (r.x - expected).abs();
        let is_near = |off: f64| off <= 1e-6 * y.abs() + 1e-15 * x.abs();
        // A position is rounded to single precision, and may reach y by that.
        let is_in_range = r.x == 0.0 || (r.x.signum() == y.signum() && r.x.abs() <= f64::from(y.abs() as f32));
        is_in_range && (is_near(off) || is_near((off - y.abs()).abs()))
    }),
    law("mod(Any, Any)", &[V, F], "mod(a, b) - vec3(mod(a.x, b), mod(a.y, b), mod(a.z, b))", |_, r| r == DVec3::ZERO),
    law("min(Any, Any)", &[V, F], "min(a, b)", |a, r| on_each(r, a.v(0), |x| x.min(a.x(1)))),
    law("max(Any, Any)", &[V, V], "max(a, b)", |a, r| near_vec3(r, a.v(0).max(a.v(1)), 0.0)),
    law("clamp(Any, Any, Any)", &[F, F, F], "clamp(a, b, c)", |a, r| same(r, a.x(0).min(a.x(2)).max(a.x(1)))),
    law("clamp(Any, Any, Any)", &[V, F, F], "clamp(a, b, c)", |a, r| on_each(r, a.v(0), |x| x.min(a.x(2)).max(a.x(1)))),
    law("saturate(Any)", &[V], "saturate(a)", |a, r| on_each(r, a.v(0), |x| x.clamp(0.0, 1.0))),
    law("mix(Any, Any, Any)", &[F, F, F], "mix(a, b, c)", |a, r| {
        let (from, to, t) = (a.x(0), a.x(1), a.x(2));
        near(r.x, from + (to - from) * t, 1e-6 * (from.abs() + (from.abs() + to.abs()) * t.abs()))
    }),
    law("mix(Any, Any, Any)", &[V, V], "mix(a, b, 0)", |a, r| near_vec3(r, a.v(0), 0.0)),
    law("mix(Any, Any, Any)", &[V, V], "mix(a, b, 1)", |a, r| near_vec3(r, a.v(1), 0.0)),
    law("step(Any, Any)", &[F, V], "step(a, b)", |a, r| on_each(r, a.v(1), |x| f64::from(u8::from(x >= a.x(0))))),
    law("smoothstep(Any, Any, Any)", &[F, F, F], "smoothstep(a, b, c)", |a, r| near(r.x, smooth(a.x(0), a.x(1), a.x(2)), 1e-3) && (0.0..=1.0).contains(&r.x)),
    law("smoothstep(Any, Any, Any)", &[F, V], "smoothstep(a, a, b)", |_, r| r == DVec3::ZERO),
    law("remap(Any, Any, Any, Any, Any)", &[F, F, F, F, F], "remap(a, b, c, d, e)", |a, r| {
        let share = divided(a.x(0) - a.x(1), a.x(2) - a.x(1));
        let (from, to) = (a.x(3), a.x(4));
        near(r.x, from + (to - from) * share, 1e-6 * (from.abs() + (from.abs() + to.abs()) * share.abs()))
    }),
    law("remap(Any, Any, Any, Any, Any)", &[F, F, F, F], "remap(a, b, b, c, d)", |a, r| same(r, a.x(2))),
    law("pow(Any, Any)", &[F, F], "pow(a, b)", |a, r| same(r, power(a.x(0), a.x(1)))),
    law("pow(Any, Any)", &[V], "pow(a, 2)", |a, r| on_each(r, a.v(0), |x| x * x)),
    law("pow(Any, Any)", &[V], "pow(a, 0)", |_, r| same(r, 1.0)),
    law("sqrt(Any)", &[V], "sqrt(a)", |a, r| on_each(r, a.v(0), |x| x.max(0.0).sqrt())),
    law("exp(Any)", &[V], "exp(a)", |a, r| on_each(r, a.v(0), |x| x.clamp(-69.0, 69.0).exp())),
    law("log(Any)", &[V], "log(a)", |a, r| on_each(r, a.v(0), |x| x.max(1e-30).ln())),
    law("log(Any)", &[F], "log(exp(a))", |a, r| near(r.x, a.x(0).clamp(-69.0, 69.0), 1.0)),
    law("sin(Any)", &[V], "sin(a)", |a, r| on_each(r, a.v(0), f64::sin) && r.abs().max_element() <= 1.0),
    law("cos(Any)", &[V], "cos(a)", |a, r| on_each(r, a.v(0), f64::cos) && r.abs().max_element() <= 1.0),
    law("tan(Any)", &[V], "tan(a)", |a, r| on_each(r, a.v(0), |x| x.sin() / x.cos())),
    law("asin(Any)", &[V], "asin(a)", |a, r| (0..3).all(|i| near(r[i], a.v(0)[i].clamp(-1.0, 1.0).asin(), 1e-2))),
    law("asin(Any)", &[V], "sin(asin(a))", |a, r| on_each(r, a.v(0), |x| x.clamp(-1.0, 1.0))),
    law("asin(Any)", &[F], "asin(sin(a)) - asin(sin(PI - a))", |a, r| r.x.abs() <= 1e-6 + 1e-7 * a.x(0).abs().sqrt()),
    law("acos(Any)", &[V], "acos(a)", |a, r| (0..3).all(|i| near(r[i], a.v(0)[i].clamp(-1.0, 1.0).acos(), 1e-2))),
    law("atan(Any)", &[V], "atan(a)", |a, r| on_each(r, a.v(0), f64::atan)),
    law("atan2(Float, Float)", &[F, F], "atan2(a, b)", |a, r| {
        let (y, x) = (a.x(0), a.x(1));
        same(r, if y == 0.0 && x == 0.0 { 0.0 } else { y.atan2(x) })
    }),
    law("radians(Any)", &[V], "radians(a)", |a, r| on_each(r, a.v(0), f64::to_radians)),
    law("degrees(Any)", &[V], "degrees(a)", |a, r| on_each(r, a.v(0), f64::to_degrees)),
    law("select(Bool, Value, Value)", &[F, V, V], "select(a > 0, b, c)", |a, r| near_vec3(r, if a.x(0) > 0.0 { a.v(1) } else { a.v(2) }, 0.0)),
    law("vec3(Float, Float, Float)", &[F, F, F], "vec3(a, b, c)", |a, r| near_vec3(r, dvec3(a.x(0), a.x(1), a.x(2)), 0.0)),
    law("vec3(Any)", &[F], "vec3(a)", |a, r| same(r, a.x(0))),
    law("length(Vec3)", &[V], "length(a)", |a, r| same(r, a.v(0).length())),
    law("length(Float)", &[F], "length(a)", |a, r| same(r, a.x(0).abs())),
    law("distance(Vec3, Vec3)", &[V, V], "distance(a, b)", |a, r| same(r, a.v(0).distance(a.v(1)))),
    law("normalize(Vec3)", &[V], "normalize(a)", |a, r| {
        let long = a.v(0).length();
        let is_unit = near(r.length(), 1.0, 0.0) && near_vec3(r * long, a.v(0), long);
        if long > 1.001e-10 { is_unit } else { r == DVec3::ZERO || is_unit }
    }),
    law("dot(Vec3, Vec3)", &[V, V], "dot(a, b)", |a, r| near(r.x, a.v(0).dot(a.v(1)), 1e-6 * a.v(0).length() * a.v(1).length())),
    law("cross(Vec3, Vec3)", &[V, V], "cross(a, b)", |a, r| near_vec3(r, a.v(0).cross(a.v(1)), 1e-6 * a.v(0).length() * a.v(1).length())),
    law("cross(Vec3, Vec3)", &[V], "cross(a, a)", |_, r| r == DVec3::ZERO),
    law("project(Vec3, Vec3)", &[V, V], "project(a, b)", |a, r| {
        let axis = direction(a.v(1));
        near_vec3(r, axis * axis.dot(a.v(0)), a.v(0).length())
    }),
    law("reject(Vec3, Vec3)", &[V, V], "project(a, b) + reject(a, b)", |a, r| near_vec3(r, a.v(0), a.v(0).length())),
    law("reject(Vec3, Vec3)", &[V, V], "reject(a, b)", |a, r| near(r.dot(direction(a.v(1))), 0.0, a.v(0).length())),
    law("reflect(Vec3, Vec3)", &[V, V], "reflect(a, b)", |a, r| near(r.length(), a.v(0).length(), 0.0)),
    law("reflect(Vec3, Vec3)", &[V, V], "reflect(reflect(a, b), b)", |a, r| near_vec3(r, a.v(0), a.v(0).length())),
    law("limit_length(Vec3, Float)", &[V, F], "limit_length(a, b)", |a, r| {
        let (long, most) = (a.v(0).length(), a.x(1).max(0.0));
        near_vec3(r, a.v(0) * divided(long.min(most), long), 1e-20)
    }),
    law("rotate(Vec3, Vec3, Float)", &[V, V, F], "rotate(a, b, c)", |a, r| near_vec3(r, turned(a.v(0), a.v(1), a.x(2)), a.v(0).length())),
    law("rotate(Vec3, Vec3, Float)", &[V, V, F], "vec3(length(rotate(a, b, c)))", |a, r| same(r, a.v(0).length())),
    law("rotate(Vec3, Quat)", &[V, V, F], "rotate(a, quat(b, c))", |a, r| near_vec3(r, turned(a.v(0), a.v(1), a.x(2)), a.v(0).length())),
    law("rotate(Float, Quat)", &[F, V, F], "rotate(a, quat(b, c))", |a, r| same(r, a.x(0))),
    law("unrotate(Float, Quat)", &[F, V, F], "unrotate(a, quat(b, c))", |a, r| same(r, a.x(0))),
    law("unrotate(Vec3, Quat)", &[V, V, F], "unrotate(rotate(a, quat(b, c)), quat(b, c))", |a, r| near_vec3(r, a.v(0), a.v(0).length())),
    law("quat(Vec3, Float)", &[V, V, F], "quat(b, c) * a", |a, r| near_vec3(r, turned(a.v(0), a.v(1), a.x(2)), a.v(0).length())),
    law("quat(Float, Float, Float, Float)", &[F, F, F, F], "let q = quat(a, b, c, d); q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w", |_, r| same(r, 1.0)),
    law("quat(Float, Float, Float, Float)", &[V], "quat(0, 0, 0, 0) * a", |a, r| near_vec3(r, a.v(0), 0.0)),
    law("conjugate(Quat)", &[V, V, F], "let q = quat(b, c); (q * conjugate(q)) * a", |a, r| near_vec3(r, a.v(0), a.v(0).length())),
    law("slerp(Quat, Quat, Float)", &[V, V, F, F], "slerp(quat(a, c), quat(b, d), 0) * a - quat(a, c) * a", |a, r| near(r.length(), 0.0, a.v(0).length())),
    law("slerp(Quat, Quat, Float)", &[V, V, F, F], "slerp(quat(a, c), quat(b, d), 1) * a - quat(b, d) * a", |a, r| near(r.length(), 0.0, a.v(0).length())),
    law("slerp(Quat, Quat, Float)", &[V, V, F], "let q = slerp(quat(a, 1), quat(b, 2), c); q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w", |_, r| same(r, 1.0)),
    law("slerp(Quat, Quat, Float)", &[V, V, F], "slerp(quat(a, c), quat(a, c), 0.3) * b - quat(a, c) * b", |a, r| near(r.length(), 0.0, a.v(1).length())),
    law("mat3(Vec3, Vec3, Vec3)", &[V, V, V, V], "mat3(a, b, c) * d", |a, r| {
        let m = DMat3::from_cols(a.v(0), a.v(1), a.v(2));
        let scale = (a.v(0).length() + a.v(1).length() + a.v(2).length()) * a.v(3).length();
        near_vec3(r, m * a.v(3), 1e-6 * scale)
    }),
    law("mat3(Quat)", &[V, V, F], "mat3(quat(b, c)) * a", |a, r| near_vec3(r, turned(a.v(0), a.v(1), a.x(2)), a.v(0).length())),
    law("transpose(Mat3)", &[V, V, V], "transpose(mat3(a, b, c)).y", |a, r| near_vec3(r, dvec3(a.v(0).y, a.v(1).y, a.v(2).y), 0.0)),
    law("transpose(Mat3)", &[V, F, V], "let m = mat3(quat(a, b)); transpose(m) * (m * c)", |a, r| near_vec3(r, a.v(2), a.v(2).length())),
    law("determinant(Mat3)", &[V, V, V], "determinant(mat3(a, b, c))", |a, r| {
        let scale = a.v(0).length() * a.v(1).length() * a.v(2).length();
        near(r.x, a.v(0).dot(a.v(1).cross(a.v(2))), 1e-6 * scale) || scale > 1e30
    }),
    law("determinant(Mat3)", &[V, F], "determinant(mat3(quat(a, b)))", |_, r| same(r, 1.0)),
    law("noise(Any)", &[V], "noise(a)", |_, r| r.x.abs() <= 1.0),
    law("noise(Any)", &[F], "noise(a)", |_, r| r.x.abs() <= 1.0),
    law("noise(Any)", &[V], "noise(floor(a))", |_, r| r == DVec3::ZERO),
    law("noise(Any)", &[F], "noise(floor(a))", |_, r| r == DVec3::ZERO),
    law("noise(Any)", &[V], "noise(clamp(a, -1000, 1000) + 0.001) - noise(clamp(a, -1000, 1000))", |_, r| r.x.abs() <= 0.01),
    law("noise3(Any)", &[V], "noise3(a)", |_, r| r.abs().max_element() <= 1.0),
    law("noise3(Any)", &[V], "vec3(noise3(a).x - noise(a))", |_, r| r == DVec3::ZERO),
    law("hash(Float)", &[F], "hash(a)", |_, r| (0.0..1.0).contains(&r.x)),
    law("hash(Float)", &[F], "hash(a) - hash(floor(a))", |_, r| r == DVec3::ZERO),
    law("bone_linear_velocity(Float)", &[F], "sum_skin(bone_linear_velocity(0.1))", |_, r| near_vec3(r, DVec3::X * sum(conformance::SKIN, conformance::VELOCITIES), 0.0)),
    law("bone_angular_velocity(Float)", &[F], "sum_skin(bone_angular_velocity(0.1))", |_, r| near_vec3(r, DVec3::Z * sum(conformance::SKIN, conformance::VELOCITIES), 0.0)),
    law("bone_linear_acceleration(Float)", &[F], "sum_skin(bone_linear_acceleration(0))", |_, r| near_vec3(r, DVec3::X * sum(conformance::SKIN, conformance::ACCELERATIONS), 0.0)),
    law("bone_angular_acceleration(Float)", &[F], "sum_skin(bone_angular_acceleration(0))", |_, r| near_vec3(r, DVec3::Z * sum(conformance::SKIN, conformance::ACCELERATIONS), 0.0)),
    law("map(Text, Float)", &[F], "map(\"0\", 7)", |a, r| same(r, a.x(0))),
    law("map(Text, Float)", &[F], "map(\"none\", a)", |a, r| same(r, a.x(0))),
    law("map(Text, Float)", &[F], "map(\" \", a)", |a, r| same(r, a.x(0))),
    law("softness()", &[F], "softness()", |_, r| same(r, conformance::SOFTNESS)),
    law("looseness()", &[F], "looseness()", |_, r| same(r, conformance::SOFTNESS)),
    law("protrusion()", &[F], "protrusion()", |_, r| same(r, conformance::SOFTNESS)),
    law("protrusion_root()", &[F], "protrusion_root()", |_, r| near_vec3(r, DVec3::splat(conformance::SOFTNESS), 0.0)),
    law("piece_offset()", &[F], "piece_offset()", |_, r| near_vec3(r, DVec3::splat(conformance::SOFTNESS), 0.0)),
    law("own_bone_value(Float)", &[F], "sum_skin(own_bone_value(a))", |a, r| same(r, sum(conformance::SKIN, [conformance::BONE_VALUE, a.x(0)]))),
    law("is_bone(Text, Known)", &[F], "sum_skin(is_bone(\"Tip\", true))", |_, r| same(r, conformance::SKIN[1])),
    law("is_bone(Text, Known)", &[F], "sum_skin(is_bone(\" , \", true))", |_, r| same(r, 0.0)),
    law("sum_upward(Any)", &[F], "sum_upward(BONE_DEPTH + 1)", |_, r| same(r, sum(conformance::UPWARD, [1.0, 2.0]))),
    law("sum_upward(Any)", &[V], "sum_upward(a)", |a, r| near_vec3(r, a.v(0), 0.0)),
    law("sum_upward(Any, Known)", &[F], "sum_upward(BONE_DEPTH + 1, 4)", |_, r| same(r, conformance::OF_PRUNED * sum(conformance::UPWARD, [1.0, 2.0]))),
    // Without anchors in the character, bones are all there is; with them: `tests/evaluation/anchors.rs`.
    law("from_anchors(Any, Text, Known, Float)", &[F], "sum_upward(from_anchors(BONE_DEPTH + 1, \"Tip\", false, 0.5))", |_, r| same(r, sum(conformance::UPWARD, [1.0, 2.0]))),
    law("sum_downward(Any)", &[F], "sum_downward(BONE_DEPTH + 1)", |_, r| same(r, sum(conformance::DOWNWARD, [1.0, 2.0]))),
    law("sum_downward(Any, Known)", &[F], "sum_downward(BONE_DEPTH + 1, 4)", |_, r| same(r, conformance::OF_PRUNED * sum(conformance::DOWNWARD, [1.0, 2.0]))),
    law("sum_skin(Any)", &[V], "sum_skin(a * (BONE_DEPTH + 1))", |a, r| near_vec3(r, a.v(0) * sum(conformance::SKIN, [1.0, 2.0]), 0.0)),
    law("sum_skin(Any, Known)", &[F], "sum_skin(BONE_DEPTH + 1, 4)", |_, r| same(r, conformance::OF_PRUNED * sum(conformance::SKIN, [1.0, 2.0]))),
    law("sum_skin(Any, Known)", &[F], "sum_skin(BONE_DEPTH + 1, 0)", |_, r| same(r, sum(conformance::SKIN, [1.0, 2.0]))),
    law("relax(Any, Float, Known)", &[V, F], "relax(a, 0, 3)", |a, r| near_vec3(r, a.v(0), 0.0)),
    law("relax(Any, Float, Known)", &[V, F], "relax(a, b, 0)", |a, r| near_vec3(r, a.v(0), 0.0)),
    law("relax(Any, Float, Known)", &[F, F], "relax(TIME, b, 4)", |_, r| same(r, 0.5)),
    law("relax(Any, Float, Known)", &[V], "relax(saturate(a), 1, 3)", |_, r| r.min_element() >= 0.0 && r.max_element() <= 1.0),
    law("relax(Any, Float, Known)", &[V, F], "relax(saturate(a), b, 2) - relax(saturate(a), saturate(b), 2)", |_, r| r.length() <= 1e-6),
    law("upward_weight()", &[F], "sum_skin(upward_weight())", |_, r| same(r, sum(conformance::SKIN, conformance::UPWARD))),
    law("downward_weight()", &[F], "sum_skin(downward_weight())", |_, r| same(r, sum(conformance::SKIN, conformance::DOWNWARD))),
    // The character of the suite has no flesh; what it weighs elsewhere is in `tests/evaluation/flesh.rs`.
    law("flesh_weight()", &[F], "sum_skin(flesh_weight())", |_, r| same(r, 0.0)),
    law("skin_weight()", &[F], "sum_skin(skin_weight())", |_, r| same(r, sum(conformance::SKIN, conformance::SKIN))),
];

fn signature(function: &functions::Function) -> String {
    let takes: Vec<String> = function.takes.iter().map(|kind| format!("{kind:?}")).collect();
    format!("{}({})", function.name, takes.join(", "))
}

/// In single precision, which all evaluators share.
const NASTY: [f32; 20] = [
    0.0,
    -0.0,
    1e-40,
    -1e-40,
    1e-30,
    1e-20,
    -1e-12,
    1e-6,
    0.5,
    1.0,
    -1.0,
    2.0,
    -3.7,
    std::f32::consts::FRAC_PI_2,
    std::f32::consts::PI,
    289.0,
    1e6,
    -1e6,
    1e12,
    -1e12,
];

fn nasty_number(random: &mut Random) -> f64 {
    match random.below(2) {
        0 => NASTY[random.below(NASTY.len())].into(),
        _ => f64::from((random.below(60_001) as f32 - 30_000.0) / 10_000.0),
    }
}

/// Axes, diagonals, multiples of what stands before, or anything.
fn nasty_vector(before: &[f64], random: &mut Random) -> DVec3 {
    let single = |v: DVec3| v.as_vec3().as_dvec3();
    let size = nasty_number(random);
    match random.below(5) {
        0 => single([DVec3::X, DVec3::Y, -DVec3::Z][random.below(3)] * size),
        1 => single(DVec3::ONE * size),
        2 if before.len() >= 3 => {
            let v = DVec3::from_slice(&before[before.len() - 3..]);
            let v = single(v * [1.0, -1.0, 2.0, 1e-3][random.below(4)]);
            if v.abs().max_element() <= 1e12 { v } else { -v / 2.0 }
        }
        3 => DVec3::from_array([(); 3].map(|()| nasty_number(random))),
        _ => DVec3::from_array(
            [(); 3].map(|()| f64::from((random.below(2001) as f32 - 1000.0) / 100.0)),
        ),
    }
}

fn rows(takes: &[Type], random: &mut Random) -> Vec<Vec<f64>> {
    let row = |i: usize, random: &mut Random| {
        let mut row = Vec::new();
        for (place, ty) in takes.iter().enumerate() {
            match ty {
                // Every nasty number at least once in every place.
                Type::Float if i / NASTY.len() == place => row.push(NASTY[i % NASTY.len()].into()),
                Type::Vec3 => row.extend(nasty_vector(&row.clone(), random).to_array()),
                _ => row.push(nasty_number(random)),
            }
        }
        row
    };
    (0..ROWS).map(|i| row(i, random)).collect()
}

/// The interpreter keeps the laws, and all others agree with it.
fn suite() {
    let mut random = Random(7);
    let mut broken_laws = Vec::new();
    for Law { covers, takes, body, holds } in LAWS {
        let inputs: Vec<(&str, Type)> =
            ["a", "b", "c", "d", "e"].into_iter().zip(takes.iter().copied()).collect();
        let node_type = script("", &inputs, body).unwrap_or_else(|e| panic!("{body}: {e}"));
        let rows = rows(takes, &mut random);
        let results = run(&program_of_maps(&node_type, &inputs), &rows);
        let is_extreme = |x: &f64| x.abs() > 1e2 || (*x != 0.0 && x.abs() < 1e-3);
        let broken = rows.iter().zip(results).find(|(numbers, result)| {
            // Only extreme numbers may lead to an absurd result.
            let is_absurd = *result == conformance::PLAIN && numbers.iter().any(is_extreme);
            let holds = is_absurd || holds(&Arguments { numbers, takes }, *result);
            !result.is_finite() || !holds
        });
        broken_laws.extend(broken.map(|(numbers, result)| {
            format!("{covers}: {body} of {numbers:?} is {:?}", result.to_array())
        }));
    }
    assert!(broken_laws.is_empty(), "{}", broken_laws.join("\n"));
}

#[test]
fn every_function_has_a_law() {
    let mut covered: BTreeSet<String> = LAWS.iter().map(|law| law.covers.to_owned()).collect();
    // It takes sliders only, and these inputs are maps: see `tests/language/compile.rs`.
    covered.insert("exposed(Text, Float, Float, Float)".to_owned());
    let there: BTreeSet<String> = functions::all().map(signature).collect();
    assert_eq!(covered, there);
    println!("{} functions, {} laws, {ROWS} rows each", there.len(), LAWS.len());
}

#[test]
fn all_evaluators_keep_all_laws() {
    suite();
}

/// The range of noise is documented; this is what it really reaches.
#[test]
fn noise_uses_its_range() {
    let inputs = [("a", V)];
    let node_type = script("", &inputs, "vec3(noise(a), noise(a.x), noise3(a).y)").unwrap();
    let mut random = Random(3);
    let number = |random: &mut Random| random.below(1 << 30) as f64 / f64::from(1 << 21) - 256.0;
    let rows: Vec<Vec<f64>> =
        (0..100_000).map(|_| (0..3).map(|_| number(&mut random)).collect()).collect();
    let results = run_on(&mut Interpreter, &program_of_maps(&node_type, &inputs), &rows);
    let largest = results.iter().fold(DVec3::ZERO, |most, r| most.max(r.abs()));
    let mean = results.iter().sum::<DVec3>() / results.len() as f64;
    println!("noise reaches {largest}, its mean is {mean}");
    assert!(largest.max_element() <= 1.0 && largest.min_element() > 0.8, "{largest}");
    assert!(mean.abs().max_element() < 0.02, "{mean}");
}

#[test]
fn quaternions_agree_with_glam() {
    let inputs = [("a", V), ("b", V), ("c", F), ("d", V)];
    let node_type = script("", &inputs, "(quat(a, c) * quat(b, 1)) * d").unwrap();
    let row = vec![1.0, 2.0, 3.0, -1.0, 0.5, 0.25, 2.5, 3.0, 2.0, 1.0];
    let found = run(&program_of_maps(&node_type, &inputs), &[row])[0];
    let first = DQuat::from_axis_angle(dvec3(1.0, 2.0, 3.0).normalize(), 2.5);
    let second = DQuat::from_axis_angle(dvec3(-1.0, 0.5, 0.25).normalize(), 1.0);
    assert!(near_vec3(found, (first * second) * dvec3(3.0, 2.0, 1.0), 1.0), "{found}");
}
