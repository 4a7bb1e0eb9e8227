//! All node types that are known, by name.

use super::built_in::{EFFECTS, NODES};
use super::error::ScriptError;
use super::shared::SharedScripts;
use super::{NodeType, Script, ScriptOrigin, node_type, node_type_with};
use jounce_files::user_folders::config_folder;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Node types, with a memory of the scripts inside documents: they are asked for at every change. Such
/// a script depends on its own text and the libraries alone, so the memory stays right when other types change.
#[derive(Clone, Debug, Default)]
pub struct Library {
    types: BTreeMap<String, Arc<NodeType>>,
    expressions: Arc<Mutex<Expressions>>,
    /// For scripts of a document that have a mistake, by their text: what is used in their place.
    stand_ins: BTreeMap<String, Arc<NodeType>>,
    shared: Arc<SharedScripts>,
}

type Expressions = HashMap<String, Result<Arc<NodeType>, ScriptError>>;

/// Scripts of one document are few; old versions of what is being typed are forgotten at once.
const MOST_EXPRESSIONS: usize = 256;
impl Library {
    /// The nodes that come with the program.
    pub fn built_in() -> Library {
        static BUILT_IN: OnceLock<Library> = OnceLock::new();
        BUILT_IN.get_or_init(Library::read_built_in).clone()
    }

    fn read_built_in() -> Library {
        let mut library = Library::default();
        for (file, text) in NODES.iter().chain(EFFECTS) {
            // A broken built-in script is found by the tests; nobody else can cause it.
            match node_type(text, file, ScriptOrigin::BuiltIn) {
                Ok(node_type) => library.insert(node_type),
                Err(error) => debug_assert!(false, "{error}"),
            }
        }
        library
    }

    pub fn get(&self, name: &str) -> Option<&Arc<NodeType>> {
        self.types.get(name)
    }

    /// By name.
    pub fn types(&self) -> impl Iterator<Item = &Arc<NodeType>> {
        self.types.values()
    }

    /// Are all types the very same ones?
    pub fn is_same(&self, other: &Library) -> bool {
        let types = || self.types.values().zip(other.types.values());
        self.types.len() == other.types.len()
            && types().all(|(a, b)| Arc::ptr_eq(a, b))
            && (Arc::ptr_eq(&self.shared, &other.shared) || self.shared.is_same(&other.shared))
    }

    /// Adds a type; one of the same name is replaced.
    pub fn insert(&mut self, node_type: impl Into<Arc<NodeType>>) {
        let node_type = node_type.into();
        self.types.insert(node_type.name.clone(), node_type);
    }

    /// What scripts share.
    pub fn shared(&self) -> &SharedScripts {
        &self.shared
    }

    /// With other libraries, scripts of documents may mean something else.
    pub(super) fn set_shared(&mut self, shared: Arc<SharedScripts>) {
        if !self.shared.is_same(&shared) {
            self.shared = shared;
            self.expressions = Arc::default();
        }
    }

    /// Goes on with what another knows of scripts of documents, if it has the same libraries.
    pub(super) fn remember_with(&mut self, other: &Library) {
        if self.shared.is_same(&other.shared) {
            self.expressions = other.expressions.clone();
        }
    }

    /// Reads a script, whichever it is, with the libraries there are.
    pub fn script(
        &self,
        text: &str,
        file: &str,
        origin: ScriptOrigin,
    ) -> Result<Script, ScriptError> {
        super::script(text, file, origin, &self.shared)
    }

    /// What is used in place of scripts of a document that have a mistake: the last version of the same
    /// node that worked, while somebody writes it.
    pub fn set_stand_ins(&mut self, stand_ins: BTreeMap<String, Arc<NodeType>>) {
        self.stand_ins = stand_ins;
    }

    pub fn stand_in(&self, code: &str) -> Option<&Arc<NodeType>> {
        self.stand_ins.get(code)
    }

    /// The type of an Expression node with this script.
    pub fn expression(&self, code: &str) -> Result<Arc<NodeType>, ScriptError> {
        let mut known = self.expressions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(result) = known.get(code) {
            return result.clone();
        }
        if known.len() >= MOST_EXPRESSIONS {
            known.clear();
        }
        let read = node_type_with(code, "this expression", ScriptOrigin::Document, &self.shared);
        let result = read.map(|mut made| {
            made.name = "Expression".to_owned();
            Arc::new(made)
        });
        known.insert(code.to_owned(), result.clone());
        result
    }
}

/// The folder of the user's own scripts: `jounce/scripts` in the system's configuration folder.
pub fn user_scripts_folder() -> Option<PathBuf> {
    config_folder().map(|config| config.join("scripts"))
}
