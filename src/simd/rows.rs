//! Loops over rows of lanes.

use super::LANE_GROUP;
use super::Lanes;

/// Where an operand is: a row, or one float for all lanes.
#[derive(Clone, Copy)]
pub struct From<S> {
    row: *const f32,
    uniform: S,
}

impl<S: Lanes> From<S> {
    /// # Safety
    /// `at` points to a float, or to a row if it is not `UNIFORM`.
    #[inline(always)]
    pub unsafe fn new<const UNIFORM: bool>(at: *const f32) -> From<S> {
        let uniform = if UNIFORM { unsafe { S::splat(*at) } } else { S::splat(0.0) };
        From { row: at, uniform }
    }

    /// # Safety
    /// There are [`Lanes::WIDTH`] lanes from `lane` on.
    #[inline(always)]
    pub unsafe fn get<const UNIFORM: bool>(self, lane: usize) -> S {
        if UNIFORM { self.uniform } else { unsafe { S::load(self.row.add(lane)) } }
    }
}

pub trait Unary {
    fn apply<S: Lanes>(a: S) -> S;
}

pub trait Binary {
    fn apply<S: Lanes>(a: S, b: S) -> S;
}

pub trait Ternary {
    fn apply<S: Lanes>(a: S, b: S, c: S) -> S;
}

/// From three rows, and up to three more, to one or three, or to three and their length.
pub trait OnVectors {
    /// Of the second operand.
    const ROWS: usize;
    const RESULTS: usize;
    fn apply<S: Lanes>(a: [S; 3], b: [S; 3]) -> [S; 3];
}

pub trait Quaternary {
    fn apply<S: Lanes>(a: S, b: S, c: S, d: S) -> S;
}

const _: () = assert!(LANE_GROUP.is_multiple_of(4 * 8));

/// Runs `step` for each vector of the lanes: four at a time where it has one row, else two. Fewer rounds
/// are fewer ends of loops, which the processor guesses wrong.
macro_rules! each_vector {
    ($S:ident, $rows:expr, $lanes:expr, |$at:ident| $step:expr) => {{
        let unroll = if $rows == 1 { 4 } else { 2 };
        let mut lane = 0;
        while lane < $lanes {
            for i in 0..unroll {
                let $at = lane + i * $S::WIDTH;
                $step
            }
            lane += unroll * $S::WIDTH;
        }
    }};
}

/// Rows of one operand.
type Operand<S, const ROWS: usize> = [From<S>; ROWS];

#[inline(always)]
unsafe fn operand<S: Lanes, const ROWS: usize, const UNIFORM: bool>(
    rows: [*const f32; 3],
) -> Operand<S, ROWS> {
    // Safety: what the caller promised.
    unsafe {
        let mut operand = [From::<S>::new::<UNIFORM>(rows[0]); ROWS];
        if ROWS == 3 {
            operand[1] = From::new::<UNIFORM>(rows[1]);
            operand[2] = From::new::<UNIFORM>(rows[2]);
        }
        operand
    }
}

// In all of these everything of a lane is read before anything of it is written, so a result may stand
// where an operand stands. A sum never does: it lives longer.

/// # Safety
/// The first `ROWS` of `dst` and of `a` are rows of at least `lanes` lanes, a multiple of [`LANE_GROUP`];
/// where an operand is uniform (`A`), each is one float instead. So for all operands of the next ones.
#[inline(always)]
pub unsafe fn unary<S: Lanes, O: Unary, const ROWS: usize, const A: bool>(
    dst: [*mut f32; 3],
    a: [*const f32; 3],
    lanes: usize,
) {
    unsafe {
        let a = operand::<S, ROWS, A>(a);
        each_vector!(S, ROWS, lanes, |at| {
            let mut results = [S::splat(0.0); ROWS];
            for row in 0..ROWS {
                results[row] = O::apply(a[row].get::<A>(at));
            }
            for row in 0..ROWS {
                results[row].store(dst[row].add(at));
            }
        });
    }
}

/// # Safety
/// See [`unary`].
#[inline(always)]
pub unsafe fn binary<S: Lanes, O: Binary, const ROWS: usize, const A: bool, const B: bool>(
    dst: [*mut f32; 3],
    [a, b]: [[*const f32; 3]; 2],
    lanes: usize,
) {
    unsafe {
        let (a, b) = (operand::<S, ROWS, A>(a), operand::<S, ROWS, B>(b));
        each_vector!(S, ROWS, lanes, |at| {
            let mut results = [S::splat(0.0); ROWS];
            for row in 0..ROWS {
                results[row] = O::apply(a[row].get::<A>(at), b[row].get::<B>(at));
            }
            for row in 0..ROWS {
                results[row].store(dst[row].add(at));
            }
        });
    }
}

/// # Safety
/// See [`unary`].
#[inline(always)]
pub unsafe fn ternary<S: Lanes, O: Ternary, const ROWS: usize, const B: bool, const C: bool>(
    dst: [*mut f32; 3],
    [a, b, c]: [[*const f32; 3]; 3],
    lanes: usize,
) {
    unsafe {
        let (a, b) = (operand::<S, ROWS, false>(a), operand::<S, ROWS, B>(b));
        let c = operand::<S, ROWS, C>(c);
        each_vector!(S, ROWS, lanes, |at| {
            let mut results = [S::splat(0.0); ROWS];
            for row in 0..ROWS {
                let (a, b) = (a[row].get::<false>(at), b[row].get::<B>(at));
                results[row] = O::apply(a, b, c[row].get::<C>(at));
            }
            for row in 0..ROWS {
                results[row].store(dst[row].add(at));
            }
        });
    }
}

/// The second and the fourth are uniform, or none.
///
/// # Safety
/// See [`unary`].
#[inline(always)]
pub unsafe fn quaternary<S: Lanes, O: Quaternary, const ROWS: usize, const U: bool>(
    dst: [*mut f32; 3],
    [a, b, c, d]: [[*const f32; 3]; 4],
    lanes: usize,
) {
    unsafe {
        let (a, b) = (operand::<S, ROWS, false>(a), operand::<S, ROWS, U>(b));
        let (c, d) = (operand::<S, ROWS, false>(c), operand::<S, ROWS, U>(d));
        each_vector!(S, ROWS, lanes, |at| {
            let mut results = [S::splat(0.0); ROWS];
            for row in 0..ROWS {
                let (a, b) = (a[row].get::<false>(at), b[row].get::<U>(at));
                results[row] = O::apply(a, b, c[row].get::<false>(at), d[row].get::<U>(at));
            }
            for row in 0..ROWS {
                results[row].store(dst[row].add(at));
            }
        });
    }
}

/// # Safety
/// See [`unary`]; `a` has three rows, `b` has `O::ROWS`, `dst` has `O::RESULTS`.
#[inline(always)]
pub unsafe fn on_vectors<S: Lanes, O: OnVectors, const A: bool, const B: bool>(
    dst: [*mut f32; 4],
    [a, b]: [[*const f32; 3]; 2],
    lanes: usize,
) {
    unsafe {
        let a = operand::<S, 3, A>(a);
        let b = match O::ROWS {
            0 => a,
            1 => [From::<S>::new::<B>(b[0]); 3],
            _ => operand::<S, 3, B>(b),
        };
        let zero = S::splat(0.0);
        each_vector!(S, 3, lanes, |at| {
            let x = [a[0].get::<A>(at), a[1].get::<A>(at), a[2].get::<A>(at)];
            let y = match O::ROWS {
                0 => [zero; 3],
                1 => [b[0].get::<B>(at); 3],
                _ => [b[0].get::<B>(at), b[1].get::<B>(at), b[2].get::<B>(at)],
            };
            let result = O::apply(x, y);
            result[0].store(dst[0].add(at));
            if O::RESULTS >= 3 {
                result[1].store(dst[1].add(at));
                result[2].store(dst[2].add(at));
            }
            if O::RESULTS == 4 {
                super::math::sqrt(super::math::dot(result, result)).store(dst[3].add(at));
            }
        });
    }
}

/// dst = (a · b) c.
///
/// # Safety
/// See [`unary`]: a and b have three rows, of c only the first is read.
#[inline(always)]
pub unsafe fn dot_scale<S: Lanes, const B: bool, const C: bool>(
    dst: *mut f32,
    [a, b, c]: [[*const f32; 3]; 3],
    lanes: usize,
) {
    unsafe {
        let (a, b) = (operand::<S, 3, false>(a), operand::<S, 3, B>(b));
        let c = From::<S>::new::<C>(c[0]);
        each_vector!(S, 3, lanes, |at| {
            let x = [a[0].get::<false>(at), a[1].get::<false>(at), a[2].get::<false>(at)];
            let y = [b[0].get::<B>(at), b[1].get::<B>(at), b[2].get::<B>(at)];
            super::math::dot(x, y).mul(c.get::<C>(at)).store(dst.add(at))
        });
    }
}

/// dst = max(min(a · scale, most), least).
///
/// # Safety
/// See [`unary`].
#[inline(always)]
pub unsafe fn scale_clamp<S: Lanes>(
    dst: *mut f32,
    a: *const f32,
    [scale, most, least]: [f32; 3],
    lanes: usize,
) {
    unsafe {
        let (scale, most, least) = (S::splat(scale), S::splat(most), S::splat(least));
        each_vector!(S, 1, lanes, |at| {
            S::load(a.add(at)).mul(scale).min(most).max(least).store(dst.add(at))
        });
    }
}

/// dst = numerator / (a + shift) − less.
///
/// # Safety
/// See [`unary`].
#[inline(always)]
pub unsafe fn shift_div<S: Lanes>(
    dst: *mut f32,
    a: *const f32,
    [numerator, shift, less]: [f32; 3],
    lanes: usize,
) {
    unsafe {
        let (numerator, shift) = (S::splat(numerator), S::splat(shift));
        let less = S::splat(less);
        each_vector!(S, 1, lanes, |at| {
            let shifted = S::load(a.add(at)).add(shift);
            super::math::divide(numerator, shifted).sub(less).store(dst.add(at))
        });
    }
}

/// dst = sin(a · scale). Angles are mostly small: where four vectors of them are, none is reduced. The
/// result is the same, because nothing is subtracted from a small one either way.
///
/// # Safety
/// See [`unary`].
#[inline(always)]
pub unsafe fn sin<S: Lanes>(dst: *mut f32, a: *const f32, scale: f32, lanes: usize) {
    unsafe {
        let scale = S::splat(scale);
        let mut lane = 0;
        while lane < lanes {
            let mut angles = [S::splat(0.0); 4];
            for (i, angle) in angles.iter_mut().enumerate() {
                *angle = S::load(a.add(lane + i * S::WIDTH)).mul(scale);
            }
            let [x, y, z, w] = angles;
            let largest = x.abs().max(y.abs()).max(z.abs().max(w.abs()));
            if S::splat(super::math::SMALL_ANGLE).less(largest).any() {
                for angle in &mut angles {
                    *angle = super::math::sin(*angle);
                }
            } else {
                for angle in &mut angles {
                    *angle = super::math::sin_reduced(*angle);
                }
            }
            for (i, sine) in angles.into_iter().enumerate() {
                sine.store(dst.add(lane + i * S::WIDTH));
            }
            lane += 4 * S::WIDTH;
        }
    }
}

/// dst = x b + ((x · c) d) c, x = a − e, all but a uniform.
///
/// # Safety
/// See [`unary`]: `dst` and `a` are three rows each, b, c and e three floats, of d only the first is read.
#[inline(always)]
pub unsafe fn stretch<S: Lanes>(
    dst: [*mut f32; 3],
    [a, b, c, d, e]: [[*const f32; 3]; 5],
    lanes: usize,
) {
    unsafe {
        let (a, b) = (operand::<S, 3, false>(a), operand::<S, 3, true>(b));
        let (c, d) = (operand::<S, 3, true>(c), From::<S>::new::<true>(d[0]));
        let e = operand::<S, 3, true>(e);
        each_vector!(S, 3, lanes, |at| {
            let x = [
                a[0].get::<false>(at).sub(e[0].get::<true>(at)),
                a[1].get::<false>(at).sub(e[1].get::<true>(at)),
                a[2].get::<false>(at).sub(e[2].get::<true>(at)),
            ];
            let axis = [c[0].get::<true>(at), c[1].get::<true>(at), c[2].get::<true>(at)];
            let along = super::math::dot(x, axis).mul(d.get::<true>(at));
            for row in 0..3 {
                x[row].fma(b[row].get::<true>(at), along.mul(axis[row])).store(dst[row].add(at));
            }
        });
    }
}

/// dst = (Σ direction · by) · scale + f, directions uniform.
///
/// # Safety
/// See [`unary`]: `dst` and f are three rows each, a and c one row each, b and d three floats each.
#[inline(always)]
pub unsafe fn fma2_fma<S: Lanes>(
    dst: [*mut f32; 3],
    [b, d]: [[*const f32; 3]; 2],
    [a, c]: [*const f32; 2],
    scale: f32,
    f: [*const f32; 3],
    lanes: usize,
) {
    unsafe {
        let (b, d) = (operand::<S, 3, true>(b), operand::<S, 3, true>(d));
        let (f, scale) = (operand::<S, 3, false>(f), S::splat(scale));
        each_vector!(S, 3, lanes, |at| {
            let (x, y) = (S::load(a.add(at)), S::load(c.add(at)));
            let mut results = [S::splat(0.0); 3];
            for row in 0..3 {
                let both = x.fma(b[row].get::<true>(at), y.mul(d[row].get::<true>(at)));
                results[row] = both.fma(scale, f[row].get::<false>(at));
            }
            for row in 0..3 {
                results[row].store(dst[row].add(at));
            }
        });
    }
}

/// dst += weight · (a + (b · c − d · e − f)), c and e one row each, f uniform.
///
/// # Safety
/// See [`sum`]: `dst`, a, b and d are three rows each, c and e one row each, f is three floats.
#[inline(always)]
pub unsafe fn sum_fms2<S: Lanes>(
    dst: [*mut f32; 3],
    a: [*const f32; 3],
    [b, d]: [[*const f32; 3]; 2],
    [c, e]: [*const f32; 2],
    f: [*const f32; 3],
    weights: *const f32,
    lanes: usize,
) {
    unsafe {
        let (a, f) = (operand::<S, 3, false>(a), operand::<S, 3, true>(f));
        let (b, d) = (operand::<S, 3, false>(b), operand::<S, 3, false>(d));
        each_vector!(S, 3, lanes, |at| {
            let weight = S::load(weights.add(at));
            let (x, y) = (S::load(c.add(at)), S::load(e.add(at)));
            for row in 0..3 {
                let other = d[row].get::<false>(at).mul(y);
                let difference = b[row].get::<false>(at).fms(x, other);
                let summand = a[row].get::<false>(at).add(difference.sub(f[row].get::<true>(at)));
                weight.fma(summand, S::load(dst[row].add(at))).store(dst[row].add(at));
            }
        });
    }
}

/// dst += weight · a.
///
/// # Safety
/// See [`unary`]; `weights` is a row too.
#[inline(always)]
pub unsafe fn sum<S: Lanes, const ROWS: usize, const A: bool>(
    dst: [*mut f32; 3],
    a: [*const f32; 3],
    weights: *const f32,
    lanes: usize,
) {
    unsafe {
        let a = operand::<S, ROWS, A>(a);
        each_vector!(S, ROWS, lanes, |at| {
            let weight = S::load(weights.add(at));
            for row in 0..ROWS {
                let sum = S::load(dst[row].add(at));
                weight.fma(a[row].get::<A>(at), sum).store(dst[row].add(at));
            }
        });
    }
}

/// dst += weight · O(a, b).
///
/// # Safety
/// See [`sum`].
#[inline(always)]
pub unsafe fn sum2<S: Lanes, O: Binary, const ROWS: usize, const A: bool, const B: bool>(
    dst: [*mut f32; 3],
    [a, b]: [[*const f32; 3]; 2],
    weights: *const f32,
    lanes: usize,
) {
    unsafe {
        let (a, b) = (operand::<S, ROWS, A>(a), operand::<S, ROWS, B>(b));
        each_vector!(S, ROWS, lanes, |at| {
            let weight = S::load(weights.add(at));
            for row in 0..ROWS {
                let summand = O::apply(a[row].get::<A>(at), b[row].get::<B>(at));
                let sum = S::load(dst[row].add(at));
                weight.fma(summand, sum).store(dst[row].add(at));
            }
        });
    }
}

/// dst += weight · (a + (b − c)), c uniform.
///
/// # Safety
/// See [`sum`].
#[inline(always)]
pub unsafe fn sum_add_sub<S: Lanes, const ROWS: usize>(
    dst: [*mut f32; 3],
    [a, b, c]: [[*const f32; 3]; 3],
    weights: *const f32,
    lanes: usize,
) {
    unsafe {
        let (a, b) = (operand::<S, ROWS, false>(a), operand::<S, ROWS, false>(b));
        let c = operand::<S, ROWS, true>(c);
        each_vector!(S, ROWS, lanes, |at| {
            let weight = S::load(weights.add(at));
            for row in 0..ROWS {
                let difference = b[row].get::<false>(at).sub(c[row].get::<true>(at));
                let summand = a[row].get::<false>(at).add(difference);
                let sum = S::load(dst[row].add(at));
                weight.fma(summand, sum).store(dst[row].add(at));
            }
        });
    }
}
