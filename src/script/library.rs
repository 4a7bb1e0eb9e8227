//! All node types that are known, by name.

use super::{NodeType, Place, ScriptError};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct Library {
    types: BTreeMap<String, Arc<NodeType>>,
}

impl Library {
    pub fn get(&self, name: &str) -> Option<&Arc<NodeType>> {
        self.types.get(name)
    }

    /// The type that an Expression node's own script declares.
    pub fn expression(&self, _code: &str) -> Result<Arc<NodeType>, ScriptError> {
        let message = "scripts inside of documents cannot be read yet".to_owned();
        Err(ScriptError { file: "Expression".to_owned(), place: Place::default(), message })
    }

    /// By name.
    pub fn types(&self) -> impl Iterator<Item = &Arc<NodeType>> {
        self.types.values()
    }

    /// Adds a type; one of the same name is replaced.
    pub fn insert(&mut self, node_type: NodeType) {
        self.types.insert(node_type.name.clone(), Arc::new(node_type));
    }
}
