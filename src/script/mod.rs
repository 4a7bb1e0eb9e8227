//! Node scripts: Rhai text → [`NodeType`], typed ports and a kernel.

mod error;
mod library;
mod node_type;

pub use error::{Place, ScriptError};
pub use library::Library;
pub use node_type::{
    DefaultInput, InputPort, NodeType, OutputPort, PortType, ScriptOrigin, Setting, StatePort,
};

/// The body of a node's `eval`.
#[derive(Clone, Debug, Default)]
pub struct Kernel {}
