//! How much of the work each node is: an estimate from what the program computes, and how often.
//!
//! Nothing is timed: the evaluators mix the nodes' instructions, so that no clock can tell them apart.

use jounce_eval::Bound;
use jounce_ir::op::{Binary, Op, Unary};
use jounce_ir::{Program, Rate, Type, Value};
use std::collections::BTreeMap;

/// Neighbours of a vertex that smoothing looks at, about.
const NEIGHBOURS: f64 = 6.0;

/// Of all the work of a frame, by node path. Work that belongs to no node is left out of the shares.
pub fn cost_shares(program: &Program, bound: &Bound) -> BTreeMap<String, f64> {
    let times = |rate: Rate| match rate {
        Rate::Frame => 1.0,
        Rate::Bone => bound.row_count() as f64,
        Rate::Vertex => bound.vertex_count() as f64,
        Rate::Influence => bound.pairs.count() as f64,
    };
    let mut costs: BTreeMap<String, f64> = BTreeMap::new();
    for (place, op) in program.ops.iter().enumerate() {
        let node = &program.origins[place].node;
        if node.is_empty() {
            continue;
        }
        let value = Value(place as u32);
        // A sum is of the vertex, but adds up in the loop over its bones.
        let rate = match op {
            Op::Sum { .. } => Rate::Influence,
            _ => program.rate(value),
        };
        let width = if program.ty(value) == Type::Vec3 { 3.0 } else { 1.0 };
        *costs.entry(node.clone()).or_default() += weight(op) * width * times(rate);
    }
    let total: f64 = costs.values().sum();
    if total > 0.0 {
        costs.values_mut().for_each(|cost| *cost /= total);
    }
    costs
}

/// In multiplications.
fn weight(op: &Op) -> f64 {
    match op {
        Op::Constant(..) | Op::Parameter(..) | Op::MapIsThere(_) => 0.0,
        Op::Unary(Unary::Sqrt | Unary::Normalize, _) | Op::Binary(Binary::Div, ..) => 4.0,
        Op::Unary(Unary::Sin | Unary::Cos | Unary::Exp | Unary::Log, _) => 15.0,
        Op::Binary(Binary::Pow | Binary::Atan2, ..) => 30.0,
        Op::Binary(Binary::Dot, ..) => 3.0,
        Op::Binary(Binary::Cross, ..) => 2.0,
        Op::Motion(..) | Op::Ago { .. } => 20.0,
        Op::Relax { passes, .. } => f64::from(*passes) * NEIGHBOURS,
        _ => 1.0,
    }
}
