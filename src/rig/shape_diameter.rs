//! Local shape diameter: how thick the body is below each point (Shapira 2008), and the softness
//! map that follows from it — thin parts are soft, thick ones stiff (Rohmer 2021, Fig. 11 right).
//!
//! ```text
//! ≤ 16 000 points   24 rays from each, and its own lengths
//! more              fewer rays from each, and the lengths of its neighbours too
//! > 192 000         2 rays from some of them (sampling.rs), and what they say spread over the others
//! ```
//! All rays together are as many for any larger mesh, each has a limit, and so have the triangles that they
//! are sent through; what grows with the mesh are passes over it. On one processor 150 000 vertices take about
//! a second, and the eight million triangles of the largest file three, half as long as reading it.

use super::Surface;
use super::cells::joined_in_cells;
pub use super::ray_lengths::NoThickness;
use super::ray_lengths::{Body, FEWEST_RAYS, Lengths, RAYS};
use super::sampling::Sample;
use glam::Vec3;
use jounce_base::parallel::*;

/// Changes with everything that changes results: what was kept of another is computed again.
pub const ALGORITHM: u32 = 3;

/// Rays of all points together: 24 from each of 16 000, 2 from each of 192 000.
const MOST_RAYS: usize = 384_000;
/// Rounds of smoothing over the neighbours: the map shall have no speckles.
const SMOOTHING_ROUNDS: usize = 6;
/// Steps of all rays together.
const MOST_STEPS: f32 = 80e6;
/// More triangles than this are made fewer, by joining corners that lie in one cell of a grid.
const MOST_TRIANGLES: usize = 1_000_000;

/// Per point of the surface the thickness of the body there, in the units of the scene. Points
/// under which no ray finds another side get the largest thickness that was found.
pub fn shape_diameter(
    surface: &Surface,
    triangles: &[[u32; 3]],
    positions: &[Vec3],
    normals: &[Vec3],
) -> Result<Vec<f32>, NoThickness> {
    measured(surface, triangles, positions, normals, LIMITS)
}

#[derive(Clone, Copy)]
struct Limits {
    rays: usize,
    steps: f32,
    triangles: usize,
}

const LIMITS: Limits = Limits { rays: MOST_RAYS, steps: MOST_STEPS, triangles: MOST_TRIANGLES };

fn measured(
    surface: &Surface,
    triangles: &[[u32; 3]],
    positions: &[Vec3],
    normals: &[Vec3],
    limits: Limits,
) -> Result<Vec<f32>, NoThickness> {
    let points = surface.points.point_count;
    let mut point_normals = vec![Vec3::ZERO; points];
    let mut point_positions = vec![Vec3::ZERO; points];
    for (vertex, &point) in surface.points.point_of_vertex.iter().enumerate() {
        point_normals[point as usize] += normals[vertex];
        point_positions[point as usize] = positions[vertex];
    }
    let to_points = |vertices: &[u32; 3]| {
        vertices.map(|vertex| surface.points.point_of_vertex[vertex as usize])
    };
    let mut triangles: Vec<[u32; 3]> = triangles.par_iter().map(to_points).collect();
    if triangles.len() > limits.triangles {
        let joined = joined_in_cells(&point_positions, &triangles, limits.triangles);
        let to_joined = |corner: &mut u32| *corner = joined[*corner as usize];
        triangles.par_iter_mut().for_each(|corners| corners.iter_mut().for_each(to_joined));
        // The first of a cell comes before the others, so it still is where it was.
        for (point, &first) in joined.iter().enumerate() {
            point_positions[point] = point_positions[first as usize];
        }
    }
    let body = Body::new(triangles, point_positions, point_normals)?;
    let most_rays = body.most_rays(points, limits.steps)?.min(limits.rays);
    let graph = surface.neighbours();
    let sample = Sample::new(graph, &body.positions, most_rays / FEWEST_RAYS);
    let rays = (most_rays / sample.points.len().max(1)).clamp(FEWEST_RAYS, RAYS);
    let lengths = Lengths::new(&body, &sample.points, sample.graph(graph), rays);
    let thickness = lengths.thickness(sample.graph(graph), sample.is_all());
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
    let [thin, thick] = weighted_quantiles(diameters, point_areas, [0.1, 0.9]);
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

/// The values below which these shares of the total weight lie. Never 0, so that they can be divided by.
fn weighted_quantiles(values: &[f32], weights: &[f32], shares: [f32; 2]) -> [f32; 2] {
    // The bits of positive numbers are in the order of the numbers; where they are equal, places decide.
    let key = |(place, &value): (usize, &f32)| {
        (value > 0.0).then(|| u64::from(value.to_bits()) << 32 | place as u64)
    };
    let mut order: Vec<u64> = values.par_iter().enumerate().filter_map(key).collect();
    order.par_sort_unstable();
    let place = |key: &u64| *key as u32 as usize;
    let total: f32 = order.iter().map(|key| weights[place(key)]).sum();
    shares.map(|share| {
        let mut sum = 0.0;
        let reaches = |key: &&u64| {
            sum += weights[place(key)];
            sum >= share * total
        };
        order.iter().find(reaches).or(order.last()).map_or(1.0, |key| values[place(key)])
    })
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

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::{Influence, Influences, Mesh, own};

    const ALL: Limits = Limits { rays: usize::MAX, steps: f32::INFINITY, triangles: usize::MAX };

    fn softness(mesh: &Mesh, surface: &Surface, limits: Limits) -> Vec<f32> {
        let found = measured(surface, &mesh.triangles, &mesh.positions, &mesh.normals, limits);
        softness_from_diameter(&found.unwrap(), &surface.point_areas)
    }

    pub fn surface(mesh: &Mesh) -> Surface {
        let one = Influence { index: 0, weight: 1.0 };
        let mut skin = Influences::default();
        mesh.positions.iter().for_each(|_| skin.push([one]));
        Surface::new(mesh, &skin, &mesh.positions)
    }

    /// The largest, the 99th percentile and the mean of what two maps differ by.
    fn differences(one: &[f32], other: &[f32]) -> [f32; 3] {
        let mut all: Vec<f32> = one.iter().zip(other).map(|(a, b)| (a - b).abs()).collect();
        all.sort_by(f32::total_cmp);
        let mean = all.iter().sum::<f32>() / all.len() as f32;
        [all[all.len() - 1], all[all.len() * 99 / 100], mean]
    }

    /// A body with arms. Of a ring at a pole one point is left.
    pub fn body(rings: u32, sides: u32) -> Mesh {
        let position = |ring: u32, side: u32| {
            let down = std::f32::consts::PI * ring as f32 / rings as f32;
            let around = std::f32::consts::TAU * side as f32 / sides as f32;
            let arm = 0.6 * (3.0 * around).sin() * down.sin().powi(2);
            let radius = 1.0 + arm + 0.3 * (5.0 * down).cos();
            let out = if ring == 0 || ring == rings { 0.0 } else { radius * down.sin() };
            Vec3::new(out * around.cos(), radius * down.cos(), out * around.sin())
        };
        let positions: Vec<Vec3> =
            (0..(rings + 1) * sides).map(|i| position(i / sides, i % sides)).collect();
        let at = |ring: u32, side: u32| ring * sides + side % sides;
        let two = |i: u32| {
            let (ring, side) = (i / sides, i % sides);
            let [a, b] = [at(ring, side), at(ring, side + 1)];
            let [c, d] = [at(ring + 1, side), at(ring + 1, side + 1)];
            [[a, b, c], [b, d, c]]
        };
        let triangles: Vec<[u32; 3]> = (0..rings * sides).flat_map(two).collect();
        let mut normals = vec![Vec3::ZERO; positions.len()];
        for corners in &triangles {
            let [a, b, c] = corners.map(|corner| positions[corner as usize]);
            for &corner in corners {
                normals[corner as usize] += (b - a).cross(c - a).normalize_or_zero();
            }
        }
        Mesh { positions, normals, triangles, ..Default::default() }
    }

    /// Just above the number of points that send all rays, and far above it.
    ///
    /// Single points differ by more than half where lengths come in two kinds, through an arm and through the
    /// body, and one ray decides between them. So they do when all rays are sent from all points but turned
    /// about the normal: by 0.66, and 1 % of the points by 0.22 and more, of this body.
    #[test]
    fn fewer_rays_say_nearly_the_same_as_all() {
        for (rings, sides) in [(126, 128), (200, 250), (200, 240)] {
            let mesh = body(rings, sides);
            let surface = surface(&mesh);
            let [all, some] = [ALL, LIMITS].map(|limits| softness(&mesh, &surface, limits));
            let [largest, most_of, mean] = differences(&all, &some);
            println!("{} points: {largest:.3}, {most_of:.3}, {mean:.4}", all.len());
            assert!(most_of < 0.2 && mean < 0.02, "{largest}, {most_of}, {mean}");
        }
    }

    /// A character with two rays from each point, and with as many from a quarter of them.
    #[test]
    fn a_sample_says_nearly_the_same_as_all_points() {
        let character = own::built_in("giraffe").unwrap();
        let (surface, rest) = (character.surface(), character.rest());
        let (positions, normals) = (rest.positions.clone(), rest.normals.clone());
        let triangles = character.mesh.triangles.clone();
        let mesh = Mesh { positions, normals, triangles, ..Default::default() };
        let all = softness(&mesh, surface, LIMITS);
        assert_eq!(all, softness(&mesh, surface, ALL), "16 000 points send all rays");
        for (rays, most) in [(all.len() * 2, [0.3, 0.1]), (all.len() / 2, [0.4, 0.2])] {
            let some = softness(&mesh, surface, Limits { rays, ..LIMITS });
            let [largest, most_of, mean] = differences(&all, &some);
            println!("{} points, {rays} rays: {largest:.3}, {most_of:.3}, {mean:.4}", all.len());
            assert!(largest < most[0] && most_of < most[1] && mean < 0.04, "{largest}, {most_of}");
        }
    }

    /// Equal numbers, nothing, and no weight.
    #[test]
    fn quantiles_are_by_weight() {
        let values = [4.0, 1.0, 2.0, 0.0, 2.0];
        assert_eq!(weighted_quantiles(&values, &[1.0; 5], [0.1, 0.9]), [1.0, 4.0]);
        assert_eq!(weighted_quantiles(&values, &[0.0, 0.0, 1.0, 9.0, 1.0], [0.5, 0.9]), [2.0, 2.0]);
        assert_eq!(weighted_quantiles(&[0.0], &[1.0], [0.1, 0.9]), [1.0, 1.0]);
    }

    #[test]
    fn a_body_in_fewer_triangles_is_about_as_soft() {
        let mesh = body(60, 80);
        let surface = surface(&mesh);
        let few = Limits { triangles: 2_000, ..LIMITS };
        let [all, some] = [LIMITS, few].map(|limits| softness(&mesh, &surface, limits));
        let [largest, most_of, mean] = differences(&all, &some);
        println!("in cells: {largest:.3}, {most_of:.3}, {mean:.4}");
        assert!(mean < 0.1, "{mean}");
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
        let mesh = Mesh { positions, normals, triangles, ..Default::default() };
        let surface = surface(&mesh);
        let found = shape_diameter(&surface, &mesh.triangles, &mesh.positions, &mesh.normals);
        assert_eq!(found, Err(NoThickness::Tangled));
    }
}
