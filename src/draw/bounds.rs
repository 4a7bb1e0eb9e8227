//! Axis-aligned boxes.

use glam::{Mat4, Vec3};

/// Empty if `min` is above `max` anywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    pub min: Vec3,
    pub max: Vec3,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds::EMPTY
    }
}

impl Bounds {
    pub const EMPTY: Bounds = Bounds { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The box around all points that are finite.
    pub fn of<'a>(points: impl IntoIterator<Item = &'a Vec3>) -> Bounds {
        let mut bounds = Bounds::EMPTY;
        for point in points {
            bounds.add(*point);
        }
        bounds
    }

    pub fn add(&mut self, point: Vec3) {
        if point.is_finite() {
            self.min = self.min.min(point);
            self.max = self.max.max(point);
        }
    }

    pub fn union(self, other: Bounds) -> Bounds {
        Bounds { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub fn is_empty(&self) -> bool {
        // Written so that a side that is not a number counts as empty.
        !(self.min.cmple(self.max).all() && self.min.is_finite() && self.max.is_finite())
    }

    pub fn center(&self) -> Vec3 {
        // Halved before the sum: the sum of two huge numbers may overflow.
        self.min * 0.5 + self.max * 0.5
    }

    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    pub fn longest_side(&self) -> f32 {
        self.size().max_element()
    }

    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|corner| {
            let pick = |bit: usize, low: f32, high: f32| if corner & bit == 0 { low } else { high };
            Vec3::new(
                pick(1, self.min.x, self.max.x),
                pick(2, self.min.y, self.max.y),
                pick(4, self.min.z, self.max.z),
            )
        })
    }

    pub fn transformed(&self, matrix: Mat4) -> Bounds {
        if self.is_empty() {
            return Bounds::EMPTY;
        }
        Bounds::of(&self.corners().map(|corner| matrix.transform_point3(corner)))
    }

    /// A box one can look at: never empty, flat only in directions in which it was flat, and of a
    /// size that arithmetic in f32 survives.
    pub fn made_visible(&self) -> Bounds {
        let around_origin = Bounds { min: Vec3::splat(-0.5), max: Vec3::splat(0.5) };
        if self.is_empty() || self.min.abs().max(self.max.abs()).max_element() > 1e15 {
            return around_origin;
        }
        let size = self.longest_side();
        let magnitude = self.min.abs().max(self.max.abs()).max_element();
        // A single point, or as good as one at this distance from the origin.
        if size <= magnitude * 1e-6 || size < 1e-15 {
            let half = Vec3::splat((magnitude * 1e-3).max(0.5));
            let center = self.center();
            return Bounds { min: center - half, max: center + half };
        }
        *self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_that_are_not_finite_are_left_out() {
        let points = [Vec3::new(f32::NAN, 9.0, 9.0), Vec3::ONE, Vec3::INFINITY, -Vec3::ONE];
        let bounds = Bounds::of(&points);
        assert_eq!((bounds.min, bounds.max), (-Vec3::ONE, Vec3::ONE));
    }

    #[test]
    fn nothing_and_a_point_can_be_made_visible() {
        for bounds in [
            Bounds::EMPTY,
            Bounds::of(&[Vec3::splat(5.0)]),
            Bounds::of(&[Vec3::splat(1e30), Vec3::ZERO]),
        ] {
            let visible = bounds.made_visible();
            assert!(!visible.is_empty() && visible.longest_side() > 0.0);
        }
    }
}
