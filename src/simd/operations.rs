//! What instructions do to the numbers of a lane, and which loop an operation of programs runs.

use super::code::Instruction;
use super::dispatch::{Run, binary, rare, unary, vectors};
use super::rows::{Binary, OnVectors, Quaternary, Ternary, Unary};
use super::width::Width;
use super::{Lanes, math};

/// The loop of an operation on one value.
pub fn unary_loop<W: Width>(op: jounce_ir::Unary, it: &Instruction) -> Run {
    use jounce_ir::Unary;
    match op {
        Unary::Neg => unary::<W, Neg>(it),
        Unary::Abs => unary::<W, Abs>(it),
        Unary::Floor => unary::<W, Floor>(it),
        Unary::Sqrt => unary::<W, Sqrt>(it),
        Unary::Sin => W::sin,
        Unary::Cos => unary::<W, Cos>(it),
        Unary::Exp => unary::<W, Exp>(it),
        Unary::Log => unary::<W, Log>(it),
        Unary::Not => unary::<W, Not>(it),
        Unary::Normalize => vectors::<W, Normalize>(it),
    }
}

/// The loop of an operation on two values.
pub fn binary_loop<W: Width>(op: jounce_ir::Binary, it: &Instruction) -> Run {
    use jounce_ir::Binary;
    match op {
        Binary::Add => binary::<W, Add>(it),
        Binary::Sub => binary::<W, Sub>(it),
        Binary::Mul => binary::<W, Mul>(it),
        Binary::Div => binary::<W, Div>(it),
        Binary::Min => binary::<W, Min>(it),
        Binary::Max => binary::<W, Max>(it),
        Binary::SaneOr => rare::<W, SaneOr>(),
        Binary::Pow => rare::<W, Pow>(),
        Binary::Atan2 => rare::<W, Atan2>(),
        Binary::Less => rare::<W, Less>(),
        Binary::LessEqual => rare::<W, LessEqual>(),
        Binary::Equal => rare::<W, Equal>(),
        Binary::And => rare::<W, And>(),
        Binary::Or => rare::<W, Or>(),
        Binary::Dot => vectors::<W, Dot>(it),
        Binary::Cross => vectors::<W, Cross>(it),
    }
}

macro_rules! operations {
    ($trait:ident: $($name:ident($($arg:ident),*) = $body:expr;)*) => {
        $(pub struct $name;
        impl $trait for $name {
            #[inline(always)]
            fn apply<S: Lanes>($($arg: S),*) -> S {
                $body
            }
        })*
    };
}

operations! { Unary:
    Copy(a) = a;
    Neg(a) = a.neg();
    Abs(a) = a.abs();
    Floor(a) = a.floor();
    Sqrt(a) = math::sqrt(a);
    Cos(a) = math::cos(a);
    Exp(a) = math::exp(a);
    Log(a) = math::log(a);
    Not(a) = a.xor(S::splat_int(-1));
}

operations! { Binary:
    Add(a, b) = a.add(b);
    Sub(a, b) = a.sub(b);
    Mul(a, b) = a.mul(b);
    Div(a, b) = math::divide(a, b);
    DivLength(a, b) = math::divide_by_length(a, b);
    Min(a, b) = a.min(b);
    Max(a, b) = a.max(b);
    SaneOr(a, b) = S::select(math::is_sane(a), a, b);
    Pow(a, b) = math::pow(a, b);
    Atan2(a, b) = math::atan2(a, b);
    Less(a, b) = a.less(b);
    LessEqual(a, b) = a.less_equal(b);
    Equal(a, b) = a.equal(b);
    And(a, b) = a.and(b);
    Or(a, b) = a.or(b);
}

operations! { Ternary:
    Fma(a, b, c) = a.fma(b, c);
    Fnma(a, b, c) = a.fnma(b, c);
    Fms(a, b, c) = a.fms(b, c);
    Mul3(a, b, c) = a.mul(b.mul(c));
    MulDivLength(a, b, c) = math::divide_by_length(a.mul(b), c);
    Select(a, b, c) = S::select(c, a, b);
}

operations! { Quaternary:
    Fma2(a, b, c, d) = a.fma(b, c.mul(d));
    Fms2(a, b, c, d) = a.fms(b, c.mul(d));
}

macro_rules! on_vectors {
    ($($name:ident: $operands:literal to $results:literal = |$a:ident, $b:ident| $body:expr;)*) => {
        $(pub struct $name;
        impl OnVectors for $name {
            const ROWS: usize = $operands;
            const RESULTS: usize = $results;
            #[inline(always)]
            fn apply<S: Lanes>($a: [S; 3], $b: [S; 3]) -> [S; 3] {
                $body
            }
        })*
    };
}

on_vectors! {
    Dot: 3 to 1 = |a, b| [math::dot(a, b); 3];
    Length: 0 to 1 = |a, _b| [math::sqrt(math::dot(a, a)); 3];
    Cross: 3 to 3 = |a, b| math::cross(a, b);
    Normalize: 0 to 3 = |a, _b| math::scale(a, math::inverse_length(math::dot(a, a)));
    NormalizeScale: 1 to 3 = |a, b| {
        math::scale(a, math::inverse_length(math::dot(a, a)).mul(b[0]))
    };
    SaneOr3: 3 to 3 = |a, b| math::sane_or(a, b);
    AddSaneOr3: 3 to 3 = |a, b| {
        math::sane_or([a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2])], b)
    };
    Reject: 3 to 3 = |a, b| math::reject(a, b);
    CrossLength: 3 to 4 = |a, b| math::cross(a, b);
    RejectLength: 3 to 4 = |a, b| math::reject(a, b);
}
