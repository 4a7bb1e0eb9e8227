//! Who knows whom: the arrows of ARCHITECTURE.md, held against the manifests of the crates.

use std::collections::BTreeSet;
use std::path::Path;

/// In the order of the data; a crate may know those that are named, all of which stand above it.
const MAY_KNOW: [(&str, &[&str]); 13] = [
    ("base", &[]),
    ("rig", &["base"]),
    ("ir", &["base"]),
    ("simd", &["base", "ir"]),
    ("eval", &["base", "rig", "ir", "simd"]),
    ("files", &["base"]),
    ("graph", &["base", "ir", "files"]),
    ("shader", &["base", "ir"]),
    ("draw", &["base", "eval", "files"]),
    ("gpu", &["base", "rig", "ir", "eval", "shader", "draw"]),
    ("export", &["base", "rig", "ir", "eval", "files", "shader"]),
    ("session", &["base", "rig", "ir", "eval", "files", "graph", "draw", "export"]),
    (
        "editor",
        &["base", "rig", "ir", "eval", "files", "graph", "draw", "gpu", "export", "session"],
    ),
];

/// What is large, and the crates that bring it along.
const ONLY_IN: [(&str, &[&str]); 4] = [
    ("rhai", &["graph"]),
    ("naga", &["shader", "export"]),
    ("wgpu", &["gpu", "editor"]),
    ("egui", &["editor"]),
];

/// The names under a title such as `[dependencies]`.
fn dependencies(manifest: &str, title: &str) -> BTreeSet<String> {
    let lines = manifest.lines().skip_while(|line| *line != title).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split(['.', ' ', '=']).next());
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// All that a crate's source names of ours, as `jounce_NAME`.
fn named_in_source(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if kind.is_dir() {
            named_in_source(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let names = text.match_indices("jounce_").map(|(at, word)| &text[at + word.len()..]);
            let name = |rest: &str| rest.chars().take_while(char::is_ascii_lowercase).collect();
            let is_path = |rest: &&str| {
                rest.trim_start_matches(|c: char| c.is_ascii_lowercase()).starts_with("::")
            };
            found.extend(names.filter(is_path).map(name));
        }
    }
}

/// What a crate knows by itself, and not only through another that it knows; everybody knows base.
fn knows_directly(name: &str) -> BTreeSet<&'static str> {
    let of = |name: &str| MAY_KNOW.iter().find(|(known, _)| *known == name).unwrap().1;
    let through = |known: &str| of(name).iter().any(|other| of(other).contains(&known));
    let direct = of(name).iter().copied().filter(|known| *known != "base" && !through(known));
    direct.collect()
}

/// The table of ARCHITECTURE.md is this graph.
#[test]
fn the_graph_in_the_documents_is_the_one_of_the_manifests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    for (name, _) in MAY_KNOW {
        let row = text.lines().find(|line| line.starts_with(&format!("| `src/{name}/` |")));
        let row = row.unwrap_or_else(|| panic!("ARCHITECTURE.md has no row for {name}"));
        let told: BTreeSet<&str> = row.split('|').nth(2).unwrap().split_whitespace().collect();
        println!("{name} ► {told:?}");
        assert_eq!(told, knows_directly(name), "{name} in ARCHITECTURE.md");
    }
}

#[test]
fn crates_know_only_those_above_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let folders = std::fs::read_dir(&src).unwrap().map(|entry| entry.unwrap().path());
    let found: BTreeSet<String> = folders
        .filter(|folder| folder.join("Cargo.toml").exists())
        .map(|folder| folder.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(found, MAY_KNOW.iter().map(|(name, _)| (*name).to_owned()).collect());
    for (place, (name, may_know)) in MAY_KNOW.iter().enumerate() {
        let above = MAY_KNOW[..place].iter().map(|(name, _)| *name).collect::<Vec<_>>();
        assert!(may_know.iter().all(|known| above.contains(known)), "{name} knows one below it");
        let manifest = std::fs::read_to_string(src.join(name).join("Cargo.toml")).unwrap();
        let for_tests = dependencies(&manifest, "[dev-dependencies]");
        let dependencies = dependencies(&manifest, "[dependencies]");
        assert!(!dependencies.is_empty(), "{name}");
        let mut named = BTreeSet::new();
        named_in_source(&src.join(name), &mut named);
        // Unit tests may know more; the compiler keeps that out of everything else.
        let is_judged =
            |it: &&String| **it != *name && !for_tests.contains(&format!("jounce-{it}"));
        for named in named.iter().filter(is_judged) {
            assert!(may_know.contains(&named.as_str()), "a file of {name} names {named}");
        }
        for known in *may_know {
            let is_there = dependencies.contains(&format!("jounce-{known}"));
            assert!(is_there, "{name} does not depend on {known}: take the arrow out");
        }
        for dependency in &dependencies {
            if let Some(ours) = dependency.strip_prefix("jounce-") {
                assert!(may_know.contains(&ours), "{name} must not know {ours}");
            }
            if let Some((_, places)) = ONLY_IN.iter().find(|(large, _)| large == dependency) {
                assert!(places.contains(name), "{dependency} does not belong into {name}");
            }
        }
    }
}

/// The runtime is for games and browsers: all that it brings along, macros included.
#[test]
fn the_runtime_is_small() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let args = "tree --locked --offline --package jounce-eval --features threads --edges normal";
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let listed = std::process::Command::new(cargo)
        .current_dir(root)
        .args(args.split(' ').chain(["--prefix", "none"]))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&listed.stdout);
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let package = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let packages: BTreeSet<String> = text.lines().map(package).collect();
    assert!(packages.iter().any(|package| package.starts_with("jounce-simd ")), "{text}");
    assert!(packages.len() <= 45, "{} packages: {packages:?}", packages.len());
}
