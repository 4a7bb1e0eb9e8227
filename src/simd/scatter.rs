//! Results in the order of vertices, written by many threads at once.
//!
//! Each vertex stands in one lane of one block, so blocks never write to the same place.

use super::NO_VERTEX;
use super::row_file::{OwnRows, RowFile};
use glam::Vec3;
use jounce_base::parallel::*;
use std::marker::PhantomData;
use std::ops::Range;

/// Which vertices each block has: checked to be different ones.
pub struct LaneMap {
    vertices: Vec<u32>,
    /// Per block its first lane, and how many of its lanes have a vertex.
    blocks: Vec<(usize, usize)>,
    vertex_count: usize,
}

impl LaneMap {
    /// `blocks` are runs of lanes. None where a vertex stands in two lanes, in a lane behind an empty
    /// one, or does not exist.
    pub fn new(
        vertex_of_lane: &[u32],
        blocks: impl Iterator<Item = Range<usize>>,
        vertex_count: usize,
    ) -> Option<LaneMap> {
        let mut is_known = vec![false; vertex_count];
        let mut ranges = Vec::new();
        for block in blocks {
            let lanes = vertex_of_lane.get(block.clone())?;
            let used = lanes.iter().position(|&v| v == NO_VERTEX).unwrap_or(lanes.len());
            for &vertex in &lanes[..used] {
                let is_new = !std::mem::replace(is_known.get_mut(vertex as usize)?, true);
                is_new.then_some(())?;
            }
            lanes[used..].iter().all(|&v| v == NO_VERTEX).then_some(())?;
            ranges.push((block.start, used));
        }
        Some(LaneMap { vertices: vertex_of_lane.to_vec(), blocks: ranges, vertex_count })
    }

    /// The vertices of a block, in the order of its first lanes.
    pub fn vertices(&self, block: usize) -> &[u32] {
        let (first_lane, used) = self.blocks[block];
        &self.vertices[first_lane..first_lane + used]
    }
}

/// A list of vectors that blocks write into.
struct SharedVectors<'a> {
    first: *mut Vec3,
    length: usize,
    owner: PhantomData<&'a mut [Vec3]>,
}

// Safety: only [`BlockOut`]s write through it, each to the vertices of its own block.
unsafe impl Sync for SharedVectors<'_> {}
// Safety: it is a mutable borrow.
unsafe impl Send for SharedVectors<'_> {}

impl<'a> SharedVectors<'a> {
    fn new(list: &'a mut [Vec3]) -> SharedVectors<'a> {
        SharedVectors { first: list.as_mut_ptr(), length: list.len(), owner: PhantomData }
    }
}

/// What one block may write to.
pub struct BlockOut<'a> {
    lists: &'a [SharedVectors<'a>],
    vertices: &'a [u32],
}

impl BlockOut<'_> {
    /// Three rows go to one of the lists. A list that is not wanted is empty, and stays so.
    pub fn write(&mut self, list: usize, rows: &RowFile, places: [usize; 3]) {
        let shared = &self.lists[list];
        if shared.length == 0 {
            return;
        }
        let [x, y, z] = places.map(|place| rows.row(place, self.vertices.len()));
        let first = shared.first;
        for (((&vertex, &x), &y), &z) in self.vertices.iter().zip(x).zip(y).zip(z) {
            // Safety: [`for_each_block`] saw that the list has all vertices; `LaneMap` saw that the
            // vertex is one of them, and that no other block has it.
            unsafe { *first.add(vertex as usize) = Vec3::new(x, y, z) }
        }
    }

    pub fn fill(&mut self, list: usize, v: Vec3) {
        let shared = &self.lists[list];
        for &vertex in self.vertices.iter().filter(|_| shared.length > 0) {
            // Safety: as above.
            unsafe { *shared.first.add(vertex as usize) = v }
        }
    }
}

/// Runs `work` once for every block of every instance, on all threads. An instance has `LISTS` lists,
/// each empty or as long as there are vertices.
pub fn for_each_block<'a, const LISTS: usize>(
    map: &LaneMap,
    instances: impl Iterator<Item = [&'a mut [Vec3]; LISTS]>,
    row_count: usize,
    work: impl Fn(&mut RowFile, usize, usize, &mut BlockOut) + Sync + Send,
) {
    let shared: Vec<[SharedVectors; LISTS]> =
        instances.map(|lists| lists.map(SharedVectors::new)).collect();
    let fits = |list: &SharedVectors| list.length == 0 || list.length == map.vertex_count;
    assert!(shared.iter().flatten().all(fits));
    let blocks = map.blocks.len();
    let tasks = (0..shared.len() * blocks).into_par_iter();
    tasks.for_each_init(
        || OwnRows::take(row_count),
        |rows, task| {
            let (instance, block) = (task / blocks, task % blocks);
            let mut out = BlockOut { lists: &shared[instance], vertices: map.vertices(block) };
            work(rows, instance, block, &mut out);
        },
    );
}
