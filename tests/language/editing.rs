//! What helps people to write scripts takes any text: half-written, damaged, or no script at all.

use crate::support::random::Random;
use jounce::script::editing::{
    EXPRESSION_START, Outline, TEMPLATES, completions, declares_library, explain, highlight,
    indentation_after, with_node_name,
};
use jounce::script::{Library, NodeType, Script, ScriptOrigin, SharedScripts, node_type, script};
use std::time::{Duration, Instant};

fn rounds() -> usize {
    std::env::var("JOUNCE_FUZZ_ROUNDS").ok().and_then(|it| it.parse().ok()).unwrap_or(300)
}

fn try_everything(code: &str, cursor: usize) {
    let mut end = 0;
    for (range, _) in highlight(code) {
        assert!(range.start >= end && range.end > range.start, "in order: {range:?}");
        assert!(code.get(range.clone()).is_some(), "between letters");
        end = range.end;
    }
    Outline::of(code);
    declares_library(code);
    indentation_after(code, cursor);
    with_node_name(code, "Other");
    let Some(found) = completions(code, cursor, &SharedScripts::default()) else { return };
    assert!(code.get(found.replaces.clone()).is_some(), "{:?}", found.replaces);
    assert!(found.replaces.start <= cursor);
    for one in &found.all {
        assert!(one.insert.get(one.select.clone()).is_some(), "{one:?}");
        assert!(!one.help.is_empty(), "{one:?} has no help");
    }
}

#[test]
fn no_text_is_too_strange() {
    let mut random = Random::new(11);
    let scripts: Vec<String> = Library::built_in().types().map(|ty| ty.code.to_string()).collect();
    let strange =
        ["\"", "/*", "*/", "`", "ä→", "\0", "((((", "}}", ".", "uses(\"", "fn", "1e", "\r\n"];
    for _ in 0..rounds() {
        let mut code: Vec<char> = scripts[random.below(scripts.len())].chars().collect();
        for _ in 0..1 + random.below(4) {
            let at = random.below(code.len() + 1);
            match random.below(3) {
                0 => code.truncate(at),
                1 => code = code[at..].to_vec(),
                _ => {
                    let word = strange[random.below(strange.len())];
                    code.splice(at..at, word.chars());
                }
            }
        }
        let code: String = code.into_iter().collect();
        // Also between the bytes of a letter, and behind the end.
        try_everything(&code, random.below(code.len() + 2));
    }
    for text in strange {
        (0..=text.len() + 1).for_each(|cursor| try_everything(text, cursor));
    }
}

/// As long as a script may be, of the parts that are looked up most.
#[test]
fn a_long_script_is_coloured_while_it_is_typed() {
    for part in
        ["fn a{ ", "let a = a; ", "input(\"a\", FLOAT); ", "fn a(", "// a\n", "((((", "\"a\" "]
    {
        let mut code = part.repeat(60 * 1024 / part.len());
        let mut best = Duration::MAX;
        for _ in 0..3 {
            let start = Instant::now();
            code.push('x');
            highlight(&code);
            completions(&code, code.len(), &SharedScripts::default());
            best = best.min(start.elapsed());
        }
        // A frame or two where tests are optimised.
        assert!(best < Duration::from_millis(400), "{part:?} takes {best:?}");
    }
}

#[test]
fn every_word_of_the_built_in_scripts_is_coloured_or_its_own() {
    let known = highlight("input(\"x\", FLOAT);");
    assert_eq!(known.len(), 3, "a declaration, a text, a type: {known:?}");
    for ty in Library::built_in().types() {
        let spans = highlight(&ty.code);
        assert!(!spans.is_empty(), "{}", ty.name);
        for input in &ty.inputs {
            let name = input.name.replace([' ', '-'], "_");
            assert!(Outline::of(&ty.code).port(&name).is_some(), "{}.{name}", ty.name);
        }
    }
}

/// What a template makes of itself.
fn read(template: &str, name: &str) -> Script {
    script(template, name, ScriptOrigin::BuiltIn, &SharedScripts::default())
        .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn templates_are_scripts_that_work() {
    for template in TEMPLATES {
        let made = read(&template.script("My Own"), template.name);
        assert_eq!(made.name(), "My Own");
        assert_eq!(made.is_library(), template.is_library, "{}", template.name);
        if !template.is_library {
            let code = template.expression();
            assert!(!code.contains("node("), "{code}");
            node_type(&code, template.name, ScriptOrigin::Document).unwrap();
        }
    }
}

#[test]
fn a_new_expression_begins_with_the_ports_that_one_without_code_has() {
    let begun = node_type(EXPRESSION_START, "start", ScriptOrigin::Document).unwrap();
    let library = Library::built_in();
    let plain = library.get("Expression").unwrap();
    let names = |ty: &NodeType| {
        let inputs: Vec<String> = ty.inputs.iter().map(|port| port.name.clone()).collect();
        let outputs: Vec<String> = ty.outputs.iter().map(|port| port.name.clone()).collect();
        (inputs, outputs)
    };
    assert_eq!(names(&begun), names(plain));
}

#[test]
fn words_are_explained_as_they_are_meant_where_they_stand() {
    let inside = explain("mix", true).unwrap();
    assert_eq!(inside.written, "mix(a, b, t)");
    assert!(explain("history", false).unwrap().written.starts_with("history(\"name\""));
    assert_eq!(explain("nothing at all", true), None);
}
