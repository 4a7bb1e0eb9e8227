//! Which vertices go together into a block.
//!
//! Vertices that hang on the same bones and bindings are one *cluster*. Large clusters fill blocks by
//! themselves. Real rigs also have many small ones (a giraffe 165, half of them of three vertices or
//! fewer), and a block of three costs nearly as much as one of thirty. So what does not fill a block is
//! merged, two clusters at a time, into one that hangs on the bones of both, as long as that is cheaper
//! by [`cost`]: the pair that saves most goes first. The result does not depend on anything but the
//! lists.

use super::Bound;
use super::blocks::{LANE_GROUP, MOST_LANES};
use std::collections::{BinaryHeap, HashMap};

/// The vertices of one block, increasing, and all that any of them hangs on, increasing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cluster {
    pub vertices: Vec<u32>,
    pub lists: Lists,
}

/// What vertices hang on.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lists {
    pub bones: Vec<u32>,
    pub bindings: Vec<u32>,
}

/// In the order of their first vertices.
pub fn clusters(bound: &Bound) -> Vec<Cluster> {
    let (mut full, parts) = by_list(bound);
    full.extend(merge(parts));
    full.sort_unstable_by_key(|cluster| cluster.vertices.first().copied());
    full
}

/// Full blocks, and what is left over of each list.
fn by_list(bound: &Bound) -> (Vec<Cluster>, Vec<Cluster>) {
    let mut known = KnownLists::default();
    let mut clusters: Vec<Cluster> = Vec::new();
    let mut full = Vec::new();
    let mut lists = Lists::default();
    for vertex in 0..bound.vertex_count() {
        read_lists(bound, vertex, &mut lists);
        let place = known.place(&lists, &clusters);
        if place == clusters.len() {
            clusters.push(Cluster { vertices: Vec::new(), lists: lists.clone() });
        }
        let cluster = &mut clusters[place];
        cluster.vertices.push(vertex as u32);
        if cluster.vertices.len() == MOST_LANES {
            let vertices = std::mem::take(&mut cluster.vertices);
            full.push(Cluster { vertices, lists: cluster.lists.clone() });
        }
    }
    clusters.retain(|cluster| !cluster.vertices.is_empty());
    (full, clusters)
}

/// Sorted, each once.
fn read_lists(bound: &Bound, vertex: usize, lists: &mut Lists) {
    lists.bones.clear();
    lists.bones.extend_from_slice(&bound.pairs.bones[bound.pairs.of(vertex)]);
    lists.bindings.clear();
    let skin = bound.skin.iter().flat_map(|skin| skin.influences.of(vertex));
    lists.bindings.extend(skin.map(|influence| influence.index));
    for list in [&mut lists.bones, &mut lists.bindings] {
        if !list.is_sorted_by(|a, b| a < b) {
            list.sort_unstable();
            list.dedup();
        }
    }
}

/// Finds a list again without keeping a copy of it per vertex.
#[derive(Default)]
struct KnownLists {
    /// By hash, the clusters that may have it.
    places: HashMap<u64, Vec<usize>>,
    last: usize,
}

impl KnownLists {
    /// The cluster of these lists; as many as there are if it is new.
    fn place(&mut self, lists: &Lists, clusters: &[Cluster]) -> usize {
        // Neighbours in the file are mostly alike.
        if clusters.get(self.last).is_some_and(|cluster| cluster.lists == *lists) {
            return self.last;
        }
        let places = self.places.entry(hash(lists)).or_default();
        let known = places.iter().copied().find(|&place| clusters[place].lists == *lists);
        self.last = known.unwrap_or_else(|| {
            places.push(clusters.len());
            clusters.len()
        });
        self.last
    }
}

fn hash(lists: &Lists) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let numbers = lists.bones.iter().chain([&u32::MAX]).chain(&lists.bindings);
    for &number in numbers {
        hash = (hash ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    }
    hash
}

/// About how long a block takes, in picoseconds: estimated from the velocity skinning of the paper on
/// eight lanes. A bone has a fixed price per block, as much as that of some 40 lanes; so has a block.
fn cost(vertices: usize, bones: usize, bindings: usize) -> u64 {
    let lanes = vertices.next_multiple_of(LANE_GROUP) as u64;
    let (bones, bindings) = (bones as u64, bindings as u64);
    100_000 + lanes * 2_000 + bindings * (6_000 + lanes * 500) + bones * (160_000 + lanes * 4_000)
}

impl Cluster {
    fn cost(&self) -> u64 {
        cost(self.vertices.len(), self.lists.bones.len(), self.lists.bindings.len())
    }

    /// What merging saves; None where it does not, or where it would be too large.
    fn saving(&self, other: &Cluster) -> Option<u64> {
        let vertices = self.vertices.len() + other.vertices.len();
        if vertices > MOST_LANES {
            return None;
        }
        let bones = union_length(&self.lists.bones, &other.lists.bones);
        let bindings = union_length(&self.lists.bindings, &other.lists.bindings);
        let saving = (self.cost() + other.cost()).checked_sub(cost(vertices, bones, bindings));
        saving.filter(|saving| *saving > 0)
    }

    fn merged(self, other: Cluster) -> Cluster {
        let union = |a: Vec<u32>, b: Vec<u32>| {
            let mut union = a;
            union.extend(b);
            union.sort_unstable();
            union.dedup();
            union
        };
        Cluster {
            vertices: union(self.vertices, other.vertices),
            lists: Lists {
                bones: union(self.lists.bones, other.lists.bones),
                bindings: union(self.lists.bindings, other.lists.bindings),
            },
        }
    }
}

fn union_length(a: &[u32], b: &[u32]) -> usize {
    let (mut i, mut j, mut both) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        both += usize::from(a[i] == b[j]);
        let (x, y) = (a[i], b[j]);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    a.len() + b.len() - both
}

/// Each cluster is compared with so many of those that stand next to it in the order of lists, where
/// bones that share their parents stand together.
fn neighbourhood(parts: &[Cluster]) -> usize {
    let most = match parts.len() {
        0..=600 => 600,
        601..=20_000 => 24,
        _ => 4,
    };
    let lengths = parts.iter().map(|part| part.lists.bones.len() + part.lists.bindings.len());
    (MOST_COMPARED / lengths.sum::<usize>().max(1)).clamp(1, most)
}

/// Entries of lists: chains of thousands of joints make lists of thousands of bones.
const MOST_COMPARED: usize = 60_000_000;

/// Two clusters and what merging them saves. The largest saving first, then the first in order.
type Candidate = (u64, std::cmp::Reverse<(usize, usize)>);

/// Merges as long as that saves something. A merged cluster is a new one at the end of the list, so
/// what is queued about the old ones is recognised as stale.
fn merge(mut parts: Vec<Cluster>) -> Vec<Cluster> {
    parts.sort_unstable_by(|a, b| (&a.lists, &a.vertices).cmp(&(&b.lists, &b.vertices)));
    let reach = neighbourhood(&parts);
    // Where each stands in the order of lists; a merged one stands where its first part stood.
    let mut order: Vec<usize> = (0..parts.len()).collect();
    let mut at: Vec<Option<usize>> = order.clone().into_iter().map(Some).collect();
    let mut clusters: Vec<Option<Cluster>> = parts.into_iter().map(Some).collect();
    let mut queue: BinaryHeap<Candidate> = BinaryHeap::new();
    for place in 0..order.len() {
        let end = order.len().min(place + 1 + reach);
        queue_all(place, place + 1..end, &order, &clusters, &mut queue);
    }
    while let Some((_, std::cmp::Reverse((a, b)))) = queue.pop() {
        let (Some(place), Some(other_place)) = (at[a], at[b]) else { continue };
        if let (Some(first), Some(second)) = (clusters[a].take(), clusters[b].take()) {
            (at[a], at[b]) = (None, None);
            order[place] = clusters.len();
            order[other_place] = usize::MAX;
            at.push(Some(place));
            clusters.push(Some(first.merged(second)));
            let around = place.saturating_sub(reach)..order.len().min(place + 1 + reach);
            queue_all(place, around, &order, &clusters, &mut queue);
        }
    }
    clusters.into_iter().flatten().collect()
}

fn queue_all(
    place: usize,
    others: std::ops::Range<usize>,
    order: &[usize],
    clusters: &[Option<Cluster>],
    queue: &mut BinaryHeap<Candidate>,
) {
    let this = order[place];
    for other in others.filter(|&other| other != place).map(|other| order[other]) {
        let pair = (this.min(other), this.max(other));
        let (Some(Some(a)), Some(Some(b))) = (clusters.get(pair.0), clusters.get(pair.1)) else {
            continue;
        };
        queue.extend(a.saving(b).map(|saving| (saving, std::cmp::Reverse(pair))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster(first: u32, count: u32, bones: &[u32]) -> Cluster {
        let lists = Lists { bones: bones.to_vec(), bindings: bones.to_vec() };
        Cluster { vertices: (first..first + count).collect(), lists }
    }

    #[test]
    fn small_clusters_with_alike_bones_become_one() {
        let parts = vec![
            cluster(0, 3, &[0, 1, 2]),
            cluster(3, 4, &[0, 1, 2, 3]),
            cluster(7, 5, &[0, 1]),
            cluster(12, 200, &[0, 9]),
        ];
        let merged = merge(parts.clone());
        assert_eq!(merged.len(), 2);
        let small = merged.iter().find(|cluster| cluster.vertices.contains(&0)).unwrap();
        assert_eq!(small.vertices, (0..12).collect::<Vec<_>>());
        assert_eq!(small.lists.bones, [0, 1, 2, 3]);
        // The order in which they were found does not matter.
        let mut reversed = merge(parts.into_iter().rev().collect());
        reversed.sort_by_key(|cluster| cluster.vertices[0]);
        let mut merged = merged;
        merged.sort_by_key(|cluster| cluster.vertices[0]);
        assert_eq!(merged, reversed);
    }

    #[test]
    fn large_clusters_with_different_bones_stay_apart() {
        let parts = vec![cluster(0, 128, &[0, 1, 2, 3]), cluster(128, 128, &[4, 5, 6, 7])];
        assert_eq!(merge(parts).len(), 2);
    }

    #[test]
    fn the_length_of_a_union_counts_what_is_shared_once() {
        assert_eq!(union_length(&[1, 3, 5], &[2, 3, 5, 9]), 5);
        assert_eq!(union_length(&[], &[7]), 1);
    }
}
