//! Puts a module together.

use super::bone_code::{print_bone_function, print_start_function};
use super::entries::print_entries;
use super::frame::frame_text;
use super::functions::print_vertex_function;
use super::identifier::letters;
use super::library::{needed, words};
use super::printer::{Described, Printer, for_comment};
use super::profiles::AccessorProfile;
use super::profiles::buffers::{Buffer, BufferProfile};
use super::tables::TableNames;
use super::validate::validate;
use super::{Module, Options, Pass, RelaxStep, Relaxation, ShaderSkinning, WgslError};
use crate::wgsl::expression::{literal, type_name};
use jounce_ir::op::Op;
use jounce_ir::{Number, Program, Value};
use naga::{GlobalVariable, Handle};
use std::collections::HashSet;

/// Why some graphs have no entry point `vertex`.
pub const NO_NEIGHBOURS: &str = "the graph smooths over the surface, but a vertex shader cannot read neighbours; use the compute entry points, or remove the Relax nodes";

pub fn module(program: &Program, options: &Options) -> Result<Module, WgslError> {
    let mut tables = TableNames::new(program, options.with_constants);
    let frame_text = frame_text(&tables);
    tables.frame.explain(program, &frame_text);
    let passes = passes(&tables);
    let profile: &dyn AccessorProfile = &BufferProfile::of(options);
    let no_vertex_entry = program.has_relaxations().then_some(NO_NEIGHBOURS);
    let mut printer = Printer::default();
    print_header(&mut printer, options, &passes, tables.memory.is_some());
    print_tables(&mut printer, &tables);
    let mut core = Printer::default();
    profile.print_named(&mut core, &tables);
    let mut described = Described::default();
    for (place, pass) in passes.iter().enumerate() {
        core.blank();
        core.lines(pass_comment(place, passes.len()));
        let name = vertex_function_name(pass);
        print_vertex_function(&mut core, &tables, place, &name, &mut described);
    }
    print_bones(&mut core, &tables, profile, &mut described);
    let with_vertex = no_vertex_entry.is_none();
    let entries = print_entries(&mut core, &tables, &passes, with_vertex, &mut described);
    // What hosts are told to compute is written with functions of the module too.
    let mut wanted = core.words();
    wanted.extend(frame_text.formulas().flat_map(words).map(str::to_owned));
    let needed = needed(&profile.libraries(), wanted);
    profile.print_libraries(&mut printer, &tables, &needed);
    printer.blank();
    printer.append(core);
    let (text, lines) = printer.finish();
    let (naga, info) = validate(&text, program, &lines)?;
    let buffers = buffers(&naga)?;
    Ok(Module {
        text,
        frame_text,
        lines,
        naga,
        info,
        buffers,
        frame: tables.frame,
        bone: tables.bone,
        bone_input: tables.bone_input,
        memory: tables.memory,
        constants: tables.constants,
        maps: tables.maps,
        columns: tables.columns,
        kept: tables.kept,
        passes,
        entries,
        no_vertex_entry,
    })
}

/// All resources of the module: a profile's rows have them all.
fn buffers(naga: &naga::Module) -> Result<Vec<(Buffer, Handle<GlobalVariable>)>, WgslError> {
    let bound = naga.global_variables.iter().filter(|(_, global)| global.binding.is_some());
    let buffer = |(handle, global): (Handle<GlobalVariable>, &GlobalVariable)| {
        let name = global.name.as_deref().unwrap_or_default();
        let message = || format!("the buffer `{name}` has no row");
        let buffer = Buffer::named(name);
        let unknown = || WgslError::Invalid { message: message(), line: None, node: None };
        Ok((buffer.ok_or_else(unknown)?, handle))
    };
    bound.map(buffer).collect()
}

/// Without resources: what a pass computes for one vertex.
pub(super) fn vertex_function_name(pass: &Pass) -> String {
    format!("jn_deform_vertex{}", pass.entry.trim_start_matches(FIRST_PASS))
}

fn print_header(printer: &mut Printer, options: &Options, passes: &[Pass], remembers: bool) {
    let name = for_comment(options.name);
    let skinning = match options.skinning {
        ShaderSkinning::Lbs => "linear blend skinning",
        ShaderSkinning::Dqs => "dual quaternion skinning",
        ShaderSkinning::Given => "already skinned vertices",
    };
    let version = env!("CARGO_PKG_VERSION");
    printer
        .line(&format!("// {name}: a deformer on top of {skinning}, written by Jounce {version}."));
    printer.line("//");
    match passes {
        [_] => printer.lines(
            "// Read jn_deform_vertex first: it is the graph, node by node, for one vertex. It touches no\n\
             // resource; what it reads comes through the jn_ functions above it, which can be replaced to\n\
             // suit an engine. jn_compute_bone is what happens once per bone. Positions and velocities are\n\
             // those of the scene; velocities of a bone are relative to its parent. Times are in seconds.",
        ),
        _ => {
            printer.lines(
                "// The graph smooths over the surface, so all vertices are walked over several times. In the\n\
                 // order in which they run, these functions are the graph, node by node, for one vertex:",
            );
            for pass in passes {
                printer.line(&format!("//     {}", vertex_function_name(pass)));
                for relaxation in &pass.relaxations {
                    let steps = relaxation.steps.len();
                    printer.line(&format!("//     {}, {steps} times", relaxation.entry));
                }
            }
            printer.lines(
                "// They touch no resource; what they read comes through the jn_ functions above them, which can\n\
                 // be replaced to suit an engine. jn_compute_bone is what happens once per bone. Positions and\n\
                 // velocities are those of the scene; velocities of a bone are relative to its parent. Times are\n\
                 // in seconds.",
            );
        }
    }
    if remembers {
        printer.lines(
            "//\n\
             // The graph remembers: the entry point bones is run once with jn_step.kind 2 to begin, once with\n\
             // kind 1 for each 1/240 s that has passed, and once with kind 0 for each frame.",
        );
    }
    printer.lines(
        "//\n\
         // How to fill the buffers: docs/shaders.md of Jounce, and the manifest.json of this export.",
    );
    printer.blank();
}

fn print_tables(printer: &mut Printer, tables: &TableNames) {
    printer.line("// The same for all vertices of an instance.");
    tables.frame.print(printer, "JnFrame");
    printer.blank();
    printer.line("// The same for all vertices that a bone moves.");
    tables.bone.print(printer, "JnBone");
    printer.blank();
    printer.line(&format!("const JN_WEIGHT_COLUMNS = {}u;", tables.columns.len()));
    if let Some(memory) = &tables.memory {
        memory.print_constants(printer);
    }
    let numbers = tables.constants.iter().filter(|c| !matches!(c.number, Number::Bool(_)));
    let numbers: Vec<_> = numbers.collect();
    if !numbers.is_empty() {
        printer.blank();
        printer.line("// Settings of the graph that are not sliders.");
    }
    for constant in numbers {
        let (ty, number) = (type_name(constant.number.ty()), literal(constant.number));
        let node = &tables.program.origins[constant.value.index()].node;
        printer.line_of(node, &format!("const {}: {ty} = {};", constant.name, number.text));
    }
}

fn pass_comment(pass: usize, passes: usize) -> &'static str {
    match (pass, pass + 1 == passes) {
        (_, true) => "// Where the graph puts the vertex.",
        (0, _) => "// What is smoothed first.",
        _ => "// What is smoothed next.",
    }
}

fn print_bones(
    printer: &mut Printer,
    tables: &TableNames,
    profile: &dyn AccessorProfile,
    described: &mut Described,
) {
    printer.blank();
    printer.line("// Data of a bone that the graph reads.");
    tables.bone_input.print(printer, "JnBoneInput");
    if let Some(memory) = &tables.memory {
        printer.blank();
        memory.print_row(printer);
    }
    printer.blank();
    printer.line("// Values that are the same for all vertices that this bone moves.");
    if tables.memory.is_some() {
        printer.line("// And what nodes remember of it, if this step is stored.");
    }
    print_bone_function(printer, tables, described);
    if let Some(memory) = &tables.memory {
        printer.blank();
        printer.line("// What nodes remember of this bone before the first step.");
        print_start_function(printer, tables, memory, described);
    }
    printer.blank();
    profile.print_bone_tables(printer);
    if let Some(memory) = &tables.memory {
        printer.blank();
        profile.print_bone_memory(printer);
        printer.blank();
        memory.print_keeping(printer);
    }
}

pub(super) const FIRST_PASS: &str = "deform";

/// `deform`, `relax`, `deform_after_relax`, `relax_b`, `deform_after_relax_b`, ….
fn passes(tables: &TableNames) -> Vec<Pass> {
    let mut relaxation_count = 0;
    let mut relaxation = |value: &Value| {
        let entry = match relaxation_count {
            0 => "relax".to_owned(),
            later => format!("relax_{}", letters(later)),
        };
        relaxation_count += 1;
        Relaxation { entry, steps: relax_steps(tables, *value) }
    };
    let mut passes: Vec<Pass> = Vec::new();
    for pass in &tables.schedule.passes {
        let last_relaxation = passes.last().and_then(|pass| pass.relaxations.last());
        let entry = match last_relaxation {
            None => FIRST_PASS.to_owned(),
            Some(before) => format!("{FIRST_PASS}_after_{}", before.entry),
        };
        let relaxations = pass.relaxed.iter().map(&mut relaxation).collect();
        passes.push(Pass { entry, relaxations });
    }
    passes
}

/// To and fro between its place and the scratch place, so that the last step ends in its place.
fn relax_steps(tables: &TableNames, relaxed: Value) -> Vec<RelaxStep> {
    let Op::Relax { value, passes, .. } = *tables.program.op(relaxed) else {
        return Vec::new();
    };
    let slot = |value: Value| {
        let place = tables.schedule.kept.iter().position(|&kept| kept == value)?;
        tables.kept.slots.get(place).copied()
    };
    let (Some(from), Some(to), Some(scratch)) = (slot(value), slot(relaxed), tables.kept.scratch)
    else {
        return Vec::new();
    };
    let mut from_slot = from;
    let step = |left: u32| {
        let to_slot = if left.is_multiple_of(2) { to } else { scratch };
        let step = RelaxStep { from_slot, to_slot };
        from_slot = to_slot;
        step
    };
    (0..passes).rev().map(step).collect()
}

impl Printer {
    fn words(&self) -> HashSet<String> {
        words(self.text()).map(str::to_owned).collect()
    }
}
