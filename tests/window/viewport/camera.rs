//! Where it is looked at from.

use super::*;

#[test]
fn the_camera_orbits_pans_zooms_to_the_pointer_and_frames() {
    let mut harness = in_motion("default");
    let center = screen(&harness).rect.center();
    let framed = screen(&harness).camera;
    press(&mut harness, center, center + egui::vec2(100.0, 0.0));
    let_go(&mut harness, center + egui::vec2(100.0, 0.0));
    let turned = screen(&harness).camera;
    assert!(turned.view.yaw_rad < framed.view.yaw_rad - 0.3, "{turned:?}");
    assert_eq!(turned.target, framed.target);

    harness.key_press(Key::Num3);
    harness.run();
    assert!((screen(&harness).camera.view.yaw_rad.to_degrees() - 90.0).abs() < 1e-3);
    harness.key_press(Key::Num7);
    harness.run();
    assert!((screen(&harness).camera.view.pitch_rad.to_degrees() - 90.0).abs() < 1e-3);
    harness.key_press(Key::Num1);
    harness.run();

    let at = center + egui::vec2(120.0, -60.0);
    let before = screen(&harness);
    let under = before.on_plane(at, before.camera.target);
    harness.hover_at(at);
    harness.step();
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, 60.0),
        phase: egui::TouchPhase::Move,
        modifiers: Modifiers::NONE,
    });
    harness.run();
    let after = screen(&harness);
    assert!(after.camera.distance < before.camera.distance * 0.95, "nearer");
    let now = after.project(under).unwrap();
    assert!(now.distance(at) < 1.0, "what was under the pointer is at {now:?}, not {at:?}");

    let head = bone_named(&harness, "Head");
    harness.state_mut().state.selection.bones = vec![head];
    harness.key_press(Key::F);
    harness.run();
    let near = screen(&harness).camera;
    assert!(near.distance < framed.distance * 0.7, "{} of {}", near.distance, framed.distance);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::F);
    harness.run();
    assert!(state(&harness).viewport.camera.is_none());
    assert!(screen(&harness).camera.distance > near.distance);
}

#[test]
fn what_is_under_the_pointer_stays_there_while_it_pans() {
    let mut harness = in_motion("default");
    let from = screen(&harness).rect.center() + egui::vec2(-60.0, 30.0);
    let to = from + egui::vec2(80.0, -50.0);
    for (button, modifiers) in [
        (egui::PointerButton::Primary, Modifiers::SHIFT),
        (egui::PointerButton::Middle, Modifiers::NONE),
    ] {
        let before = screen(&harness);
        let event = |pos: Pos2, pressed: bool| egui::Event::PointerButton {
            pos,
            button,
            pressed,
            modifiers,
        };
        harness.hover_at(from);
        harness.step();
        harness.event(egui::Event::ModifiersChanged(modifiers));
        harness.event(event(from, true));
        harness.step();
        // The first way decides that it is a drag; from there on the point is held.
        harness.hover_at(from + egui::vec2(12.0, -6.0));
        harness.step();
        let held_at = from + egui::vec2(12.0, -6.0);
        let held = screen(&harness).on_plane(held_at, screen(&harness).camera.target);
        for part in [0.4, 0.8, 1.0] {
            harness.hover_at(held_at + (to - held_at) * part);
            harness.step();
        }
        let now = screen(&harness).project(held).unwrap();
        assert!(now.distance(to) < 1.5, "{button:?}: {now:?}, not {to:?}");
        harness.event(event(to, false));
        harness.event(egui::Event::ModifiersChanged(Modifiers::NONE));
        harness.step();
        let after = screen(&harness).camera;
        assert_eq!(after.view, before.camera.view, "it does not turn");
        assert!(after.target.distance(before.camera.target) > 1e-3);
    }
}

#[test]
fn a_bone_of_what_the_device_computes_is_framed_with_its_skin() {
    let mut harness = in_motion("default");
    let head = bone_named(&harness, "Head");
    harness.state_mut().state.selection.bones = vec![head];
    harness.key_press(Key::F);
    harness.run();
    let expected = screen(&harness).camera;
    harness.key_press_modifiers(Modifiers::SHIFT, Key::F);
    harness.run();
    harness.state_mut().state.viewport.force_device(true);
    harness.run();
    assert!(state(&harness).viewport.is_on_device());
    harness.key_press(Key::F);
    harness.run();
    let found = screen(&harness).camera;
    assert!((found.distance - expected.distance).abs() < 1e-4, "{found:?} {expected:?}");
}

#[test]
fn a_character_that_stands_still_is_not_drawn_again_for_every_move_of_the_mouse() {
    let mut harness = in_motion("default");
    harness.run();
    let drawn = |harness: &Harness<'static, Editor>| state(harness).viewport.pictures_drawn();
    let before = drawn(&harness);
    let center = screen(&harness).rect.center();
    for step in 0..5 {
        harness.hover_at(center + egui::vec2(step as f32, 0.0));
        harness.step();
    }
    assert_eq!(drawn(&harness), before, "nothing in it has changed");
    harness.state_mut().state.viewport.has_wireframe = true;
    harness.run();
    assert_eq!(drawn(&harness), before + 1, "the wireframe once");
    press(&mut harness, center, center + egui::vec2(40.0, 0.0));
    let_go(&mut harness, center + egui::vec2(40.0, 0.0));
    assert!(drawn(&harness) > before + 1, "the camera has turned");
    let turned = drawn(&harness);
    harness.state_mut().state.playhead.time_secs += 0.1;
    harness.run();
    assert!(drawn(&harness) > turned, "it has moved on");
}
