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

/// The names under `[dependencies]`.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let lines = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split(['.', ' ', '=']).next());
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
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
        let dependencies = dependencies(&manifest);
        assert!(!dependencies.is_empty(), "{name}");
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
