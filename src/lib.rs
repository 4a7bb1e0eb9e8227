//! Jounce makes rigged characters move as if drawn.
//!
//! The modules stand in the order in which the data flows; each knows only those above it.
//!
//! ```text
//! rig      a character: mesh, skeleton, skin weights and what follows from them
//! motion   clips and live motion → a pose and the velocity of every bone at a time
//! ir       what graphs are compiled to: values, rates, stages
//! script   Rhai text → node types
//! graph    the document: nodes, links, values
//! compile  graph + node types → program
//! wgsl     program → a shader that people can read
//! gpu      the graphics device that evaluates and draws (feature `gpu`)
//! eval     program + character + motion → positions
//! export   positions over time → point caches; programs → shaders and manifests
//! draw     positions → a picture, by the CPU or the GPU
//! session  what a user has open: document, character, time and what comes of them
//! editor   the desktop program (feature `editor`)
//! cli      the command line: a view of all of the above
//! ```

pub mod cli;
pub mod compile;
pub mod draw;
#[cfg(feature = "editor")]
pub mod editor;
pub mod eval;
pub mod export;
mod files;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod graph;
pub mod ir;
pub mod motion;
mod reading;
pub mod rig;
pub mod script;
pub mod session;
mod srgb;
mod text;
pub mod wgsl;
