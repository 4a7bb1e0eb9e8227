//! Where a user's own scripts are read, and where results are kept.
#![cfg(target_os = "linux")]

use crate::support::program::{command, said};
use std::path::Path;
use std::process::Command;

/// With nothing set but what is given.
fn with(variables: &[(&str, &Path)]) -> Command {
    let mut command = command();
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "JOUNCE_CACHE"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    command
}

#[test]
fn scripts_are_read_from_the_configuration_folder_or_from_that_of_the_home() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let script = "//! Moves everything up.\nnode(\"Nudge\", \"Tests\");\noutput(\"displacement\", VEC3);\n\
                  fn eval() { vec3(0, 1, 0) }\n";
    for config in ["config", "home/.config"] {
        let scripts = folder.join(config).join("jounce/scripts");
        std::fs::create_dir_all(&scripts).unwrap();
        std::fs::write(scripts.join("nudge.rhai"), script).unwrap();
    }
    let [config, home, empty] = ["config", "home", "empty"].map(|name| folder.join(name));
    let relative = Path::new("config");
    let cases: [(&[(&str, &Path)], bool); 4] = [
        (&[("XDG_CONFIG_HOME", &config), ("HOME", &empty)], true),
        (&[("HOME", &home)], true),
        (&[("XDG_CONFIG_HOME", relative), ("HOME", &home)], true),
        (&[("XDG_CONFIG_HOME", &empty), ("HOME", &home)], false),
    ];
    for (variables, is_read) in cases {
        let said = said(with(variables).current_dir(folder).arg("nodes").output().unwrap());
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert_eq!(said.stdout.contains("Nudge"), is_read, "{variables:?}");
    }
}

#[test]
fn softness_is_kept_in_the_cache_folder_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [caches, home, own] = ["caches", "home", "own"].map(|name| folder.join(name));
    let cases: [(&[(&str, &Path)], &str); 4] = [
        (&[("XDG_CACHE_HOME", &caches), ("HOME", &home)], "caches/jounce"),
        (&[("HOME", &home)], "home/.cache/jounce"),
        (&[("JOUNCE_CACHE", &own), ("XDG_CACHE_HOME", &caches)], "own"),
        (&[("JOUNCE_CACHE", Path::new("off")), ("HOME", &home)], ""),
    ];
    for (variables, expected) in cases {
        let mut bake = with(variables);
        let soft = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/soft.jounce");
        bake.args(["bake", "tube", "--graph", soft, "--at", "0.3", "-o", "x.pc2"]);
        let said = said(bake.current_dir(folder).output().unwrap());
        assert_eq!(said.code, 0, "{}", said.stderr);
        let kept = |name: &str| std::fs::read_dir(folder.join(name)).map_or(0, Iterator::count);
        for name in ["caches/jounce", "home/.cache/jounce", "own"] {
            assert_eq!(kept(name), usize::from(name == expected), "{name} with {variables:?}");
            let _ = std::fs::remove_dir_all(folder.join(name));
        }
    }
}
