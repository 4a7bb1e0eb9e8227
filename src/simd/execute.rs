//! Runs code over the lanes of one block.

use super::code::{Bounds, Code, Instruction, Places};
use super::dispatch::{Run, run_of};
use super::{LANE_GROUP, MOST_LANES};
use super::{RowFile, STRIDE, Simd};

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
struct ReadyInstruction {
    run: Run,
    it: Instruction,
}

/// Code for one width of vectors.
pub struct Runnable {
    code: Code,
    steps: Vec<ReadyInstruction>,
}

impl Runnable {
    /// A width that this machine does not have is replaced by the plainest.
    pub fn new(simd: Simd, code: Code) -> Runnable {
        let run_of: fn(&Instruction) -> Run = match simd {
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 if simd.is_there() => run_of::<super::x86::Avx2>,
            #[cfg(all(target_arch = "x86_64", feature = "every-simd"))]
            Simd::Fma4 if simd.is_there() => run_of::<super::x86::Fma4>,
            #[cfg(all(target_arch = "x86_64", feature = "every-simd"))]
            Simd::Array4 => run_of::<super::array::Array4>,
            #[cfg(target_arch = "x86_64")]
            _ => run_of::<super::x86::Sse2>,
            #[cfg(not(target_arch = "x86_64"))]
            _ => run_of::<super::array::Array4>,
        };
        let step = |it: &Instruction| {
            let run = run_of(it);
            let mut it = *it;
            it.rename_reads(|row| row * STRIDE as u32);
            let results = it.results().len();
            it.dst[..results].iter_mut().for_each(|row| *row *= STRIDE as u32);
            ReadyInstruction { run, it }
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

/// Everything that an instruction's places refer to.
pub struct At<'a> {
    rows: *mut f32,
    pub lanes: usize,
    pub uniforms: &'a [f32],
    pub bank: Bank<'a>,
    pub kept: *mut f32,
}

impl At<'_> {
    #[inline(always)]
    pub fn row(&self, place: u32) -> *mut f32 {
        self.rows.wrapping_add(place as usize)
    }

    #[inline(always)]
    pub fn operand<const UNIFORM: bool>(&self, place: u32) -> *const f32 {
        if UNIFORM { self.uniforms.as_ptr().wrapping_add(place as usize) } else { self.row(place) }
    }

    #[inline(always)]
    pub fn weights(&self, column: u32) -> *const f32 {
        self.bank.weights[column as usize].as_ptr().wrapping_add(self.bank.first_weight)
    }

    #[inline(always)]
    pub fn three<const UNIFORM: bool>(&self, places: Places) -> [*const f32; 3] {
        let [x, y, z] = places;
        [self.operand::<UNIFORM>(x), self.operand::<UNIFORM>(y), self.operand::<UNIFORM>(z)]
    }

    #[inline(always)]
    pub fn results(&self, it: &Instruction) -> [*mut f32; 3] {
        let [x, y, z, _] = it.dst;
        [self.row(x), self.row(y), self.row(z)]
    }
}
