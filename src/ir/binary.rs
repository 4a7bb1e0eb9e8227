//! Operations on two values: a row for each, as in [`super::unary`].

use super::Type;
use super::spelling::{BinarySpelling, InLanguages};

/// What there is to know of an operation.
#[derive(Clone, Copy, Debug)]
pub struct BinaryRow {
    /// In texts and in saved programs, which must be readable for ever: it never changes.
    pub name: &'static str,
    /// What generated code calls a result that has no name.
    pub noun: &'static str,
    pub types: BinaryTypes,
    /// Is a ∘ b = b ∘ a?
    pub commutes: bool,
    /// See [`super::Op::work`].
    pub work: usize,
    /// See [`super::Op::cost`].
    pub cost: f64,
    pub dimension: BinaryDimension,
    pub range: BinaryRange,
    /// dy of y = f(a, b), as people write it; empty where there is none.
    pub derivative: &'static str,
    pub spelling: InLanguages<BinarySpelling>,
}

/// What it takes and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryTypes {
    /// Two floats, or two vec3s component by component.
    Each,
    /// Likewise, or a vec3 with a float for all of its components.
    EachOrScaled,
    /// Two floats, or two vec3s of which all components are looked at together.
    Whole,
    Floats,
    /// Two floats to a bool.
    Comparison,
    Bools,
    /// Two vec3s to a float.
    VectorsToFloat,
    Vectors,
}

impl BinaryTypes {
    /// None where the operands do not fit.
    pub const fn result(self, a: Type, b: Type) -> Option<Type> {
        use Type::{Bool, Float, Vec3};
        match (self, a, b) {
            (BinaryTypes::EachOrScaled, Vec3, Float) => Some(Vec3),
            (BinaryTypes::Each | BinaryTypes::EachOrScaled | BinaryTypes::Whole, Float, Float)
            | (BinaryTypes::Floats, Float, Float)
            | (BinaryTypes::VectorsToFloat, Vec3, Vec3) => Some(Float),
            (BinaryTypes::Each | BinaryTypes::EachOrScaled | BinaryTypes::Whole, Vec3, Vec3)
            | (BinaryTypes::Vectors, Vec3, Vec3) => Some(Vec3),
            (BinaryTypes::Comparison, Float, Float) | (BinaryTypes::Bools, Bool, Bool) => {
                Some(Bool)
            }
            (_, Float | Bool | Vec3, Float | Bool | Vec3) => None,
        }
    }

    /// Is a vec3 taken component by component, so that each can be computed without the others?
    pub const fn is_by_component(self) -> bool {
        matches!(self, BinaryTypes::Each | BinaryTypes::EachOrScaled)
    }
}

/// What the result is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryDimension {
    /// The same as both operands, which are added or compared.
    Either,
    /// The same as the first.
    First,
    Product,
    Quotient,
    /// Nothing: a mere number.
    Number,
}

/// Where the result lies, if it is known where the operands do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryRange {
    Sum,
    Difference,
    Product,
    Quotient,
    Smaller,
    Larger,
    /// It is one of the operands.
    OneOfThem,
    /// 0 where one of the vectors is; not negative where both are the same.
    DotProduct,
    /// 0 where one of the vectors is.
    CrossProduct,
    Unknown,
}

/// The enum, all of its variants, their rows, and a macro for code that wants each as a constant.
macro_rules! binary_operations {
    ($dollar:tt $($(#[$doc:meta])* $name:ident = $row:expr;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Binary {
            $($(#[$doc])* $name,)*
        }

        impl Binary {
            pub const ALL: &'static [Binary] = &[$(Binary::$name),*];

            pub const fn row(self) -> BinaryRow {
                match self {
                    $(Binary::$name => $row,)*
                }
            }
        }

        /// Runs the code with the operation as a constant, so that a loop in it is of this operation alone.
        #[macro_export]
        macro_rules! for_each_binary {
            ($dollar op:expr, $dollar constant:ident => $dollar body:expr) => {
                match $dollar op {
                    $($crate::Binary::$name => {
                        const $dollar constant: $crate::Binary = $crate::Binary::$name;
                        $dollar body
                    })*
                }
            };
        }
    };
}

const fn call(function: &'static str) -> BinarySpelling {
    BinarySpelling::Call(function)
}

binary_operations! { $
    Add = BinaryRow {
        name: "add", noun: "total", types: BinaryTypes::Each, commutes: true, work: 1, cost: 1.0,
        dimension: BinaryDimension::Either, range: BinaryRange::Sum, derivative: "da + db",
        spelling: InLanguages { wgsl: BinarySpelling::Sum("+") },
    };
    Sub = BinaryRow {
        name: "sub", noun: "difference", types: BinaryTypes::Each, commutes: false, work: 1, cost: 1.0,
        dimension: BinaryDimension::Either, range: BinaryRange::Difference, derivative: "da - db",
        spelling: InLanguages { wgsl: BinarySpelling::Difference("-") },
    };
    Mul = BinaryRow {
        name: "mul", noun: "product", types: BinaryTypes::EachOrScaled, commutes: true, work: 1, cost: 1.0,
        dimension: BinaryDimension::Product, range: BinaryRange::Product, derivative: "b da + a db",
        spelling: InLanguages { wgsl: BinarySpelling::Product("*") },
    };
    /// 0 where the divisor is below 1e-20.
    Div = BinaryRow {
        name: "div", noun: "ratio", types: BinaryTypes::EachOrScaled, commutes: false, work: 1, cost: 4.0,
        dimension: BinaryDimension::Quotient, range: BinaryRange::Quotient, derivative: "(da - y db) / b",
        spelling: InLanguages {
            wgsl: BinarySpelling::Quotient {
                sign: "/", floats: "jn_divide", vector_by_float: "jn_divide_vector", vectors: "jn_divide_each",
            },
        },
    };
    Min = BinaryRow {
        name: "min", noun: "limited", types: BinaryTypes::Each, commutes: false, work: 1, cost: 1.0,
        dimension: BinaryDimension::Either, range: BinaryRange::Smaller, derivative: "b < a ? db : da",
        spelling: InLanguages {
            wgsl: BinarySpelling::CallByType { floats: "jn_min", vectors: "jn_min_vector" },
        },
    };
    Max = BinaryRow {
        name: "max", noun: "limited", types: BinaryTypes::Each, commutes: false, work: 1, cost: 1.0,
        dimension: BinaryDimension::Either, range: BinaryRange::Larger, derivative: "a < b ? db : da",
        spelling: InLanguages {
            wgsl: BinarySpelling::CallByType { floats: "jn_max", vectors: "jn_max_vector" },
        },
    };
    /// The first, or the second where any component of the first is not finite or above 1e12.
    SaneOr = BinaryRow {
        name: "sane_or", noun: "sane", types: BinaryTypes::Whole, commutes: false, work: 1, cost: 1.0,
        dimension: BinaryDimension::First, range: BinaryRange::OneOfThem, derivative: "y = a ? da : db",
        spelling: InLanguages {
            wgsl: BinarySpelling::CallByType { floats: "jn_sane_or", vectors: "jn_sane_or_vector" },
        },
    };
    /// a^b for a > 0, at most 1e30; 0 for a ≤ 0; 1 for b = 0.
    Pow = BinaryRow {
        name: "pow", noun: "power", types: BinaryTypes::Floats, commutes: false, work: 1, cost: 30.0,
        dimension: BinaryDimension::Number, range: BinaryRange::Unknown, derivative: "y (b da / a + log(a) db)",
        spelling: InLanguages { wgsl: call("jn_pow") },
    };
    /// The angle of the point (b, a); 0 for the origin.
    Atan2 = BinaryRow {
        name: "atan2", noun: "angle", types: BinaryTypes::Floats, commutes: false, work: 1, cost: 30.0,
        dimension: BinaryDimension::Number, range: BinaryRange::Unknown, derivative: "(b da - a db) / (a a + b b)",
        spelling: InLanguages { wgsl: call("jn_angle_of") },
    };
    Less = BinaryRow {
        name: "less", noun: "is_so", types: BinaryTypes::Comparison, commutes: false, work: 1, cost: 1.0,
        dimension: BinaryDimension::Number, range: BinaryRange::Unknown, derivative: "",
        spelling: InLanguages { wgsl: BinarySpelling::Order { less: "<", greater: ">" } },
    };
    LessEqual = BinaryRow {
        name: "less_equal", noun: "is_so", types: BinaryTypes::Comparison, commutes: false, work: 1, cost: 1.0,
        dimension: BinaryDimension::Number, range: BinaryRange::Unknown, derivative: "",
        spelling: InLanguages { wgsl: BinarySpelling::Order { less: "<=", greater: ">=" } },
    };
    Equal = BinaryRow {
        name: "equal", noun: "is_so", types: BinaryTypes::Comparison, commutes: true, work: 1, cost: 1.0,
        dimension: BinaryDimension::Number, range: BinaryRange::Unknown, derivative: "",
        spelling: InLanguages { wgsl: BinarySpelling::Equality("==") },
    };
    And = BinaryRow {
        name: "and", noun: "is_so", types: BinaryTypes::Bools, commutes: true, work: 1, cost: 1.0,
        dimension: BinaryDimension::Number, range: BinaryRange::Unknown, derivative: "",
        spelling: InLanguages { wgsl: BinarySpelling::Logic("&&") },
    };
    Or = BinaryRow {
        name: "or", noun: "is_so", types: BinaryTypes::Bools, commutes: true, work: 1, cost: 1.0,
        dimension: BinaryDimension::Number, range: BinaryRange::Unknown, derivative: "",
        spelling: InLanguages { wgsl: BinarySpelling::Logic("||") },
    };
    Dot = BinaryRow {
        name: "dot", noun: "projection", types: BinaryTypes::VectorsToFloat, commutes: true, work: 1, cost: 3.0,
        dimension: BinaryDimension::Product, range: BinaryRange::DotProduct, derivative: "da . b + a . db",
        spelling: InLanguages { wgsl: call("dot") },
    };
    Cross = BinaryRow {
        name: "cross", noun: "cross_product", types: BinaryTypes::Vectors, commutes: false, work: 1, cost: 2.0,
        dimension: BinaryDimension::Product, range: BinaryRange::CrossProduct, derivative: "da x b + a x db",
        spelling: InLanguages { wgsl: call("cross") },
    };
}
