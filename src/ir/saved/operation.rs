//! One operation as it is saved, and back.

use super::form::{SavedNumber, SavedValue};
use crate::op::{Binary, MotionPart, Op, Unary, Value};
use crate::source::SOURCES;
use std::collections::BTreeSet;

/// Names of operations that have no row.
mod name {
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
    pub const FMA: &str = "fma";
    pub const SELECT: &str = "select";
    pub const VEC3: &str = "vec3";
    pub const COMPONENT: &str = "component";
    pub const SUM: &str = "sum";
    pub const RELAX: &str = "relax";
}

pub fn saved_operation(op: &Op) -> SavedValue {
    let of: Vec<u32> = op.operands().map(|operand| operand.0).collect();
    let plain = |name: &str| {
        let (op, of) = (name.to_owned(), of.clone());
        SavedValue { op, of, ..SavedValue::default() }
    };
    // The entry of a table, or how often, or which component.
    let counted = |name: &str, count: u32| SavedValue { at: Some(count), ..plain(name) };
    match *op {
        Op::Constant(..) => {
            let number = op.as_constant().map(SavedNumber::from);
            SavedValue { number, ..plain(name::CONSTANT) }
        }
        Op::Source(source) => {
            SavedValue { is: source.info().saved_name.to_owned(), ..plain(name::SOURCE) }
        }
        Op::Parameter(place, ty) => {
            SavedValue { ty: Some(ty.into()), ..counted(name::PARAMETER, place) }
        }
        Op::Map(place) => counted(name::MAP, place),
        Op::MapIsThere(place) => counted(name::MAP_IS_THERE, place),
        Op::BoneTable(place) => counted(name::BONE_VALUE, place),
        Op::BoneTableIsSet(place) => counted(name::BONE_VALUE_IS_SET, place),
        Op::BoneSet(place) => counted(name::BONE_SET, place),
        Op::Weight(column) => counted(name::WEIGHT, column),
        Op::Motion(part, _) => {
            SavedValue { is: part.saved_name().to_owned(), ..plain(name::MOTION) }
        }
        Op::State(place) => counted(name::STATE, place),
        Op::Ago { history, .. } => counted(name::AGO, history),
        Op::Unary(op, _) => plain(op.row().name),
        Op::Binary(op, ..) => plain(op.row().name),
        Op::Fma(..) => plain(name::FMA),
        Op::Select(..) => plain(name::SELECT),
        Op::Vec3(..) => plain(name::VEC3),
        Op::Component(_, component) => counted(name::COMPONENT, component.into()),
        Op::Sum { column, .. } => counted(name::SUM, column),
        Op::Relax { passes, .. } => counted(name::RELAX, passes),
    }
}

/// None where a name is not known, which is then among those; an error where something is missing.
pub fn operation(
    saved: &SavedValue,
    unknown: &mut BTreeSet<String>,
) -> Result<Option<Op>, &'static str> {
    let at = || saved.at.ok_or("it does not say at which entry, which component or how often");
    let [one, two, three] = [1, 2, 3].map(|count| saved.of.len() == count);
    let fits = |fits: bool| fits.then_some(()).ok_or("it has too many operands, or too few");
    let operand = |place: usize| Value(saved.of[place]);
    let is_unary = |op: &&Unary| op.row().name == saved.op;
    if let Some(&op) = Unary::ALL.iter().find(is_unary) {
        fits(one)?;
        return Ok(Some(Op::Unary(op, operand(0))));
    }
    let is_binary = |op: &&Binary| op.row().name == saved.op;
    if let Some(&op) = Binary::ALL.iter().find(is_binary) {
        fits(two)?;
        return Ok(Some(Op::Binary(op, operand(0), operand(1))));
    }
    let none = saved.of.is_empty();
    let (has_operands, op) = match saved.op.as_str() {
        name::CONSTANT => {
            let number = saved.number.as_ref().ok_or("a constant needs a number")?;
            (none, Op::constant(number.number()))
        }
        name::SOURCE => match SOURCES.iter().find(|info| info.saved_name == saved.is) {
            Some(info) => (none, Op::Source(info.source)),
            None => {
                unknown.insert(format!("the source {:?}", saved.is));
                return Ok(None);
            }
        },
        name::PARAMETER => {
            let ty = saved.ty.as_ref().ok_or("a parameter needs a type")?;
            (none, Op::Parameter(at()?, (*ty).into()))
        }
        name::MAP => (none, Op::Map(at()?)),
        name::MAP_IS_THERE => (none, Op::MapIsThere(at()?)),
        name::BONE_VALUE => (none, Op::BoneTable(at()?)),
        name::BONE_VALUE_IS_SET => (none, Op::BoneTableIsSet(at()?)),
        name::BONE_SET => (none, Op::BoneSet(at()?)),
        name::WEIGHT => (none, Op::Weight(at()?)),
        name::STATE => (none, Op::State(at()?)),
        name::MOTION => {
            fits(one)?;
            match MotionPart::ALL.into_iter().find(|part| part.saved_name() == saved.is) {
                Some(part) => (one, Op::Motion(part, operand(0))),
                None => {
                    unknown.insert(format!("the motion {:?}", saved.is));
                    return Ok(None);
                }
            }
        }
        name::AGO => {
            fits(two)?;
            (two, Op::Ago { history: at()?, secs: operand(0), now: operand(1) })
        }
        name::COMPONENT => {
            fits(one)?;
            let component = u8::try_from(at()?).ok().filter(|component| *component < 3);
            let component = component.ok_or("a vector has the components 0, 1 and 2")?;
            (one, Op::Component(operand(0), component))
        }
        name::SUM => {
            fits(one)?;
            (one, Op::Sum { value: operand(0), column: at()? })
        }
        name::RELAX => {
            fits(two)?;
            (two, Op::Relax { value: operand(0), amount: operand(1), passes: at()? })
        }
        name::FMA => {
            fits(three)?;
            (three, Op::Fma(operand(0), operand(1), operand(2)))
        }
        name::SELECT => {
            fits(three)?;
            (three, Op::Select(operand(0), operand(1), operand(2)))
        }
        name::VEC3 => {
            fits(three)?;
            (three, Op::Vec3(operand(0), operand(1), operand(2)))
        }
        other => {
            unknown.insert(format!("the operation {other:?}"));
            return Ok(None);
        }
    };
    fits(has_operands)?;
    Ok(Some(op))
}
