//! Hearing one voice: mutes what else goes into the result.

use super::operations::{OperationError, graph_of};
use super::{Command, Document, Graph, GraphRef, OUTPUT_TYPE};
use std::collections::BTreeSet;

/// The nodes whose results go straight into the graph's: into Output, or out of the group.
fn last_nodes<'a>(
    document: &'a Document,
    graph_ref: &GraphRef,
    graph: &'a Graph,
) -> BTreeSet<&'a str> {
    match graph_ref {
        GraphRef::Top => {
            let is_output =
                |id: &str| graph.nodes.get(id).is_some_and(|n| n.node_type == OUTPUT_TYPE);
            let into_output = graph.links.iter().filter(|link| is_output(&link.to.node));
            into_output.map(|link| link.from.node.as_str()).collect()
        }
        GraphRef::Group(name) => {
            let outputs = document.style.groups.get(name).map(|group| group.outputs.as_slice());
            outputs.unwrap_or_default().iter().map(|port| port.inner.node.as_str()).collect()
        }
    }
}

/// Which nodes stand beside the given ones: they go straight into the result, and nothing of the given
/// ones goes through them.
pub fn rivals(
    document: &Document,
    graph_ref: &GraphRef,
    nodes: &BTreeSet<String>,
) -> Result<BTreeSet<String>, OperationError> {
    let graph = graph_of(&document.style, graph_ref)?;
    if nodes.is_empty() {
        return Err(OperationError::NothingSelected);
    }
    let is_beside =
        |last: &&str| !nodes.iter().any(|node| node == last || graph.reaches(node, last));
    let last = last_nodes(document, graph_ref, graph);
    Ok(last.into_iter().filter(is_beside).map(str::to_owned).collect())
}

/// Are all of these muted already?
pub fn are_muted(document: &Document, graph: &GraphRef, nodes: &BTreeSet<String>) -> bool {
    let graph = document.style.graph(graph);
    let is_muted = |id: &String| graph.and_then(|it| it.nodes.get(id)).is_some_and(|it| it.muted);
    !nodes.is_empty() && nodes.iter().all(is_muted)
}

/// Only these are to be seen; done again, all are. It is written in the document, so that what is baked
/// and exported is what is seen.
pub fn solo(
    document: &Document,
    graph_ref: &GraphRef,
    nodes: &BTreeSet<String>,
) -> Result<Command, OperationError> {
    let others = rivals(document, graph_ref, nodes)?;
    let muted = !are_muted(document, graph_ref, &others);
    let graph = graph_of(&document.style, graph_ref)?;
    let set = |node: String, muted| Command::SetMuted { graph: graph_ref.clone(), node, muted };
    let mut commands: Vec<Command> = others.into_iter().map(|node| set(node, muted)).collect();
    let is_muted = |id: &&String| graph.nodes.get(*id).is_some_and(|node| node.muted);
    commands.extend(nodes.iter().filter(is_muted).map(|node| set(node.clone(), false)));
    Ok(Command::batch(commands))
}
