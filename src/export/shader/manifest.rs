//! `manifest.json`: what a host must know to run an exported shader.

use super::{Binding, Refusal, ShaderExport, Target};
use crate::ir::op::Op;
use crate::ir::{Column, MapSource, Number, Parameter, Program, Source, Type, Value};
use crate::rig::Base;
use crate::wgsl::{Field, Module, Row, WORKGROUP_SIZE};
use serde::Serialize;
use serde_json::json;

/// Of the manifest itself.
const FORMAT: u32 = 1;

#[derive(Serialize)]
pub struct Manifest {
    format: u32,
    tool: String,
    graph: String,
    /// Tells programs apart; the same as long as only sliders change.
    program: String,
    skinning: &'static str,
    /// What a user of the style may change.
    parameters: Vec<ParameterEntry>,
    /// What nobody may change: constants of the module.
    constants: Vec<serde_json::Value>,
    frame: FrameEntry,
    bone: RowEntry,
    bone_input: RowEntry,
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
    node: String,
    port: String,
    #[serde(rename = "type")]
    ty: String,
    default: serde_json::Value,
    soft: Option<(f64, f64)>,
    hard: Option<(f64, f64)>,
}

#[derive(Serialize)]
struct RowEntry {
    #[serde(rename = "struct")]
    name: &'static str,
    stride_bytes: usize,
    /// By offset.
    fields: Vec<FieldEntry>,
}

#[derive(Serialize)]
struct FieldEntry {
    name: String,
    #[serde(rename = "type")]
    ty: &'static str,
    offset_bytes: usize,
    node: String,
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
    /// To be computed first, in this order.
    steps: Vec<String>,
}

/// What was written for one target, and what was not.
#[derive(Serialize)]
pub struct TargetEntry {
    target: &'static str,
    language: &'static str,
    note: &'static str,
    files: Vec<String>,
    /// From the module's names to those in the files.
    entry_names: Vec<(String, String)>,
    refuses: Vec<Refusal>,
}

impl TargetEntry {
    pub fn new(
        target: Target,
        files: Vec<String>,
        entry_names: Vec<(String, String)>,
    ) -> TargetEntry {
        let (language, note) = (target.language(), target.note());
        TargetEntry { target: target.name(), language, note, files, entry_names, refuses: vec![] }
    }
}

impl Manifest {
    pub fn new(
        export: &ShaderExport,
        base: Base,
        module: &Module,
        bindings: Vec<Binding>,
        mut targets: Vec<TargetEntry>,
    ) -> Manifest {
        let program = export.program;
        for (entry, target) in targets.iter_mut().zip(export.targets) {
            entry.refuses = target.refusals(program);
        }
        let exposed = program.tables.parameters.iter().filter_map(parameter_entry);
        Manifest {
            format: FORMAT,
            tool: concat!("Jounce ", env!("CARGO_PKG_VERSION")).to_owned(),
            graph: export.name.to_owned(),
            program: format!("{:032x}", program.content_hash()),
            skinning: base.name(),
            parameters: exposed.collect(),
            constants: constants(program, module),
            frame: frame_entry(program, module),
            bone: row_entry("JnBone", program, &module.bone, |_| None),
            bone_input: row_entry("JnBoneInput", program, &module.bone_input, |field| {
                Some(source_text(program, module, field.value))
            }),
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

    /// Plain data, which always has a text.
    pub fn to_json(&self) -> Vec<u8> {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text.into_bytes()
    }
}

fn parameter_entry(parameter: &Parameter) -> Option<ParameterEntry> {
    Some(ParameterEntry {
        name: parameter.exposed.clone()?,
        node: parameter.node.clone(),
        port: parameter.port.clone(),
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
    let entry = |constant: &crate::wgsl::NamedConstant| {
        json!({
            "name": constant.name, "node": node_of(program, constant.value),
            "value": number(constant.number),
        })
    };
    module.constants.iter().map(entry).collect()
}

fn row_entry(
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
    FrameEntry { row, inputs: text.inputs.iter().map(input).collect(), steps: text.steps.clone() }
}

/// What data it is, in words.
fn source_text(program: &Program, module: &Module, value: Value) -> String {
    let tables = &program.tables;
    match *program.op(value) {
        Op::Source(Source::BoneRotationW) => "the scalar part of BONE_ROTATION".to_owned(),
        Op::Source(Source::BoneParentRotationW) => {
            "the scalar part of BONE_PARENT_ROTATION".to_owned()
        }
        Op::Source(source) => {
            let info = source.info();
            format!("{}: {}", info.name.unwrap_or(info.accessor), info.doc)
        }
        Op::Parameter(place, _) => {
            let parameter = tables.parameters.get(place as usize);
            let name = parameter.and_then(|p| p.exposed.clone()).unwrap_or_default();
            format!("the parameter \"{name}\"")
        }
        Op::MapIsThere(place) => match module.maps.get(place as usize) {
            Some(map) => format!("does the character have the map of {map}?"),
            None => "does the character have the map?".to_owned(),
        },
        Op::Motion(part, window) => {
            let name = part.constant_name();
            match program.op(window).as_constant() {
                Some(Number::Float(secs)) if secs > 0.0 => {
                    format!("{name}, mean over the last {secs} seconds")
                }
                Some(_) => format!("{name} at this moment"),
                None => format!("{name}, mean over the seconds of {}", window_text(module, window)),
            }
        }
        Op::BoneTable(_) => "the number set for the bone, or 0".to_owned(),
        Op::BoneTableIsSet(_) => "is a number set for the bone?".to_owned(),
        Op::BoneSet(place) => match tables.bone_sets.get(place as usize) {
            Some(set) => format!(
                "1 for the bones {}{}, else 0",
                set.names.join(", "),
                if set.branches { " and all below them" } else { "" }
            ),
            None => "1 for bones of a set, else 0".to_owned(),
        },
        _ => String::new(),
    }
}

fn window_text(module: &Module, window: Value) -> String {
    let field = module.frame.field(window).map(|field| format!("JnFrame.{}", field.name));
    let constant = || module.constants.iter().find(|c| c.value == window).map(|c| c.name.clone());
    field.or_else(constant).unwrap_or_default()
}

fn maps(program: &Program, module: &Module) -> Vec<serde_json::Value> {
    let entry = |(row, (request, accessor)): (usize, (&crate::ir::MapRequest, &String))| {
        let (name, source) = match &request.source {
            MapSource::Named(name) => (name.as_str(), "painted, or in the file, under this name"),
            MapSource::Softness => ("softness", "made from the local thickness"),
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

fn entries(module: &Module) -> Vec<serde_json::Value> {
    let entry = |entry: &crate::wgsl::Entry| {
        let is_compute = entry.stage == naga::ShaderStage::Compute;
        json!({
            "name": entry.name,
            "stage": if is_compute { "compute" } else { "vertex" },
            "workgroup_size": is_compute.then_some(WORKGROUP_SIZE),
            "what": entry.what,
        })
    };
    module.entries.iter().map(entry).collect()
}

fn passes(module: &Module) -> Vec<serde_json::Value> {
    let pass = |pass: &crate::wgsl::Pass| {
        let relaxations = pass.relaxations.iter().map(|relaxation| {
            let steps = relaxation.steps.iter();
            let steps = steps.map(|s| json!({ "from_slot": s.from_slot, "to_slot": s.to_slot }));
            json!({ "entry": relaxation.entry, "steps": steps.collect::<Vec<_>>() })
        });
        json!({ "entry": pass.entry, "relaxations": relaxations.collect::<Vec<_>>() })
    };
    module.passes.iter().map(pass).collect()
}

fn limits(bindings: &[Binding]) -> serde_json::Value {
    let of_entry = |entry: &str, what: &str| {
        let uses = |binding: &&Binding| {
            binding.access.starts_with(what) && binding.entries.iter().any(|name| name == entry)
        };
        bindings.iter().filter(uses).count()
    };
    let names = || bindings.iter().flat_map(|binding| &binding.entries);
    let most = |what: &str| names().map(|entry| of_entry(entry, what)).max().unwrap_or(0);
    json!({
        "storage_buffers_per_stage": most("storage"),
        "uniform_buffers_per_stage": most("uniform"),
        "workgroup_invocations": WORKGROUP_SIZE,
    })
}

/// Bytes that stay the same while a character moves, beside those of plain skinning.
fn memory(program: &Program, base: Base, module: &Module) -> serde_json::Value {
    // Dual quaternions fall back to the rest pose.
    let reads_rest = base == Base::Dqs
        || program.reads(Source::RestPosition)
        || program.reads(Source::RestNormal);
    let maps = 4 * module.maps.len();
    let rest = if reads_rest { 24 } else { 0 };
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
