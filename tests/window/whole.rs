//! The editor as a whole: what it looks like, what keys do, what stays between runs.

mod code_pictures;
mod docking;
mod pictures;
mod shortcuts;

use crate::support::skipped::{Lacking, skip_loudly};
use crate::support::{canvas, editor};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use jounce::editor::{Editor, Panel, all_actions};
use jounce::graph::{built_in_style, style_names};

#[test]
fn it_opens_with_a_character_that_moves() {
    let mut harness = editor::example("default");
    let before = harness.state().state.shown.deformed.positions.clone();
    harness.state_mut().state.playhead.is_playing = true;
    harness.run_steps(12);
    let state = &harness.state().state;
    assert!(state.playhead.time_secs > 0.0);
    assert_ne!(before, state.shown.deformed.positions);
    assert_ne!(state.shown.deformed.positions, state.shown.skinned.positions, "it is alive");
    assert_eq!(harness.get_all_by_label("Viewport").count(), 2, "its tab and its picture");
    if let Ok(path) = std::env::var("JOUNCE_PICTURES") {
        editor::save_picture(&mut harness, &format!("{path}/editor.png"));
    }
}
