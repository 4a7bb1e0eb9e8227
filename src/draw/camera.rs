//! A camera that orbits a target.

use super::Bounds;
use glam::{DVec3, Mat3, Mat4, Vec2, Vec3, Vec4};

/// From which side to look. Characters face +Z (glTF), so yaw 0 sees them from the front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Around Y; positive moves the viewer towards +X.
    pub yaw_rad: f32,
    /// Positive looks down from above.
    pub pitch_rad: f32,
}

impl Default for View {
    /// Three quarters from the front, slightly from above.
    fn default() -> Self {
        View::from_degrees(32.0, 11.0)
    }
}

impl View {
    pub fn from_degrees(yaw: f32, pitch: f32) -> View {
        View { yaw_rad: yaw.to_radians(), pitch_rad: pitch.to_radians() }
    }

    /// Columns: right, up and back (towards the viewer), in scene space.
    pub fn axes(&self) -> Mat3 {
        let finite = |angle: f32| if angle.is_finite() { angle } else { 0.0 };
        let (yaw_sin, yaw_cos) = finite(self.yaw_rad).sin_cos();
        let quarter = std::f32::consts::FRAC_PI_2;
        let (pitch_sin, pitch_cos) = finite(self.pitch_rad).clamp(-quarter, quarter).sin_cos();
        let back = Vec3::new(yaw_sin * pitch_cos, pitch_sin, yaw_cos * pitch_cos);
        let right = Vec3::new(yaw_cos, 0.0, -yaw_sin);
        Mat3::from_cols(right, back.cross(right), back)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    pub target: Vec3,
    pub view: View,
    /// From the target to the eye, in scene units.
    pub distance: f32,
    pub vertical_fov_rad: f32,
}

impl Camera {
    pub const FOV_RAD: f32 = 0.56; // 32°

    /// Sees all of `bounds` (give the union over the whole motion) from `view`, as close as a small
    /// margin allows. `aspect` is width / height of the picture.
    pub fn framing(bounds: Bounds, aspect: f32, view: View) -> Camera {
        Camera::framing_box(bounds, aspect, view, Camera::FOV_RAD)
    }

    /// The same with another lens.
    pub fn framing_box(bounds: Bounds, aspect: f32, view: View, vertical_fov_rad: f32) -> Camera {
        // Corners stand further out than what is in the box, so a little is enough.
        const MARGIN: f32 = 0.045;
        let corners = bounds.made_visible().corners();
        Camera::framing_points(corners.into_iter(), aspect, view, vertical_fov_rad, MARGIN)
    }

    /// The same for points, which fit more tightly than the box around them. `margin` is what stays
    /// free on each side, as a fraction of the picture.
    pub fn framing_points(
        points: impl Iterator<Item = Vec3>,
        aspect: f32,
        view: View,
        vertical_fov_rad: f32,
        margin: f32,
    ) -> Camera {
        let mut framing = Framing::new(aspect, view, vertical_fov_rad, Margins::even(margin));
        points.for_each(|point| framing.add(point));
        framing.camera()
    }

    pub fn eye(&self) -> Vec3 {
        self.target + self.view.axes().z_axis * self.distance
    }

    /// Scene units per pixel at a point, in a picture of that height.
    pub fn units_per_pixel(&self, at: Vec3, picture_height_px: u32) -> f32 {
        let depth = (self.eye() - at).dot(self.view.axes().z_axis).max(0.0);
        2.0 * depth * (self.vertical_fov_rad * 0.5).tan() / picture_height_px.max(1) as f32
    }

    /// Reversed depth without a far plane: 1 at `near`, 0 at infinity. Nothing is ever too far, and
    /// f32 depth stays precise however small `near` is.
    pub fn clip_from_scene(&self, aspect: f32, near: f32) -> Mat4 {
        let axes = self.view.axes();
        let eye = self.eye();
        let view_from_scene = Mat4::from_mat3(axes.transpose()) * Mat4::from_translation(-eye);
        let focal = 1.0 / (self.vertical_fov_rad * 0.5).tan();
        let clip_from_view = Mat4::from_cols(
            Vec4::new(focal / aspect, 0.0, 0.0, 0.0),
            Vec4::new(0.0, focal, 0.0, 0.0),
            Vec4::new(0.0, 0.0, 0.0, -1.0),
            Vec4::new(0.0, 0.0, near, 0.0),
        );
        clip_from_view * view_from_scene
    }

    /// Where a point is in a picture of that aspect: −1 to 1 from left to right and from the bottom to the
    /// top. None behind the eye, far out of the picture, or if the point is not finite.
    pub fn project(&self, point: Vec3, aspect: f32) -> Option<Vec2> {
        let clip = self.clip_from_scene(aspect, 1e-3) * point.extend(1.0);
        if !(clip.w > 1e-6 * self.distance) || !clip.is_finite() {
            return None;
        }
        let seen = Vec2::new(clip.x / clip.w, clip.y / clip.w);
        (seen.abs().max_element() < FAR_OUT).then_some(seen)
    }

    /// The same camera in a space that is moved by `-origin` and then divided by `length`.
    pub(super) fn in_units(&self, origin: Vec3, length: f32) -> Camera {
        let fov = sane(self.vertical_fov_rad, Camera::FOV_RAD).clamp(0.001, 3.1);
        let target = (self.target - origin) / length;
        let distance = sane(self.distance / length, 3.0);
        Camera {
            target: if target.is_finite() { target } else { Vec3::ZERO },
            distance: distance.max(1e-3),
            vertical_fov_rad: fov,
            ..*self
        }
    }
}

/// What stays free of a picture, as fractions of its height and width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margins {
    pub sides: f32,
    pub top: f32,
    pub bottom: f32,
}

impl Margins {
    pub fn even(margin: f32) -> Margins {
        Margins { sides: margin, top: margin, bottom: margin }
    }
}

/// Looks at points one by one, which need not be kept, and finds the camera that sees them all.
///
/// In camera axes, a point p is seen by an eye e if |p.x − e.x| ≤ slope (e.z − p.z), and the same in y
/// with a slope for the top and one for the bottom: four planes, of which each is pushed out by the point
/// that is farthest beyond it. Solved exactly.
#[derive(Clone, Debug)]
pub struct Framing {
    aspect: f32,
    view: View,
    vertical_fov_rad: f32,
    /// Right, left, top, bottom.
    sides: [Side; 4],
    bounds: Bounds,
}

/// A plane that bounds what is seen.
#[derive(Clone, Copy, Debug)]
struct Side {
    slope: f64,
    direction: DVec3,
    /// How far points reach in the direction.
    reach: f64,
}

impl Framing {
    pub fn new(aspect: f32, view: View, vertical_fov_rad: f32, margins: Margins) -> Framing {
        let fov = sane(vertical_fov_rad, Camera::FOV_RAD).clamp(0.01, 2.6);
        let slope_y = f64::from((fov * 0.5).tan());
        let slope_x = slope_y * f64::from(sane(aspect, 1.0).clamp(1e-3, 1e3));
        let axes = view.axes().as_dmat3();
        let side = |slope: f64, axis: DVec3, margin: f32| {
            let slope = slope * f64::from(1.0 - 2.0 * margin.clamp(0.0, 0.4));
            Side { slope, direction: axis + axes.z_axis * slope, reach: f64::NEG_INFINITY }
        };
        let sides = [
            side(slope_x, axes.x_axis, margins.sides),
            side(slope_x, -axes.x_axis, margins.sides),
            side(slope_y, axes.y_axis, margins.top),
            side(slope_y, -axes.y_axis, margins.bottom),
        ];
        Framing { aspect, view, vertical_fov_rad: fov, sides, bounds: Bounds::EMPTY }
    }

    /// Points that are not finite are ignored.
    pub fn add(&mut self, point: Vec3) {
        if !point.is_finite() {
            return;
        }
        self.bounds.add(point);
        for side in &mut self.sides {
            side.reach = side.reach.max(point.as_dvec3().dot(side.direction));
        }
    }

    pub fn camera(&self) -> Camera {
        let visible = self.bounds.made_visible();
        if visible != self.bounds {
            return Camera::framing_box(visible, self.aspect, self.view, self.vertical_fov_rad);
        }
        let center = visible.center();
        let [right, left, top, bottom] = self.sides.map(|side| {
            let reach = side.reach - center.as_dvec3().dot(side.direction);
            Side { reach, ..side }
        });
        // Both planes of a pair must let the eye be there; what room is left is shared evenly.
        let near = |a: &Side, b: &Side| (a.reach + b.reach) / (a.slope + b.slope);
        let distance = near(&right, &left).max(near(&top, &bottom));
        let aside =
            |a: &Side, b: &Side| 0.5 * (a.reach - b.reach) - 0.5 * (a.slope - b.slope) * distance;
        let axes = self.view.axes().as_dmat3();
        let aside = axes.x_axis * aside(&right, &left) + axes.y_axis * aside(&top, &bottom);
        Camera {
            target: center + aside.as_vec3(),
            view: self.view,
            distance: distance as f32,
            vertical_fov_rad: self.vertical_fov_rad,
        }
    }
}

/// Pictures to the side; what is farther out need not be drawn exactly there.
const FAR_OUT: f32 = 200.0;

fn sane(value: f32, otherwise: f32) -> f32 {
    if value.is_finite() && value > 0.0 { value } else { otherwise }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ndc(camera: &Camera, aspect: f32, point: Vec3) -> Vec3 {
        camera.clip_from_scene(aspect, 1e-3).project_point3(point)
    }

    #[test]
    fn framing_shows_every_corner_and_wastes_little() {
        let bounds = Bounds { min: Vec3::new(-3.0, 0.0, -1.0), max: Vec3::new(1.0, 2.0, 7.0) };
        for (yaw, pitch, aspect) in [(0.0, 0.0, 1.0), (32.0, 11.0, 1.78), (200.0, -60.0, 0.4)] {
            let camera = Camera::framing(bounds, aspect, View::from_degrees(yaw, pitch));
            let farthest = bounds
                .corners()
                .map(|corner| ndc(&camera, aspect, corner).truncate().abs().max_element())
                .into_iter()
                .fold(0.0, f32::max);
            assert!((0.85..0.95).contains(&farthest), "{farthest}");
        }
    }

    #[test]
    fn points_are_framed_to_the_margin() {
        let points = [Vec3::X, Vec3::Y, Vec3::new(-3.0, 0.2, 1.0), Vec3::new(0.4, -0.5, 2.0)];
        let framed = |points: &[Vec3], margin| {
            let view = View::from_degrees(32.0, 11.0);
            Camera::framing_points(points.iter().copied(), 1.5, view, 0.3, margin)
        };
        for margin in [0.0, 0.06] {
            let camera = framed(&points, margin);
            let across = points.map(|point| ndc(&camera, 1.5, point).x);
            for end in
                [across.into_iter().fold(0.0, f32::max), across.into_iter().fold(0.0, f32::min)]
            {
                assert!((end.abs() - (1.0 - 2.0 * margin)).abs() < 1e-4, "{end}");
            }
        }
        // A point that is not finite is ignored.
        assert_eq!(framed(&[&points[..], &[Vec3::NAN]].concat(), 0.1), framed(&points, 0.1));
    }

    #[test]
    fn a_wide_bottom_margin_stays_free() {
        let points = [Vec3::X, Vec3::Y, Vec3::new(-1.0, 0.2, 1.0), Vec3::new(0.4, -1.5, 2.0)];
        for aspect in [0.5, 1.5] {
            let margins = Margins { sides: 0.05, top: 0.05, bottom: 0.2 };
            let mut framing = Framing::new(aspect, View::default(), 0.4, margins);
            points.iter().for_each(|point| framing.add(*point));
            let camera = framing.camera();
            let seen = points.map(|point| ndc(&camera, aspect, point).truncate());
            let low = seen.iter().map(|at| at.y).fold(f32::INFINITY, f32::min);
            let high = seen.iter().map(|at| at.y).fold(f32::NEG_INFINITY, f32::max);
            assert!(low >= -0.6 - 1e-4 && high <= 0.9 + 1e-4, "{low} {high}");
            let wide = seen.iter().map(|at| at.x.abs()).fold(0.0, f32::max);
            let (by_height, by_width) = (low + 0.6 < 1e-4 && 0.9 - high < 1e-4, 0.9 - wide < 1e-4);
            assert!(by_height || by_width, "{seen:?}");
        }
    }

    #[test]
    fn nonsense_gives_a_finite_camera() {
        let views = [View::default(), View::from_degrees(f32::NAN, f32::INFINITY)];
        let boxes =
            [Bounds::EMPTY, Bounds::of(&[Vec3::ZERO]), Bounds { min: Vec3::NAN, max: Vec3::NAN }];
        for view in views {
            for bounds in boxes {
                for aspect in [0.0, 1.5, f32::NAN, f32::INFINITY] {
                    let camera = Camera::framing(bounds, aspect, view);
                    assert!(camera.eye().is_finite() && camera.distance > 0.0);
                }
            }
        }
    }
}
