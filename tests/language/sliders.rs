//! Changes that need no compiling: what is put into a program is what compiling would have put there.

use jounce::compile::{compile, sliders};
use jounce::graph::{Style, built_in_style, style_names};
use jounce::script::{Library, Setting};

/// Every number of every node a little larger.
fn turned_up(style: &Style) -> Style {
    let mut style = style.clone();
    let groups = style.groups.values_mut().map(|group| &mut group.graph);
    for graph in std::iter::once(&mut style.graph).chain(groups) {
        for node in graph.nodes.values_mut() {
            node.position[0] += 10.0;
            // What a Parameter node's slider ends at is known before compiling.
            let is_range = |port: &str| node.node_type == "Parameter" && port != "value";
            for (port, setting) in &mut node.settings {
                match setting {
                    Setting::Float(x) if !is_range(port) && x.fract() != 0.0 => *x *= 1.01,
                    Setting::Vec3(v) => v.iter_mut().for_each(|x| *x += 0.01),
                    _ => {}
                }
            }
        }
    }
    style
}

#[test]
fn a_refreshed_program_is_the_compiled_one() {
    let library = Library::built_in();
    let mut turned = 0;
    for name in style_names() {
        let style = built_in_style(name).unwrap().style;
        let mut program = compile(&style, &library).program;
        let other = turned_up(&style);
        let compiled = compile(&other, &library).program;
        assert_eq!(
            sliders::structure(&style, &program),
            sliders::structure(&other, &program),
            "{name}: only sliders differ"
        );
        turned += usize::from(program.tables.parameters != compiled.tables.parameters);
        sliders::refresh(&mut program, &other, &library);
        assert_eq!(program.tables.parameters, compiled.tables.parameters, "{name}");
        assert_eq!(program.ops, compiled.ops, "{name}: the same program");
    }
    assert!(turned > 20, "{turned} styles have sliders that were turned");
}

#[test]
fn wires_and_choices_are_another_structure() {
    let library = Library::built_in();
    let style = built_in_style("velocity-skinning").unwrap().style;
    let program = compile(&style, &library).program;
    let structure = |style: &Style| sliders::structure(style, &program);
    let mut cut = style.clone();
    let link = cut.graph.links.iter().next().unwrap().clone();
    cut.graph.links.remove(&link);
    assert_ne!(structure(&style), structure(&cut));
    let mut chosen = style.clone();
    let output = chosen.graph.nodes.values_mut().find(|node| node.node_type == "Output").unwrap();
    output.settings.insert("base".to_owned(), Setting::Text("DQS".to_owned()));
    assert_ne!(structure(&style), structure(&chosen));
    let mut muted = style.clone();
    muted.graph.nodes.values_mut().next().unwrap().muted = true;
    assert_ne!(structure(&style), structure(&muted));
}
