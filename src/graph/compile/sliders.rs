//! Which changes of a style need no compiling: those of its sliders, and of how it is drawn.

use crate::document::{Graph, GraphRef, Node, PortTable, Style};
use crate::script::{DefaultInput, Library, Setting};
use glam::DVec3;
use jounce_ir::{Number, Parameter, Program};

/// A style without what its sliders are set to and without what only people see. Two styles with the
/// same structure are the same program; `program` is what one of them was compiled to.
pub fn structure(style: &Style, program: &Program) -> Style {
    let mut bare = style.clone();
    strip(&mut bare.graph);
    bare.groups.values_mut().for_each(|group| {
        group.doc.clear();
        strip(&mut group.graph);
    });
    for parameter in &program.tables.parameters {
        let Some((graph, id)) = place(style, &parameter.node) else { continue };
        let graph = match &graph {
            GraphRef::Top => Some(&mut bare.graph),
            GraphRef::Group(name) => bare.groups.get_mut(name).map(|group| &mut group.graph),
        };
        let Some(node) = graph.and_then(|graph| graph.nodes.get_mut(id)) else { continue };
        let zero = match parameter.value {
            Number::Vec3(_) => Setting::Vec3([0.0; 3]),
            _ => Setting::Float(0.0),
        };
        let is_alike = |set: &Setting| std::mem::discriminant(set) == std::mem::discriminant(&zero);
        if node.settings.get(&parameter.port).is_none_or(is_alike) {
            node.settings.insert(parameter.port.clone(), zero);
        }
    }
    bare
}

fn strip(graph: &mut Graph) {
    graph.frames.clear();
    graph.comments.clear();
    for node in graph.nodes.values_mut() {
        node.position = [0.0; 2];
        node.title = None;
        node.collapsed = false;
        node.muted_before_solo = None;
    }
}

/// Puts what a style says now into the program of a style with the same [`structure`].
pub fn refresh(program: &mut Program, style: &Style, library: &Library) {
    let mut ports = PortTable::new(style, library);
    for parameter in &mut program.tables.parameters {
        if let Some(value) = value(parameter, style, &mut ports) {
            parameter.value = value;
        }
    }
}

fn value(parameter: &Parameter, style: &Style, ports: &mut PortTable) -> Option<Number> {
    let (graph, id) = place(style, &parameter.node)?;
    let node: &Node = style.graph(&graph)?.nodes.get(id)?;
    let number = |setting: &Setting| match (setting, parameter.value) {
        (Setting::Float(x), Number::Float(_)) => Some(Number::Float(*x)),
        (Setting::Vec3(v), Number::Vec3(_)) => Some(Number::Vec3(DVec3::from_array(*v))),
        _ => None,
    };
    if let Some(number) = node.settings.get(&parameter.port).and_then(number) {
        return Some(number);
    }
    match &ports.of(node).ok()?.input(&parameter.port)?.default {
        DefaultInput::Setting(setting) => number(setting),
        DefaultInput::Source(_) | DefaultInput::Motion(_) => None,
    }
}

/// Which node of which graph a path leads to.
pub fn place<'p>(style: &Style, path: &'p str) -> Option<(GraphRef, &'p str)> {
    let mut graph = GraphRef::Top;
    let (groups, id) = path.rsplit_once('/').map_or(("", path), |(groups, id)| (groups, id));
    for group in groups.split('/').filter(|part| !part.is_empty()) {
        let node = style.graph(&graph)?.nodes.get(group)?;
        graph = GraphRef::Group(node.group()?.to_owned());
    }
    Some((graph, id))
}
