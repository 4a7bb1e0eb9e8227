//! The surface of a field as an even, watertight triangle mesh.
//!
//! Space is cut into regions of 4³ blocks of 8³ cells. Those that the surface cannot reach are skipped by the
//! distance at their centre; the others are meshed by surface nets, a vertex or more per cell the
//! surface crosses. Two blocks see the cells between them both, so vertices are welded by their cell.
//! Then the vertices slide along the surface until the triangles are even.

use super::field::{DistanceField, Local};
use super::nets::{Key, Net, Samples, net};
use glam::{IVec3, Vec3};
use jounce_base::parallel::*;
use std::collections::HashMap;

const BLOCK_CELLS: i32 = 8;
/// Blocks along each side of a region, the unit of parallel work.
const REGION_BLOCKS: i32 = 4;
/// Samples along each side of a block: its own cells, and one that the neighbour sees too.
const SAMPLES: i32 = BLOCK_CELLS + 2;
/// Flattened shapes and ellipsoids bend distances by up to this factor.
pub const MARGIN: f32 = 1.4;

/// Vertices of the mesh that is counted to find the step of the real one.
const COARSE: usize = 6000;
const MOST_ATTEMPTS: usize = 8;
const EVENING_ROUNDS: usize = 4;

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
pub fn mesh(field: &DistanceField, target: usize) -> Surface<'_> {
    // The number of cells a surface crosses grows with 1/step². One coarse count gives the factor.
    let bounds = field.bounds();
    let coarse_target = target.min(COARSE) as f32;
    let mut step = (bounds[1] - bounds[0]).length() / 60.0;
    // The first guess may be far off; a large mesh is worth a second look at a small one.
    let passes = if target > 2 * COARSE { 2 } else { 1 };
    for _ in 0..passes {
        let count = nets(field, Grid::new(step, 0)).positions.len().max(1);
        step *= (count as f32 / coarse_target).sqrt();
    }
    step *= (coarse_target / target as f32).sqrt();

    for attempt in 0..MOST_ATTEMPTS {
        let mut surface = nets(field, Grid::new(step, attempt));
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

fn nets(field: &DistanceField, grid: Grid) -> Surface<'_> {
    let region_size = grid.step * (BLOCK_CELLS * REGION_BLOCKS) as f32;
    let [low, high] = field.bounds().map(|corner| (corner - grid.origin) / region_size);
    // One cell more on every side, in case the surface touches the box.
    let low = (low - 0.1).floor().as_ivec3();
    let count = (high + 0.1).ceil().as_ivec3() - low;
    let whole = field.whole();
    let blocks: Vec<Block> = (0..count.x * count.y * count.z)
        .into_par_iter()
        .flat_map_iter(|i| {
            let region = IVec3::new(i % count.x, i / count.x % count.y, i / (count.x * count.y));
            mesh_region(&whole, grid, (low + region) * REGION_BLOCKS)
        })
        .collect();
    largest_piece(weld(blocks, grid))
}

/// Looks at the whole field once for many blocks: most of them are far from the surface.
fn mesh_region<'f>(whole: &Local<'f>, grid: Grid, first_block: IVec3) -> Vec<Block<'f>> {
    let cube = Cube { low: IVec3::ZERO, corners: BLOCK_CELLS * REGION_BLOCKS + 2 };
    let (center, radius) = cube.ball(grid, first_block * BLOCK_CELLS);
    if whole.distance(center).abs() > radius * MARGIN {
        return Vec::new();
    }
    let local = whole.within(center, radius + 2.0 * grid.step);
    let n = REGION_BLOCKS;
    (0..n * n * n)
        .map(|i| first_block + IVec3::new(i % n, i / n % n, i / (n * n)))
        .filter_map(|block| mesh_block(&local, grid, block))
        .collect()
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

/// A character is one skin. Where two shapes meet at a narrow angle a bubble may be enclosed between
/// them, which nobody can see; it goes.
fn largest_piece(surface: Surface) -> Surface {
    let piece_of_vertex = connected_pieces(surface.positions.len(), &surface.triangles);
    let mut sizes = vec![0u32; surface.positions.len()];
    piece_of_vertex.iter().for_each(|&piece| sizes[piece as usize] += 1);
    let largest = (0..sizes.len()).max_by_key(|&piece| (sizes[piece], std::cmp::Reverse(piece)));
    let kept = |vertex: usize| Some(piece_of_vertex[vertex] as usize) == largest;

    let mut new_index = vec![u32::MAX; surface.positions.len()];
    let mut positions = Vec::with_capacity(surface.positions.len());
    let mut local_of_vertex = Vec::with_capacity(surface.positions.len());
    for vertex in (0..surface.positions.len()).filter(|&vertex| kept(vertex)) {
        new_index[vertex] = positions.len() as u32;
        positions.push(surface.positions[vertex]);
        local_of_vertex.push(surface.local_of_vertex[vertex]);
    }
    let triangles = surface.triangles.iter().filter(|corners| kept(corners[0] as usize));
    let triangles = triangles.map(|corners| corners.map(|corner| new_index[corner as usize]));
    Surface { triangles: triangles.collect(), positions, local_of_vertex, ..surface }
}

/// For each vertex the least vertex it hangs together with.
fn connected_pieces(vertices: usize, triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut above: Vec<u32> = (0..vertices as u32).collect();
    fn top(above: &mut [u32], mut vertex: u32) -> u32 {
        while above[vertex as usize] != vertex {
            // Halving the path keeps the way up short.
            above[vertex as usize] = above[above[vertex as usize] as usize];
            vertex = above[vertex as usize];
        }
        vertex
    }
    for &[a, b, c] in triangles {
        for (from, to) in [(a, b), (b, c)] {
            let (from, to) = (top(&mut above, from), top(&mut above, to));
            above[from.max(to) as usize] = from.min(to);
        }
    }
    (0..vertices as u32).map(|vertex| top(&mut above, vertex)).collect()
}

/// Slides vertices towards the middle of their neighbours, in the tangent plane, and back onto the
/// surface. Ends with normals from the field's gradient.
fn even_out(surface: &mut Surface, step: f32) {
    let neighbours = Neighbours::new(surface.positions.len(), &surface.triangles);
    let probe = (0.05 * step).max(2e-4);
    surface.normals = vec![Vec3::ZERO; surface.positions.len()];
    for round in 0..=EVENING_ROUNDS {
        let moved: Vec<(Vec3, Vec3)> = (0..surface.positions.len())
            .into_par_iter()
            .map(|vertex| {
                let here = surface.positions[vertex];
                let local = surface.local(vertex).within(here, 1.5 * step);
                let normal = surface.normals[vertex];
                let way = neighbours.mean(vertex, &surface.positions) - here;
                // The first round has no normals yet: it only brings the vertices onto the surface.
                let pull = if round == 0 { 0.0 } else { 0.5 };
                let slid = here + pull * (way - normal * way.dot(normal));
                let (there, normal) = local.project(slid, probe, 0.5 * step);
                if round < EVENING_ROUNDS {
                    return (there, normal);
                }
                let (there, _) = local.project(there, probe, 0.5 * step);
                let gradient = local.gradient(there, probe);
                (there, gradient.try_normalize().unwrap_or(Vec3::Y))
            })
            .collect();
        (surface.positions, surface.normals) = moved.into_iter().unzip();
    }
    open_slivers(surface, &neighbours, step);
}

/// In a crease two vertices may slide onto one line with a third. Pulling them towards their
/// neighbours, off the surface by a hair, gives the triangle its area back.
fn open_slivers(surface: &mut Surface, neighbours: &Neighbours, step: f32) {
    let least = 1e-3 * step * step;
    for _ in 0..20 {
        let mut thin: Vec<u32> = surface
            .triangles
            .par_iter()
            .filter(|corners| {
                let [a, b, c] = corners.map(|corner| surface.positions[corner as usize]);
                (b - a).cross(c - a).length() < least
            })
            .flat_map_iter(|corners| *corners)
            .collect();
        if thin.is_empty() {
            return;
        }
        thin.sort_unstable();
        thin.dedup();
        for vertex in thin {
            let vertex = vertex as usize;
            let middle = neighbours.mean(vertex, &surface.positions);
            surface.positions[vertex] = surface.positions[vertex].lerp(middle, 0.3);
        }
    }
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
