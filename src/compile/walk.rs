//! Goes through a graph in the order of its links and compiles node after node.

use super::bypass::bypass;
use super::inputs::{linked, set_value, unlinked};
use crate::graph::{
    Graph, GraphRef, Group, Node, OUTPUT_TYPE, PortRef, PortTable, Ports, Problem, Reason, Style,
    node_type_of,
};
use crate::ir::{Builder, Rate, Value};
use crate::rig::Base;
use crate::script::{InputPort, Library, NodeType, PortType, Setting, Val, evaluate, identifier};
use std::collections::BTreeMap;

/// What a walk found out beside the program.
#[derive(Default)]
pub struct Findings {
    pub problems: Vec<Problem>,
    pub outputs: BTreeMap<(String, String), (PortType, Rate)>,
}

/// Values by node and port of one graph.
type Values = BTreeMap<PortRef, Val>;

pub struct Walk<'a> {
    style: &'a Style,
    library: &'a Library,
    ports: PortTable<'a>,
    builder: &'a mut Builder,
    findings: Findings,
}

/// Values in all; more is not a style but an accident, and would take seconds.
const MOST_VALUES: usize = 400_000;

/// Where in the document the walk is.
struct Place<'a> {
    graph: &'a GraphRef,
    /// In front of node ids: `group/`, or nothing at the top.
    prefix: &'a str,
}

impl<'a> Walk<'a> {
    pub fn new(style: &'a Style, library: &'a Library, builder: &'a mut Builder) -> Walk<'a> {
        let ports = PortTable::new(style, library);
        Walk { style, library, ports, builder, findings: Findings::default() }
    }

    pub fn finish(self) -> Findings {
        self.findings
    }

    /// The deformed position, if there is an Output node.
    pub fn top(&mut self) -> Option<(Value, Base)> {
        let graph = &self.style.graph;
        let place = Place { graph: &GraphRef::Top, prefix: "" };
        let values = self.graph(&place, graph, &Values::new());
        let (id, node) = graph.nodes.iter().find(|(_, node)| node.node_type == OUTPUT_TYPE)?;
        let output = self.ports.of(node).ok()?.outputs.first()?.name.clone();
        let position = match values.get(&PortRef::new(id, output))? {
            Val::Vec3(position) => *position,
            _ => return None,
        };
        let is_dqs = matches!(node.settings.get("base"), Some(Setting::Text(word)) if word.eq_ignore_ascii_case("dqs"));
        Some((position, if is_dqs { Base::Dqs } else { Base::Lbs }))
    }

    /// `fed` is what arrives at inputs from outside of a group.
    fn graph(&mut self, place: &Place, graph: &'a Graph, fed: &Values) -> Values {
        let mut values = Values::new();
        for id in graph.order().unwrap_or_default() {
            let Some(node) = graph.nodes.get(id) else { continue };
            let Ok(ports) = self.ports.of(node) else { continue };
            let arriving = self.arriving(place, graph, id, &ports, &values, fed);
            let path = format!("{}{id}", place.prefix);
            self.builder.enter_node(&path);
            let too_large = self.builder.len() > MOST_VALUES;
            let made = match (node.muted, node.group()) {
                _ if too_large => None,
                (true, _) => None,
                (false, Some(name)) => self.group(name, &path, node, &ports, &arriving),
                (false, None) => self.node(place, id, &path, node, &arriving),
            };
            let outputs = made.unwrap_or_else(|| bypass(&ports, &arriving));
            for (port, value) in outputs {
                self.note_output(&path, &port, &value);
                values.insert(PortRef::new(id, port), value);
            }
        }
        values
    }

    /// What arrives over wires, by input.
    fn arriving(
        &mut self,
        place: &Place,
        graph: &Graph,
        id: &str,
        ports: &Ports,
        values: &Values,
        fed: &Values,
    ) -> BTreeMap<String, Val> {
        let mut arriving = BTreeMap::new();
        for input in &ports.inputs {
            let at = PortRef::new(id, &input.name);
            if input.ty.is_compile_time() {
                // Wires cannot bring it, but a group can be set from outside.
                arriving.extend(fed.get(&at).map(|value| (input.name.clone(), value.clone())));
                continue;
            }
            let links = graph.links.iter().filter(|link| link.to == at);
            let wires = links.filter_map(|link| Some((&link.from, values.get(&link.from)?)));
            let mut wires: Vec<(Option<&PortRef>, &Val)> =
                wires.map(|(from, value)| (Some(from), value)).collect();
            wires.extend(fed.get(&at).map(|value| (None, value)));
            if graph.nodes.get(id).is_some_and(|node| node.node_type == OUTPUT_TYPE) {
                wires.retain(|(from, value)| self.is_per_vertex(place, &at, *from, value));
            }
            let wires: Vec<Val> = wires.into_iter().map(|(_, value)| value.clone()).collect();
            if let Some(value) = linked(self.builder, input, &wires) {
                arriving.insert(input.name.clone(), value);
            }
        }
        arriving
    }

    /// Output wants one value per vertex; what differs from bone to bone must be summed before.
    fn is_per_vertex(
        &mut self,
        place: &Place,
        at: &PortRef,
        from: Option<&PortRef>,
        value: &Val,
    ) -> bool {
        let rate = self.rate(value);
        if rate.has_bone() {
            let from = from.cloned().unwrap_or_else(|| at.clone());
            let reason = Reason::PerBone { from, rate };
            self.report(place, &at.node, Some(&at.port), reason);
        }
        !rate.has_bone()
    }

    fn node(
        &mut self,
        place: &Place,
        id: &str,
        path: &str,
        node: &Node,
        arriving: &BTreeMap<String, Val>,
    ) -> Option<Vec<(String, Val)>> {
        let node_type = node_type_of(node, self.library).ok()?;
        if !node_type.states.is_empty() {
            self.report(place, id, None, Reason::Memory);
            return None;
        }
        let value_of = |builder: &mut Builder, input: &InputPort| match arriving.get(&input.name) {
            Some(value) => value.clone(),
            None => unlinked(builder, path, node, input),
        };
        let mut any_is_vec3 = false;
        let mut inputs = Vec::with_capacity(node_type.inputs.len());
        for input in &node_type.inputs {
            let value = value_of(self.builder, input);
            any_is_vec3 |= input.ty == PortType::Any && matches!(value, Val::Vec3(_));
            inputs.push((identifier(&input.name), value));
        }
        let result = evaluate(&node_type.kernel, self.builder, inputs);
        let outputs = result.and_then(|result| {
            node_type.kernel.outputs(self.builder, &node_type, result, any_is_vec3)
        });
        match outputs {
            Ok(values) => Some(self.sum_outputs(&node_type, values)),
            Err(error) => {
                self.report(place, id, None, Reason::Script(error));
                None
            }
        }
    }

    /// Outputs declared with `.sum()` are summed; the unsummed value is an output of its own.
    fn sum_outputs(&mut self, node_type: &NodeType, values: Vec<Val>) -> Vec<(String, Val)> {
        let mut outputs = Vec::with_capacity(node_type.outputs.len());
        for (place, port) in node_type.outputs.iter().enumerate() {
            let value = values.get(port.per_bone_of.unwrap_or(place));
            let Some(value) = value else { continue };
            let value = match (port.sum, value) {
                (Some(column), Val::Float(part) | Val::Vec3(part)) => {
                    let sum = self.builder.sum(*part, column);
                    self.builder.name(sum, &port.name);
                    Val::of(self.builder, sum)
                }
                _ => value.clone(),
            };
            outputs.push((port.name.clone(), value));
        }
        outputs
    }

    fn group(
        &mut self,
        name: &str,
        path: &str,
        node: &Node,
        ports: &Ports,
        arriving: &BTreeMap<String, Val>,
    ) -> Option<Vec<(String, Val)>> {
        let group: &'a Group = self.style.groups.get(name)?;
        let mut fed = Values::new();
        for published in &group.inputs {
            let Some(input) = ports.input(&published.name) else { continue };
            let set = node.settings.get(&published.name);
            let value = match (arriving.get(&published.name), set) {
                (Some(value), _) => Some(value.clone()),
                (None, Some(setting)) => set_value(self.builder, path, input, setting),
                (None, None) => None,
            };
            if let Some(value) = value {
                fed.insert(published.inner.clone(), value);
            }
        }
        let graph_ref = GraphRef::Group(name.to_owned());
        let place = Place { graph: &graph_ref, prefix: &format!("{path}/") };
        let values = self.graph(&place, &group.graph, &fed);
        let outputs = group.outputs.iter().filter_map(|published| {
            Some((published.name.clone(), values.get(&published.inner)?.clone()))
        });
        Some(outputs.collect())
    }

    fn rate(&self, value: &Val) -> Rate {
        let rates = value.parts().into_iter().map(|part| self.builder.rate(part));
        rates.fold(Rate::Frame, Rate::join)
    }

    fn note_output(&mut self, path: &str, port: &str, value: &Val) {
        let ty = match value {
            Val::Float(_) => PortType::Float,
            Val::Vec3(_) => PortType::Vec3,
            Val::Quat(..) => PortType::Quat,
            Val::Mat3(_) => PortType::Mat3,
            _ => return,
        };
        let rate = self.rate(value);
        self.findings.outputs.insert((path.to_owned(), port.to_owned()), (ty, rate));
    }

    /// Each problem once, however often a group is used.
    fn report(&mut self, place: &Place, node: &str, port: Option<&str>, reason: Reason) {
        let problem = Problem {
            graph: place.graph.clone(),
            node: Some(node.to_owned()),
            port: port.map(str::to_owned),
            reason,
        };
        if !self.findings.problems.contains(&problem) {
            self.findings.problems.push(problem);
        }
    }
}
