//! Solo: mutes everything that joins the selected branch on its way to the result.
//!
//! ```text
//! trail ──┐                          solo of trail mutes stretch; solo of what feeds trail does too,
//!         together ─ limit ─ Output  because everything that feeds a deformer acts through it
//! stretch ┘
//! ```
//! A branch is followed upwards from the result as long as wires carry the type that the result takes. What a solo
//! changed is written at the nodes themselves, so that its end brings back what the user had muted.

use super::operations::{OperationError, graph_of};
use super::types::Resolver;
use super::{Command, Document, Graph, GraphRef, Link, Node, OUTPUT_TYPE, PortRef};
use crate::script::{Library, PortType};
use std::collections::{BTreeMap, BTreeSet};

struct Voices<'a> {
    graph: &'a Graph,
    resolver: Resolver<'a>,
    carries: BTreeMap<PortRef, PortType>,
    /// The selection, and all that it reaches.
    below: BTreeSet<&'a str>,
    /// All that the selection needs.
    above: BTreeSet<&'a str>,
    muted: BTreeSet<String>,
}

/// From some nodes along links, one way or the other; with the nodes themselves.
fn follow<'a>(
    graph: &'a Graph,
    nodes: &BTreeSet<String>,
    ends: impl Fn(&'a Link) -> (&'a str, &'a str),
) -> BTreeSet<&'a str> {
    let known = nodes.iter().filter_map(|id| Some(graph.nodes.get_key_value(id)?.0.as_str()));
    let mut open: Vec<&str> = known.collect();
    let mut seen: BTreeSet<&str> = open.iter().copied().collect();
    while let Some(node) = open.pop() {
        let next = graph.links.iter().map(&ends).filter(|(from, _)| *from == node);
        open.extend(next.map(|(_, to)| to).filter(|to| seen.insert(to)));
    }
    seen
}

/// What goes straight into the result: into Output, or out of the group.
fn last_ports<'a>(
    document: &'a Document,
    graph_ref: &GraphRef,
    graph: &'a Graph,
) -> Vec<&'a PortRef> {
    match graph_ref {
        GraphRef::Top => {
            let is_output =
                |id: &str| graph.nodes.get(id).is_some_and(|n| n.node_type == OUTPUT_TYPE);
            let into_output = graph.links.iter().filter(|link| is_output(&link.to.node));
            into_output.map(|link| &link.from).collect()
        }
        GraphRef::Group(name) => {
            let outputs = document.style.groups.get(name).map(|group| group.outputs.as_slice());
            outputs.unwrap_or_default().iter().map(|port| &port.inner).collect()
        }
    }
}

impl<'a> Voices<'a> {
    fn type_of(&self, port: &PortRef) -> Option<PortType> {
        self.carries.get(port).copied()
    }

    /// Mutes a branch. Where a muted node lets something through, that is muted too.
    fn mute(&mut self, from: &'a PortRef) {
        let mut open = vec![from];
        let mut seen = BTreeSet::new();
        while let Some(from) = open.pop() {
            let id = from.node.as_str();
            if self.below.contains(id) || self.above.contains(id) || !seen.insert(from) {
                continue;
            }
            self.muted.insert(id.to_owned());
            let ports = self.graph.nodes.get(id).and_then(|node| self.resolver.ports.of(node).ok());
            let is_any = |is_output: bool, name: &str| {
                ports.as_ref().is_some_and(|ports| match is_output {
                    true => ports.output(name).is_some_and(|port| port.ty == PortType::Any),
                    false => ports.input(name).is_some_and(|port| port.ty == PortType::Any),
                })
            };
            let lets_through = |link: &&Link| {
                let input = &link.to.port;
                *input == from.port || (is_any(true, &from.port) && is_any(false, input))
            };
            let into = self.graph.links.iter().filter(|link| link.to.node == id);
            open.extend(into.filter(lets_through).map(|link| &link.from));
        }
    }
}

/// What must be muted for the given nodes to act alone.
fn rivals(
    document: &Document,
    library: &Library,
    graph_ref: &GraphRef,
    nodes: &BTreeSet<String>,
) -> Result<BTreeSet<String>, OperationError> {
    let graph = graph_of(&document.style, graph_ref)?;
    if nodes.is_empty() {
        return Err(OperationError::NothingSelected);
    }
    let mut resolver = Resolver::new(&document.style, library);
    let mut voices = Voices {
        graph,
        carries: resolver.outputs(graph_ref),
        resolver,
        below: follow(graph, nodes, |link| (&link.from.node, &link.to.node)),
        above: follow(graph, nodes, |link| (&link.to.node, &link.from.node)),
        muted: BTreeSet::new(),
    };
    let last = last_ports(document, graph_ref, graph);
    if !last.iter().any(|from| voices.below.contains(from.node.as_str())) {
        return Err(OperationError::NotHeard);
    }
    let mut joints = vec![last];
    let mut seen = BTreeSet::new();
    while let Some(joint) = joints.pop() {
        let is_ours = |from: &&PortRef, voices: &Voices| voices.below.contains(from.node.as_str());
        let ours = joint.iter().filter(|from| is_ours(from, &voices));
        let types: Vec<Option<PortType>> = ours.map(|from| voices.type_of(from)).collect();
        for from in joint {
            let carried = voices.type_of(from);
            if !types.contains(&carried) {
                continue;
            }
            if !is_ours(&from, &voices) {
                voices.mute(from);
            } else if !nodes.contains(&from.node) && seen.insert(from) {
                let into = graph.links.iter().filter(|link| link.to.node == from.node);
                let alike = into.filter(|link| voices.type_of(&link.from) == carried);
                joints.push(alike.map(|link| &link.from).collect());
            }
        }
    }
    Ok(voices.muted)
}

/// What must change for the given nodes to act alone; nothing if they already do.
fn begin(
    document: &Document,
    library: &Library,
    graph_ref: &GraphRef,
    nodes: &BTreeSet<String>,
) -> Result<Vec<Command>, OperationError> {
    let rivals = rivals(document, library, graph_ref, nodes)?;
    let graph = graph_of(&document.style, graph_ref)?;
    let change = |(id, node): (&String, &Node)| {
        let own = node.muted_before_solo.unwrap_or(node.muted);
        let muted = rivals.contains(id) || (own && !nodes.contains(id));
        let before = (muted != own).then_some(own);
        let is_so = (muted, before) == (node.muted, node.muted_before_solo);
        let (graph, node) = (graph_ref.clone(), id.clone());
        (!is_so).then_some(Command::SetMutedBySolo { graph, node, muted, before })
    };
    Ok(graph.nodes.iter().filter_map(change).collect())
}

/// Everything as the user had it before.
fn end(document: &Document, graph_ref: &GraphRef) -> Result<Vec<Command>, OperationError> {
    let graph = graph_of(&document.style, graph_ref)?;
    let changed = graph.nodes.iter().filter_map(|(id, node)| Some((id, node.muted_before_solo?)));
    let back = changed.map(|(id, muted)| Command::SetMutedBySolo {
        graph: graph_ref.clone(),
        node: id.clone(),
        muted,
        before: None,
    });
    Ok(back.collect())
}

/// Shows only these; done again, everything is as before. It is stored in the document, so that what
/// is baked and exported is what is seen.
pub fn solo(
    document: &Document,
    library: &Library,
    graph_ref: &GraphRef,
    nodes: &BTreeSet<String>,
) -> Result<Command, OperationError> {
    let mut commands = begin(document, library, graph_ref, nodes)?;
    if commands.is_empty() {
        commands = end(document, graph_ref)?;
    }
    match commands.is_empty() {
        true => Err(OperationError::NothingBeside),
        false => Ok(Command::batch(commands)),
    }
}

/// Are these the nodes that are soloed?
pub fn is_solo(
    document: &Document,
    library: &Library,
    graph_ref: &GraphRef,
    nodes: &BTreeSet<String>,
) -> bool {
    let is_begun = |commands: Vec<Command>| commands.is_empty();
    begin(document, library, graph_ref, nodes).is_ok_and(is_begun)
        && end(document, graph_ref).is_ok_and(|commands| !commands.is_empty())
}
