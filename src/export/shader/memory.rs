//! What a manifest says of graphs that remember: what the shader keeps, and what is left to the host.

use super::definitions::source_text;
use super::manifest::row_entry;
use jounce_ir::{Op, Program};
use jounce_shader::wgsl::{BoneMemory, FrameMemory, Module, Recollection};
use serde_json::{Value, json};

/// The row that `bones` keeps for each bone.
pub fn bone_memory(program: &Program, module: &Module) -> Option<Value> {
    let memory = module.memory.as_ref()?;
    let mut row = row_entry("JnBoneMemory", program, &memory.row, |field| {
        Some(match program.op(field.value) {
            Op::State(_) => source_text(program, module, field.value),
            _ => "the value recorded at the end of the last step".to_owned(),
        })
    });
    // What a history records may be made by another node than the one that keeps it.
    for kept in memory.begun(program) {
        let entry = row.fields.iter_mut().find(|entry| entry.name == kept.field.name);
        if let Some(entry) = entry {
            kept.node.clone_into(&mut entry.node);
        }
    }
    Some(json!({
        "row": row,
        "steps_per_second": jounce_ir::STEPS_PER_SEC,
        "past_numbers": memory.past_numbers,
        "past_steps": memory.past_steps,
        "past_bytes_per_instance_and_bone": past_bytes(memory),
    }))
}

/// Bytes of `jn_bone_past` per row.
pub fn past_bytes(memory: &BoneMemory) -> u32 {
    match memory.past_numbers {
        0 => 0,
        numbers => 4 * (1 + numbers * memory.past_steps),
    }
}

/// What the host keeps: how it begins, what it is when a step ends, and where it is recalled.
pub fn frame_memory(memory: &FrameMemory) -> Value {
    let FrameMemory { name, node, recollection } = memory;
    match recollection {
        Recollection::State { input, begins, becomes } => json!({
            "state": name, "node": node, "input": input, "begins": begins, "becomes": becomes,
        }),
        Recollection::History { records, longest_secs, inputs } => json!({
            "history": name, "node": node, "records": records, "longest_secs": longest_secs,
            "inputs": inputs.iter()
                .map(|(input, ago_secs)| json!({ "input": input, "ago_secs": ago_secs }))
                .collect::<Vec<_>>(),
        }),
    }
}
