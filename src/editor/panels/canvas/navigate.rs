//! Panning, zooming and fitting.

use super::CanvasView;
use crate::State;
use egui::emath::TSTransform;
use egui::{Key, Modifiers, PointerButton, Rect, Ui, pos2, vec2};
use jounce_graph::document::{GraphRef, OUTPUT_TYPE};

pub const LEAST_ZOOM: f32 = 0.15;
pub const MOST_ZOOM: f32 = 2.5;
/// Fitting does not make few nodes huge.
const MOST_FITTED_ZOOM: f32 = 1.1;
/// Around what is fitted, in points of the screen.
const MARGIN: f32 = 20.0;
/// Below it words on nodes cannot be read.
const LEAST_READABLE_ZOOM: f32 = 0.625;
/// Pixels of the wheel that double or halve the size.
const WHEEL: f32 = 240.0;

/// The wheel zooms to the pointer; the middle button, or Alt, pans.
pub fn steer(ui: &Ui, state: &mut State, graph: &GraphRef) {
    let view = &mut state.canvas;
    let mut to = view.transform(graph);
    let input = |read: &dyn Fn(&egui::InputState) -> egui::Vec2| ui.input(read);
    let pointer = ui.input(|input| input.pointer.latest_pos());
    if let Some(pointer) = pointer.filter(|_| view.is_hovered) {
        let wheel = input(&|input| input.smooth_scroll_delta());
        let pinch = ui.input(egui::InputState::zoom_delta);
        let is_panning = ui.input(|input| input.modifiers.shift);
        if is_panning {
            to.translation += wheel;
        }
        let wheel_zoom = if is_panning { 1.0 } else { (wheel.y / WHEEL).exp2() };
        let zoom = (to.scaling * wheel_zoom * pinch).clamp(LEAST_ZOOM, MOST_ZOOM);
        if zoom != to.scaling && zoom.is_finite() {
            let under = to.inverse() * pointer;
            to = TSTransform { scaling: zoom, translation: pointer - under * zoom };
        }
        let pans = ui.input(|input| {
            let alt = input.modifiers.alt && input.pointer.button_down(PointerButton::Primary);
            alt || input.pointer.button_down(PointerButton::Middle)
        });
        if pans {
            to.translation += input(&|input| input.pointer.delta());
        }
    }
    if view.is_hovered
        && !ui.ctx().egui_wants_keyboard_input()
        && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::F))
    {
        view.fit();
    }
    view.screen_from_graph.insert(graph.clone(), to);
}

/// Sizes that nodes are drawn in are multiples of this: egui rounds places to as much, and with others snarl
/// would never come to rest.
const DETAIL_STEP: f32 = 1.0 / 32.0;

/// The size in which nodes are drawn, before the rest of the zoom: about that of the screen where the zoom
/// rests, so that letters are sharp. While it changes there are few sizes, so that few fonts are made.
pub fn choose_detail(ui: &Ui, view: &mut CanvasView, graph: &GraphRef) {
    let zoom = view.zoom(graph);
    let is_at_rest = zoom == view.last_zoom && view.fits_left == 0;
    let near = (zoom / DETAIL_STEP).round().max(1.0) * DETAIL_STEP;
    let detail = if is_at_rest { near } else { detail_of(zoom) };
    if !is_at_rest {
        ui.ctx().request_repaint();
    }
    if detail != view.detail {
        ui.ctx().request_discard("nodes are drawn in another size");
    }
    (view.detail, view.last_zoom) = (detail, zoom);
}

fn detail_of(zoom: f32) -> f32 {
    const STEPS: [f32; 7] = [0.25, 0.34375, 0.5, 0.6875, 1.0, 1.40625, 2.0];
    let distance = |step: &&f32| (**step / zoom).log2().abs();
    STEPS.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).copied().unwrap_or(1.0)
}

/// Fits what was drawn last into the panel, while that is asked for.
pub fn fit_if_asked(ui: &Ui, state: &mut State, graph: &GraphRef) {
    if state.canvas.fits_left == 0 {
        return;
    }
    state.canvas.fits_left -= 1;
    let bounds = bounds(state, graph);
    let mut rect = state.canvas.rect;
    if state.canvas.has_legend {
        // Half of it: the margin below is partly room for the legend.
        rect.max.y -= super::overlay::LEGEND_HEIGHT * 0.5;
    }
    let to = if bounds.is_positive() {
        let room = (rect.size() - vec2(MARGIN, MARGIN) * 2.0).max(vec2(20.0, 20.0));
        let scaling = (room / bounds.size()).min_elem().clamp(LEAST_ZOOM, MOST_FITTED_ZOOM);
        let scaling = ((scaling / DETAIL_STEP).floor() * DETAIL_STEP).max(LEAST_ZOOM);
        match state.canvas.stays_readable && scaling < LEAST_READABLE_ZOOM {
            true => readable(state, graph, rect, bounds),
            false => {
                TSTransform { scaling, translation: rect.center() - bounds.center() * scaling }
            }
        }
    } else {
        TSTransform { scaling: 1.0, translation: rect.center().to_vec2() }
    };
    state.canvas.screen_from_graph.insert(graph.clone(), to);
    ui.ctx().request_repaint();
}

/// Brings a node into the middle that was added out of view, once it was drawn.
pub fn reveal_if_asked(ui: &Ui, state: &mut State, graph: &GraphRef) {
    let Some(node) = state.canvas.reveals.take() else { return };
    let Some(rect) = state.canvas.node_rect(graph, &node) else {
        let contents = state.session.document().style.graph(graph);
        let is_there = contents.is_some_and(|contents| contents.nodes.contains_key(&node));
        state.canvas.reveals = is_there.then_some(node);
        return;
    };
    if state.canvas.rect.contains_rect(rect) {
        return;
    }
    let mut to = state.canvas.transform(graph);
    to.translation += state.canvas.rect.center() - rect.center();
    state.canvas.screen_from_graph.insert(graph.clone(), to);
    ui.ctx().request_repaint();
}

/// The end of the graph, where results come together: what lies furthest to the right, with Output in the
/// middle of the height.
fn readable(state: &State, graph: &GraphRef, panel: Rect, bounds: Rect) -> TSTransform {
    let scaling = LEAST_READABLE_ZOOM;
    let contents = state.session.document().style.graph(graph);
    let outputs = contents.iter().flat_map(|contents| &contents.nodes);
    let ends = outputs.filter(|(_, node)| node.node_type == OUTPUT_TYPE);
    let end = ends.filter_map(|(id, _)| state.canvas.node_rects.get(id)).next();
    let middle = end.map_or(bounds.center(), Rect::center);
    // The place in the graph that is shown in the middle of the panel; nothing is shown beyond the graph
    // as long as there is more of it on the other side.
    let half = (panel.size() / 2.0 - vec2(MARGIN, MARGIN)) / scaling;
    let within = |at: f32, low: f32, high: f32, half: f32| match high - low > 2.0 * half {
        true => at.clamp(low + half, high - half),
        false => (low + high) / 2.0,
    };
    let center = pos2(
        within(bounds.right(), bounds.left(), bounds.right(), half.x),
        within(middle.y, bounds.top(), bounds.bottom(), half.y),
    );
    TSTransform { scaling, translation: panel.center() - center * scaling }
}

/// The bounds of everything in the graph.
fn bounds(state: &State, graph: &GraphRef) -> Rect {
    let mut bounds = Rect::NOTHING;
    let Some(contents) = state.session.document().style.graph(graph) else { return bounds };
    for (id, node) in &contents.nodes {
        let at = pos2(node.position[0] as f32, node.position[1] as f32);
        let rough = Rect::from_min_size(at, super::edit::ROUGH_NODE);
        bounds = bounds.union(state.canvas.node_rects.get(id).copied().unwrap_or(rough));
    }
    for (_, rect) in super::backdrop::rects(state, graph) {
        bounds = bounds.union(rect);
    }
    bounds
}
