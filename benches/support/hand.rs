//! The same mathematics by hand: AVX2 and FMA, one fused loop, nothing but what the equations need.
//!
//! p = Σ w M r; p' = p + Σ up (floppyT + floppyR + squashT + squashR), over the same blocks as the VM.

use glam::{DVec3, Vec3};
use jounce::eval::blocks::{Blocks, NO_VERTEX};
use std::arch::x86_64::*;

/// Operations of one lane, a fused multiply-add counted as two, comparisons and masks not at all. Turning
/// speed 19, travelling squash 21, turning squash 33, floppy 59, lag 3, weighted sum 6.
pub const FLOPS_PER_PAIR: f64 = 141.0;
pub const FLOPS_PER_BINDING: f64 = 24.0;

/// The sliders of `velocity-skinning.jounce`.
#[derive(Clone, Copy)]
pub struct Sliders {
    pub floppy: f64,
    pub max_angle: f64,
    pub squash: f64,
    pub max_stretch: f64,
    pub size: f64,
}

/// What the loop needs of a bone.
#[derive(Clone, Copy, Default)]
pub struct HandBone {
    is_moving: bool,
    origin: [f32; 3],
    centroid: [f32; 3],
    omega: [f32; 3],
    axis: [f32; 3],
    along: [f32; 3],
    stretch_along: f32,
    stretch_across: f32,
    /// From the joint to the point that a turning bone squashes about.
    offset: [f32; 3],
    e: [f32; 3],
    q: [f32; 3],
    e_faded: [f32; 3],
    q_faded: [f32; 3],
    lag: [f32; 3],
}

fn direction(v: DVec3) -> DVec3 {
    if v.length_squared() >= 1e-20 { v.normalize() } else { DVec3::ZERO }
}

impl HandBone {
    pub fn new(s: &Sliders, origin: DVec3, centroid: DVec3, v: DVec3, omega: DVec3) -> HandBone {
        let single = |v: DVec3| v.as_vec3().to_array();
        let stretch = (s.squash * v.length() / s.size).clamp(-0.8, s.max_stretch - 1.0);
        let across = 1.0 / (1.0 + stretch).sqrt() - 1.0;
        let (m, axis) = (direction(centroid - origin), direction(omega));
        let sweep = m.cross(axis);
        let e = direction(sweep);
        let q = m.cross(e);
        let t = (sweep.length() / 0.1).clamp(0.0, 1.0);
        let fade = t * t * (3.0 - 2.0 * t);
        HandBone {
            is_moving: v != DVec3::ZERO || omega != DVec3::ZERO,
            origin: single(origin),
            centroid: single(centroid),
            omega: single(omega),
            axis: single(axis),
            along: single(direction(v)),
            stretch_along: (stretch - across) as f32,
            stretch_across: if v == DVec3::ZERO { 0.0 } else { across as f32 },
            offset: [0.0; 3],
            e: single(e),
            q: single(q),
            e_faded: single(e * fade),
            q_faded: single(q * fade),
            lag: single(v * s.floppy),
        }
    }
}

/// The bind positions in the order of lanes, per block x, y and z.
pub fn bind_rows(blocks: &Blocks, positions: &[Vec3]) -> Vec<f32> {
    let mut rows = vec![0.0; blocks.lane_count() * 3];
    for block in &blocks.blocks {
        for lane in 0..block.lanes {
            let vertex = blocks.vertex_of_lane[block.first_lane + lane];
            if vertex != NO_VERTEX {
                let p = positions[vertex as usize].to_array();
                for (i, x) in p.into_iter().enumerate() {
                    rows[block.first_lane * 3 + i * block.lanes + lane] = x;
                }
            }
        }
    }
    rows
}

/// Everything of one frame.
pub struct Hand<'a> {
    pub blocks: &'a Blocks,
    pub bind: &'a [f32],
    /// 12 floats per binding, columns first.
    pub matrices: &'a [f32],
    pub bones: &'a [HandBone],
    pub sliders: Sliders,
}

#[derive(Clone, Copy)]
struct V3(__m256, __m256, __m256);

#[inline(always)]
unsafe fn splat(v: [f32; 3]) -> V3 {
    unsafe { V3(_mm256_set1_ps(v[0]), _mm256_set1_ps(v[1]), _mm256_set1_ps(v[2])) }
}

#[inline(always)]
unsafe fn dot(a: V3, b: V3) -> __m256 {
    unsafe { _mm256_fmadd_ps(a.2, b.2, _mm256_fmadd_ps(a.1, b.1, _mm256_mul_ps(a.0, b.0))) }
}

#[inline(always)]
unsafe fn sub(a: V3, b: V3) -> V3 {
    unsafe { V3(_mm256_sub_ps(a.0, b.0), _mm256_sub_ps(a.1, b.1), _mm256_sub_ps(a.2, b.2)) }
}

/// a · s + c.
#[inline(always)]
unsafe fn fma(a: V3, s: __m256, c: V3) -> V3 {
    unsafe {
        V3(_mm256_fmadd_ps(a.0, s, c.0), _mm256_fmadd_ps(a.1, s, c.1), _mm256_fmadd_ps(a.2, s, c.2))
    }
}

#[inline(always)]
unsafe fn cross(a: V3, b: V3) -> V3 {
    unsafe {
        V3(
            _mm256_fmsub_ps(a.1, b.2, _mm256_mul_ps(a.2, b.1)),
            _mm256_fmsub_ps(a.2, b.0, _mm256_mul_ps(a.0, b.2)),
            _mm256_fmsub_ps(a.0, b.1, _mm256_mul_ps(a.1, b.0)),
        )
    }
}

/// sin x for |x| ≤ π/2: the limit of the angle makes any reduction needless for half of it.
#[inline(always)]
unsafe fn sin_half(x: __m256) -> __m256 {
    unsafe {
        let s = _mm256_mul_ps(x, x);
        let p = _mm256_fmadd_ps(s, _mm256_set1_ps(2.605_308e-6), _mm256_set1_ps(-1.980_959_5e-4));
        let p = _mm256_fmadd_ps(s, p, _mm256_set1_ps(8.333_069e-3));
        let p = _mm256_fmadd_ps(s, p, _mm256_set1_ps(-0.166_666_6));
        _mm256_fmadd_ps(_mm256_mul_ps(x, s), p, x)
    }
}

impl Hand<'_> {
    #[inline(always)]
    unsafe fn skin(&self, block: usize, lane: usize) -> V3 {
        let block = &self.blocks.blocks[block];
        unsafe {
            let rows = self.bind.as_ptr().add(block.first_lane * 3 + lane);
            let [x, y, z] = [0, 1, 2].map(|i| _mm256_loadu_ps(rows.add(i * block.lanes)));
            let zero = _mm256_setzero_ps();
            let mut sum = [zero; 3];
            let weights = self.blocks.skin_weights.as_ptr().add(block.first_skin_weight + lane);
            for k in 0..block.binding_count {
                let binding = self.blocks.bindings[block.first_binding + k] as usize;
                let m = self.matrices.as_ptr().add(binding * 12);
                let w = _mm256_loadu_ps(weights.add(k * block.lanes));
                for (c, sum) in sum.iter_mut().enumerate() {
                    let [a, b, d, t] = [0, 3, 6, 9].map(|i| _mm256_broadcast_ss(&*m.add(i + c)));
                    let moved =
                        _mm256_fmadd_ps(d, z, _mm256_fmadd_ps(b, y, _mm256_fmadd_ps(a, x, t)));
                    *sum = _mm256_fmadd_ps(w, moved, *sum);
                }
            }
            V3(sum[0], sum[1], sum[2])
        }
    }

    #[inline(always)]
    unsafe fn displacement(&self, bone: &HandBone, p: V3) -> V3 {
        let s = &self.sliders;
        unsafe {
            let (one, zero) = (_mm256_set1_ps(1.0), _mm256_setzero_ps());
            let arm = sub(p, splat(bone.origin));
            let turned = cross(splat(bone.omega), arm);
            let square = dot(turned, turned);
            let speed = _mm256_sqrt_ps(square);
            let has_direction = _mm256_cmp_ps::<_CMP_GE_OQ>(square, _mm256_set1_ps(1e-20));
            let inverse = _mm256_and_ps(has_direction, _mm256_div_ps(one, speed));
            // Squash of a travelling bone.
            let reach = sub(p, splat(bone.centroid));
            let along = splat(bone.along);
            let part = _mm256_mul_ps(dot(along, reach), _mm256_set1_ps(bone.stretch_along));
            let across = _mm256_set1_ps(bone.stretch_across);
            let travelling = fma(reach, across, splat([0.0; 3]));
            let mut sum = fma(along, part, travelling);
            // Squash of a turning bone.
            let t = _mm256_mul_ps(speed, _mm256_set1_ps((s.squash / s.size) as f32));
            let t = _mm256_min_ps(t, _mm256_set1_ps((s.max_stretch - 1.0) as f32));
            let t = _mm256_max_ps(t, _mm256_set1_ps(-0.8));
            let offset = splat(bone.offset);
            let x = V3(
                _mm256_add_ps(arm.0, offset.0),
                _mm256_add_ps(arm.1, offset.1),
                _mm256_add_ps(arm.2, offset.2),
            );
            let shrink = _mm256_sub_ps(_mm256_div_ps(one, _mm256_add_ps(one, t)), one);
            let by_e = _mm256_mul_ps(t, dot(splat(bone.e), x));
            let by_q = _mm256_mul_ps(shrink, dot(splat(bone.q), x));
            sum = fma(splat(bone.e_faded), by_e, sum);
            sum = fma(splat(bone.q_faded), by_q, sum);
            // Floppy: the component across ω turns back by the angle.
            let limit = s.max_angle.to_radians() as f32;
            let angle = _mm256_mul_ps(speed, _mm256_set1_ps((s.floppy / s.size) as f32));
            let angle = _mm256_min_ps(angle, _mm256_set1_ps(limit));
            let angle = _mm256_max_ps(angle, _mm256_set1_ps(-limit));
            let axis = splat(bone.axis);
            let radius = fma(axis, _mm256_sub_ps(zero, dot(arm, axis)), arm);
            let half = sin_half(_mm256_mul_ps(angle, _mm256_set1_ps(0.5)));
            let back = _mm256_mul_ps(_mm256_mul_ps(half, half), _mm256_set1_ps(-2.0));
            sum = fma(radius, back, sum);
            let long = _mm256_sqrt_ps(dot(radius, radius));
            let aside = _mm256_mul_ps(_mm256_mul_ps(long, sin_half(angle)), inverse);
            sum = fma(turned, _mm256_sub_ps(zero, aside), sum);
            sub(sum, splat(bone.lag))
        }
    }

    #[inline(always)]
    unsafe fn store(&self, block: usize, x: &[[f32; 256]; 3], out: &mut [Vec3]) {
        let block = &self.blocks.blocks[block];
        let vertices = &self.blocks.vertex_of_lane[block.first_lane..][..block.lanes];
        for (lane, &vertex) in vertices.iter().enumerate() {
            if let Some(place) = out.get_mut(vertex as usize) {
                *place = Vec3::new(x[0][lane], x[1][lane], x[2][lane]);
            }
        }
    }

    /// # Safety
    /// The CPU has AVX2 and FMA.
    #[target_feature(enable = "avx2,fma")]
    pub unsafe fn lbs(&self, out: &mut [Vec3]) {
        let mut rows = [[0.0f32; 256]; 3];
        for block in 0..self.blocks.blocks.len() {
            for lane in (0..self.blocks.blocks[block].lanes).step_by(8) {
                unsafe {
                    let p = self.skin(block, lane);
                    _mm256_storeu_ps(rows[0].as_mut_ptr().add(lane), p.0);
                    _mm256_storeu_ps(rows[1].as_mut_ptr().add(lane), p.1);
                    _mm256_storeu_ps(rows[2].as_mut_ptr().add(lane), p.2);
                }
            }
            unsafe { self.store(block, &rows, out) };
        }
    }

    /// # Safety
    /// The CPU has AVX2 and FMA.
    #[target_feature(enable = "avx2,fma")]
    pub unsafe fn deform(&self, out: &mut [Vec3]) {
        let mut rows = [[0.0f32; 256]; 3];
        for (index, block) in self.blocks.blocks.iter().enumerate() {
            let bones = &self.blocks.bones[block.first_bone..][..block.bone_count];
            let weights = &self.blocks.weights[0][block.first_weight..];
            for lane in (0..block.lanes).step_by(8) {
                unsafe {
                    let p = self.skin(index, lane);
                    let mut sum = p;
                    for (row, &bone) in bones.iter().enumerate() {
                        let bone = &self.bones[bone as usize];
                        if bone.is_moving {
                            let w = _mm256_loadu_ps(weights.as_ptr().add(row * block.lanes + lane));
                            sum = fma(self.displacement(bone, p), w, sum);
                        }
                    }
                    _mm256_storeu_ps(rows[0].as_mut_ptr().add(lane), sum.0);
                    _mm256_storeu_ps(rows[1].as_mut_ptr().add(lane), sum.1);
                    _mm256_storeu_ps(rows[2].as_mut_ptr().add(lane), sum.2);
                }
            }
            unsafe { self.store(index, &rows, out) };
        }
    }
}

/// Operations per second of fused multiply-adds that touch registers only: as fast as it gets.
///
/// # Safety
/// The CPU has AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
pub unsafe fn fma_rounds(rounds: usize) -> f32 {
    let mut sums = [_mm256_set1_ps(1.0); 12];
    let (a, b) = std::hint::black_box((_mm256_set1_ps(0.999_999), _mm256_set1_ps(1e-7)));
    for _ in 0..rounds {
        for sum in &mut sums {
            *sum = _mm256_fmadd_ps(*sum, a, b);
        }
    }
    let total = sums.into_iter().fold(_mm256_setzero_ps(), |a, b| _mm256_add_ps(a, b));
    _mm256_cvtss_f32(total)
}

pub const FLOPS_PER_ROUND: f64 = 12.0 * 8.0 * 2.0;
