//! What painting may touch: chosen with a box or a lasso, or locked.

use super::super::Screen;
use super::hand::place;
use super::surface;
use crate::{State, theme};
use egui::{PointerButton, Pos2, Response, Stroke};
use glam::Vec2;
use jounce_session::painting::PaintSurface;

/// What a drag over the picture does while the tool paints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PaintMode {
    #[default]
    Brush,
    Box,
    Lasso,
}

impl PaintMode {
    pub const ALL: [PaintMode; 3] = [PaintMode::Brush, PaintMode::Box, PaintMode::Lasso];

    pub const fn name(self) -> &'static str {
        match self {
            PaintMode::Brush => "Brush",
            PaintMode::Box => "Box Select",
            PaintMode::Lasso => "Lasso Select",
        }
    }

    pub const fn help(self) -> &'static str {
        match self {
            PaintMode::Brush => "Drag to paint",
            PaintMode::Box => {
                "Drag a box around what may be painted. Ctrl adds to what is selected"
            }
            PaintMode::Lasso => "Draw around what may be painted. Ctrl adds to what is selected",
        }
    }
}

/// A shape that is being drawn.
pub struct Outline {
    mode: PaintMode,
    adds: bool,
    path: Vec<Pos2>,
}

impl Outline {
    fn corners(&self) -> Vec<Pos2> {
        match (self.mode, self.path.first(), self.path.last()) {
            (PaintMode::Box, Some(from), Some(to)) => {
                vec![*from, egui::pos2(to.x, from.y), *to, egui::pos2(from.x, to.y)]
            }
            _ => self.path.clone(),
        }
    }
}

pub fn interact(ui: &egui::Ui, state: &mut State, response: &Response, screen: &Screen) {
    let pointer = ui.input(|input| input.pointer.clone());
    let modifiers = ui.input(|input| input.modifiers);
    let Some(at) = pointer.latest_pos() else { return };
    let mode = state.viewport.paint.mode;
    if pointer.button_pressed(PointerButton::Primary)
        && response.contains_pointer()
        && !modifiers.shift
    {
        let outline = Outline { mode, adds: modifiers.command, path: vec![at] };
        state.viewport.paint.outline = Some(outline);
        state.viewport.drag = Some(super::super::tools::Drag::Paint);
    }
    let Some(outline) = &mut state.viewport.paint.outline else { return };
    if ui.input(|input| input.key_pressed(egui::Key::Escape)) {
        give_up(state);
        return;
    }
    if outline.path.last() != Some(&at) {
        outline.path.push(at);
    }
    let mut corners = outline.corners();
    if let Some(first) = corners.first().copied() {
        corners.push(first);
    }
    let painter = ui.painter_at(screen.rect);
    painter.line(corners.clone(), Stroke::new(2.6, theme::GROUND.gamma_multiply(0.6)));
    painter.line(corners, Stroke::new(1.2, theme::ACCENT));
    if !pointer.button_down(PointerButton::Primary) {
        finish(state, screen);
    }
}

pub fn give_up(state: &mut State) {
    if state.viewport.paint.outline.take().is_some() {
        state.viewport.drag = None;
    }
}

fn finish(state: &mut State, screen: &Screen) {
    let Some(outline) = state.viewport.paint.outline.take() else { return };
    state.viewport.drag = None;
    let surface = surface(state);
    let corners: Vec<Vec2> = outline.corners().iter().map(|at| place(screen, *at)).collect();
    let inside = points_inside(state, &surface, &corners);
    let vertices = inside.iter().flat_map(|&point| surface.meter().vertices_of(point));
    let vertices: Vec<usize> = vertices.map(|&vertex| vertex as usize).collect();
    let count = state.show.character().vertex_count();
    state.viewport.paint.masks.select(vertices, count, outline.adds);
}

fn points_inside(state: &State, surface: &PaintSurface, corners: &[Vec2]) -> Vec<u32> {
    let view = &state.viewport.paint;
    let Some(sight) = &view.sight else { return Vec::new() };
    let is_in = |point: &u32| {
        let vertex = surface.meter().vertices_of(*point).first();
        let seen = vertex.and_then(|&vertex| sight.place(vertex as usize));
        seen.is_some_and(|seen| is_inside(seen, corners))
    };
    let points = 0..surface.meter().point_count() as u32;
    let mut inside: Vec<u32> = points.filter(is_in).collect();
    if view.brush.only_visible {
        let is_seen = sight.sees(surface, &inside);
        let mut seen = is_seen.iter();
        inside.retain(|_| seen.next() == Some(&true));
    }
    inside
}

/// Does a line from there to the right cross the outline an odd number of times?
fn is_inside(at: Vec2, corners: &[Vec2]) -> bool {
    let next = corners.iter().cycle().skip(1);
    let crosses = |(a, b): &(&Vec2, &Vec2)| {
        (a.y > at.y) != (b.y > at.y) && at.x < a.x + (b.x - a.x) * (at.y - a.y) / (b.y - a.y)
    };
    corners.iter().zip(next).filter(crosses).count() % 2 == 1
}

/// What cannot be painted is seen less.
pub fn dim(state: &State, colors: &mut [[f32; 4]]) {
    let masks = &state.viewport.paint.masks;
    if !super::is_on(state) || !(masks.has_selection() || masks.has_locks()) {
        return;
    }
    for (vertex, color) in colors.iter_mut().enumerate() {
        let (goal, part) = match () {
            () if masks.is_locked(vertex) => (0.01, 0.75),
            () if !masks.allow(vertex) => (0.12, 0.65),
            () => continue,
        };
        for channel in &mut color[..3] {
            *channel += part * (goal - *channel);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_inside_of_an_outline_is_known() {
        let hook = [[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [3.0, 3.0], [3.0, 1.0], [0.0, 1.0]];
        let hook = hook.map(Vec2::from_array);
        assert!(is_inside(Vec2::new(0.5, 0.5), &hook) && is_inside(Vec2::new(3.5, 2.5), &hook));
        assert!(!is_inside(Vec2::new(1.0, 2.0), &hook) && !is_inside(Vec2::new(-1.0, 0.5), &hook));
        assert!(!is_inside(Vec2::ZERO, &[]));
    }
}
