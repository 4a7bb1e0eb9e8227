//! What the node types say about a document: every port, type and value.

use super::ports::{Ports, script_error_of};
use super::problem::{Problem, Reason};
use super::types::{Mismatch, Resolver, mismatches_with};
use super::{Document, Graph, GraphRef, Group, Link, Node, OUTPUT_TYPE, PortRef, Style};
use crate::script::{InputPort, Library, PortType, Setting};
use jounce_base::text::nearest;
use jounce_ir::semantics::LARGEST_SANE;
use std::collections::BTreeMap;

/// Everything that is wrong, in the order of the graphs and their nodes.
pub fn check(document: &Document, library: &Library) -> Vec<Problem> {
    check_style(&document.style, library)
}

pub fn check_style(style: &Style, library: &Library) -> Vec<Problem> {
    let mut check = Check { resolver: Resolver::new(style, library), problems: Vec::new() };
    for (graph_ref, graph) in style.graphs() {
        check.graph(&graph_ref, graph);
    }
    for (name, group) in &style.groups {
        check.published(name, group);
    }
    for graph_ref in style.graphs().map(|(graph_ref, _)| graph_ref) {
        check.resolver.outputs(&graph_ref);
    }
    for mismatch in std::mem::take(&mut check.resolver.mismatches) {
        let (node, port) = (mismatch.link.to.node.clone(), mismatch.link.to.port.clone());
        let (graph, reason) = (mismatch.graph.clone(), mismatch_reason(&mismatch));
        check.problems.push(Problem { graph, node: Some(node), port: Some(port), reason });
    }
    let mut problems = check.problems;
    problems.sort_by(|a, b| (&a.graph, &a.node, &a.port).cmp(&(&b.graph, &b.node, &b.port)));
    problems
}

/// May a wire be drawn here? What it would replace is not in its way.
pub fn can_link(
    graph: &GraphRef,
    style: &Style,
    library: &Library,
    from: &PortRef,
    to: &PortRef,
) -> Result<(), Reason> {
    LinkRules::new(graph, style, library).allow(from, to)
}

/// The same for many wires of one graph, as while one is dragged over all the ports.
pub struct LinkRules<'a> {
    graph_ref: GraphRef,
    style: &'a Style,
    library: &'a Library,
    resolver: Resolver<'a>,
    outputs: BTreeMap<PortRef, PortType>,
}

impl<'a> LinkRules<'a> {
    pub fn new(graph: &GraphRef, style: &'a Style, library: &'a Library) -> LinkRules<'a> {
        let mut resolver = Resolver::new(style, library);
        let outputs = resolver.outputs(graph);
        LinkRules { graph_ref: graph.clone(), style, library, resolver, outputs }
    }

    pub fn allow(&mut self, from: &PortRef, to: &PortRef) -> Result<(), Reason> {
        let no_node = |port: &PortRef| Reason::NoNode { node: port.node.clone() };
        let graph = self.style.graph(&self.graph_ref).ok_or_else(|| no_node(from))?;
        let source = graph.nodes.get(&from.node).ok_or_else(|| no_node(from))?;
        let target = graph.nodes.get(&to.node).ok_or_else(|| no_node(to))?;
        if from.node == to.node {
            return Err(Reason::SelfLink);
        }
        if graph.reaches(&to.node, &from.node) {
            return Err(Reason::Cycle);
        }
        let ports = self.resolver.ports.of(source)?;
        let carries = self.outputs.get(from).ok_or_else(|| unknown_output(from, &ports))?;
        let ports = self.resolver.ports.of(target)?;
        let input = ports.input(&to.port).ok_or_else(|| unknown_input(&to.port, &ports))?;
        if !carries.fits(input.ty) {
            return Err(misfit(from, *carries, input.ty));
        }
        if (*carries, input.ty) == (PortType::Vec3, PortType::Any) {
            return self.allow_vec3(&Link::new(from.clone(), to.clone()), input.adds);
        }
        Ok(())
    }

    /// A vec3 at an ANY input may change what leaves the node: looks at all that would come of it.
    fn allow_vec3(&self, link: &Link, adds: bool) -> Result<(), Reason> {
        let after = mismatches_with(&self.graph_ref, self.style, self.library, link, adds);
        let mut new = after.iter().filter(|found| !self.resolver.mismatches.contains(found));
        new.next().map_or(Ok(()), |mismatch| Err(mismatch_reason(mismatch)))
    }
}

fn mismatch_reason(mismatch: &Mismatch) -> Reason {
    misfit(&mismatch.link.from, mismatch.carries.0, mismatch.takes.0)
}

fn misfit(from: &PortRef, carries: PortType, takes: PortType) -> Reason {
    let from = from.clone();
    if takes.is_compile_time() {
        Reason::CompileTime { from, takes }
    } else {
        Reason::TypeMismatch { from, carries, takes }
    }
}

fn unknown_input(port: &str, ports: &Ports) -> Reason {
    let nearest = nearest(port, ports.inputs.iter().map(|input| input.name.as_str()));
    Reason::UnknownInput { port: port.to_owned(), nearest: nearest.map(str::to_owned) }
}

fn unknown_output(from: &PortRef, ports: &Ports) -> Reason {
    let nearest = nearest(&from.port, ports.outputs.iter().map(|output| output.name.as_str()));
    // Where there is one output, that must be meant, however it is called.
    let only = || ports.outputs.first().filter(|_| ports.outputs.len() == 1);
    let nearest = nearest.or_else(|| only().map(|output| output.name.as_str()));
    Reason::UnknownOutput { from: from.clone(), nearest: nearest.map(str::to_owned) }
}

struct Check<'a> {
    resolver: Resolver<'a>,
    problems: Vec<Problem>,
}

impl Check<'_> {
    fn report(&mut self, graph: &GraphRef, node: Option<&str>, port: Option<&str>, reason: Reason) {
        let (node, port) = (node.map(str::to_owned), port.map(str::to_owned));
        self.problems.push(Problem { graph: graph.clone(), node, port, reason });
    }

    fn graph(&mut self, graph_ref: &GraphRef, graph: &Graph) {
        for (id, node) in &graph.nodes {
            match self.resolver.ports.of(node) {
                Ok(ports) => {
                    // Its last version that worked stands in for it.
                    if let Some(error) = script_error_of(node, self.resolver.ports.library) {
                        self.report(graph_ref, Some(id), None, Reason::Script(error));
                    }
                    self.settings(graph_ref, id, node, &ports);
                }
                Err(error) => self.report(graph_ref, Some(id), None, error.into()),
            }
        }
        self.links(graph_ref, graph);
        self.output_nodes(graph_ref, graph);
    }

    fn settings(&mut self, graph: &GraphRef, id: &str, node: &Node, ports: &Ports) {
        for (name, setting) in &node.settings {
            let reason = match ports.input(name) {
                Some(input) => wrong_setting(input, setting),
                None => Some(unknown_input(name, ports)),
            };
            if let Some(reason) = reason {
                self.report(graph, Some(id), Some(name), reason);
            }
        }
    }

    fn links(&mut self, graph_ref: &GraphRef, graph: &Graph) {
        let mut arriving: BTreeMap<&PortRef, usize> = BTreeMap::new();
        for link in &graph.links {
            *arriving.entry(&link.to).or_default() += 1;
            let ports = graph.nodes.get(&link.from.node).map(|node| self.resolver.ports.of(node));
            if let Some(Ok(ports)) = ports
                && ports.output(&link.from.port).is_none()
            {
                let reason = unknown_output(&link.from, &ports);
                self.report(graph_ref, Some(&link.to.node), Some(&link.to.port), reason);
            }
        }
        for (to, count) in arriving {
            let ports = graph.nodes.get(&to.node).map(|node| self.resolver.ports.of(node));
            let Some(Ok(ports)) = ports else { continue };
            let reason = match ports.input(&to.port) {
                None => unknown_input(&to.port, &ports),
                Some(input) if count > 1 && !input.adds => Reason::SeveralLinks { count },
                Some(_) => continue,
            };
            self.report(graph_ref, Some(&to.node), Some(&to.port), reason);
        }
    }

    fn output_nodes(&mut self, graph_ref: &GraphRef, graph: &Graph) {
        let is_output = |node: &Node| node.node_type == OUTPUT_TYPE;
        let outputs = graph.nodes.iter().filter(|(_, node)| is_output(node)).map(|(id, _)| id);
        let outputs: Vec<&String> = outputs.collect();
        match (graph_ref, outputs.as_slice()) {
            (GraphRef::Top, []) => self.report(graph_ref, None, None, Reason::MissingOutput),
            (GraphRef::Top, [_first, others @ ..]) => {
                others.iter().for_each(|id| {
                    self.report(graph_ref, Some(id), None, Reason::SeveralOutputs);
                });
            }
            (GraphRef::Group(_), outputs) => outputs.iter().for_each(|id| {
                self.report(graph_ref, Some(id), None, Reason::OutputInGroup);
            }),
        }
    }

    fn published(&mut self, name: &str, group: &Group) {
        let graph_ref = GraphRef::Group(name.to_owned());
        // An inner node without ports has been reported itself.
        let knows = |check: &mut Self, port: &PortRef| {
            let node = group.graph.nodes.get(&port.node);
            node.is_some_and(|node| check.resolver.ports.of(node).is_ok())
        };
        for port in &group.inputs {
            let shown = self.resolver.ports.published_input(name, port);
            let linked = group.graph.links.iter().any(|link| link.to == port.inner);
            let name = port.name.clone();
            let reason = match shown {
                None if knows(self, &port.inner) => Reason::PublishedNowhere { name },
                Some(input) if linked && !input.adds => Reason::PublishedAndLinked { name },
                _ => continue,
            };
            self.report(&graph_ref, Some(&port.inner.node), Some(&port.inner.port), reason);
        }
        for port in &group.outputs {
            let missing = self.resolver.ports.published_output(name, port).is_none();
            if missing && knows(self, &port.inner) {
                let reason = Reason::PublishedNowhere { name: port.name.clone() };
                self.report(&graph_ref, Some(&port.inner.node), Some(&port.inner.port), reason);
            }
        }
    }
}

fn wrong_setting(input: &InputPort, setting: &Setting) -> Option<Reason> {
    if !input.accepts(setting) {
        return Some(match (input.ty, setting) {
            (PortType::Choice, Setting::Text(word)) => {
                let (word, choices) = (word.clone(), input.choices.clone());
                Reason::NotAChoice { word, choices }
            }
            _ => Reason::WrongKind { expected: input.ty },
        });
    }
    let numbers: &[f64] = match setting {
        Setting::Float(number) => std::slice::from_ref(number),
        Setting::Vec3(numbers) => numbers,
        _ => &[],
    };
    let (low, high) = input.hard.unwrap_or((-LARGEST_SANE, LARGEST_SANE));
    let outside = numbers.iter().find(|number| !(low..=high).contains(*number));
    outside.map(|value| Reason::OutOfRange { value: *value, low, high })
}
