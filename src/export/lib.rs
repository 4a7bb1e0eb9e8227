//! What Jounce writes for other programs: bakes, shaders and their manifests.
//!
//! It knows programs and positions, but no documents: the caller has compiled them.

pub mod bakes;
pub mod shader;
mod targets;

pub use bakes::{BakeFileError, BakeFormat, BakeSubject, JoinError, join_bakes, write_bake};
pub use jounce_files::{FillError, WriteError, write_atomically};
