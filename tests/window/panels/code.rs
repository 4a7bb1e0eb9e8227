//! Code that is written in the window: what comes of it is read back as numbers.

use super::*;
use crate::support::canvas::{baked, farthest};
use jounce::graph::{Command, Document, GraphRef, Link, Node, PortRef};

/// An Expression that lifts the character by a part of its size, wired to the output.
const LIFT: &str = "input(\"amount\", FLOAT, 0.1);\noutput(\"displacement\", VEC3);\nfn eval(amount) {\n    \
                    vec3(0, 1, 0) * (amount * CHARACTER_SIZE)\n}\n";

fn lifted() -> Document {
    let motion = built_in_style("velocity-skinning").unwrap().motion;
    let mut document = Document { motion, ..Document::default() };
    let graph = GraphRef::Top;
    let code = Some(LIFT.to_owned());
    let lift = Node { code, ..Node::new("Expression") };
    let output = Node { position: [300.0, 0.0], ..Node::new("Output") };
    let port = |node: &str| PortRef::new(node, "displacement");
    let link = Link::new(port("lift"), port("output"));
    for command in [
        Command::AddNode { graph: graph.clone(), id: "lift".to_owned(), node: lift },
        Command::AddNode { graph: graph.clone(), id: "output".to_owned(), node: output },
        Command::Connect { graph, link, adds: true },
    ] {
        document.apply(command).unwrap();
    }
    document
}

fn writing() -> Harness<'static, Editor> {
    let mut harness = editor_of_size(lifted(), SIZE);
    harness.state_mut().state.selection.in_graph = Selection::nodes(["lift"]);
    harness.run_steps(3);
    harness
}

fn code(harness: &Harness<Editor>) -> String {
    let document = harness.state().state.session.document();
    document.style.graph.nodes["lift"].code.clone().unwrap_or_default()
}

fn press(harness: &mut Harness<'static, Editor>, modifiers: Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run_steps(1);
}

fn write(harness: &mut Harness<'static, Editor>, text: &str) {
    harness.event(egui::Event::Text(text.to_owned()));
    harness.run_steps(1);
}

/// Long enough for what was written to count.
fn pause(harness: &mut Harness<'static, Editor>) {
    harness.run_steps(4);
}

/// With the cursor in the code, all of it selected.
fn select_code(harness: &mut Harness<'static, Editor>) {
    harness.get_by_label("Code in inspector").click();
    harness.run_steps(2);
    press(harness, Modifiers::COMMAND, Key::A);
}

fn undo_label(harness: &Harness<Editor>) -> Option<String> {
    harness.state().state.session.history().undo_label().map(str::to_owned)
}

fn height(harness: &mut Harness<'static, Editor>) -> f32 {
    baked(harness, 0.3).iter().map(|position| position.y).fold(f32::MIN, f32::max)
}

#[test]
fn code_that_is_typed_changes_the_result_and_a_mistake_keeps_the_last() {
    let mut harness = writing();
    let before = height(&mut harness);
    select_code(&mut harness);
    write(&mut harness, &LIFT.replace("amount * CHARACTER", "3 * amount * CHARACTER"));
    pause(&mut harness);
    let lifted = height(&mut harness);
    assert!(lifted > before * 1.1, "{before} {lifted}");
    assert_eq!(undo_label(&harness).as_deref(), Some("Edit Code"));
    // A mistake: the text is in the document, the result is the last one, and the line is told.
    press(&mut harness, Modifiers::COMMAND, Key::A);
    write(&mut harness, &LIFT.replace("vec3(0", "vec4(0"));
    pause(&mut harness);
    assert!(code(&harness).contains("vec4(0"), "kept as it was typed");
    assert_eq!(height(&mut harness), lifted, "the last version that worked");
    assert!(harness.query_by_label_contains("4:5 there is no function `vec4`").is_some());
    let problems = &harness.state().state.show.compiled().problems;
    assert_eq!(problems.len(), 1, "{problems:?}");
    // A click on the message selects the word that is meant.
    harness.get_by_label_contains("4:5 there is no function").click();
    harness.run_steps(2);
    write(&mut harness, "vec3");
    pause(&mut harness);
    assert_eq!(code(&harness), LIFT);
    // Corrected, it counts again.
    press(&mut harness, Modifiers::COMMAND, Key::A);
    write(&mut harness, LIFT);
    pause(&mut harness);
    assert_eq!(height(&mut harness), before);
    assert!(harness.state().state.show.compiled().problems.is_empty());
    assert!(harness.query_by_label_contains("vec4").is_none());
}

#[test]
fn each_pause_is_one_step_and_an_undo_comes_back_into_the_field() {
    let mut harness = writing();
    select_code(&mut harness);
    press(&mut harness, Modifiers::NONE, Key::ArrowLeft);
    for letter in ["/", "/", " ", "a"] {
        write(&mut harness, letter);
    }
    pause(&mut harness);
    assert!(code(&harness).starts_with("// ainput"), "{}", code(&harness));
    let written = code(&harness);
    harness.state_mut().state.session.undo();
    harness.run_steps(3);
    assert_eq!(code(&harness), LIFT, "four letters are one step");
    harness.state_mut().state.session.redo();
    harness.run_steps(3);
    assert_eq!(code(&harness), written);
    harness.state_mut().state.session.undo();
    // What is typed next goes on from what the undo brought back.
    harness.run_steps(3);
    press(&mut harness, Modifiers::COMMAND | Modifiers::CTRL, Key::Home);
    write(&mut harness, "//b");
    pause(&mut harness);
    assert_eq!(code(&harness), format!("//b{LIFT}"));
}

#[test]
fn ports_appear_as_they_are_declared_and_values_are_kept_by_name() {
    let mut harness = writing();
    let slider = |harness: &Harness<'static, Editor>, name: &str| {
        harness.query_by_role_and_label(Role::Slider, name).is_some()
            || harness.query_by_role_and_label(Role::SpinButton, name).is_some()
    };
    assert!(slider(&harness, "amount"));
    harness.state_mut().state.session.perform(
        "Set",
        Command::SetSetting {
            graph: GraphRef::Top,
            node: "lift".to_owned(),
            port: "amount".to_owned(),
            value: Some(Setting::Float(0.4)),
        },
    );
    harness.run_steps(2);
    let high = height(&mut harness);
    select_code(&mut harness);
    let other = LIFT.replace("input(\"amount\"", "input(\"sway\"").replace("amount", "sway");
    write(&mut harness, &other);
    pause(&mut harness);
    assert!(slider(&harness, "sway") && !slider(&harness, "amount"));
    assert_ne!(height(&mut harness), high, "the new input has its own default");
    assert!(harness.query_by_label("Remove amount").is_some(), "the old value is kept, and said");
    press(&mut harness, Modifiers::COMMAND, Key::A);
    write(&mut harness, LIFT);
    pause(&mut harness);
    assert_eq!(float(&harness, "lift", "amount"), Some(0.4));
    assert_eq!(height(&mut harness), high, "and counts again");
}

#[test]
fn a_word_is_completed_from_a_list_with_help() {
    let mut harness = writing();
    select_code(&mut harness);
    for letter in ["i", "n", "p"] {
        write(&mut harness, letter);
    }
    assert!(harness.state().state.code.is_choosing());
    assert!(harness.query_by_label("complete input").is_some());
    assert!(harness.query_by_label_contains("An input; `eval` takes it by its name").is_some());
    press(&mut harness, Modifiers::NONE, Key::Tab);
    assert!(!harness.state().state.code.is_choosing());
    // Its name is selected: what is typed next takes its place.
    write(&mut harness, "size");
    press(&mut harness, Modifiers::NONE, Key::End);
    press(&mut harness, Modifiers::NONE, Key::Enter);
    write(&mut harness, "fn eval(size) {");
    press(&mut harness, Modifiers::NONE, Key::Enter);
    for letter in ["s", "i"] {
        write(&mut harness, letter);
    }
    let expected = "input(\"size\", FLOAT, 0);\nfn eval(size) {\n    si";
    pause(&mut harness);
    assert_eq!(code(&harness), expected, "lines in a block are moved in");
    assert!(harness.query_by_label("complete size").is_some(), "ports come too");
    press(&mut harness, Modifiers::NONE, Key::ArrowDown);
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(!harness.state().state.code.is_choosing(), "Esc closes the list");
    write(&mut harness, "n");
    press(&mut harness, Modifiers::NONE, Key::Enter);
    pause(&mut harness);
    assert_eq!(code(&harness), format!("{}sin()", expected.strip_suffix("si").unwrap()));
    write(&mut harness, "size");
    pause(&mut harness);
    assert!(code(&harness).ends_with("sin(size)"), "the cursor is in the brackets");
}

#[test]
fn the_list_of_all_actions_finds_how_to_write_an_expression() {
    let mut harness = open("velocity-skinning");
    press(&mut harness, Modifiers::COMMAND, Key::P);
    write(&mut harness, "expr");
    harness.run_steps(2);
    press(&mut harness, Modifiers::NONE, Key::Enter);
    harness.run_steps(3);
    let state = &harness.state().state;
    let selected: Vec<String> = state.selection.in_graph.nodes.iter().cloned().collect();
    assert_eq!(selected, ["expression"]);
    // The keyboard is in its code.
    press(&mut harness, Modifiers::COMMAND | Modifiers::CTRL, Key::Home);
    write(&mut harness, "// mine\n");
    pause(&mut harness);
    let nodes = &harness.state().state.session.document().style.graph.nodes;
    let code = nodes["expression"].code.as_deref().unwrap();
    assert!(code.starts_with("// mine\ninput("), "{code}");
    assert!(harness.state().state.show.compiled().problems.is_empty());
}

#[test]
fn a_large_text_and_strange_letters_are_no_danger() {
    let mut harness = writing();
    select_code(&mut harness);
    write(&mut harness, "äöü Ω→ \"open\n/* and // never\u{0} closed ");
    pause(&mut harness);
    for key in [Key::Tab, Key::Enter, Key::ArrowUp, Key::Backspace, Key::Home, Key::Delete] {
        press(&mut harness, Modifiers::NONE, key);
    }
    press(&mut harness, Modifiers::COMMAND, Key::Space);
    pause(&mut harness);
    assert!(farthest(&baked(&mut harness, 0.0), &baked(&mut harness, 0.0)) == 0.0);
    assert_eq!(harness.state().state.show.compiled().problems.len(), 1);
}
