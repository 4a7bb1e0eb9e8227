//! Pictures of where code is written.

use super::pictures::{take, window};
use super::*;
use egui::{Key, Modifiers};
use egui_kittest::SnapshotResults;
use jounce::graph::{Command, Document, GraphRef, Node, Selection};

/// Beside the one of the panel.
pub const NAMES: [&str; 5] =
    ["code-built-in", "code-completion", "code-inspector", "code-mistakes", "code-new-script"];

const CODE: &str = "//! Lets the skin of bones that move quickly lag behind.
input(\"lag\", FLOAT, 0.03).soft(0, 0.1).unit(\"s\");
input(\"velocity\", VEC3, BONE_LINEAR_VELOCITY);
output(\"displacement\", VEC3).sum();

fn eval(lag, velocity) {
    // So far and no farther, however fast it moves.
    let most = 0.1 * CHARACTER_SIZE;
    let way = velocity * -lag;
    way * (most / (most + length(way)))
}
";

fn with_code(code: &str) -> Document {
    let mut document = built_in_style("velocity-skinning").unwrap();
    let node =
        Node { position: [0.0, 300.0], code: Some(code.to_owned()), ..Node::new("Expression") };
    let (graph, id) = (GraphRef::Top, "lag".to_owned());
    document.apply(Command::AddNode { graph, id, node }).unwrap();
    document
}

fn of_node(code: &str, node: &str, panel: Panel, size: [f32; 2]) -> Harness<'static, Editor> {
    let mut harness = window(with_code(code), Some(panel), size);
    harness.state_mut().state.selection.in_graph = Selection::nodes([node]);
    harness.run();
    harness
}

#[test]
fn code_looks_as_it_did() {
    let mut results = SnapshotResults::new();
    for (panel, size, name) in [
        (Panel::Code, [620.0, 320.0], "panel-code"),
        (Panel::Inspector, [330.0, 520.0], "code-inspector"),
    ] {
        let mut harness = of_node(CODE, "lag", panel, size);
        take(&mut results, &mut harness, name);
    }
    let wrong = CODE.replace("length(way)", "lenght(way)").replace("velocity *", "veloctiy *");
    let mut harness = of_node(&wrong, "lag", Panel::Code, [620.0, 320.0]);
    take(&mut results, &mut harness, "code-mistakes");
    let mut harness = of_node(CODE, "trail", Panel::Code, [620.0, 320.0]);
    take(&mut results, &mut harness, "code-built-in");
}

#[test]
fn the_list_of_what_may_be_meant_looks_as_it_did() {
    let mut results = SnapshotResults::new();
    let mut harness = of_node(CODE, "lag", Panel::Code, [620.0, 420.0]);
    harness.get_by_label("Code in panel").click();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::CTRL, Key::Home);
    for _ in 0..7 {
        harness.key_press(Key::ArrowDown);
    }
    harness.key_press(Key::End);
    harness.key_press(Key::Enter);
    for letter in ["b", "o", "n"] {
        harness.event(egui::Event::Text(letter.to_owned()));
    }
    harness.key_press(Key::ArrowDown);
    harness.run();
    take(&mut results, &mut harness, "code-completion");
}

#[test]
fn the_dialog_of_a_new_script_looks_as_it_did() {
    let mut results = SnapshotResults::new();
    let session = editor::session_with_scripts(with_code(CODE), "/home/me/scripts".into());
    let mut harness = editor::editor_of_session(session, [560.0, 560.0]);
    let action = jounce::editor::all_actions().find(|it| it.name == "New Node Script…").unwrap();
    let ctx = harness.ctx.clone();
    (action.run)(&mut harness.state_mut().state, &ctx);
    harness.run();
    take(&mut results, &mut harness, "code-new-script");
}
