//! A Pin before the Output, so that what stands stands still. It changes the wires of a graph, so it is only put
//! there when somebody asks for it.

use crate::Session;
use jounce_graph::document::{Command, GraphRef, Link, Node, OUTPUT_TYPE, PortRef};
use jounce_graph::script::Setting;
use jounce_ir::{Number, Parameter, Program};
use std::collections::BTreeMap;

const PIN: &str = "Pin";
const PIN_GROUND: &str = "ground";
/// Held up to here, as a fraction of the size, and loose above another `FADE`.
const GROUND: f64 = 0.05;
const FADE: f64 = 0.2;
/// A Pin that is there holds up to here at least, above the ground of the motion.
const LEAST_GROUND: f64 = 0.03;
/// From node to node on the canvas.
const STEP: f64 = 300.0;

/// Raises the Pin that is before the Output already. None if there is none. `ground_lift`: how far above the ground of
/// the rest pose the motion stands, as a fraction of the size.
pub fn raise_pin(session: &Session, program: &Program, ground_lift: f64) -> Option<Command> {
    let node = pin_before_output(session)?;
    // The program knows the value that holds where none is set; a wired one is the user's.
    let is_ground = |it: &&Parameter| it.node == node && it.port == PIN_GROUND;
    let Number::Float(own) = program.tables.parameters.iter().find(is_ground)?.value else {
        return None;
    };
    let wanted = rounded(LEAST_GROUND + ground_lift.max(0.0));
    (wanted > own).then(|| Command::SetSetting {
        graph: GraphRef::Top,
        node,
        port: PIN_GROUND.to_owned(),
        value: Some(Setting::Float(wanted)),
    })
}

/// All that leads to the Output goes through it.
pub fn pin_before_output(session: &Session) -> Option<String> {
    let graph = &session.document().style.graph;
    let [only]: [Link; 1] = links_to_output(session)?.1.try_into().ok()?;
    let is_pin = graph.nodes.get(&only.from.node).is_some_and(|node| node.node_type == PIN);
    is_pin.then_some(only.from.node)
}

/// A new Pin. None if there is no Output, or nothing leads to it.
pub fn hold_feet(session: &Session, ground_lift: f64) -> Option<Command> {
    let (output, into) = links_to_output(session)?;
    let mut pin = Node::new(PIN);
    pin.title = Some("Feet".to_owned());
    pin.settings = settings(ground_lift).map(|(port, value)| (port.to_owned(), value)).into();
    with_pin(session, &output, &into, pin)
}

fn settings(ground_lift: f64) -> [(&'static str, Setting); 3] {
    [
        (PIN_GROUND, Setting::Float(rounded(GROUND + ground_lift.max(0.0)))),
        ("fade", Setting::Float(FADE)),
        ("measured", Setting::Text("both".to_owned())),
    ]
}

fn rounded(height: f64) -> f64 {
    (height * 1e3).round() / 1e3
}

fn links_to_output(session: &Session) -> Option<(String, Vec<Link>)> {
    let graph = &session.document().style.graph;
    let (output, _) = graph.nodes.iter().find(|(_, node)| node.node_type == OUTPUT_TYPE)?;
    let into = graph.links_into(output).filter(|link| link.to.port == "displacement").cloned();
    Some((output.clone(), into.collect()))
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
