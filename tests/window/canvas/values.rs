//! Numbers at ports, and ports on the mesh.

use super::*;
use egui_kittest::kittest::NodeT;
use glam::DVec3;
use jounce::compile::ShownPort;
use jounce::eval::heat::HeatSubject;

/// What the tooltip of a pin says, as a vector.
fn vector_at(hands: &mut Hands, pin: &str) -> DVec3 {
    let at = place(hands, pin).center();
    hands.hover_at(at);
    hands.run();
    let node = hands.get_by_label_contains("now: ").accesskit_node();
    let label = node.label().or_else(|| node.value()).unwrap();
    let numbers: Vec<f64> =
        label.trim_start_matches("now: ").split(", ").map(|it| it.parse().unwrap()).collect();
    DVec3::from_slice(&numbers)
}

fn look_at(hands: &mut Hands, vertex: usize, bone: usize, time_secs: f64) {
    let state = &mut hands.state_mut().state;
    state.playhead.time_secs = time_secs;
    state.canvas.unfolded.all = true;
    (state.selection.vertex, state.selection.bones) = (Some(vertex), vec![bone]);
    run_action(hands, "Port Values");
}

/// Three digits count in a label.
fn is_near(a: DVec3, b: DVec3) -> bool {
    a.distance(b) < 0.006 * b.length() + 1e-4
}

#[test]
fn labels_have_the_numbers_of_the_selected_vertex_at_outputs_and_inputs() {
    let mut hands = example("velocity-skinning");
    look_at(&mut hands, 700, 3, 0.4);
    let shown = hands.state_mut().state.show.at(0.4).unwrap();
    let (deformed, skinned) = (shown.deformed.positions[700], shown.skinned.positions[700]);
    let position = vector_at(&mut hands, "output output.position");
    assert!(is_near(position, deformed.as_dvec3()), "{position} is not {deformed}");
    // Several wires end there, and are added.
    let sum = vector_at(&mut hands, "input output.displacement");
    let moved = (deformed - skinned).as_dvec3();
    assert!(graph(&hands).links_into("output").count() >= 2);
    assert!(is_near(sum, moved), "{sum} is not {moved}");
    // Nothing is linked there: it is where the skin is.
    let unlinked = vector_at(&mut hands, "input trail.position");
    assert!(is_near(unlinked, skinned.as_dvec3()), "{unlinked} is not {skinned}");
}

#[test]
fn a_node_that_remembers_and_leads_nowhere_hides_no_numbers() {
    let mut hands = example("velocity-skinning");
    let corner = canvas_rect(&hands).left_bottom() + vec2(40.0, -200.0);
    add(&mut hands, "spring", corner);
    let added = graph(&hands).nodes.keys().find(|id| id.starts_with("spring")).cloned();
    assert!(added.is_some(), "{:?}", graph(&hands).nodes.keys());
    look_at(&mut hands, 700, 3, 0.4);
    let expected = hands.state_mut().state.show.at(0.4).unwrap().deformed.positions[700];
    let position = vector_at(&mut hands, "output output.position");
    assert!(is_near(position, expected.as_dvec3()), "{position} is not {expected}");
}

#[test]
fn port_values_follow_a_slider_without_compiling() {
    let mut hands = example("velocity-skinning");
    look_at(&mut hands, 700, 3, 0.4);
    let compiled = hands.state().state.canvas.watch.compile_count();
    assert!(compiled > 0);
    let before = hands.state().state.canvas.watch.text("floppy", "value");
    for step in 1..=5 {
        let session = &mut hands.state_mut().state.session;
        let value = Some(Setting::Float(0.2 + 0.05 * f64::from(step)));
        let (graph, node, port) = (GraphRef::Top, "floppy".to_owned(), "value".to_owned());
        session.perform("Set", Command::SetSetting { graph, node, port, value });
        std::thread::sleep(std::time::Duration::from_millis(60));
        hands.run();
    }
    let watch = &hands.state().state.canvas.watch;
    assert_eq!(watch.compile_count(), compiled, "a slider needs no compiling");
    assert_ne!(watch.text("floppy", "value"), before);
    assert_eq!(watch.text("floppy", "value").as_deref(), Some("0.4500"));
}

#[test]
fn a_pin_is_shown_on_the_mesh_from_its_menu_and_by_alt() {
    let mut hands = example("velocity-skinning");
    let subject = |hands: &Hands| hands.state().state.viewport.heat.subject.clone();
    let port = |port: &str| {
        let (node, port) = ("trail".to_owned(), port.to_owned());
        Some(HeatSubject::Port(ShownPort { node, port, bone: None }))
    };
    let pin = place(&hands, "input trail.linear").center();
    click_at(&mut hands, pin, PointerButton::Secondary, NONE);
    hands.get_by_label("Show on Mesh").click();
    hands.run();
    assert_eq!(subject(&hands), port("in:linear"));
    let pin = place(&hands, "output trail.displacement").center();
    click_at(&mut hands, pin, PointerButton::Primary, Modifiers::ALT);
    assert_eq!(subject(&hands), port("displacement"));
    let title = place(&hands, "node trail").center();
    hands.state_mut().state.viewport.heat.hide();
    click_at(&mut hands, title, PointerButton::Secondary, NONE);
    hands.get_by_label("Show on Mesh").click();
    hands.run();
    assert_eq!(subject(&hands), port("displacement"));
}
