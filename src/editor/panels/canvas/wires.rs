//! Where wires run, to find the one that a node was dropped on.

use super::pin::PinPlace;
use egui::{Pos2, Rect, vec2};
use jounce_graph::document::Link;

/// How far a wire goes straight out of its pin, in the space of the graph.
pub const REACH: f32 = 48.0;
const SAMPLES: usize = 24;

fn pin_of<'a>(
    pins: &'a [PinPlace],
    node: &str,
    port: &str,
    is_output: bool,
) -> Option<&'a PinPlace> {
    let is_it =
        |pin: &&PinPlace| pin.node == node && pin.port == port && pin.is_output == is_output;
    pins.iter().find(is_it)
}

/// Points along a wire, as it is drawn.
fn points(from: Pos2, to: Pos2) -> impl Iterator<Item = Pos2> {
    let reach = REACH.min(from.distance(to) * 0.5);
    let (a, b) = (from + vec2(reach, 0.0), to - vec2(reach, 0.0));
    (0..=SAMPLES).map(move |sample| {
        let t = sample as f32 / SAMPLES as f32;
        let s = 1.0 - t;
        let sum = from.to_vec2() * (s * s * s)
            + a.to_vec2() * (3.0 * s * s * t)
            + b.to_vec2() * (3.0 * s * t * t)
            + to.to_vec2() * (t * t * t);
        sum.to_pos2()
    })
}

/// The wire that goes nearest to the middle of a rectangle, of those that go through it.
pub fn wire_under<'a>(
    pins: &[PinPlace],
    links: impl Iterator<Item = &'a Link>,
    rect: Rect,
) -> Option<&'a Link> {
    let through = links.filter_map(|link| {
        let from = pin_of(pins, &link.from.node, &link.from.port, true)?.rect.center();
        let to = pin_of(pins, &link.to.node, &link.to.port, false)?.rect.center();
        let inside = points(from, to).filter(|point| rect.contains(*point));
        let nearest = inside.map(|point| point.distance(rect.center())).reduce(f32::min)?;
        Some((nearest, link))
    });
    through.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, link)| link)
}
