//! Graphs → programs: rates, sums at ports, groups, what broken nodes leave behind, speed.

use crate::support::clock::thread_secs;
use crate::support::evaluators::agreed;
use crate::support::random::Random;
use crate::support::random_graph::random_style;
use glam::{DVec3, Vec3};
use jounce::compile::{Compiled, compile};
use jounce::eval::timeline::Frozen;
use jounce::eval::{
    Bound, ConstantMotion, Evaluator, Moment, Parameters, Playing, Setup, Timeline, Vm,
};
use jounce::graph::{Document, Graph, Group, Link, Node, PortRef, Published, Reason, Style};
use jounce::ir::{Number, Op, Program, Rate, Stage};
use jounce::motion::BoneMotion;
use jounce::rig::{Character, own};
use jounce::script::{Library, Setting};
use std::sync::OnceLock;

/// `"a.x > b.y"` is a link; a node is (id, type, settings).
type Settings<'a> = &'a [(&'a str, f64)];

fn graph(nodes: &[(&str, &str, Settings)], links: &[&str]) -> Graph {
    let mut graph = Graph::default();
    for (id, node_type, settings) in nodes {
        let mut node = Node::new(*node_type);
        for (port, value) in *settings {
            node.settings.insert((*port).to_owned(), Setting::Float(*value));
        }
        graph.nodes.insert((*id).to_owned(), node);
    }
    for link in links {
        let (from, to) = link.split_once(" > ").unwrap();
        graph.links.insert(Link::new(port(from), port(to)));
    }
    graph
}

fn port(text: &str) -> PortRef {
    let (node, port) = text.split_once('.').unwrap();
    PortRef::new(node, port)
}

fn style(nodes: &[(&str, &str, Settings)], links: &[&str]) -> Style {
    Style { graph: graph(nodes, links), ..Style::default() }
}

fn set_text(style: &mut Style, node: &str, port: &str, text: &str) {
    let node = style.graph.nodes.get_mut(node).unwrap();
    node.settings.insert(port.to_owned(), Setting::Text(text.to_owned()));
}

fn compiled(style: &Style) -> Compiled {
    compile(style, &Library::built_in())
}

fn sound(style: &Style) -> Program {
    let compiled = compiled(style);
    assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
    compiled.program
}

fn tube() -> &'static Character {
    static TUBE: OnceLock<Character> = OnceLock::new();
    TUBE.get_or_init(|| own::built_in("tube").unwrap())
}

/// On a small tube whose bones turn and travel, all at once; what all evaluators agree on.
fn positions(program: &Program) -> Vec<Vec3> {
    with_moment(program, |bound, moment| agreed(program, bound, moment).positions)
}

/// The same by the CPU's VM alone.
fn quick_positions(program: &Program) -> Vec<Vec3> {
    let deform = |bound: &Bound, moment: &Moment| Vm::default().deform(program, bound, moment);
    with_moment(program, |bound, moment| deform(bound, moment).unwrap().positions)
}

fn with_moment<T>(program: &Program, run: impl FnOnce(&Bound, &Moment) -> T) -> T {
    let character = tube();
    let bones = character.skeleton.bones.len();
    let velocity = |bone: usize| BoneMotion {
        linear: DVec3::new(0.3, 0.1 * bone as f64, -0.2),
        angular: DVec3::new(0.4, 1.0, 0.5 + bone as f64),
    };
    let motion = ConstantMotion::steady((0..bones).map(velocity).collect());
    let bound = Bound::new(program, character, &Default::default()).unwrap();
    let parameters = Parameters::new(program);
    let mut moment = Moment::new(
        Setup::new(program, character, &bound),
        &parameters,
        character.rest_pose(),
        &motion,
        0.25,
    );
    let played = Frozen { pose: character.rest_pose().clone(), motion: &motion };
    let timeline = Timeline::new(program, &bound, &played);
    if let Some(timeline) = timeline.unwrap() {
        let stepped = Playing {
            setup: Setup::new(program, character, &bound),
            parameters: &parameters,
            played: &played,
        };
        moment.snapshot = timeline.recall(stepped, 0.25).unwrap();
    }
    run(&bound, &moment)
}

fn displacements(style: &Style) -> Vec<Vec3> {
    let rest = &tube().rest().positions;
    positions(&sound(style)).iter().zip(rest).map(|(p, r)| *p - *r).collect()
}

fn assert_same(a: &[Vec3], b: &[Vec3]) {
    let worst = a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0.0, f32::max);
    assert!(worst < 1e-6, "{worst}");
}

fn largest(displacements: &[Vec3]) -> f32 {
    displacements.iter().map(|d| d.length()).fold(0.0, f32::max)
}

const FLOPPY: (&str, &str, Settings) = ("floppy", "Floppy", &[("floppiness", 0.3)]);
const SQUASH: (&str, &str, Settings) = ("squash", "Squash", &[("squashiness", 0.2)]);
const OUTPUT: (&str, &str, Settings) = ("out", "Output", &[]);

#[test]
fn the_smallest_useful_graph_is_three_nodes() {
    let style = style(
        &[("velocity", "Velocity Extract", &[]), FLOPPY, OUTPUT],
        &[
            "velocity.linear > floppy.linear",
            "velocity.angular > floppy.angular",
            "floppy.displacement > out.displacement",
        ],
    );
    assert!(largest(&displacements(&style)) > 0.05);
}

#[test]
fn work_is_done_as_seldom_as_its_inputs_allow() {
    let program = sound(&style(&[FLOPPY, OUTPUT], &["floppy.displacement > out.displacement"]));
    for (place, op) in program.ops.iter().enumerate() {
        let rate = program.rates[place];
        let joined = op.operands().map(|v| program.rate(v)).fold(Rate::Frame, Rate::join);
        match op {
            Op::Sum { .. } => assert_eq!(rate, Rate::Vertex),
            _ if op.operands().count() > 0 && !matches!(op, Op::Motion(..)) => {
                assert_eq!(rate, joined);
            }
            _ => {}
        }
    }
    // k · move is computed once, −k v once per bone, and one loop sums.
    let named = |rate: Rate| {
        program.stages.iter().any(|stage| match (stage, rate) {
            (Stage::Frame(v), Rate::Frame) | (Stage::Bone(v), Rate::Bone) => {
                v.iter().any(|v| matches!(program.op(*v), Op::Binary(jounce::ir::Binary::Mul, ..)))
            }
            _ => false,
        })
    };
    assert!(named(Rate::Frame) && named(Rate::Bone), "{program}");
    let loops = program.stages.iter().filter(|s| matches!(s, Stage::Influences { .. })).count();
    assert_eq!(loops, 1);
}

#[test]
fn a_sum_of_deformers_is_the_sum_of_each_alone() {
    let wave = r#"
        output("displacement", VEC3).sum();
        fn eval() {
            let axis = normalize(BONE_CENTROID - BONE_ORIGIN);
            let y = dot(SKINNED_POSITION - BONE_ORIGIN, axis) / CHARACTER_SIZE;
            reject(BONE_LINEAR_VELOCITY, axis) * (0.3 * sin(TAU * (TIME - y)))
        }"#;
    let with_wave = |nodes: &[(&str, &str, Settings)], links: &[&str]| {
        let mut style = style(nodes, links);
        let mut node = Node::new("Expression");
        node.code = Some(wave.to_owned());
        style.graph.nodes.insert("wave".to_owned(), node);
        style
    };
    let floppy =
        displacements(&style(&[FLOPPY, OUTPUT], &["floppy.displacement > out.displacement"]));
    let wave = displacements(&with_wave(&[OUTPUT], &["wave.displacement > out.displacement"]));
    assert!(largest(&wave) > 0.01);
    let sum: Vec<Vec3> = floppy.iter().zip(&wave).map(|(a, b)| *a + *b).collect();
    let added = with_wave(
        &[FLOPPY, ("add", "Add", &[]), OUTPUT],
        &["floppy.displacement > add.a", "wave.displacement > add.b", "add.sum > out.displacement"],
    );
    assert_same(&displacements(&added), &sum);
    let wired = with_wave(
        &[FLOPPY, OUTPUT],
        &["floppy.displacement > out.displacement", "wave.displacement > out.displacement"],
    );
    assert_same(&displacements(&wired), &sum);
}

#[test]
fn the_unsummed_output_summed_by_weight_propagation_is_the_summed_one() {
    let direct = style(&[FLOPPY, OUTPUT], &["floppy.displacement > out.displacement"]);
    let around = style(
        &[FLOPPY, ("sum", "Weight Propagation", &[]), OUTPUT],
        &["floppy.per bone > sum.value", "sum.sum > out.displacement"],
    );
    assert_same(&displacements(&around), &displacements(&direct));
}

#[test]
fn what_differs_per_bone_is_refused_at_the_output_and_the_rest_stays() {
    let nodes = [("velocity", "Velocity Extract", &[] as Settings), FLOPPY, OUTPUT];
    let broken = style(
        &nodes,
        &["floppy.per bone > out.displacement", "velocity.linear > out.displacement"],
    );
    let problems = compiled(&broken).problems;
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems.iter().all(|p| matches!(p.reason, Reason::PerBone { .. })));
    let text = problems[0].to_string();
    assert_eq!(
        text,
        "out.displacement: floppy.per bone differs per bone and vertex, and the result needs one value per vertex; put Weight Propagation between them, or wire the summed output"
    );
    let mixed = style(
        &nodes,
        &["floppy.displacement > out.displacement", "velocity.linear > out.displacement"],
    );
    let alone = style(&[FLOPPY, OUTPUT], &["floppy.displacement > out.displacement"]);
    assert_same(&positions(&compiled(&mixed).program), &positions(&sound(&alone)));
}

#[test]
fn any_ports_follow_what_is_linked() {
    let mut style = style(
        &[
            ("character", "Character", &[]),
            ("half", "Multiply", &[("b", 0.5)]),
            ("size", "Multiply", &[("b", 0.5)]),
            OUTPUT,
        ],
        &[
            "character.position > half.a",
            "character.size > size.a",
            "half.product > out.displacement",
        ],
    );
    let outputs = compiled(&style).outputs;
    let of = |node: &str| outputs[&(node.to_owned(), "product".to_owned())];
    use jounce::script::PortType;
    assert_eq!(of("half"), (PortType::Vec3, Rate::Vertex));
    assert_eq!(of("size"), (PortType::Float, Rate::Frame));
    // A float broadcasts to a vec3; a vec3 is no float.
    style.graph.links.insert(Link::new(port("size.product"), port("out.displacement")));
    assert!(compiled(&style).problems.is_empty());
    style.graph.links.insert(Link::new(port("half.product"), port("size.b")));
    let floppy = Node::new("Floppy");
    style.graph.nodes.insert("floppy".to_owned(), floppy);
    style.graph.links.insert(Link::new(port("size.product"), port("floppy.floppiness")));
    let problems = compiled(&style).problems;
    assert!(matches!(problems[0].reason, Reason::TypeMismatch { .. }), "{problems:?}");
}

#[test]
fn a_group_is_its_graph_wherever_it_is_used() {
    let inner = graph(
        &[("velocity", "Velocity Extract", &[]), FLOPPY],
        &["velocity.linear > floppy.linear", "velocity.angular > floppy.angular"],
    );
    let published =
        |name: &str, inner: &str| Published { name: name.to_owned(), inner: port(inner) };
    let group = Group {
        graph: inner,
        inputs: vec![
            published("how much", "floppy.floppiness"),
            published("which", "velocity.bones"),
            published("names", "velocity.names"),
        ],
        outputs: vec![published("displacement", "floppy.displacement")],
        ..Group::default()
    };
    let with_group = |settings: Settings| {
        let mut style = style(
            &[("a", "group:Trail", settings), OUTPUT],
            &["a.displacement > out.displacement"],
        );
        style.groups.insert("Trail".to_owned(), group.clone());
        style
    };
    let flat = |floppiness: f64| {
        let settings = [("floppiness", floppiness)];
        style(
            &[("velocity", "Velocity Extract", &[]), ("floppy", "Floppy", &settings), OUTPUT],
            &[
                "velocity.linear > floppy.linear",
                "velocity.angular > floppy.angular",
                "floppy.displacement > out.displacement",
            ],
        )
    };
    assert_same(&displacements(&with_group(&[])), &displacements(&flat(0.3)));
    assert_same(&displacements(&with_group(&[("how much", 0.1)])), &displacements(&flat(0.1)));
    let mut chosen = with_group(&[]);
    set_text(&mut chosen, "a", "which", "chosen");
    assert!(largest(&displacements(&chosen)) < 1e-9, "no bone is named");
    set_text(&mut chosen, "a", "names", "Low, Middle, High");
    assert_same(&displacements(&chosen), &displacements(&flat(0.3)));
    // Values inside know where they came from.
    let program = sound(&with_group(&[]));
    assert!(program.origins.iter().any(|origin| origin.node == "a/floppy"));
}

#[test]
fn broken_and_muted_nodes_are_bypassed() {
    let chain = |pin: &str| {
        style(
            &[FLOPPY, ("pin", pin, &[]), OUTPUT],
            &["floppy.displacement > pin.displacement", "pin.displacement > out.displacement"],
        )
    };
    let plain = style(&[FLOPPY, OUTPUT], &["floppy.displacement > out.displacement"]);
    let mut muted = chain("Pin");
    muted.graph.nodes.get_mut("pin").unwrap().muted = true;
    assert_same(&displacements(&muted), &displacements(&plain));
    // A script that breaks: what arrives at the port of the same name goes through.
    let mut broken = chain("Expression");
    let code = r#"input("displacement", VEC3); output("displacement", VEC3);
        fn eval(displacement) { if length(displacement) > BONE_DEPTH { wrong } else { displacement } }"#;
    broken.graph.nodes.get_mut("pin").unwrap().code = Some(code.to_owned());
    let result = compiled(&broken);
    assert_eq!(result.problems.len(), 1, "{:?}", result.problems);
    assert!(result.problems[0].to_string().contains("there is no `wrong`"));
    assert_same(&positions(&result.program), &positions(&sound(&plain)));
    // Muted Floppy gives nothing, not its velocity.
    let mut silent = plain.clone();
    silent.graph.nodes.get_mut("floppy").unwrap().muted = true;
    assert!(largest(&displacements(&silent)) < 1e-9);
}

#[test]
fn no_slider_compiles_anew() {
    let at = |floppiness: f64| {
        let settings = [("floppiness", floppiness), ("max angle", 10.0 * floppiness)];
        let nodes = [("floppy", "Floppy", &settings as Settings), SQUASH, OUTPUT];
        let links =
            ["floppy.displacement > out.displacement", "squash.displacement > out.displacement"];
        sound(&style(&nodes, &links))
    };
    let (a, b) = (at(0.0), at(1.0));
    assert_eq!((&a.ops, &a.stages), (&b.ops, &b.stages));
    let mut parameters = Parameters::new(&a);
    parameters.set(&a, "floppy.floppiness", Number::Float(1.0)).unwrap();
    parameters.set(&a, "floppy.max angle", Number::Float(10.0)).unwrap();
    assert_eq!(parameters, Parameters::new(&b));
}

#[test]
fn equal_work_is_done_once_and_unused_work_not_at_all() {
    let one = sound(&style(&[FLOPPY, OUTPUT], &["floppy.displacement > out.displacement"]));
    let with_unused = style(
        &[FLOPPY, SQUASH, ("map", "Map", &[]), OUTPUT],
        &["floppy.displacement > out.displacement", "map.value > squash.squashiness"],
    );
    let unused = sound(&with_unused);
    assert_eq!(one.ops.len(), unused.ops.len());
    assert!(unused.tables.maps.is_empty() && unused.tables.parameters.len() == 4);
    // The same node twice, fed by the same sliders: one computation, counted twice.
    let inputs = ["floppiness", "move", "turn", "max angle"];
    let links: Vec<String> = ["a", "b"]
        .iter()
        .flat_map(|node| inputs.map(|input| format!("k.value > {node}.{input}")))
        .chain(["a", "b"].map(|node| format!("{node}.displacement > out.displacement")))
        .collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let nodes = [("k", "Parameter", &[] as Settings), ("a", "Floppy", &[]), ("b", "Floppy", &[])];
    let twins = sound(&style(&[nodes[0], nodes[1], nodes[2], OUTPUT], &links));
    assert!(twins.ops.len() <= one.ops.len(), "{} {}", twins.ops.len(), one.ops.len());
}

fn rounds() -> usize {
    let rounds = std::env::var("JOUNCE_FUZZ_ROUNDS").ok().and_then(|text| text.parse().ok());
    rounds.unwrap_or(150)
}

#[test]
fn random_graphs_compile_and_give_finite_positions() {
    let library = Library::built_in();
    for seed in 0..rounds() as u64 {
        let style = random_style(&mut Random::new(seed), &library);
        let program = compile(&style, &library).program;
        // Judging every vertex of every graph would take minutes.
        let found = if seed % 8 == 0 { positions(&program) } else { quick_positions(&program) };
        assert!(found.iter().all(|p| p.is_finite()), "seed {seed}");
    }
}

#[test]
fn a_broken_node_never_takes_a_sound_one_down() {
    let library = Library::built_in();
    for seed in 0..rounds() as u64 {
        let mut random = Random::new(seed + 1_000_000);
        let mut style = random_style(&mut random, &library);
        // A part that must go on: its own nodes, its own wire.
        style.graph.nodes.insert("keep".to_owned(), Node::new("Floppy"));
        style.graph.links.retain(|link| link.to.node != "out");
        style.graph.links.insert(Link::new(port("keep.displacement"), port("out.displacement")));
        style.graph.nodes.get_mut("out").unwrap().settings.clear();
        let before = quick_positions(&compile(&style, &library).program);
        let ids: Vec<String> = style.graph.nodes.keys().cloned().collect();
        for id in ids.iter().filter(|id| *id != "keep" && *id != "out") {
            let node = style.graph.nodes.get_mut(id).unwrap();
            match random.below(3) {
                0 => node.node_type = "No Such Node".to_owned(),
                1 => {
                    node.node_type = "Expression".to_owned();
                    node.code = Some("fn eval( {".to_owned());
                }
                _ => {
                    node.node_type = "Expression".to_owned();
                    node.code = Some("output(\"x\", FLOAT); fn eval() { y }".to_owned());
                }
            }
        }
        let after = compile(&style, &library);
        assert!(ids.len() <= 2 || !after.problems.is_empty());
        assert_eq!(quick_positions(&after.program), before, "seed {seed}");
    }
}

#[test]
fn what_an_input_may_be_holds_for_wires_too() {
    let through = |max_length: f64| {
        let settings = [("number", max_length), ("vector", 0.0)];
        displacements(&style(
            &[FLOPPY, ("k", "Constant", &settings[..1]), ("limit", "Limit Length", &[]), OUTPUT],
            &[
                "floppy.displacement > limit.displacement",
                "k.number > limit.max length",
                "limit.displacement > out.displacement",
            ],
        ))
    };
    assert!(largest(&through(0.01)) > 1e-4);
    // Below its range it is 0, not a mirror.
    assert!(largest(&through(-0.5)) < 1e-9);
}

#[test]
fn a_node_that_nobody_knows_passes_on_what_has_its_name() {
    let plain = style(&[FLOPPY, OUTPUT], &["floppy.displacement > out.displacement"]);
    let with = |node_type: &str, code: Option<&str>| {
        let mut style = style(
            &[FLOPPY, ("x", node_type, &[]), OUTPUT],
            &["floppy.displacement > x.displacement", "x.displacement > out.displacement"],
        );
        style.graph.nodes.get_mut("x").unwrap().code = code.map(str::to_owned);
        style
    };
    for style in [with("Nobody Knows", None), with("Expression", Some("fn eval( {"))] {
        let compiled = compiled(&style);
        assert!(!compiled.problems.is_empty());
        assert_same(&positions(&compiled.program), &positions(&sound(&plain)));
    }
}

#[test]
fn a_graph_that_grows_too_large_says_so() {
    let mut style = style(&[FLOPPY, OUTPUT], &["floppy.displacement > out.displacement"]);
    for i in 0..80 {
        let mut node = Node::new("Expression");
        node.code = Some(format!(
            "output(\"x\", VEC3); fn eval() {{ let s = vec3(0); for i in 0..8 {{ s += noise3(SKINNED_POSITION * (i + {i}.5)); }} s }}"
        ));
        style.graph.nodes.insert(format!("n{i}"), node);
    }
    let problems = compiled(&style).problems;
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(matches!(problems[0].reason, Reason::TooLarge));
}

#[test]
fn an_absurd_result_falls_back_to_plain_skinning() {
    let huge = [("vector", 0.0), ("number", 1e12)];
    let style = style(
        &[
            ("k", "Constant", &huge[1..]),
            ("square", "Multiply", &[]),
            ("fourth", "Multiply", &[]),
            OUTPUT,
        ],
        &[
            "k.number > square.a",
            "k.number > square.b",
            "square.product > fourth.a",
            "square.product > fourth.b",
            "fourth.product > out.displacement",
        ],
    );
    assert_same(&positions(&sound(&style)), &tube().rest().positions);
}

#[test]
fn a_muted_output_keeps_its_base_and_a_wired_parameter_is_refused() {
    let mut muted = style(&[FLOPPY, OUTPUT], &["floppy.displacement > out.displacement"]);
    set_text(&mut muted, "out", "base", "DQS");
    muted.graph.nodes.get_mut("out").unwrap().muted = true;
    assert_eq!(sound(&muted).base, jounce::rig::Base::Dqs);
    assert_same(&positions(&sound(&muted)), &tube().rest().positions);

    let mut wired = style(
        &[("a", "Parameter", &[]), ("b", "Parameter", &[]), FLOPPY, OUTPUT],
        &[
            "a.value > b.value",
            "b.value > floppy.floppiness",
            "floppy.displacement > out.displacement",
        ],
    );
    set_text(&mut wired, "a", "name", "outer");
    let result = compiled(&wired);
    assert_eq!(result.problems.len(), 1, "{:?}", result.problems);
    assert!(result.problems[0].to_string().contains("remove the wire"));
    // Bypassed, it hands on what is wired into it, under its own name.
    assert!(result.program.exposed().any(|(name, _)| name == "outer"));
}

#[test]
fn compile_time_grows_with_the_graph_and_no_faster() {
    let time = |count: usize| {
        let mut style = style(&[OUTPUT], &[]);
        for i in 0..count {
            let id = format!("f{i}");
            style.graph.nodes.insert(id.clone(), Node::new("Floppy"));
            let from = PortRef::new(id, "displacement");
            style.graph.links.insert(Link::new(from, port("out.displacement")));
        }
        let best = (0..3).map(|_| {
            // Other tests run beside this one: only its own thread counts.
            let start = thread_secs();
            std::hint::black_box(compiled(&style));
            thread_secs() - start
        });
        best.fold(f64::INFINITY, f64::min)
    };
    let (few, many) = (time(200), time(1600));
    println!("200 nodes: {:.1} ms, 1600 nodes: {:.1} ms", few * 1e3, many * 1e3);
    // Eight times the nodes; quadratic would be 64 times the time.
    assert!(many < 24.0 * few, "{few} {many}");
}

#[test]
fn a_graph_without_output_is_plain_skinning_and_says_so() {
    let result = compiled(&style(&[FLOPPY], &[]));
    assert!(matches!(result.problems[0].reason, Reason::MissingOutput));
    assert_same(&positions(&result.program), &tube().rest().positions);
}

#[test]
fn the_largest_example_compiles_within_five_milliseconds() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let library = Library::built_in();
    let mut slowest: (f64, String, usize) = (0.0, String::new(), 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "jounce") {
            continue;
        }
        let document = Document::load(&path).unwrap().document;
        let times = (0..10).map(|_| {
            let start = std::time::Instant::now();
            std::hint::black_box(compile(&document.style, &library));
            start.elapsed().as_secs_f64() * 1e3
        });
        let fastest = times.fold(f64::INFINITY, f64::min);
        let nodes = document.style.graph.nodes.len();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        println!("{name}: {nodes} nodes, {fastest:.2} ms");
        if fastest > slowest.0 {
            slowest = (fastest, name, nodes);
        }
    }
    let bar_ms = 5.0;
    assert!(slowest.0 < bar_ms, "{slowest:?}");
}
