//! The tables of a program as they are saved, and back.

use super::form::{SavedFloat, SavedNumber, SavedType, SavedWeight};
use crate::Rate;
use crate::program::{
    AnchorRequest, BoneSet, BoneTable, Column, History, MapRequest, MapSource, Parameter, State,
    Tables,
};
use crate::source::SOURCES;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SavedTables {
    parameters: Vec<SavedParameter>,
    maps: Vec<SavedMap>,
    bone_values: Vec<SavedBoneTable>,
    bone_sets: Vec<SavedBoneSet>,
    weights: Vec<SavedColumn>,
    states: Vec<SavedState>,
    histories: Vec<SavedHistory>,
    #[serde(skip_serializing_if = "Option::is_none")]
    anchors: Option<SavedAnchors>,
}

/// Since format 2.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedAnchors {
    node: String,
    names: Vec<String>,
    whole_body: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedParameter {
    node: String,
    port: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exposed: Option<String>,
    value: SavedNumber,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    soft: Option<[SavedFloat; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hard: Option<[SavedFloat; 2]>,
}

/// Of a name, or made from a source.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedMap {
    node: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    named: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedBoneTable {
    node: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedBoneSet {
    node: String,
    names: Vec<String>,
    branches: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedColumn {
    kind: SavedWeight,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    keep: Option<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedState {
    node: String,
    name: String,
    #[serde(rename = "type")]
    ty: SavedType,
    rate: Rate,
    is_place: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedHistory {
    node: String,
    name: String,
    #[serde(rename = "type")]
    ty: SavedType,
    rate: Rate,
    longest_secs: SavedFloat,
}

fn pair((least, most): (f64, f64)) -> [SavedFloat; 2] {
    [least.into(), most.into()]
}

fn from_pair([least, most]: [SavedFloat; 2]) -> (f64, f64) {
    (least.float(), most.float())
}

impl From<&Tables> for SavedTables {
    fn from(tables: &Tables) -> SavedTables {
        let parameter = |it: &Parameter| SavedParameter {
            node: it.node.clone(),
            port: it.port.clone(),
            exposed: it.exposed.clone(),
            value: it.value.into(),
            soft: it.soft.map(pair),
            hard: it.hard.map(pair),
        };
        let map = |it: &MapRequest| {
            let (named, source) = match &it.source {
                MapSource::Named(name) => (Some(name.clone()), None),
                MapSource::Derived(source) => (None, Some(source.info().saved_name.to_owned())),
            };
            SavedMap { node: it.node.clone(), named, source }
        };
        let set = |it: &BoneSet| SavedBoneSet {
            node: it.node.clone(),
            names: it.names.clone(),
            branches: it.branches,
        };
        let state = |it: &State| SavedState {
            node: it.node.clone(),
            name: it.name.clone(),
            ty: it.ty.into(),
            rate: it.rate,
            is_place: it.is_place,
        };
        let history = |it: &History| SavedHistory {
            node: it.node.clone(),
            name: it.name.clone(),
            ty: it.ty.into(),
            rate: it.rate,
            longest_secs: it.longest_secs.into(),
        };
        let bone_table = |it: &BoneTable| SavedBoneTable { node: it.node.clone() };
        let anchors = |it: &AnchorRequest| SavedAnchors {
            node: it.node.clone(),
            names: it.names.clone(),
            whole_body: it.whole_body,
        };
        let column = |it: &Column| SavedColumn { kind: it.kind.into(), keep: it.keep };
        SavedTables {
            parameters: tables.parameters.iter().map(parameter).collect(),
            maps: tables.maps.iter().map(map).collect(),
            bone_values: tables.bone_tables.iter().map(bone_table).collect(),
            bone_sets: tables.bone_sets.iter().map(set).collect(),
            weights: tables.columns.iter().map(column).collect(),
            states: tables.states.iter().map(state).collect(),
            histories: tables.histories.iter().map(history).collect(),
            anchors: tables.anchors.as_ref().map(anchors),
        }
    }
}

impl SavedTables {
    /// Names of sources that are not known are added to the others.
    pub fn into_tables(self, unknown: &mut BTreeSet<String>) -> Tables {
        let mut maps = Vec::with_capacity(self.maps.len());
        for SavedMap { node, named, source } in self.maps {
            let asked = source.unwrap_or_default();
            let known = SOURCES.iter().find(|info| info.saved_name == asked);
            let source = match (named, known) {
                (Some(name), _) => MapSource::Named(name),
                (None, Some(info)) => MapSource::Derived(info.source),
                (None, None) => {
                    unknown.insert(format!("the map made from {asked:?}"));
                    continue;
                }
            };
            maps.push(MapRequest { node, source });
        }
        let parameter = |it: SavedParameter| Parameter {
            node: it.node,
            port: it.port,
            exposed: it.exposed,
            value: it.value.number(),
            soft: it.soft.map(from_pair),
            hard: it.hard.map(from_pair),
        };
        let set = |it: SavedBoneSet| {
            let SavedBoneSet { node, names, branches } = it;
            BoneSet { node, names, branches }
        };
        let state = |it: SavedState| {
            let SavedState { node, name, ty, rate, is_place } = it;
            State { node, name, ty: ty.into(), rate, is_place }
        };
        let history = |it: SavedHistory| {
            let SavedHistory { node, name, ty, rate, longest_secs } = it;
            History { node, name, ty: ty.into(), rate, longest_secs: longest_secs.float() }
        };
        let column = |it: SavedColumn| Column { kind: it.kind.into(), keep: it.keep };
        let anchors = |it: SavedAnchors| {
            let SavedAnchors { node, names, whole_body } = it;
            AnchorRequest { node, names, whole_body }
        };
        let bone_table = |it: SavedBoneTable| BoneTable { node: it.node };
        Tables {
            parameters: self.parameters.into_iter().map(parameter).collect(),
            maps,
            bone_tables: self.bone_values.into_iter().map(bone_table).collect(),
            bone_sets: self.bone_sets.into_iter().map(set).collect(),
            columns: self.weights.into_iter().map(column).collect(),
            states: self.states.into_iter().map(state).collect(),
            histories: self.histories.into_iter().map(history).collect(),
            anchors: self.anchors.map(anchors),
        }
    }
}
