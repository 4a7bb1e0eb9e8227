//! Local shape diameter: how thick the body is below each point (Shapira 2008), and the softness
//! map that follows from it — thin parts are soft, thick ones stiff (Rohmer 2021, Fig. 11 right).
//!
//! Large meshes are measured at some of their points ([`Sample`]), and every ray has a limit, so that
//! no mesh takes longer than a second of one processor, however many triangles lie in each other.

use super::Surface;
use super::ray_scene::{Cast, RayScene};
use super::sampling::Sample;
use glam::Vec3;
use rayon::prelude::*;
use std::collections::HashMap;
use thiserror::Error;

/// Changes with everything that changes results: what was kept of another is computed again.
pub const ALGORITHM: u32 = 2;

/// Rays per point and the half angle of the cone they fill.
const RAYS: usize = 24;
const CONE_HALF_ANGLE_DEG: f32 = 60.0;
/// Rounds of smoothing over the neighbours: the map shall have no speckles.
const SMOOTHING_ROUNDS: usize = 6;
/// Of a mesh with more points only so many are measured; between them it is smooth.
const MOST_SAMPLES: usize = 16_000;
/// A ray of a sound mesh of a million triangles takes about a hundred steps.
const MOST_STEPS_PER_RAY: u32 = 2_000;
/// All rays together.
const MOST_STEPS: f32 = 80e6;
/// Points that are measured first, to see how many steps the others will take.
const PROBES: usize = 256;
/// Where more rays than this part are given up, nothing is known.
const MOST_GIVEN_UP: f32 = 0.1;
/// More triangles than this are made fewer, by joining corners that lie in one cell of a grid.
const MOST_TRIANGLES: usize = 1_000_000;
const CELLS_PER_SIZE: f32 = 512.0;

/// Why nobody can say how thick a character is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoThickness {
    #[error("no triangle of it has an area")]
    NoSurface,
    #[error("too many of its triangles lie in each other")]
    Tangled,
}

/// Per point of the surface the thickness of the body there, in the units of the scene. Points
/// under which no ray finds another side get the largest thickness that was found.
pub fn shape_diameter(
    surface: &Surface,
    triangles: &[[u32; 3]],
    positions: &[Vec3],
    normals: &[Vec3],
) -> Result<Vec<f32>, NoThickness> {
    measured(surface, triangles, positions, normals, (MOST_SAMPLES, MOST_STEPS))
}

fn measured(
    surface: &Surface,
    triangles: &[[u32; 3]],
    positions: &[Vec3],
    normals: &[Vec3],
    (most_samples, most_steps): (usize, f32),
) -> Result<Vec<f32>, NoThickness> {
    let points = surface.points.point_count;
    let mut point_normals = vec![Vec3::ZERO; points];
    let mut point_positions = vec![Vec3::ZERO; points];
    for (vertex, &point) in surface.points.point_of_vertex.iter().enumerate() {
        point_normals[point as usize] += normals[vertex];
        point_positions[point as usize] = positions[vertex];
    }
    if triangles.len() > MOST_TRIANGLES {
        join_in_cells(&mut point_positions);
    }
    let body = Body::new(surface, triangles, point_positions, point_normals)?;
    let most_samples = body.most_samples(points, most_steps)?.min(most_samples);
    let graph = surface.neighbours();
    let sample = Sample::new(graph, &body.positions, most_samples);
    let thickness: Vec<Option<f32>> =
        sample.points.par_iter().map(|&point| body.thickness(point as usize).mean).collect();
    let largest = thickness.iter().flatten().copied().fold(0.0, f32::max);
    let thickness = thickness.iter().map(|thickness| thickness.unwrap_or(largest)).collect();
    let mut thickness = sample.spread(graph, thickness);
    for _ in 0..SMOOTHING_ROUNDS {
        thickness = smoothed(surface, &thickness);
    }
    Ok(thickness)
}

/// Thickness → softness in [0, 1]: 1 at the thinnest tenth, 0 at the thickest, on a logarithmic
/// scale, because an ear is to a leg what a leg is to the belly.
pub fn softness_from_diameter(diameters: &[f32], point_areas: &[f32]) -> Vec<f32> {
    let thin = weighted_quantile(diameters, point_areas, 0.1);
    let thick = weighted_quantile(diameters, point_areas, 0.9);
    let range = (thick / thin).ln();
    if !(range > 1e-3) {
        // As thick everywhere as anywhere: nothing is softer than the rest.
        return vec![EVEN_SOFTNESS; diameters.len()];
    }
    let softness = |&diameter: &f32| (1.0 - (diameter / thin).ln() / range).clamp(0.0, 1.0);
    diameters.iter().map(softness).collect()
}

/// Where nothing is known to be softer than the rest.
pub const EVEN_SOFTNESS: f32 = 0.5;

/// The value below which a share of the total weight lies. Never 0, so that it can be divided by.
fn weighted_quantile(values: &[f32], weights: &[f32], share: f32) -> f32 {
    let mut order: Vec<usize> = (0..values.len()).filter(|&i| values[i] > 0.0).collect();
    order.par_sort_by(|&a, &b| values[a].total_cmp(&values[b]));
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

/// All points in a cell of a grid are put where the first of them is.
fn join_in_cells(positions: &mut [Vec3]) {
    let (lowest, highest) = super::bounds(positions);
    let cells_per_length = CELLS_PER_SIZE / (highest - lowest).max_element().max(f32::MIN_POSITIVE);
    let mut first: HashMap<[u16; 3], Vec3> = HashMap::new();
    for position in positions {
        let cell = ((*position - lowest) * cells_per_length).to_array().map(|x| x as u16);
        *position = *first.entry(cell).or_insert(*position);
    }
}

/// What rays are sent into, and from where.
struct Body {
    scene: RayScene,
    /// Per point.
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    /// Lengths below this part of the size count as touching.
    nearest: f32,
    /// Straight in is −z; how far each goes that way is its weight.
    directions: [Vec3; RAYS],
}

struct Thickness {
    /// None: no ray found another side.
    mean: Option<f32>,
    steps: u32,
    given_up: u32,
}

impl Body {
    fn new(
        surface: &Surface,
        triangles: &[[u32; 3]],
        positions: Vec<Vec3>,
        normals: Vec<Vec3>,
    ) -> Result<Body, NoThickness> {
        let triangles = sound_triangles(surface, triangles, &positions);
        if triangles.is_empty() {
            return Err(NoThickness::NoSurface);
        }
        let (lowest, highest) = super::bounds(&positions);
        let nearest = (highest - lowest).max_element() * 1e-4;
        let scene = RayScene::new(&triangles, &positions);
        Ok(Body { scene, positions, normals, nearest, directions: cone() })
    }

    /// How many points can be measured, by what some of them take.
    fn most_samples(&self, points: usize, most_steps: f32) -> Result<usize, NoThickness> {
        let probes: Vec<usize> = (0..points).step_by((points / PROBES).max(1)).collect();
        let tried: Vec<Thickness> = probes.par_iter().map(|&point| self.thickness(point)).collect();
        let sum =
            |part: fn(&Thickness) -> u32| tried.iter().map(|one| part(one) as f32).sum::<f32>();
        let rays = (tried.len() * RAYS) as f32;
        if sum(|one| one.given_up) > MOST_GIVEN_UP * rays {
            return Err(NoThickness::Tangled);
        }
        let steps_per_point = (sum(|one| one.steps) / tried.len() as f32).max(1.0);
        Ok((most_steps / steps_per_point) as usize)
    }

    /// The mean length of rays into the body, those within one standard deviation of the median,
    /// each weighted by how straight it goes in.
    fn thickness(&self, point: usize) -> Thickness {
        let mut thickness = Thickness { mean: None, steps: 0, given_up: 0 };
        let Some(normal) = self.normals[point].try_normalize() else { return thickness };
        let (side, up) = normal.any_orthonormal_pair();
        let mut found = [(0.0, 0.0); RAYS];
        let mut count = 0;
        for local in &self.directions {
            let direction = side * local.x + up * local.y + normal * local.z;
            let cast = self.cast(self.positions[point], direction);
            thickness.steps += cast.steps;
            thickness.given_up += u32::from(cast.was_given_up);
            // Entering another body from outside says nothing about the thickness of this one.
            if let Some(hit) = cast.hit.filter(|hit| hit.from_behind) {
                found[count] = (hit.length + self.nearest, -local.z);
                count += 1;
            }
        }
        let found = &mut found[..count];
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let Some(&(median, _)) = found.get(count / 2) else { return thickness };
        let squares = found.iter().map(|(l, _)| (l - median) * (l - median));
        let variance = squares.sum::<f32>() / count as f32;
        let near = found.iter().filter(|(l, _)| (l - median).abs() <= variance.sqrt() + 1e-12);
        let (sum, weights) = near.fold((0.0, 0.0), |(sum, weights), (length, weight)| {
            (sum + length * weight, weights + weight)
        });
        thickness.mean = (weights > 0.0).then(|| sum / weights);
        thickness
    }

    /// How far a ray from a surface point goes until it leaves the body on the other side.
    fn cast(&self, from: Vec3, direction: Vec3) -> Cast {
        self.scene.cast(from + direction * self.nearest, direction, MOST_STEPS_PER_RAY)
    }
}

/// A sunflower pattern fills the cone evenly.
fn cone() -> [Vec3; RAYS] {
    std::array::from_fn(|ray| {
        let share = (ray as f32 + 0.5) / RAYS as f32;
        let (sin, cos) = (CONE_HALF_ANGLE_DEG.to_radians() * share.sqrt()).sin_cos();
        let turn = ray as f32 * 2.399_963;
        Vec3::new(turn.cos() * sin, turn.sin() * sin, -cos)
    })
}

/// Triangles of points, those with an area, each once.
fn sound_triangles(surface: &Surface, triangles: &[[u32; 3]], positions: &[Vec3]) -> Vec<[u32; 3]> {
    let of_points = |vertices: &[u32; 3]| {
        let points = vertices.map(|vertex| surface.points.point_of_vertex[vertex as usize]);
        let [a, b, c] = points.map(|point| positions[point as usize]);
        let has_area =
            (b - a).cross(c - a).max_element() != 0.0 || (b - a).cross(c - a).min_element() != 0.0;
        // Turned so that the same triangle begins with the same point; its winding stays.
        let least = (0..3).min_by_key(|&corner| points[corner]).unwrap_or(0);
        has_area.then(|| [points[least], points[(least + 1) % 3], points[(least + 2) % 3]])
    };
    let mut sound: Vec<[u32; 3]> = triangles.par_iter().filter_map(of_points).collect();
    sound.par_sort_unstable();
    sound.dedup();
    sound
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own;

    /// Measured at a tenth of its points, a character is as soft as measured at all of them.
    #[test]
    fn a_sample_says_nearly_the_same_as_all_points() {
        let character = own::built_in("giraffe").unwrap();
        let (surface, rest) = (character.surface(), character.rest());
        let softness = |most_samples: usize| {
            let limits = (most_samples, f32::INFINITY);
            let triangles = &character.mesh.triangles;
            let measured = measured(surface, triangles, &rest.positions, &rest.normals, limits);
            softness_from_diameter(&measured.unwrap(), &surface.point_areas)
        };
        let (all, some) = (softness(usize::MAX), softness(1000));
        let count = all.len() as f32;
        let mean = |list: &[f32]| list.iter().sum::<f32>() / count;
        let (mean_all, mean_some) = (mean(&all), mean(&some));
        let product = |a: &[f32], b: &[f32], means: (f32, f32)| -> f32 {
            a.iter().zip(b).map(|(a, b)| (a - means.0) * (b - means.1)).sum()
        };
        let both = product(&all, &some, (mean_all, mean_some));
        let of_all = product(&all, &all, (mean_all, mean_all));
        let of_some = product(&some, &some, (mean_some, mean_some));
        let correlation = both / (of_all * of_some).sqrt();
        let differences: Vec<f32> = all.iter().zip(&some).map(|(a, b)| (a - b).abs()).collect();
        println!("correlation {correlation:.4}, mean difference {:.4}", mean(&differences));
        assert!(correlation > 0.985 && mean(&differences) < 0.04, "{correlation}");
    }

    #[test]
    fn more_triangles_than_any_ray_can_pass_are_said_to_be_tangled() {
        // Needles along one diagonal: the box of each is the whole cube, and few rays meet any of them.
        let corners = |triangle: u32| {
            let turn = triangle as f32 * 2.399_963;
            let off = 1e-3 * Vec3::new(turn.cos(), turn.sin(), (3.0 * turn).sin());
            [off, Vec3::ONE + off, off * 1.1 + Vec3::X * 1e-4]
        };
        let positions: Vec<Vec3> = (0..10_000).flat_map(corners).collect();
        let triangles = (0..10_000).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let outward = |position: &Vec3| (*position - 0.5).normalize();
        let normals = positions.iter().map(outward).collect();
        let mesh = crate::Mesh { positions, normals, triangles, ..Default::default() };
        let one = crate::Influence { index: 0, weight: 1.0 };
        let mut skin = crate::Influences::default();
        mesh.positions.iter().for_each(|_| skin.push([one]));
        let surface = Surface::new(&mesh, &skin, &mesh.positions);
        let found = shape_diameter(&surface, &mesh.triangles, &mesh.positions, &mesh.normals);
        assert_eq!(found, Err(NoThickness::Tangled));
    }
}
