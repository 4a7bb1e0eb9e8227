//! Node scripts: Rhai text → [`NodeType`], typed ports and a kernel.
//!
//! Running a script declares the node (`declare`); its `fn eval` is never run but compiled, by
//! evaluating its syntax tree with values of the IR in place of numbers (`kernel`). What an eval
//! may call is in `functions`. Scripts are not trusted: size, nesting and steps are limited
//! (by counting, not by the clock, so that a busy machine reads the same scripts), and there is no
//! file, no network and no import.

mod broken;
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
mod slips;
mod watch;

pub use error::{ScriptError, SourcePosition};
pub use kernel::{EvaluateError, Kernel, Val, evaluate_node, identifier};
pub use library::{Library, user_scripts_folder};
pub use node_type::{
    DefaultInput, InputPort, NodeType, OutputPort, PortType, ScriptOrigin, Setting, StatePort,
};
pub use rehearse::known;
pub use reload::{BrokenScript, Reloaded, Replaced, ScriptFolders, read_script};
pub use watch::{FolderWatch, WatchError};

/// Reads one script. `file` is how its author knows it; it begins every message. All mistakes
/// are reported at once; after the first, only those that do not follow from it.
pub fn node_type(text: &str, file: &str, origin: ScriptOrigin) -> Result<NodeType, ScriptError> {
    let mut fails = error::Fails::default();
    let read = read(text, file, origin, &mut fails);
    match fails.into_error(file) {
        Some(error) => Err(error.limited()),
        None => Ok(read.expect("a script that is not read has a mistake")),
    }
}

/// None only if there is something in `fails`.
fn read(
    text: &str,
    file: &str,
    origin: ScriptOrigin,
    fails: &mut error::Fails,
) -> Option<NodeType> {
    let parsed = match parse::parse(text, fails) {
        Ok(parsed) => parsed,
        Err(fail) => {
            fails.push(fail);
            return None;
        }
    };
    let mut declared = declare::declare(&parsed, fails);
    let mut broken = std::mem::take(&mut declared.broken);
    let node_type = declared.into_node_type(&parsed, file, origin, &mut broken, fails)?;
    rehearse::rehearse(&node_type, &broken, fails);
    Some(node_type)
}
