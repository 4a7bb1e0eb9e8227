//! A few points that stand for all points of a surface, and values carried from them back to all.
//!
//! ```text
//! fine    · · · · · · · · · ·        each point belongs to one that is its neighbour
//!          ╲│╱   ╲│╱   ╲│╱
//! coarse     ●─────●─────●           which are neighbours where points of theirs are
//! ```
//! Repeated until there are few enough; the last level stops in the middle, so that no point is left out
//! without need. Everything takes time in proportion to the edges, also where one point has them all, so that
//! no file can make it slow.

use glam::Vec3;

/// Who stands next to whom, in one array.
#[derive(Clone, Debug, Default)]
pub struct PointGraph {
    offsets: Vec<u32>,
    neighbours: Vec<u32>,
}

impl PointGraph {
    /// Edges may come in any order, direction and number; those from a point to itself are left out.
    pub fn new<I: Iterator<Item = [u32; 2]>>(points: usize, edges: impl Fn() -> I) -> PointGraph {
        let edges = || edges().filter(|[a, b]| a != b);
        let mut ends = vec![0_u32; points + 1];
        for [a, b] in edges() {
            ends[a as usize] += 1;
            ends[b as usize] += 1;
        }
        let mut total = 0;
        for end in &mut ends {
            total += *end;
            *end = total;
        }
        // Filled from behind, so that each end becomes a start.
        let mut neighbours = vec![0; total as usize];
        let mut starts = ends;
        for [a, b] in edges() {
            for (from, to) in [(a, b), (b, a)] {
                starts[from as usize] -= 1;
                neighbours[starts[from as usize] as usize] = to;
            }
        }
        let (mut kept, mut offsets) = (0, Vec::with_capacity(points + 1));
        for point in 0..points {
            offsets.push(kept as u32);
            let (start, end) = (starts[point] as usize, starts[point + 1] as usize);
            neighbours[start..end].sort_unstable();
            for place in start..end {
                if place == start || neighbours[place] != neighbours[place - 1] {
                    neighbours[kept] = neighbours[place];
                    kept += 1;
                }
            }
        }
        offsets.push(kept as u32);
        neighbours.truncate(kept);
        neighbours.shrink_to_fit();
        PointGraph { offsets, neighbours }
    }

    pub fn point_count(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// In increasing order.
    pub fn of(&self, point: usize) -> &[u32] {
        let ends = &self.offsets[point..point + 2];
        &self.neighbours[ends[0] as usize..ends[1] as usize]
    }
}

/// The points that are left, and how to get back.
pub struct Sample {
    /// Per level, from fine to coarse: for each point the coarse one that it belongs to.
    owners: Vec<Vec<u32>>,
    /// The graphs of all levels but the finest.
    graphs: Vec<PointGraph>,
    /// Points of the finest level.
    pub points: Vec<u32>,
}

/// A level that keeps more than this part of the points is no help: then places decide.
const MOST_KEPT: f32 = 0.7;
/// So many points next to each other become one.
const CLUSTER: usize = 4;

impl Sample {
    pub fn new(finest: &PointGraph, positions: &[Vec3], most: usize) -> Sample {
        let all = (0..finest.point_count() as u32).collect();
        let mut sample = Sample { owners: Vec::new(), graphs: Vec::new(), points: all };
        let most = most.max(1);
        while sample.points.len() > most {
            let fine = sample.graphs.last().unwrap_or(finest);
            let mut coarse = by_neighbours(fine, most);
            let kept = coarse.chosen.len();
            if kept > most && kept as f32 > MOST_KEPT * sample.points.len() as f32 {
                let place = |&point: &u32| positions[point as usize];
                coarse = by_place(&sample.points.iter().map(place).collect::<Vec<_>>(), most);
            }
            let Coarse { chosen, owners } = coarse;
            let owner_of = |point: u32| owners[point as usize];
            let owner_of = &owner_of;
            let edges_of = |point: u32| {
                let around = fine.of(point as usize).iter().filter(move |&&other| other > point);
                around.map(move |&other| [owner_of(point), owner_of(other)])
            };
            let points = 0..fine.point_count() as u32;
            let graph = PointGraph::new(chosen.len(), || points.clone().flat_map(edges_of));
            sample.points = chosen.iter().map(|&kept| sample.points[kept as usize]).collect();
            sample.graphs.push(graph);
            sample.owners.push(owners);
        }
        sample
    }

    /// Who of the sample stands next to whom.
    pub fn graph<'a>(&'a self, finest: &'a PointGraph) -> &'a PointGraph {
        self.graphs.last().unwrap_or(finest)
    }

    pub fn is_all(&self) -> bool {
        self.owners.is_empty()
    }

    /// From values of the sample to those of all points: each takes the mean of those that its neighbours
    /// and itself belong to, level by level.
    pub fn spread(&self, finest: &PointGraph, mut values: Vec<f32>) -> Vec<f32> {
        for level in (0..self.owners.len()).rev() {
            let graph = if level == 0 { finest } else { &self.graphs[level - 1] };
            let owners = &self.owners[level];
            let of = |point: usize| values[owners[point] as usize];
            let mean = |point: usize| {
                let around = graph.of(point);
                let sum: f32 = around.iter().map(|&other| of(other as usize)).sum();
                (sum + of(point)) / (around.len() + 1) as f32
            };
            values = (0..owners.len()).map(mean).collect();
        }
        values
    }
}

struct Coarse {
    /// Points of the finer level.
    chosen: Vec<u32>,
    owners: Vec<u32>,
}

/// Each point that belongs to nobody yet is chosen, and takes those of its neighbours that are left, until
/// the chosen and all that are left are few enough.
fn by_neighbours(graph: &PointGraph, most: usize) -> Coarse {
    const NOBODY: u32 = u32::MAX;
    let mut owners = vec![NOBODY; graph.point_count()];
    let mut chosen = Vec::new();
    let mut left = graph.point_count();
    for point in 0..graph.point_count() {
        if owners[point] != NOBODY {
            continue;
        }
        let owner = chosen.len() as u32;
        chosen.push(point as u32);
        owners[point] = owner;
        left -= 1;
        for &other in graph.of(point) {
            if chosen.len() + left <= most {
                break;
            }
            let other = &mut owners[other as usize];
            if *other == NOBODY {
                *other = owner;
                left -= 1;
            }
        }
    }
    Coarse { chosen, owners }
}

/// Points in the order of a curve that fills space, a few at a time until there are few enough.
fn by_place(positions: &[Vec3], most: usize) -> Coarse {
    let (lowest, highest) = super::bounds(positions);
    let scale = 1023.0 / (highest - lowest).max_element().max(f32::MIN_POSITIVE);
    let on_curve = |point: &u32| {
        let cell = (positions[*point as usize] - lowest) * scale;
        cell.to_array().iter().enumerate().map(|(axis, &x)| spaced(x as u32) << axis).sum::<u32>()
    };
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    order.sort_by_cached_key(on_curve);
    let mut owners = vec![0; positions.len()];
    let mut chosen = Vec::new();
    let mut rest = order.as_slice();
    while !rest.is_empty() {
        let count = if chosen.len() + rest.len() <= most { 1 } else { CLUSTER.min(rest.len()) };
        let (cluster, after) = rest.split_at(count);
        cluster.iter().for_each(|&point| owners[point as usize] = chosen.len() as u32);
        chosen.push(cluster[0]);
        rest = after;
    }
    Coarse { chosen, owners }
}

/// The ten lowest bits, with two zeros behind each.
fn spaced(x: u32) -> u32 {
    (0..10).map(|bit| (x & 1 << bit) << (2 * bit)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(side: u32) -> (PointGraph, Vec<Vec3>) {
        let edges = || {
            (0..side * side).flat_map(move |point| {
                let right = (point % side + 1 < side).then_some([point, point + 1]);
                let below = (point / side + 1 < side).then_some([point + side, point]);
                // Twice and to itself: both must not matter.
                right.into_iter().chain(below).chain(right).chain([[point, point]])
            })
        };
        let place = |point: u32| Vec3::new((point % side) as f32, (point / side) as f32, 0.0);
        (PointGraph::new((side * side) as usize, edges), (0..side * side).map(place).collect())
    }

    #[test]
    fn neighbours_are_listed_once_and_in_order() {
        let (graph, _) = grid(3);
        assert_eq!(graph.of(0), [1, 3]);
        assert_eq!(graph.of(4), [1, 3, 5, 7]);
        assert_eq!(graph.of(8), [5, 7]);
    }

    #[test]
    fn what_changes_evenly_comes_back_from_a_sample() {
        let (graph, positions) = grid(100);
        let sample = Sample::new(&graph, &positions, 700);
        assert_eq!(sample.points.len(), 700);
        assert_eq!(sample.graph(&graph).point_count(), 700);
        let height = |&point: &u32| positions[point as usize].y;
        let all = sample.spread(&graph, sample.points.iter().map(height).collect());
        for (found, place) in all.iter().zip(&positions) {
            assert!((found - place.y).abs() < 8.0, "{found} at {place}");
        }
    }

    #[test]
    fn few_points_are_all_taken_and_loose_ones_are_gathered() {
        let (graph, positions) = grid(10);
        let sample = Sample::new(&graph, &positions, 100);
        assert_eq!(sample.points.len(), 100);
        let values: Vec<f32> = (0..100).map(|x| x as f32).collect();
        assert_eq!(sample.spread(&graph, values.clone()), values);
        let loose = PointGraph::new(100, std::iter::empty);
        let sample = Sample::new(&loose, &positions, 30);
        assert_eq!(sample.points.len(), 28);
        let star = PointGraph::new(1000, || (1..1000).map(|point| [0, point]));
        let sample = Sample::new(&star, &vec![Vec3::ZERO; 1000], 10);
        assert_eq!(sample.points, [0, 991, 992, 993, 994, 995, 996, 997, 998, 999]);
    }

    #[test]
    fn one_point_too_many_leaves_out_no_more_than_one() {
        let (graph, positions) = grid(50);
        assert_eq!(Sample::new(&graph, &positions, 2499).points.len(), 2499);
        let loose = PointGraph::new(2500, std::iter::empty);
        assert_eq!(Sample::new(&loose, &positions, 2499).points.len(), 2497);
    }
}
