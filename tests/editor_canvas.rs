//! The node canvas, driven by hand: what it does is read back from the document.
#![cfg(feature = "editor")]

#[path = "support/canvas.rs"]
mod canvas;
#[path = "support/editor.rs"]
mod editor;

use canvas::*;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, pos2, vec2};
use egui_kittest::kittest::Queryable;
use jounce::graph::{Command, Document, GraphRef, Link, Node, PortRef, built_in_style};
use jounce::ir::Number;
use jounce::script::{Library, Setting};

const NONE: Modifiers = Modifiers::NONE;
const CTRL: Modifiers = Modifiers::COMMAND;

fn has_link(hands: &Hands, from: (&str, &str), to: (&str, &str)) -> bool {
    let link = Link::new(PortRef::new(from.0, from.1), PortRef::new(to.0, to.1));
    graph(hands).links.contains(&link)
}

fn last_message(hands: &Hands) -> String {
    hands.state().state.session.messages().last().map(|it| it.text.clone()).unwrap_or_default()
}

#[test]
fn velocity_skinning_is_built_from_an_empty_canvas_by_hand() {
    let empty = empty_like("velocity-skinning");
    let mut hands = canvas(empty.clone());
    let corner = canvas_rect(&hands).min;
    let at = |x: f32, y: f32| corner + vec2(x, y);
    add(&mut hands, "velocity extr", at(30.0, 40.0));
    for y in [220.0, 400.0, 580.0] {
        add(&mut hands, "parameter", at(30.0, y));
    }
    add(&mut hands, "jiggle", at(380.0, 40.0));
    add(&mut hands, "squash", at(380.0, 340.0));
    add(&mut hands, "output", at(800.0, 40.0));
    let mut types: Vec<&str> =
        graph(&hands).nodes.values().map(|it| it.node_type.as_str()).collect();
    types.sort_unstable();
    let wanted =
        ["Floppy", "Output", "Parameter", "Parameter", "Parameter", "Squash", "Velocity Extract"];
    assert_eq!(types, wanted);
    for deformer in ["floppy", "squash"] {
        for port in ["linear", "angular"] {
            link(&mut hands, &format!("velocity_extract.{port}"), &format!("{deformer}.{port}"));
        }
        link(&mut hands, &format!("{deformer}.displacement"), "output.displacement");
    }
    link(&mut hands, "parameter.value", "floppy.floppiness");
    link(&mut hands, "parameter2.value", "floppy.max angle");
    link(&mut hands, "parameter3.value", "squash.squashiness");
    assert_eq!(graph(&hands).links.len(), 9);
    for (field, number) in [
        ("velocity_extract.smoothing", "0"),
        ("velocity_extract.root motion", "1"),
        ("squash.max stretch", "100"),
        ("parameter.min", "-1"),
        ("parameter.value", "0.2"),
        ("parameter2.max", "180"),
        ("parameter2.value", "45"),
        ("parameter3.max", "0.5"),
        ("parameter3.min", "-0.5"),
        ("parameter3.value", "0.1"),
    ] {
        set(&mut hands, field, number);
    }
    picture(&mut hands, "canvas-by-hand");
    assert!(hands.state().state.show.compiled().problems.is_empty());
    let mut original = example("velocity-skinning");
    for time_secs in [0.1, 0.37, 0.8] {
        let (ours, theirs) = (baked(&mut hands, time_secs), baked(&mut original, time_secs));
        let plain = hands.state_mut().state.show.at(time_secs).unwrap().skinned.positions;
        assert!(farthest(&ours, &plain) > 1e-3, "it does something");
        assert!(farthest(&ours, &theirs) < 1e-6, "{}", farthest(&ours, &theirs));
    }
    let program = |hands: &Hands| hands.state().state.show.program().ops.len();
    assert_eq!(program(&hands), program(&original));

    let built = document(&hands);
    let mut steps = 0;
    while undo_label(&hands).is_some() {
        undo(&mut hands);
        steps += 1;
        assert!(steps < 100);
    }
    assert_eq!(steps, 7 + 9 + 10, "one step for each thing that was done");
    assert_eq!(document(&hands), empty);
    for _ in 0..steps {
        press(&mut hands, CTRL.plus(Modifiers::SHIFT), Key::Z);
    }
    assert_eq!(document(&hands), built);
}

#[test]
fn pins_say_what_they_carry_and_how_often_it_differs() {
    let mut hands = example("velocity-skinning");
    for (pin, words) in [
        ("output velocity.linear", "linear: vec3, per bone"),
        ("output trail.displacement", "displacement: vec3, per vertex"),
        ("output trail.per bone", "per bone: vec3, per bone and vertex"),
        ("input trail.floppiness", "floppiness: float, once"),
        ("input output.displacement", "takes several wires and adds them"),
    ] {
        let at = place(&hands, pin).center();
        hands.hover_at(at);
        hands.run();
        hands.get_by_label_contains(words);
    }
    picture(&mut hands, "canvas-pins");
}

#[test]
fn a_wire_that_does_not_fit_is_refused_with_the_reason() {
    let mut hands = example("velocity-skinning");
    let before = document(&hands);
    link(&mut hands, "velocity.linear", "stretch.max stretch");
    assert_eq!(document(&hands), before);
    assert!(last_message(&hands).contains("use Length or Split"), "{}", last_message(&hands));
    link(&mut hands, "output.position", "trail.position");
    assert_eq!(document(&hands), before);
    assert!(last_message(&hands).contains("circle"), "{}", last_message(&hands));
}

#[test]
fn a_wire_dropped_in_the_void_offers_what_fits_and_is_wired_at_once() {
    let mut hands = example("velocity-skinning");
    let from = place(&hands, "output velocity.linear").center();
    let void = canvas_rect(&hands).right_bottom() - vec2(320.0, 420.0);
    drag(&mut hands, from, void);
    assert!(hands.state().state.canvas.is_adding());
    write(&mut hands, "time");
    assert!(hands.query_by_label("Time Filter").is_some());
    let button = egui::accesskit::Role::Button;
    let time = hands.query_by_role_and_label(button, "Time");
    assert!(time.is_none(), "what has no input that fits is not offered");
    write(&mut hands, " filter");
    press(&mut hands, NONE, Key::Enter);
    assert_eq!(node(&hands, "time_filter").node_type, "Time Filter");
    let into = graph(&hands).links_into("time_filter").count();
    assert_eq!((into, undo_label(&hands)), (1, Some("Add Time Filter")));
    undo(&mut hands);
    assert_eq!(document(&hands), built_in_style("velocity-skinning").unwrap());
    let to = place(&hands, "input trail.position").center();
    drag(&mut hands, to, void);
    write(&mut hands, "add");
    press(&mut hands, NONE, Key::Enter);
    assert_eq!(graph(&hands).links_out_of("add").count(), 1);
}

#[test]
fn a_wire_is_taken_off_its_input() {
    let mut hands = example("velocity-skinning");
    let pin = place(&hands, "input trail.linear").center();
    let void = canvas_rect(&hands).right_bottom() - vec2(60.0, 60.0);
    drag(&mut hands, pin, void);
    assert!(!has_link(&hands, ("velocity", "linear"), ("trail", "linear")));
    assert_eq!(undo_label(&hands), Some("Remove link"));
    undo(&mut hands);
    let other = place(&hands, "input trail.angular").center();
    drag(&mut hands, pin, other);
    assert!(has_link(&hands, ("velocity", "linear"), ("trail", "angular")));
    assert!(!has_link(&hands, ("velocity", "linear"), ("trail", "linear")));
    undo(&mut hands);
    assert_eq!(document(&hands), built_in_style("velocity-skinning").unwrap());
    // Dropped on a node, where no pin is, it stays where it was.
    let title = place(&hands, "node output").center();
    drag(&mut hands, pin, title);
    assert_eq!(document(&hands), built_in_style("velocity-skinning").unwrap());
    let again = place(&hands, "input trail.linear").center();
    click_at(&mut hands, again, PointerButton::Secondary, NONE);
    assert!(
        !has_link(&hands, ("velocity", "linear"), ("trail", "linear")),
        "so does a right click"
    );
}

#[test]
fn a_node_dropped_on_a_wire_goes_into_it() {
    let mut hands = example("velocity-skinning");
    let corner = canvas_rect(&hands).left_bottom() + vec2(40.0, -200.0);
    add(&mut hands, "limit length", corner);
    let (from, to) =
        (place(&hands, "output trail.displacement"), place(&hands, "input output.displacement"));
    let middle = from.center() + (to.center() - from.center()) * 0.5;
    let title = place(&hands, "node limit_length").center();
    let rect = hands.state().state.canvas.node_rect(&GraphRef::Top, "limit_length").unwrap();
    drag(&mut hands, title, middle + (title - rect.center()));
    assert!(graph(&hands).links_into("limit_length").any(|link| link.from.node == "trail"));
    assert!(graph(&hands).links_out_of("limit_length").any(|link| link.to.node == "output"));
    assert!(!has_link(&hands, ("trail", "displacement"), ("output", "displacement")));
    assert_eq!(undo_label(&hands), Some("Move"));
    undo(&mut hands);
    assert!(has_link(&hands, ("trail", "displacement"), ("output", "displacement")), "one step");
    assert_eq!(graph(&hands).links_into("limit_length").count(), 0);
}

fn with_a_limit() -> Document {
    let mut document = built_in_style("velocity-skinning").unwrap();
    let graph = GraphRef::Top;
    let node = Node { position: [760.0, 320.0], ..Node::new("Limit Length") };
    let library = Library::built_in();
    let displacement = |node: &str| PortRef::new(node, "displacement");
    let link = Link::new(displacement("trail"), displacement("output"));
    let command =
        jounce::graph::insert_on_link(&document, &library, &graph, &link, "limit", Some(node));
    document.apply(command.unwrap()).unwrap();
    document
}

#[test]
fn deleting_joins_what_was_on_both_sides_and_ctrl_delete_does_not() {
    let mut hands = canvas(with_a_limit());
    click(&mut hands, "node limit");
    assert!(is_marked(&hands, "node limit"));
    press(&mut hands, NONE, Key::Delete);
    assert!(!graph(&hands).nodes.contains_key("limit"));
    assert!(has_link(&hands, ("trail", "displacement"), ("output", "displacement")));
    undo(&mut hands);
    assert_eq!(document(&hands), with_a_limit(), "one step");
    click(&mut hands, "node limit");
    press(&mut hands, CTRL, Key::Delete);
    assert!(!graph(&hands).nodes.contains_key("limit"));
    assert!(!has_link(&hands, ("trail", "displacement"), ("output", "displacement")));
}

#[test]
fn clicks_boxes_and_keys_select() {
    let mut hands = example("velocity-skinning");
    let selected = |hands: &Hands| hands.state().state.selection.in_graph.clone();
    click(&mut hands, "node trail");
    let at = place(&hands, "node stretch").center();
    click_at(&mut hands, at, PointerButton::Primary, CTRL);
    assert_eq!(Vec::from_iter(selected(&hands).nodes), ["stretch", "trail"]);
    click_at(&mut hands, at, PointerButton::Primary, CTRL);
    assert_eq!(Vec::from_iter(selected(&hands).nodes), ["trail"]);
    let parameters = ["floppy", "max-angle", "squash"]
        .map(|id| hands.state().state.canvas.node_rect(&GraphRef::Top, id).unwrap());
    let around = parameters.into_iter().reduce(|a, b| a.union(b)).unwrap().expand(4.0);
    drag(&mut hands, around.left_bottom(), around.right_top());
    assert_eq!(Vec::from_iter(selected(&hands).nodes), ["floppy", "max-angle", "squash"]);
    press(&mut hands, CTRL, Key::A);
    assert_eq!((selected(&hands).nodes.len(), selected(&hands).comments.len()), (7, 1));
    let void = canvas_rect(&hands).right_bottom() - vec2(30.0, 60.0);
    click_at(&mut hands, void, PointerButton::Primary, NONE);
    assert_eq!(selected(&hands), Default::default());
    assert_eq!(document(&hands), built_in_style("velocity-skinning").unwrap());
}

#[test]
fn moving_several_nodes_is_one_step() {
    let mut hands = example("velocity-skinning");
    click(&mut hands, "node trail");
    let at = place(&hands, "node stretch").center();
    click_at(&mut hands, at, PointerButton::Primary, CTRL);
    let zoom = hands.state().state.canvas.zoom(&GraphRef::Top);
    drag_by(&mut hands, "node trail", vec2(60.0, -40.0));
    let by = [60.0, -40.0].map(|pixels: f64| pixels / f64::from(zoom));
    for (id, before) in [("trail", [280.0, 0.0]), ("stretch", [280.0, 300.0])] {
        let after = node(&hands, id).position;
        for axis in 0..2 {
            // The first pixels decide that it is a drag.
            let moved = after[axis] - before[axis];
            assert!((moved - by[axis]).abs() < 8.0, "{id} moved by {moved}, not by {}", by[axis]);
            assert_eq!(after[axis].fract(), 0.0);
        }
    }
    assert_eq!(node(&hands, "velocity").position, [0.0, 0.0]);
    undo(&mut hands);
    assert_eq!(document(&hands), built_in_style("velocity-skinning").unwrap());
}

fn copied(hands: &Hands) -> String {
    let commands = &hands.output().platform_output.commands;
    let text = commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    text.expect("something was copied")
}

#[test]
fn copy_cut_paste_and_duplicate() {
    let mut hands = example("velocity-skinning");
    click(&mut hands, "node velocity");
    let at = place(&hands, "node trail").center();
    click_at(&mut hands, at, PointerButton::Primary, CTRL);
    hands.event(Event::Copy);
    hands.step();
    let text = copied(&hands);
    hands.event(Event::Paste(text.clone()));
    hands.run();
    assert_eq!((graph(&hands).nodes.len(), graph(&hands).links.len()), (9, 11));
    assert!(has_link(&hands, ("velocity2", "linear"), ("trail2", "linear")));
    assert_eq!(hands.state().state.selection.in_graph.nodes.len(), 2);
    hands.event(Event::Cut);
    hands.step();
    assert!(copied(&hands).contains("velocity2"));
    hands.run();
    assert_eq!((graph(&hands).nodes.len(), graph(&hands).links.len()), (7, 9));
    click(&mut hands, "node squash");
    press(&mut hands, CTRL, Key::D);
    assert_eq!(node(&hands, "squash2").settings, node(&hands, "squash").settings);
    hands.event(Event::Paste("not ours".to_owned()));
    hands.run();
    assert_eq!(graph(&hands).nodes.len(), 8);
    assert!(last_message(&hands).contains("copy some first"));
    for _ in 0..3 {
        undo(&mut hands);
    }
    assert_eq!(document(&hands), built_in_style("velocity-skinning").unwrap());
}

#[test]
fn frames_and_comments() {
    let mut hands = example("velocity-skinning");
    let at = place(&hands, "comment about").center();
    click_at(&mut hands, at, PointerButton::Primary, NONE);
    assert!(is_marked(&hands, "comment about"));
    drag_by(&mut hands, "comment about", vec2(0.0, -30.0));
    assert!(graph(&hands).comments["about"].position[1] < -130.0);
    let corner = place(&hands, "comment about").max - vec2(5.0, 5.0);
    drag(&mut hands, corner, corner + vec2(50.0, 20.0));
    assert!(graph(&hands).comments["about"].size[0] > 440.0);
    assert_eq!(undo_label(&hands), Some("Resize comment"));
    press(&mut hands, NONE, Key::F2);
    press(&mut hands, CTRL, Key::A);
    write(&mut hands, "Hello");
    press(&mut hands, CTRL, Key::Enter);
    assert_eq!(graph(&hands).comments["about"].text, "Hello");
    press(&mut hands, NONE, Key::Delete);
    assert!(graph(&hands).comments.is_empty());

    click(&mut hands, "node trail");
    let at = place(&hands, "node stretch").center();
    click_at(&mut hands, at, PointerButton::Primary, CTRL);
    press(&mut hands, CTRL, Key::J);
    click(&mut hands, "colour 3");
    press(&mut hands, NONE, Key::Enter);
    let frame = &graph(&hands).frames["frame1"];
    assert_eq!(Vec::from_iter(frame.members.clone()), ["stretch", "trail"]);
    assert_eq!(frame.color, [176, 122, 74]);
    picture(&mut hands, "canvas-frame");
    let before = [node(&hands, "trail").position, node(&hands, "stretch").position];
    drag_by(&mut hands, "frame frame1", vec2(40.0, 40.0));
    let after = [node(&hands, "trail").position, node(&hands, "stretch").position];
    let moved = [0, 1].map(|place: usize| after[place][0] - before[place][0]);
    assert!(moved[0] > 30.0 && moved[0] == moved[1], "{moved:?}");
    assert_eq!(undo_label(&hands), Some("Move frame"));
    press(&mut hands, NONE, Key::Delete);
    assert!(graph(&hands).frames.is_empty());
    assert_eq!(graph(&hands).nodes.len(), 7, "what is in a frame stays");
}

#[test]
fn mute_solo_collapse_and_rename() {
    let mut hands = example("velocity-skinning");
    let both = baked(&mut hands, 0.4);
    click(&mut hands, "node trail");
    press(&mut hands, NONE, Key::M);
    assert!(node(&hands, "trail").muted);
    let squash_only = baked(&mut hands, 0.4);
    assert!(farthest(&both, &squash_only) > 1e-3);
    press(&mut hands, NONE, Key::M);
    assert!(farthest(&both, &baked(&mut hands, 0.4)) == 0.0);
    // Solo of what feeds the one deformer mutes the other.
    click(&mut hands, "node squash");
    press(&mut hands, NONE, Key::S);
    assert!(node(&hands, "trail").muted && !node(&hands, "stretch").muted);
    assert_eq!(farthest(&squash_only, &baked(&mut hands, 0.4)), 0.0);
    press(&mut hands, NONE, Key::S);
    assert!(!node(&hands, "trail").muted);
    click(&mut hands, "node stretch");
    press(&mut hands, NONE, Key::H);
    assert!(node(&hands, "stretch").collapsed);
    assert!(place(&hands, "node stretch").height() < 40.0);
    press(&mut hands, NONE, Key::F2);
    press(&mut hands, CTRL, Key::A);
    write(&mut hands, "Pulled");
    press(&mut hands, NONE, Key::Enter);
    assert_eq!(node(&hands, "stretch").title.as_deref(), Some("Pulled"));
    picture(&mut hands, "canvas-collapsed");
}

#[test]
fn groups_keep_their_wires_and_can_be_entered_and_left() {
    let mut hands = example("velocity-skinning");
    let before = baked(&mut hands, 0.4);
    click(&mut hands, "node trail");
    let at = place(&hands, "node stretch").center();
    click_at(&mut hands, at, PointerButton::Primary, CTRL);
    press(&mut hands, CTRL, Key::G);
    press(&mut hands, CTRL, Key::A);
    write(&mut hands, "Body");
    press(&mut hands, NONE, Key::Enter);
    assert_eq!(graph(&hands).nodes.len(), 6);
    assert_eq!(farthest(&before, &baked(&mut hands, 0.4)), 0.0);
    picture(&mut hands, "canvas-group");
    let title = place(&hands, "node body").center();
    double_click_at(&mut hands, title);
    assert_eq!(hands.state().state.selection.path, ["body"]);
    assert_eq!(hands.state().state.graph_ref(), GraphRef::Group("Body".to_owned()));
    assert_eq!(graph(&hands).nodes.len(), 2);
    run_action(&mut hands, "Rename Group…");
    press(&mut hands, CTRL, Key::A);
    write(&mut hands, "Flesh");
    press(&mut hands, NONE, Key::Enter);
    assert!(document(&hands).style.groups.contains_key("Flesh"));
    click(&mut hands, "back to Graph");
    assert_eq!(hands.state().state.selection.path.len(), 0);
    click(&mut hands, "node body");
    press(&mut hands, CTRL, Key::ArrowDown);
    assert_eq!(hands.state().state.selection.path, ["body"]);
    press(&mut hands, CTRL, Key::ArrowUp);
    press(&mut hands, CTRL.plus(Modifiers::SHIFT), Key::G);
    assert_eq!(graph(&hands).nodes.len(), 7);
    assert!(document(&hands).style.groups.is_empty());
    assert_eq!(farthest(&before, &baked(&mut hands, 0.4)), 0.0);
    // Undone while it is open, a group is left.
    undo(&mut hands);
    click(&mut hands, "node body");
    press(&mut hands, CTRL, Key::ArrowDown);
    undo(&mut hands);
    undo(&mut hands);
    assert_eq!(hands.state().state.selection.path.len(), 0);
    assert_eq!(document(&hands), built_in_style("velocity-skinning").unwrap());
}

#[test]
fn the_wheel_zooms_to_the_pointer_and_f_shows_all() {
    let mut hands = example("velocity-skinning");
    let zoom = |hands: &Hands| hands.state().state.canvas.zoom(&GraphRef::Top);
    let fitted = zoom(&hands);
    let pin = place(&hands, "output velocity.linear").center();
    hands.event(Event::PointerMoved(pin));
    hands.step();
    let (unit, phase) = (egui::MouseWheelUnit::Point, egui::TouchPhase::Move);
    let delta = vec2(0.0, 120.0);
    hands.event(Event::MouseWheel { unit, delta, modifiers: NONE, phase });
    hands.run();
    assert!(zoom(&hands) > fitted * 1.2, "{} → {}", fitted, zoom(&hands));
    assert!(place(&hands, "output velocity.linear").center().distance(pin) < 1.5);
    let from = pin;
    hands.event(Event::PointerButton {
        pos: from,
        button: PointerButton::Middle,
        pressed: true,
        modifiers: NONE,
    });
    hands.step();
    hands.event(Event::PointerMoved(from + vec2(30.0, 20.0)));
    hands.step();
    let pos = from + vec2(30.0, 20.0);
    hands.event(Event::PointerButton {
        pos,
        button: PointerButton::Middle,
        pressed: false,
        modifiers: NONE,
    });
    hands.run();
    let panned = place(&hands, "output velocity.linear").center() - pin;
    assert!((panned - vec2(30.0, 20.0)).length() < 2.0, "{panned:?}");
    press(&mut hands, NONE, Key::F);
    assert!((zoom(&hands) - fitted).abs() < 0.02, "{} is not {fitted}", zoom(&hands));
    let all = canvas_rect(&hands);
    for id in graph(&hands).nodes.keys() {
        let rect = hands.state().state.canvas.node_rect(&GraphRef::Top, id).unwrap();
        assert!(all.contains_rect(rect), "{id}");
    }
    assert!(hands.state().state.viewport.camera.is_none(), "the camera keeps where it is");
}

#[test]
fn a_broken_node_says_why_on_itself_and_the_rest_runs() {
    let mut document = built_in_style("velocity-skinning").unwrap();
    let graph = GraphRef::Top;
    let node_type = "Flopy".to_owned();
    document.apply(Command::SetType { graph, node: "trail".to_owned(), node_type }).unwrap();
    let mut hands = canvas(document);
    let all = canvas_rect(&hands);
    let on_canvas = hands
        .query_all_by_label_contains("did you mean \"Floppy\"")
        .filter(|words| all.contains_rect(words.rect()))
        .count();
    assert_eq!(on_canvas, 1, "on the node itself");
    // Its wires stay to be seen, so that they can be put elsewhere.
    hands.get_by_label("input trail.floppiness");
    let shown = hands.state_mut().state.show.at(0.4).unwrap();
    assert!(
        farthest(&shown.deformed.positions, &shown.skinned.positions) > 1e-4,
        "squash is there"
    );
    picture(&mut hands, "canvas-broken");
}

#[test]
fn a_value_is_dragged_on_the_node_in_one_step() {
    let mut hands = example("velocity-skinning");
    let compiled = hands.state().state.show.compile_count();
    drag_by(&mut hands, "stretch.max stretch", vec2(-40.0, 0.0));
    let Some(Setting::Float(now)) = node(&hands, "stretch").settings.get("max stretch") else {
        panic!("it is set");
    };
    assert!(*now < 100.0, "{now}");
    assert_eq!(undo_label(&hands), Some("Set max stretch"));
    assert_eq!(hands.state().state.show.compile_count(), compiled, "a slider needs no compiling");
    undo(&mut hands);
    assert_eq!(document(&hands), built_in_style("velocity-skinning").unwrap());
}

#[test]
fn costs_add_up_and_values_are_those_of_the_selection() {
    let mut hands = example("velocity-skinning");
    run_action(&mut hands, "Node Costs");
    let state = &hands.state().state;
    let shares = jounce::session::cost_shares(state.show.program(), state.show.bound());
    assert!((shares.values().sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(shares["trail"] > shares["velocity"], "{shares:?}");
    hands.get_by_label(&format!("about {:.0} %", shares["trail"] * 100.0));

    let time_secs = 0.4;
    let state = &mut hands.state_mut().state;
    state.playhead.time_secs = time_secs;
    (state.selection.vertex, state.selection.bones) = (Some(700), vec![3]);
    run_action(&mut hands, "Port Values");
    picture(&mut hands, "canvas-values");
    let at = place(&hands, "output output.position").center();
    hands.hover_at(at);
    hands.run();
    let state = &mut hands.state_mut().state;
    let expected = state.show.at(time_secs).unwrap().deformed.positions[700].as_dvec3();
    let values = jounce::session::PortValues::new(&state.session, &state.show).unwrap().unwrap();
    let spot = jounce::session::Spot { vertex: Some(700), bone: Some(3) };
    let numbers = values.read(&mut state.show, time_secs, spot, |_| true).unwrap();
    let of = |node: &str, port: &str| numbers[&(node.to_owned(), port.to_owned())];
    let Ok(Number::Vec3(position)) = of("output", "position") else { panic!("{numbers:?}") };
    assert!(position.distance(expected) < 1e-4, "{position} is not {expected}");
    assert_eq!(of("floppy", "value"), Ok(Number::Float(0.2)));
    hands.get_by_label_contains("now: ");
}

fn large() -> Document {
    let mut document = built_in_style("velocity-skinning").unwrap();
    let graph = GraphRef::Top;
    for number in 0..200 {
        let position = [f64::from(number % 20) * 220.0, 800.0 + f64::from(number / 20) * 180.0];
        let node = Node { position, ..Node::new(if number % 2 == 0 { "Add" } else { "Multiply" }) };
        let id = format!("n{number}");
        let add = Command::AddNode { graph: graph.clone(), id: id.clone(), node };
        document.apply(add).unwrap();
        if number > 0 {
            let from = format!("n{}", number - 1);
            let output = if number % 2 == 1 { "Add" } else { "Multiply" };
            let library = Library::built_in();
            let port = library.get(output).unwrap().outputs[0].name.clone();
            let input = library.get(if number % 2 == 0 { "Add" } else { "Multiply" }).unwrap();
            let to = PortRef::new(&id, &input.inputs[0].name);
            let link = Link::new(PortRef::new(from, port), to);
            document.apply(Command::Connect { graph: graph.clone(), link, adds: false }).unwrap();
        }
    }
    document
}

#[test]
fn two_hundred_nodes_are_taken_over_once_not_in_every_frame() {
    let mut hands = canvas(large());
    hands.run();
    let before = hands.state().state.canvas.rebuild_count();
    let began = std::time::Instant::now();
    const FRAMES: u32 = 20;
    for frame in 0..FRAMES {
        hands.hover_at(canvas_rect(&hands).center() + vec2(frame as f32, 0.0));
        hands.step();
    }
    eprintln!("a frame with 207 nodes: {:.1} ms", began.elapsed().as_secs_f64() * 50.0);
    assert_eq!(hands.state().state.canvas.rebuild_count(), before);
    picture(&mut hands, "canvas-large");
    let compiled = hands.state().state.show.compile_count();
    drag_by(&mut hands, "node n0", vec2(50.0, 0.0));
    assert_eq!(hands.state().state.show.compile_count(), compiled, "moving compiles nothing");
    assert!(node(&hands, "n0").position[0] > 50.0);
}

#[test]
fn undo_while_a_wire_or_a_node_is_in_the_hand_does_no_harm() {
    let mut hands = example("velocity-skinning");
    let corner: Pos2 = canvas_rect(&hands).left_bottom() + vec2(40.0, -200.0);
    for port in ["output limit_length", "node limit_length"] {
        add(&mut hands, "limit length", corner);
        let label = match port {
            "node limit_length" => port.to_owned(),
            _ => {
                let name = Library::built_in();
                let name = name.get("Limit Length").unwrap().outputs[0].name.clone();
                format!("{port}.{name}")
            }
        };
        let from = place(&hands, &label).center();
        hands.event(Event::PointerMoved(from));
        hands.step();
        hands.drag_at(from);
        hands.step();
        hands.event(Event::PointerMoved(from + vec2(50.0, 30.0)));
        hands.step();
        for _ in 0..3 {
            hands.key_press_modifiers(CTRL, Key::Z);
            hands.step();
        }
        assert!(!graph(&hands).nodes.contains_key("limit_length"));
        hands.drop_at(pos2(from.x + 60.0, from.y));
        hands.run();
        if hands.state().state.canvas.is_adding() {
            press(&mut hands, NONE, Key::Escape);
        }
        assert_eq!(document(&hands), built_in_style("velocity-skinning").unwrap());
    }
}
