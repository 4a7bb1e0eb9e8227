//! What is drawn over the picture: axes, centroids, arrows, traces, the selection.

use super::{Screen, Tool, heat};
use crate::{State, theme};
use egui::{Align2, Color32, FontId, Painter, Pos2, Shape, Stroke, pos2};
use glam::Vec3;
use jounce_draw::{self as draw, Mark};
use jounce_rig::Pose;
use jounce_session::overlays;

const ACCENT: [u8; 3] = rgb(theme::ACCENT);
const GROUND: [u8; 3] = rgb(theme::GROUND);
const TEXT: [u8; 3] = rgb(theme::TEXT);

const fn rgb(color: Color32) -> [u8; 3] {
    [color.r(), color.g(), color.b()]
}

pub fn paint(ui: &egui::Ui, state: &State, screen: &Screen) {
    let painter = ui.painter_at(screen.rect);
    paint_marks(&painter, screen, &marks(state));
    bone_name(&painter, state, screen);
}

/// All that lies over the character, from back to front; pictures in files have it too.
pub fn marks(state: &State) -> Vec<Mark> {
    let view = &state.viewport;
    let mut marks = Vec::new();
    if view.crowd.is_on {
        return marks;
    }
    marks.extend(heat::arrows(state));
    marks.extend(view.path.marks(view.compare.amount()));
    let has_velocities = view.tool == Tool::Velocity && !view.velocities.is_empty();
    if has_velocities {
        let (traces, normals) = (&view.velocities.trajectories, &state.shown.deformed.normals);
        marks.extend(overlays::traces(traces, normals, view.compare.amount()));
    }
    if let Some(pose) = &state.shown.pose {
        let (character, offsets) = (state.show.character(), &state.show.bound().centroid_offsets);
        if view.tool.shows_bones() {
            marks.extend(sticks(state, pose));
        }
        if view.has_axes {
            marks.extend(overlays::axes(character, pose));
        }
        if view.has_centroids || view.tool == Tool::Centroid {
            let chosen = &state.selection.bones;
            marks.extend(overlays::centroids(state.show.hung(), pose, offsets, chosen));
        }
        marks.extend(selected_bones(state, pose));
        if has_velocities {
            let by_bone = view.velocities.by_bone().iter();
            let by_bone = by_bone.map(|(bone, motion)| (*bone, *motion));
            // As long as the drag that made them.
            let longest = f32::INFINITY;
            marks.extend(overlays::velocities(character, pose, offsets, by_bone, longest));
        }
    }
    let vertex = state.selection.vertex.and_then(|vertex| view.drawn.positions.get(vertex));
    marks.extend(vertex.map(|&position| Mark::dot(position, 4.5, ACCENT)));
    marks
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

pub fn paint_marks(painter: &Painter, screen: &Screen, marks: &[Mark]) {
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

fn sticks(state: &State, pose: &Pose) -> Vec<Mark> {
    let character = state.show.character();
    let of_stick = |(_, from, to): (usize, Vec3, Vec3)| {
        let shade = Mark { opacity: 0.55, ..Mark::line(from, to, 3.0, GROUND) };
        [shade, Mark::line(from, to, 1.5, TEXT), Mark::dot(from, 3.0, TEXT)]
    };
    let offsets = &state.show.bound().centroid_offsets;
    overlays::sticks(character, pose, offsets).into_iter().flat_map(of_stick).collect()
}

fn selected_bones(state: &State, pose: &Pose) -> Vec<Mark> {
    let (character, selected) = (state.show.character(), &state.selection.bones);
    if selected.is_empty() {
        return Vec::new();
    }
    let sticks = overlays::sticks(character, pose, &state.show.bound().centroid_offsets);
    let sticks = sticks.into_iter().filter(|(bone, ..)| selected.contains(bone));
    let lines = sticks.map(|(_, from, to)| Mark::line(from, to, 2.5, ACCENT));
    let joint = |&bone: &usize| character.bone_origin(pose, bone).as_vec3();
    lines.chain(selected.iter().map(|bone| Mark::dot(joint(bone), 4.0, ACCENT))).collect()
}

/// The name of the selected bone.
fn bone_name(painter: &Painter, state: &State, screen: &Screen) {
    let (Some(pose), &[bone]) = (&state.shown.pose, &state.selection.bones[..]) else { return };
    if state.viewport.crowd.is_on {
        return;
    }
    let character = state.show.character();
    if let Some(place) = screen.project(character.bone_origin(pose, bone).as_vec3()) {
        label(painter, pos2(place.x + 9.0, place.y - 9.0), character.skeleton.bone_name(bone));
    }
}

fn label(painter: &Painter, at: Pos2, text: &str) {
    let font = FontId::proportional(12.0);
    let galley = painter.layout_no_wrap(text.to_owned(), font, theme::TEXT);
    let rect = Align2::LEFT_BOTTOM.anchor_size(at, galley.size());
    painter.rect_filled(rect.expand2(egui::vec2(5.0, 2.0)), 3.0, theme::GROUND.gamma_multiply(0.8));
    painter.galley(rect.min, galley, theme::TEXT);
}
