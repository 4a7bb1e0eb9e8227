//! What is drawn over the picture: axes, centroids, arrows, traces, the selection.

use super::{Screen, Tool, pick};
use crate::draw::{self, Mark};
use crate::editor::{State, theme};
use crate::session::overlays;
use egui::{Align2, Color32, FontId, Painter, Pos2, Shape, Stroke, pos2};
use glam::Vec3;

pub fn paint(ui: &egui::Ui, state: &State, screen: &Screen) {
    if state.viewport.crowd.is_on {
        return;
    }
    let painter = ui.painter_at(screen.rect);
    let over = Over { painter: &painter, screen };
    let view = &state.viewport;
    if view.tool == Tool::Velocity && !view.velocities.is_empty() {
        let (traces, normals) = (&view.velocities.trajectories, &state.shown.deformed.normals);
        marks(&painter, screen, &overlays::traces(traces, normals, view.compare.amount()));
    }
    if state.viewport.tool.shows_bones() {
        sticks(&over, state);
    }
    if let Some(pose) = &state.shown.pose {
        let character = state.show.character();
        if view.has_axes {
            marks(&painter, screen, &overlays::axes(character, pose));
        }
        if view.has_centroids || view.tool == Tool::Centroid {
            let (offsets, chosen) = (&state.show.bound().centroid_offsets, &state.selection.bones);
            marks(&painter, screen, &overlays::centroids(character, pose, offsets, chosen));
        }
    }
    selected_bones(&over, state);
    velocities(&over, state);
    selected_vertex(&over, state);
}

struct Over<'a> {
    painter: &'a Painter,
    screen: &'a Screen,
}

impl Over<'_> {
    fn line(&self, from: Vec3, to: Vec3, stroke: Stroke) {
        if let (Some(a), Some(b)) = (self.screen.project(from), self.screen.project(to)) {
            self.painter.line_segment([a, b], stroke);
        }
    }

    fn dot(&self, at: Vec3, radius: f32, color: Color32) {
        if let Some(place) = self.screen.project(at) {
            self.painter.circle(place, radius, color, Stroke::new(1.0, theme::GROUND));
        }
    }
}

fn arrow(painter: &Painter, [from, to]: [Pos2; 2], width: f32, head: f32, color: Color32) {
    let along = (to - from).normalized();
    let side = egui::vec2(-along.y, along.x);
    let head = head.min(from.distance(to));
    let neck = to - along * head;
    painter.line_segment([from, neck], Stroke::new(width, color));
    let tip = vec![to, neck + side * head * 0.45, neck - side * head * 0.45];
    painter.add(Shape::convex_polygon(tip, color, Stroke::NONE));
}

/// What pictures of the command line have too.
pub fn marks(painter: &Painter, screen: &Screen, marks: &[Mark]) {
    let eye = screen.eye();
    for mark in marks {
        let opacity = mark.opacity_from(eye);
        if !(opacity > 0.0) {
            continue;
        }
        let [r, g, b] = mark.color;
        let color = Color32::from_rgb(r, g, b).gamma_multiply(opacity);
        match &mark.shape {
            draw::Shape::Line { points, width } => {
                let places = points.iter().filter_map(|&point| screen.project(point)).collect();
                painter.add(Shape::line(places, Stroke::new(*width, color)));
            }
            draw::Shape::Dot { at, radius, has_edge } => {
                let Some(place) = screen.project(*at) else { continue };
                let [r, g, b] = draw::MARK_EDGE;
                let edge = if *has_edge { 1.0 } else { 0.0 };
                let edge = Stroke::new(edge, Color32::from_rgb(r, g, b).gamma_multiply(opacity));
                painter.circle(place, *radius, color, edge);
            }
            draw::Shape::Arrow { from, to, width, head } => {
                if let (Some(from), Some(to)) = (screen.project(*from), screen.project(*to)) {
                    arrow(painter, [from, to], *width, *head, color);
                }
            }
        }
    }
}

fn sticks(over: &Over, state: &State) {
    let Some(pose) = &state.shown.pose else { return };
    let character = state.show.character();
    for (_, from, to) in overlays::sticks(character, pose, &pick::centroids(state)) {
        over.line(from, to, Stroke::new(3.0, theme::GROUND.gamma_multiply(0.55)));
        over.line(from, to, Stroke::new(1.5, theme::TEXT));
        over.dot(from, 3.0, theme::TEXT);
    }
}

fn selected_bones(over: &Over, state: &State) {
    let Some(pose) = &state.shown.pose else { return };
    let character = state.show.character();
    let centroids = pick::centroids(state);
    for (bone, from, to) in overlays::sticks(character, pose, &centroids) {
        if state.selection.bones.contains(&bone) {
            over.line(from, to, Stroke::new(2.5, theme::ACCENT));
        }
    }
    for &bone in &state.selection.bones {
        let joint = character.bone_origin(pose, bone).as_vec3();
        over.dot(joint, 4.0, theme::ACCENT);
        if let (Some(place), [_]) = (over.screen.project(joint), &state.selection.bones[..]) {
            let name = character.skeleton.bone_name(bone);
            label(over.painter, pos2(place.x + 9.0, place.y - 9.0), name);
        }
    }
}

fn label(painter: &Painter, at: Pos2, text: &str) {
    let font = FontId::proportional(12.0);
    let galley = painter.layout_no_wrap(text.to_owned(), font, theme::TEXT);
    let rect = Align2::LEFT_BOTTOM.anchor_size(at, galley.size());
    painter.rect_filled(rect.expand2(egui::vec2(5.0, 2.0)), 3.0, theme::GROUND.gamma_multiply(0.8));
    painter.galley(rect.min, galley, theme::TEXT);
}

/// As long as the drag that made them.
fn velocities(over: &Over, state: &State) {
    let Some(pose) = state.shown.pose.as_ref() else { return };
    if state.viewport.tool != Tool::Velocity {
        return;
    }
    let (character, offsets) = (state.show.character(), &state.show.bound().centroid_offsets);
    let by_bone = state.viewport.velocities.by_bone().iter();
    let by_bone = by_bone.map(|(bone, motion)| (*bone, *motion));
    let arrows = overlays::velocities(character, pose, offsets, by_bone, f32::INFINITY);
    marks(over.painter, over.screen, &arrows);
}

fn selected_vertex(over: &Over, state: &State) {
    let Some(vertex) = state.selection.vertex else { return };
    let positions = &state.viewport.drawn.positions;
    if let Some(place) = positions.get(vertex).and_then(|&p| over.screen.project(p)) {
        over.painter.circle(place, 4.5, theme::ACCENT, Stroke::new(1.5, theme::GROUND));
    }
}
