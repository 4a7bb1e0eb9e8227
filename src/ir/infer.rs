//! The type and the rate of what an operation gives. They are never declared: the builder asks here when a
//! value is made, and validation and loading when somebody else has made it.

use super::op::Op;
use super::program::Tables;
use super::{Rate, Type, Value};
use crate::any_formula;

/// None where the operands do not fit, or it refers to nothing.
pub(super) fn type_of(op: &Op, tables: &Tables, of: impl Fn(Value) -> Type) -> Option<Type> {
    let is_number = |ty: &Type| *ty != Type::Bool;
    match *op {
        Op::Constant(ty, _) => Some(ty),
        Op::Parameter(place, ty) => {
            let parameter = tables.parameters.get(place as usize)?;
            (parameter.value.ty() == ty).then_some(ty)
        }
        Op::Source(source) => Some(source.info().ty()),
        Op::Map(place) => tables.maps.get(place as usize).map(|_| Type::Float),
        Op::MapIsThere(place) => tables.maps.get(place as usize).map(|_| Type::Bool),
        Op::BoneTable(place) => tables.bone_tables.get(place as usize).map(|_| Type::Float),
        Op::BoneTableIsSet(place) => tables.bone_tables.get(place as usize).map(|_| Type::Bool),
        Op::BoneSet(place) => tables.bone_sets.get(place as usize).map(|_| Type::Float),
        Op::Weight(column) => tables.columns.get(column as usize).map(|_| Type::Float),
        Op::Motion(_, window) => (of(window) == Type::Float).then_some(Type::Vec3),
        Op::State(place) => tables.states.get(place as usize).map(|state| state.ty),
        Op::Ago { history, secs, now } => {
            let ty = tables.histories.get(history as usize)?.ty;
            (of(secs) == Type::Float && of(now) == ty).then_some(ty)
        }
        Op::Unary(op, a) => op.row().types.result(of(a)),
        Op::Binary(op, a, b) => op.row().types.result(of(a), of(b)),
        Op::Ternary(op, a, b, c) => op.row().types.result(of(a), of(b), of(c)),
        Op::Component(v, i) => (of(v) == Type::Vec3 && i < 3).then_some(Type::Float),
        Op::Sum { value, column } => {
            let _ = tables.columns.get(column as usize)?;
            Some(of(value)).filter(is_number)
        }
        Op::Relax { value, amount, .. } => {
            Some(of(value)).filter(is_number).filter(|_| of(amount) == Type::Float)
        }
    }
}

/// None where it refers to nothing.
pub(super) fn rate_of(op: &Op, tables: &Tables, of: impl Fn(Value) -> Rate) -> Option<Rate> {
    Some(match *op {
        Op::Source(source) => source.info().rate,
        Op::Map(_) | Op::Sum { .. } | Op::Relax { .. } => Rate::Vertex,
        Op::BoneTable(_) | Op::BoneTableIsSet(_) | Op::BoneSet(_) | Op::Motion(..) => Rate::Bone,
        Op::Weight(_) => Rate::Influence,
        Op::State(place) => tables.states.get(place as usize)?.rate,
        Op::Constant(..) | Op::Parameter(..) | Op::MapIsThere(_) => Rate::Frame,
        Op::Ago { .. } | any_formula!() => op.operands().map(of).fold(Rate::Frame, Rate::join),
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Binary, Number, Ternary, Unary, semantics};
    use super::*;

    const TYPES: [Type; 3] = [Type::Float, Type::Bool, Type::Vec3];

    /// The rows say which types fit, and semantics knows the same ones.
    #[test]
    fn what_rows_say_of_types_is_what_semantics_computes() {
        for &op in Unary::ALL {
            for a in TYPES {
                let computed = semantics::unary(op, Number::zero(a)).map(Number::ty);
                assert_eq!(op.row().types.result(a), computed, "{op:?} of {a}");
            }
        }
        for &op in Binary::ALL {
            for (a, b) in TYPES.iter().flat_map(|a| TYPES.map(|b| (*a, b))) {
                let computed = semantics::binary(op, Number::zero(a), Number::zero(b));
                let computed = computed.map(Number::ty);
                assert_eq!(op.row().types.result(a, b), computed, "{op:?} of {a} and {b}");
            }
        }
    }

    #[test]
    fn rows_of_three_operands_agree_with_semantics_too() {
        let triples = TYPES.iter().flat_map(|a| TYPES.map(|b| (*a, b)));
        for (a, b, c) in triples.flat_map(|(a, b)| TYPES.map(|c| (a, b, c))) {
            for &op in Ternary::ALL {
                let [x, y, z] = [a, b, c].map(Number::zero);
                let computed = semantics::ternary(op, x, y, z).map(Number::ty);
                // A choice looks at one of both only.
                let computed = computed.filter(|_| op != Ternary::Select || b == c);
                let told = op.row().types.result(a, b, c);
                assert_eq!(told, computed, "{op:?} of {a}, {b} and {c}");
            }
        }
    }

    #[test]
    fn what_commutes_gives_the_same_both_ways() {
        let numbers = [-2.5, 0.0, 0.75, 3.0];
        for &op in Binary::ALL.iter().filter(|op| op.row().commutes) {
            for (a, b) in numbers.iter().flat_map(|a| numbers.map(|b| (*a, b))) {
                let [a, b] =
                    [a, b].map(|x| match op.row().types.result(Type::Float, Type::Float) {
                        Some(_) => Number::Float(x),
                        None => match op.row().types.result(Type::Bool, Type::Bool) {
                            Some(_) => Number::Bool(x > 0.0),
                            None => Number::Vec3(glam::DVec3::new(x, 1.0, -x)),
                        },
                    });
                assert_eq!(semantics::binary(op, a, b), semantics::binary(op, b, a), "{op:?}");
            }
        }
    }

    #[test]
    fn every_operation_has_a_name_of_its_own() {
        let unary = Unary::ALL.iter().map(|op| op.row().name);
        let names: Vec<&str> = unary.chain(Binary::ALL.iter().map(|op| op.row().name)).collect();
        let mut different = names.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), names.len());
    }
}
