//! Where skin of one bone is near skin of another at rest. By nearness and not along edges, because rigid
//! pieces share none:
//!
//! ```text
//! C(i, k) = Σ_u area_u a_i(u) Σ over v within 2 % of the size of a_k(v)
//! ```
//! Vertices are put into cells of 1 % of the size first, and cells are compared by the mean of their points. A
//! small mesh has one vertex in a cell, so that this is the sum itself; a large one costs no more than its
//! surface has cells, wherever its vertices are.

use crate::Character;
use crate::weights::{Subtrees, Sums};
use glam::{DVec3, Vec3};
use jounce_base::parallel::*;
use std::collections::{BTreeMap, HashMap};

/// Parts of the size.
const NEAR: f64 = 0.02;
const CELLS_PER_SIZE: f64 = 100.0;
/// Cells that far away, along each axis, can hold what is near.
const REACH: i32 = 2;
/// Of a cell's number along each axis. The largest side has [`CELLS_PER_SIZE`].
const BITS: u32 = 7;
/// Bones that count in one place, and in what is near to it: the strongest. Real rigs have up to a dozen.
const MOST_BONES: usize = 24;
/// Cells that one thread works on at a time.
const CHUNK: usize = 512;

/// C(i, k) by (i, k), where it is not 0 and k is neither i nor below it: nobody comes to hang on those.
pub type Contacts = BTreeMap<(u32, u32), f64>;

/// Of bones in one cell.
struct Cell {
    key: u32,
    mean: DVec3,
    /// (bone, Σ area_u a(u), Σ a(u)).
    bones: Vec<(u32, f64, f64)>,
}

pub fn contacts(character: &Character, subtrees: &Subtrees, size: f64) -> Contacts {
    let cells = cells(character, size);
    // Per cell of the grid 1 + its place in the list, 0 where it is empty.
    let mut places = vec![0_u32; 1 << (3 * BITS)];
    for (place, cell) in cells.iter().enumerate() {
        places[cell.key as usize] = place as u32 + 1;
    }
    let bone_count = character.skeleton.bones.len();
    let of_chunk = |chunk: &[Cell]| {
        let mut near = Sums::new(bone_count);
        let mut sums: HashMap<(u32, u32), f64> = HashMap::new();
        let mut touched: Vec<(u32, f64)> = Vec::new();
        for cell in chunk {
            for other in around(cell, &cells, &places) {
                if cell.mean.distance_squared(other.mean) <= (NEAR * size).powi(2) {
                    other
                        .bones
                        .iter()
                        .for_each(|&(bone, _, weight)| near.add(bone as usize, weight));
                }
            }
            touched.clear();
            touched.extend(near.drain().map(|it| (it.index, f64::from(it.weight))));
            keep_strongest(&mut touched, |&(_, weight)| weight);
            for &(bone, area, _) in cell.bones.iter().filter(|(_, area, _)| *area > 0.0) {
                for &(other, weight) in &touched {
                    if !subtrees.holds(bone as usize, other as usize) {
                        *sums.entry((bone, other)).or_insert(0.0) += area * weight;
                    }
                }
            }
        }
        sums
    };
    // One after the other, so that sums are the same bits on any number of threads.
    let chunks: Vec<HashMap<(u32, u32), f64>> = cells.par_chunks(CHUNK).map(of_chunk).collect();
    let mut contacts = Contacts::new();
    for (pair, sum) in chunks.into_iter().flatten() {
        *contacts.entry(pair).or_insert(0.0) += sum;
    }
    contacts
}

/// Vertices sorted into cells, in the order of these.
fn cells(character: &Character, size: f64) -> Vec<Cell> {
    let positions = &character.rest().positions;
    let (lowest, _) = character.rest_bounds();
    let key_of = |position: &Vec3| {
        let cell = (*position - lowest).as_dvec3() * (CELLS_PER_SIZE / size);
        let [x, y, z] = cell.to_array().map(|x| (x as u32).min((1 << BITS) - 1));
        x << (2 * BITS) | y << BITS | z
    };
    let in_cell = |(vertex, at): (usize, &Vec3)| u64::from(key_of(at)) << 32 | vertex as u64;
    let mut order: Vec<u64> = positions.par_iter().enumerate().map(in_cell).collect();
    order.par_sort_unstable();
    let areas = &character.areas().of_vertex;
    let bone_count = character.skeleton.bones.len();
    let (mut by_area, mut by_count) = (Sums::new(bone_count), Sums::new(bone_count));
    let mut cells = Vec::new();
    for run in order.chunk_by(|a, b| a >> 32 == b >> 32) {
        let mut sum = DVec3::ZERO;
        for &both in run {
            let vertex = both as u32 as usize;
            sum += positions[vertex].as_dvec3();
            for influence in character.skin.of(vertex).iter().filter(|it| it.weight > 0.0) {
                let bone = character.bindings[influence.index as usize].bone;
                by_count.add(bone, influence.weight.into());
                by_area.add(bone, areas[vertex] * f64::from(influence.weight));
            }
        }
        let areas: HashMap<u32, f32> = by_area.drain().map(|it| (it.index, it.weight)).collect();
        let with_area = |index| f64::from(areas.get(&index).copied().unwrap_or(0.0));
        let mut bones: Vec<(u32, f64, f64)> = by_count
            .drain()
            .map(|it| (it.index, with_area(it.index), f64::from(it.weight)))
            .collect();
        keep_strongest(&mut bones, |&(_, _, weight)| weight);
        cells.push(Cell { key: (run[0] >> 32) as u32, mean: sum / run.len() as f64, bones });
    }
    cells
}

/// A cell itself and those around it.
fn around<'c>(cell: &Cell, cells: &'c [Cell], places: &'c [u32]) -> impl Iterator<Item = &'c Cell> {
    let mask = (1 << BITS) - 1;
    let [x, y, z] = [2, 1, 0].map(|axis| (cell.key >> (axis * BITS) & mask) as i32);
    let range = move |at: i32| (at - REACH).max(0)..=(at + REACH).min(mask as i32);
    let rows = range(x).flat_map(move |x| range(y).map(move |y| x << (2 * BITS) | y << BITS));
    let keys = rows.flat_map(move |row| range(z).map(move |z| (row | z) as usize));
    keys.filter_map(|key| cells.get((places[key] as usize).checked_sub(1)?))
}

/// In the order that they had.
fn keep_strongest<T: Copy>(list: &mut Vec<T>, weight: impl Fn(&T) -> f64) {
    if list.len() > MOST_BONES {
        let mut weights: Vec<f64> = list.iter().map(&weight).collect();
        weights.sort_by(|a, b| b.total_cmp(a));
        let least = weights[MOST_BONES];
        list.retain(|one| weight(one) > least);
    }
}
