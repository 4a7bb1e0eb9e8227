//! Why a program could not become a shader.

use super::printer::{NodeLines, node_heading};
use jounce_ir::Program;
use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WgslError {
    /// A bug in Jounce: generated code should always be valid.
    #[error("the shader of this graph is not valid, which is a bug in Jounce{}: {message}", place(.node, .line))]
    Invalid {
        message: String,
        /// Counted from 1.
        line: Option<usize>,
        /// The title of the node whose code it is.
        node: Option<String>,
    },
    #[error("the shader cannot be written as {language}, which is a bug in Jounce: {message}")]
    Translation { language: &'static str, message: String },
}

fn place(node: &Option<String>, line: &Option<usize>) -> String {
    match (node, line) {
        (Some(node), Some(line)) => format!(" (node {node}, line {line})"),
        (None, Some(line)) => format!(" (line {line})"),
        _ => String::new(),
    }
}

/// The node whose code stands in this line.
pub fn node_at(lines: &[NodeLines], line: usize) -> Option<&str> {
    let found = lines.iter().find(|lines| lines.lines.contains(&line));
    found.map(|found| found.node.as_str())
}

impl WgslError {
    pub fn invalid(
        program: &Program,
        lines: &[NodeLines],
        message: String,
        line: Option<usize>,
    ) -> WgslError {
        let node = line.and_then(|line| node_at(lines, line));
        let node = node.map(|node| node_heading(program, node));
        WgslError::Invalid { message, line, node }
    }
}
