//! What the VM runs: one instruction at a time over all lanes of a block.
//!
//! ```text
//! rows      a float or bool is a row of lanes, a vec3 three, not necessarily neighbours
//! uniforms  what is the same for all lanes: constants, values of the frame, of the bone at work
//! ```
//! An operand is either all rows or all uniforms; [`Instruction::uniform`] says which.

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
    Neg,
    Abs,
    Floor,
    Sqrt,
    /// sin(a · b) of one row, b uniform.
    Sin,
    Cos,
    Exp,
    Log,
    Not,
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
    SaneOr,
    Pow,
    Atan2,
    Less,
    LessEqual,
    Equal,
    And,
    Or,
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
    /// One row from three, like the next two.
    Dot,
    /// (a · b) c, c one row or uniform.
    DotScale,
    /// |a|.
    Length,
    /// Three rows at once, like the rest.
    Cross,
    Normalize,
    /// a/|a| · b.
    NormalizeScale,
    /// What is left of a across the direction b: a − (a · b) b.
    Reject,
    /// These two, and the length of what they give in a fourth row.
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
    /// dst += weight · (a + b − c), c uniform.
    SumAddSub,
    /// dst += weight · (a + (b · c − d · e) − f) of three rows: c and e are one row each, f is
    /// uniform.
    SumFms2,
}

/// Rows or uniforms of up to three components.
pub type Places = [u32; 3];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    pub kind: Kind,
    /// How many rows: 1 or 3.
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

    /// Are there loops for this mixture of rows and uniforms?
    pub fn is_runnable(&self) -> bool {
        use Kind::*;
        match self.kind {
            Fma2 | Fms2 => matches!(self.uniform, 0 | 0b1010),
            Fma2Fma => self.rows == 3 && self.uniform == 0b1_1010,
            SumFms2 => self.rows == 3 && self.uniform == 0b10_0000,
            DotScale => self.uniform & 1 == 0,
            SumAddSub => self.uniform == 0b100,
            MulDivLength | DivLength | SaneOr | Pow | Atan2 | Less | LessEqual | Equal | And
            | Or => self.uniform == 0,
            Fma | Fnma | Fms | Mul3 => self.uniform & 1 == 0,
            Stretch => self.uniform == 0b1_1110,
            // A condition that is the same for all lanes is rare.
            Select => self.uniform & 5 == 0,
            KeepIf => self.uniform & 0b100 != 0,
            ScaleClamp | ShiftDiv | Sin => self.uniform == 0b10,
            _ => self.uniform & 3 != 3,
        }
    }

    /// How many places of a to f it reads.
    pub fn counts(&self) -> [usize; OPERANDS] {
        use Kind::*;
        let x = usize::from(self.rows);
        match self.kind {
            LoadInput | LoadKept | LoadWeight => [0; OPERANDS],
            Copy | StoreKept | Neg | Abs | Floor | Sqrt | Cos | Exp | Log | Not | Sum => {
                [x, 0, 0, 0, 0, 0]
            }
            Sin => [1, 1, 0, 0, 0, 0],
            Add | Sub | Mul | Div | DivLength | Min | Max | SaneOr | Pow | Atan2 | Less
            | LessEqual | Equal | And | Or | SumAdd | SumSub => [x, x, 0, 0, 0, 0],
            Fma | Fnma | Fms | Select | Mul3 | MulDivLength | SumAddSub => [x, x, x, 0, 0, 0],
            Fma2 | Fms2 => [x, x, x, x, 0, 0],
            Fma2Fma => [1, 3, 1, 3, 1, 3],
            SumFms2 => [3, 3, 1, 3, 1, 3],
            DotScale => [3, 3, 1, 0, 0, 0],
            KeepIf => [0, x, 1, 0, 0, 0],
            Dot | Cross | CrossLength | Reject | RejectLength | SaneOr3 | AddSaneOr3 => {
                [3, 3, 0, 0, 0, 0]
            }
            Stretch => [3, 3, 3, 1, 3, 0],
            Length | Normalize => [3, 0, 0, 0, 0, 0],
            NormalizeScale => [3, 1, 0, 0, 0, 0],
            ScaleClamp | ShiftDiv => [1, 3, 0, 0, 0, 0],
        }
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
        let count = match self.kind {
            Kind::StoreKept => 0,
            Kind::CrossLength | Kind::RejectLength => 4,
            _ => usize::from(self.rows),
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
        write!(f, "= {:?}", self.kind)?;
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
    pub fn new(instructions: Vec<Instruction>) -> Code {
        let mut bounds = Bounds::default();
        let grow = |bound: &mut usize, places: &[u32]| {
            let most = places.iter().map(|&place| place as usize + 1).max();
            *bound = (*bound).max(most.unwrap_or(0));
        };
        for instruction in &instructions {
            let rows = usize::from(instruction.rows);
            // Loops without bounds checks rely on it.
            assert!(matches!(rows, 1 | 3) && instruction.is_runnable(), "{instruction}");
            for (place, is_uniform) in instruction.reads() {
                let bound = if is_uniform { &mut bounds.uniforms } else { &mut bounds.rows };
                grow(bound, &[place]);
            }
            match instruction.kind {
                Kind::StoreKept => grow(&mut bounds.kept, &instruction.dst[..rows]),
                Kind::LoadInput => grow(&mut bounds.inputs, &instruction.a[..rows]),
                Kind::LoadKept => grow(&mut bounds.kept, &instruction.a[..rows]),
                Kind::LoadWeight => grow(&mut bounds.columns, &[instruction.column]),
                _ if instruction.is_sum() => {
                    grow(&mut bounds.columns, &[instruction.column]);
                    // Their loops read c as a uniform, whether it counts or not.
                    if instruction.kind != Kind::SumFms2 {
                        grow(&mut bounds.uniforms, &instruction.c[..rows]);
                    }
                }
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
