//! Jounce makes rigged characters move as if drawn.
//!
//! This is the program: its command line, and the crates it is made of under one name. They stand in the
//! order in which the data flows; each knows only those above it.
//!
//! ```text
//! base     texts for people, careful reading, colours, threads, small shared types
//! files    files that appear whole or not at all, the folders of a user
//! rig      a character: mesh, skeleton, skin weights and what follows from them
//! motion   (in rig) clips and live motion → a pose and the velocity of every bone at a time
//! ir       what graphs are compiled to: values, rates, stages
//! script   (in graph) Rhai text → node types
//! graph    the document: nodes, links, values
//! compile  (in graph) graph + node types → program
//! simd     kernels on vectors: skinning, and the instructions that programs are lowered to
//! eval     program + character + motion → positions
//! wgsl     (in shader) program → a shader that people can read
//! export   positions over time → bakes; programs → shaders and manifests
//! draw     positions → a picture, by the CPU
//! gpu      the graphics device that evaluates and draws (feature `gpu`)
//! session  what a user has open: document, character, time and what comes of them
//! editor   the desktop program (feature `editor`)
//! cli      the command line: a view of all of the above
//! ```

pub mod cli;

pub use jounce_draw as draw;
#[cfg(feature = "editor")]
pub use jounce_editor as editor;
pub use jounce_eval as eval;
pub use jounce_export as export;
#[cfg(feature = "gpu")]
pub use jounce_gpu as gpu;
pub use jounce_graph::{compile, document as graph, script};
pub use jounce_ir as ir;
pub use jounce_rig as rig;
pub use jounce_rig::motion;
pub use jounce_session as session;
pub use jounce_shader::wgsl;
