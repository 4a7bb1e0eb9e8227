//! The editor as a whole: panels, actions, undo.
#![cfg(feature = "editor")]

#[path = "support/editor.rs"]
mod support;

use egui_kittest::kittest::Queryable;
use jounce::editor::all_actions;
use support::example;

#[test]
fn it_opens_with_a_character_that_moves() {
    let mut harness = example("default");
    let before = harness.state().state.shown.deformed.positions.clone();
    harness.state_mut().state.playhead.is_playing = true;
    harness.run_steps(12);
    let state = &harness.state().state;
    assert!(state.playhead.time_secs > 0.0);
    assert_ne!(before, state.shown.deformed.positions);
    assert_ne!(state.shown.deformed.positions, state.shown.skinned.positions, "it is alive");
    assert_eq!(harness.get_all_by_label("Viewport").count(), 2, "its tab and its picture");
    if let Ok(path) = std::env::var("JOUNCE_PICTURES") {
        support::save_picture(&mut harness, &format!("{path}/editor.png"));
    }
}

#[test]
fn no_two_actions_share_a_name_or_a_key() {
    let actions: Vec<_> = all_actions().collect();
    for (place, action) in actions.iter().enumerate() {
        assert!(action.help.ends_with('.'), "{}: help is a sentence", action.name);
        for other in &actions[..place] {
            assert_ne!(action.name, other.name);
            if action.shortcut.is_some() && action.shortcut == other.shortcut {
                panic!("{} and {} have the same keys", action.name, other.name);
            }
        }
    }
}
