//! Pins and wires: drawn, refused, taken off, dropped.

use super::*;

#[test]
fn pins_say_what_they_carry_and_how_often_it_differs() {
    let mut hands = example("velocity-skinning");
    for (pin, words) in [
        ("output velocity.linear", "linear: vec3, per bone"),
        ("output trail.displacement", "displacement: vec3, per vertex"),
        ("output trail.per bone", "per bone: vec3, per bone and vertex"),
        ("input trail.floppiness", "floppiness: float, once"),
        ("input output.displacement", "adds up several wires"),
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
    assert!(last_message(&hands).contains("depend on its own result"), "{}", last_message(&hands));
}

#[test]
fn a_wire_dropped_in_the_void_offers_what_fits_and_is_wired_at_once() {
    let mut hands = example("velocity-skinning");
    let from = place(&hands, "output velocity.linear").center();
    let void = canvas_rect(&hands).right_bottom() - vec2(60.0, 60.0);
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
    click(&mut hands, "more inputs of trail");
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
    assert_eq!(undo_label(&hands), Some("Remove wire"));
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
    assert!(has_link(&hands, ("velocity", "linear"), ("trail", "linear")), "it only asks");
    hands.get_by_label("Disconnect").click();
    hands.run();
    assert!(!has_link(&hands, ("velocity", "linear"), ("trail", "linear")));
    assert!(hands.query_by_label("Disconnect").is_none(), "and is gone");
    undo(&mut hands);
    assert_eq!(document(&hands), built_in_style("velocity-skinning").unwrap());
    click_at(&mut hands, again, PointerButton::Secondary, NONE);
    press(&mut hands, NONE, Key::Escape);
    assert!(hands.query_by_label("Disconnect").is_none());
    assert_eq!(document(&hands), built_in_style("velocity-skinning").unwrap());
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
