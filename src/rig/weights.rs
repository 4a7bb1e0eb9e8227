//! Skin weights carried along the skeleton (Rohmer 2021, eq. 8).
//!
//! Upward: up_j(u) = Σ of the skin weights over the subtree of bone j — how much of vertex u
//! moves when bone j does. Downward: down_j(u) = Σ over j and its ancestors.

use super::{Binding, Bone, CharacterError, Influence, Influences, Skeleton};
use jounce_base::parallel::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// So many pairs of vertex and bone are taken for any mesh, in the weights and in all that is made of them:
/// 300 MB. A chain of 5 000 joints has them with 2 400 vertices.
const PAIRS_OF_ANY: u64 = 6_000_000;
/// A large mesh may have more, for a rig has few bones above one another: humanoids come to 12 per vertex.
const PAIRS_PER_VERTEX: u64 = 64;
/// But never more than this: 256 MB in the weights alone.
const MOST_PAIRS: u64 = 32_000_000;

/// More pairs of vertex and bone than this are refused.
pub fn most_pairs(vertices: usize) -> u64 {
    (PAIRS_PER_VERTEX * vertices as u64).clamp(PAIRS_OF_ANY, MOST_PAIRS)
}

/// Vertices that one thread works on at a time.
const CHUNK: usize = 4096;

/// The skin weights by bone instead of by binding, in the order of the bones.
pub fn by_bone(skin: &Influences, bindings: &[Binding], bones: &[Bone]) -> Influences {
    let mut all = Influences::with_capacity(skin.vertex_count(), skin.entries().len());
    let mut sums = Sums::new(bones.len());
    for list in skin.lists() {
        for influence in list {
            sums.add(bindings[influence.index as usize].bone, influence.weight.into());
        }
        all.push(sums.drain());
    }
    all
}

/// Per vertex the bones with up_j > 0, in the order of the bones. Nothing is pruned.
pub fn upward(
    skin: &Influences,
    bindings: &[Binding],
    bones: &[Bone],
) -> Result<Influences, CharacterError> {
    per_vertex(skin.vertex_count(), bones.len(), |vertex, sums| {
        for influence in skin.of(vertex) {
            let mut at = Some(bindings[influence.index as usize].bone);
            while let Some(bone) = at {
                sums.add(bone, influence.weight.into());
                at = bones[bone].parent;
            }
        }
    })
}

/// Per vertex the bones with down_j > 0, in the order of the bones. `own` is the skin by bone.
pub fn downward(own: &Influences, skeleton: &Skeleton) -> Result<Influences, CharacterError> {
    let subtrees = Subtrees::new(skeleton);
    per_vertex(own.vertex_count(), skeleton.bones.len(), |vertex, sums| {
        for influence in own.of(vertex) {
            let below = subtrees.of(influence.index as usize);
            below.iter().for_each(|&below| sums.add(below, influence.weight.into()));
        }
    })
}

/// What is below each bone, itself included: a run of the bones in depth-first order.
pub(super) struct Subtrees<'a> {
    order: &'a [usize],
    /// Per bone its place in that order, and where its run ends.
    runs: Vec<(usize, usize)>,
}

impl<'a> Subtrees<'a> {
    pub(super) fn new(skeleton: &'a Skeleton) -> Subtrees<'a> {
        let order = &skeleton.bones_parents_first;
        let mut runs = vec![(0, 0); order.len()];
        for (place, &bone) in order.iter().enumerate() {
            runs[bone] = (place, place + 1);
        }
        for &bone in order.iter().rev() {
            if let Some(parent) = skeleton.bones[bone].parent {
                runs[parent].1 = runs[parent].1.max(runs[bone].1);
            }
        }
        Subtrees { order, runs }
    }

    pub(super) fn of(&self, bone: usize) -> &'a [usize] {
        let (start, end) = self.runs[bone];
        &self.order[start..end]
    }

    /// Is a bone the other one, or below it?
    pub(super) fn holds(&self, bone: usize, other: usize) -> bool {
        let (start, end) = self.runs[bone];
        (start..end).contains(&self.runs[other].0)
    }
}

/// Fills the lists in two passes, first counting, so that too many pairs are refused before
/// memory is asked for them.
fn per_vertex(
    vertices: usize,
    bones: usize,
    fill: impl Fn(usize, &mut Sums) + Sync,
) -> Result<Influences, CharacterError> {
    let starts: Vec<usize> = (0..vertices).step_by(CHUNK).collect();
    let chunk = |start: usize| start..vertices.min(start + CHUNK);
    let pairs = AtomicU64::new(0);
    let limit = most_pairs(vertices);
    let lengths: Result<Vec<Vec<u32>>, CharacterError> = starts
        .par_iter()
        .map_init(
            || Sums::new(bones),
            |sums, &start| {
                let mut lengths = Vec::with_capacity(CHUNK);
                for vertex in chunk(start) {
                    fill(vertex, sums);
                    let length = sums.drain().count();
                    lengths.push(length as u32);
                    let count = pairs.fetch_add(length as u64, Relaxed) + length as u64;
                    if count > limit {
                        return Err(CharacterError::TooManyPairs { limit });
                    }
                }
                Ok(lengths)
            },
        )
        .collect();
    let mut all = Influences::with_lengths(lengths?.into_iter().flatten());
    let slices = all.chunks_mut(CHUNK);
    starts.into_par_iter().zip(slices).for_each_init(
        || Sums::new(bones),
        |sums, (start, mut slots)| {
            for vertex in chunk(start) {
                fill(vertex, sums);
                for influence in sums.drain() {
                    let (slot, rest) = slots.split_at_mut(1);
                    slot[0] = influence;
                    slots = rest;
                }
            }
        },
    );
    Ok(all)
}

/// A sum per bone that is cleared in the time it took to fill.
pub(super) struct Sums {
    of_bone: Vec<f64>,
    touched: Vec<u32>,
}

impl Sums {
    pub(super) fn new(bones: usize) -> Sums {
        Sums { of_bone: vec![0.0; bones], touched: Vec::new() }
    }

    pub(super) fn add(&mut self, bone: usize, weight: f64) {
        if self.of_bone[bone] == 0.0 {
            self.touched.push(bone as u32);
        }
        self.of_bone[bone] += weight;
    }

    /// The sums in the order of the bones; leaves all of them 0.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = Influence> + '_ {
        self.touched.sort_unstable();
        let of_bone = &mut self.of_bone;
        self.touched.drain(..).map(|bone| Influence {
            index: bone,
            weight: std::mem::take(&mut of_bone[bone as usize]) as f32,
        })
    }
}
