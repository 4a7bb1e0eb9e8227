//! The loops over rows for each width of vectors.

use super::Lanes;
use super::code::Instruction;
use super::execute::At;
use super::rows::{self, Binary, OnVectors, Quaternary, Ternary, Unary};

/// The loops over rows, each a function of its own that carries the width's CPU features: in one large
/// function they take the compiler minutes.
///
/// # Safety
/// The CPU has the features; else as in [`rows`].
pub trait Width: Lanes {
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
#[cfg(all(target_arch = "x86_64", feature = "every-simd"))]
width!(super::x86::Fma4, #[target_feature(enable = "avx,fma")]);
#[cfg(target_arch = "x86_64")]
width!(super::x86::Sse2, #[inline(never)]);
#[cfg(any(not(target_arch = "x86_64"), feature = "every-simd"))]
width!(super::array::Array4, #[inline(never)]);
