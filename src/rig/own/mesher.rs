//! The surface of a field as an even, watertight triangle mesh.
//!
//! Space is cut into blocks of 8³ cells. Blocks that the surface cannot reach are skipped by the
//! distance at their centre; the others are meshed by surface nets, a vertex or more per cell the
//! surface crosses. Two blocks see the cells between them both, so vertices are welded by their cell.
//! Then the vertices slide along the surface until the triangles are even.

use super::field::{Field, Local};
use super::nets::{Key, Net, Samples, net};
use glam::{IVec3, Vec3};
use rayon::prelude::*;
use std::collections::HashMap;

const BLOCK_CELLS: i32 = 8;
/// Samples along each side of a block: its own cells, and one that the neighbour sees too.
const SAMPLES: i32 = BLOCK_CELLS + 2;
/// Flattened shapes and ellipsoids bend distances by up to this factor.
pub const MARGIN: f32 = 1.4;

const MOST_ATTEMPTS: usize = 8;
const EVENING_ROUNDS: usize = 5;

pub struct Surface<'f> {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    locals: Vec<Local<'f>>,
    local_of_vertex: Vec<u32>,
}

struct Block<'f> {
    local: Local<'f>,
    net: Net,
}

/// Where the sampling grid stands.
#[derive(Clone, Copy)]
pub struct Grid {
    pub step: f32,
    pub origin: Vec3,
}

impl Surface<'_> {
    /// The field near a vertex.
    pub fn local(&self, vertex: usize) -> &Local<'_> {
        &self.locals[self.local_of_vertex[vertex] as usize]
    }
}

/// Meshes the surface with about `target` vertices: within 3 %, or as near as the grid allows.
pub fn mesh(field: &Field, target: usize) -> Surface<'_> {
    // The number of cells a surface crosses grows with 1/step². One coarse count gives the factor.
    let t0 = std::time::Instant::now();
    let bounds = field.bounds();
    let coarse_target = target.min(6000) as f32;
    let mut step = (bounds[1] - bounds[0]).length() / 60.0;
    for _ in 0..2 {
        let count = nets(field, Grid::new(step, 0)).positions.len().max(1);
        step *= (count as f32 / coarse_target).sqrt();
    }
    step *= (coarse_target / target as f32).sqrt();

    eprintln!("  calibrated {:?}", t0.elapsed());
    for attempt in 0..MOST_ATTEMPTS {
        let mut surface = nets(field, Grid::new(step, attempt));
        eprintln!(
            "  attempt {attempt} step {step} n {} t {:?}",
            surface.positions.len(),
            t0.elapsed()
        );
        let ratio = surface.positions.len() as f32 / target as f32;
        if (ratio - 1.0).abs() > 0.03 {
            step *= ratio.sqrt();
            continue;
        }
        if is_manifold(&surface.triangles) {
            even_out(&mut surface, step);
            return surface;
        }
    }
    let mut surface = nets(field, Grid::new(step, MOST_ATTEMPTS));
    even_out(&mut surface, step);
    surface
}

impl Grid {
    /// Where two sheets meet in two neighbouring cells, they may still be glued at one edge. That
    /// is rare and hangs on where the samples fall, so every attempt shifts the grid.
    fn new(step: f32, attempt: usize) -> Grid {
        let shift = Vec3::new(0.137, 0.291, 0.413) * (attempt as f32 + 1.0);
        Grid { step, origin: (shift - shift.floor()) * step }
    }

    fn point(&self, cell: Vec3) -> Vec3 {
        self.origin + cell * self.step
    }
}

fn nets(field: &Field, grid: Grid) -> Surface<'_> {
    let block_size = grid.step * BLOCK_CELLS as f32;
    let [low, high] = field.bounds().map(|corner| (corner - grid.origin) / block_size);
    let low = low.floor().as_ivec3() - 1;
    let count = high.ceil().as_ivec3() + 1 - low;
    let whole = field.whole();
    let blocks: Vec<Block> = (0..count.x * count.y * count.z)
        .into_par_iter()
        .filter_map(|i| {
            let block = IVec3::new(i % count.x, i / count.x % count.y, i / (count.x * count.y));
            mesh_block(&whole, grid, low + block)
        })
        .collect();
    weld(blocks, grid)
}

fn mesh_block<'f>(whole: &Local<'f>, grid: Grid, block: IVec3) -> Option<Block<'f>> {
    let first = block * BLOCK_CELLS;
    let cube = Cube { low: IVec3::ZERO, corners: SAMPLES };
    let (center, radius) = cube.ball(grid, first);
    if whole.distance(center).abs() > radius * MARGIN {
        return None;
    }
    // Evening out moves a vertex by less than two cells.
    let local = whole.within(center, radius + 2.0 * grid.step);
    let mut samples =
        Samples { cells: SAMPLES - 1, values: vec![0.0; (SAMPLES * SAMPLES * SAMPLES) as usize] };
    sample(&mut samples.values, &local, grid, first, cube);
    let net = net(&samples, first);
    (!net.triangles.is_empty()).then_some(Block { local, net })
}

/// A part of a block's samples.
#[derive(Clone, Copy)]
struct Cube {
    low: IVec3,
    corners: i32,
}

impl Cube {
    fn ball(&self, grid: Grid, first: IVec3) -> (Vec3, f32) {
        let half = (self.corners - 1) as f32 / 2.0;
        let center = grid.point((first + self.low).as_vec3() + half);
        (center, grid.step * half * 3f32.sqrt())
    }

    fn samples(self) -> impl Iterator<Item = IVec3> {
        let n = self.corners;
        (0..n * n * n).map(move |i| self.low + IVec3::new(i % n, i / n % n, i / (n * n)))
    }
}

/// Fills in the distances. An eighth of the block that the surface cannot reach gets the distance
/// at its centre: only the sign is read there.
fn sample(values: &mut [f32], local: &Local, grid: Grid, first: IVec3, cube: Cube) {
    let index = |at: IVec3| (at.x + SAMPLES * (at.y + SAMPLES * at.z)) as usize;
    let half = cube.corners / 2;
    for eighth in 0..8 {
        let side = IVec3::new(eighth & 1, eighth >> 1 & 1, eighth >> 2);
        let part = Cube { low: cube.low + side * half, corners: half };
        let (center, radius) = part.ball(grid, first);
        let distance = local.distance(center);
        if distance.abs() > (radius + grid.step) * MARGIN {
            part.samples().for_each(|at| values[index(at)] = distance);
            continue;
        }
        let near = local.within(center, radius);
        for at in part.samples() {
            let point = grid.point((first + at).as_vec3());
            values[index(at)] = near.distance(point);
        }
    }
}

fn weld<'f>(blocks: Vec<Block<'f>>, grid: Grid) -> Surface<'f> {
    let mut surface = Surface {
        positions: Vec::new(),
        normals: Vec::new(),
        triangles: Vec::new(),
        locals: Vec::with_capacity(blocks.len()),
        local_of_vertex: Vec::new(),
    };
    let mut vertex_of_key: HashMap<Key, u32> = HashMap::new();
    for (index, block) in blocks.into_iter().enumerate() {
        let mut welded = |corner: u32| {
            let (key, place) = block.net.vertices[corner as usize];
            *vertex_of_key.entry(key).or_insert_with(|| {
                surface.positions.push(grid.point(place));
                surface.local_of_vertex.push(index as u32);
                surface.positions.len() as u32 - 1
            })
        };
        let triangles = block.net.triangles.iter();
        surface.triangles.extend(triangles.map(|corners| corners.map(&mut welded)));
        surface.locals.push(block.local);
    }
    surface
}

/// Slides vertices towards the middle of their neighbours, in the tangent plane, and back onto the
/// surface. Ends with normals from the field's gradient.
fn even_out(surface: &mut Surface, step: f32) {
    let neighbours = Neighbours::new(surface.positions.len(), &surface.triangles);
    let probe = (0.05 * step).max(2e-4);
    for _ in 0..EVENING_ROUNDS {
        surface.positions = (0..surface.positions.len())
            .into_par_iter()
            .map(|vertex| {
                let local = surface.local(vertex);
                let here = surface.positions[vertex];
                let normal = local.gradient(here, probe).normalize_or_zero();
                let way = neighbours.mean(vertex, &surface.positions) - here;
                let slid = here + 0.5 * (way - normal * way.dot(normal));
                let slid = local.project(slid, probe, 0.5 * step);
                local.project(slid, probe, 0.5 * step)
            })
            .collect();
    }
    surface.normals = (0..surface.positions.len())
        .into_par_iter()
        .map(|vertex| {
            let gradient = surface.local(vertex).gradient(surface.positions[vertex], probe);
            gradient.try_normalize().unwrap_or(Vec3::Y)
        })
        .collect();
}

/// Whether every edge is shared by exactly two triangles.
pub fn is_manifold(triangles: &[[u32; 3]]) -> bool {
    let mut edges: Vec<u64> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
        .map(|(a, b)| u64::from(a.min(b)) << 32 | u64::from(a.max(b)))
        .collect();
    edges.par_sort_unstable();
    edges.chunk_by(|a, b| a == b).all(|same| same.len() == 2)
}

/// The vertices around each vertex.
pub struct Neighbours {
    starts: Vec<u32>,
    ring: Vec<u32>,
}

impl Neighbours {
    /// In a closed mesh every edge runs once in each direction, so the outgoing edges are the ring.
    pub fn new(vertices: usize, triangles: &[[u32; 3]]) -> Neighbours {
        let mut starts = vec![0u32; vertices + 1];
        for corner in triangles.iter().flatten() {
            starts[*corner as usize + 1] += 1;
        }
        for i in 0..vertices {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut ring = vec![0; triangles.len() * 3];
        for &[a, b, c] in triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                ring[next[from as usize] as usize] = to;
                next[from as usize] += 1;
            }
        }
        Neighbours { starts, ring }
    }

    pub fn of(&self, vertex: usize) -> &[u32] {
        &self.ring[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    fn mean(&self, vertex: usize, positions: &[Vec3]) -> Vec3 {
        let ring = self.of(vertex);
        let sum: Vec3 = ring.iter().map(|&other| positions[other as usize]).sum();
        sum / ring.len().max(1) as f32
    }
}
