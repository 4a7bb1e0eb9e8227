//! What the editor does to nodes, as one command each.

use super::clipboard::{Edit, Fragment, Selection};
use super::ports::PortTable;
use super::types::Resolver;
use super::{
    Command, Document, GROUP_PREFIX, Graph, GraphRef, Link, Node, PortRef, Style, bone_paths,
};
use crate::script::Library;
use std::collections::BTreeMap;
use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OperationError {
    #[error("there is no group {name:?}; make it first")]
    NoGroup { name: String },
    #[error("there is no node {node:?}; it may have been removed")]
    NoNode { node: String },
    #[error("there is no wire {link}; it may have been removed")]
    NoLink { link: Link },
    #[error("nothing is selected; select the nodes first")]
    NothingSelected,
    #[error("the Output node cannot go into a group; leave it out of the selection")]
    OutputSelected,
    #[error("the selection would depend on its own result through {node:?}; select that node too")]
    Between { node: String },
    #[error(
        "{name:?} cannot name a group; use words without dots and slashes that no group has yet"
    )]
    BadGroupName { name: String },
    #[error("{node:?} is not a group; select a group's node")]
    NotAGroup { node: String },
    #[error("{node:?} has no input and output that fit this wire; add the wires by hand")]
    DoesNotFit { node: String },
    #[error("the selection does not affect the result; wire it first")]
    NotHeard,
    #[error("nothing but the selection affects the result, so there is nothing to mute")]
    NothingBeside,
}

pub(super) fn graph_of<'a>(
    style: &'a Style,
    graph: &GraphRef,
) -> Result<&'a Graph, OperationError> {
    let name = if let GraphRef::Group(name) = graph { name.clone() } else { String::new() };
    style.graph(graph).ok_or(OperationError::NoGroup { name })
}

pub(super) fn node_of<'a>(graph: &'a Graph, id: &str) -> Result<&'a Node, OperationError> {
    graph.nodes.get(id).ok_or_else(|| OperationError::NoNode { node: id.to_owned() })
}

/// Removes what is selected, with links and bone values.
pub fn delete(document: &Document, graph: &GraphRef, selection: &Selection) -> Command {
    let mut commands = bone_paths::forget(document, graph, |id| selection.nodes.contains(id));
    let nodes = selection.nodes.iter().cloned();
    commands.extend(nodes.map(|id| Command::RemoveNode { graph: graph.clone(), id }));
    let frames = selection.frames.iter().cloned();
    commands.extend(frames.map(|id| Command::SetFrame { graph: graph.clone(), id, frame: None }));
    let comments = selection.comments.iter().cloned();
    let remove = |id| Command::SetComment { graph: graph.clone(), id, comment: None };
    commands.extend(comments.map(remove));
    Command::batch(commands)
}

/// Removes a node and joins what came in to where its result went, as far as types fit. What came
/// in is the link at the input of the output's own name, or at the first linked input.
pub fn delete_and_rewire(
    document: &Document,
    library: &Library,
    graph: &GraphRef,
    id: &str,
) -> Result<Command, OperationError> {
    let style = &document.style;
    let source = graph_of(style, graph)?;
    let node = node_of(source, id)?;
    let mut commands = vec![delete(document, graph, &Selection::nodes([id]))];
    let mut resolver = Resolver::new(style, library);
    let types = resolver.outputs(graph);
    let Ok(ports) = resolver.ports.of(node) else { return Ok(Command::batch(commands)) };
    for old in source.links_out_of(id) {
        let Some(target) = source.nodes.get(&old.to.node) else { continue };
        let Ok(target_ports) = resolver.ports.of(target) else { continue };
        let Some(input) = target_ports.input(&old.to.port) else { continue };
        let linked = |name: &str| source.links_into(id).any(|link| link.to.port == name);
        let names = || ports.inputs.iter().map(|port| port.name.as_str());
        let same = names().find(|name| *name == old.from.port && linked(name));
        let Some(main) = same.or_else(|| names().find(|name| linked(name))) else { continue };
        let arriving = source.links_into(id).filter(|link| link.to.port == main);
        let fitting =
            arriving.filter(|link| types.get(&link.from).is_some_and(|ty| ty.fits(input.ty)));
        let at_most = if input.adds { usize::MAX } else { 1 };
        commands.extend(fitting.take(at_most).map(|link| Command::Connect {
            graph: graph.clone(),
            link: Link::new(link.from.clone(), old.to.clone()),
            adds: input.adds,
        }));
    }
    Ok(Command::batch(commands))
}

/// Puts a node into a link, at its first input and output that fit. `new` is added under the id;
/// else the node is there already.
pub fn insert_on_link(
    document: &Document,
    library: &Library,
    graph: &GraphRef,
    link: &Link,
    id: &str,
    new: Option<Node>,
) -> Result<Command, OperationError> {
    let style = &document.style;
    let target = graph_of(style, graph)?;
    if !target.links.contains(link) {
        return Err(OperationError::NoLink { link: link.clone() });
    }
    let node = match &new {
        Some(node) => node,
        None => node_of(target, id)?,
    };
    let mut resolver = Resolver::new(style, library);
    let carried = resolver.outputs(graph).get(&link.from).copied();
    let does_not_fit = || OperationError::DoesNotFit { node: id.to_owned() };
    let ports = resolver.ports.of(node).map_err(|_| does_not_fit())?;
    let last = input_of(&mut resolver.ports, target, &link.to).ok_or_else(does_not_fit)?;
    let carried = carried.ok_or_else(does_not_fit)?;
    let input =
        ports.inputs.iter().find(|input| carried.fits(input.ty)).ok_or_else(does_not_fit)?;
    let output = ports.outputs.iter().find(|output| output.ty.fits(last.ty));
    let output = output.ok_or_else(does_not_fit)?;
    let connect = |from: PortRef, to: PortRef, adds| Command::Connect {
        graph: graph.clone(),
        link: Link::new(from, to),
        adds,
    };
    let mut commands = Vec::new();
    if let Some(node) = &new {
        let (graph, id, node) = (graph.clone(), id.to_owned(), node.clone());
        commands.push(Command::AddNode { graph, id, node });
    }
    commands.push(Command::Disconnect { graph: graph.clone(), link: link.clone() });
    commands.push(connect(link.from.clone(), PortRef::new(id, &input.name), input.adds));
    commands.push(connect(PortRef::new(id, &output.name), link.to.clone(), last.adds));
    Ok(Command::batch(commands))
}

fn input_of(
    ports: &mut PortTable<'_>,
    graph: &Graph,
    port: &PortRef,
) -> Option<crate::script::InputPort> {
    ports.of(graph.nodes.get(&port.node)?).ok()?.input(&port.port).cloned()
}

/// A copy of the selection in the same graph, with links among its nodes and bone values.
pub fn duplicate(
    document: &Document,
    graph: &GraphRef,
    selection: &Selection,
    offset: [f64; 2],
) -> Edit {
    let part = Fragment::copy(&document.style, graph, selection);
    let empty = Graph::default();
    let target = document.style.graph(graph).unwrap_or(&empty);
    let (mut commands, created, ids) =
        super::clipboard::add_all(&part.graph, target, graph, offset);
    commands.extend(bone_paths::carry(document, graph, true, |cut| {
        let id = ids.get(cut.id)?.clone();
        Some(std::iter::once(id).chain(cut.rest.iter().map(|part| (*part).to_owned())).collect())
    }));
    Edit { command: Command::batch(commands), created }
}

/// Gives a group another name, wherever it is used.
pub fn rename_group(style: &Style, old: &str, new: &str) -> Result<Command, OperationError> {
    let no_group = || OperationError::NoGroup { name: old.to_owned() };
    let group = style.groups.get(old).ok_or_else(no_group)?;
    if !super::is_name(new) || style.groups.contains_key(new) {
        return Err(OperationError::BadGroupName { name: new.to_owned() });
    }
    let set = |name: &str, group| Command::SetGroup { name: name.to_owned(), group };
    let mut commands = vec![set(old, None), set(new, Some(group.clone()))];
    for (graph, contents) in style.graphs() {
        let users: BTreeMap<&String, &Node> =
            contents.nodes.iter().filter(|(_, node)| node.group() == Some(old)).collect();
        commands.extend(users.into_keys().map(|id| Command::SetType {
            graph: graph.clone(),
            node: id.clone(),
            node_type: format!("{GROUP_PREFIX}{new}"),
        }));
    }
    Ok(Command::batch(commands))
}
