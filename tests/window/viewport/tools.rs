//! What a drag takes hold of, and what a click selects.

use super::*;

#[test]
fn a_velocity_drawn_on_a_bone_leaves_traces_that_end_where_vertices_are() {
    let mut harness = in_motion("default");
    harness.get_by_label("Draw Velocities").click();
    harness.run();
    let neck = bone_named(&harness, "Neck");
    let from = screen(&harness).project(on_bone(&harness, neck)).unwrap();
    press(&mut harness, from, from + egui::vec2(60.0, -30.0));
    let_go(&mut harness, from + egui::vec2(60.0, -30.0));
    harness.run();
    let state = state(&harness);
    let motion = *state.viewport.velocities.by_bone().get(&neck).expect("the bone has a velocity");
    assert!(motion.angular.length() > 0.2 && motion.linear == DVec3::ZERO, "{motion:?}");
    let traces = &state.viewport.velocities.trajectories;
    assert!((250..=300).contains(&traces.vertices.len()), "{}", traces.vertices.len());
    let drawn = &state.viewport.drawn;
    let mut longest: f32 = 0.0;
    for (path, &vertex) in traces.paths.iter().zip(&traces.vertices) {
        assert_eq!(path.len(), 25);
        let end = path[24];
        assert!(end.distance(drawn.positions[vertex]) < 1e-6, "it ends at the deformed vertex");
        assert!(path[0].distance(drawn.plain[vertex]) < 1e-5, "and begins at plain skinning");
        longest = longest.max(end.distance(path[0]));
    }
    assert!(longest > 0.02, "{longest}");
    // Half the velocity is the middle of the path.
    let time_secs = state.playhead.time_secs;
    let pose = state.show.pose(time_secs);
    let mut half =
        vec![jounce::motion::BoneMotion::ZERO; state.show.character().skeleton.bones.len()];
    half[neck].angular = motion.angular * 0.5;
    let half = state.show.performer().frozen(&pose, time_secs, &half).unwrap();
    for (path, &vertex) in traces.paths.iter().zip(&traces.vertices) {
        assert!(path[12].distance(half.positions[vertex]) < 1e-6);
    }
    picture(&mut harness, "velocities");
    run(&mut harness, "Clear Velocities");
    assert!(harness.state().state.viewport.velocities.trajectories.paths.is_empty());
}

#[test]
fn a_dragged_bone_follows_the_hand_and_springs_back() {
    let mut harness = in_motion("default");
    harness.get_by_label("Drag Bones").click();
    harness.run();
    let neck = bone_named(&harness, "Neck");
    let before = state(&harness).shown.clone();
    let grabbed = on_bone(&harness, neck);
    let from = screen(&harness).project(grabbed).unwrap();
    let to = from + egui::vec2(70.0, 20.0);
    press(&mut harness, from, to);
    picture(&mut harness, "pull");
    let held = state(&harness).shown.clone();
    let joint = |shown: &jounce::session::Shown, bone: usize| {
        state(&harness).show.character().bone_origin(shown.pose.as_ref().unwrap(), bone)
    };
    assert!(joint(&before, neck).distance(joint(&held, neck)) < 1e-9, "it turns about its joint");
    // What was grabbed points to where the pointer is.
    let hand = state(&harness).viewport.hand.as_ref().expect("a hand holds it");
    let turn = glam::DQuat::from_scaled_axis(hand.pull().turn);
    let arm = turn * (grabbed.as_dvec3() - joint(&before, neck));
    let wanted = screen(&harness).on_plane(to, grabbed).as_dvec3() - joint(&before, neck);
    assert!(arm.normalize().dot(wanted.normalize()) > 0.9999, "{arm} {wanted}");
    assert!(farthest(&held.skinned.positions, &before.skinned.positions) > 0.05);
    let lag = farthest(&held.deformed.positions, &held.skinned.positions);
    assert!(lag > 1e-3, "the flesh follows late: {lag}");
    assert!(state(&harness).session.history().undo_label().is_none(), "nothing was set");
    let_go(&mut harness, to);
    for _ in 0..400 {
        harness.step();
        if state(&harness).viewport.hand.is_none() {
            break;
        }
    }
    assert!(state(&harness).viewport.hand.is_none(), "it has sprung back");
    let after = &state(&harness).shown;
    assert_eq!(after.deformed.positions, before.deformed.positions, "to the clip");
}

#[test]
fn a_dragged_centroid_keeps_its_offset_in_the_bones_frame() {
    let mut harness = in_motion("default");
    harness.get_by_label("Move Centroids").click();
    harness.run();
    picture(&mut harness, "centroids");
    let head = bone_named(&harness, "Head");
    let centroid = |state: &State, bone: usize| {
        let (character, pose) = (state.show.character(), state.shown.pose.as_ref().unwrap());
        let plain = character.centroids().evaluate(character, pose)[bone];
        let mut moved = vec![DVec3::ZERO; character.skeleton.bones.len()];
        moved[bone] = plain;
        let offsets = &state.show.bound().centroid_offsets;
        jounce::rig::centroid::offset_centroids(character, pose, &mut moved, offsets);
        (plain, moved[bone], character.bone_rotation(pose, bone))
    };
    let (plain, ..) = centroid(state(&harness), head);
    let from = screen(&harness).project(plain.as_vec3()).unwrap();
    let to = from + egui::vec2(25.0, -35.0);
    press(&mut harness, from, to);
    let_go(&mut harness, to);
    harness.run();
    let (plain, moved, rotation) = centroid(state(&harness), head);
    let wanted = screen(&harness).on_plane(to, plain.as_vec3());
    assert!(moved.as_vec3().distance(wanted) < 1e-3, "{moved} {wanted}");
    let name = state(&harness).show.character().skeleton.bone_name(head).to_owned();
    let settings = state(&harness).session.character_settings();
    let offset = DVec3::from_array(settings.centroid_offsets[&name]);
    assert!((rotation * offset).distance(moved - plain) < 1e-6);
    let duration_secs = state(&harness).show.duration_secs();
    for part in [0.0, 0.2, 0.55, 0.9] {
        harness.state_mut().state.playhead.time_secs = duration_secs * part;
        harness.run();
        let (plain, moved, rotation) = centroid(state(&harness), head);
        assert!((rotation.inverse() * (moved - plain)).distance(offset) < 1e-6, "{part}");
    }
    assert_eq!(state(&harness).session.history().undo_label(), Some("Move centroid"));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert!(state(&harness).session.character_settings().centroid_offsets.is_empty(), "one step");
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    harness.run();
    run(&mut harness, "Reset Centroids");
    assert!(state(&harness).session.character_settings().centroid_offsets.is_empty());
}

#[test]
fn a_click_on_a_vertex_says_what_moves_it() {
    let mut harness = in_motion("default");
    // One that faces us, so that the ray meets it first.
    let (vertex, place) = {
        let state = state(&harness);
        let (screen, shown) = (screen(&harness), &state.shown.deformed);
        let facing = |v: &usize| {
            let to_eye = (screen.eye() - shown.positions[*v]).normalize();
            shown.normals[*v].dot(to_eye)
        };
        let near = screen.project(screen.camera.target).unwrap();
        let all = (0..shown.positions.len()).filter(|v| facing(v) > 0.9);
        let distance = |v: &usize| screen.project(shown.positions[*v]).unwrap().distance(near);
        let best = all.min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap();
        (best, screen.project(shown.positions[best]).unwrap())
    };
    harness.hover_at(place);
    harness.step();
    harness.drag_at(place);
    harness.step();
    let_go(&mut harness, place);
    harness.run();
    let selected = state(&harness).selection.vertex.expect("a vertex is selected");
    let positions = &state(&harness).shown.deformed.positions;
    let apart = screen(&harness).project(positions[selected]).unwrap().distance(place);
    assert!(selected == vertex || apart < 6.0, "{selected} is {apart} from {vertex}");
    for _ in 0..600 {
        harness.step();
        if state(&harness).viewport.report.latest.is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    harness.run();
    picture(&mut harness, "vertex");
    let report = state(&harness).viewport.report.latest.clone().expect("an answer");
    assert_eq!(report.vertex, selected);
    let sum = |shares: &[jounce::session::Share]| shares.iter().map(|it| it.percent).sum::<f64>();
    assert!((sum(&report.bones) - 100.0).abs() < 1e-6, "{report:?}");
    assert!((sum(&report.nodes) - 100.0).abs() < 1e-6, "{report:?}");
    let names: Vec<&str> = report.nodes.iter().map(|share| share.name.as_str()).collect();
    assert!(names.contains(&"Trail"), "{names:?}");
    let shown = &state(&harness).shown;
    let moved = shown.deformed.positions[selected].distance(shown.skinned.positions[selected]);
    let size = state(&harness).show.character().size();
    assert!((report.displacement_sizes * size - f64::from(moved)).abs() < 1e-5 * size);
}

/// Joint and centroid of a bone now, as the document has them.
fn axis(state: &State, bone: usize) -> (DVec3, DVec3) {
    let (character, pose) = (state.show.character(), state.shown.pose.as_ref().unwrap());
    let mut centroids = character.centroids().evaluate(character, pose);
    let offsets = &state.show.bound().centroid_offsets;
    jounce::rig::centroid::offset_centroids(character, pose, &mut centroids, offsets);
    (character.bone_origin(pose, bone), centroids[bone])
}

#[test]
fn a_dragged_axis_turns_about_its_joint_and_keeps_its_length() {
    let mut harness = in_motion("default");
    harness.get_by_label("Move Centroids").click();
    harness.run();
    // The one that is easiest to take hold of: far from what else could be meant.
    let count = state(&harness).show.character().skeleton.bones.len();
    let lines: Vec<[Pos2; 2]> = (0..count)
        .map(|bone| axis(state(&harness), bone))
        .map(|(joint, end)| [joint, end].map(|it| screen(&harness).project(it.as_vec3()).unwrap()))
        .collect();
    let grip = |bone: usize| lines[bone][0] + (lines[bone][1] - lines[bone][0]) * 0.6;
    let room = |bone: usize| {
        let others = (0..count).filter(|other| *other != bone);
        let apart = others.map(|other| distance_to_line(grip(bone), lines[other]));
        apart.fold(grip(bone).distance(lines[bone][1]), f32::min)
    };
    let bone = (0..count).max_by(|&a, &b| room(a).total_cmp(&room(b))).unwrap();
    assert!(room(bone) > 9.0, "{}", room(bone));
    let (joint, before) = axis(state(&harness), bone);
    let plain_positions = state(&harness).shown.deformed.positions.clone();
    let grabbed = joint.lerp(before, 0.6).as_vec3();
    let from = screen(&harness).project(grabbed).unwrap();
    let to = from + egui::vec2(-12.0, 22.0);
    press(&mut harness, from, to);
    let_go(&mut harness, to);
    harness.run();
    assert_eq!(state(&harness).selection.bones, [bone]);
    let (_, after) = axis(state(&harness), bone);
    assert!(after.distance(before) > 1e-3, "it has moved");
    let (long, now) = (before.distance(joint), after.distance(joint));
    assert!((long - now).abs() < 1e-5, "{long} became {now}");
    let wanted = screen(&harness).on_plane(to, grabbed).as_dvec3() - joint;
    let aim = (after - joint).normalize().dot(wanted.normalize());
    assert!(aim > 0.99999, "what was grabbed points to the pointer: {aim}");
    assert_eq!(state(&harness).session.history().undo_label(), Some("Move centroid"));
    let moved = farthest(&state(&harness).shown.deformed.positions, &plain_positions);
    println!("vertices moved by up to {moved}");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert!(axis(state(&harness), bone).1.distance(before) < 1e-9, "one step back");
}

#[test]
fn escape_takes_back_only_the_velocity_that_is_dragged() {
    let mut harness = in_motion("default");
    harness.get_by_label("Draw Velocities").click();
    harness.run();
    let (neck, spine) = (bone_named(&harness, "Neck"), bone_named(&harness, "Spine"));
    let motion = jounce::motion::BoneMotion { linear: DVec3::Y, angular: DVec3::ZERO };
    harness.state_mut().state.viewport.velocities.set(spine, motion);
    harness.run();
    let from = screen(&harness).project(on_bone(&harness, neck)).unwrap();
    press(&mut harness, from, from + egui::vec2(60.0, -30.0));
    assert_eq!(state(&harness).viewport.velocities.by_bone().len(), 2);
    harness.key_press(Key::Escape);
    harness.step();
    let left: Vec<usize> = state(&harness).viewport.velocities.by_bone().keys().copied().collect();
    assert_eq!(left, [spine]);
    let_go(&mut harness, from);
    harness.run();
    // One that had a velocity before has it again.
    harness.state_mut().state.viewport.velocities.set(neck, motion);
    harness.run();
    press(&mut harness, from, from + egui::vec2(60.0, -30.0));
    assert_ne!(state(&harness).viewport.velocities.by_bone()[&neck], motion);
    harness.key_press(Key::Escape);
    harness.step();
    assert_eq!(state(&harness).viewport.velocities.by_bone()[&neck], motion);
    let_go(&mut harness, from);
    harness.run();
    assert!(state(&harness).viewport.tool == Tool::Velocity);
    harness.hover_at(from);
    harness.run();
    harness.key_press(Key::Escape);
    harness.run();
    assert!(
        state(&harness).viewport.tool == Tool::Look,
        "with an empty hand it puts the tool down"
    );
}
