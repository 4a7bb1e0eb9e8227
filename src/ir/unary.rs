//! Operations on one value: a row for each, with all that is said of it outside of what it computes, which
//! is in [`super::semantics`]. A row that leaves anything out does not compile.

use super::Type;
use super::spelling::{InLanguages, UnarySpelling};

/// What there is to know of an operation.
#[derive(Clone, Copy, Debug)]
pub struct UnaryRow {
    /// In texts and in saved programs, which must be readable for ever: it never changes.
    pub name: &'static str,
    /// What generated code calls a result that has no name.
    pub noun: &'static str,
    pub types: UnaryTypes,
    /// See [`super::Op::work`].
    pub work: usize,
    /// See [`super::Op::cost`].
    pub cost: f64,
    pub dimension: UnaryDimension,
    pub range: UnaryRange,
    /// dy/dx of y = f(x), as people write it; empty where there is none.
    pub derivative: &'static str,
    pub spelling: InLanguages<UnarySpelling>,
}

/// What it takes. It gives the same type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryTypes {
    /// A float, or a vec3 component by component.
    Each,
    Float,
    Bool,
    Vec3,
}

impl UnaryTypes {
    /// None where the operand does not fit.
    pub const fn result(self, operand: Type) -> Option<Type> {
        let fits = match self {
            UnaryTypes::Each => matches!(operand, Type::Float | Type::Vec3),
            UnaryTypes::Float => matches!(operand, Type::Float),
            UnaryTypes::Bool => matches!(operand, Type::Bool),
            UnaryTypes::Vec3 => matches!(operand, Type::Vec3),
        };
        if fits { Some(operand) } else { None }
    }
}

/// What the result is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryDimension {
    /// The same as the operand.
    Same,
    /// Its root.
    Root,
    /// Nothing: a mere number.
    Number,
}

/// Where the result lies, if it is known where the operand does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UnaryRange {
    /// It only grows, or only falls: between the results of both ends.
    Monotone,
    /// Of |x|.
    Magnitude,
    /// Never outside, whatever the operand is.
    Within {
        low: f64,
        high: f64,
    },
    Unknown,
}

/// The enum, all of its variants, their rows, and a macro for code that wants each as a constant.
macro_rules! unary_operations {
    ($dollar:tt $($(#[$doc:meta])* $name:ident = $row:expr;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Unary {
            $($(#[$doc])* $name,)*
        }

        impl Unary {
            pub const ALL: &'static [Unary] = &[$(Unary::$name),*];

            pub const fn row(self) -> UnaryRow {
                match self {
                    $(Unary::$name => $row,)*
                }
            }
        }

        /// Runs the code with the operation as a constant, so that a loop in it is of this operation alone.
        #[macro_export]
        macro_rules! for_each_unary {
            ($dollar op:expr, $dollar constant:ident => $dollar body:expr) => {
                match $dollar op {
                    $($crate::Unary::$name => {
                        const $dollar constant: $crate::Unary = $crate::Unary::$name;
                        $dollar body
                    })*
                }
            };
        }
    };
}

const fn prefix(sign: &'static str) -> UnarySpelling {
    UnarySpelling::Prefix(sign)
}

const fn call(function: &'static str) -> UnarySpelling {
    UnarySpelling::Call(function)
}

unary_operations! { $
    /// −x.
    Neg = UnaryRow {
        name: "neg", noun: "negative", types: UnaryTypes::Each, work: 1, cost: 1.0,
        dimension: UnaryDimension::Same, range: UnaryRange::Monotone, derivative: "-1",
        spelling: InLanguages { wgsl: prefix("-") },
    };
    /// |x|.
    Abs = UnaryRow {
        name: "abs", noun: "magnitude", types: UnaryTypes::Each, work: 1, cost: 1.0,
        dimension: UnaryDimension::Same, range: UnaryRange::Magnitude, derivative: "sign(x)",
        spelling: InLanguages { wgsl: call("abs") },
    };
    /// The next whole number below.
    Floor = UnaryRow {
        name: "floor", noun: "whole_part", types: UnaryTypes::Each, work: 1, cost: 1.0,
        dimension: UnaryDimension::Same, range: UnaryRange::Monotone, derivative: "0",
        spelling: InLanguages { wgsl: call("floor") },
    };
    /// √x; 0 below 0.
    Sqrt = UnaryRow {
        name: "sqrt", noun: "root", types: UnaryTypes::Float, work: 1, cost: 4.0,
        dimension: UnaryDimension::Root, range: UnaryRange::Monotone, derivative: "1 / (2 y)",
        spelling: InLanguages { wgsl: call("jn_sqrt") },
    };
    Sin = UnaryRow {
        name: "sin", noun: "sine", types: UnaryTypes::Float, work: 1, cost: 15.0,
        dimension: UnaryDimension::Number, range: UnaryRange::Within { low: -1.0, high: 1.0 },
        derivative: "cos(x)",
        spelling: InLanguages { wgsl: call("sin") },
    };
    Cos = UnaryRow {
        name: "cos", noun: "cosine", types: UnaryTypes::Float, work: 1, cost: 15.0,
        dimension: UnaryDimension::Number, range: UnaryRange::Within { low: -1.0, high: 1.0 },
        derivative: "-sin(x)",
        spelling: InLanguages { wgsl: call("cos") },
    };
    /// e^x, x limited to ±69.
    Exp = UnaryRow {
        name: "exp", noun: "exponential", types: UnaryTypes::Float, work: 1, cost: 15.0,
        dimension: UnaryDimension::Number, range: UnaryRange::Monotone, derivative: "y",
        spelling: InLanguages { wgsl: call("jn_exp") },
    };
    /// The natural logarithm; of 1e-30 below that.
    Log = UnaryRow {
        name: "log", noun: "logarithm", types: UnaryTypes::Float, work: 1, cost: 15.0,
        dimension: UnaryDimension::Number, range: UnaryRange::Monotone, derivative: "1 / x",
        spelling: InLanguages { wgsl: call("jn_log") },
    };
    Not = UnaryRow {
        name: "not", noun: "opposite", types: UnaryTypes::Bool, work: 1, cost: 1.0,
        dimension: UnaryDimension::Number, range: UnaryRange::Unknown, derivative: "",
        spelling: InLanguages { wgsl: prefix("!") },
    };
    /// x/|x|; 0 where x is too short to have a direction.
    Normalize = UnaryRow {
        name: "normalize", noun: "direction", types: UnaryTypes::Vec3, work: 1, cost: 4.0,
        dimension: UnaryDimension::Number, range: UnaryRange::Within { low: -1.0, high: 1.0 },
        derivative: "(dx - (y . dx) y) / |x|",
        spelling: InLanguages { wgsl: call("jn_normalize") },
    };
}
