//! With the style and without it; A and B.

use super::*;

#[test]
fn twice_the_displacement_is_drawn_and_none_while_the_key_is_held() {
    let mut harness = in_motion("default");
    let shown = &state(&harness).shown;
    let (plain, deformed) = (shown.skinned.positions.clone(), shown.deformed.positions.clone());
    assert_eq!(state(&harness).viewport.drawn.positions, deformed);
    let title = state(&harness).session.title();
    harness.state_mut().state.viewport.compare.exaggeration = 2.0;
    harness.run();
    let doubled: Vec<Vec3> =
        plain.iter().zip(&deformed).map(|(p, d)| *p + (*d - *p) * 2.0).collect();
    assert!(farthest(&state(&harness).viewport.drawn.positions, &doubled) < 1e-6);
    assert_eq!(state(&harness).shown.deformed.positions, deformed, "only what is drawn");
    assert_eq!(state(&harness).session.title(), title, "never in the document");
    harness.key_down(Key::H);
    harness.step();
    harness.step();
    assert!(farthest(&state(&harness).viewport.drawn.positions, &plain) < 1e-6);
    assert!(harness.query_by_label("Plain skinning").is_some(), "it is said");
    harness.key_up(Key::H);
    harness.step();
    harness.step();
    assert!(harness.query_by_label("Plain skinning").is_none());
    assert!(farthest(&state(&harness).viewport.drawn.positions, &doubled) < 1e-6);
}

#[test]
fn the_left_of_a_line_that_can_be_dragged_is_plain() {
    let mut harness = in_motion("default");
    run(&mut harness, "Split");
    assert_eq!(state(&harness).viewport.compare.split, Some(0.5));
    let plain = state(&harness).shown.skinned.positions.clone();
    assert_eq!(state(&harness).viewport.drawn.plain, plain);
    assert_ne!(state(&harness).viewport.drawn.positions, plain);
    picture(&mut harness, "split");
    let rect = screen(&harness).rect;
    let to = egui::pos2(rect.left() + rect.width() * 0.25, rect.center().y);
    let camera = screen(&harness).camera;
    let from = harness.get_by_label("Split line").rect().center();
    press(&mut harness, from, to);
    let_go(&mut harness, to);
    let split = state(&harness).viewport.compare.split.unwrap();
    assert!((split - 0.25).abs() < 0.02, "{split}");
    assert_eq!(screen(&harness).camera, camera, "the view stays");
    run(&mut harness, "Split");
    run(&mut harness, "Ghost");
    assert_eq!(state(&harness).viewport.drawn.plain, plain);
    picture(&mut harness, "ghost");
}

#[test]
fn a_and_b_hold_the_whole_look() {
    let mut harness = in_motion("default");
    let first = state(&harness).session.document().clone();
    harness.get_by_label("Slot A").click();
    harness.run();
    assert_eq!(*state(&harness).session.document(), first, "A begins as what there is");
    harness.get_by_label("Slot B").click();
    harness.run();
    // B gets another style and other settings.
    let style = jounce::graph::built_in_style("cartoon").unwrap().style;
    let key = state(&harness).session.character_settings_key();
    let session = &mut harness.state_mut().state.session;
    session.perform("Other style", jounce::graph::Command::SetStyle(style.clone()));
    session.perform("Size", jounce::graph::Command::SetSize { character: key, size: Some(3.0) });
    harness.run();
    let second = state(&harness).session.document().clone();
    assert_ne!(first, second);
    harness.key_press(Key::Backtick);
    harness.run();
    assert_eq!(*state(&harness).session.document(), first);
    assert_eq!(state(&harness).viewport.compare.slots.current(), Some(SlotName::A));
    harness.key_press(Key::Backtick);
    harness.run();
    assert_eq!(*state(&harness).session.document(), second);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert_eq!(*state(&harness).session.document(), first, "one step back");
    // That was a switch back to A: the next one brings B, as it was.
    assert_eq!(state(&harness).viewport.compare.slots.current(), Some(SlotName::A));
    harness.key_press(Key::Backtick);
    harness.run();
    assert_eq!(*state(&harness).session.document(), second, "B is not lost");
    assert_eq!(state(&harness).viewport.compare.slots.current(), Some(SlotName::B));
}
