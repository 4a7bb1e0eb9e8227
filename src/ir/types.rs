//! Types, rates and plain numbers.

use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    Float,
    Bool,
    Vec3,
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Float => "float",
            Type::Bool => "bool",
            Type::Vec3 => "vec3",
        })
    }
}

/// How often a value differs. A lattice: bone and vertex meet in influence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rate {
    /// One value for the whole character.
    #[default]
    Frame,
    Bone,
    Vertex,
    /// One value per pair of a vertex and a bone that moves it.
    Influence,
}

impl Rate {
    /// The least rate that both fit in.
    pub fn join(self, other: Rate) -> Rate {
        match (self, other) {
            (Rate::Frame, other) => other,
            (this, Rate::Frame) => this,
            (this, other) if this == other => this,
            _ => Rate::Influence,
        }
    }

    /// Does it differ from bone to bone?
    pub fn has_bone(self) -> bool {
        matches!(self, Rate::Bone | Rate::Influence)
    }

    /// As people see it.
    pub fn label(self) -> &'static str {
        match self {
            Rate::Frame => "once",
            Rate::Bone => "per bone",
            Rate::Vertex => "per vertex",
            Rate::Influence => "per bone and vertex",
        }
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rate::Frame => "frame",
            Rate::Bone => "bone",
            Rate::Vertex => "vertex",
            Rate::Influence => "influence",
        })
    }
}

/// A value that is known: a constant, a slider's setting, a register of the interpreter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Float(f64),
    Bool(bool),
    Vec3(DVec3),
}

impl Number {
    pub fn ty(self) -> Type {
        match self {
            Number::Float(_) => Type::Float,
            Number::Bool(_) => Type::Bool,
            Number::Vec3(_) => Type::Vec3,
        }
    }

    pub fn zero(ty: Type) -> Number {
        match ty {
            Type::Float => Number::Float(0.0),
            Type::Bool => Number::Bool(false),
            Type::Vec3 => Number::Vec3(DVec3::ZERO),
        }
    }

    /// The largest component without its sign; infinity for NaN.
    pub fn largest(self) -> f64 {
        let size = |x: f64| if x.is_nan() { f64::INFINITY } else { x.abs() };
        match self {
            Number::Float(x) => size(x),
            Number::Bool(_) => 0.0,
            Number::Vec3(v) => size(v.x).max(size(v.y)).max(size(v.z)),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Float(x) => write!(f, "{x:?}"),
            Number::Bool(b) => write!(f, "{b}"),
            Number::Vec3(v) => write!(f, "({:?}, {:?}, {:?})", v.x, v.y, v.z),
        }
    }
}
