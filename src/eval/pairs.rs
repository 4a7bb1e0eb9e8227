//! The pairs of a vertex and a bone that a program's sums run over, and their weights.
//!
//! The list of pairs is the union of the lists that the program's columns use, so that all sums
//! share one loop; a column has weight 0 where a pair is not in its own list.

use jounce_ir::{Column, WeightKind};
use jounce_rig::flesh::Flesh;
use jounce_rig::weights::{MOST_PAIRS, by_bone};
use jounce_rig::{Character, CharacterError, Influence, Influences};
use std::borrow::Cow;

/// Vertex v owns the pairs `offsets[v] .. offsets[v + 1]`; their bones increase.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs {
    pub offsets: Vec<u32>,
    pub bones: Vec<u32>,
}

impl Pairs {
    pub fn count(&self) -> usize {
        self.bones.len()
    }

    pub fn of(&self, vertex: usize) -> std::ops::Range<usize> {
        self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize
    }
}

/// The union of the columns' lists, and per column one weight per pair.
pub fn pairs_and_weights(
    character: &Character,
    columns: &[Column],
    flesh: &[Flesh],
) -> Result<(Pairs, Vec<Vec<f64>>), CharacterError> {
    let lists: Vec<Cow<Influences>> = columns
        .iter()
        .map(|column| list(character, column.kind, flesh))
        .collect::<Result<_, _>>()?;
    let mut pairs = Pairs { offsets: vec![0], bones: Vec::new() };
    let mut weights: Vec<Vec<f64>> = vec![Vec::new(); columns.len()];
    let mut kept: Vec<Vec<(u32, f64)>> = vec![Vec::new(); columns.len()];
    for vertex in 0..character.vertex_count() {
        for (kept, (list, column)) in kept.iter_mut().zip(lists.iter().zip(columns)) {
            kept.clear();
            kept.extend(list.of(vertex).iter().map(|i| (i.index, f64::from(i.weight))));
            if let Some(keep) = column.keep {
                prune(kept, keep as usize);
            }
        }
        merge(&kept, &mut pairs.bones, &mut weights);
        let count = pairs.bones.len() as u64;
        if count > MOST_PAIRS {
            return Err(CharacterError::TooManyPairs { count, limit: MOST_PAIRS });
        }
        pairs.offsets.push(count as u32);
    }
    Ok((pairs, weights))
}

fn list<'c>(
    character: &'c Character,
    kind: WeightKind,
    flesh: &[Flesh],
) -> Result<Cow<'c, Influences>, CharacterError> {
    Ok(match kind {
        WeightKind::Upward => Cow::Borrowed(character.upward()),
        WeightKind::Downward => Cow::Borrowed(character.downward()?),
        WeightKind::Skin => {
            Cow::Owned(by_bone(&character.skin, &character.bindings, &character.skeleton.bones))
        }
        WeightKind::Flesh => Cow::Owned(of_flesh(character, flesh)),
    })
}

/// Elements are rows behind the bones.
fn of_flesh(character: &Character, flesh: &[Flesh]) -> Influences {
    let bones = character.skeleton.bones.len();
    let mut of_vertex: Vec<Vec<Influence>> = vec![Vec::new(); character.vertex_count()];
    for (element, flesh) in flesh.iter().enumerate() {
        for &(vertex, weight) in &flesh.weights {
            let index = (bones + element) as u32;
            of_vertex[vertex as usize].push(Influence { index, weight: weight as f32 });
        }
    }
    let count = of_vertex.iter().map(Vec::len).sum();
    let mut influences = Influences::with_capacity(of_vertex.len(), count);
    of_vertex.iter().for_each(|list| influences.push(list.iter().copied()));
    influences
}

/// Keeps the largest weights, in the order of the bones, scaled so that their sum stays. Of equal
/// weights the bone nearer to the root is kept.
fn prune(list: &mut Vec<(u32, f64)>, keep: usize) {
    if list.len() <= keep {
        return;
    }
    let sum = |list: &[(u32, f64)]| list.iter().map(|(_, weight)| weight).sum::<f64>();
    let before = sum(list);
    list.sort_unstable_by(|(bone_a, a), (bone_b, b)| b.total_cmp(a).then(bone_a.cmp(bone_b)));
    list.truncate(keep);
    list.sort_unstable_by_key(|&(bone, _)| bone);
    let after = sum(list);
    if after > 0.0 {
        list.iter_mut().for_each(|(_, weight)| *weight *= before / after);
    }
}

/// Appends the union of sorted lists, and each list's weights with zeros in the gaps.
fn merge(lists: &[Vec<(u32, f64)>], bones: &mut Vec<u32>, weights: &mut [Vec<f64>]) {
    let first = bones.len();
    bones.extend(lists.iter().flatten().map(|&(bone, _)| bone));
    bones[first..].sort_unstable();
    let mut end = first;
    for next in first..bones.len() {
        if end == first || bones[next] != bones[end - 1] {
            bones[end] = bones[next];
            end += 1;
        }
    }
    bones.truncate(end);
    for (list, weights) in lists.iter().zip(weights) {
        let mut rest = list.iter().peekable();
        weights.extend(bones[first..].iter().map(|&bone| {
            rest.next_if(|(index, _)| *index == bone).map_or(0.0, |&(_, weight)| weight)
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pruning_keeps_the_largest_weights_their_order_and_their_sum() {
        let mut list = vec![(0, 1.0), (1, 0.25), (4, 0.5), (7, 0.25)];
        prune(&mut list, 3);
        assert_eq!(list.iter().map(|&(bone, _)| bone).collect::<Vec<_>>(), [0, 1, 4]);
        assert!((list.iter().map(|&(_, weight)| weight).sum::<f64>() - 2.0).abs() < 1e-15);
        prune(&mut list, 0);
        assert!(list.is_empty());
    }

    #[test]
    fn pruning_weights_of_zero_divides_by_nothing() {
        let mut list = vec![(0, 0.0), (1, 0.0)];
        prune(&mut list, 1);
        assert_eq!(list, [(0, 0.0)]);
    }

    #[test]
    fn the_union_has_every_bone_once_and_zeros_in_the_gaps() {
        let lists = [vec![(1, 0.5), (3, 0.5)], vec![(0, 1.0), (3, 2.0)]];
        let (mut bones, mut weights) = (vec![9], vec![vec![0.0], vec![0.0]]);
        merge(&lists, &mut bones, &mut weights);
        assert_eq!(bones, [9, 0, 1, 3]);
        assert_eq!(weights, [[0.0, 0.0, 0.5, 0.5], [0.0, 1.0, 0.0, 2.0]]);
    }
}
