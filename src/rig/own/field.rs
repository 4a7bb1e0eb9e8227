//! The implicit surface: all shapes melted together, negative inside.
//!
//! Shapes are joined in the order in which they are described; each melts into what stands before
//! it over its own `blend` length. The same melting says how much each shape counts at a point:
//! colour, softness and skin weights are mixed by it.

use super::mesher::MARGIN;
use super::shape::{Near, Shape};
use glam::Vec3;

/// Over what length a sole is rounded into the foot above it, in units.
const GROUND_RIM: f32 = 0.03;

pub struct DistanceField {
    pub shapes: Vec<Shape>,
}

/// The shapes and pieces that matter inside one ball of space. Elsewhere it must not be asked.
pub struct Local<'f> {
    field: &'f DistanceField,
    items: Vec<Item>,
}

struct Item {
    shape: usize,
    pieces: Vec<u32>,
}

/// How much a shape counts at a point, and how far along it the point is.
#[derive(Clone, Copy)]
pub struct Share {
    pub shape: usize,
    pub weight: f32,
    pub along: f32,
}

/// The joined distance, and the share of `b` in it: 0.5 where both are equally near.
fn melt(a: f32, b: f32, width: f32) -> (f32, f32) {
    let overlap = ((width - (a - b).abs()) / width.max(1e-9)).max(0.0);
    let share = 0.5 * overlap * overlap;
    let depth = 0.5 * share * width;
    if a < b { (a - depth, share) } else { (b - depth, 1.0 - share) }
}

impl DistanceField {
    /// A box around the surface.
    pub fn bounds(&self) -> [Vec3; 2] {
        let mut bounds = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        for shape in &self.shapes {
            let [low, high] = shape.bounds();
            // Melting swells the surface by at most a quarter of the blend.
            let swell = 0.25 * shape.blend;
            bounds = [bounds[0].min(low - swell), bounds[1].max(high + swell)];
        }
        bounds[0].y = bounds[0].y.max(0.0);
        bounds
    }

    pub fn whole(&self) -> Local<'_> {
        let items = self
            .shapes
            .iter()
            .enumerate()
            .map(|(shape, described)| Item {
                shape,
                pieces: (0..described.pieces.len() as u32).collect(),
            })
            .collect();
        Local { field: self, items }
    }
}

impl<'f> Local<'f> {
    /// What matters within `radius` of `center`, which must lie in this field's ball.
    /// Exact there, by interval arithmetic on distances.
    pub fn within(&self, center: Vec3, radius: f32) -> Local<'f> {
        let reach = radius * MARGIN;
        let mut items: Vec<Item> = Vec::new();
        let (mut low, mut high) = (f32::INFINITY, f32::INFINITY);
        for item in &self.items {
            let shape = &self.field.shapes[item.shape];
            let distance = |piece: u32| shape.near(center, [piece as usize].into_iter()).distance;
            let distances: Vec<f32> = item.pieces.iter().map(|&piece| distance(piece)).collect();
            let nearest = distances.iter().copied().fold(f32::INFINITY, f32::min);
            let (shape_low, shape_high) = (nearest - reach, nearest + reach);
            if shape_low - shape.blend > high {
                continue;
            }
            if shape_high < low - shape.blend {
                items.clear();
            }
            let pieces = item.pieces.iter().zip(&distances);
            items.push(Item {
                shape: item.shape,
                pieces: pieces
                    .filter(|&(_, distance)| distance - reach <= shape_high)
                    .map(|(&piece, _)| piece)
                    .collect(),
            });
            low = low.min(shape_low) - 0.25 * shape.blend;
            high = high.min(shape_high);
        }
        Local { field: self.field, items }
    }

    fn near(&self, item: &Item, point: Vec3) -> Near {
        let pieces = item.pieces.iter().map(|&piece| piece as usize);
        self.field.shapes[item.shape].near(point, pieces)
    }

    pub fn distance(&self, point: Vec3) -> f32 {
        let mut joined = f32::INFINITY;
        for item in &self.items {
            let near = self.near(item, point);
            let width = self.field.shapes[item.shape].blend;
            joined = melt(joined, near.distance, width).0;
        }
        // What would reach below the ground is cut off flat, with a soft rim.
        -melt(-joined, point.y, GROUND_RIM).0
    }

    /// Distance and gradient, from the corners of a small tetrahedron.
    fn distance_and_gradient(&self, point: Vec3, probe: f32) -> (f32, Vec3) {
        const CORNERS: [Vec3; 4] = [
            Vec3::new(1.0, -1.0, -1.0),
            Vec3::new(-1.0, -1.0, 1.0),
            Vec3::new(-1.0, 1.0, -1.0),
            Vec3::new(1.0, 1.0, 1.0),
        ];
        let (mut mean, mut gradient) = (0.0, Vec3::ZERO);
        for corner in CORNERS {
            let distance = self.distance(point + corner * probe);
            mean += 0.25 * distance;
            gradient += corner * distance;
        }
        (mean, gradient / (4.0 * probe))
    }

    pub fn gradient(&self, point: Vec3, probe: f32) -> Vec3 {
        self.distance_and_gradient(point, probe).1
    }

    /// Newton's step along the gradient onto the surface, never longer than `longest`; and the
    /// direction of the gradient.
    pub fn project(&self, point: Vec3, probe: f32, longest: f32) -> (Vec3, Vec3) {
        let (distance, gradient) = self.distance_and_gradient(point, probe);
        // Deep in a crease the gradient all but vanishes.
        let slope = gradient.length_squared().max(0.04);
        let way = (gradient * (-distance / slope)).clamp_length_max(longest);
        (point + way, gradient.normalize_or_zero())
    }

    /// Who makes the surface here. `widen` stretches the blends: skin melts over more than form.
    pub fn shares(&self, point: Vec3, widen: f32) -> Vec<Share> {
        let mut shares: Vec<Share> = Vec::new();
        let mut joined = f32::INFINITY;
        for item in &self.items {
            let near = self.near(item, point);
            let width = self.field.shapes[item.shape].blend * widen;
            let (distance, share) = melt(joined, near.distance, width);
            joined = distance;
            if share >= 1.0 {
                shares.clear();
            }
            if share > 0.0 {
                shares.iter_mut().for_each(|s| s.weight *= 1.0 - share);
                shares.push(Share { shape: item.shape, weight: share, along: near.along });
            }
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::super::shape::{ellipsoid, sweep};
    use super::*;

    fn two_balls() -> DistanceField {
        let ball = |x: f32| {
            let pieces =
                sweep(&[(Vec3::new(x, 0.5, 0.0), 0.3), (Vec3::new(x + 0.1, 0.5, 0.0), 0.3)]);
            Shape::new("ball", pieces, &[0]).blend(0.1)
        };
        let egg = ellipsoid(Vec3::Y, Vec3::new(0.2, 0.3, 0.2));
        let egg = Shape::new("egg", egg, &[0]).blend(0.05);
        DistanceField { shapes: vec![ball(0.0), ball(0.5), egg, ball(3.0)] }
    }

    #[test]
    fn a_local_field_equals_the_whole_field_inside_its_ball() {
        let field = two_balls();
        let whole = field.whole();
        for i in 0..200 {
            let turn = |step: f32| (i as f32 * step).sin();
            let center = Vec3::new(turn(1.1), 0.5 + turn(2.3) * 0.5, turn(3.7) * 0.5);
            let local = whole.within(center, 0.15);
            for offset in [Vec3::X, Vec3::NEG_Y, Vec3::ONE / 1.8, Vec3::ZERO] {
                let point = center + offset * 0.15;
                assert_eq!(local.distance(point), whole.distance(point), "{point}");
            }
        }
    }

    #[test]
    fn shares_sum_to_one_and_are_even_where_two_shapes_are_equally_near() {
        let field = two_balls();
        let shares = field.whole().shares(Vec3::new(0.3, 0.5, 0.25), 1.0);
        let sum: f32 = shares.iter().map(|share| share.weight).sum();
        assert!((sum - 1.0).abs() < 1e-6);
        assert!((shares[0].weight - 0.5).abs() < 1e-6);
    }
}
