//! Linear blend and dual quaternion skinning of one block: as [`crate::rig::skinning`], all lanes at
//! once. A block's bindings are the same for all its lanes, so a matrix is broadcast, never gathered.

use super::math::{cross, dot, is_sane};
use super::rows::RowFile;
use super::{Lanes, Simd, array};
use crate::eval::blocks::{LANE_GROUP, MOST_LANES};
use crate::rig::Base;

/// Floats of one binding's part: a matrix in columns, or real and dual quaternion and stretch.
pub const MATRIX: usize = 12;
pub const RIGID: usize = 17;

/// One block to skin. Rows of bind and rest vertices follow each other: x, y, z.
pub struct SkinWork<'a> {
    pub base: Base,
    /// Of all bindings, [`MATRIX`] or [`RIGID`] floats each.
    pub parts: &'a [f32],
    /// The block's bindings, and a row of weights for each.
    pub bindings: &'a [u32],
    pub weights: &'a [f32],
    pub bind_positions: &'a [f32],
    pub rest_positions: &'a [f32],
    /// In place of normals: none are wanted.
    pub normals: Option<Normals<'a>>,
    /// Per lane which of the block's bindings is strongest; −1 where there is none. For dual
    /// quaternions only.
    pub pivots: &'a [f32],
    pub lanes: usize,
}

#[derive(Clone, Copy)]
pub struct Normals<'a> {
    pub bind: &'a [f32],
    pub rest: &'a [f32],
}

impl SkinWork<'_> {
    fn check(&self, rows: &RowFile) {
        let lanes = self.lanes;
        assert!(lanes <= MOST_LANES && lanes.is_multiple_of(LANE_GROUP));
        assert!(rows.count() >= 6);
        assert!(self.weights.len() >= self.bindings.len() * lanes);
        assert!(self.bind_positions.len() >= 3 * lanes && self.rest_positions.len() >= 3 * lanes);
        let part = if self.base == Base::Lbs { MATRIX } else { RIGID };
        assert!(self.bindings.iter().all(|&b| (b as usize + 1) * part <= self.parts.len()));
        assert!(self.base == Base::Lbs || self.pivots.len() >= lanes);
        if let Some(normals) = self.normals {
            assert!(normals.bind.len() >= 3 * lanes && normals.rest.len() >= 3 * lanes);
        }
    }
}

/// Positions go to rows 0 to 2, normals to 3 to 5. Where there is no usable result stands the rest pose.
pub fn skin(simd: Simd, work: &SkinWork, rows: &mut RowFile) {
    work.check(rows);
    assert!(simd.is_there());
    // Safety: the CPU has what the width needs, and all lists are long enough.
    unsafe {
        match simd {
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => skin_avx2(work, rows),
            #[cfg(target_arch = "x86_64")]
            Simd::Fma4 => skin_fma4(work, rows),
            #[cfg(target_arch = "x86_64")]
            Simd::Baseline4 => skin_on::<super::x86::Sse2>(work, rows),
            _ => skin_on::<array::Array4>(work, rows),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn skin_avx2(work: &SkinWork, rows: &mut RowFile) {
    // Safety: the caller has checked the work, and the CPU has the features of this function.
    unsafe { skin_on::<super::x86::Avx2>(work, rows) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx,fma")]
fn skin_fma4(work: &SkinWork, rows: &mut RowFile) {
    // Safety: as above.
    unsafe { skin_on::<super::x86::Fma4>(work, rows) }
}

#[inline(always)]
unsafe fn skin_on<S: Lanes>(work: &SkinWork, rows: &mut RowFile) {
    let out = Out { rows: rows.pointer_mut() };
    // Safety: the lists were checked.
    unsafe {
        match (work.base, work.normals) {
            (Base::Lbs, None) => blend_points::<S>(work, out),
            (Base::Lbs, Some(normals)) => {
                for lane in (0..work.lanes).step_by(S::WIDTH) {
                    let (matrix, shift) = blend_matrices::<S>(work, lane);
                    let bind = load3::<S>(work.bind_positions, work.lanes, lane);
                    out.position(work, lane, add3(apply(&matrix, bind), shift));
                    out.normal(normals, work.lanes, lane, &matrix);
                }
            }
            (Base::Dqs, normals) => {
                for lane in (0..work.lanes).step_by(S::WIDTH) {
                    let (matrix, shift) = blend_rigid::<S>(work, lane);
                    let bind = load3::<S>(work.bind_positions, work.lanes, lane);
                    out.position(work, lane, add3(apply(&matrix, bind), shift));
                    if let Some(normals) = normals {
                        out.normal(normals, work.lanes, lane, &matrix);
                    }
                }
            }
        }
    }
}

#[inline(always)]
unsafe fn load3<S: Lanes>(rows: &[f32], lanes: usize, lane: usize) -> [S; 3] {
    // Safety: the caller has three rows.
    [0, 1, 2].map(|i| unsafe { S::load(rows.as_ptr().add(i * lanes + lane)) })
}

#[inline(always)]
fn add3<S: Lanes>(a: [S; 3], b: [S; 3]) -> [S; 3] {
    [a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2])]
}

/// Columns times a vector.
#[inline(always)]
fn apply<S: Lanes>(columns: &[[S; 3]; 3], v: [S; 3]) -> [S; 3] {
    [0, 1, 2].map(|i| columns[2][i].fma(v[2], columns[1][i].fma(v[1], columns[0][i].mul(v[0]))))
}

/// Σ w (M p): for points alone less work than blending matrices, as each is multiplied once.
#[inline(always)]
unsafe fn blend_points<S: Lanes>(work: &SkinWork, out: Out) {
    const UNROLL: usize = 2;
    unsafe {
        for lane in (0..work.lanes).step_by(UNROLL * S::WIDTH) {
            let at = |i: usize| lane + i * S::WIDTH;
            let p: [[S; 3]; UNROLL] =
                [0, 1].map(|i| load3::<S>(work.bind_positions, work.lanes, at(i)));
            let mut sum = [[S::splat(0.0); 3]; UNROLL];
            for (row, &binding) in work.bindings.iter().enumerate() {
                let weights = work.weights.as_ptr().add(row * work.lanes);
                let w = [0, 1].map(|i| S::load(weights.add(at(i))));
                let m = work.parts.as_ptr().add(binding as usize * MATRIX);
                for c in 0..3 {
                    let [x, y, z, t] = [0, 3, 6, 9].map(|column| S::splat(*m.add(column + c)));
                    for i in 0..UNROLL {
                        let moved = z.fma(p[i][2], y.fma(p[i][1], x.fma(p[i][0], t)));
                        sum[i][c] = w[i].fma(moved, sum[i][c]);
                    }
                }
            }
            for (i, sum) in sum.into_iter().enumerate() {
                out.position(work, at(i), sum);
            }
        }
    }
}

/// Columns of the blended matrix, and its translation.
#[inline(always)]
unsafe fn blend_matrices<S: Lanes>(work: &SkinWork, lane: usize) -> ([[S; 3]; 3], [S; 3]) {
    let zero = S::splat(0.0);
    let mut sum = [[zero; 3]; 4];
    for (row, &binding) in work.bindings.iter().enumerate() {
        unsafe {
            let w = S::load(work.weights.as_ptr().add(row * work.lanes + lane));
            let m = work.parts.as_ptr().add(binding as usize * MATRIX);
            for (column, sum) in sum.iter_mut().enumerate() {
                for (i, sum) in sum.iter_mut().enumerate() {
                    *sum = w.fma(S::splat(*m.add(column * 3 + i)), *sum);
                }
            }
        }
    }
    ([sum[0], sum[1], sum[2]], sum[3])
}

/// The matrix of blended dual quaternions after a blended stretch. See
/// [`crate::rig::skinning::Rigid`].
#[inline(always)]
unsafe fn blend_rigid<S: Lanes>(work: &SkinWork, lane: usize) -> ([[S; 3]; 3], [S; 3]) {
    let (zero, one) = (S::splat(0.0), S::splat(1.0));
    let part = |binding: u32, i: usize| {
        // Safety: the list of bindings was checked.
        S::splat(unsafe { *work.parts.as_ptr().add(binding as usize * RIGID + i) })
    };
    // Safety: there is a pivot per lane.
    let strongest = unsafe { S::load(work.pivots.as_ptr().add(lane)) };
    let mut pivot = [zero; 4];
    for (row, &binding) in work.bindings.iter().enumerate() {
        let is_it = strongest.equal(S::splat(row as f32));
        pivot = [0, 1, 2, 3].map(|i| S::select(is_it, part(binding, i), pivot[i]));
    }
    let (mut real, mut dual, mut stretch) = ([zero; 4], [zero; 4], [[zero; 3]; 3]);
    for (row, &binding) in work.bindings.iter().enumerate() {
        // Safety: there is a row of weights per binding.
        let w = unsafe { S::load(work.weights.as_ptr().add(row * work.lanes + lane)) };
        let q = [0, 1, 2, 3].map(|i| part(binding, i));
        // q and −q are one rotation: all to the side of the strongest.
        let side = q[3].fma(pivot[3], dot([q[0], q[1], q[2]], [pivot[0], pivot[1], pivot[2]]));
        let signed = w.xor(side.less(zero).and(S::splat_int(i32::MIN)));
        for i in 0..4 {
            real[i] = signed.fma(q[i], real[i]);
            dual[i] = signed.fma(part(binding, 4 + i), dual[i]);
        }
        for (column, sum) in stretch.iter_mut().enumerate() {
            for (i, sum) in sum.iter_mut().enumerate() {
                *sum = w.fma(part(binding, 8 + column * 3 + i), *sum);
            }
        }
    }
    let square =
        real[3].fma(real[3], dot([real[0], real[1], real[2]], [real[0], real[1], real[2]]));
    let inverse = one.div(square.sqrt());
    let (real, dual) = (real.map(|x| x.mul(inverse)), dual.map(|x| x.mul(inverse)));
    let axis = [real[0], real[1], real[2]];
    let shift = [dual[0], dual[1], dual[2]];
    // The vector part of 2 q_dual q_real*.
    let turned = cross(axis, shift);
    let shift = [0, 1, 2].map(|i| {
        let half = dual[3].fnma(axis[i], real[3].fma(shift[i], turned[i]));
        half.add(half)
    });
    let rotate = |v: [S; 3]| {
        let inner = cross(axis, v);
        let inner = [0, 1, 2].map(|i| real[3].fma(v[i], inner[i]));
        let outer = cross(axis, inner);
        [0, 1, 2].map(|i| v[i].add(outer[i].add(outer[i])))
    };
    let matrix = stretch.map(rotate);
    // A vertex that hangs on nothing stays where it is.
    let hangs = zero.less_equal(strongest);
    let matrix = [0, 1, 2].map(|column| {
        [0, 1, 2].map(|i| {
            let identity = if i == column { one } else { zero };
            S::select(hangs, matrix[column][i], identity)
        })
    });
    (matrix, shift.map(|x| S::select(hangs, x, zero)))
}

/// Where skinned vertices go.
#[derive(Clone, Copy)]
struct Out {
    rows: *mut f32,
}

impl Out {
    #[inline(always)]
    unsafe fn store<S: Lanes>(self, first_row: usize, lane: usize, v: [S; 3]) {
        for (i, x) in v.into_iter().enumerate() {
            // Safety: there are six rows.
            unsafe { x.store(self.rows.add((first_row + i) * super::STRIDE + lane)) }
        }
    }

    #[inline(always)]
    unsafe fn position<S: Lanes>(self, work: &SkinWork, lane: usize, p: [S; 3]) {
        // Safety: the lists were checked.
        unsafe {
            let rest = load3::<S>(work.rest_positions, work.lanes, lane);
            self.store(0, lane, usable_or(p, rest));
        }
    }

    /// The cofactors carry a normal; the sign of the determinant keeps it outside under a mirror.
    #[inline(always)]
    unsafe fn normal<S: Lanes>(self, normals: Normals, lanes: usize, lane: usize, m: &[[S; 3]; 3]) {
        // Safety: the lists were checked.
        let (bind, rest) = unsafe {
            (load3::<S>(normals.bind, lanes, lane), load3::<S>(normals.rest, lanes, lane))
        };
        let cofactors = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])];
        let turned = apply(&cofactors, bind);
        let zero = S::splat(0.0);
        let largest = zero.max(turned[0].abs()).max(turned[1].abs()).max(turned[2].abs());
        // To unit size first: squares of small numbers end at 1e-38.
        let unit = turned.map(|x| x.div(largest));
        let inverse = S::splat(1.0).div(dot(unit, unit).sqrt());
        let sign = dot(m[0], cofactors[0]).less(zero).and(S::splat_int(i32::MIN));
        let is_usable = zero.less(largest).and(largest.less_equal(S::splat(f32::MAX)));
        let found =
            [0, 1, 2].map(|i| S::select(is_usable, unit[i].mul(inverse).xor(sign), bind[i]));
        // Safety: there are six rows.
        unsafe { self.store(3, lane, usable_or(found, rest)) }
    }
}

#[inline(always)]
fn usable_or<S: Lanes>(found: [S; 3], rest: [S; 3]) -> [S; 3] {
    let sane = is_sane(found[0]).and(is_sane(found[1])).and(is_sane(found[2]));
    [0, 1, 2].map(|i| S::select(sane, found[i], rest[i]))
}
