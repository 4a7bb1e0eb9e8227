//! How far long work is, and whether it is still wanted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Shared by the work and its observers.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<ProgressState>);

#[derive(Debug, Default)]
struct ProgressState {
    /// In units of 1/10 000.
    done: AtomicU32,
    is_cancelled: AtomicBool,
}

/// The work was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

impl Progress {
    /// From 0 to 1.
    pub fn set(&self, done: f64) {
        self.0.done.store((done.clamp(0.0, 1.0) * 1e4) as u32, Ordering::Relaxed);
    }

    pub fn get(&self) -> f32 {
        self.0.done.load(Ordering::Relaxed) as f32 / 1e4
    }

    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Relaxed)
    }

    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}
