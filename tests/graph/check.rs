//! What is wrong with a graph is said in a sentence, at the right place.

use crate::library::*;
use jounce::graph::*;
use jounce::script::{PortType, Setting};

fn problems(document: &Document) -> Vec<String> {
    check(document, &library()).iter().map(Problem::to_string).collect()
}

fn only_problem(document: &Document) -> String {
    let problems = problems(document);
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems.into_iter().next().unwrap()
}

#[test]
fn a_sound_graph_has_no_problems() {
    assert_eq!(problems(&sample()), [""; 0]);
}

#[test]
fn each_mistake_is_found_and_says_what_to_do() {
    type Break = fn(&mut Document);
    let cases: [(Break, &str); 13] = [
        (
            |d| add(d, "flopy", "Flopy"),
            "flopy: there is no node type \"Flopy\" (did you mean \"Floppy\"?); replace the node",
        ),
        (|d| add(d, "tail", "group:Tail"), "tail: there is no group \"Tail\"; replace the node"),
        (
            |d| connect(d, "floppy.displacement", "noise.scale"),
            "noise.scale: floppy.displacement gives vec3, but this input takes float; use Length or Split",
        ),
        (
            |d| connect(d, "floppy.displacment", "output.displacement"),
            "output.displacement: floppy.displacment does not exist (did you mean \"displacement\"?)",
        ),
        (
            |d| connect(d, "noise.value", "floppy.flopiness"),
            "floppy.flopiness: the node has no input \"flopiness\" (did you mean \"floppiness\"?)",
        ),
        (
            |d| connect(d, "floppy.displacement", "add.a"),
            "add.a: this input takes one wire but has 2; remove all but one",
        ),
        (
            |d| connect(d, "floppy.displacement", "noise.octaves"),
            "noise.octaves: this int is set on the node and cannot be wired; remove the wire",
        ),
        (
            |d| set(d, "floppy.max angle", Setting::Float(270.0)),
            "floppy.max angle: its value is 270, but it must be from 0 to 180; set it to a value in that range",
        ),
        (
            |d| set(d, "floppy.max angle", Setting::Text("wide".to_owned())),
            "floppy.max angle: its value should be of type float; reset it",
        ),
        (
            |d| set(d, "noise.octaves", Setting::Float(1.5)),
            "noise.octaves: its value should be of type int",
        ),
        (
            |d| set(d, "noise.kind", Setting::Text("smoth".to_owned())),
            "noise.kind: \"smoth\" is not one of its choices (smooth, sharp); choose one",
        ),
        (|d| add(d, "output2", "Output"), "output2: there is more than one Output node; keep one"),
        (
            |d| {
                let id = "output".to_owned();
                d.apply(Command::RemoveNode { graph: GraphRef::Top, id }).unwrap();
            },
            "the graph has no Output node; add one",
        ),
    ];
    for (break_it, expected) in cases {
        let mut document = sample();
        break_it(&mut document);
        let found = only_problem(&document);
        assert!(found.starts_with(expected), "{found}\nshould start with\n{expected}");
    }
}

#[test]
fn a_script_error_is_shown_at_its_node() {
    let mut document = sample();
    add(&mut document, "expression", "Expression");
    let (node, code) = ("expression".to_owned(), Some("fn eval(".to_owned()));
    document.apply(Command::SetCode { graph: GraphRef::Top, node, code }).unwrap();
    let found = check(&document, &library());
    assert_eq!(found[0].node.as_deref(), Some("expression"));
    assert!(matches!(found[0].reason, Reason::NoPorts(PortsError::Script(_))));
}

fn type_of(document: &Document, output: &str) -> Option<PortType> {
    resolved_output_type(&GraphRef::Top, &document.style, &library(), &port(output))
}

#[test]
fn any_ports_are_vec3_if_one_of_them_is_fed_with_one() {
    let mut document = sample();
    add(&mut document, "add2", "Add");
    assert_eq!(type_of(&document, "add2.result"), Some(PortType::Float));
    connect(&mut document, "noise.value", "add2.a");
    assert_eq!(type_of(&document, "add2.result"), Some(PortType::Float));
    set(&mut document, "add2.b", Setting::Vec3([0.0; 3]));
    assert_eq!(type_of(&document, "add2.result"), Some(PortType::Vec3));
    set(&mut document, "add2.b", Setting::Float(1.0));
    connect(&mut document, "add.result", "add2.b");
    assert_eq!(type_of(&document, "add2.result"), Some(PortType::Vec3), "through another node");
    assert_eq!(type_of(&document, "add2.nothing"), None);
}

fn may_link(document: &Document, from: &str, to: &str) -> Result<(), String> {
    let (from, to) = (port(from), port(to));
    can_link(&GraphRef::Top, &document.style, &library(), &from, &to).map_err(|r| r.to_string())
}

#[test]
fn a_wire_is_refused_with_the_reason() {
    let mut document = sample();
    add(&mut document, "add2", "Add");
    add(&mut document, "noise2", "Noise");
    connect(&mut document, "add2.result", "noise2.scale");
    assert_eq!(may_link(&document, "floppy.displacement", "output.displacement"), Ok(()));
    assert_eq!(may_link(&document, "noise.value", "floppy.position"), Ok(()), "a float broadcasts");
    assert_eq!(may_link(&document, "noise.value", "add2.a"), Ok(()));
    let refused = [
        ("floppy.displacement", "noise.scale", "use Length or Split"),
        // It would turn add2's result into a vec3, which noise2 does not take.
        ("floppy.displacement", "add2.a", "add2.result gives vec3, but this input takes float"),
        ("add.result", "floppy.position", "depend on its own result"),
        ("add.result", "add.a", "cannot be wired to itself"),
        ("noise.value", "noise2.kind", "this choice is set on the node"),
        ("noise.value", "turn.vector", "there is no node \"turn\""),
        ("noise.value", "add2.c", "no input \"c\""),
    ];
    for (from, to, expected) in refused {
        let found = may_link(&document, from, to).unwrap_err();
        assert!(found.contains(expected), "{from} → {to}: {found}");
    }
}

#[test]
fn a_group_shows_its_inner_ports_with_the_values_set_inside() {
    let mut document = sample();
    set(&mut document, "floppy.max angle", Setting::Float(90.0));
    add(&mut document, "length", "Length");
    connect(&mut document, "length.length", "floppy.max angle");
    let selection = Selection::nodes(["floppy", "add"]);
    let edit = make_group(&document, &GraphRef::Top, &selection, "Soft").unwrap();
    apply(&mut document, edit.command);
    assert_eq!(problems(&document), [""; 0]);
    let node = &document.style.graph.nodes["soft"];
    let ports = ports_of(node, &document.style, &library()).unwrap();
    assert_eq!(ports.inputs.len(), 2);
    let angle = ports.input("max angle").unwrap();
    assert_eq!(angle.hard, Some((0.0, 180.0)));
    let default = jounce::script::DefaultInput::Setting(Setting::Float(90.0));
    assert_eq!(angle.default, default);
    // The ANY output is a vec3 because of the Floppy inside.
    assert_eq!(type_of(&document, "soft.result"), Some(PortType::Vec3));
}

#[test]
fn what_a_group_is_fed_with_is_followed_inside() {
    let mut document = sample();
    add(&mut document, "add2", "Add");
    add(&mut document, "noise2", "Noise");
    connect(&mut document, "add2.result", "noise2.scale");
    connect(&mut document, "noise.value", "add2.a");
    let selection = Selection::nodes(["add2", "noise2"]);
    let edit = make_group(&document, &GraphRef::Top, &selection, "Inner").unwrap();
    apply(&mut document, edit.command);
    assert_eq!(problems(&document), [""; 0]);
    let link = link("floppy.displacement", "inner.a");
    apply(&mut document, Command::Connect { graph: GraphRef::Top, link, adds: false });
    let found = only_problem(&document);
    assert!(found.starts_with("group \"Inner\": noise2.scale: add2.result gives vec3"), "{found}");
}

#[test]
fn published_ports_that_lead_nowhere_are_found() {
    let mut document = sample();
    let edit = make_group(&document, &GraphRef::Top, &Selection::nodes(["add"]), "Soft").unwrap();
    apply(&mut document, edit.command);
    let group = &document.style.groups["Soft"];
    let (mut inputs, outputs) = (group.inputs.clone(), group.outputs.clone());
    inputs.push(Published { name: "more".to_owned(), inner: port("add.c") });
    apply(&mut document, Command::SetPublished { group: "Soft".to_owned(), inputs, outputs });
    assert!(only_problem(&document).contains("published port \"more\" leads to a port that does"));
}
