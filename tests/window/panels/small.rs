//! A small window: nothing is cut off.

use super::*;
use egui::Rect;

fn inside(inner: Rect, outer: Rect) -> bool {
    outer.expand(1.0).contains_rect(inner)
}

/// The room of a panel: what is below its tab, to the edges of its neighbours.
fn small() -> Harness<'static, Editor> {
    let mut harness = editor_of_size(built_in_style("default").unwrap(), [720.0, 480.0]);
    harness.run_steps(4);
    harness
}

#[test]
fn the_timeline_keeps_its_controls_and_its_ruler_in_a_small_window() {
    let mut harness = small();
    if let Ok(folder) = std::env::var("JOUNCE_PICTURES") {
        support::save_picture(&mut harness, &format!("{folder}/small.png"));
    }
    let canvas = harness.get_by_label("Graph canvas").rect();
    let window = Rect::from_min_max(
        egui::pos2(canvas.left() - 6.0, canvas.bottom()),
        egui::pos2(canvas.right() + 6.0, 480.0),
    );
    for name in ["Time", "Speed", "Frames per second", "Frame", "Motion", "Fit to Clip", "Loop"] {
        let rect = harness.get_by_label(name).rect();
        assert!(inside(rect, window), "{name}: {rect:?} in {window:?}");
    }
    let ruler = harness.get_by_label("Time").rect();
    assert!(ruler.height() >= 24.0 && ruler.width() > 200.0, "{ruler:?}");
    // In a large window the line is where it was.
    let canvas = {
        let large = editor_of_size(built_in_style("default").unwrap(), SIZE);
        large.get_by_label("Graph canvas").rect()
    };
    harness.set_size(SIZE.into());
    harness.run_steps(4);
    assert_eq!(harness.get_by_label("Graph canvas").rect(), canvas);
}

#[test]
fn names_of_bones_stay_inside_the_outliner() {
    let harness = small();
    let edge = harness.get_by_label("Graph canvas").rect().left();
    let skeleton = &harness.state().state.show.character().skeleton;
    let mut seen = 0;
    for bone in 0..skeleton.bones.len() {
        let name = skeleton.bone_name(bone);
        for node in harness.query_all_by_label(name) {
            seen += 1;
            let rect = node.rect();
            assert!(rect.right() <= edge && rect.width() > 20.0, "{name}: {rect:?} up to {edge}");
        }
    }
    assert!(seen >= 8, "{seen}");
}
