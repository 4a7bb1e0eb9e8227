//! The path of a vertex, sides that have a name, and the axes in the corner.

use super::*;
use egui::accesskit::Role;
use jounce::rig::{CharacterParts, Node, Skeleton, Trs};
use jounce::session::outermost_vertex;

#[test]
fn the_path_of_the_selected_vertex_or_bone_is_drawn_and_goes_away() {
    let mut harness = in_motion("dragon-whip");
    run(&mut harness, "Path");
    assert!(state(&harness).viewport.path.path().is_none(), "of nothing");
    let character = state(&harness).show.character().clone();
    let bone = character.skeleton.bone_named("Tail.2").unwrap();
    let vertex = outermost_vertex(&character, bone).unwrap();
    harness.state_mut().state.selection.bones = vec![bone];
    harness.run();
    let path = state(&harness).viewport.path.path().expect("of the bone").clone();
    assert_eq!(path.vertex, vertex);
    let frames = (state(&harness).show.duration_secs() * 24.0).round() as usize;
    assert_eq!((path.plain.len(), path.styled.len()), (frames, frames), "one tick per frame");
    // All of it is seen, and it goes through where the vertex is at a frame.
    let screen = screen(&harness);
    for point in path.points() {
        assert!(screen.rect.contains(screen.project(point).unwrap()), "{point}");
    }
    let frame = 7;
    harness.state_mut().state.playhead.go_to_frame(frame, 1e9);
    harness.run();
    let shown = &state(&harness).shown;
    let size = character.size() as f32;
    let loop_fps = frames as f64 / state(&harness).show.duration_secs();
    if (loop_fps - 24.0).abs() < 1e-9 {
        let tick = frame as usize;
        assert!(shown.deformed.positions[vertex].distance(path.styled[tick]) < 1e-5 * size);
        assert!(shown.skinned.positions[vertex].distance(path.plain[tick]) < 1e-5 * size);
    }
    picture(&mut harness, "path");
    // A vertex goes before a bone.
    harness.state_mut().state.selection.vertex = Some(11);
    harness.run();
    assert_eq!(state(&harness).viewport.path.path().unwrap().vertex, 11);
    harness.state_mut().state.selection = Default::default();
    run(&mut harness, "Path");
    assert!(!state(&harness).viewport.path.is_on);
}

#[test]
fn a_path_follows_sliders() {
    let mut harness = in_motion("floppy");
    run(&mut harness, "Path");
    let bone = bone_named(&harness, "Head");
    harness.state_mut().state.selection.vertex =
        outermost_vertex(state(&harness).show.character(), bone);
    harness.run();
    let before = state(&harness).viewport.path.path().unwrap().clone();
    let slider = harness.get_by_role_and_label(Role::Slider, "floppy").rect();
    harness.drag_at(slider.center());
    harness.run_steps(2);
    harness.hover_at(slider.center() + egui::vec2(30.0, 0.0));
    harness.run_steps(2);
    harness.drop_at(slider.center() + egui::vec2(30.0, 0.0));
    harness.run();
    let after = state(&harness).viewport.path.path().unwrap();
    assert_eq!(after.plain, before.plain, "plain skinning has no sliders");
    assert!(farthest(&after.styled, &before.styled) > 1e-3);
}

/// The same character, turned about Y below a node of its own.
fn turned(character: &Character, degrees: f64) -> Character {
    let top = character.skeleton.nodes.len();
    let mut nodes = character.skeleton.nodes.clone();
    nodes.iter_mut().filter(|node| node.parent.is_none()).for_each(|it| it.parent = Some(top));
    let rotation = glam::DQuat::from_rotation_y(degrees.to_radians());
    nodes.push(Node::new("top", None, Trs { rotation, ..Trs::IDENTITY }));
    let mut is_bone = vec![false; nodes.len()];
    character.skeleton.bones.iter().for_each(|bone| is_bone[bone.node] = true);
    let skeleton = Skeleton::new(nodes, &is_bone).unwrap();
    Character::new(CharacterParts { skeleton, ..CharacterParts::clone(character) }).unwrap()
}

#[test]
fn a_character_is_opened_from_its_front_and_sides_are_its_own() {
    for degrees in [0.0, 180.0, -90.0] {
        let mut session = support::session(jounce::graph::built_in_style("default").unwrap());
        let mut cast = session.cast().clone();
        cast.character = std::sync::Arc::new(turned(&cast.character, degrees));
        session.set_cast(cast);
        let mut harness = support::editor_of_session(session, [1200.0, 800.0]);
        let forward = glam::Quat::from_rotation_y(degrees.to_radians() as f32) * Vec3::Z;
        let left = Vec3::Y.cross(forward);
        let from = |harness: &Harness<'static, Editor>| screen(harness).camera.view.axes().z_axis;
        let opened = from(&harness);
        assert!(opened.dot(forward) > 0.7 && opened.dot(left) > 0.4, "{degrees}°: {opened}");
        picture(&mut harness, &format!("opened-{degrees}"));
        for (action, side) in [
            ("Front View", forward),
            ("Back View", -forward),
            ("Left View", left),
            ("Right View", -left),
            ("Top View", Vec3::Y),
        ] {
            run(&mut harness, action);
            assert!(from(&harness).distance(side) < 1e-3, "{action} at {degrees}°");
        }
    }
}

#[test]
fn a_click_on_an_axis_looks_from_there() {
    let mut harness = in_motion("default");
    for (label, side) in [
        ("Look from +X", Vec3::X),
        ("Look from −Z", Vec3::NEG_Z),
        ("Look from +Y", Vec3::Y),
        ("Look from +Z", Vec3::Z),
    ] {
        let selected = state(&harness).selection.bones.clone();
        harness.get_by_label(label).click();
        harness.run();
        let from = screen(&harness).camera.view.axes().z_axis;
        assert!(from.distance(side) < 1e-3, "{label}: {from}");
        assert_eq!(state(&harness).selection.bones, selected, "nothing else was clicked");
    }
    picture(&mut harness, "axes-in-the-corner");
}
