//! The viewport: what is looked at, compared, dragged; read back as numbers.
#![cfg(feature = "editor")]

#[path = "support/editor.rs"]
mod support;

#[path = "support/clock.rs"]
mod clock;

use egui::{Key, Modifiers, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use glam::{DVec3, Vec3};
use jounce::editor::panels::viewport::{Screen, Tool};
use jounce::editor::{Editor, State, all_actions};
use jounce::rig::Character;
use jounce::session::{FrozenScene, SlotName};
use support::example;

fn run(harness: &mut Harness<'static, Editor>, name: &str) {
    let action = all_actions().find(|action| action.name == name).unwrap();
    let ctx = harness.ctx.clone();
    let state = &mut harness.state_mut().state;
    assert!((action.is_enabled)(state), "{name}");
    (action.run)(state, &ctx);
    harness.run();
}

fn state<'a>(harness: &'a Harness<'static, Editor>) -> &'a State {
    &harness.state().state
}

fn screen(harness: &Harness<'static, Editor>) -> Screen {
    state(harness).viewport.screen.unwrap()
}

/// Stands still in the middle of its motion, where it is deformed.
fn in_motion(name: &str) -> Harness<'static, Editor> {
    let mut harness = example(name);
    let duration_secs = state(&harness).show.duration_secs();
    harness.state_mut().state.playhead.time_secs = duration_secs * 0.37;
    harness.run();
    let shown = &state(&harness).shown;
    let farthest = farthest(&shown.deformed.positions, &shown.skinned.positions);
    assert!(farthest > 1e-4, "it is deformed: {farthest}");
    harness
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

fn picture(harness: &mut Harness<'static, Editor>, name: &str) {
    if let Ok(folder) = std::env::var("JOUNCE_PICTURES") {
        support::save_picture(harness, &format!("{folder}/viewport-{name}.png"));
    }
}

/// Presses, moves and lets go only if asked: a frame between, as a hand would.
fn press(harness: &mut Harness<'static, Editor>, from: Pos2, to: Pos2) {
    harness.hover_at(from);
    harness.step();
    harness.drag_at(from);
    harness.step();
    let half = from + (to - from) * 0.5;
    for at in [half, to, to] {
        harness.hover_at(at);
        harness.step();
    }
}

fn let_go(harness: &mut Harness<'static, Editor>, at: Pos2) {
    harness.drop_at(at);
    harness.step();
}

fn bone_named(harness: &Harness<'static, Editor>, name: &str) -> usize {
    state(harness).show.character().skeleton.bone_named(name).unwrap()
}

/// Three quarters along a bone's stick: towards its first child.
fn on_bone(harness: &Harness<'static, Editor>, bone: usize) -> Vec3 {
    let character: &Character = state(harness).show.character();
    let pose = state(harness).shown.pose.as_ref().unwrap();
    let child = character.skeleton.bones.iter().position(|of| of.parent == Some(bone)).unwrap();
    let (a, b) = (character.bone_origin(pose, bone), character.bone_origin(pose, child));
    a.lerp(b, 0.75).as_vec3()
}

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
    harness.key_up(Key::H);
    harness.step();
    harness.step();
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
}

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
    let pose = state.show.pose(state.playhead.time_secs);
    let mut half =
        vec![jounce::motion::BoneMotion::ZERO; state.show.character().skeleton.bones.len()];
    half[neck].angular = motion.angular * 0.5;
    let half = FrozenScene::of(&state.show, &pose).deform(&half).unwrap();
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

#[test]
fn a_crowd_stands_on_a_grid_each_at_its_own_time() {
    let mut harness = in_motion("default");
    harness.state_mut().state.viewport.crowd.layout.count = 4;
    run(&mut harness, "Crowd");
    harness.run();
    picture(&mut harness, "crowd");
    let time_secs = state(&harness).playhead.time_secs;
    let duration_secs = state(&harness).show.duration_secs();
    let drawn = state(&harness).viewport.drawn.members.clone();
    assert_eq!(drawn.len(), 4);
    let middle = |positions: &[Vec3]| positions.iter().sum::<Vec3>() / positions.len() as f32;
    for (member, drawn) in drawn.iter().enumerate() {
        let ahead_secs = duration_secs * member as f64 / 4.0;
        let expected = harness.state_mut().state.show.at(time_secs + ahead_secs).unwrap();
        let shift = middle(drawn) - middle(&expected.deformed.positions);
        let moved: Vec<Vec3> = expected.deformed.positions.iter().map(|p| *p + shift).collect();
        let apart = farthest(drawn, &moved);
        assert!(apart < 1e-4, "{member}: {apart}");
    }
    assert!(drawn[0][0].distance(drawn[1][0]) > 0.5, "side by side");
}

#[test]
fn what_the_device_computes_is_what_the_cpu_would() {
    let mut harness = in_motion("default");
    let before = state(&harness).shown.deformed.positions.clone();
    let plain_picture = harness.render().unwrap();
    harness.state_mut().state.viewport.force_device(true);
    harness.run();
    assert!(state(&harness).viewport.is_on_device());
    assert!(state(&harness).shown.deformed.positions.is_empty(), "nothing comes back");
    let on_device = harness.render().unwrap();
    let differing = plain_picture
        .pixels()
        .zip(on_device.pixels())
        .filter(|(a, b)| a.0.iter().zip(&b.0).any(|(a, b)| a.abs_diff(*b) > 12))
        .count();
    assert!(differing < 200, "{differing} pixels differ");
    let positions = harness.state_mut().state.positions().unwrap().to_vec();
    assert!(farthest(&positions, &before) < 1e-6, "for who asks they are there");
    harness.state_mut().state.viewport.tool = Tool::Look;
    harness.state_mut().state.selection.vertex = Some(0);
    harness.run();
    assert!(!state(&harness).viewport.is_on_device(), "a selected vertex needs the lists");
}

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

/// The same character so many times in one mesh, one in the other.
fn multiplied(character: &Character, times: u32) -> Character {
    let mut parts: jounce::rig::CharacterParts = (**character).clone();
    let one = (**character).clone();
    let vertices = one.mesh.positions.len() as u32;
    for copy in 1..times {
        let mesh = &mut parts.mesh;
        mesh.positions.extend(&one.mesh.positions);
        mesh.normals.extend(&one.mesh.normals);
        mesh.colors.extend(&one.mesh.colors);
        let shifted = |triangle: &[u32; 3]| triangle.map(|corner| corner + copy * vertices);
        mesh.triangles.extend(one.mesh.triangles.iter().map(shifted));
        parts.skin.append(one.skin.clone());
        for (map, of_one) in parts.maps.iter_mut().zip(&one.maps) {
            map.values.extend(&of_one.values);
        }
    }
    Character::new(parts).unwrap()
}

#[test]
fn a_large_character_hardly_keeps_the_main_thread_busy() {
    let mut harness = example("default");
    let state = &mut harness.state_mut().state;
    let large = multiplied(state.show.character(), 21);
    assert!(large.vertex_count() > 150_000);
    state.session.set_cast(jounce::session::Cast::of("cow", large));
    state.playhead.is_playing = true;
    harness.run_steps(4);
    assert!(harness.state().state.viewport.is_on_device());
    let mut least = [f64::INFINITY; 2];
    for _ in 0..8 {
        let begun = clock::thread_secs();
        harness.state_mut().state.advance(1.0 / 60.0);
        let advanced = clock::thread_secs();
        harness.step();
        let stepped = clock::thread_secs();
        least = [least[0].min(advanced - begun), least[1].min(stepped - advanced)];
    }
    let [evaluated, window] = least.map(|secs| secs * 1e3);
    eprintln!("evaluated in {evaluated:.2} ms, the whole window in {window:.2} ms of this thread");
    assert!(evaluated < 8.0, "{evaluated} ms");
}
