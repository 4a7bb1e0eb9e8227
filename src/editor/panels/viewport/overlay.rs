//! What is drawn over the picture: axes, centroids, arrows, traces, the selection.

use super::{Screen, Tool, pick};
use crate::editor::{State, theme};
use egui::{Align2, Color32, FontId, Painter, Pos2, Shape, Stroke, pos2};
use glam::Vec3;

/// Of a bone's axes, as a part of the character's size.
pub const AXIS_LENGTH: f32 = 0.045;

pub fn paint(ui: &egui::Ui, state: &State, screen: &Screen) {
    if state.viewport.crowd.is_on {
        return;
    }
    let painter = ui.painter_at(screen.rect);
    let over = Over { painter: &painter, screen };
    if state.viewport.tool == Tool::Velocity {
        traces(&over, state);
    }
    if state.viewport.tool.shows_bones() {
        sticks(&over, state);
    }
    if state.viewport.has_axes {
        axes(&over, state);
    }
    if state.viewport.has_centroids || state.viewport.tool == Tool::Centroid {
        centroids(&over, state);
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

    fn arrow(&self, from: Vec3, to: Vec3, color: Color32) {
        let (Some(a), Some(b)) = (self.screen.project(from), self.screen.project(to)) else {
            return;
        };
        if a.distance(b) > 1.0 {
            arrow(self.painter, a, b, color);
        }
    }
}

fn arrow(painter: &Painter, from: Pos2, to: Pos2, color: Color32) {
    let along = (to - from).normalized();
    let side = egui::vec2(-along.y, along.x);
    let head = 9.0_f32.min(from.distance(to));
    let neck = to - along * head;
    painter.line_segment([from, neck], Stroke::new(2.5, color));
    let tip = vec![to, neck + side * head * 0.45, neck - side * head * 0.45];
    painter.add(Shape::convex_polygon(tip, color, Stroke::NONE));
}

/// One of many, on any colour.
pub fn thin_arrow(painter: &Painter, from: Pos2, to: Pos2) {
    let along = (to - from).normalized();
    let side = egui::vec2(-along.y, along.x);
    let head = 4.0_f32.min(from.distance(to));
    let neck = to - along * head;
    let wings = [neck + side * head * 0.5, neck - side * head * 0.5];
    for stroke in
        [Stroke::new(2.6, theme::GROUND.gamma_multiply(0.6)), Stroke::new(1.1, theme::TEXT)]
    {
        painter.line_segment([from, to], stroke);
        for wing in wings {
            painter.line_segment([wing, to], stroke);
        }
    }
}

/// Faint where the surface looks away.
fn traces(over: &Over, state: &State) {
    let traces = &state.viewport.velocities.trajectories;
    if state.viewport.velocities.is_empty() {
        return;
    }
    let eye = over.screen.eye();
    for (path, &vertex) in traces.paths.iter().zip(&traces.vertices) {
        let normal = state.shown.deformed.normals.get(vertex).copied().unwrap_or(Vec3::Y);
        let (Some(first), Some(last)) = (path.first(), path.last()) else { continue };
        let faces_eye = normal.dot(eye - *last) > 0.0;
        let color = theme::TRACE.gamma_multiply(if faces_eye { 1.0 } else { 0.22 });
        let points: Vec<Pos2> = path.iter().filter_map(|&p| over.screen.project(p)).collect();
        if points.len() < 2 || first.distance(*last) < over.screen.units_per_point(*last) {
            continue;
        }
        let end = points[points.len() - 1];
        over.painter.add(Shape::line(points, Stroke::new(1.3, color)));
        over.painter.circle_filled(end, 1.8, color);
    }
}

fn sticks(over: &Over, state: &State) {
    let Some(pose) = &state.shown.pose else { return };
    let character = state.show.character();
    for (_, from, to) in pick::sticks(character, pose, &pick::centroids(state)) {
        over.line(from, to, Stroke::new(3.0, theme::GROUND.gamma_multiply(0.55)));
        over.line(from, to, Stroke::new(1.5, theme::TEXT));
        over.dot(from, 3.0, theme::TEXT);
    }
}

fn axes(over: &Over, state: &State) {
    let Some(pose) = &state.shown.pose else { return };
    let character = state.show.character();
    let length = character.size() as f32 * AXIS_LENGTH;
    for bone in 0..character.skeleton.bones.len() {
        let origin = character.bone_origin(pose, bone).as_vec3();
        let rotation = character.bone_rotation(pose, bone).as_mat3();
        for (axis, color) in [
            (rotation.x_axis, theme::AXIS_X),
            (rotation.y_axis, theme::AXIS_Y),
            (rotation.z_axis, theme::AXIS_Z),
        ] {
            over.line(origin, origin + axis * length, Stroke::new(1.5, color));
        }
    }
}

fn centroids(over: &Over, state: &State) {
    let Some(pose) = &state.shown.pose else { return };
    let character = state.show.character();
    let offsets = &state.show.bound().centroid_offsets;
    for (bone, &centroid) in pick::centroids(state).iter().enumerate() {
        let joint = character.bone_origin(pose, bone).as_vec3();
        let is_selected = state.selection.bones.contains(&bone);
        let is_moved = offsets.get(bone).is_some_and(|offset| offset.length_squared() > 0.0);
        let color = if is_selected { theme::ACCENT } else { theme::TEXT };
        over.line(joint, centroid, Stroke::new(1.5, color.gamma_multiply(0.7)));
        over.dot(joint, 2.0, color);
        over.dot(centroid, 4.5, if is_moved || is_selected { theme::ACCENT } else { theme::FAINT });
    }
}

fn selected_bones(over: &Over, state: &State) {
    let Some(pose) = &state.shown.pose else { return };
    let character = state.show.character();
    let centroids = pick::centroids(state);
    for (bone, from, to) in pick::sticks(character, pose, &centroids) {
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

/// As long as the drag that made them; of a turn, at the end of the bone.
fn velocities(over: &Over, state: &State) {
    let Some(pose) = state.shown.pose.as_ref() else { return };
    if state.viewport.tool != Tool::Velocity {
        return;
    }
    let character = state.show.character();
    let sticks = pick::sticks(character, pose, &pick::centroids(state));
    for (&bone, motion) in state.viewport.velocities.by_bone() {
        let joint = character.bone_origin(pose, bone).as_vec3();
        let tip = sticks.iter().find(|(of, ..)| *of == bone).map_or(joint, |(_, _, tip)| *tip);
        let of_turn = motion.angular.as_vec3().cross(tip - joint);
        let velocity = (motion.linear.as_vec3() + of_turn) * super::tools::SECS_PER_DRAG;
        let from = if motion.angular.length_squared() > 0.0 { tip } else { joint.midpoint(tip) };
        over.arrow(from, from + velocity, theme::ACCENT);
    }
}

fn selected_vertex(over: &Over, state: &State) {
    let Some(vertex) = state.selection.vertex else { return };
    let positions = &state.viewport.drawn.positions;
    if let Some(place) = positions.get(vertex).and_then(|&p| over.screen.project(p)) {
        over.painter.circle(place, 4.5, theme::ACCENT, Stroke::new(1.5, theme::GROUND));
    }
}
