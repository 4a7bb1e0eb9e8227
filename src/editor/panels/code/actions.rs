//! What can be done with code.

use super::Place;
use super::dialog::Dialog;
use super::folder;
use crate::{Action, Menu, State};
use egui::{Context, Key, Modifiers};
use jounce_graph::document::{Command, EXPRESSION_TYPE, Node, Selection};
use jounce_graph::script::editing::EXPRESSION_START;
use jounce_session::{CodeOf, Severity};

pub const ACTIONS: &[Action] = &[
    Action::new(
        "Add Expression",
        Menu::Graph,
        "Adds a node that you write yourself, and begins its code.",
        add_expression,
    ),
    Action::new(
        "Show Code",
        Menu::Graph,
        "Shows the code of the selected node, with room to write.",
        show_code,
    )
    .key(Modifiers::COMMAND, Key::E)
    .while_typing(),
    Action::new(
        "Turn into Expression",
        Menu::Graph,
        "Gives the node its own copy of its code, kept in the document, to be changed.",
        turn_into_expression,
    )
    .enabled_if(|state| {
        let can_be = |id: &str| state.session.can_be_expression(&state.graph_ref(), id);
        only_node(state).is_some_and(can_be)
    }),
    Action::new(
        "Save as Node…",
        Menu::Graph,
        "Saves the code of the selected node as a script of your own, for all documents.",
        ask_for_node_name,
    )
    .enabled_if(|state| {
        let has_code = |id: &str| state.session.has_code_to_fork(&state.graph_ref(), id);
        state.session.scripts_folder().is_some() && only_node(state).is_some_and(has_code)
    }),
    Action::new(
        "New Node Script…",
        Menu::Graph,
        "Begins a script of your own: a node for all documents, or a library for scripts.",
        |state, _| state.code.dialog = Some(Dialog::new_script()),
    )
    .enabled_if(|state| state.session.scripts_folder().is_some()),
    Action::new(
        "Open Scripts Folder",
        Menu::Graph,
        "Opens the folder of your scripts in the file manager.",
        folder::open,
    )
    .enabled_if(|state| state.session.scripts_folder().is_some()),
];

pub fn only_node(state: &State) -> Option<&str> {
    let mut nodes = state.selection.in_graph.nodes.iter();
    match (nodes.next(), nodes.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// In the middle of the canvas, with the keyboard in its code.
fn add_expression(state: &mut State, _: &Context) {
    let graph = state.graph_ref();
    let Some(contents) = state.session.document().style.graph(&graph) else { return };
    let id = contents.fresh_id(EXPRESSION_TYPE);
    let spot = state.canvas.free_spot(&graph);
    let position = [f64::from(spot.x.round()), f64::from(spot.y.round())];
    let code = Some(EXPRESSION_START.to_owned());
    let node = Node { position, code, ..Node::new(EXPRESSION_TYPE) };
    let add = Command::AddNode { graph: graph.clone(), id: id.clone(), node };
    if state.session.perform("Add Expression", add) {
        state.selection.in_graph = Selection::nodes([id.clone()]);
        state.canvas.reveal(&id);
        state.code.file = None;
        state.code.wants_focus = Some((CodeOf::Expression { graph, node: id }, None));
    }
}

pub fn show_code(state: &mut State, _: &Context) {
    state.code.file = None;
    state.code.wants_panel = true;
    let graph = state.graph_ref();
    let of = only_node(state).and_then(|id| state.session.code_of_node(&graph, id));
    state.code.wants_focus = of.map(|of| (of, Some(Place::Panel)));
}

pub fn turn_into_expression(state: &mut State, _: &Context) {
    let graph = state.graph_ref();
    let Some(id) = only_node(state).map(str::to_owned) else { return };
    match state.session.turn_into_expression(&graph, &id) {
        Ok(()) => {
            state.code.file = None;
            state.code.wants_focus = Some((CodeOf::Expression { graph, node: id }, None));
        }
        Err(error) => state.session.say(Severity::Error, error.to_string()),
    }
}

/// With its title to begin with, unless a node has that name.
pub fn ask_for_node_name(state: &mut State, _: &Context) {
    let graph = state.graph_ref();
    let Some(id) = only_node(state).map(str::to_owned) else { return };
    let contents = state.session.document().style.graph(&graph);
    let node = contents.and_then(|contents| contents.nodes.get(&id));
    let title = node.map(|node| node.shown_title().to_owned()).unwrap_or_default();
    let is_taken = state.session.library().get(&title).is_some();
    let name = if is_taken { format!("My {title}") } else { title };
    state.code.dialog = Some(Dialog::save_as_node(graph, &id, &name));
}
