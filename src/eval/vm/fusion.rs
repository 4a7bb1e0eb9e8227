//! Which values are computed along with their only user: one instruction in place of two or three saves
//! writing and reading the rows between them, which is most of what an instruction costs.

use super::uniforms::UniformLayout;
use jounce_ir::{Binary, Op, Program, Ternary, Type, Unary, Value};

/// One instruction for several values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fusion {
    /// The product itself, where a factor is more than a value.
    Mul(Product),
    /// c − product.
    Fnma(Product, Value),
    /// product − c.
    Fms(Product, Value),
    /// product + c, where the product was found to have such a factor.
    Fma2(Product, Product),
    Fms2(Product, Product),
    /// (a · b) c.
    DotScale(Value, Value, Value),
    /// max(min(x · scale, most), least); without a scale: 1.
    ScaleClamp {
        x: Value,
        scale: Option<Value>,
        most: Value,
        least: Value,
    },
    Length(Value),
    /// v/|v| · s.
    NormalizeScale {
        v: Value,
        s: Value,
    },
    /// `yes` stays where it is, unless the uniform condition is false.
    KeepIf {
        condition: Value,
        yes: Value,
        no: Value,
    },
}

/// a · b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Product(pub Value, pub Factor);

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Factor {
    Value(Value),
    /// s/|v| with a length that is known already: v/|v| · s = v · (s/|v|).
    Ratio {
        s: Value,
        length: Value,
    },
}

/// What a stage computes in one go.
pub struct Fusions {
    pub of_value: Vec<Option<Fusion>>,
    /// Their users compute them.
    pub is_absorbed: Vec<bool>,
}

/// `values` are computed together, in this order.
pub fn fusions(program: &Program, uniforms: &UniformLayout, values: &[Value]) -> Fusions {
    let mut finder = Finder {
        program,
        uniforms,
        uses: program.use_counts(),
        is_here: vec![false; program.ops.len()],
        found: Fusions {
            of_value: vec![None; program.ops.len()],
            is_absorbed: vec![false; program.ops.len()],
        },
    };
    for value in values {
        finder.is_here[value.index()] = true;
    }
    // Users first: the longest chain wins.
    for &value in values.iter().rev() {
        if !finder.found.is_absorbed[value.index()] {
            let fusion = finder.find(value, values);
            finder.found.of_value[value.index()] = fusion;
        }
    }
    finder.found
}

struct Finder<'a> {
    program: &'a Program,
    uniforms: &'a UniformLayout,
    uses: Vec<u32>,
    is_here: Vec<bool>,
    found: Fusions,
}

impl Finder<'_> {
    /// The operation of a value that only one other uses, and that stands here.
    fn only_here(&self, value: Value) -> Option<Op> {
        let is_free = self.uses[value.index()] == 1
            && self.is_here[value.index()]
            && !self.found.is_absorbed[value.index()];
        is_free.then(|| *self.program.op(value))
    }

    fn is_uniform(&self, value: Value) -> bool {
        self.uniforms.place(value).is_some()
    }

    fn absorb(&mut self, value: Value) {
        self.found.is_absorbed[value.index()] = true;
    }

    fn find(&mut self, value: Value, values: &[Value]) -> Option<Fusion> {
        match *self.program.op(value) {
            Op::Binary(Binary::Sub, a, b) => self.difference(a, b, values),
            Op::Ternary(Ternary::Fma, a, b, c) => {
                let product = Product(a, Factor::Value(b));
                self.is_same_kind(product, c)?;
                Some(Fusion::Fma2(product, self.product(c, values)?))
            }
            Op::Binary(Binary::Max, clamped, least) => self.clamp(clamped, least),
            Op::Unary(Unary::Sqrt, square) => match self.only_here(square)? {
                Op::Binary(Binary::Dot, a, b) if a == b && !self.is_uniform(a) => {
                    self.absorb(square);
                    Some(Fusion::Length(a))
                }
                _ => None,
            },
            Op::Binary(Binary::Mul, a, b) => self.multiplication(a, b, values),
            Op::Ternary(Ternary::Select, condition, yes, no) if self.is_uniform(condition) => {
                let is_fresh = matches!(
                    self.only_here(yes)?,
                    Op::Binary(..) | Op::Ternary(Ternary::Fma, ..) | Op::Unary(..)
                );
                is_fresh.then_some(Fusion::KeepIf { condition, yes, no })
            }
            _ => None,
        }
    }

    /// The factors of a product that is computed along.
    fn product(&mut self, value: Value, values: &[Value]) -> Option<Product> {
        let Op::Binary(Binary::Mul, a, b) = self.only_here(value)? else { return None };
        self.absorb(value);
        Some(self.with_ratio(a, b, values).unwrap_or(Product(a, Factor::Value(b))))
    }

    /// v/|v| · s where |v| is known.
    fn with_ratio(&mut self, direction: Value, s: Value, values: &[Value]) -> Option<Product> {
        let Op::Unary(Unary::Normalize, v) = self.only_here(direction)? else { return None };
        let is_length = |value: &&Value| match *self.program.op(**value) {
            Op::Unary(Unary::Sqrt, square) => {
                *self.program.op(square) == Op::Binary(Binary::Dot, v, v)
            }
            _ => false,
        };
        let length = *values.iter().take_while(|known| **known < direction).find(is_length)?;
        (self.program.ty(s) == Type::Float).then_some(())?;
        self.absorb(direction);
        // It is read once more than the program says: nobody may take its row over.
        self.uses[length.index()] += 1;
        Some(Product(v, Factor::Ratio { s, length }))
    }

    /// There are loops for two products with a uniform factor each, and for two without.
    fn is_same_kind(&self, product: Product, other: Value) -> Option<()> {
        let has_uniform = |a: Value, b: Value| self.is_uniform(a) || self.is_uniform(b);
        let Op::Binary(Binary::Mul, a, b) = self.only_here(other)? else { return None };
        let first = match product {
            Product(a, Factor::Value(b)) => has_uniform(a, b),
            Product(a, Factor::Ratio { .. }) => self.is_uniform(a),
        };
        (first == has_uniform(a, b)).then_some(())
    }

    fn difference(&mut self, a: Value, b: Value, values: &[Value]) -> Option<Fusion> {
        if let Some(Op::Binary(Binary::Mul, x, y)) = self.only_here(a)
            && a != b
            && self.is_same_kind(Product(x, Factor::Value(y)), b).is_some()
        {
            let (first, second) = (self.product(a, values)?, self.product(b, values)?);
            return Some(Fusion::Fms2(first, second));
        }
        if let Some(product) = self.product(b, values) {
            return Some(Fusion::Fnma(product, a));
        }
        Some(Fusion::Fms(self.product(a, values)?, b))
    }

    fn multiplication(&mut self, a: Value, b: Value, values: &[Value]) -> Option<Fusion> {
        if let Some(product) = self.with_ratio(a, b, values) {
            return Some(Fusion::Mul(product));
        }
        for (dot, other) in [(a, b), (b, a)] {
            if let Some(Op::Binary(Binary::Dot, x, y)) = self.only_here(dot)
                && a != b
                && !(self.is_uniform(x) && self.is_uniform(y))
                && self.program.ty(other) == Type::Float
            {
                self.absorb(dot);
                return Some(Fusion::DotScale(x, y, other));
            }
        }
        self.along(a, b)
    }

    fn clamp(&mut self, clamped: Value, least: Value) -> Option<Fusion> {
        let Op::Binary(Binary::Min, x, most) = self.only_here(clamped)? else { return None };
        let is_float = self.program.ty(x) == Type::Float;
        if !is_float || !self.is_uniform(most) || !self.is_uniform(least) || self.is_uniform(x) {
            return None;
        }
        self.absorb(clamped);
        if let Some(Op::Binary(Binary::Mul, a, b)) = self.only_here(x)
            && self.is_uniform(a) != self.is_uniform(b)
        {
            self.absorb(x);
            let (x, scale) = if self.is_uniform(a) { (b, a) } else { (a, b) };
            return Some(Fusion::ScaleClamp { x, scale: Some(scale), most, least });
        }
        Some(Fusion::ScaleClamp { x, scale: None, most, least })
    }

    fn along(&mut self, direction: Value, s: Value) -> Option<Fusion> {
        let Op::Unary(Unary::Normalize, v) = self.only_here(direction)? else { return None };
        if self.is_uniform(v) || self.program.ty(s) != Type::Float {
            return None;
        }
        self.absorb(direction);
        Some(Fusion::NormalizeScale { v, s })
    }
}
