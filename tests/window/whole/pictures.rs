//! Pictures of every panel, of the whole window and of every example's graph, compared with what they
//! looked like before. They are in `tests/window/snapshots/`.
//!
//! ```sh
//! UPDATE_SNAPSHOTS=1 cargo test -p jounce-window-tests --test window pictures    # takes those anew that differ; look at them
//! ```
//! Where one differs, `NAME.new.png` and `NAME.diff.png` beside it show how. They are taken on Mesa's
//! software driver (lavapipe), and compared on no other: what another makes of light, shadow and thin lines
//! is its own affair, and is judged by numbers elsewhere.

use super::*;
use egui_kittest::{SnapshotOptions, SnapshotResults};
use image::ImageEncoder;
use image::codecs::png;
use jounce::eval::keyed_value::{KeyInterpolation, KeyNumber, KeyedValue};
use jounce::graph::{Command, Document, GraphRef, NodeFrame, Selection, set_keys};
use jounce::session::Severity;
use std::path::Path;

/// Pixels may be a few shades lighter or darker, and a handful of them others: at the edges of letters. A
/// pin that is missing has some sixty, and two neighbouring greys of the theme are further apart.
fn options() -> SnapshotOptions {
    SnapshotOptions::new().output_path("snapshots").threshold(16.0).max_failed_pixels(12)
}

/// Of the window of an example's graph.
const GRAPH_SIZE: [f32; 2] = [940.0, 500.0];

/// Standing still in the middle of the motion, one panel alone in the window.
pub fn window(
    document: Document,
    panel: Option<Panel>,
    size: [f32; 2],
) -> Harness<'static, Editor> {
    window_of_scale(document, panel, size, 1.0)
}

fn window_of_scale(
    document: Document,
    panel: Option<Panel>,
    size: [f32; 2],
    scale: f32,
) -> Harness<'static, Editor> {
    let mut harness = editor::editor_of_scale(editor::session(document), size, scale);
    if let Some(panel) = panel {
        harness.state_mut().show_only(panel);
    }
    let state = &mut harness.state_mut().state;
    state.playhead.time_secs = state.show.duration_secs() * 0.37;
    harness.run();
    harness
}

/// Sizes of nodes are known once they were drawn.
fn fit(harness: &mut Harness<'static, Editor>) {
    harness.run();
    harness.state_mut().state.canvas.fit();
    harness.run();
    assert!(harness.state().state.jobs.is_idle());
}

fn takes_anew() -> bool {
    std::env::var("UPDATE_SNAPSHOTS").is_ok_and(|it| it != "0")
}

pub fn take(results: &mut SnapshotResults, harness: &mut Harness<'static, Editor>, name: &str) {
    let device = harness.state().state.device.as_ref();
    let adapter = device.map(|device| device.gpu.adapter.clone()).unwrap_or_default();
    if !adapter.contains("llvmpipe") {
        let why = format!("pictures are compared on lavapipe, not on \"{adapter}\"");
        skip_loudly(Lacking::Window, &why);
        return;
    }
    results.add(harness.try_snapshot_options(name, &options()));
    if takes_anew() {
        pack(&options().output_path.join(format!("{name}.png")));
    }
}

/// As small as it goes, with 6 bits per colour: pictures stay in the history for ever.
fn pack(path: &Path) {
    let mut picture = image::open(path).unwrap().into_rgb8();
    picture.iter_mut().for_each(|shade| *shade = (*shade & 0b1111_1100) | 0b10);
    let (width, height) = picture.dimensions();
    let packed = [png::FilterType::NoFilter, png::FilterType::Adaptive].map(|filter| {
        let mut bytes = Vec::new();
        let best = png::CompressionType::Best;
        let encoder = png::PngEncoder::new_with_quality(&mut bytes, best, filter);
        encoder.write_image(&picture, width, height, image::ExtendedColorType::Rgb8).unwrap();
        bytes
    });
    std::fs::write(path, packed.iter().min_by_key(|bytes| bytes.len()).unwrap()).unwrap();
}

/// A graph in which much can be seen at once: what is selected, muted, collapsed, framed and broken.
fn eventful() -> Document {
    let mut document = built_in_style("velocity-skinning").unwrap();
    let graph = GraphRef::Top;
    let node = |id: &str| id.to_owned();
    let members = ["trail", "stretch"].map(node).into();
    let frame = NodeFrame { title: "what is felt".to_owned(), color: [92, 148, 118], members };
    for command in [
        Command::SetMuted { graph: graph.clone(), node: node("stretch"), muted: true },
        Command::SetCollapsed { graph: graph.clone(), node: node("squash"), collapsed: true },
        Command::SetFrame { graph: graph.clone(), id: node("amounts"), frame: Some(frame) },
        Command::SetType { graph, node: node("velocity"), node_type: node("Velocity Extrakt") },
    ] {
        document.apply(command).unwrap();
    }
    document
}

#[test]
fn the_graph_panel_looks_as_it_did() {
    let mut results = SnapshotResults::new();
    let mut harness = window(eventful(), Some(Panel::Graph), [900.0, 520.0]);
    let state = &mut harness.state_mut().state;
    state.selection.in_graph = Selection::nodes(["trail"]);
    state.canvas.has_costs = true;
    fit(&mut harness);
    take(&mut results, &mut harness, "panel-graph");
}

#[test]
fn panels_look_as_they_did() {
    let mut results = SnapshotResults::new();
    for (panel, size) in [
        (Panel::Viewport, [600.0, 400.0]),
        (Panel::Timeline, [900.0, 170.0]),
        (Panel::Inspector, [330.0, 640.0]),
        (Panel::Outliner, [260.0, 480.0]),
        (Panel::Messages, [420.0, 230.0]),
    ] {
        let style = if panel == Panel::Viewport { "default" } else { "oscillation" };
        let mut harness = window(built_in_style(style).unwrap(), Some(panel), size);
        let state = &mut harness.state_mut().state;
        state.selection.bones = vec![2];
        match panel {
            Panel::Inspector => {
                state.selection.in_graph = Selection::nodes(["trail"]);
            }
            Panel::Timeline => {
                let duration_secs = state.show.duration_secs();
                state.playhead.range_secs = Some((duration_secs * 0.2, duration_secs * 0.8));
            }
            Panel::Messages => {
                let session = &mut state.session;
                session.say(Severity::Note, "saved walk.jounce");
                session.say(Severity::Warning, "velocity.linear → stretch.max stretch: use Length");
                session.say(Severity::Error, "cow.glb could not be read: the file ends too early");
            }
            _ => {}
        }
        harness.run();
        take(&mut results, &mut harness, &format!("panel-{}", panel.name().to_lowercase()));
    }
}

/// Each kind of key, and both amounts as they are now.
fn keyed() -> Document {
    let mut document = built_in_style("velocity-skinning").unwrap();
    document.motion.character = Some("cow".to_owned());
    document.motion.clip = Some("walk".to_owned());
    let float = KeyNumber::Float;
    let smooth = KeyedValue::default().with_key(0.25, float(0.8)).with_key(1.0, float(0.2));
    let mixed = KeyedValue::default()
        .with_key(0.0, float(0.0))
        .with_key(0.5, float(0.3))
        .with_key(1.25, float(0.1))
        .with_interpolation(0, KeyInterpolation::Step)
        .with_interpolation(1, KeyInterpolation::Linear);
    for (name, keys) in [("floppy", smooth), ("squash", mixed)] {
        document.apply(set_keys("walk", name, keys)).unwrap();
    }
    document
}

#[test]
fn keys_look_as_they_did() {
    let mut results = SnapshotResults::new();
    for (panel, size) in [(Panel::Timeline, [900.0, 200.0]), (Panel::Inspector, [330.0, 240.0])] {
        let mut harness = window(keyed(), Some(panel), size);
        harness.run();
        take(&mut results, &mut harness, &format!("keys-{}", panel.name().to_lowercase()));
    }
}

#[test]
fn the_whole_window_looks_as_it_did() {
    let mut results = SnapshotResults::new();
    let document = || built_in_style("default").unwrap();
    let mut harness = window(document(), None, [1100.0, 720.0]);
    harness.run();
    take(&mut results, &mut harness, "window");
    // Twice as many pixels for the same layout: nothing may fall apart.
    let mut harness = window_of_scale(document(), None, [720.0, 480.0], 2.0);
    harness.run();
    take(&mut results, &mut harness, "window-twice-as-fine");
}

#[test]
fn graphs_of_examples_look_as_they_did() {
    let mut results = SnapshotResults::new();
    for style in style_names() {
        let document = built_in_style(style).unwrap();
        let mut harness = window(document, Some(Panel::Graph), GRAPH_SIZE);
        fit(&mut harness);
        let view = &harness.state().state.canvas;
        let canvas = harness.get_by_label("Graph canvas").rect();
        for id in harness.state().state.session.document().style.graph.nodes.keys() {
            let node = view.node_rect(&GraphRef::Top, id).unwrap();
            assert!(canvas.contains_rect(node), "{style}: {id} at {node:?} is outside");
        }
        take(&mut results, &mut harness, &format!("graph-{style}"));
    }
}

/// Pictures of what is no more would stay for ever.
#[test]
fn there_is_no_picture_that_nothing_is_compared_with() {
    if takes_anew() {
        return;
    }
    let folder = options().output_path;
    let mut known: Vec<String> = style_names().map(|style| format!("graph-{style}.png")).collect();
    let panels = Panel::ALL.map(|panel| format!("panel-{}.png", panel.name().to_lowercase()));
    known.extend(panels);
    known.extend(
        ["keys-inspector.png", "keys-timeline.png", "window.png", "window-twice-as-fine.png"]
            .map(str::to_owned),
    );
    known.extend(code_pictures::NAMES.map(|name| format!("{name}.png")));
    known.sort();
    let files = std::fs::read_dir(&folder).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let is_kept = |name: &String| {
        !["new", "old", "diff"].iter().any(|kind| name.ends_with(&format!(".{kind}.png")))
    };
    let mut there: Vec<String> = names.filter(is_kept).collect();
    there.sort();
    assert_eq!(there, known);
    let sizes: Vec<u64> =
        there.iter().map(|name| folder.join(name).metadata().unwrap().len()).collect();
    let (largest, all) = (sizes.iter().max().unwrap(), sizes.iter().sum::<u64>());
    assert!(*largest < 120_000 && all < 2_000_000, "{largest} bytes, {all} in all");
}

/// Does a changed graph pass for the one in the picture?
fn passes(document: Document, picture: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let file = format!("{picture}.png");
    std::fs::copy(options().output_path.join(&file), folder.path().join(&file)).unwrap();
    let mut harness = window(document, Some(Panel::Graph), GRAPH_SIZE);
    fit(&mut harness);
    let options = options().output_path(folder.path());
    harness.try_snapshot_options(picture, &options).is_ok()
}

#[test]
fn what_is_missing_or_of_another_colour_is_seen() {
    if takes_anew() {
        return;
    }
    let style = || built_in_style("squash").unwrap();
    assert!(passes(style(), "graph-squash"));
    let (graph, node) = (GraphRef::Top, || "stretch".to_owned());
    let link = style().style.graph.links.iter().next().unwrap().clone();
    for command in [
        Command::Disconnect { graph: graph.clone(), link },
        Command::SetMuted { graph: graph.clone(), node: node(), muted: true },
        Command::SetTitle { graph: graph.clone(), node: node(), title: Some("Squish".to_owned()) },
        Command::SetType { graph, node: "velocity".to_owned(), node_type: "Time".to_owned() },
    ] {
        let mut document = style();
        let what = format!("{command:?}");
        document.apply(command).unwrap();
        assert!(!passes(document, "graph-squash"), "{what} is not seen");
    }
}

/// A letter that no font has is drawn as an empty box.
#[test]
fn every_letter_that_is_shown_is_in_a_font() {
    let harness = editor::example("default");
    for letter in "←→≠›·×•⟲▼…–—°²".chars() {
        let font = egui::FontId::proportional(13.0);
        let has_it = harness.ctx.fonts_mut(|fonts| fonts.has_glyph(&font, letter));
        assert!(has_it, "{letter}");
    }
}
