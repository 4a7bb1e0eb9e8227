//! Why a moment cannot be evaluated.

use jounce_ir::{Number, ProgramError, Type, Value};
use jounce_rig::CharacterError;
use thiserror::Error;

#[derive(Clone, Debug, Error, PartialEq)]
pub enum EvalError {
    #[error(
        "the {what} has {found} entries, but {expected} are needed: it belongs to another \
         character or graph"
    )]
    Count { what: &'static str, found: usize, expected: usize },
    #[error("the {what} of bone \"{bone}\" is {number}, which is not a usable number")]
    Bone { what: &'static str, bone: String, number: f64 },
    #[error("the {what} of vertex {vertex} is {number}, which is not a usable number")]
    Vertex { what: &'static str, vertex: usize, number: f64 },
    #[error("the {what} is {number}, which is not a usable number")]
    Number { what: &'static str, number: f64 },
    #[error("the input \"{port}\" of \"{node}\" is {value}, which is not a usable number")]
    Parameter { node: String, port: String, value: Number },
    #[error("the input \"{port}\" of \"{node}\" is not set to a {expected}")]
    ParameterType { node: String, port: String, expected: Type },
    #[error("the pairs of vertices and bones are not in order at vertex {vertex}")]
    Pairs { vertex: usize },
    #[error("the neighbours of vertex {vertex} are not in order")]
    Neighbours { vertex: usize },
    #[error("a pose was given without skinning data; pass skinned vertices instead")]
    NoSkin,
    #[error("all instances in one call must use the skinning that was prepared")]
    OtherSkinning,
    #[error(
        "following what the nodes remember would take {secs:.0} s of motion, and the limit is {most_secs:.0} s; use a \
         shorter clip, earlier frames, or a style without memory"
    )]
    TooLong { secs: f64, most_secs: f64 },
    #[error(
        "the graph smooths {passes} times over {vertices} vertices in every frame, which would take seconds; use fewer \
         passes, or a smaller mesh"
    )]
    TooMuchSmoothing { passes: u64, vertices: usize },
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// Those who evaluate elsewhere have said why.
    #[error("{0}")]
    Device(String),
    /// The compiler never makes such a program.
    #[error("the program is broken at value {}: {why}", .value.0)]
    Program { value: Value, why: &'static str },
}

impl From<ProgramError> for EvalError {
    fn from(ProgramError { value, why }: ProgramError) -> EvalError {
        EvalError::Program { value, why }
    }
}
