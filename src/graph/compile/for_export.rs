//! Programs for export: nobody moves their hidden sliders any more.

use super::{Compiled, Constants, compile, compile_with};
use crate::document::{Style, UNLINKED, is_unlinked};
use crate::script::Library;
use jounce_base::keyed_value::MotionKeys;
use jounce_ir::{Number, Parameter};

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
    let path = |p: &Parameter| format!("{}.{}", p.node, p.port);
    let is_keyed = |p: &Parameter| {
        let mut names = keys.values().flat_map(|keys| keys.keys());
        names.any(|name| name.eq_ignore_ascii_case(&path(p)))
    };
    let first = compile(style, library).program;
    let parameters = first.tables.parameters.iter().map(|p| (p, p.usable_value()));
    let hidden = parameters.filter(|(p, _)| p.exposed.is_none() && !is_keyed(p));
    let neutral = hidden.filter(|(_, value)| is_neutral(*value));
    let constants: Constants =
        neutral.map(|(p, value)| ((p.node.clone(), p.port.clone()), value)).collect();
    let mut compiled = compile_with(style, library, &constants);
    for parameter in &mut compiled.program.tables.parameters {
        parameter.value = parameter.usable_value();
        if parameter.exposed.is_none() && is_keyed(parameter) {
            parameter.exposed = Some(path(parameter));
        }
    }
    compiled
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
