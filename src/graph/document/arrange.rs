//! Where nodes stand so that a graph can be read: wires go to the right, nothing overlaps, and what belongs
//! together stands side by side.
//!
//! ```text
//!  columns   a node stands one column to the left of the first that reads it
//!  lanes     a wire that passes columns keeps a place free in each of them
//!  heights   to and fro: everything as near as can be to what it is wired to, in the order that this gives
//!  frames    what does not belong to a frame goes above or below it
//! ```
//! Within a column the places y₀ ≤ y₁ ≤ … that come nearest to the wished ones, Σ (y − wish)² → min with
//! room in between, are found by pooling neighbours that want to overlap (isotonic regression).

use super::{Graph, Link};
use std::collections::{BTreeMap, BTreeSet};

/// How a node is drawn, in the space of the graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeShape {
    pub size: [f64; 2],
    /// How far below its upper edge the pins are, by the names of ports.
    pub inputs: BTreeMap<String, f64>,
    pub outputs: BTreeMap<String, f64>,
}

/// Between columns: room for wires to bend.
const COLUMN_GAP: f64 = 60.0;
/// Between nodes of a column.
const ROW_GAP: f64 = 26.0;
/// Around the nodes of a frame, with its title above.
const FRAME_ROOM: f64 = 34.0;
const FRAME_TITLE: f64 = 30.0;
/// What a wire that passes by needs.
const LANE_HEIGHT: f64 = 14.0;
/// To the left and back; more change nothing that is seen.
const SWEEPS: usize = 12;

/// New places of the nodes that have a shape. All together begin where they began before.
pub fn arrange(graph: &Graph, shapes: &BTreeMap<String, NodeShape>) -> BTreeMap<String, [f64; 2]> {
    let mut sheet = Sheet::new(graph, shapes);
    for sweep in 0..SWEEPS {
        sheet.sweep(sweep % 2 == 0);
    }
    sheet.clear_frames(graph);
    sheet.places(graph, shapes)
}

/// Something that takes room in a column.
struct Item<'a> {
    /// None is a wire that passes by.
    node: Option<&'a str>,
    height: f64,
    y: f64,
}

impl Item<'_> {
    fn is_one_of(&self, nodes: &BTreeSet<String>) -> bool {
        self.node.is_some_and(|id| nodes.contains(id))
    }
}

/// From an item of one column to an item of the next, at so much below their upper edges.
struct Segment {
    left: usize,
    right: usize,
    left_pin: f64,
    right_pin: f64,
}

struct Sheet<'a> {
    items: Vec<Item<'a>>,
    /// From the left to the right; items from above to below.
    columns: Vec<Vec<usize>>,
    segments: Vec<Segment>,
}

impl<'a> Sheet<'a> {
    fn new(graph: &'a Graph, shapes: &'a BTreeMap<String, NodeShape>) -> Sheet<'a> {
        let is_inside = |link: &&Link| {
            shapes.contains_key(&link.from.node) && shapes.contains_key(&link.to.node)
        };
        let links: Vec<&Link> = graph.links.iter().filter(is_inside).collect();
        let column_of = columns_of(shapes, &links);
        let count = column_of.values().max().map_or(0, |last| last + 1);
        let mut sheet =
            Sheet { items: Vec::new(), columns: vec![Vec::new(); count], segments: Vec::new() };
        // Those that stand higher stay higher where nothing else decides.
        let height_of = |id: &str| graph.nodes.get(id).map_or(0.0, |node| node.position[1]);
        let mut ids: Vec<(&String, &NodeShape)> = shapes.iter().collect();
        ids.sort_by(|a, b| height_of(a.0).total_cmp(&height_of(b.0)));
        let mut item_of = BTreeMap::new();
        for (id, shape) in ids {
            let item = Item { node: Some(id), height: shape.size[1], y: height_of(id) };
            item_of.insert(id.as_str(), sheet.add(column_of[id.as_str()], item));
        }
        for link in links {
            sheet.add_wire(link, shapes, &column_of, &item_of);
        }
        sheet
    }

    fn add(&mut self, column: usize, item: Item<'a>) -> usize {
        self.items.push(item);
        self.columns[column].push(self.items.len() - 1);
        self.items.len() - 1
    }

    fn add_wire(
        &mut self,
        link: &Link,
        shapes: &BTreeMap<String, NodeShape>,
        column_of: &BTreeMap<&str, usize>,
        item_of: &BTreeMap<&str, usize>,
    ) {
        let (from, to) = (link.from.node.as_str(), link.to.node.as_str());
        let pin = |pins: &BTreeMap<String, f64>, port: &str, shape: &NodeShape| {
            pins.get(port).copied().unwrap_or(shape.size[1] / 2.0)
        };
        let from_pin = pin(&shapes[from].outputs, &link.from.port, &shapes[from]);
        let to_pin = pin(&shapes[to].inputs, &link.to.port, &shapes[to]);
        let (mut left, mut left_pin) = (item_of[from], from_pin);
        for column in column_of[from] + 1..column_of[to] {
            let y = self.items[left].y + left_pin;
            let lane = self.add(column, Item { node: None, height: LANE_HEIGHT, y });
            let right_pin = LANE_HEIGHT / 2.0;
            self.segments.push(Segment { left, right: lane, left_pin, right_pin });
            (left, left_pin) = (lane, right_pin);
        }
        if column_of[from] < column_of[to] {
            let right = item_of[to];
            self.segments.push(Segment { left, right, left_pin, right_pin: to_pin });
        }
    }

    /// Column after column, each by the one before it.
    fn sweep(&mut self, to_the_left: bool) {
        let mut wishes = vec![(0.0, 0.0); self.items.len()];
        let count = self.columns.len();
        for place in 0..count {
            let column = if to_the_left { count - 1 - place } else { place };
            for segment in &self.segments {
                let (near, far, shift) = match to_the_left {
                    true => (segment.left, segment.right, segment.right_pin - segment.left_pin),
                    false => (segment.right, segment.left, segment.left_pin - segment.right_pin),
                };
                if self.columns[column].contains(&near) {
                    wishes[near].0 += self.items[far].y + shift;
                    wishes[near].1 += 1.0;
                }
            }
            let wish = |item: usize, items: &[Item]| match wishes[item] {
                (_, 0.0) => items[item].y,
                (sum, count) => sum / count,
            };
            let mut order = self.columns[column].clone();
            let middle = |item: &usize| wish(*item, &self.items) + self.items[*item].height / 2.0;
            order.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
            let wished: Vec<f64> = order.iter().map(|item| wish(*item, &self.items)).collect();
            let heights: Vec<f64> = order.iter().map(|&item| self.items[item].height).collect();
            for (item, y) in order.iter().zip(without_overlap(&wished, &heights)) {
                self.items[*item].y = y;
            }
            self.columns[column] = order;
        }
    }

    /// From the uppermost frame on: what does not belong to it stands above or below it. Everything only
    /// moves down, so that what is clear stays so.
    fn clear_frames(&mut self, graph: &Graph) {
        let mut frames: Vec<&BTreeSet<String>> =
            graph.frames.values().map(|frame| &frame.members).collect();
        frames.sort_by(|a, b| self.extent(a).0.total_cmp(&self.extent(b).0));
        for (place, members) in frames.iter().enumerate() {
            let nodes = |frames: &[&BTreeSet<String>]| -> BTreeSet<String> {
                frames.iter().copied().flatten().cloned().collect()
            };
            self.clear(members, &nodes(&frames[..place]), &nodes(&frames[place + 1..]));
        }
    }

    /// From the upper edge of the highest of these nodes to the lower edge of the lowest.
    fn extent(&self, members: &BTreeSet<String>) -> (f64, f64) {
        let inside = self.items.iter().filter(|item| item.is_one_of(members));
        inside.fold((f64::INFINITY, f64::NEG_INFINITY), |(top, bottom), item| {
            (top.min(item.y), bottom.max(item.y + item.height))
        })
    }

    /// `upper` and `lower`: the nodes of other frames, which stay together.
    fn clear(
        &mut self,
        members: &BTreeSet<String>,
        upper: &BTreeSet<String>,
        lower: &BTreeSet<String>,
    ) {
        let (top, bottom) = self.extent(members);
        let has_member =
            |column: &Vec<usize>| column.iter().any(|&it| self.items[it].is_one_of(members));
        let (Some(first), Some(last)) =
            (self.columns.iter().position(has_member), self.columns.iter().rposition(has_member))
        else {
            return;
        };
        let strangers: Vec<Vec<usize>> = (self.columns[first..=last].iter())
            .map(|column| {
                let is_stranger = |item: &Item| item.node.is_some() && !item.is_one_of(members);
                column.iter().copied().filter(|&it| is_stranger(&self.items[it])).collect()
            })
            .collect();
        let middle = (top + bottom) / 2.0;
        let is_above = |item: &Item| {
            let is_high = item.y + item.height / 2.0 < middle;
            item.is_one_of(upper) || is_high && !item.is_one_of(lower)
        };
        let above = strangers.iter().flatten().map(|&it| &self.items[it]).filter(|it| is_above(it));
        let ceiling = above.map(|item| item.y + item.height).fold(f64::NEG_INFINITY, f64::max);
        let down = (ceiling + FRAME_ROOM + FRAME_TITLE - top).max(0.0);
        let below: Vec<Vec<usize>> = (strangers.into_iter())
            .map(|column| column.into_iter().filter(|&it| !is_above(&self.items[it])).collect())
            .collect();
        for item in self.items.iter_mut().filter(|item| item.is_one_of(members)) {
            item.y += down;
        }
        for column in below {
            let mut limit = bottom + down + FRAME_ROOM;
            for item in column {
                let item = &mut self.items[item];
                // Another frame has a title, too.
                let room = if item.is_one_of(lower) { FRAME_TITLE } else { 0.0 };
                item.y = item.y.max(limit + room);
                limit = item.y + item.height + ROW_GAP;
            }
        }
    }

    fn places(
        &self,
        graph: &Graph,
        shapes: &BTreeMap<String, NodeShape>,
    ) -> BTreeMap<String, [f64; 2]> {
        let mut places = BTreeMap::new();
        let mut x = 0.0;
        for column in &self.columns {
            let nodes = column.iter().map(|&item| &self.items[item]);
            let mut width = 0.0f64;
            for (id, y) in nodes.filter_map(|item| Some((item.node?, item.y))) {
                width = width.max(shapes[id].size[0]);
                places.insert(id.to_owned(), [x, y]);
            }
            x += width + COLUMN_GAP;
        }
        let least = |places: &mut dyn Iterator<Item = [f64; 2]>| {
            places.fold([f64::INFINITY; 2], |a, b| [a[0].min(b[0]), a[1].min(b[1])])
        };
        let before = least(&mut places.keys().map(|id| graph.nodes[id].position));
        let after = least(&mut places.values().copied());
        for place in places.values_mut() {
            *place = [0, 1].map(|k| (place[k] - after[k] + before[k]).round());
        }
        places
    }
}

/// Counted from the left. The last column has what nobody reads; all others stand as far to the right as
/// those who read them allow.
fn columns_of<'a>(
    shapes: &'a BTreeMap<String, NodeShape>,
    links: &[&Link],
) -> BTreeMap<&'a str, usize> {
    let mut from_the_right: BTreeMap<&str, usize> =
        shapes.keys().map(|id| (id.as_str(), 0)).collect();
    // A graph has no cycles; one that has a cycle is left as it is after this many rounds.
    for _ in 0..shapes.len() {
        let mut is_settled = true;
        for link in links {
            let least = from_the_right[link.to.node.as_str()] + 1;
            if let Some(column) = from_the_right.get_mut(link.from.node.as_str())
                && *column < least
            {
                (*column, is_settled) = (least, false);
            }
        }
        if is_settled {
            break;
        }
    }
    let last = from_the_right.values().copied().max().unwrap_or(0);
    from_the_right.into_iter().map(|(id, column)| (id, last - column)).collect()
}

/// The places in this order that come nearest to the wished ones.
fn without_overlap(wished: &[f64], heights: &[f64]) -> Vec<f64> {
    // Measured from where everything would stand without a gap to spare, places only have to grow.
    let mut offsets = Vec::with_capacity(heights.len());
    let mut offset = 0.0;
    for height in heights {
        offsets.push(offset);
        offset += height + ROW_GAP;
    }
    // Those that want to overlap stand together at their mean.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (wish, offset) in wished.iter().zip(&offsets) {
        let mut pool = (wish - offset, 1);
        while let Some(&(mean, count)) = pools.last()
            && mean > pool.0
        {
            let both = count + pool.1;
            pool = ((mean * count as f64 + pool.0 * pool.1 as f64) / both as f64, both);
            pools.pop();
        }
        pools.push(pool);
    }
    let means = pools.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count));
    means.zip(offsets).map(|(mean, offset)| mean + offset).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::built_in_style;

    #[test]
    fn what_wants_to_overlap_stands_together_at_its_mean() {
        let places = without_overlap(&[0.0, 0.0, 500.0], &[100.0, 50.0, 10.0]);
        assert_eq!(places, [-63.0, 63.0, 500.0]);
        assert_eq!(without_overlap(&[], &[]), Vec::<f64>::new());
    }

    /// All nodes as large as they may become.
    fn shapes(graph: &Graph) -> BTreeMap<String, NodeShape> {
        let size =
            |place: usize| [120.0 + 20.0 * (place % 4) as f64, 60.0 + 45.0 * (place % 5) as f64];
        let ids = graph.nodes.keys().enumerate();
        ids.map(|(place, id)| (id.clone(), NodeShape { size: size(place), ..NodeShape::default() }))
            .collect()
    }

    #[test]
    fn wires_go_to_the_right_and_no_nodes_overlap() {
        for style in ["default", "bird-flutter", "ears-and-tail", "cartoon", "velocity-skinning"] {
            let graph = built_in_style(style).unwrap().style.graph;
            let shapes = shapes(&graph);
            let places = arrange(&graph, &shapes);
            assert_eq!(places.len(), graph.nodes.len());
            let right = |id: &str| places[id][0] + shapes[id].size[0];
            for link in &graph.links {
                assert!(right(&link.from.node) < places[&link.to.node][0], "{style}: {link:?}");
            }
            let all: Vec<&String> = places.keys().collect();
            for (i, a) in all.iter().enumerate() {
                for b in &all[i + 1..] {
                    let apart = (0..2).any(|k| {
                        places[*a][k] + shapes[*a].size[k] <= places[*b][k]
                            || places[*b][k] + shapes[*b].size[k] <= places[*a][k]
                    });
                    assert!(apart, "{style}: {a} and {b}");
                }
            }
            let least = |k: usize| places.values().map(|at| at[k]).fold(f64::INFINITY, f64::min);
            let was = |k: usize| {
                graph.nodes.values().map(|it| it.position[k]).fold(f64::INFINITY, f64::min)
            };
            assert_eq!([least(0), least(1)], [was(0), was(1)]);
        }
    }

    #[test]
    fn some_of_a_graph_and_none_of_it_are_arranged_too() {
        let graph = built_in_style("default").unwrap().style.graph;
        assert!(arrange(&graph, &BTreeMap::new()).is_empty());
        let mut some = shapes(&graph);
        some.retain(|id, _| ["velocity", "trail"].contains(&id.as_str()));
        let places = arrange(&graph, &some);
        assert_eq!(places.len(), 2);
        assert!(places["velocity"][0] < places["trail"][0]);
    }
}
