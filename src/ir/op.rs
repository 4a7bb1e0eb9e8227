//! The operations. What each computes is defined in [`super::semantics`]; all else that is said of them is in
//! their rows: [`super::unary`], [`super::binary`], [`super::ternary`] and [`super::row`].

use super::{Number, Source, Type};
use glam::DVec3;

pub use super::binary::Binary;
pub use super::ternary::Ternary;
pub use super::unary::Unary;

/// In matches: every operation of [`Family::Data`]. Whoever has something to say of some operations names
/// those, and the others by their families; one more operation is then one more variant in its family, and
/// does not compile where all of that family are named.
#[macro_export]
macro_rules! any_data {
    () => {
        $crate::Op::Source(_)
            | $crate::Op::Parameter(..)
            | $crate::Op::Map(_)
            | $crate::Op::MapIsThere(_)
            | $crate::Op::BoneTable(_)
            | $crate::Op::BoneTableIsSet(_)
            | $crate::Op::BoneSet(_)
            | $crate::Op::Weight(_)
            | $crate::Op::Motion(..)
    };
}

/// In matches: every operation of [`Family::Memory`].
#[macro_export]
macro_rules! any_memory {
    () => {
        $crate::Op::State(_) | $crate::Op::Ago { .. }
    };
}

/// In matches: every operation of [`Family::Formula`].
#[macro_export]
macro_rules! any_formula {
    () => {
        $crate::Op::Unary(..)
            | $crate::Op::Binary(..)
            | $crate::Op::Ternary(..)
            | $crate::Op::Component(..)
    };
}

/// In matches: every operation of [`Family::Loop`].
#[macro_export]
macro_rules! any_loop {
    () => {
        $crate::Op::Sum { .. } | $crate::Op::Relax { .. }
    };
}

/// A value of a program, by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

impl Value {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant: its type and the bits of its components, so that operations can be compared.
    Constant(Type, [u64; 3]),
    /// Data of the character or of its motion, from the table of sources.
    Source(Source),
    /// A number that a slider sets: an entry of [`super::Tables::parameters`].
    Parameter(u32, Type),
    /// Of each vertex: an entry of [`super::Tables::maps`].
    Map(u32),
    /// Does the character have this map? Of rate frame, so that no vertex pays for it.
    MapIsThere(u32),
    /// Of each bone: the number set for it in an entry of [`super::Tables::bone_tables`], or 0.
    BoneTable(u32),
    /// Of each bone: is a number set for it there?
    BoneTableIsSet(u32),
    /// Of each bone: 1 in a set of bones, 0 outside; an entry of [`super::Tables::bone_sets`].
    BoneSet(u32),
    /// Of each pair: the weight in a column, an entry of [`super::Tables::columns`].
    Weight(u32),
    /// Of each bone: its velocity, the mean over the last seconds given by a value of rate frame.
    Motion(MotionPart, Value),
    /// What was remembered when the last step ended: an entry of [`super::Tables::states`].
    State(u32),
    /// What a value was some seconds ago: an entry of [`super::Tables::histories`].
    Ago {
        history: u32,
        secs: Value,
        /// What it is now.
        now: Value,
    },
    Unary(Unary, Value),
    Binary(Binary, Value, Value),
    Ternary(Ternary, Value, Value, Value),
    /// x, y or z.
    Component(Value, u8),
    /// Σ over the vertex's bones of weight · value.
    Sum {
        value: Value,
        column: u32,
    },
    /// Of each vertex: a value smoothed over the surface. So many times
    /// x ← x + amount · (mean of x over the neighbours − x), all vertices at once.
    Relax {
        value: Value,
        /// Limited to 0 … 1.
        amount: Value,
        passes: u32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MotionPart {
    LinearVelocity,
    AngularVelocity,
    LinearAcceleration,
    AngularAcceleration,
}

impl MotionPart {
    pub fn is_acceleration(self) -> bool {
        matches!(self, MotionPart::LinearAcceleration | MotionPart::AngularAcceleration)
    }

    /// Its constant in scripts.
    pub fn constant_name(self) -> &'static str {
        match self {
            MotionPart::LinearVelocity => "BONE_LINEAR_VELOCITY",
            MotionPart::AngularVelocity => "BONE_ANGULAR_VELOCITY",
            MotionPart::LinearAcceleration => "BONE_LINEAR_ACCELERATION",
            MotionPart::AngularAcceleration => "BONE_ANGULAR_ACCELERATION",
        }
    }

    /// Its name in generated shaders.
    pub fn accessor(self) -> &'static str {
        match self {
            MotionPart::LinearVelocity => "jn_bone_linear_velocity",
            MotionPart::AngularVelocity => "jn_bone_angular_velocity",
            MotionPart::LinearAcceleration => "jn_bone_linear_acceleration",
            MotionPart::AngularAcceleration => "jn_bone_angular_acceleration",
        }
    }

    /// In saved programs, which must be readable for ever: it never changes.
    pub fn saved_name(self) -> &'static str {
        match self {
            MotionPart::LinearVelocity => "linear_velocity",
            MotionPart::AngularVelocity => "angular_velocity",
            MotionPart::LinearAcceleration => "linear_acceleration",
            MotionPart::AngularAcceleration => "angular_acceleration",
        }
    }

    /// As people see it.
    pub fn label(self) -> &'static str {
        match self {
            MotionPart::LinearVelocity => "velocity",
            MotionPart::AngularVelocity => "angular velocity",
            MotionPart::LinearAcceleration => "acceleration",
            MotionPart::AngularAcceleration => "angular acceleration",
        }
    }

    pub const ALL: [MotionPart; 4] = [
        MotionPart::LinearVelocity,
        MotionPart::AngularVelocity,
        MotionPart::LinearAcceleration,
        MotionPart::AngularAcceleration,
    ];

    pub fn is_angular(self) -> bool {
        matches!(self, MotionPart::AngularVelocity | MotionPart::AngularAcceleration)
    }
}

impl Op {
    pub fn constant(number: Number) -> Op {
        match number {
            Number::Float(x) => Op::Constant(Type::Float, [bits(x), 0, 0]),
            Number::Bool(b) => Op::Constant(Type::Bool, [b.into(), 0, 0]),
            Number::Vec3(v) => Op::Constant(Type::Vec3, [bits(v.x), bits(v.y), bits(v.z)]),
        }
    }

    pub fn as_constant(&self) -> Option<Number> {
        let Op::Constant(ty, [x, y, z]) = *self else {
            return None;
        };
        Some(match ty {
            Type::Float => Number::Float(f64::from_bits(x)),
            Type::Bool => Number::Bool(x != 0),
            Type::Vec3 => {
                Number::Vec3(DVec3::new(f64::from_bits(x), f64::from_bits(y), f64::from_bits(z)))
            }
        })
    }

    pub fn family(&self) -> Family {
        match self {
            Op::Constant(..) => Family::Constant,
            any_data!() => Family::Data,
            any_memory!() => Family::Memory,
            any_formula!() => Family::Formula,
            any_loop!() => Family::Loop,
        }
    }

    /// The values it is made from, in order.
    pub fn operands(&self) -> impl Iterator<Item = Value> + use<> {
        let (list, count) = match *self {
            Op::Constant(..)
            | Op::Source(_)
            | Op::Parameter(..)
            | Op::Map(_)
            | Op::MapIsThere(_)
            | Op::BoneTable(_)
            | Op::BoneTableIsSet(_)
            | Op::BoneSet(_)
            | Op::State(_)
            | Op::Weight(_) => ([Value(0); 3], 0),
            Op::Motion(_, a) | Op::Unary(_, a) | Op::Component(a, _) | Op::Sum { value: a, .. } => {
                ([a; 3], 1)
            }
            Op::Binary(_, a, b)
            | Op::Relax { value: a, amount: b, .. }
            | Op::Ago { secs: a, now: b, .. } => ([a, b, b], 2),
            Op::Ternary(_, a, b, c) => ([a, b, c], 3),
        };
        list.into_iter().take(count)
    }

    /// The same operation on other values.
    pub fn map_operands(self, f: impl Fn(Value) -> Value) -> Op {
        match self {
            Op::Motion(part, a) => Op::Motion(part, f(a)),
            Op::Unary(op, a) => Op::Unary(op, f(a)),
            Op::Component(a, i) => Op::Component(f(a), i),
            Op::Sum { value, column } => Op::Sum { value: f(value), column },
            Op::Relax { value, amount, passes } => {
                Op::Relax { value: f(value), amount: f(amount), passes }
            }
            Op::Ago { history, secs, now } => Op::Ago { history, secs: f(secs), now: f(now) },
            Op::Binary(op, a, b) => Op::Binary(op, f(a), f(b)),
            Op::Ternary(op, a, b, c) => Op::Ternary(op, f(a), f(b), f(c)),
            Op::Constant(..)
            | Op::Source(_)
            | Op::Parameter(..)
            | Op::Map(_)
            | Op::MapIsThere(_)
            | Op::BoneTable(_)
            | Op::BoneTableIsSet(_)
            | Op::BoneSet(_)
            | Op::State(_)
            | Op::Weight(_) => self,
        }
    }

    /// The entry that it refers to, and of which table.
    pub fn table_entry(&mut self) -> Option<(TableKind, &mut u32)> {
        match self {
            Op::Parameter(place, _) => Some((TableKind::Parameters, place)),
            Op::Map(place) | Op::MapIsThere(place) => Some((TableKind::Maps, place)),
            Op::BoneTable(place) | Op::BoneTableIsSet(place) => {
                Some((TableKind::BoneTables, place))
            }
            Op::BoneSet(place) => Some((TableKind::BoneSets, place)),
            Op::Weight(place) | Op::Sum { column: place, .. } => Some((TableKind::Columns, place)),
            Op::State(place) => Some((TableKind::States, place)),
            Op::Ago { history: place, .. } => Some((TableKind::Histories, place)),
            Op::Constant(..)
            | Op::Source(_)
            | Op::Motion(..)
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::Ternary(..)
            | Op::Component(..)
            | Op::Relax { .. } => None,
        }
    }
}

/// Where the numbers of an operation come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Constant,
    /// The character, its motion, or a slider.
    Data,
    /// What was remembered.
    Memory,
    /// Its operands alone: [`super::semantics::apply`].
    Formula,
    /// Its operands at all bones of a vertex, or at all vertices.
    Loop,
}

/// One of [`super::Tables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    Parameters,
    Maps,
    BoneTables,
    BoneSets,
    Columns,
    States,
    Histories,
}

/// −0 and 0 are one constant, so that they are one value.
fn bits(x: f64) -> u64 {
    (if x == 0.0 { 0.0 } else { x }).to_bits()
}
