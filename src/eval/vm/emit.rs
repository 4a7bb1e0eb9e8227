//! Instructions as they are written: which rows and uniforms an operand is, and loops that exist.

use super::inputs::Inputs;
use super::lower::{KeptSlot, RESERVED};
use super::uniforms::UniformLayout;
use crate::EvalError;
use jounce_ir::{Program, Value};
use jounce_simd::code::{Instruction, Kind, OPERANDS, Places, is_scalar, neighbours, rows_of};

#[derive(Clone, Copy, Debug)]
pub enum Where {
    Rows(Places),
    Uniform(Places),
}

/// Makes the code of one pass. Every row that it names is new; nothing is used again yet.
pub struct Maker<'a> {
    pub program: &'a Program,
    pub uniforms: &'a UniformLayout,
    pub inputs: &'a Inputs,
    pub places: Vec<Option<Where>>,
    next_row: u32,
    pub code: Vec<Instruction>,
}

/// An operand of an instruction.
pub type Operand = (Places, bool);

fn four([x, y, z]: Places) -> [u32; 4] {
    [x, y, z, 0]
}

impl<'a> Maker<'a> {
    pub fn new(program: &'a Program, uniforms: &'a UniformLayout, inputs: &'a Inputs) -> Maker<'a> {
        Maker {
            program,
            uniforms,
            inputs,
            places: vec![None; program.ops.len()],
            next_row: RESERVED,
            code: Vec::new(),
        }
    }

    pub fn broken<T>(&self, value: Value) -> Result<T, EvalError> {
        Err(EvalError::Program { value, why: "it has no meaning here" })
    }

    pub fn new_rows(&mut self, count: usize) -> Places {
        let first = self.next_row;
        self.next_row += count as u32;
        neighbours(first as usize, count)
    }

    pub fn load_kept(&mut self, value: Value, slot: KeptSlot) {
        let dst = self.new_rows(slot.rows);
        let a = neighbours(slot.first_row, slot.rows);
        self.push(Kind::LoadKept, slot.rows, dst, &[(a, false)]);
        self.places[value.index()] = Some(Where::Rows(dst));
    }

    pub fn store_kept(&mut self, value: Value, slot: KeptSlot) -> Result<(), EvalError> {
        let operand = self.operand(value)?;
        let dst = neighbours(slot.first_row, slot.rows);
        self.push(Kind::StoreKept, slot.rows, dst, &[operand]);
        Ok(())
    }

    pub fn operand(&self, value: Value) -> Result<Operand, EvalError> {
        if let Some(places) = self.uniforms.place(value) {
            return Ok((places, true));
        }
        match self.places[value.index()] {
            Some(Where::Rows(places)) => Ok((places, false)),
            Some(Where::Uniform(places)) => Ok((places, true)),
            None => self.broken(value),
        }
    }

    pub fn push(&mut self, kind: Kind, rows: usize, dst: Places, operands: &[Operand]) {
        self.push_column(kind, rows, dst, operands, 0);
    }

    /// With the column of weights that it reads.
    pub fn push_column(
        &mut self,
        kind: Kind,
        rows: usize,
        dst: Places,
        operands: &[Operand],
        column: u32,
    ) {
        let dst = four(dst);
        let mut it = Instruction { dst, column, ..Instruction::empty(kind, rows) };
        for (place, &(places, is_uniform)) in operands.iter().enumerate() {
            *it.operand_mut(place) = places;
            it.uniform |= u8::from(is_uniform) << place;
        }
        self.make_runnable(&mut it);
        self.code.push(it);
    }

    /// Products commute; where there is still no loop for it, uniforms become rows.
    fn make_runnable(&mut self, it: &mut Instruction) {
        use Kind::{DotScale, Fma, Fma2, Fms, Fms2, Fnma};
        if matches!(it.kind, Fma | Fnma | Fms | Fma2 | Fms2 | DotScale) && it.uniform & 3 == 1 {
            std::mem::swap(&mut it.a, &mut it.b);
            it.uniform ^= 0b11;
        }
        if matches!(it.kind, Fma2 | Fms2) && it.uniform & 0b1100 == 0b100 {
            std::mem::swap(&mut it.c, &mut it.d);
            it.uniform ^= 0b1100;
        }
        for operand in 0..OPERANDS {
            if it.is_runnable() || !it.is_uniform(operand) {
                continue;
            }
            let places = *it.operand_mut(operand);
            let count = if is_scalar(places) { 1 } else { it.counts()[operand] };
            let rows = self.new_rows(count);
            let copy = Instruction::empty(Kind::Copy, count);
            self.code.push(Instruction { uniform: 1, dst: four(rows), a: places, ..copy });
            *it.operand_mut(operand) = rows;
            it.uniform &= !(1 << operand);
        }
    }

    /// A new value from operands.
    pub fn emit(&mut self, value: Value, kind: Kind, operands: &[Value]) -> Result<(), EvalError> {
        let rows = rows_of(self.program.ty(value));
        let operands: Vec<Operand> =
            operands.iter().map(|&operand| self.operand(operand)).collect::<Result<_, _>>()?;
        let dst = self.new_rows(rows);
        self.push(kind, rows, dst, &operands);
        self.places[value.index()] = Some(Where::Rows(dst));
        Ok(())
    }

    /// A new value from operands that are known.
    pub fn emit_operands(&mut self, value: Value, kind: Kind, operands: &[Operand]) {
        let rows = rows_of(self.program.ty(value));
        let dst = self.new_rows(rows);
        self.push(kind, rows, dst, operands);
        self.places[value.index()] = Some(Where::Rows(dst));
    }
}
