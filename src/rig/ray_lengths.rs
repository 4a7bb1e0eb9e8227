//! How long rays into a body are until they leave it on the other side, and how thick that makes it below each
//! point: what [`super::shape_diameter`] is measured by.

use super::cells::turned;
use super::ray_scene::{Cast, RayScene};
use super::sampling::PointGraph;
use glam::Vec3;
use jounce_base::parallel::*;
use thiserror::Error;

/// Rays per point, and the half angle of the cone they fill.
pub const RAYS: usize = 24;
const CONE_HALF_ANGLE_DEG: f32 = 60.0;
/// From more points there are fewer rays each, down to these.
pub const FEWEST_RAYS: usize = 2;
/// From fewer than these a point's own lengths say little: those of its neighbours are taken too, and of
/// theirs, until there are as many as from a point with all rays.
const ENOUGH_RAYS: usize = 12;
const ENOUGH_LENGTHS: usize = RAYS;
const RINGS: usize = 2;
/// However many neighbours a point has.
const MOST_TOGETHER: usize = 32;
/// A ray of a sound mesh of a million triangles takes about a hundred steps.
const MOST_STEPS_PER_RAY: u32 = 2_000;
/// Points that are measured first, to see how many steps the others will take.
const PROBES: usize = 256;
/// Where more rays than this part are given up, nothing is known.
const MOST_GIVEN_UP: f32 = 0.1;

/// Why nobody can say how thick a character is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoThickness {
    #[error("no triangle of it has an area")]
    NoSurface,
    #[error("too many of its triangles overlap")]
    Tangled,
}

/// What rays are sent into, and from where.
pub struct Body {
    scene: RayScene,
    /// Per point.
    pub positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    /// Lengths below this part of the size count as touching.
    nearest: f32,
    /// Straight in is −z; how far each goes that way is its weight.
    directions: [Vec3; RAYS],
}

/// What a ray found; nothing where the weight is 0.
#[derive(Clone, Copy, Default)]
struct Length {
    length: f32,
    /// How straight the ray went in.
    weight: f32,
}

/// What rays took.
#[derive(Clone, Copy, Default)]
struct Effort {
    steps: u32,
    given_up: u32,
}

impl Body {
    pub fn new(
        triangles: Vec<[u32; 3]>,
        positions: Vec<Vec3>,
        normals: Vec<Vec3>,
    ) -> Result<Body, NoThickness> {
        let triangles = sound_triangles(triangles, &positions);
        if triangles.is_empty() {
            return Err(NoThickness::NoSurface);
        }
        let (lowest, highest) = super::bounds(&positions);
        let nearest = (highest - lowest).max_element() * 1e-4;
        let scene = RayScene::new(&triangles, &positions);
        Ok(Body { scene, positions, normals, nearest, directions: cone() })
    }

    /// How many rays there can be, by the steps that those of some points take.
    pub fn most_rays(&self, points: usize, most_steps: f32) -> Result<usize, NoThickness> {
        let probes: Vec<usize> = (0..points).step_by((points / PROBES).max(1)).collect();
        let probe = |&point: &usize| self.measure(point, !0, &mut [Length::default(); RAYS]);
        let tried: Vec<Effort> = probes.par_iter().map(probe).collect();
        let sum = |part: fn(&Effort) -> u32| tried.iter().map(|one| part(one) as f32).sum::<f32>();
        let rays = (tried.len() * RAYS) as f32;
        if sum(|one| one.given_up) > MOST_GIVEN_UP * rays {
            return Err(NoThickness::Tangled);
        }
        let steps_per_ray = (sum(|one| one.steps) / rays).max(1.0);
        Ok((most_steps / steps_per_ray) as usize)
    }

    /// Sends rays into the body, in the directions that are named by bits.
    fn measure(&self, point: usize, chosen: u32, found: &mut [Length]) -> Effort {
        let mut effort = Effort::default();
        let Some(normal) = self.normals[point].try_normalize() else { return effort };
        let (side, up) = normal.any_orthonormal_pair();
        let directions = self.directions.iter().enumerate();
        let directions = directions.filter(|(ray, _)| chosen >> ray & 1 == 1);
        for (found, (_, local)) in found.iter_mut().zip(directions) {
            let direction = side * local.x + up * local.y + normal * local.z;
            let cast = self.cast(self.positions[point], direction);
            effort.steps += cast.steps;
            effort.given_up += u32::from(cast.was_given_up);
            // Entering another body from outside says nothing about the thickness of this one.
            if let Some(hit) = cast.hit.filter(|hit| hit.from_behind) {
                *found = Length { length: hit.length + self.nearest, weight: -local.z };
            }
        }
        effort
    }

    /// How far a ray from a surface point goes until it leaves the body on the other side.
    fn cast(&self, from: Vec3, direction: Vec3) -> Cast {
        self.scene.cast(from + direction * self.nearest, direction, MOST_STEPS_PER_RAY)
    }
}

/// The lengths of as many rays from each point.
pub struct Lengths {
    rays: usize,
    of_points: Vec<Length>,
}

impl Lengths {
    pub fn new(body: &Body, points: &[u32], graph: &PointGraph, rays: usize) -> Lengths {
        let mut of_points = vec![Length::default(); points.len() * rays];
        let from = points.par_iter().zip(directions(graph, rays));
        of_points.par_chunks_mut(rays).zip(from).for_each(|(lengths, (&point, directions))| {
            body.measure(point as usize, directions, lengths);
        });
        Lengths { rays, of_points }
    }

    /// Per point; None where no ray found another side. A point of a sample stands for others, so that it
    /// asks its neighbours rather than having none.
    pub fn thickness(&self, graph: &PointGraph, is_all: bool) -> Vec<Option<f32>> {
        let rings = if is_all && self.rays >= ENOUGH_RAYS { 0 } else { RINGS };
        let of_point = |scratch: &mut (Vec<u32>, Vec<Length>), point: usize| {
            let (points, found) = scratch;
            self.gather(graph, point as u32, rings, points, found);
            mean_near_median(found)
        };
        (0..graph.point_count()).into_par_iter().map_init(Default::default, of_point).collect()
    }

    /// The lengths of a point, then those of the rings around it until there are enough.
    fn gather(
        &self,
        graph: &PointGraph,
        point: u32,
        rings: usize,
        points: &mut Vec<u32>,
        found: &mut Vec<Length>,
    ) {
        points.clear();
        points.push(point);
        found.clear();
        let mut first = 0;
        for ring in 0..=rings {
            for &point in &points[first..] {
                let start = point as usize * self.rays;
                let lengths = &self.of_points[start..start + self.rays];
                found.extend(lengths.iter().filter(|one| one.weight > 0.0));
            }
            if found.len() >= ENOUGH_LENGTHS || ring == rings {
                return;
            }
            let end = points.len();
            for place in first..end {
                for &other in graph.of(points[place] as usize) {
                    if points.len() == MOST_TOGETHER {
                        break;
                    }
                    if !points.contains(&other) {
                        points.push(other);
                    }
                }
            }
            first = end;
        }
    }
}

/// The mean of the lengths within one standard deviation of the median, each weighted by how straight
/// its ray went in.
fn mean_near_median(found: &mut [Length]) -> Option<f32> {
    let (middle, by_length) =
        (found.len() / 2, |a: &Length, b: &Length| a.length.total_cmp(&b.length));
    // Many need not be in order for their middle to be known.
    if found.len() > RAYS {
        found.select_nth_unstable_by(middle, by_length);
    } else {
        found.sort_by(by_length);
    }
    let median = found.get(middle)?.length;
    let off = |one: &Length| one.length - median;
    let variance = found.iter().map(|one| off(one) * off(one)).sum::<f32>() / found.len() as f32;
    let near = found.iter().filter(|one| off(one).abs() <= variance.sqrt() + 1e-12);
    let (sum, weights) = near.fold((0.0, 0.0), |(sum, weights), one| {
        (sum + one.length * one.weight, weights + one.weight)
    });
    (weights > 0.0).then(|| sum / weights)
}

/// Which directions the rays of each point take, as bits.
///
/// They lie evenly in the cone, and a point takes those that the points around it have taken least: together
/// they shall know all of them. (A rule by the numbers of the points would send all rays of a region the same
/// way where rows of the mesh are as long as the rule's period.)
fn directions(graph: &PointGraph, rays: usize) -> Vec<u32> {
    let all: [u32; RAYS] = std::array::from_fn(|first| {
        ORDER[..rays].iter().map(|ray| 1 << ((first + ray) % RAYS)).sum()
    });
    let mut chosen = vec![0_u32; graph.point_count()];
    if rays == RAYS {
        chosen.fill(all[0]);
        return chosen;
    }
    for point in 0..chosen.len() {
        let mut taken = [0_u32; RAYS];
        let mut take = |other: u32| {
            let mut bits = chosen[other as usize];
            while bits != 0 {
                taken[bits.trailing_zeros() as usize] += 1;
                bits &= bits - 1;
            }
        };
        let mut left = 2 * MOST_TOGETHER;
        for &near in graph.of(point).iter().take(MOST_TOGETHER) {
            take(near);
            let around = graph.of(near as usize);
            let around = &around[..around.len().min(left)];
            around.iter().for_each(|&other| take(other));
            left -= around.len();
        }
        let count = |first: &usize| -> u32 {
            ORDER[..rays].iter().map(|ray| taken[(first + ray) % RAYS]).sum()
        };
        // Where many are as good, points begin at different ones.
        let firsts = (0..RAYS).map(|step| (7 * (point + step)) % RAYS);
        chosen[point] = all[firsts.min_by_key(count).unwrap_or(0)];
    }
    chosen
}

/// Any few of them from the beginning lie evenly in the sunflower.
const ORDER: [usize; RAYS] =
    [0, 12, 6, 18, 3, 15, 9, 21, 1, 13, 7, 19, 4, 16, 10, 22, 2, 14, 8, 20, 5, 17, 11, 23];

/// A sunflower pattern fills the cone evenly.
fn cone() -> [Vec3; RAYS] {
    std::array::from_fn(|ray| {
        let share = (ray as f32 + 0.5) / RAYS as f32;
        let (sin, cos) = (CONE_HALF_ANGLE_DEG.to_radians() * share.sqrt()).sin_cos();
        let turn = ray as f32 * 2.399_963;
        Vec3::new(turn.cos() * sin, turn.sin() * sin, -cos)
    })
}

/// Those with an area, each once.
fn sound_triangles(mut triangles: Vec<[u32; 3]>, positions: &[Vec3]) -> Vec<[u32; 3]> {
    let has_area = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|point| positions[point as usize]);
        let normal = (b - a).cross(c - a);
        normal.max_element() != 0.0 || normal.min_element() != 0.0
    };
    triangles.retain(has_area);
    triangles.par_iter_mut().for_each(|corners| *corners = turned(*corners));
    triangles.par_sort_unstable();
    triangles.dedup();
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape_diameter::tests::{body, surface};

    /// Whatever the length of its rows.
    #[test]
    fn points_next_to_each_other_send_rays_in_all_directions() {
        for sides in [23, 24, 48, 50, 96] {
            let surface = surface(&body(40, sides));
            let graph = surface.neighbours();
            for rays in [2, 3, 11, 23, 24] {
                let chosen = directions(graph, rays);
                assert!(chosen.iter().all(|bits| bits.count_ones() as usize == rays));
                let of_region = |point: usize| {
                    let near = graph.of(point).iter().map(|&other| other as usize);
                    let rings = near.flat_map(|near| graph.of(near));
                    rings.fold(chosen[point], |bits, &other| bits | chosen[other as usize])
                };
                let known = (0..chosen.len()).map(|point| of_region(point).count_ones());
                let mean = known.sum::<u32>() as f32 / chosen.len() as f32;
                println!("{sides} sides, {rays} rays: {mean:.1} directions");
                assert!(mean > 21.0, "{sides} sides, {rays} rays: {mean}");
            }
        }
    }
}
