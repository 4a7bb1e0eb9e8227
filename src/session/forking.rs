//! From a node to code of one's own, and back: a node turned into an Expression, an Expression saved as a node,
//! a new script, a copy of one that is there.

use super::{CodeOf, Session};
use jounce_files::WriteError;
use jounce_graph::document::{
    Command, EXPRESSION_TYPE, GraphRef, OUTPUT_TYPE, PARAMETER_TYPE, node_type_of,
};
use jounce_graph::script::editing::{Template, file_name, with_node_name};
use jounce_graph::script::{ScriptError, ScriptOrigin};
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ForkError {
    #[error("there is no folder for scripts; set XDG_CONFIG_HOME or HOME to a folder of yours")]
    NoFolder,
    #[error("the name is empty; give the node a name")]
    NoName,
    #[error("there is a node \"{0}\" already; choose another name")]
    NameTaken(String),
    #[error("there is a library \"{0}\" already; choose another name")]
    LibraryTaken(String),
    #[error("there is a file {} already; choose another name", .0.display())]
    FileTaken(PathBuf),
    #[error("this node has no code of its own that could be changed; choose another one")]
    NoCode,
    #[error("the code has a mistake; correct it first: {0}")]
    Mistake(ScriptError),
    #[error("the folder {} cannot be made: {source}; check that you may write there", folder.display())]
    Folder { folder: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl Session {
    /// Where scripts of the user's own go.
    pub fn scripts_folder(&self) -> Option<&Path> {
        self.scripts().folders().first().map(PathBuf::as_path)
    }

    /// Has the node code that could be another's? What the program asks a node by its type has none.
    pub fn has_code_to_fork(&self, graph: &GraphRef, id: &str) -> bool {
        let node_type = self.node(graph, id).map(|node| node.node_type.as_str());
        let is_special = matches!(node_type, Some(OUTPUT_TYPE | PARAMETER_TYPE));
        !is_special && self.code_of_node(graph, id).is_some_and(|of| self.code(&of).is_some())
    }

    /// Could it be an Expression with the same code?
    pub fn can_be_expression(&self, graph: &GraphRef, id: &str) -> bool {
        let is_one = self.node(graph, id).is_some_and(|node| node.node_type == EXPRESSION_TYPE);
        !is_one && self.has_code_to_fork(graph, id)
    }

    /// The node's own copy of its code, in the document. Wires and values stay.
    pub fn turn_into_expression(&mut self, graph: &GraphRef, id: &str) -> Result<(), ForkError> {
        if !self.can_be_expression(graph, id) {
            return Err(ForkError::NoCode);
        }
        let node = self.node(graph, id).ok_or(ForkError::NoCode)?;
        let node_type = node_type_of(node, self.library()).map_err(|_| ForkError::NoCode)?;
        let title = node.title.clone().unwrap_or_else(|| node_type.name.clone());
        let (graph, node) = (graph.clone(), id.to_owned());
        let code = Some(node_type.code.to_string());
        let set_code = Command::SetCode { graph: graph.clone(), node: node.clone(), code };
        let to_expression = Command::SetType {
            graph: graph.clone(),
            node: node.clone(),
            node_type: EXPRESSION_TYPE.to_owned(),
        };
        let set_title = Command::SetTitle { graph, node, title: Some(title) };
        let all = Command::batch(vec![to_expression, set_code, set_title]);
        self.perform("Turn into Expression", all);
        Ok(())
    }

    /// The node's code as a script of its own, under a new name; the node becomes one of that type. Wires and
    /// values stay.
    pub fn save_as_node(
        &mut self,
        graph: &GraphRef,
        id: &str,
        name: &str,
    ) -> Result<PathBuf, ForkError> {
        let of = self.code_of_node(graph, id).filter(|_| self.has_code_to_fork(graph, id));
        let code = of.as_ref().and_then(|of| self.code(of)).ok_or(ForkError::NoCode)?;
        let name = name.trim();
        let text = with_node_name(&code, name);
        let path = self.write_new_script(name, &text)?;
        let (graph, node) = (graph.clone(), id.to_owned());
        let mut commands = vec![
            Command::SetType {
                graph: graph.clone(),
                node: node.clone(),
                node_type: name.to_owned(),
            },
            Command::SetCode { graph: graph.clone(), node: node.clone(), code: None },
        ];
        let is_title = |node: &jounce_graph::document::Node| {
            node.title.as_ref().is_some_and(|title| title == name || title == EXPRESSION_TYPE)
        };
        if self.node(&graph, id).is_some_and(is_title) {
            commands.push(Command::SetTitle { graph, node, title: None });
        }
        self.perform("Save as Node", Command::batch(commands));
        Ok(path)
    }

    /// A new script in the user's folder.
    pub fn new_script(&mut self, name: &str, template: &Template) -> Result<PathBuf, ForkError> {
        let name = name.trim();
        self.write_new_script(name, &template.script(name))
    }

    fn write_new_script(&mut self, name: &str, text: &str) -> Result<PathBuf, ForkError> {
        let folder = self.scripts_folder().ok_or(ForkError::NoFolder)?.to_owned();
        if name.is_empty() {
            return Err(ForkError::NoName);
        }
        let path = folder.join(file_name(name));
        // It must be usable before it takes a place: what has a mistake stays where it is.
        let origin = ScriptOrigin::File(path.clone());
        match self.library().script(text, &path.display().to_string(), origin) {
            Ok(script) if script.is_library() && self.library().shared().get(name).is_some() => {
                return Err(ForkError::LibraryTaken(name.to_owned()));
            }
            Ok(script) if !script.is_library() && self.library().get(name).is_some() => {
                return Err(ForkError::NameTaken(name.to_owned()));
            }
            Ok(_) => {}
            Err(error) => return Err(ForkError::Mistake(error)),
        }
        if path.symlink_metadata().is_ok() {
            return Err(ForkError::FileTaken(path));
        }
        std::fs::create_dir_all(&folder)
            .map_err(|source| ForkError::Folder { folder: folder.clone(), source })?;
        self.write_script(&path, text)?;
        Ok(path)
    }

    /// The script that a selected node's code is kept in, if it is a file.
    pub fn script_of_node(&self, graph: &GraphRef, id: &str) -> Option<PathBuf> {
        match self.code_of_node(graph, id)? {
            CodeOf::File(path) => Some(path),
            CodeOf::Expression { .. } | CodeOf::BuiltIn(_) => None,
        }
    }
}
