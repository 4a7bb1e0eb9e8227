//! The graphics device, and all that it does: programs and pictures on it.
//!
//! ```text
//!  device   adapters, errors, reading back
//!  eval     programs on characters, one or many of them
//!  draw     what `jounce-draw` describes, on the device
//! ```
//! The only crate that opens a device. Evaluating and drawing are the jobs of `jounce-eval` and
//! `jounce-draw`, which do not know it; it does them elsewhere, and answers in their terms.

mod device;
pub mod draw;
pub mod eval;

pub use device::*;
/// For code that hands over a device, or wants to use this one.
pub use wgpu;
