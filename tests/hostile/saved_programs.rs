//! Saved programs that lie: an error with a sentence, or a program that can be run and printed; never a panic.
//!
//! `JOUNCE_FUZZ_ROUNDS` sets how many mutations each text gets, in hundreds (60 by default).

use crate::support::random::Random;
use crate::support::scene::{Scene, examples};
use jounce::eval::vm::Prepared;
use jounce::eval::{Bound, Evaluator, Interpreter, Parameters};
use jounce::ir::Program;
use jounce::wgsl::{Options, ShaderSkinning, TableMemory, module};
use serde_json::Value;

const NASTY: [&str; 16] = [
    "0",
    "1",
    "-1",
    "4294967295",
    "4294967296",
    "1e308",
    "-1e308",
    "5e-324",
    "null",
    "true",
    "[]",
    "{}",
    "\"inf\"",
    "\"nan\"",
    "\"\"",
    "1e999",
];

fn rounds() -> usize {
    let set = std::env::var("JOUNCE_FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    set.unwrap_or(60) * 100
}

/// Loads it; what loads is prepared, run and printed.
fn load(text: &str, scene: &Scene, runs: &mut usize) {
    let program = match Program::from_saved_text(text) {
        Ok(program) => program,
        Err(error) => {
            let sentence = error.to_string();
            assert!(sentence.contains(' ') && !sentence.contains('\n'), "{sentence:?}");
            assert!(sentence.len() < 1000, "{sentence}");
            return;
        }
    };
    // Most that loads is the same program with another number: a few of them are enough.
    *runs += 1;
    if !runs.is_multiple_of(40) {
        return;
    }
    assert!(program.to_saved_text().is_ok());
    let _ = (program.to_string(), program.schedule(), program.stepping().validate());
    let bound = Bound::new(&program, &scene.character, &Default::default()).unwrap();
    let _ = Prepared::new(&program, &bound);
    let options = Options {
        name: "hostile",
        skinning: ShaderSkinning::Lbs,
        with_constants: true,
        tables: TableMemory::Storage,
    };
    let _ = module(&program, &options);
    let mut moment = scene.moments(&[0.2]).remove(0);
    moment.parameters = Parameters::new(&program);
    let _ = Interpreter.deform(&program, &bound, &moment);
}

/// Letters changed, taken out, doubled.
fn damaged(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => bytes[at] = b" \"{}[],:0123456789.-eabcnu"[random.below(26)],
            1 => {
                bytes.remove(at);
            }
            2 => bytes.insert(at, bytes[at]),
            _ => bytes.truncate(at.max(1)),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Any place of a tree of JSON.
fn any_place<'v>(value: &'v mut Value, random: &mut Random) -> &'v mut Value {
    let count = match &*value {
        Value::Array(list) => list.len(),
        Value::Object(fields) => fields.len(),
        _ => 0,
    };
    if count == 0 || random.below(6) == 0 {
        return value;
    }
    let at = random.below(count);
    match value {
        Value::Array(list) => any_place(&mut list[at], random),
        Value::Object(fields) => any_place(fields.iter_mut().nth(at).unwrap().1, random),
        other => other,
    }
}

/// A number, a name or a list replaced by another one that stands somewhere in it, or by a nasty one.
fn altered(tree: &Value, random: &mut Random) -> Value {
    let mut tree = tree.clone();
    for _ in 0..=random.below(2) {
        let other = match random.below(2) {
            0 => serde_json::from_str(NASTY[random.below(NASTY.len())]).unwrap_or(Value::Null),
            _ => {
                let mut copy = tree.clone();
                any_place(&mut copy, random).clone()
            }
        };
        *any_place(&mut tree, random) = other;
    }
    tree
}

#[test]
fn thousands_of_broken_texts_are_refused_or_harmless() {
    let names = ["cartoon", "flesh-belly", "default"];
    let is_named = |name: &str, file: &&std::path::PathBuf| file.file_stem().unwrap() == name;
    for (seed, name) in names.into_iter().enumerate() {
        let files = examples();
        let scene = Scene::example(files.iter().find(|file| is_named(name, file)).unwrap());
        let text = scene.program.to_saved_text().unwrap();
        let tree: Value = serde_json::from_str(&text).unwrap();
        let mut random = Random::new(seed as u64 + 1);
        let mut runs = 0;
        for round in 0..rounds() / names.len() {
            match round % 2 {
                0 => load(&damaged(&text, &mut random), &scene, &mut runs),
                _ => load(&altered(&tree, &mut random).to_string(), &scene, &mut runs),
            }
        }
        println!("{name}: {runs} loaded");
    }
}
