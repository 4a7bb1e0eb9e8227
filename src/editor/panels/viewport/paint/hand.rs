//! What the pointer does while the tool paints.

use super::super::Screen;
use super::super::tools::Drag;
use super::select::{self, PaintMode};
use super::{name_in_document, painted, surface, values};
use crate::State;
use egui::{Event, Key, PointerButton, Pos2, Response, TouchPhase};
use glam::Vec2;
use jounce_graph::document::{Command, Owner};
use jounce_session::painting::{Brush, BrushTool, Sight, Stamp, Stroke};

/// A stroke while the button is down.
pub(super) struct HeldStroke {
    stroke: Stroke,
    /// As the document has it.
    map: String,
    /// Of the last stamp.
    at: Pos2,
}

/// What moving the pointer changes after a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjusted {
    Radius,
    Strength,
}

pub(super) struct Adjusting {
    what: Adjusted,
    /// None until the pointer is seen.
    from: Option<Pos2>,
    before: Brush,
}

/// Between two stamps, in radii as they are seen.
const SPACING: f32 = 0.2;
const LEAST_SPACING: f32 = 1.5;
/// A hand that is faster leaves more room between them.
const MOST_STAMPS: f32 = 24.0;

fn owner() -> Owner {
    Owner::Hand(egui::Id::new("paint").value())
}

pub fn interact(ui: &egui::Ui, state: &mut State, response: &Response, screen: &Screen) {
    see(ui, state, response, screen);
    feel(ui, state);
    if state.viewport.paint.adjusting.is_some() {
        go_on_adjusting(ui, state, response);
        return;
    }
    if state.viewport.paint.mode != PaintMode::Brush {
        select::interact(ui, state, response, screen);
        return;
    }
    let pointer = ui.input(|input| input.pointer.clone());
    let modifiers = ui.input(|input| input.modifiers);
    let is_over = response.contains_pointer();
    if pointer.button_pressed(PointerButton::Primary) && is_over && !modifiers.shift {
        press(ui, state, modifiers.command);
    }
    let is_down = pointer.button_down(PointerButton::Primary);
    if state.viewport.paint.stroke.is_none() {
        // A stroke that was ended by something else holds the view until the button is let go.
        if !is_down && let Some(Drag::Paint) = state.viewport.drag {
            state.viewport.drag = None;
        }
        return;
    }
    if ui.input(|input| input.key_pressed(Key::Escape)) {
        state.viewport.paint.stroke = None;
        state.session.cancel(owner());
        return;
    }
    drag(ui, state, screen);
    if !is_down {
        give_up(state);
    }
}

/// Where the pointer is on the surface, as it was drawn last.
fn see(ui: &egui::Ui, state: &mut State, response: &Response, screen: &Screen) {
    let at = ui.input(|input| input.pointer.latest_pos());
    let is_needed = response.contains_pointer() || state.viewport.paint.stroke.is_some();
    let view = &mut state.viewport;
    (view.paint.touch, view.paint.sight) = (None, None);
    let Some(at) = at.filter(|_| is_needed) else { return };
    let character = state.show.character();
    let positions = &view.drawn.positions;
    if positions.len() != character.vertex_count() {
        return;
    }
    let sight = Sight::new(screen.camera, screen.rect.aspect_ratio(), positions, character.size());
    view.paint.touch = sight.touch(place(screen, at), &character.mesh.triangles);
    view.paint.sight = Some(sight);
}

/// From −1 to 1, to the right and up.
pub(super) fn place(screen: &Screen, at: Pos2) -> Vec2 {
    let half = screen.rect.size() * 0.5;
    let away = at - screen.rect.center();
    Vec2::new(away.x / half.x.max(1e-3), -away.y / half.y.max(1e-3))
}

/// Ctrl: the other way round.
fn reversed(tool: BrushTool) -> BrushTool {
    match tool {
        BrushTool::Add => BrushTool::Subtract,
        BrushTool::Subtract => BrushTool::Add,
        BrushTool::Replace | BrushTool::Flood => BrushTool::Erase,
        tool => tool,
    }
}

/// Beside the surface nothing is begun: the view turns there.
fn press(ui: &egui::Ui, state: &mut State, is_reversed: bool) {
    let Some(touch) = state.viewport.paint.touch else { return };
    let mut brush = state.viewport.paint.brush.clone();
    if is_reversed {
        brush.tool = reversed(brush.tool);
    }
    let map = name_in_document(state);
    let Some(at) = ui.input(|input| input.pointer.latest_pos()) else { return };
    state.session.begin(owner(), &format!("Paint {map}"));
    let stroke = Stroke::new(brush, values(state));
    state.viewport.paint.stroke = Some(HeldStroke { stroke, map, at });
    state.viewport.drag = Some(Drag::Paint);
    stamp(state, &[touch.at]);
}

/// How hard a pen presses.
fn feel(ui: &egui::Ui, state: &mut State) {
    let pressure = &mut state.viewport.paint.pressure;
    ui.input(|input| {
        for event in &input.events {
            match event {
                Event::Touch { phase: TouchPhase::Start | TouchPhase::Move, force, .. } => {
                    *pressure = force.map(f64::from);
                }
                Event::Touch { .. } => *pressure = None,
                _ => {}
            }
        }
    });
}

fn drag(ui: &egui::Ui, state: &mut State, screen: &Screen) {
    let moved_to = |event: &Event| match event {
        Event::PointerMoved(at) => Some(*at),
        _ => None,
    };
    let path: Vec<Pos2> = ui.input(|input| input.events.iter().filter_map(moved_to).collect());
    let character = state.show.character().clone();
    let view = &mut state.viewport.paint;
    let (Some(held), Some(sight)) = (&mut view.stroke, &view.sight) else { return };
    if held.stroke.brush().tool == BrushTool::Flood {
        return;
    }
    let middle = view.touch.map_or(screen.camera.target, |touch| touch.position);
    let radius = held.stroke.brush().radius_sizes * character.size();
    let radius_points = radius as f32 / screen.units_per_point(middle).max(f32::MIN_POSITIVE);
    let ends = std::iter::once(held.at).chain(path.iter().copied()).collect::<Vec<_>>();
    let length: f32 = ends.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let spacing = (SPACING * radius_points).max(LEAST_SPACING).max(length / MOST_STAMPS);
    let mut places = Vec::new();
    for to in path {
        let away = to - held.at;
        let steps = (away.length() / spacing).floor();
        for step in 1..=steps as usize {
            places.push(held.at + away * (step as f32 * spacing / away.length()));
        }
        if let Some(last) = places.last().filter(|_| steps >= 1.0) {
            held.at = *last;
        }
    }
    let triangles = &character.mesh.triangles;
    let touched: Vec<_> = places
        .into_iter()
        .filter_map(|at| sight.touch(place(screen, at), triangles))
        .map(|touch| touch.at)
        .collect();
    stamp(state, &touched);
}

fn stamp(state: &mut State, places: &[jounce_rig::geodesic::SurfacePoint]) {
    if places.is_empty() {
        return;
    }
    if state.session.history().owner() != Some(owner()) {
        // Somebody has undone what was begun: the hand holds nothing any more.
        state.viewport.paint.stroke = None;
        return;
    }
    let surface = surface(state);
    let view = &mut state.viewport.paint;
    let Some(held) = &mut view.stroke else { return };
    let pressure = view.pressure.unwrap_or(1.0);
    for &at in places {
        let stamp = Stamp { at, pressure, sight: view.sight.as_ref() };
        held.stroke.stamp(&surface, &view.masks, stamp);
    }
    if !held.stroke.has_changed() {
        return;
    }
    let (map, values) = (held.map.clone(), held.stroke.values().to_vec());
    let command = Command::SetMap {
        character: state.session.character_settings_key(),
        map: map.clone(),
        values: Some(painted(state, values)),
    };
    state.session.update(owner(), &format!("Paint {map}"), command);
}

/// What was painted so far stays, as a step.
pub fn give_up(state: &mut State) {
    if state.viewport.paint.stroke.take().is_some() {
        state.viewport.drag = None;
        state.session.commit(owner());
    }
}

/// From now on moving the pointer changes it, until a click.
pub fn adjust(state: &mut State, what: Adjusted) {
    give_up(state);
    let before = state.viewport.paint.brush.clone();
    state.viewport.paint.adjusting = Some(Adjusting { what, from: None, before });
}

fn go_on_adjusting(ui: &egui::Ui, state: &mut State, response: &Response) {
    let Some(adjusting) = &mut state.viewport.paint.adjusting else { return };
    let (at, is_done, is_cancelled) = ui.input(|input| {
        let is_done =
            input.pointer.button_pressed(PointerButton::Primary) || input.key_pressed(Key::Enter);
        let is_cancelled = input.key_pressed(Key::Escape)
            || input.pointer.button_pressed(PointerButton::Secondary);
        (input.pointer.latest_pos(), is_done, is_cancelled)
    });
    let Some(at) = at else { return };
    let from = *adjusting.from.get_or_insert(at);
    let away = at.x - from.x;
    let (before, brush) = (&adjusting.before, &mut state.viewport.paint.brush);
    match adjusting.what {
        Adjusted::Radius => {
            let radius = before.radius_sizes * f64::from((away * 0.01).exp());
            brush.radius_sizes =
                radius.clamp(*Brush::RADIUS_SIZES.start(), *Brush::RADIUS_SIZES.end());
        }
        Adjusted::Strength => {
            brush.strength = (before.strength + f64::from(away) * 0.004).clamp(0.0, 1.0);
        }
    }
    if is_cancelled {
        brush.clone_from(before);
    }
    if is_done || is_cancelled || !response.ctx.input(|input| input.pointer.has_pointer()) {
        state.viewport.paint.adjusting = None;
    }
}
