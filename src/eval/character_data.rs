//! What stays the same while a character moves, as `shaders/deform_data.wgsl` wants it; it needs no
//! device. `docs/shaders.md` explains it to those who fill the buffers of an exported shader.

use super::blocks::{Block, Blocks, LANE_GROUP, NO_VERTEX};
use super::{Bound, Skin};
use glam::Vec3;
use jounce_base::Base;
use jounce_ir::source::DataFrom;
use jounce_ir::{Op, Program, WeightKind};

/// Words of a group in the lists.
const GROUP_WORDS: usize = 8;
/// A mask has a bit for each of so many joints; the next bit marks a stored weight.
const MOST_MASKED: usize = 31;
const IS_STORED: u32 = 1 << 31;
/// Propagated weights made from skin weights may differ by this: they are sums of rounded numbers.
const SAME_WEIGHT: f32 = 1e-6;
/// How far a quantised weight may move a vertex, as a part of the size.
const LARGEST_MOVE: f64 = 5e-6;

/// Words and numbers, ready to be copied to buffers.
#[derive(Clone, Debug, PartialEq)]
pub struct CharacterData {
    pub lists: Vec<u32>,
    pub weights: Vec<u32>,
    /// Rows of one number per lane.
    pub vertex_data: Vec<f32>,
    pub lanes: usize,
    pub groups: usize,
    pub skin_weight_bits: u32,
    pub first_rest_row: usize,
    pub first_map_row: usize,
    pub first_vertex_of_lane: usize,
    pub first_neighbour_list: usize,
    pub vertex_of_lane: Vec<u32>,
}

/// Bind positions and normals come first.
const BIND_ROWS: usize = 6;

impl CharacterData {
    pub fn new(program: &Program, bound: &Bound, base: Option<Base>) -> CharacterData {
        let blocks = Blocks::new(bound);
        let lanes = blocks.lane_count();
        let skin_weight_bits = skin_weight_bits(bound);
        let mut weights = packed_skin_weights(&blocks, skin_weight_bits);
        let mut lists = Lists::new(program, &blocks);
        lists.add_pairs(program, bound, &blocks, &mut weights);
        let first_vertex_of_lane = lists.words.len();
        lists.words.extend_from_slice(&blocks.vertex_of_lane);
        let first_neighbour_list = lists.words.len();
        if program.has_relaxations() {
            add_neighbours(bound, &blocks, &mut lists.words);
        }
        let reads_rest = reads_rest(program, base);
        let rest_rows = if reads_rest { 6 } else { 0 };
        let first_map_row = BIND_ROWS + rest_rows;
        let mut data = CharacterData {
            lists: lists.words,
            weights,
            vertex_data: vec![0.0; lanes * (first_map_row + bound.maps.len())],
            lanes,
            groups: lanes / LANE_GROUP,
            skin_weight_bits,
            first_rest_row: if reads_rest { BIND_ROWS } else { 0 },
            first_map_row,
            first_vertex_of_lane,
            first_neighbour_list,
            vertex_of_lane: blocks.vertex_of_lane,
        };
        if let Some(skin) = &bound.skin {
            data.fill_rows(0, |vertex| skin.positions[vertex].to_array());
            data.fill_rows(3, |vertex| skin.normals[vertex].to_array());
        }
        if reads_rest {
            let in_f32 = |v: glam::DVec3| v.as_vec3().to_array();
            data.fill_rows(BIND_ROWS, |vertex| in_f32(bound.rest_positions[vertex]));
            data.fill_rows(BIND_ROWS + 3, |vertex| in_f32(bound.rest_normals[vertex]));
        }
        for (place, map) in bound.maps.iter().enumerate() {
            data.fill_map(place, map.as_ref().map(|map| map.as_slice()));
        }
        data
    }

    /// Rows of a map; 0 where the character has none.
    pub fn fill_map(&mut self, place: usize, map: Option<&[f64]>) {
        let row = self.first_map_row + place;
        self.fill_rows(row, |vertex| [map.map_or(0.0, |map| map[vertex] as f32)]);
    }

    /// Bind positions and normals, or skinned ones that are given.
    pub fn fill_bind(&mut self, positions: &[Vec3], normals: &[Vec3]) {
        self.fill_rows(0, |vertex| positions[vertex].to_array());
        self.fill_rows(3, |vertex| normals[vertex].to_array());
    }

    fn fill_rows<const N: usize>(&mut self, first_row: usize, of: impl Fn(usize) -> [f32; N]) {
        for (lane, &vertex) in self.vertex_of_lane.iter().enumerate() {
            if vertex != NO_VERTEX {
                for (i, number) in of(vertex as usize).into_iter().enumerate() {
                    self.vertex_data[(first_row + i) * self.lanes + lane] = number;
                }
            }
        }
    }

    /// What a vertex costs in memory, without the result; lists that groups share included.
    pub fn bytes_per_vertex(&self, vertices: usize) -> f64 {
        let numbers = self.lists.len() + self.weights.len() + self.vertex_data.len();
        4.0 * numbers as f64 / vertices.max(1) as f64
    }
}

/// Are there rows of the rest pose? Dual quaternions fall back to it where nothing else is known.
pub fn reads_rest(program: &Program, base: Option<Base>) -> bool {
    let is_rest = |op: &Op| {
        let Op::Source(source) = op else { return false };
        matches!(source.info().from, DataFrom::RestPose(_))
    };
    base == Some(Base::Dqs) || program.ops.iter().any(is_rest)
}

struct Lists {
    words: Vec<u32>,
    /// Where the pairs of each block are.
    first_pairs: Vec<usize>,
}

impl Lists {
    /// Groups and joints.
    fn new(program: &Program, blocks: &Blocks) -> Lists {
        let groups = blocks.lane_count() / LANE_GROUP;
        let pair_words = 1 + program.tables.columns.len();
        let first_joint = groups * GROUP_WORDS;
        let mut next_pair = first_joint + blocks.bindings.len();
        let mut words = Vec::with_capacity(next_pair + blocks.bones.len() * pair_words);
        let mut first_pairs = Vec::with_capacity(blocks.blocks.len());
        for block in &blocks.blocks {
            for group in 0..block.lanes / LANE_GROUP {
                let first_weight = block.first_skin_weight + group * LANE_GROUP;
                let record = [
                    next_pair,
                    block.bone_count,
                    first_joint + block.first_binding,
                    block.binding_count,
                    first_weight,
                    block.lanes,
                    group * LANE_GROUP,
                    0,
                ];
                words.extend(record.map(|word| word as u32));
            }
            first_pairs.push(next_pair);
            next_pair += block.bone_count * pair_words;
        }
        words.extend_from_slice(&blocks.bindings);
        Lists { words, first_pairs }
    }

    /// Of each pair the bone, and per column which joints its weight is made from, or where it is.
    fn add_pairs(
        &mut self,
        program: &Program,
        bound: &Bound,
        blocks: &Blocks,
        weights: &mut Vec<u32>,
    ) {
        for (block, first) in blocks.blocks.iter().zip(&self.first_pairs) {
            debug_assert_eq!(self.words.len(), *first);
            for place in 0..block.bone_count {
                let bone = blocks.bones[block.first_bone + place];
                self.words.push(bone);
                for (column, asked) in program.tables.columns.iter().enumerate() {
                    let start = block.first_weight + place * block.lanes;
                    let row = &blocks.weights[column][start..start + block.lanes];
                    let mask = match (&bound.skin, asked.keep) {
                        (Some(skin), None) => mask(skin, blocks, block, asked.kind, bone, row),
                        _ => None,
                    };
                    self.words.push(mask.unwrap_or_else(|| {
                        let first = weights.len() as u32;
                        weights.extend(row.iter().map(|weight| weight.to_bits()));
                        IS_STORED | first
                    }));
                }
            }
        }
    }
}

/// Which of the block's joints a bone's weight is made from; None where their sum is not it.
fn mask(
    skin: &Skin,
    blocks: &Blocks,
    block: &Block,
    kind: WeightKind,
    bone: u32,
    row: &[f32],
) -> Option<u32> {
    let bindings = &blocks.bindings[block.first_binding..block.first_binding + block.binding_count];
    if bindings.len() > MOST_MASKED {
        return None;
    }
    let mut mask = 0;
    for (bit, &binding) in bindings.iter().enumerate() {
        let of_binding = *skin.bone_of_binding.get(binding as usize)?;
        let counts = match kind {
            // In rows that anchors add this does not hold, which is found out below.
            WeightKind::Upward | WeightKind::Anchored => is_at_or_above(skin, bone, of_binding),
            WeightKind::Downward => is_at_or_above(skin, of_binding, bone),
            WeightKind::Skin => bone == of_binding,
            WeightKind::Flesh => return None,
        };
        mask |= u32::from(counts) << bit;
    }
    for (lane, &weight) in row.iter().enumerate() {
        let skin_weight = |bit: usize| {
            let counts = mask >> bit & 1 == 1;
            let at = block.first_skin_weight + bit * block.lanes + lane;
            if counts { blocks.skin_weights[at] } else { 0.0 }
        };
        let sum: f32 = (0..bindings.len()).map(skin_weight).sum();
        if (sum - weight).abs() > SAME_WEIGHT {
            return None;
        }
    }
    Some(mask)
}

fn is_at_or_above(skin: &Skin, above: u32, bone: u32) -> bool {
    let parent = |&bone: &usize| skin.bone_parents.get(bone).copied().flatten();
    // A way up is never longer than there are bones, whoever made the binding.
    let mut way = std::iter::successors(Some(bone as usize), parent).take(skin.bone_parents.len());
    way.any(|bone| bone == above as usize)
}

/// 16 bits where that moves no vertex by more than 5e-6 of the size: most files store weights as
/// 8 or 16 bits, and those come through exactly.
///
/// A joint that turns by any angle moves a vertex by at most twice its distance from the joint, so a
/// weight that is off by δ moves it by at most 2 δ times that; no distance is taken to be longer than
/// the diagonal of a box with the size as its sides.
fn skin_weight_bits(bound: &Bound) -> u32 {
    let Some(skin) = &bound.skin else {
        return 32;
    };
    let error = |weight: f32| {
        let is_in_range = (0.0..=1.0).contains(&weight);
        let nearest = f64::from((weight * 65535.0).round()) / 65535.0;
        if is_in_range { (f64::from(weight) - nearest).abs() } else { f64::INFINITY }
    };
    let of_list = |list: &[jounce_rig::Influence]| list.iter().map(|i| error(i.weight)).sum();
    let largest = skin.influences.lists().map(of_list).fold(0.0, f64::max);
    let diagonal = 3.0_f64.sqrt();
    if 2.0 * largest * diagonal <= LARGEST_MOVE { 16 } else { 32 }
}

fn packed_skin_weights(blocks: &Blocks, bits: u32) -> Vec<u32> {
    if bits == 32 {
        return blocks.skin_weights.iter().map(|weight| weight.to_bits()).collect();
    }
    let unorm = |weight: f32| (weight * 65535.0).round() as u32;
    let pair = |two: &[f32]| unorm(two[0]) | two.get(1).map_or(0, |w| unorm(*w)) << 16;
    blocks.skin_weights.chunks(2).map(pair).collect()
}

/// Offsets, then lanes; both per lane, and offsets count from the start of the words.
fn add_neighbours(bound: &Bound, blocks: &Blocks, words: &mut Vec<u32>) {
    let mut lane_of_vertex = vec![0; bound.vertex_count()];
    for (lane, &vertex) in blocks.vertex_of_lane.iter().enumerate() {
        if vertex != NO_VERTEX {
            lane_of_vertex[vertex as usize] = lane as u32;
        }
    }
    let around = |vertex: u32| match vertex {
        NO_VERTEX => &[],
        vertex => bound.neighbours.of(vertex as usize),
    };
    let mut next = words.len() + blocks.lane_count() + 1;
    for &vertex in &blocks.vertex_of_lane {
        words.push(next as u32);
        next += around(vertex).len();
    }
    words.push(next as u32);
    for &vertex in &blocks.vertex_of_lane {
        words.extend(around(vertex).iter().map(|&other| lane_of_vertex[other as usize]));
    }
}
