//! What a frame of the editor costs the thread of its window.
//!
//! `cargo bench -p jounce-window-tests`. Processor time of that thread alone: laying out the window, evaluating the
//! bones, telling the device what to do and drawing. The device's own time is not in it, nor that of other
//! threads, which a software adapter uses. Medians and 95th percentiles, while the character plays.

#[allow(dead_code)]
#[path = "../../benches/support/clock.rs"]
mod clock;
#[path = "support/editor.rs"]
mod window;

use clock::timed;
use egui_kittest::Harness;
use jounce::editor::Editor;
use jounce::graph::{Document, built_in_style};
use jounce::rig::own;
use jounce::script::ScriptFolders;
use jounce::session::{Cast, Session};

const FRAMES: usize = 16;
/// A software adapter takes a second for each.
const WARM_UP: usize = 4;
const BAR_SECS: f64 = 8e-3;

fn main() {
    large_character();
    large_graph();
}

fn measure(name: &str, harness: &mut Harness<'static, Editor>) {
    harness.state_mut().state.playhead.is_playing = true;
    let mut frames = Vec::new();
    for frame in 0..FRAMES + WARM_UP {
        let secs = timed(|| {
            harness.step();
            harness.render().unwrap();
        });
        let steps_secs = timed(|| harness.step());
        // The first ones compile pipelines and fill caches.
        if frame >= WARM_UP {
            frames.push((steps_secs, secs));
        }
    }
    let percentile = |part: f64, of: fn(&(f64, f64)) -> f64| {
        let mut sorted: Vec<f64> = frames.iter().map(of).collect();
        sorted.sort_by(f64::total_cmp);
        sorted[((sorted.len() - 1) as f64 * part) as usize] * 1e3
    };
    println!(
        "{name}: median {:.2} ms, 95 % below {:.2} ms (bar {:.0} ms); with drawing into a picture and reading it \
         back {:.2} ms, {:.2} ms",
        percentile(0.5, |frame| frame.0),
        percentile(0.95, |frame| frame.0),
        BAR_SECS * 1e3,
        percentile(0.5, |frame| frame.1),
        percentile(0.95, |frame| frame.1),
    );
}

/// So many vertices are evaluated and drawn on the device.
fn large_character() {
    for style in ["default", "cartoon"] {
        let cow = own::make("cow", Some(150_000)).unwrap();
        let vertices = cow.mesh.positions.len();
        let document = built_in_style(style).unwrap();
        let scripts = ScriptFolders::new(Vec::new(), std::time::SystemTime::now());
        let session = Session::new(document, Cast::of("cow", cow), scripts);
        let mut harness = window::editor_of_session(session, [1500.0, 940.0]);
        measure(&format!("{style}, {vertices} vertices"), &mut harness);
    }
}

/// Chains of nodes side by side, added up at the end.
fn large_graph() {
    let chains = 39;
    let mut nodes = serde_json::json!({
        "velocity": { "type": "Velocity Extract", "position": [0, 0] },
        "output": { "type": "Output", "position": [1800, 0] },
    });
    let mut links = Vec::new();
    for chain in 0..chains {
        let mut last = "velocity.linear".to_owned();
        for (place, kind) in ["Smooth", "Time Filter", "Delay", "Spring"].into_iter().enumerate() {
            let id = format!("{chain}-{place}");
            nodes[&id] = serde_json::json!({
                "type": kind,
                "position": [300 + 300 * place, 260 * chain],
            });
            links.push([last, format!("{id}.value")]);
            last = format!("{id}.value");
        }
        let id = format!("{chain}-floppy");
        nodes[&id] = serde_json::json!({ "type": "Floppy", "position": [1500, 260 * chain] });
        links.push([last, format!("{id}.linear")]);
        links.push([format!("{id}.displacement"), "output.displacement".to_owned()]);
    }
    links.sort();
    let count = 2 + 5 * chains;
    let text = serde_json::json!({
        "format": 1,
        "style": { "graph": { "nodes": nodes, "links": links } },
    });
    let document = Document::from_bytes(text.to_string().as_bytes()).unwrap().document;
    let mut harness = window::editor_of_size(document, [1500.0, 940.0]);
    harness.state_mut().state.canvas.fit();
    harness.step();
    measure(&format!("{count} nodes, all in view"), &mut harness);
}
