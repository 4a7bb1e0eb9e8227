//! Graphs through the program: `nodes`, `check`, and `bake --graph`.

use crate::support::oracle::{floppy_r, floppy_t};
use crate::support::program::{jounce_ok, jounce_says, read_pc2};
use glam::DVec3;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn example(name: &str) -> String {
    format!("{}/examples/{name}.jounce", env!("CARGO_MANIFEST_DIR"))
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli_graph").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// One frame of a bake, as points.
fn bake(name: &str, args: &[&str]) -> Vec<DVec3> {
    let path = scratch(name).join("out.pc2");
    let mut all = vec!["bake"];
    all.extend(args);
    all.extend(["-o", path.to_str().unwrap()]);
    jounce_ok(&all);
    read_pc2(&path).frames[0].iter().map(|p| p.as_dvec3()).collect()
}

fn worst(a: &[DVec3], b: &[DVec3]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max)
}

#[test]
fn nodes_lists_the_library_and_explains_each() {
    let list = jounce_ok(&["nodes"]);
    let all: Value = serde_json::from_str(&jounce_ok(&["nodes", "--json"])).unwrap();
    let all = all.as_array().unwrap();
    assert!(all.len() >= 36);
    for node in all {
        let name = node["name"].as_str().unwrap();
        assert!(list.contains(name), "{name}");
        assert!(!node["doc"].as_str().unwrap().is_empty(), "{name} teaches nothing");
        let text = jounce_ok(&["nodes", name]);
        for input in node["inputs"].as_array().unwrap() {
            assert!(text.contains(input["name"].as_str().unwrap()));
        }
    }
    // Found by what people call it.
    let found = jounce_ok(&["nodes", "jiggle"]);
    assert!(found.contains("Floppy") && found.contains("Spring"), "{found}");
    assert!(jounce_ok(&["nodes", "wiggle"]).starts_with("Floppy"));
    let wrong = jounce_says(&["nodes", "Flopy"]);
    assert_eq!(wrong.code, 1);
    assert!(wrong.stderr.contains("did you mean \"Floppy\"?"), "{}", wrong.stderr);
    assert!(jounce_ok(&["nodes", "--functions"]).contains("smoothstep(from, to, x)"));
}

#[test]
fn check_says_what_is_wrong_and_fails() {
    let sound = jounce_ok(&["check", &example("velocity-skinning")]);
    assert!(sound.contains("no problems found") && sound.contains("max angle = 45"), "{sound}");
    let folder = scratch("check");
    let file = folder.join("broken.jounce");
    let text = r#"{"format": 1, "style": {"graph": {"nodes": {
        "a": {"type": "Flopy"}, "out": {"type": "Output"}, "v": {"type": "Velocity Extract"}},
        "links": [["v.linear", "out.displacement"]]}}}"#;
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let found = jounce_says(&["check", file]);
    assert_eq!(found.code, 1);
    assert!(found.stdout.contains("a: there is no node type \"Flopy\" (did you mean \"Floppy\"?)"));
    assert!(found.stdout.contains("out.displacement: v.linear differs per bone"));
    assert!(found.stderr.contains("2 problems"), "{}", found.stderr);
    let json: Value =
        serde_json::from_str(&jounce_says(&["check", file, "--json"]).stdout).unwrap();
    assert_eq!(json["problems"][0]["node"], "a");
    assert_eq!(json["problems"][1]["port"], "displacement");
    let ir = jounce_ok(&["check", &example("floppy"), "--ir"]);
    assert!(ir.contains("for each bone of a vertex") && ir.contains("# trail: sweep"), "{ir}");
}

#[test]
fn check_finds_what_would_do_nothing() {
    let folder = scratch("nothing");
    let check = |text: &str| {
        let file = folder.join("x.jounce");
        std::fs::write(&file, text).unwrap();
        let said = jounce_says(&["check", file.to_str().unwrap()]);
        assert_eq!(said.code, 1, "{}", said.stdout);
        said.stdout
    };
    let nodes = r#""nodes": {"bones": {"type": "Bone Value"}, "out": {"type": "Output"},
        "trail": {"type": "Floppy"}}"#;
    // A link whose node is misspelt is dropped, and said to be.
    let dropped = check(&format!(
        r#"{{"format": 1, "style": {{"graph": {{{nodes},
            "links": [["trial.displacement", "out.displacement"]]}}}}}}"#
    ));
    assert!(dropped.contains("trial.displacement"), "{dropped}");
    assert!(dropped.contains("nothing is wired to Output"), "{dropped}");
    let lost = check(&format!(
        r#"{{"format": 1, "style": {{"graph": {{{nodes},
            "links": [["trail.displacement", "out.displacement"]]}}}},
            "characters": {{"cow": {{"bone_values": {{"bons": {{"Head": {{"value": 1}}}}}}}}}}}}"#
    ));
    assert!(lost.contains("\"bons\"") && lost.contains("did you mean \"bones\"?"), "{lost}");
    let character = jounce_says(&["check", "cow.glb"]);
    assert!(character.stderr.contains("jounce inspect cow.glb"), "{}", character.stderr);
}

#[test]
fn styles_come_along_by_name() {
    let by_name = bake("by_name", &["cow", "--graph", "default", "--frames", "9..9"]);
    let by_path = bake("by_path", &["cow", "--graph", &example("default"), "--frames", "9..9"]);
    assert_eq!(by_name, by_path);
    let path = scratch("no_style").join("x.pc2");
    let unknown = jounce_says(&["bake", "cow", "--graph", "defalt", "-o", path.to_str().unwrap()]);
    assert_eq!(unknown.code, 1);
    assert!(unknown.stderr.contains("the styles are anticipating"), "{}", unknown.stderr);
}

#[test]
fn an_expressions_code_is_a_text_or_its_lines() {
    let folder = scratch("code");
    for code in [
        r#""output(\"d\", VEC3);\nfn eval() { vec3(0, 1, 0) }""#,
        r#"["output(\"d\", VEC3);", "fn eval() { vec3(0, 1, 0) }"]"#,
    ] {
        let file = folder.join("x.jounce");
        let text = format!(
            r#"{{"format": 1, "style": {{"graph": {{"nodes": {{"out": {{"type": "Output"}},
                "up": {{"type": "Expression", "code": {code}}}}},
                "links": [["up.d", "out.displacement"]]}}}}}}"#
        );
        std::fs::write(&file, text).unwrap();
        let plain = bake("code_plain", &["tube", "--rest"]);
        let moved = bake("code_moved", &["tube", "--rest", "--graph", file.to_str().unwrap()]);
        assert!((moved[0] - plain[0] - DVec3::Y).length() < 1e-6);
    }
}

#[test]
fn a_baked_graph_is_the_equations() {
    // One bone of the tube turns and travels; ℓ = 1 gives the paper's numbers.
    let velocity = "Low:0.5,0.2,1.5,0.3,0,-0.4";
    let graph = example("velocity-skinning");
    let plain = bake("plain", &["tube", "--velocity", velocity]);
    let args = ["tube", "--velocity", velocity, "--graph", &graph, "--size", "1"];
    let deformed = bake("deformed", &[&args[..], &["--set", "squash=0"]].concat());
    let (omega, v) = (DVec3::new(0.5, 0.2, 1.5), DVec3::new(0.3, 0.0, -0.4));
    let origin = DVec3::ZERO;
    let inspect: Value = serde_json::from_str(&jounce_ok(&["inspect", "tube", "--json"])).unwrap();
    assert_eq!(inspect["bones"][0]["name"], "Low");
    // Low is the root: every vertex hangs on it with weight 1.
    let expected: Vec<DVec3> = plain
        .iter()
        .map(|p| *p + floppy_t(0.2, v) + floppy_r(0.2, *p, origin, omega, 45_f64.to_radians()))
        .collect();
    assert!(worst(&deformed, &expected) < 1e-5, "{}", worst(&deformed, &expected));
    let still = [&args[..], &["--set", "squash=0", "--set", "floppy=0"]].concat();
    assert!(worst(&bake("still", &still), &plain) < 1e-6);
    // Twice the length it is measured against, half the angle: the same as half the floppiness.
    let unmoved = ["--set", "squash=0", "--set", "trail.move=0"];
    let long = ["tube", "--velocity", velocity, "--graph", &graph, "--size", "2"];
    let half = [&args[..], &unmoved, &["--set", "floppy=0.1"]].concat();
    assert!(worst(&bake("long", &[&long[..], &unmoved].concat()), &bake("half", &half)) < 1e-6);
}

#[test]
fn the_graph_brings_its_character_and_clip() {
    let graph = example("floppy");
    let path = scratch("own").join("x.pc2");
    let path = path.to_str().unwrap();
    let said = jounce_ok(&["bake", "--graph", &graph, "--frames", "0..1", "-o", path]);
    assert!(said.contains("clip \"walk\""), "{said}");
    let other = jounce_ok(&["bake", "snail", "--graph", &graph, "--frames", "0..1", "-o", path]);
    assert!(other.contains("clip \"crawl\""), "{other}");
}

#[test]
fn wrong_settings_are_answered_with_a_sentence() {
    let graph = example("floppy");
    let path = scratch("wrong").join("x.pc2");
    let path = path.to_str().unwrap();
    let bake = |extra: &[&str]| {
        jounce_says(&[&["bake", "tube", "--graph", &graph, "-o", path], extra].concat())
    };
    let unknown = bake(&["--set", "flopy=1"]);
    assert_eq!(unknown.code, 1);
    assert!(unknown.stderr.contains("did you mean \"floppy\"?"), "{}", unknown.stderr);
    assert_eq!(bake(&["--set", "floppy"]).code, 2);
    assert_eq!(bake(&["--set", "floppy=lots"]).code, 1);
    assert_eq!(bake(&["--size", "0"]).code, 2);
    assert_eq!(bake(&["--scripts", "no/such/folder"]).code, 1);
    let no_graph = jounce_says(&["bake", "tube", "--set", "floppy=1", "-o", path]);
    assert_eq!(no_graph.code, 2);
    assert_eq!(jounce_says(&["bake", "-o", path]).code, 2, "no character, no graph");
    let missing = jounce_says(&["bake", "tube", "--graph", "missing.jounce", "-o", path]);
    assert_eq!(missing.code, 1);
    assert!(missing.stderr.contains("missing.jounce"), "{}", missing.stderr);
}

#[test]
fn a_name_that_is_wired_is_answered_with_what_to_set_instead() {
    let path = scratch("wired").join("x.pc2");
    let path = path.to_str().unwrap();
    let set = |graph: &str, name: &str| {
        let value = format!("{name}=1");
        let said = jounce_says(&["bake", "cow", "--graph", graph, "--set", &value, "-o", path]);
        assert_eq!(said.code, 1, "{name}");
        said.stderr
    };
    // A slider of the style feeds it.
    for name in ["flop.amount", "amount"] {
        let said = set("ear-flop", name);
        assert!(said.contains(&format!("\"{name}\" cannot be set")), "{said}");
        assert!(said.contains("the node amount is wired to flop.amount"), "{said}");
        assert!(said.contains("set \"flop\" instead"), "{said}");
    }
    // A node without a slider of its own.
    let said = set("ear-flop", "flop.mask");
    assert!(said.contains("ears is wired to flop.mask; remove the wire"), "{said}");
    // Only the port is named.
    let said = set("ear-flop", "dead zone");
    assert!(said.contains("did you mean \"flop.dead zone\"?"), "{said}");
}

#[test]
fn a_graph_that_moves_nothing_is_said_to() {
    let folder = scratch("standstill");
    let path = folder.join("x.pc2");
    let path = path.to_str().unwrap();
    let bake = |args: &[&str]| {
        let said = jounce_says(&[&["bake"], args, &["--frames", "0..5", "-o", path]].concat());
        assert_eq!(said.code, 0, "{}", said.stderr);
        said.stderr
    };
    assert!(!bake(&["cow", "--graph", "floppy"]).contains("did not move any vertex"));
    assert!(!bake(&["cow"]).contains("did not move any vertex"));
    let unlinked = folder.join("unlinked.jounce");
    std::fs::write(
        &unlinked,
        r#"{"format": 1, "style": {"graph": {"nodes": {"out": {"type": "Output"}}}}}"#,
    )
    .unwrap();
    let cases: [(&[&str], &str); 6] = [
        (&["cow", "--graph", "floppy", "--rest"], "no bone moves, so choose another motion"),
        (&["cow", "--graph", "floppy", "--set", "floppy=0"], "sliders and maps that are 0"),
        (&["tube", "--graph", "ear-flop"], "does not have: the bone \"Head\""),
        (&["cow", "--graph", "breathing"], "are for other characters"),
        (&["cow", "--graph", unlinked.to_str().unwrap()], "nothing is wired to Output"),
        (
            &["cow", "--graph", "floppy", "--set", "floppy=0", "--motion", "hop:Root"],
            "only the root moves",
        ),
    ];
    for (args, expected) in cases {
        let said = bake(args);
        assert!(
            said.contains("did not move any vertex in any of these 6 frames"),
            "{args:?}: {said}"
        );
        assert!(said.contains(expected), "{args:?}: {said}");
    }
}

#[test]
fn a_still_picture_of_a_clip_that_begins_at_rest_advises_another_moment() {
    let path = scratch("still").join("x.png");
    let render = |args: &[&str]| {
        let picture = ["--draw", "cpu", "--resolution", "60x40", "-o", path.to_str().unwrap()];
        let floppy = ["render", "tube", "--graph", "floppy"];
        let said = jounce_says(&[&floppy, args, &picture[..]].concat());
        assert_eq!(said.code, 0, "{}", said.stderr);
        said.stderr
    };
    let said = render(&["--clip", "twist"]);
    assert!(said.contains("did not move any vertex in this one frame"), "{said}");
    assert!(said.contains("with --at SECONDS, from 0 to 2.40"), "{said}");
    assert!(!render(&["--clip", "twist", "--at", "0.3"]).contains("did not move any vertex"));
    assert!(!render(&["--rest"]).contains("--at"), "there is no other moment");
    let slow = render(&["--clip", "twist", "--at", "0.3", "--set", "floppy=0"]);
    assert!(slow.contains("another moment with --at SECONDS, or look for sliders"), "{slow}");
}

#[test]
fn check_warns_of_sliders_that_may_not_be_meant() {
    let file = scratch("hints").join("x.jounce");
    let text = r#"{"format": 1, "style": {"graph": {
        "nodes": {
            "a": {"type": "Parameter", "settings": {"name": "strength", "value": 0.3}},
            "b": {"type": "Parameter", "settings": {"name": "strength", "value": 1.5}},
            "c": {"type": "Parameter", "settings": {"name": "other", "value": 2, "max": 3}},
            "trail": {"type": "Floppy"}, "wave": {"type": "Wave"}, "out": {"type": "Output"}},
        "links": [["a.value", "trail.floppiness"], ["b.value", "wave.amount"],
            ["trail.displacement", "out.displacement"], ["wave.displacement", "out.displacement"]]}}}"#;
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    // They keep nothing from working.
    let said = jounce_ok(&["check", file]);
    let warnings: Vec<&str> = said.lines().filter(|line| line.starts_with("warning: ")).collect();
    assert_eq!(warnings.len(), 2, "{said}");
    assert!(warnings[0].contains("b.name: a shows a parameter \"strength\" too"), "{said}");
    assert!(warnings[1].contains("b.value: its value is 1.5"), "{said}");
    assert!(warnings[1].contains("from 0 to 1") && said.contains("no problems found"), "{said}");
    let json: Value = serde_json::from_str(&jounce_ok(&["check", file, "--json"])).unwrap();
    assert_eq!(json["problems"], serde_json::json!([]));
    assert_eq!(json["warnings"][0]["node"], "b");
    assert_eq!(json["warnings"][1]["port"], "value");
    for example in crate::support::scene::examples() {
        let said = jounce_ok(&["check", example.to_str().unwrap()]);
        assert!(!said.contains("warning"), "{said}");
    }
}

#[test]
fn scripts_of_a_folder_become_nodes_and_broken_ones_are_named() {
    let folder = scratch("scripts");
    let lift = "//! Lifts everything.\nnode(\"Lift\", \"Custom\");\ninput(\"height\", FLOAT, 0.5);\noutput(\"displacement\", VEC3);\nfn eval(height) { vec3(0, height, 0) * CHARACTER_SIZE }\n";
    std::fs::write(folder.join("lift.rhai"), lift).unwrap();
    std::fs::write(
        folder.join("bad.rhai"),
        "node(\"Bad\", \"Custom\");\noutput(\"x\", FLOAT);\nfn eval() { hieght }\n",
    )
    .unwrap();
    let graph = folder.join("lift.jounce");
    let text = r#"{"format": 1, "style": {"graph": {"nodes": {"lift": {"type": "Lift"},
        "out": {"type": "Output"}}, "links": [["lift.displacement", "out.displacement"]]}}}"#;
    std::fs::write(&graph, text).unwrap();
    let (folder, graph) = (folder.to_str().unwrap(), graph.to_str().unwrap());
    let plain = bake("lift_plain", &["tube", "--rest"]);
    let lifted = bake("lifted", &["tube", "--rest", "--graph", graph, "--scripts", folder]);
    let size = lifted[0].y - plain[0].y;
    assert!(size > 0.1 && plain.iter().zip(&lifted).all(|(p, l)| (l.y - p.y - size).abs() < 1e-5));
    let said = jounce_says(&["check", graph, "--scripts", folder]);
    assert_eq!(said.code, 0);
    assert!(said.stderr.contains("bad.rhai:3:13: there is no `hieght`"), "{}", said.stderr);
    // Without the folder the node is unknown, the graph goes on.
    let lost = jounce_says(&["check", graph]);
    assert_eq!(lost.code, 1);
    let script = format!("{folder}/bad.rhai");
    let checked = jounce_says(&["check", &script]);
    assert_eq!(checked.code, 1);
    assert!(checked.stdout.contains(":3:13: there is no `hieght`"), "{}", checked.stdout);
}

#[test]
fn libraries_are_found_wherever_scripts_are() {
    let folder = scratch("libraries");
    let library =
        "library(\"lifts\");\nfn lifted(height) { vec3(0, height, 0) * CHARACTER_SIZE }\n";
    let user = "uses(\"lifts\");\ninput(\"height\", FLOAT, 0.5);\noutput(\"displacement\", VEC3);\nfn eval(height) { lifted(height) }\n";
    std::fs::write(folder.join("lifts.rhai"), library).unwrap();
    std::fs::write(folder.join("a.rhai"), format!("node(\"Lift\", \"Custom\");\n{user}")).unwrap();
    let (graph, code) = (folder.join("lift.jounce"), folder.join("code.jounce"));
    let text = |node: Value| {
        serde_json::json!({"format": 1, "style": {"graph": {
            "nodes": {"lift": node, "out": {"type": "Output"}},
            "links": [["lift.displacement", "out.displacement"]]}}})
    };
    std::fs::write(&graph, text(serde_json::json!({"type": "Lift"})).to_string()).unwrap();
    let lines: Vec<&str> = user.lines().collect();
    let expression = serde_json::json!({"type": "Expression", "code": lines});
    std::fs::write(&code, text(expression).to_string()).unwrap();
    let scripts = ["--scripts", folder.to_str().unwrap()];
    let plain = bake("libraries_plain", &["tube", "--rest"]);
    for (name, graph) in [("libraries_node", &graph), ("libraries_code", &code)] {
        let graph = graph.to_str().unwrap();
        let lifted = bake(name, &[&["tube", "--rest", "--graph", graph], &scripts[..]].concat());
        let size = lifted[0].y - plain[0].y;
        assert!(size > 0.1, "{name}");
        assert!(plain.iter().zip(&lifted).all(|(p, l)| (l.y - p.y - size).abs() < 1e-5));
        let out = folder.join(name);
        let export = ["export", graph, "--target", "wgsl", "-o", out.to_str().unwrap()];
        jounce_ok(&[&export, &scripts[..]].concat());
    }
    // Beside a script its libraries are found without being named.
    for (file, said) in [("a.rhai", "the node \"Lift\""), ("lifts.rhai", "the library \"lifts\"")] {
        let file = folder.join(file);
        let checked = jounce_ok(&["check", file.to_str().unwrap()]);
        assert!(checked.contains(said), "{checked}");
    }
    // Without its folder the document says what is missing.
    let lost = jounce_says(&["check", code.to_str().unwrap()]);
    assert_eq!(lost.code, 1);
    assert!(lost.stdout.contains("there is no library \"lifts\""), "{}", lost.stdout);
}

/// What the editor plays is what is baked; what the arguments say goes before.
#[test]
fn a_test_motion_of_a_document_is_played() {
    let folder = scratch("test-motion");
    let text = std::fs::read_to_string(example("floppy")).unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    document["motion"] = serde_json::json!({ "character": "cow", "test": "nod:Head" });
    let path = folder.join("nod.jounce");
    std::fs::write(&path, document.to_string()).unwrap();
    let path = path.to_str().unwrap();
    let at = ["--at", "0.3"];
    let by_document = bake("test-1", &[&["--graph", path], &at[..]].concat());
    let by_argument = ["cow", "--graph", "floppy", "--motion", "nod:Head"];
    let by_argument = bake("test-2", &[&by_argument, &at[..]].concat());
    assert_eq!(worst(&by_document, &by_argument), 0.0);
    let clip = bake("test-3", &[&["--graph", path, "--clip", "hop"], &at[..]].concat());
    assert!(worst(&by_document, &clip) > 0.01, "a clip that is asked for is played");
    document["motion"]["test"] = serde_json::json!("nod:Haed");
    std::fs::write(path, document.to_string()).unwrap();
    let wrong =
        jounce_says(&["bake", "--graph", path, "-o", folder.join("no.pc2").to_str().unwrap()]);
    assert_eq!(wrong.code, 1);
    assert!(wrong.stderr.contains("has no bone \"Haed\""), "{}", wrong.stderr);
}
