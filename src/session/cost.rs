//! How much of the work each node is: an estimate from what the program computes, and how often.
//!
//! Nothing is timed: the evaluators mix the nodes' instructions, so that no clock can tell them apart.

use jounce_eval::Bound;
use jounce_ir::op::Op;
use jounce_ir::{Program, Rate, Type, Value};
use std::collections::BTreeMap;

/// The share of each node in the work of a frame, by node path. Work that belongs to no node is left out.
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
        let is_sum = matches!(op, Op::Sum { .. });
        let rate = if is_sum { Rate::Influence } else { program.rate(value) };
        let width = if program.ty(value) == Type::Vec3 { 3.0 } else { 1.0 };
        *costs.entry(node.clone()).or_default() += op.cost() * width * times(rate);
    }
    let total: f64 = costs.values().sum();
    if total > 0.0 {
        costs.values_mut().for_each(|cost| *cost /= total);
    }
    costs
}
