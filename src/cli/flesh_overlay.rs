//! Flesh elements as sticks and balls over a picture: the virtual bone, the frame at its middle, and the
//! spring to where the mass is, with the frame that it carries.

use super::deformer::Deformer;
use super::scene::Scene;
use super::{CliError, graph::GraphError};
use crate::eval::{EvalError, Interpreter, Moment, Probed};
use crate::ir::{Number, Op, Program, Value, WeightKind};
use glam::{DVec3, Vec3};

/// Joints of one element, as [`joints`] gives them.
const JOINTS: usize = 10;
/// Each joint's parent among them.
const PARENTS: [Option<usize>; JOINTS] =
    [None, Some(0), None, Some(2), Some(2), Some(2), Some(2), Some(6), Some(6), Some(6)];
/// How long the axes of frames are, as a part of the character's size.
const AXIS: f64 = 0.05;

/// Of so many elements, behind so many other joints.
pub fn parents(elements: usize, first: usize) -> impl Iterator<Item = Option<usize>> {
    (0..elements).flat_map(move |element| {
        PARENTS.map(|parent| parent.map(|parent| first + element * JOINTS + parent))
    })
}

pub fn joints(scene: &Scene, deformer: &Deformer, time_secs: f64) -> Result<Vec<Vec3>, CliError> {
    let found = scene.with_moment(deformer, time_secs, |moment| of_moment(deformer, moment));
    Ok(found.flatten().map_err(GraphError::from)?)
}

fn of_moment(deformer: &Deformer, moment: &Moment) -> Result<Vec<Vec3>, EvalError> {
    let bound = deformer.bound();
    let masses = masses(deformer.program(), bound, moment)?;
    let mut joints = Vec::with_capacity(bound.flesh.len() * JOINTS);
    for (element, flesh) in bound.flesh.iter().enumerate() {
        let bone = flesh.virtual_bone(&moment.bone_origins);
        let frame = flesh.frame(&moment.bone_origins, &moment.bone_rotations);
        let mass = masses.get(element).copied().unwrap_or(frame.origin);
        let axes =
            [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| frame.rotation * axis * AXIS * bound.size);
        joints.extend([bone.from, bone.to, frame.origin]);
        joints.extend(axes.map(|axis| frame.origin + axis));
        joints.push(mass);
        joints.extend(axes.map(|axis| mass + axis));
    }
    Ok(joints.into_iter().map(|joint| joint.as_vec3()).collect())
}

/// Where the mass of each element is.
fn masses(
    program: &Program,
    bound: &crate::eval::Bound,
    moment: &Moment,
) -> Result<Vec<DVec3>, EvalError> {
    let Some(value) = mass_value(program) else {
        return Ok(Vec::new());
    };
    let probed = Interpreter::probe(program, bound, moment, &[value])?;
    let Some(Probed::Bones(rows)) = probed.into_iter().next() else {
        return Ok(Vec::new());
    };
    let position = |number: Number| match number {
        Number::Vec3(v) => v,
        _ => DVec3::ZERO,
    };
    Ok(rows.into_iter().skip(bound.bone_count()).map(position).collect())
}

/// What the node that sums over flesh keeps under the name `at`.
fn mass_value(program: &Program) -> Option<Value> {
    let is_flesh = |column: u32| {
        let column = program.tables.columns.get(column as usize);
        column.is_some_and(|column| column.kind == WeightKind::Flesh)
    };
    let sum = program.ops.iter().position(|op| match *op {
        Op::Sum { column, .. } => is_flesh(column),
        _ => false,
    })?;
    let node = &program.origins[sum].node;
    let states = program.tables.states.iter();
    let place = states.into_iter().position(|state| state.name == "at" && state.node == *node)?;
    program.memory.next.get(place).copied()
}
