//! What Jounce writes for other programs: point caches, shaders and their manifests.
//!
//! It knows programs and positions, and no document: who exports has compiled.

pub mod join;
pub mod point_cache;
pub mod shader;
mod targets;

pub use join::{JoinError, join_point_caches};
pub use jounce_base::files::{FillError, WriteError, write_atomically};
pub use point_cache::{CacheFormat, CacheHeader, write_point_cache};
