//! Graph + node types → [`Program`].
//!
//! Nodes are compiled in the order of their links, groups where they are used. What a node needs
//! and what it gives are values of the IR (see [`crate::ir`]); their rates follow by themselves.
//! Only at a few ports a rate matters: an output declared with `.sum()` leaves its node summed over
//! the vertex's bones, and Output wants one value per vertex.
//!
//! A node that cannot be compiled, or is muted, is *bypassed*: an output takes what arrives at the
//! input of the same name (of an ANY output: at the first linked ANY input); if nothing does, the
//! links from it count as not there. Where a node's ports are not even known, the names in the links
//! decide. All other nodes compile as if nothing had happened.

mod bypass;
mod filters;
mod inputs;
pub mod sliders;
mod walk;

pub use filters::{Filter, FilterPort};

use crate::graph::{Problem, Style, check_style};
use crate::ir::{Builder, Number, Program, Rate, Source, Value};
use crate::script::{Library, PortType};
use std::collections::BTreeMap;

pub struct Compiled {
    /// Of everything that is sound. Without an Output node: plain skinning.
    pub program: Program,
    /// Everything that is wrong, in the order of graphs, nodes and ports.
    pub problems: Vec<Problem>,
    /// What each output carries and how often it differs, by node path and port.
    pub outputs: BTreeMap<(String, String), (PortType, Rate)>,
    /// Of [`compile_watched`]: the nodes that remember, and where to find what goes in and comes out.
    pub filters: Vec<Filter>,
}

/// Numbers that never change, by node path and port.
pub type Constants = BTreeMap<(String, String), Number>;

/// Which values stand unfused in the program, even if nothing depends on them.
enum Watch {
    Nothing,
    Filters,
    Outputs,
}

/// Where to find what leaves nodes, by node path and port: floats and vec3s only.
pub type OutputValues = BTreeMap<(String, String), Value>;

pub fn compile(style: &Style, library: &Library) -> Compiled {
    compile_with(style, library, &Constants::new())
}

/// The same program, in which everything that leaves a node can be probed.
pub fn compile_probed(style: &Style, library: &Library) -> (Compiled, OutputValues) {
    compile_as(style, library, &Constants::new(), Watch::Outputs)
}

/// The same program, in which what goes into filters and comes out of them stands unfused, even if
/// nothing depends on it. For looking at it.
pub fn compile_watched(style: &Style, library: &Library) -> Compiled {
    compile_as(style, library, &Constants::new(), Watch::Filters).0
}

/// The same, with unconnected inputs that are no parameters but constants, so that what does
/// nothing is left out. For exports; what a Parameter node shows must not be among them.
pub fn compile_with(style: &Style, library: &Library, constants: &Constants) -> Compiled {
    compile_as(style, library, constants, Watch::Nothing).0
}

fn compile_as(
    style: &Style,
    library: &Library,
    constants: &Constants,
    watch: Watch,
) -> (Compiled, OutputValues) {
    let mut builder = Builder::default();
    let mut walk = walk::Walk::new(style, library, constants, &mut builder);
    let (position, base) = walk.top();
    let walk::Findings { problems: found, outputs, mut filters, givers, mut values } =
        walk.finish();
    let mut problems = check_style(style, library);
    problems.extend(found);
    problems.sort_by(|a, b| (&a.graph, &a.node, &a.port).cmp(&(&b.graph, &b.node, &b.port)));
    let position = position.unwrap_or_else(|| builder.source(Source::SkinnedPosition));
    if !matches!(watch, Watch::Filters) {
        filters.clear();
    }
    if !matches!(watch, Watch::Outputs) {
        values.clear();
    }
    let mut ports: Vec<&mut FilterPort> = filters.iter_mut().flat_map(Filter::ports).collect();
    ports.iter_mut().for_each(|port| port.giver = givers.get(&port.value).cloned());
    let watched: Vec<Value> =
        ports.iter().map(|port| port.value).chain(values.values().copied()).collect();
    let (program, watched) = builder.finish_watched(position, base, &watched);
    let places = ports.iter_mut().map(|port| &mut port.value).chain(values.values_mut());
    places.zip(watched).for_each(|(place, value)| *place = value);
    (Compiled { program, problems, outputs, filters }, values)
}
