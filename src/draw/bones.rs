//! Skeletons as solid shapes: a tapered stick per bone, a ball per joint, in unit space.

use super::light::UnitSpace;
use super::{Bones, PictureOf};
use glam::{Vec3, Vec4};

/// Linear colours.
const STICK: Vec4 = Vec4::new(0.93, 0.50, 0.10, 1.0);
const BALL: Vec4 = Vec4::new(0.98, 0.86, 0.52, 1.0);

/// Triangles of all skeletons of a picture, three corners each.
#[derive(Debug, Default)]
pub struct BoneCorners {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub colors: Vec<Vec4>,
}

impl BoneCorners {
    /// `None` if there is nothing to draw.
    pub fn of<M>(
        picture: &PictureOf<M>,
        unit: &UnitSpace,
        picture_height_px: u32,
    ) -> Option<BoneCorners> {
        if picture.look.skeleton.is_nan() || picture.look.skeleton <= 0.0 {
            return None;
        }
        let camera = picture.camera.in_units(unit.origin, unit.length);
        let pixel = |at: Vec3| camera.units_per_pixel(at, picture_height_px);
        let mut corners = BoneCorners::default();
        for skeleton in picture.skeletons {
            corners.add_skeleton(skeleton, unit, &pixel);
        }
        (!corners.positions.is_empty()).then_some(corners)
    }

    fn add_skeleton(&mut self, bones: &Bones, unit: &UnitSpace, pixel: &dyn Fn(Vec3) -> f32) {
        let unit_from_model = unit.unit_from_scene() * bones.scene_from_model;
        let joints: Vec<Vec3> =
            bones.joints.iter().map(|&joint| unit_from_model.transform_point3(joint)).collect();
        let parent_of = |index: usize| bones.parents.get(index).copied().flatten();
        // The length of the shortest bone at each joint: balls of fingers must not run into each other.
        let mut shortest = vec![f32::INFINITY; joints.len()];
        for index in 0..joints.len() {
            let Some(parent) = parent_of(index).filter(|&parent| parent < joints.len()) else {
                continue;
            };
            let (root, tip) = (joints[parent], joints[index]);
            let length = root.distance(tip);
            let px = pixel(tip);
            if !(length.is_finite() && length > px) {
                continue;
            }
            shortest[parent] = shortest[parent].min(length);
            shortest[index] = shortest[index].min(length);
            let width = (length * 0.085).max(1.6 * px).min(7.0 * px);
            self.add_stick(root, tip, width);
        }
        for (&joint, shortest) in joints.iter().zip(shortest) {
            if joint.is_finite() {
                let px = pixel(joint);
                let radius = 0.0085_f32.min(shortest * 0.22).max(1.5 * px).min(5.0 * px);
                self.add_ball(joint, radius);
            }
        }
    }

    /// Two pyramids on a common square, the short one at the root.
    fn add_stick(&mut self, root: Vec3, tip: Vec3, width: f32) {
        let along = tip - root;
        let (side, other) = along.normalize_or(Vec3::Y).any_orthonormal_pair();
        let waist = root + along * 0.14;
        let ring = [side, other, -side, -other].map(|direction| waist + direction * width);
        for i in 0..4 {
            let (a, b) = (ring[i], ring[(i + 1) % 4]);
            self.add_flat([root, b, a], waist, STICK);
            self.add_flat([tip, a, b], waist, STICK);
        }
    }

    /// A triangle of one normal, which points away from `inside`.
    fn add_flat(&mut self, triangle: [Vec3; 3], inside: Vec3, color: Vec4) {
        let [a, b, c] = triangle;
        let normal = (b - a).cross(c - a).normalize_or(Vec3::Y);
        let outward = if normal.dot(a + b + c - 3.0 * inside) < 0.0 { -normal } else { normal };
        for corner in triangle {
            self.add(corner, outward, color);
        }
    }

    /// An octahedron divided twice and blown up to a sphere.
    fn add_ball(&mut self, center: Vec3, radius: f32) {
        const STEPS: usize = 3;
        for octant in 0..8 {
            let sign = |bit: usize| if octant & bit == 0 { 1.0 } else { -1.0 };
            let point = |i: usize, j: usize| {
                let (a, b) = (i as f32, j as f32);
                let c = STEPS as f32 - a - b;
                Vec3::new(a * sign(1), b * sign(2), c * sign(4)).normalize_or(Vec3::Y)
            };
            for i in 0..STEPS {
                for j in 0..STEPS - i {
                    let mut add = |at: [(usize, usize); 3]| {
                        for (i, j) in at {
                            let normal = point(i, j);
                            self.add(center + normal * radius, normal, BALL);
                        }
                    };
                    add([(i, j), (i + 1, j), (i, j + 1)]);
                    if i + j + 1 < STEPS {
                        add([(i + 1, j), (i + 1, j + 1), (i, j + 1)]);
                    }
                }
            }
        }
    }

    fn add(&mut self, position: Vec3, normal: Vec3, color: Vec4) {
        self.positions.push(position);
        self.normals.push(normal);
        self.colors.push(color);
    }
}
