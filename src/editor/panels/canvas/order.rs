//! What lies above what, the same in every run. Snarl takes new nodes and all wires out of hash tables.
//!
//! A node of snarl's is only a place for one of the document's: once it is seen in which order snarl draws
//! new places, the document's nodes are put into them in their own order.

use super::mirror::Mirror;
use egui::layers::ShapeIdx;
use egui::{Context, LayerId, Painter, Pos2, Shape};
use egui_snarl::NodeId;
use jounce_graph::document::Graph;
use std::cmp::Ordering;

/// Where snarl will paint its wires, all of them as one shape: the first after the backdrop.
#[derive(Clone, Copy)]
pub struct WiresPlace {
    layer: LayerId,
    shape: ShapeIdx,
}

impl WiresPlace {
    /// The shape that is painted next.
    pub fn next(painter: &Painter) -> WiresPlace {
        let layer = painter.layer_id();
        let shape = painter.ctx().graphics_mut(|layers| layers.entry(layer).next_idx());
        WiresPlace { layer, shape }
    }

    /// Wires that begin further down lie above.
    pub fn sort(self, ctx: &Context) {
        ctx.graphics_mut(|layers| {
            layers.entry(self.layer).mutate_shape(self.shape, |painted| {
                if let Shape::Vec(wires) = &mut painted.shape {
                    wires.sort_by(compare);
                }
            });
        });
    }
}

fn ends(wire: &Shape) -> [Pos2; 2] {
    match wire {
        Shape::LineSegment { points, .. } => *points,
        Shape::Path(path) => match (path.points.first(), path.points.last()) {
            (Some(first), Some(last)) => [*first, *last],
            _ => [Pos2::ZERO; 2],
        },
        _ => [Pos2::ZERO; 2],
    }
}

fn compare(a: &Shape, b: &Shape) -> Ordering {
    let numbers = |wire: &Shape| ends(wire).map(|end| [end.y, end.x]);
    let (a, b) = (numbers(a), numbers(b));
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    pairs.map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

impl Mirror {
    /// Puts new nodes into snarl's places in the order of the document. `drawn`: all places, in the order
    /// in which they were drawn. True if that changed anything.
    pub fn put_in_order(&mut self, graph: &Graph, drawn: &[NodeId]) -> bool {
        let new = std::mem::take(&mut self.new_places);
        let places: Vec<NodeId> =
            drawn.iter().filter(|place| new.contains(place)).copied().collect();
        let ids: Vec<String> = (self.nodes.iter())
            .filter(|(_, view)| places.contains(&view.snarl))
            .map(|(id, _)| id.clone())
            .collect();
        let has_place = |(id, place): (&String, &NodeId)| {
            self.nodes.get(id).is_some_and(|view| view.snarl == *place)
        };
        if ids.len() != places.len() || ids.iter().zip(&places).all(has_place) {
            return false;
        }
        // Wires hang on places.
        for (from, to) in self.snarl.wires().collect::<Vec<_>>() {
            self.snarl.disconnect(from, to);
        }
        for (id, place) in ids.iter().zip(&places) {
            self.move_to(id, *place);
        }
        self.take_wires(graph, &[]);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Color32, Stroke, pos2};

    #[test]
    fn wires_are_sorted_by_where_they_begin_and_end() {
        let wire = |y: f32, end: f32| {
            Shape::line(vec![pos2(0.0, y), pos2(9.0, end)], Stroke::new(1.0, Color32::WHITE))
        };
        let mut wires = [wire(3.0, 0.0), wire(1.0, 7.0), Shape::Noop, wire(1.0, 2.0)];
        wires.sort_by(compare);
        let begins: Vec<[f32; 2]> = wires.iter().map(|it| ends(it).map(|end| end.y)).collect();
        assert_eq!(begins, [[0.0, 0.0], [1.0, 2.0], [1.0, 7.0], [3.0, 0.0]]);
    }
}
