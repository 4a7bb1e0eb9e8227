//! The sign of a key.

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2};
use jounce_base::keyed_value::KeyInterpolation;

/// Half of its width, in points.
pub const RADIUS: f32 = 5.0;

/// How it leads to the next key is seen: smooth is full, linear hollow, step a square.
pub fn key(painter: &Painter, at: Pos2, interpolation: KeyInterpolation, color: Color32) {
    match interpolation {
        KeyInterpolation::Smooth => diamond(painter, at, color, true),
        KeyInterpolation::Linear => diamond(painter, at, color, false),
        KeyInterpolation::Step => {
            let square = Rect::from_center_size(at, Vec2::splat(1.6 * RADIUS));
            painter.rect_filled(square, 0.0, color);
        }
    }
}

pub fn diamond(painter: &Painter, at: Pos2, color: Color32, is_full: bool) {
    let corner = |x: f32, y: f32| pos2(at.x + x * RADIUS, at.y + y * RADIUS);
    let corners = vec![corner(0.0, -1.0), corner(1.0, 0.0), corner(0.0, 1.0), corner(-1.0, 0.0)];
    let fill = if is_full { color } else { crate::theme::GROUND };
    painter.add(Shape::convex_polygon(corners, fill, Stroke::new(1.5, color)));
}
