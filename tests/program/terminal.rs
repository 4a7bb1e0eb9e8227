//! What reaches a terminal, and what becomes of results that nobody can take.

use crate::support::program::{command, jounce_ok, jounce_says, jounce_says_to, said};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Stdio;

/// Red letters, a bell, a C1 control, text from right to left, what is no character, and a line of its own.
const EVIL: &str = "a\u{1b}[31m\u{7}\u{9b}\u{202e}\u{ffff}<&>\"'\r\nFORGED line";

/// Nothing but our own lines.
#[track_caller]
fn assert_harmless(text: &str) {
    let is_harmful = |c: char| {
        let is_control = c.is_control() && c != '\n';
        is_control || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{ffff}')
    };
    assert!(!text.contains(is_harmful), "{text:?}");
    assert!(!text.lines().any(|line| line.starts_with("FORGED")), "{text}");
}

/// The tube with names that nobody would give.
fn evil_character(folder: &Path) -> String {
    let plain = folder.join("plain.glb");
    jounce_ok(&["characters", "tube", "-o", plain.to_str().unwrap()]);
    let bytes = std::fs::read(&plain).unwrap();
    let parsed = gltf::Glb::from_slice(&bytes).unwrap();
    let mut json: Value = serde_json::from_slice(&parsed.json).unwrap();
    for kind in ["nodes", "meshes", "skins", "animations", "materials"] {
        let all = json.get_mut(kind).and_then(Value::as_array_mut);
        for (number, it) in all.into_iter().flatten().enumerate() {
            it["name"] = json!(format!("{EVIL}{number}"));
        }
    }
    for primitive in json["meshes"][0]["primitives"].as_array_mut().unwrap() {
        let attributes = primitive["attributes"].as_object_mut().unwrap();
        let own: Vec<String> =
            attributes.keys().filter(|it| it.starts_with('_')).cloned().collect();
        for name in own {
            let accessor = attributes.remove(&name).unwrap();
            attributes.insert(format!("{name}{EVIL}"), accessor);
        }
    }
    let json = serde_json::to_vec(&json).unwrap();
    let glb = gltf::Glb { header: parsed.header, json: json.into(), bin: parsed.bin };
    let evil = folder.join("evil.glb");
    std::fs::write(&evil, glb.to_vec().unwrap()).unwrap();
    evil.to_str().unwrap().to_owned()
}

fn bones(inspected: &Value) -> Vec<String> {
    let bones = inspected["bones"].as_array().unwrap().iter();
    bones.map(|bone| bone["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn names_of_a_character_do_not_steer_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let evil = &evil_character(folder.path());
    let out = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (cache, forged) = (out("a.pc2"), format!("{EVIL}0"));
    let (lost, still) = (format!("{EVIL}lost"), format!("nod:{EVIL}lost"));
    let runs: [&[&str]; 10] = [
        &["inspect", evil],
        &["inspect", evil, "--at", "0.2"],
        &["inspect", evil, "--json"],
        &["inspect", evil, "--json", "--at", "0.2"],
        &["bake", evil, "--at", "0.2", "-o", &cache],
        &["bake", evil, "--at", "99", "-o", &cache],
        &["bake", evil, "--clip", "none", "-o", &cache],
        &["bake", evil, "--clip", &forged, "--graph", "default", "-o", &cache],
        &["bake", evil, "--motion", &still, "-o", &cache],
        &["curves", evil, "--bone", &lost, "-o", &out("a.svg")],
    ];
    for args in runs {
        let said = jounce_says(args);
        assert_harmless(&said.stdout);
        assert_harmless(&said.stderr);
        assert!(said.stdout.contains("31m") || said.stderr.contains("31m"), "{args:?}");
    }
    let text = jounce_ok(&["inspect", evil]);
    assert!(text.contains(r"a\u{1b}[31m\u{7}\u{9b}\u{202e}\u{ffff}"), "{text}");
    // For programs the names are what they were.
    let json = jounce_ok(&["inspect", evil, "--json"]);
    assert!(bones(&serde_json::from_str(&json).unwrap()).iter().any(|bone| bone.starts_with(EVIL)));
}

#[test]
fn curves_are_xml_and_a_table_whatever_bones_are_called() {
    let folder = tempfile::tempdir().unwrap();
    let evil = &evil_character(folder.path());
    let inspected: Value = serde_json::from_str(&jounce_ok(&["inspect", evil, "--json"])).unwrap();
    let bone = bones(&inspected).pop().unwrap();
    let out = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let graph = evil_graph(folder.path());
    for ending in ["svg", "csv"] {
        let file = out(&format!("{EVIL}.{ending}").replace('/', ""));
        let args = ["curves", evil, "--graph", &graph, "--bone", &bone, "-o", &file];
        let said = jounce_says(&args);
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert_harmless(&said.stdout);
        assert_harmless(&said.stderr);
        let text = std::fs::read_to_string(&file).unwrap();
        assert_harmless(&text);
        if ending == "svg" {
            let svg = roxmltree::Document::parse(&text).expect("a browser would show it");
            let texts: String = svg.descendants().filter_map(|node| node.text()).collect();
            assert!(texts.contains(r"\u{1b}[31m") && texts.contains("<&>\"'"), "{texts}");
        } else {
            let columns = text.lines().next().unwrap().split(',').count();
            let quoted = |line: &str| line.split('"').step_by(2).collect::<String>();
            assert!(text.lines().all(|line| quoted(line).split(',').count() == columns), "{text}");
        }
    }
}

/// Names of sliders, titles and characters of that kind, and problems that tell of them.
fn evil_graph(folder: &Path) -> String {
    let file = folder.join("evil.jounce");
    let graph = json!({
        "format": 1,
        "characters": { EVIL: { "bone_values": { EVIL: { EVIL: { "value": 1 } } } } },
        "motion": { "character": format!("./{EVIL}.glb"), "clip": EVIL },
        "style": { "graph": {
            "links": [
                ["slider.value", "trail.floppiness"],
                ["velocity.linear", "swing.value"],
                ["swing.value", "trail.linear"],
                ["trail.displacement", "output.displacement"]
            ],
            "nodes": {
                "velocity": { "type": "Velocity Extract", "title": EVIL },
                "swing": { "type": "Time Filter", "title": EVIL },
                "slider": { "type": "Parameter", "settings": { "name": EVIL, "value": 0.1 } },
                "trail": { "type": "Floppy", "title": EVIL },
                "output": { "type": "Output" }
            }
        } }
    });
    std::fs::write(&file, graph.to_string()).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn names_of_a_graph_and_of_scripts_do_not_steer_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let graph = &evil_graph(folder.path());
    let broken = folder.path().join("broken.jounce");
    let text = std::fs::read_to_string(graph).unwrap();
    let text = text.replace("\"Floppy\"", &json!(format!("Floppy{EVIL}")).to_string());
    std::fs::write(&broken, text).unwrap();
    let broken = broken.to_str().unwrap();
    let scripts = folder.path().join("scripts");
    std::fs::create_dir(&scripts).unwrap();
    let word = json!(EVIL).to_string().replace("\\u001b", "\\x1b").replace("\\u0007", "\\x07");
    let script = format!(
        "//! Does {}.\nnode({word}, {word});\nalso({word});\ninput(\"amount\", FLOAT, 1).help({word}).unit({word});\n\
         output(\"value\", FLOAT);\nfn eval(amount) {{ amount }}\n",
        EVIL.replace('\n', "")
    );
    std::fs::write(scripts.join("evil.rhai"), script).unwrap();
    std::fs::write(scripts.join(format!("{EVIL}.rhai")), format!("node({word}")).unwrap();
    let scripts = scripts.to_str().unwrap();
    let out = folder.path().join("a.pc2").to_str().unwrap().to_owned();
    let runs: [&[&str]; 12] = [
        &["check", graph],
        &["check", graph, "--json"],
        &["check", graph, "--ir"],
        &["check", graph, "--wgsl"],
        &["check", broken],
        &["check", broken, "--json"],
        &["bake", "tube", "--graph", graph, "-o", &out],
        &["bake", "--graph", graph, "-o", &out],
        &["bake", "tube", "--graph", graph, "--set", "FORGED lin=1", "-o", &out],
        &["nodes", "--scripts", scripts],
        &["nodes", "--scripts", scripts, "--json"],
        &["nodes", "--scripts", scripts, EVIL],
    ];
    for args in runs {
        let said = jounce_says(args);
        assert_harmless(&said.stdout);
        assert_harmless(&said.stderr);
        assert!(format!("{}{}", said.stdout, said.stderr).contains("31m"), "{args:?}");
    }
}

#[test]
fn paths_and_arguments_do_not_steer_the_terminal() {
    for args in [
        &["inspect", "\u{1b}[31m\nFORGED.glb"][..],
        &["check", "\u{1b}[31m\nFORGED.jounce"],
        &["characters", "\u{1b}[31m\nFORGED"],
        &["nodes", "\u{1b}[31m\nFORGED"],
    ] {
        let said = jounce_says(args);
        assert_eq!(said.code, 1);
        assert_harmless(&said.stderr);
        assert!(said.stderr.contains(r"\u{1b}[31m"), "{}", said.stderr);
    }
    // What is wrong usage is told by clap, which leaves out what steers terminals where it knows it.
    for args in [&["bake", "tube", "-o", "a\u{9b}31m\u{202e}.txt"][..], &["\u{9b}31m\u{202e}"]] {
        let said = jounce_says(args);
        assert_eq!(said.code, 2);
        assert_harmless(&said.stderr);
        assert!(said.stderr.contains(r"\u{202e}"), "{}", said.stderr);
    }
}

/// Everything that prints, each a little different inside.
fn all_that_print(folder: &Path) -> Vec<Vec<String>> {
    let out = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let cache = out("part.pc2");
    jounce_ok(&["bake", "tube", "--at", "0", "-o", &cache]);
    let lines = format!(
        "--help|--version|help bake|bake --help|characters|nodes|nodes --json|nodes Floppy|nodes --functions|\
         inspect tube|inspect tube --json|check default|check default --json|check default --wgsl|\
         check default --targets|bake tube --at 0 -o {}|join {cache} -o {}|curves tube --bone Bone.0 -o {}|\
         characters tube -o {}|export default --target wgsl -o {}",
        out("a.pc2"),
        out("b.pc2"),
        out("c.csv"),
        out("d.glb"),
        out("e")
    );
    let bone = jounce_ok(&["inspect", "tube", "--json"]);
    let bone: Value = serde_json::from_str(&bone).unwrap();
    let lines = lines.replace("Bone.0", &bones(&bone)[0]);
    lines.split('|').map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_a_failure_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    for args in all_that_print(folder.path()) {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let run = command().args(&args).stdout(full).stderr(Stdio::piped()).spawn();
        let said = said(run.unwrap().wait_with_output().unwrap());
        assert_eq!(said.code, 1, "{args:?}: {}", said.stderr);
        assert!(said.stderr.contains("cannot be printed: No space left"), "{}", said.stderr);
    }
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    for args in all_that_print(folder.path()) {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let run = command().args(&args).stdout(writer).stderr(Stdio::piped()).spawn();
        let said = said(run.unwrap().wait_with_output().unwrap());
        let is_quiet = !said.stderr.contains("pipe");
        assert!(said.code == 0 && is_quiet, "{args:?}: {}", said.stderr);
    }
    assert!(folder.path().join("d.glb").exists(), "the work was done");
}

#[cfg(target_os = "linux")]
#[test]
fn messages_that_nobody_can_read_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.pc2");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let args = ["bake", "tube", "--at", "99", "-o", out.to_str().unwrap()];
    let status = command().args(args).stdout(Stdio::null()).stderr(full).status();
    assert_eq!(status.unwrap().code(), Some(0));
    assert!(out.exists());
}

#[cfg(target_os = "linux")]
#[test]
fn paths_that_are_not_utf_8_work_everywhere() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join(std::ffi::OsStr::from_bytes(b"\xff\xfe"));
    std::fs::create_dir(&odd).unwrap();
    let file = |ending: &[u8]| odd.join(std::ffi::OsStr::from_bytes(&[b"x\xff", ending].concat()));
    let [glb, cache, whole, table, graph, shaders, scripts] =
        [b".glb".as_slice(), b".pc2", b"2.pc2", b".csv", b".jounce", b"-shaders", b"-scripts"]
            .map(file);
    std::fs::create_dir(&scripts).unwrap();
    let bone = jounce_ok(&["inspect", "tube", "--json"]);
    let bone = bones(&serde_json::from_str(&bone).unwrap()).remove(0);
    let run = |words: &str, paths: &[&Path]| {
        let mut paths = paths.iter();
        let arg = |word| match word {
            "@" => paths.next().unwrap().as_os_str().to_owned(),
            word => std::ffi::OsString::from(word),
        };
        let args: Vec<std::ffi::OsString> = words.split_whitespace().map(arg).collect();
        let args: Vec<&std::ffi::OsStr> = args.iter().map(|arg| arg.as_os_str()).collect();
        let said = jounce_says_to(&args);
        assert_eq!(said.code, 0, "{args:?}: {}", said.stderr);
    };
    run("characters tube -o @", &[&glb]);
    run("inspect @", &[&glb]);
    run("fit @ --graph default -o @", &[&glb, &graph]);
    run("check @ --strict --scripts @", &[&graph, &scripts]);
    run("bake --graph @ --at 0.1 -o @", &[&graph, &cache]);
    run("bake @ --clips @ --graph @ --at 0.1 -o @", &[&glb, &glb, &graph, &cache]);
    run("join @ -o @", &[&cache, &whole]);
    run(&format!("curves @ --graph @ --bone {bone} -o @"), &[&glb, &graph, &table]);
    run("export @ --target wgsl -o @", &[&graph, &shaders]);
    // A document in such a folder finds what lies beside it.
    std::fs::copy(&glb, odd.join("plain.glb")).unwrap();
    let beside = odd.join("beside.jounce");
    run("fit @ --graph default -o @", &[&odd.join("plain.glb"), &beside]);
    assert!(std::fs::read_to_string(&beside).unwrap().contains("\"character\": \"plain.glb\""));
    run("bake --graph @ --at 0.1 -o @", &[&beside, &cache]);
}
