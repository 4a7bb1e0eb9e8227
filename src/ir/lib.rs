//! The intermediate representation: what a graph is compiled to, and what every evaluator runs. It knows
//! neither: no document, no character, no device.
//!
//! # Values
//! A program is a list of values in single assignment form; each is made by one operation ([`Op`])
//! from values that stand before it. Values are hash-consed: equal operations on equal operands are
//! one value. A value has
//!
//! - a **type**: `float`, `bool` or `vec3`. A quaternion is a `vec3` and a `float`, a matrix three
//!   `vec3` columns: the script compiler takes them apart, so that evaluators need not know them.
//! - a **rate**: how often it differs. It is inferred, never declared: a source says its own, any
//!   other value has the join of its operands' rates.
//!
//! ```text
//!            influence        one value per pair of a vertex and a bone that moves it
//!            /       \
//!         bone      vertex
//!            \       /
//!              frame          one value for the whole character
//! ```
//! - an **origin**: the node and the name it came from; see [`Origin`].
//!
//! Only [`Op::Sum`] goes down: Σ over the bones of a vertex, weighted by one of the program's weight
//! [`Column`]s; its result has rate vertex. Only `float` and `vec3` can be summed. A value with no
//! bone in it is not summed but taken once: the builder gives it back as it is.
//!
//! # Operations are total
//! From finite operands comes a finite result, as long as it is below 1e30; the text of
//! [`semantics`] defines each one to the last special case, and both constant folding and the
//! scalar interpreter run exactly that text. In short: `sqrt` and `log` limit their operand, `/`
//! and `normalize` give 0 where the divisor is below 1e-20, `exp` and `pow` are limited, `min` and
//! `max` are a comparison and a choice. Nothing else can make infinity or NaN of sane numbers, and
//! insane ones are stopped twice: where they enter (|x| ≤ 1e12 at loading and in the bone table) and
//! where the result leaves ([`Binary::SaneOr`]: in place of an absurd position stands plain skinning's).
//!
//! Evaluators in single precision use the same limits. There a vector longer than 1e19 has no length
//! that can be computed (its square is beyond f32), and one shorter than 1e-19 loses digits of it:
//! results are then still finite where they leave, but not those of f64. Directions are 0 below a length
//! of 1e-10 in both.
//!
//! # Mixed operands
//! `mul`, `div` and `fma` take a `vec3` first operand with a `float` second one; all other binary
//! operations want equal types. `float` becomes `vec3` by an explicit [`Ternary::Vec3`] of three times
//! the same value.
//!
//! # Programs
//! [`Program`] is the value list after dead code is gone, cut into stages that run one after the
//! other: frame, bone, then vertex code and loops over the vertex's bones in turn, as often as sums
//! feed on sums. [`Op::Relax`] smooths a value of the vertices over the surface: then all vertices must
//! have come so far, so it parts the vertex stages into *passes*. [`Schedule`] says what is handed on
//! from stage to stage and from pass to pass.
//!
//! [`Program::validate`] says whether all this holds of a program that the builder has not made.
//! [`Program::to_saved_text`] writes one down, for those who run programs and compile none.
//!
//! # What is said of an operation, and of a source, is one row
//! [`unary`] and [`binary`] have a row for each operation: name, types, cost, dimension, derivative, how it
//! is written in each language. [`source`] has one for each source. A new operation is a row there and its
//! meaning in [`semantics`]; then the compiler asks for the rest.

// Tests are no part of the runtime.
#![cfg_attr(test, allow(clippy::disallowed_types, clippy::disallowed_methods))]

pub mod binary;
mod builder;
mod dimension;
mod focus;
mod fuse;
mod hash;
mod infer;
pub mod looking;
pub mod op;
mod origins;
mod program;
mod prune;
pub mod row;
pub mod saved;
pub mod schedule;
pub mod semantics;
pub mod source;
pub mod spelling;
mod stages;
pub mod ternary;
mod text;
mod types;
pub mod unary;
pub mod validate;

pub use builder::Builder;
pub use dimension::Dimension;
pub use op::{Binary, Op, Ternary, Unary, Value};
pub use program::{
    AnchorRequest, BoneSet, BoneTable, Column, History, MOST_ANCHORS, MapRequest, MapSource,
    Memory, Origin, Parameter, Program, STEPS_PER_SEC, Stage, State, Tables, WeightKind,
};
pub use saved::SavedError;
pub use schedule::{Schedule, VertexPass};
pub use source::Source;
pub use types::{Number, Rate, Type};
pub use validate::ProgramError;
