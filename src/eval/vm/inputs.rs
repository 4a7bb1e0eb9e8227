//! What a character gives to each lane, in the order of blocks.
//!
//! ```text
//! block 0: rest position x y z, bind normal x y z, rest normal x y z, pivot, maps …
//! block 1: …                                       each a row of the block's lanes
//! ```
//! Bind positions, x y z, have a list of their own: every frame reads all of them and mostly nothing
//! else, and what is read in one go comes fastest.

use crate::blocks::{Block, Blocks};
use crate::{Bound, Skin};
use glam::Vec3;
use jounce_rig::Influence;

pub struct Inputs {
    maps: usize,
    bind_positions: Vec<f32>,
    floats: Vec<f32>,
    /// No coordinate of a blended vertex is larger than this times the largest number in a matrix.
    reach: f64,
}

impl Inputs {
    pub const REST_POSITION: usize = 0;
    pub const BIND_NORMAL: usize = 3;
    pub const REST_NORMAL: usize = 6;
    /// Which of the block's bindings is a vertex's strongest; −1: it hangs on none.
    pub const PIVOT: usize = 9;
    const MAPS: usize = 10;

    pub fn new(bound: &Bound, blocks: &Blocks) -> Inputs {
        let mut inputs = Inputs {
            maps: bound.maps.len(),
            bind_positions: vec![0.0; blocks.lane_count() * 3],
            floats: Vec::new(),
            reach: bound.skin.as_deref().map_or(0.0, reach),
        };
        inputs.floats.resize(blocks.lane_count() * inputs.row_count(), 0.0);
        for block in &blocks.blocks {
            let vertices = &blocks.vertex_of_lane[block.first_lane..][..block.lanes];
            let bindings = &blocks.bindings[block.first_binding..][..block.binding_count];
            let count = inputs.row_count();
            let rows = &mut inputs.floats[block.first_lane * count..][..block.lanes * count];
            let bind_rows = &mut inputs.bind_positions[block.first_lane * 3..];
            for (lane, &vertex) in vertices.iter().enumerate() {
                let vertex = vertex as usize;
                if vertex >= bound.vertex_count() {
                    continue;
                }
                let mut set = |first_row: usize, v: [f32; 3]| {
                    for (i, x) in v.into_iter().enumerate() {
                        rows[(first_row + i) * block.lanes + lane] = x;
                    }
                };
                set(Inputs::REST_POSITION, bound.rest_positions[vertex].as_vec3().to_array());
                set(Inputs::REST_NORMAL, bound.rest_normals[vertex].as_vec3().to_array());
                if let Some(skin) = &bound.skin {
                    for (i, x) in skin.positions[vertex].to_array().into_iter().enumerate() {
                        bind_rows[i * block.lanes + lane] = x;
                    }
                    set(Inputs::BIND_NORMAL, skin.normals[vertex].to_array());
                    rows[Inputs::PIVOT * block.lanes + lane] =
                        pivot(skin.influences.of(vertex), bindings);
                }
            }
        }
        for (index, map) in bound.maps.iter().enumerate() {
            inputs.set_map(blocks, index, map.as_ref().map(|map| map.as_slice()));
        }
        inputs
    }

    pub fn reach(&self) -> f64 {
        self.reach
    }

    pub fn map(&self, index: usize) -> usize {
        Inputs::MAPS + index
    }

    fn row_count(&self) -> usize {
        Inputs::MAPS + self.maps
    }

    pub fn bind_positions(&self, block: &Block) -> &[f32] {
        &self.bind_positions[block.first_lane * 3..][..block.lanes * 3]
    }

    pub fn of_block(&self, block: &Block) -> &[f32] {
        let rows = self.row_count();
        &self.floats[block.first_lane * rows..][..block.lanes * rows]
    }

    fn of_block_mut(&mut self, block: &Block) -> &mut [f32] {
        let rows = self.row_count();
        &mut self.floats[block.first_lane * rows..][..block.lanes * rows]
    }

    /// A value per vertex; 0 everywhere for a map that is not there.
    pub fn set_map(&mut self, blocks: &Blocks, index: usize, values: Option<&[f64]>) {
        let row = self.map(index);
        for block in &blocks.blocks {
            let vertices = &blocks.vertex_of_lane[block.first_lane..][..block.lanes];
            let row = &mut self.of_block_mut(block)[row * block.lanes..][..block.lanes];
            for (place, &vertex) in row.iter_mut().zip(vertices) {
                let value = values.and_then(|values| values.get(vertex as usize));
                *place = value.map_or(0.0, |&x| x as f32);
            }
        }
    }
}

/// |Σ w (M p)| ≤ max |M| · Σ |w| (|x| + |y| + |z| + 1).
fn reach(skin: &Skin) -> f64 {
    let of_vertex = |(vertex, p): (usize, &Vec3)| {
        let weights = skin.influences.of(vertex).iter().map(|it| f64::from(it.weight.abs()));
        weights.sum::<f64>() * (f64::from(p.abs().element_sum()) + 1.0)
    };
    skin.positions.iter().enumerate().map(of_vertex).fold(0.0, f64::max)
}

/// The last of the largest weights, as [`jounce_rig::skinning`] chooses it.
fn pivot(list: &[Influence], bindings: &[u32]) -> f32 {
    let strongest = list.iter().max_by(|a, b| a.weight.total_cmp(&b.weight));
    let place = strongest.and_then(|strongest| bindings.binary_search(&strongest.index).ok());
    place.map_or(-1.0, |place| place as f32)
}
