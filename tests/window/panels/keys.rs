//! Keys in the timeline and beside sliders: what is done there is read back from the document, and what is shown
//! is what the keys say.

use super::*;
use crate::support::canvas::double_click_at;
use egui_kittest::kittest::NodeT;
use jounce::eval::keyed_value::{KeyInterpolation, KeyNumber, KeyedValue};
use jounce::graph::{Document, delete, set_keys};

/// Half of a motion of 1.6 s is frame 19.2; these are whole frames.
const FIRST_SECS: f64 = 0.25;
const SECOND_SECS: f64 = 1.0;

fn document() -> Document {
    let mut document = built_in_style("velocity-skinning").unwrap();
    document.motion.character = Some("cow".to_owned());
    document.motion.clip = Some("walk".to_owned());
    document.motion.looped = false;
    document
}

fn keyed_document() -> Document {
    let mut document = document();
    let keyed = KeyedValue::default()
        .with_key(FIRST_SECS, KeyNumber::Float(0.8))
        .with_key(SECOND_SECS, KeyNumber::Float(0.2));
    document.apply(set_keys("walk", "floppy", keyed)).unwrap();
    document
}

fn keys(harness: &Harness<Editor>, name: &str) -> KeyedValue {
    let keys = &harness.state().state.session.document().motion.keys;
    keys.get("walk").and_then(|keys| keys.get(name)).cloned().unwrap_or_default()
}

fn times(harness: &Harness<Editor>) -> Vec<f64> {
    keys(harness, "floppy").keys.iter().map(|key| key.time_secs).collect()
}

fn go_to(harness: &mut Harness<Editor>, time_secs: f64) {
    harness.state_mut().state.playhead.time_secs = time_secs;
    harness.run_steps(2);
}

fn undo(harness: &mut Harness<Editor>) {
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_steps(2);
}

fn undo_label(harness: &Harness<Editor>) -> Option<String> {
    harness.state().state.session.history().undo_label().map(str::to_owned)
}

/// What the slider of the inspector shows.
fn slider_value(harness: &Harness<Editor>, name: &str) -> f64 {
    harness.get_by_role_and_label(Role::Slider, name).accesskit_node().numeric_value().unwrap()
}

#[test]
fn the_diamond_beside_a_slider_sets_a_key_and_removes_it() {
    let mut harness = editor_of_size(document(), SIZE);
    let before = float(&harness, "floppy", "value").unwrap();
    go_to(&mut harness, 0.5);
    harness.get_by_label("Key floppy").click();
    harness.run_steps(2);
    let keyed = keys(&harness, "floppy");
    assert_eq!((keyed.keys[0].time_secs, keyed.keys[0].value), (0.5, KeyNumber::Float(before)));
    assert_eq!(undo_label(&harness).as_deref(), Some("Key floppy"));
    // Elsewhere, the slider sets another key; its own setting stays.
    go_to(&mut harness, 1.0);
    let slider = harness.get_by_role_and_label(Role::Slider, "floppy").rect();
    drag(&mut harness, slider.center(), egui::vec2(30.0, 0.0));
    assert_eq!(times(&harness), [0.5, 1.0]);
    assert_eq!(float(&harness, "floppy", "value"), Some(before));
    assert_eq!(undo_label(&harness).as_deref(), Some("Set floppy"));
    undo(&mut harness);
    assert_eq!(times(&harness), [0.5], "the whole drag is one step");
    go_to(&mut harness, 0.5);
    harness.get_by_label("Remove key of floppy").click();
    harness.run_steps(2);
    assert_eq!(times(&harness), [0.0; 0]);
    assert!(harness.query_by_label("Keys of floppy").is_none(), "no row without keys");
    undo(&mut harness);
    assert_eq!(times(&harness), [0.5]);
    harness.get_by_label("Reset floppy").click();
    harness.run_steps(2);
    assert_eq!((times(&harness).len(), float(&harness, "floppy", "value")), (0, None));
}

#[test]
fn the_slider_shows_what_the_keys_say_as_time_goes_by() {
    let mut harness = editor_of_size(keyed_document(), SIZE);
    let keyed = keys(&harness, "floppy");
    let expected = |time_secs: f64| keyed.at(time_secs, None).unwrap().components()[0];
    for time_secs in [0.0, FIRST_SECS, 0.6, 0.8, SECOND_SECS, 1.5] {
        go_to(&mut harness, time_secs);
        let found = slider_value(&harness, "floppy");
        assert!((found - expected(time_secs)).abs() < 1e-9, "{time_secs}: {found}");
    }
    go_to(&mut harness, 0.3);
    if let Ok(folder) = std::env::var("JOUNCE_PICTURES") {
        support::save_picture(&mut harness, &format!("{folder}/keys.png"));
    }
    harness.state_mut().state.playhead.is_playing = true;
    let mut seen = Vec::new();
    for _ in 0..6 {
        harness.run_steps(1);
        let time_secs = harness.state().state.playhead.time_secs;
        let found = slider_value(&harness, "floppy");
        assert!((found - expected(time_secs)).abs() < 0.05, "{time_secs}: {found}");
        seen.push(found);
    }
    assert!(seen.windows(2).any(|pair| pair[0] != pair[1]), "{seen:?}");
    let compiled = harness.state().state.show.compile_count();
    assert_eq!(compiled, 1, "nothing was compiled for it");
    // Taking hold of the slider stops the motion: a key is at one time.
    let slider = harness.get_by_role_and_label(Role::Slider, "floppy").rect();
    drag(&mut harness, slider.center(), egui::vec2(10.0, 0.0));
    assert!(!harness.state().state.playhead.is_playing);
    assert_eq!(times(&harness).len(), 3);
}

#[test]
fn a_key_is_dragged_in_one_step_past_others_and_onto_whole_frames() {
    let mut harness = editor_of_size(keyed_document(), SIZE);
    let place = |harness: &Harness<Editor>, at: &str| {
        harness.get_by_label(&format!("Key of floppy at {at} s")).rect().center()
    };
    let (first, second) = (place(&harness, "0.25"), place(&harness, "1.00"));
    let per_sec = f64::from(second.x - first.x) / (SECOND_SECS - FIRST_SECS);
    // A quarter of a second, and a bit.
    drag(&mut harness, first, egui::vec2((per_sec * 0.26) as f32, 3.0));
    assert_eq!(times(&harness), [0.5, 1.0], "on a frame");
    assert_eq!(undo_label(&harness).as_deref(), Some("Move key of floppy"));
    undo(&mut harness);
    assert_eq!(times(&harness), [FIRST_SECS, SECOND_SECS]);
    assert_eq!(undo_label(&harness), None, "one step");
    drag(&mut harness, first, egui::vec2((per_sec * 1.0) as f32, 0.0));
    assert_eq!(times(&harness), [1.0, 1.25], "it has passed the other");
    assert_eq!(keys(&harness, "floppy").keys[1].value, KeyNumber::Float(0.8));
    undo(&mut harness);
    // What is played is what is seen.
    let state = &harness.state().state;
    let value = state.show.parameters().at(FIRST_SECS).get(state.show.program(), "floppy");
    assert_eq!(value, Some(jounce::ir::Number::Float(0.8)));
}

#[test]
fn double_clicks_add_and_remove_and_the_menu_changes_the_interpolation() {
    let mut harness = editor_of_size(keyed_document(), SIZE);
    let row = harness.get_by_label("Keys of floppy").rect();
    let key = harness.get_by_label("Key of floppy at 0.25 s").rect().center();
    let other = harness.get_by_label("Key of floppy at 1.00 s").rect().center();
    let between = egui::pos2((key.x + other.x) / 2.0, row.center().y);
    double_click_at(&mut harness, between);
    assert_eq!(times(&harness), [0.25, 0.625, 1.0]);
    let value = keys(&harness, "floppy").keys[1].value.components()[0];
    assert!((value - 0.5).abs() < 1e-9, "on the curve: {value}");
    assert_eq!(undo_label(&harness).as_deref(), Some("Key floppy"));
    double_click_at(&mut harness, key);
    assert_eq!(times(&harness), [0.625, 1.0]);
    assert_eq!(harness.state().state.playhead.time_secs, 0.25, "a click goes there");
    undo(&mut harness);
    for (name, interpolation) in
        [("Step", KeyInterpolation::Step), ("Linear", KeyInterpolation::Linear)]
    {
        harness.get_by_label("Key of floppy at 0.25 s").click_secondary();
        harness.run_steps(3);
        harness.get_by_label(name).click();
        harness.run_steps(3);
        assert_eq!(keys(&harness, "floppy").keys[0].interpolation, interpolation);
    }
    harness.get_by_label("Key of floppy at 0.25 s").click_secondary();
    harness.run_steps(3);
    harness.get_by_label("Remove All Keys of floppy").click();
    harness.run_steps(3);
    assert_eq!(times(&harness).len(), 0);
    undo(&mut harness);
    assert_eq!(times(&harness).len(), 3, "one step");
}

#[test]
fn a_parameter_takes_its_keys_along_when_it_goes_or_is_renamed() {
    let mut harness = editor_of_size(keyed_document(), SIZE);
    let session = &mut harness.state_mut().state.session;
    let gone = delete(session.document(), &Default::default(), &Selection::nodes(["floppy"]));
    session.perform("Delete", gone);
    harness.run_steps(2);
    assert!(harness.query_by_label("Keys of floppy").is_none());
    undo(&mut harness);
    assert_eq!(times(&harness).len(), 2, "both came back in one step");
    harness.state_mut().state.selection.in_graph = Selection::nodes(["floppy"]);
    harness.run_steps(2);
    harness.get_by_role_and_label(Role::TextInput, "name").click();
    harness.run_steps(2);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.event(egui::Event::Text("drag".to_owned()));
    harness.run_steps(1);
    harness.key_press(Key::Enter);
    harness.run_steps(3);
    assert_eq!((times(&harness).len(), keys(&harness, "drag").keys.len()), (0, 2));
    assert!(harness.query_by_label("Keys of drag").is_some());
    // In the node's own inputs, its value has the same button.
    go_to(&mut harness, FIRST_SECS);
    assert!(harness.query_by_label("Remove key of drag").is_some());
    undo(&mut harness);
    assert_eq!(times(&harness).len(), 2);
}
