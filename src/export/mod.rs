//! What Jounce writes for other programs.

mod atomic;
pub mod point_cache;

pub use atomic::{FillError, WriteError, write_atomically};
pub use point_cache::{CacheFormat, CacheHeader, write_point_cache};
