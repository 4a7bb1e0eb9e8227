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
