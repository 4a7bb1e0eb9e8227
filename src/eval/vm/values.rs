//! Values → instructions: which operands are rows and which are uniform, and what is done in one go.

use super::allocate::Section;
use super::emit::{Maker, Operand, Where};
use super::fusion::{Factor, Fusion, Fusions, Product, fusions};
use super::inputs::Inputs;
use super::lower::{SKINNED_NORMAL, SKINNED_POSITION};
use crate::EvalError;
use jounce_ir::source::{DataFrom, VertexVector};
use jounce_ir::{Binary, Op, Source, Stage, Ternary, Type, Unary, Value, any_loop, any_memory};
use jounce_simd::code::{Kind, neighbours, rows_of};

impl Maker<'_> {
    pub fn stage(&mut self, stage: &Stage) -> Result<Section, EvalError> {
        match stage {
            Stage::Vertex(values) => {
                let fusions = fusions(self.program, self.uniforms, values);
                self.values(values, &fusions, &[])?;
                let instructions = std::mem::take(&mut self.code);
                Ok(Section { instructions, ..Section::default() })
            }
            Stage::Influences { values, sums } => {
                // Loops at different depths compute the same values anew.
                for &value in values {
                    self.places[value.index()] = None;
                }
                let all: Vec<Value> = values.iter().chain(sums).copied().collect();
                let fusions = fusions(self.program, self.uniforms, &all);
                let absorbed_by_sums = self.absorbed_by_sums(values, sums, &fusions);
                self.values(values, &fusions, &absorbed_by_sums)?;
                let mut starts = Vec::new();
                for &sum in sums {
                    starts.extend(self.sum(sum, &absorbed_by_sums)?);
                }
                let instructions = std::mem::take(&mut self.code);
                Ok(Section { instructions, is_loop: true, starts })
            }
            Stage::Frame(_) | Stage::Bone(_) | Stage::Relax(_) => Ok(Section::default()),
        }
    }

    fn values(
        &mut self,
        values: &[Value],
        fusions: &Fusions,
        absorbed_by_sums: &[Value],
    ) -> Result<(), EvalError> {
        for &value in values {
            let is_known = self.places[value.index()].is_some();
            let is_absorbed =
                fusions.is_absorbed[value.index()] || absorbed_by_sums.contains(&value);
            match fusions.of_value[value.index()] {
                _ if is_known || is_absorbed => {}
                Some(fusion) => self.fused(value, fusion)?,
                None => self.value(value)?,
            }
        }
        Ok(())
    }

    /// Summands that are added up where they are computed, and what those are made of: all of `values`,
    /// as what was computed before the loop is not computed anew for every bone.
    fn absorbed_by_sums(&self, values: &[Value], sums: &[Value], fusions: &Fusions) -> Vec<Value> {
        let mut absorbed = Vec::new();
        let uses = self.program.use_counts();
        let is_free = |value: Value| {
            uses[value.index()] == 1
                && values.contains(&value)
                && self.uniforms.place(value).is_none()
                && fusions.of_value[value.index()].is_none()
        };
        for &sum in sums {
            let Op::Sum { value, .. } = *self.program.op(sum) else { continue };
            match *self.program.op(value) {
                Op::Binary(Binary::Add, a, b) if is_free(value) => {
                    absorbed.push(value);
                    let is_minus_uniform = |part: &Value| match *self.program.op(*part) {
                        Op::Binary(Binary::Sub, x, u) => {
                            let is_uniform = |v: Value| self.uniforms.place(v).is_some();
                            is_free(*part) && is_uniform(u) && !is_uniform(x)
                        }
                        _ => false,
                    };
                    let is_lane = |v: &Value| self.uniforms.place(*v).is_none();
                    if is_lane(&a) && is_lane(&b) {
                        absorbed.extend([a, b].into_iter().find(is_minus_uniform));
                    }
                }
                Op::Binary(Binary::Sub, ..) if is_free(value) => absorbed.push(value),
                _ => {}
            }
        }
        absorbed
    }

    fn sum(&mut self, sum: Value, absorbed: &[Value]) -> Result<Vec<u32>, EvalError> {
        let Op::Sum { value, column } = *self.program.op(sum) else {
            return self.broken(sum);
        };
        let rows = rows_of(self.program.ty(sum));
        let nothing = ([0; 3], false);
        let (kind, a, b, c) = match *self.program.op(value) {
            Op::Binary(op, a, b) if absorbed.contains(&value) => {
                let (other, part) = if absorbed.contains(&a) { (b, a) } else { (a, b) };
                match *self.program.op(part) {
                    Op::Binary(_, x, u) if absorbed.contains(&part) => {
                        let (other, x, u) =
                            (self.operand(other)?, self.operand(x)?, self.operand(u)?);
                        (Kind::SumAddSub, other, x, u)
                    }
                    _ => {
                        let kind = if op == Binary::Add { Kind::SumAdd } else { Kind::SumSub };
                        (kind, self.operand(a)?, self.operand(b)?, nothing)
                    }
                }
            }
            _ => (Kind::Sum, self.operand(value)?, nothing, nothing),
        };
        let dst = self.new_rows(rows);
        self.push_column(kind, rows, dst, &[a, b, c], column);
        self.places[sum.index()] = Some(Where::Rows(dst));
        Ok(dst[..rows].to_vec())
    }

    /// Both factors; a ratio is computed first.
    fn product(&mut self, Product(a, factor): Product) -> Result<[Operand; 2], EvalError> {
        let factor = match factor {
            Factor::Value(b) => self.operand(b)?,
            Factor::Ratio { s, length } => {
                let operands = [self.operand(s)?, self.operand(length)?];
                let ratio = self.new_rows(1);
                self.push(Kind::DivLength, 1, ratio, &operands);
                (ratio, false)
            }
        };
        Ok([self.operand(a)?, factor])
    }

    fn fused(&mut self, value: Value, fusion: Fusion) -> Result<(), EvalError> {
        match fusion {
            Fusion::Mul(product) => {
                let product = self.product(product)?;
                self.emit_operands(value, Kind::Binary(Binary::Mul), &product);
                Ok(())
            }
            Fusion::Fnma(product, c) | Fusion::Fms(product, c) => {
                let kind = match fusion {
                    Fusion::Fnma(..) => Kind::Fnma,
                    _ => Kind::Fms,
                };
                let [a, b] = self.product(product)?;
                let c = self.operand(c)?;
                self.emit_operands(value, kind, &[a, b, c]);
                Ok(())
            }
            Fusion::Fma2(first, second) | Fusion::Fms2(first, second) => {
                let kind = match fusion {
                    Fusion::Fma2(..) => Kind::Fma2,
                    _ => Kind::Fms2,
                };
                let ([a, b], [c, d]) = (self.product(first)?, self.product(second)?);
                self.emit_operands(value, kind, &[a, b, c, d]);
                Ok(())
            }
            Fusion::DotScale(a, b, c) => self.emit(value, Kind::DotScale, &[a, b, c]),
            Fusion::Length(v) => self.emit(value, Kind::Length, &[v]),
            Fusion::NormalizeScale { v, s } => self.emit(value, Kind::NormalizeScale, &[v, s]),
            Fusion::ScaleClamp { x, scale, most, least } => {
                let scale = match scale {
                    Some(scale) => self.operand(scale)?.0[0],
                    None => self.uniforms.one(),
                };
                let bounds = [scale, self.operand(most)?.0[0], self.operand(least)?.0[0]];
                let x = self.operand(x)?;
                let dst = self.new_rows(1);
                self.push(Kind::ScaleClamp, 1, dst, &[x, (bounds, true)]);
                self.places[value.index()] = Some(Where::Rows(dst));
                Ok(())
            }
            Fusion::KeepIf { condition, yes, no } => {
                let (dst, is_uniform) = self.operand(yes)?;
                if is_uniform {
                    return self.value(value);
                }
                let rows = rows_of(self.program.ty(value));
                let operands = [([0; 3], false), self.operand(no)?, self.operand(condition)?];
                self.push(Kind::KeepIf, rows, dst, &operands);
                self.places[value.index()] = Some(Where::Rows(dst));
                Ok(())
            }
        }
    }

    fn value(&mut self, value: Value) -> Result<(), EvalError> {
        let program = self.program;
        match *program.op(value) {
            Op::Source(source) => self.source(value, source),
            Op::Map(index) => self.load_input(value, self.inputs.map(index as usize)),
            Op::Weight(column) => {
                let dst = self.new_rows(1);
                self.push_column(Kind::LoadWeight, 1, dst, &[], column);
                self.places[value.index()] = Some(Where::Rows(dst));
                Ok(())
            }
            Op::Unary(Unary::Sin, a) => {
                let operands = [self.operand(a)?, ([self.uniforms.one(); 3], true)];
                self.emit_operands(value, Kind::Unary(Unary::Sin), &operands);
                Ok(())
            }
            Op::Unary(op, a) => self.emit(value, Kind::Unary(op), &[a]),
            Op::Binary(op, a, b) => {
                let kind = match (op, program.ty(value)) {
                    (Binary::SaneOr, Type::Vec3) => Kind::SaneOr3,
                    (op, _) => Kind::Binary(op),
                };
                self.emit(value, kind, &[a, b])
            }
            Op::Ternary(op, a, b, c) => match op {
                Ternary::Fma => self.emit(value, Kind::Fma, &[a, b, c]),
                Ternary::Select => self.emit(value, Kind::Select, &[b, c, a]),
                Ternary::Vec3 => self.vec3(value, [a, b, c]),
            },
            Op::Component(v, i) => {
                let (places, is_uniform) = self.operand(v)?;
                let places = [places[usize::from(i.min(2))]; 3];
                self.places[value.index()] = Some(match is_uniform {
                    true => Where::Uniform(places),
                    false => Where::Rows(places),
                });
                Ok(())
            }
            Op::Constant(..)
            | Op::Parameter(..)
            | Op::MapIsThere(_)
            | Op::BoneTable(_)
            | Op::BoneTableIsSet(_)
            | Op::BoneSet(_)
            | Op::Motion(..)
            | any_memory!()
            | any_loop!() => self.broken(value),
        }
    }

    fn source(&mut self, value: Value, source: Source) -> Result<(), EvalError> {
        match source.info().from {
            DataFrom::Skinning(vector) => {
                let rows = match vector {
                    VertexVector::Position => SKINNED_POSITION,
                    VertexVector::Normal => SKINNED_NORMAL,
                };
                self.places[value.index()] = Some(Where::Rows(rows));
                Ok(())
            }
            DataFrom::RestPose(VertexVector::Position) => {
                self.load_input(value, Inputs::REST_POSITION)
            }
            DataFrom::RestPose(VertexVector::Normal) => self.load_input(value, Inputs::REST_NORMAL),
            // Of frame and bones; a table of vertices is read as a map.
            DataFrom::Clock
            | DataFrom::Step
            | DataFrom::Character
            | DataFrom::Pose
            | DataFrom::VertexTable(_) => self.broken(value),
        }
    }

    fn load_input(&mut self, value: Value, first_row: usize) -> Result<(), EvalError> {
        let rows = rows_of(self.program.ty(value));
        let dst = self.new_rows(rows);
        self.push(Kind::LoadInput, rows, dst, &[(neighbours(first_row, rows), false)]);
        self.places[value.index()] = Some(Where::Rows(dst));
        Ok(())
    }

    /// Three rows need not be neighbours, so nothing is copied but what is uniform.
    fn vec3(&mut self, value: Value, parts: [Value; 3]) -> Result<(), EvalError> {
        let mut places = [0; 3];
        for (place, part) in places.iter_mut().zip(parts) {
            let (from, is_uniform) = self.operand(part)?;
            *place = from[0];
            if is_uniform {
                let dst = self.new_rows(1);
                self.push(Kind::Copy, 1, dst, &[(from, true)]);
                *place = dst[0];
            }
        }
        self.places[value.index()] = Some(Where::Rows(places));
        Ok(())
    }
}
