//! Node scripts: Rhai text → [`NodeType`], typed ports and a kernel.
//!
//! Running a script declares the node (`declare`); its `fn eval` is never run but compiled, by
//! evaluating its syntax tree with values of the IR in place of numbers (`kernel`). What an eval
//! may call is in `functions`. Scripts are not trusted: size, nesting and steps are limited
//! (by counting, not by the clock, so that a busy machine reads the same scripts), and there is no
//! file, no network and no import. What helps people to write them is in `editing`.

mod broken;
mod built_in;
pub mod declarations;
mod declare;
mod declare_errors;
pub mod editing;
mod error;
pub mod functions;
mod kernel;
mod library;
mod node_type;
mod parse;
mod rehearse;
mod reload;
mod shared;
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
pub use shared::{SharedScript, SharedScripts};
pub use watch::{FolderWatch, WatchError};

/// Reads one node script. `file` is how its author knows it; it begins every message. All mistakes
/// are reported at once; after the first, only those that do not follow from it.
pub fn node_type(text: &str, file: &str, origin: ScriptOrigin) -> Result<NodeType, ScriptError> {
    node_type_with(text, file, origin, &SharedScripts::default())
}

/// The same, with libraries that it may use.
pub fn node_type_with(
    text: &str,
    file: &str,
    origin: ScriptOrigin,
    shared: &SharedScripts,
) -> Result<NodeType, ScriptError> {
    match script(text, file, origin, shared)? {
        Script::Node(node_type) => Ok(*node_type),
        Script::Library(library) => {
            let message = format!(
                "this is the library \"{}\", not a node; write uses(\"{}\"); in the scripts that need it",
                library.name, library.name
            );
            Err(ScriptError::new(file, SourcePosition::default(), message))
        }
    }
}

/// What a script may be.
#[derive(Clone, Debug)]
pub enum Script {
    Node(Box<NodeType>),
    Library(SharedScript),
}

impl Script {
    pub fn is_library(&self) -> bool {
        matches!(self, Script::Library(_))
    }

    /// That of the node, or of the library.
    pub fn name(&self) -> &str {
        match self {
            Script::Node(node_type) => &node_type.name,
            Script::Library(library) => &library.name,
        }
    }
}

/// Reads one script, whichever it is.
pub fn script(
    text: &str,
    file: &str,
    origin: ScriptOrigin,
    shared: &SharedScripts,
) -> Result<Script, ScriptError> {
    let mut fails = error::Fails::default();
    let read = read(text, file, origin, shared, &mut fails);
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
    shared: &SharedScripts,
    fails: &mut error::Fails,
) -> Option<Script> {
    let parsed = match parse::parse(text, fails) {
        Ok(parsed) => parsed,
        Err(fail) => {
            fails.push(fail);
            return None;
        }
    };
    let mut declared = declare::declare(&parsed, fails);
    let linked = shared::Linked::link(&declared.uses, shared, fails);
    let mut broken = std::mem::take(&mut declared.broken);
    // What a library has that is not there would be missed again at each call.
    broken.rest |= linked.is_none();
    let linked = linked.unwrap_or_default();
    if declared.library.is_some() {
        return declared.into_library(parsed, file, linked, &broken, fails).map(Script::Library);
    }
    let node_type = declared.into_node_type(&parsed, file, origin, linked, &mut broken, fails)?;
    rehearse::rehearse(&node_type, &broken, fails);
    Some(Script::Node(Box::new(node_type)))
}
