//! The pairs of a vertex and a bone that a program's sums run over, and their weights.
//!
//! The list of pairs is the union of the lists that the program's columns use, so that all sums
//! share one loop; a column has weight 0 where a pair is not in its own list.

use super::anchors::{AnchorReach, Anchors};
use jounce_ir::{Column, WeightKind};
use jounce_rig::flesh::Flesh;
use jounce_rig::weights::{by_bone, most_pairs};
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

/// The rows of the bone table behind the bones.
pub struct AddedRows<'a> {
    pub flesh: &'a [Flesh],
    pub anchors: &'a Anchors,
    pub reach: &'a AnchorReach,
}

/// The union of the columns' lists, and per column one weight per pair.
pub fn pairs_and_weights(
    character: &Character,
    columns: &[Column],
    added: &AddedRows,
) -> Result<(Pairs, Vec<Vec<f64>>), CharacterError> {
    let lists: Vec<List> = columns
        .iter()
        .map(|column| list(character, column.kind, added))
        .collect::<Result<_, _>>()?;
    // Pairs are many: they are counted first, so that no more memory is asked for than they take.
    let mut union = Union::default();
    let count: usize =
        (0..character.vertex_count()).map(|vertex| union.of(&lists, columns, vertex).len()).sum();
    let limit = most_pairs(character.vertex_count());
    if count as u64 > limit {
        return Err(CharacterError::TooManyPairs { limit });
    }
    let mut offsets = Vec::with_capacity(character.vertex_count() + 1);
    offsets.push(0);
    let mut bones = Vec::with_capacity(count);
    let mut weights: Vec<Vec<f64>> = columns.iter().map(|_| Vec::with_capacity(count)).collect();
    for vertex in 0..character.vertex_count() {
        bones.extend_from_slice(union.of(&lists, columns, vertex));
        for (column, weights) in weights.iter_mut().enumerate() {
            union.weights(column, weights);
        }
        offsets.push(bones.len() as u32);
    }
    Ok((Pairs { offsets, bones }, weights))
}

/// The weights of a column.
struct List<'a> {
    influences: Cow<'a, Influences>,
    /// And those of the rows that anchors add to them, from a row on. They are many, so they are made when asked for; and
    /// they are not rounded, for they take away what others add.
    anchored: Option<(&'a AddedRows<'a>, usize)>,
}

impl List<'_> {
    fn add_weights(&self, vertex: usize, list: &mut Vec<(u32, f64)>) {
        let own = self.influences.of(vertex).iter();
        list.extend(own.map(|influence| (influence.index, f64::from(influence.weight))));
        if let Some((added, first_row)) = self.anchored {
            added.anchors.add_weights(added.reach, vertex, first_row, list);
        }
    }
}

fn list<'c>(
    character: &'c Character,
    kind: WeightKind,
    added: &'c AddedRows<'c>,
) -> Result<List<'c>, CharacterError> {
    let influences = match kind {
        WeightKind::Upward | WeightKind::Anchored => Cow::Borrowed(character.upward()),
        WeightKind::Downward => Cow::Borrowed(character.downward()?),
        WeightKind::Skin => {
            Cow::Owned(by_bone(&character.skin, &character.bindings, &character.skeleton.bones))
        }
        WeightKind::Flesh => Cow::Owned(of_flesh(character, added.flesh)),
    };
    let first_row = character.skeleton.bones.len() + added.flesh.len();
    let anchored = (kind == WeightKind::Anchored).then_some((added, first_row));
    Ok(List { influences, anchored })
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

/// Of one vertex at a time.
#[derive(Default)]
struct Union {
    /// Per column what is kept of its list.
    kept: Vec<Vec<(u32, f64)>>,
    bones: Vec<u32>,
}

impl Union {
    /// The bones of all columns' lists, in order, each once.
    fn of(&mut self, lists: &[List], columns: &[Column], vertex: usize) -> &[u32] {
        self.kept.resize_with(columns.len(), Vec::new);
        for (kept, (list, column)) in self.kept.iter_mut().zip(lists.iter().zip(columns)) {
            kept.clear();
            list.add_weights(vertex, kept);
            if let Some(keep) = column.keep {
                prune(kept, keep as usize);
            }
        }
        self.merge()
    }

    fn merge(&mut self) -> &[u32] {
        self.bones.clear();
        self.bones.extend(self.kept.iter().flatten().map(|&(bone, _)| bone));
        self.bones.sort_unstable();
        self.bones.dedup();
        &self.bones
    }

    /// Appends a column's weights, with zeros in the gaps.
    fn weights(&self, column: usize, weights: &mut Vec<f64>) {
        let mut rest = self.kept[column].iter().peekable();
        weights.extend(self.bones.iter().map(|&bone| {
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
        let kept = vec![vec![(1, 0.5), (3, 0.5)], vec![(0, 1.0), (3, 2.0)]];
        let mut union = Union { kept, bones: vec![9] };
        assert_eq!(union.merge(), [0, 1, 3]);
        let mut weights = vec![7.0];
        union.weights(0, &mut weights);
        union.weights(1, &mut weights);
        assert_eq!(weights, [7.0, 0.0, 0.5, 0.5, 1.0, 0.0, 2.0]);
    }
}
