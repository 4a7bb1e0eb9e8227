//! draw_bones.wgsl: bones and joints, drawn over everything.

use super::scene::{stored, xyz};
use super::surface::Facet;
use crate::bones::BoneCorners;
use crate::uniforms::SceneUniform;
use glam::{Vec3, Vec4};

/// A triangle of a skeleton.
pub struct Bone {
    facet: Facet,
    normals: [Vec3; 3],
    color: Vec3,
}

impl Bone {
    pub fn new(corners: &BoneCorners, triangle: u32, eye: Vec3) -> Bone {
        let vertices = [0, 1, 2].map(|corner| triangle as usize * 3 + corner);
        Bone {
            facet: Facet::new(vertices.map(|vertex| corners.positions[vertex]), eye),
            normals: vertices.map(|vertex| corners.normals[vertex]),
            color: corners.colors[vertices[0]].truncate(),
        }
    }

    pub fn fragment(&self, scene: &SceneUniform, ray: Vec3) -> Vec4 {
        let normal = Facet::mix(self.facet.parts_inside(ray), &self.normals).normalize_or_zero();
        let toward = (xyz(scene.key_dir) * 0.7 - xyz(scene.ray_forward)).normalize_or_zero();
        let shade = 0.42 + 0.58 * (normal.dot(toward) * 0.6 + 0.4).clamp(0.0, 1.0);
        stored(self.color * shade, scene.viewport[3])
    }
}
