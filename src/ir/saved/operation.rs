//! One operation as it is saved, and back.

use super::form::{SavedNumber, SavedValue};
use crate::op::{Binary, MotionPart, Op, Ternary, Unary, Value};
use crate::row::name;
use crate::source::SOURCES;
use std::collections::BTreeSet;

pub fn saved_operation(op: &Op) -> SavedValue {
    let of: Vec<u32> = op.operands().map(|operand| operand.0).collect();
    let plain = || {
        let (op, of) = (op.row().name.to_owned(), of.clone());
        SavedValue { op, of, ..SavedValue::default() }
    };
    // The entry of a table, or how often, or which component.
    let counted = |count: u32| SavedValue { at: Some(count), ..plain() };
    match *op {
        Op::Constant(..) => {
            SavedValue { number: op.as_constant().map(SavedNumber::from), ..plain() }
        }
        Op::Source(source) => SavedValue { is: source.info().saved_name.to_owned(), ..plain() },
        Op::Parameter(place, ty) => SavedValue { ty: Some(ty.into()), ..counted(place) },
        Op::Motion(part, _) => SavedValue { is: part.saved_name().to_owned(), ..plain() },
        Op::Map(place)
        | Op::MapIsThere(place)
        | Op::BoneTable(place)
        | Op::BoneTableIsSet(place)
        | Op::BoneSet(place)
        | Op::Weight(place)
        | Op::State(place)
        | Op::Ago { history: place, .. }
        | Op::Sum { column: place, .. }
        | Op::Relax { passes: place, .. } => counted(place),
        Op::Component(_, component) => counted(component.into()),
        Op::Unary(..) | Op::Binary(..) | Op::Ternary(..) => plain(),
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
    let is_ternary = |op: &&Ternary| op.row().name == saved.op;
    if let Some(&op) = Ternary::ALL.iter().find(is_ternary) {
        fits(three)?;
        return Ok(Some(Op::Ternary(op, operand(0), operand(1), operand(2))));
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
        other => {
            unknown.insert(format!("the operation {other:?}"));
            return Ok(None);
        }
    };
    fits(has_operands)?;
    Ok(Some(op))
}
