//! Vertices sorted into blocks that hang on the same bones, so that a bone's data is the same for a
//! whole block and nothing need be gathered. Where some vertices of a block do not hang on one of its
//! bones, their weight is 0: see [`super::clusters`].
//!
//! ```text
//! lane     0  1  2  3 … 31 │ 32 33 …            a block is a run of lanes, a multiple of 32
//! vertex   7  8 12 40 …  – │  0  1 …            lanes without a vertex have weight 0 everywhere
//! bones    [0 1 4]         │ [0 2]              of the pairs, increasing
//! weights  row per bone and column, a weight per lane
//! ```
//! The CPU runs a block at a time, the GPU 32 lanes of a block per workgroup.

use super::Bound;
use super::clusters::{Cluster, clusters};

pub use jounce_simd::{LANE_GROUP, MOST_LANES, NO_VERTEX};

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

impl Blocks {
    pub fn new(bound: &Bound) -> Blocks {
        let clusters = clusters(bound);
        let mut blocks =
            Blocks { weights: vec![Vec::new(); bound.weights.len()], ..Blocks::default() };
        blocks.reserve(&clusters);
        let mut rows = RowOf::default();
        for cluster in &clusters {
            blocks.push(bound, cluster, &mut rows);
        }
        blocks
    }

    pub fn lane_count(&self) -> usize {
        self.vertex_of_lane.len()
    }

    fn reserve(&mut self, clusters: &[Cluster]) {
        let lanes = |cluster: &Cluster| cluster.vertices.len().next_multiple_of(LANE_GROUP);
        let rows = |of: &dyn Fn(&Cluster) -> usize| clusters.iter().map(of).sum();
        self.vertex_of_lane.reserve_exact(rows(&lanes));
        self.skin_weights
            .reserve_exact(rows(&|cluster| lanes(cluster) * cluster.lists.bindings.len()));
        for weights in &mut self.weights {
            weights.reserve_exact(rows(&|cluster| lanes(cluster) * cluster.lists.bones.len()));
        }
    }

    fn push(&mut self, bound: &Bound, cluster: &Cluster, row_of: &mut RowOf) {
        let Cluster { vertices, lists } = cluster;
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
        row_of.set(&lists.bindings);
        for (lane, &vertex) in vertices.iter().enumerate() {
            let skin = bound.skin.iter().flat_map(|skin| skin.influences.of(vertex as usize));
            for influence in skin {
                skin_rows[row_of.get(influence.index) * lanes + lane] += influence.weight;
            }
        }
        row_of.set(&lists.bones);
        for (rows, weights) in self.weights.iter_mut().zip(&*bound.weights) {
            rows.resize(block.first_weight + lanes * lists.bones.len(), 0.0);
            let rows = &mut rows[block.first_weight..];
            for (lane, &vertex) in vertices.iter().enumerate() {
                for pair in bound.pairs.of(vertex as usize) {
                    let row = row_of.get(bound.pairs.bones[pair]);
                    rows[row * lanes + lane] += weights[pair] as f32;
                }
            }
        }
        self.blocks.push(block);
    }
}

/// Which row of a block belongs to a bone or a binding.
#[derive(Default)]
struct RowOf(Vec<usize>);

impl RowOf {
    /// All that a block's vertices hang on is in its list, so nothing of the last block is read.
    fn set(&mut self, list: &[u32]) {
        let count = list.last().map_or(0, |&last| last as usize + 1);
        self.0.resize(self.0.len().max(count), 0);
        for (row, &index) in list.iter().enumerate() {
            self.0[index as usize] = row;
        }
    }

    fn get(&self, index: u32) -> usize {
        self.0[index as usize]
    }
}
