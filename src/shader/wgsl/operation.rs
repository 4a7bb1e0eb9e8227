//! One operation as an expression. What each means is in [`jounce_ir::semantics`], how it is spelt in its
//! row; operations that need care with special numbers are functions of `shaders/deform_math.wgsl`.
//!
//! A fused multiplication and addition is written a * b + c: people read that, compilers fuse it
//! where the device can, and the one rounding less is far below what results are compared by.

use super::body::Past;
use super::expression::{Expression, float, literal};
use jounce_ir::op::{Binary, Op, Ternary, Unary};
use jounce_ir::semantics::SMALLEST_DIVISOR;
use jounce_ir::spelling::{BinarySpelling, TernarySpelling, UnarySpelling};
use jounce_ir::{Number, Program, Type, Value, any_data, any_loop};

/// How operands are written, and which of them may be looked into.
pub trait Operands {
    fn program(&self) -> &Program;
    fn written(&self, value: Value) -> Expression;
    /// How `choice`, a [`Ternary::Select`], writes what it chooses from.
    fn chosen(&self, choice: Value, operand: Value) -> Expression {
        let _ = choice;
        self.written(operand)
    }
    /// Is it part of the expression, without a name of its own?
    fn is_inline(&self, value: Value) -> bool;
    fn past(&self) -> Past<'_>;
}

/// None for operations that read data or run over bones and surfaces.
pub fn operation(of: &impl Operands, value: Value) -> Option<Expression> {
    let program = of.program();
    let op = program.op(value);
    Some(match *op {
        Op::Constant(..) => literal(op.as_constant()?),
        Op::Unary(op, a) => unary(of, op, a),
        Op::Binary(op, a, b) => binary(of, op, a, b),
        Op::Ternary(op, a, b, c) => ternary(of, value, op, [a, b, c]),
        Op::Component(v, i) => Expression::component(&of.written(v), i),
        Op::Ago { history, secs, now } => return ago(of, history, secs, now),
        any_data!() | Op::State(_) | any_loop!() => return None,
    })
}

/// Further back than it was declared nothing is known for sure.
fn ago(of: &impl Operands, history: u32, secs: Value, now: Value) -> Option<Expression> {
    let program = of.program();
    match of.past() {
        Past::Unknown => None,
        Past::Begins => Some(of.written(now)),
        Past::Ring(memory) => {
            let number = Expression::primary(format!("{}u", memory.first_number(history)?));
            let longest_secs = program.tables.histories.get(history as usize)?.longest_secs;
            let longest = Expression::primary(float(longest_secs));
            let secs = Expression::call("jn_min", &[&of.written(secs), &longest]);
            let is_vector = program.ty(now) == Type::Vec3;
            let function = if is_vector { "jn_ago_vector" } else { "jn_ago" };
            Some(Expression::call(function, &[&number, &secs, &of.written(now)]))
        }
    }
}

fn unary(of: &impl Operands, op: Unary, a: Value) -> Expression {
    if op == Unary::Sqrt
        && let Op::Binary(Binary::Dot, v, w) = *of.program().op(a)
        && v == w
        && of.is_inline(a)
    {
        return Expression::call("length", &[&of.written(v)]);
    }
    let x = of.written(a);
    match op.row().spelling.wgsl {
        UnarySpelling::Prefix(sign) => Expression::unary(sign, &x),
        UnarySpelling::Call(function) => Expression::call(function, &[&x]),
    }
}

fn binary(of: &impl Operands, op: Binary, a: Value, b: Value) -> Expression {
    let program = of.program();
    let is_vector = program.ty(a) == Type::Vec3;
    let (x, y) = (of.written(a), of.written(b));
    if op == Binary::Max
        && let Op::Binary(Binary::Min, inner, high) = *program.op(a)
        && of.is_inline(a)
    {
        let clamp = if is_vector { "jn_clamp_vector" } else { "jn_clamp" };
        return Expression::call(clamp, &[&of.written(inner), &y, &of.written(high)]);
    }
    let function = match op.row().spelling.wgsl {
        BinarySpelling::Sum(sign) => return Expression::sum(&x, sign, &y),
        BinarySpelling::Difference(sign) => return Expression::difference(&x, sign, &y),
        BinarySpelling::Product(sign) => return Expression::product(&x, sign, &y),
        BinarySpelling::Order { less, greater } => return ordered(of, a, b, [less, greater]),
        BinarySpelling::Equality(sign) => return Expression::relation(&x, sign, &y),
        BinarySpelling::Logic(sign) => return Expression::logic(&x, sign, &y),
        BinarySpelling::Quotient { sign, .. } if is_safe_divisor(program, b) => {
            return Expression::product(&x, sign, &y);
        }
        BinarySpelling::Quotient { floats, vector_by_float, vectors, .. } => {
            match (is_vector, program.ty(b)) {
                (false, _) => floats,
                (true, Type::Vec3) => vectors,
                (true, Type::Float | Type::Bool) => vector_by_float,
            }
        }
        BinarySpelling::CallByType { vectors, .. } if is_vector => vectors,
        BinarySpelling::CallByType { floats, .. } => floats,
        BinarySpelling::Call(function) => function,
    };
    Expression::call(function, &[&x, &y])
}

fn ternary(of: &impl Operands, value: Value, op: Ternary, [a, b, c]: [Value; 3]) -> Expression {
    match op.row().spelling.wgsl {
        TernarySpelling::ProductAndSum { times, plus } => {
            let product = Expression::product(&of.written(a), times, &of.written(b));
            Expression::sum(&product, plus, &of.written(c))
        }
        TernarySpelling::ChoiceFromLast(function) => {
            let (no, yes) = (of.chosen(value, c), of.chosen(value, b));
            Expression::call(function, &[&no, &yes, &of.written(a)])
        }
        TernarySpelling::Vector(function) if a == b && b == c => {
            Expression::call(function, &[&of.written(a)])
        }
        TernarySpelling::Vector(function) => {
            Expression::call(function, &[&of.written(a), &of.written(b), &of.written(c)])
        }
    }
}

/// What is known stands on the right: x > 0.5, not 0.5 < x.
fn ordered(of: &impl Operands, a: Value, b: Value, [less, greater]: [&str; 2]) -> Expression {
    let (x, y) = (of.written(a), of.written(b));
    match of.program().op(a) {
        Op::Constant(..) => Expression::relation(&y, greater, &x),
        _ => Expression::relation(&x, less, &y),
    }
}

fn is_safe_divisor(program: &Program, value: Value) -> bool {
    let is_safe = |x: f64| (x as f32).abs() >= SMALLEST_DIVISOR as f32;
    match program.op(value).as_constant() {
        Some(Number::Float(x)) => is_safe(x),
        Some(Number::Vec3(v)) => v.to_array().into_iter().all(is_safe),
        _ => false,
    }
}
