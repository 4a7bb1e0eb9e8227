//! The entry points of a module.

use super::assemble::vertex_function_name;
use super::functions::relax_amount;
use super::printer::{Described, Printer};
use super::tables::{TableNames, components};
use super::{Entry, Pass, WORKGROUP_SIZE};
use jounce_ir::Op;
use naga::ShaderStage;

pub fn print_entries(
    printer: &mut Printer,
    tables: &TableNames,
    passes: &[Pass],
    with_vertex: bool,
    described: &mut Described,
) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut compute = |name: &str, what: &'static str| {
        entries.push(Entry { name: name.to_owned(), stage: ShaderStage::Compute, what });
        format!("@compute @workgroup_size({WORKGROUP_SIZE})\nfn {name}({COMPUTE_ARGUMENTS}) {{\n")
    };
    printer.blank();
    let head = compute("bones", "one invocation per bone, one row of workgroups per instance");
    let remembers = tables.memory.is_some();
    let body = if remembers { BONES_ENTRY_WITH_MEMORY } else { BONES_ENTRY };
    printer.lines(&format!("{head}{body}"));
    for (place, pass) in passes.iter().enumerate() {
        printer.blank();
        let head =
            compute(&pass.entry, "one invocation per lane, one row of workgroups per instance");
        let function = vertex_function_name(pass);
        let is_last = place + 1 == passes.len();
        let body = match is_last {
            true => format!(
                "    jn_enter(group.x, lane, group.y);\n    jn_write_position({function}());\n{WRITE_SKINNED}}}"
            ),
            false => format!("    jn_enter(group.x, lane, group.y);\n    {function}();\n}}"),
        };
        printer.lines(&format!("{head}{body}"));
        let relaxed = &tables.schedule.passes[place].relaxed;
        for (relaxation, value) in pass.relaxations.iter().zip(relaxed) {
            let Op::Relax { amount, value: from, .. } = *tables.program.op(*value) else {
                continue;
            };
            printer.blank();
            let node = &tables.program.origins[value.index()].node;
            printer.heading(tables.program, node, 1, described);
            let head = compute(&relaxation.entry, "one step of smoothing over the surface");
            let amount = relax_amount(tables, amount);
            let frame = match amount.text.contains("frame.") {
                true => "    let frame = jn_frame();\n",
                false => "",
            };
            let count = components(tables.program.ty(from));
            let body = format!(
                "    jn_enter(group.x, lane, group.y);\n{frame}    jn_relax_step({}, {count}u);\n}}",
                amount.text
            );
            printer.lines(&format!("{head}{body}"));
        }
    }
    if with_vertex {
        printer.blank();
        printer.lines(VERTEX_ENTRY);
        let what = "vertex_index is the lane, instance_index the instance: an index buffer must name lanes instead of vertices";
        entries.push(Entry { name: "vertex".to_owned(), stage: ShaderStage::Vertex, what });
    }
    entries
}

const COMPUTE_ARGUMENTS: &str =
    "@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32";

const BONES_ENTRY: &str = "    jn_instance = jn_counts.first_instance + group.y;
    let bone = 32u * group.x + lane;
    if (bone < jn_counts.bones) {
        let row = jn_instance * jn_counts.bones + bone;
        jn_computed_bones[row] = jn_compute_bone(jn_frame(), jn_bone_inputs[row]);
    }
}";

const BONES_ENTRY_WITH_MEMORY: &str = "    jn_instance = jn_counts.first_instance + group.y;
    let bone = 32u * group.x + lane;
    if (bone < jn_counts.bones) {
        jn_row = jn_instance * jn_counts.bones + bone;
        let frame = jn_frame();
        let given = jn_bone_inputs[jn_row];
        if (jn_step.kind == JN_ALL_BEGINS) {
            jn_keep_memory(jn_start_bone(frame, given));
        } else {
            let computed = jn_compute_bone(frame, given, jn_bone_memory[jn_row]);
            jn_computed_bones[jn_row] = computed.bone;
            if (jn_step.kind == JN_STEP_IS_KEPT) {
                jn_keep_memory(jn_sane_memory(computed.after, jn_start_bone(frame, given)));
            }
        }
    }
}";

const WRITE_SKINNED: &str = "    if (jn_counts.writes_skinned == 1u) {
        jn_write(1u, jn_skinned_position());
        jn_write(2u, jn_skinned_normal());
    }
";

const VERTEX_ENTRY: &str = "@vertex
fn vertex(
    @builtin(vertex_index) vertex_index: u32,
    @builtin(instance_index) instance_index: u32,
) -> JnVertex {
    jn_enter(vertex_index / 32u, vertex_index % 32u, instance_index);
    let position = jn_deform_vertex();
    return JnVertex(jn_clip_position(position), position, jn_skinned_normal());
}";
