//! The same mathematics by hand: AVX2 and FMA, one fused loop, nothing but what the equations need.
//!
//! p = Σ w M r; p' = p + Σ up (floppyT + floppyR + squashT + squashR), over the same blocks as the VM.

use glam::{DVec3, Vec3};
use jounce::eval::blocks::{Blocks, MOST_LANES, NO_VERTEX};
use std::arch::x86_64::*;

/// Operations of one lane, a fused multiply-add counted as two; comparisons, minima, maxima and masks not
/// at all. Turning speed 19, travelling squash 18, turning squash 28, floppy 55, lag 3, weighted sum 6.
pub const FLOPS_PER_PAIR: f64 = 129.0;
/// Three rows of a matrix and the weight, four multiply-adds each.
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
            e: single(e),
            q: single(q),
            e_faded: single(e * fade),
            q_faded: single(q * fade),
            lag: single(v * s.floppy),
        }
    }
}

/// What does not change from frame to frame.
pub struct HandMesh<'a> {
    blocks: &'a Blocks,
    /// Bind positions in the order of lanes, per block a row of x, of y and of z.
    bind: Vec<f32>,
    /// Per block how many of its lanes have a vertex: the first ones.
    used: Vec<usize>,
    vertex_count: usize,
}

/// What loops read of a block, looked up once.
struct HandBlock<'a> {
    lanes: usize,
    vertices: &'a [u32],
    bind: &'a [f32],
    bindings: &'a [u32],
    skin_weights: &'a [f32],
    bones: &'a [u32],
    weights: &'a [f32],
}

impl<'a> HandMesh<'a> {
    /// `binding_count` and `bone_count` are what each frame brings.
    pub fn new(
        blocks: &'a Blocks,
        positions: &[Vec3],
        binding_count: usize,
        bone_count: usize,
    ) -> HandMesh<'a> {
        // The loops rely on all these.
        assert!(blocks.bindings.iter().all(|&binding| (binding as usize) < binding_count));
        assert!(blocks.bones.iter().all(|&bone| (bone as usize) < bone_count));
        let (mut bind, mut used) = (vec![0.0; blocks.lane_count() * 3], Vec::new());
        for block in &blocks.blocks {
            assert!(block.lanes <= LANES && block.lanes.is_multiple_of(STEP));
            let vertices = &blocks.vertex_of_lane[block.first_lane..][..block.lanes];
            let has_none = |&vertex: &u32| vertex == NO_VERTEX;
            used.push(vertices.iter().position(has_none).unwrap_or(block.lanes));
            for (lane, &vertex) in vertices[..used[used.len() - 1]].iter().enumerate() {
                for (i, x) in positions[vertex as usize].to_array().into_iter().enumerate() {
                    bind[block.first_lane * 3 + i * block.lanes + lane] = x;
                }
            }
        }
        HandMesh { blocks, bind, used, vertex_count: positions.len() }
    }

    fn blocks(&self) -> impl Iterator<Item = HandBlock<'_>> {
        let all = self.blocks;
        all.blocks.iter().zip(&self.used).map(move |(block, &used)| {
            let (lanes, bones, bindings) = (block.lanes, block.bone_count, block.binding_count);
            let weights = all.weights.first().map_or(&[][..], |all| &all[block.first_weight..]);
            HandBlock {
                lanes,
                vertices: &all.vertex_of_lane[block.first_lane..][..used],
                bind: &self.bind[block.first_lane * 3..][..lanes * 3],
                bindings: &all.bindings[block.first_binding..][..bindings],
                skin_weights: &all.skin_weights[block.first_skin_weight..][..bindings * lanes],
                bones: &all.bones[block.first_bone..][..bones],
                weights: &weights[..bones * lanes],
            }
        })
    }
}

/// Everything of one frame.
pub struct Hand<'a> {
    pub mesh: &'a HandMesh<'a>,
    /// 12 floats per binding, columns first.
    pub matrices: &'a [f32],
    pub bones: &'a [HandBone],
    pub sliders: Sliders,
}

const LANES: usize = MOST_LANES;
/// Lanes of one step: two vectors, so that the processor always has something to do.
const STEP: usize = 16;

/// Results of one block, before they go to their vertices.
struct Rows([[f32; LANES]; 3]);

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

#[inline(always)]
unsafe fn scale(a: V3, s: __m256) -> V3 {
    unsafe { V3(_mm256_mul_ps(a.0, s), _mm256_mul_ps(a.1, s), _mm256_mul_ps(a.2, s)) }
}

/// c − a · s.
#[inline(always)]
unsafe fn fnma(a: V3, s: __m256, c: V3) -> V3 {
    unsafe {
        V3(
            _mm256_fnmadd_ps(a.0, s, c.0),
            _mm256_fnmadd_ps(a.1, s, c.1),
            _mm256_fnmadd_ps(a.2, s, c.2),
        )
    }
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

impl HandBlock<'_> {
    /// Σ w (M r). Two vectors at a time and one component after the other, so that all stays in registers.
    #[inline(always)]
    unsafe fn skin(&self, matrices: &[f32], rows: &mut Rows) {
        unsafe {
            for lane in (0..self.lanes).step_by(STEP) {
                let bind = self.bind.as_ptr().add(lane);
                let load = |next: usize| {
                    [0, 1, 2].map(|i| _mm256_loadu_ps(bind.add(i * self.lanes + next)))
                };
                let ([px, py, pz], [qx, qy, qz]) = (load(0), load(8));
                for (component, row) in rows.0.iter_mut().enumerate() {
                    let (mut p, mut q) = (_mm256_setzero_ps(), _mm256_setzero_ps());
                    let mut weights = self.skin_weights.as_ptr().add(lane);
                    for &binding in self.bindings {
                        let m = matrices.as_ptr().add(binding as usize * 12 + component);
                        let [x, y, z, shift] = [0, 3, 6, 9].map(|i| _mm256_set1_ps(*m.add(i)));
                        let moved = _mm256_fmadd_ps(x, px, shift);
                        let moved = _mm256_fmadd_ps(z, pz, _mm256_fmadd_ps(y, py, moved));
                        p = _mm256_fmadd_ps(moved, _mm256_loadu_ps(weights), p);
                        let moved = _mm256_fmadd_ps(x, qx, shift);
                        let moved = _mm256_fmadd_ps(z, qz, _mm256_fmadd_ps(y, qy, moved));
                        q = _mm256_fmadd_ps(moved, _mm256_loadu_ps(weights.add(8)), q);
                        weights = weights.wrapping_add(self.lanes);
                    }
                    _mm256_storeu_ps(row.as_mut_ptr().add(lane), p);
                    _mm256_storeu_ps(row.as_mut_ptr().add(lane + 8), q);
                }
            }
        }
    }

    /// `out` has all vertices.
    #[inline(always)]
    unsafe fn scatter(&self, rows: &Rows, out: &mut [Vec3]) {
        let [x, y, z] = rows.0.each_ref().map(|row| &row[..self.vertices.len()]);
        for (((&vertex, &x), &y), &z) in self.vertices.iter().zip(x).zip(y).zip(z) {
            // Safety: positions of these very vertices were read once.
            unsafe { *out.get_unchecked_mut(vertex as usize) = Vec3::new(x, y, z) }
        }
    }
}

impl Rows {
    /// Eight lanes.
    #[inline(always)]
    unsafe fn load(&self, lane: usize) -> V3 {
        let [x, y, z] = &self.0;
        unsafe {
            let load = |row: &[f32; LANES]| _mm256_loadu_ps(row.as_ptr().add(lane));
            V3(load(x), load(y), load(z))
        }
    }

    #[inline(always)]
    unsafe fn store(&mut self, lane: usize, v: V3) {
        let [x, y, z] = &mut self.0;
        unsafe {
            _mm256_storeu_ps(x.as_mut_ptr().add(lane), v.0);
            _mm256_storeu_ps(y.as_mut_ptr().add(lane), v.1);
            _mm256_storeu_ps(z.as_mut_ptr().add(lane), v.2);
        }
    }
}

impl Hand<'_> {
    #[inline(always)]
    unsafe fn displacement(&self, bone: &HandBone, p: V3) -> V3 {
        let s = &self.sliders;
        unsafe {
            let one = _mm256_set1_ps(1.0);
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
            let mut sum = fma(along, part, scale(reach, across));
            // Squash of a turning bone.
            let t = _mm256_mul_ps(speed, _mm256_set1_ps((s.squash / s.size) as f32));
            let t = _mm256_min_ps(t, _mm256_set1_ps((s.max_stretch - 1.0) as f32));
            let t = _mm256_max_ps(t, _mm256_set1_ps(-0.8));
            let shrink = _mm256_sub_ps(_mm256_div_ps(one, _mm256_add_ps(one, t)), one);
            let by_e = _mm256_mul_ps(t, dot(splat(bone.e), arm));
            let by_q = _mm256_mul_ps(shrink, dot(splat(bone.q), arm));
            sum = fma(splat(bone.e_faded), by_e, sum);
            sum = fma(splat(bone.q_faded), by_q, sum);
            // Floppy: the component across ω turns back by the angle.
            let limit = s.max_angle.to_radians() as f32;
            let angle = _mm256_mul_ps(speed, _mm256_set1_ps((s.floppy / s.size) as f32));
            let angle = _mm256_min_ps(angle, _mm256_set1_ps(limit));
            let angle = _mm256_max_ps(angle, _mm256_set1_ps(-limit));
            let axis = splat(bone.axis);
            let radius = fnma(axis, dot(arm, axis), arm);
            let half = sin_half(_mm256_mul_ps(angle, _mm256_set1_ps(0.5)));
            let back = _mm256_mul_ps(_mm256_mul_ps(half, half), _mm256_set1_ps(-2.0));
            sum = fma(radius, back, sum);
            let long = _mm256_sqrt_ps(dot(radius, radius));
            let aside = _mm256_mul_ps(_mm256_mul_ps(long, sin_half(angle)), inverse);
            sum = fnma(turned, aside, sum);
            sub(sum, splat(bone.lag))
        }
    }

    fn check(&self, out: &[Vec3]) {
        assert_eq!(out.len(), self.mesh.vertex_count);
    }

    /// # Safety
    /// The CPU has AVX2 and FMA; there are as many matrices as the mesh was promised.
    #[target_feature(enable = "avx2,fma")]
    pub unsafe fn lbs(&self, out: &mut [Vec3]) {
        self.check(out);
        let mut rows = Rows([[0.0; LANES]; 3]);
        for block in self.mesh.blocks() {
            unsafe {
                block.skin(self.matrices, &mut rows);
                block.scatter(&rows, out);
            }
        }
    }

    /// # Safety
    /// The CPU has AVX2 and FMA; there are as many matrices and bones as the mesh was promised.
    #[target_feature(enable = "avx2,fma")]
    pub unsafe fn deform(&self, out: &mut [Vec3]) {
        self.check(out);
        let mut rows = Rows([[0.0; LANES]; 3]);
        for block in self.mesh.blocks() {
            unsafe {
                block.skin(self.matrices, &mut rows);
                for lane in (0..block.lanes).step_by(8) {
                    let p = rows.load(lane);
                    let mut sum = p;
                    let mut weights = block.weights.as_ptr().add(lane);
                    for &bone in block.bones {
                        let bone = self.bones.get_unchecked(bone as usize);
                        if bone.is_moving {
                            sum = fma(self.displacement(bone, p), _mm256_loadu_ps(weights), sum);
                        }
                        weights = weights.wrapping_add(block.lanes);
                    }
                    rows.store(lane, sum);
                }
                block.scatter(&rows, out);
            }
        }
    }
}

/// So many rounds of fused multiply-adds that touch registers only, [`FLOPS_PER_ROUND`] operations each: as
/// fast as it gets. Gives something that depends on all of them.
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
