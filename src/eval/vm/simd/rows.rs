//! Rows of lanes in memory, and loops over them.

use super::Lanes;
use crate::eval::blocks::{LANE_GROUP, MOST_LANES};

/// Floats from row to row. Not a power of two: rows 4096 bytes apart would look like one to the store
/// buffer.
pub const STRIDE: usize = MOST_LANES + 16;

/// 64 bytes, aligned.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([f32; 16]);

/// The registers of one thread.
pub struct RowFile {
    lines: Vec<Line>,
}

impl RowFile {
    pub fn new(rows: usize) -> RowFile {
        RowFile { lines: vec![Line([0.0; 16]); rows * STRIDE / 16] }
    }

    pub fn count(&self) -> usize {
        self.lines.len() * 16 / STRIDE
    }

    /// The first lanes of a row.
    pub fn row(&self, row: usize, lanes: usize) -> &[f32] {
        let floats = self.lines.len() * 16;
        let range = row * STRIDE..row * STRIDE + lanes;
        assert!(range.end <= floats && lanes <= STRIDE);
        // Safety: lines are nothing but floats, one after the other, and the range is inside.
        unsafe { std::slice::from_raw_parts(self.pointer().add(range.start), lanes) }
    }

    pub fn row_mut(&mut self, row: usize, lanes: usize) -> &mut [f32] {
        let floats = self.lines.len() * 16;
        let range = row * STRIDE..row * STRIDE + lanes;
        assert!(range.end <= floats && lanes <= STRIDE);
        // Safety: as above, and `self` is borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.pointer_mut().add(range.start), lanes) }
    }

    pub(super) fn pointer(&self) -> *const f32 {
        self.lines.as_ptr().cast()
    }

    pub(super) fn pointer_mut(&mut self) -> *mut f32 {
        self.lines.as_mut_ptr().cast()
    }
}

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

/// Vectors that go side by side, to hide how long each takes. Blocks are a multiple of so many lanes.
pub const UNROLL: usize = 4;
const _: () = assert!(LANE_GROUP.is_multiple_of(UNROLL * 8));

pub trait Unary {
    fn apply<S: Lanes>(a: S) -> S;
}

pub trait Binary {
    fn apply<S: Lanes>(a: S, b: S) -> S;
}

pub trait Ternary {
    fn apply<S: Lanes>(a: S, b: S, c: S) -> S;
}

/// # Safety
/// `dst` and `a` are rows of `lanes` lanes, a multiple of [`LANE_GROUP`]; so for the next ones, where
/// an operand may also be one float.
#[inline(always)]
pub unsafe fn unary<S: Lanes, O: Unary, const A: bool>(dst: *mut f32, a: *const f32, lanes: usize) {
    unsafe {
        let a = From::<S>::new::<A>(a);
        let mut lane = 0;
        while lane < lanes {
            for i in 0..UNROLL {
                let at = lane + i * S::WIDTH;
                O::apply(a.get::<A>(at)).store(dst.add(at));
            }
            lane += UNROLL * S::WIDTH;
        }
    }
}

/// # Safety
/// See [`unary`].
#[inline(always)]
pub unsafe fn binary<S: Lanes, O: Binary, const A: bool, const B: bool>(
    dst: *mut f32,
    [a, b]: [*const f32; 2],
    lanes: usize,
) {
    unsafe {
        let (a, b) = (From::<S>::new::<A>(a), From::<S>::new::<B>(b));
        let mut lane = 0;
        while lane < lanes {
            for i in 0..UNROLL {
                let at = lane + i * S::WIDTH;
                O::apply(a.get::<A>(at), b.get::<B>(at)).store(dst.add(at));
            }
            lane += UNROLL * S::WIDTH;
        }
    }
}

/// # Safety
/// See [`unary`].
#[inline(always)]
pub unsafe fn ternary<S: Lanes, O: Ternary, const A: bool, const B: bool, const C: bool>(
    dst: *mut f32,
    [a, b, c]: [*const f32; 3],
    lanes: usize,
) {
    unsafe {
        let (a, b) = (From::<S>::new::<A>(a), From::<S>::new::<B>(b));
        let c = From::<S>::new::<C>(c);
        let mut lane = 0;
        while lane < lanes {
            for i in 0..UNROLL {
                let at = lane + i * S::WIDTH;
                let result = O::apply(a.get::<A>(at), b.get::<B>(at), c.get::<C>(at));
                result.store(dst.add(at));
            }
            lane += UNROLL * S::WIDTH;
        }
    }
}
