//! What lies over the graph: where we are, what pins mean, what the pin under the pointer carries.

use super::mirror::{InputView, Mirror};
use super::pin::{LEGEND_RATES, LEGEND_TYPES, PinLook, PinPlace, paint};
use super::watch::look;
use crate::{State, theme};
use egui::{FontId, LayerId, Painter, Rect, RichText, Ui, vec2};
use jounce_graph::compile::input_port;
use jounce_graph::document::{GraphRef, PortRef, can_link};
use jounce_graph::script::{DefaultInput, PortType};

/// The groups that were entered; a click goes back.
pub fn breadcrumb(ui: &mut Ui, state: &mut State) {
    let is_empty = state.session.document().style.graph.nodes.is_empty();
    if state.selection.path.is_empty() && !is_empty {
        return;
    }
    let mut back_to = None;
    ui.horizontal(|ui| {
        let depth = state.selection.path.len();
        let mut graph = GraphRef::Top;
        for level in 0..=depth {
            let name = match (level, &graph) {
                (0, _) | (_, GraphRef::Top) => "Graph".to_owned(),
                (_, GraphRef::Group(name)) => name.clone(),
            };
            if level > 0 {
                ui.label(RichText::new("›").color(theme::FAINT));
            }
            let is_here = level == depth;
            let color = if is_here { theme::TEXT } else { theme::FAINT };
            let spoken = format!("{} {name}", if is_here { "in" } else { "back to" });
            let button = egui::Button::new(RichText::new(name).color(color)).frame(false);
            let button = ui.add(button);
            button.widget_info(|| {
                egui::WidgetInfo::labeled(egui::WidgetType::Button, !is_here, &spoken)
            });
            if button.clicked() && !is_here {
                back_to = Some(level);
            }
            let style = &state.session.document().style;
            let id = state.selection.path.get(level);
            let node = id.and_then(|id| style.graph(&graph)?.nodes.get(id));
            if let Some(group) = node.and_then(|node| node.group()) {
                graph = GraphRef::Group(group.to_owned());
            }
        }
        if depth == 0 {
            ui.label(RichText::new("Right-click or press Tab to add a node").color(theme::FAINT));
        }
    });
    if let Some(level) = back_to {
        state.selection.path.truncate(level);
        state.selection.in_graph = Default::default();
    }
}

/// Above the nodes, inside of the panel.
pub fn painter(ui: &Ui, rect: Rect) -> Painter {
    let layer = LayerId::new(ui.layer_id().order, ui.id().with("over the graph"));
    ui.ctx().layer_painter(layer).with_clip_rect(rect)
}

/// In as many rows as it needs.
pub fn legend(ui: &Ui, rect: Rect) {
    let painter = painter(ui, rect);
    let of_type = |ty: PortType| {
        let look = PinLook { ty, rate: jounce_ir::Rate::Frame, is_linked: true, is_broken: false };
        (look, ty.to_string())
    };
    let of_rate = |rate: jounce_ir::Rate| {
        let look = PinLook { ty: PortType::Any, rate, is_linked: false, is_broken: false };
        (look, rate.label().to_owned())
    };
    let entries =
        LEGEND_TYPES.into_iter().map(of_type).chain(LEGEND_RATES.into_iter().map(of_rate));
    // Where each begins, from the left, and in which row.
    let mut placed = Vec::new();
    let (mut x, mut row) = (LEGEND_MARGIN, 0);
    for (look, text) in entries {
        let galley = painter.layout_no_wrap(text, FontId::proportional(11.0), theme::FAINT);
        let width = 9.0 + galley.size().x;
        if x > LEGEND_MARGIN && x + width + 6.0 > rect.width() {
            (x, row) = (LEGEND_MARGIN, row + 1);
        }
        placed.push((x, row, look, galley));
        x += width + 14.0;
    }
    let height = LEGEND_HEIGHT + row as f32 * LEGEND_ROW;
    if rect.height() < LEAST_HEIGHT_WITH_LEGEND + height {
        return;
    }
    let strip = rect.with_min_y(rect.bottom() - height);
    painter.rect_filled(strip, 0.0, theme::GROUND.gamma_multiply(0.85));
    for (x, row, look, galley) in placed {
        let at = strip.left_top() + vec2(x, 14.0 + row as f32 * LEGEND_ROW);
        paint(&painter, Rect::from_center_size(at, vec2(10.0, 10.0)), look);
        painter.galley(at + vec2(9.0, -galley.size().y * 0.5), galley, theme::FAINT);
    }
}

/// At the bottom of the canvas.
pub const LEGEND_HEIGHT: f32 = 28.0;
const LEGEND_ROW: f32 = 18.0;
const LEGEND_MARGIN: f32 = 14.0;
/// In a lower panel there is no legend, so that the graph has all the room.
const LEAST_HEIGHT_WITH_LEGEND: f32 = 132.0;

/// Below this zoom numbers would cover the graph.
const LEAST_ZOOM_OF_VALUES: f32 = 0.45;

/// The numbers beside pins, outside of nodes so that these keep their size.
pub fn values(ui: &Ui, state: &State, mirror: &Mirror, graph: &GraphRef) {
    let to = state.canvas.transform(graph);
    if to.scaling < LEAST_ZOOM_OF_VALUES {
        return;
    }
    let painter = painter(ui, state.canvas.rect);
    for pin in &state.canvas.pins {
        let Some(view) = mirror.nodes.get(&pin.node) else { continue };
        if !pin.is_output && view.inputs.iter().any(|it| it.name == pin.port && is_field(it)) {
            continue;
        }
        let port = if pin.is_output { pin.port.clone() } else { input_port(&pin.port) };
        let Some(number) = state.canvas.watch.number(&view.path, &port) else { continue };
        let text = super::watch::number_text(number);
        let galley = painter.layout_no_wrap(text, FontId::proportional(11.0), theme::TEXT);
        let place = to * pin.rect;
        let up = -galley.size().y * 0.5;
        let at = match pin.is_output {
            true => place.right_center() + vec2(5.0, up),
            false => place.left_center() + vec2(-5.0 - galley.size().x, up),
        };
        let behind = Rect::from_min_size(at, galley.size()).expand2(vec2(4.0, 1.0));
        painter.rect_filled(behind, 4.0, theme::RAISED.gamma_multiply(0.92));
        painter.galley(at, galley, theme::TEXT);
    }
}

/// Its number is already shown beside it, in a field.
fn is_field(input: &InputView) -> bool {
    let default = input.port.as_ref().map(|port| &port.default);
    input.sources.is_empty() && matches!(default, Some(DefaultInput::Setting(_)))
}

/// The pin under the pointer.
pub fn hovered_pin(ui: &Ui, state: &State, graph: &GraphRef) -> Option<PinPlace> {
    pin_at(state, graph, ui.input(|input| input.pointer.latest_pos())?)
}

/// The pin that was pressed, or would be.
pub fn pressed_pin(ui: &Ui, state: &State, graph: &GraphRef) -> Option<PinPlace> {
    let at = ui.input(|input| input.pointer.press_origin().or(input.pointer.latest_pos()));
    pin_at(state, graph, at?)
}

fn pin_at(state: &State, graph: &GraphRef, at: egui::Pos2) -> Option<PinPlace> {
    let at = state.canvas.transform(graph).inverse() * at;
    let hit = |pin: &&PinPlace| pin.rect.expand(2.0).contains(at);
    state.canvas.pins.iter().find(hit).filter(|_| state.canvas.is_hovered).cloned()
}

/// What the pin carries; while a wire is dragged, whether it may end here.
pub fn pin_tooltip(ui: &Ui, state: &mut State, mirror: &Mirror, graph: &GraphRef, pin: &PinPlace) {
    let dragged = state.canvas.pins.iter().find(|other| {
        let response = ui.ctx().read_response(other.id);
        response.is_some_and(|response| response.dragged())
    });
    let lines = match dragged.filter(|dragged| dragged.id != pin.id) {
        Some(dragged) => refusal(state, graph, dragged, pin).into_iter().collect(),
        None => description(state, mirror, pin),
    };
    if lines.is_empty() {
        return;
    }
    let id = ui.id().with("pin tooltip");
    let anchor = egui::PopupAnchor::Pointer;
    let tooltip = egui::Tooltip::always_open(ui.ctx().clone(), ui.layer_id(), id, anchor);
    tooltip.gap(14.0).show(|ui| {
        for (text, color) in lines {
            ui.label(RichText::new(text).color(color));
        }
    });
}

type Line = (String, egui::Color32);

fn refusal(state: &State, graph: &GraphRef, dragged: &PinPlace, pin: &PinPlace) -> Option<Line> {
    let port = |pin: &PinPlace| PortRef::new(&pin.node, &pin.port);
    let (from, to) = match (dragged.is_output, pin.is_output) {
        (true, false) => (port(dragged), port(pin)),
        (false, true) => (port(pin), port(dragged)),
        _ => return Some(("A wire goes from an output to an input.".into(), theme::WARNING)),
    };
    let style = &state.session.document().style;
    let refused = can_link(graph, style, state.session.library(), &from, &to).err()?;
    Some((refused.to_string(), theme::WARNING))
}

fn description(state: &mut State, mirror: &Mirror, pin: &PinPlace) -> Vec<Line> {
    let Some(view) = mirror.nodes.get(&pin.node) else { return Vec::new() };
    let mut lines = Vec::new();
    let port = if pin.is_output {
        let Some(output) = view.outputs.iter().find(|it| it.name == pin.port) else { return lines };
        lines.push((
            format!("{}: {}, {}", output.name, output.ty, output.rate.label()),
            theme::TEXT,
        ));
        lines.extend((!output.help.is_empty()).then(|| (output.help.clone(), theme::FAINT)));
        output.name.clone()
    } else {
        let Some(input) = view.inputs.iter().find(|it| it.name == pin.port) else { return lines };
        let several = if input.adds() { "; adds up several wires" } else { "" };
        let about = format!("{}: {}, {}{several}", input.name, input.ty, input.rate.label());
        lines.push((about, theme::TEXT));
        let port = input.port.as_ref();
        let help = port.map(|port| port.help.clone()).filter(|help| !help.is_empty());
        lines.extend(help.map(|help| (help, theme::FAINT)));
        if let (true, Some(port)) = (input.sources.is_empty(), port) {
            let unlinked = match &port.default {
                DefaultInput::Source(source) => Some(source.info().doc.to_owned()),
                DefaultInput::Motion(part) => Some(part.label().to_owned()),
                DefaultInput::Setting(_) => None,
            };
            lines.extend(unlinked.map(|text| (format!("not wired: {text}"), theme::FAINT)));
        }
        lines.extend(input.problem.clone().map(|problem| (problem, theme::ERROR)));
        input_port(&input.name)
    };
    let path = view.path.clone();
    let wanted = (!state.canvas.has_values).then(|| (path.clone(), port.clone()));
    look(state, wanted);
    let text = state.canvas.watch.text(&path, &port);
    lines.extend(text.map(|text| (format!("now: {text}"), theme::ACCENT)));
    lines
}
