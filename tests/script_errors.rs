//! Wrong scripts and exactly what their authors read: `NAME.rhai` and `NAME.txt` in
//! `tests/scripts/wrong`. `JOUNCE_BLESS=1` writes the texts anew, to be read before they are kept.

use jounce::script::{ScriptOrigin, node_type};
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripts/wrong"))
}

fn names() -> Vec<String> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let scripts = files.filter(|path| path.extension().is_some_and(|ext| ext == "rhai"));
    let stem = |path: PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    let mut names: Vec<String> = scripts.map(stem).collect();
    names.sort();
    names
}

fn message(name: &str) -> String {
    let text = std::fs::read_to_string(folder().join(format!("{name}.rhai"))).unwrap();
    match node_type(&text, &format!("{name}.rhai"), ScriptOrigin::BuiltIn) {
        Ok(_) => "is accepted".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn every_wrong_script_is_told_what_to_do() {
    let bless = std::env::var("JOUNCE_BLESS").is_ok_and(|value| value == "1");
    let names = names();
    assert!(names.len() >= 50, "only {} wrong scripts", names.len());
    let mut wrong = Vec::new();
    for name in &names {
        let (found, golden) = (message(name), folder().join(format!("{name}.txt")));
        if bless {
            std::fs::write(&golden, format!("{found}\n")).unwrap();
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        if expected.trim_end() != found {
            wrong.push(format!("found    {found}\nexpected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Only what is wrong with a script as a whole has no place.
#[test]
fn messages_name_a_place_and_speak_no_rhai() {
    for name in names() {
        let found = message(&name);
        let rest = found.strip_prefix(&format!("{name}.rhai:")).expect(&found);
        let has_place = rest.starts_with(|c: char| c.is_ascii_digit());
        let is_whole = ["no_node", "no_output", "no_eval"].contains(&name.as_str());
        assert!(has_place != is_whole, "{found}");
        for leak in ["rhai::", "i64", "f64", "Expecting", "core::", "Dynamic", "node_eval", "anon$"]
        {
            assert!(!rest.contains(leak), "{found}");
        }
        assert!(rest.chars().count() < 250, "{found}");
    }
}

#[test]
fn the_message_of_the_manual_is_exact() {
    assert!(message("cross_of_float").ends_with("`cross` takes two vec3, the second is a float"));
}
