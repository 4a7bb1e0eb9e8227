//! A style on characters that nobody tuned it for: alive, standing, not torn.

use crate::support::shared::shared;
use glam::Vec3;
use jounce::graph::{Command, Document, MotionSettings, built_in_style};
use jounce::script::ScriptFolders;
use jounce::session::fit::{
    Fit, FitError, LEAST, MOST_AT_FEET, MOST_TORN, MOST_TURNED, Part, fit, hold_feet,
};
use jounce::session::{Cast, Progress, Session, Show};
use std::path::Path;

const CHARACTERS: [&str; 6] =
    ["Fox.glb", "CesiumMan.glb", "humanoid.gltf", "RobotExpressive.glb", "spot.glb", "marine.glb"];

fn session(style: &str, character: &str) -> Session {
    let mut document: Document = built_in_style(style).unwrap();
    document.motion.character = Some(character.to_owned());
    document.motion.clips = None;
    let cast = Cast::of_document(&document, None).unwrap();
    document.motion = cast.default_motion(None);
    Session::new(document, cast, ScriptFolders::new(Vec::new(), std::time::SystemTime::now()))
}

fn fitted(style: &str, character: &str) -> (Session, Fit) {
    let mut session = session(style, character);
    let fit = fit(&session, &Progress::default()).unwrap();
    assert!(session.perform("Fit to Clip", fit.command.clone()));
    (session, fit)
}

fn line(style: &str, character: &str, fit: &Fit, secs: f32) {
    let name = Path::new(character).file_name().unwrap().to_string_lossy();
    let after = &fit.after;
    let parts: Vec<String> = Part::ALL
        .into_iter()
        .filter_map(|part| Some(format!("{} {:.2}", part.name(), after.part(part)? * 100.0)))
        .collect();
    println!(
        "{style:18} {name:20} {:>14} | {} | height {:.2} | feet {:.2} | torn {:.3} | turned {:.3} % | {secs:.1} s",
        fit.clip,
        parts.join(", "),
        after.height_change * 100.0,
        after.feet * 100.0,
        after.torn_edges() * 100.0,
        after.turned() * 100.0,
    );
}

fn is_whole(fit: &Fit) -> bool {
    fit.after.torn_edges() <= MOST_TORN && fit.after.turned() <= MOST_TURNED
}

#[test]
fn every_part_of_a_stranger_goes_as_far_as_it_should_and_nothing_tears() {
    // What each of them has, and its clip moves.
    let wanted: [(&str, &[Part]); 6] = [
        ("Fox.glb", &[Part::Tips, Part::Ears, Part::Head]),
        ("CesiumMan.glb", &[Part::Hands, Part::Head]),
        ("humanoid.gltf", &[Part::Hands, Part::Head]),
        ("RobotExpressive.glb", &[Part::Hands, Part::Head]),
        ("spot.glb", &[Part::Ears, Part::Head]),
        ("marine.glb", &[Part::Hands]),
    ];
    let mut wrong = Vec::new();
    for (name, parts) in wanted {
        let Some(path) = shared(&format!("characters/{name}")) else { continue };
        let begun = std::time::Instant::now();
        let (_, fit) = fitted("default", &path.display().to_string());
        line("default", name, &fit, begun.elapsed().as_secs_f32());
        let reaches =
            |part: &Part| fit.after.part(*part).is_some_and(|it| part.goal().contains(&it));
        let leaps = !matches!(name, "spot.glb");
        let squashes = (0.05..0.1).contains(&fit.after.height_change) || !leaps;
        if !parts.iter().all(reaches) || !squashes || fit.feet_slide || !is_whole(&fit) {
            wrong.push(format!("{name}: {:?}", fit.after));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Whoever built the graph keeps it as it is.
#[test]
fn a_fit_changes_numbers_and_nothing_else_and_offers_to_hold_the_feet() {
    let Some(path) = shared("characters/CesiumMan.glb") else { return };
    let mut session = session("velocity-skinning", &path.display().to_string());
    let before = session.document().style.clone();
    let fit = fit(&session, &Progress::default()).unwrap();
    line("velocity-skinning", "CesiumMan", &fit, 0.0);
    assert!(session.perform("Fit to Clip", fit.command.clone()));
    let after = session.document().style.clone();
    assert_eq!(after.graph.links, before.graph.links);
    for (id, node) in &after.graph.nodes {
        let mut as_before = node.clone();
        as_before.settings.clone_from(&before.graph.nodes[id].settings);
        assert_eq!(as_before, before.graph.nodes[id]);
        let end = |style: &jounce::graph::Style| style.graph.nodes[id].settings.get("max").cloned();
        assert_eq!(end(&after), end(&before), "the ends of sliders are the user's");
    }
    assert!(is_whole(&fit) && fit.after.p95 > LEAST, "{:?}", fit.after);
    assert!(
        fit.feet_slide && fit.summary().contains("a Pin before the Output would hold the feet")
    );
    let pin = hold_feet(&session, fit.after.ground_lift).unwrap();
    assert!(session.perform("Hold Feet", pin));
    session.document().validate_invariants().unwrap();
    let held = jounce::session::fit::fit(&session, &Progress::default()).unwrap();
    assert!(held.after.feet <= MOST_AT_FEET, "{:?}", held.after);
}

#[test]
fn a_fit_is_for_strength_1_whatever_the_slider_says() {
    let amounts = |strength: f64| {
        let mut session = session("default", "cow");
        let set = Command::SetSetting {
            graph: jounce::graph::GraphRef::Top,
            node: "strength".to_owned(),
            port: "value".to_owned(),
            value: Some(jounce::script::Setting::Float(strength)),
        };
        assert!(session.perform("Set strength", set));
        let fit = fit(&session, &Progress::default()).unwrap();
        assert!(session.perform("Fit to Clip", fit.command));
        let graph = &session.document().style.graph;
        let value = graph.nodes["strength"].settings["value"].clone();
        assert_eq!(value, jounce::script::Setting::Float(strength), "the slider is the user's");
        ["lag", "ears", "squash-gain"].map(|node| graph.nodes[node].settings.clone())
    };
    assert_eq!(amounts(1.0), amounts(2.0));
}

/// What somebody sees who plays the fitted character, at every frame: moments and measures that the fit does
/// not use itself.
struct Seen {
    /// 95 of 100 vertices go less far, in the frame in which they go furthest.
    furthest: f32,
    /// Of what is lowest in a frame and stands still there.
    feet: f32,
    /// Part of the surface that looks away from where it looked, in the worst frame.
    turned_over: f32,
}

fn watch(session: &Session, fps: f64) -> Seen {
    let show = Show::new(session).unwrap();
    let size = show.bound().size as f32;
    let frames = (show.duration_secs() * fps).floor().min(240.0) as usize;
    let mut seen = Seen { furthest: 0.0, feet: 0.0, turned_over: 0.0 };
    let mut before: Option<Vec<Vec3>> = None;
    for frame in 0..frames {
        let shown = show.at(frame as f64 / fps).unwrap();
        let (plain, moved) = (&shown.skinned.positions, &shown.deformed.positions);
        let mut lengths: Vec<f32> =
            plain.iter().zip(moved).map(|(a, b)| a.distance(*b) / size).collect();
        let ground = plain.iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
        if let Some(before) = &before {
            for ((now, then), length) in plain.iter().zip(before).zip(&lengths) {
                let speed = now.distance(*then) * fps as f32 / size;
                if now.y - ground < 0.015 * size && speed < 0.1 {
                    seen.feet = seen.feet.max(*length);
                }
            }
        }
        let area = |at: &[Vec3], corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|corner| at[corner as usize]);
            (b - a).cross(c - a)
        };
        let (mut all, mut over) = (0.0, 0.0);
        for corners in &show.character().mesh.triangles {
            let (was, is) = (area(plain, corners), area(moved, corners));
            all += was.length();
            over += if was.dot(is) < 0.0 { was.length() } else { 0.0 };
        }
        seen.turned_over = seen.turned_over.max(over / all);
        lengths.sort_by(f32::total_cmp);
        seen.furthest = seen.furthest.max(lengths[lengths.len() * 95 / 100]);
        before = Some(plain.clone());
    }
    seen
}

#[test]
fn whoever_plays_a_fitted_character_sees_it_alive_standing_and_whole() {
    let mut wrong = Vec::new();
    for (name, fps) in CHARACTERS.into_iter().flat_map(|name| [(name, 24.0), (name, 60.0)]) {
        let Some(path) = shared(&format!("characters/{name}")) else { continue };
        let (session, _) = fitted("default", &path.display().to_string());
        let Seen { furthest, feet, turned_over } = watch(&session, fps);
        let line = format!(
            "{name} at {fps} fps: alive {:.2} %, feet {:.2} %, turned over {:.3} % of the surface",
            furthest * 100.0,
            feet * 100.0,
            turned_over * 100.0
        );
        println!("{line}");
        if furthest < 0.02 || feet > 0.01 || turned_over > 0.002 {
            wrong.push(line);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn our_own_characters_fit_too_and_a_second_fit_changes_little() {
    for (style, name) in [
        ("default", "cow"),
        ("default", "giraffe"),
        ("velocity-skinning", "cow"),
        ("cartoon", "cow"),
    ] {
        let begun = std::time::Instant::now();
        let (session, first) = fitted(style, name);
        line(style, name, &first, begun.elapsed().as_secs_f32());
        assert!(is_whole(&first), "{style} on {name}: {:?}", first.after);
        assert!(first.after.p95 > LEAST / 2.0, "{style} on {name}: {:?}", first.after);
        let second = fit(&session, &Progress::default()).unwrap();
        let change = second.after.p95 / first.after.p95;
        assert!((0.8..1.25).contains(&change), "{style} on {name}: {:?}", second.after);
    }
}

#[test]
fn a_fit_is_one_step_and_can_be_given_up() {
    let mut session = session("velocity-skinning", "cow");
    let before = session.document().clone();
    let cancelled = Progress::default();
    cancelled.cancel();
    assert!(matches!(fit(&session, &cancelled), Err(FitError::Cancelled(_))));
    let fit = fit(&session, &Progress::default()).unwrap();
    assert!(session.perform("Fit to Clip", fit.command));
    assert_ne!(*session.document(), before);
    session.document().validate_invariants().unwrap();
    assert_eq!(session.undo().as_deref(), Some("Fit to Clip"));
    assert_eq!(*session.document(), before);
}

#[test]
fn what_cannot_be_fitted_is_said() {
    let empty = Session::new(
        Document::default(),
        Cast::load(&MotionSettings::default(), None).unwrap(),
        ScriptFolders::new(Vec::new(), std::time::SystemTime::now()),
    );
    let error = fit(&empty, &Progress::default()).unwrap_err();
    assert!(error.to_string().contains("wire a Parameter"), "{error}");
}

#[test]
fn the_command_line_writes_a_document_that_works_where_it_lies() {
    let folder = tempfile::tempdir().unwrap();
    let repo = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::copy(repo.join("examples/bird.glb"), folder.path().join("bird.glb")).unwrap();
    std::fs::create_dir(folder.path().join("out")).unwrap();
    let jounce = |args: &[&str]| {
        let out = crate::support::program::command()
            .args(args)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (out.status.success(), text(&out.stdout), text(&out.stderr))
    };
    let (ok, out, err) =
        jounce(&["fit", "bird.glb", "--graph", "velocity-skinning", "-o", "out/fit.jounce"]);
    assert!(ok && out.contains("fitted to clip"), "{out}{err}");
    let document = Document::load(folder.path().join("out/fit.jounce")).unwrap().document;
    assert_eq!(document.motion.character.as_deref(), Some("../bird.glb"));
    let (ok, out, err) = jounce(&["bake", "--graph", "out/fit.jounce", "-o", "a.pc2"]);
    assert!(ok, "{out}{err}");
    let (ok, _, err) = jounce(&["fit", "bird.glb", "--graph", "nothing", "-o", "x.jounce"]);
    assert!(!ok && err.contains("there is no built-in style"), "{err}");
    let (ok, _, err) =
        jounce(&["fit", "bird.glb", "--graph", "default", "--clip", "swim", "-o", "x.jounce"]);
    assert!(!ok && err.contains("there is no clip"), "{err}");
}
