//! Programs for export: nobody moves their hidden sliders any more.

use super::{Compiled, Constants, compile, compile_with};
use crate::document::{Style, UNLINKED, is_unlinked};
use crate::script::Library;
use jounce_base::keyed_value::MotionKeys;
use jounce_ir::{Number, Program};
use std::collections::BTreeSet;

/// Compiles a graph as exports want it: numbers that no Parameter node shows are constants, and
/// those that make no difference (0 and 1) are left out with all that hangs on them.
pub fn compile_for_export(style: &Style, library: &Library) -> Compiled {
    compile_for_export_with_keys(style, library, &MotionKeys::default())
}

/// The same where some parameters are keyed: then they are no constants, and those that no Parameter node shows are
/// shown as `node.port`, so that whoever runs it can move them.
pub fn compile_for_export_with_keys(
    style: &Style,
    library: &Library,
    keys: &MotionKeys,
) -> Compiled {
    let first = compile(style, library).program;
    let keyed = keyed(&first, keys);
    let parameters = first.tables.parameters.iter().enumerate();
    let hidden = parameters.filter(|(place, p)| p.exposed.is_none() && !keyed.contains(place));
    let neutral = hidden.map(|(_, p)| (p, p.usable_value())).filter(|(_, it)| is_neutral(*it));
    let constants: Constants =
        neutral.map(|(p, value)| ((p.node.clone(), p.port.clone()), value)).collect();
    let mut compiled = compile_with(style, library, &constants);
    let keyed = self::keyed(&compiled.program, keys);
    for (place, parameter) in compiled.program.tables.parameters.iter_mut().enumerate() {
        parameter.value = parameter.usable_value();
        if parameter.exposed.is_none() && keyed.contains(&place) {
            parameter.exposed = Some(parameter.path());
        }
    }
    compiled
}

/// The parameters that are keyed over any clip.
fn keyed(program: &Program, keys: &MotionKeys) -> BTreeSet<usize> {
    let names: BTreeSet<&String> = keys.values().flat_map(|keys| keys.keys()).collect();
    names.into_iter().flat_map(|name| program.parameters_named(name)).collect()
}

fn is_neutral(number: Number) -> bool {
    let is_neutral = |x: f64| x == 0.0 || x.abs() == 1.0;
    match number {
        Number::Float(x) => is_neutral(x),
        Number::Bool(_) => true,
        Number::Vec3(v) => v.x == v.y && v.y == v.z && is_neutral(v.x),
    }
}

/// What keeps a graph from being exported: a shader goes into builds, so nothing may be wrong with it.
pub fn obstacles(style: &Style, compiled: &Compiled) -> Vec<String> {
    let mut problems: Vec<String> = compiled.problems.iter().map(ToString::to_string).collect();
    problems.extend(is_unlinked(style).then(|| UNLINKED.to_owned()));
    problems
}
