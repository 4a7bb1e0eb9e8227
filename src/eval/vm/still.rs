//! When does a bone that does not move leave every vertex where it is?
//!
//! All motions and all that is remembered are put to 0, and every value gets the range it can have then.
//! Where all sums of the program have the range [0, 0], a bone at rest need not be looked at.
//!
//! Which bones are at rest is asked of a few values of bones: the motions and memories, or rather what
//! everything that comes of them has to pass, as far down as it is still a value of bones that is 0 with
//! them: behind the gain of a root's motion, say, which may be 0. (Of the
//! filters that come along none is seen through yet: their output is not known to be 0 with its input.)

use jounce_ir::binary::BinaryRange;
use jounce_ir::ternary::TernaryRange;
use jounce_ir::unary::UnaryRange;
use jounce_ir::{
    Binary, Number, Op, Program, Rate, Source, Unary, Value, any_data, any_memory, semantics,
};

/// From lowest to highest, of any component.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    low: f64,
    high: f64,
}

const ANY: Range = Range { low: f64::NEG_INFINITY, high: f64::INFINITY };
const ZERO: Range = Range { low: 0.0, high: 0.0 };

/// Values of bones that are all 0 where a bone can be left out; None if no bone ever can.
pub fn motions(program: &Program) -> Option<Vec<Value>> {
    let passed = Passed::new(program);
    let is_source = |(index, op): &(usize, &Op)| {
        let is_of_bones = program.rates[*index] == Rate::Bone;
        let moves = matches!(op, Op::Motion(..) | Op::State(_) | Op::Ago { .. });
        passed.is_live[*index] && is_of_bones && moves
    };
    let sources: Vec<Value> = (program.ops.iter().enumerate())
        .filter(is_source)
        .map(|(index, _)| Value(index as u32))
        .collect();
    let at_rest = ranges(program, &sources);
    let is_rest =
        |value: Value| program.rates[value.index()] == Rate::Bone && at_rest[value.index()] == ZERO;
    let mut cut: Vec<Value> = sources
        .iter()
        .map(|&source| {
            let way = std::iter::successors(Some(source), |&value| passed.next(value));
            way.take_while(|&value| is_rest(value)).last().unwrap_or(source)
        })
        .collect();
    cut.sort_by_key(|value| value.index());
    cut.dedup();
    let ranges = ranges(program, &cut);
    let vanishes = |op: &Op| {
        let Op::Sum { value, .. } = op else { return true };
        ranges[value.index()] == ZERO
    };
    (!cut.is_empty() && program.ops.iter().all(vanishes)).then_some(cut)
}

/// For each value: the next one that everything which comes of it has to pass on its way to the
/// position. (Its immediate post-dominator. What is only remembered for later does not count.)
struct Passed {
    next: Vec<Option<usize>>,
    is_live: Vec<bool>,
}

impl Passed {
    fn new(program: &Program) -> Passed {
        let count = program.ops.len();
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut is_live = vec![false; count];
        is_live[program.position.index()] = true;
        // Operands stand before what uses them.
        for (index, op) in program.ops.iter().enumerate().rev() {
            if is_live[index] {
                for operand in op.operands() {
                    is_live[operand.index()] = true;
                    users[operand.index()].push(index);
                }
            }
        }
        let (mut next, mut depths) = (vec![None; count], vec![0_usize; count]);
        for index in (0..count).rev().filter(|&index| is_live[index]) {
            let mut users = users[index].iter().map(|&user| Some(user));
            next[index] = users.next().unwrap_or_default();
            for user in users {
                next[index] = meeting(&next, &depths, next[index], user);
            }
            depths[index] = next[index].map_or(1, |next| depths[next] + 1);
        }
        Passed { next, is_live }
    }

    fn next(&self, value: Value) -> Option<Value> {
        self.next[value.index()].map(|index| Value(index as u32))
    }
}

/// Where two ways to the end first meet; None: nowhere before.
fn meeting(
    next: &[Option<usize>],
    depths: &[usize],
    mut a: Option<usize>,
    mut b: Option<usize>,
) -> Option<usize> {
    while a != b {
        let depth = |x: Option<usize>| x.map_or(0, |x| depths[x]);
        if depth(a) >= depth(b) {
            a = next[a?];
        } else {
            b = next[b?];
        }
    }
    a
}

fn ranges(program: &Program, still: &[Value]) -> Vec<Range> {
    let mut ranges: Vec<Range> = Vec::with_capacity(program.ops.len());
    for (index, op) in program.ops.iter().enumerate() {
        let of = |value: Value| ranges[value.index()];
        let range = match still.contains(&Value(index as u32)) {
            true => ZERO,
            false => range(op, of),
        };
        ranges.push(range);
    }
    ranges
}

fn range(op: &Op, of: impl Fn(Value) -> Range) -> Range {
    match *op {
        Op::Constant(..) => match op.as_constant() {
            Some(Number::Float(x)) => Range::of([x]),
            Some(Number::Vec3(v)) => Range::of(v.to_array()),
            Some(Number::Bool(_)) | None => ANY,
        },
        Op::Source(Source::CharacterSize) => Range { low: 0.0, high: f64::INFINITY },
        Op::Unary(op, a) => unary(op, of(a)),
        Op::Binary(op, a, b) => binary(op, of(a), of(b), a == b),
        Op::Ternary(op, a, b, c) => match op.row().range {
            TernaryRange::ProductAndSum => of(a).times(of(b)).plus(of(c)),
            TernaryRange::SecondOrThird => of(b).or(of(c)),
            TernaryRange::Any => of(a).or(of(b)).or(of(c)),
        },
        Op::Component(v, _) => of(v),
        Op::Relax { value, .. } => of(value),
        // Data, which may be anything, and what is made of it by loops.
        any_data!() | any_memory!() | Op::Sum { .. } => ANY,
    }
}

fn unary(op: Unary, a: Range) -> Range {
    let at = |x: f64| match semantics::unary(op, Number::Float(x)) {
        Some(Number::Float(y)) => Some(y),
        Some(Number::Bool(_) | Number::Vec3(_)) | None => None,
    };
    match op.row().range {
        UnaryRange::Monotone => match (at(a.low), at(a.high)) {
            (Some(low), Some(high)) => Range::of([low, high]),
            (None, _) | (_, None) => ANY,
        },
        UnaryRange::Magnitude => Range { low: 0.0, high: a.low.abs().max(a.high.abs()) },
        UnaryRange::Within { low, high } => {
            let nothing = Number::Vec3(glam::DVec3::ZERO);
            match at(a.low) {
                Some(y) if a.is_point() => Range::of([y]),
                None if a == ZERO && semantics::unary(op, nothing) == Some(nothing) => ZERO,
                Some(_) | None => Range { low, high },
            }
        }
        UnaryRange::Unknown => ANY,
    }
}

fn binary(op: Binary, a: Range, b: Range, are_same: bool) -> Range {
    match op.row().range {
        BinaryRange::Sum => a.plus(b),
        BinaryRange::Difference => a.plus(Range { low: -b.high, high: -b.low }),
        BinaryRange::Product => a.times(b),
        BinaryRange::Quotient if a == ZERO => ZERO,
        BinaryRange::Quotient if a.is_point() && b.is_point() => {
            Range::of([semantics::divide(a.low, b.low)])
        }
        BinaryRange::Smaller => Range { low: a.low.min(b.low), high: a.high.min(b.high) },
        BinaryRange::Larger => Range { low: a.low.max(b.low), high: a.high.max(b.high) },
        BinaryRange::OneOfThem => a.or(b),
        BinaryRange::DotProduct | BinaryRange::CrossProduct if a == ZERO || b == ZERO => ZERO,
        BinaryRange::DotProduct if are_same => Range { low: 0.0, high: f64::INFINITY },
        BinaryRange::Quotient
        | BinaryRange::DotProduct
        | BinaryRange::CrossProduct
        | BinaryRange::Unknown => ANY,
    }
}

impl Range {
    fn of<const N: usize>(numbers: [f64; N]) -> Range {
        let low = numbers.into_iter().fold(f64::INFINITY, f64::min);
        let high = numbers.into_iter().fold(f64::NEG_INFINITY, f64::max);
        // −0 and 0 are one.
        if low.is_nan() || high.is_nan() { ANY } else { Range { low: low + 0.0, high: high + 0.0 } }
    }

    fn is_point(self) -> bool {
        self.low == self.high
    }

    fn or(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn plus(self, other: Range) -> Range {
        Range { low: self.low + other.low, high: self.high + other.high }
    }

    /// All values are finite, so 0 times anything is 0.
    fn times(self, other: Range) -> Range {
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        Range::of([
            product(self.low, other.low),
            product(self.low, other.high),
            product(self.high, other.low),
            product(self.high, other.high),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jounce_base::Base;
    use jounce_ir::op::MotionPart;
    use jounce_ir::{Builder, Column};

    /// Σ up · (limit(gain · |v|) · p + rest).
    fn program(rest: f64) -> Program {
        let mut builder = Builder::default();
        let zero = builder.float(0.0);
        let rest = builder.float(rest);
        let velocity = builder.motion(MotionPart::LinearVelocity, zero);
        let size = builder.source(Source::CharacterSize);
        let moved = builder.binary(Binary::Mul, velocity, size);
        let square = builder.binary(Binary::Dot, moved, moved);
        let speed = builder.unary(Unary::Sqrt, square);
        let limited = builder.binary(Binary::Min, speed, size);
        let limited = builder.binary(Binary::Add, limited, rest);
        let p = builder.source(Source::SkinnedPosition);
        let product = builder.binary(Binary::Mul, p, limited);
        let sum = builder.sum(product, Column::UPWARD);
        builder.finish(sum, Base::Lbs)
    }

    #[test]
    fn a_bone_at_rest_is_left_out_only_where_that_changes_nothing() {
        let cut = motions(&program(0.0)).unwrap();
        assert_eq!(cut.len(), 1);
        assert!(matches!(program(0.0).op(cut[0]), Op::Binary(Binary::Min, ..)), "behind the gain");
        assert_eq!(motions(&program(0.5)), None);
    }
}
