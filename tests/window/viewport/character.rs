//! Another character while something of the one before is in the hand.

use super::*;
use jounce::graph::{Command, MotionSettings};
use jounce::session::Cast;

/// Takes hold of a bone that the other character does not have.
fn take_hold(harness: &mut Harness<'static, Editor>, tool: Tool, fewer: usize) -> Pos2 {
    let count = state(harness).show.character().skeleton.bones.len();
    for bone in (fewer..count).rev() {
        let character = state(harness).show.character().clone();
        let pose = state(harness).shown.pose.clone().unwrap();
        let joint = character.bone_origin(&pose, bone);
        let centroid = character.centroids().evaluate(&character, &pose)[bone];
        let part = if tool == Tool::Centroid { 1.0 } else { 0.6 };
        let Some(at) = screen(harness).project(joint.lerp(centroid, part).as_vec3()) else {
            continue;
        };
        press(harness, at, at + egui::vec2(30.0, 20.0));
        if state(harness).selection.bones.first().is_some_and(|&held| held >= fewer) {
            return at + egui::vec2(30.0, 20.0);
        }
        let_go(harness, at + egui::vec2(30.0, 20.0));
        harness.state_mut().state.viewport.velocities.clear();
        harness.state_mut().state.selection.bones.clear();
    }
    panic!("nothing could be taken hold of with {tool:?}");
}

fn wait_for(harness: &mut Harness<'static, Editor>, name: &str) {
    for _ in 0..600 {
        harness.step();
        let state = state(harness);
        if state.session.cast().name == name && state.show.revision() == state.session.revision() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let state = state(harness);
    let said: Vec<_> = state.session.messages().iter().map(|it| &it.text).collect();
    let (cast, revisions) =
        (&state.session.cast().name, (state.show.revision(), state.session.revision()));
    panic!("{name} does not come, {cast} is there at {revisions:?}: {said:?}");
}

#[test]
fn another_character_lets_go_of_what_is_dragged() {
    let motion = |name: &str| MotionSettings {
        character: Some(name.to_owned()),
        ..MotionSettings::default()
    };
    let load = |name: &str| Cast::load(&motion(name), None).unwrap();
    let fewer = load("tube").character.skeleton.bones.len();
    for tool in [Tool::Pull, Tool::Velocity, Tool::Centroid] {
        let mut harness = in_motion("default");
        // Both have played before, so that they are there at once.
        for name in ["tube", "dragon"] {
            let session = &mut harness.state_mut().state.session;
            session.perform(name, Command::SetMotion(motion(name)));
            wait_for(&mut harness, name);
        }
        assert!(state(&harness).show.character().skeleton.bones.len() > fewer + 2);
        harness.get_by_label(tool.name()).click();
        harness.run();
        let at = take_hold(&mut harness, tool, fewer);
        let vertex = state(&harness).show.character().vertex_count() - 1;
        harness.state_mut().state.selection.vertex = Some(vertex);
        // One step forward, then back and forth again, as undo and redo do, all with the button down.
        let session = &mut harness.state_mut().state.session;
        session.perform("Tube", Command::SetMotion(motion("tube")));
        wait_for(&mut harness, "tube");
        let now = state(&harness);
        assert!(now.viewport.hand.is_none() && now.viewport.velocities.is_empty(), "{tool:?}");
        assert_eq!((now.selection.vertex, now.selection.bones.len()), (None, 0), "{tool:?}");
        for (part, name) in [(1.0, "dragon"), (2.0, "tube"), (3.0, "dragon"), (4.0, "tube")] {
            harness.hover_at(at + egui::vec2(10.0, -8.0) * part);
            harness.step();
            let session = &mut harness.state_mut().state.session;
            if name == "dragon" {
                session.undo()
            } else {
                session.redo()
            };
            wait_for(&mut harness, name);
        }
        let_go(&mut harness, at);
        harness.run_steps(3);
        let shown = &state(&harness).shown;
        assert_eq!(shown.deformed.positions.len(), load("tube").character.vertex_count());
    }
}

/// After an undo in the middle of a drag, the rest of it is one step again.
#[test]
fn an_undo_in_the_drag_of_a_centroid_leaves_one_step() {
    let mut harness = in_motion("default");
    harness.get_by_label("Move Centroids").click();
    harness.run();
    let at = take_hold(&mut harness, Tool::Centroid, 0);
    let offsets = |harness: &Harness<'static, Editor>| {
        state(harness).session.character_settings().centroid_offsets
    };
    assert!(!offsets(&harness).is_empty());
    harness.state_mut().state.session.undo();
    assert!(offsets(&harness).is_empty());
    for part in 1..4 {
        harness.hover_at(at + egui::vec2(7.0, 3.0) * part as f32);
        harness.step();
    }
    let_go(&mut harness, at + egui::vec2(21.0, 9.0));
    assert!(!offsets(&harness).is_empty(), "it goes on");
    harness.state_mut().state.session.undo();
    assert!(offsets(&harness).is_empty(), "one step");
}
