//! How far single precision may be from the interpreter: running error analysis.
//!
//! The interpreter gives every value of a program exactly. Beside each goes a bound of what rounding
//! costs: data and values of bones are rounded once, ε|x|; an operation adds ε times the magnitude of
//! what it adds up (for a·b + c also of the products, so cancellation is paid for by the operands and
//! not by the result), and hands on what its operands' bounds do to its result, tried one by one. A
//! comparison within its bound may go either way. Beyond what single precision can hold (1e37) nothing
//! is promised but that the result is finite.

use glam::DVec3;
use jounce::eval::{Bound, Interpreter, Moment, Probed};
use jounce::ir::{Binary, Number, Op, Program, Rate, Ternary, Type, Unary, Value, semantics};

/// Half a unit in the last place of single precision, and a little for how often an evaluator rounds
/// within one operation (polynomials, reciprocals).
const EPSILON: f64 = 3.0 * (f32::EPSILON as f64);
/// Smaller numbers lose digits.
const SMALLEST: f64 = 1e-44;
const LARGEST: f64 = 1e37;

/// Exact positions, and per component how far an evaluator may be from them.
pub struct Judged {
    pub positions: Vec<DVec3>,
    pub bounds: Vec<DVec3>,
}

impl Judged {
    /// The first vertex that is too far, as a sentence; so many times what rounding may cost is fine.
    /// Of vertices that are not counted only finite numbers are asked.
    pub fn complaint(
        &self,
        found: &[DVec3],
        slack: f64,
        counts: impl Fn(usize) -> bool,
    ) -> Option<String> {
        assert_eq!(found.len(), self.positions.len());
        let mut all = found.iter().zip(&self.positions).zip(&self.bounds).enumerate();
        all.find_map(|(vertex, ((found, exact), bound))| {
            let is_near = |i: usize| {
                let is_too_far = (found[i] - exact[i]).abs() > slack * bound[i] + SMALLEST;
                found[i].is_finite() && !(is_too_far && counts(vertex))
            };
            let is_fine = (0..3).all(is_near);
            (!is_fine).then(|| format!("vertex {vertex}: {found} in place of {exact} ± {bound}"))
        })
    }
}

type Triple = [f64; 3];

struct Known {
    rate: Rate,
    ty: Type,
    exact: Vec<Number>,
    bounds: Vec<Triple>,
}

/// `skinning` is how far skinned positions may be off, 0 where they are given.
pub fn judge(program: &Program, bound: &Bound, moment: &Moment, skinning: f64) -> Judged {
    let values: Vec<Value> = (0..program.ops.len()).map(|i| Value(i as u32)).collect();
    let probed = Interpreter::probe(program, bound, moment, &values).unwrap();
    let mut vertex_of_pair = vec![0; bound.pairs.count()];
    for vertex in 0..bound.vertex_count() {
        bound.pairs.of(vertex).for_each(|pair| vertex_of_pair[pair] = vertex);
    }
    let place = |rate: Rate, of: Rate, index: usize| match (of, rate) {
        (Rate::Frame, _) => 0,
        (Rate::Bone, Rate::Influence) => bound.pairs.bones[index] as usize,
        (Rate::Vertex, Rate::Influence) => vertex_of_pair[index],
        _ => index,
    };
    let mut known: Vec<Known> = Vec::new();
    for (&value, probed) in values.iter().zip(probed) {
        let (rate, exact) = match probed {
            Probed::Frame(number) => (Rate::Frame, vec![number]),
            Probed::Bones(numbers) => (Rate::Bone, numbers),
            Probed::Vertices(numbers) => (Rate::Vertex, numbers),
            Probed::Pairs(numbers) => (Rate::Influence, numbers),
        };
        let op = program.op(value);
        let bounds = match *op {
            Op::Sum { value: of, column } => (0..bound.vertex_count())
                .map(|vertex| {
                    let mut sum = [0.0; 3];
                    for pair in bound.pairs.of(vertex) {
                        let at = place(Rate::Influence, known[of.index()].rate, pair);
                        let summand = triple(known[of.index()].exact[at]);
                        let error = known[of.index()].bounds[at];
                        let weight = bound.weights[column as usize][pair].abs();
                        for i in 0..3 {
                            sum[i] += weight * (error[i] + 4.0 * EPSILON * summand[i].abs());
                        }
                    }
                    sum
                })
                .collect(),
            Op::Relax { value: of, passes, .. } => {
                let most = known[of.index()].bounds.iter().flatten().copied().fold(0.0, f64::max);
                let size = known[of.index()].exact.iter().map(|n| n.largest()).fold(0.0, f64::max);
                vec![[most + f64::from(passes + 1) * EPSILON * size; 3]; exact.len()]
            }
            Op::Source(jounce::ir::Source::SkinnedPosition) => {
                exact.iter().map(|n| rounded(*n).map(|x| x + skinning)).collect()
            }
            _ if matches!(rate, Rate::Frame | Rate::Bone) || op.operands().count() == 0 => {
                exact.iter().map(|n| rounded(*n)).collect()
            }
            _ => {
                let operands: Vec<Value> = op.operands().collect();
                let at = |index: usize| {
                    let here = operands.iter().map(|operand| {
                        let known = &known[operand.index()];
                        let index = place(rate, known.rate, index);
                        (*operand, known.exact[index], known.bounds[index])
                    });
                    through(op, exact[index], &here.collect::<Vec<_>>())
                };
                (0..exact.len()).map(at).collect()
            }
        };
        let finite = |x: f64| if x.is_finite() { x } else { f64::INFINITY };
        let bounds = bounds.into_iter().map(|b: Triple| b.map(finite)).collect();
        known.push(Known { rate, ty: program.ty(value), exact, bounds });
    }
    let position = &known[program.position.index()];
    assert_eq!(position.ty, Type::Vec3);
    let at = |vertex: usize| if position.rate == Rate::Frame { 0 } else { vertex };
    let vertices = 0..bound.vertex_count();
    Judged {
        positions: vertices
            .clone()
            .map(|v| DVec3::from_array(triple(position.exact[at(v)])))
            .collect(),
        bounds: vertices.map(|v| DVec3::from_array(position.bounds[at(v)])).collect(),
    }
}

fn triple(number: Number) -> Triple {
    match number {
        Number::Float(x) => [x; 3],
        Number::Bool(b) => [f64::from(u8::from(b)); 3],
        Number::Vec3(v) => v.to_array(),
    }
}

/// What is rounded once.
fn rounded(number: Number) -> Triple {
    if number.ty() == Type::Bool {
        return [0.0; 3];
    }
    triple(number)
        .map(|x| if x.abs() <= LARGEST { EPSILON * x.abs() + SMALLEST } else { f64::INFINITY })
}

/// What the operation itself loses.
fn rounding(op: &Op, result: Number, operands: &[Number]) -> Triple {
    if result.ty() == Type::Bool {
        return [0.0; 3];
    }
    let vector = |i: usize| triple(operands[i]);
    let magnitude = match op {
        Op::Binary(Binary::Dot, ..) => {
            let (a, b) = (vector(0), vector(1));
            [(0..3).map(|i| (a[i] * b[i]).abs()).sum::<f64>(); 3]
        }
        Op::Binary(Binary::Cross, ..) => {
            let (a, b) = (vector(0), vector(1));
            let part = |i: usize, j: usize| (a[i] * b[j]).abs() + (a[j] * b[i]).abs();
            [part(1, 2), part(2, 0), part(0, 1)]
        }
        Op::Ternary(Ternary::Fma, ..) => {
            let (a, b, c) = (vector(0), vector(1), vector(2));
            [0, 1, 2].map(|i| (a[i] * b[i]).abs() + c[i].abs())
        }
        _ => triple(result).map(f64::abs),
    };
    magnitude.map(|x| if x <= LARGEST { EPSILON * x + SMALLEST } else { f64::INFINITY })
}

/// An operation on operands that are off by their bounds.
fn through(op: &Op, result: Number, operands: &[(Value, Number, Triple)]) -> Triple {
    if let (Op::Binary(Binary::SaneOr, ..), [(_, a, a_off), (_, b, b_off)]) = (op, operands) {
        return sane_or(*a, *a_off, *b, *b_off);
    }
    let exact: Vec<Number> = operands.iter().map(|(_, number, _)| *number).collect();
    let mut bound = rounding(op, result, &exact);
    if let (Op::Unary(Unary::Sin | Unary::Cos, _), [(_, _, off)]) = (op, operands) {
        // No steeper than 1, and never more than from −1 to 1; far off, the ends say nothing.
        return [bound[0] + off[0].min(2.0); 3];
    }
    let base = triple(result);
    for (place, (value, number, off)) in operands.iter().enumerate() {
        // The same value may be two operands; then it is off in both alike.
        if operands[..place].iter().any(|(before, ..)| before == value) {
            continue;
        }
        // Both sides of a comparison may be off at once.
        let is_comparison =
            matches!(op, Op::Binary(Binary::Less | Binary::LessEqual | Binary::Equal, ..));
        let off = off.map(|x| if is_comparison { 2.0 * x } else { x });
        for changed in changes(*number, off) {
            let of = |asked: Value| {
                let found = operands.iter().find(|(known, ..)| *known == asked);
                if asked == *value { changed } else { found.map_or(*number, |(_, n, _)| *n) }
            };
            let moved = semantics::apply(op, of).map(triple);
            let moved = moved.unwrap_or([f64::INFINITY; 3]);
            for i in 0..3 {
                let difference = (moved[i] - base[i]).abs();
                bound[i] += if difference.is_nan() { f64::INFINITY } else { difference };
            }
        }
        let is_lost = off.iter().any(|x| !x.is_finite());
        if is_lost {
            bound = [f64::INFINITY; 3];
        }
    }
    bound
}

/// Near 1e12 it may choose either; far from it the choice is sure.
fn sane_or(a: Number, a_off: Triple, b: Number, b_off: Triple) -> Triple {
    let (a, b) = (triple(a), triple(b));
    let may = |i: usize| !(a[i].abs() - a_off[i] > semantics::LARGEST_SANE);
    let must = |i: usize| a[i].abs() + a_off[i] <= semantics::LARGEST_SANE;
    let (may, must) = ((0..3).all(may), (0..3).all(must));
    [0, 1, 2].map(|i| match (may, must) {
        (true, true) => a_off[i],
        (false, _) => b_off[i],
        _ => (a[i] - b[i]).abs() + a_off[i] + b_off[i],
    })
}

/// The number moved by its bound, up and down, one component after the other.
fn changes(number: Number, off: Triple) -> Vec<Number> {
    let both = |x: f64, off: f64| if off > 0.0 { vec![x + off, x - off] } else { vec![] };
    match number {
        Number::Float(x) => both(x, off[0]).into_iter().map(Number::Float).collect(),
        Number::Bool(b) if off[0] > 0.0 => vec![Number::Bool(!b)],
        Number::Bool(_) => Vec::new(),
        Number::Vec3(v) => (0..3)
            .flat_map(|i| {
                both(v[i], off[i]).into_iter().map(move |x| {
                    let mut moved = v;
                    moved[i] = x;
                    Number::Vec3(moved)
                })
            })
            .collect(),
    }
}
