//! What the actions of the canvas do.

use super::add_node::AddNode;
use super::prompt::Prompt;
use crate::{State, theme};
use egui::{Context, Pos2, Rect, vec2};
use jounce_graph::document::{
    Command, Comment, Edit, Fragment, Graph, GraphRef, Node, NodeFrame, NodeShape, Owner,
    Selection, arrange, delete, delete_and_rewire, duplicate, is_solo, solo, ungroup,
};
use jounce_session::Severity;
use std::collections::BTreeMap;

/// The approximate size of a node that was not drawn yet.
pub const ROUGH_NODE: egui::Vec2 = vec2(160.0, 90.0);

pub fn contents<'a>(state: &'a State) -> Option<(GraphRef, &'a Graph)> {
    let graph = state.graph_ref();
    let contents: &'a Graph = state.session.document().style.graph(&graph)?;
    Some((graph, contents))
}

/// Performs an edit and selects what it made.
pub fn perform(state: &mut State, label: &str, edit: Edit) {
    if state.session.perform(label, edit.command) {
        state.selection.in_graph = edit.created;
    }
}

pub fn has_selection(state: &State) -> bool {
    state.selection.in_graph != Selection::default()
}

pub fn has_nodes(state: &State) -> bool {
    !state.selection.in_graph.nodes.is_empty()
}

/// The one node that is selected.
pub fn only_node(state: &State) -> Option<(String, Node)> {
    let (_, contents) = contents(state)?;
    let mut nodes = state.selection.in_graph.nodes.iter();
    match (nodes.next(), nodes.next()) {
        (Some(id), None) => Some((id.clone(), contents.nodes.get(id)?.clone())),
        _ => None,
    }
}

/// Where new things go: to the pointer if it is over the canvas, else to the middle.
fn spot(state: &State, ctx: &Context) -> Pos2 {
    let pointer = ctx.input(|input| input.pointer.latest_pos());
    pointer.filter(|_| state.canvas.is_hovered).unwrap_or(state.canvas.rect.center())
}

pub fn add_node(state: &mut State, ctx: &Context) {
    state.canvas.add_node = Some(AddNode::new(spot(state, ctx), None));
}

/// The selected nodes, or all if fewer than two are selected.
pub fn arrange_nodes(state: &mut State, _: &Context) {
    let Some((graph, contents)) = contents(state) else { return };
    let selected = &state.selection.in_graph.nodes;
    let is_meant = |id: &&String| selected.len() < 2 || selected.contains(*id);
    let shapes: BTreeMap<String, NodeShape> =
        contents.nodes.keys().filter(is_meant).map(|id| (id.clone(), shape(state, id))).collect();
    let positions = arrange(contents, &shapes);
    let is_other = |(id, place): (&String, &[f64; 2])| contents.nodes[id].position != *place;
    if positions.iter().any(is_other) {
        state.session.perform("Arrange", Command::MoveNodes { graph, positions });
        state.canvas.fit();
    }
}

/// How a node was drawn last.
fn shape(state: &State, id: &str) -> NodeShape {
    let rough = Rect::from_min_size(Pos2::ZERO, ROUGH_NODE);
    let rect = state.canvas.node_rects.get(id).copied().unwrap_or(rough);
    let mut shape =
        NodeShape { size: [rect.width().into(), rect.height().into()], ..NodeShape::default() };
    for pin in state.canvas.pins.iter().filter(|pin| pin.node == id) {
        let side = if pin.is_output { &mut shape.outputs } else { &mut shape.inputs };
        side.insert(pin.port.clone(), (pin.rect.center().y - rect.top()).into());
    }
    shape
}

pub fn select_all(state: &mut State, _: &Context) {
    let Some((_, contents)) = contents(state) else { return };
    state.selection.in_graph = Selection {
        nodes: contents.nodes.keys().cloned().collect(),
        frames: contents.frames.keys().cloned().collect(),
        comments: contents.comments.keys().cloned().collect(),
    };
}

/// What was wired into a node is wired to where its results went.
pub fn delete_selected(state: &mut State, _: &Context) {
    let graph = state.graph_ref();
    let selection = state.selection.in_graph.clone();
    let rest = Selection { nodes: Default::default(), ..selection.clone() };
    // Each on the document that the one before leaves: a chain of deleted nodes is bridged too.
    let owner = Owner::Hand(egui::Id::new("delete").value());
    state.session.begin(owner, "Delete");
    let mut is_well = true;
    for id in &selection.nodes {
        let document = state.session.document();
        match delete_and_rewire(document, state.session.library(), &graph, id) {
            Ok(command) => is_well &= state.session.update(owner, "Delete", command),
            Err(error) => state.session.say(Severity::Error, error.to_string()),
        }
    }
    let command = delete(state.session.document(), &graph, &rest);
    is_well &= state.session.update(owner, "Delete", command);
    match is_well {
        true => state.session.commit(owner),
        false => state.session.cancel(owner),
    }
    state.selection.in_graph = Selection::default();
}

pub fn delete_plainly(state: &mut State, _: &Context) {
    let graph = state.graph_ref();
    let command = delete(state.session.document(), &graph, &state.selection.in_graph);
    state.session.perform("Delete", command);
    state.selection.in_graph = Selection::default();
}

pub fn copy(state: &mut State, ctx: &Context) {
    let style = &state.session.document().style;
    let part = Fragment::copy(style, &state.graph_ref(), &state.selection.in_graph);
    ctx.copy_text(part.to_text());
}

pub fn cut(state: &mut State, ctx: &Context) {
    copy(state, ctx);
    let graph = state.graph_ref();
    let command = delete(state.session.document(), &graph, &state.selection.in_graph);
    state.session.perform("Cut", command);
    state.selection.in_graph = Selection::default();
}

/// The system answers with the text, in a later frame.
pub fn ask_to_paste(_: &mut State, ctx: &Context) {
    ctx.send_viewport_cmd(egui::ViewportCommand::RequestPaste);
}

/// Pastes at the pointer.
pub fn paste(state: &mut State, ctx: &Context, text: &str) {
    let fragment = match Fragment::from_text(text) {
        Ok(fragment) => fragment,
        Err(error) => return state.session.say(Severity::Warning, error.to_string()),
    };
    let graph = state.graph_ref();
    let at = state.canvas.transform(&graph).inverse() * spot(state, ctx);
    let nodes = fragment.graph.nodes.values().map(|node| node.position);
    let places = nodes.chain(fragment.graph.comments.values().map(|comment| comment.position));
    let corner = places.reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1])]).unwrap_or_default();
    let offset = [f64::from(at.x) - corner[0], f64::from(at.y) - corner[1]].map(f64::round);
    let edit = fragment.insert(&state.session.document().style, &graph, offset);
    perform(state, "Paste", edit);
}

pub fn duplicate_selected(state: &mut State, _: &Context) {
    let (graph, selection) = (state.graph_ref(), &state.selection.in_graph);
    let edit = duplicate(state.session.document(), &graph, selection, [30.0, 30.0]);
    perform(state, "Duplicate", edit);
}

/// All on if any is off.
fn switch(
    state: &mut State,
    label: &str,
    is_on: impl Fn(&Node) -> bool,
    command: impl Fn(GraphRef, String, bool) -> Command,
) {
    let Some((graph, contents)) = contents(state) else { return };
    let selected = state.selection.in_graph.nodes.iter();
    let nodes: Vec<&String> = selected.filter(|id| contents.nodes.contains_key(*id)).collect();
    let on = !nodes.iter().all(|id| contents.nodes.get(*id).is_some_and(&is_on));
    let commands = nodes.into_iter().map(|id| command(graph.clone(), id.clone(), on)).collect();
    state.session.perform(label, Command::batch(commands));
}

pub fn mute(state: &mut State, _: &Context) {
    let set = |graph, node, muted| Command::SetMuted { graph, node, muted };
    switch(state, "Mute", |node| node.muted, set);
}

pub fn collapse(state: &mut State, _: &Context) {
    let set = |graph, node, collapsed| Command::SetCollapsed { graph, node, collapsed };
    switch(state, "Collapse", |node| node.collapsed, set);
}

pub fn all_selected(state: &State, is_so: impl Fn(&Node) -> bool) -> bool {
    let Some((_, contents)) = contents(state) else { return false };
    let nodes = &state.selection.in_graph.nodes;
    !nodes.is_empty() && nodes.iter().all(|id| contents.nodes.get(id).is_some_and(&is_so))
}

pub fn solo_selected(state: &mut State, _: &Context) {
    let (graph, session) = (state.graph_ref(), &mut state.session);
    let nodes = &state.selection.in_graph.nodes;
    match solo(session.document(), session.library(), &graph, nodes) {
        Ok(command) => {
            session.perform("Solo", command);
        }
        Err(error) => session.say(Severity::Warning, error.to_string()),
    }
}

pub fn selected_are_solo(state: &State) -> bool {
    let (graph, session) = (state.graph_ref(), &state.session);
    is_solo(session.document(), session.library(), &graph, &state.selection.in_graph.nodes)
}

/// Asks for a new title of the selected node, frame or comment.
pub fn rename(state: &mut State, _: &Context) {
    let Some((_, contents)) = contents(state) else { return };
    let selected = &state.selection.in_graph;
    let node = selected.nodes.first().and_then(|id| Some((id, contents.nodes.get(id)?)));
    let frame = selected.frames.first().and_then(|id| Some((id, contents.frames.get(id)?)));
    let comment = selected.comments.first().and_then(|id| Some((id, contents.comments.get(id)?)));
    let prompt = match (node, frame, comment) {
        (Some((id, node)), ..) => Some(Prompt::node(id, node.shown_title())),
        (_, Some((id, frame)), _) => Some(Prompt::frame(id, frame)),
        (.., Some((id, comment))) => Some(Prompt::comment(id, comment)),
        _ => None,
    };
    state.canvas.prompt = prompt;
}

pub fn group(state: &mut State, _: &Context) {
    let name = state.session.document().style.fresh_group_name("Group");
    state.canvas.prompt = Some(Prompt::new_group(&name));
}

pub fn selected_group(state: &State) -> Option<(String, String)> {
    let (id, node) = only_node(state)?;
    Some((id, node.group()?.to_owned()))
}

pub fn ungroup_selected(state: &mut State, _: &Context) {
    let Some((id, _)) = selected_group(state) else { return };
    match ungroup(state.session.document(), &state.graph_ref(), &id) {
        Ok(edit) => perform(state, "Ungroup", edit),
        Err(error) => state.session.say(Severity::Error, error.to_string()),
    }
}

pub fn enter_group(state: &mut State, _: &Context) {
    if let Some((id, _)) = selected_group(state) {
        state.selection.path.push(id);
        state.selection.in_graph = Selection::default();
    }
}

/// Back out, with the group's node selected.
pub fn leave_group(state: &mut State, _: &Context) {
    if let Some(id) = state.selection.path.pop() {
        state.selection.in_graph = Selection::nodes([id]);
    }
}

/// Asks for a new name of the selected group, or of the group that is open.
pub fn rename_group(state: &mut State, _: &Context) {
    let open = match state.graph_ref() {
        GraphRef::Group(name) => Some(name),
        GraphRef::Top => None,
    };
    let name = selected_group(state).map(|(_, name)| name).or(open);
    state.canvas.prompt = name.map(|name| Prompt::group(&name));
}

pub fn frame_selected(state: &mut State, _: &Context) {
    let Some((_, contents)) = contents(state) else { return };
    let members = state.selection.in_graph.nodes.clone();
    let id = (1..).map(|number| format!("frame{number}"));
    let id = id.into_iter().find(|id| !contents.frames.contains_key(id)).unwrap_or_default();
    let color = theme::FRAME_COLORS[contents.frames.len() % theme::FRAME_COLORS.len()];
    let frame = NodeFrame { title: "Frame".to_owned(), color, members };
    state.canvas.prompt = Some(Prompt::frame(&id, &frame));
}

pub fn add_comment(state: &mut State, ctx: &Context) {
    let Some((graph, contents)) = contents(state) else { return };
    let at = state.canvas.transform(&graph).inverse() * spot(state, ctx);
    let id = (1..).map(|number| format!("comment{number}"));
    let id = id.into_iter().find(|id| !contents.comments.contains_key(id)).unwrap_or_default();
    let position = [f64::from(at.x), f64::from(at.y)].map(f64::round);
    let comment = Comment { text: "Comment".to_owned(), position, size: [220.0, 80.0] };
    state.canvas.prompt = Some(Prompt::comment(&id, &comment));
}
