//! The graph of the document as egui-snarl wants it, made again when the document has changed.
//!
//! The document is the source of truth, not this. Snarl's nodes hold the document's ids.

use super::fold::{Fold, Unfolded, fold};
use crate::State;
use egui::{Pos2, Vec2, pos2};
use egui_snarl::{InPinId, NodeId, OutPinId, Snarl};
use jounce_graph::document::{
    Graph, GraphRef, Link, Node, PortRef, PortTable, hints, node_type_of,
};
use jounce_graph::script::{DefaultInput, InputPort, OutputPort, PortType};
use jounce_ir::Rate;
use jounce_session::cost_shares;
use std::collections::{BTreeMap, BTreeSet};

pub struct InputView {
    pub name: String,
    /// None where only a wire says that there is one.
    pub port: Option<InputPort>,
    pub ty: PortType,
    pub rate: Rate,
    /// Where its wires come from.
    pub sources: Vec<PortRef>,
    pub problem: Option<String>,
}

impl InputView {
    /// Set on the node, never wired.
    pub fn is_compile_time(&self) -> bool {
        self.ty.is_compile_time()
    }

    pub fn adds(&self) -> bool {
        self.port.as_ref().is_some_and(|port| port.adds)
    }
}

pub struct OutputView {
    pub name: String,
    pub ty: PortType,
    pub rate: Rate,
    pub help: String,
}

pub struct NodeView {
    pub snarl: NodeId,
    pub node: Node,
    /// From the top graph: `group/node`.
    pub path: String,
    pub category: String,
    /// What it does, in a sentence.
    pub summary: String,
    /// Those that are shown.
    pub inputs: Vec<InputView>,
    pub fold: Fold,
    pub outputs: Vec<OutputView>,
    pub problems: Vec<String>,
    pub warnings: Vec<String>,
    /// Its approximate share of the work.
    pub cost: Option<f64>,
}

/// What a mirror was made of.
#[derive(Clone, PartialEq)]
struct Key {
    graph: GraphRef,
    path: Vec<String>,
    revision: u64,
    shown_revision: u64,
    detail: f32,
    unfolded: Unfolded,
}

#[derive(Default)]
pub struct Mirror {
    pub snarl: Snarl<String>,
    pub nodes: BTreeMap<String, NodeView>,
    key: Option<Key>,
    /// Another number, another widget: what snarl keeps about wires that are being dragged is forgotten.
    pub generation: u64,
    pub rebuild_count: usize,
    /// Not drawn yet.
    pub(super) new_places: BTreeSet<NodeId>,
}

impl Mirror {
    /// Takes over the document, if it has changed. `is_hand_full`: something may be dragged.
    pub fn follow(&mut self, state: &State, is_hand_full: bool) {
        let key = Key {
            graph: state.graph_ref(),
            path: state.selection.path.clone(),
            revision: state.session.revision(),
            shown_revision: state.show.revision(),
            detail: state.canvas.detail,
            unfolded: state.canvas.unfolded.clone(),
        };
        if self.key.as_ref() == Some(&key) {
            return;
        }
        let style = &state.session.document().style;
        let Some(graph) = style.graph(&key.graph) else { return };
        let is_same_place =
            self.key.as_ref().is_some_and(|old| (&old.graph, &old.path) == (&key.graph, &key.path));
        if !is_same_place {
            self.snarl = Snarl::new();
            self.nodes.clear();
            self.new_places.clear();
            self.generation += 1;
        }
        let count_pins = |nodes: &BTreeMap<String, NodeView>| -> BTreeMap<NodeId, (usize, usize)> {
            // What is folded away is not gone: a wire that is being dragged comes from another pin.
            let inputs = |it: &NodeView| it.inputs.len() + it.fold.hidden();
            nodes.values().map(|it| (it.snarl, (inputs(it), it.outputs.len()))).collect()
        };
        let pins_before = count_pins(&self.nodes);
        self.take_nodes(state, &key, graph);
        self.take_wires(graph, &state.canvas.loose);
        // Snarl would look for the pins of a wire that is being dragged in vain.
        let pins = count_pins(&self.nodes);
        let is_gone = |(node, before): (&NodeId, &(usize, usize))| {
            pins.get(node).is_none_or(|now| now.0 < before.0 || now.1 < before.1)
        };
        if is_hand_full && pins_before.iter().any(is_gone) {
            self.generation += 1;
        }
        self.key = Some(key);
        self.rebuild_count += 1;
    }

    fn take_nodes(&mut self, state: &State, key: &Key, graph: &Graph) {
        let gone: Vec<String> =
            self.nodes.keys().filter(|id| !graph.nodes.contains_key(*id)).cloned().collect();
        for id in gone {
            if let Some(view) = self.nodes.remove(&id) {
                self.snarl.remove_node(view.snarl);
            }
        }
        let style = &state.session.document().style;
        let mut table = PortTable::new(style, state.session.library());
        let prefix: String = key.path.iter().map(|id| format!("{id}/")).collect();
        let costs = cost_shares(state.show.program(), state.show.bound());
        let reader = Reader { state, key, graph, prefix, costs };
        for (id, node) in &graph.nodes {
            let position = snarl_position(node, key.detail);
            let snarl = match self.nodes.get(id) {
                Some(view) => view.snarl,
                None => {
                    let place = self.snarl.insert_node(position, id.clone());
                    self.new_places.insert(place);
                    place
                }
            };
            if let Some(info) = self.snarl.get_node_info_mut(snarl) {
                info.pos = position;
                info.open = !node.collapsed;
            }
            self.nodes.insert(id.clone(), reader.node(snarl, id, node, &mut table));
        }
        for hint in hints(style, state.session.library()) {
            let view = hint.node.as_ref().and_then(|id| self.nodes.get_mut(id));
            if let Some(view) = view.filter(|_| hint.graph == key.graph) {
                view.warnings.push(hint.reason.to_string());
            }
        }
    }

    /// Another of snarl's places for a node of the document.
    pub(super) fn move_to(&mut self, id: &str, place: NodeId) {
        let Some(detail) = self.key.as_ref().map(|key| key.detail) else { return };
        let Some(view) = self.nodes.get_mut(id) else { return };
        view.snarl = place;
        if let Some(info) = self.snarl.get_node_info_mut(place) {
            info.value = id.to_owned();
            info.pos = snarl_position(&view.node, detail);
            info.open = !view.node.collapsed;
        }
    }

    /// All but those that are being dragged.
    pub(super) fn take_wires(&mut self, graph: &Graph, loose: &[Link]) {
        let fixed = graph.links.iter().filter(|link| !loose.contains(link));
        let wanted: BTreeSet<(OutPinId, InPinId)> =
            fixed.filter_map(|link| self.pins(link)).collect();
        let present: BTreeSet<(OutPinId, InPinId)> = self.snarl.wires().collect();
        for (from, to) in present.difference(&wanted) {
            self.snarl.disconnect(*from, *to);
        }
        for (from, to) in wanted.difference(&present) {
            self.snarl.connect(*from, *to);
        }
    }

    pub fn pins(&self, link: &Link) -> Option<(OutPinId, InPinId)> {
        let (from, to) = (self.nodes.get(&link.from.node)?, self.nodes.get(&link.to.node)?);
        let output = from.outputs.iter().position(|port| port.name == link.from.port)?;
        let input = to.inputs.iter().position(|port| port.name == link.to.port)?;
        Some((OutPinId { node: from.snarl, output }, InPinId { node: to.snarl, input }))
    }

    pub fn output(&self, pin: OutPinId) -> Option<(PortRef, &OutputView)> {
        let id = self.snarl.get_node(pin.node)?;
        let port = self.nodes.get(id)?.outputs.get(pin.output)?;
        Some((PortRef::new(id, &port.name), port))
    }

    pub fn input(&self, pin: InPinId) -> Option<(PortRef, &InputView)> {
        let id = self.snarl.get_node(pin.node)?;
        let port = self.nodes.get(id)?.inputs.get(pin.input)?;
        Some((PortRef::new(id, &port.name), port))
    }

    /// How far snarl has dragged a node from where the document has it, in the space of the graph.
    pub fn dragged_by(&self, id: &str) -> Option<Vec2> {
        let (view, detail) = (self.nodes.get(id)?, self.key.as_ref()?.detail);
        let by = self.snarl.get_node_info(view.snarl)?.pos - snarl_position(&view.node, detail);
        (by != Vec2::ZERO).then(|| by / detail)
    }
}

fn snarl_position(node: &Node, detail: f32) -> Pos2 {
    pos2(node.position[0] as f32 * detail, node.position[1] as f32 * detail)
}

struct Reader<'a> {
    state: &'a State,
    key: &'a Key,
    graph: &'a Graph,
    prefix: String,
    costs: BTreeMap<String, f64>,
}

impl Reader<'_> {
    fn node(&self, snarl: NodeId, id: &str, node: &Node, table: &mut PortTable) -> NodeView {
        let (session, show) = (&self.state.session, &self.state.show);
        let ports = table.of(node).ok();
        let mut inputs: Vec<InputView> = Vec::new();
        let mut outputs: Vec<OutputView> = Vec::new();
        if let Some(ports) = &ports {
            inputs.extend(ports.inputs.iter().map(|port| self.input(id, &port.name, Some(port))));
            let made = ports.outputs.iter().map(|port| self.output(id, &port.name, Some(port)));
            outputs.extend(made);
        }
        // Ports that only wires know: of a script that is lost, or has other ports now.
        for link in self.graph.links_into(id) {
            if !inputs.iter().any(|port| port.name == link.to.port) {
                inputs.push(self.input(id, &link.to.port, None));
            }
        }
        for link in self.graph.links_out_of(id) {
            if !outputs.iter().any(|port| port.name == link.from.port) {
                outputs.push(self.output(id, &link.from.port, None));
            }
        }
        let path = format!("{}{id}", self.prefix);
        let fold = fold(&mut inputs, node, &path, &self.key.unfolded);
        let (mut category, mut summary) = ("Groups".to_owned(), String::new());
        match (node.group(), node_type_of(node, session.library())) {
            (Some(name), _) => {
                let group = session.document().style.groups.get(name);
                summary = group.map(|group| group.doc.clone()).unwrap_or_default();
            }
            (None, Ok(ty)) => (category, summary) = (ty.category.clone(), ty.summary()),
            (None, Err(_)) => category.clear(),
        }
        let of_this = show.compiled().problems.iter().filter(|problem| {
            problem.graph == self.key.graph && problem.node.as_deref() == Some(id)
        });
        let problems = of_this.map(|problem| match &problem.port {
            Some(port) => format!("{port}: {}", problem.reason),
            None => problem.reason.to_string(),
        });
        let warnings = show.warnings().iter().filter(|it| it.node() == Some(path.as_str()));
        let inside = format!("{path}/");
        let cost = self.costs.iter().filter(|(of, _)| **of == path || of.starts_with(&inside));
        let cost = cost.map(|(_, cost)| *cost).reduce(|a, b| a + b);
        NodeView {
            snarl,
            node: node.clone(),
            category,
            summary,
            inputs,
            fold,
            outputs,
            problems: problems.collect(),
            warnings: warnings.map(ToString::to_string).collect(),
            cost,
            path,
        }
    }

    fn input(&self, id: &str, name: &str, port: Option<&InputPort>) -> InputView {
        let links = self.graph.links_into(id).filter(|link| link.to.port == name);
        let sources: Vec<PortRef> = links.map(|link| link.from.clone()).collect();
        let own_rate = match port.map(|port| &port.default) {
            Some(DefaultInput::Source(source)) => source.info().rate,
            Some(DefaultInput::Motion(_)) => Rate::Bone,
            Some(DefaultInput::Setting(_)) | None => Rate::Frame,
        };
        let brought = sources.iter().filter_map(|from| self.carried(&from.node, &from.port));
        let rate = brought.map(|(_, rate)| rate).reduce(Rate::join).unwrap_or(own_rate);
        let is_here = |problem: &&jounce_graph::document::Problem| {
            problem.graph == self.key.graph
                && problem.node.as_deref() == Some(id)
                && problem.port.as_deref() == Some(name)
        };
        let problem = self.state.show.compiled().problems.iter().find(is_here);
        InputView {
            name: name.to_owned(),
            port: port.cloned(),
            ty: port.map_or(PortType::Any, |port| port.ty),
            rate,
            sources,
            problem: problem.map(|problem| problem.reason.to_string()),
        }
    }

    fn output(&self, id: &str, name: &str, port: Option<&OutputPort>) -> OutputView {
        let declared = port.map_or(PortType::Any, |port| port.ty);
        let (ty, rate) = self.carried(id, name).unwrap_or((declared, Rate::Frame));
        let help = port.map(|port| port.help.clone()).unwrap_or_default();
        OutputView { name: name.to_owned(), ty, rate, help }
    }

    fn carried(&self, id: &str, port: &str) -> Option<(PortType, Rate)> {
        let path = format!("{}{id}", self.prefix);
        self.state.show.compiled().outputs.get(&(path, port.to_owned())).copied()
    }
}
