//! Goes through a graph in the order of its links and compiles node after node.

use super::bypass::{bypass, pass_by_name};
use super::filters::filter_of;
use super::inputs::{linked, set_value, unlinked};
use super::{Constants, Filter};
use crate::document::{
    Graph, GraphRef, Group, Node, OUTPUT_TYPE, PortRef, PortTable, Ports, Problem, Reason, Style,
    node_type_of,
};
use crate::script::{
    EvaluateError, InputPort, Library, NodeType, PortType, Setting, Val, evaluate_node, identifier,
};
use jounce_base::{Base, Hierarchy};
use jounce_ir::{Builder, Column, Rate, Value};
use std::collections::{BTreeMap, HashMap};

/// What a walk found out beside the program.
#[derive(Default)]
pub struct Findings {
    pub problems: Vec<Problem>,
    pub outputs: BTreeMap<(String, String), (PortType, Rate)>,
    pub filters: Vec<Filter>,
    /// Who gave a value first, by node path and port.
    pub givers: HashMap<Value, (String, String)>,
    pub values: super::PortsInProgram,
    /// The same of inputs, unlinked ones and sums of several wires included.
    pub inputs: BTreeMap<(String, String), (PortType, Rate)>,
    pub input_values: super::PortsInProgram,
    /// By node path what each port was; an output takes precedence over an input of the same name.
    pub ports: BTreeMap<String, BTreeMap<String, Val>>,
    /// With which weights a value of bones was summed first.
    pub columns: HashMap<Value, Column>,
}

/// Values by node and port of one graph.
pub type Values = BTreeMap<PortRef, Val>;

pub struct Walk<'a> {
    style: &'a Style,
    library: &'a Library,
    constants: &'a Constants,
    ports: PortTable<'a>,
    builder: &'a mut Builder,
    findings: Findings,
    was_too_large: bool,
}

/// To compute in all, in plain values; more is not a style but an accident, and would take seconds.
const MOST_WORK: usize = 100_000;

/// What a node's inputs are taken from.
struct Inputs<'g> {
    /// By input.
    wires: &'g BTreeMap<&'g PortRef, Vec<&'g PortRef>>,
    values: &'g Values,
    /// From outside of the group.
    fed: &'g Values,
}

/// What the Output node says.
#[derive(Default)]
pub struct Top {
    /// The deformed position, if there is an Output node.
    pub position: Option<Value>,
    /// How bones are blended before.
    pub base: Base,
    /// Whom they move relative to.
    pub hierarchy: Hierarchy,
}

/// Where in the document the walk is.
struct WalkPosition<'a> {
    graph: &'a GraphRef,
    /// In front of node ids: `group/`, or nothing at the top.
    prefix: &'a str,
}

impl<'a> Walk<'a> {
    pub fn new(
        style: &'a Style,
        library: &'a Library,
        constants: &'a Constants,
        builder: &'a mut Builder,
    ) -> Walk<'a> {
        let ports = PortTable::new(style, library);
        Walk {
            style,
            library,
            constants,
            ports,
            builder,
            findings: Findings::default(),
            was_too_large: false,
        }
    }

    pub fn finish(self) -> Findings {
        self.findings
    }

    pub fn top(&mut self) -> Top {
        let graph = &self.style.graph;
        let place = WalkPosition { graph: &GraphRef::Top, prefix: "" };
        let values = self.graph(&place, graph, &Values::new());
        let output = graph.nodes.iter().find(|(_, node)| node.node_type == OUTPUT_TYPE);
        let Some((id, node)) = output else {
            return Top::default();
        };
        let is_set = |port: &str, choice: &str| matches!(node.settings.get(port), Some(Setting::Text(set)) if set == choice);
        let base = if is_set("base", "DQS") { Base::Dqs } else { Base::Lbs };
        let is_set = |hierarchy: &Hierarchy| is_set("hierarchy", hierarchy.name());
        let hierarchy = Hierarchy::ALL.into_iter().find(is_set).unwrap_or_default();
        let port =
            self.ports.of(node).ok().and_then(|ports| Some(ports.outputs.first()?.name.clone()));
        let at = PortRef::new(id, port.unwrap_or_default());
        // A user's own Output may give anything.
        let position = match values.get(&at) {
            Some(value @ Val::Vec3(position)) if self.is_per_vertex(&place, &at, None, value) => {
                Some(*position)
            }
            _ => None,
        };
        Top { position, base, hierarchy }
    }

    /// `fed` is what arrives at inputs from outside of a group.
    fn graph(&mut self, place: &WalkPosition, graph: &'a Graph, fed: &Values) -> Values {
        let mut wires: BTreeMap<&PortRef, Vec<&PortRef>> = BTreeMap::new();
        for link in &graph.links {
            wires.entry(&link.to).or_default().push(&link.from);
        }
        let mut values = Values::new();
        for id in graph.order().unwrap_or_default() {
            let Some(node) = graph.nodes.get(id) else { continue };
            let path = format!("{}{id}", place.prefix);
            self.builder.enter_node(&path);
            let title = node.title.as_deref().unwrap_or(&node.node_type);
            self.builder.name_node(title, &node.node_type);
            let Ok(ports) = self.ports.of(node) else {
                let through = pass_by_name(graph, id, &wires, &values);
                let seen = self.findings.ports.entry(path).or_default();
                seen.extend(through.iter().map(|(at, value)| (at.port.clone(), value.clone())));
                values.extend(through);
                continue;
            };
            let inputs = Inputs { wires: &wires, values: &values, fed };
            let arriving = self.arriving(place, id, node, &ports, &inputs);
            let made = match (node.muted, node.group()) {
                (true, _) => None,
                _ if self.is_too_large(place, id, node) => None,
                (false, Some(name)) => self.group(name, &path, node, &ports, &arriving),
                (false, None) => self.node(place, id, &path, node, &arriving),
            };
            let outputs = made.unwrap_or_else(|| bypass(&ports, &arriving));
            arriving.iter().for_each(|(port, value)| self.note_input(&path, port, value));
            let seen = self.findings.ports.entry(path.clone()).or_default();
            arriving.into_iter().for_each(|(port, value)| {
                seen.entry(port).or_insert(value);
            });
            seen.extend(outputs.iter().cloned());
            for (port, value) in outputs {
                self.note_output(&path, &port, &value);
                values.insert(PortRef::new(id, port), value);
            }
        }
        values
    }

    /// Reported once; what was compiled so far still reaches the Output.
    fn is_too_large(&mut self, place: &WalkPosition, id: &str, node: &Node) -> bool {
        let is_too_large = self.builder.work() > MOST_WORK && node.node_type != OUTPUT_TYPE;
        if is_too_large && !self.was_too_large {
            self.was_too_large = true;
            self.report(place, id, None, Reason::TooLarge);
        }
        is_too_large
    }

    /// What arrives over wires, by input.
    fn arriving(
        &mut self,
        place: &WalkPosition,
        id: &str,
        node: &Node,
        ports: &Ports,
        inputs: &Inputs,
    ) -> BTreeMap<String, Val> {
        let mut arriving = BTreeMap::new();
        for input in &ports.inputs {
            let at = PortRef::new(id, &input.name);
            let fed = inputs.fed.get(&at);
            if input.ty.is_compile_time() {
                // Wires cannot bring it, but a group can be set from outside.
                arriving.extend(fed.map(|value| (input.name.clone(), value.clone())));
                continue;
            }
            let wires = inputs.wires.get(&at).map(Vec::as_slice).unwrap_or_default();
            let wires = wires.iter().filter_map(|from| Some((*from, inputs.values.get(from)?)));
            let mut wires: Vec<(Option<&PortRef>, &Val)> =
                wires.map(|(from, value)| (Some(from), value)).collect();
            wires.extend(fed.map(|value| (None, value)));
            if node.node_type == OUTPUT_TYPE {
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
        place: &WalkPosition,
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
        place: &WalkPosition,
        id: &str,
        path: &str,
        node: &Node,
        arriving: &BTreeMap<String, Val>,
    ) -> Option<Vec<(String, Val)>> {
        let node_type = node_type_of(node, self.library).ok()?;
        let mut sentence = node_type.first_sentence();
        if let Some(comment) = node_type.kernel.comment() {
            sentence = format!("{sentence}\n{comment}");
        }
        self.builder.describe_node(sentence);
        let constants = self.constants;
        let value_of = |builder: &mut Builder, input: &InputPort| match arriving.get(&input.name) {
            Some(value) => value.clone(),
            None => unlinked(builder, constants, path, node, input),
        };
        let mut any_is_vec3 = false;
        let mut inputs = Vec::with_capacity(node_type.inputs.len());
        for input in &node_type.inputs {
            let value = value_of(self.builder, input);
            any_is_vec3 |= input.ty == PortType::Any && matches!(value, Val::Vec3(_));
            let seen = self.findings.ports.entry(path.to_owned()).or_default();
            seen.insert(input.name.clone(), value.clone());
            self.note_input(path, &input.name, &value);
            inputs.push((identifier(&input.name), value));
        }
        let result = evaluate_node(&node_type, self.builder, &inputs, any_is_vec3);
        let outputs = result.and_then(|result| {
            let outputs = node_type.kernel.outputs(self.builder, &node_type, result, any_is_vec3);
            outputs.map_err(EvaluateError::Script)
        });
        let reason = match outputs {
            Ok(values) => {
                let outputs = self.sum_outputs(&node_type, values);
                let filter = filter_of(self.builder, &node_type, &inputs, &outputs);
                self.findings.filters.extend(filter);
                return Some(outputs);
            }
            Err(EvaluateError::Script(error)) => Reason::Script(error),
            Err(EvaluateError::PerVertex { name }) => Reason::Memory { name },
        };
        self.report(place, id, None, reason);
        None
    }

    /// Outputs declared with `.sum()` are summed; the unsummed value is an output of its own.
    fn sum_outputs(&mut self, node_type: &NodeType, values: Vec<Val>) -> Vec<(String, Val)> {
        let mut outputs = Vec::with_capacity(node_type.outputs.len());
        for (place, port) in node_type.outputs.iter().enumerate() {
            let value = values.get(port.per_bone_of.unwrap_or(place));
            let Some(value) = value else { continue };
            let value = match (port.sum, value) {
                (Some(column), Val::Float(part) | Val::Vec3(part)) => {
                    self.findings.columns.entry(*part).or_insert(column);
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
                (None, Some(setting)) => {
                    set_value(self.builder, self.constants, path, input, setting)
                }
                (None, None) => None,
            };
            if let Some(value) = value {
                self.note_input(path, &published.name, &value);
                fed.insert(published.inner.clone(), value);
            }
        }
        let graph_ref = GraphRef::Group(name.to_owned());
        let place = WalkPosition { graph: &graph_ref, prefix: &format!("{path}/") };
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

    fn note_input(&mut self, path: &str, port: &str, value: &Val) {
        let Some(ty) = type_of(value) else { return };
        let (rate, at) = (self.rate(value), (path.to_owned(), port.to_owned()));
        if let Val::Float(value) | Val::Vec3(value) = value {
            self.findings.input_values.insert(at.clone(), *value);
        }
        self.findings.inputs.insert(at, (ty, rate));
    }

    fn note_output(&mut self, path: &str, port: &str, value: &Val) {
        let Some(ty) = type_of(value) else { return };
        let rate = self.rate(value);
        if let Val::Float(value) | Val::Vec3(value) = value {
            let giver = || (path.to_owned(), port.to_owned());
            self.findings.givers.entry(*value).or_insert_with(giver);
            self.findings.values.insert((path.to_owned(), port.to_owned()), *value);
        }
        self.findings.outputs.insert((path.to_owned(), port.to_owned()), (ty, rate));
    }

    /// Each problem once, however often a group is used.
    fn report(&mut self, place: &WalkPosition, node: &str, port: Option<&str>, reason: Reason) {
        let is_in_group = !place.prefix.is_empty();
        let problem = Problem {
            graph: place.graph.clone(),
            node: Some(node.to_owned()),
            port: port.map(str::to_owned),
            reason,
        };
        if !is_in_group || !self.findings.problems.contains(&problem) {
            self.findings.problems.push(problem);
        }
    }
}

/// The type of a value on a wire.
fn type_of(value: &Val) -> Option<PortType> {
    match value {
        Val::Float(_) => Some(PortType::Float),
        Val::Vec3(_) => Some(PortType::Vec3),
        Val::Quat(..) => Some(PortType::Quat),
        Val::Mat3(_) => Some(PortType::Mat3),
        _ => None,
    }
}
