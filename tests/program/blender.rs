//! Baked positions against Blender, where Blender is installed as a Python module.
//!
//! Skips loudly without it; `JOUNCE_REQUIRE_CLIENTS=1` makes that a failure.

use crate::support::program::{command, path, without_cache};
use crate::support::shared::{shared, shared_characters};
use std::path::{Path, PathBuf};
use std::process::Command;

fn has_blender() -> bool {
    let found = Command::new("python3").args(["-c", "import bpy, numpy"]).output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        let lacking = crate::support::Lacking::Clients;
        crate::support::skip_loudly(lacking, "no Blender here (pip install bpy numpy)");
        assert!(std::env::var_os("JOUNCE_REQUIRE_CLIENTS").is_none(), "Blender is required");
    }
    found
}

/// Compares positions and gives one line per clip.
fn compare(files: &[PathBuf]) -> Vec<String> {
    let mut args = vec![path()];
    args.extend_from_slice(files);
    run("blender_positions.py", &args)
}

/// Runs a script and gives its lines of results.
fn run(script: &str, args: &[PathBuf]) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients");
    let mut command = Command::new("python3");
    let output = without_cache(&mut command).arg(folder.join(script)).args(args).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_result = |line: &&str| line.starts_with("OK ") || line.starts_with("BAD ");
    let lines: Vec<String> = text.lines().filter(is_result).map(str::to_owned).collect();
    // 0 and 1 are verdicts; a script that broke off has compared less than it should.
    let message = String::from_utf8_lossy(&output.stderr);
    let finished = text.lines().any(|line| line == "DONE");
    assert!(finished && !lines.is_empty(), "{message}");
    lines
}

#[test]
fn positions_agree_with_blender_on_its_keys() {
    if !has_blender() || shared("characters").is_none() {
        return;
    }
    // Blender puts meshes that hang on a bone elsewhere than the file says (RobotExpressive), does
    // not decode Draco or meshopt as a module, and has fewer vertices where two primitives share
    // one accessor (Node_NegativeScale) or leave some of theirs unused (the two sparse files).
    let not_comparable = [
        "RobotExpressive",
        "draco",
        "meshopt",
        "Node_NegativeScale",
        "Accessor_Sparse_03",
        "Accessor_SparseType_05",
    ];
    let is_comparable = |path: &PathBuf| {
        let path = path.to_string_lossy();
        !not_comparable.iter().any(|name| path.contains(name))
    };
    let files = shared_characters("characters");
    let lines = compare(&files.into_iter().filter(is_comparable).collect::<Vec<_>>());
    lines.iter().for_each(|line| println!("{line}"));
    let bad: Vec<&String> = lines.iter().filter(|line| line.starts_with("BAD")).collect();
    assert!(bad.is_empty(), "{bad:#?}");
    assert!(lines.len() > 100, "only {} clips were compared", lines.len());
}

#[test]
fn our_own_characters_open_in_blender_and_move_there_as_here() {
    if !has_blender() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let files: Vec<PathBuf> =
        jounce::rig::own::names().iter().map(|name| folder.join(format!("{name}.glb"))).collect();
    let bad: Vec<String> =
        compare(&files).into_iter().filter(|line| line.starts_with("BAD")).collect();
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn a_baked_cache_plays_in_blender() {
    if !has_blender() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let files = ["snail.pc2", "snail.mdd"].map(|name| folder.path().join(name));
    for file in &files {
        let mut command = command();
        let baked = command.args(["bake", "snail", "--frames", "3..20", "-o"]).arg(file).status();
        assert!(baked.unwrap().success());
    }
    let lines = run("blender_cache.py", &files);
    assert!(lines.len() == 2 && lines.iter().all(|line| line.starts_with("OK")), "{lines:#?}");
}
