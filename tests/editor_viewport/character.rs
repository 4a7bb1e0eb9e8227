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
    panic!("{name} does not come");
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
        let session = &mut harness.state_mut().state.session;
        session.perform("Dragon", Command::SetMotion(motion("dragon")));
        wait_for(&mut harness, "dragon");
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

/// Half of a change must not be taken over: numbers of bones came before the motion that could not be had.
#[test]
fn a_change_that_cannot_be_shown_leaves_everything_as_it_was() {
    let mut harness = in_motion("default");
    let before = state(&harness).show.bound().centroid_offsets.clone();
    let key = state(&harness).session.character_settings_key();
    let session = &mut harness.state_mut().state.session;
    let offset = Some([0.1, 0.2, 0.3]);
    let moved = Command::SetCentroidOffset { character: key, bone: "Head".to_owned(), offset };
    let mut motion = session.document().motion.clone();
    motion.test = Some("nod:Nobody".to_owned());
    session.perform("Both", Command::batch(vec![moved, Command::SetMotion(motion)]));
    let state = &mut harness.state_mut().state;
    let revision = state.show.revision();
    assert!(state.show.update(&state.session).is_err());
    assert_eq!(state.show.bound().centroid_offsets, before);
    assert_eq!(state.show.revision(), revision);
    let session = &mut state.session;
    let motion = MotionSettings { test: None, ..session.document().motion.clone() };
    session.perform("Back", Command::SetMotion(motion));
    state.show.update(&state.session).unwrap();
    assert_ne!(state.show.bound().centroid_offsets, before, "now it is taken over");
}
