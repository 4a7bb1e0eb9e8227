//! What all crates share: texts for people, files that are read with care, colours as people type them,
//! work on many threads, and the small types that documents and evaluators both speak of.
//!
//! It knows none of the others, and nothing of meshes, graphs or devices.

// Tests are no part of the runtime.
#![cfg_attr(test, allow(clippy::disallowed_types, clippy::disallowed_methods))]

pub mod character_settings;
mod hierarchy;
mod kept;
pub mod keyed_value;
pub mod painted_map;
pub mod parallel;
pub mod reading;
mod role;
mod skinning_base;
pub mod srgb;
pub mod text;

pub use hierarchy::Hierarchy;
pub use kept::KeptResults;
pub use painted_map::{MeshFingerprint, PaintedMap};
pub use role::Role;
pub use skinning_base::Base;

/// No number of a file, a script or a user may be larger: positions, sizes, settings, times.
pub const LARGEST_NUMBER: f64 = 1e12;
