//! What the program says beside its results: what a character lacks, names that were meant, loops that
//! are not played.

use crate::support::program::{jounce_ok, jounce_says};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli_hints").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A file with flesh for the cow, of a graph that swings it or does not.
fn flesh_file(folder: &Path, character: &str, flesh: Value, swings: bool) -> String {
    let (node, ty) = if swings { ("flesh", "Flesh") } else { ("trail", "Floppy") };
    let document = json!({
        "format": 1,
        "characters": {"cow": {"flesh": flesh}},
        "motion": {"character": character},
        "style": {"graph": {
            "nodes": {node: {"type": ty}, "out": {"type": "Output"}},
            "links": [[format!("{node}.displacement"), "out.displacement"]]}}});
    let file = folder.join("x.jounce");
    std::fs::write(&file, document.to_string()).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn check_looks_at_flesh_on_the_character_of_the_motion() {
    let folder = scratch("flesh");
    let flesh = json!({
        "belly": {"driver": "Root", "driven": ["Nek"], "map": "softnes"},
        "curved": {"driver": "Root", "driven": ["Neck"], "bones": ["Spine"],
            "curve": {"points": [[-1.5, 0], [0, 1.2], [1, 0]]}},
        "nowhere": {"driver": "Root", "driven": ["Root"]},
        "lost": {"driver": "Bauch", "driven": ["Neck"]}});
    let expected = [
        "warning: flesh \"belly\": the character has no bone \"Nek\" (did you mean \"Neck\"?)",
        "warning: flesh \"belly\": the character has no map \"softnes\"",
        "warning: flesh \"belly\": it has no driven bones",
        "warning: flesh \"curved\": its curve has points outside of −1 to 1 along the bone",
        "warning: flesh \"nowhere\": its virtual bone has no length",
        "warning: flesh \"lost\": the character has no bone \"Bauch\"",
    ];
    // Also where nothing swings it.
    for swings in [true, false] {
        let file = flesh_file(&folder, "cow", flesh.clone(), swings);
        let found = jounce_says(&["check", &file]);
        assert_eq!(found.code, 0, "{}", found.stdout);
        for line in expected {
            assert!(found.stdout.contains(line), "{line}\n{}", found.stdout);
        }
        let report: Value = serde_json::from_str(&jounce_ok(&["check", &file, "--json"])).unwrap();
        assert_eq!(report["warnings"].as_array().unwrap().len(), expected.len(), "{report}");
    }
    // A character file that is not there is named; the graph has no problems all the same.
    let file = flesh_file(&folder, "gone/Cow.glb", flesh, true);
    let found = jounce_says(&["check", &file]);
    assert_eq!(found.code, 0, "{}", found.stdout);
    let warning = "warning: the character of the motion cannot be read";
    assert!(
        found.stdout.contains(warning) && found.stdout.contains("gone/Cow.glb"),
        "{}",
        found.stdout
    );
}

#[test]
fn flesh_that_contradicts_itself_is_refused() {
    let folder = scratch("refused");
    let with = |key: &str, value: Value| {
        let mut belly = json!({"driver": "Root", "driven": ["Neck"]});
        belly[key] = value;
        let found =
            jounce_says(&["check", &flesh_file(&folder, "cow", json!({"belly": belly}), true)]);
        assert_eq!(found.code, 1, "{}", found.stdout);
        found.stderr
    };
    for points in [json!([[-1, 0], [1, 0], [0.3, 1]]), json!([])] {
        let said = with("curve", json!({"points": points}));
        assert!(said.contains("\"belly\" of \"cow\" needs at least one point"), "{said}");
    }
    let said = with("thickness", json!(-0.1));
    assert!(said.contains("the thickness of the flesh \"belly\""), "{said}");
    assert!(said.contains("must not be below 0"), "{said}");
}

#[test]
fn every_style_is_sound_on_its_character() {
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "jounce") {
            let said = jounce_ok(&["check", path.to_str().unwrap()]);
            assert!(said.contains("no problems found") && !said.contains("has no"), "{said}");
        }
    }
}

#[test]
fn a_target_that_is_not_there_finds_the_ones_that_are() {
    let export = |target: &str| {
        let out = scratch("target").join("out");
        let said =
            jounce_says(&["export", "floppy", "--target", target, "-o", out.to_str().unwrap()]);
        assert_eq!(said.code, 2, "{}", said.stderr);
        assert!(
            said.stderr.contains("wgsl, glsl-450, hlsl, msl, spirv, program, all"),
            "{}",
            said.stderr
        );
        said.stderr
    };
    for (target, meant) in [
        ("glsl", "did you mean \"glsl-450\"?"),
        ("GLSL-ES", "did you mean \"glsl-450\"?"),
        ("metal", "did you mean \"msl\"?"),
        ("vulkan", "did you mean \"glsl-450\" or \"spirv\"?"),
        ("wgls", "did you mean \"wgsl\"?"),
        ("cobol", "there is no target \"cobol\"; the targets are"),
    ] {
        let said = export(target);
        assert!(said.contains(meant), "{target}: {said}");
    }
}

#[test]
fn sliders_are_found_by_a_part_of_their_name_and_far_values_are_noticed() {
    let path = scratch("sliders").join("out.pc2");
    let out = path.to_str().unwrap();
    let set = |what: &str| {
        jounce_says(&["bake", "cow", "--graph", "default", "--set", what, "--at", "0.3", "-o", out])
    };
    for (wrong, meant) in [
        ("flop=1", "\"floppy\""),
        ("angle=3", "\"ears.max angle\""),
        ("ears.max=4", "\"ears.max angle\""),
        ("squish=1", "\"squash\""),
    ] {
        let said = set(wrong);
        assert_eq!(said.code, 1, "{wrong}");
        assert!(said.stderr.contains(meant), "{wrong}: {}", said.stderr);
    }
    let far = set("floppy=99");
    assert_eq!(far.code, 0, "{}", far.stderr);
    assert!(
        far.stderr.contains("floppy is set to 99.0, which is beyond its slider (0 to 2)"),
        "{}",
        far.stderr
    );
    assert!(far.stdout.contains(": 1 frame from frame 7,"), "{}", far.stdout);
    assert!(!set("floppy=1").stderr.contains("slider"));
}

#[test]
fn a_loop_that_is_not_played_as_one_is_said_to_be() {
    let path = scratch("loop").join("out.pc2");
    let out = path.to_str().unwrap();
    let bake = |args: &[&str]| {
        let said = jounce_says(&[&["bake", "-o", out, "--frames", "0..3"], args].concat());
        assert_eq!(said.code, 0, "{}", said.stderr);
        said.stderr
    };
    let hint =
        "cow-bouncy plays the clip \"hop\" as a loop, but here it is played once; add --loop";
    assert!(bake(&["--graph", "cow-bouncy"]).contains(hint));
    // Where the file's own motion is not played, it says nothing about it.
    for args in [
        &["--graph", "cow-bouncy", "--loop"][..],
        &["--graph", "cow-bouncy", "--clip", "walk"],
        &["--graph", "cow-bouncy", "--motion", "nod:Head"],
        &["--graph", "cow-bouncy", "--rest"],
        &["giraffe", "--graph", "cow-bouncy"],
        &["cow"],
    ] {
        let said = bake(args);
        assert!(!said.contains("--loop"), "{args:?}: {said}");
    }
}

#[test]
fn declarations_are_listed_with_the_functions() {
    let text = jounce_ok(&["nodes", "--functions"]);
    let all: Value = serde_json::from_str(&jounce_ok(&["nodes", "--functions", "--json"])).unwrap();
    let names: Vec<&str> =
        all.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    for name in ["node", "input", "output", "sum", "state", "history", "ago", "dt", "time", "start"]
    {
        assert!(names.contains(&name), "{name}");
    }
    for written in ["output(…).sum()", "fn start(inputs)", "name.ago(seconds)", "FLOAT, INT, BOOL"]
    {
        assert!(text.contains(written), "{written}\n{text}");
    }
}

#[test]
fn all_mistakes_of_a_script_are_told_a_line_each() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripts/wrong/many_mistakes.rhai");
    let said = jounce_says(&["check", script]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert_eq!(said.stdout.lines().count(), 8, "{}", said.stdout);
    for line in said.stdout.lines() {
        assert!(line.contains("many_mistakes.rhai:") && !line.contains("\\n"), "{line}");
    }
}
