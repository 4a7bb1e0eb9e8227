//! Entry points and the order in which a host runs them.

use super::Binding;
use jounce_shader::wgsl::{Module, WORKGROUP_SIZE};
use serde_json::json;

pub fn entries(module: &Module) -> Vec<serde_json::Value> {
    let entry = |entry: &jounce_shader::wgsl::Entry| {
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

/// What is dispatched, in this order; all of one before the next.
pub fn passes(module: &Module) -> Vec<serde_json::Value> {
    const PER_LANE: &str = "groups × instances × 1 workgroups";
    let bones = json!({
        "entry": "bones", "is_optional": module.memory.is_none(),
        "dispatch": "ceil(bones / 32) × instances × 1 workgroups",
        "what": match module.memory {
            None => "fills jn_computed_bones from jn_bone_inputs; bind that buffer as jn_bones afterwards. A host that computes jn_compute_bone itself leaves this pass out.",
            Some(_) => "updates the memory in jn_bone_memory, as jn_step says, and fills jn_computed_bones from jn_bone_inputs: once with kind 2, once with kind 1 for each step of 1/240 s that has ended, then once with kind 0 for the frame, each with the inputs of its own time; bind jn_computed_bones as jn_bones afterwards.",
        },
    });
    let pass = |pass: &jounce_shader::wgsl::Pass| {
        let relaxations = pass.relaxations.iter().map(|relaxation| {
            let steps = relaxation.steps.iter();
            let steps = steps.map(|s| json!({ "from_slot": s.from_slot, "to_slot": s.to_slot }));
            json!({
                "entry": relaxation.entry, "dispatch": PER_LANE,
                "what": "one dispatch per step, with that step as jn_relax; each reads what the one before has written",
                "steps": steps.collect::<Vec<_>>(),
            })
        });
        json!({
            "entry": pass.entry, "is_optional": false, "dispatch": PER_LANE,
            "relaxations": relaxations.collect::<Vec<_>>(),
        })
    };
    std::iter::once(bones).chain(module.passes.iter().map(pass)).collect()
}

pub fn limits(bindings: &[Binding]) -> serde_json::Value {
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
