//! Skin weights carried along the skeleton (Rohmer 2021, eq. 8).
//!
//! Upward: up_j(u) = Σ of the skin weights over the subtree of bone j — how much of vertex u
//! moves when bone j does. Downward: down_j(u) = Σ over j and its ancestors.

use super::{Binding, Bone, CharacterError, Influence, Influences};
use rayon::prelude::*;

/// More pairs of vertex and bone than this are refused: 512 MB.
pub const MOST_PAIRS: u64 = 64_000_000;

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

/// Per vertex the bones with up_j > 0, parents first. Nothing is pruned.
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

/// Per vertex the bones with down_j > 0, parents first. `own` is the skin by bone.
pub fn downward(own: &Influences, bones: &[Bone]) -> Result<Influences, CharacterError> {
    per_vertex(own.vertex_count(), bones.len(), |vertex, sums| {
        for influence in own.of(vertex) {
            sums.add(influence.index as usize, influence.weight.into());
        }
        // Parents come first, so a parent's sum is complete when its children ask for it.
        for (bone, Bone { parent, .. }) in bones.iter().enumerate() {
            let above = parent.map_or(0.0, |parent| sums.of_bone[parent]);
            if above > 0.0 {
                sums.add(bone, above);
            }
        }
    })
}

fn per_vertex(
    vertices: usize,
    bones: usize,
    fill: impl Fn(usize, &mut Sums) + Sync,
) -> Result<Influences, CharacterError> {
    let too_many = |count: u64| CharacterError::TooManyPairs { count, limit: MOST_PAIRS };
    let pairs_so_far = std::sync::atomic::AtomicU64::new(0);
    let starts: Vec<usize> = (0..vertices).step_by(CHUNK).collect();
    let chunks: Result<Vec<Influences>, CharacterError> = starts
        .into_par_iter()
        .map_init(
            || Sums::new(bones),
            |sums, start| {
                let mut chunk = Influences::with_capacity(CHUNK, CHUNK * 4);
                let mut counted = 0;
                for vertex in start..vertices.min(start + CHUNK) {
                    fill(vertex, sums);
                    chunk.push(sums.drain());
                    let new = (chunk.entries().len() - counted) as u64;
                    counted = chunk.entries().len();
                    let total = pairs_so_far.fetch_add(new, std::sync::atomic::Ordering::Relaxed);
                    if total + new > MOST_PAIRS {
                        return Err(too_many(total + new));
                    }
                }
                Ok(chunk)
            },
        )
        .collect();
    let chunks = chunks?;
    let entries = chunks.iter().map(|chunk| chunk.entries().len()).sum();
    let mut all = Influences::with_capacity(vertices, entries);
    chunks.into_iter().for_each(|chunk| all.append(chunk));
    Ok(all)
}

/// A sum per bone that is cleared in the time it took to fill.
struct Sums {
    of_bone: Vec<f64>,
    touched: Vec<u32>,
}

impl Sums {
    fn new(bones: usize) -> Sums {
        Sums { of_bone: vec![0.0; bones], touched: Vec::new() }
    }

    fn add(&mut self, bone: usize, weight: f64) {
        if self.of_bone[bone] == 0.0 {
            self.touched.push(bone as u32);
        }
        self.of_bone[bone] += weight;
    }

    /// The sums in the order of the bones; leaves all of them 0.
    fn drain(&mut self) -> impl Iterator<Item = Influence> + '_ {
        self.touched.sort_unstable();
        let of_bone = &mut self.of_bone;
        self.touched.drain(..).map(|bone| Influence {
            index: bone,
            weight: std::mem::take(&mut of_bone[bone as usize]) as f32,
        })
    }
}
