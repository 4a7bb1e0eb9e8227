//! One port of a graph as a number or a vector per vertex, so that it can be looked at.
//!
//! What differs from bone to bone is summed over a vertex's bones: by the weights with which its own
//! port sums it; else, if it is one value per bone, by skin weights, so that skin shows what the bones
//! have that carry it; else by the upward weights, as `.sum()` does.

use super::Compiled;
use super::walk::Findings;
use crate::script::Val;
use jounce_base::text::{nearest, suggestion};
use jounce_ir::looking::{INPUT, ShownPort};
use jounce_ir::{Binary, BoneSet, Builder, Column, Op, Rate, Value, WeightKind};
use thiserror::Error;

/// A graph of which one port can be shown.
pub struct Showing {
    pub compiled: Compiled,
    /// In the compiled program: a float or vec3 per vertex, or one for all.
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoSuchPort {
    #[error("there is no node \"{node}\" in the graph{}", suggestion(.nearest, "nodes", .known))]
    NoNode { node: String, nearest: Option<String>, known: Vec<String> },
    #[error("the node \"{node}\" has no port \"{port}\"{}", suggestion(.nearest, "ports", .known))]
    NoPort { node: String, port: String, nearest: Option<String>, known: Vec<String> },
    #[error(
        "{node}.{port} is {what}, which is not a number; show a port that is a float or a vec3"
    )]
    NoNumber { node: String, port: String, what: &'static str },
    #[error(
        "{node}.{port} is not one value per bone, so a single bone has no part of it; leave out the bone"
    )]
    NoBones { node: String, port: String },
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
