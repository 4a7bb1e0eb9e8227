//! Node types made by hand, and short words for documents.

use jounce::graph::{Command, Document, GraphRef, Link, Node, PortRef};
use jounce::ir::Source;
use jounce::script::{
    DefaultInput, InputPort, Kernel, Library, NodeType, OutputPort, PortType, ScriptOrigin, Setting,
};

pub fn input(name: &str, ty: PortType, default: Setting) -> InputPort {
    InputPort {
        name: name.to_owned(),
        ty,
        default: DefaultInput::Setting(default),
        soft: None,
        hard: None,
        unit: String::new(),
        help: String::new(),
        choices: Vec::new(),
        adds: false,
    }
}

fn node_type(name: &str, inputs: Vec<InputPort>, outputs: &[(&str, PortType)]) -> NodeType {
    let output = |&(name, ty): &(&str, PortType)| OutputPort {
        name: name.to_owned(),
        ty,
        help: String::new(),
        sum: None,
        per_bone_of: None,
    };
    NodeType {
        name: name.to_owned(),
        category: String::new(),
        doc: String::new(),
        also: Vec::new(),
        inputs,
        outputs: outputs.iter().map(output).collect(),
        states: Vec::new(),
        kernel: Kernel::default(),
        origin: ScriptOrigin::BuiltIn,
        code: "".into(),
    }
}

pub fn library() -> Library {
    use PortType::{Any, Choice, Float, Int, Quat, Vec3};
    let zero = || Setting::Float(0.0);
    let position = InputPort {
        default: DefaultInput::Source(Source::SkinnedPosition),
        ..input("position", Vec3, zero())
    };
    let max_angle =
        InputPort { hard: Some((0.0, 180.0)), ..input("max angle", Float, Setting::Float(45.0)) };
    let floppiness = input("floppiness", Float, Setting::Float(0.2));
    let kind = InputPort {
        choices: vec!["smooth".to_owned(), "sharp".to_owned()],
        ..input("kind", Choice, Setting::Text("smooth".to_owned()))
    };
    let octaves =
        InputPort { hard: Some((1.0, 8.0)), ..input("octaves", Int, Setting::Float(2.0)) };
    let sum = InputPort { adds: true, ..input("displacement", Vec3, Setting::Vec3([0.0; 3])) };
    let rotation = input("rotation", Quat, Setting::Quat([0.0, 0.0, 0.0, 1.0]));

    let mut library = Library::default();
    for ty in [
        node_type("Floppy", vec![position, floppiness, max_angle], &[("displacement", Vec3)]),
        node_type(
            "Add",
            vec![input("a", Any, zero()), input("b", Any, zero())],
            &[("result", Any)],
        ),
        node_type("Length", vec![input("vector", Vec3, zero())], &[("length", Float)]),
        node_type("Noise", vec![input("scale", Float, zero()), octaves, kind], &[("value", Float)]),
        node_type("Turn", vec![input("vector", Vec3, zero()), rotation], &[("vector", Vec3)]),
        node_type("Output", vec![sum], &[]),
    ] {
        library.insert(ty);
    }
    library
}

pub fn port(text: &str) -> PortRef {
    PortRef::try_from(text.to_owned()).unwrap()
}

pub fn link(from: &str, to: &str) -> Link {
    Link::new(port(from), port(to))
}

pub fn add(document: &mut Document, id: &str, node_type: &str) {
    let (id, node) = (id.to_owned(), Node::new(node_type));
    document.apply(Command::AddNode { graph: GraphRef::Top, id, node }).unwrap();
}

/// With as many wires at an input as are given.
pub fn connect(document: &mut Document, from: &str, to: &str) {
    let link = link(from, to);
    document.apply(Command::Connect { graph: GraphRef::Top, link, adds: true }).unwrap();
}

pub fn set(document: &mut Document, at: &str, value: Setting) {
    let PortRef { node, port } = port(at);
    let value = Some(value);
    document.apply(Command::SetSetting { graph: GraphRef::Top, node, port, value }).unwrap();
}

/// noise → add ← floppy, add → output.
pub fn sample() -> Document {
    let mut document = Document::default();
    for (id, ty) in [("noise", "Noise"), ("floppy", "Floppy"), ("add", "Add"), ("output", "Output")]
    {
        add(&mut document, id, ty);
    }
    connect(&mut document, "noise.value", "add.a");
    connect(&mut document, "floppy.displacement", "add.b");
    connect(&mut document, "add.result", "output.displacement");
    document
}

/// Applies a command, looks that undoing it leads back, and that all rules hold.
pub fn apply(document: &mut Document, command: Command) {
    let before = document.clone();
    let inverse = document.apply(command).unwrap();
    document.validate_invariants().unwrap();
    let mut undone = document.clone();
    undone.apply(inverse).unwrap();
    assert_eq!(undone, before);
}
