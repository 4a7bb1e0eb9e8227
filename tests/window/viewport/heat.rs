//! Numbers as colours.

use super::*;
use jounce::compile::ShownPort;
use jounce::session::{Hand, PortOnMesh, Pull, Show};

/// What the interpreter says of an output that is one vector per vertex.
fn lengths(harness: &Harness<'static, Editor>) -> Vec<f32> {
    state(harness).viewport.heat.vectors.iter().map(|v| v.length()).collect()
}

#[test]
fn a_port_is_shown_on_the_mesh_with_its_least_and_most() {
    let mut harness = in_motion("velocity-skinning");
    let nodes = state(&harness).session.document().style.graph.nodes.clone();
    let (id, _) = nodes.iter().find(|(_, node)| node.node_type == "Floppy").unwrap();
    harness.state_mut().state.selection.in_graph.nodes = [id.clone()].into_iter().collect();
    run(&mut harness, "Show on Mesh");
    picture(&mut harness, "port");
    let view = &state(&harness).viewport.heat;
    let lengths = lengths(&harness);
    assert_eq!(view.heat.values, lengths, "of vectors the length counts");
    let most = lengths.iter().copied().fold(0.0, f32::max);
    let least = lengths.iter().copied().fold(f32::INFINITY, f32::min);
    assert_eq!((view.heat.range.least, view.heat.range.most), (least, most));
    assert!(most > 0.0);
    let short = jounce::editor::panels::viewport::heat::short;
    let words = format!("from {} to {}", short(least), short(most));
    harness.get_by(|node| node.label().is_some_and(|label| label.contains(&words)));
    let drawn = &state(&harness).viewport.drawn;
    assert_eq!(drawn.colors, jounce::draw::heat_colors(&view.heat.values, &view.heat.range));
    run(&mut harness, "Hide Heat Map");
    assert!(state(&harness).viewport.drawn.colors.is_empty());
}

#[test]
fn what_differs_from_bone_to_bone_is_shown_for_one_and_tab_goes_on() {
    use jounce::compile::ShownPort;
    use jounce::eval::heat::HeatSubject;
    let mut harness = in_motion("velocity-skinning");
    let per_bone =
        state(&harness).show.compiled().outputs.iter().find_map(|((node, port), (ty, rate))| {
            let is_number =
                matches!(ty, jounce::script::PortType::Vec3 | jounce::script::PortType::Float);
            let per_bone = matches!(rate, jounce::ir::Rate::Bone | jounce::ir::Rate::Influence);
            (is_number && per_bone).then(|| (node.clone(), port.clone()))
        });
    let (node, port) = per_bone.expect("an output that differs from bone to bone");
    let subject = HeatSubject::Port(ShownPort { node, port, bone: None });
    let bones = state(&harness).show.character().skeleton.bones.len();
    harness.state_mut().state.viewport.heat.subject = Some(subject);
    harness.state_mut().state.selection.bones = vec![0];
    let center = screen(&harness).rect.center();
    harness.hover_at(center);
    let mut sum = vec![Vec3::ZERO; state(&harness).show.character().vertex_count()];
    for bone in 0..bones {
        harness.run();
        assert_eq!(state(&harness).selection.bones, vec![bone]);
        let view = &state(&harness).viewport.heat;
        for (vertex, sum) in sum.iter_mut().enumerate() {
            *sum +=
                view.vectors.get(vertex).copied().unwrap_or(Vec3::splat(view.heat.values[vertex]));
        }
        harness.key_press(Key::Tab);
    }
    harness.run();
    assert_eq!(state(&harness).selection.bones, vec![0], "round and round");
    run(&mut harness, "Sum over Bones");
    let view = &state(&harness).viewport.heat;
    let largest = view.heat.range.most.max(-view.heat.range.least);
    assert!(largest > 0.0);
    for (vertex, sum) in sum.iter().enumerate() {
        let whole =
            view.vectors.get(vertex).copied().unwrap_or(Vec3::splat(view.heat.values[vertex]));
        assert!(whole.distance(*sum) < 1e-4 * largest, "{vertex}: {whole} {sum}");
    }
    picture(&mut harness, "bones");
}

#[test]
fn maps_and_weights_are_shown_too_and_what_is_not_there_is_said() {
    use jounce::eval::heat::HeatSubject;
    let mut harness = in_motion("default");
    harness.state_mut().state.viewport.heat.subject = Some(HeatSubject::Map("softness".into()));
    harness.run();
    picture(&mut harness, "softness");
    let character = state(&harness).show.character().clone();
    let in_file = character.maps.iter().find(|map| map.name == "softness");
    let expected = in_file.map_or(character.automatic_softness(), |map| &map.values);
    assert_eq!(state(&harness).viewport.heat.heat.values, expected);
    harness.state_mut().state.viewport.heat.subject = Some(HeatSubject::Bone("Head".into()));
    harness.run();
    assert_eq!(state(&harness).viewport.heat.heat.range.most, 1.0);
    harness.state_mut().state.viewport.heat.subject = Some(HeatSubject::Map("fluff".into()));
    harness.run();
    assert!(!state(&harness).viewport.heat.is_on());
    let said = state(&harness).session.messages().last().unwrap().text.clone();
    assert!(said.contains("fluff"), "{said}");
}

/// What a port shows of a style that remembers is what the style does.
#[test]
fn a_heat_map_remembers_as_its_style_does() {
    let style = jounce::graph::built_in_style("oscillation").unwrap();
    let id = style.style.graph.links.iter().find(|link| link.to.node == "output").unwrap();
    let shown_port =
        ShownPort { node: id.from.node.clone(), port: id.from.port.clone(), bone: None };
    let session = support::session(style);
    let show = Show::new(&session).unwrap();
    let mut port = PortOnMesh::new(&session, shown_port).unwrap();
    let size = show.character().size() as f32;
    let mut most: f32 = 0.0;
    for time_secs in [0.2, 0.5, 0.9].map(|part| part * show.duration_secs()) {
        let (shown, found) = (show.at(time_secs).unwrap(), port.at(time_secs).unwrap());
        let both = shown.deformed.positions.iter().zip(&shown.skinned.positions);
        for ((deformed, skinned), found) in both.zip(&found) {
            let moved = *deformed - *skinned;
            assert!((moved - *found).length() < 1e-4 * size, "{moved} {found}");
            most = most.max(moved.length());
        }
    }
    assert!(most > 0.005 * size, "{most}");
}

/// While a bone is dragged, the numbers are those of the drag and not of the clip.
#[test]
fn a_heat_map_follows_the_hand() {
    let session = support::session(jounce::graph::built_in_style("floppy").unwrap());
    let show = Show::new(&session).unwrap();
    let trail = ShownPort { node: "trail".to_owned(), port: "displacement".to_owned(), bone: None };
    let mut port = PortOnMesh::new(&session, trail).unwrap();
    let head = show.character().skeleton.bone_named("Head").unwrap();
    let mut hand = Hand::new(&show, head, 0.3).unwrap();
    let size = show.character().size();
    let mut most: f32 = 0.0;
    for frame in 1..12 {
        hand.drag(Pull { turn: DVec3::X * 0.08 * f64::from(frame), shift: DVec3::ZERO });
        hand.advance(1.0 / 60.0, size);
        let shown = hand.show(&show, 0.3).unwrap();
        let found = port.in_hand(&hand, shown.pose.as_ref().unwrap(), 0.3).unwrap();
        let both = shown.deformed.positions.iter().zip(&shown.skinned.positions);
        for ((deformed, skinned), found) in both.zip(&found) {
            let moved = *deformed - *skinned;
            assert!((moved - *found).length() < 1e-5 * size as f32, "{moved} {found}");
            most = most.max(moved.length());
        }
    }
    assert!(most > 0.01 * size as f32, "{most}");
    // Let go, it is the clip again.
    let found = port.at(0.3).unwrap();
    let shown = show.at(0.3).unwrap();
    let both = shown.deformed.positions.iter().zip(&shown.skinned.positions);
    for ((deformed, skinned), found) in both.zip(&found) {
        assert!((*deformed - *skinned - *found).length() < 1e-5 * size as f32);
    }
}

fn shown_port(node: &str, port: &str) -> jounce::eval::heat::HeatSubject {
    let (node, port) = (node.to_owned(), port.to_owned());
    jounce::eval::heat::HeatSubject::Port(ShownPort { node, port, bone: None })
}

/// What arrives at Output is what displaces, computed here from the positions alone.
#[test]
fn an_input_that_adds_several_wires_is_the_displacement() {
    let mut harness = in_motion("velocity-skinning");
    harness.state_mut().state.viewport.heat.subject = Some(shown_port("output", "in:displacement"));
    harness.run();
    let state = state(&harness);
    let shown = &state.shown;
    let both = shown.deformed.positions.iter().zip(&shown.skinned.positions);
    let moved: Vec<Vec3> = both.map(|(deformed, skinned)| *deformed - *skinned).collect();
    let size = state.show.character().size() as f32;
    let heat = &state.viewport.heat;
    assert!(farthest(&heat.vectors, &moved) < 1e-5 * size);
    for (value, moved) in heat.heat.values.iter().zip(&moved) {
        assert!((value - moved.length()).abs() < 1e-5 * size, "{value} {moved}");
    }
    harness.get_by_label_contains("Legend: output.in:displacement");
    // Arrows end where the vectors lead, the longest a tenth of the character's size away.
    let (heat, positions) = (&state.viewport.heat, &state.viewport.drawn.positions);
    let longest = heat.heat.range.most;
    let mut checked = 0;
    for mark in jounce::editor::panels::viewport::heat::arrows(state) {
        let jounce::draw::Shape::Arrow { from, to, .. } = mark.shape else { panic!("no arrow") };
        let vertex = positions.iter().position(|it| *it == from).expect("it begins at a vertex");
        let end = from + moved[vertex] * (0.1 * size / longest);
        assert!(to.distance(end) < 1e-4 * size, "{to} {end}");
        checked += 1;
    }
    assert!(checked > 100, "{checked}");
    run(&mut harness, "Crowd");
    assert!(harness.query_by_label_contains("Legend: ").is_none(), "a crowd has its own colours");
}

#[test]
fn above_zero_is_cyan_and_below_it_magenta() {
    use jounce::graph::{Command, GraphRef, Link, Node, PortRef};
    let mut harness = in_motion("velocity-skinning");
    let session = &mut harness.state_mut().state.session;
    let top = GraphRef::Top;
    let node = Node::new("Split".to_owned());
    let library = session.library();
    assert!(library.get("Split").is_some(), "a node that gives x, y and z");
    // The left and the right of the cow.
    let link = Link::new(PortRef::new("cow", "position"), PortRef::new("split", "vector"));
    let cow = Node::new("Character".to_owned());
    session.perform(
        "Split",
        Command::batch(vec![
            Command::AddNode { graph: top.clone(), id: "split".to_owned(), node },
            Command::AddNode { graph: top.clone(), id: "cow".to_owned(), node: cow },
            Command::Connect { graph: top, link, adds: false },
        ]),
    );
    harness.state_mut().state.viewport.heat.subject = Some(shown_port("split", "x"));
    harness.run();
    let state = state(&harness);
    let (heat, colors) = (&state.viewport.heat.heat, &state.viewport.drawn.colors);
    assert!(heat.range.least < 0.0 && heat.range.most > 0.0, "{:?}", heat.range);
    let reach = heat.range.most.max(-heat.range.least);
    let (mut below, mut above) = (0, 0);
    for (value, color) in heat.values.iter().zip(colors) {
        let [r, g, b, _] = *color;
        if *value < -0.5 * reach {
            below += 1;
            assert!(r > g && b > g, "{value} is {color:?}");
        }
        if *value > 0.5 * reach {
            above += 1;
            assert!(g > r && b > r, "{value} is {color:?}");
        }
    }
    assert!(below + above > 20, "{below} {above}");
}
