//! Graph + node types → [`Program`].
//!
//! Nodes are compiled in the order of their links, groups where they are used. What a node needs
//! and what it gives are values of the IR (see [`jounce_ir`]); their rates follow by themselves.
//! Only at a few ports a rate matters: an output declared with `.sum()` leaves its node summed over
//! the vertex's bones, and Output wants one value per vertex.
//!
//! A node that cannot be compiled, or is muted, is *bypassed*: an output takes what arrives at the
//! input of the same name (of an ANY output: at the first linked ANY input); if nothing does, the
//! links from it count as not there. Where a node's ports are not even known, the names in the links
//! decide. All other nodes compile as if nothing had happened.

mod bypass;
mod filters;
mod for_export;
mod inputs;
mod showing;
pub mod sliders;
mod walk;

pub use for_export::{compile_for_export, compile_for_export_with_keys, obstacles};
pub use jounce_ir::looking::{Filter, FilterPort, ShownPort, input_port};
pub use showing::{NoSuchPort, Showing};

use crate::document::{Problem, Style, check_style};
use crate::script::{Library, PortType};
use jounce_base::{Base, Hierarchy};
use jounce_ir::{Builder, Number, Program, Rate, Source, Value};
use std::collections::BTreeMap;

#[derive(Clone)]
pub struct Compiled {
    /// Contains everything that works. Without an Output node: plain skinning.
    pub program: Program,
    /// Everything that is wrong, in the order of graphs, nodes and ports.
    pub problems: Vec<Problem>,
    /// What each output carries and how often it differs, by node path and port.
    pub outputs: BTreeMap<(String, String), (PortType, Rate)>,
    /// The same of inputs.
    pub inputs: BTreeMap<(String, String), (PortType, Rate)>,
    /// Filled by [`compile_watched`]: the nodes that remember, and where to find what goes in and comes out.
    pub filters: Vec<Filter>,
}

/// Numbers that never change, by node path and port.
pub type Constants = BTreeMap<(String, String), Number>;

/// Where to find what is at ports, by node path and port: floats and vec3s only.
pub type PortsInProgram = BTreeMap<(String, String), Value>;

pub fn compile(style: &Style, library: &Library) -> Compiled {
    compile_with(style, library, &Constants::new())
}

/// The same program, in which everything that leaves a node or arrives at it can be probed. Inputs go by
/// the name that [`input_port`] gives them.
pub fn compile_probed(style: &Style, library: &Library) -> (Compiled, PortsInProgram) {
    let mut walked = Walked::new(style, library, &Constants::new());
    let mut values = std::mem::take(&mut walked.findings.values);
    let inputs = std::mem::take(&mut walked.findings.input_values);
    values.extend(inputs.into_iter().map(|((node, port), it)| ((node, input_port(&port)), it)));
    let watched: Vec<Value> = values.values().copied().collect();
    let (compiled, watched) = walked.finish(&watched);
    values.values_mut().zip(watched).for_each(|(place, value)| *place = value);
    (compiled, values)
}

/// The same program, in which what goes into filters and comes out of them stands unfused, even if
/// nothing depends on it. For looking at it.
pub fn compile_watched(style: &Style, library: &Library) -> Compiled {
    let mut walked = Walked::new(style, library, &Constants::new());
    let mut filters = std::mem::take(&mut walked.findings.filters);
    let mut ports: Vec<&mut FilterPort> = filters.iter_mut().flat_map(Filter::ports).collect();
    let givers = &walked.findings.givers;
    ports.iter_mut().for_each(|port| port.giver = givers.get(&port.value).cloned());
    let watched: Vec<Value> = ports.iter().map(|port| port.value).collect();
    let (compiled, watched) = walked.finish(&watched);
    ports.iter_mut().zip(watched).for_each(|(port, value)| port.value = value);
    Compiled { filters, ..compiled }
}

/// The same program, and a value of it that shows one port at every vertex.
pub fn compile_showing(
    style: &Style,
    library: &Library,
    port: &ShownPort,
) -> Result<Showing, NoSuchPort> {
    let mut walked = Walked::new(style, library, &Constants::new());
    let value = showing::shown_value(&mut walked.builder, &walked.findings, port)?;
    let (compiled, watched) = walked.finish(&[value]);
    Ok(Showing { compiled, value: watched[0] })
}

/// The same, in which unconnected inputs are constants, not parameters, so that what does
/// nothing is left out. For exports; what a Parameter node shows must not be among them.
pub fn compile_with(style: &Style, library: &Library, constants: &Constants) -> Compiled {
    Walked::new(style, library, constants).finish(&[]).0
}

/// All nodes are compiled; what is needed of them is not chosen yet.
struct Walked {
    builder: Builder,
    position: Value,
    base: Base,
    hierarchy: Hierarchy,
    problems: Vec<Problem>,
    findings: walk::Findings,
}

impl Walked {
    fn new(style: &Style, library: &Library, constants: &Constants) -> Walked {
        let mut builder = Builder::default();
        let mut walk = walk::Walk::new(style, library, constants, &mut builder);
        let walk::Top { position, base, hierarchy } = walk.top();
        let mut findings = walk.finish();
        let mut problems = check_style(style, library);
        problems.append(&mut findings.problems);
        problems.sort_by(|a, b| (&a.graph, &a.node, &a.port).cmp(&(&b.graph, &b.node, &b.port)));
        let position = position.unwrap_or_else(|| builder.source(Source::SkinnedPosition));
        Walked { builder, position, base, hierarchy, problems, findings }
    }

    /// With some values more, and where they are in the program.
    fn finish(self, watched: &[Value]) -> (Compiled, Vec<Value>) {
        let (program, watched) = self.builder.finish_watched(self.position, self.base, watched);
        let program = Program { hierarchy: self.hierarchy, ..program };
        let walk::Findings { outputs, inputs, .. } = self.findings;
        let problems = self.problems;
        (Compiled { program, problems, outputs, inputs, filters: Vec::new() }, watched)
    }
}
