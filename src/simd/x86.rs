//! x86-64: 8 lanes with AVX2 and FMA, 4 with FMA, 4 with SSE2.

use super::Lanes;
use std::arch::x86_64::*;

#[derive(Clone, Copy)]
pub struct Avx2(__m256);
#[cfg(feature = "every-simd")]
#[derive(Clone, Copy)]
pub struct Fma4(__m128);
#[derive(Clone, Copy)]
pub struct Sse2(__m128);

// Safety of all `unsafe` below: values of these types are only made inside functions that carry the
// CPU feature and are called after it was detected; SSE2 is part of x86-64.

macro_rules! calls {
    ($($name:ident($($arg:ident),*) = $instruction:ident;)*) => {
        $(#[inline(always)]
        fn $name(self $(, $arg: Self)*) -> Self {
            Self(unsafe { $instruction(self.0 $(, $arg.0)*) })
        })*
    };
}

// Safety: see above.
unsafe impl Lanes for Avx2 {
    const WIDTH: usize = 8;
    const FUSED: bool = true;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Avx2 {
        Avx2(unsafe { _mm256_loadu_ps(from) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        unsafe { _mm256_storeu_ps(to, self.0) }
    }

    #[inline(always)]
    fn splat(x: f32) -> Avx2 {
        Avx2(unsafe { _mm256_set1_ps(x) })
    }

    #[inline(always)]
    fn splat_int(x: i32) -> Avx2 {
        Avx2(unsafe { _mm256_castsi256_ps(_mm256_set1_epi32(x)) })
    }

    calls! {
        add(b) = _mm256_add_ps;
        sub(b) = _mm256_sub_ps;
        mul(b) = _mm256_mul_ps;
        div(b) = _mm256_div_ps;
        sqrt() = _mm256_sqrt_ps;
        floor() = _mm256_floor_ps;
        fma(b, c) = _mm256_fmadd_ps;
        fnma(b, c) = _mm256_fnmadd_ps;
        fms(b, c) = _mm256_fmsub_ps;
        and(b) = _mm256_and_ps;
        or(b) = _mm256_or_ps;
        xor(b) = _mm256_xor_ps;
        and_not(b) = _mm256_andnot_ps;
    }

    // The instructions give their second operand where neither is smaller.
    #[inline(always)]
    fn min(self, other: Avx2) -> Avx2 {
        Avx2(unsafe { _mm256_min_ps(other.0, self.0) })
    }

    #[inline(always)]
    fn max(self, other: Avx2) -> Avx2 {
        Avx2(unsafe { _mm256_max_ps(other.0, self.0) })
    }

    #[inline(always)]
    fn less(self, other: Avx2) -> Avx2 {
        Avx2(unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn less_equal(self, other: Avx2) -> Avx2 {
        Avx2(unsafe { _mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn equal(self, other: Avx2) -> Avx2 {
        Avx2(unsafe { _mm256_cmp_ps::<_CMP_EQ_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn select(mask: Avx2, yes: Avx2, no: Avx2) -> Avx2 {
        Avx2(unsafe { _mm256_blendv_ps(no.0, yes.0, mask.0) })
    }

    #[inline(always)]
    fn any(self) -> bool {
        unsafe { _mm256_movemask_ps(self.0) != 0 }
    }

    #[inline(always)]
    fn to_int(self) -> Avx2 {
        Avx2(unsafe { _mm256_castsi256_ps(_mm256_cvtps_epi32(self.0)) })
    }

    #[inline(always)]
    fn int_to_float(self) -> Avx2 {
        Avx2(unsafe { _mm256_cvtepi32_ps(_mm256_castps_si256(self.0)) })
    }

    #[inline(always)]
    fn add_int(self, other: Avx2) -> Avx2 {
        Avx2(unsafe {
            let (a, b) = (_mm256_castps_si256(self.0), _mm256_castps_si256(other.0));
            _mm256_castsi256_ps(_mm256_add_epi32(a, b))
        })
    }

    #[inline(always)]
    fn sub_int(self, other: Avx2) -> Avx2 {
        Avx2(unsafe {
            let (a, b) = (_mm256_castps_si256(self.0), _mm256_castps_si256(other.0));
            _mm256_castsi256_ps(_mm256_sub_epi32(a, b))
        })
    }

    #[inline(always)]
    fn shift_left<const BITS: i32>(self) -> Avx2 {
        let bits = unsafe { _mm256_slli_epi32::<BITS>(_mm256_castps_si256(self.0)) };
        Avx2(unsafe { _mm256_castsi256_ps(bits) })
    }

    #[inline(always)]
    fn shift_right<const BITS: i32>(self) -> Avx2 {
        let bits = unsafe { _mm256_srai_epi32::<BITS>(_mm256_castps_si256(self.0)) };
        Avx2(unsafe { _mm256_castsi256_ps(bits) })
    }
}

/// What both 4-lane types do alike.
macro_rules! four_lanes {
    ($name:ident) => {
        const WIDTH: usize = 4;

        #[inline(always)]
        unsafe fn load(from: *const f32) -> $name {
            $name(unsafe { _mm_loadu_ps(from) })
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut f32) {
            unsafe { _mm_storeu_ps(to, self.0) }
        }

        #[inline(always)]
        fn splat(x: f32) -> $name {
            $name(unsafe { _mm_set1_ps(x) })
        }

        #[inline(always)]
        fn splat_int(x: i32) -> $name {
            $name(unsafe { _mm_castsi128_ps(_mm_set1_epi32(x)) })
        }

        calls! {
            add(b) = _mm_add_ps;
            sub(b) = _mm_sub_ps;
            mul(b) = _mm_mul_ps;
            div(b) = _mm_div_ps;
            sqrt() = _mm_sqrt_ps;
            less(b) = _mm_cmplt_ps;
            less_equal(b) = _mm_cmple_ps;
            equal(b) = _mm_cmpeq_ps;
            and(b) = _mm_and_ps;
            or(b) = _mm_or_ps;
            xor(b) = _mm_xor_ps;
            and_not(b) = _mm_andnot_ps;
        }

        #[inline(always)]
        fn min(self, other: $name) -> $name {
            $name(unsafe { _mm_min_ps(other.0, self.0) })
        }

        #[inline(always)]
        fn max(self, other: $name) -> $name {
            $name(unsafe { _mm_max_ps(other.0, self.0) })
        }

        #[inline(always)]
        fn any(self) -> bool {
            unsafe { _mm_movemask_ps(self.0) != 0 }
        }

        #[inline(always)]
        fn to_int(self) -> $name {
            $name(unsafe { _mm_castsi128_ps(_mm_cvtps_epi32(self.0)) })
        }

        #[inline(always)]
        fn int_to_float(self) -> $name {
            $name(unsafe { _mm_cvtepi32_ps(_mm_castps_si128(self.0)) })
        }

        #[inline(always)]
        fn add_int(self, other: $name) -> $name {
            $name(unsafe {
                let (a, b) = (_mm_castps_si128(self.0), _mm_castps_si128(other.0));
                _mm_castsi128_ps(_mm_add_epi32(a, b))
            })
        }

        #[inline(always)]
        fn sub_int(self, other: $name) -> $name {
            $name(unsafe {
                let (a, b) = (_mm_castps_si128(self.0), _mm_castps_si128(other.0));
                _mm_castsi128_ps(_mm_sub_epi32(a, b))
            })
        }

        #[inline(always)]
        fn shift_left<const BITS: i32>(self) -> $name {
            let bits = unsafe { _mm_slli_epi32::<BITS>(_mm_castps_si128(self.0)) };
            $name(unsafe { _mm_castsi128_ps(bits) })
        }

        #[inline(always)]
        fn shift_right<const BITS: i32>(self) -> $name {
            let bits = unsafe { _mm_srai_epi32::<BITS>(_mm_castps_si128(self.0)) };
            $name(unsafe { _mm_castsi128_ps(bits) })
        }
    };
}

// Safety: see above.
#[cfg(feature = "every-simd")]
unsafe impl Lanes for Fma4 {
    const FUSED: bool = true;
    four_lanes!(Fma4);
    calls! {
        floor() = _mm_floor_ps;
        fma(b, c) = _mm_fmadd_ps;
        fnma(b, c) = _mm_fnmadd_ps;
        fms(b, c) = _mm_fmsub_ps;
    }
}

// Safety: see above.
unsafe impl Lanes for Sse2 {
    const FUSED: bool = false;
    four_lanes!(Sse2);

    /// Without an instruction for it: by way of integers, which floats above 2²³ are already.
    #[inline(always)]
    fn floor(self) -> Sse2 {
        let truncated = Sse2(unsafe { _mm_cvtepi32_ps(_mm_cvttps_epi32(self.0)) });
        let is_above = self.less(truncated);
        let floor = truncated.sub(is_above.and(Sse2::splat(1.0)));
        let is_small = self.abs().less(Sse2::splat(8_388_608.0));
        Sse2::select(is_small, floor, self)
    }

    #[inline(always)]
    fn fma(self, b: Sse2, c: Sse2) -> Sse2 {
        self.mul(b).add(c)
    }

    #[inline(always)]
    fn fnma(self, b: Sse2, c: Sse2) -> Sse2 {
        c.sub(self.mul(b))
    }

    #[inline(always)]
    fn fms(self, b: Sse2, c: Sse2) -> Sse2 {
        self.mul(b).sub(c)
    }
}
