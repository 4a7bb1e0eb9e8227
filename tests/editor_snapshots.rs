//! Pictures of every panel and of every example's graph, compared with what they looked like before.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test --test editor_snapshots` takes them anew; look at the difference.
#![cfg(feature = "editor")]

#[path = "support/editor.rs"]
mod support;

use egui_kittest::{SnapshotOptions, SnapshotResults};
use jounce::editor::Panel;
use jounce::graph::{built_in_style, style_names};
use support::editor_of_size;

/// Text and curves may differ by a shade at their edges.
fn options() -> SnapshotOptions {
    SnapshotOptions::new().threshold(0.9).max_failed_pixels(40)
}

/// All but the viewport: what a graphics driver makes of light and shadow is its own affair, and is
/// judged by numbers in `draw.rs` and `editor_viewport.rs`.
#[test]
fn panels_look_as_they_did() {
    let mut results = SnapshotResults::new();
    for panel in Panel::ALL.into_iter().filter(|panel| *panel != Panel::Viewport) {
        let mut harness = editor_of_size(built_in_style("oscillation").unwrap(), [760.0, 420.0]);
        harness.state_mut().show_only(panel);
        harness.run_steps(2);
        harness.state_mut().state.canvas.fit();
        harness.run_steps(4);
        let name = format!("panel-{}", panel.name().to_lowercase());
        results.add(harness.try_snapshot_options(name, &options()));
    }
}

#[test]
fn graphs_look_as_they_did() {
    let mut results = SnapshotResults::new();
    for style in style_names() {
        let mut harness = editor_of_size(built_in_style(style).unwrap(), [1000.0, 520.0]);
        harness.state_mut().show_only(Panel::Graph);
        harness.run_steps(2);
        harness.state_mut().state.canvas.fit();
        harness.run_steps(6);
        results.add(harness.try_snapshot_options(format!("graph-{style}"), &options()));
    }
}

/// Twice as many pixels for the same layout: nothing may fall apart.
#[test]
fn the_graph_is_readable_at_twice_the_scale() {
    let mut harness = editor_of_size(built_in_style("default").unwrap(), [760.0, 420.0]);
    harness.state_mut().show_only(Panel::Graph);
    harness.set_pixels_per_point(2.0);
    harness.run_steps(2);
    harness.state_mut().state.canvas.fit();
    harness.run_steps(4);
    harness.snapshot_options("graph-twice-as-large", &options());
}
