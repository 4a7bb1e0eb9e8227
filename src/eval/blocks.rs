//! Vertices sorted into blocks that hang on the same bones, so that a bone's data is the same for a
//! whole block and nothing need be gathered.
//!
//! ```text
//! lane     0  1  2  3 … 31 │ 32 33 …            a block is a run of lanes, a multiple of 32
//! vertex   7  8 12 40 …  – │  0  1 …            lanes without a vertex have weight 0 everywhere
//! bones    [0 1 4]         │ [0 2]              of the pairs, increasing
//! weights  row per bone and column, a weight per lane
//! ```
//! The CPU runs a block at a time, the GPU 32 lanes of a block per workgroup.

use super::Bound;
use std::collections::HashMap;

/// Blocks are padded to a multiple of this.
pub const LANE_GROUP: usize = 32;
/// Lanes of the largest block: a few registers of so many floats fit into the nearest cache.
pub const MOST_LANES: usize = 256;
/// In place of a vertex in lanes that have none.
pub const NO_VERTEX: u32 = u32::MAX;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blocks {
    pub vertex_of_lane: Vec<u32>,
    pub blocks: Vec<Block>,
    /// All blocks' bones of pairs, one block after the other.
    pub bones: Vec<u32>,
    /// All blocks' bindings of the skin, likewise.
    pub bindings: Vec<u32>,
    /// Per block and binding a row of the block's lanes.
    pub skin_weights: Vec<f32>,
    /// Per column of the program, per block and bone a row of the block's lanes.
    pub weights: Vec<Vec<f32>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub first_lane: usize,
    pub lanes: usize,
    pub first_bone: usize,
    pub bone_count: usize,
    pub first_binding: usize,
    pub binding_count: usize,
    /// Where its rows begin in [`Blocks::skin_weights`] and in each of [`Blocks::weights`].
    pub first_skin_weight: usize,
    pub first_weight: usize,
}

/// What a vertex hangs on.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Lists {
    bones: Vec<u32>,
    bindings: Vec<u32>,
}

impl Blocks {
    pub fn new(bound: &Bound) -> Blocks {
        let mut clusters: HashMap<Lists, Vec<u32>> = HashMap::new();
        for vertex in 0..bound.vertex_count() {
            clusters.entry(lists(bound, vertex)).or_default().push(vertex as u32);
        }
        let mut clusters: Vec<(Lists, Vec<u32>)> = clusters.into_iter().collect();
        clusters.sort_unstable();
        let mut blocks =
            Blocks { weights: vec![Vec::new(); bound.weights.len()], ..Blocks::default() };
        for (lists, vertices) in &clusters {
            for some in vertices.chunks(MOST_LANES) {
                blocks.push(bound, lists, some);
            }
        }
        blocks
    }

    pub fn lane_count(&self) -> usize {
        self.vertex_of_lane.len()
    }

    fn push(&mut self, bound: &Bound, lists: &Lists, vertices: &[u32]) {
        let lanes = vertices.len().next_multiple_of(LANE_GROUP);
        let block = Block {
            first_lane: self.vertex_of_lane.len(),
            lanes,
            first_bone: self.bones.len(),
            bone_count: lists.bones.len(),
            first_binding: self.bindings.len(),
            binding_count: lists.bindings.len(),
            first_skin_weight: self.skin_weights.len(),
            first_weight: self.weights.first().map_or(0, Vec::len),
        };
        self.vertex_of_lane.extend_from_slice(vertices);
        self.vertex_of_lane.resize(block.first_lane + lanes, NO_VERTEX);
        self.bones.extend_from_slice(&lists.bones);
        self.bindings.extend_from_slice(&lists.bindings);
        let end = block.first_skin_weight + lanes * lists.bindings.len();
        self.skin_weights.resize(end, 0.0);
        let skin_rows = &mut self.skin_weights[block.first_skin_weight..];
        for (lane, &vertex) in vertices.iter().enumerate() {
            let skin = bound.skin.iter().flat_map(|skin| skin.influences.of(vertex as usize));
            for influence in skin {
                if let Ok(row) = lists.bindings.binary_search(&influence.index) {
                    skin_rows[row * lanes + lane] += influence.weight;
                }
            }
        }
        for (rows, weights) in self.weights.iter_mut().zip(&bound.weights) {
            rows.resize(block.first_weight + lanes * lists.bones.len(), 0.0);
            let rows = &mut rows[block.first_weight..];
            for (lane, &vertex) in vertices.iter().enumerate() {
                for pair in bound.pairs.of(vertex as usize) {
                    if let Ok(row) = lists.bones.binary_search(&bound.pairs.bones[pair]) {
                        rows[row * lanes + lane] += weights[pair] as f32;
                    }
                }
            }
        }
        self.blocks.push(block);
    }
}

/// Sorted, each once.
fn lists(bound: &Bound, vertex: usize) -> Lists {
    let mut bones = bound.pairs.bones[bound.pairs.of(vertex)].to_vec();
    let skin = bound.skin.iter().flat_map(|skin| skin.influences.of(vertex));
    let mut bindings: Vec<u32> = skin.map(|influence| influence.index).collect();
    for list in [&mut bones, &mut bindings] {
        list.sort_unstable();
        list.dedup();
    }
    Lists { bones, bindings }
}
