//! Node scripts: Rhai text → [`NodeType`], typed ports and a kernel.
//!
//! Running a script declares the node (`declare`); its `fn eval` is never run but compiled, by
//! evaluating its syntax tree with values of the IR in place of numbers (`kernel`). What an eval
//! may call is in `functions`. Scripts are not trusted: size, nesting and steps are limited
//! (by counting, not by the clock, so that a busy machine reads the same scripts), and there is no
//! file, no network and no import.

mod built_in;
pub mod declarations;
mod declare;
mod declare_errors;
mod error;
pub mod functions;
mod kernel;
mod library;
mod node_type;
mod parse;
mod rehearse;
mod reload;
mod watch;

pub use error::{Place, ScriptError};
pub use kernel::{EvaluateError, Kernel, Val, evaluate_node, identifier};
pub use library::{Library, user_scripts_folder};
pub use node_type::{
    DefaultInput, InputPort, NodeType, OutputPort, PortType, ScriptOrigin, Setting, StatePort,
};
pub use rehearse::known;
pub use reload::{BrokenScript, Reloaded, Replaced, ScriptFolders};
pub use watch::{FolderWatch, WatchError};

/// Reads one script. `file` is how its author knows it; it begins every message.
pub fn node_type(text: &str, file: &str, origin: ScriptOrigin) -> Result<NodeType, ScriptError> {
    let parsed = parse::parse(text, file)?;
    let declared = declare::declare(&parsed, file)?;
    let node_type = declared.into_node_type(&parsed, file, origin)?;
    rehearse::rehearse(&node_type)?;
    Ok(node_type)
}
