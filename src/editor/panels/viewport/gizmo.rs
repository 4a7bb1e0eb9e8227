//! The scene's axes in a corner of the picture; a click on one looks from there.

use super::steer::turn_to;
use crate::{State, theme};
use egui::{Align2, Color32, FontId, Rect, Sense, Stroke, Ui, Vec2, pos2, vec2};
use glam::Vec3;
use jounce_draw::{Camera, View};

/// Name, direction, and the colour that axes have everywhere.
const AXES: [(&str, Vec3, Color32); 3] = [
    ("X", Vec3::X, Color32::from_rgb(214, 84, 84)),
    ("Y", Vec3::Y, Color32::from_rgb(98, 176, 80)),
    ("Z", Vec3::Z, Color32::from_rgb(84, 136, 226)),
];

// In points of the window.
const LENGTH: f32 = 26.0;
const BALL: f32 = 8.0;
const SMALL_BALL: f32 = 5.0;
const FROM_CORNER: f32 = 14.0;
/// In a smaller picture it would be in the way.
const LEAST_PICTURE: f32 = 160.0;

/// One end of an axis.
struct End {
    name: &'static str,
    toward: Vec3,
    color: Color32,
    is_positive: bool,
}

impl End {
    fn all() -> impl Iterator<Item = End> {
        AXES.into_iter().flat_map(|(name, axis, color)| {
            [true, false].map(|is_positive| {
                let toward = if is_positive { axis } else { -axis };
                End { name, toward, color, is_positive }
            })
        })
    }

    fn label(&self) -> String {
        let sign = if self.is_positive { "+" } else { "−" };
        format!("Look from {sign}{}", self.name)
    }

    /// From above and below, up on the picture stays what it was.
    fn view(&self, from: View) -> View {
        let quarter = std::f32::consts::FRAC_PI_2;
        match self.toward.y == 0.0 {
            true => View { yaw_rad: self.toward.x.atan2(self.toward.z), pitch_rad: 0.0 },
            false => View { pitch_rad: quarter * self.toward.y, ..from },
        }
    }
}

pub fn show(ui: &mut Ui, state: &mut State, rect: Rect, camera: &Camera) {
    if rect.width().min(rect.height()) < LEAST_PICTURE {
        return;
    }
    let axes = camera.view.axes();
    let middle = rect.left_top() + Vec2::splat(FROM_CORNER + LENGTH + BALL);
    let place = |toward: Vec3| {
        let aside = vec2(toward.dot(axes.x_axis), -toward.dot(axes.y_axis));
        middle + aside * LENGTH
    };
    // From back to front, so that what is near lies on top and is hit first.
    let mut ends: Vec<End> = End::all().collect();
    let depth = |end: &End| end.toward.dot(axes.z_axis);
    ends.sort_by(|a, b| depth(a).total_cmp(&depth(b)));
    let mut chosen = None;
    for end in &ends {
        let at = place(end.toward);
        let radius = if end.is_positive { BALL } else { SMALL_BALL };
        let ball = Rect::from_center_size(at, Vec2::splat(2.0 * radius));
        let label = end.label();
        let response = ui.interact(ball, ui.id().with(("axis", &label)), Sense::click());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &label));
        if response.clicked() {
            chosen = Some(end.view(camera.view));
        }
        let painter = ui.painter_at(rect);
        let nearness = 0.5 + 0.5 * (0.5 + 0.5 * depth(end));
        let color = end.color.gamma_multiply(nearness);
        let edge = match response.hovered() {
            true => Stroke::new(1.5, theme::TEXT),
            false => Stroke::new(1.0, theme::GROUND.gamma_multiply(0.6)),
        };
        if end.is_positive {
            painter.line_segment([middle, at], Stroke::new(2.0, color));
            painter.circle(at, radius, color, edge);
            let font = FontId::proportional(10.0);
            painter.text(pos2(at.x, at.y), Align2::CENTER_CENTER, end.name, font, theme::GROUND);
        } else {
            painter.circle(at, radius, color.gamma_multiply(0.45), edge);
        }
        response.on_hover_text(label);
    }
    if let Some(view) = chosen {
        turn_to(state, view);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_end_is_where_it_is_looked_from() {
        for end in End::all() {
            let view = end.view(View::default());
            assert!(view.axes().z_axis.distance(end.toward) < 1e-5, "{}", end.label());
        }
    }
}
