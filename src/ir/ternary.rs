//! Operations on three values: a row for each, as in [`super::unary`].

use super::Type;
use super::spelling::{InLanguages, TernarySpelling};

/// What there is to know of an operation.
#[derive(Clone, Copy, Debug)]
pub struct TernaryRow {
    /// In texts and in saved programs, which must be readable for ever: it never changes.
    pub name: &'static str,
    /// What generated code calls a result that has no name.
    pub noun: &'static str,
    pub types: TernaryTypes,
    /// See [`super::Op::work`].
    pub work: usize,
    /// See [`super::Op::cost`].
    pub cost: f64,
    pub dimension: TernaryDimension,
    pub range: TernaryRange,
    /// dy of y = f(a, b, c), as people write it; empty where there is none.
    pub derivative: &'static str,
    pub spelling: InLanguages<TernarySpelling>,
}

/// What it takes and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TernaryTypes {
    /// Three floats, or three vec3s component by component; the second may be a float for all components.
    EachOrScaled,
    /// A bool, and two of one type, which it gives.
    Choice,
    /// Three floats to a vec3.
    FloatsToVector,
}

impl TernaryTypes {
    /// None where the operands do not fit.
    pub const fn result(self, a: Type, b: Type, c: Type) -> Option<Type> {
        use Type::{Bool, Float, Vec3};
        match (self, a, b, c) {
            (TernaryTypes::EachOrScaled, Float, Float, Float) => Some(Float),
            (TernaryTypes::EachOrScaled, Vec3, Float | Vec3, Vec3)
            | (TernaryTypes::FloatsToVector, Float, Float, Float) => Some(Vec3),
            (TernaryTypes::Choice, Bool, Float, Float) => Some(Float),
            (TernaryTypes::Choice, Bool, Bool, Bool) => Some(Bool),
            (TernaryTypes::Choice, Bool, Vec3, Vec3) => Some(Vec3),
            (_, Float | Bool | Vec3, Float | Bool | Vec3, Float | Bool | Vec3) => None,
        }
    }
}

/// What the result is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TernaryDimension {
    /// The product of the first two, to which the third is added.
    ProductOrThird,
    /// The same as the last two.
    SecondOrThird,
    /// The same as all.
    Any,
}

/// Where the result lies, if it is known where the operands do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TernaryRange {
    ProductAndSum,
    SecondOrThird,
    /// Its components are the operands.
    Any,
}

/// The enum, all of its variants, and their rows.
macro_rules! ternary_operations {
    ($($(#[$doc:meta])* $name:ident = $row:expr;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Ternary {
            $($(#[$doc])* $name,)*
        }

        impl Ternary {
            pub const ALL: &'static [Ternary] = &[$(Ternary::$name),*];

            pub const fn row(self) -> TernaryRow {
                match self {
                    $(Ternary::$name => $row,)*
                }
            }
        }
    };
}

ternary_operations! {
    /// a·b + c, rounded once.
    Fma = TernaryRow {
        name: "fma", noun: "total", types: TernaryTypes::EachOrScaled, work: 1, cost: 1.0,
        dimension: TernaryDimension::ProductOrThird, range: TernaryRange::ProductAndSum,
        derivative: "a db + b da + dc",
        spelling: InLanguages { wgsl: TernarySpelling::ProductAndSum { times: "*", plus: "+" } },
    };
    /// The second where the first is true, else the third.
    Select = TernaryRow {
        name: "select", noun: "choice", types: TernaryTypes::Choice, work: 1, cost: 1.0,
        dimension: TernaryDimension::SecondOrThird, range: TernaryRange::SecondOrThird,
        derivative: "a ? db : dc",
        spelling: InLanguages { wgsl: TernarySpelling::ChoiceFromLast("select") },
    };
    /// A vector of its components.
    Vec3 = TernaryRow {
        name: "vec3", noun: "vector", types: TernaryTypes::FloatsToVector, work: 1, cost: 1.0,
        dimension: TernaryDimension::Any, range: TernaryRange::Any,
        derivative: "(da, db, dc)",
        spelling: InLanguages { wgsl: TernarySpelling::Vector("vec3f") },
    };
}
