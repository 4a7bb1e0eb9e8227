//! 4 lanes in plain Rust: ARM, wasm and whatever else there is.

use super::Lanes;

#[derive(Clone, Copy)]
pub struct Array4([f32; 4]);

#[inline(always)]
fn each(a: Array4, f: impl Fn(f32) -> f32) -> Array4 {
    Array4([f(a.0[0]), f(a.0[1]), f(a.0[2]), f(a.0[3])])
}

#[inline(always)]
fn both(a: Array4, b: Array4, f: impl Fn(f32, f32) -> f32) -> Array4 {
    Array4([f(a.0[0], b.0[0]), f(a.0[1], b.0[1]), f(a.0[2], b.0[2]), f(a.0[3], b.0[3])])
}

#[inline(always)]
fn bits(a: Array4, b: Array4, f: impl Fn(u32, u32) -> u32) -> Array4 {
    both(a, b, |a, b| f32::from_bits(f(a.to_bits(), b.to_bits())))
}

#[inline(always)]
fn mask(is: bool) -> f32 {
    f32::from_bits(if is { u32::MAX } else { 0 })
}

// Safety: it needs nothing of the CPU.
unsafe impl Lanes for Array4 {
    const WIDTH: usize = 4;
    const FUSED: bool = true;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Array4 {
        // Safety: the caller has four floats there.
        Array4(unsafe { from.cast::<[f32; 4]>().read_unaligned() })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // Safety: the caller has room for four floats there.
        unsafe { to.cast::<[f32; 4]>().write_unaligned(self.0) }
    }

    #[inline(always)]
    fn splat(x: f32) -> Array4 {
        Array4([x; 4])
    }

    #[inline(always)]
    fn splat_int(x: i32) -> Array4 {
        Array4([f32::from_bits(x as u32); 4])
    }

    #[inline(always)]
    fn add(self, other: Array4) -> Array4 {
        both(self, other, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, other: Array4) -> Array4 {
        both(self, other, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, other: Array4) -> Array4 {
        both(self, other, |a, b| a * b)
    }

    #[inline(always)]
    fn div(self, other: Array4) -> Array4 {
        both(self, other, |a, b| a / b)
    }

    #[inline(always)]
    fn sqrt(self) -> Array4 {
        each(self, f32::sqrt)
    }

    #[inline(always)]
    fn floor(self) -> Array4 {
        each(self, f32::floor)
    }

    #[inline(always)]
    fn fma(self, b: Array4, c: Array4) -> Array4 {
        let fma = |i: usize| self.0[i].mul_add(b.0[i], c.0[i]);
        Array4([fma(0), fma(1), fma(2), fma(3)])
    }

    #[inline(always)]
    fn fnma(self, b: Array4, c: Array4) -> Array4 {
        self.neg().fma(b, c)
    }

    #[inline(always)]
    fn fms(self, b: Array4, c: Array4) -> Array4 {
        self.fma(b, c.neg())
    }

    #[inline(always)]
    fn min(self, other: Array4) -> Array4 {
        both(self, other, |a, b| if b < a { b } else { a })
    }

    #[inline(always)]
    fn max(self, other: Array4) -> Array4 {
        both(self, other, |a, b| if a < b { b } else { a })
    }

    #[inline(always)]
    fn less(self, other: Array4) -> Array4 {
        both(self, other, |a, b| mask(a < b))
    }

    #[inline(always)]
    fn less_equal(self, other: Array4) -> Array4 {
        both(self, other, |a, b| mask(a <= b))
    }

    #[inline(always)]
    fn equal(self, other: Array4) -> Array4 {
        both(self, other, |a, b| mask(a == b))
    }

    #[inline(always)]
    fn and(self, other: Array4) -> Array4 {
        bits(self, other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Array4) -> Array4 {
        bits(self, other, |a, b| a | b)
    }

    #[inline(always)]
    fn xor(self, other: Array4) -> Array4 {
        bits(self, other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn and_not(self, other: Array4) -> Array4 {
        bits(self, other, |a, b| !a & b)
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.0.iter().any(|x| x.to_bits() >> 31 != 0)
    }

    #[inline(always)]
    fn to_int(self) -> Array4 {
        each(self, |x| f32::from_bits(x.round_ties_even() as i32 as u32))
    }

    #[inline(always)]
    fn int_to_float(self) -> Array4 {
        each(self, |x| x.to_bits() as i32 as f32)
    }

    #[inline(always)]
    fn add_int(self, other: Array4) -> Array4 {
        bits(self, other, u32::wrapping_add)
    }

    #[inline(always)]
    fn sub_int(self, other: Array4) -> Array4 {
        bits(self, other, u32::wrapping_sub)
    }

    #[inline(always)]
    fn shift_left<const BITS: i32>(self) -> Array4 {
        each(self, |x| f32::from_bits(x.to_bits() << BITS))
    }

    #[inline(always)]
    fn shift_right<const BITS: i32>(self) -> Array4 {
        each(self, |x| f32::from_bits((x.to_bits() as i32 >> BITS) as u32))
    }
}
