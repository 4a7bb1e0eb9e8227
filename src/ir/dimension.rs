//! What a value is measured in, as far as its program tells: for people who look at it.

use super::binary::BinaryDimension;
use super::op::{MotionPart, Op, Value};
use super::program::{MapSource, Program};
use super::ternary::TernaryDimension;
use super::unary::UnaryDimension;
use std::collections::BTreeMap;

/// Powers of a length and of a time. Angles are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dimension {
    pub length: i8,
    pub time: i8,
}

impl Dimension {
    pub const NUMBER: Dimension = Dimension { length: 0, time: 0 };
    pub const LINEAR_VELOCITY: Dimension = Dimension { length: 1, time: -1 };
    pub const ANGULAR_VELOCITY: Dimension = Dimension { length: 0, time: -1 };

    pub const LENGTH: Dimension = Dimension { length: 1, time: 0 };
    pub const TIME: Dimension = Dimension { length: 0, time: 1 };

    fn times(self, other: Dimension) -> Dimension {
        Dimension {
            length: self.length.saturating_add(other.length),
            time: self.time.saturating_add(other.time),
        }
    }

    fn over(self, other: Dimension) -> Dimension {
        let inverse =
            Dimension { length: other.length.saturating_neg(), time: other.time.saturating_neg() };
        self.times(inverse)
    }

    fn root(self) -> Option<Dimension> {
        let is_square = self.length % 2 == 0 && self.time % 2 == 0;
        is_square.then_some(Dimension { length: self.length / 2, time: self.time / 2 })
    }
}

impl Program {
    /// Of each value; None where it does not follow, as for what is remembered. Sliders count as
    /// numbers, whatever their author thinks they are; so it may be known better that some values
    /// are measured in the same as others, by which they are `alike`.
    pub fn dimensions(&self, alike: &BTreeMap<Value, Value>) -> Vec<Option<Dimension>> {
        let mut known: Vec<Option<Dimension>> = Vec::with_capacity(self.ops.len());
        for (place, op) in self.ops.iter().enumerate() {
            let other = alike.get(&Value(place as u32));
            let as_other = other.and_then(|other| known.get(other.index()).copied().flatten());
            let own = || dimension(self, op, |value| known[value.index()]);
            let dimension = as_other.or_else(own);
            known.push(dimension);
        }
        known
    }
}

fn dimension(
    program: &Program,
    op: &Op,
    of: impl Fn(Value) -> Option<Dimension>,
) -> Option<Dimension> {
    let product = |a, b| Some(of(a)?.times(of(b)?));
    match *op {
        Op::Source(source) => Some(source.info().dimension),
        Op::Map(place) => match program.tables.maps.get(place as usize).map(|map| &map.source) {
            Some(MapSource::Derived(source)) => Some(source.info().dimension),
            Some(MapSource::Named(_)) | None => Some(Dimension::NUMBER),
        },
        Op::Motion(part, _) => Some(of_motion(part)),
        Op::State(_) => None,
        Op::Ago { now, .. } => of(now),
        Op::Unary(unary, a) => match unary.row().dimension {
            UnaryDimension::Same => of(a),
            UnaryDimension::Root => of(a)?.root(),
            UnaryDimension::Number => Some(Dimension::NUMBER),
        },
        Op::Binary(binary, a, b) => match binary.row().dimension {
            BinaryDimension::Either => either(of(a), of(b)),
            BinaryDimension::First => of(a),
            BinaryDimension::Product => product(a, b),
            BinaryDimension::Quotient => Some(of(a)?.over(of(b)?)),
            BinaryDimension::Number => Some(Dimension::NUMBER),
        },
        Op::Ternary(ternary, a, b, c) => match ternary.row().dimension {
            TernaryDimension::ProductOrThird => either(product(a, b), of(c)),
            TernaryDimension::SecondOrThird => either(of(b), of(c)),
            TernaryDimension::Any => either(either(of(a), of(b)), of(c)),
        },
        Op::Component(value, _) | Op::Sum { value, .. } | Op::Relax { value, .. } => of(value),
        Op::Constant(..)
        | Op::Parameter(..)
        | Op::MapIsThere(_)
        | Op::BoneTable(_)
        | Op::BoneTableIsSet(_)
        | Op::BoneSet(_)
        | Op::Weight(_) => Some(Dimension::NUMBER),
    }
}

/// Of what is added up. A mere number is less sure than anything else: constants and sliders are some.
fn either(a: Option<Dimension>, b: Option<Dimension>) -> Option<Dimension> {
    match (a, b) {
        (Some(Dimension::NUMBER) | None, Some(b)) => Some(b),
        (a, _) => a,
    }
}

fn of_motion(part: MotionPart) -> Dimension {
    let velocity = match part.is_angular() {
        true => Dimension::ANGULAR_VELOCITY,
        false => Dimension::LINEAR_VELOCITY,
    };
    if part.is_acceleration() { velocity.over(Dimension::TIME) } else { velocity }
}

#[cfg(test)]
mod tests {
    use super::super::{Binary, Builder, Source};
    use super::*;
    use jounce_base::Base;

    #[test]
    fn a_velocity_times_an_arm_is_a_velocity_along_a_path() {
        let mut builder = Builder::default();
        let window = builder.float(0.0);
        let angular = builder.motion(MotionPart::AngularVelocity, window);
        let origin = builder.source(Source::BoneOrigin);
        let path = builder.binary(Binary::Cross, angular, origin);
        let rotation = builder.source(Source::BoneRotation);
        let turned = builder.binary(Binary::Cross, rotation, angular);
        let both = builder.binary(Binary::Add, turned, angular);
        let dt = builder.source(Source::StepSecs);
        let rate = builder.binary(Binary::Div, both, dt);
        let position = builder.source(Source::SkinnedPosition);
        let watched = [path, both, rate];
        let (program, watched) = builder.finish_watched(position, Base::Lbs, &watched);
        let dimensions = program.dimensions(&BTreeMap::new());
        let found: Vec<_> = watched.iter().map(|value| dimensions[value.index()]).collect();
        let acceleration = Dimension { length: 0, time: -2 };
        let expected =
            [Dimension::LINEAR_VELOCITY, Dimension::ANGULAR_VELOCITY, acceleration].map(Some);
        assert_eq!(found, expected);
    }
}
