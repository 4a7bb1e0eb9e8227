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
use jounce::draw::{Bounds, Camera, View};
use jounce::editor::Editor;
use jounce::eval::PaintedMap;
use jounce::graph::{Command, Document, Owner, built_in_style};
use jounce::rig::own;
use jounce::script::ScriptFolders;
use jounce::session::painting::{Brush, Masks, PaintSurface, Sight, Stamp, Stroke, make_floppy};
use jounce::session::{Cast, Changed, Session, Show};

const FRAMES: usize = 16;
/// A software adapter takes a second for each.
const WARM_UP: usize = 4;
const BAR_SECS: f64 = 8e-3;

fn main() {
    // `-- painting` measures that alone.
    if !std::env::args().any(|arg| arg == "painting") {
        large_character();
        large_graph();
    }
    painting();
}

/// Of one stamp.
const STAMP_BAR_SECS: f64 = 4e-3;

/// Stamps on a large character: what each costs beside drawing the picture, from the place under the pointer to the numbers
/// in what plays.
fn painting() {
    let cow = own::make("cow", Some(150_000)).unwrap();
    let vertices = cow.mesh.positions.len();
    let document = built_in_style("default").unwrap();
    let scripts = ScriptFolders::new(Vec::new(), std::time::SystemTime::now());
    let mut session = Session::new(document, Cast::of("cow", cow), scripts);
    let character = session.cast().character.clone();
    let mesh = Some(character.mesh_fingerprint());
    let set = |values: Vec<f32>| Command::SetMap {
        character: "cow".to_owned(),
        map: "paint".to_owned(),
        values: Some(PaintedMap::new(values, mesh)),
    };
    session.perform("New map", set(vec![0.0; vertices]));
    let wired = make_floppy(&session.document().style.graph, "paint").unwrap();
    session.perform("Wire it", wired);
    let mut show = Show::new(&session).unwrap();
    let positions = show.at(0.3).unwrap().deformed.positions;
    let surface = PaintSurface::new(&character);
    let triangles = &character.mesh.triangles;
    let view = View::from_degrees(90.0, 0.0);
    let camera = Camera::framing(Bounds::of(&positions), 1.6, view);
    let (owner, masks) = (Owner::Hand(1), Masks::default());
    for radius_sizes in [0.03, 0.06, 0.12, 0.3] {
        let brush = Brush { radius_sizes, ..Brush::default() };
        let mut stroke = Stroke::new(brush, vec![0.0; vertices]);
        session.begin(owner, "Paint");
        let mut parts = [const { Vec::new() }; 3];
        for step in 0..24 {
            let at = glam::Vec2::new(-0.2 + step as f32 * 0.015, 0.1);
            let mut sight = None;
            let mut touch = None;
            let secs = timed(|| {
                let seen = Sight::new(camera, 1.6, &positions, character.size());
                touch = seen.touch(at, triangles);
                sight = Some(seen);
            });
            parts[0].push(secs);
            let at = touch.unwrap().at;
            let sight = sight.as_ref();
            parts[1].push(timed(|| {
                stroke.stamp(&surface, &masks, Stamp { at, pressure: 1.0, sight });
            }));
            parts[2].push(timed(|| {
                session.update(owner, "Paint", set(stroke.values().to_vec()));
                assert_eq!(show.update(&session).unwrap(), Changed::Maps);
            }));
        }
        session.commit(owner);
        let touched = stroke.values().iter().filter(|value| **value != 0.0).count();
        let median = |of: &[f64]| {
            let mut sorted = of.to_vec();
            sorted.sort_by(f64::total_cmp);
            sorted[sorted.len() / 2] * 1e3
        };
        let [seen, stamped, set] = parts.each_ref().map(|of| median(of));
        println!(
            "a stamp of {:.0} % on {vertices} vertices ({touched} painted by the stroke): {:.2} ms (bar {:.0} ms): place {seen:.2}, \
             distances and numbers {stamped:.2}, into what plays {set:.2}",
            radius_sizes * 100.0,
            seen + stamped + set,
            STAMP_BAR_SECS * 1e3,
        );
    }
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
