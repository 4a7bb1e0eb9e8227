//! Linear blend and dual quaternion skinning of one block: as `skinning` of `jounce-rig`, all lanes at
//! once. A block's bindings are the same for all its lanes, so a matrix is broadcast, never gathered.

use super::math::{cross, dot, is_sane, sane_or, scale, select3};
use super::row_file::RowFile;
use super::{LANE_GROUP, MOST_LANES};
use super::{Lanes, Simd};
use jounce_base::Base;

/// Floats of one binding's part: a matrix in columns, or real and dual quaternion and stretch.
pub const MATRIX: usize = 12;
pub const RIGID: usize = 17;

/// One block to skin. Rows of bind and rest vertices follow each other: x, y, z.
pub struct SkinWork<'a> {
    pub base: Base,
    /// Linear blending cannot give an absurd position: nothing need be replaced by the rest pose.
    pub is_surely_sane: bool,
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

/// Skinning for one width of vectors.
pub struct Skinner {
    /// Only for work that was checked.
    run: unsafe fn(&SkinWork, &mut RowFile),
}

impl Skinner {
    /// A width that this machine does not have is replaced by the plainest.
    pub fn new(simd: Simd) -> Skinner {
        let run: unsafe fn(&SkinWork, &mut RowFile) = match simd {
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 if simd.is_there() => skin_avx2,
            #[cfg(all(target_arch = "x86_64", feature = "every-simd"))]
            Simd::Fma4 if simd.is_there() => skin_fma4,
            #[cfg(all(target_arch = "x86_64", feature = "every-simd"))]
            Simd::Array4 => skin_on::<super::array::Array4>,
            #[cfg(target_arch = "x86_64")]
            _ => skin_on::<super::x86::Sse2>,
            #[cfg(not(target_arch = "x86_64"))]
            _ => skin_on::<super::array::Array4>,
        };
        Skinner { run }
    }

    /// Positions go to rows 0 to 2, normals to 3 to 5. Where there is no usable result stands the rest
    /// pose.
    pub fn skin(&self, work: &SkinWork, rows: &mut RowFile) {
        work.check(rows);
        // Safety: the CPU has what the width needs, and all lists are long enough.
        unsafe { (self.run)(work, rows) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn skin_avx2(work: &SkinWork, rows: &mut RowFile) {
    // Safety: the caller has checked the work, and the CPU has the features of this function.
    unsafe { skin_on::<super::x86::Avx2>(work, rows) }
}

#[cfg(all(target_arch = "x86_64", feature = "every-simd"))]
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
            // Positions are the same to the last bit whether or not normals are wanted.
            (Base::Lbs, normals) => {
                match work.is_surely_sane {
                    true => blend_points::<S, true>(work, out),
                    false => blend_points::<S, false>(work, out),
                }
                let Some(normals) = normals else { return };
                for lane in (0..work.lanes).step_by(S::WIDTH) {
                    out.normal(normals, work.lanes, lane, &blend_matrices::<S>(work, lane));
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
    let first = rows.as_ptr().wrapping_add(lane);
    // Safety: the caller has three rows.
    unsafe { [S::load(first), S::load(first.add(lanes)), S::load(first.add(2 * lanes))] }
}

#[inline(always)]
fn splat3<S: Lanes>(v: [f32; 3]) -> [S; 3] {
    [S::splat(v[0]), S::splat(v[1]), S::splat(v[2])]
}

/// a · s + c.
#[inline(always)]
fn fma3<S: Lanes>(a: [S; 3], s: S, c: [S; 3]) -> [S; 3] {
    [a[0].fma(s, c[0]), a[1].fma(s, c[1]), a[2].fma(s, c[2])]
}

/// A vec3 and a scalar: x, y, z, w.
type Quaternion<S> = ([S; 3], S);

/// a · s + c.
#[inline(always)]
fn fma4<S: Lanes>(a: Quaternion<S>, s: S, c: Quaternion<S>) -> Quaternion<S> {
    (fma3(a.0, s, c.0), a.1.fma(s, c.1))
}

#[inline(always)]
fn add3<S: Lanes>(a: [S; 3], b: [S; 3]) -> [S; 3] {
    [a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2])]
}

/// Columns times a vector.
#[inline(always)]
fn apply<S: Lanes>(columns: &[[S; 3]; 3], v: [S; 3]) -> [S; 3] {
    fma3(columns[2], v[2], fma3(columns[1], v[1], scale(columns[0], v[0])))
}

/// Three floats of a part.
#[inline(always)]
unsafe fn read3(from: *const f32) -> [f32; 3] {
    // Safety: the caller has them there.
    unsafe { [*from, *from.add(1), *from.add(2)] }
}

/// Σ w (M p): for points alone less work than blending matrices, as each is multiplied once.
///
/// Two vectors at a time and one component after the other: so everything stays in registers. All three
/// at once would be fewer loops, but their sums go through memory, which takes half as long again.
#[inline(always)]
unsafe fn blend_points<S: Lanes, const SANE: bool>(work: &SkinWork, out: Out) {
    unsafe {
        for lane in (0..work.lanes).step_by(2 * S::WIDTH) {
            let next = lane + S::WIDTH;
            let p = load3::<S>(work.bind_positions, work.lanes, lane);
            let q = load3::<S>(work.bind_positions, work.lanes, next);
            let zero = S::splat(0.0);
            let (mut sum, mut next_sum) = ([zero; 3], [zero; 3]);
            for component in 0..3 {
                let (mut blended, mut next_blended) = (zero, zero);
                let mut weights = work.weights.as_ptr().add(lane);
                for &binding in work.bindings {
                    let m = work.parts.as_ptr().add(binding as usize * MATRIX + component);
                    let (x, y) = (S::splat(*m), S::splat(*m.add(3)));
                    let (z, shift) = (S::splat(*m.add(6)), S::splat(*m.add(9)));
                    let moved = z.fma(p[2], y.fma(p[1], x.fma(p[0], shift)));
                    let next_moved = z.fma(q[2], y.fma(q[1], x.fma(q[0], shift)));
                    blended = moved.fma(S::load(weights), blended);
                    next_blended = next_moved.fma(S::load(weights.add(S::WIDTH)), next_blended);
                    weights = weights.wrapping_add(work.lanes);
                }
                if SANE {
                    out.store1(component, lane, blended);
                    out.store1(component, next, next_blended);
                } else {
                    (sum[component], next_sum[component]) = (blended, next_blended);
                }
            }
            if !SANE {
                out.position(work, lane, sum);
                out.position(work, next, next_sum);
            }
        }
    }
}

/// Columns of the blended matrix, without its translation.
#[inline(always)]
unsafe fn blend_matrices<S: Lanes>(work: &SkinWork, lane: usize) -> [[S; 3]; 3] {
    let zero = [S::splat(0.0); 3];
    let (mut x, mut y, mut z) = (zero, zero, zero);
    for (row, &binding) in work.bindings.iter().enumerate() {
        // Safety: the lists were checked.
        unsafe {
            let w = S::load(work.weights.as_ptr().add(row * work.lanes + lane));
            let m = work.parts.as_ptr().add(binding as usize * MATRIX);
            x = fma3(splat3(read3(m)), w, x);
            y = fma3(splat3(read3(m.add(3))), w, y);
            z = fma3(splat3(read3(m.add(6))), w, z);
        }
    }
    [x, y, z]
}

/// A rotation, a dual part and a stretch, as `Rigid` of `jounce-rig` has them.
#[inline(always)]
unsafe fn quaternion<S: Lanes>(from: *const f32) -> Quaternion<S> {
    // Safety: the caller has four floats there.
    unsafe { (splat3(read3(from)), S::splat(*from.add(3))) }
}

/// The matrix of blended dual quaternions after a blended stretch.
#[inline(always)]
unsafe fn blend_rigid<S: Lanes>(work: &SkinWork, lane: usize) -> ([[S; 3]; 3], [S; 3]) {
    let (zero, one) = (S::splat(0.0), S::splat(1.0));
    let nothing = [zero; 3];
    // Safety of all: the lists were checked.
    let strongest = unsafe { S::load(work.pivots.as_ptr().add(lane)) };
    let mut pivot = (nothing, zero);
    for (row, &binding) in work.bindings.iter().enumerate() {
        let is_it = strongest.equal(S::splat(row as f32));
        let q = unsafe { quaternion::<S>(work.parts.as_ptr().add(binding as usize * RIGID)) };
        pivot = (select3(is_it, q.0, pivot.0), S::select(is_it, q.1, pivot.1));
    }
    let (mut real, mut dual) = ((nothing, zero), (nothing, zero));
    let (mut x, mut y, mut z) = (nothing, nothing, nothing);
    for (row, &binding) in work.bindings.iter().enumerate() {
        unsafe {
            let w = S::load(work.weights.as_ptr().add(row * work.lanes + lane));
            let part = work.parts.as_ptr().add(binding as usize * RIGID);
            let q = quaternion::<S>(part);
            // q and −q are one rotation: all to the side of the strongest.
            let side = q.1.fma(pivot.1, dot(q.0, pivot.0));
            let signed = w.xor(side.less(zero).and(S::splat_int(i32::MIN)));
            real = fma4(q, signed, real);
            dual = fma4(quaternion::<S>(part.add(4)), signed, dual);
            x = fma3(splat3(read3(part.add(8))), w, x);
            y = fma3(splat3(read3(part.add(11))), w, y);
            z = fma3(splat3(read3(part.add(14))), w, z);
        }
    }
    let inverse = one.div(real.1.fma(real.1, dot(real.0, real.0)).sqrt());
    let real = (scale(real.0, inverse), real.1.mul(inverse));
    let dual = (scale(dual.0, inverse), dual.1.mul(inverse));
    // The vector part of 2 q_dual q_real*.
    let half = fma3(real.0, dual.1.neg(), fma3(dual.0, real.1, cross(real.0, dual.0)));
    let shift = add3(half, half);
    // A vertex that hangs on nothing stays where it is.
    let hangs = zero.less_equal(strongest);
    let matrix = [
        select3(hangs, rotate(real, x), [one, zero, zero]),
        select3(hangs, rotate(real, y), [zero, one, zero]),
        select3(hangs, rotate(real, z), [zero, zero, one]),
    ];
    (matrix, select3(hangs, shift, nothing))
}

/// v + 2 q × (q × v + w v).
#[inline(always)]
fn rotate<S: Lanes>((axis, w): Quaternion<S>, v: [S; 3]) -> [S; 3] {
    let outer = cross(axis, fma3(v, w, cross(axis, v)));
    add3(v, add3(outer, outer))
}

/// Where skinned vertices go.
#[derive(Clone, Copy)]
struct Out {
    rows: *mut f32,
}

impl Out {
    #[inline(always)]
    unsafe fn store1<S: Lanes>(self, row: usize, lane: usize, x: S) {
        // Safety: there are six rows.
        unsafe { x.store(self.rows.add(row * super::STRIDE + lane)) }
    }

    #[inline(always)]
    unsafe fn store<S: Lanes>(self, first_row: usize, lane: usize, v: [S; 3]) {
        // Safety: as above.
        unsafe {
            self.store1(first_row, lane, v[0]);
            self.store1(first_row + 1, lane, v[1]);
            self.store1(first_row + 2, lane, v[2]);
        }
    }

    #[inline(always)]
    unsafe fn position<S: Lanes>(self, work: &SkinWork, lane: usize, p: [S; 3]) {
        let sane = is_sane(p[0]).and(is_sane(p[1])).and(is_sane(p[2]));
        // Rarely: the rest pose is not even read where all is well.
        let is_absurd = sane.xor(S::splat_int(-1)).any();
        // Safety: the lists were checked.
        unsafe {
            let p = match is_absurd {
                true => select3(sane, p, load3::<S>(work.rest_positions, work.lanes, lane)),
                false => p,
            };
            self.store(0, lane, p);
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
        let unit = [turned[0].div(largest), turned[1].div(largest), turned[2].div(largest)];
        let inverse = S::splat(1.0).div(dot(unit, unit).sqrt());
        let sign = dot(m[0], cofactors[0]).less(zero).and(S::splat_int(i32::MIN));
        let is_usable = zero.less(largest).and(largest.less_equal(S::splat(f32::MAX)));
        let found = select3(is_usable, scale(unit, inverse.xor(sign)), bind);
        // Safety: there are six rows.
        unsafe { self.store(3, lane, sane_or(found, rest)) }
    }
}
