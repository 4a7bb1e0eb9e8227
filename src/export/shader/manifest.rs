//! `manifest.json`: what a host must know to run an exported shader.

use super::definitions::source_text;
use super::keys::keys;
use super::memory::{bone_memory, frame_memory};
use super::passes::{entries, limits, passes};
use super::structs::{StructEntry, structs};
use super::{Binding, Refusal, ShaderExport, Target};
use crate::targets::Translated;
use jounce_base::Base;
use jounce_base::keyed_value::MotionKeys;
use jounce_eval::character_data::reads_rest;
use jounce_ir::op::Op;
use jounce_ir::{Column, MapSource, Number, Parameter, Program, Type, Value};
use jounce_shader::wgsl::{Field, Module, Row};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The format of the manifest itself.
const FORMAT: u32 = 1;

pub const MANIFEST_NAME: &str = "manifest.json";

/// What an export is told apart by from others in the same folder.
#[derive(Deserialize)]
pub struct Exported {
    pub tool: String,
    pub graph: String,
}

#[derive(Serialize)]
pub struct Manifest {
    format: u32,
    tool: String,
    /// Where all this is explained.
    guide: &'static str,
    graph: String,
    /// Tells programs apart; the same as long as only sliders change.
    program: String,
    skinning: &'static str,
    /// Whose parents bones have: `file` or `motion`.
    hierarchy: &'static str,
    /// What a user of the style may change.
    parameters: Vec<ParameterEntry>,
    /// By clip, then by parameter: how it changes over the clip. As in a document.
    #[serde(skip_serializing_if = "MotionKeys::is_empty")]
    keys: MotionKeys,
    /// What nobody may change: constants of the module.
    constants: Vec<serde_json::Value>,
    frame: FrameEntry,
    bone: RowEntry,
    bone_input: RowEntry,
    /// What `bones` keeps from step to step; not there where nothing is remembered of bones.
    #[serde(skip_serializing_if = "Option::is_none")]
    bone_memory: Option<serde_json::Value>,
    /// The other structs that the host fills.
    structs: Vec<StructEntry>,
    /// Numbers per lane that are kept between passes.
    kept_slots: u32,
    maps: Vec<serde_json::Value>,
    bone_sets: Vec<serde_json::Value>,
    bone_values: Vec<serde_json::Value>,
    weights: Vec<serde_json::Value>,
    bindings: Vec<Binding>,
    entries: Vec<serde_json::Value>,
    passes: Vec<serde_json::Value>,
    limits: serde_json::Value,
    memory: serde_json::Value,
    targets: Vec<TargetEntry>,
}

#[derive(Serialize)]
struct ParameterEntry {
    name: String,
    /// Several nodes may show a parameter of one name: it is one slider for all of them.
    nodes: Vec<String>,
    #[serde(rename = "type")]
    ty: String,
    default: serde_json::Value,
    soft: Option<(f64, f64)>,
    hard: Option<(f64, f64)>,
}

#[derive(Serialize)]
pub(super) struct RowEntry {
    #[serde(rename = "struct")]
    name: &'static str,
    stride_bytes: usize,
    /// By offset.
    pub(super) fields: Vec<FieldEntry>,
}

#[derive(Serialize)]
pub(super) struct FieldEntry {
    pub(super) name: String,
    #[serde(rename = "type")]
    ty: &'static str,
    offset_bytes: usize,
    pub(super) node: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    expression: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

#[derive(Serialize)]
struct FrameEntry {
    #[serde(flatten)]
    row: RowEntry,
    /// What the expressions read.
    inputs: Vec<serde_json::Value>,
    /// Settings that nobody changes, which only these expressions read.
    constants: Vec<serde_json::Value>,
    /// To be computed first, in this order.
    steps: Vec<String>,
    /// What the host keeps from step to step of the whole character.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    memory: Vec<serde_json::Value>,
}

/// What was written for one target, and what was not.
#[derive(Serialize)]
pub struct TargetEntry {
    target: &'static str,
    language: &'static str,
    files: Vec<String>,
    /// From the module's names to those in the files.
    entry_names: Vec<(String, String)>,
    /// Entry points that are missing.
    refuses: Vec<Refusal>,
    /// Sentences for whoever runs it.
    notes: Vec<&'static str>,
}

impl TargetEntry {
    pub fn new(
        target: Target,
        program: &Program,
        module: &Module,
        translated: &Translated,
    ) -> TargetEntry {
        let entries = module.naga.entry_points.iter().map(|entry| entry.name.clone());
        TargetEntry {
            target: target.name(),
            language: target.language(),
            files: translated.files.iter().map(|file| file.name.clone()).collect(),
            entry_names: entries.zip(translated.entry_names.iter().cloned()).collect(),
            refuses: target.refusals(program),
            notes: target.notes(program),
        }
    }
}

impl Manifest {
    pub fn new(
        export: &ShaderExport,
        base: Base,
        module: &Module,
        bindings: Vec<Binding>,
        targets: Vec<TargetEntry>,
    ) -> Manifest {
        let program = export.program;
        Manifest {
            format: FORMAT,
            tool: concat!("Jounce ", env!("CARGO_PKG_VERSION")).to_owned(),
            guide: "docs/shaders.md of Jounce",
            graph: export.name.to_owned(),
            program: format!("{:032x}", program.content_hash()),
            skinning: base.name(),
            hierarchy: program.hierarchy.name(),
            parameters: parameters(program),
            keys: keys(program, export.keys),
            constants: constants(program, module),
            frame: frame_entry(program, module),
            bone: row_entry("JnBone", program, &module.bone, |_| None),
            bone_input: row_entry("JnBoneInput", program, &module.bone_input, |field| {
                Some(source_text(program, module, field.value))
            }),
            bone_memory: bone_memory(program, module),
            structs: structs(module),
            kept_slots: module.kept.count,
            maps: maps(program, module),
            bone_sets: bone_sets(program, module),
            bone_values: bone_values(program, module),
            weights: weights(program, module),
            limits: limits(&bindings),
            memory: memory(program, base, module),
            bindings,
            entries: entries(module),
            passes: passes(module),
            targets,
        }
    }

    pub fn to_json(&self) -> Vec<u8> {
        json_text(self)
    }
}

/// The JSON text of plain data, which cannot fail.
pub(super) fn json_text(data: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_string_pretty(data).unwrap_or_default();
    text.push('\n');
    text.into_bytes()
}

/// Each name once.
fn parameters(program: &Program) -> Vec<ParameterEntry> {
    let mut entries: Vec<ParameterEntry> = Vec::new();
    for parameter in &program.tables.parameters {
        let Some(entry) = parameter_entry(parameter) else { continue };
        match entries.iter_mut().find(|known| known.name == entry.name && known.ty == entry.ty) {
            Some(known) => known.nodes.extend(entry.nodes),
            None => entries.push(entry),
        }
    }
    entries
}

fn parameter_entry(parameter: &Parameter) -> Option<ParameterEntry> {
    Some(ParameterEntry {
        name: parameter.exposed.clone()?,
        nodes: vec![parameter.node.clone()],
        ty: parameter.value.ty().to_string(),
        default: number(parameter.value),
        soft: parameter.soft,
        hard: parameter.hard,
    })
}

fn number(number: Number) -> serde_json::Value {
    match number {
        Number::Float(x) => json!(x),
        Number::Bool(b) => json!(b),
        Number::Vec3(v) => json!(v.to_array()),
    }
}

fn node_of(program: &Program, value: Value) -> String {
    program.origins[value.index()].node.clone()
}

fn constants(program: &Program, module: &Module) -> Vec<serde_json::Value> {
    let entry = |constant: &jounce_shader::wgsl::NamedConstant| {
        json!({
            "name": constant.name, "node": node_of(program, constant.value),
            "value": number(constant.number),
        })
    };
    module.constants.iter().map(entry).collect()
}

pub(super) fn row_entry(
    name: &'static str,
    program: &Program,
    row: &Row,
    source: impl Fn(&Field) -> Option<String>,
) -> RowEntry {
    let entry = |field: &Field| FieldEntry {
        name: field.name.clone(),
        ty: match field.ty {
            Type::Float => "f32",
            Type::Bool => "u32",
            Type::Vec3 => "vec3f",
        },
        offset_bytes: 4 * field.offset,
        node: node_of(program, field.value),
        expression: None,
        source: source(field),
    };
    let mut fields: Vec<FieldEntry> = row.fields.iter().map(entry).collect();
    fields.sort_by_key(|field| field.offset_bytes);
    RowEntry { name, stride_bytes: 4 * row.stride, fields }
}

fn frame_entry(program: &Program, module: &Module) -> FrameEntry {
    let text = &module.frame_text;
    let mut row = row_entry("JnFrame", program, &module.frame, |_| None);
    for (field, expression) in module.frame.fields.iter().zip(&text.fields) {
        let entry = row.fields.iter_mut().find(|entry| entry.name == field.name);
        if let Some(entry) = entry {
            // Booleans are stored as 0 and 1.
            entry.expression = Some(match field.ty {
                Type::Bool => format!("u32({expression})"),
                _ => expression.clone(),
            });
        }
    }
    let input = |(name, value): &(String, Value)| json!({ "name": name, "source": source_text(program, module, *value) });
    let constant = |constant: &jounce_shader::wgsl::NamedConstant| {
        let mut parameter = None;
        if let Op::Parameter(place, _) = *program.op(constant.value) {
            parameter = program.tables.parameters.get(place as usize);
        }
        json!({
            "name": constant.name, "node": parameter.map(|p| &p.node),
            "port": parameter.map(|p| &p.port), "value": number(constant.number),
        })
    };
    FrameEntry {
        row,
        inputs: text.inputs.iter().map(input).collect(),
        constants: text.constants.iter().map(constant).collect(),
        steps: text.steps.clone(),
        memory: text.memory.iter().map(frame_memory).collect(),
    }
}

fn maps(program: &Program, module: &Module) -> Vec<serde_json::Value> {
    let entry = |(row, (request, accessor)): (usize, (&jounce_ir::MapRequest, &String))| {
        let (name, source) = match &request.source {
            MapSource::Named(name) => (name.as_str(), "painted, or in the file, under this name"),
            MapSource::Derived(source) => (source.info().saved_name, source.info().export_text),
        };
        json!({ "name": name, "source": source, "accessor": accessor, "row": row })
    };
    program.tables.maps.iter().zip(&module.maps).enumerate().map(entry).collect()
}

/// The field of `JnBoneInput` that one of these operations reads.
fn input_field(program: &Program, module: &Module, op: Op) -> Option<String> {
    let fields = &module.bone_input.fields;
    let field = fields.iter().find(|field| *program.op(field.value) == op)?;
    Some(field.name.clone())
}

fn bone_sets(program: &Program, module: &Module) -> Vec<serde_json::Value> {
    let sets = program.tables.bone_sets.iter().enumerate();
    sets.map(|(place, set)| {
        json!({
            "bones": set.names, "with_all_below": set.branches,
            "field": input_field(program, module, Op::BoneSet(place as u32)),
        })
    })
    .collect()
}

fn bone_values(program: &Program, module: &Module) -> Vec<serde_json::Value> {
    let tables = program.tables.bone_tables.iter().enumerate();
    tables
        .map(|(place, table)| {
            json!({
                "node": table.node,
                "field": input_field(program, module, Op::BoneTable(place as u32)),
                "is_set_field": input_field(program, module, Op::BoneTableIsSet(place as u32)),
            })
        })
        .collect()
}

fn weights(program: &Program, module: &Module) -> Vec<serde_json::Value> {
    let columns = program.tables.columns.iter().zip(&module.columns).enumerate();
    columns
        .map(|(column, (Column { keep, .. }, accessor))| {
            let kind = program.tables.columns[column];
            json!({
                "accessor": accessor, "column": column,
                "kind": Column { keep: None, ..kind }.to_string(), "keep_largest": keep,
            })
        })
        .collect()
}

/// Bytes that stay the same while a character moves, beside those of plain skinning.
fn memory(program: &Program, base: Base, module: &Module) -> serde_json::Value {
    let maps = 4 * module.maps.len();
    let rest = if reads_rest(program, Some(base)) { 24 } else { 0 };
    let kept = 4 * module.kept.count as usize;
    let pair = 4 * (1 + module.columns.len());
    // A group of 32 lanes has a record of 32 bytes; a lane has the number of its vertex.
    let per_vertex = 4 + 1 + maps + rest + kept;
    json!({
        "plain_skinning_bytes_per_vertex": "24 + w i",
        "bytes_per_vertex": format!("24 + w i + {per_vertex} + {pair} b / 32"),
        "where": "i: influences of a vertex; w: bytes of a skin weight, 2 or 4; b: bones that a group of 32 vertices feels",
        "extra_bytes_per_vertex": per_vertex,
        "extra_bytes_per_group_and_bone": pair,
        "bytes_per_instance": 4 * module.frame.stride,
        "bytes_per_instance_and_bone": 4 * module.bone.stride,
    })
}
