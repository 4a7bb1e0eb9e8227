//! Parts of a graph as text: what copy puts on the clipboard and paste takes from it.

use super::file::without_place;
use super::layout::lay_out;
use super::reference::FreshIds;
use super::{Command, Document, GROUP_PREFIX, Graph, GraphRef, Group, Link, Node, PortRef, Style};
use super::{StructureError, file_form};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use thiserror::Error;

/// What is selected in a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    pub nodes: BTreeSet<String>,
    pub frames: BTreeSet<String>,
    pub comments: BTreeSet<String>,
}

impl Selection {
    pub fn nodes<T: Into<String>>(nodes: impl IntoIterator<Item = T>) -> Selection {
        Selection { nodes: nodes.into_iter().map(Into::into).collect(), ..Selection::default() }
    }
}

/// A command, and what to select when it is done.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    pub command: Command,
    pub created: Selection,
}

#[derive(Debug, Error)]
pub enum PasteError {
    #[error("the clipboard does not hold any Jounce nodes; copy some first")]
    NotNodes,
    #[error("the nodes on the clipboard were copied from a newer Jounce; update this one")]
    Newer,
    #[error("the nodes on the clipboard are damaged ({message}); copy them again")]
    Damaged { message: String },
    #[error("the nodes on the clipboard contradict themselves: {0}")]
    Structure(#[from] StructureError),
}

const VERSION: u64 = 1;

/// Nodes, the links among them, frames, comments, and the groups that they need.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fragment {
    /// Marks the text as ours.
    #[serde(rename = "jounce nodes")]
    version: u64,
    pub graph: Graph,
    #[serde(default, deserialize_with = "file_form::unique_map")]
    pub groups: BTreeMap<String, Group>,
}

impl Fragment {
    /// Frames come along if they are selected or if all their nodes are.
    pub fn copy(style: &Style, graph: &GraphRef, selection: &Selection) -> Fragment {
        let empty = Graph::default();
        let source = style.graph(graph).unwrap_or(&empty);
        let part = part_of(source, selection);
        let mut groups = BTreeMap::new();
        let mut open: Vec<&str> = part.groups_used().into_iter().collect();
        while let Some(name) = open.pop() {
            if let (Some(group), false) = (style.groups.get(name), groups.contains_key(name)) {
                open.extend(group.graph.groups_used());
                groups.insert(name.to_owned(), group.clone());
            }
        }
        Fragment { version: VERSION, graph: part, groups }
    }

    pub fn to_text(&self) -> String {
        let value = serde_json::to_value(self).unwrap_or_default();
        lay_out(&value, "jounce nodes")
    }

    pub fn from_text(text: &str) -> Result<Fragment, PasteError> {
        #[derive(Deserialize)]
        struct Head {
            #[serde(rename = "jounce nodes")]
            version: u64,
        }
        let head: Head = serde_json::from_str(text).map_err(|_| PasteError::NotNodes)?;
        if head.version != VERSION {
            return Err(PasteError::Newer);
        }
        let damaged =
            |error: serde_json::Error| PasteError::Damaged { message: without_place(&error) };
        let Fragment { version, graph, groups } = serde_json::from_str(text).map_err(damaged)?;
        // As a document it would have to keep the same rules.
        let document = Document { style: Style { graph, groups }, ..Document::default() };
        document.validate_invariants()?;
        let Style { graph, groups } = document.style;
        Ok(Fragment { version, graph, groups })
    }

    /// Puts it into a graph: ids that are taken become new ones, everything moves by `offset`. A
    /// group that the document has already is used; one of the same name that differs is renamed.
    pub fn insert(&self, style: &Style, graph: &GraphRef, offset: [f64; 2]) -> Edit {
        let names = self.group_names(style);
        let mut commands = Vec::new();
        // A group is added behind those inside it or before: its nodes' types need not exist.
        for (name, group) in &self.groups {
            let name = names.get(name).unwrap_or(name);
            if !style.groups.contains_key(name) {
                let mut group = group.clone();
                group.graph.nodes.values_mut().for_each(|node| rename_type(node, &names));
                commands.push(Command::SetGroup { name: name.clone(), group: Some(group) });
            }
        }
        let mut part = self.graph.clone();
        part.nodes.values_mut().for_each(|node| rename_type(node, &names));
        let empty = Graph::default();
        let target = style.graph(graph).unwrap_or(&empty);
        let (added, created, _) = add_all(&part, target, graph, offset);
        commands.extend(added);
        Edit { command: Command::batch(commands), created }
    }

    /// New names of those groups that are not what the document knows by that name.
    fn group_names(&self, style: &Style) -> BTreeMap<String, String> {
        let exists = |name: &str| style.groups.contains_key(name);
        let differs = |(name, group): &(&String, &Group)| {
            style.groups.get(*name).is_some_and(|known| known != *group)
        };
        let mut renamed: BTreeSet<&str> =
            self.groups.iter().filter(differs).map(|(name, _)| name.as_str()).collect();
        // What contains a renamed group is no longer what the document has either.
        loop {
            let contains_renamed = |name: &str, group: &Group| {
                exists(name)
                    && !renamed.contains(name)
                    && group.graph.groups_used().iter().any(|used| renamed.contains(used))
            };
            let more = self.groups.iter().filter(|(name, group)| contains_renamed(name, group));
            let more: Vec<&str> = more.map(|(name, _)| name.as_str()).collect();
            if more.is_empty() {
                break;
            }
            renamed.extend(more);
        }
        let mut taken: BTreeSet<String> =
            style.groups.keys().chain(self.groups.keys()).cloned().collect();
        let mut names = BTreeMap::new();
        for name in renamed {
            let short: String = name.chars().take(48).collect();
            let fresh = super::reference::first_free(short.trim_end(), " ", |n| taken.contains(n));
            taken.insert(fresh.clone());
            names.insert(name.to_owned(), fresh);
        }
        names
    }
}

fn rename_type(node: &mut Node, names: &BTreeMap<String, String>) {
    if let Some(name) = node.group().and_then(|name| names.get(name)) {
        node.node_type = format!("{GROUP_PREFIX}{name}");
    }
}

pub(super) fn part_of(graph: &Graph, selection: &Selection) -> Graph {
    let inside = |id: &String| selection.nodes.contains(id);
    let nodes = graph.nodes.iter().filter(|(id, _)| inside(id));
    let links = graph.links.iter().filter(|l| inside(&l.from.node) && inside(&l.to.node));
    let frames = graph.frames.iter().filter(|(id, frame)| {
        let whole = !frame.members.is_empty() && frame.members.iter().all(inside);
        whole || selection.frames.contains(*id)
    });
    let frames = frames.map(|(id, frame)| {
        let mut frame = frame.clone();
        frame.members.retain(inside);
        (id.clone(), frame)
    });
    let comments = graph.comments.iter().filter(|(id, _)| selection.comments.contains(*id));
    Graph {
        nodes: nodes.map(|(id, node)| (id.clone(), node.clone())).collect(),
        links: links.cloned().collect(),
        frames: frames.collect(),
        comments: comments.map(|(id, comment)| (id.clone(), comment.clone())).collect(),
    }
}

/// Commands that add a part to a graph; what that makes; and each node's new id.
pub(super) fn add_all(
    part: &Graph,
    target: &Graph,
    graph: &GraphRef,
    offset: [f64; 2],
) -> (Vec<Command>, Selection, BTreeMap<String, String>) {
    let moved = |[x, y]: [f64; 2]| [x + offset[0], y + offset[1]];
    let mut commands = Vec::new();
    let mut created = Selection::default();
    let mut fresh = FreshIds::new(target.nodes.keys());
    let mut ids = BTreeMap::new();
    for (old, node) in &part.nodes {
        let id = fresh.like(old);
        let node = Node { position: moved(node.position), ..node.clone() };
        commands.push(Command::AddNode { graph: graph.clone(), id: id.clone(), node });
        created.nodes.insert(id.clone());
        ids.insert(old.clone(), id);
    }
    let map = |port: &PortRef| Some(PortRef::new(ids.get(&port.node)?, &port.port));
    for link in &part.links {
        if let (Some(from), Some(to)) = (map(&link.from), map(&link.to)) {
            let link = Link::new(from, to);
            commands.push(Command::Connect { graph: graph.clone(), link, adds: true });
        }
    }
    let mut fresh = FreshIds::new(target.frames.keys());
    for (old, frame) in &part.frames {
        let id = fresh.like(old);
        let mut frame = frame.clone();
        frame.members = frame.members.iter().filter_map(|node| ids.get(node).cloned()).collect();
        created.frames.insert(id.clone());
        commands.push(Command::SetFrame { graph: graph.clone(), id, frame: Some(frame) });
    }
    let mut fresh = FreshIds::new(target.comments.keys());
    for (old, comment) in &part.comments {
        let id = fresh.like(old);
        let mut comment = comment.clone();
        comment.position = moved(comment.position);
        created.comments.insert(id.clone());
        commands.push(Command::SetComment { graph: graph.clone(), id, comment: Some(comment) });
    }
    (commands, created, ids)
}
