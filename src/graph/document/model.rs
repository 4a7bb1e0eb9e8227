//! The document: what a `.jounce` file holds, and all that the editor shows and changes.
//!
//! ```text
//! Document ┬ style       one graph and the groups it uses: fits any character
//!          ├ characters  per character: bone values, painted maps, size
//!          ├ motion      what moves: character, clip, how it is played, what is keyed over it
//!          └ packed      files that the motion names, if they travel along
//! ```
//! It holds values and names, never node types: a node whose type is not known here keeps all it
//! has. Changes are made by [`super::Command`]s only, each of which has an exact inverse.

use super::file_form;
use super::{CharacterSettings, GraphRef, Link, PackedFile, PortRef, Published, reference};
use crate::script::Setting;
use jounce_base::keyed_value::MotionKeys;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The prefix of a group's name in a node's type.
pub const GROUP_PREFIX: &str = "group:";
/// The type of the one node whose inputs are the result.
pub const OUTPUT_TYPE: &str = "Output";

/// The type of nodes that show a slider under a name of its own.
pub const PARAMETER_TYPE: &str = "Parameter";
/// The type of nodes that may have a script of their own.
pub const EXPRESSION_TYPE: &str = "Expression";

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Document {
    pub style: Style,
    /// By the character's name; one without settings has no entry.
    pub characters: BTreeMap<String, CharacterSettings>,
    pub motion: MotionSettings,
    /// Files that travel inside the document, by the name under which the motion knows them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub packed: BTreeMap<String, PackedFile>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Style {
    pub graph: Graph,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[serde(deserialize_with = "file_form::unique_map")]
    pub groups: BTreeMap<String, Group>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Graph {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[serde(deserialize_with = "file_form::unique_map")]
    pub nodes: BTreeMap<String, Node>,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub links: BTreeSet<Link>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[serde(deserialize_with = "file_form::unique_map")]
    pub frames: BTreeMap<String, NodeFrame>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[serde(deserialize_with = "file_form::unique_map")]
    pub comments: BTreeMap<String, Comment>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    #[serde(rename = "type")]
    pub node_type: String,
    /// In place of the type's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default)]
    pub position: [f64; 2],
    /// By input; only those that differ from the default.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[serde(deserialize_with = "file_form::settings")]
    pub settings: BTreeMap<String, Setting>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub muted: bool,
    /// What `muted` was before a solo changed it; None: it is what the user wants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub muted_before_solo: Option<bool>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub collapsed: bool,
    /// The whole script of an Expression node; a list of lines in a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(with = "file_form::lines")]
    pub code: Option<String>,
}

/// A coloured rectangle around nodes; it follows them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeFrame {
    pub title: String,
    /// Red, green, blue.
    pub color: [u8; 3],
    pub members: BTreeSet<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comment {
    pub text: String,
    pub position: [f64; 2],
    pub size: [f64; 2],
}

/// A graph that is used as a node, by the type `group:NAME`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Group {
    pub doc: String,
    pub graph: Graph,
    pub inputs: Vec<Published>,
    pub outputs: Vec<Published>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MotionSettings {
    /// A path, relative to the document, or the name of a built-in character.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub character: Option<String>,
    /// Another file, whose clips are borrowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clips: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clip: Option<String>,
    /// A test motion in place of a clip: `nod:Head`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    #[serde(rename = "loop", skip_serializing_if = "std::ops::Not::not")]
    pub looped: bool,
    /// Frames per second of the timeline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fps: Option<f64>,
    /// Parameters of the style that change over a clip: by the clip's name, then by the parameter's, as
    /// `--set` has it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[serde(deserialize_with = "file_form::unique_maps")]
    pub keys: MotionKeys,
}

impl Node {
    pub fn new(node_type: impl Into<String>) -> Node {
        Node { node_type: node_type.into(), ..Node::default() }
    }

    /// The name of the group that this node is, if it is one.
    pub fn group(&self) -> Option<&str> {
        self.node_type.strip_prefix(GROUP_PREFIX)
    }

    /// The title on the canvas.
    pub fn shown_title(&self) -> &str {
        self.title.as_deref().or(self.group()).unwrap_or(&self.node_type)
    }
}

impl Graph {
    /// An id for a new node of a type: "floppy", then "floppy2".
    pub fn fresh_id(&self, type_name: &str) -> String {
        let base = reference::id_base(type_name);
        reference::first_free(&base, "", |id| self.nodes.contains_key(id))
    }

    pub fn links_into<'a>(&'a self, node: &'a str) -> impl Iterator<Item = &'a Link> {
        self.links.iter().filter(move |link| link.to.node == node)
    }

    pub fn links_out_of<'a>(&'a self, node: &'a str) -> impl Iterator<Item = &'a Link> {
        let first = Link::new(PortRef::new(node, ""), PortRef::new("", ""));
        self.links.range(first..).take_while(move |link| link.from.node == node)
    }

    /// The names of the groups that its nodes are, each once.
    pub fn groups_used(&self) -> BTreeSet<&str> {
        self.nodes.values().filter_map(Node::group).collect()
    }
}

impl Style {
    pub fn graph(&self, graph: &GraphRef) -> Option<&Graph> {
        match graph {
            GraphRef::Top => Some(&self.graph),
            GraphRef::Group(name) => self.groups.get(name).map(|group| &group.graph),
        }
    }

    pub(super) fn graph_mut(&mut self, graph: &GraphRef) -> Option<&mut Graph> {
        match graph {
            GraphRef::Top => Some(&mut self.graph),
            GraphRef::Group(name) => self.groups.get_mut(name).map(|group| &mut group.graph),
        }
    }

    /// The top graph, then those of the groups by name.
    pub fn graphs(&self) -> impl Iterator<Item = (GraphRef, &Graph)> {
        let groups =
            self.groups.iter().map(|(name, group)| (GraphRef::Group(name.clone()), &group.graph));
        std::iter::once((GraphRef::Top, &self.graph)).chain(groups)
    }

    /// A name for a new group: "Tail", then "Tail 2".
    pub fn fresh_group_name(&self, base: &str) -> String {
        let base = if reference::is_name(base) { base } else { "Group" };
        let short: String = base.chars().take(48).collect();
        reference::first_free(short.trim_end(), " ", |name| self.groups.contains_key(name))
    }
}

impl Document {
    /// Takes another document's look; characters and motion stay.
    pub fn replace_style_from(&mut self, other: Document) {
        self.style = other.style;
    }

    pub fn replace_characters_from(&mut self, other: Document) {
        self.characters = other.characters;
    }

    pub fn replace_motion_from(&mut self, other: Document) {
        self.motion = other.motion;
    }
}
