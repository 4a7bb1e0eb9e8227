//! `jounce maps`: lists, makes, converts and writes maps.

use crate::support::program::{jounce_fails, jounce_ok};
use crate::support::shared::shared;
use jounce::graph::Document;
use jounce::rig::{Character, load};
use serde_json::Value;
use std::path::Path;

fn map(character: &Character, name: &str) -> Vec<f32> {
    let found = character.maps.iter().find(|map| map.name == name);
    found.map(|map| map.values.clone()).unwrap_or_default()
}

fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

#[test]
fn maps_are_listed_with_where_they_come_from() {
    let text = jounce_ok(&["maps", "cow"]);
    for word in ["softness", "file", "looseness", "computed", "covers"] {
        assert!(text.contains(word), "{text}");
    }
    let listed: Value = serde_json::from_str(&jounce_ok(&[
        "maps",
        "cow",
        "--new",
        "fur",
        "--from",
        "constant=0.5",
        "--json",
    ]))
    .unwrap();
    let fur = listed.as_array().unwrap().iter().find(|map| map["name"] == "fur").unwrap();
    assert_eq!(
        (&fur["origin"], &fur["least"], &fur["most"]),
        (&"painted".into(), &0.5.into(), &0.5.into())
    );
    assert_eq!(fur["covers"], 1.0);
}

#[test]
fn maps_are_written_into_a_character_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let out = path(&folder, "cow.glb");
    let made =
        ["--new", "up", "--from", "height", "--new", "Near Head", "--from", "bone-distance=Head"];
    jounce_ok(&[&["maps", "cow"][..], &made, &["-o", &out]].concat());
    let character = load::load_file(Path::new(&out)).unwrap();
    let up = map(&character, "up");
    let (low, high) = character.rest_bounds();
    for (value, at) in up.iter().zip(&character.rest().positions) {
        assert!((value - (at.y - low.y) / (high.y - low.y)).abs() < 1e-5);
    }
    assert!(map(&character, "near_head").iter().any(|x| *x > 0.3), "as attributes are named");
    assert!(!map(&character, "softness").is_empty(), "what was there stays");
    // Into a file that is there already, nothing else changes.
    let again = path(&folder, "again.glb");
    jounce_ok(&["maps", &out, "--new", "half", "--from", "constant=0.5", "-o", &again]);
    let after = load::load_file(Path::new(&again)).unwrap();
    assert_eq!(map(&after, "half"), vec![0.5; after.vertex_count()]);
    assert_eq!(map(&after, "up"), up);
    assert_eq!(after.mesh.positions, character.mesh.positions);
    assert_eq!(after.mesh_fingerprint(), character.mesh_fingerprint());
    assert_eq!(after.clips.len(), character.clips.len());
    let replaced = path(&folder, "replaced.glb");
    jounce_ok(&["maps", &again, "--new", "half", "--from", "constant=0.25", "-o", &replaced]);
    let replaced = load::load_file(Path::new(&replaced)).unwrap();
    assert_eq!(map(&replaced, "half"), vec![0.25; after.vertex_count()]);
}

#[test]
fn maps_go_into_any_file_that_can_be_read() {
    for name in ["Fox.glb", "RobotExpressive.glb", "humanoid.gltf", "MorphStressTest.glb"] {
        let Some(file) = shared(&format!("characters/{name}")) else { return };
        let folder = tempfile::tempdir().unwrap();
        let out = path(&folder, "out.glb");
        let before = load::load_file(&file).unwrap();
        let file = file.to_str().unwrap();
        jounce_ok(&["maps", file, "--new", "up", "--from", "height", "-o", &out]);
        let after = load::load_file(Path::new(&out)).unwrap();
        assert_eq!(after.mesh.positions, before.mesh.positions, "{name}");
        assert_eq!(after.mesh.triangles, before.mesh.triangles);
        assert_eq!(after.mesh.parts.len(), before.mesh.parts.len());
        let top = (0..after.vertex_count())
            .max_by(|a, b| before.rest().positions[*a].y.total_cmp(&before.rest().positions[*b].y));
        assert!((map(&after, "up")[top.unwrap()] - 1.0).abs() < 1e-5, "{name}");
    }
}

#[test]
fn maps_become_painted_ones_of_a_document_and_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let (document, numbers) = (path(&folder, "a.jounce"), path(&folder, "a.csv"));
    jounce_ok(&["maps", "cow", "--new", "fur", "--from", "height", "-o", &document]);
    let painted = Document::load(&document).unwrap().document;
    let fur = &painted.characters["cow"].maps["fur"];
    let cow = jounce::rig::own::built_in("cow").unwrap();
    assert_eq!(fur.mesh, Some(cow.mesh_fingerprint()));
    // And back: what a document has is listed and written.
    let listed = jounce_ok(&["maps", "cow", "--graph", &document]);
    assert!(listed.contains("fur") && listed.contains("painted"), "{listed}");
    jounce_ok(&[
        "maps", "cow", "--graph", &document, "--map", "fur", "--map", "softness", "-o", &numbers,
    ]);
    let text = std::fs::read_to_string(&numbers).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("vertex,fur,softness"));
    let seventh: Vec<f32> =
        lines.nth(7).unwrap().split(',').map(|number| number.parse().unwrap()).collect();
    assert_eq!(seventh, [7.0, fur[7], map(&cow, "softness")[7]]);
}

#[test]
fn what_cannot_be_made_is_said_with_what_can() {
    let folder = tempfile::tempdir().unwrap();
    let out = path(&folder, "out.glb");
    let (png, missing) = (path(&folder, "out.png"), path(&folder, "no/such/out.glb"));
    for (args, expected) in [
        (vec!["maps", "cow", "--new", "a", "--from", "hieght", "-o", &out], "bone-distance=BONE"),
        (
            vec!["maps", "cow", "--new", "a", "--new", "b", "--from", "height", "-o", &out],
            "one --from for each",
        ),
        (
            vec!["maps", "cow", "--new", "a", "--from", "bone-distance=Haed", "-o", &out],
            "did you mean \"Head\"",
        ),
        (vec!["maps", "cow", "-o", &out], "no painted map to write"),
        (vec!["maps", "cow", "--map", "nothing", "-o", &out], "no map \"nothing\""),
        (
            vec!["maps", "cow", "--new", "a", "--from", "height", "-o", &png],
            ".glb, .jounce or .csv",
        ),
        (vec!["maps", "cow", "--new", "a", "--from", "height", "-o", &missing], "does not exist"),
        (
            vec![
                "maps", "cow", "--new", "a b", "--from", "height", "--new", "a_b", "--from",
                "height", "-o", &out,
            ],
            "would be called _A_B",
        ),
    ] {
        let code = if expected.contains("BONE") { 2 } else { 1 };
        let error = jounce_fails(&args, code);
        assert!(error.contains(expected), "{error}");
    }
}
