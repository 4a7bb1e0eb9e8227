//! The sliders of a style that say how much.

use jounce_eval::Parameters;
use jounce_graph::compile::sliders::place;
use jounce_graph::document::{Command, GraphRef, PARAMETER_TYPE, Style};
use jounce_graph::script::Setting;
use jounce_ir::{Number, Parameter, Program};

/// Words in the names of sliders that say something else than how much.
const OTHER_SLIDERS: [&str; 18] = [
    "max",
    "min",
    "limit",
    "angle",
    "frequency",
    "decay",
    "damping",
    "delay",
    "speed",
    "smoothing",
    "size",
    "period",
    "phase",
    "offset",
    // How long and how far it swings on is the style's own; flesh hangs by its weight.
    "amplitude",
    "sag",
    "drag",
    "elongation",
];

/// Inputs that say how much, in styles that show no slider of their own.
const AMOUNT_PORTS: [&str; 5] = ["floppiness", "squashiness", "amplitude", "amount", "elongation"];

struct Amount {
    /// Of its node, through groups.
    path: String,
    graph: GraphRef,
    node: String,
    port: String,
    value: f64,
    /// For a Parameter node: where its slider ends.
    slider_end: Option<f64>,
}

/// A slider that would end too early ends at its value times this.
const ROOM: f64 = 1.5;

pub struct Amounts(Vec<Amount>);

impl Amounts {
    /// Those that the style shows; where it shows none, the inputs of deformers.
    pub fn of(style: &Style, program: &Program) -> Amounts {
        let pick = |is_amount: &dyn Fn(&Parameter) -> bool| {
            let parameters = program.tables.parameters.iter().filter(|it| is_amount(it));
            let amounts: Vec<Amount> =
                parameters.filter_map(|parameter| amount(style, parameter)).collect();
            amounts
        };
        let shown = pick(&|parameter| {
            let name = parameter.exposed.as_ref().map(|name| name.to_lowercase());
            name.is_some_and(|name| !OTHER_SLIDERS.iter().any(|other| name.contains(other)))
        });
        match shown.is_empty() {
            true => Amounts(pick(&|it| AMOUNT_PORTS.contains(&it.port.as_str()))),
            false => Amounts(shown),
        }
    }

    /// Those that some names mean.
    pub fn leave_out<'n>(&mut self, program: &Program, names: impl Iterator<Item = &'n str>) {
        let parameters = &program.tables.parameters;
        for place in names.flat_map(|name| Parameters::places(program, name)) {
            let Parameter { node, port, .. } = &parameters[place];
            self.0.retain(|it| (&it.path, &it.port) != (node, port));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them times the same, with three digits: people will read them.
    pub fn scaled(&self, scale: f64) -> Command {
        let set = |it: &Amount| Command::SetSetting {
            graph: it.graph.clone(),
            node: it.node.clone(),
            port: it.port.clone(),
            value: Some(Setting::Float(rounded(it.value * scale))),
        };
        Command::batch(self.0.iter().map(set).collect())
    }

    /// Sliders reach as far as these amounts: else the first touch would throw a value back.
    pub fn room_for(&self, scale: f64) -> Command {
        let widen = |it: &Amount| {
            let value = it.value * scale;
            let end = it.slider_end.filter(|end| value > *end)?;
            let wider = rounded((value * ROOM).max(end));
            Some(Command::SetSetting {
                graph: it.graph.clone(),
                node: it.node.clone(),
                port: "max".to_owned(),
                value: Some(Setting::Float(wider)),
            })
        };
        Command::batch(self.0.iter().filter_map(widen).collect())
    }
}

fn amount(style: &Style, parameter: &Parameter) -> Option<Amount> {
    let Number::Float(value) = parameter.value else { return None };
    let (graph, node) = place(style, &parameter.node)?;
    let is_parameter = style
        .graph(&graph)
        .and_then(|graph| graph.nodes.get(node))
        .is_some_and(|node| node.node_type == PARAMETER_TYPE);
    let slider_end = parameter.soft.filter(|_| is_parameter).map(|(_, end)| end);
    let (node, port) = (node.to_owned(), parameter.port.clone());
    let path = parameter.node.clone();
    (value != 0.0).then_some(Amount { path, graph, node, port, value, slider_end })
}

fn rounded(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jounce_graph::compile::compile;
    use jounce_graph::document::built_in_style;
    use jounce_graph::script::Library;

    #[test]
    fn amounts_are_found_and_limits_left_alone() {
        for (style, expected) in [
            ("default", vec!["floppy", "squash"]),
            ("velocity-skinning", vec!["floppy", "squash"]),
            ("cartoon", vec!["floppy", "squash"]),
            ("mushroom", vec!["flesh"]),
        ] {
            let document = built_in_style(style).unwrap();
            let compiled = compile(&document.style, &Library::built_in());
            let amounts = Amounts::of(&document.style, &compiled.program);
            let mut nodes: Vec<&str> = amounts.0.iter().map(|it| it.node.as_str()).collect();
            nodes.sort_unstable();
            assert_eq!(nodes, expected, "{style}");
        }
        assert_eq!(rounded(0.123_456), 0.123);
        assert_eq!(rounded(-12.345), -12.3);
    }
}
