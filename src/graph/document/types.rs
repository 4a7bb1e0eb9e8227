//! What each output carries, now that it is linked.
//!
//! All ANY ports of one node are vec3 if any of its ANY inputs is fed with one: by a link, by its
//! setting, or by what it is when nothing is linked or set. Else they are float. Groups are looked
//! into, once for each way in which they are fed.

use super::ports::PortTable;
use super::{Graph, GraphRef, Link, PortRef, Style};
use crate::script::{DefaultInput, InputPort, Library, PortType, Setting};
use jounce_ir::source::Shape;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The type of an output as linked; None if the node or port is not known.
pub fn resolved_output_type(
    graph: &GraphRef,
    style: &Style,
    library: &Library,
    output: &PortRef,
) -> Option<PortType> {
    Resolver::new(style, library).outputs(graph).get(output).copied()
}

/// What arrives at inputs from outside of a group. An input that is not here is as it is inside.
type Fed = BTreeMap<PortRef, PortType>;
/// What leaves each output.
type Outputs = BTreeMap<PortRef, PortType>;

/// A link that carries what its input does not take.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mismatch {
    pub graph: GraphRef,
    pub link: Link,
    pub carries: TypeName,
    pub takes: TypeName,
}

/// A port type with an order, so that findings can be kept sorted and once each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TypeName(pub PortType);

impl PartialOrd for TypeName {
    fn partial_cmp(&self, other: &TypeName) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TypeName {
    fn cmp(&self, other: &TypeName) -> std::cmp::Ordering {
        (self.0 as u8).cmp(&(other.0 as u8))
    }
}

pub struct Resolver<'a> {
    pub ports: PortTable<'a>,
    pub mismatches: BTreeSet<Mismatch>,
    groups: HashMap<String, Vec<(Fed, Outputs)>>,
}

impl<'a> Resolver<'a> {
    pub fn new(style: &'a Style, library: &'a Library) -> Resolver<'a> {
        let (mismatches, groups) = Default::default();
        Resolver { ports: PortTable::new(style, library), mismatches, groups }
    }

    /// The types of the graph as it stands; of a group, as if nothing fed it.
    pub fn outputs(&mut self, graph_ref: &GraphRef) -> Outputs {
        match self.ports.style.graph(graph_ref) {
            Some(graph) => self.resolve(graph_ref, graph, &Fed::new()),
            None => Outputs::new(),
        }
    }

    pub fn resolve(&mut self, graph_ref: &GraphRef, graph: &Graph, fed: &Fed) -> Outputs {
        let mut outputs = Outputs::new();
        let mut into: BTreeMap<&PortRef, Vec<&Link>> = BTreeMap::new();
        for link in &graph.links {
            into.entry(&link.to).or_default().push(link);
        }
        for id in graph.order().unwrap_or_default() {
            let Some(node) = graph.nodes.get(id) else { continue };
            let Ok(ports) = self.ports.of(node) else { continue };
            let mut arriving: Vec<(&InputPort, PortType)> = Vec::new();
            for input in &ports.inputs {
                let at = PortRef::new(id, &input.name);
                let links = into.get(&at).map(Vec::as_slice).unwrap_or_default();
                let linked = links.iter().filter_map(|link| {
                    let carries = *outputs.get(&link.from)?;
                    self.compare(graph_ref, link, carries, input);
                    Some(carries)
                });
                let all = linked.chain(fed.get(&at).copied()).collect::<Vec<_>>();
                let one = all.iter().copied().find(|ty| *ty == PortType::Vec3);
                let one = one.or(all.first().copied());
                let one = one.or_else(|| node.settings.get(&input.name).and_then(setting_type));
                arriving.extend(one.map(|ty| (input, ty)));
            }
            match node.group() {
                Some(name) => self.resolve_group(id, name, &arriving, &mut outputs),
                None => {
                    let any = any_type(&ports.inputs, &arriving);
                    outputs.extend(ports.outputs.iter().map(|output| {
                        let ty = if output.ty == PortType::Any { any } else { output.ty };
                        (PortRef::new(id, &output.name), ty)
                    }));
                }
            }
        }
        outputs
    }

    fn compare(&mut self, graph: &GraphRef, link: &Link, carries: PortType, input: &InputPort) {
        if !carries.fits(input.ty) {
            let (graph, link) = (graph.clone(), link.clone());
            let (carries, takes) = (TypeName(carries), TypeName(input.ty));
            self.mismatches.insert(Mismatch { graph, link, carries, takes });
        }
    }

    fn resolve_group(
        &mut self,
        id: &str,
        name: &str,
        arriving: &[(&InputPort, PortType)],
        outputs: &mut Outputs,
    ) {
        let Some(group) = self.ports.style.groups.get(name) else { return };
        let mut fed = Fed::new();
        for published in &group.inputs {
            let arrives = arriving.iter().find(|(input, _)| input.name == published.name);
            // What does not fit has been reported outside; inside it would be found again.
            if let Some((_, ty)) = arrives.filter(|(input, ty)| ty.fits(input.ty)) {
                fed.insert(published.inner.clone(), *ty);
            }
        }
        let known = self.groups.get(name).and_then(|ways| ways.iter().find(|(way, _)| *way == fed));
        let inner = match known {
            Some((_, inner)) => inner.clone(),
            None => {
                let graph_ref = GraphRef::Group(name.to_owned());
                let inner = self.resolve(&graph_ref, &group.graph, &fed);
                self.groups.entry(name.to_owned()).or_default().push((fed, inner.clone()));
                inner
            }
        };
        for published in &group.outputs {
            if let Some(ty) = inner.get(&published.inner) {
                outputs.insert(PortRef::new(id, &published.name), *ty);
            }
        }
    }
}

fn any_type(inputs: &[InputPort], arriving: &[(&InputPort, PortType)]) -> PortType {
    let is_vec3 = |input: &&InputPort| {
        let arrives = arriving.iter().find(|(port, _)| port.name == input.name);
        let ty = arrives.map(|(_, ty)| *ty).or_else(|| default_type(&input.default));
        ty == Some(PortType::Vec3)
    };
    let mut any = inputs.iter().filter(|input| input.ty == PortType::Any);
    if any.any(|input| is_vec3(&input)) { PortType::Vec3 } else { PortType::Float }
}

/// The type of a value that an ANY port takes.
fn setting_type(setting: &Setting) -> Option<PortType> {
    match setting {
        Setting::Float(_) => Some(PortType::Float),
        Setting::Vec3(_) => Some(PortType::Vec3),
        _ => None,
    }
}

fn default_type(default: &DefaultInput) -> Option<PortType> {
    match default {
        DefaultInput::Setting(setting) => setting_type(setting),
        DefaultInput::Source(source) => match source.info().shape {
            Shape::Float => Some(PortType::Float),
            Shape::Vec3 => Some(PortType::Vec3),
            Shape::Quat { .. } => None,
        },
        DefaultInput::Motion(_) => Some(PortType::Vec3),
    }
}

/// The types of a graph as it would be with one more link.
pub(super) fn mismatches_with(
    graph_ref: &GraphRef,
    style: &Style,
    library: &Library,
    link: &Link,
    adds: bool,
) -> BTreeSet<Mismatch> {
    let mut resolver = Resolver::new(style, library);
    if let Some(graph) = style.graph(graph_ref) {
        let mut graph =
            Graph { nodes: graph.nodes.clone(), links: graph.links.clone(), ..Graph::default() };
        graph.links.retain(|old| adds || old.to != link.to);
        graph.links.insert(link.clone());
        resolver.resolve(graph_ref, &graph, &Fed::new());
    }
    resolver.mismatches
}
