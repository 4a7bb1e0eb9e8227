//! Time that outlives the motion it was of, and what the document says of it.

use super::*;
use jounce::editor::files::Order;
use jounce::graph::{Command, MotionSettings};

fn set_motion(harness: &mut Harness<Editor>, change: impl FnOnce(&mut MotionSettings)) {
    let session = &mut harness.state_mut().state.session;
    let mut motion = session.document().motion.clone();
    change(&mut motion);
    assert!(session.perform("Choose motion", Command::SetMotion(motion)));
    harness.run_steps(2);
}

/// Durations of the cow's clips, longest first.
fn clips(harness: &Harness<Editor>) -> Vec<(String, f64)> {
    let clips = harness.state().state.session.cast().clips.iter();
    let mut clips: Vec<_> = clips.map(|it| (it.name.clone(), it.duration_secs())).collect();
    clips.sort_by(|a, b| b.1.total_cmp(&a.1));
    clips
}

#[test]
fn a_shorter_clip_takes_the_playhead_and_its_range_along() {
    let mut harness = open("default");
    let clips = clips(&harness);
    let (longest, shortest) = (clips.first().unwrap().clone(), clips.last().unwrap().clone());
    assert!(longest.1 > shortest.1 * 1.2, "{clips:?}");
    set_motion(&mut harness, |motion| motion.clip = Some(longest.0.clone()));
    let head = &mut harness.state_mut().state.playhead;
    (head.time_secs, head.is_playing) = (longest.1, false);
    head.range_secs = Some((shortest.1 * 1.05, longest.1));
    harness.run_steps(2);
    set_motion(&mut harness, |motion| motion.clip = Some(shortest.0.clone()));
    let head = harness.state().state.playhead;
    assert_eq!(head.time_secs, shortest.1, "not beyond the end");
    assert_eq!(head.range_secs, None, "nothing is left of the range");
    harness.state_mut().state.playhead.is_playing = true;
    harness.run_steps(3);
    assert_ne!(harness.state().state.playhead.time_secs, shortest.1, "it plays");
}

#[test]
fn speed_two_doubles_the_way_and_backwards_goes_on_from_the_end() {
    let mut harness = open("default");
    set_motion(&mut harness, |motion| motion.looped = true);
    let duration_secs = harness.state().state.show.duration_secs();
    let mut way = |speed: f64| {
        let head = &mut harness.state_mut().state.playhead;
        (head.speed, head.time_secs, head.is_playing) = (speed, 0.1, true);
        harness.state_mut().state.advance(0.05);
        harness.state().state.playhead.time_secs - 0.1
    };
    assert!((way(1.0) - 0.05).abs() < 1e-9);
    assert!((way(2.0) - 0.1).abs() < 1e-9);
    assert!((way(-1.0) + 0.05).abs() < 1e-9);
    for looped in [true, false] {
        set_motion(&mut harness, |motion| motion.looped = looped);
        let head = &mut harness.state_mut().state.playhead;
        (head.speed, head.time_secs, head.is_playing) = (-1.0, 0.0, false);
        harness.key_press(Key::Space);
        harness.run_steps(2);
        let head = harness.state().state.playhead;
        assert!(head.is_playing, "looped: {looped}");
        let at = head.time_secs;
        assert!((duration_secs * 0.5..duration_secs).contains(&at), "{at} of {duration_secs}");
    }
}

#[test]
fn frames_per_second_are_the_documents() {
    let mut document = built_in_style("default").unwrap();
    document.motion.fps = Some(30.0);
    let mut harness = editor_of_size(document, SIZE);
    assert_eq!(harness.state().state.playhead.fps, 30.0, "read on opening");
    let field = harness.get_by_label("Frames per second").rect();
    drag(&mut harness, field.center(), egui::vec2(40.0, 0.0));
    let fps = harness.state().state.session.document().motion.fps.unwrap();
    assert!(fps > 31.0, "{fps}");
    assert_eq!(harness.state().state.playhead.fps, fps);
    let history = harness.state().state.session.history();
    assert_eq!(history.undo_label(), Some("Set frames per second"));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_steps(2);
    assert_eq!(harness.state().state.session.document().motion.fps, Some(30.0), "one step");
    assert_eq!(harness.state().state.playhead.fps, 30.0);
    // In and out are what a bake begins with.
    harness.state_mut().state.playhead.range_secs = Some((0.2, 0.6));
    let bake = jounce::editor::all_actions().find(|action| action.name == "Bake…").unwrap();
    let ctx = harness.ctx.clone();
    (bake.run)(&mut harness.state_mut().state, &ctx);
    let Some(Order::Bake(form)) = &harness.state().state.files.order else { panic!("no dialog") };
    assert_eq!((form.is_whole, form.first, form.last), (false, 6, 18));
}

#[test]
fn choosing_nod_turns_the_head() {
    let mut harness = open("default");
    let head = harness.state().state.show.character().skeleton.bone_named("Head").unwrap();
    harness.state_mut().state.selection.bones = vec![head];
    harness.run_steps(2);
    harness.get_by_label("Motion").click();
    harness.run_steps(3);
    harness.get_by_label("nod:Head").click();
    harness.run_steps(3);
    let state = &harness.state().state;
    assert_eq!(state.session.document().motion.test.as_deref(), Some("nod:Head"));
    let rotation = |bone: usize, time_secs: f64| {
        let pose = state.show.pose(time_secs);
        let character = state.show.character();
        let parent = character.skeleton.bones[bone].parent.unwrap();
        let to_parent = character.bone_rotation(&pose, parent).inverse();
        glam::DQuat::from_mat3(&(to_parent * character.bone_rotation(&pose, bone)))
    };
    let duration_secs = state.show.duration_secs();
    let turn = |bone: usize| {
        let times = (0..40).map(|step| duration_secs * f64::from(step) / 40.0);
        times.map(|at| rotation(bone, 0.0).angle_between(rotation(bone, at))).fold(0.0, f64::max)
    };
    let bones = &state.show.character().skeleton.bones;
    for bone in (0..bones.len()).filter(|&bone| bones[bone].parent.is_some()) {
        let turned = turn(bone).to_degrees();
        assert_eq!(turned > 5.0, bone == head, "{bone} turns by {turned} degrees");
    }
}
