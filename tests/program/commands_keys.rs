//! Keys of a document through the program: baked, drawn, compared, listed, overruled, exported.

use crate::support::program::{jounce_ok, jounce_says, read_pc2};
use glam::Vec3;
use jounce::eval::keyed_value::{KeyInterpolation, KeyNumber, KeyedValue, MotionKeys};
use jounce::graph::{Document, built_in_style, set_keys};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli_keys").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn curve(keys: &[(f64, f64)]) -> KeyedValue {
    let float = |keyed: KeyedValue, &(time_secs, x): &(f64, f64)| {
        keyed.with_key(time_secs, KeyNumber::Float(x))
    };
    keys.iter().fold(KeyedValue::default(), float)
}

/// A style on the cow's walk, with keys.
fn keyed(folder: &Path, style: &str, keys: &[(&str, KeyedValue)]) -> String {
    let mut document: Document = built_in_style(style).unwrap();
    document.motion.character = Some("cow".to_owned());
    document.motion.clip = Some("walk".to_owned());
    document.motion.looped = false;
    for (name, keyed) in keys {
        document.apply(set_keys("walk", name, keyed.clone())).unwrap();
    }
    let file = folder.join("keyed.jounce");
    document.save(&file).unwrap();
    file.to_str().unwrap().to_owned()
}

fn bake(folder: &Path, args: &[&str]) -> Vec<Vec<Vec3>> {
    let out = folder.join("out.pc2");
    jounce_ok(&[&["bake"], args, &["-o", out.to_str().unwrap()]].concat());
    read_pc2(&out).frames
}

#[test]
fn a_bake_has_more_here_and_none_there() {
    let folder = scratch("bake");
    let step = curve(&[(0.0, 0.0), (0.5, 0.6)]).with_interpolation(0, KeyInterpolation::Step);
    let file =
        keyed(&folder, "velocity-skinning", &[("floppy", step), ("squash", curve(&[(0.0, 0.0)]))]);
    let frames = bake(&folder, &["--graph", &file, "--fps", "24"]);
    let plain = bake(&folder, &["cow", "--clip", "walk", "--fps", "24"]);
    let floppy = bake(
        &folder,
        &["cow", "--clip", "walk", "--graph", "floppy", "--set", "floppy=0.6", "--fps", "24"],
    );
    for (frame, positions) in frames.iter().enumerate() {
        let expected = if frame < 12 { &plain } else { &floppy };
        let far = positions.iter().zip(&expected[frame]).map(|(a, b)| a.distance(*b));
        let far = far.fold(0.0, f32::max);
        assert!(far < 1e-6, "frame {frame}: {far}");
    }
    // The same moments at another rate, in a strip and alone, are the same bits.
    let finer = bake(&folder, &["--graph", &file, "--fps", "48"]);
    for frame in [0, 11, 12, 20] {
        assert!(finer[2 * frame] == frames[frame], "{frame}");
        let at = (frame as f64 / 24.0).to_string();
        assert!(bake(&folder, &["--graph", &file, "--at", &at])[0] == frames[frame], "{frame}");
    }
}

#[test]
fn what_is_set_by_hand_holds_for_the_whole_motion_and_that_is_said() {
    let folder = scratch("set");
    let file = keyed(&folder, "floppy", &[("floppy", curve(&[(0.1, 0.0), (0.6, 0.9)]))]);
    let out = folder.join("set.pc2");
    let said = jounce_says(&[
        "bake",
        "--graph",
        &file,
        "--set",
        "Floppy=0.3",
        "-o",
        out.to_str().unwrap(),
    ]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let expected = "has keys for Floppy in clip \"walk\"; here it is 0.3 throughout";
    assert!(said.stderr.contains(expected), "{}", said.stderr);
    let set = read_pc2(&out).frames;
    let bare =
        bake(&folder, &["cow", "--clip", "walk", "--graph", "floppy", "--set", "floppy=0.3"]);
    assert!(set == bare);
    // Another clip has no keys, and nothing is said of them.
    let said = jounce_says(&[
        "bake",
        "--graph",
        &file,
        "--clip",
        "head shake",
        "--set",
        "floppy=0.3",
        "-o",
        out.to_str().unwrap(),
    ]);
    assert!(!said.stderr.contains("keys"), "{}", said.stderr);
    let said = jounce_says(&["help", "bake"]);
    assert!(said.stdout.contains("whatever keys the file has"), "{}", said.stdout);
}

#[test]
fn check_lists_keys_and_says_which_do_nothing() {
    let folder = scratch("check");
    let keys = [("floppy", curve(&[(0.5, 1.0), (1.2, 0.0)])), ("flopy", curve(&[(0.0, 1.0)]))];
    let file = keyed(&folder, "floppy", &keys);
    let said = jounce_ok(&["check", &file]);
    assert!(
        said.contains("Keys in clip \"walk\"\n  floppy: 1 at 0.5 s (smooth), 0 at 1.2 s (smooth)"),
        "{said}"
    );
    assert!(said.contains("warning: clip \"walk\": the keys of \"flopy\" do nothing"), "{said}");
    // A clip that the character does not have; one that it has and does not play is fine.
    let mut document = Document::load(Path::new(&file)).unwrap().document;
    for clip in ["wlak", "hop"] {
        document.apply(set_keys(clip, "floppy", curve(&[(0.0, 1.0)]))).unwrap();
    }
    document.save(Path::new(&file)).unwrap();
    let said = jounce_ok(&["check", &file]);
    let expected = "the keys of the clip \"wlak\" do nothing, because the character has no such clip (did you mean \
                    \"walk\"?); rename or remove them";
    assert!(said.contains(expected), "{said}");
    assert!(!said.contains("clip \"hop\" do nothing"), "{said}");
    let json: Value = serde_json::from_str(&jounce_ok(&["check", &file, "--json"])).unwrap();
    assert_eq!(json["keys"]["walk"]["floppy"][1]["time"], 1.2);
    let baked = folder.join("x.pc2");
    let said =
        jounce_says(&["bake", "--graph", &file, "--frames", "0..1", "-o", baked.to_str().unwrap()]);
    assert!(said.stderr.contains("the keys of \"flopy\" do nothing"), "{}", said.stderr);
}

#[test]
fn an_export_hands_keys_to_its_host_and_leaves_what_is_keyed_open() {
    let folder = scratch("export");
    // One that users of the style see, and one that would be a constant.
    let keys = [
        ("Floppy", curve(&[(0.5, 1.0), (1.2, 0.0)])),
        ("trail.turn", curve(&[(0.0, 1.0), (0.4, 0.5)])),
        ("flopy", curve(&[(0.0, 1.0)])),
    ];
    let file = keyed(&folder, "floppy", &keys);
    let out = folder.join("out");
    let said = jounce_says(&[
        "export",
        &file,
        "--target",
        "wgsl",
        "--target",
        "program",
        "-o",
        out.to_str().unwrap(),
    ]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let lost = "clip \"walk\": the keys of \"flopy\" do nothing";
    assert!(said.stderr.contains(lost), "{}", said.stderr);
    let manifest: Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("manifest.json")).unwrap()).unwrap();
    let names: Vec<&str> = (manifest["parameters"].as_array().unwrap().iter())
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"floppy") && names.contains(&"trail.turn"), "{names:?}");
    let exported: MotionKeys = serde_json::from_value(manifest["keys"].clone()).unwrap();
    assert_eq!(exported["walk"]["floppy"], keys[0].1, "under the name that it is shown by");
    assert_eq!(exported["walk"]["trail.turn"], keys[1].1);
    assert_eq!(exported["walk"].len(), 2);
    assert_eq!(manifest["keys"]["walk"]["floppy"][0]["interpolation"], "smooth", "said in full");
    let shader = std::fs::read_to_string(out.join("keyed.wgsl")).unwrap();
    assert!(shader.contains("turn"), "it is read, not folded into a 1");
    // What is exported for a game in Rust plays the same with the manifest's keys.
    let text = std::fs::read_to_string(out.join("keyed.program.json")).unwrap();
    let program = jounce::ir::Program::from_saved_text(&text).unwrap();
    let cow = std::sync::Arc::new(jounce::rig::own::built_in("cow").unwrap());
    let clip = cow.clips.iter().find(|clip| clip.name == "walk").unwrap().clone();
    let playback = jounce::motion::Playback::once(clip.duration_secs());
    let mut performer = jounce::eval::Performer::new(program, cow, &Default::default()).unwrap();
    performer.set_keys(std::sync::Arc::new(exported));
    performer.play(std::sync::Arc::new(clip), playback).unwrap();
    assert_eq!(performer.key_warnings(), []);
    let baked = bake(&folder, &["--graph", &file, "--fps", "24"]);
    for (frame, expected) in baked.iter().enumerate() {
        let mut found = Vec::new();
        performer.positions_into(frame as f64 / 24.0, &mut found).unwrap();
        let far = found.iter().zip(expected).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(far < 2e-6, "frame {frame}: {far}");
    }
    let plain = keyed(&folder, "floppy", &[]);
    let out = folder.join("plain");
    jounce_ok(&["export", &plain, "--target", "wgsl", "-o", out.to_str().unwrap()]);
    let manifest = std::fs::read_to_string(out.join("manifest.json")).unwrap();
    assert!(!manifest.contains("\"keys\""), "nothing is said where nothing is keyed");
}

#[test]
fn fitting_leaves_keyed_amounts_alone() {
    let folder = scratch("fit");
    let keys = curve(&[(0.2, 0.4), (0.6, 0.1)]);
    let file = keyed(&folder, "velocity-skinning", &[("floppy", keys.clone())]);
    let out = folder.join("fitted.jounce");
    jounce_ok(&["fit", "cow", "--clip", "walk", "--graph", &file, "-o", out.to_str().unwrap()]);
    let fitted = Document::load(&out).unwrap().document;
    let before = built_in_style("velocity-skinning").unwrap();
    assert_eq!(fitted.motion.keys["walk"]["floppy"], keys);
    let nodes = |document: &Document| document.style.graph.nodes.clone();
    assert_eq!(nodes(&fitted)["floppy"].settings, nodes(&before)["floppy"].settings);
    assert_ne!(nodes(&fitted)["squash"].settings, nodes(&before)["squash"].settings);
    let file = keyed(&folder, "floppy", &[("floppy", keys)]);
    let said = jounce_says(&[
        "fit",
        "cow",
        "--clip",
        "walk",
        "--graph",
        &file,
        "-o",
        out.to_str().unwrap(),
    ]);
    assert_eq!(said.code, 1);
    assert!(
        said.stderr.contains("all amounts of this style are keyed over clip \"walk\""),
        "{}",
        said.stderr
    );
}
