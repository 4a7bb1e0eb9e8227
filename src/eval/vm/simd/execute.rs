//! Runs code over the lanes of one block.

use super::rows::{self, Binary, From, RowFile, STRIDE, Ternary, Unary};
use super::{Lanes, Simd, array, math};
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
        assert!(bounds.uniforms <= self.uniforms.len());
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
            Simd::Avx2 => execute_avx2(code, work),
            #[cfg(target_arch = "x86_64")]
            Simd::Fma4 => execute_fma4(code, work),
            #[cfg(target_arch = "x86_64")]
            Simd::Baseline4 => execute_on::<super::x86::Sse2>(code, work),
            _ => execute_on::<array::Array4>(code, work),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn execute_avx2(code: &Code, work: &mut Work) {
    // Safety: the caller has checked the work, and the CPU has the features of this function.
    unsafe { execute_on::<super::x86::Avx2>(code, work) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx,fma")]
fn execute_fma4(code: &Code, work: &mut Work) {
    // Safety: as above.
    unsafe { execute_on::<super::x86::Fma4>(code, work) }
}

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
    unsafe fn three<S: Lanes, const UNIFORM: bool>(&self, places: Places) -> [From<S>; 3] {
        // Safety: the code was checked against what is there.
        places.map(|place| unsafe { From::new::<UNIFORM>(self.operand::<UNIFORM>(place)) })
    }

    #[inline(always)]
    fn weights(&self, column: u32) -> *const f32 {
        self.bank.weights[column as usize].as_ptr().wrapping_add(self.bank.first_weight)
    }

    #[inline(always)]
    unsafe fn unary<S: Lanes, O: Unary>(&self, it: &Instruction) {
        for row in 0..usize::from(it.rows) {
            let (dst, place) = (self.row(it.dst[row]), it.a[row]);
            // Safety: the code was checked; so in all that follow.
            unsafe {
                if it.is_uniform(0) {
                    rows::unary::<S, O, true>(dst, self.operand::<true>(place), self.lanes);
                } else {
                    rows::unary::<S, O, false>(dst, self.operand::<false>(place), self.lanes);
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn binary<S: Lanes, O: Binary>(&self, it: &Instruction) {
        match it.uniform & 3 {
            0 => unsafe { self.binary_of::<S, O, false, false>(it) },
            1 => unsafe { self.binary_of::<S, O, true, false>(it) },
            2 => unsafe { self.binary_of::<S, O, false, true>(it) },
            _ => unsafe { self.binary_of::<S, O, true, true>(it) },
        }
    }

    #[inline(always)]
    unsafe fn binary_of<S: Lanes, O: Binary, const A: bool, const B: bool>(
        &self,
        it: &Instruction,
    ) {
        for row in 0..usize::from(it.rows) {
            let operands = [self.operand::<A>(it.a[row]), self.operand::<B>(it.b[row])];
            unsafe { rows::binary::<S, O, A, B>(self.row(it.dst[row]), operands, self.lanes) }
        }
    }

    #[inline(always)]
    unsafe fn ternary<S: Lanes, O: Ternary>(&self, it: &Instruction) {
        unsafe {
            match it.uniform & 7 {
                0 => self.ternary_of::<S, O, false, false, false>(it),
                1 => self.ternary_of::<S, O, true, false, false>(it),
                2 => self.ternary_of::<S, O, false, true, false>(it),
                3 => self.ternary_of::<S, O, true, true, false>(it),
                4 => self.ternary_of::<S, O, false, false, true>(it),
                5 => self.ternary_of::<S, O, true, false, true>(it),
                6 => self.ternary_of::<S, O, false, true, true>(it),
                _ => self.ternary_of::<S, O, true, true, true>(it),
            }
        }
    }

    #[inline(always)]
    unsafe fn ternary_of<S: Lanes, O: Ternary, const A: bool, const B: bool, const C: bool>(
        &self,
        it: &Instruction,
    ) {
        for row in 0..usize::from(it.rows) {
            let operands = [
                self.operand::<A>(it.a[row]),
                self.operand::<B>(it.b[row]),
                self.operand::<C>(it.c[row]),
            ];
            unsafe { rows::ternary::<S, O, A, B, C>(self.row(it.dst[row]), operands, self.lanes) }
        }
    }

    /// Three rows to one or to three.
    #[inline(always)]
    unsafe fn vectors<S: Lanes, O: OnVectors>(&self, it: &Instruction) {
        unsafe {
            match it.uniform & 3 {
                0 => self.vectors_of::<S, O, false, false>(it),
                1 => self.vectors_of::<S, O, true, false>(it),
                2 => self.vectors_of::<S, O, false, true>(it),
                _ => self.vectors_of::<S, O, true, true>(it),
            }
        }
    }

    #[inline(always)]
    unsafe fn vectors_of<S: Lanes, O: OnVectors, const A: bool, const B: bool>(
        &self,
        it: &Instruction,
    ) {
        unsafe {
            let (a, b) = (self.three::<S, A>(it.a), self.three::<S, B>(it.b));
            let dst = it.dst.map(|place| self.row(place));
            let mut lane = 0;
            while lane < self.lanes {
                for at in [lane, lane + S::WIDTH] {
                    let x = [a[0].get::<A>(at), a[1].get::<A>(at), a[2].get::<A>(at)];
                    let y = if O::OPERANDS == 2 {
                        [b[0].get::<B>(at), b[1].get::<B>(at), b[2].get::<B>(at)]
                    } else {
                        [b[0].get::<B>(at); 3]
                    };
                    let result = O::apply(x, y);
                    result[0].store(dst[0].add(at));
                    if O::RESULTS == 3 {
                        result[1].store(dst[1].add(at));
                        result[2].store(dst[2].add(at));
                    }
                }
                lane += 2 * S::WIDTH;
            }
        }
    }

    /// dst = max(min(a · b₀, b₁), b₂).
    #[inline(always)]
    unsafe fn scale_clamp<S: Lanes>(&self, it: &Instruction) {
        unsafe {
            let a = From::<S>::new::<false>(self.operand::<false>(it.a[0]));
            let [scale, most, least] = it.b.map(|place| S::splat(*self.operand::<true>(place)));
            let dst = self.row(it.dst[0]);
            let mut lane = 0;
            while lane < self.lanes {
                for i in 0..rows::UNROLL {
                    let at = lane + i * S::WIDTH;
                    let scaled = a.get::<false>(at).mul(scale);
                    scaled.min(most).max(least).store(dst.add(at));
                }
                lane += rows::UNROLL * S::WIDTH;
            }
        }
    }

    /// dst += weight · O(a, b).
    #[inline(always)]
    unsafe fn sum<S: Lanes, O: Binary>(&self, it: &Instruction) {
        unsafe {
            match it.uniform & 3 {
                0 => self.sum_of::<S, O, false, false>(it),
                1 => self.sum_of::<S, O, true, false>(it),
                2 => self.sum_of::<S, O, false, true>(it),
                _ => self.sum_of::<S, O, true, true>(it),
            }
        }
    }

    #[inline(always)]
    unsafe fn sum_of<S: Lanes, O: Binary, const A: bool, const B: bool>(&self, it: &Instruction) {
        let weights = self.weights(it.c[0]);
        for row in 0..usize::from(it.rows) {
            unsafe {
                let a = From::<S>::new::<A>(self.operand::<A>(it.a[row]));
                let b = From::<S>::new::<B>(self.operand::<B>(it.b[row]));
                let dst = self.row(it.dst[row]);
                let mut lane = 0;
                while lane < self.lanes {
                    for i in 0..rows::UNROLL {
                        let at = lane + i * S::WIDTH;
                        let summand = O::apply(a.get::<A>(at), b.get::<B>(at));
                        let sum = S::load(dst.add(at));
                        S::load(weights.add(at)).fma(summand, sum).store(dst.add(at));
                    }
                    lane += rows::UNROLL * S::WIDTH;
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn load(&self, it: &Instruction, from: impl Fn(usize) -> *const f32) {
        for row in 0..usize::from(it.rows) {
            let dst = self.row(it.dst[row]);
            // Safety: both have `lanes` floats, and the block's data is no register.
            unsafe { std::ptr::copy_nonoverlapping(from(row), dst, self.lanes) }
        }
    }
}

trait OnVectors {
    const OPERANDS: usize;
    const RESULTS: usize;
    fn apply<S: Lanes>(a: [S; 3], b: [S; 3]) -> [S; 3];
}

macro_rules! on_vectors {
    ($($name:ident: $operands:literal to $results:literal = |$a:ident, $b:ident| $body:expr;)*) => {
        $(struct $name;
        impl OnVectors for $name {
            const OPERANDS: usize = $operands;
            const RESULTS: usize = $results;
            #[inline(always)]
            fn apply<S: Lanes>($a: [S; 3], $b: [S; 3]) -> [S; 3] {
                $body
            }
        })*
    };
}

on_vectors! {
    Dot: 2 to 1 = |a, b| [math::dot(a, b); 3];
    Length: 1 to 1 = |a, _b| [math::sqrt(math::dot(a, a)); 3];
    Cross: 2 to 3 = |a, b| math::cross(a, b);
    Normalize: 1 to 3 = |a, _b| {
        let inverse = math::inverse_length(math::dot(a, a));
        a.map(|x| x.mul(inverse))
    };
    NormalizeScale: 1 to 3 = |a, b| {
        let factor = math::inverse_length(math::dot(a, a)).mul(b[0]);
        a.map(|x| x.mul(factor))
    };
    SaneOr3: 2 to 3 = |a, b| {
        let sane = math::is_sane(a[0]).and(math::is_sane(a[1])).and(math::is_sane(a[2]));
        [0, 1, 2].map(|i| S::select(sane, a[i], b[i]))
    };
}

#[inline(always)]
unsafe fn execute_on<S: Lanes>(code: &Code, work: &mut Work) {
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
                Kind::Copy => at.unary::<S, Copy>(it),
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
                Kind::Neg => at.unary::<S, Neg>(it),
                Kind::Abs => at.unary::<S, Abs>(it),
                Kind::Floor => at.unary::<S, Floor>(it),
                Kind::Sqrt => at.unary::<S, Sqrt>(it),
                Kind::Sin => at.unary::<S, Sin>(it),
                Kind::Cos => at.unary::<S, Cos>(it),
                Kind::Exp => at.unary::<S, Exp>(it),
                Kind::Log => at.unary::<S, Log>(it),
                Kind::Not => at.unary::<S, Not>(it),
                Kind::Add => at.binary::<S, Add>(it),
                Kind::Sub => at.binary::<S, Sub>(it),
                Kind::Mul => at.binary::<S, Mul>(it),
                Kind::Div => at.binary::<S, Div>(it),
                Kind::Min => at.binary::<S, Min>(it),
                Kind::Max => at.binary::<S, Max>(it),
                Kind::SaneOr => at.binary::<S, SaneOr>(it),
                Kind::Pow => at.binary::<S, Pow>(it),
                Kind::Atan2 => at.binary::<S, Atan2>(it),
                Kind::Less => at.binary::<S, Less>(it),
                Kind::LessEqual => at.binary::<S, LessEqual>(it),
                Kind::Equal => at.binary::<S, Equal>(it),
                Kind::And => at.binary::<S, And>(it),
                Kind::Or => at.binary::<S, Or>(it),
                Kind::Fma => at.ternary::<S, Fma>(it),
                Kind::Fnma => at.ternary::<S, Fnma>(it),
                Kind::Fms => at.ternary::<S, Fms>(it),
                Kind::Select => at.ternary::<S, Select>(it),
                Kind::KeepIf => {
                    if (*at.operand::<true>(it.c[0])).to_bits() == 0 {
                        let fill = Instruction { kind: Kind::Copy, a: it.b, ..*it };
                        let uniform = u8::from(it.is_uniform(1));
                        at.unary::<S, Copy>(&Instruction { uniform, ..fill });
                    }
                }
                Kind::Dot => at.vectors::<S, Dot>(it),
                Kind::Length => at.vectors::<S, Length>(it),
                Kind::Cross => at.vectors::<S, Cross>(it),
                Kind::Normalize => at.vectors::<S, Normalize>(it),
                Kind::NormalizeScale => at.vectors::<S, NormalizeScale>(it),
                Kind::SaneOr3 => at.vectors::<S, SaneOr3>(it),
                Kind::ScaleClamp => at.scale_clamp::<S>(it),
                Kind::Sum => at.sum::<S, First>(it),
                Kind::SumAdd => at.sum::<S, Add>(it),
                Kind::SumSub => at.sum::<S, Sub>(it),
            }
        }
    }
}

/// The first of two operands; the second is not there.
struct First;

impl Binary for First {
    #[inline(always)]
    fn apply<S: Lanes>(a: S, _b: S) -> S {
        a
    }
}
