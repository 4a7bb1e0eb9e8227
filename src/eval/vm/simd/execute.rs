//! Runs code over the lanes of one block.

use super::rows::{self, Binary, OnVectors, Quaternary, RowFile, STRIDE, Ternary, Unary};
use super::{Lanes, Simd, math};
use crate::eval::blocks::{LANE_GROUP, MOST_LANES};
use crate::eval::vm::code::{Bounds, Code, Instruction, Kind, Places};

/// The block's own data, a row of its lanes after the other.
#[derive(Clone, Copy, Default)]
pub struct Bank<'a> {
    /// Of the character: maps, rest positions.
    pub inputs: &'a [f32],
    /// Per column the weights of the bone at work.
    pub weights: &'a [Vec<f32>],
    /// Where they begin in each column.
    pub first_weight: usize,
}

/// What code works on.
pub struct Work<'a> {
    pub rows: &'a mut RowFile,
    pub lanes: usize,
    pub uniforms: &'a [f32],
    pub bank: Bank<'a>,
    pub kept: &'a mut [f32],
}

impl Work<'_> {
    /// Everything that the code touches is there.
    fn check(&self, bounds: Bounds) {
        let lanes = self.lanes;
        assert!(lanes <= MOST_LANES && lanes.is_multiple_of(LANE_GROUP));
        assert!(bounds.rows <= self.rows.count());
        // There is always one: operands that an instruction has not are read from there.
        assert!(bounds.uniforms.max(1) <= self.uniforms.len());
        assert!(bounds.inputs * lanes <= self.bank.inputs.len());
        assert!(bounds.kept * lanes <= self.kept.len());
        assert!(bounds.columns <= self.bank.weights.len());
        let end = self.bank.first_weight + lanes;
        assert!(self.bank.weights[..bounds.columns].iter().all(|column| end <= column.len()));
    }
}

pub fn execute(simd: Simd, code: &Code, work: &mut Work) {
    work.check(code.bounds());
    assert!(simd.is_there());
    // Safety: the CPU has what the width needs, and everything the code touches is there.
    unsafe {
        match simd {
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => execute_on::<super::x86::Avx2>(code, work),
            #[cfg(target_arch = "x86_64")]
            Simd::Fma4 => execute_on::<super::x86::Fma4>(code, work),
            #[cfg(target_arch = "x86_64")]
            Simd::Baseline4 => execute_on::<super::x86::Sse2>(code, work),
            _ => execute_on::<super::array::Array4>(code, work),
        }
    }
}

/// The loops over rows, each a function of its own that carries the width's CPU features: in one large
/// function they take the compiler minutes.
///
/// # Safety
/// The CPU has the features; else as in [`rows`].
trait Width: Lanes {
    unsafe fn unary<O: Unary, const ROWS: usize, const A: bool>(at: &At, it: &Instruction);
    unsafe fn binary<O: Binary, const ROWS: usize, const A: bool, const B: bool>(
        at: &At,
        it: &Instruction,
    );
    unsafe fn ternary<O: Ternary, const ROWS: usize, const B: bool, const C: bool>(
        at: &At,
        it: &Instruction,
    );
    unsafe fn quaternary<O: Quaternary, const ROWS: usize, const U: bool>(
        at: &At,
        it: &Instruction,
    );
    unsafe fn on_vectors<O: OnVectors, const A: bool, const B: bool>(at: &At, it: &Instruction);
    unsafe fn dot_scale<const B: bool, const C: bool>(at: &At, it: &Instruction);
    unsafe fn scale_clamp(at: &At, it: &Instruction);
    unsafe fn sum<O: Ternary, const ROWS: usize, const A: bool, const B: bool>(
        at: &At,
        it: &Instruction,
    );
}

macro_rules! width {
    ($width:ty, #[$features:meta]) => {
        // Safety of all: what the caller promised; the code was checked against what is there.
        impl Width for $width {
            #[$features]
            unsafe fn unary<O: Unary, const ROWS: usize, const A: bool>(at: &At, it: &Instruction) {
                let (dst, a) = (at.results(it), at.three::<A>(it.a));
                unsafe { rows::unary::<$width, O, ROWS, A>(dst, a, at.lanes) }
            }

            #[$features]
            unsafe fn binary<O: Binary, const ROWS: usize, const A: bool, const B: bool>(
                at: &At,
                it: &Instruction,
            ) {
                let of = [at.three::<A>(it.a), at.three::<B>(it.b)];
                unsafe { rows::binary::<$width, O, ROWS, A, B>(at.results(it), of, at.lanes) }
            }

            #[$features]
            unsafe fn ternary<O: Ternary, const ROWS: usize, const B: bool, const C: bool>(
                at: &At,
                it: &Instruction,
            ) {
                let of = [at.three::<false>(it.a), at.three::<B>(it.b), at.three::<C>(it.c)];
                unsafe { rows::ternary::<$width, O, ROWS, B, C>(at.results(it), of, at.lanes) }
            }

            #[$features]
            unsafe fn quaternary<O: Quaternary, const ROWS: usize, const U: bool>(
                at: &At,
                it: &Instruction,
            ) {
                let (a, b) = (at.three::<false>(it.a), at.three::<U>(it.b));
                let of = [a, b, at.three::<false>(it.c), at.three::<U>(it.d)];
                unsafe { rows::quaternary::<$width, O, ROWS, U>(at.results(it), of, at.lanes) }
            }

            #[$features]
            unsafe fn on_vectors<O: OnVectors, const A: bool, const B: bool>(
                at: &At,
                it: &Instruction,
            ) {
                let of = [at.three::<A>(it.a), at.three::<B>(it.b)];
                unsafe { rows::on_vectors::<$width, O, A, B>(at.results(it), of, at.lanes) }
            }

            #[$features]
            unsafe fn dot_scale<const B: bool, const C: bool>(at: &At, it: &Instruction) {
                let of = [at.three::<false>(it.a), at.three::<B>(it.b), at.three::<C>(it.c)];
                unsafe { rows::dot_scale::<$width, B, C>(at.row(it.dst[0]), of, at.lanes) }
            }

            #[$features]
            unsafe fn scale_clamp(at: &At, it: &Instruction) {
                let (dst, a) = (at.row(it.dst[0]), at.operand::<false>(it.a[0]));
                let by = it.b.map(|place| at.uniforms[place as usize]);
                unsafe { rows::scale_clamp::<$width>(dst, a, by, at.lanes) }
            }

            #[$features]
            unsafe fn sum<O: Ternary, const ROWS: usize, const A: bool, const B: bool>(
                at: &At,
                it: &Instruction,
            ) {
                let of = [at.three::<A>(it.a), at.three::<B>(it.b), at.three::<true>(it.c)];
                let (dst, weights) = (at.results(it), at.weights(it.d[0]));
                unsafe { rows::sum::<$width, O, ROWS, A, B>(dst, of, weights, at.lanes) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
width!(super::x86::Avx2, #[target_feature(enable = "avx2,fma")]);
#[cfg(target_arch = "x86_64")]
width!(super::x86::Fma4, #[target_feature(enable = "avx,fma")]);
#[cfg(target_arch = "x86_64")]
width!(super::x86::Sse2, #[inline(never)]);
width!(super::array::Array4, #[inline(never)]);

macro_rules! operations {
    ($trait:ident: $($name:ident($($arg:ident),*) = $body:expr;)*) => {
        $(struct $name;
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
    Sin(a) = math::sin(a);
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
    Select(a, b, c) = S::select(c, a, b);
    SumOne(a, _b, _c) = a;
    SumAdd(a, b, _c) = a.add(b);
    SumSub(a, b, _c) = a.sub(b);
    SumAddSub(a, b, c) = a.add(b.sub(c));
}

operations! { Quaternary:
    Fma2(a, b, c, d) = a.fma(b, c.mul(d));
    Fms2(a, b, c, d) = a.fms(b, c.mul(d));
}

/// Everything that an instruction's places refer to.
struct At<'a> {
    rows: *mut f32,
    lanes: usize,
    uniforms: &'a [f32],
    bank: Bank<'a>,
    kept: *mut f32,
}

impl At<'_> {
    #[inline(always)]
    fn row(&self, place: u32) -> *mut f32 {
        self.rows.wrapping_add(place as usize * STRIDE)
    }

    #[inline(always)]
    fn operand<const UNIFORM: bool>(&self, place: u32) -> *const f32 {
        if UNIFORM { self.uniforms.as_ptr().wrapping_add(place as usize) } else { self.row(place) }
    }

    #[inline(always)]
    fn weights(&self, column: u32) -> *const f32 {
        self.bank.weights[column as usize].as_ptr().wrapping_add(self.bank.first_weight)
    }

    #[inline(always)]
    fn three<const UNIFORM: bool>(&self, places: Places) -> [*const f32; 3] {
        let [x, y, z] = places;
        [self.operand::<UNIFORM>(x), self.operand::<UNIFORM>(y), self.operand::<UNIFORM>(z)]
    }

    #[inline(always)]
    fn results(&self, it: &Instruction) -> [*mut f32; 3] {
        let [x, y, z] = it.dst;
        [self.row(x), self.row(y), self.row(z)]
    }

    // Safety of all that follow: the code was checked against what is there.

    #[inline(always)]
    unsafe fn unary<W: Width, O: Unary>(&self, it: &Instruction) {
        unsafe {
            match (it.rows, it.is_uniform(0)) {
                (1, false) => W::unary::<O, 1, false>(self, it),
                (1, true) => W::unary::<O, 1, true>(self, it),
                (_, false) => W::unary::<O, 3, false>(self, it),
                (_, true) => W::unary::<O, 3, true>(self, it),
            }
        }
    }

    #[inline(always)]
    unsafe fn binary<W: Width, O: Binary>(&self, it: &Instruction) {
        unsafe {
            match (it.rows, it.uniform & 3) {
                (1, 0) => W::binary::<O, 1, false, false>(self, it),
                (1, 2) => W::binary::<O, 1, false, true>(self, it),
                (1, _) => W::binary::<O, 1, true, false>(self, it),
                (_, 0) => W::binary::<O, 3, false, false>(self, it),
                (_, 2) => W::binary::<O, 3, false, true>(self, it),
                (_, _) => W::binary::<O, 3, true, false>(self, it),
            }
        }
    }

    /// Operations that are too rare to have loops with uniforms; on one row.
    #[inline(always)]
    unsafe fn rare<W: Width, O: Binary>(&self, it: &Instruction) {
        unsafe { W::binary::<O, 1, false, false>(self, it) }
    }

    #[inline(always)]
    unsafe fn ternary<W: Width, O: Ternary>(&self, it: &Instruction) {
        unsafe {
            match (it.rows, it.uniform & 6) {
                (1, 0) => W::ternary::<O, 1, false, false>(self, it),
                (1, 2) => W::ternary::<O, 1, true, false>(self, it),
                (1, 4) => W::ternary::<O, 1, false, true>(self, it),
                (1, _) => W::ternary::<O, 1, true, true>(self, it),
                (_, 0) => W::ternary::<O, 3, false, false>(self, it),
                (_, 2) => W::ternary::<O, 3, true, false>(self, it),
                (_, 4) => W::ternary::<O, 3, false, true>(self, it),
                (_, _) => W::ternary::<O, 3, true, true>(self, it),
            }
        }
    }

    #[inline(always)]
    unsafe fn quaternary<W: Width, O: Quaternary>(&self, it: &Instruction) {
        unsafe {
            match (it.rows, it.is_uniform(1)) {
                (1, false) => W::quaternary::<O, 1, false>(self, it),
                (1, true) => W::quaternary::<O, 1, true>(self, it),
                (_, false) => W::quaternary::<O, 3, false>(self, it),
                (_, true) => W::quaternary::<O, 3, true>(self, it),
            }
        }
    }

    /// Three rows to one or to three.
    #[inline(always)]
    unsafe fn vectors<W: Width, O: OnVectors>(&self, it: &Instruction) {
        match it.uniform & 3 {
            0 => unsafe { W::on_vectors::<O, false, false>(self, it) },
            2 => unsafe { W::on_vectors::<O, false, true>(self, it) },
            _ => unsafe { W::on_vectors::<O, true, false>(self, it) },
        }
    }

    /// dst += weight · O(a, b, c).
    #[inline(always)]
    unsafe fn sum<W: Width, O: Ternary>(&self, it: &Instruction) {
        unsafe {
            match (it.rows, it.uniform & 3) {
                (1, 0) => W::sum::<O, 1, false, false>(self, it),
                (1, 2) => W::sum::<O, 1, false, true>(self, it),
                (1, _) => W::sum::<O, 1, true, false>(self, it),
                (_, 0) => W::sum::<O, 3, false, false>(self, it),
                (_, 2) => W::sum::<O, 3, false, true>(self, it),
                (_, _) => W::sum::<O, 3, true, false>(self, it),
            }
        }
    }

    unsafe fn load(&self, it: &Instruction, from: impl Fn(usize) -> *const f32) {
        for row in 0..usize::from(it.rows) {
            let dst = self.row(it.dst[row]);
            // Safety: both have `lanes` floats, and the block's data is no register.
            unsafe { std::ptr::copy_nonoverlapping(from(row), dst, self.lanes) }
        }
    }
}

macro_rules! on_vectors {
    ($($name:ident: $operands:literal to $results:literal = |$a:ident, $b:ident| $body:expr;)*) => {
        $(struct $name;
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
}

unsafe fn execute_on<W: Width>(code: &Code, work: &mut Work) {
    let at = At {
        rows: work.rows.pointer_mut(),
        lanes: work.lanes,
        uniforms: work.uniforms,
        bank: work.bank,
        kept: work.kept.as_mut_ptr(),
    };
    for it in code.instructions() {
        // Safety: the code was checked against what is there.
        unsafe {
            match it.kind {
                Kind::Copy => at.unary::<W, Copy>(it),
                Kind::LoadInput => {
                    let inputs = at.bank.inputs.as_ptr();
                    at.load(it, |row| inputs.add(it.a[row] as usize * at.lanes));
                }
                Kind::LoadKept => {
                    at.load(it, |row| at.kept.add(it.a[row] as usize * at.lanes));
                }
                Kind::StoreKept => {
                    for row in 0..usize::from(it.rows) {
                        let dst = at.kept.add(it.dst[row] as usize * at.lanes);
                        if it.is_uniform(0) {
                            let number = *at.operand::<true>(it.a[row]);
                            std::slice::from_raw_parts_mut(dst, at.lanes).fill(number);
                        } else {
                            std::ptr::copy_nonoverlapping(at.row(it.a[row]), dst, at.lanes);
                        }
                    }
                }
                Kind::LoadWeight => at.load(it, |_| at.weights(it.b[0])),
                Kind::Neg => at.unary::<W, Neg>(it),
                Kind::Abs => at.unary::<W, Abs>(it),
                Kind::Floor => at.unary::<W, Floor>(it),
                Kind::Sqrt => at.unary::<W, Sqrt>(it),
                Kind::Sin => at.unary::<W, Sin>(it),
                Kind::Cos => at.unary::<W, Cos>(it),
                Kind::Exp => at.unary::<W, Exp>(it),
                Kind::Log => at.unary::<W, Log>(it),
                Kind::Not => at.unary::<W, Not>(it),
                Kind::Add => at.binary::<W, Add>(it),
                Kind::Sub => at.binary::<W, Sub>(it),
                Kind::Mul => at.binary::<W, Mul>(it),
                Kind::Div => at.binary::<W, Div>(it),
                Kind::Min => at.binary::<W, Min>(it),
                Kind::Max => at.binary::<W, Max>(it),
                Kind::SaneOr => at.rare::<W, SaneOr>(it),
                Kind::Pow => at.rare::<W, Pow>(it),
                Kind::Atan2 => at.rare::<W, Atan2>(it),
                Kind::Less => at.rare::<W, Less>(it),
                Kind::LessEqual => at.rare::<W, LessEqual>(it),
                Kind::Equal => at.rare::<W, Equal>(it),
                Kind::And => at.rare::<W, And>(it),
                Kind::Or => at.rare::<W, Or>(it),
                Kind::Fma => at.ternary::<W, Fma>(it),
                Kind::Fnma => at.ternary::<W, Fnma>(it),
                Kind::Fms => at.ternary::<W, Fms>(it),
                Kind::Select => at.ternary::<W, Select>(it),
                Kind::KeepIf => {
                    if (*at.operand::<true>(it.c[0])).to_bits() == 0 {
                        let fill = Instruction { kind: Kind::Copy, a: it.b, ..*it };
                        let uniform = u8::from(it.is_uniform(1));
                        at.unary::<W, Copy>(&Instruction { uniform, ..fill });
                    }
                }
                Kind::Dot => at.vectors::<W, Dot>(it),
                Kind::Length => at.vectors::<W, Length>(it),
                Kind::Cross => at.vectors::<W, Cross>(it),
                Kind::Normalize => at.vectors::<W, Normalize>(it),
                Kind::NormalizeScale => at.vectors::<W, NormalizeScale>(it),
                Kind::DivLength => at.rare::<W, DivLength>(it),
                Kind::SaneOr3 => at.vectors::<W, SaneOr3>(it),
                Kind::ScaleClamp => W::scale_clamp(&at, it),
                Kind::Sum => at.sum::<W, SumOne>(it),
                Kind::SumAdd => at.sum::<W, SumAdd>(it),
                Kind::SumSub => at.sum::<W, SumSub>(it),
                Kind::SumAddSub => at.sum::<W, SumAddSub>(it),
                Kind::Fma2 => at.quaternary::<W, Fma2>(it),
                Kind::Fms2 => at.quaternary::<W, Fms2>(it),
                Kind::DotScale => match it.uniform & 6 {
                    0 => W::dot_scale::<false, false>(&at, it),
                    2 => W::dot_scale::<true, false>(&at, it),
                    4 => W::dot_scale::<false, true>(&at, it),
                    _ => W::dot_scale::<true, true>(&at, it),
                },
            }
        }
    }
}
