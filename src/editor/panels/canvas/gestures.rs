//! Gestures become commands of the document.

use super::add_node::AddNode;
use super::mirror::Mirror;
use super::pin_menu::PinMenu;
use super::viewer::Gesture;
use super::wires::wire_under;
use crate::State;
use egui::{Context, Id, PointerButton, Pos2, Ui};
use egui_snarl::NodeId;
use jounce_graph::document::{Command, GraphRef, Link, Owner, PortRef, can_link, insert_on_link};
use jounce_session::{Severity, WireEnd};
use std::collections::BTreeMap;

/// The id of the widget that snarl makes of a node.
pub fn node_widget(canvas: Id, node: NodeId) -> Id {
    canvas.with(("snarl-node", node)).with("frame")
}

pub fn perform(state: &mut State, mirror: &Mirror, graph: &GraphRef, gesture: Gesture, at: Pos2) {
    match gesture {
        Gesture::Connect(from, to) => {
            if let (Some((from, _)), Some((to, input))) = (mirror.output(from), mirror.input(to)) {
                let adds = input.adds();
                connect(state, graph, from, to, adds);
            }
        }
        Gesture::Disconnect(from, to) => {
            if let (Some((from, _)), Some((to, _))) = (mirror.output(from), mirror.input(to)) {
                let link = Link::new(from, to);
                let command = Command::Disconnect { graph: graph.clone(), link };
                state.session.perform("Remove wire", command);
            }
        }
        Gesture::InputMenu(pin) => {
            let port = mirror.input(pin).map(|(to, _)| to);
            state.canvas.pin_menu = port.map(|port| PinMenu::new(at, port, false));
        }
        Gesture::OutputMenu(pin) => {
            let port = mirror.output(pin).map(|(from, _)| from);
            state.canvas.pin_menu = port.map(|port| PinMenu::new(at, port, true));
        }
        Gesture::DropOutput(pin) if state.canvas.loose.is_empty() => {
            if let Some((from, port)) = mirror.output(pin) {
                let wire = WireEnd::Output(from, port.ty);
                state.canvas.add_node = Some(AddNode::new(at, Some(wire)));
            }
        }
        Gesture::DropInput(pin) => {
            if let Some((to, port)) = mirror.input(pin) {
                let wire = WireEnd::Input(to, port.ty);
                state.canvas.add_node = Some(AddNode::new(at, Some(wire)));
            }
        }
        // A wire that was taken off its input and let go is gone.
        Gesture::DropOutput(_) => {
            let loose = std::mem::take(&mut state.canvas.loose);
            let off = |link| Command::Disconnect { graph: graph.clone(), link };
            let command = Command::batch(loose.into_iter().map(off).collect());
            state.session.perform("Remove wire", command);
        }
    }
}

pub fn clear(state: &mut State, graph: &GraphRef, is_meant: impl Fn(&Link) -> bool) {
    let Some(contents) = state.session.document().style.graph(graph) else { return };
    let meant = contents.links.iter().filter(|link| is_meant(link)).cloned();
    let off = |link| Command::Disconnect { graph: graph.clone(), link };
    let commands: Vec<Command> = meant.map(off).collect();
    if !commands.is_empty() {
        state.session.perform("Remove wires", Command::batch(commands));
    }
}

/// Draws a wire if that is allowed; else says why not. What was taken off goes where the wire goes.
fn connect(state: &mut State, graph: &GraphRef, from: PortRef, to: PortRef, adds: bool) {
    let style = &state.session.document().style;
    if let Err(reason) = can_link(graph, style, state.session.library(), &from, &to) {
        state.session.say(Severity::Warning, format!("{from} → {to}: {reason}"));
        return;
    }
    let loose = std::mem::take(&mut state.canvas.loose);
    let mut commands: Vec<Command> = Vec::new();
    let link = Link::new(from, to);
    if loose.contains(&link) {
        return;
    }
    commands
        .extend(loose.into_iter().map(|link| Command::Disconnect { graph: graph.clone(), link }));
    commands.push(Command::Connect { graph: graph.clone(), link, adds });
    state.session.perform("Add wire", Command::batch(commands));
}

/// Which links snarl has taken off to be dragged; they come back if they are dropped on nothing.
pub fn note_loose_wires(state: &mut State, mirror: &mut Mirror, graph: &GraphRef, ctx: &Context) {
    let Some(contents) = state.session.document().style.graph(graph) else { return };
    let present: std::collections::BTreeSet<_> = mirror.snarl.wires().collect();
    let is_loose = |link: &&Link| mirror.pins(link).is_some_and(|pins| !present.contains(&pins));
    let loose: Vec<Link> = contents.links.iter().filter(is_loose).cloned().collect();
    if ctx.input(|input| input.pointer.any_down()) {
        state.canvas.loose = loose;
    } else {
        for pins in loose.iter().filter_map(|link| mirror.pins(link)).collect::<Vec<_>>() {
            mirror.snarl.connect(pins.0, pins.1);
        }
        state.canvas.loose.clear();
    }
}

/// Clicks on nodes, and the triangles that collapse them.
pub fn nodes(ui: &Ui, state: &mut State, mirror: &Mirror, graph: &GraphRef, canvas: Id) {
    let mut collapsed = Vec::new();
    for (id, view) in &mirror.nodes {
        let is_open = mirror.snarl.get_node_info(view.snarl).is_none_or(|info| info.open);
        if is_open == view.node.collapsed {
            let (graph, node) = (graph.clone(), id.clone());
            collapsed.push(Command::SetCollapsed { graph, node, collapsed: !is_open });
        }
        let Some(response) = ui.ctx().read_response(node_widget(canvas, view.snarl)) else {
            continue;
        };
        let is_selected = state.selection.in_graph.nodes.contains(id);
        let adds = ui.input(|input| input.modifiers.command || input.modifiers.shift);
        if response.double_clicked() && view.node.group().is_some() {
            state.selection.path.push(id.clone());
            state.selection.in_graph = Default::default();
            return;
        }
        if response.clicked_by(PointerButton::Primary) {
            match (adds, is_selected) {
                (true, true) => {
                    state.selection.in_graph.nodes.remove(id);
                }
                (true, false) => {
                    state.selection.in_graph.nodes.insert(id.clone());
                }
                (false, _) => {
                    state.selection.in_graph = jounce_graph::document::Selection::nodes([id])
                }
            }
        }
        let takes_hold = response.drag_started_by(PointerButton::Primary)
            || response.clicked_by(PointerButton::Secondary);
        if takes_hold && !is_selected {
            state.selection.in_graph = jounce_graph::document::Selection::nodes([id]);
        }
    }
    if !collapsed.is_empty() {
        state.session.perform("Collapse", Command::batch(collapsed));
    }
}

fn move_owner() -> Owner {
    Owner::Hand(Id::new("move nodes").value())
}

/// A node that snarl has moved takes the selection along; letting go over a wire puts it in.
pub fn moves(ui: &Ui, state: &mut State, mirror: &Mirror, graph: &GraphRef) {
    let moved = mirror.nodes.keys().find_map(|id| Some((id, mirror.dragged_by(id)?)));
    if let Some((id, by)) = moved {
        if !state.canvas.is_moving {
            state.session.begin(move_owner(), "Move");
            state.canvas.is_moving = true;
        }
        if let Some(command) = shift(state, graph, id, by) {
            state.session.update(move_owner(), "Move", command);
        }
    }
    if state.canvas.is_moving && !ui.input(|input| input.pointer.any_down()) {
        state.canvas.is_moving = false;
        // An undo in the middle of it has ended it.
        if state.session.history().owner() == Some(move_owner()) {
            settle(state, graph);
        }
        state.session.commit(move_owner());
    } else if state.canvas.is_moving && ui.input(|input| input.key_pressed(egui::Key::Escape)) {
        state.canvas.is_moving = false;
        state.session.cancel(move_owner());
    }
}

fn shift(state: &State, graph: &GraphRef, id: &str, by: egui::Vec2) -> Option<Command> {
    let contents = state.session.document().style.graph(graph)?;
    let selected = &state.selection.in_graph;
    let alone = jounce_graph::document::Selection::nodes([id]);
    let all = if selected.nodes.contains(id) { selected } else { &alone };
    let moved = |at: [f64; 2]| [at[0] + f64::from(by.x), at[1] + f64::from(by.y)];
    let nodes = all.nodes.iter().filter_map(|id| Some((id, contents.nodes.get(id)?)));
    let positions = nodes.map(|(id, node)| (id.clone(), moved(node.position))).collect();
    let mut commands = vec![Command::MoveNodes { graph: graph.clone(), positions }];
    for id in &all.comments {
        let Some(mut comment) = contents.comments.get(id).cloned() else { continue };
        comment.position = moved(comment.position);
        let (graph, id) = (graph.clone(), id.clone());
        commands.push(Command::SetComment { graph, id, comment: Some(comment) });
    }
    Some(Command::batch(commands))
}

/// Whole numbers in the file; and a single node without wires goes into the wire that it lies on.
fn settle(state: &mut State, graph: &GraphRef) {
    let document = state.session.document();
    let Some(contents) = document.style.graph(graph) else { return };
    let selected = &state.selection.in_graph.nodes;
    let positions: BTreeMap<String, [f64; 2]> = (selected.iter())
        .filter_map(|id| Some((id.clone(), contents.nodes.get(id)?.position.map(f64::round))))
        .collect();
    let mut commands = vec![Command::MoveNodes { graph: graph.clone(), positions }];
    if let (Some(id), 1) = (selected.first(), selected.len())
        && !contents.links.iter().any(|link| link.touches(id))
        && let Some(rect) = state.canvas.node_rects.get(id)
        && let Some(link) = wire_under(&state.canvas.pins, contents.links.iter(), *rect)
    {
        match insert_on_link(document, state.session.library(), graph, link, id, None) {
            Ok(command) => commands.push(command),
            Err(error) => state.session.say(Severity::Warning, error.to_string()),
        }
    }
    state.session.update(move_owner(), "Move", Command::batch(commands));
}
