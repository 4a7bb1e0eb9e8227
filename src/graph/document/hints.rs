//! What works, but is perhaps not intended.

use super::ports::PortTable;
use super::problem::{Problem, Reason};
use super::{Graph, GraphRef, Node, OUTPUT_TYPE, PARAMETER_TYPE, Style};
use crate::script::{DefaultInput, Library, Setting};
use std::collections::BTreeMap;

/// It works, but is surely not intended.
pub const UNLINKED: &str = "nothing is wired to Output; wire a displacement to it";

/// Is there an Output that no wire leads to?
pub fn is_unlinked(style: &Style) -> bool {
    let graph = &style.graph;
    let output = graph.nodes.iter().find(|(_, node)| node.node_type == OUTPUT_TYPE);
    output.is_some_and(|(id, _)| graph.links_into(id).next().is_none())
}

/// In the order of the graphs and their nodes. Unlike problems, they keep nothing from working.
pub fn hints(style: &Style, library: &Library) -> Vec<Problem> {
    let mut ports = PortTable::new(style, library);
    let mut first_of_name: BTreeMap<String, String> = BTreeMap::new();
    let mut found = Vec::new();
    for (graph_ref, graph) in style.graphs() {
        for (id, node) in &graph.nodes {
            if node.node_type != PARAMETER_TYPE || node.muted {
                continue;
            }
            let mut report = |port: &str, reason| {
                let (graph, node) = (graph_ref.clone(), Some(id.clone()));
                found.push(Problem { graph, node, port: Some(port.to_owned()), reason });
            };
            if let Some(Setting::Text(name)) = setting(&mut ports, node, "name") {
                match first_of_name.get(&name) {
                    Some(first) => {
                        report("name", Reason::SharedName { name, first: first.clone() })
                    }
                    None => {
                        first_of_name.insert(name, called(&graph_ref, id));
                    }
                }
            }
            if let Some(reason) = outside_slider(&mut ports, graph, id, node) {
                report("value", reason);
            }
        }
    }
    found
}

/// A slider whose ends are wired has none that are known here.
fn outside_slider(ports: &mut PortTable, graph: &Graph, id: &str, node: &Node) -> Option<Reason> {
    let mut number = |port: &str| {
        let is_linked = graph.links_into(id).any(|link| link.to.port == port);
        match setting(ports, node, port).filter(|_| !is_linked)? {
            Setting::Float(number) => Some(number),
            _ => None,
        }
    };
    let (value, low, high) = (number("value")?, number("min")?, number("max")?);
    (!(low..=high).contains(&value)).then_some(Reason::OutsideSlider { value, low, high })
}

/// What is set, else the default.
fn setting(ports: &mut PortTable, node: &Node, port: &str) -> Option<Setting> {
    let of_type = || match &ports.of(node).ok()?.input(port)?.default {
        DefaultInput::Setting(setting) => Some(setting.clone()),
        _ => None,
    };
    node.settings.get(port).cloned().or_else(of_type)
}

fn called(graph: &GraphRef, id: &str) -> String {
    match graph {
        GraphRef::Top => id.to_owned(),
        GraphRef::Group(_) => format!("{id} in {graph}"),
    }
}
