//! The inputs that `--set` can change beside the style's parameters: numbers that no wire leads to, and what
//! is decided before the graph is compiled.

use crate::cli::assignments::Settable;
use jounce_graph::script::{InputPort, PortType, Setting};
use jounce_ir::{Number, Parameter};
use serde_json::{Value, json};

pub enum Input<'a> {
    /// It can be set without compiling.
    Number(&'a Parameter),
    /// A whole number, a word, yes or no.
    Decided(&'a Settable),
}

/// Node by node.
pub fn inputs<'a>(parameters: &'a [Parameter], settables: &'a [Settable]) -> Vec<Input<'a>> {
    let numbers = parameters.iter().filter(|it| it.exposed.is_none()).map(Input::Number);
    // Names are not settings for users of a style, and what a group shows is set there.
    let is_shown = |it: &&Settable| it.input.ty != PortType::Text && !it.is_published;
    let decided = settables.iter().filter(is_shown).map(Input::Decided);
    let mut all: Vec<Input> = numbers.chain(decided).collect();
    all.sort_by(|a, b| a.node().cmp(b.node()));
    all
}

impl Input<'_> {
    fn node(&self) -> &str {
        match self {
            Input::Number(parameter) => &parameter.node,
            Input::Decided(settable) => &settable.node,
        }
    }

    /// As it is typed, and what it may be.
    pub fn line(&self) -> String {
        match self {
            Input::Number(Parameter { node, port, value, soft, hard, .. }) => {
                let may_be = match soft.or(*hard) {
                    Some((least, most)) => format!("  ({least} to {most})"),
                    None => String::new(),
                };
                format!("{node}.{port} = {}{may_be}", as_typed(*value))
            }
            Input::Decided(settable) => line_of_decided(settable),
        }
    }

    pub fn json(&self) -> Value {
        match self {
            Input::Number(Parameter { node, port, value, soft, hard, .. }) => json!({
                "node": node, "port": port, "type": type_of(*value), "value": super::number(*value),
                "choices": [], "soft": soft, "hard": hard,
            }),
            Input::Decided(Settable { node, input, value, .. }) => json!({
                "node": node, "port": input.name, "type": input.ty, "value": value,
                "choices": input.choices, "soft": input.soft, "hard": input.hard,
            }),
        }
    }
}

fn as_typed(number: Number) -> String {
    match number {
        Number::Float(x) => x.to_string(),
        Number::Bool(is_on) => is_on.to_string(),
        Number::Vec3(v) => format!("{},{},{}", v.x, v.y, v.z),
    }
}

fn type_of(number: Number) -> PortType {
    match number {
        Number::Float(_) => PortType::Float,
        Number::Bool(_) => PortType::Bool,
        Number::Vec3(_) => PortType::Vec3,
    }
}

fn line_of_decided(settable: &Settable) -> String {
    let InputPort { ty, choices, hard, .. } = &settable.input;
    let value = match &settable.value {
        Setting::Bool(value) => value.to_string(),
        Setting::Float(value) => value.to_string(),
        Setting::Text(word) => word.clone(),
        _ => String::new(),
    };
    let may_be = match (ty, hard) {
        (PortType::Choice, _) => choices.join(" | "),
        (PortType::Bool, _) => "true | false".to_owned(),
        (_, Some((least, most))) => format!("a whole number from {least} to {most}"),
        (_, None) => "a whole number".to_owned(),
    };
    format!("{} = {value}  ({may_be})", settable.name())
}
