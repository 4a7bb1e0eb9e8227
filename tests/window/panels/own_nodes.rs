//! Nodes of one's own: forked from others, begun from templates, kept as scripts.

use super::*;
use crate::support::canvas::{
    Hands, baked, canvas, click, document, example as on_canvas, farthest, link, node, press,
    run_action, write,
};
use crate::support::editor::{editor_of_session, session_with_scripts};
use jounce::graph::{EXPRESSION_TYPE, Node};

/// Long enough for what was written to count.
fn pause(hands: &mut Hands) {
    hands.run_steps(4);
    hands.run();
}

fn with_folder() -> (tempfile::TempDir, Harness<'static, Editor>) {
    let folder = tempfile::tempdir().unwrap();
    let style = built_in_style("velocity-skinning").unwrap();
    let session = session_with_scripts(style, folder.path().join("scripts"));
    let harness = editor_of_session(session, [1500.0, 940.0]);
    (folder, harness)
}

#[test]
fn a_newcomers_first_expression_moves_the_character() {
    let mut hands = on_canvas("velocity-skinning");
    let moments = [0.1, 0.3, 0.5, 0.7];
    let all = |hands: &mut Hands| moments.map(|time_secs| baked(hands, time_secs)).concat();
    let before = all(&mut hands);
    press(&mut hands, Modifiers::COMMAND, Key::P);
    write(&mut hands, "expr");
    press(&mut hands, Modifiers::NONE, Key::Enter);
    click(&mut hands, "Begin With");
    click(&mut hands, "Follow Bones");
    pause(&mut hands);
    assert_eq!(all(&mut hands), before, "not wired yet");
    hands.state_mut().state.canvas.fit();
    hands.run();
    link(&mut hands, "expression.displacement", "output.displacement");
    hands.run();
    let moved = farthest(&before, &all(&mut hands));
    assert!(moved > 0.02, "it moves by {moved}");
    assert!(hands.state().state.show.compiled().problems.is_empty());
}

#[test]
fn the_code_of_a_built_in_node_is_read_and_forked() {
    let mut hands = on_canvas("velocity-skinning");
    hands.state_mut().state.selection.in_graph = Selection::nodes(["trail"]);
    hands.run();
    let (before, shown) = (document(&hands), baked(&mut hands, 0.4));
    click(&mut hands, "Code");
    hands.run();
    let field = hands.get_by_label("Code in panel").rect();
    assert!(field.width() > 100.0);
    click(&mut hands, "Code in panel");
    write(&mut hands, "nonsense");
    pause(&mut hands);
    assert_eq!(document(&hands), before, "what comes with the program is only read");
    click(&mut hands, "Turn into Expression");
    pause(&mut hands);
    let forked = node(&hands, "trail").clone();
    assert_eq!(forked.node_type, EXPRESSION_TYPE);
    assert!(forked.code.as_deref().unwrap().contains("node(\"Floppy\""));
    assert_eq!(baked(&mut hands, 0.4), shown, "it does what it did");
    assert_eq!(hands.state().state.session.history().undo_label(), Some("Turn into Expression"));
    hands.state_mut().state.session.undo();
    assert_eq!(document(&hands), before, "in one step");
}

#[test]
fn a_new_script_stands_on_the_canvas_and_is_written_in_the_panel() {
    let (folder, mut harness) = with_folder();
    run_action(&mut harness, "New Node Script…");
    write(&mut harness, "Floppy");
    press(&mut harness, Modifiers::NONE, Key::Enter);
    let said = harness.query_by_label_contains("there is a node \"Floppy\" already");
    assert!(said.is_some(), "a name that is taken");
    press(&mut harness, Modifiers::COMMAND, Key::A);
    write(&mut harness, "Sway Softly");
    press(&mut harness, Modifiers::NONE, Key::Enter);
    harness.run();
    let file = folder.path().join("scripts/sway_softly.rhai");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("node(\"Sway Softly\", \"My nodes\");"), "{text}");
    let selected = harness.state().state.selection.in_graph.nodes.first().cloned().unwrap();
    assert_eq!(node(&harness, &selected).node_type, "Sway Softly");
    let state = &harness.state().state;
    let rect = state.canvas.node_rect(&state.graph_ref(), &selected).unwrap();
    let shown = harness.get_by_label("Graph canvas").rect();
    assert!(shown.contains(rect.center()), "{rect:?} is in view, in {shown:?}");
    // The keyboard is in its code; what is written there goes into the file.
    press(&mut harness, Modifiers::COMMAND | Modifiers::CTRL, Key::Home);
    write(&mut harness, "// mine\n");
    pause(&mut harness);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), format!("// mine\n{text}"));
    // A mistake is told at its line, and the node stays what it was.
    press(&mut harness, Modifiers::COMMAND, Key::A);
    write(&mut harness, &text.replace("sin(", "sine("));
    pause(&mut harness);
    assert!(harness.query_by_label_contains("there is no function `sine`").is_some());
    let session = &harness.state().state.session;
    assert_eq!(session.library().get("Sway Softly").unwrap().inputs.len(), 3);
    assert!(harness.state().state.show.compiled().problems.is_empty());
    crate::support::canvas::picture(&mut harness, "own-node");
    // Another program writes the file: what is shown follows.
    std::fs::write(&file, &text).unwrap();
    harness.state_mut().state.session.reload_scripts(&[file]);
    pause(&mut harness);
    assert!(harness.query_by_label_contains("there is no function `sine`").is_none());
}

#[test]
fn an_expression_becomes_a_node_by_its_menu() {
    let (folder, mut harness) = with_folder();
    run_action(&mut harness, "Add Expression");
    pause(&mut harness);
    run_action(&mut harness, "Save as Node…");
    press(&mut harness, Modifiers::COMMAND, Key::A);
    write(&mut harness, "Pass On");
    press(&mut harness, Modifiers::NONE, Key::Enter);
    harness.run();
    assert!(folder.path().join("scripts/pass_on.rhai").exists());
    let saved = node(&harness, "expression").clone();
    assert_eq!((saved.node_type.as_str(), saved.code), ("Pass On", None));
    // The list of nodes has it from now on.
    let session = &harness.state().state.session;
    let found =
        jounce::session::find_nodes(&session.document().style, session.library(), "pass on", None);
    assert_eq!(found[0].name, "Pass On");
}

#[test]
fn a_group_has_no_code_and_output_stays_what_it_is() {
    let mut style = built_in_style("velocity-skinning").unwrap();
    style.style.graph.nodes.insert("odd".to_owned(), Node::new("No Such Node"));
    let mut hands = canvas(style);
    for id in ["odd", "output", "floppy"] {
        hands.state_mut().state.selection.in_graph = Selection::nodes([id]);
        hands.run();
        let state = &hands.state().state;
        let fork = jounce::editor::all_actions().find(|it| it.name == "Turn into Expression");
        assert!(!(fork.unwrap().is_enabled)(state), "{id}");
    }
    run_action(&mut hands, "Show Code");
    hands.run();
    hands.state_mut().state.selection.in_graph = Selection::nodes(["odd"]);
    hands.run();
    assert!(hands.query_by_label_contains("Select a node to see its code").is_some());
}
