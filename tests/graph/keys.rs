//! Parameters that change over a clip, in the document.

use crate::clock::thread_secs;
use crate::library::*;
use jounce::eval::keyed_value::{KeyInterpolation, KeyNumber, KeyedValue, ValueKey};
use jounce::graph::*;
use jounce::script::{DefaultInput, Setting};
use serde_json::json;

fn curve(keys: &[(f64, f64)]) -> KeyedValue {
    let float = |keyed: KeyedValue, &(time_secs, x): &(f64, f64)| {
        keyed.with_key(time_secs, KeyNumber::Float(x))
    };
    keys.iter().fold(KeyedValue::default(), float)
}

fn names<'a>(document: &'a Document, clip: &str) -> Vec<&'a str> {
    let keys = document.motion.keys.get(clip);
    keys.map(|keys| keys.keys().map(String::as_str).collect()).unwrap_or_default()
}

/// A Parameter that is called so.
fn parameter(document: &mut Document, id: &str, name: &str) {
    add(document, id, "Parameter");
    set(document, &format!("{id}.name"), Setting::Text(name.to_owned()));
}

#[test]
fn keys_come_back_exactly_and_only_files_with_keys_are_of_the_newer_format() {
    let mut document = sample();
    let before = document.to_text().unwrap();
    assert!(before.contains("\"format\": 1,") && !before.contains("keys"));
    let keyed =
        curve(&[(1.0 / 3.0, 0.1), (1.2, -0.0)]).with_interpolation(0, KeyInterpolation::Step);
    apply(&mut document, set_keys("walk", "floppy", keyed.clone()));
    let vector = ValueKey {
        time_secs: 5e-324,
        value: KeyNumber::Vec3([1.0, 0.1, f64::MAX]),
        interpolation: KeyInterpolation::Linear,
    };
    apply(
        &mut document,
        set_keys("Walk \"2\"", "wind.direction", KeyedValue { keys: vec![vector] }),
    );
    let text = document.to_text().unwrap();
    assert!(text.contains("\"format\": 2,"), "{text}");
    let back = Document::from_bytes(text.as_bytes()).unwrap().document;
    assert_eq!(back, document);
    assert_eq!(back.motion.keys["walk"]["floppy"], keyed);
    assert!(
        matches!(back.motion.keys["walk"]["floppy"].keys[1].value, KeyNumber::Float(x) if x.is_sign_negative())
    );
    assert_eq!(back.to_text().unwrap(), text);
    // Without keys, the file is that of before.
    apply(&mut document, set_keys("walk", "floppy", KeyedValue::default()));
    apply(&mut document, set_keys("Walk \"2\"", "wind.direction", KeyedValue::default()));
    assert_eq!(document.to_text().unwrap(), before);
}

#[test]
fn a_drag_of_a_key_is_one_step_and_does_not_grow() {
    let (mut document, mut history) = (sample(), History::default());
    let before = curve(&[(0.2, 1.0), (0.5, 0.0), (0.9, 2.0)]);
    history.perform(&mut document, "Key", set_keys("walk", "floppy", before.clone())).unwrap();
    let keyed = document.clone();
    history.begin(Owner::Hand(1), "Move key");
    for step in 0..100 {
        let moved = before.with_key_moved(0, 0.2 + f64::from(step) * 0.01);
        history.update(&mut document, set_keys("walk", "floppy", moved)).unwrap();
    }
    history.commit();
    assert_eq!(document.motion.keys["walk"]["floppy"].keys.len(), 3, "it passed two and is behind");
    assert_eq!(document.motion.keys["walk"]["floppy"].keys[2].value, KeyNumber::Float(1.0));
    assert_eq!(history.undo(&mut document).unwrap().as_deref(), Some("Move key"));
    assert_eq!(document, keyed);
    history.undo(&mut document).unwrap();
    assert_eq!(document, sample());
}

#[test]
fn keys_go_and_come_back_with_their_parameter_in_one_step() {
    let mut document = sample();
    for (id, name) in [("a", "floppy"), ("b", "wobble"), ("c", "wobble")] {
        parameter(&mut document, id, name);
    }
    for name in ["floppy", "wobble", "noise.scale", "someone.else"] {
        apply(&mut document, set_keys("walk", name, curve(&[(0.1, 1.0)])));
    }
    apply(&mut document, set_keys("run", "floppy", curve(&[(0.1, 1.0)])));
    let before = document.clone();
    let gone = delete(&document, &GraphRef::Top, &Selection::nodes(["a", "b", "noise"]));
    let back = document.apply(gone).unwrap();
    // Another node still shows that name; what belongs to nobody is left alone.
    assert_eq!(names(&document, "walk"), ["someone.else", "wobble"]);
    assert_eq!(names(&document, "run"), [""; 0]);
    assert!(!document.motion.keys.contains_key("run"));
    document.apply(back).unwrap();
    assert_eq!(document, before);
    let last = delete(&document, &GraphRef::Top, &Selection::nodes(["b", "c"]));
    apply(&mut document, last);
    assert!(!names(&document, "walk").contains(&"wobble"));
}

#[test]
fn keys_follow_their_parameter_to_other_names_and_into_groups() {
    let mut document = sample();
    parameter(&mut document, "a", "floppy");
    apply(&mut document, set_keys("walk", "floppy", curve(&[(0.1, 1.0)])));
    apply(&mut document, set_keys("walk", "noise.scale", curve(&[(0.2, 2.0)])));
    rename(&mut document, "a", Some("drag"));
    assert_eq!(names(&document, "walk"), ["drag", "noise.scale"]);
    let edit =
        make_group(&document, &GraphRef::Top, &Selection::nodes(["noise"]), "Shaky").unwrap();
    apply(&mut document, edit.command);
    let group = document.style.graph.nodes.iter().find(|(_, node)| node.group().is_some()).unwrap();
    let group = group.0.clone();
    assert_eq!(names(&document, "walk"), ["drag", &format!("{group}/noise.scale")]);
    let edit = ungroup(&document, &GraphRef::Top, &group).unwrap();
    apply(&mut document, edit.command);
    assert_eq!(names(&document, "walk").len(), 2);
    assert!(
        names(&document, "walk")[1].ends_with(".scale")
            && !names(&document, "walk")[1].contains('/')
    );
    let copy = duplicate(&document, &GraphRef::Top, &Selection::nodes(["noise"]), [9.0, 9.0]);
    apply(&mut document, copy.command);
    assert_eq!(names(&document, "walk").len(), 3, "a copy has keys of its own");
}

/// As the inspector does it.
fn rename(document: &mut Document, id: &str, name: Option<&str>) {
    let node = document.style.graph.nodes[id].clone();
    let mut commands = rename_keys(&keys_of_name(document, &node), id, &node, name);
    commands.push(Command::SetSetting {
        graph: GraphRef::Top,
        node: id.to_owned(),
        port: "name".to_owned(),
        value: name.map(|name| Setting::Text(name.to_owned())),
    });
    apply(document, Command::batch(commands));
}

/// One that shows no name is known by its path, and has its keys under that.
#[test]
fn keys_stay_with_a_parameter_whose_name_is_cleared_and_set_again() {
    let mut document = sample();
    parameter(&mut document, "slider", "floppy");
    let keyed = curve(&[(0.1, 1.0), (0.7, 0.0)]);
    apply(&mut document, set_keys("walk", "floppy", keyed.clone()));
    for (name, known_as) in [
        (Some(""), "slider.value"),
        (Some("  "), "slider.value"),
        (Some("drag"), "drag"),
        // The name that its script has.
        (None, "amount"),
        (Some(""), "slider.value"),
        (None, "amount"),
    ] {
        rename(&mut document, "slider", name);
        assert_eq!(names(&document, "walk"), [known_as], "{name:?}");
        assert_eq!(document.motion.keys["walk"][known_as], keyed);
        let node = &document.style.graph.nodes["slider"];
        assert_eq!(keyed_name("slider", node, "value"), known_as);
        assert_eq!(keyed_name("slider", node, "max"), "slider.max");
    }
    // A name that two show stays where it is.
    parameter(&mut document, "another", "amount");
    rename(&mut document, "slider", Some("mine"));
    assert_eq!(names(&document, "walk"), ["amount"]);
}

/// What a Parameter is called where nobody has named it is written twice: in its script, and where keys follow it.
#[test]
fn a_parameter_without_a_name_is_known_as_its_script_says() {
    let library = jounce::script::Library::built_in();
    let parameter = library.get("Parameter").unwrap();
    let name = parameter.inputs.iter().find(|input| input.name == "name").unwrap();
    let DefaultInput::Setting(Setting::Text(name)) = &name.default else { panic!("{name:?}") };
    assert_eq!(exposed_name(&Node::new("Parameter")), Some(name.as_str()));
}

#[test]
fn keys_that_no_document_may_have_are_refused_with_a_sentence() {
    let mut document = sample();
    let faulty = |keys: &[(f64, f64)]| {
        let key = |&(time_secs, x): &(f64, f64)| ValueKey {
            time_secs,
            value: KeyNumber::Float(x),
            interpolation: KeyInterpolation::Smooth,
        };
        Some(KeyedValue { keys: keys.iter().map(key).collect() })
    };
    let cases = [
        (vec![], "is empty; remove it"),
        (vec![(f64::NAN, 1.0)], "not finite"),
        (vec![(0.0, f64::NEG_INFINITY)], "not finite"),
        (vec![(-0.1, 1.0)], "0 s or later"),
        (vec![(0.5, 1.0), (0.5, 2.0)], "one of each pair"),
        (vec![(0.5, 1.0), (0.2, 2.0)], "sorted by time"),
    ];
    for (keys, expected) in cases {
        let before = document.clone();
        let (clip, parameter) = ("walk".to_owned(), "floppy".to_owned());
        let command = Command::SetKeys { clip, parameter, keys: faulty(&keys) };
        let error = document.apply(command).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("\"floppy\""), "{error}");
        assert_eq!(document, before, "nothing has changed");
    }
    let key = |fields: serde_json::Value| json!({"walk": {"floppy": [fields]}});
    let files = [
        (key(json!({"time": 0.1})), "missing field `value`"),
        (key(json!({"value": 0.1})), "missing field `time`"),
        (key(json!({"time": 0.1, "value": "much"})), "a number or [x, y, z]"),
        (key(json!({"time": 0.1, "value": [1, 2]})), "a number or [x, y, z]"),
        (key(json!({"time": 0.1, "value": [1, 2, 3, 4]})), "a number or [x, y, z]"),
        (key(json!({"time": 0.1, "value": true})), "a number or [x, y, z]"),
        (key(json!({"time": 0.1, "value": 1, "interpolation": "bouncy"})), "unknown variant"),
        (key(json!({"time": 0.1, "value": 1, "ease": 1})), "unknown field"),
        (key(json!({"time": -1, "value": 1})), "before the start of the clip"),
        (json!({"walk": {"floppy": []}}), "is empty; remove it"),
        (json!({"walk": []}), "a map"),
        (json!([]), "a map"),
    ];
    for (keys, expected) in files {
        let text = json!({"format": 2, "motion": {"keys": keys}}).to_string();
        let error = Document::from_bytes(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
        assert!(!error.contains('\n') && error.len() < 400, "{error}");
    }
    let twice = [
        r#"{"format": 2, "motion": {"keys": {"walk": {}, "walk": {}}}}"#,
        r#"{"format": 2, "motion": {"keys": {"walk": {"a": [{"time": 0, "value": 1}], "a": []}}}}"#,
    ];
    for text in twice {
        let error = Document::from_bytes(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("appears twice"), "{error}");
    }
    // A clip without any is nothing; a curve may be long, and what is not said is smooth.
    let text = r#"{"format": 2, "motion": {"keys": {"walk": {}}}}"#;
    assert!(Document::from_bytes(text.as_bytes()).unwrap().document.motion.keys.is_empty());
    let many: Vec<_> = (0..200_000).map(|i| json!({"time": i, "value": i % 7})).collect();
    let text = json!({"format": 2, "motion": {"keys": {"walk": {"floppy": many}}}}).to_string();
    let keyed =
        &Document::from_bytes(text.as_bytes()).unwrap().document.motion.keys["walk"]["floppy"];
    assert_eq!(keyed.keys[5].interpolation, KeyInterpolation::Smooth);
    let start_secs = thread_secs();
    for step in 0..20_000 {
        keyed.at(f64::from(step) * 9.7, Some(2e5)).unwrap();
    }
    let secs = thread_secs() - start_secs;
    assert!(secs < 2.0, "{secs} s");
}
