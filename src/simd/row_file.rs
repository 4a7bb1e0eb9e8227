//! Rows of lanes in memory: the registers of the VM.

use super::MOST_LANES;
use std::cell::Cell;
use std::ops::{Deref, DerefMut};

/// Floats from row to row. Not a power of two: rows 4096 bytes apart would look like one to the store
/// buffer.
pub const STRIDE: usize = MOST_LANES + 16;

/// 64 bytes, aligned.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([f32; 16]);

/// The registers of one thread.
#[derive(Default)]
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

thread_local! {
    static OWN: Cell<RowFile> = const { Cell::new(RowFile { lines: Vec::new() }) };
}

/// This thread's own file, which goes back when it is dropped: making one for every frame costs more than
/// skinning a small character.
pub struct OwnRows(RowFile);

impl OwnRows {
    /// At least so many rows. Who takes them while somebody on this thread has them gets others.
    pub fn take(rows: usize) -> OwnRows {
        let own = OWN.take();
        OwnRows(if own.count() < rows { RowFile::new(rows) } else { own })
    }
}

impl Drop for OwnRows {
    fn drop(&mut self) {
        OWN.set(std::mem::take(&mut self.0));
    }
}

impl Deref for OwnRows {
    type Target = RowFile;

    fn deref(&self) -> &RowFile {
        &self.0
    }
}

impl DerefMut for OwnRows {
    fn deref_mut(&mut self) -> &mut RowFile {
        &mut self.0
    }
}
