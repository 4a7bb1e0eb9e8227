//! The shortest way from a painted map to something that moves: two nodes in the style, wired to its end.

use jounce_graph::document::{Command, Graph, GraphRef, Link, Node, OUTPUT_TYPE, PortRef};
use jounce_graph::script::Setting;

/// Where the map is 1, skin trails by so many seconds: as soft as an ear.
const SECS_AT_ONE: f64 = 0.25;
/// Ears may bend further than limbs.
const MAX_ANGLE_DEG: f64 = 70.0;
/// On the canvas: how far the nodes are apart, and how far below the end of the style.
const APART: f64 = 260.0;
const BELOW: f64 = 190.0;

/// Skin that trails as much as the map says is added to what the style does. None where the style has no end.
pub fn make_floppy(graph: &Graph, map: &str) -> Option<Command> {
    let is_end = |(_, node): &(&String, &Node)| node.node_type == OUTPUT_TYPE;
    let (output, end) = graph.nodes.iter().find(is_end)?;
    let at = |steps: f64| [end.position[0] - steps * APART, end.position[1] + BELOW];
    let text = |text: &str| Setting::Text(text.to_owned());
    let painted = Node {
        title: Some(map.to_owned()),
        position: at(2.0),
        settings: [
            ("source".to_owned(), text("painted")),
            ("name".to_owned(), text(map)),
            ("gain".to_owned(), Setting::Float(SECS_AT_ONE)),
        ]
        .into(),
        ..Node::new("Map")
    };
    let floppy = Node {
        title: Some(format!("Floppy {map}")),
        position: at(1.0),
        settings: [("max angle".to_owned(), Setting::Float(MAX_ANGLE_DEG))].into(),
        ..Node::new("Floppy")
    };
    let ids = [graph.fresh_id("Map"), graph.fresh_id("Floppy")];
    let add = |id: &String, node| Command::AddNode { graph: GraphRef::Top, id: id.clone(), node };
    let link = |from: &str, out: &str, to: &str, into: &str, adds| Command::Connect {
        graph: GraphRef::Top,
        link: Link::new(PortRef::new(from, out), PortRef::new(to, into)),
        adds,
    };
    Some(Command::batch(vec![
        add(&ids[0], painted),
        add(&ids[1], floppy),
        link(&ids[0], "value", &ids[1], "floppiness", false),
        link(&ids[1], "displacement", output, "displacement", true),
    ]))
}
