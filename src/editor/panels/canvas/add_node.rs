//! The palette: type what you want, Enter puts it where you are, wired if a wire asked for it.

use crate::{State, theme};
use egui::{Key, Modifiers, Pos2, RichText};
use jounce_graph::document::{Command, Link, Node, PortRef, ports_of};
use jounce_session::{Found, WireEnd, find_nodes};

pub struct AddNode {
    /// Where it was asked for, on the screen.
    at: Pos2,
    wire: Option<WireEnd>,
    query: String,
    chosen: usize,
    is_new: bool,
}

impl AddNode {
    pub fn new(at: Pos2, wire: Option<WireEnd>) -> AddNode {
        AddNode { at, wire, query: String::new(), chosen: 0, is_new: true }
    }
}

const SIZE: egui::Vec2 = egui::vec2(280.0, 340.0);

pub fn show(ui: &egui::Ui, state: &mut State) {
    let Some(mut palette) = state.canvas.add_node.take() else { return };
    let ctx = ui.ctx();
    let (up, down, enter, escape) = ctx.input_mut(|input| {
        let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
        (pressed(Key::ArrowUp), pressed(Key::ArrowDown), pressed(Key::Enter), pressed(Key::Escape))
    });
    let found = find(state, &palette);
    palette.chosen = (palette.chosen + usize::from(down)).saturating_sub(usize::from(up));
    palette.chosen = palette.chosen.min(found.len().saturating_sub(1));
    let mut taken = enter.then(|| found.get(palette.chosen).cloned()).flatten();
    let window = egui::Window::new("Add Node")
        .title_bar(false)
        .resizable(false)
        .fixed_size(SIZE)
        .fixed_pos(palette.at)
        .constrain_to(ctx.content_rect())
        .show(ctx, |ui| {
            let hint = match &palette.wire {
                None => "Search nodes".to_owned(),
                Some(WireEnd::Output(port, _)) => format!("Search nodes that accept {port}"),
                Some(WireEnd::Input(port, _)) => format!("Search nodes that provide {port}"),
            };
            let edit = egui::TextEdit::singleline(&mut palette.query).hint_text(hint);
            let field = ui.add(edit.desired_width(f32::INFINITY));
            let info =
                || egui::WidgetInfo::labeled(egui::WidgetType::TextEdit, true, "Search nodes");
            field.widget_info(info);
            field.request_focus();
            if field.changed() {
                palette.chosen = 0;
            }
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                let chosen = list(ui, &find(state, &palette), &palette, up || down);
                taken = taken.take().or(chosen);
            });
        });
    let clicked_elsewhere =
        window.is_some_and(|it| it.response.clicked_elsewhere()) && !palette.is_new;
    palette.is_new = false;
    match taken {
        Some(found) => add(state, &found, &palette),
        None if escape || clicked_elsewhere => {}
        None => state.canvas.add_node = Some(palette),
    }
}

fn find(state: &State, palette: &AddNode) -> Vec<Found> {
    let style = &state.session.document().style;
    find_nodes(style, state.session.library(), &palette.query, palette.wire.as_ref())
}

/// By category where nothing was typed, else best first.
fn list(ui: &mut egui::Ui, found: &[Found], palette: &AddNode, follows: bool) -> Option<Found> {
    let mut taken = None;
    let is_search = !palette.query.trim().is_empty();
    let mut category = "";
    for (place, one) in found.iter().enumerate() {
        if !is_search && category != one.category {
            category = &one.category;
            ui.add_space(2.0);
            ui.label(RichText::new(category).small().color(theme::FAINT));
        }
        let mut button = egui::Button::selectable(place == palette.chosen, &one.name);
        if is_search {
            let kind = RichText::new(&one.category).small().color(theme::FAINT);
            button = button.right_text(kind);
        }
        let line = ui.add(button.min_size(egui::vec2(ui.available_width(), 0.0)));
        line.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &one.name));
        let line = line.on_hover_ui(|ui| {
            ui.set_max_width(360.0);
            ui.strong(&one.name);
            ui.label(&one.doc);
        });
        if place == palette.chosen && follows {
            line.scroll_to_me(None);
        }
        if line.clicked() {
            taken = Some(one.clone());
        }
    }
    if found.is_empty() {
        ui.weak("No matches");
    }
    taken
}

/// One step: the node, and its wire.
fn add(state: &mut State, found: &Found, palette: &AddNode) {
    let graph = state.graph_ref();
    let Some(contents) = state.session.document().style.graph(&graph) else { return };
    let id = contents.fresh_id(&found.node_type);
    let at = state.canvas.transform(&graph).inverse() * palette.at;
    let position = [f64::from(at.x.round()), f64::from(at.y.round())];
    let node = Node { position, ..Node::new(found.node_type.clone()) };
    let link = palette.wire.as_ref().zip(found.port.as_ref()).map(|(wire, port)| match wire {
        WireEnd::Output(from, _) => Link::new(from.clone(), PortRef::new(&id, port)),
        WireEnd::Input(to, _) => Link::new(PortRef::new(&id, port), to.clone()),
    });
    let add = Command::AddNode { graph: graph.clone(), id: id.clone(), node: node.clone() };
    let mut commands = vec![add];
    if let Some(link) = link {
        let style = &state.session.document().style;
        let target =
            if link.to.node == id { Some(&node) } else { contents.nodes.get(&link.to.node) };
        let ports = target.and_then(|node| ports_of(node, style, state.session.library()).ok());
        let adds = ports.and_then(|it| Some(it.input(&link.to.port)?.adds)).unwrap_or(false);
        commands.push(Command::Connect { graph, link, adds });
    }
    if state.session.perform(&format!("Add {}", found.name), Command::batch(commands)) {
        state.selection.in_graph = jounce_graph::document::Selection::nodes([id]);
    }
}
