//! Doing a command, and finding the one that undoes it.
//!
//! A command that fails has changed nothing. One that succeeds keeps every rule of
//! [`super::invariants`], and its inverse restores the document to the last byte.

use super::invariants::{self, StructureError, validate_numbers};
use super::{
    BoneSetting, CharacterSettings, Command, Document, Graph, GraphRef, Group, Link, NodeFrame,
};
use super::{Node, Published, file_form};
use crate::script::Setting;
use jounce_base::keyed_value::KeyedValue;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::replace;
use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    #[error("there is no group {name:?}; make it first")]
    NoGroup { name: String },
    #[error("{graph} has no node {node:?}; it may have been removed")]
    NoNode { graph: GraphRef, node: String },
    #[error("{graph} has a node {id:?} already; choose another id")]
    IdTaken { graph: GraphRef, id: String },
    #[error("{graph} has no wire {link}; it may have been removed")]
    NoLink { graph: GraphRef, link: Link },
    #[error(transparent)]
    Structure(#[from] StructureError),
}

type Applied = Result<Command, CommandError>;

impl Document {
    /// Does the command and gives back its exact inverse. On an error nothing has changed.
    pub fn apply(&mut self, command: Command) -> Applied {
        use Command::*;
        match command {
            AddNode { graph, id, node } => self.add_node(graph, id, node),
            RemoveNode { graph, id } => self.remove_node(graph, id),
            SetSetting { graph, node, port, value } => self.set_setting(graph, node, port, value),
            SetTitle { graph, node, title } => {
                let title = replace(&mut self.node_mut(&graph, &node)?.title, title);
                Ok(SetTitle { graph, node, title })
            }
            SetMuted { graph, node, muted } => {
                let target = self.node_mut(&graph, &node)?;
                let muted = replace(&mut target.muted, muted);
                match target.muted_before_solo.take() {
                    None => Ok(SetMuted { graph, node, muted }),
                    before => Ok(SetMutedBySolo { graph, node, muted, before }),
                }
            }
            SetMutedBySolo { graph, node, muted, before } => {
                let target = self.node_mut(&graph, &node)?;
                let muted = replace(&mut target.muted, muted);
                let before = replace(&mut target.muted_before_solo, before);
                Ok(SetMutedBySolo { graph, node, muted, before })
            }
            SetCollapsed { graph, node, collapsed } => {
                let collapsed = replace(&mut self.node_mut(&graph, &node)?.collapsed, collapsed);
                Ok(SetCollapsed { graph, node, collapsed })
            }
            SetCode { graph, node, code } => {
                let code = replace(&mut self.node_mut(&graph, &node)?.code, code);
                Ok(SetCode { graph, node, code })
            }
            SetType { graph, node, node_type } => self.set_type(graph, node, node_type),
            MoveNodes { graph, positions } => self.move_nodes(graph, positions),
            Connect { graph, link, adds } => self.connect(graph, link, adds),
            Disconnect { graph, link } => {
                if !self.graph_mut(&graph)?.links.remove(&link) {
                    return Err(CommandError::NoLink { graph, link });
                }
                Ok(Connect { graph, link, adds: true })
            }
            SetFrame { graph, id, frame } => self.set_frame(graph, id, frame),
            SetComment { graph, id, comment } => {
                invariants::validate_id(&graph, &id)?;
                comment.as_ref().map_or(Ok(()), |comment| comment.validate(&id))?;
                let comment = set_entry(&mut self.graph_mut(&graph)?.comments, &id, comment);
                Ok(SetComment { graph, id, comment })
            }
            SetGroup { name, group } => self.set_group(name, group),
            SetGroupDoc { name, doc } => {
                let doc = replace(&mut self.group_mut(&name)?.doc, doc);
                Ok(SetGroupDoc { name, doc })
            }
            SetPublished { group, inputs, outputs } => self.set_published(group, inputs, outputs),
            SetCharacter { character, settings } => {
                let settings = self.change_character(&character, |old| {
                    let before = replace(old, settings.unwrap_or_default());
                    old.bone_values.retain(|_, bones| !bones.is_empty());
                    (!before.is_empty()).then_some(before)
                })?;
                Ok(SetCharacter { character, settings })
            }
            SetSize { character, size } => {
                let size = self.change_character(&character, |old| replace(&mut old.size, size))?;
                Ok(SetSize { character, size })
            }
            SetBoneValue { character, node, bone, value } => {
                self.set_bone_value(character, node, bone, value)
            }
            SetMap { character, map, values } => {
                let values = self
                    .change_character(&character, |old| set_entry(&mut old.maps, &map, values))?;
                Ok(SetMap { character, map, values })
            }
            SetFlesh { character, element, flesh } => {
                let flesh = self.change_character(&character, |old| {
                    set_entry(&mut old.flesh, &element, flesh)
                })?;
                Ok(SetFlesh { character, element, flesh })
            }
            SetCentroidOffset { character, bone, offset } => {
                let offset = self.change_character(&character, |old| {
                    set_entry(&mut old.centroid_offsets, &bone, offset)
                })?;
                Ok(SetCentroidOffset { character, bone, offset })
            }
            SetRole { character, bone, role } => {
                let role = self
                    .change_character(&character, |old| set_entry(&mut old.roles, &bone, role))?;
                Ok(SetRole { character, bone, role })
            }
            SetParent { character, bone, parent } => {
                let parent = self.change_character(&character, |old| {
                    set_entry(&mut old.parents, &bone, parent)
                })?;
                Ok(SetParent { character, bone, parent })
            }
            SetStyle(style) => {
                let before = replace(&mut self.style, style);
                match self.validate_invariants() {
                    Ok(()) => Ok(SetStyle(before)),
                    Err(error) => {
                        self.style = before;
                        Err(error.into())
                    }
                }
            }
            SetMotion(motion) => {
                motion.validate()?;
                Ok(SetMotion(replace(&mut self.motion, motion)))
            }
            SetKeys { clip, parameter, keys } => self.set_keys(clip, parameter, keys),
            Batch(commands) => self.batch(commands),
        }
    }

    /// A clip without keys has no entry.
    fn set_keys(&mut self, clip: String, parameter: String, keys: Option<KeyedValue>) -> Applied {
        if let Some(keys) = &keys {
            invariants::validate_keys(&clip, &parameter, keys)?;
        }
        let of_clip = self.motion.keys.entry(clip.clone()).or_default();
        let keys = set_entry(of_clip, &parameter, keys);
        if of_clip.is_empty() {
            self.motion.keys.remove(&clip);
        }
        Ok(Command::SetKeys { clip, parameter, keys })
    }

    fn batch(&mut self, commands: Vec<Command>) -> Applied {
        let mut inverses = Vec::with_capacity(commands.len());
        for command in commands {
            match self.apply(command) {
                Ok(inverse) => inverses.push(inverse),
                Err(error) => {
                    for inverse in inverses.into_iter().rev() {
                        let undone = self.apply(inverse);
                        debug_assert!(undone.is_ok(), "an inverse was refused: {undone:?}");
                    }
                    return Err(error);
                }
            }
        }
        inverses.reverse();
        Ok(Command::batch(inverses))
    }

    fn add_node(&mut self, graph: GraphRef, id: String, mut node: Node) -> Applied {
        invariants::validate_id(&graph, &id)?;
        canonical_settings(&id, &mut node)?;
        node.validate(&id)?;
        let target = self.graph_mut(&graph)?;
        if target.nodes.contains_key(&id) {
            return Err(CommandError::IdTaken { graph, id });
        }
        target.nodes.insert(id.clone(), node);
        if let Err(error) = self.style.validate_nesting() {
            self.graph_mut(&graph)?.nodes.remove(&id);
            return Err(error.into());
        }
        Ok(Command::RemoveNode { graph, id })
    }

    fn remove_node(&mut self, graph: GraphRef, id: String) -> Applied {
        let target = self.graph_mut(&graph)?;
        let Some(node) = target.nodes.remove(&id) else {
            return Err(CommandError::NoNode { graph, node: id });
        };
        let mut restore = vec![Command::AddNode { graph: graph.clone(), id: id.clone(), node }];
        for (frame_id, frame) in &mut target.frames {
            let before = frame.members.contains(&id).then(|| frame.clone());
            frame.members.remove(&id);
            restore.extend(before.map(|frame| Command::SetFrame {
                graph: graph.clone(),
                id: frame_id.clone(),
                frame: Some(frame),
            }));
        }
        let (cut, kept): (BTreeSet<_>, _) =
            std::mem::take(&mut target.links).into_iter().partition(|l| l.touches(&id));
        target.links = kept;
        if let GraphRef::Group(name) = &graph {
            let group = self.group_mut(name)?;
            let uses = |port: &Published| port.inner.node == id;
            if group.inputs.iter().chain(&group.outputs).any(uses) {
                restore.push(Command::SetPublished {
                    group: name.clone(),
                    inputs: group.inputs.clone(),
                    outputs: group.outputs.clone(),
                });
                group.inputs.retain(|port| !uses(port));
                group.outputs.retain(|port| !uses(port));
            }
        }
        let relink = |link| Command::Connect { graph: graph.clone(), link, adds: true };
        restore.extend(cut.into_iter().map(relink));
        Ok(Command::batch(restore))
    }

    fn set_setting(
        &mut self,
        graph: GraphRef,
        node: String,
        port: String,
        value: Option<Setting>,
    ) -> Applied {
        let value = value.map(|value| canonical_setting(&node, &port, value)).transpose()?;
        let settings = &mut self.node_mut(&graph, &node)?.settings;
        let value = set_entry(settings, &port, value);
        Ok(Command::SetSetting { graph, node, port, value })
    }

    fn set_type(&mut self, graph: GraphRef, node: String, node_type: String) -> Applied {
        let before = replace(&mut self.node_mut(&graph, &node)?.node_type, node_type);
        if let Err(error) = self.style.validate_nesting() {
            self.node_mut(&graph, &node)?.node_type = before;
            return Err(error.into());
        }
        Ok(Command::SetType { graph, node, node_type: before })
    }

    fn move_nodes(&mut self, graph: GraphRef, positions: BTreeMap<String, [f64; 2]>) -> Applied {
        for (id, position) in &positions {
            self.node_mut(&graph, id)?;
            invariants::finite(*position, || format!("the position of {id:?}"))?;
        }
        let mut before = BTreeMap::new();
        for (id, position) in positions {
            let old = replace(&mut self.node_mut(&graph, &id)?.position, position);
            before.insert(id, old);
        }
        Ok(Command::MoveNodes { graph, positions: before })
    }

    fn connect(&mut self, graph: GraphRef, link: Link, adds: bool) -> Applied {
        let target = self.graph_mut(&graph)?;
        target.validate_link(&graph, &link)?;
        if target.reaches(&link.to.node, &link.from.node) {
            return Err(StructureError::Cycle { graph, node: link.to.node }.into());
        }
        let replaced = |old: &&Link| !adds && old.to == link.to && **old != link;
        let replaced: Vec<Link> = target.links.iter().filter(replaced).cloned().collect();
        let mut inverse = Vec::new();
        for old in replaced {
            target.links.remove(&old);
            inverse.push(Command::Connect { graph: graph.clone(), link: old, adds: true });
        }
        if target.links.insert(link.clone()) {
            inverse.insert(0, Command::Disconnect { graph, link });
        }
        Ok(Command::batch(inverse))
    }

    fn set_frame(&mut self, graph: GraphRef, id: String, frame: Option<NodeFrame>) -> Applied {
        invariants::validate_id(&graph, &id)?;
        let target = self.graph_mut(&graph)?;
        if let Some(frame) = &frame {
            target.validate_members(&graph, &id, &frame.members)?;
        }
        let frame = set_entry(&mut target.frames, &id, frame);
        Ok(Command::SetFrame { graph, id, frame })
    }

    fn set_group(&mut self, name: String, mut group: Option<Group>) -> Applied {
        if let Some(group) = &mut group {
            for (id, node) in &mut group.graph.nodes {
                canonical_settings(id, node)?;
            }
            group.graph.validate(&GraphRef::Group(name.clone()))?;
            group.validate_published(&name)?;
        }
        let before = set_entry(&mut self.style.groups, &name, group);
        if let Err(error) = self.style.validate_nesting() {
            set_entry(&mut self.style.groups, &name, before);
            return Err(error.into());
        }
        Ok(Command::SetGroup { name, group: before })
    }

    fn set_published(
        &mut self,
        group: String,
        inputs: Vec<Published>,
        outputs: Vec<Published>,
    ) -> Applied {
        let target = self.group_mut(&group)?;
        target.validate_ports(&group, &inputs, &outputs)?;
        let inputs = replace(&mut target.inputs, inputs);
        let outputs = replace(&mut target.outputs, outputs);
        Ok(Command::SetPublished { group, inputs, outputs })
    }

    fn set_bone_value(
        &mut self,
        character: String,
        node: String,
        bone: String,
        value: Option<BoneSetting>,
    ) -> Applied {
        let value = self.change_character(&character, |settings| {
            let bones = settings.bone_values.entry(node.clone()).or_default();
            let before = set_entry(bones, &bone, value);
            if bones.is_empty() {
                settings.bone_values.remove(&node);
            }
            before
        })?;
        Ok(Command::SetBoneValue { character, node, bone, value })
    }

    /// Changes a copy, so that what is refused was never there. Settings that say nothing are not
    /// kept: a character without settings has no entry.
    fn change_character<T>(
        &mut self,
        name: &str,
        change: impl FnOnce(&mut CharacterSettings) -> T,
    ) -> Result<T, CommandError> {
        let mut settings = self.characters.remove(name).unwrap_or_default();
        let before = settings.clone();
        let result = change(&mut settings);
        let valid = validate_numbers(&settings, name);
        let kept = if valid.is_ok() { settings } else { before };
        if !kept.is_empty() {
            self.characters.insert(name.to_owned(), kept);
        }
        valid?;
        Ok(result)
    }

    fn graph_mut(&mut self, graph: &GraphRef) -> Result<&mut Graph, CommandError> {
        let name = if let GraphRef::Group(name) = graph { name.as_str() } else { "" };
        let missing = CommandError::NoGroup { name: name.to_owned() };
        self.style.graph_mut(graph).ok_or(missing)
    }

    fn group_mut(&mut self, name: &str) -> Result<&mut Group, CommandError> {
        let missing = || CommandError::NoGroup { name: name.to_owned() };
        self.style.groups.get_mut(name).ok_or_else(missing)
    }

    fn node_mut(&mut self, graph: &GraphRef, node: &str) -> Result<&mut Node, CommandError> {
        let missing = || CommandError::NoNode { graph: graph.clone(), node: node.to_owned() };
        self.graph_mut(graph)?.nodes.get_mut(node).ok_or_else(missing)
    }
}

fn set_entry<V>(map: &mut BTreeMap<String, V>, key: &str, value: Option<V>) -> Option<V> {
    match value {
        Some(value) => map.insert(key.to_owned(), value),
        None => map.remove(key),
    }
}

fn canonical_settings(id: &str, node: &mut Node) -> Result<(), StructureError> {
    for (port, setting) in &mut node.settings {
        let given = replace(setting, Setting::Bool(false));
        *setting = canonical_setting(id, port, given)?;
    }
    Ok(())
}

/// In the form in which loading would give it back.
fn canonical_setting(node: &str, port: &str, setting: Setting) -> Result<Setting, StructureError> {
    let nested = || StructureError::NestedSetting { node: node.to_owned(), port: port.to_owned() };
    let setting = match setting {
        Setting::Other(value) => file_form::setting(value).ok_or_else(nested)?,
        other => other,
    };
    invariants::validate_setting(node, port, &setting)?;
    Ok(setting)
}
