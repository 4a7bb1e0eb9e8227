//! Smooth noise that is the same in single and double precision.
//!
//! Gradient noise on a lattice (Perlin 1985). Lattice points are hashed by the permutation
//! polynomial (34 x + 1) x mod 289 (Gustavson 2012), which needs no table and no integers: its
//! numbers stay below 2²⁴, where single precision is exact.
//!
//! The pattern repeats after 289 cells, so coordinates are brought there before anything else. That is
//! exact up to 2²³ = 8 388 608; beyond, where single precision has no fractions left, noise stands still.

use super::Kind::{Any, Float};
use super::{Function, function};
use crate::script::kernel::Val;
use jounce_ir::{Binary, Builder, Unary, Value};

/// Cells after which the pattern repeats.
const PERIOD: f64 = 289.0;
/// 2²³. Up to here n · 289 with whole n is a single precision number, and x − n · 289 loses nothing.
const FARTHEST: f64 = 8_388_608.0;

pub const FUNCTIONS: &[Function] = &[
    function(
        "noise",
        &[Any],
        "p",
        "Smooth noise between −1 and 1 at a point or a number; 0 at whole numbers. It repeats after 289, and is constant beyond ±8388608.",
        |b, a| {
            if let Val::Vec3(point) = a[0] {
                let point = near_origin(b, point);
                return Ok(Some(Val::Float(noise(b, point))));
            }
            let Some(x) = a[0].float(b) else {
                return Ok(None);
            };
            // Along an edge of the lattice only one part of a gradient counts, so it reaches half.
            let (zero, two) = (b.float(0.0), b.float(2.0));
            let point = b.vec3(x, zero, zero);
            let point = near_origin(b, point);
            let along = noise(b, point);
            Ok(Some(Val::Float(b.binary(Binary::Mul, along, two))))
        },
    ),
    function("noise3", &[Any], "p", "A vector of three independent noises.", |b, a| {
        let Some(point) = a[0].vec3(b) else {
            return Ok(None);
        };
        // Brought near before it is shifted: far away a shift would be lost in rounding.
        let point = near_origin(b, point);
        let [x, y, z] = [[0.0, 0.0, 0.0], [31.4, 17.2, 5.7], [7.9, 43.1, 71.3]].map(|shift| {
            let shifted = [0, 1, 2].map(|i| {
                let shift = b.float(shift[i]);
                b.binary(Binary::Add, point[i], shift)
            });
            noise(b, shifted)
        });
        Ok(Some(Val::Vec3(b.vec3(x, y, z))))
    }),
    function(
        "hash",
        &[Float],
        "x",
        "A number between 0 and 1 that jumps at every whole number: always the same for the same x. It repeats after 289.",
        |b, a| {
            let Some(x) = a[0].float(b) else {
                return Ok(None);
            };
            let cell = b.unary(Unary::Floor, x);
            let cell = limited(b, cell);
            let cell = modulo_289(b, cell);
            let once = permute(b, cell);
            let twice = permute(b, once);
            let size = b.float(PERIOD);
            Ok(Some(Val::Float(b.binary(Binary::Div, twice, size))))
        },
    ),
];

fn limited(b: &mut Builder, x: Value) -> Value {
    let (least, most) = (b.float(-FARTHEST), b.float(FARTHEST));
    let x = b.binary(Binary::Min, x, most);
    b.binary(Binary::Max, x, least)
}

/// The same place of the pattern within half a period of the origin, so that nothing is rounded on the
/// way; at its ends rounding may choose either.
fn near_origin(b: &mut Builder, point: Value) -> [Value; 3] {
    [0, 1, 2].map(|i| {
        let x = b.component(point, i);
        let x = limited(b, x);
        let (size, part, half) = (b.float(PERIOD), b.float(1.0 / PERIOD), b.float(0.5));
        let rounds = b.binary(Binary::Mul, x, part);
        let rounds = b.binary(Binary::Add, rounds, half);
        let rounds = b.unary(Unary::Floor, rounds);
        let taken = b.binary(Binary::Mul, rounds, size);
        b.binary(Binary::Sub, x, taken)
    })
}

/// Coordinates from −146 to 218, so that a hash and a cell together stay within −146 and 507, and
/// (34 · 507 + 1) · 507 below 2²⁴.
fn noise(b: &mut Builder, point: [Value; 3]) -> Value {
    let cells = point.map(|x| b.unary(Unary::Floor, x));
    let place = [0, 1, 2].map(|i| b.binary(Binary::Sub, point[i], cells[i]));
    let fade = place.map(|t| fade(b, t));
    let one = b.float(1.0);
    // The eight corners, x fastest.
    let mut corners = Vec::with_capacity(8);
    for corner in 0..8_u8 {
        let offset = |axis: u8| corner >> axis & 1 == 1;
        let mut hash = b.float(0.0);
        for axis in (0..3).rev() {
            let mut coordinate = cells[axis];
            if offset(axis as u8) {
                coordinate = b.binary(Binary::Add, coordinate, one);
            }
            let sum = b.binary(Binary::Add, hash, coordinate);
            hash = permute(b, sum);
        }
        let arm = [0, 1, 2].map(|axis| match offset(axis as u8) {
            true => b.binary(Binary::Sub, place[axis], one),
            false => place[axis],
        });
        corners.push(gradient_product(b, hash, arm));
    }
    for axis in fade {
        corners = corners
            .chunks(2)
            .map(|pair| {
                let way = b.binary(Binary::Sub, pair[1], pair[0]);
                let gone = b.binary(Binary::Mul, way, axis);
                b.binary(Binary::Add, gone, pair[0])
            })
            .collect();
    }
    // One of the twelve edge gradients with |g| = √2 gives at most about 1.
    corners[0]
}

/// t³(6t² − 15t + 10).
fn fade(b: &mut Builder, t: Value) -> Value {
    let (six, fifteen, ten) = (b.float(6.0), b.float(-15.0), b.float(10.0));
    let inner = b.binary(Binary::Mul, t, six);
    let inner = b.binary(Binary::Add, inner, fifteen);
    let inner = b.binary(Binary::Mul, inner, t);
    let inner = b.binary(Binary::Add, inner, ten);
    let square = b.binary(Binary::Mul, t, t);
    let cube = b.binary(Binary::Mul, square, t);
    b.binary(Binary::Mul, cube, inner)
}

/// x mod 289, exact for whole numbers up to 2²⁴.
fn modulo_289(b: &mut Builder, x: Value) -> Value {
    let (size, part) = (b.float(PERIOD), b.float(1.0 / PERIOD));
    let rounds = b.binary(Binary::Mul, x, part);
    let rounds = b.unary(Unary::Floor, rounds);
    let taken = b.binary(Binary::Mul, rounds, size);
    let rest = b.binary(Binary::Sub, x, taken);
    // The product with 1/289 may round across a whole number.
    let zero = b.float(0.0);
    let below = b.binary(Binary::Less, rest, zero);
    let more = b.binary(Binary::Add, rest, size);
    let rest = b.select(below, more, rest);
    let above = b.binary(Binary::LessEqual, size, rest);
    let less = b.binary(Binary::Sub, rest, size);
    b.select(above, less, rest)
}

fn permute(b: &mut Builder, x: Value) -> Value {
    let (factor, one) = (b.float(34.0), b.float(1.0));
    let inner = b.binary(Binary::Mul, x, factor);
    let inner = b.binary(Binary::Add, inner, one);
    let product = b.binary(Binary::Mul, inner, x);
    modulo_289(b, product)
}

/// arm · g, where the hash chooses g among the twelve edges of a cube (Perlin 2002).
fn gradient_product(b: &mut Builder, hash: Value, [x, y, z]: [Value; 3]) -> Value {
    // h = hash mod 16, by division: the top of a hash of 289 is as good as its bottom.
    let sixteen = b.float(16.0 / 289.0);
    let h = b.binary(Binary::Mul, hash, sixteen);
    let h = b.unary(Unary::Floor, h);
    let [four, eight, twelve, fourteen] = [4.0, 8.0, 12.0, 14.0].map(|n| b.float(n));
    let first_half = b.binary(Binary::Less, h, eight);
    let u = b.select(first_half, x, y);
    let first_quarter = b.binary(Binary::Less, h, four);
    let is_12 = b.binary(Binary::Equal, h, twelve);
    let is_14 = b.binary(Binary::Equal, h, fourteen);
    let with_x = b.binary(Binary::Or, is_12, is_14);
    let x_or_z = b.select(with_x, x, z);
    let v = b.select(first_quarter, y, x_or_z);
    // Signs from the two lowest bits.
    let half = b.float(0.5);
    let quarter = b.float(0.25);
    let bit_0 = odd(b, h, half);
    let bit_1 = odd_half(b, h, quarter);
    let (minus_u, minus_v) = (b.unary(Unary::Neg, u), b.unary(Unary::Neg, v));
    let u = b.select(bit_0, minus_u, u);
    let v = b.select(bit_1, minus_v, v);
    b.binary(Binary::Add, u, v)
}

/// Is h odd?
fn odd(b: &mut Builder, h: Value, half: Value) -> Value {
    let halves = b.binary(Binary::Mul, h, half);
    let whole = b.unary(Unary::Floor, halves);
    b.binary(Binary::Less, whole, halves)
}

/// Is floor(h / 2) odd?
fn odd_half(b: &mut Builder, h: Value, quarter: Value) -> Value {
    let quarters = b.binary(Binary::Mul, h, quarter);
    let whole = b.unary(Unary::Floor, quarters);
    let rest = b.binary(Binary::Sub, quarters, whole);
    let half = b.float(0.5);
    b.binary(Binary::LessEqual, half, rest)
}
