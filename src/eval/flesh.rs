//! Flesh elements of a bound program: by name, and how far they have swung from where the skeleton
//! carries them to where they are.

use super::{Bound, EvalError, Interpreter, Moment, Probed};
use glam::DVec3;
use jounce_base::text::nearest;
use jounce_base::text::suggestion;
use jounce_ir::op::Binary;
use jounce_ir::{Number, Op, Program, Rate, Type, Value, WeightKind};
use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ElementError {
    #[error(
        "there is no flesh to show: the graph needs a Flesh node, and the character elements in its settings (docs/format.md)"
    )]
    NoFlesh,
    #[error("there is no flesh element \"{name}\"{}", suggestion(.nearest, "elements", .known))]
    Unknown { name: String, nearest: Option<String>, known: Vec<String> },
}

impl Bound {
    /// Of flesh elements, in their order.
    pub fn element_names(&self) -> &[String] {
        let first = self.bone_count();
        self.bone_names.get(first..first + self.flesh.len()).unwrap_or_default()
    }

    /// Exactly that name, or else but for upper and lower case.
    pub fn element_named(&self, name: &str) -> Result<usize, ElementError> {
        let names = self.element_names();
        if names.is_empty() {
            return Err(ElementError::NoFlesh);
        }
        let exact = names.iter().position(|known| known == name);
        let alike = || names.iter().position(|known| known.eq_ignore_ascii_case(name));
        exact.or_else(alike).ok_or_else(|| {
            let nearest = nearest(name, names.iter().map(String::as_str)).map(str::to_owned);
            ElementError::Unknown { name: name.to_owned(), nearest, known: names.to_vec() }
        })
    }
}

/// A node that moves flesh elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FleshMover {
    /// As in [`jounce_ir::Origin::node`].
    pub node: String,
    /// What it sums over the elements of a vertex: per element, how far that has swung. Where vertices take
    /// only a part of it, this is the whole.
    pub elongation: Value,
}

/// In the order in which they are computed. A node that lets each vertex of an element move in its own
/// way has no elongation, and is left out.
pub fn flesh_movers(program: &Program) -> Vec<FleshMover> {
    let is_flesh = |column: u32| {
        let column = program.tables.columns.get(column as usize);
        column.is_some_and(|column| column.kind == WeightKind::Flesh)
    };
    let mover = |(place, op): (usize, &Op)| {
        let Op::Sum { value, column } = *op else { return None };
        let elongation = of_element(program, value).filter(|_| is_flesh(column))?;
        Some(FleshMover { node: program.origins[place].node.clone(), elongation })
    };
    program.ops.iter().enumerate().filter_map(mover).collect()
}

/// What is the same for all vertices of an element, before each takes its part of it.
fn of_element(program: &Program, mut value: Value) -> Option<Value> {
    while program.rate(value) != Rate::Bone {
        let Op::Binary(Binary::Mul, vector, part) = *program.op(value) else { return None };
        (program.ty(part) == Type::Float).then_some(())?;
        value = vector;
    }
    Some(value)
}

/// Per mover, then per flesh element, in the scene.
pub fn elongations(
    program: &Program,
    movers: &[FleshMover],
    bound: &Bound,
    moment: &Moment,
) -> Result<Vec<Vec<DVec3>>, EvalError> {
    let values: Vec<Value> = movers.iter().map(|mover| mover.elongation).collect();
    let vector = |number: Number| match number {
        Number::Vec3(v) => v,
        _ => DVec3::ZERO,
    };
    let of_elements = |probed: Probed| match probed {
        Probed::Bones(rows) => {
            let of_flesh = rows.into_iter().skip(bound.bone_count()).take(bound.flesh.len());
            of_flesh.map(vector).collect()
        }
        _ => vec![DVec3::ZERO; bound.flesh.len()],
    };
    let probed = Interpreter::probe(program, bound, moment, &values)?;
    Ok(probed.into_iter().map(of_elements).collect())
}
