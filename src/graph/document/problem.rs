//! What is wrong with a graph, as data and as a sentence that says what to do.

use super::ports::{PortsError, did_you_mean};
use super::{GraphRef, PortRef};
use crate::script::{PortType, ScriptError};
use jounce_ir::Rate;
use std::fmt;
use thiserror::Error;

/// Something to fix, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    pub graph: GraphRef,
    /// None: the graph as a whole.
    pub node: Option<String>,
    pub port: Option<String>,
    pub reason: Reason,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let GraphRef::Group(name) = &self.graph {
            write!(f, "group {name:?}: ")?;
        }
        match (&self.node, &self.port) {
            (Some(node), Some(port)) => write!(f, "{node}.{port}: ")?,
            (Some(node), None) => write!(f, "{node}: ")?,
            _ => {}
        }
        write!(f, "{}", self.reason)
    }
}

#[derive(Clone, Debug, PartialEq, Error)]
pub enum Reason {
    #[error(transparent)]
    NoPorts(#[from] PortsError),
    #[error(
        "the node has no input {port:?}{}; remove the wire or setting, or rename it",
        did_you_mean(nearest)
    )]
    UnknownInput { port: String, nearest: Option<String> },
    #[error(
        "{from} does not exist{}; remove the wire, or wire another output",
        did_you_mean(nearest)
    )]
    UnknownOutput { from: PortRef, nearest: Option<String> },
    #[error("{from} gives {carries}, but this input takes {takes}; {}", bridge(*carries, *takes))]
    TypeMismatch { from: PortRef, carries: PortType, takes: PortType },
    #[error("this {takes} is set on the node and cannot be wired; remove the wire from {from}")]
    CompileTime { from: PortRef, takes: PortType },
    #[error(
        "this input takes one wire but has {count}; remove all but one, or add them with an Add node"
    )]
    SeveralLinks { count: usize },
    #[error("its value should be of type {expected}; reset it to the default or set it again")]
    WrongKind { expected: PortType },
    #[error(
        "its value is {value}, but it must be from {low} to {high}; set it to a value in that range"
    )]
    OutOfRange { value: f64, low: f64, high: f64 },
    #[error("{word:?} is not one of its choices ({}); choose one", choices.join(", "))]
    NotAChoice { word: String, choices: Vec<String> },
    #[error("the graph has no Output node; add one and wire the result to it")]
    MissingOutput,
    #[error("there is more than one Output node; keep one")]
    SeveralOutputs,
    #[error(
        "an Output node has no effect inside a group; publish the port that should be an output"
    )]
    OutputInGroup,
    #[error(
        "the published port {name:?} leads to a port that does not exist; publish another or remove it"
    )]
    PublishedNowhere { name: String },
    #[error(
        "the published input {name:?} is wired inside the group; remove that wire or stop publishing the input"
    )]
    PublishedAndLinked { name: String },
    #[error("there is no node {node:?}; it may have been removed")]
    NoNode { node: String },
    #[error("a node cannot be wired to itself; put another node in between")]
    SelfLink,
    #[error(
        "this wire would make the node depend on its own result; remove one of the wires in the loop first"
    )]
    Cycle,
    #[error("{0}")]
    Script(ScriptError),
    #[error(
        "{from} differs {}, and the result needs one value per vertex; put Weight Propagation between them, or wire the summed output",
        rate.label()
    )]
    PerBone { from: PortRef, rate: Rate },
    #[error(
        "the graph becomes too large here; use fewer nodes, fewer rounds in their loops, or fewer passes of smoothing"
    )]
    TooLarge,
    #[error(
        "this value differs from vertex to vertex, but the node can only remember (as \"{name}\") one value per bone, or one for the character; wire in values of bones, such as velocities, before they are summed"
    )]
    Memory { name: String },
    #[error(
        "{first} shows a parameter {name:?} too, so both are set together; rename one of them if that is not intended"
    )]
    SharedName { name: String, first: String },
    #[error(
        "its value is {value}, but its slider goes from {low} to {high}; change min or max, or set it to a value in that range"
    )]
    OutsideSlider { value: f64, low: f64, high: f64 },
}

impl Reason {
    /// Is it a mistake in the script of the node itself?
    pub fn is_in_script(&self) -> bool {
        matches!(self, Reason::Script(_) | Reason::NoPorts(PortsError::Script(_)))
    }
}

/// How to get from one type to another.
fn bridge(carries: PortType, takes: PortType) -> &'static str {
    match (carries, takes) {
        (PortType::Vec3, PortType::Float) => "use Length or Split between them",
        (PortType::Quat | PortType::Mat3, _) => "wire another output, or turn a vec3 by it first",
        (_, PortType::Quat | PortType::Mat3) => "wire a rotation, or leave the input unwired",
        _ => "wire another output",
    }
}
