//! Files of every version open, and what is saved comes back to the last bit.

use crate::library::*;
use jounce::graph::*;
use jounce::script::Setting;
use serde_json::json;

const FORMAT_1: &str = include_str!("../data/format1.jounce");

#[test]
fn a_file_of_format_1_opens_and_saves_as_the_same_bytes() {
    let loaded = Document::from_bytes(FORMAT_1.as_bytes()).unwrap();
    assert_eq!(loaded.notes, []);
    let document = loaded.document;
    assert_eq!(document.style.groups["Soft Tail"].inputs.len(), 2);
    assert_eq!(document.characters["cow"].maps["softness"].len(), 40);
    assert_eq!(document.motion.clip.as_deref(), Some("walk"));
    let code = document.style.graph.nodes["expression"].code.as_deref().unwrap();
    assert!(code.starts_with("input(\"speed\", FLOAT, 1.0);\n"));
    assert_eq!(document.to_text().unwrap(), FORMAT_1);
}

#[test]
fn a_node_that_nobody_knows_keeps_everything() {
    let loaded = Document::from_bytes(FORMAT_1.as_bytes()).unwrap().document;
    let unknown = &loaded.style.graph.nodes["future"];
    let expected = json!({"points": [[0, 0.5], [1, 1]], "seed": 18_446_744_073_709_551_615_u64});
    assert_eq!(unknown.settings["curve"], Setting::Other(expected));
    assert!(loaded.style.graph.links.contains(&link("future.anything at all", "add.b")));
}

#[test]
fn each_part_can_be_taken_alone() {
    let other = Document::from_bytes(FORMAT_1.as_bytes()).unwrap().document;
    let mut document = sample();
    let style = document.style.clone();
    document.replace_motion_from(other.clone());
    assert_eq!((&document.motion, &document.style), (&other.motion, &style));
    document.replace_characters_from(other.clone());
    assert_eq!((&document.characters, &document.style), (&other.characters, &style));
    document.replace_style_from(other.clone());
    assert_eq!(document, other);
    let style_alone = br#"{"format": 1, "style": {"graph": {"nodes": {"a": {"type": "T"}}}}}"#;
    let loaded = Document::from_bytes(style_alone).unwrap().document;
    assert_eq!(loaded.style.graph.nodes.len(), 1);
}

#[test]
fn a_document_is_saved_whole_and_loaded_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("style.jounce");
    sample().save(&path).unwrap();
    assert_eq!(Document::load(&path).unwrap().document, sample());
    let error = Document::load(folder.path().join("gone.jounce")).unwrap_err().to_string();
    assert!(error.contains("check the path"), "{error}");
    let error = sample().save(folder.path().join("no/such/folder.jounce")).unwrap_err().to_string();
    assert!(error.contains("check that the folder exists"), "{error}");
}

#[test]
fn numbers_come_back_exactly() {
    let mut document = sample();
    let numbers = [0.1, 1.0 / 3.0, -0.0, 5e-324, f64::MAX, 9007199254740993.0, 1e21, 123456789.125];
    for (index, number) in numbers.iter().enumerate() {
        set(&mut document, &format!("noise.n{index}"), Setting::Float(*number));
    }
    let values: Vec<f32> = (1..5000_u32).map(|i| f32::from_bits(i.wrapping_mul(858_993))).collect();
    let values: Vec<f32> = values.into_iter().filter(|value| value.is_finite()).collect();
    let (character, map) = ("cow".to_owned(), "soft".to_owned());
    let command = Command::SetMap { character, map, values: Some(values.clone().into()) };
    apply(&mut document, command);
    let text = document.to_text().unwrap();
    let back = Document::from_bytes(text.as_bytes()).unwrap().document;
    for (index, number) in numbers.iter().enumerate() {
        let found = &back.style.graph.nodes["noise"].settings[&format!("n{index}")];
        let Setting::Float(found) = found else { panic!("{found:?}") };
        assert_eq!(found.to_bits(), number.to_bits(), "{number}");
    }
    let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&back.characters["cow"].maps["soft"]), bits(&values));
    assert_eq!(back.to_text().unwrap(), text);
}

#[test]
fn what_is_too_large_or_too_deep_is_refused() {
    // Each group uses the next one twice: 2³¹ nodes, written out.
    let groups: serde_json::Map<String, serde_json::Value> = (0..32)
        .map(|level| {
            let node = json!({"type": format!("group:g{}", level + 1)});
            (format!("g{level}"), json!({"graph": {"nodes": {"a": node, "b": node}}}))
        })
        .collect();
    let error = |groups: &serde_json::Value| {
        let text = json!({"format": 1, "style": {"groups": groups}}).to_string();
        Document::from_bytes(text.as_bytes()).unwrap_err().to_string()
    };
    assert!(error(&groups.into()).contains("more than 100000 nodes"));
    let chain: serde_json::Map<String, serde_json::Value> = (0..20_000)
        .map(|level| {
            let node = json!({"type": format!("group:g{}", level + 1)});
            (format!("g{level}"), json!({"graph": {"nodes": {"a": node}}}))
        })
        .collect();
    assert!(error(&chain.into()).contains("nested more than 32 deep"));
    let itself = json!({"a": {"graph": {"nodes": {"n": {"type": "group:a"}}}}});
    assert!(error(&itself).contains("\"a\" would contain itself"));
    // A chain of very many nodes is fine.
    let nodes: serde_json::Map<String, serde_json::Value> =
        (0..50_000).map(|i| (format!("n{i}"), json!({"type": "Add"}))).collect();
    let links: Vec<_> =
        (1..50_000).map(|i| json!([format!("n{}.result", i - 1), format!("n{i}.a")])).collect();
    let text = json!({"format": 1, "style": {"graph": {"nodes": nodes, "links": links}}});
    let document = Document::from_bytes(text.to_string().as_bytes()).unwrap().document;
    assert_eq!(check(&document, &library()).len(), 1);
}

#[test]
fn corrected_roles_are_kept_in_format_2() {
    let mut document = sample();
    let set =
        |role| Command::SetRole { character: "cow".to_owned(), bone: "Head".to_owned(), role };
    apply(&mut document, set(Some(Role::Head)));
    let text = document.to_text().unwrap();
    assert!(text.contains("\"format\": 2"), "older builds would refuse the key");
    assert_eq!(Document::from_bytes(text.as_bytes()).unwrap().document, document);
    apply(&mut document, set(None));
    assert!(document.to_text().unwrap().contains("\"format\": 1"));
    assert_eq!(document, sample(), "nothing is left of it");
}

#[test]
fn parents_of_bones_are_kept_in_format_2_and_nobody_hangs_on_itself() {
    let mut document = sample();
    let set = |bone: &str, parent: Option<Option<&str>>| Command::SetParent {
        character: "humanoid".to_owned(),
        bone: bone.to_owned(),
        parent: parent.map(|parent| parent.map(str::to_owned)),
    };
    assert!(document.to_text().unwrap().contains("\"format\": 1"));
    apply(&mut document, set("Foot.L", Some(Some("Shin.L"))));
    apply(&mut document, set("Hip.L", Some(None)));
    let text = document.to_text().unwrap();
    assert!(text.contains("\"format\": 2"), "older builds would refuse the key");
    assert!(text.contains("\"Foot.L\": \"Shin.L\"") && text.contains("\"Hip.L\": null"), "{text}");
    assert_eq!(Document::from_bytes(text.as_bytes()).unwrap().document, document);
    let before = document.clone();
    for (bone, parent) in [("Shin.L", "Foot.L"), ("Toe.L", "Toe.L")] {
        let error = document.apply(set(bone, Some(Some(parent)))).unwrap_err().to_string();
        assert!(error.contains("would be below itself; choose a parent"), "{error}");
        assert_eq!(document, before);
    }
    let around = text.replace("\"Hip.L\": null", "\"Shin.L\": \"Foot.L\"");
    let error = Document::from_bytes(around.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("would be below itself"), "{error}");
    apply(&mut document, set("Foot.L", None));
    apply(&mut document, set("Hip.L", None));
    assert_eq!(document, sample(), "nothing is left of it");
}
