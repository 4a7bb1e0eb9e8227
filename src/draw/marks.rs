//! Marks over a picture: lines, dots and arrows at points of the scene, as wide on the picture wherever they
//! are. The editor paints the same marks over its viewport.

use super::Camera;
use glam::{Mat4, Vec2, Vec3};
use image::{Rgba, RgbaImage};

/// One line, dot or arrow.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    pub shape: Shape,
    /// sRGB.
    pub color: [u8; 3],
    /// 0 to 1.
    pub opacity: f32,
    /// What it is fixed to, if that may look away.
    pub facing: Option<Facing>,
}

/// A surface that marks are fixed to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facing {
    pub normal: Vec3,
    /// How much of a mark is left where the surface looks away; 0 to 1.
    pub when_away: f32,
}

/// Points are in the scene; widths are in points of a window of usual size.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Line {
        points: Vec<Vec3>,
        width: f32,
    },
    Dot {
        at: Vec3,
        radius: f32,
        /// A dark edge around it.
        has_edge: bool,
    },
    Arrow {
        from: Vec3,
        to: Vec3,
        width: f32,
        /// How long its head is.
        head: f32,
    },
}

impl Shape {
    fn points(&self) -> Vec<Vec3> {
        match self {
            Shape::Line { points, .. } => points.clone(),
            Shape::Dot { at, .. } => vec![*at],
            Shape::Arrow { from, to, .. } => vec![*from, *to],
        }
    }

    /// Where the surface is that it is fixed to.
    fn root(&self) -> Option<Vec3> {
        match self {
            Shape::Line { points, .. } => points.last().copied(),
            Shape::Dot { at, .. } => Some(*at),
            Shape::Arrow { from, .. } => Some(*from),
        }
    }
}

impl Mark {
    pub fn line(from: Vec3, to: Vec3, width: f32, color: [u8; 3]) -> Mark {
        Mark::new(Shape::Line { points: vec![from, to], width }, color)
    }

    pub fn dot(at: Vec3, radius: f32, color: [u8; 3]) -> Mark {
        Mark::new(Shape::Dot { at, radius, has_edge: true }, color)
    }

    pub fn new(shape: Shape, color: [u8; 3]) -> Mark {
        Mark { shape, color, opacity: 1.0, facing: None }
    }

    /// Where it begins, turns and ends.
    pub fn points(&self) -> Vec<Vec3> {
        self.shape.points()
    }

    /// How much of it is seen from there; 0 to 1.
    pub fn opacity_from(&self, eye: Vec3) -> f32 {
        let away = match (self.facing, self.shape.root()) {
            (Some(facing), Some(root)) if !(facing.normal.dot(eye - root) > 0.0) => {
                facing.when_away
            }
            _ => 1.0,
        };
        self.opacity * away
    }
}

/// Around dots, sRGB.
pub const MARK_EDGE: [u8; 3] = [24, 25, 28];

/// Pictures this high have marks as wide as a window has.
const USUAL_HEIGHT_PX: f32 = 640.0;
const LARGEST_SCALE: f32 = 6.0;

/// Pixels per point of a picture that is so high, where no window says it.
pub(super) fn usual_scale(height_px: u32) -> f32 {
    (height_px as f32 / USUAL_HEIGHT_PX).clamp(0.6, LARGEST_SCALE)
}

/// Draws over a picture that was taken with the camera; a point of a window is `scale` pixels.
pub fn draw_marks(
    image: &mut RgbaImage,
    camera: &Camera,
    scene_from_model: Mat4,
    marks: &[Mark],
    scale: f32,
) {
    let (width, height) = image.dimensions();
    let size = Vec2::new(width as f32, height as f32);
    let place = |point: Vec3| {
        let seen = camera.project(scene_from_model.transform_point3(point), size.x / size.y)?;
        Some(Vec2::new(0.5 + 0.5 * seen.x, 0.5 - 0.5 * seen.y) * size)
    };
    let eye = scene_from_model.inverse().transform_point3(camera.eye());
    for mark in marks {
        let opacity = mark.opacity_from(eye);
        if !(opacity > 0.0) {
            continue;
        }
        if let Shape::Dot { at, radius, has_edge: true } = mark.shape
            && let Some(at) = place(at)
        {
            fill(image, &[Piece::stroke(at, at, radius * scale + 1.0)], MARK_EDGE, opacity);
        }
        fill(image, &pieces(&mark.shape, scale, &place), mark.color, opacity);
    }
}

fn pieces(shape: &Shape, scale: f32, place: &dyn Fn(Vec3) -> Option<Vec2>) -> Vec<Piece> {
    match shape {
        Shape::Line { points, width } => {
            let places: Vec<Option<Vec2>> = points.iter().map(|point| place(*point)).collect();
            let line = |pair: &[Option<Vec2>]| {
                Some(Piece::stroke(pair[0]?, pair[1]?, 0.5 * width * scale))
            };
            places.windows(2).filter_map(line).collect()
        }
        Shape::Dot { at, radius, .. } => {
            place(*at).map(|at| Piece::stroke(at, at, radius * scale)).into_iter().collect()
        }
        Shape::Arrow { from, to, width, head } => {
            let (Some(from), Some(to)) = (place(*from), place(*to)) else { return Vec::new() };
            let Some(along) = (to - from).try_normalize() else { return Vec::new() };
            let head = (head * scale).min(from.distance(to));
            let neck = to - along * head;
            let side = along.perp() * head * 0.45;
            vec![
                Piece::stroke(from, neck, 0.5 * width * scale),
                Piece::Triangle([to, neck + side, neck - side]),
            ]
        }
    }
}

/// In pixels of the picture.
enum Piece {
    /// All that is at most so far from the line between two points.
    Stroke {
        from: Vec2,
        to: Vec2,
        reach: f32,
    },
    Triangle([Vec2; 3]),
}

impl Piece {
    fn stroke(from: Vec2, to: Vec2, reach: f32) -> Piece {
        Piece::Stroke { from, to, reach }
    }

    fn bounds(&self) -> (Vec2, Vec2) {
        match *self {
            Piece::Stroke { from, to, reach } => (from.min(to) - reach, from.max(to) + reach),
            Piece::Triangle([a, b, c]) => (a.min(b).min(c), a.max(b).max(c)),
        }
    }

    /// How far a point is outside; negative inside.
    fn distance(&self, at: Vec2) -> f32 {
        match *self {
            Piece::Stroke { from, to, reach } => {
                let along = to - from;
                let t = (at - from).dot(along) / along.length_squared().max(1e-12);
                at.distance(from + along * t.clamp(0.0, 1.0)) - reach
            }
            Piece::Triangle([a, b, c]) => {
                let turn = if (b - a).perp_dot(c - a) < 0.0 { -1.0 } else { 1.0 };
                let outside = |from: Vec2, to: Vec2| {
                    let edge = (to - from).normalize_or_zero();
                    -turn * edge.perp_dot(at - from)
                };
                outside(a, b).max(outside(b, c)).max(outside(c, a))
            }
        }
    }
}

/// All pieces as one: where they overlap, nothing is laid on twice.
fn fill(image: &mut RgbaImage, pieces: &[Piece], color: [u8; 3], opacity: f32) {
    let around = pieces.iter().map(Piece::bounds);
    let Some((low, high)) = around.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else { return };
    let limit = |value: f32, most: u32| value.clamp(0.0, most as f32) as u32;
    let (width, height) = image.dimensions();
    let columns = limit(low.x.floor() - 1.0, width)..limit(high.x.ceil() + 1.0, width);
    let rows = limit(low.y.floor() - 1.0, height)..limit(high.y.ceil() + 1.0, height);
    for y in rows {
        for x in columns.clone() {
            let center = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let nearest = pieces.iter().map(|piece| piece.distance(center));
            let cover = (0.5 - nearest.fold(f32::INFINITY, f32::min)).clamp(0.0, 1.0);
            let cover = cover * opacity;
            if !(cover > 0.0) {
                continue;
            }
            let Rgba(pixel) = image.get_pixel_mut(x, y);
            for (old, new) in pixel.iter_mut().zip(color.into_iter().chain([255])) {
                *old = (f32::from(*old) + cover * (f32::from(new) - f32::from(*old))).round() as u8;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Bounds, View};
    use super::*;

    fn camera() -> Camera {
        let bounds = Bounds { min: -Vec3::ONE, max: Vec3::ONE };
        Camera::framing(bounds, 1.0, View::from_degrees(0.0, 0.0))
    }

    fn drawn(marks: &[Mark]) -> RgbaImage {
        let mut image = RgbaImage::new(200, 200);
        let scale = usual_scale(image.height());
        draw_marks(&mut image, &camera(), Mat4::IDENTITY, marks, scale);
        image
    }

    fn is_drawn(image: &RgbaImage, at: Vec3) -> bool {
        let seen = camera().project(at, 1.0).unwrap();
        let x = (100.0 + 100.0 * seen.x) as u32;
        let y = (100.0 - 100.0 * seen.y) as u32;
        image.get_pixel(x, y).0 != [0; 4]
    }

    #[test]
    fn marks_are_where_their_points_are() {
        let line = Mark::line(Vec3::new(-0.5, 0.0, 0.0), Vec3::new(0.5, 0.5, 0.0), 3.0, [255; 3]);
        let image = drawn(&[line]);
        assert!(is_drawn(&image, Vec3::new(0.0, 0.25, 0.0)));
        assert!(is_drawn(&image, Vec3::new(0.45, 0.475, 0.0)));
        assert!(!is_drawn(&image, Vec3::new(0.0, -0.2, 0.0)));
        let image = drawn(&[Mark::dot(Vec3::Y * 0.5, 4.0, [255, 0, 0])]);
        assert!(is_drawn(&image, Vec3::Y * 0.5) && !is_drawn(&image, Vec3::ZERO));
        let arrow = Shape::Arrow { from: Vec3::ZERO, to: Vec3::X * 0.6, width: 2.0, head: 9.0 };
        let image = drawn(&[Mark::new(arrow, [0, 0, 255])]);
        assert!(is_drawn(&image, Vec3::X * 0.2) && is_drawn(&image, Vec3::X * 0.55));
        assert!(!is_drawn(&image, Vec3::X * 0.7));
    }

    #[test]
    fn what_looks_away_is_faint_or_gone() {
        let mut mark = Mark::dot(Vec3::ZERO, 4.0, [255; 3]);
        let eye = camera().eye();
        for (normal, expected) in [(Vec3::Z, 1.0), (-Vec3::Z, 0.2)] {
            mark.facing = Some(Facing { normal, when_away: 0.2 });
            assert_eq!(mark.opacity_from(eye), expected);
        }
        mark.facing = Some(Facing { normal: -Vec3::Z, when_away: 0.0 });
        assert!(drawn(&[mark]).pixels().all(|pixel| pixel.0 == [0; 4]));
    }

    #[test]
    fn odd_points_do_no_harm() {
        let odd = [Vec3::NAN, Vec3::splat(f32::INFINITY), Vec3::splat(1e30), Vec3::Z * 1e6];
        for from in odd {
            for to in odd.into_iter().chain([Vec3::ZERO]) {
                drawn(&[
                    Mark::line(from, to, 2.0, [1; 3]),
                    Mark::dot(from, 2.0, [1; 3]),
                    Mark::new(Shape::Arrow { from, to, width: 1.0, head: 5.0 }, [1; 3]),
                ]);
            }
        }
        drawn(&[Mark::new(Shape::Line { points: Vec::new(), width: 1.0 }, [1; 3])]);
    }
}
