//! How operations are written in other languages, as data: printers put it together.
//!
//! A language more is a field more in [`InLanguages`], and then no row compiles before it says how its
//! operation is spelt there.

/// One spelling for each language that programs are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InLanguages<S> {
    /// Functions that begin with `jn_` are those of `shaders/deform_math.wgsl`: total, as in
    /// [`super::semantics`].
    pub wgsl: S,
}

/// Of an operation on one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnarySpelling {
    /// A sign in front of it: −x.
    Prefix(&'static str),
    /// A function: f(x).
    Call(&'static str),
}

/// Of an operation on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinarySpelling {
    /// a + b. Where b has a minus sign, it takes the place of this one.
    Sum(&'static str),
    /// a − b, likewise.
    Difference(&'static str),
    /// a · b.
    Product(&'static str),
    /// a / b where b is known not to be 0, else one of three functions, by the types of a and b.
    Quotient {
        sign: &'static str,
        floats: &'static str,
        vector_by_float: &'static str,
        vectors: &'static str,
    },
    /// a < b, or b > a.
    Order { less: &'static str, greater: &'static str },
    /// a = b.
    Equality(&'static str),
    /// Of two truths.
    Logic(&'static str),
    /// A function: f(a, b).
    Call(&'static str),
    /// A function for floats, another for vectors.
    CallByType { floats: &'static str, vectors: &'static str },
}

/// Of an operation on three values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TernarySpelling {
    /// a · b + c.
    ProductAndSum { times: &'static str, plus: &'static str },
    /// A function with the condition behind what it chooses from, the one for false first: f(c, b, a).
    ChoiceFromLast(&'static str),
    /// A function: f(a, b, c), or f(a) where all are the same.
    Vector(&'static str),
}
