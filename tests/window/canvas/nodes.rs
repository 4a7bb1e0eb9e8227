//! What is done to nodes, and what they show.

use super::*;

fn with_a_limit() -> Document {
    let mut document = built_in_style("velocity-skinning").unwrap();
    let graph = GraphRef::Top;
    let node = Node { position: [760.0, -200.0], ..Node::new("Limit Length") };
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
    press(&mut hands, NONE, Key::C);
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
    let mut values = jounce::session::PortValues::new(&state.session).unwrap();
    let spot = jounce::session::Spot { vertex: Some(700), bone: Some(3) };
    let numbers = values.read(time_secs, spot, |_| true).unwrap();
    let of = |node: &str, port: &str| numbers[&(node.to_owned(), port.to_owned())];
    let Ok(Number::Vec3(position)) = of("output", "position") else { panic!("{numbers:?}") };
    assert!(position.distance(expected) < 1e-4, "{position} is not {expected}");
    assert_eq!(of("floppy", "value"), Ok(Number::Float(0.2)));
    hands.get_by_label_contains("now: ");
}

#[test]
fn a_choice_on_a_node_goes_to_the_next_with_every_click() {
    let mut hands = example("velocity-skinning");
    let chosen = |hands: &Hands| node(hands, "output").settings.get("base").cloned();
    let linear = baked(&mut hands, 0.4);
    assert_eq!(chosen(&hands), None);
    click(&mut hands, "output.base");
    assert_eq!(chosen(&hands), Some(Setting::Text("DQS".to_owned())));
    assert_eq!(undo_label(&hands), Some("Set base"));
    let dual = baked(&mut hands, 0.4);
    assert!(farthest(&linear, &dual) > 1e-4, "{}", farthest(&linear, &dual));
    click(&mut hands, "output.base");
    assert_eq!(chosen(&hands), Some(Setting::Text("LBS".to_owned())), "round and round");
    assert_eq!(farthest(&linear, &baked(&mut hands, 0.4)), 0.0);
    undo(&mut hands);
    undo(&mut hands);
    assert_eq!(document(&hands), built_in_style("velocity-skinning").unwrap());
}
