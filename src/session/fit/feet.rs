//! A Pin before the Output, so that what stands stands still. It changes the wires of a graph, so it is only put
//! there when somebody asks for it.

use crate::Session;
use jounce_graph::document::{Command, GraphRef, Link, Node, OUTPUT_TYPE, PortRef};
use jounce_graph::script::Setting;
use std::collections::BTreeMap;

const PIN: &str = "Pin";
/// Held up to here, as a fraction of the size, and loose above another `FADE`; as in the style `default`.
const GROUND: f64 = 0.05;
const FADE: f64 = 0.2;
/// From node to node on the canvas.
const STEP: f64 = 300.0;

/// `ground_lift`: how far above the ground of the rest pose the motion stands, as a fraction of the size. None
/// if there is no Output, or nothing leads to it.
pub fn hold_feet(session: &Session, ground_lift: f64) -> Option<Command> {
    let graph = &session.document().style.graph;
    let (output, _) = graph.nodes.iter().find(|(_, node)| node.node_type == OUTPUT_TYPE)?;
    let into: Vec<Link> =
        graph.links_into(output).filter(|link| link.to.port == "displacement").cloned().collect();
    let ground = Setting::Float(((GROUND + ground_lift.max(0.0)) * 1e3).round() / 1e3);
    let is_pin = |link: &&Link| graph.nodes[&link.from.node].node_type == PIN;
    let settings = [
        ("ground", ground),
        ("fade", Setting::Float(FADE)),
        ("measured", Setting::Text("both".to_owned())),
    ];
    if let ([only], Some(pin)) = (into.as_slice(), into.iter().find(is_pin)) {
        let set = settings.into_iter().map(|(port, value)| Command::SetSetting {
            graph: GraphRef::Top,
            node: only.from.node.clone(),
            port: port.to_owned(),
            value: Some(value),
        });
        debug_assert_eq!(only, pin);
        return Some(Command::batch(set.collect()));
    }
    let mut pinned = Node::new(PIN);
    pinned.title = Some("Feet".to_owned());
    pinned.settings = settings.map(|(port, value)| (port.to_owned(), value)).into();
    with_pin(session, output, &into, pinned)
}

/// All that led to the Output is added up and goes through the Pin.
fn with_pin(session: &Session, output: &str, into: &[Link], mut pin: Node) -> Option<Command> {
    let graph = &session.document().style.graph;
    let top = || GraphRef::Top;
    let first = into.first()?;
    let place = graph.nodes[output].position;
    let pin_id = graph.fresh_id("Feet");
    let disconnect = |link: &Link| Command::Disconnect { graph: top(), link: link.clone() };
    let mut commands: Vec<Command> = into.iter().map(disconnect).collect();
    let connect = |from: PortRef, to: PortRef, adds: bool| Command::Connect {
        graph: top(),
        link: Link::new(from, to),
        adds,
    };
    let mut steps = 1.0;
    let source = match into {
        [_] => first.from.clone(),
        _ => {
            let id = graph.fresh_id("Together");
            let mut add = Node::new("Add");
            (add.title, add.position) = (Some("Together".to_owned()), place);
            commands.push(Command::AddNode { graph: top(), id: id.clone(), node: add });
            let wires =
                into.iter().map(|link| connect(link.from.clone(), PortRef::new(&id, "a"), true));
            commands.extend(wires);
            steps = 2.0;
            PortRef::new(&id, "sum")
        }
    };
    pin.position = [place[0] + STEP * (steps - 1.0), place[1]];
    commands.push(Command::AddNode { graph: top(), id: pin_id.clone(), node: pin });
    commands.push(connect(source, PortRef::new(&pin_id, "displacement"), false));
    let result = PortRef::new(&pin_id, "displacement");
    commands.push(connect(result, PortRef::new(output, "displacement"), true));
    let moved = BTreeMap::from([(output.to_owned(), [place[0] + STEP * steps, place[1]])]);
    commands.push(Command::MoveNodes { graph: top(), positions: moved });
    Some(Command::batch(commands))
}
