//! Everything that can be done to a document, as data.

use super::{BoneSetting, CharacterSettings, Comment, GraphRef, Group, Link, NodeFrame};
use super::{FleshCurve, FleshSetting, MotionSettings, Node, Published, Style};
use crate::script::Setting;
use jounce_base::keyed_value::{KeyedValue, ValueKey};
use jounce_base::{PaintedMap, Role};
use std::collections::BTreeMap;

/// A change of a document. [`super::Document::apply`] gives back the command that undoes it.
///
/// Where a value is an `Option`, `None` takes it away.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    AddNode {
        graph: GraphRef,
        id: String,
        node: Node,
    },
    /// Takes its links, its places in frames and its published ports along.
    RemoveNode {
        graph: GraphRef,
        id: String,
    },
    SetSetting {
        graph: GraphRef,
        node: String,
        port: String,
        value: Option<Setting>,
    },
    SetTitle {
        graph: GraphRef,
        node: String,
        title: Option<String>,
    },
    /// By the user, who has the last word: a solo that ends does not touch it any more.
    SetMuted {
        graph: GraphRef,
        node: String,
        muted: bool,
    },
    /// By a solo, which remembers what it was.
    SetMutedBySolo {
        graph: GraphRef,
        node: String,
        muted: bool,
        before: Option<bool>,
    },
    SetCollapsed {
        graph: GraphRef,
        node: String,
        collapsed: bool,
    },
    SetCode {
        graph: GraphRef,
        node: String,
        code: Option<String>,
    },
    SetType {
        graph: GraphRef,
        node: String,
        node_type: String,
    },
    MoveNodes {
        graph: GraphRef,
        positions: BTreeMap<String, [f64; 2]>,
    },
    /// `adds`: the input takes several wires ([`crate::script::InputPort::adds`]); else this one
    /// replaces what is linked there.
    Connect {
        graph: GraphRef,
        link: Link,
        adds: bool,
    },
    Disconnect {
        graph: GraphRef,
        link: Link,
    },
    SetFrame {
        graph: GraphRef,
        id: String,
        frame: Option<NodeFrame>,
    },
    SetComment {
        graph: GraphRef,
        id: String,
        comment: Option<Comment>,
    },
    SetGroup {
        name: String,
        group: Option<Group>,
    },
    SetGroupDoc {
        name: String,
        doc: String,
    },
    SetPublished {
        group: String,
        inputs: Vec<Published>,
        outputs: Vec<Published>,
    },
    SetCharacter {
        character: String,
        settings: Option<CharacterSettings>,
    },
    SetSize {
        character: String,
        size: Option<f64>,
    },
    /// `node`: the path of a Bone Value node.
    SetBoneValue {
        character: String,
        node: String,
        bone: String,
        value: Option<BoneSetting>,
    },
    SetMap {
        character: String,
        map: String,
        values: Option<PaintedMap>,
    },
    SetFlesh {
        character: String,
        element: String,
        flesh: Option<FleshSetting>,
    },
    /// In the bone's own frame.
    SetCentroidOffset {
        character: String,
        bone: String,
        offset: Option<[f64; 3]>,
    },
    /// None: what skin and place say.
    SetRole {
        character: String,
        bone: String,
        role: Option<Role>,
    },
    /// Whom a bone moves relative to in the motion hierarchy. None: the one that is found; `Some(None)`: the
    /// scene.
    SetParent {
        character: String,
        bone: String,
        parent: Option<Option<String>>,
    },
    /// Another graph and its groups in place of these.
    SetStyle(Style),
    SetMotion(MotionSettings),
    /// All keys of one parameter over one clip.
    SetKeys {
        clip: String,
        parameter: String,
        keys: Option<KeyedValue>,
    },
    /// One after the other, all or none.
    Batch(Vec<Command>),
}

impl Command {
    /// Several as one; a single one stays itself.
    pub fn batch(mut commands: Vec<Command>) -> Command {
        match (commands.len(), commands.pop()) {
            (1, Some(only)) => only,
            (_, Some(last)) => {
                commands.push(last);
                Command::Batch(commands)
            }
            (_, None) => Command::Batch(Vec::new()),
        }
    }

    /// Nothing would be done.
    pub fn is_empty(&self) -> bool {
        matches!(self, Command::Batch(commands) if commands.iter().all(Command::is_empty))
    }

    /// What a motion is set to, wherever that is said.
    pub(super) fn each_motion(&mut self, change: &dyn Fn(&mut MotionSettings)) {
        match self {
            Command::SetMotion(motion) => change(motion),
            Command::Batch(commands) => {
                commands.iter_mut().for_each(|command| command.each_motion(change));
            }
            _ => {}
        }
    }

    /// Do both set the same thing as a whole, so that the one makes the other forgotten?
    pub(super) fn overwrites(&self, other: &Command) -> bool {
        use Command::*;
        match (self, other) {
            (
                SetSetting { graph: a, node: b, port: c, .. },
                SetSetting { graph: x, node: y, port: z, .. },
            ) => (a, b, c) == (x, y, z),
            (SetTitle { graph: a, node: b, .. }, SetTitle { graph: x, node: y, .. })
            | (SetMuted { graph: a, node: b, .. }, SetMuted { graph: x, node: y, .. })
            | (
                SetMutedBySolo { graph: a, node: b, .. },
                SetMutedBySolo { graph: x, node: y, .. },
            )
            | (SetCollapsed { graph: a, node: b, .. }, SetCollapsed { graph: x, node: y, .. })
            | (SetCode { graph: a, node: b, .. }, SetCode { graph: x, node: y, .. })
            | (SetType { graph: a, node: b, .. }, SetType { graph: x, node: y, .. })
            | (SetFrame { graph: a, id: b, .. }, SetFrame { graph: x, id: y, .. })
            | (SetComment { graph: a, id: b, .. }, SetComment { graph: x, id: y, .. }) => {
                (a, b) == (x, y)
            }
            (MoveNodes { graph: a, positions: b }, MoveNodes { graph: x, positions: y }) => {
                a == x && y.keys().all(|node| b.contains_key(node))
            }
            (SetGroupDoc { name: a, .. }, SetGroupDoc { name: x, .. })
            | (SetSize { character: a, .. }, SetSize { character: x, .. }) => a == x,
            (
                SetBoneValue { character: a, node: b, bone: c, .. },
                SetBoneValue { character: x, node: y, bone: z, .. },
            ) => (a, b, c) == (x, y, z),
            (SetMap { character: a, map: b, .. }, SetMap { character: x, map: y, .. }) => {
                (a, b) == (x, y)
            }
            (
                SetFlesh { character: a, element: b, .. },
                SetFlesh { character: x, element: y, .. },
            ) => (a, b) == (x, y),
            (
                SetCentroidOffset { character: a, bone: b, .. },
                SetCentroidOffset { character: x, bone: y, .. },
            )
            | (SetRole { character: a, bone: b, .. }, SetRole { character: x, bone: y, .. })
            | (SetParent { character: a, bone: b, .. }, SetParent { character: x, bone: y, .. })
            | (SetKeys { clip: a, parameter: b, .. }, SetKeys { clip: x, parameter: y, .. }) => {
                (a, b) == (x, y)
            }
            (SetMotion(_), SetMotion(_)) | (SetStyle(_), SetStyle(_)) => true,
            (Batch(these), Batch(those)) => {
                these.len() == those.len()
                    && these.iter().zip(those).all(|(this, that)| this.overwrites(that))
            }
            _ => false,
        }
    }

    /// About how many bytes it keeps; painted maps and groups are what counts.
    pub(super) fn weight(&self) -> usize {
        let own = std::mem::size_of::<Command>();
        own + match self {
            Command::AddNode { node, .. } => node_weight(node),
            Command::SetCode { code, .. } => code.as_ref().map_or(0, String::len),
            Command::MoveNodes { positions, .. } => positions.len() * 64,
            Command::SetFrame { frame, .. } => frame.as_ref().map_or(0, |f| f.members.len() * 32),
            Command::SetComment { comment, .. } => comment.as_ref().map_or(0, |c| c.text.len()),
            Command::SetGroup { group, .. } => group.as_ref().map_or(0, group_weight),
            Command::SetPublished { inputs, outputs, .. } => (inputs.len() + outputs.len()) * 128,
            Command::SetCharacter { settings, .. } => settings.as_ref().map_or(0, settings_weight),
            Command::SetMap { values, .. } => values.as_ref().map_or(0, |v| v.len() * 4),
            Command::SetFlesh { flesh, .. } => flesh.as_ref().map_or(0, flesh_weight),
            Command::SetStyle(style) => style_weight(style),
            Command::SetKeys { keys, .. } => keys.as_ref().map_or(0, keys_weight),
            Command::SetMotion(motion) => {
                64 + motion.keys.values().flat_map(BTreeMap::values).map(keys_weight).sum::<usize>()
            }
            Command::Batch(commands) => commands.iter().map(Command::weight).sum(),
            _ => 64,
        }
    }
}

fn node_weight(node: &Node) -> usize {
    let other = |setting: &Setting| match setting {
        Setting::Other(value) => value.to_string().len() * 4,
        Setting::Text(text) => text.len(),
        _ => 0,
    };
    let settings: usize = node.settings.values().map(|setting| 96 + other(setting)).sum();
    160 + settings + node.code.as_ref().map_or(0, String::len)
}

fn group_weight(group: &Group) -> usize {
    let nodes: usize = group.graph.nodes.values().map(node_weight).sum();
    nodes + group.graph.links.len() * 160 + (group.inputs.len() + group.outputs.len()) * 128
}

fn style_weight(style: &Style) -> usize {
    let nodes: usize = style.graph.nodes.values().map(node_weight).sum();
    nodes + style.graph.links.len() * 96 + style.groups.values().map(group_weight).sum::<usize>()
}

fn settings_weight(settings: &CharacterSettings) -> usize {
    let maps: usize = settings.maps.values().map(|values| values.len() * 4).sum();
    let bones: usize = settings.bone_values.values().map(|bones| bones.len() * 64).sum();
    let by_bone = (settings.centroid_offsets.len() + settings.roles.len()) * 64;
    let parents = settings.parents.len() * 96;
    maps + bones + by_bone + parents + settings.flesh.values().map(flesh_weight).sum::<usize>()
}

fn keys_weight(keyed: &KeyedValue) -> usize {
    64 + keyed.keys.len() * std::mem::size_of::<ValueKey>()
}

fn flesh_weight(flesh: &FleshSetting) -> usize {
    let points = match &flesh.curve {
        FleshCurve::Points(points) => points.len() * 16,
        FleshCurve::Parabola | FleshCurve::Wyvill => 0,
    };
    points + (flesh.driven.len() + flesh.bones.len() + 2) * 48
}
