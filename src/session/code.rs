//! The code of nodes: of Expressions, which is in the document, and of scripts, which is in files.

use super::{Session, Severity};
use jounce_files::{FillError, WriteError, write_atomically};
use jounce_graph::document::{Command, EXPRESSION_TYPE, GraphRef, Node, node_type_of};
use jounce_graph::script::editing::EXPRESSION_START;
use jounce_graph::script::{ScriptError, ScriptOrigin};
use std::path::{Path, PathBuf};

/// Whose code it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CodeOf {
    Expression {
        graph: GraphRef,
        node: String,
    },
    /// A script in one of the folders.
    File(PathBuf),
    /// A node that comes with the program, by its name: to be read, not to be changed.
    BuiltIn(String),
}

impl CodeOf {
    pub fn is_read_only(&self) -> bool {
        matches!(self, CodeOf::BuiltIn(_))
    }
}

impl Session {
    /// Whose code a node runs. None: a group, or a type that is not known.
    pub fn code_of_node(&self, graph: &GraphRef, id: &str) -> Option<CodeOf> {
        let node = self.node(graph, id)?;
        if node.node_type == EXPRESSION_TYPE {
            return Some(CodeOf::Expression { graph: graph.clone(), node: id.to_owned() });
        }
        match node_type_of(node, self.library()) {
            Ok(ty) => Some(match &ty.origin {
                ScriptOrigin::File(path) => CodeOf::File(path.clone()),
                _ => CodeOf::BuiltIn(ty.name.clone()),
            }),
            Err(_) => None,
        }
    }

    /// None: it is not there any more.
    pub fn code(&self, of: &CodeOf) -> Option<String> {
        match of {
            CodeOf::Expression { graph, node } => {
                let node = self.node(graph, node).filter(|it| it.node_type == EXPRESSION_TYPE)?;
                Some(node.code.clone().unwrap_or_else(|| EXPRESSION_START.to_owned()))
            }
            CodeOf::File(path) => self.scripts().text_of(path).map(str::to_owned),
            CodeOf::BuiltIn(name) => self.library().get(name).map(|ty| ty.code.to_string()),
        }
    }

    /// Takes over what was written: an Expression as one step, a script into its file. Mistakes in it are no
    /// failure.
    pub fn set_code(&mut self, of: &CodeOf, text: &str) -> bool {
        match of {
            CodeOf::Expression { graph, node } => {
                let (graph, node, code) = (graph.clone(), node.clone(), Some(text.to_owned()));
                self.perform("Edit Code", Command::SetCode { graph, node, code })
            }
            CodeOf::File(path) => match self.write_script(path, text) {
                Ok(()) => true,
                Err(error) => {
                    self.say(Severity::Error, error.to_string());
                    false
                }
            },
            CodeOf::BuiltIn(_) => false,
        }
    }

    /// What is wrong with it as it stands.
    pub fn code_error(&self, of: &CodeOf) -> Option<ScriptError> {
        match of {
            CodeOf::Expression { graph, node } => {
                let code = self.node(graph, node)?.code.as_ref()?;
                self.library().expression(code).err()
            }
            CodeOf::File(path) => {
                let broken = self.scripts().broken().find(|broken| broken.file == *path);
                broken.map(|broken| broken.error.clone())
            }
            CodeOf::BuiltIn(_) => None,
        }
    }

    pub(super) fn write_script(&mut self, path: &Path, text: &str) -> Result<(), WriteError> {
        write_atomically(path, |file| {
            file.write_all(text.as_bytes()).map_err(FillError::<WriteError>::from)
        })?;
        self.reload_scripts(&[path.to_owned()]);
        Ok(())
    }

    pub(super) fn node(&self, graph: &GraphRef, id: &str) -> Option<&Node> {
        self.document().style.graph(graph)?.nodes.get(id)
    }
}
