//! Cuts a program's values into stages.
//!
//! A sum is known only after the loop over the vertex's bones, so what feeds on it stands behind
//! that loop; what is smoothed over the surface is known only when all vertices have come so far.
//! The *depth* of a value is how many loops and smoothings must have run before it:
//!
//! ```text
//! depth 0:  vertex code, loop, smoothings   depth 1:  vertex code, loop, smoothings   …
//! ```

use super::Rate;
use super::op::{Op, Value};
use super::program::{Program, Stage};

pub(super) fn stages(program: &Program) -> Vec<Stage> {
    let depths = depths(program);
    let deepest = depths.iter().copied().max().unwrap_or(0);
    let all = || (0..program.ops.len()).map(|place| Value(place as u32));
    let at = |rate: Rate, depth: usize| -> Vec<Value> {
        let is_here = |value: &Value| {
            program.rate(*value) == rate
                && depths[value.index()] == depth
                && !matches!(program.op(*value), Op::Sum { .. } | Op::Relax { .. })
        };
        all().filter(is_here).collect()
    };
    let mut stages = vec![Stage::Frame(at(Rate::Frame, 0)), Stage::Bone(at(Rate::Bone, 0))];
    for depth in 0..=deepest {
        stages.push(Stage::Vertex(at(Rate::Vertex, depth)));
        let is_sum = |value: &Value| {
            matches!(program.op(*value), Op::Sum { .. }) && depths[value.index()] == depth + 1
        };
        let sums: Vec<Value> = all().filter(is_sum).collect();
        if !sums.is_empty() {
            stages.push(Stage::Influences { values: needed_by(program, &sums), sums });
        }
        let is_relaxed = |value: &Value| {
            matches!(program.op(*value), Op::Relax { .. }) && depths[value.index()] == depth + 1
        };
        stages.extend(all().filter(is_relaxed).map(Stage::Relax));
    }
    let is_empty = |stage: &Stage| match stage {
        Stage::Frame(values) | Stage::Bone(values) | Stage::Vertex(values) => values.is_empty(),
        Stage::Influences { .. } | Stage::Relax(_) => false,
    };
    stages.retain(|stage| !is_empty(stage));
    stages
}

fn depths(program: &Program) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(program.ops.len());
    for op in &program.ops {
        let operands = op.operands().map(|operand| depths[operand.index()]).max().unwrap_or(0);
        depths.push(operands + usize::from(matches!(op, Op::Sum { .. } | Op::Relax { .. })));
    }
    depths
}

/// Values of rate influence are not kept from loop to loop: each loop computes all it needs.
fn needed_by(program: &Program, sums: &[Value]) -> Vec<Value> {
    let mut needed = vec![false; program.ops.len()];
    let mark = |op: &Op, needed: &mut Vec<bool>| {
        for operand in op.operands() {
            needed[operand.index()] |= program.rate(operand) == Rate::Influence;
        }
    };
    for &sum in sums {
        mark(program.op(sum), &mut needed);
    }
    for place in (0..program.ops.len()).rev() {
        if needed[place] {
            mark(&program.ops[place], &mut needed);
        }
    }
    (0..program.ops.len()).filter(|&place| needed[place]).map(|place| Value(place as u32)).collect()
}
