//! Programs as shaders that people can read, and naga's verdict on them.
//!
//! It knows programs, and no document, character or device.

pub mod wgsl;
