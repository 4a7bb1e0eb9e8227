//! A style on characters that nobody tuned it for: alive, standing, not torn.

use crate::support::shared::shared;
use glam::Vec3;
use jounce::graph::{Command, Document, MotionSettings, built_in_style};
use jounce::script::ScriptFolders;
use jounce::session::fit::{Fit, FitError, GOAL, LEAST, MOST_AT_FEET, MOST_FLIPPED, fit};
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
    let [before, after] = [fit.before, fit.after];
    println!(
        "{style:18} {name:20} {:>14} | p95 {:5.2} → {:5.2} % | feet {:5.2} → {:5.2} % | flips {:5.2} → {:5.2} % | × {:6.3} {} {secs:.1} s",
        fit.clip,
        before.p95 * 100.0,
        after.p95 * 100.0,
        before.feet * 100.0,
        after.feet * 100.0,
        before.flipped * 100.0,
        after.flipped * 100.0,
        fit.scale,
        if fit.has_new_pin { "pin" } else { "   " },
    );
}

#[test]
fn characters_come_alive_stand_still_and_stay_whole() {
    let mut wrong = Vec::new();
    for style in ["default", "velocity-skinning"] {
        for name in CHARACTERS {
            let Some(path) = shared(&format!("characters/{name}")) else { continue };
            let begun = std::time::Instant::now();
            let (_, fit) = fitted(style, &path.display().to_string());
            line(style, name, &fit, begun.elapsed().as_secs_f32());
            let after = fit.after;
            if after.feet > MOST_AT_FEET || after.p95 < LEAST || after.flipped > MOST_FLIPPED {
                wrong.push(format!("{style} on {name}: {after:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
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
fn sliders_reach_as_far_as_the_fit() {
    let Some(path) = shared("characters/Fox.glb") else { return };
    let mut session = session("default", &path.display().to_string());
    let survey = Some("Survey".to_owned());
    let motion = MotionSettings { clip: survey, ..session.document().motion.clone() };
    session.perform("Choose Clip", Command::SetMotion(motion));
    let fit = fit(&session, &Progress::default()).unwrap();
    assert!(session.perform("Fit to Clip", fit.command.clone()));
    assert!(fit.scale > 3.0, "the fox looks about: {}", fit.scale);
    for name in ["floppy", "squash"] {
        let settings = &session.document().style.graph.nodes[name].settings;
        let number = |port: &str| match settings.get(port) {
            Some(jounce::script::Setting::Float(x)) => *x,
            other => panic!("{name}.{port}: {other:?}"),
        };
        assert!(number("value") < number("max"), "{name}: {settings:?}");
    }
}

#[test]
fn our_own_characters_fit_too_and_a_second_fit_changes_little() {
    for (style, name) in [("default", "cow"), ("velocity-skinning", "giraffe"), ("cartoon", "cow")]
    {
        let begun = std::time::Instant::now();
        let (session, first) = fitted(style, name);
        line(style, name, &first, begun.elapsed().as_secs_f32());
        let after = first.after;
        assert!(after.feet <= MOST_AT_FEET && after.flipped <= MOST_FLIPPED, "{after:?}");
        assert!((LEAST..GOAL * 1.1).contains(&after.p95), "{after:?}");
        let second = fit(&session, &Progress::default()).unwrap();
        assert!((0.8..1.25).contains(&second.scale), "{style} on {name}: × {}", second.scale);
        assert!(!second.has_new_pin, "one Pin is enough");
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
