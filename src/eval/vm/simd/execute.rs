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
        assert!(bounds.uniforms <= self.uniforms.len());
        assert!(bounds.inputs * lanes <= self.bank.inputs.len());
        assert!(bounds.kept * lanes <= self.kept.len());
        assert!(bounds.columns <= self.bank.weights.len());
        let end = self.bank.first_weight + lanes;
        assert!(self.bank.weights[..bounds.columns].iter().all(|column| end <= column.len()));
    }
}

/// One instruction, ready to go: the loop for its kind and operands, and where those are.
///
/// Rows stand here as distances in floats from the first; all else as in the instruction.
struct Step {
    run: Run,
    it: Instruction,
}

/// # Safety
/// The CPU has the width's features; everything that the instruction touches is there.
type Run = unsafe fn(&At, &Instruction);

/// Code for one width of vectors.
pub struct Runnable {
    code: Code,
    steps: Vec<Step>,
}

impl Runnable {
    /// A width that this machine does not have is replaced by the plainest.
    pub fn new(simd: Simd, code: Code) -> Runnable {
        let run_of: fn(&Instruction) -> Run = match simd {
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 if simd.is_there() => run_of::<super::x86::Avx2>,
            #[cfg(target_arch = "x86_64")]
            Simd::Fma4 if simd.is_there() => run_of::<super::x86::Fma4>,
            #[cfg(target_arch = "x86_64")]
            Simd::Baseline4 => run_of::<super::x86::Sse2>,
            _ => run_of::<super::array::Array4>,
        };
        let step = |it: &Instruction| {
            let run = run_of(it);
            let mut it = *it;
            it.rename_reads(|row| row * STRIDE as u32);
            let results = it.results().len();
            it.dst[..results].iter_mut().for_each(|row| *row *= STRIDE as u32);
            Step { run, it }
        };
        let steps = code.instructions().iter().map(step).collect();
        Runnable { code, steps }
    }

    pub fn code(&self) -> &Code {
        &self.code
    }

    pub fn run(&self, work: &mut Work) {
        work.check(self.code.bounds());
        let at = At {
            rows: work.rows.pointer_mut(),
            lanes: work.lanes,
            uniforms: work.uniforms,
            bank: work.bank,
            kept: work.kept.as_mut_ptr(),
        };
        for step in &self.steps {
            // Safety: `new` has chosen loops that the CPU can run, and everything they touch is there.
            unsafe { (step.run)(&at, &step.it) }
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
    unsafe fn shift_div(at: &At, it: &Instruction);
    unsafe fn sin(at: &At, it: &Instruction);
    unsafe fn stretch(at: &At, it: &Instruction);
    unsafe fn fma2_fma(at: &At, it: &Instruction);
    unsafe fn sum_fms2(at: &At, it: &Instruction);
    unsafe fn sum<const ROWS: usize, const A: bool>(at: &At, it: &Instruction);
    unsafe fn sum2<O: Binary, const ROWS: usize, const A: bool, const B: bool>(
        at: &At,
        it: &Instruction,
    );
    unsafe fn sum_add_sub<const ROWS: usize>(at: &At, it: &Instruction);
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
                let dst = it.dst.map(|place| at.row(place));
                unsafe { rows::on_vectors::<$width, O, A, B>(dst, of, at.lanes) }
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
            unsafe fn shift_div(at: &At, it: &Instruction) {
                let (dst, a) = (at.row(it.dst[0]), at.operand::<false>(it.a[0]));
                let by = it.b.map(|place| at.uniforms[place as usize]);
                unsafe { rows::shift_div::<$width>(dst, a, by, at.lanes) }
            }

            #[$features]
            unsafe fn sin(at: &At, it: &Instruction) {
                let (dst, a) = (at.row(it.dst[0]), at.operand::<false>(it.a[0]));
                let scale = at.uniforms[it.b[0] as usize];
                unsafe { rows::sin::<$width>(dst, a, scale, at.lanes) }
            }

            #[$features]
            unsafe fn stretch(at: &At, it: &Instruction) {
                let (a, b) = (at.three::<false>(it.a), at.three::<true>(it.b));
                let (c, d) = (at.three::<true>(it.c), at.three::<true>(it.d));
                let of = [a, b, c, d, at.three::<true>(it.e)];
                unsafe { rows::stretch::<$width>(at.results(it), of, at.lanes) }
            }

            #[$features]
            unsafe fn fma2_fma(at: &At, it: &Instruction) {
                let directions = [at.three::<true>(it.b), at.three::<true>(it.d)];
                let by = [it.a, it.c].map(|places| at.operand::<false>(places[0]));
                let scale = at.uniforms[it.e[0] as usize];
                let (dst, f) = (at.results(it), at.three::<false>(it.f));
                unsafe { rows::fma2_fma::<$width>(dst, directions, by, scale, f, at.lanes) }
            }

            #[$features]
            unsafe fn sum_fms2(at: &At, it: &Instruction) {
                let (a, f) = (at.three::<false>(it.a), at.three::<true>(it.f));
                let vectors = [at.three::<false>(it.b), at.three::<false>(it.d)];
                let by = [it.c, it.e].map(|places| at.operand::<false>(places[0]));
                let (dst, weights) = (at.results(it), at.weights(it.column));
                unsafe { rows::sum_fms2::<$width>(dst, a, vectors, by, f, weights, at.lanes) }
            }

            #[$features]
            unsafe fn sum<const ROWS: usize, const A: bool>(at: &At, it: &Instruction) {
                let (dst, weights) = (at.results(it), at.weights(it.column));
                let a = at.three::<A>(it.a);
                unsafe { rows::sum::<$width, ROWS, A>(dst, a, weights, at.lanes) }
            }

            #[$features]
            unsafe fn sum2<O: Binary, const ROWS: usize, const A: bool, const B: bool>(
                at: &At,
                it: &Instruction,
            ) {
                let of = [at.three::<A>(it.a), at.three::<B>(it.b)];
                let (dst, weights) = (at.results(it), at.weights(it.column));
                unsafe { rows::sum2::<$width, O, ROWS, A, B>(dst, of, weights, at.lanes) }
            }

            #[$features]
            unsafe fn sum_add_sub<const ROWS: usize>(at: &At, it: &Instruction) {
                let (a, b) = (at.three::<false>(it.a), at.three::<false>(it.b));
                let of = [a, b, at.three::<true>(it.c)];
                let (dst, weights) = (at.results(it), at.weights(it.column));
                unsafe { rows::sum_add_sub::<$width, ROWS>(dst, of, weights, at.lanes) }
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
        self.rows.wrapping_add(place as usize)
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
        let [x, y, z, _] = it.dst;
        [self.row(x), self.row(y), self.row(z)]
    }
}

// Which loop an instruction runs.

fn unary<W: Width, O: Unary>(it: &Instruction) -> Run {
    match (it.rows, it.is_uniform(0)) {
        (1, false) => W::unary::<O, 1, false>,
        (1, true) => W::unary::<O, 1, true>,
        (_, false) => W::unary::<O, 3, false>,
        (_, true) => W::unary::<O, 3, true>,
    }
}

fn binary<W: Width, O: Binary>(it: &Instruction) -> Run {
    match (it.rows, it.uniform & 3) {
        (1, 0) => W::binary::<O, 1, false, false>,
        (1, 2) => W::binary::<O, 1, false, true>,
        (1, _) => W::binary::<O, 1, true, false>,
        (_, 0) => W::binary::<O, 3, false, false>,
        (_, 2) => W::binary::<O, 3, false, true>,
        (_, _) => W::binary::<O, 3, true, false>,
    }
}

/// Operations that are too rare to have loops with uniforms; on one row.
fn rare<W: Width, O: Binary>() -> Run {
    W::binary::<O, 1, false, false>
}

fn ternary<W: Width, O: Ternary>(it: &Instruction) -> Run {
    match (it.rows, it.uniform & 6) {
        (1, 0) => W::ternary::<O, 1, false, false>,
        (1, 2) => W::ternary::<O, 1, true, false>,
        (1, 4) => W::ternary::<O, 1, false, true>,
        (1, _) => W::ternary::<O, 1, true, true>,
        (_, 0) => W::ternary::<O, 3, false, false>,
        (_, 2) => W::ternary::<O, 3, true, false>,
        (_, 4) => W::ternary::<O, 3, false, true>,
        (_, _) => W::ternary::<O, 3, true, true>,
    }
}

fn quaternary<W: Width, O: Quaternary>(it: &Instruction) -> Run {
    match (it.rows, it.is_uniform(1)) {
        (1, false) => W::quaternary::<O, 1, false>,
        (1, true) => W::quaternary::<O, 1, true>,
        (_, false) => W::quaternary::<O, 3, false>,
        (_, true) => W::quaternary::<O, 3, true>,
    }
}

/// Three rows to one or to three.
fn vectors<W: Width, O: OnVectors>(it: &Instruction) -> Run {
    match it.uniform & 3 {
        0 => W::on_vectors::<O, false, false>,
        2 => W::on_vectors::<O, false, true>,
        _ => W::on_vectors::<O, true, false>,
    }
}

/// dst += weight · a.
fn sum<W: Width>(it: &Instruction) -> Run {
    match (it.rows, it.is_uniform(0)) {
        (1, false) => W::sum::<1, false>,
        (1, true) => W::sum::<1, true>,
        (_, false) => W::sum::<3, false>,
        (_, true) => W::sum::<3, true>,
    }
}

/// dst += weight · O(a, b).
fn sum2<W: Width, O: Binary>(it: &Instruction) -> Run {
    match (it.rows, it.uniform & 3) {
        (1, 0) => W::sum2::<O, 1, false, false>,
        (1, 2) => W::sum2::<O, 1, false, true>,
        (1, _) => W::sum2::<O, 1, true, false>,
        (_, 0) => W::sum2::<O, 3, false, false>,
        (_, 2) => W::sum2::<O, 3, false, true>,
        (_, _) => W::sum2::<O, 3, true, false>,
    }
}

// Safety of all that follow: what the caller promised.

unsafe fn load(at: &At, it: &Instruction, from: impl Fn(usize) -> *const f32) {
    for row in 0..usize::from(it.rows) {
        let dst = at.row(it.dst[row]);
        // The block's data is no register.
        unsafe { std::ptr::copy_nonoverlapping(from(row), dst, at.lanes) }
    }
}

unsafe fn load_input(at: &At, it: &Instruction) {
    let inputs = at.bank.inputs.as_ptr();
    unsafe { load(at, it, |row| inputs.add(it.a[row] as usize * at.lanes)) }
}

unsafe fn load_kept(at: &At, it: &Instruction) {
    unsafe { load(at, it, |row| at.kept.add(it.a[row] as usize * at.lanes)) }
}

unsafe fn load_weight(at: &At, it: &Instruction) {
    unsafe { load(at, it, |_| at.weights(it.column)) }
}

unsafe fn store_kept(at: &At, it: &Instruction) {
    for row in 0..usize::from(it.rows) {
        unsafe {
            let dst = at.kept.add(it.dst[row] as usize * at.lanes);
            if it.is_uniform(0) {
                let number = *at.operand::<true>(it.a[row]);
                std::slice::from_raw_parts_mut(dst, at.lanes).fill(number);
            } else {
                std::ptr::copy_nonoverlapping(at.operand::<false>(it.a[row]), dst, at.lanes);
            }
        }
    }
}

unsafe fn keep_if<W: Width>(at: &At, it: &Instruction) {
    unsafe {
        if (*at.operand::<true>(it.c[0])).to_bits() == 0 {
            let uniform = u8::from(it.is_uniform(1));
            let fill = Instruction { kind: Kind::Copy, a: it.b, uniform, ..*it };
            unary::<W, Copy>(&fill)(at, &fill)
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
    AddSaneOr3: 3 to 3 = |a, b| {
        math::sane_or([a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2])], b)
    };
    Reject: 3 to 3 = |a, b| math::reject(a, b);
    CrossLength: 3 to 4 = |a, b| math::cross(a, b);
    RejectLength: 3 to 4 = |a, b| math::reject(a, b);
}

fn run_of<W: Width>(it: &Instruction) -> Run {
    match it.kind {
        Kind::Copy => unary::<W, Copy>(it),
        Kind::LoadInput => load_input,
        Kind::LoadKept => load_kept,
        Kind::StoreKept => store_kept,
        Kind::LoadWeight => load_weight,
        Kind::Neg => unary::<W, Neg>(it),
        Kind::Abs => unary::<W, Abs>(it),
        Kind::Floor => unary::<W, Floor>(it),
        Kind::Sqrt => unary::<W, Sqrt>(it),
        Kind::Sin => W::sin,
        Kind::Cos => unary::<W, Cos>(it),
        Kind::Exp => unary::<W, Exp>(it),
        Kind::Log => unary::<W, Log>(it),
        Kind::Not => unary::<W, Not>(it),
        Kind::Add => binary::<W, Add>(it),
        Kind::Sub => binary::<W, Sub>(it),
        Kind::Mul => binary::<W, Mul>(it),
        Kind::Div => binary::<W, Div>(it),
        Kind::Min => binary::<W, Min>(it),
        Kind::Max => binary::<W, Max>(it),
        Kind::SaneOr => rare::<W, SaneOr>(),
        Kind::Pow => rare::<W, Pow>(),
        Kind::Atan2 => rare::<W, Atan2>(),
        Kind::Less => rare::<W, Less>(),
        Kind::LessEqual => rare::<W, LessEqual>(),
        Kind::Equal => rare::<W, Equal>(),
        Kind::And => rare::<W, And>(),
        Kind::Or => rare::<W, Or>(),
        Kind::Fma => ternary::<W, Fma>(it),
        Kind::Fnma => ternary::<W, Fnma>(it),
        Kind::Fms => ternary::<W, Fms>(it),
        Kind::Mul3 => ternary::<W, Mul3>(it),
        Kind::MulDivLength => W::ternary::<MulDivLength, 1, false, false>,
        Kind::Select => ternary::<W, Select>(it),
        Kind::KeepIf => keep_if::<W>,
        Kind::Dot => vectors::<W, Dot>(it),
        Kind::Length => vectors::<W, Length>(it),
        Kind::Cross => vectors::<W, Cross>(it),
        Kind::Reject => vectors::<W, Reject>(it),
        Kind::CrossLength => vectors::<W, CrossLength>(it),
        Kind::RejectLength => vectors::<W, RejectLength>(it),
        Kind::Stretch => W::stretch,
        Kind::Normalize => vectors::<W, Normalize>(it),
        Kind::NormalizeScale => vectors::<W, NormalizeScale>(it),
        Kind::DivLength => rare::<W, DivLength>(),
        Kind::SaneOr3 => vectors::<W, SaneOr3>(it),
        Kind::AddSaneOr3 => vectors::<W, AddSaneOr3>(it),
        Kind::ScaleClamp => W::scale_clamp,
        Kind::ShiftDiv => W::shift_div,
        Kind::Sum => sum::<W>(it),
        Kind::SumAdd => sum2::<W, Add>(it),
        Kind::SumSub => sum2::<W, Sub>(it),
        Kind::SumAddSub if it.rows == 1 => W::sum_add_sub::<1>,
        Kind::SumAddSub => W::sum_add_sub::<3>,
        Kind::SumFms2 => W::sum_fms2,
        Kind::Fma2Fma => W::fma2_fma,
        Kind::Fma2 => quaternary::<W, Fma2>(it),
        Kind::Fms2 => quaternary::<W, Fms2>(it),
        Kind::DotScale => match it.uniform & 6 {
            0 => W::dot_scale::<false, false>,
            2 => W::dot_scale::<true, false>,
            4 => W::dot_scale::<false, true>,
            _ => W::dot_scale::<true, true>,
        },
    }
}
