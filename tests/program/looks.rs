//! `jounce looks`: the table of what styles do to characters.

use crate::support::program::{command, jounce_ok, said};
use serde_json::{Value, json};

fn looks(args: &[&str]) -> Vec<Value> {
    let text = jounce_ok(&[&["looks", "--json"], args].concat());
    serde_json::from_str(&text).unwrap()
}

fn number(look: &Value, name: &str) -> f64 {
    look[name].as_f64().unwrap_or_else(|| panic!("{name} in {look}"))
}

/// Styles that speak of roles, on our own characters: alive, whole, and standing.
#[test]
fn a_fitted_style_keeps_its_bounds() {
    let all = looks(&["cow", "giraffe", "--graph", "default", "--graph", "floppy-ears"]);
    assert_eq!(all.len(), 4);
    for look in &all {
        assert!(number(look, "feet") < 0.005, "{look}");
        assert!(number(look, "torn_edges") <= 0.001, "{look}");
        assert!(number(look, "turned_over") <= 0.0002, "{look}");
        assert!(number(look, "after_hold") < 0.02, "{look}");
        assert!(number(look, "ears") > 0.01, "{look}");
    }
    let head = |place: usize| number(&all[place], "head");
    assert!(head(1) < 0.3 * head(0), "floppy ears are no floppy head: {} {}", all[1], all[0]);
}

#[test]
fn numbers_out_of_bounds_are_marked_and_explained_in_one_line() {
    let table = jounce_ok(&["looks", "cow", "--clip", "hop", "--graph", "floppy", "--as-is"]);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 2, "{table}");
    let (heading, line) = (lines[0], lines[1]);
    assert!(line.starts_with("floppy ") && line.contains("cow") && line.contains("hop"), "{line}");
    // Columns stand below their names: feet are not pinned in the exact style of the paper.
    let end_of_feet = heading.find("feet").unwrap() + 4;
    let feet = &line[end_of_feet - 7..end_of_feet];
    assert!(feet.ends_with('!'), "{table}");
}

#[test]
fn keys_count_as_they_do_when_a_style_is_fitted() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, keyed) = (folder.path().join("plain.jounce"), folder.path().join("keyed.jounce"));
    jounce_ok(&[
        "fit",
        "cow",
        "--graph",
        "default",
        "--clip",
        "hop",
        "-o",
        plain.to_str().unwrap(),
    ]);
    let mut document: Value =
        serde_json::from_str(&std::fs::read_to_string(&plain).unwrap()).unwrap();
    // Nothing of the style is left, over the whole clip.
    let nothing = json!([{ "time": 0, "value": 0 }]);
    document["motion"]["keys"] = json!({ "hop": { "strength": nothing } });
    document["format"] = json!(2);
    std::fs::write(&keyed, document.to_string()).unwrap();
    let ears = |file: &std::path::Path| {
        let file = file.to_str().unwrap();
        number(&looks(&["cow", "--clip", "hop", "--as-is", "--graph", file])[0], "ears")
    };
    assert!(ears(&plain) > 0.02, "{}", ears(&plain));
    assert!(ears(&keyed) < 1e-6, "{}", ears(&keyed));
}

/// What a style cannot do on one character is no reason to stop.
#[test]
fn a_style_with_nothing_to_fit_is_told_and_the_others_follow() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.jounce");
    let graph = json!({ "links": [], "nodes": { "output": { "type": "Output" } } });
    let document = json!({ "format": 1, "style": { "graph": graph } });
    std::fs::write(&empty, document.to_string()).unwrap();
    let mut command = command();
    command.args(["looks", "tube", "--graph", empty.to_str().unwrap(), "--graph", "default"]);
    let said = said(command.output().unwrap());
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(
        said.stderr.contains("empty on tube: this style has no amount to fit"),
        "{}",
        said.stderr
    );
    assert_eq!(said.stdout.lines().count(), 2, "{}", said.stdout);
}
