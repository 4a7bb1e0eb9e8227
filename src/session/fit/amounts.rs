//! The sliders of a style that say how much.

use super::parts::Part;
use jounce_base::Role;
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

/// Inputs that say how much.
const AMOUNT_PORTS: [&str; 5] = ["floppiness", "squashiness", "amplitude", "amount", "elongation"];
const SQUASH_PORT: &str = "squashiness";

/// A slider of this name is how strong the whole style is: 1 is lively on every character, so it is the
/// user's alone.
const STRENGTH: &str = "strength";

const ROLE_VALUE_TYPE: &str = "Role Value";
const MAP_TYPE: &str = "Map";

/// Nodes that hand an amount on.
const ARITHMETIC: [&str; 11] = [
    "Add",
    "Clamp",
    "Dead Zone",
    "Max",
    "Min",
    "Mix",
    "Multiply",
    "Power",
    "Ramp",
    "Remap",
    "Smooth",
];

/// Which amounts are changed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// How much the skin of these roles lags.
    Lag(Part),
    /// How much it stretches and squashes.
    Squash,
    /// How much of everything, in styles that do not tell roles apart.
    All,
    /// As the style has it.
    Kept,
}

struct Amount {
    /// Of its node, through groups.
    path: String,
    graph: GraphRef,
    node: String,
    port: String,
    value: f64,
    share: Share,
    /// For a Parameter node: where its slider ends.
    slider_end: Option<f64>,
}

/// What the amounts of each share are multiplied by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    pub lag: [f64; Part::ALL.len()],
    pub squash: f64,
    pub all: f64,
}

impl Scales {
    pub const ONE: Scales = Scales { lag: [1.0; Part::ALL.len()], squash: 1.0, all: 1.0 };

    pub fn of(&self, share: Share) -> f64 {
        match share {
            Share::Lag(part) => self.lag[part as usize],
            Share::Squash => self.squash,
            Share::All => self.all,
            Share::Kept => 1.0,
        }
    }

    pub fn times(&self, factor: f64) -> Scales {
        Scales {
            lag: self.lag.map(|scale| scale * factor),
            squash: self.squash * factor,
            all: self.all * factor,
        }
    }
}

/// Where a slider ends, in parts of its value: there is as much room above as a cartoon wants, and a slider
/// that was widened for one clip is narrow again for the next.
const ROOM: f64 = 2.5;

pub struct Amounts(Vec<Amount>);

impl Amounts {
    /// Amounts by role where the style has them; else the sliders that it shows; where it shows none, the
    /// inputs of deformers.
    pub fn of(style: &Style, program: &Program) -> Amounts {
        let parameters = || program.tables.parameters.iter();
        let pick = |share: &dyn Fn(&Parameter) -> Option<Share>| {
            let amounts = parameters().filter_map(|it| amount(style, it, share(it)?));
            amounts.collect::<Vec<Amount>>()
        };
        let by_role = pick(&|parameter| role_share(style, parameter));
        if !by_role.is_empty() {
            let squash = pick(&|parameter| {
                let is_other =
                    is_shown_amount(parameter) && leads_to(style, parameter)? == SQUASH_PORT;
                is_other.then_some(Share::Squash)
            });
            return Amounts(by_role.into_iter().chain(squash).collect());
        }
        let shown = pick(&|parameter| is_shown_amount(parameter).then_some(Share::All));
        match shown.is_empty() {
            true => {
                Amounts(pick(&|it| AMOUNT_PORTS.contains(&it.port.as_str()).then_some(Share::All)))
            }
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

    pub fn has(&self, share: Share) -> bool {
        self.0.iter().any(|amount| amount.share == share)
    }

    /// Each times the scale of its share, with three digits: people will read them.
    pub fn scaled(&self, scales: &Scales) -> Command {
        let set = |it: &Amount| Command::SetSetting {
            graph: it.graph.clone(),
            node: it.node.clone(),
            port: it.port.clone(),
            value: Some(Setting::Float(rounded(it.value * scales.of(it.share)))),
        };
        Command::batch(self.0.iter().map(set).collect())
    }

    /// Sliders whose values would be outside end further on; those that are far longer than their values need
    /// end earlier.
    pub fn room_for(&self, scales: &Scales) -> Command {
        let set_end = |it: &Amount| {
            let value = (it.value * scales.of(it.share)).abs();
            let end = it.slider_end?;
            let wanted = rounded(value * ROOM);
            let fits = value <= end && end <= wanted * ROOM;
            (!fits && wanted > 0.0).then(|| Command::SetSetting {
                graph: it.graph.clone(),
                node: it.node.clone(),
                port: "max".to_owned(),
                value: Some(Setting::Float(wanted)),
            })
        };
        Command::batch(self.0.iter().filter_map(set_end).collect())
    }
}

fn is_shown_amount(parameter: &Parameter) -> bool {
    let name = parameter.exposed.as_ref().map(|name| name.to_lowercase());
    name.is_some_and(|name| {
        name != STRENGTH && !OTHER_SLIDERS.iter().any(|other| name.contains(other))
    })
}

/// Of a role's input of a Role Value that says how much, and of how much more what stands out lags.
fn role_share(style: &Style, parameter: &Parameter) -> Option<Share> {
    let (graph, id) = place(style, &parameter.node)?;
    let node = style.graph(&graph)?.nodes.get(id)?;
    let part = match node.node_type.as_str() {
        ROLE_VALUE_TYPE => {
            let role = Role::ALL.into_iter().find(|role| role.name() == parameter.port)?;
            Part::ALL.into_iter().find(|part| part.roles().contains(&role))
        }
        MAP_TYPE if parameter.port == "gain" => {
            let shows_tips = ["protrusion", "looseness"].map(|it| Setting::Text(it.to_owned()));
            shows_tips.contains(node.settings.get("source")?).then_some(Part::Tips)
        }
        _ => return None,
    };
    if leads_to(style, parameter)? == SQUASH_PORT {
        return Some(Share::Squash);
    }
    Some(part.map_or(Share::Kept, Share::Lag))
}

/// The input that says how much and that a node's value reaches through arithmetic.
fn leads_to(style: &Style, parameter: &Parameter) -> Option<&'static str> {
    let (graph, id) = place(style, &parameter.node)?;
    let graph = style.graph(&graph)?;
    let mut seen = std::collections::BTreeSet::from([id]);
    let mut next = vec![id];
    while let Some(node) = next.pop() {
        for link in graph.links_out_of(node) {
            if let Some(port) = AMOUNT_PORTS.into_iter().find(|port| *port == link.to.port) {
                return Some(port);
            }
            let target = graph.nodes.get(&link.to.node)?;
            let hands_on = ARITHMETIC.contains(&target.node_type.as_str());
            if hands_on && seen.insert(&link.to.node) {
                next.push(&link.to.node);
            }
        }
    }
    None
}

fn amount(style: &Style, parameter: &Parameter, share: Share) -> Option<Amount> {
    let Number::Float(value) = parameter.value else { return None };
    let (graph, node) = place(style, &parameter.node)?;
    let is_parameter = style
        .graph(&graph)
        .and_then(|graph| graph.nodes.get(node))
        .is_some_and(|node| node.node_type == PARAMETER_TYPE);
    let slider_end = parameter.soft.filter(|_| is_parameter).map(|(_, end)| end);
    let (node, port) = (node.to_owned(), parameter.port.clone());
    let path = parameter.node.clone();
    (value != 0.0).then_some(Amount { path, graph, node, port, value, share, slider_end })
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
