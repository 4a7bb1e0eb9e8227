//! The program as the VM runs it: the same values, with more of the work done once per bone.
//!
//! What is the same for all lanes is nearly free here, so work is moved there:
//!
//! ```text
//! x / u                → x · (1/u)               u of a bone or of the frame
//! (x · u₁) · u₂        → x · (u₁ · u₂)
//! (x − u₁) − (x − u₂)  → u₂ − u₁
//! Σ a + Σ b            → Σ (a + b)               over the same weights
//! ```
//! Each is exact but for rounding. Products of uniforms are computed in f64 and rounded once; they are
//! limited, so that what was 0 · large does not become 0 · ∞.

use jounce_ir::{
    Binary, Builder, Number, Op, Program, Rate, Source, Ternary, Type, Value, any_data, any_memory,
};

/// Larger factors are as good as infinite in single precision.
const LARGEST_FACTOR: f64 = 1e37;

pub fn simplify(program: &Program) -> Program {
    let mut builder = Builder::default();
    builder.tables = program.tables.clone();
    let mut rebuilder = Rebuilder {
        program,
        builder,
        new: Vec::with_capacity(program.ops.len()),
        uses: program.use_counts(),
    };
    for index in 0..program.ops.len() {
        let value = rebuilder.rebuild(Value(index as u32));
        rebuilder.new.push(value);
    }
    let position = match *program.op(program.position) {
        // `finish` puts it there again.
        Op::Binary(Binary::SaneOr, position, plain)
            if *program.op(plain) == Op::Source(Source::SkinnedPosition) =>
        {
            position
        }
        _ => program.position,
    };
    let position = rebuilder.new[position.index()];
    let simpler = rebuilder.builder.finish_with_all_tables(position, program.base);
    Program { hierarchy: program.hierarchy, ..simpler }
}

struct Rebuilder<'a> {
    program: &'a Program,
    builder: Builder,
    /// Per old value the new one.
    new: Vec<Value>,
    uses: Vec<u32>,
}

impl Rebuilder<'_> {
    fn rebuild(&mut self, value: Value) -> Value {
        let of = |operand: Value| self.new[operand.index()];
        match self.program.op(value).map_operands(of) {
            Op::Unary(op, a) => self.builder.unary(op, a),
            Op::Binary(Binary::Add, a, b) => self.add(value, a, b),
            Op::Binary(op, a, b) => self.binary(op, a, b),
            // Apart, so that the factors can be moved; `finish` joins them again.
            Op::Ternary(Ternary::Fma, a, b, c) => {
                let product = self.binary(Binary::Mul, a, b);
                self.builder.binary(Binary::Add, product, c)
            }
            Op::Ternary(Ternary::Select, condition, yes, no) => {
                self.builder.select(condition, yes, no)
            }
            Op::Ternary(Ternary::Vec3, x, y, z) => self.builder.vec3(x, y, z),
            Op::Component(v, i) => self.builder.component(v, i),
            Op::Relax { value, amount, passes } => self.builder.relax(value, amount, passes),
            // As they are. A sum may have lost its bones: it stays one.
            leaf @ (Op::Constant(..) | any_data!() | any_memory!() | Op::Sum { .. }) => {
                self.builder.leaf(leaf)
            }
        }
    }

    fn is_uniform(&self, value: Value) -> bool {
        matches!(self.builder.rate(value), Rate::Frame | Rate::Bone)
    }

    fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        let is_lane = !self.is_uniform(a);
        match op {
            Binary::Div if is_lane && self.is_uniform(b) => {
                let one = match self.builder.ty(b) {
                    Type::Vec3 => Number::Vec3(glam::DVec3::ONE),
                    _ => Number::Float(1.0),
                };
                let one = self.builder.constant(one);
                let inverse = self.builder.binary(Binary::Div, one, b);
                self.scaled(a, inverse)
            }
            Binary::Mul if is_lane && self.is_uniform(b) => self.scaled(a, b),
            Binary::Mul
                if !is_lane && !self.is_uniform(b) && self.builder.ty(a) == self.builder.ty(b) =>
            {
                self.scaled(b, a)
            }
            Binary::Sub if is_lane && !self.is_uniform(b) => self.difference(a, b),
            // There is nothing to move.
            op => self.builder.binary(op, a, b),
        }
    }

    /// Lanes times a uniform.
    fn scaled(&mut self, a: Value, by: Value) -> Value {
        if let Op::Binary(Binary::Mul, x, before) = self.builder.op(a) {
            let (x, before) = if self.is_uniform(x) { (before, x) } else { (x, before) };
            let fits = self.builder.ty(before) == self.builder.ty(by)
                && self.builder.ty(x) == self.builder.ty(a);
            if self.is_uniform(before) && !self.is_uniform(x) && fits {
                let factor = self.builder.binary(Binary::Mul, before, by);
                let factor = self.limited(factor);
                return self.builder.binary(Binary::Mul, x, factor);
            }
        }
        self.builder.binary(Binary::Mul, a, by)
    }

    fn limited(&mut self, factor: Value) -> Value {
        let number = |x: f64, ty: Type| match ty {
            Type::Vec3 => Number::Vec3(glam::DVec3::splat(x)),
            _ => Number::Float(x),
        };
        let ty = self.builder.ty(factor);
        let most = self.builder.constant(number(LARGEST_FACTOR, ty));
        let least = self.builder.constant(number(-LARGEST_FACTOR, ty));
        let factor = self.builder.binary(Binary::Min, factor, most);
        self.builder.binary(Binary::Max, factor, least)
    }

    /// The difference of two points that are seen from different bones' places.
    fn difference(&mut self, a: Value, b: Value) -> Value {
        if let (Op::Binary(Binary::Sub, x, u), Op::Binary(Binary::Sub, y, w)) =
            (self.builder.op(a), self.builder.op(b))
            && x == y
            && self.is_uniform(u)
            && self.is_uniform(w)
        {
            return self.builder.binary(Binary::Sub, w, u);
        }
        self.builder.binary(Binary::Sub, a, b)
    }

    /// Two sums over the same weights that only this adds are one.
    fn add(&mut self, value: Value, a: Value, b: Value) -> Value {
        let used_once = self.program.op(value).operands().all(|v| self.uses[v.index()] == 1);
        if let (Op::Sum { value: x, column }, Op::Sum { value: y, column: same }) =
            (self.builder.op(a), self.builder.op(b))
            && column == same
            && used_once
        {
            let both = self.builder.binary(Binary::Add, x, y);
            return self.builder.leaf(Op::Sum { value: both, column });
        }
        self.builder.binary(Binary::Add, a, b)
    }
}
