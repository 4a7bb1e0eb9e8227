//! One port of a graph as a number or a vector per vertex, so that it can be looked at.
//!
//! What differs from bone to bone is summed over a vertex's bones: by the weights with which its own
//! port sums it; else, if it is one value per bone, by skin weights, so that skin shows what the bones
//! have that carry it; else by the upward weights, as `.sum()` does.

use super::Compiled;
use super::walk::Findings;
use crate::ir::{Binary, BoneSet, Builder, Column, Op, Rate, Value, WeightKind};
use crate::script::Val;
use crate::text::nearest;
use thiserror::Error;

/// A port to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPort {
    /// As in [`crate::ir::Origin::node`].
    pub node: String,
    /// An output, or else an input, of that name; with [`input_port`] always the input.
    pub port: String,
    /// Of what differs from bone to bone, only the part of this bone or flesh element.
    pub bone: Option<String>,
}

/// What an input is called where an output may have the same name.
pub fn input_port(name: &str) -> String {
    format!("{INPUT}{name}")
}

const INPUT: &str = "in:";

impl ShownPort {
    /// As it is written at the pin, and whether it is an input for sure.
    pub fn named(&self) -> (&str, bool) {
        match self.port.strip_prefix(INPUT) {
            Some(name) => (name, true),
            None => (&self.port, false),
        }
    }
}

/// A graph of which one port can be shown.
pub struct Showing {
    pub compiled: Compiled,
    /// In the compiled program: a float or vec3 per vertex, or one for all.
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoSuchPort {
    #[error("there is no node \"{node}\" in the graph{}", or_known(.nearest, "nodes", .known))]
    NoNode { node: String, nearest: Option<String>, known: Vec<String> },
    #[error("the node \"{node}\" has no port \"{port}\"{}", or_known(.nearest, "ports", .known))]
    NoPort { node: String, port: String, nearest: Option<String>, known: Vec<String> },
    #[error("{node}.{port} is {what}, which is no number; show a port that is a float or a vec3")]
    NoNumber { node: String, port: String, what: &'static str },
    #[error("{node}.{port} is not one value per bone, so no bone has a part in it; leave it out")]
    NoBones { node: String, port: String },
}

/// What was meant, or else what there is.
pub(crate) fn or_known(nearest: &Option<String>, what: &str, known: &[String]) -> String {
    match (nearest, known) {
        (Some(nearest), _) => format!("; did you mean \"{nearest}\"?"),
        (None, []) => format!("; it has no {what}"),
        (None, known) => format!("; it has {}", known.join(", ")),
    }
}

/// The value of a port as one per vertex, or one for all.
pub(super) fn shown_value(
    builder: &mut Builder,
    findings: &Findings,
    shown: &ShownPort,
) -> Result<Value, NoSuchPort> {
    let ShownPort { node, port, bone } = shown;
    let value = number_of(findings, node, port)?;
    let column = findings.columns.get(&value).copied();
    let column = match builder.rate(value) {
        Rate::Frame | Rate::Vertex if bone.is_some() => {
            return Err(NoSuchPort::NoBones { node: node.clone(), port: port.clone() });
        }
        Rate::Frame | Rate::Vertex => return Ok(value),
        Rate::Bone => column.unwrap_or(Column { kind: WeightKind::Skin, keep: None }),
        Rate::Influence => column.unwrap_or(Column::UPWARD),
    };
    let part = match bone {
        Some(bone) => {
            let (node, names) = (node.clone(), vec![bone.clone()]);
            let set = BoneSet { node, names, branches: false };
            let set = Builder::table_entry(&mut builder.tables.bone_sets, set);
            let is_in = builder.leaf(Op::BoneSet(set));
            builder.binary(Binary::Mul, value, is_in)
        }
        None => value,
    };
    Ok(builder.sum(part, column))
}

fn number_of(findings: &Findings, node: &str, port: &str) -> Result<Value, NoSuchPort> {
    let no_node = || {
        let known: Vec<String> = findings.ports.keys().cloned().collect();
        let nearest = nearest(node, known.iter().map(String::as_str)).map(str::to_owned);
        NoSuchPort::NoNode { node: node.to_owned(), nearest, known }
    };
    let ports = findings.ports.get(node).ok_or_else(no_node)?;
    let no_port = || {
        let known: Vec<String> = ports.keys().cloned().collect();
        let nearest = nearest(port, known.iter().map(String::as_str)).map(str::to_owned);
        let (node, port) = (node.to_owned(), port.to_owned());
        NoSuchPort::NoPort { node, port, nearest, known }
    };
    if let Some(input) = port.strip_prefix(INPUT) {
        let at = (node.to_owned(), input.to_owned());
        if let Some(&value) = findings.input_values.get(&at) {
            return Ok(value);
        }
    }
    match ports.get(port.trim_start_matches(INPUT)).ok_or_else(no_port)? {
        Val::Float(value) | Val::Vec3(value) => Ok(*value),
        other => {
            let what = other.describe();
            Err(NoSuchPort::NoNumber { node: node.to_owned(), port: port.to_owned(), what })
        }
    }
}
