//! What to call a value: its name in the script, else what it is.

use super::identifier::identifier;
use crate::ir::op::{Binary, MotionPart, Op, Unary};
use crate::ir::{MapSource, Program, Value};

/// A name made of two others is no longer than this.
const MOST_LETTERS: usize = 28;

/// The node a value belongs to, as a part of a name.
pub fn owner(program: &Program, value: Value) -> String {
    let node = &program.origins[value.index()].node;
    let title = program.titles.get(node).and_then(|title| identifier(title));
    title.or_else(|| identifier(node)).unwrap_or_default()
}

/// An identifier; several values may get the same.
pub fn suggestion(program: &Program, value: Value) -> String {
    own_name(program, value).unwrap_or_else(|| made_name(program, value))
}

/// What the script calls it, or what kind of data it is.
pub fn own_name(program: &Program, value: Value) -> Option<String> {
    let tables = &program.tables;
    let of_data = match *program.op(value) {
        Op::Source(source) => {
            let name = source.info().accessor.trim_start_matches("jn_");
            identifier(name.trim_start_matches("bone_"))
        }
        Op::Motion(part, _) => identifier(motion_name(part)),
        Op::Parameter(place, _) => {
            let parameter = tables.parameters.get(place as usize)?;
            let exposed = parameter.exposed.as_deref().and_then(identifier);
            exposed.or_else(|| identifier(&parameter.port)).or(Some("parameter".to_owned()))
        }
        Op::Map(place) => Some(map_name(program, place)),
        Op::MapIsThere(place) => Some(format!("has_{}", map_name(program, place))),
        Op::BoneTable(place) => Some(table_name(program, place)),
        Op::BoneTableIsSet(place) => Some(format!("{}_is_set", table_name(program, place))),
        Op::BoneSet(place) => {
            let first = tables.bone_sets.get(place as usize).and_then(|set| set.names.first());
            let first = first.and_then(|name| identifier(name));
            Some(first.map_or("is_in_set".to_owned(), |name| format!("is_{name}")))
        }
        Op::Weight(_) => Some("weight".to_owned()),
        _ => None,
    };
    of_data.or_else(|| identifier(program.origins[value.index()].name.as_deref()?))
}

fn motion_name(part: MotionPart) -> &'static str {
    match part {
        MotionPart::LinearVelocity => "linear_velocity",
        MotionPart::AngularVelocity => "angular_velocity",
        MotionPart::LinearAcceleration => "linear_acceleration",
        MotionPart::AngularAcceleration => "angular_acceleration",
    }
}

pub fn map_name(program: &Program, place: u32) -> String {
    let source = program.tables.maps.get(place as usize).map(|request| &request.source);
    match source {
        Some(MapSource::Softness) => "softness".to_owned(),
        Some(MapSource::Named(name)) => identifier(name).unwrap_or_else(|| "painted".to_owned()),
        None => "painted".to_owned(),
    }
}

fn table_name(program: &Program, place: u32) -> String {
    let node = program.tables.bone_tables.get(place as usize).map(|table| table.node.as_str());
    let title = node.and_then(|node| program.titles.get(node)).and_then(|title| identifier(title));
    title.or_else(|| identifier(node?)).unwrap_or_else(|| "bone_value".to_owned())
}

/// From the operation and the names of its operands, as far as they have short ones.
fn made_name(program: &Program, value: Value) -> String {
    let of = |operand: Value| own_name(program, operand);
    let short = |name: String| Some(name).filter(|name| name.len() <= MOST_LETTERS);
    let op = *program.op(value);
    let made = match op {
        Op::Unary(Unary::Neg, a) => of(a).map(|a| format!("minus_{a}")),
        Op::Unary(Unary::Normalize, a) => of(a).map(|a| format!("{a}_direction")),
        Op::Unary(Unary::Sqrt, a) => match *program.op(a) {
            Op::Binary(Binary::Dot, v, w) if v == w => of(v).map(|v| format!("{v}_length")),
            _ => None,
        },
        Op::Binary(Binary::Dot, a, b) if a == b => of(a).map(|a| format!("{a}_squared")),
        Op::Binary(Binary::Mul, a, b) => match (of(a), of(b)) {
            (Some(a), Some(b)) if a != b => Some(format!("{a}_times_{b}")),
            (Some(a), None) => Some(format!("scaled_{a}")),
            _ => None,
        },
        Op::Binary(Binary::Sub, a, b) => match (of(a), of(b)) {
            (Some(a), Some(b)) => Some(format!("{a}_less_{b}")),
            _ => None,
        },
        Op::Binary(Binary::Min | Binary::Max, a, _) => of(a).map(|a| format!("limited_{a}")),
        Op::Component(a, i) => {
            of(a).map(|a| format!("{a}_{}", ["x", "y", "z"][usize::from(i.min(2))]))
        }
        _ => None,
    };
    made.and_then(short).unwrap_or_else(|| noun(&op).to_owned())
}

fn noun(op: &Op) -> &'static str {
    match op {
        Op::Constant(..) => "constant_value",
        Op::Unary(op, _) => match op {
            Unary::Neg => "negative",
            Unary::Abs => "magnitude",
            Unary::Floor => "whole_part",
            Unary::Sqrt => "root",
            Unary::Sin => "sine",
            Unary::Cos => "cosine",
            Unary::Exp => "exponential",
            Unary::Log => "logarithm",
            Unary::Not => "opposite",
            Unary::Normalize => "direction",
        },
        Op::Binary(op, ..) => match op {
            Binary::Add => "total",
            Binary::Sub => "difference",
            Binary::Mul => "product",
            Binary::Div => "ratio",
            Binary::Min | Binary::Max => "limited",
            Binary::SaneOr => "sane",
            Binary::Pow => "power",
            Binary::Atan2 => "angle",
            Binary::Less | Binary::LessEqual | Binary::Equal | Binary::And | Binary::Or => "is_so",
            Binary::Dot => "projection",
            Binary::Cross => "cross_product",
        },
        Op::Fma(..) => "total",
        Op::Select(..) => "choice",
        Op::Vec3(..) => "vector",
        Op::Component(..) => "component",
        Op::Relax { .. } => "relaxed",
        _ => "number",
    }
}
