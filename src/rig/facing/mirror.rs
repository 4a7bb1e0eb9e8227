//! Upright planes that a body is the same on both sides of.

use glam::{DVec2, Vec3};

/// Planes that are tried, over half a turn.
const ANGLES: usize = 90;
/// Points that are mirrored, and those that they may meet.
const MIRRORED: usize = 200;
const MET: usize = 12_000;
/// A cell of the grid that points are looked up in, in sizes; what is farther from all is as far as this.
const CELL: f32 = 0.03;
/// A body whose mirrored points are farther from it than this, in sizes, on average, has no such plane.
const WORST: f64 = 0.02;
/// Planes that are this much worse than the best are as good: about so uneven are two halves that were drawn.
const AS_GOOD: f64 = 1.3;
const AS_GOOD_ALWAYS: f64 = 0.0015;
/// Where so many are as good the body is round.
const ROUND: usize = ANGLES / 2;

/// Directions along such planes, x and z, each standing for both ways; none where there is no plane, and none
/// for bodies that are round.
pub fn directions(positions: &[Vec3]) -> Vec<DVec2> {
    let (lowest, highest) = crate::bounds(positions);
    let size = (highest - lowest).max_element();
    let middle = (lowest + highest) * 0.5;
    let in_sizes = |position: &Vec3| (*position - middle) / size;
    let stride = |most: usize| positions.len().div_ceil(most).max(1);
    let some = |most: usize| positions.iter().step_by(stride(most)).map(in_sizes);
    let met = Grid::new(some(MET).filter(|point| point.is_finite()));
    let mirrored: Vec<Vec3> = some(MIRRORED).filter(|point| point.is_finite()).collect();
    if mirrored.is_empty() {
        return Vec::new();
    }
    let angle = |index: usize| std::f64::consts::PI * index as f64 / ANGLES as f64;
    let normals = || (0..ANGLES).map(|index| DVec2::from_angle(angle(index)));
    let misses: Vec<f64> = normals().map(|normal| miss(&met, &mirrored, normal)).collect();
    let best = misses.iter().copied().fold(f64::INFINITY, f64::min);
    if !(best < WORST) {
        return Vec::new();
    }
    let is_as_good = |miss: f64| miss <= AS_GOOD * best + AS_GOOD_ALWAYS;
    let good = normals().zip(misses).filter(|(_, miss)| is_as_good(*miss));
    let along: Vec<DVec2> = good.map(|(normal, _)| normal.perp()).collect();
    if along.len() >= ROUND { Vec::new() } else { along }
}

/// How far mirrored points are from the body, on average. The plane goes through the middle of what the body
/// covers across it, or through the middle of its points, whichever fits better: a sword moves only one.
fn miss(met: &Grid, mirrored: &[Vec3], normal: DVec2) -> f64 {
    let normal = Vec3::new(normal.x as f32, 0.0, normal.y as f32);
    let across = || mirrored.iter().map(|point| point.dot(normal));
    let (low, high) = across()
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
    let mean = across().sum::<f32>() / mirrored.len() as f32;
    let through = |offset: f32| {
        let mirror = |point: &Vec3| *point - normal * (2.0 * (point.dot(normal) - offset));
        let sum: f32 = mirrored.iter().map(|point| met.nearest(mirror(point))).sum();
        f64::from(sum / mirrored.len() as f32)
    };
    through(0.5 * (low + high)).min(through(mean))
}

/// Cells along each side of the grid: all of the body, which is 1 long, and one more on each side.
const SIDE: i32 = (1.0 / CELL) as i32 + 3;

/// Points by the cell they are in.
struct Grid {
    cells: Vec<Vec<Vec3>>,
}

impl Grid {
    fn new(points: impl Iterator<Item = Vec3>) -> Grid {
        let mut cells = vec![Vec::new(); (SIDE * SIDE * SIDE) as usize];
        for point in points {
            if let Some(place) = place(cell(point)) {
                cells[place].push(point);
            }
        }
        Grid { cells }
    }

    /// How far the nearest point is, or [`CELL`] where none is nearer.
    fn nearest(&self, point: Vec3) -> f32 {
        let [x, y, z] = cell(point);
        let around = (-1..=1).flat_map(|i| (-1..=1).map(move |j| (i, j)));
        let around = around.flat_map(|(i, j)| (-1..=1).map(move |k| [x + i, y + j, z + k]));
        let points = around.filter_map(place).flat_map(|place| &self.cells[place]);
        let nearest =
            points.map(|other| other.distance_squared(point)).fold(f32::INFINITY, f32::min);
        nearest.sqrt().min(CELL)
    }
}

/// From the middle of the body.
fn cell(point: Vec3) -> [i32; 3] {
    (point / CELL).floor().to_array().map(|at| at as i32)
}

/// None outside of the grid.
fn place(cell: [i32; 3]) -> Option<usize> {
    let [x, y, z] = cell.map(|at| at.saturating_add(SIDE / 2));
    let is_inside = [x, y, z].iter().all(|at| (0..SIDE).contains(at));
    is_inside.then(|| ((x * SIDE + y) * SIDE + z) as usize)
}
