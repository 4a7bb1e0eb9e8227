//! Plain code, compiled for the vectors that this machine has.
//!
//! Additions and products are the same bits with and without: nothing is contracted, and a fused
//! multiply-add is asked for by name.

#[cfg(target_arch = "x86_64")]
use super::Simd;

/// Work whose loops become vector instructions: `#[inline(always)]`, and all that it calls.
pub trait Vectorised {
    type Result;

    fn run(self) -> Self::Result;
}

pub fn run_vectorised<W: Vectorised>(work: W) -> W::Result {
    #[cfg(target_arch = "x86_64")]
    if Simd::Avx2.is_there() {
        // Safety: it is there.
        return unsafe { on_avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn on_avx2<W: Vectorised>(work: W) -> W::Result {
    work.run()
}
