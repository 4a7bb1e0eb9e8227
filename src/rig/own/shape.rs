//! The words an animal is described with: round tubes, ellipsoids and sheets, each with the bones
//! that carry it, its colour and its softness.
//!
//! A shape is a union of *pieces*. Only the pieces near a place are looked at there, so a shell
//! swept along a spiral of sixty pieces costs no more than a leg.

use super::paint::Color;
use glam::{Quat, Vec3};
use std::sync::Arc;

/// A colour that depends on the place and on how far along the shape it is (0 to 1).
pub type Pattern = Arc<dyn Fn(Vec3, f32) -> Color + Send + Sync>;

#[derive(Clone)]
pub enum Piece {
    /// The hull of two balls. `along` says which stretch of the whole tube it is.
    Cone {
        cone: Cone,
        along: [f32; 2],
    },
    Ellipsoid {
        center: Vec3,
        radii: Vec3,
        world_from_local: Quat,
    },
    /// A cone turned on a lathe about the vertical through `center`: its x is the distance from that
    /// axis, its y the height above `center`.
    Turned {
        profile: Cone,
        center: Vec3,
        along: [f32; 2],
    },
    /// A triangle grown by `half_thickness` in all directions.
    Triangle {
        corners: [Vec3; 3],
        half_thickness: f32,
    },
}

/// The hull of two balls, with what every distance to it needs.
#[derive(Clone, Copy)]
pub struct Cone {
    from: Vec3,
    to: Vec3,
    radii: [f32; 2],
    axis: Vec3,
    length: f32,
    /// How much the radius shrinks per unit along the axis, and the tangent of the angle whose sine
    /// that is.
    sine: f32,
    tangent: f32,
}

/// Squeezes a shape's cross-section along `normal`: how ears and feathers get flat.
#[derive(Clone, Copy)]
pub struct Flatten {
    normal: Vec3,
    factor: f32,
}

#[derive(Clone)]
pub struct Shape {
    pub name: &'static str,
    pub pieces: Vec<Piece>,
    pub flatten: Option<Flatten>,
    /// The bones that may carry this shape, by index.
    pub bones: Vec<usize>,
    /// Over what length the skin goes from one of `bones` to the next, in units.
    pub bend: f32,
    /// Over what distance it melts into the shapes before it, in units.
    pub blend: f32,
    pub pattern: Pattern,
    /// At the start and at the end of the shape.
    pub softness: [f32; 2],
    /// Softness is exactly 0 wherever this shape shows.
    pub rigid: bool,
    /// What "along" means where it is not the tube itself: from one point to another.
    pub fade: Option<[Vec3; 2]>,
}

impl std::fmt::Debug for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} pieces", self.name, self.pieces.len())
    }
}

/// How a shape is seen from a point.
#[derive(Clone, Copy)]
pub struct Near {
    pub distance: f32,
    pub along: f32,
}

impl Shape {
    pub fn new(name: &'static str, pieces: Vec<Piece>, bones: &[usize]) -> Shape {
        Shape {
            name,
            pieces,
            flatten: None,
            bones: bones.to_vec(),
            bend: 0.04,
            blend: 0.04,
            pattern: Arc::new(|_, _| Color::ONE),
            softness: [0.0; 2],
            rigid: false,
            fade: None,
        }
    }

    pub fn color(self, color: Color) -> Shape {
        self.pattern(move |_, _| color)
    }

    pub fn colors(self, start: Color, end: Color) -> Shape {
        self.pattern(move |_, along| start.lerp(end, along))
    }

    pub fn pattern(self, pattern: impl Fn(Vec3, f32) -> Color + Send + Sync + 'static) -> Shape {
        Shape { pattern: Arc::new(pattern), ..self }
    }

    pub fn soft(self, start: f32, end: f32) -> Shape {
        Shape { softness: [start, end], ..self }
    }

    pub fn rigid(self) -> Shape {
        Shape { rigid: true, ..self }
    }

    pub fn blend(self, blend: f32) -> Shape {
        Shape { blend, ..self }
    }

    pub fn bend(self, bend: f32) -> Shape {
        Shape { bend, ..self }
    }

    pub fn fade(self, from: Vec3, to: Vec3) -> Shape {
        Shape { fade: Some([from, to]), ..self }
    }

    /// `factor` 0.4 leaves 40 % of the thickness along `normal`. The axis stays where it is.
    pub fn flat(mut self, normal: Vec3, factor: f32) -> Shape {
        let flatten = Flatten { normal: normal.normalize(), factor };
        for piece in &mut self.pieces {
            if let Piece::Cone { cone, .. } = piece {
                *cone = cone.map(|point| flatten.widen(point));
            }
        }
        self.flatten = Some(flatten);
        self
    }

    /// Distance to the nearest of the given pieces.
    pub fn near(&self, point: Vec3, pieces: impl Iterator<Item = usize>) -> Near {
        let at = self.flatten.map_or(point, |flatten| flatten.widen(point));
        let mut nearest = Near { distance: f32::INFINITY, along: 0.5 };
        for piece in pieces {
            let near = self.pieces[piece].near(at, self.flatten);
            if near.distance < nearest.distance {
                nearest = near;
            }
        }
        if let Some([from, to]) = self.fade {
            let axis = to - from;
            nearest.along = ((point - from).dot(axis) / axis.length_squared()).clamp(0.0, 1.0);
        }
        nearest
    }

    /// A box around the shape before it is melted with others.
    pub fn bounds(&self) -> [Vec3; 2] {
        let boxes = self.pieces.iter().map(|piece| piece.bounds(self.flatten));
        boxes.fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |sum, next| {
            [sum[0].min(next[0]), sum[1].max(next[1])]
        })
    }

    pub fn softness_at(&self, along: f32) -> f32 {
        let [start, end] = self.softness;
        // Slow at both ends, so that the motion has no kink where a part begins.
        let eased = along * along * (3.0 - 2.0 * along);
        start + (end - start) * eased
    }
}

impl Flatten {
    /// Into the space in which the shape is round.
    fn widen(self, point: Vec3) -> Vec3 {
        point + self.normal * (point.dot(self.normal) * (1.0 / self.factor - 1.0))
    }

    pub fn mirrored(self) -> Flatten {
        let normal = Vec3::new(-self.normal.x, self.normal.y, self.normal.z);
        Flatten { normal, ..self }
    }

    fn narrow(self, point: Vec3) -> Vec3 {
        point + self.normal * (point.dot(self.normal) * (self.factor - 1.0))
    }
}

impl Piece {
    fn near(&self, point: Vec3, flatten: Option<Flatten>) -> Near {
        match *self {
            Piece::Cone { cone, along } => {
                let (up, mut distance) = cone.nearest_ball(point);
                if let Some(flatten) = flatten {
                    // Dividing by the slope turns the stretched distance back into a length.
                    let arm = (point - cone.from - cone.axis * up).normalize_or_zero();
                    distance /= flatten.widen(arm).length().max(1.0);
                }
                Near { distance, along: cone.along(up, along) }
            }
            Piece::Turned { profile, center, along } => {
                let arm = point - center;
                let in_profile = Vec3::new(arm.x.hypot(arm.z), arm.y, 0.0);
                let (up, distance) = profile.nearest_ball(in_profile);
                Near { distance, along: profile.along(up, along) }
            }
            Piece::Ellipsoid { center, radii, world_from_local } => {
                let local = world_from_local.inverse() * (point - center);
                let unit = (local / radii).length();
                let slope = (local / (radii * radii)).length();
                let distance =
                    if slope > 1e-6 { unit * (unit - 1.0) / slope } else { -radii.min_element() };
                Near { distance, along: 0.5 }
            }
            Piece::Triangle { corners, half_thickness } => {
                Near { distance: distance_to_triangle(point, corners) - half_thickness, along: 0.5 }
            }
        }
    }

    fn bounds(&self, flatten: Option<Flatten>) -> [Vec3; 2] {
        let narrow = |point| flatten.map_or(point, |flatten| flatten.narrow(point));
        match *self {
            Piece::Cone { cone, .. } => {
                let (from, to) = (narrow(cone.from), narrow(cone.to));
                [
                    (from - cone.radii[0]).min(to - cone.radii[1]),
                    (from + cone.radii[0]).max(to + cone.radii[1]),
                ]
            }
            Piece::Turned { profile, center, .. } => {
                let [low, high] = Piece::Cone { cone: profile, along: [0.0; 2] }.bounds(None);
                let out = Vec3::new(high.x, 0.0, high.x);
                [center - out + Vec3::Y * low.y, center + out + Vec3::Y * high.y]
            }
            Piece::Ellipsoid { center, radii, .. } => {
                let reach = radii.max_element();
                [center - reach, center + reach]
            }
            Piece::Triangle { corners: [a, b, c], half_thickness } => {
                [a.min(b).min(c) - half_thickness, a.max(b).max(c) + half_thickness]
            }
        }
    }
}

impl Cone {
    pub fn new(from: Vec3, to: Vec3, radii: [f32; 2]) -> Cone {
        let length = from.distance(to);
        let sine = (radii[0] - radii[1]) / length.max(1e-9);
        // One ball swallows the other where the sine passes 1; then the tangent leads to that ball.
        let cosine = (1.0 - sine * sine).max(0.0).sqrt().max(1e-6);
        Cone {
            from,
            to,
            radii,
            axis: (to - from) / length.max(1e-9),
            length,
            sine,
            tangent: sine / cosine,
        }
    }

    pub fn map(&self, moved: impl Fn(Vec3) -> Vec3) -> Cone {
        Cone::new(moved(self.from), moved(self.to), self.radii)
    }

    /// The nearest of the balls between the two ends: how far up the axis it is, and its distance.
    ///
    /// |p − c(t)| − r(t) is convex in t; its minimum is where the cone's slant meets the point at a
    /// right angle.
    fn nearest_ball(&self, point: Vec3) -> (f32, f32) {
        let arm = point - self.from;
        let along = arm.dot(self.axis);
        let out = (arm.length_squared() - along * along).max(0.0).sqrt();
        let up = (along - out * self.tangent).clamp(0.0, self.length);
        let rest = along - up;
        let radius = self.radii[0] - self.sine * up;
        (up, (rest * rest + out * out).sqrt() - radius)
    }

    /// Where on a whole tube that is, if the cone is this stretch of it.
    fn along(&self, up: f32, [start, end]: [f32; 2]) -> f32 {
        start + (end - start) * up / self.length.max(1e-9)
    }
}

fn distance_to_triangle(p: Vec3, [a, b, c]: [Vec3; 3]) -> f32 {
    let to_edge = |from: Vec3, to: Vec3| {
        let edge = to - from;
        let part = ((p - from).dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
        (p - from - edge * part).length_squared()
    };
    let normal = (b - a).cross(c - a);
    let inside = |from: Vec3, to: Vec3| (to - from).cross(normal).dot(p - from) <= 0.0;
    if inside(a, b) && inside(b, c) && inside(c, a) {
        (p - a).dot(normal).abs() / normal.length()
    } else {
        to_edge(a, b).min(to_edge(b, c)).min(to_edge(c, a)).sqrt()
    }
}

/// A tube through the given (point, radius) pairs, rounded between them.
pub fn tube(stations: &[(Vec3, f32)]) -> Vec<Piece> {
    sweep(&rounded(stations))
}

/// A skin turned on a lathe: through rings given as (distance from the vertical through `center`,
/// height above it, half thickness), rounded between them.
pub fn turned(center: Vec3, rings: &[(f32, f32, f32)]) -> Vec<Piece> {
    let stations: Vec<(Vec3, f32)> =
        rings.iter().map(|&(out, up, radius)| (Vec3::new(out, up, 0.0), radius)).collect();
    let turned = |piece| match piece {
        Piece::Cone { cone, along } => Piece::Turned { profile: cone, center, along },
        other => other,
    };
    tube(&stations).into_iter().map(turned).collect()
}

/// More stations on a smooth curve through the given ones (Catmull-Rom).
fn rounded(stations: &[(Vec3, f32)]) -> Vec<(Vec3, f32)> {
    const STEPS: usize = 5;
    let last = stations.len() - 1;
    if last == 1 {
        return stations.to_vec();
    }
    let mut fine = Vec::with_capacity(last * STEPS + 1);
    for i in 0..last {
        let at = |k: usize| stations[k].0.extend(stations[k].1);
        let (b, c) = (at(i), at(i + 1));
        let a = if i == 0 { 2.0 * b - c } else { at(i - 1) };
        let d = if i + 1 == last { 2.0 * c - b } else { at(i + 2) };
        for step in 0..STEPS {
            let t = step as f32 / STEPS as f32;
            let bend =
                (2.0 * a - 5.0 * b + 4.0 * c - d) * t * t + (3.0 * (b - c) + d - a) * t * t * t;
            let point = b + 0.5 * ((c - a) * t + bend);
            fine.push((point.truncate(), point.w.max(0.004)));
        }
    }
    fine.push(stations[last]);
    fine
}

/// A tube of straight pieces; `along` grows evenly from piece to piece.
pub fn sweep(stations: &[(Vec3, f32)]) -> Vec<Piece> {
    let count = (stations.len() - 1) as f32;
    stations
        .windows(2)
        .enumerate()
        .map(|(i, pair)| Piece::Cone {
            cone: Cone::new(pair[0].0, pair[1].0, [pair[0].1, pair[1].1]),
            along: [i as f32 / count, (i + 1) as f32 / count],
        })
        .collect()
}

pub fn ellipsoid(center: Vec3, radii: Vec3) -> Vec<Piece> {
    turned_ellipsoid(center, radii, Quat::IDENTITY)
}

pub fn turned_ellipsoid(center: Vec3, radii: Vec3, world_from_local: Quat) -> Vec<Piece> {
    vec![Piece::Ellipsoid { center, radii, world_from_local }]
}

/// A skin stretched from `hub` to the points of `rim`.
pub fn membrane(hub: Vec3, rim: &[Vec3], half_thickness: f32) -> Vec<Piece> {
    rim.windows(2)
        .map(|edge| Piece::Triangle { corners: [hub, edge[0], edge[1]], half_thickness })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_to_a_cone_is_the_distance_to_its_nearest_ball() {
        let (from, to, radii) = (Vec3::ZERO, Vec3::new(0.0, 2.0, 0.0), [0.5, 0.1]);
        for point in [Vec3::new(1.0, 0.7, 0.3), Vec3::new(0.2, 3.0, 0.0), Vec3::new(0.0, -2.0, 1.0)]
        {
            let (_, closed_form) = Cone::new(from, to, radii).nearest_ball(point);
            let searched = (0..=10_000)
                .map(|i| i as f32 / 10_000.0)
                .map(|t| (point - from.lerp(to, t)).length() - (0.5 - 0.4 * t))
                .fold(f32::INFINITY, f32::min);
            assert!((closed_form - searched).abs() < 1e-5, "{point}");
        }
    }

    #[test]
    fn a_turned_ring_is_as_far_away_on_every_side() {
        let (center, ring) = (Vec3::new(0.3, 0.2, -0.1), [(0.5, 0.4, 0.1), (0.6, 0.2, 0.05)]);
        let shape = Shape::new("brim", turned(center, &ring), &[0]);
        let plain = Cone::new(Vec3::new(0.5, 0.4, 0.0), Vec3::new(0.6, 0.2, 0.0), [0.1, 0.05]);
        for (out, up) in [(0.0, 0.5), (0.55, 0.0), (0.9, 0.35)] {
            let (_, expected) = plain.nearest_ball(Vec3::new(out, up, 0.0));
            for around in [0.0, 1.3, 4.0] {
                let (sin, cos) = f32::sin_cos(around);
                let point = center + Vec3::new(out * cos, up, out * sin);
                let found = shape.near(point, 0..1).distance;
                assert!((found - expected).abs() < 1e-6, "{point}: {found} {expected}");
            }
        }
        let [low, high] = shape.bounds();
        assert!((high.x - 0.95).abs() < 1e-6 && (low.z + 0.75).abs() < 1e-6);
    }

    #[test]
    fn a_flattened_tube_is_thin_along_its_normal_and_as_wide_as_before_across() {
        let shape = Shape::new("ear", sweep(&[(Vec3::ZERO, 0.2), (Vec3::X, 0.2)]), &[0])
            .flat(Vec3::Z, 0.25);
        let at = |point| shape.near(point, 0..1).distance;
        assert!(at(Vec3::new(0.5, 0.0, 0.05)).abs() < 1e-6);
        assert!(at(Vec3::new(0.5, 0.2, 0.0)).abs() < 1e-6);
    }
}
