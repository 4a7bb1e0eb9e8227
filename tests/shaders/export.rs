//! `jounce export`: files, manifest, and what other compilers say to them.
//!
//! Compilers that are not installed are skipped loudly; `JOUNCE_REQUIRE_CLIENTS=1` makes that a
//! failure. Dawn is found with `JOUNCE_NODE_MODULES` (a folder with the npm package `webgpu`), DXC
//! with `JOUNCE_DXC` (a program that takes library, file, entry point and profile) and
//! `JOUNCE_DXC_LIBRARY`.

use crate::support::scene::examples;
use crate::support::skip_for_lack_of_client;
use jounce::export::shader::Target;
use jounce::graph::Document;
use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn jounce(args: &[&str]) -> Output {
    crate::support::program::command()
        .args(args)
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .output()
        .unwrap()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The examples, and what none of them does.
fn graphs() -> Vec<PathBuf> {
    examples().into_iter().chain([root().join("tests/data/relax.jounce")]).collect()
}

/// All examples in all languages, a folder each; once with the graph's base, once with the other.
fn export_all(folder: &Path) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for graph in graphs() {
        let name = graph.file_stem().unwrap().to_string_lossy().into_owned();
        for base in ["lbs", "dqs"] {
            let folder = folder.join(base).join(&name);
            let (graph, out) = (graph.to_string_lossy(), folder.to_string_lossy());
            let done = jounce(&["export", &graph, "--target", "all", "--base", base, "-o", &out]);
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            folders.push(folder);
        }
    }
    folders
}

fn files_with(folders: &[PathBuf], extensions: &[&str]) -> Vec<PathBuf> {
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_wanted = |path: &PathBuf| {
        path.extension().and_then(OsStr::to_str).is_some_and(|e| extensions.contains(&e))
    };
    let mut files: Vec<PathBuf> = paths.filter(is_wanted).collect();
    files.sort();
    files
}

fn manifest(folder: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join("manifest.json")).unwrap()).unwrap()
}

fn accepts(command: &mut Command, file: &Path) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + String::from_utf8_lossy(&output.stderr).as_ref();
    assert!(output.status.success(), "{}: {said}", file.display());
}

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

#[test]
fn an_export_has_the_files_that_were_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new/deeper");
    let out_text = out.to_string_lossy();
    let done = jounce(&[
        "export",
        "velocity-skinning",
        "--target",
        "wgsl",
        "--target",
        "glsl-450",
        "-o",
        &out_text,
    ]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let mut names: Vec<String> = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let expected = [
        "manifest.json",
        "velocity-skinning.bones.comp",
        "velocity-skinning.deform.comp",
        "velocity-skinning.vertex.vert",
        "velocity-skinning.wgsl",
    ];
    assert_eq!(names, expected);
    let printed = String::from_utf8_lossy(&done.stdout).into_owned();
    assert_eq!(printed.lines().count(), expected.len());
}

#[test]
fn the_manifest_tells_a_host_everything() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_string_lossy();
    assert!(jounce(&["export", "default", "--target", "all", "-o", &out]).status.success());
    let manifest = manifest(folder.path());
    assert_eq!(manifest["format"], 1);
    assert_eq!(manifest["graph"], "default");
    let names = |list: &Value, key: &str| -> Vec<String> {
        let list = list.as_array().unwrap().iter();
        list.map(|entry| entry[key].as_str().unwrap_or_default().to_owned()).collect()
    };
    let parameters = names(&manifest["parameters"], "name");
    assert!(parameters.contains(&"floppy".to_owned()), "{parameters:?}");
    let text = std::fs::read_to_string(folder.path().join("default.wgsl")).unwrap();
    // Everything it names is in the module.
    for constant in names(&manifest["constants"], "name") {
        assert!(text.contains(&constant), "{constant}");
    }
    for (row, table) in [("JnFrame", "frame"), ("JnBone", "bone"), ("JnBoneInput", "bone_input")] {
        assert_eq!(manifest[table]["struct"], row);
        assert!(!names(&manifest[table]["fields"], "name").is_empty());
        for field in names(&manifest[table]["fields"], "name") {
            assert!(text.contains(&format!("    {field}: ")), "{row}.{field}");
        }
    }
    for field in manifest["frame"]["fields"].as_array().unwrap() {
        assert!(!field["expression"].as_str().unwrap().contains("missing"), "{field}");
    }
    // What is no slider is a number in the expressions.
    for source in names(&manifest["frame"]["inputs"], "source") {
        assert!(!source.is_empty() && !source.contains("\"\""), "{source}");
    }
    for binding in names(&manifest["bindings"], "name") {
        assert!(text.contains(&format!("> {binding}: ")), "{binding}");
    }
    for map in names(&manifest["maps"], "accessor") {
        assert!(text.contains(&format!("fn {map}()")), "{map}");
    }
    for constant in manifest["frame"]["constants"].as_array().unwrap() {
        assert!(constant["value"].is_number() && constant["port"].is_string(), "{constant}");
    }
    assert!(!manifest["frame"]["constants"].as_array().unwrap().is_empty());
    assert_eq!(names(&manifest["structs"], "struct"), ["JnCounts", "JnView"]);
    let passes = names(&manifest["passes"], "entry");
    assert_eq!(passes, ["bones", "deform"]);
    assert_eq!(manifest["targets"].as_array().unwrap().len(), Target::ALL.len());
    assert!(manifest["limits"]["storage_buffers_per_stage"].as_u64().unwrap() <= 8);
}

/// Who has the exported program and the runtime needs no node language: the same bits come out.
#[test]
fn an_exported_program_plays_as_its_graph_does() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_string_lossy();
    let done =
        jounce(&["export", "oscillation", "--target", "program", "--base", "dqs", "-o", &out]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = std::fs::read_to_string(folder.path().join("oscillation.program.json")).unwrap();
    let program = jounce::ir::Program::from_saved_text(&text).unwrap();
    assert_eq!(program.base, jounce::rig::Base::Dqs);

    let style = jounce::graph::built_in_style("oscillation").unwrap().style;
    let library = jounce::script::Library::built_in();
    let mut compiled = jounce::compile::compile(&style, &library).program;
    compiled.base = jounce::rig::Base::Dqs;
    let character = std::sync::Arc::new(jounce::rig::own::built_in("giraffe").unwrap());
    let positions = |program| {
        let clip = std::sync::Arc::new(character.clips[0].clone());
        let playback = jounce::motion::Playback::looped(clip.duration_secs());
        let settings = Default::default();
        let performer =
            jounce::eval::Performer::new(program, character.clone(), &settings).unwrap();
        let mut performer = performer;
        performer.play(clip, playback).unwrap();
        let mut positions = Vec::new();
        performer.positions_into(0.4, &mut positions).unwrap();
        positions
    };
    assert_eq!(positions(program), positions(compiled));
}

/// Nothing is left unsaid, whatever the graph and the base.
#[test]
fn every_field_and_buffer_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let mut structs = std::collections::BTreeSet::new();
    let smooths = |graph: &&PathBuf| {
        let style = Document::load(graph).unwrap().document.style;
        style.graph.nodes.values().any(|node| node.node_type == "Relax")
    };
    let graphs = graphs();
    let smoothing = graphs.iter().filter(smooths).filter_map(|graph| graph.file_stem());
    let smoothing: Vec<&OsStr> = smoothing.collect();
    assert!(smoothing.len() > 1, "{smoothing:?}");
    for folder in export_all(folder.path()) {
        let manifest = manifest(&folder);
        let list = |value: &Value| value.as_array().unwrap().clone();
        for entry in list(&manifest["structs"]) {
            structs.insert(entry["struct"].as_str().unwrap().to_owned());
            for field in list(&entry["fields"]) {
                assert_ne!(field["what"], "", "{}: {field}", entry["struct"]);
            }
        }
        for binding in list(&manifest["bindings"]) {
            assert!(binding["bytes"] != "" && binding["contents"] != "", "{binding}");
        }
        for field in list(&manifest["bone_input"]["fields"]) {
            let source = field["source"].as_str().unwrap();
            assert!(source.len() > 20 || source.contains("bone"), "{field}");
        }
        let kept = manifest["kept_slots"].as_u64().unwrap();
        let smooths = smoothing.contains(&folder.file_name().unwrap());
        assert_eq!(kept > 0, smooths, "{}", folder.display());
    }
    let structs: Vec<String> = structs.into_iter().collect();
    assert_eq!(structs, ["JnCounts", "JnRelax", "JnStep", "JnView"]);
}

/// All texts in a part of a manifest.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(list) => list.iter().flat_map(texts).collect(),
        Value::Object(map) => map.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn formulas_call_only_what_the_module_defines() {
    let folder = tempfile::tempdir().unwrap();
    let mut called = std::collections::BTreeSet::new();
    for folder in export_all(folder.path()) {
        let manifest = manifest(&folder);
        let name = manifest["graph"].as_str().unwrap();
        let text = std::fs::read_to_string(folder.join(format!("{name}.wgsl"))).unwrap();
        for formula in texts(&manifest["frame"]) {
            for call in formula.split('(').filter_map(|part| part.rsplit(' ').next()) {
                if call.starts_with("jn_") && formula.contains(&format!("{call}(")) {
                    assert!(text.contains(&format!("fn {call}(")), "{name}: {formula}");
                    called.insert(call.to_owned());
                }
            }
        }
    }
    assert!(called.contains("jn_exp"), "{called:?}");
}

/// One of all bones, kept by the shader; one of the character, which is left to the host.
#[test]
fn what_a_graph_remembers_is_kept_by_bones_and_by_the_host() {
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("beat.jounce");
    let code = r#"
        output("value", VEC3);
        state("beat", FLOAT, 0.5);
        state("at", VEC3);
        history("pulse", FLOAT, 2.0);
        fn start() { #{ at: BONE_ORIGIN } }
        fn eval() {
            beat = beat + dt;
            pulse = sin(beat);
            at = at + (BONE_ORIGIN - at) * dt;
            at * pulse.ago(0.5)
        }"#;
    let text = serde_json::json!({"format": 1, "style": {"graph": {
        "nodes": {
            "own": {"type": "Expression", "code": code},
            "trail": {"type": "Floppy"}, "out": {"type": "Output"}},
        "links": [["own.value", "trail.linear"], ["trail.displacement", "out.displacement"]]}}});
    std::fs::write(&graph, text.to_string()).unwrap();
    let (graph, out) = (graph.to_string_lossy(), folder.path().join("out"));
    let done = jounce(&["export", &graph, "--target", "wgsl", "-o", &out.to_string_lossy()]);
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{said}");
    for note in ["run the entry point `bones` once to begin", "`frame.memory` in the manifest"] {
        assert!(said.contains(note), "{note}: {said}");
    }
    let manifest = manifest(&out);
    let fields = &manifest["bone_memory"]["row"]["fields"];
    assert_eq!((&fields[0]["name"], fields.as_array().unwrap().len()), (&"at".into(), 1));
    assert!(manifest["bindings"].as_array().unwrap().iter().any(|b| b["name"] == "jn_bone_memory"));
    let memory = &manifest["frame"]["memory"];
    assert_eq!(memory[0]["state"], "beat");
    assert_eq!(memory[0]["begins"], "0.5");
    assert_eq!(memory[0]["becomes"], "beat");
    let steps = texts(&manifest["frame"]["steps"]);
    assert!(steps.contains(&"let beat = step_secs + beat_before;"), "{steps:?}");
    assert_eq!(memory[0]["input"], "beat_before");
    assert_eq!(memory[1]["history"], "pulse");
    assert_eq!(memory[1]["inputs"][0]["ago_secs"], "0.5");
    assert_eq!(memory[1]["inputs"][0]["input"], "pulse_ago");
    // A graph that remembers nothing says nothing of it.
    let plain = folder.path().join("plain");
    assert!(
        jounce(&["export", "floppy", "--target", "wgsl", "-o", &plain.to_string_lossy()])
            .status
            .success()
    );
    let plain = self::manifest(&plain);
    assert!(plain["bone_memory"].is_null() && plain["frame"]["memory"].is_null());
}

#[test]
fn a_parameter_that_two_nodes_show_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("twice.jounce");
    let text = r#"{"format": 1, "style": {"graph": {
        "nodes": {
            "a": {"type": "Parameter", "settings": {"name": "strength", "value": 0.3}},
            "b": {"type": "Parameter", "settings": {"name": "strength", "value": 0.3}},
            "trail": {"type": "Floppy"}, "wave": {"type": "Wave"}, "out": {"type": "Output"}},
        "links": [["a.value", "trail.floppiness"], ["b.value", "wave.amount"],
            ["trail.displacement", "out.displacement"], ["wave.displacement", "out.displacement"]]}}}"#;
    std::fs::write(&graph, text).unwrap();
    let out = folder.path().join("out");
    let (graph, out_text) = (graph.to_string_lossy(), out.to_string_lossy());
    let done = jounce(&["export", &graph, "--target", "wgsl", "-o", &out_text]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let manifest = manifest(&out);
    let parameters = manifest["parameters"].as_array().unwrap();
    assert_eq!(parameters.len(), 1, "{parameters:?}");
    assert_eq!(parameters[0]["nodes"], serde_json::json!(["a", "b"]));
    let inputs = manifest["frame"]["inputs"].as_array().unwrap();
    let sliders = inputs.iter().filter(|i| i["source"].as_str().unwrap().contains("strength"));
    assert_eq!(sliders.count(), 1, "{inputs:?}");
}

#[test]
fn check_prints_what_export_writes() {
    let folder = tempfile::tempdir().unwrap();
    for graph in ["default", "velocity-skinning"] {
        let out = folder.path().join(graph);
        let done = jounce(&["export", graph, "--target", "wgsl", "-o", &out.to_string_lossy()]);
        assert!(done.status.success());
        let written = std::fs::read_to_string(out.join(format!("{graph}.wgsl"))).unwrap();
        let file = root().join(format!("examples/{graph}.jounce"));
        let printed = jounce(&["check", &file.to_string_lossy(), "--wgsl"]);
        assert_eq!(String::from_utf8_lossy(&printed.stdout), written);
    }
}

#[test]
fn a_graph_with_problems_is_not_exported() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let nodes = r#""nodes": {"trail": {"type": "Floppy"}, "out": {"type": "Output"}}"#;
    let cases = [
        (r#""links": []"#, "nothing is wired to Output"),
        (r#""links": [["trail.nothing", "out.displacement"]]"#, "nothing"),
    ];
    for (links, expected) in cases {
        let graph = folder.path().join("broken.jounce");
        let text = format!(r#"{{"format": 1, "style": {{"graph": {{{nodes}, {links}}}}}}}"#);
        std::fs::write(&graph, text).unwrap();
        let (graph, out_text) = (graph.to_string_lossy(), out.to_string_lossy());
        let done = jounce(&["export", &graph, "--target", "all", "-o", &out_text]);
        assert_eq!(done.status.code(), Some(1));
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(said.contains(expected) && said.contains("nothing was exported"), "{said}");
        assert!(!out.exists());
    }
}

#[test]
fn what_a_target_refuses_is_announced() {
    let graph = root().join("tests/data/relax.jounce");
    let graph = graph.to_string_lossy();
    let checked = jounce(&["check", &graph, "--targets", "--json"]);
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    let report: Value = serde_json::from_slice(&checked.stdout).unwrap();
    let targets = report["targets"].as_array().unwrap();
    assert_eq!(targets.len(), Target::ALL.len());
    // A saved program is run by evaluators that have neighbours.
    let (saved, shaders) = targets.split_last().unwrap();
    assert_eq!(saved["refuses"], serde_json::json!([]));
    for target in shaders {
        assert_eq!(target["refuses"][0]["what"], "vertex");
        assert!(target["refuses"][0]["why"].as_str().unwrap().contains("cannot read neighbours"));
    }
    let plain = jounce(&["check", "floppy", "--targets"]);
    let text = String::from_utf8_lossy(&plain.stdout).into_owned();
    assert!(
        text.contains("not compiled here") && !text.contains("without the entry point"),
        "{text}"
    );
}

#[test]
fn what_the_host_must_do_is_a_note_and_refuses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("exact.jounce");
    let text = r#"{"format": 1, "style": {"graph": {
        "nodes": {
            "bones": {"type": "Skeleton", "settings": {"centroid": "exact"}},
            "squash": {"type": "Squash"}, "out": {"type": "Output"}},
        "links": [["bones.centroid", "squash.centroid"],
            ["squash.displacement", "out.displacement"]]}}}"#;
    std::fs::write(&graph, text).unwrap();
    let graph = graph.to_string_lossy();
    let has_note = |target: &Value| {
        assert_eq!(target["refuses"], serde_json::json!([]));
        let notes: Vec<&str> =
            target["notes"].as_array().unwrap().iter().map(|n| n.as_str().unwrap()).collect();
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(notes[1].contains("the host must compute them"), "{notes:?}");
    };
    let checked = jounce(&["check", &graph, "--targets", "--json"]);
    let report: Value = serde_json::from_slice(&checked.stdout).unwrap();
    report["targets"].as_array().unwrap().iter().for_each(has_note);
    let checked = jounce(&["check", &graph, "--targets"]);
    let said = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert_eq!(said.matches("the host must compute them").count(), 1, "{said}");
    let out = folder.path().join("out");
    let done = jounce(&["export", &graph, "--target", "all", "-o", &out.to_string_lossy()]);
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success() && said.contains("the host must compute them"), "{said}");
    manifest(&out)["targets"].as_array().unwrap().iter().for_each(has_note);
}

#[test]
fn a_folder_that_cannot_be_made_is_said_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let out = file.join("below");
    let done = jounce(&["export", "floppy", "--target", "wgsl", "-o", &out.to_string_lossy()]);
    assert_eq!(done.status.code(), Some(1));
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(said.contains("cannot make the folder"), "{said}");
    let onto = jounce(&["export", "floppy", "--target", "wgsl", "-o", &file.to_string_lossy()]);
    assert_eq!(onto.status.code(), Some(1));
    let said = String::from_utf8_lossy(&onto.stderr).into_owned();
    assert!(said.contains("is a file") && said.contains("folder"), "{said}");
    assert_eq!(jounce(&["export", "floppy", "-o", "x"]).status.code(), Some(2));
}

#[test]
fn dawn_accepts_every_wgsl() {
    let script = root().join("tests/clients/dawn.mjs");
    let run = |files: &[PathBuf]| Command::new("node").arg(&script).args(files).output();
    let has_dawn = run(&[]).is_ok_and(|output| output.status.success());
    if !has_dawn {
        return skip_for_lack_of_client(
            "no Dawn here (npm i webgpu; JOUNCE_NODE_MODULES=its node_modules)",
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let files = files_with(&export_all(folder.path()), &["wgsl"]);
    let output = run(&files).unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let bad: Vec<&str> = text.lines().filter(|line| line.starts_with("BAD")).collect();
    assert!(bad.is_empty(), "{bad:#?}");
    let good = text.lines().filter(|line| line.starts_with("OK")).count();
    assert!(good == files.len() && text.ends_with("DONE\n"), "{text}");
    println!("Dawn: {good} modules");
}

#[test]
fn glslang_accepts_every_glsl() {
    if !is_installed("glslangValidator") {
        return skip_for_lack_of_client("no glslangValidator here (apt install glslang-tools)");
    }
    let folder = tempfile::tempdir().unwrap();
    let files = files_with(&export_all(folder.path()), &["comp", "vert"]);
    let spirv = folder.path().join("compiled.spv");
    for file in &files {
        accepts(Command::new("glslangValidator").arg(file), file);
        // As Vulkan's dialect too.
        accepts(Command::new("glslangValidator").arg("-V").arg(file).arg("-o").arg(&spirv), file);
    }
    println!("glslang: {} files, for OpenGL and Vulkan", files.len());
    let hlsl = files_with(&export_all(folder.path()), &["hlsl"]);
    let mut count = 0;
    for file in &hlsl {
        let text = std::fs::read_to_string(file).unwrap();
        for (entry, stage) in [("bones", "comp"), ("deform", "comp"), ("vertex", "vert")] {
            if text.contains(&format!(" {entry}(")) {
                let arguments = ["-D", "-V", "-S", stage, "-e", entry, "-o"];
                let mut command = Command::new("glslangValidator");
                accepts(command.args(arguments).arg(&spirv).arg(file), file);
                count += 1;
            }
        }
    }
    println!("glslang: {count} entry points of HLSL");
}

/// Not Apple's compiler: a header that stands in for Metal's library, and C++.
#[test]
fn every_msl_is_valid_as_cpp() {
    let header = crate::support::shared::shared("clients/engines/msl");
    let Some(header) = header.filter(|_| is_installed("g++")) else {
        return skip_for_lack_of_client("no g++ here, or no header in place of Metal's");
    };
    let folder = tempfile::tempdir().unwrap();
    let files = files_with(&export_all(folder.path()), &["metal"]);
    assert!(files.len() > 40, "{}", files.len());
    for file in &files {
        let mut command = Command::new("g++");
        let options = ["-std=c++17", "-fsyntax-only", "-fsingle-precision-constant", "-w", "-x"];
        accepts(command.args(options).arg("c++").arg("-I").arg(&header).arg(file), file);
    }
    println!("g++: {} files", files.len());
}

#[test]
fn spirv_val_accepts_every_spirv() {
    if !is_installed("spirv-val") {
        return skip_for_lack_of_client("no spirv-val here (apt install spirv-tools)");
    }
    let folder = tempfile::tempdir().unwrap();
    let files = files_with(&export_all(folder.path()), &["spv"]);
    for file in &files {
        accepts(Command::new("spirv-val").args(["--target-env", "vulkan1.1"]).arg(file), file);
    }
    println!("spirv-val: {} files", files.len());
}

#[test]
fn dxc_accepts_every_hlsl() {
    let program = std::env::var_os("JOUNCE_DXC");
    let library = std::env::var_os("JOUNCE_DXC_LIBRARY");
    let (Some(program), Some(library)) = (program, library) else {
        return skip_for_lack_of_client("no DXC here (JOUNCE_DXC, JOUNCE_DXC_LIBRARY)");
    };
    let folder = tempfile::tempdir().unwrap();
    let mut count = 0;
    for folder in export_all(folder.path()) {
        let file = files_with(std::slice::from_ref(&folder), &["hlsl"]).remove(0);
        let manifest = manifest(&folder);
        let targets = manifest["targets"].as_array().unwrap();
        let hlsl = targets.iter().find(|target| target["target"] == "hlsl").unwrap();
        for names in hlsl["entry_names"].as_array().unwrap() {
            let profile = if names[0] == "vertex" { "vs_6_0" } else { "cs_6_0" };
            let entry = names[1].as_str().unwrap();
            let mut command = Command::new(&program);
            accepts(command.arg(&library).arg(&file).args([entry, profile]), &file);
            count += 1;
        }
    }
    println!("DXC: {count} entry points");
}
