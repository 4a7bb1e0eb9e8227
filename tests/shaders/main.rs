//! Programs as text: shaders, and what an engine is told about them.

#[path = "../support/mod.rs"]
mod support;

mod export;
mod shader_guide;
mod wgsl;
mod wgsl_bones;
