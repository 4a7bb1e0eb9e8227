//! Which values become curves, what they are called and measured in.

use crate::flesh::FleshMover;
use jounce_ir::looking::{Filter, FilterPort};
use jounce_ir::{Dimension, Program, Value};
use std::collections::{BTreeMap, BTreeSet};

/// One curve per bone, or per flesh element.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The node's path and title; of a velocity of bones: empty.
    pub node: String,
    pub title: String,
    pub port: String,
    pub side: Side,
    /// What people see.
    pub label: String,
    /// None: a number of any kind.
    pub dimension: Option<Dimension>,
    pub reading: Reading,
    /// A value that goes from one filter into the next is drawn once.
    pub is_drawn: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Before,
    After,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    Value(Value),
    /// As it is in the clip, unsmoothed.
    Velocity {
        is_angular: bool,
    },
    /// How far a node, by its place among those that move flesh, has swung an element.
    Elongation {
        mover: usize,
    },
    /// How far an element may swing.
    Reach,
}

/// What has a panel of its own: dimension, name, unit. Everything else shares the last.
const KINDS: [(Option<Dimension>, &str, &str); 6] = [
    (Some(Dimension::LINEAR_VELOCITY), "linear velocity", "units/s"),
    (Some(Dimension::ANGULAR_VELOCITY), "angular velocity", "rad/s"),
    (Some(Dimension { length: 1, time: -2 }), "linear acceleration", "units/s²"),
    (Some(Dimension { length: 0, time: -2 }), "angular acceleration", "rad/s²"),
    (Some(Dimension::LENGTH), "displacement", "units"),
    (None, "other values", ""),
];

impl Line {
    /// Its place among [`kinds`].
    pub fn kind(&self) -> usize {
        let known = KINDS.iter().position(|(dimension, ..)| *dimension == self.dimension);
        known.unwrap_or(KINDS.len() - 1)
    }

    pub fn unit(&self) -> &'static str {
        KINDS[self.kind()].2
    }
}

/// Name and unit of every kind of line, in the order of panels.
pub fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
    KINDS.iter().map(|(_, name, unit)| (*name, *unit))
}

pub(super) fn velocity_lines() -> Vec<Line> {
    let line = |port: &str, is_angular: bool, dimension: Dimension| Line {
        node: String::new(),
        title: String::new(),
        port: port.to_owned(),
        side: Side::Before,
        label: format!("{port} velocity"),
        dimension: Some(dimension),
        reading: Reading::Velocity { is_angular },
        is_drawn: true,
    };
    vec![
        line("linear", false, Dimension::LINEAR_VELOCITY),
        line("angular", true, Dimension::ANGULAR_VELOCITY),
    ]
}

/// From where the skeleton carries an element to where it is, in scene axes.
pub(super) fn element_lines(program: &Program, movers: &[FleshMover]) -> Vec<Line> {
    let title = |node: &str| program.titles.get(node).cloned().unwrap_or_else(|| node.to_owned());
    let line = |node: &str, port: &str, side: Side, label: String, reading: Reading| Line {
        node: node.to_owned(),
        title: if node.is_empty() { String::new() } else { title(node) },
        port: port.to_owned(),
        side,
        label,
        dimension: Some(Dimension::LENGTH),
        reading,
        is_drawn: true,
    };
    let reach = "as far as it may swing".to_owned();
    let mut lines = vec![line("", "reach", Side::Before, reach, Reading::Reach)];
    for (place, FleshMover { node, .. }) in movers.iter().enumerate() {
        let label = format!("{}, as far as it swings", title(node));
        let reading = Reading::Elongation { mover: place };
        lines.push(line(node, "elongation", Side::After, label, reading));
    }
    lines
}

pub(super) fn filter_lines(program: &Program, filters: &[Filter]) -> Vec<Line> {
    let names = Names::new(program, filters);
    let dimensions = program.dimensions(&alike(filters));
    let mut lines = Vec::new();
    for filter in filters {
        let of = |port: &FilterPort| dimensions[port.value.index()];
        let line = |port: &FilterPort, side: Side, label: String, dimension| Line {
            node: filter.node.clone(),
            title: names.plain(&filter.node).to_owned(),
            port: port.name.clone(),
            side,
            label,
            dimension,
            reading: Reading::Value(port.value),
            is_drawn: true,
        };
        for input in &filter.inputs {
            let label = format!("{}, before", names.of_input(filter, input));
            lines.push(line(input, Side::Before, label, of(input)));
        }
        for output in &filter.outputs {
            let label = format!("{}, after", names.of_output(filter, output));
            lines.push(line(output, Side::After, label, of(output)));
        }
    }
    draw_each_once(&mut lines);
    lines
}

/// What comes out of a filter under the name of an input is measured as that is. The arithmetic between
/// does not tell: its sliders are seconds and hertz.
fn alike(filters: &[Filter]) -> BTreeMap<Value, Value> {
    let pairs = filters.iter().flat_map(|filter| {
        let input_of = |name: &str| filter.inputs.iter().find(|input| input.name == name);
        let outputs = filter.outputs.iter();
        outputs.filter_map(move |output| Some((output.value, input_of(&output.name)?.value)))
    });
    pairs.collect()
}

/// Where a value comes out of a filter it has the filter's name.
fn draw_each_once(lines: &mut [Line]) {
    let mut drawn = Vec::new();
    for side in [Side::After, Side::Before] {
        for line in lines.iter_mut().filter(|line| line.side == side) {
            line.is_drawn = !drawn.contains(&line.reading);
            drawn.push(line.reading);
        }
    }
}

/// What people call nodes; by their path where several are called the same.
struct Names<'a> {
    program: &'a Program,
    twice: BTreeSet<&'a str>,
}

impl<'a> Names<'a> {
    fn new(program: &'a Program, filters: &'a [Filter]) -> Names<'a> {
        let mut names = Names { program, twice: BTreeSet::new() };
        let mut seen = BTreeSet::new();
        for filter in filters {
            let name = names.plain(&filter.node);
            if !seen.insert(name) {
                names.twice.insert(name);
            }
        }
        names
    }

    fn plain(&self, node: &'a str) -> &'a str {
        self.program.titles.get(node).map_or(node, String::as_str)
    }

    fn unique(&self, node: &str) -> String {
        match self.program.titles.get(node) {
            Some(title) if self.twice.contains(title.as_str()) => format!("{title} ({node})"),
            Some(title) => title.clone(),
            None => node.to_owned(),
        }
    }

    fn of_output(&self, filter: &Filter, output: &FilterPort) -> String {
        let name = self.unique(&filter.node);
        match filter.outputs.len() {
            1 => name,
            _ => format!("{name} · {}", output.name),
        }
    }

    fn of_input(&self, filter: &Filter, input: &FilterPort) -> String {
        match &input.giver {
            Some((node, port)) => format!("{} · {port}", self.unique(node)),
            None => format!("{} · {}", self.unique(&filter.node), input.name),
        }
    }
}
