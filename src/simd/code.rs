//! What the VM runs: one instruction at a time over all lanes of a block.
//!
//! ```text
//! rows      a float or bool is a row of lanes, a vec3 three, not necessarily neighbours
//! uniforms  what is the same for all lanes: constants, values of the frame, of the bone at work
//! ```
//! An operand is either all rows or all uniforms; [`Instruction::uniform`] says which.

use jounce_ir::binary::BinaryTypes;
use jounce_ir::unary::UnaryTypes;
use jounce_ir::{Binary, Type, Unary};
use std::fmt;

/// What one instruction computes. Row by row where nothing else is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// dst = a.
    Copy,
    /// dst = row a of the block's own data.
    LoadInput,
    /// dst = row a of what earlier passes left.
    LoadKept,
    /// Row dst of what is left for later passes = a.
    StoreKept,
    /// dst = the weights of the bone at work in its column.
    LoadWeight,
    /// The operation of a, as its row has it; but a sine is sin(a · b) of one row, b uniform.
    Unary(Unary),
    /// The operation of a and b; [`Binary::SaneOr`] of one row.
    Binary(Binary),
    /// a · b + c.
    Fma,
    /// c − a · b.
    Fnma,
    /// a · b − c.
    Fms,
    /// a · b + c · d; both b and d are uniform, or none.
    Fma2,
    /// a · b − c · d, likewise.
    Fms2,
    /// (a · b + c · d) · e + f of three rows: a and c are one row each, b, d and e uniform.
    Fma2Fma,
    /// a · (b · c).
    Mul3,
    /// c ? a : b, so that the mask stands last.
    Select,
    /// dst = b where the uniform c is false; else dst stays.
    KeepIf,
    /// (a · b) c, one row from three; c one row or uniform.
    DotScale,
    /// |a|, one row from three.
    Length,
    /// a/|a| · b, three rows from three.
    NormalizeScale,
    /// What is left of a across the direction b: a − (a · b) b.
    Reject,
    /// A cross product, and this; and the length of what they give in a fourth row.
    CrossLength,
    RejectLength,
    /// x b + ((x · c) d) c with x = a − e: x grows by b, and by d along the direction c. All but a are
    /// uniform.
    Stretch,
    /// a / b where b is a length: 0 where it is too short to have a direction.
    DivLength,
    /// a · b / c, likewise.
    MulDivLength,
    /// Three components at once: b where any of a is absurd.
    SaneOr3,
    /// a + b, or b where any of that is absurd.
    AddSaneOr3,
    /// max(min(a · b₀, b₁), b₂) of one row, all b uniform.
    ScaleClamp,
    /// b₀ / (a + b₁) − b₂ of one row, all b uniform.
    ShiftDiv,
    /// dst += weight · a, in its column; so all sums.
    Sum,
    /// dst += weight · (a + b).
    SumAdd,
    /// dst += weight · (a − b).
    SumSub,
    /// dst += weight · (a + (b − c)), c uniform.
    SumAddSub,
    /// dst += weight · (a + (b · c − d · e − f)) of three rows: c and e are one row each, f is uniform.
    SumFms2,
}

/// The loops that there are for a kind. [`Code`] takes no other instruction, so this is what they may
/// rely on.
struct Shape {
    rows: &'static [u8],
    /// Of a to f.
    operands: [Count; OPERANDS],
    /// Which operands may be uniform together, as in [`Instruction::uniform`].
    uniforms: &'static [u8],
    results: Results,
}

/// Places of an operand.
#[derive(Clone, Copy)]
enum Count {
    None,
    One,
    Three,
    /// As many as the instruction has rows.
    Rows,
}

enum Results {
    None,
    Rows,
    /// A fourth row beside three.
    RowsAndLength,
}

impl Kind {
    fn shape(self) -> Shape {
        use Count::{One, Rows, Three};
        use Kind::*;
        let (any, one, three): (&[u8], &[u8], &[u8]) = (&[1, 3], &[1], &[3]);
        let (rows, operands, uniforms): (&[u8], &[Count], &[u8]) = match self {
            LoadInput | LoadKept => (any, &[], &[0]),
            LoadWeight => (one, &[], &[0]),
            Copy | StoreKept | Sum => (any, &[Rows], &[0, 1]),
            Unary(jounce_ir::Unary::Sin) => (one, &[One, One], &[0b10]),
            Unary(op) => match op.row().types {
                UnaryTypes::Each | UnaryTypes::Float | UnaryTypes::Bool => (any, &[Rows], &[0, 1]),
                UnaryTypes::Vec3 => (three, &[Three], &[0, 1]),
            },
            Binary(op) => match op.row().types {
                BinaryTypes::Each | BinaryTypes::EachOrScaled => {
                    (any, &[Rows, Rows], &[0, 0b01, 0b10])
                }
                // Too rare to have loops with uniforms.
                BinaryTypes::Whole
                | BinaryTypes::Floats
                | BinaryTypes::Comparison
                | BinaryTypes::Bools => (one, &[One, One], &[0]),
                BinaryTypes::VectorsToFloat => (one, &[Three, Three], &[0, 0b01, 0b10]),
                BinaryTypes::Vectors => (three, &[Three, Three], &[0, 0b01, 0b10]),
            },
            SumAdd | SumSub => (any, &[Rows, Rows], &[0, 0b01, 0b10]),
            DivLength => (one, &[One, One], &[0]),
            MulDivLength => (one, &[One, One, One], &[0]),
            Fma | Fnma | Fms | Mul3 => (any, &[Rows, Rows, Rows], &[0, 0b010, 0b100, 0b110]),
            // A condition that is the same for all lanes is rare.
            Select => (any, &[Rows, Rows, Rows], &[0, 0b010]),
            KeepIf => (any, &[Count::None, Rows, One], &[0b100, 0b110]),
            Fma2 | Fms2 => (any, &[Rows, Rows, Rows, Rows], &[0, 0b1010]),
            Fma2Fma => (three, &[One, Three, One, Three, One, Three], &[0b1_1010]),
            DotScale => (one, &[Three, Three, One], &[0, 0b010, 0b100, 0b110]),
            Length => (one, &[Three], &[0, 1]),
            CrossLength | Reject | RejectLength | SaneOr3 | AddSaneOr3 => {
                (three, &[Three, Three], &[0, 0b01, 0b10])
            }
            NormalizeScale => (three, &[Three, One], &[0, 0b01, 0b10]),
            Stretch => (three, &[Three, Three, Three, One, Three], &[0b1_1110]),
            ScaleClamp | ShiftDiv => (one, &[One, Three], &[0b10]),
            SumAddSub => (any, &[Rows, Rows, Rows], &[0b100]),
            SumFms2 => (three, &[Three, Three, One, Three, One, Three], &[0b10_0000]),
        };
        let of = |operand: usize| operands.get(operand).copied().unwrap_or(Count::None);
        Shape {
            rows,
            operands: std::array::from_fn(of),
            uniforms,
            results: match self {
                StoreKept => Results::None,
                CrossLength | RejectLength => Results::RowsAndLength,
                _ => Results::Rows,
            },
        }
    }
}

/// Rows or uniforms of up to three components.
pub type Places = [u32; 3];

/// `count` neighbours, 1 or 3 of them; one is in all places.
pub fn neighbours(first: usize, count: usize) -> Places {
    [0, 1, 2].map(|i: usize| (first + i.min(count - 1)) as u32)
}

/// One row or uniform, in however many places.
pub fn is_scalar(places: Places) -> bool {
    places.iter().all(|&place| place == places[0])
}

/// How many rows or uniforms a value has.
pub fn rows_of(ty: Type) -> usize {
    if ty == Type::Vec3 { 3 } else { 1 }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    pub kind: Kind,
    /// How many rows: 1 or 3, of the result where operands have others.
    pub rows: u8,
    /// Bits 0 to 5: a to f are uniforms.
    pub uniform: u8,
    /// The fourth is for the length of the first three, where an instruction gives both.
    pub dst: [u32; 4],
    pub a: Places,
    pub b: Places,
    pub c: Places,
    pub d: Places,
    pub e: Places,
    pub f: Places,
    /// Of weights.
    pub column: u32,
}

/// Operands of an instruction.
pub const OPERANDS: usize = 6;

impl Instruction {
    /// With nothing to read and nowhere to write.
    pub fn empty(kind: Kind, rows: usize) -> Instruction {
        let [a, b, c, d, e, f] = [[0; 3]; OPERANDS];
        let (rows, dst) = (rows as u8, [0; 4]);
        Instruction { kind, rows, uniform: 0, dst, a, b, c, d, e, f, column: 0 }
    }

    pub fn is_uniform(&self, operand: usize) -> bool {
        self.uniform >> operand & 1 != 0
    }

    /// Is there a loop for it, with so many rows and this mixture of rows and uniforms?
    pub fn is_runnable(&self) -> bool {
        let Shape { rows, uniforms, .. } = self.kind.shape();
        rows.contains(&self.rows) && uniforms.contains(&self.uniform)
    }

    /// How many places of a to f it reads.
    pub fn counts(&self) -> [usize; OPERANDS] {
        self.kind.shape().operands.map(|count| match count {
            Count::None => 0,
            Count::One => 1,
            Count::Three => 3,
            Count::Rows => usize::from(self.rows),
        })
    }

    fn operands(&self) -> [Places; OPERANDS] {
        [self.a, self.b, self.c, self.d, self.e, self.f]
    }

    /// The places that it reads, each with whether it is uniform.
    pub fn reads(&self) -> impl Iterator<Item = (u32, bool)> {
        let uniform = self.uniform;
        let operands = self.operands().into_iter().zip(self.counts()).enumerate();
        operands.flat_map(move |(operand, (places, count))| {
            places.into_iter().take(count).map(move |place| (place, uniform >> operand & 1 != 0))
        })
    }

    /// The rows it writes.
    pub fn results(&self) -> &[u32] {
        let count = match self.kind.shape().results {
            Results::None => 0,
            Results::Rows => usize::from(self.rows),
            Results::RowsAndLength => 4,
        };
        &self.dst[..count]
    }

    /// Gives other names to the rows it reads.
    pub fn rename_reads(&mut self, name: impl Fn(u32) -> u32) {
        let counts = self.counts();
        for (operand, count) in counts.into_iter().enumerate() {
            if !self.is_uniform(operand) {
                let places = self.operand_mut(operand);
                places[..count].iter_mut().for_each(|place| *place = name(*place));
            }
        }
    }

    pub fn operand_mut(&mut self, operand: usize) -> &mut Places {
        match operand {
            0 => &mut self.a,
            1 => &mut self.b,
            2 => &mut self.c,
            3 => &mut self.d,
            4 => &mut self.e,
            _ => &mut self.f,
        }
    }

    /// Does it read what stands in its result before?
    pub fn adds_to_result(&self) -> bool {
        self.is_sum() || self.kind == Kind::KeepIf
    }

    pub fn is_sum(&self) -> bool {
        use Kind::{Sum, SumAdd, SumAddSub, SumFms2, SumSub};
        matches!(self.kind, Sum | SumAdd | SumSub | SumAddSub | SumFms2)
    }
}

/// `r7 r8 r9 = Fma r1 r2 r3, u4, r5 r5 r5`: rows and uniforms.
impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stored = &self.dst[..usize::from(self.rows)];
        for row in if self.kind == Kind::StoreKept { stored } else { self.results() } {
            write!(f, "r{row} ")?;
        }
        match self.kind {
            Kind::Unary(op) => write!(f, "= {op:?}")?,
            Kind::Binary(op) => write!(f, "= {op:?}")?,
            kind => write!(f, "= {kind:?}")?,
        }
        let operands = self.operands().into_iter().zip(self.counts()).enumerate();
        for (operand, (places, count)) in operands.filter(|(_, (_, count))| *count > 0) {
            let letter = if self.is_uniform(operand) { 'u' } else { 'r' };
            for place in &places[..count] {
                write!(f, " {letter}{place}")?;
            }
            write!(f, ",")?;
        }
        Ok(())
    }
}

/// Instructions that were measured: what they touch is within these bounds.
#[derive(Clone, Debug, Default)]
pub struct Code {
    instructions: Vec<Instruction>,
    bounds: Bounds,
}

/// How much of everything some code touches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    pub rows: usize,
    pub uniforms: usize,
    pub inputs: usize,
    pub kept: usize,
    pub columns: usize,
}

impl Code {
    /// Panics at an instruction that there is no loop for: the loops check nothing.
    pub fn new(instructions: Vec<Instruction>) -> Code {
        let mut bounds = Bounds::default();
        let grow = |bound: &mut usize, places: &[u32]| {
            let most = places.iter().map(|&place| place as usize + 1).max();
            *bound = (*bound).max(most.unwrap_or(0));
        };
        for instruction in &instructions {
            assert!(instruction.is_runnable(), "{instruction:?}");
            let rows = usize::from(instruction.rows);
            for (place, is_uniform) in instruction.reads() {
                let bound = if is_uniform { &mut bounds.uniforms } else { &mut bounds.rows };
                grow(bound, &[place]);
            }
            match instruction.kind {
                Kind::StoreKept => grow(&mut bounds.kept, &instruction.dst[..rows]),
                Kind::LoadInput => grow(&mut bounds.inputs, &instruction.a[..rows]),
                Kind::LoadKept => grow(&mut bounds.kept, &instruction.a[..rows]),
                Kind::LoadWeight => grow(&mut bounds.columns, &[instruction.column]),
                _ if instruction.is_sum() => grow(&mut bounds.columns, &[instruction.column]),
                _ => {}
            }
            grow(&mut bounds.rows, instruction.results());
        }
        Code { instructions, bounds }
    }

    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }

    pub fn bounds(&self) -> Bounds {
        self.bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADD: Kind = Kind::Binary(Binary::Add);

    fn is_refused(it: Instruction) -> bool {
        std::panic::catch_unwind(|| Code::new(vec![it])).is_err()
    }

    fn with(kind: Kind, rows: usize, uniform: u8) -> Instruction {
        Instruction { uniform, ..Instruction::empty(kind, rows) }
    }

    #[test]
    fn what_has_no_loop_is_refused() {
        use Kind::*;
        assert!(!is_refused(with(ADD, 1, 0)) && !is_refused(with(ADD, 3, 0b10)));
        for rows in [0, 2, 4] {
            assert!(is_refused(with(ADD, rows, 0)), "{rows}");
        }
        for kind in [
            Kind::Binary(jounce_ir::Binary::Cross),
            Reject,
            Kind::Unary(jounce_ir::Unary::Normalize),
            NormalizeScale,
            SaneOr3,
            AddSaneOr3,
            CrossLength,
            RejectLength,
        ] {
            assert!(!is_refused(with(kind, 3, 0)) && is_refused(with(kind, 1, 0)), "{kind:?}");
        }
        use jounce_ir::Binary as Op;
        for op in [
            Op::SaneOr,
            Op::Pow,
            Op::Atan2,
            Op::Less,
            Op::LessEqual,
            Op::Equal,
            Op::And,
            Op::Or,
            Op::Dot,
        ] {
            let kind = Kind::Binary(op);
            assert!(!is_refused(with(kind, 1, 0)) && is_refused(with(kind, 3, 0)), "{kind:?}");
        }
        for kind in [DivLength, MulDivLength, DotScale, Length, LoadWeight] {
            assert!(!is_refused(with(kind, 1, 0)) && is_refused(with(kind, 3, 0)), "{kind:?}");
        }
        for (kind, rows, uniform) in [
            (Kind::Unary(jounce_ir::Unary::Sin), 1, 0b10),
            (ScaleClamp, 1, 0b10),
            (ShiftDiv, 1, 0b10),
            (Stretch, 3, 0b1_1110),
            (Fma2Fma, 3, 0b1_1010),
            (SumFms2, 3, 0b10_0000),
        ] {
            let other_rows = 4 - rows;
            assert!(!is_refused(with(kind, rows, uniform)), "{kind:?}");
            assert!(is_refused(with(kind, other_rows, uniform)), "{kind:?}");
        }
    }

    #[test]
    fn only_mixtures_of_rows_and_uniforms_with_a_loop_are_taken() {
        use Kind::*;
        for (kind, rows, fine) in [
            (Copy, 3, &[0, 1][..]),
            (Sum, 3, &[0, 1]),
            (SumAdd, 1, &[0, 0b01, 0b10]),
            (SumAddSub, 3, &[0b100]),
            (Fma, 3, &[0, 0b010, 0b100, 0b110]),
            (Fma2, 3, &[0, 0b1010]),
            (Select, 1, &[0, 0b010]),
            (KeepIf, 3, &[0b100, 0b110]),
            (DotScale, 1, &[0, 0b010, 0b100, 0b110]),
            (Kind::Binary(jounce_ir::Binary::Less), 1, &[0]),
            (LoadInput, 3, &[0]),
            (Stretch, 3, &[0b1_1110]),
        ] {
            for uniform in 0..=u8::MAX {
                let is_fine = fine.contains(&uniform);
                let is_runnable = with(kind, rows, uniform).is_runnable();
                assert_eq!(is_runnable, is_fine, "{kind:?} {uniform:b}");
            }
        }
    }

    #[test]
    fn bounds_are_those_of_what_is_touched() {
        let empty = Instruction::empty(Kind::RejectLength, 3);
        let it = Instruction { uniform: 0b10, dst: [1, 2, 3, 9], a: [4, 5, 6], b: [7; 3], ..empty };
        let bounds = Code::new(vec![it]).bounds();
        assert_eq!((bounds.rows, bounds.uniforms), (10, 8), "the length, the direction");
        let sum =
            Instruction { a: [2; 3], c: [50; 3], column: 3, ..Instruction::empty(Kind::Sum, 1) };
        let bounds = Code::new(vec![sum]).bounds();
        assert_eq!((bounds.rows, bounds.uniforms, bounds.columns), (3, 0, 4));
    }
}
