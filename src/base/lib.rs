//! What all crates share: texts for people, files that appear whole or not at all, colours as people
//! type them, and the small types that documents and evaluators both speak of.
//!
//! It knows none of the others, and nothing of meshes, graphs or devices.

pub mod character_settings;
pub mod files;
pub mod reading;
mod skinning_base;
pub mod srgb;
pub mod text;
pub mod user_folders;

pub use skinning_base::Base;

/// No number of a file, a script or a user may be larger: positions, sizes, settings, times.
pub const LARGEST_NUMBER: f64 = 1e12;
