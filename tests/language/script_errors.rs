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
        for found in message(&name).lines() {
            let rest = found.strip_prefix(&format!("{name}.rhai:")).expect(found);
            let has_place = rest.starts_with(|c: char| c.is_ascii_digit());
            let is_whole = ["no_node", "no_output", "no_eval"].contains(&name.as_str());
            assert!(has_place != is_whole || rest.starts_with(" and "), "{found}");
            for leak in
                ["rhai::", "i64", "f64", "Expecting", "core::", "Dynamic", "node_eval", "anon$"]
            {
                assert!(!rest.contains(leak), "{found}");
            }
            assert!(rest.chars().count() < 250, "{found}");
        }
    }
}

/// By line, each place once, and no more than somebody reads.
#[test]
fn all_mistakes_are_told_at_once_and_none_twice() {
    let lines = |name: &str| -> Vec<usize> {
        let line = |text: &str| text.split(':').nth(1).unwrap().parse().unwrap_or(0);
        message(name).lines().map(line).collect()
    };
    assert_eq!(lines("many_mistakes"), [2, 3, 4, 7, 8, 10, 12, 13]);
    assert_eq!(lines("many_slips"), [4, 4, 5, 6, 7, 8, 11]);
    assert_eq!(lines("mistakes_in_a_loop"), [7, 9, 12]);
    let many = lines("more_than_can_be_told");
    assert_eq!(many[..20], (5..25).collect::<Vec<usize>>());
    assert!(message("more_than_can_be_told").ends_with("and 10 more; fix these first"));
    for name in names() {
        let mut places: Vec<String> = Vec::new();
        for line in message(&name).lines() {
            let place: Vec<&str> = line.split(':').take(3).collect();
            places.push(place.join(":"));
        }
        let told = places.len();
        places.sort();
        places.dedup();
        assert!(places.len() == told, "{name} tells a place twice");
    }
}

#[test]
fn the_message_of_the_manual_is_exact() {
    assert!(
        message("cross_of_float").ends_with("`cross` takes two vec3s, but the second is a float")
    );
}
