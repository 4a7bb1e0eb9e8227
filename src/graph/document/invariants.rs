//! What is true of every document, whatever its node types are.
//!
//! Commands keep these rules and loading enforces them, so the compiler and the editor may rely on
//! them. What needs node types to be seen (wrong ports, types, settings) is [`super::check`]'s.

use super::reference::{is_name, is_node_id};
use super::{CharacterSettings, Document, Graph, GraphRef, Group, Link, MotionSettings, Node};
use super::{FleshCurve, Published, Style};
use crate::script::Setting;
use jounce_base::keyed_value::{KeyFault, KeyedValue};
use std::collections::{BTreeMap, BTreeSet};
use thiserror::Error;

/// With every group written out in each place where it is used.
pub const MAX_NODES: usize = 100_000;
/// How deep groups may contain groups.
pub const MAX_NESTING: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StructureError {
    #[error(
        "{id:?} cannot name a node or frame in {graph}; use letters, digits, _ and - (at most 64)"
    )]
    BadId { graph: GraphRef, id: String },
    #[error(
        "{name:?} cannot name a group or its port; use words without dots and slashes (at most 64 letters)"
    )]
    BadName { name: String },
    #[error(
        "{graph} has no node {node:?}, which {user} refers to; add the node or remove what refers to it"
    )]
    MissingNode { graph: GraphRef, node: String, user: String },
    #[error(
        "{link} in {graph} wires a node to itself; put another node in between, or remove the wire"
    )]
    SelfLink { graph: GraphRef, link: Link },
    #[error(
        "{node:?} in {graph} would depend on its own result; remove one of the wires in the loop"
    )]
    Cycle { graph: GraphRef, node: String },
    #[error("the group {group:?} would contain itself; remove it from its own graph")]
    Recursion { group: String },
    #[error("groups are nested more than {MAX_NESTING} deep; ungroup some of them")]
    TooDeep,
    #[error(
        "the graph has more than {MAX_NODES} nodes, counting groups wherever they are used; use fewer"
    )]
    TooManyNodes,
    #[error("the group {group:?} publishes {name:?} twice; rename or remove one")]
    PublishedTwice { group: String, name: String },
    #[error("{what} must be a finite number; set it again")]
    NotFinite { what: String },
    #[error("{what} must be more than 0; set it again")]
    NotPositive { what: String },
    #[error("{what} must not be below 0; set it again")]
    Negative { what: String },
    #[error("{what} needs at least one point, and its points must be sorted by y")]
    CurveOrder { what: String },
    #[error("the setting {port:?} of {node:?} is nested too deeply; make it simpler")]
    NestedSetting { node: String, port: String },
    #[error(
        "the bone {bone:?} of the character {character:?} would be below itself; choose a parent outside its branch"
    )]
    HangsOnItself { character: String, bone: String },
    #[error("the list of keys of {parameter:?} in the clip {clip:?} {what}")]
    Keys { clip: String, parameter: String, what: &'static str },
    #[error("the clip {clip:?} has an empty list of keys; remove it")]
    NoKeys { clip: String },
    #[error("the settings of the character {character:?} hold empty lists; remove them")]
    EmptySettings { character: String },
}

impl Document {
    /// Every rule, over the whole document.
    pub fn validate_invariants(&self) -> Result<(), StructureError> {
        for (graph_ref, graph) in self.style.graphs() {
            graph.validate(&graph_ref)?;
        }
        for (name, group) in &self.style.groups {
            group.validate_published(name)?;
        }
        self.style.validate_nesting()?;
        for (name, character) in &self.characters {
            validate_character(character, name)?;
        }
        self.motion.validate()
    }
}

impl Graph {
    pub(super) fn validate(&self, graph: &GraphRef) -> Result<(), StructureError> {
        let ids = self.nodes.keys().chain(self.frames.keys()).chain(self.comments.keys());
        for id in ids {
            validate_id(graph, id)?;
        }
        for (id, node) in &self.nodes {
            node.validate(id)?;
        }
        for link in &self.links {
            self.validate_link(graph, link)?;
        }
        for (id, frame) in &self.frames {
            self.validate_members(graph, id, &frame.members)?;
        }
        for (id, comment) in &self.comments {
            comment.validate(id)?;
        }
        self.order()
            .map(|_| ())
            .map_err(|node| StructureError::Cycle { graph: graph.clone(), node })
    }

    /// Both ends exist and differ; cycles are not checked here.
    pub(super) fn validate_link(
        &self,
        graph: &GraphRef,
        link: &Link,
    ) -> Result<(), StructureError> {
        if link.from.node == link.to.node {
            return Err(StructureError::SelfLink { graph: graph.clone(), link: link.clone() });
        }
        for end in [&link.from, &link.to] {
            self.validate_reference(graph, &end.node, || format!("the wire {link}"))?;
        }
        Ok(())
    }

    pub(super) fn validate_members(
        &self,
        graph: &GraphRef,
        frame: &str,
        members: &BTreeSet<String>,
    ) -> Result<(), StructureError> {
        let mut members = members.iter();
        members.try_for_each(|node| {
            self.validate_reference(graph, node, || format!("the frame {frame:?}"))
        })
    }

    fn validate_reference(
        &self,
        graph: &GraphRef,
        node: &str,
        user: impl Fn() -> String,
    ) -> Result<(), StructureError> {
        if self.nodes.contains_key(node) {
            return Ok(());
        }
        let (graph, node) = (graph.clone(), node.to_owned());
        Err(StructureError::MissingNode { graph, node, user: user() })
    }

    /// The nodes, each behind those that feed it; or one that feeds on itself.
    pub fn order(&self) -> Result<Vec<&str>, String> {
        let mut waiting: BTreeMap<&str, usize> =
            self.nodes.keys().map(|id| (id.as_str(), 0)).collect();
        let known = |id: &str| self.nodes.contains_key(id);
        for link in self.links.iter().filter(|link| known(&link.from.node)) {
            if let Some(count) = waiting.get_mut(link.to.node.as_str()) {
                *count += 1;
            }
        }
        let mut order: Vec<&str> =
            waiting.iter().filter(|(_, count)| **count == 0).map(|(id, _)| *id).collect();
        let mut next = 0;
        while let Some(&id) = order.get(next) {
            next += 1;
            for link in self.links_out_of(id) {
                if let Some((id, count)) =
                    waiting.get_key_value(link.to.node.as_str()).map(|(id, count)| (*id, *count))
                {
                    waiting.insert(id, count - 1);
                    if count == 1 {
                        order.push(id);
                    }
                }
            }
        }
        match waiting.iter().find(|(_, count)| **count > 0) {
            Some((id, _)) => Err((*id).to_owned()),
            None => Ok(order),
        }
    }

    /// Does what leaves `from` arrive at `to`?
    pub(super) fn reaches(&self, from: &str, to: &str) -> bool {
        let mut seen = BTreeSet::from([from]);
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            if node == to {
                return true;
            }
            // Only names that the graph itself holds live long enough to be kept.
            if let Some((node, _)) = self.nodes.get_key_value(node) {
                let targets = self.links_out_of(node).map(|link| link.to.node.as_str());
                open.extend(targets.filter(|target| seen.insert(target)));
            }
        }
        false
    }
}

pub(super) fn validate_id(graph: &GraphRef, id: &str) -> Result<(), StructureError> {
    let bad = || StructureError::BadId { graph: graph.clone(), id: id.to_owned() };
    if is_node_id(id) { Ok(()) } else { Err(bad()) }
}

pub(super) fn validate_name(name: &str) -> Result<(), StructureError> {
    let bad = || StructureError::BadName { name: name.to_owned() };
    if is_name(name) { Ok(()) } else { Err(bad()) }
}

pub(super) fn finite(
    numbers: impl IntoIterator<Item = f64>,
    what: impl Fn() -> String,
) -> Result<(), StructureError> {
    let finite = numbers.into_iter().all(f64::is_finite);
    if finite { Ok(()) } else { Err(StructureError::NotFinite { what: what() }) }
}

fn positive(number: Option<f64>, what: impl Fn() -> String) -> Result<(), StructureError> {
    finite(number, &what)?;
    match number {
        Some(number) if number <= 0.0 => Err(StructureError::NotPositive { what: what() }),
        _ => Ok(()),
    }
}

impl Node {
    pub(super) fn validate(&self, id: &str) -> Result<(), StructureError> {
        finite(self.position, || format!("the position of {id:?}"))?;
        self.settings.iter().try_for_each(|(port, setting)| validate_setting(id, port, setting))
    }
}

pub(super) fn validate_setting(
    node: &str,
    port: &str,
    setting: &Setting,
) -> Result<(), StructureError> {
    let what = || format!("the setting {port:?} of {node:?}");
    match setting {
        Setting::Float(number) => finite([*number], what),
        Setting::Vec3(numbers) => finite(*numbers, what),
        Setting::Quat(numbers) => finite(*numbers, what),
        Setting::Bool(_) | Setting::Text(_) | Setting::Other(_) => Ok(()),
    }
}

impl super::Comment {
    pub(super) fn validate(&self, id: &str) -> Result<(), StructureError> {
        finite(self.position.into_iter().chain(self.size), || {
            format!("the place of the comment {id:?}")
        })
    }
}

impl Group {
    pub(super) fn validate_published(&self, group: &str) -> Result<(), StructureError> {
        validate_name(group)?;
        self.validate_ports(group, &self.inputs, &self.outputs)
    }

    /// The lists could be this group's: names are unique, nodes exist, an input is published once.
    pub(super) fn validate_ports(
        &self,
        group: &str,
        inputs: &[Published],
        outputs: &[Published],
    ) -> Result<(), StructureError> {
        let graph = GraphRef::Group(group.to_owned());
        let twice = |port: &Published| {
            Err(StructureError::PublishedTwice { group: group.to_owned(), name: port.name.clone() })
        };
        for ports in [inputs, outputs] {
            let mut names = BTreeSet::new();
            for port in ports {
                validate_name(&port.name)?;
                let user = || format!("the published port {:?}", port.name);
                self.graph.validate_reference(&graph, &port.inner.node, user)?;
                if !names.insert(&port.name) {
                    return twice(port);
                }
            }
        }
        let mut fed = BTreeSet::new();
        inputs.iter().find(|port| !fed.insert(&port.inner)).map_or(Ok(()), twice)
    }
}

impl Style {
    /// No group contains itself, and all of them written out stay within the limits.
    pub(super) fn validate_nesting(&self) -> Result<(), StructureError> {
        if self.groups.is_empty() {
            let too_many = self.graph.nodes.len() > MAX_NODES;
            return if too_many { Err(StructureError::TooManyNodes) } else { Ok(()) };
        }
        // Innermost first: (nodes written out, levels).
        let mut done: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        let mut open: Vec<&str> = self.groups.keys().map(String::as_str).collect();
        // Each pass does at least the next level, so too many passes mean too many levels.
        for _ in 0..=MAX_NESTING {
            let before = open.len();
            open.retain(|name| {
                let extent = self.groups.get(*name).and_then(|g| self.extent(&g.graph, &done));
                extent.is_none_or(|extent| done.insert(name, extent).is_some())
            });
            if let (true, Some(group)) = (open.len() == before, open.first()) {
                return Err(StructureError::Recursion { group: self.inside_itself(group, &done) });
            }
        }
        if !open.is_empty() {
            return Err(StructureError::TooDeep);
        }
        // Groups that nobody uses count like those used once: they are in the file all the same.
        let top = self.extent(&self.graph, &done).unwrap_or_default();
        let stored: usize = self.groups.values().map(|group| group.graph.nodes.len()).sum();
        let extents = || done.values().chain([&top]);
        if extents().any(|(_, levels)| *levels > MAX_NESTING) {
            return Err(StructureError::TooDeep);
        }
        let nodes = extents().map(|(nodes, _)| *nodes).max().unwrap_or(0);
        let too_many = nodes > MAX_NODES || stored + self.graph.nodes.len() > MAX_NODES;
        if too_many { Err(StructureError::TooManyNodes) } else { Ok(()) }
    }

    /// None as long as a group inside is not done.
    fn extent(
        &self,
        graph: &Graph,
        done: &BTreeMap<&str, (usize, usize)>,
    ) -> Option<(usize, usize)> {
        let mut nodes = graph.nodes.len();
        let mut levels = 0;
        for name in graph.nodes.values().filter_map(Node::group) {
            if self.groups.contains_key(name) {
                let (inner_nodes, inner_levels) = done.get(name)?;
                nodes = nodes.saturating_add(*inner_nodes);
                levels = levels.max(inner_levels + 1);
            }
        }
        Some((nodes, levels))
    }

    /// A group that contains itself, found from one that leads to it: each group that is not done
    /// has another such inside.
    fn inside_itself(&self, start: &str, done: &BTreeMap<&str, (usize, usize)>) -> String {
        let mut seen = BTreeSet::new();
        let mut name = start;
        while seen.insert(name) {
            let used = self.groups.get(name).map(|group| group.graph.groups_used());
            let open = |name: &&str| self.groups.contains_key(*name) && !done.contains_key(name);
            match used.into_iter().flatten().find(open) {
                Some(next) => name = next,
                None => break,
            }
        }
        name.to_owned()
    }
}

fn validate_character(settings: &CharacterSettings, name: &str) -> Result<(), StructureError> {
    if settings.is_empty() || settings.bone_values.values().any(BTreeMap::is_empty) {
        return Err(StructureError::EmptySettings { character: name.to_owned() });
    }
    validate_numbers(settings, name)
}

pub(super) fn validate_numbers(
    settings: &CharacterSettings,
    name: &str,
) -> Result<(), StructureError> {
    positive(settings.size, || format!("the size of the character {name:?}"))?;
    for (node, bones) in &settings.bone_values {
        let values = bones.values().map(|bone| bone.value);
        finite(values, || format!("each bone value of {node:?} for the character {name:?}"))?;
    }
    for (map, values) in &settings.maps {
        let values = values.iter().map(|value| f64::from(*value));
        finite(values, || format!("each number of the map {map:?} of the character {name:?}"))?;
    }
    for (element, flesh) in &settings.flesh {
        let points: &[[f64; 2]] = match &flesh.curve {
            FleshCurve::Points(points) => points,
            FleshCurve::Parabola | FleshCurve::Wyvill => &[],
        };
        let numbers = points.iter().flatten().copied().chain([flesh.thickness]);
        finite(numbers, || {
            format!("each number of the flesh {element:?} of the character {name:?}")
        })?;
        let of_element = |what| format!("{what} of the flesh {element:?} of {name:?}");
        if flesh.thickness < 0.0 {
            return Err(StructureError::Negative { what: of_element("the thickness") });
        }
        let is_in_order = points.is_sorted_by(|a, b| a[0] <= b[0]);
        let is_curve = matches!(flesh.curve, FleshCurve::Points(_));
        if !is_in_order || (is_curve && points.is_empty()) {
            return Err(StructureError::CurveOrder { what: of_element("the curve") });
        }
    }
    for (bone, offset) in &settings.centroid_offsets {
        finite(offset.iter().copied(), || {
            format!("the centroid offset of {bone:?} of the character {name:?}")
        })?;
    }
    validate_parents(&settings.parents, name)
}

/// As far as a document knows: what the file has above those bones is seen when the character is there.
fn validate_parents(
    parents: &BTreeMap<String, Option<String>>,
    name: &str,
) -> Result<(), StructureError> {
    let parent = |bone: &&String| parents.get(*bone).and_then(Option::as_ref);
    // A bone that is not on such a way does not lead into one either.
    let mut done: BTreeSet<&String> = BTreeSet::new();
    for bone in parents.keys() {
        let mut way: BTreeSet<&String> = BTreeSet::new();
        let mut at = Some(bone);
        while let Some(here) = at.filter(|here| !done.contains(here)) {
            if !way.insert(here) {
                let (character, bone) = (name.to_owned(), here.clone());
                return Err(StructureError::HangsOnItself { character, bone });
            }
            at = parent(&here);
        }
        done.append(&mut way);
    }
    Ok(())
}

impl MotionSettings {
    pub(super) fn validate(&self) -> Result<(), StructureError> {
        positive(self.fps, || "the frames per second".to_owned())?;
        for (clip, keys) in &self.keys {
            if keys.is_empty() {
                return Err(StructureError::NoKeys { clip: clip.clone() });
            }
            keys.iter().try_for_each(|(parameter, keyed)| validate_keys(clip, parameter, keyed))?;
        }
        Ok(())
    }
}

pub(super) fn validate_keys(
    clip: &str,
    parameter: &str,
    keyed: &KeyedValue,
) -> Result<(), StructureError> {
    let what = match keyed.fault() {
        None => return Ok(()),
        Some(KeyFault::Empty) => "is empty; remove it",
        Some(KeyFault::NotFinite) => "has a time or a value that is not finite; set it again",
        Some(KeyFault::BeforeStart) => {
            "begins before the start of the clip; move its keys to 0 s or later"
        }
        Some(KeyFault::Order) => {
            "is not sorted by time, or has two keys at one time; sort it, and remove one of each pair"
        }
    };
    let (clip, parameter) = (clip.to_owned(), parameter.to_owned());
    Err(StructureError::Keys { clip, parameter, what })
}
