//! From points of the scene to points of the window, and back.

use egui::{Pos2, Rect, pos2};
use glam::{Vec2, Vec3};
use jounce_draw::Camera;

/// The picture's place in the window, and what it is taken with.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    pub rect: Rect,
    pub camera: Camera,
}

impl Screen {
    fn aspect(&self) -> f32 {
        self.rect.aspect_ratio()
    }

    /// None behind the eye, or if the point is not finite.
    pub fn project(&self, point: Vec3) -> Option<Pos2> {
        let seen = self.camera.project(point, self.aspect())?;
        let half = self.rect.size() * 0.5;
        Some(self.rect.center() + egui::vec2(seen.x * half.x, -seen.y * half.y))
    }

    pub fn eye(&self) -> Vec3 {
        self.camera.eye()
    }

    /// From the eye through a point of the window; of unit length.
    pub fn ray_direction(&self, at: Pos2) -> Vec3 {
        let ndc = Vec2::new(
            (at.x - self.rect.center().x) / (0.5 * self.rect.width()).max(1e-3),
            -(at.y - self.rect.center().y) / (0.5 * self.rect.height()).max(1e-3),
        );
        let axes = self.camera.view.axes();
        let slope = (self.camera.vertical_fov_rad * 0.5).tan();
        let across = axes.x_axis * (ndc.x * slope * self.aspect()) + axes.y_axis * (ndc.y * slope);
        (across - axes.z_axis).normalize_or(-axes.z_axis)
    }

    /// The point of the window as far away as another point: on the plane through it that faces the eye.
    pub fn on_plane(&self, at: Pos2, through: Vec3) -> Vec3 {
        let facing = self.camera.view.axes().z_axis;
        let (eye, direction) = (self.eye(), self.ray_direction(at));
        let along = (through - eye).dot(facing) / direction.dot(facing).min(-1e-6);
        eye + direction * along
    }

    /// Scene units that one point of the window is long, at a point of the scene.
    pub fn units_per_point(&self, at: Vec3) -> f32 {
        self.camera.units_per_pixel(at, self.rect.height().max(1.0) as u32)
    }
}

/// How far a point of the window is from a line between two others, and where along it (0 to 1).
pub fn distance_to_segment(point: Pos2, from: Pos2, to: Pos2) -> (f32, f32) {
    let (along, aside) = (to - from, point - from);
    let length_squared = along.length_sq();
    let t = if length_squared > 0.0 {
        (aside.dot(along) / length_squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let nearest = pos2(from.x + along.x * t, from.y + along.y * t);
    (point.distance(nearest), t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jounce_draw::{Bounds, View};

    #[test]
    fn a_point_is_found_again_where_it_was_projected_to() {
        let rect = Rect::from_min_size(pos2(30.0, 50.0), egui::vec2(400.0, 300.0));
        let bounds = Bounds { min: Vec3::ZERO, max: Vec3::new(2.0, 3.0, 1.0) };
        let camera = Camera::framing(bounds, rect.aspect_ratio(), View::default());
        let screen = Screen { rect, camera };
        for point in bounds.corners() {
            let place = screen.project(point).unwrap();
            assert!(rect.contains(place));
            assert!(screen.on_plane(place, point).distance(point) < 1e-4);
            let direction = (point - screen.eye()).normalize();
            assert!(screen.ray_direction(place).distance(direction) < 1e-4);
        }
        assert!(screen.project(screen.eye() + camera.view.axes().z_axis).is_none());
        assert!(screen.project(Vec3::NAN).is_none());
    }
}
