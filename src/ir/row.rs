//! A row for every operation: those on one, two and three values have theirs in tables of their own, which say
//! more; the others, each of a shape of its own, have them here. A row that leaves anything out does not compile.

use super::op::Op;

/// What is said of every operation.
#[derive(Clone, Copy, Debug)]
pub struct OpRow {
    /// In texts and in saved programs, which must be readable for ever: it never changes.
    pub name: &'static str,
    /// What generated code calls a result that has no name.
    pub noun: &'static str,
    /// See [`super::Op::work`]; of a smoothing, of one of its passes.
    pub work: usize,
    /// See [`super::Op::cost`]; likewise.
    pub cost: f64,
}

/// Names of operations that are in no other table.
pub(super) mod name {
    pub const CONSTANT: &str = "constant";
    pub const SOURCE: &str = "source";
    pub const PARAMETER: &str = "parameter";
    pub const MAP: &str = "map";
    pub const MAP_IS_THERE: &str = "map_is_there";
    pub const BONE_VALUE: &str = "bone_value";
    pub const BONE_VALUE_IS_SET: &str = "bone_value_is_set";
    pub const BONE_SET: &str = "bone_set";
    pub const WEIGHT: &str = "weight";
    pub const MOTION: &str = "motion";
    pub const STATE: &str = "state";
    pub const AGO: &str = "ago";
    pub const COMPONENT: &str = "component";
    pub const SUM: &str = "sum";
    pub const RELAX: &str = "relax";
}

/// Neighbours of a vertex that smoothing looks at, about.
const NEIGHBOURS: f64 = 6.0;
/// Of six neighbours three numbers each, gathered from anywhere.
const RELAX_WORK: usize = 40;
/// The whole skeleton at two times or more.
const MOTION_WORK: usize = 40;
const MOTION_COST: f64 = 20.0;

impl Op {
    pub const fn row(&self) -> OpRow {
        /// Data has a name of its own.
        const fn data(name: &'static str, cost: f64) -> OpRow {
            OpRow { name, noun: "number", work: 1, cost }
        }
        match *self {
            Op::Unary(op, _) => {
                let row = op.row();
                OpRow { name: row.name, noun: row.noun, work: row.work, cost: row.cost }
            }
            Op::Binary(op, ..) => {
                let row = op.row();
                OpRow { name: row.name, noun: row.noun, work: row.work, cost: row.cost }
            }
            Op::Ternary(op, ..) => {
                let row = op.row();
                OpRow { name: row.name, noun: row.noun, work: row.work, cost: row.cost }
            }
            Op::Component(..) => {
                OpRow { name: name::COMPONENT, noun: "component", work: 1, cost: 1.0 }
            }
            Op::Sum { .. } => OpRow { name: name::SUM, noun: "number", work: 1, cost: 1.0 },
            Op::Relax { .. } => {
                OpRow { name: name::RELAX, noun: "relaxed", work: RELAX_WORK, cost: NEIGHBOURS }
            }
            Op::Constant(..) => {
                OpRow { name: name::CONSTANT, noun: "constant_value", work: 1, cost: 0.0 }
            }
            Op::Source(_) => data(name::SOURCE, 1.0),
            Op::Parameter(..) => data(name::PARAMETER, 0.0),
            Op::Map(_) => data(name::MAP, 1.0),
            Op::MapIsThere(_) => data(name::MAP_IS_THERE, 0.0),
            Op::BoneTable(_) => data(name::BONE_VALUE, 1.0),
            Op::BoneTableIsSet(_) => data(name::BONE_VALUE_IS_SET, 1.0),
            Op::BoneSet(_) => data(name::BONE_SET, 1.0),
            Op::Weight(_) => data(name::WEIGHT, 1.0),
            Op::Motion(..) => {
                OpRow { name: name::MOTION, noun: "number", work: MOTION_WORK, cost: MOTION_COST }
            }
            Op::State(_) => data(name::STATE, 1.0),
            Op::Ago { .. } => data(name::AGO, MOTION_COST),
        }
    }

    /// How much there is to compute, counted in plain values of a vertex: limits go by it.
    pub fn work(&self) -> usize {
        self.times() as usize * self.row().work
    }

    /// How long it takes, in multiplications of one number: what a node costs is told by it.
    pub fn cost(&self) -> f64 {
        f64::from(self.times()) * self.row().cost
    }

    /// How often it goes over all vertices.
    fn times(&self) -> u32 {
        if let Op::Relax { passes, .. } = *self { passes } else { 1 }
    }
}
