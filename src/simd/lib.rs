//! Kernels that run over lanes of vertices: plain skinning, and one loop per instruction of the CPU
//! evaluator. Everything in the runtime that is unsafe is in this crate.
//!
//! ```text
//!  Code (instructions) ─► Runnable ─┐
//!  RowFile (registers), Bank ───────┴► run ─► BlockOut: positions, in the order of vertices
//!  SkinWork ─────────────► Skinner ─┘
//! ```
//! [`Lanes`] is one vector of floats. Kernels are generic over it and `#[inline(always)]` down to the
//! last operation, so that each becomes one loop of vector instructions inside the one function per
//! width that carries the CPU feature ([`Runnable`], [`Skinner`]). Nothing is left to the
//! autovectoriser.
//!
//! Widths that have a fused multiply-add give the same bits: every lane does the same operations in
//! the same order, whatever stands beside it.
//!
//! This crate knows operations (`jounce-ir`). It knows nothing of characters, programs or time.

// Tests are no part of the runtime.
#![cfg_attr(test, allow(clippy::disallowed_types, clippy::disallowed_methods))]

#[cfg(any(not(target_arch = "x86_64"), feature = "every-simd"))]
mod array;
pub mod code;
mod dispatch;
mod execute;
mod math;
mod operations;
mod row_file;
mod rows;
mod scatter;
mod skin;
mod vectorised;
mod width;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use execute::{Bank, Runnable, Work};
pub use row_file::{RowFile, STRIDE};
pub use scatter::{BlockOut, LaneMap, for_each_block};
pub use skin::{MATRIX, Normals, RIGID, SkinWork, Skinner};
pub use vectorised::{Vectorised, run_vectorised};

/// Blocks are padded to a multiple of this.
pub const LANE_GROUP: usize = 32;
/// Lanes of the largest block: a few registers of so many floats fit into the nearest cache.
pub const MOST_LANES: usize = 256;
/// In place of a vertex in lanes that have none.
pub const NO_VERTEX: u32 = u32::MAX;

/// Which vector instructions to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simd {
    /// 8 lanes, fused multiply-add: AVX2.
    Avx2,
    /// 4 lanes, fused multiply-add. Few machines have nothing wider, so it is only built with the feature
    /// `every-simd`, for tests.
    Fma4,
    /// 4 lanes, what every x86-64 has; other targets run [`Simd::Array4`].
    Baseline4,
    /// 4 lanes in plain Rust with fused multiply-add: any target; slow where the CPU has none. Where there
    /// is something better, it is only built with the feature `every-simd`, for tests.
    Array4,
}

impl Simd {
    /// The widest that this machine has.
    pub fn best() -> Simd {
        let wide = [Simd::Avx2, Simd::Fma4].into_iter().find(|simd| simd.is_there());
        wide.unwrap_or(Simd::Baseline4)
    }

    pub fn is_there(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(all(target_arch = "x86_64", feature = "every-simd"))]
            Simd::Fma4 => is_x86_feature_detected!("avx") && is_x86_feature_detected!("fma"),
            #[cfg(not(target_arch = "x86_64"))]
            Simd::Avx2 => false,
            #[cfg(not(all(target_arch = "x86_64", feature = "every-simd")))]
            Simd::Fma4 => false,
            Simd::Baseline4 => true,
            Simd::Array4 => cfg!(any(not(target_arch = "x86_64"), feature = "every-simd")),
        }
    }

    /// Every one that this machine has, the widest first.
    pub fn all() -> impl Iterator<Item = Simd> {
        let all = [Simd::Avx2, Simd::Fma4, Simd::Baseline4, Simd::Array4];
        all.into_iter().filter(|simd| simd.is_there())
    }

    /// Does a·b + c round once? All that do agree to the last bit.
    pub fn is_fused(self) -> bool {
        match self {
            Simd::Avx2 | Simd::Fma4 | Simd::Array4 => true,
            Simd::Baseline4 => cfg!(not(target_arch = "x86_64")),
        }
    }
}

/// One vector of lanes. A mask has all bits of a lane set where it is true.
///
/// Comparisons with NaN are false. Integers are bits in the same lanes.
///
/// # Safety
/// An implementation may use instructions of CPU features that its width needs: functions generic over
/// it are only to be called where [`Simd::is_there`] said so.
pub unsafe trait Lanes: Copy {
    const WIDTH: usize;
    const FUSED: bool;

    /// # Safety
    /// `from` has [`Lanes::WIDTH`] floats.
    unsafe fn load(from: *const f32) -> Self;
    /// # Safety
    /// `to` has room for [`Lanes::WIDTH`] floats.
    unsafe fn store(self, to: *mut f32);
    fn splat(x: f32) -> Self;
    fn splat_int(x: i32) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn div(self, other: Self) -> Self;
    fn sqrt(self) -> Self;
    fn floor(self) -> Self;
    /// self · b + c.
    fn fma(self, b: Self, c: Self) -> Self;
    /// c − self · b.
    fn fnma(self, b: Self, c: Self) -> Self;
    /// self · b − c.
    fn fms(self, b: Self, c: Self) -> Self;
    /// `other < self ? other : self`.
    fn min(self, other: Self) -> Self;
    /// `self < other ? other : self`.
    fn max(self, other: Self) -> Self;
    fn less(self, other: Self) -> Self;
    fn less_equal(self, other: Self) -> Self;
    fn equal(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// !self & other.
    fn and_not(self, other: Self) -> Self;
    fn any(self) -> bool;
    /// To the nearest integer, ties to even; |self| < 2³¹.
    fn to_int(self) -> Self;
    fn int_to_float(self) -> Self;
    fn add_int(self, other: Self) -> Self;
    fn sub_int(self, other: Self) -> Self;
    fn shift_left<const BITS: i32>(self) -> Self;
    /// With the sign.
    fn shift_right<const BITS: i32>(self) -> Self;

    /// `mask ? yes : no`.
    #[inline(always)]
    fn select(mask: Self, yes: Self, no: Self) -> Self {
        mask.and(yes).or(mask.and_not(no))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self::splat_int(i32::MIN).and_not(self)
    }

    #[inline(always)]
    fn neg(self) -> Self {
        self.xor(Self::splat_int(i32::MIN))
    }

    #[inline(always)]
    fn sign_bit(self) -> Self {
        self.and(Self::splat_int(i32::MIN))
    }
}
