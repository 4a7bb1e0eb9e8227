//! A selection becomes a group, and a group its nodes again; wires and values stay.

use super::clipboard::{Edit, Selection, add_all, part_of};
use super::operations::{OperationError, graph_of, node_of};
use super::reference::{first_free, is_name};
use super::{Command, Document, GROUP_PREFIX, Graph, GraphRef, Group, Link, Node, OUTPUT_TYPE};
use super::{PortRef, Published, bone_paths};
use std::collections::{BTreeMap, BTreeSet};

/// Puts the selected nodes into a new group and its node in their place. Ports that were linked
/// to the outside, or published by the group around them, are published.
pub fn make_group(
    document: &Document,
    graph: &GraphRef,
    selection: &Selection,
    name: &str,
) -> Result<Edit, OperationError> {
    let source = graph_of(&document.style, graph)?;
    let mut selection = selection.clone();
    selection.nodes.retain(|id| source.nodes.contains_key(id));
    validate_selection(document, source, &selection, name)?;
    let inside = |port: &PortRef| selection.nodes.contains(&port.node);

    let part = part_of(source, &selection);
    let position = center(&part);
    let (mut inputs, mut outputs) = (Publisher::default(), Publisher::default());
    let mut links = Vec::new();
    let node_type = format!("{GROUP_PREFIX}{name}");
    let id = source.fresh_id(&node_type);
    for link in &source.links {
        match (inside(&link.from), inside(&link.to)) {
            (false, true) => {
                let port = PortRef::new(&id, inputs.publish(&link.to));
                links.push(Link::new(link.from.clone(), port));
            }
            (true, false) => {
                let port = PortRef::new(&id, outputs.publish(&link.from));
                links.push(Link::new(port, link.to.clone()));
            }
            _ => {}
        }
    }
    let around = republished(document, graph, |port, is_input| {
        if !inside(&port.inner) {
            return Some(port.inner.clone());
        }
        let publisher = if is_input { &mut inputs } else { &mut outputs };
        Some(PortRef::new(&id, publisher.publish(&port.inner)))
    });

    let mut commands = bone_paths::carry(document, graph, false, |cut| {
        let parts = [id.as_str(), cut.id].into_iter().chain(cut.rest.iter().copied());
        selection.nodes.contains(cut.id).then(|| parts.map(str::to_owned).collect())
    });
    let (frames, comments) = (part.frames.clone(), part.comments.clone());
    let group =
        Group { doc: String::new(), graph: part, inputs: inputs.ports, outputs: outputs.ports };
    commands.push(Command::SetGroup { name: name.to_owned(), group: Some(group) });
    let node = Node { position, ..Node::new(node_type) };
    commands.push(Command::AddNode { graph: graph.clone(), id: id.clone(), node });
    for (frame_id, frame) in &source.frames {
        let mut members = frame.members.clone();
        members.retain(|member| !selection.nodes.contains(member));
        let changed = members.len() < frame.members.len();
        let frame = if frames.contains_key(frame_id) {
            None
        } else if changed {
            members.insert(id.clone());
            Some(super::NodeFrame { members, ..frame.clone() })
        } else {
            continue;
        };
        let (graph, id) = (graph.clone(), frame_id.clone());
        commands.push(Command::SetFrame { graph, id, frame });
    }
    let uncomment = |id| Command::SetComment { graph: graph.clone(), id, comment: None };
    commands.extend(comments.into_keys().map(uncomment));
    let remove = |id| Command::RemoveNode { graph: graph.clone(), id };
    commands.extend(selection.nodes.iter().cloned().map(remove));
    commands.extend(around);
    let connect = |link| Command::Connect { graph: graph.clone(), link, adds: true };
    commands.extend(links.into_iter().map(connect));
    Ok(Edit { command: Command::batch(commands), created: Selection::nodes([id]) })
}

fn validate_selection(
    document: &Document,
    source: &Graph,
    selection: &Selection,
    name: &str,
) -> Result<(), OperationError> {
    if selection.nodes.is_empty() {
        return Err(OperationError::NothingSelected);
    }
    if !is_name(name) || document.style.groups.contains_key(name) {
        return Err(OperationError::BadGroupName { name: name.to_owned() });
    }
    let is_output = |id: &String| source.nodes.get(id).is_some_and(|n| n.node_type == OUTPUT_TYPE);
    if selection.nodes.iter().any(is_output) {
        return Err(OperationError::OutputSelected);
    }
    // Nodes outside that the selection feeds must not feed it.
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&str> = selection.nodes.iter().map(String::as_str).collect();
    while let Some(node) = open.pop() {
        for link in source.links_out_of(node) {
            let outside = !selection.nodes.contains(&link.to.node);
            if !outside && !selection.nodes.contains(node) {
                return Err(OperationError::Between { node: node.to_owned() });
            }
            if outside && seen.insert(&link.to.node) {
                open.push(&link.to.node);
            }
        }
    }
    Ok(())
}

/// Gives ports names that differ.
#[derive(Default)]
struct Publisher {
    ports: Vec<Published>,
    names: BTreeMap<PortRef, String>,
}

impl Publisher {
    fn publish(&mut self, inner: &PortRef) -> String {
        if let Some(name) = self.names.get(inner) {
            return name.clone();
        }
        let taken = |name: &str| self.ports.iter().any(|port| port.name == name);
        let with_node = format!("{} {}", inner.node, inner.port);
        let name = match inner.port.as_str() {
            port if is_name(port) && !taken(port) => port.to_owned(),
            _ if is_name(&with_node) && !taken(&with_node) => with_node,
            _ => first_free("port", " ", taken),
        };
        self.ports.push(Published { name: name.clone(), inner: inner.clone() });
        self.names.insert(inner.clone(), name.clone());
        name
    }
}

/// The published ports of the group that the graph is, each led to another inner port (or dropped).
fn republished(
    document: &Document,
    graph: &GraphRef,
    mut lead: impl FnMut(&Published, bool) -> Option<PortRef>,
) -> Option<Command> {
    let GraphRef::Group(name) = graph else { return None };
    let group = document.style.groups.get(name)?;
    let mut all = |ports: &[Published], is_input| {
        let led = ports.iter().filter_map(|port| {
            Some(Published { name: port.name.clone(), inner: lead(port, is_input)? })
        });
        led.collect::<Vec<_>>()
    };
    let (inputs, outputs) = (all(&group.inputs, true), all(&group.outputs, false));
    Some(Command::SetPublished { group: name.clone(), inputs, outputs })
}

/// Rounded, so that making a group and undoing it by [`ungroup`] leaves nodes where they were.
fn center(graph: &Graph) -> [f64; 2] {
    let count = graph.nodes.len().max(1) as f64;
    let sum =
        |axis: usize| graph.nodes.values().map(|node| node.position[axis] / count).sum::<f64>();
    [sum(0).round(), sum(1).round()]
}

/// Puts the nodes of a group in the place of one node that uses it; a frame around that node is then
/// around them all. The group goes away with its last user.
pub fn ungroup(document: &Document, graph: &GraphRef, id: &str) -> Result<Edit, OperationError> {
    let style = &document.style;
    let target = graph_of(style, graph)?;
    let node = node_of(target, id)?;
    let name = node.group().ok_or_else(|| OperationError::NotAGroup { node: id.to_owned() })?;
    let no_group = || OperationError::NoGroup { name: name.to_owned() };
    let group = style.groups.get(name).ok_or_else(no_group)?;

    let mut part = group.graph.clone();
    for published in &group.inputs {
        // What is set on the group's node counts, not what is set inside.
        let inner = part.nodes.get_mut(&published.inner.node);
        if let (Some(setting), Some(inner)) = (node.settings.get(&published.name), inner) {
            inner.settings.insert(published.inner.port.clone(), setting.clone());
        }
    }
    let middle = center(&part);
    let offset = [node.position[0] - middle[0], node.position[1] - middle[1]];
    let (added, created, ids) = add_all(&part, target, graph, offset);
    let port_inside = |ports: &[Published], name: &str| {
        let inner = &ports.iter().find(|port| port.name == name)?.inner;
        Some(PortRef::new(ids.get(&inner.node)?, &inner.port))
    };
    let mut links = Vec::new();
    for link in target.links_into(id) {
        let port = port_inside(&group.inputs, &link.to.port);
        links.extend(port.map(|to| Link::new(link.from.clone(), to)));
    }
    for link in target.links_out_of(id) {
        let port = port_inside(&group.outputs, &link.from.port);
        links.extend(port.map(|from| Link::new(from, link.to.clone())));
    }
    let around = republished(document, graph, |port, is_input| match port.inner.node == id {
        false => Some(port.inner.clone()),
        true => {
            port_inside(if is_input { &group.inputs } else { &group.outputs }, &port.inner.port)
        }
    });

    let mut commands = bone_paths::carry(document, graph, false, |cut| {
        let (inner, rest) = cut.rest.split_first()?;
        let inner = ids.get(*inner).filter(|_| cut.id == id)?.clone();
        Some(std::iter::once(inner).chain(rest.iter().map(|part| (*part).to_owned())).collect())
    });
    commands.extend(added);
    for (frame_id, frame) in target.frames.iter().filter(|(_, frame)| frame.members.contains(id)) {
        let mut frame = frame.clone();
        frame.members.remove(id);
        frame.members.extend(ids.values().cloned());
        let (graph, id) = (graph.clone(), frame_id.clone());
        commands.push(Command::SetFrame { graph, id, frame: Some(frame) });
    }
    commands.push(Command::RemoveNode { graph: graph.clone(), id: id.to_owned() });
    commands.extend(around);
    let connect = |link| Command::Connect { graph: graph.clone(), link, adds: true };
    commands.extend(links.into_iter().map(connect));
    let users = style.graphs().flat_map(|(_, graph)| graph.nodes.values());
    if users.filter(|node| node.group() == Some(name)).count() == 1 {
        commands.push(Command::SetGroup { name: name.to_owned(), group: None });
    }
    Ok(Edit { command: Command::batch(commands), created })
}
