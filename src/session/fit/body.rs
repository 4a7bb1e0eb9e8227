//! What a style does to the body as a whole, told apart from what it does to its parts.

use super::parts::PartOfSkin;
use glam::Vec3;

/// In sizes of the character: the spread (standard deviation) of heights of a trunk that has a height.
const LEAST_SPREAD: f32 = 0.02;

/// Squash about the ground moves a head by as much as the body is shorter, and that is no lag of the head. So
/// the vertical displacement of the trunk is described by the line d_y ≈ lift + stretch · (y − middle), by
/// least squares over its area, and parts are measured by what is left when the line is taken away.
#[derive(Clone, Copy, Debug, Default)]
pub struct BodyStretch {
    pub stretch: f32,
    lift: f32,
    middle: f32,
}

impl BodyStretch {
    pub fn of(trunk: &PartOfSkin, plain: &[Vec3], moved: &[Vec3], size: f32) -> BodyStretch {
        let rise = |vertex: usize| moved[vertex].y - plain[vertex].y;
        let middle = trunk.mean(|vertex| plain[vertex].y);
        let lift = trunk.mean(rise);
        let variance = trunk.mean(|vertex| (plain[vertex].y - middle).powi(2));
        let covariance = trunk.mean(|vertex| (plain[vertex].y - middle) * (rise(vertex) - lift));
        // A flat trunk, as a ray's, has no height that could change.
        let least_variance = (LEAST_SPREAD * size).powi(2);
        let stretch = if variance > least_variance { covariance / variance } else { 0.0 };
        BodyStretch { stretch, lift, middle }
    }

    /// The displacement of a vertex without that of the body.
    pub fn without(&self, plain: Vec3, moved: Vec3) -> Vec3 {
        let with_body = self.lift + self.stretch * (plain.y - self.middle);
        moved - plain - Vec3::Y * with_body
    }
}

#[cfg(test)]
mod tests {
    use super::super::Part;
    use super::*;

    #[test]
    fn a_body_that_is_squashed_about_the_ground_has_parts_that_stay() {
        let plain: Vec<Vec3> =
            (0..10).map(|i| Vec3::new(0.3, i as f32 * 0.1, (i % 3) as f32)).collect();
        let mut moved: Vec<Vec3> = plain.iter().map(|p| Vec3::new(p.x, p.y * 0.9, p.z)).collect();
        let trunk =
            PartOfSkin { part: Part::Trunk, shares: (2..8).map(|v| (v, 1.0 / 6.0)).collect() };
        moved[9].x += 0.05;
        let body = BodyStretch::of(&trunk, &plain, &moved, 1.0);
        assert!((body.stretch + 0.1).abs() < 1e-5, "{body:?}");
        for vertex in 0..9 {
            assert!(body.without(plain[vertex], moved[vertex]).length() < 1e-6);
        }
        assert!((body.without(plain[9], moved[9]) - Vec3::X * 0.05).length() < 1e-6);
    }

    #[test]
    fn a_flat_trunk_has_no_stretch() {
        let plain = [Vec3::ZERO, Vec3::X];
        let trunk = PartOfSkin { part: Part::Trunk, shares: vec![(0, 0.5), (1, 0.5)] };
        let body = BodyStretch::of(&trunk, &plain, &[Vec3::Y, Vec3::X], 1.0);
        assert_eq!(body.stretch, 0.0);
        // Nor has one that is a hundredth as high as the character is long, however its back trails.
        let plain = [Vec3::ZERO, Vec3::new(1.0, 0.01, 0.0)];
        let trunk = PartOfSkin { part: Part::Trunk, shares: vec![(0, 0.5), (1, 0.5)] };
        let moved = [Vec3::ZERO, Vec3::new(1.0, 0.04, 0.0)];
        assert_eq!(BodyStretch::of(&trunk, &plain, &moved, 1.0).stretch, 0.0);
    }
}
