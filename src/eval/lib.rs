//! Runs programs on characters: a [`Performer`] is a program on a character, playing.
//!
//! ```text
//!  Program + Character + CharacterSettings ─► Performer ─► positions, and normals if asked for
//!
//!  in it   Bound     once: what the program reads of the character
//!          Past      what its nodes remember, at any time (Timeline, Stepper)
//!          Moment    each frame: bones, skinned vertices, sliders
//!          Backend   Bound + Moment ─► validate ─► positions: the CPU (vm), or a device in `jounce-gpu`
//! ```
//! The contract of an [`Evaluator`]:
//!
//! - It owns nothing that changes the result: the same program, binding and moment give the same
//!   positions, whatever was evaluated before.
//! - What enters is checked by [`validate`], a character once and a moment each frame: lists have the
//!   lengths the program expects, and no number is larger than 1e12 or NaN. After it only a device can
//!   fail.
//! - One position per vertex comes out, in the order of the character's vertices.
//!
//! [`Interpreter`] computes in f64 with the very text of [`jounce_ir::semantics`]. It is what all
//! other evaluators are judged by: [`vm`] in single precision on all threads, and the crate `jounce-gpu`
//! as a shader. All run frame and bones in f64 by the same code.
//!
//! A game needs this crate alone: [`ir::Program::from_saved_text`] reads what `jounce export --target program`
//! writes, [`rig::load`] reads characters.
//!
//! This crate knows programs and characters. It knows nothing of documents and scripts, of devices, or
//! of windows.

// Tests are no part of the runtime.
#![cfg_attr(test, allow(clippy::disallowed_types, clippy::disallowed_methods))]

mod anchors;
mod backend;
pub mod bind;
pub mod blocks;
mod bone_code;
mod bone_columns;
mod bone_names;
mod bone_numbers;
pub mod character_data;
mod clusters;
pub mod curves;
mod error;
pub mod flesh;
pub mod heat;
pub mod hierarchy;
pub mod host;
mod interpreter;
pub mod live;
pub mod memory;
mod moment;
mod motion;
mod neighbours;
pub mod normals;
pub mod pairs;
mod parameter_keys;
mod parameters;
mod past;
mod performer;
mod plain;
pub mod plan;
pub mod puppet;
mod record;
pub mod registers;
mod setup;
mod skinning;
mod some_vertices;
pub mod timeline;
pub mod validate;
mod vertex_tables;
pub mod vm;
mod warning;

// So that whoever plays programs names one crate.
pub use jounce_base::character_settings::CharacterSettings;
pub use jounce_ir as ir;
pub use jounce_rig as rig;

pub use anchors::{AnchorRow, AnchorState, Anchors};
pub use backend::{Backend, OnCpu};
pub use bind::{Bound, named_map};
pub use bone_numbers::BoneNumbers;
pub use error::EvalError;
pub use interpreter::{Interpreter, Probed};
pub use jounce_base::keyed_value;
pub use jounce_base::{MeshFingerprint, PaintedMap};
pub use memory::{MemoryLayout, StateSnapshot, Step, Stepper};
pub use moment::Moment;
pub use motion::{ConstantMotion, LONGEST_WINDOW_SECS, Motion, PlayedMotion, Still};
pub use neighbours::Neighbours;
pub use pairs::Pairs;
pub use parameter_keys::KeyWarning;
pub use parameters::{ParameterError, Parameters};
pub use performer::{Change, Performer};
pub use plain::plain_program;
pub use puppet::Puppet;
pub use record::Record;
pub use setup::{Playing, Setup};
pub use skinning::{Posed, Skin, Skinning};
pub use some_vertices::{SomeVertices, vertices_around};
pub use timeline::{Played, Timeline};
pub use vm::Vm;
pub use warning::BindWarning;

use glam::Vec3;
use jounce_ir::Program;
use jounce_rig::Skinned;

/// Vertices of a character as a program leaves them, in the scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deformed {
    pub positions: Vec<Vec3>,
    /// Plain skinning of the same moment, which normals are made from.
    pub skinned: Skinned,
}

pub trait Evaluator {
    fn deform(
        &mut self,
        program: &Program,
        bound: &Bound,
        moment: &Moment,
    ) -> Result<Deformed, EvalError>;
}
