//! The rim of the brush on the surface: where the amount ends, and where it is half.

use super::super::Screen;
use super::surface;
use crate::{State, theme};
use egui::{Color32, Stroke};
use glam::Vec3;
use jounce_rig::geodesic::Reach;
use jounce_session::painting::{BrushTool, PaintSurface};

/// So much further than the rim is measured, to find where it crosses edges.
const BEYOND: f64 = 1.25;

/// Keeps what is measured on the way from frame to frame.
#[derive(Default)]
pub struct Rim {
    reach: Reach,
}

pub fn paint(ui: &egui::Ui, state: &mut State, screen: &Screen) {
    let Some(touch) = state.viewport.paint.touch.filter(|_| super::is_on(state)) else { return };
    let surface = surface(state);
    let brush = state.viewport.paint.brush.clone();
    if brush.tool == BrushTool::Flood || state.viewport.paint.mode != super::PaintMode::Brush {
        return;
    }
    let radius = brush.radius_sizes * state.show.character().size();
    let mut rim = std::mem::take(&mut state.viewport.paint.rim);
    surface.meter().measure(touch.at, radius * BEYOND, &mut rim.reach);
    let positions = &state.viewport.drawn.positions;
    let painter = ui.painter_at(screen.rect);
    let color = match brush.tool {
        BrushTool::Subtract => Color32::from_rgb(0xe0, 0x2f, 0xa3),
        BrushTool::Add | BrushTool::Replace if brush.value >= 0.0 => theme::ACCENT,
        _ => theme::TEXT,
    };
    for (part, width, opacity) in [(1.0, 1.6, 1.0), (0.5, 1.0, 0.45)] {
        let stroke = Stroke::new(width, color.gamma_multiply(opacity));
        let shade = Stroke::new(width + 1.6, Color32::BLACK.gamma_multiply(0.45 * opacity));
        let lines = lines(&surface, &rim.reach, radius * part, positions);
        let seen: Vec<_> = lines
            .iter()
            .filter_map(|[a, b]| Some([screen.project(*a)?, screen.project(*b)?]))
            .collect();
        // The dark lines below all bright ones.
        for (line, look) in
            [shade, stroke].into_iter().flat_map(|look| seen.iter().map(move |it| (*it, look)))
        {
            painter.line_segment(line, look);
        }
    }
    if let Some(at) = screen.project(touch.position) {
        painter.circle_filled(at, 1.5, color);
    }
    state.viewport.paint.rim = rim;
}

/// Where the surface is so far from the start, as it is drawn.
fn lines(surface: &PaintSurface, reach: &Reach, far: f64, positions: &[Vec3]) -> Vec<[Vec3; 2]> {
    let meter = surface.meter();
    let mut lines = Vec::new();
    for &(point, distance) in reach.points() {
        for &triangle in meter.triangles_of(point) {
            let corners = meter.corners(triangle as usize);
            // Once for each triangle: by the first of its corners that is within.
            let is_within = |corner: u32| reach.of(corner).is_some_and(|it| it <= far);
            let first = corners.iter().find(|&&corner| is_within(corner));
            if distance > far || first != Some(&point) || corners.iter().all(|&it| is_within(it)) {
                continue;
            }
            let place = |corner: u32| {
                let vertex = meter.vertices_of(corner).first();
                vertex.and_then(|&vertex| positions.get(vertex as usize)).copied()
            };
            let crossing = |[a, b]: [u32; 2]| {
                let (inside, outside) = match (is_within(a), is_within(b)) {
                    (true, false) => (a, b),
                    (false, true) => (b, a),
                    _ => return None,
                };
                let from = reach.of(inside)?;
                let edge = meter.positions()[inside as usize]
                    .distance(meter.positions()[outside as usize]);
                // What is beyond all that was measured is at least as far as the edge leads.
                let to = reach.of(outside).unwrap_or(from + edge);
                let part = ((far - from) / (to - from).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
                Some(place(inside)?.lerp(place(outside)?, part as f32))
            };
            let [a, b, c] = corners;
            let mut ends = [[a, b], [b, c], [c, a]].into_iter().filter_map(crossing);
            if let (Some(from), Some(to)) = (ends.next(), ends.next()) {
                lines.push([from, to]);
            }
        }
    }
    lines
}
