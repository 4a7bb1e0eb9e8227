//! The sliders of a style that say how much.

use super::parts::Part;
use jounce_base::Role;
use jounce_eval::Parameters;
use jounce_graph::compile::sliders::place;
use jounce_graph::document::{Command, GraphRef, Node, Style};
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
    "air drag",
    "elongation",
];

/// Inputs that say how much.
const AMOUNT_PORTS: [&str; 5] = ["floppiness", "squashiness", "amplitude", "amount", "elongation"];
/// Their `amount` says how much they hold back.
const HOLDING_TYPES: [&str; 3] = ["Anchor", "Pin", "Relax"];
const SQUASH_PORT: &str = "squashiness";

/// A slider of this name is how strong the whole style is: 1 is lively on every character, so it is the
/// user's alone.
const STRENGTH: &str = "strength";

const ROLE_VALUE_TYPE: &str = "Role Value";
const MAP_TYPE: &str = "Map";
/// It bends ears and nothing else.
const FLAP_TYPE: &str = "Flap";
const MULTIPLY_TYPE: &str = "Multiply";

/// Nodes that hand an amount on.
const ARITHMETIC: [&str; 11] = [
    "Add",
    "Clamp",
    "Dead Zone",
    "Max",
    "Min",
    "Mix",
    MULTIPLY_TYPE,
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
    /// How much the body stretches and squashes.
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
    most: f64,
}

/// Nobody wants more lag than so many seconds, or more squash than the acceleration of a size per second squared
/// could use; without an end, fitting again and again to a clip that hardly moves would go on for ever.
const MOST_AMOUNT: f64 = 4.0;
const MOST_SQUASH: f64 = 1.0;

/// In parts of the largest number of the same node.
const MOST_OF_DETAIL: f64 = 0.1;

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

    pub fn of_mut(&mut self, share: Share) -> Option<&mut f64> {
        match share {
            Share::Lag(part) => Some(&mut self.lag[part as usize]),
            Share::Squash => Some(&mut self.squash),
            Share::All => Some(&mut self.all),
            Share::Kept => None,
        }
    }
}

pub struct Amounts {
    amounts: Vec<Amount>,
    strength: Option<Amount>,
}

impl Amounts {
    /// Amounts by role where the style has them; else the sliders that it shows; where it shows none, the
    /// inputs of deformers.
    pub fn of(style: &Style, program: &Program) -> Amounts {
        let parameters = || program.tables.parameters.iter();
        let pick = |share: &dyn Fn(&Parameter) -> Option<Share>| {
            let amounts = parameters().filter_map(|it| amount(style, it, share(it)?));
            amounts.collect::<Vec<Amount>>()
        };
        let or_squash = |parameter: &Parameter, share: Share| match leads_to(style, parameter) {
            Some(Target { port: SQUASH_PORT, .. }) => Share::Squash,
            _ => share,
        };
        let mut by_role = pick(&|parameter| role_share(style, parameter));
        keep_details(&mut by_role);
        let amounts = if by_role.iter().any(|it| matches!(it.share, Share::Lag(_))) {
            // Sliders are the user's, where something behind them says how much.
            let squash_of = |is_one: &dyn Fn(&Parameter) -> bool| {
                pick(&|it| {
                    let is_squash = is_one(it) && or_squash(it, Share::Kept) == Share::Squash;
                    is_squash.then_some(Share::Squash)
                })
            };
            let hidden = squash_of(&|it| it.exposed.is_none() && is_factor(style, it));
            let shown = squash_of(&is_shown_amount);
            let squash = if hidden.is_empty() { shown } else { hidden };
            by_role.into_iter().chain(squash).collect()
        } else {
            let shown = pick(&|it| is_shown_amount(it).then(|| or_squash(it, Share::All)));
            let of_port = |it: &Parameter| {
                let (graph, id) = place(style, &it.node)?;
                match amount_port(style.graph(&graph)?.nodes.get(id)?, &it.port)? {
                    SQUASH_PORT => Some(Share::Squash),
                    _ => Some(Share::All),
                }
            };
            if shown.is_empty() { pick(&of_port) } else { shown }
        };
        let strength = pick(&|it| is_strength(it).then_some(Share::Kept)).pop();
        Amounts { amounts, strength }
    }

    /// Those that some names mean are not to be changed.
    pub fn leave_out<'n>(&mut self, program: &Program, names: impl Iterator<Item = &'n str>) {
        let parameters = &program.tables.parameters;
        for place in names.flat_map(|name| Parameters::places(program, name)) {
            let Parameter { node, port, .. } = &parameters[place];
            self.amounts.retain(|it| (&it.path, &it.port) != (node, port));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.amounts.is_empty()
    }

    pub fn has(&self, share: Share) -> bool {
        self.amounts.iter().any(|amount| amount.share == share)
    }

    pub fn shares(&self) -> Vec<Share> {
        let lags = Part::ALL.into_iter().map(Share::Lag);
        let all = lags.chain([Share::Squash, Share::All]);
        all.filter(|share| self.has(*share)).collect()
    }

    /// The parts of the body that it has amounts for.
    pub fn parts(&self) -> Vec<Part> {
        let has_part = |part: &Part| self.has(Share::All) || self.has(Share::Lag(*part));
        Part::ALL.into_iter().filter(has_part).collect()
    }

    /// The largest scale of a share at which none of its amounts is absurd.
    pub fn most_scale(&self, share: Share) -> f64 {
        let of_share = self.amounts.iter().filter(|amount| amount.share == share);
        of_share
            .map(|amount| (amount.most / amount.value.abs()).max(1.0))
            .fold(f64::INFINITY, f64::min)
    }

    /// Each times the scale of its share, with three digits: people will read them.
    pub fn scaled(&self, scales: &Scales) -> Command {
        let set = |it: &Amount| it.set(rounded(it.value * scales.of(it.share)));
        Command::batch(self.amounts.iter().map(set).collect())
    }

    /// The style as strong as fitting is meant for, where it says how strong it is.
    pub fn at_full_strength(&self) -> Option<Command> {
        self.strength.as_ref().map(|strength| strength.set(1.0))
    }
}

impl Amount {
    fn set(&self, value: f64) -> Command {
        Command::SetSetting {
            graph: self.graph.clone(),
            node: self.node.clone(),
            port: self.port.clone(),
            value: Some(Setting::Float(value)),
        }
    }
}

fn is_strength(parameter: &Parameter) -> bool {
    parameter.exposed.as_ref().is_some_and(|name| name.to_lowercase() == STRENGTH)
}

fn is_shown_amount(parameter: &Parameter) -> bool {
    let name = parameter.exposed.as_ref().map(|name| name.to_lowercase());
    let says_something_else =
        |name: &String| OTHER_SLIDERS.iter().any(|other| name.contains(other));
    !is_strength(parameter) && name.is_some_and(|name| !says_something_else(&name))
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
        MAP_TYPE if parameter.port == "gain" => match node.settings.get("source")? {
            Setting::Text(source) if source == "protrusion" => Some(Part::Ears),
            Setting::Text(source) if source == "looseness" => Some(Part::Tips),
            _ => None,
        },
        _ if parameter.exposed.is_none() && is_factor(style, parameter) => {
            return leads_to(style, parameter)?.is_flap.then_some(Share::Lag(Part::Ears));
        }
        _ => return None,
    };
    if leads_to(style, parameter)?.port == SQUASH_PORT {
        return Some(Share::Squash);
    }
    Some(part.map_or(Share::Kept, Share::Lag))
}

/// A role whose number is far smaller than the largest beside it is not what the style is about: it only takes part,
/// and stays as it is. The trunk hardly moves in any style.
fn keep_details(amounts: &mut [Amount]) {
    let largest: Vec<f64> = amounts
        .iter()
        .map(|of| {
            let beside = amounts.iter().filter(|it| it.path == of.path).map(|it| it.value.abs());
            beside.fold(0.0, f64::max)
        })
        .collect();
    for (amount, largest) in amounts.iter_mut().zip(largest) {
        let is_detail = amount.value.abs() < MOST_OF_DETAIL * largest;
        if is_detail && amount.share != Share::Lag(Part::Trunk) {
            amount.share = Share::Kept;
        }
    }
}

/// A number that something is multiplied by, or the input itself that says how much.
fn is_factor(style: &Style, parameter: &Parameter) -> bool {
    let node = || {
        let (graph, id) = place(style, &parameter.node)?;
        style.graph(&graph)?.nodes.get(id)
    };
    node().is_some_and(|node| {
        node.node_type == MULTIPLY_TYPE || amount_port(node, &parameter.port).is_some()
    })
}

/// Of an input of a node that says how much: its name.
fn amount_port(node: &Node, port: &str) -> Option<&'static str> {
    let holds = HOLDING_TYPES.contains(&node.node_type.as_str());
    AMOUNT_PORTS.into_iter().find(|name| *name == port && !holds)
}

/// An input that says how much.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Target {
    port: &'static str,
    is_flap: bool,
}

/// The input that says how much and that a number reaches, through arithmetic where it is not that input's own.
fn leads_to(style: &Style, parameter: &Parameter) -> Option<Target> {
    let (graph, id) = place(style, &parameter.node)?;
    let graph = style.graph(&graph)?;
    let is_flap = |id: &str| graph.nodes.get(id).is_some_and(|node| node.node_type == FLAP_TYPE);
    if let Some(port) = amount_port(graph.nodes.get(id)?, &parameter.port) {
        return Some(Target { port, is_flap: is_flap(id) });
    }
    let mut seen = std::collections::BTreeSet::from([id]);
    let mut next = vec![id];
    while let Some(node) = next.pop() {
        for link in graph.links_out_of(node) {
            let target = graph.nodes.get(&link.to.node)?;
            if let Some(port) = amount_port(target, &link.to.port) {
                return Some(Target { port, is_flap: is_flap(&link.to.node) });
            }
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
    let (node, port) = (node.to_owned(), parameter.port.clone());
    let path = parameter.node.clone();
    let most = if share == Share::Squash { MOST_SQUASH } else { MOST_AMOUNT };
    (value != 0.0).then_some(Amount { path, graph, node, port, value, share, most })
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
            (
                "default",
                vec![
                    "ear-gain",
                    "lag",
                    "lag",
                    "lag",
                    "lag",
                    "lag",
                    "lag",
                    "lag",
                    "lag",
                    "squash-gain",
                ],
            ),
            ("velocity-skinning", vec!["floppy", "squash"]),
            ("cartoon", vec!["floppy", "squash"]),
            ("mushroom", vec!["flesh"]),
        ] {
            let document = built_in_style(style).unwrap();
            let compiled = compile(&document.style, &Library::built_in());
            let amounts = Amounts::of(&document.style, &compiled.program);
            let mut nodes: Vec<&str> = amounts.amounts.iter().map(|it| it.node.as_str()).collect();
            nodes.sort_unstable();
            assert_eq!(nodes, expected, "{style}");
        }
        assert_eq!(rounded(0.123_456), 0.123);
        assert_eq!(rounded(-12.345), -12.3);
    }
}
