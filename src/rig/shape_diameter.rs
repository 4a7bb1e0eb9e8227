//! Local shape diameter: how thick the body is below each point (Shapira 2008), and the softness
//! map that follows from it — thin parts are soft, thick ones stiff (Rohmer 2021, Fig. 11 right).

use super::Surface;
use glam::Vec3;
use obvhs::bvh2::Bvh2;
use obvhs::ray::{Ray, RayHit};
use obvhs::triangle::Triangle;
use obvhs::{BvhBuildParams, bvh2::builder::build_bvh2_from_tris};
use rayon::prelude::*;
use std::time::Duration;

/// Rays per point and the half angle of the cone they fill.
const RAYS: usize = 24;
const CONE_HALF_ANGLE_DEG: f32 = 60.0;
/// Rounds of smoothing over the neighbours: the map shall have no speckles.
const SMOOTHING_ROUNDS: usize = 6;

/// Per point of the surface the thickness of the body there, in the units of the scene. Points
/// under which no ray finds another side get the largest thickness that was found.
pub fn shape_diameter(
    surface: &Surface,
    triangles: &[[u32; 3]],
    positions: &[Vec3],
    normals: &[Vec3],
) -> Vec<f32> {
    if triangles.is_empty() {
        return vec![0.0; surface.points.point_count];
    }
    let scene = RayScene::new(triangles, positions);
    let mut point_normals = vec![Vec3::ZERO; surface.points.point_count];
    let mut point_positions = vec![Vec3::ZERO; surface.points.point_count];
    for (vertex, &point) in surface.points.point_of_vertex.iter().enumerate() {
        point_normals[point as usize] += normals[vertex];
        point_positions[point as usize] = positions[vertex];
    }
    let thickness: Vec<Option<f32>> = point_positions
        .par_iter()
        .zip(&point_normals)
        .map(|(&position, normal)| scene.thickness(position, normal.try_normalize()?))
        .collect();
    let largest = thickness.iter().flatten().copied().fold(0.0, f32::max);
    let mut thickness: Vec<f32> = thickness.iter().map(|t| t.unwrap_or(largest)).collect();
    for _ in 0..SMOOTHING_ROUNDS {
        thickness = smoothed(surface, &thickness);
    }
    thickness
}

/// Thickness → softness in [0, 1]: 1 at the thinnest tenth, 0 at the thickest, on a logarithmic
/// scale, because an ear is to a leg what a leg is to the belly.
pub fn softness_from_diameter(diameters: &[f32], point_areas: &[f32]) -> Vec<f32> {
    let thin = weighted_quantile(diameters, point_areas, 0.1);
    let thick = weighted_quantile(diameters, point_areas, 0.9);
    let range = (thick / thin).ln();
    if !(range > 1e-3) {
        // As thick everywhere as anywhere: nothing is softer than the rest.
        return vec![0.5; diameters.len()];
    }
    let softness = |&diameter: &f32| (1.0 - (diameter / thin).ln() / range).clamp(0.0, 1.0);
    diameters.iter().map(softness).collect()
}

/// The value below which a share of the total weight lies. Never 0, so that it can be divided by.
fn weighted_quantile(values: &[f32], weights: &[f32], share: f32) -> f32 {
    let mut order: Vec<usize> = (0..values.len()).filter(|&i| values[i] > 0.0).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let total: f32 = order.iter().map(|&i| weights[i]).sum();
    let mut sum = 0.0;
    for &i in &order {
        sum += weights[i];
        if sum >= share * total {
            return values[i];
        }
    }
    order.last().map_or(1.0, |&i| values[i])
}

fn smoothed(surface: &Surface, values: &[f32]) -> Vec<f32> {
    let smooth_one = |point: usize| {
        let neighbours = surface.neighbours_of(point);
        if neighbours.is_empty() {
            return values[point];
        }
        let sum: f32 = neighbours.iter().map(|&other| values[other as usize]).sum();
        0.5 * values[point] + 0.5 * sum / neighbours.len() as f32
    };
    (0..values.len()).into_par_iter().map(smooth_one).collect()
}

/// The triangles in a hierarchy that answers rays.
struct RayScene {
    bvh: Bvh2,
    triangles: Vec<Triangle>,
    /// Lengths below this part of the size count as touching.
    nearest: f32,
}

impl RayScene {
    fn new(triangles: &[[u32; 3]], positions: &[Vec3]) -> RayScene {
        let corner = |vertex: u32| positions[vertex as usize].to_array().into();
        let triangles: Vec<Triangle> = triangles
            .iter()
            .map(|corners| {
                let [v0, v1, v2] = corners.map(corner);
                Triangle { v0, v1, v2 }
            })
            .collect();
        let mut build_time = Duration::default();
        let bvh = build_bvh2_from_tris(&triangles, BvhBuildParams::medium_build(), &mut build_time);
        let lowest = positions.iter().copied().fold(Vec3::INFINITY, Vec3::min);
        let highest = positions.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
        RayScene { bvh, triangles, nearest: (highest - lowest).max_element() * 1e-4 }
    }

    /// The mean length of rays into the body, those within one standard deviation of the median,
    /// each weighted by how straight it goes in.
    fn thickness(&self, position: Vec3, normal: Vec3) -> Option<f32> {
        let (side, up) = normal.any_orthonormal_pair();
        let mut found: Vec<(f32, f32)> = Vec::with_capacity(RAYS);
        for ray in 0..RAYS {
            // A sunflower pattern fills the cone evenly.
            let share = (ray as f32 + 0.5) / RAYS as f32;
            let angle = CONE_HALF_ANGLE_DEG.to_radians() * share.sqrt();
            let turn = ray as f32 * 2.399_963;
            let across = side * turn.cos() + up * turn.sin();
            let direction = -normal * angle.cos() + across * angle.sin();
            if let Some(length) = self.cast(position, direction) {
                found.push((length, angle.cos()));
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let median = found.get(found.len() / 2)?.0;
        let count = found.len() as f32;
        let variance = found.iter().map(|(l, _)| (l - median) * (l - median)).sum::<f32>() / count;
        let near = found.iter().filter(|(l, _)| (l - median).abs() <= variance.sqrt() + 1e-12);
        let (sum, weights) = near.fold((0.0, 0.0), |(sum, weights), (length, weight)| {
            (sum + length * weight, weights + weight)
        });
        (weights > 0.0).then(|| sum / weights)
    }

    /// How far a ray from a surface point goes until it leaves the body on the other side.
    fn cast(&self, from: Vec3, direction: Vec3) -> Option<f32> {
        let origin = from + direction * self.nearest;
        let ray = Ray::new_inf(origin.to_array().into(), direction.to_array().into());
        let mut hit = RayHit::none();
        let reached = self.bvh.ray_traverse(ray, &mut hit, |ray, id| {
            let triangle = self.bvh.primitive_indices[id] as usize;
            self.triangles[triangle].intersect(ray)
        });
        if !reached {
            return None;
        }
        let triangle = self.bvh.primitive_indices[hit.primitive_id as usize] as usize;
        let face_normal = self.triangles[triangle].compute_normal();
        // Entering another body from outside says nothing about the thickness of this one.
        let leaves = Vec3::from_array(face_normal.to_array()).dot(direction) > 0.0;
        leaves.then_some(hit.t + self.nearest)
    }
}
