//! The graph. egui-snarl draws it and reports gestures; the document is the source of truth.
//!
//! ```text
//!  mirror    document → what snarl draws       viewer    how nodes look; the one that knows snarl's trait
//!  gestures  what the user did → commands      edit      what the actions do; actions: their table
//!  add_node  the palette                       prompt    asks for names and texts
//!  backdrop  frames and comments               value     what is set at an unwired input
//!  navigate  pan, zoom, fit                    overlay   breadcrumb, legend, tooltips of pins
//!  pin       colours and shapes of pins        wires     where they run
//!  watch     numbers at ports                  announce  places and names for screen readers and tests
//!  order     what lies above what              view      what the canvas remembers beside the document
//!  fold      inputs that are hardly ever wired   pin_menu  what can be done with a pin
//! ```
//! Snarl keeps a selection and a transform of its own; both are overridden: it never sees Ctrl and Shift,
//! and is told in every frame where to look.

mod actions;
mod add_node;
mod announce;
mod backdrop;
mod edit;
mod fold;
mod gestures;
mod mirror;
mod navigate;
mod order;
mod overlay;
mod pin;
mod pin_menu;
mod prompt;
mod value;
mod view;
mod viewer;
mod watch;
mod wires;

pub use actions::ACTIONS;
pub use view::CanvasView;
pub use watch::Watch;

use crate::State;
use add_node::AddNode;
use egui::accesskit::Role;
use egui::emath::TSTransform;
use egui::{Id, Modifiers, PointerButton, Pos2, Rect, Response, Stroke, StrokeKind, Ui};
use egui_snarl::ui::SnarlWidget;
use jounce_eval::heat::HeatSubject;
use jounce_graph::document::{GraphRef, PortRef, Selection};
use mirror::Mirror;
use viewer::Viewer;

pub fn show(ui: &mut Ui, state: &mut State) {
    leave_lost_groups(state);
    overlay::breadcrumb(ui, state);
    let graph = state.graph_ref();
    let rect = ui.available_rect_before_wrap();
    state.canvas.rect = rect;
    if !state.canvas.screen_from_graph.contains_key(&graph) {
        state.canvas.open();
    }
    let is_hand_full = ui.input(|input| input.pointer.any_down());
    if !is_hand_full {
        navigate::choose_detail(ui, &mut state.canvas, &graph);
    }
    let mut mirror = std::mem::take(&mut state.canvas.mirror);
    fold::follow_hand(ui.ctx(), state);
    mirror.follow(state, is_hand_full);
    forget_lost_selection(state, &mirror);
    let canvas = Id::new(("canvas", &graph, mirror.generation));
    state.canvas.is_hovered = is_hovered(ui, rect, canvas);
    navigate::steer(ui, state, &graph);
    if state.canvas.has_values {
        watch::look(state, None);
    }
    let background = nodes(ui, state, &mut mirror, &graph, canvas);
    background_gestures(ui, state, &graph, &background);
    announce_all(ui, state, &mirror, &graph, &background, canvas);
    if let Some(pin) = overlay::hovered_pin(ui, state, &graph) {
        let is_asked = ui.input(|input| input.modifiers.alt && input.pointer.primary_clicked());
        let port = PortRef::new(&pin.node, &pin.port);
        let shown = is_asked.then(|| pin_menu::shown_port(state, &port, pin.is_output)).flatten();
        if let Some(shown) = shown {
            state.viewport.heat.subject = Some(HeatSubject::Port(shown));
        }
        if state.canvas.pin_menu.is_none() {
            overlay::pin_tooltip(ui, state, &mirror, &graph, &pin);
        }
    }
    if state.canvas.has_values {
        overlay::values(ui, state, &mirror, &graph);
    }
    state.canvas.mirror = mirror;
    navigate::fit_if_asked(ui, state, &graph);
    navigate::reveal_if_asked(ui, state, &graph);
    if state.canvas.has_legend {
        overlay::legend(ui, rect);
    }
    clipboard(ui, state);
    add_node::show(ui, state);
    pin_menu::show(ui, state);
    prompt::show(ui, state);
}

/// An undo may take away the group that is open.
fn leave_lost_groups(state: &mut State) {
    let style = &state.session.document().style;
    let mut graph = GraphRef::Top;
    let mut depth = 0;
    for id in &state.selection.path {
        let node = style.graph(&graph).and_then(|graph| graph.nodes.get(id));
        let Some(group) = node.and_then(|node| node.group()) else { break };
        graph = GraphRef::Group(group.to_owned());
        if style.graph(&graph).is_none() {
            break;
        }
        depth += 1;
    }
    if depth < state.selection.path.len() {
        state.selection.path.truncate(depth);
        state.selection.in_graph = Selection::default();
    }
}

fn forget_lost_selection(state: &mut State, mirror: &Mirror) {
    let Some((_, contents)) = edit::contents(state) else { return };
    let mut selected = state.selection.in_graph.clone();
    selected.nodes.retain(|id| mirror.nodes.contains_key(id));
    selected.frames.retain(|id| contents.frames.contains_key(id));
    selected.comments.retain(|id| contents.comments.contains_key(id));
    state.selection.in_graph = selected;
}

/// Nothing lies above it there.
fn is_hovered(ui: &Ui, rect: Rect, canvas: Id) -> bool {
    let Some(pointer) = ui.input(|input| input.pointer.latest_pos()) else { return false };
    let ours = [ui.layer_id(), egui::LayerId::new(ui.layer_id().order, canvas)];
    let above = ui.ctx().layer_id_at(pointer);
    rect.contains(pointer) && above.is_none_or(|layer| ours.contains(&layer))
}

/// Lets snarl draw and report; gives back the response of the empty canvas.
fn nodes(
    ui: &mut Ui,
    state: &mut State,
    mirror: &mut Mirror,
    graph: &GraphRef,
    canvas: Id,
) -> Response {
    let pins = pin::PinPlaces::default();
    let (screen_from_graph, detail) = (state.canvas.transform(graph), state.canvas.detail);
    // Snarl takes Ctrl and a drag of a linked input as: take the wire off.
    let pressed = overlay::pressed_pin(ui, state, graph).filter(|_| state.canvas.loose.is_empty());
    let takes_off = pressed.is_some_and(|pin| {
        let view = mirror.nodes.get(&pin.node).filter(|_| !pin.is_output);
        let input = view.and_then(|view| view.inputs.iter().find(|it| it.name == pin.port));
        input.is_some_and(|input| input.sources.len() == 1)
    });
    let seen = if takes_off { Modifiers::COMMAND } else { Modifiers::NONE };
    let real = ui.ctx().input_mut(|input| std::mem::replace(&mut input.modifiers, seen));
    let mut viewer = Viewer {
        state,
        nodes: &mirror.nodes,
        graph,
        gestures: Vec::new(),
        pins: pins.clone(),
        node_rects: Default::default(),
        drawn: Vec::new(),
        wires: None,
        screen_from_graph,
        detail,
    };
    let plain = ui.style().clone();
    viewer::scale(ui.style_mut(), detail);
    let widget = SnarlWidget::new().id(canvas).style(viewer::style(detail));
    let background = widget.show(&mut mirror.snarl, &mut viewer, ui);
    ui.set_style(plain);
    let Viewer { gestures, node_rects, drawn, wires, .. } = viewer;
    ui.ctx().input_mut(|input| input.modifiers = real);
    if let Some(wires) = wires {
        wires.sort(ui.ctx());
    }
    state.canvas.node_rects = node_rects;
    state.canvas.pins = pins.take();
    let at = ui.input(|input| input.pointer.latest_pos()).unwrap_or(state.canvas.rect.center());
    // Where a wire ends it lies under its pin, and a right click would take it off.
    let is_menu = ui.input(|input| input.pointer.secondary_clicked());
    let clicked = overlay::hovered_pin(ui, state, graph).filter(|_| is_menu);
    for gesture in gestures {
        match (&clicked, &gesture) {
            (Some(pin), viewer::Gesture::Disconnect(..)) => pin_menu::open(state, at, pin),
            _ => gestures::perform(state, mirror, graph, gesture, at),
        }
    }
    gestures::note_loose_wires(state, mirror, graph, ui.ctx());
    gestures::nodes(ui, state, mirror, graph, canvas);
    gestures::moves(ui, state, mirror, graph);
    let contents = state.session.document().style.graph(graph);
    if contents.is_some_and(|contents| mirror.put_in_order(contents, &drawn)) {
        ui.ctx().request_discard("nodes are put in the order of the document");
    }
    background
}

/// The empty canvas: a click selects nothing, a drag selects a box, a right click adds a node.
fn background_gestures(ui: &Ui, state: &mut State, graph: &GraphRef, background: &Response) {
    let graph_from_screen = state.canvas.transform(graph).inverse();
    let pointer = ui.input(|input| input.pointer.latest_pos());
    let Some(at) = pointer.map(|pointer| graph_from_screen * pointer) else { return };
    let modifiers = ui.input(|input| input.modifiers);
    let adds = modifiers.command || modifiers.shift;
    if background.double_clicked() && backdrop::open(state, graph, at) {
        return;
    }
    if background.clicked_by(PointerButton::Primary) {
        backdrop::click(state, graph, at, adds);
    }
    if background.clicked_by(PointerButton::Secondary)
        && let Some(pointer) = pointer
    {
        state.canvas.add_node = Some(AddNode::new(pointer, None));
    }
    if background.drag_started_by(PointerButton::Primary) && !modifiers.alt {
        let origin = ui.input(|input| input.pointer.press_origin());
        let from = origin.map_or(at, |origin| graph_from_screen * origin);
        if !backdrop::begin_drag(state, graph, from) {
            state.canvas.box_from = Some(from);
        }
    }
    if state.canvas.drag.is_some() {
        backdrop::drag(state, graph, at);
    }
    if let Some(from) = state.canvas.box_from {
        select_box(ui, state, graph, Rect::from_two_pos(from, at), adds);
    }
    if !ui.input(|input| input.pointer.any_down()) {
        state.canvas.box_from = None;
        if state.canvas.drag.take().is_some() {
            state.session.commit(backdrop::owner());
        }
    }
}

/// Draws the box; when the button is let go, what it touches is selected.
fn select_box(ui: &Ui, state: &mut State, graph: &GraphRef, area: Rect, adds: bool) {
    use crate::theme;
    let on_screen = state.canvas.transform(graph) * area;
    let painter = overlay::painter(ui, state.canvas.rect);
    let stroke = Stroke::new(1.0, theme::ACCENT);
    painter.rect(on_screen, 2.0, theme::ACCENT.gamma_multiply(0.12), stroke, StrokeKind::Inside);
    if ui.input(|input| input.pointer.any_down()) {
        return;
    }
    if !adds {
        state.selection.in_graph = Selection::default();
    }
    let touched = state.canvas.node_rects.iter().filter(|(_, rect)| area.intersects(**rect));
    let touched: Vec<String> = touched.map(|(id, _)| id.clone()).collect();
    state.selection.in_graph.nodes.extend(touched);
    for (what, rect) in backdrop::rects(state, graph) {
        // A frame is large: only one that lies inside is meant.
        if area.contains_rect(rect) {
            let selected = &mut state.selection.in_graph;
            match what {
                backdrop::Backdrop::Frame(id) => selected.frames.insert(id),
                backdrop::Backdrop::Comment(id) => selected.comments.insert(id),
            };
        }
    }
}

fn announce_all(
    ui: &Ui,
    state: &State,
    mirror: &Mirror,
    graph: &GraphRef,
    background: &Response,
    canvas: Id,
) {
    let to: TSTransform = state.canvas.transform(graph);
    let rect = state.canvas.rect;
    announce::thing(ui.ctx(), background.id, Role::Canvas, "Graph canvas", rect, None);
    for (id, view) in &mirror.nodes {
        let Some(rect) = state.canvas.node_rects.get(id) else { continue };
        // Its title: where it can be taken hold of.
        let title = rect.with_max_y((rect.min.y + 22.0).min(rect.max.y));
        let is_selected = state.selection.in_graph.nodes.contains(id);
        let widget = gestures::node_widget(canvas, view.snarl);
        let label = format!("node {id}");
        announce::thing(ui.ctx(), widget, Role::Group, &label, to * title, Some(is_selected));
    }
    for pin in &state.canvas.pins {
        let side = if pin.is_output { "output" } else { "input" };
        let label = format!("{side} {}.{}", pin.node, pin.port);
        announce::thing(ui.ctx(), pin.id, Role::Button, &label, to * pin.rect, None);
    }
    backdrop::announce_all(ui, state, graph, background);
}

/// The system's clipboard comes as events, and belongs to a text field while one has the focus.
fn clipboard(ui: &Ui, state: &mut State) {
    if ui.ctx().egui_wants_keyboard_input() {
        return;
    }
    let events = ui.input(|input| input.events.clone());
    for event in events {
        match event {
            egui::Event::Copy if edit::has_selection(state) => edit::copy(state, ui.ctx()),
            egui::Event::Cut if edit::has_selection(state) => edit::cut(state, ui.ctx()),
            egui::Event::Paste(text) => edit::paste(state, ui.ctx(), &text),
            _ => {}
        }
    }
}

/// On the screen, where a port was drawn last.
pub fn pin_position(state: &State, node: &str, port: &str, is_output: bool) -> Option<Pos2> {
    let is_it =
        |pin: &&pin::PinPlace| pin.node == node && pin.port == port && pin.is_output == is_output;
    let pin = state.canvas.pins.iter().find(is_it)?;
    Some(state.canvas.transform(&state.graph_ref()) * pin.rect.center())
}
