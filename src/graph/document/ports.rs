//! The ports of any node: of a script, of a group, or of a script inside the node.

use super::{EXPRESSION_TYPE, GraphRef, Node, Published, Style};
use crate::script::{DefaultInput, InputPort, Library, NodeType, OutputPort, ScriptError};
use jounce_base::text::nearest;
use std::collections::HashMap;
use std::sync::Arc;
use thiserror::Error;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ports {
    pub inputs: Vec<InputPort>,
    pub outputs: Vec<OutputPort>,
}

/// Why a node has no ports.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PortsError {
    #[error(
        "there is no node type {name:?}{}; replace the node, or add the script that makes it",
        did_you_mean(nearest)
    )]
    UnknownType { name: String, nearest: Option<String> },
    #[error(
        "there is no group {name:?}{}; replace the node, or make the group",
        did_you_mean(nearest)
    )]
    UnknownGroup { name: String, nearest: Option<String> },
    #[error("{0}")]
    Script(#[from] ScriptError),
}

pub(super) fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!(" (did you mean {name:?}?)")).unwrap_or_default()
}

impl Ports {
    pub fn input(&self, name: &str) -> Option<&InputPort> {
        self.inputs.iter().find(|port| port.name == name)
    }

    pub fn output(&self, name: &str) -> Option<&OutputPort> {
        self.outputs.iter().find(|port| port.name == name)
    }
}

/// The type of a node that is not a group.
pub fn node_type_of(node: &Node, library: &Library) -> Result<Arc<NodeType>, PortsError> {
    let name = &node.node_type;
    if let Some(code) = node.code.as_ref().filter(|_| name == EXPRESSION_TYPE) {
        let stand_in = || library.stand_in(code).cloned();
        return library.expression(code).or_else(|error| stand_in().ok_or(error.into()));
    }
    let unknown = || {
        let has_that_name = |word: &String| word.eq_ignore_ascii_case(name);
        let known_as = library.types().find(|ty| ty.also.iter().any(has_that_name));
        let names = library.types().map(|ty| ty.name.as_str());
        let nearest = known_as.map(|ty| ty.name.as_str()).or_else(|| nearest(name, names));
        let nearest = nearest.map(str::to_owned);
        PortsError::UnknownType { name: name.clone(), nearest }
    };
    library.get(name).cloned().ok_or_else(unknown)
}

/// What is wrong with the script of an Expression node, also where an earlier version stands in for it.
pub fn script_error_of(node: &Node, library: &Library) -> Option<ScriptError> {
    let code = node.code.as_ref().filter(|_| node.node_type == EXPRESSION_TYPE)?;
    library.expression(code).err()
}

pub fn ports_of(node: &Node, style: &Style, library: &Library) -> Result<Ports, PortsError> {
    PortTable::new(style, library).of(node).map(Arc::unwrap_or_clone)
}

/// The ports of all nodes of one document, each kind of node looked at once.
pub struct PortTable<'a> {
    pub(super) style: &'a Style,
    pub(super) library: &'a Library,
    /// By type and, for an Expression, its script.
    known: HashMap<(String, Option<String>), Result<Arc<Ports>, PortsError>>,
}

impl<'a> PortTable<'a> {
    pub fn new(style: &'a Style, library: &'a Library) -> PortTable<'a> {
        PortTable { style, library, known: HashMap::new() }
    }

    pub fn of(&mut self, node: &Node) -> Result<Arc<Ports>, PortsError> {
        let code = node.code.clone().filter(|_| node.node_type == EXPRESSION_TYPE);
        let key = (node.node_type.clone(), code);
        if let Some(ports) = self.known.get(&key) {
            return ports.clone();
        }
        let ports = match node.group() {
            Some(name) => self.of_group(name),
            None => node_type_of(node, self.library).map(|ty| {
                Arc::new(Ports { inputs: ty.inputs.clone(), outputs: ty.outputs.clone() })
            }),
        };
        self.known.insert(key, ports.clone());
        ports
    }

    /// Published ports that lead nowhere are left out; see [`super::check`].
    fn of_group(&mut self, name: &str) -> Result<Arc<Ports>, PortsError> {
        let Some(group) = self.style.groups.get(name) else {
            let nearest = nearest(name, self.style.groups.keys().map(String::as_str));
            let nearest = nearest.map(str::to_owned);
            return Err(PortsError::UnknownGroup { name: name.to_owned(), nearest });
        };
        let inputs = group.inputs.iter().filter_map(|port| self.published_input(name, port));
        let inputs = inputs.collect();
        let outputs = group.outputs.iter().filter_map(|port| self.published_output(name, port));
        let outputs = outputs.collect();
        Ok(Arc::new(Ports { inputs, outputs }))
    }

    /// The input as the group shows it: the inner one, with the value that is set inside.
    ///
    /// Recursion ends: groups are nested at most [`super::MAX_NESTING`] deep.
    pub(super) fn published_input(&mut self, group: &str, port: &Published) -> Option<InputPort> {
        let node = self.inner_node(group, port)?;
        let ports = self.of(node).ok()?;
        let mut input = ports.input(&port.inner.port)?.clone();
        input.name.clone_from(&port.name);
        if let Some(setting) = node.settings.get(&port.inner.port) {
            input.default = DefaultInput::Setting(setting.clone());
        }
        Some(input)
    }

    pub(super) fn published_output(&mut self, group: &str, port: &Published) -> Option<OutputPort> {
        let node = self.inner_node(group, port)?;
        let ports = self.of(node).ok()?;
        let output = ports.output(&port.inner.port)?.clone();
        // Which output it belongs to inside says nothing outside.
        Some(OutputPort { name: port.name.clone(), per_bone_of: None, ..output })
    }

    fn inner_node(&self, group: &str, port: &Published) -> Option<&'a Node> {
        let style: &'a Style = self.style;
        style.graph(&GraphRef::Group(group.to_owned()))?.nodes.get(&port.inner.node)
    }
}
