//! The stage of bones: one operation for all bones at once, then the next.
//!
//! ```text
//! column           0        1        2 3 4          …      a float or bool is one column of f64, a vec3 three
//!                  gain     depth    origin x y z
//! one's   bone 0   ·        ·        · · ·
//!         bone 1   ·        ·        · · ·
//! other's bone 0   ·        ·        · · ·                 rows of several characters stand one behind the other
//!         bone 1   ·        ·        · · ·
//! ```
//! A column is used again as soon as nobody asks for what is in it any more, so that all of them stay in the
//! nearest cache. What every operation does is said by [`semantics`] alone. Here is only the order: which operation it
//! is, and of which types, is asked once and not for every bone, which is four times as fast.

use super::bone_columns::{FreeColumns, last_reads};
use glam::DVec3;
use jounce_ir::op::{Binary, Op, Ternary, Unary};
use jounce_ir::unary::UnaryTypes;
use jounce_ir::{
    Number, Program, Type, Value, any_data, any_loop, for_each_binary, for_each_unary, semantics,
};
use jounce_simd::{Vectorised, run_vectorised};

/// The stage, ready to run.
#[derive(Default)]
pub struct BoneCode {
    /// Values of the frame that operations of bones read, the same for all.
    from_frame: Vec<Value>,
    steps: Vec<BoneInstruction>,
    /// Per value its first column.
    first_columns: Vec<Option<u32>>,
    types: Vec<Type>,
    column_count: usize,
    table: Vec<Value>,
}

struct BoneInstruction {
    value: Value,
    op: Op,
}

/// What operations of bones read of one character.
pub trait BoneData {
    /// All three numbers of a value of the frame, whatever they mean.
    fn of_frame(&self, value: Value) -> [f64; 3];
    /// Are all values of the frame the same?
    fn has_frame_of(&self, other: &Self) -> bool;
    /// Of every bone, by its place.
    fn read(&self, value: Value, op: &Op) -> impl Fn(usize) -> Number;
    /// The columns of a state, with a number per bone or one for all.
    fn state(&self, index: u32) -> impl Iterator<Item = &[f64]>;
    /// What a history was so many seconds ago, where it is `now`, by the bone.
    fn ago(&self, history: u32) -> impl Fn(Number, Number, usize) -> Number;
}

/// The numbers of all bones of all characters.
pub struct BoneColumns {
    rows: usize,
    numbers: Vec<f64>,
    /// Per value that was asked for its first column, and how many it has.
    table: Vec<(usize, usize)>,
}

impl BoneColumns {
    /// A column for each number of a value of the bone table, by its place there.
    pub fn of(&self, place: usize) -> impl Iterator<Item = &[f64]> {
        let (first, count) = self.table[place];
        (first..first + count).map(|column| &self.numbers[column * self.rows..][..self.rows])
    }

    /// The list, to be used again.
    pub fn into_numbers(self) -> Vec<f64> {
        self.numbers
    }

    /// All three numbers of a value of the bone table, by its place there, whatever they mean.
    pub fn raw(&self, row: usize, place: usize) -> [f64; 3] {
        let (first, count) = self.table[place];
        let mut raw = [0.0; 3];
        for (i, x) in raw.iter_mut().enumerate().take(count) {
            *x = self.numbers[(first + i) * self.rows + row];
        }
        raw
    }
}

impl BoneCode {
    /// `values` are of bones, each behind those it is made from; what else they read is of the frame.
    /// `table` is what is asked for afterwards.
    pub fn new(program: &Program, values: &[Value], table: &[Value]) -> BoneCode {
        let mut code = BoneCode {
            first_columns: vec![None; program.ops.len()],
            types: program.types.clone(),
            table: table.to_vec(),
            ..BoneCode::default()
        };
        let mut is_of_bones = vec![false; program.ops.len()];
        for value in values {
            is_of_bones[value.index()] = true;
        }
        let operands = values.iter().flat_map(|&value| program.op(value).operands());
        let mut free = FreeColumns::default();
        for read in operands.chain(table.iter().copied()) {
            if !is_of_bones[read.index()] && code.first_columns[read.index()].is_none() {
                code.from_frame.push(read);
                code.add_columns(read, &mut free);
            }
        }
        let mut last_reads = last_reads(program, values, &is_of_bones, table);
        for (place, &value) in values.iter().enumerate() {
            let op = *program.op(value);
            // A component is there already, in a column of its vector.
            if let Op::Component(vector, component) = op
                && let Some(first) = code.first_columns[vector.index()]
            {
                code.first_columns[value.index()] = Some(first + u32::from(component));
            } else {
                code.add_columns(value, &mut free);
                code.steps.push(BoneInstruction { value, op });
            }
            // Only now: nothing is written where it is read from.
            for done in std::mem::take(&mut last_reads[place]) {
                let (first, count) = code.columns(done);
                free.add(first, count);
            }
        }
        code
    }

    fn add_columns(&mut self, value: Value, free: &mut FreeColumns) {
        let count = columns_of(self.types[value.index()]);
        let first = free.take(count).unwrap_or_else(|| {
            self.column_count += count;
            self.column_count - count
        });
        self.first_columns[value.index()] = Some(first as u32);
    }

    /// Runs everything for characters of so many bones each.
    pub fn run(&self, bones: usize, characters: &[impl BoneData]) -> BoneColumns {
        self.run_in(Vec::new(), bones, characters)
    }

    /// The same in a list that has been used before; all that is read of it is written first.
    pub fn run_in(
        &self,
        mut numbers: Vec<f64>,
        bones: usize,
        characters: &[impl BoneData],
    ) -> BoneColumns {
        let rows = bones * characters.len();
        numbers.resize(self.column_count * rows, 0.0);
        let table = self.table.iter().map(|&value| self.columns(value)).collect();
        let columns = BoneColumns { rows, numbers, table };
        run_vectorised(BoneRun { code: self, columns, bones, characters })
    }

    fn columns(&self, value: Value) -> (usize, usize) {
        let first = self.first_columns[value.index()].unwrap_or(0);
        (first as usize, columns_of(self.types[value.index()]))
    }
}

/// All operations, to be compiled for the vectors of this machine.
struct BoneRun<'a, D> {
    code: &'a BoneCode,
    columns: BoneColumns,
    bones: usize,
    characters: &'a [D],
}

impl<D: BoneData> Vectorised for BoneRun<'_, D> {
    type Result = BoneColumns;

    #[inline(always)]
    fn run(self) -> BoneColumns {
        let BoneRun { code, mut columns, bones, characters } = self;
        let rows = columns.rows;
        // Many of a herd have one frame: their rows are filled together.
        let mut first_row = 0;
        for same in characters.chunk_by(D::has_frame_of) {
            let some = first_row..first_row + same.len() * bones;
            first_row = some.end;
            for &value in &code.from_frame {
                let (first, count) = code.columns(value);
                for (column, x) in (first..first + count).zip(same[0].of_frame(value)) {
                    columns.numbers[column * rows..][some.clone()].fill(x);
                }
            }
        }
        for step in &code.steps {
            let (first, count) = code.columns(step.value);
            let (before, rest) = columns.numbers.split_at_mut(first * rows);
            let (target, behind) = rest.split_at_mut(count * rows);
            let operands = Operands { code, before, behind, after_target: first + count, rows };
            let ty = code.types[step.value.index()];
            operands.run(step, ResultColumns { ty, columns: target, rows }, bones, characters);
        }
        columns
    }
}

fn columns_of(ty: Type) -> usize {
    if ty == Type::Vec3 { 3 } else { 1 }
}

/// Where a value is written: from the first of these columns on.
struct ResultColumns<'a> {
    ty: Type,
    columns: &'a mut [f64],
    rows: usize,
}

impl ResultColumns<'_> {
    /// One column of a × b. The compiler drops what the others would need.
    #[inline(always)]
    fn fill_cross<const PART: usize>(&mut self, a: [&[f64]; 3], b: [&[f64]; 3]) {
        let column = &mut self.columns[PART * self.rows..][..self.rows];
        for (row, place) in column.iter_mut().enumerate() {
            if let Some(Number::Vec3(v)) =
                semantics::binary(Binary::Cross, vec3(a, row), vec3(b, row))
            {
                *place = v.to_array()[PART];
            }
        }
    }

    /// a · b.
    #[inline(always)]
    fn fill_dot(&mut self, a: [&[f64]; 3], b: [&[f64]; 3]) {
        let column = &mut self.columns[..self.rows];
        for (row, place) in column.iter_mut().enumerate() {
            if let Some(Number::Float(x)) =
                semantics::binary(Binary::Dot, vec3(a, row), vec3(b, row))
            {
                *place = x;
            }
        }
    }
}

/// One column of floats. Written out wherever it is used: a closure may or may not be inlined, and one that is
/// not is called for every row of every column.
macro_rules! fill_column {
    ($target:ident, $column:expr, |$row:ident| $number:expr) => {{
        let column = &mut $target.columns[$column * $target.rows..][..$target.rows];
        for ($row, place) in column.iter_mut().enumerate() {
            if let Some(Number::Float(x)) = $number {
                *place = x;
            }
        }
    }};
}

/// All three columns of a vec3 one after the other, where what is done to one does not ask for the others:
/// loops over one column become vector instructions.
macro_rules! by_column {
    ($target:ident, |$column:ident, $row:ident| $number:expr) => {
        for $column in 0..3 {
            fill_column!($target, $column, |$row| $number);
        }
    };
}

/// Some of the rows, counted from the first of them. The type is the same for all, so what does not fit is
/// never computed.
macro_rules! fill_some {
    ($target:ident, $some:expr, |$row:ident| $number:expr) => {{
        let (some, rows) = ($some, $target.rows);
        match $target.ty {
            Type::Float => {
                for ($row, place) in $target.columns[some].iter_mut().enumerate() {
                    if let Some(Number::Float(x)) = $number {
                        *place = x;
                    }
                }
            }
            Type::Bool => {
                for ($row, place) in $target.columns[some].iter_mut().enumerate() {
                    if let Some(Number::Bool(b)) = $number {
                        *place = f64::from(u8::from(b));
                    }
                }
            }
            Type::Vec3 => {
                let (x, rest) = $target.columns.split_at_mut(rows);
                let (y, z) = rest.split_at_mut(rows);
                let y_and_z = y[some.clone()].iter_mut().zip(&mut z[some.clone()]);
                for ($row, (x, (y, z))) in x[some].iter_mut().zip(y_and_z).enumerate() {
                    if let Some(Number::Vec3(v)) = $number {
                        [*x, *y, *z] = v.to_array();
                    }
                }
            }
        }
    }};
}

/// All rows.
macro_rules! fill {
    ($target:ident, |$row:ident| $number:expr) => {
        fill_some!($target, 0..$target.rows, |$row| $number)
    };
}

/// One operand's columns.
#[derive(Clone, Copy)]
enum Operand<'a> {
    Float(&'a [f64]),
    Bool(&'a [f64]),
    Vec3([&'a [f64]; 3]),
}

#[inline(always)]
fn float(column: &[f64], row: usize) -> Number {
    Number::Float(column[row])
}

#[inline(always)]
fn vec3(columns: [&[f64]; 3], row: usize) -> Number {
    Number::Vec3(DVec3::new(columns[0][row], columns[1][row], columns[2][row]))
}

#[inline(always)]
fn bool(column: &[f64], row: usize) -> Number {
    Number::Bool(column[row] != 0.0)
}

impl Operand<'_> {
    #[inline(always)]
    fn at(&self, row: usize) -> Number {
        match *self {
            Operand::Float(column) => float(column, row),
            Operand::Bool(column) => bool(column, row),
            Operand::Vec3(columns) => vec3(columns, row),
        }
    }
}

/// All columns but those that are written.
struct Operands<'a> {
    code: &'a BoneCode,
    before: &'a [f64],
    behind: &'a [f64],
    /// The first column of `behind`.
    after_target: usize,
    rows: usize,
}

impl Operands<'_> {
    #[inline(always)]
    fn get(&self, value: Value) -> Operand<'_> {
        let (first, _) = self.code.columns(value);
        let (from, first) = match first.checked_sub(self.after_target) {
            Some(first) => (self.behind, first),
            None => (self.before, first),
        };
        let column = |i: usize| &from[(first + i) * self.rows..][..self.rows];
        match self.code.types[value.index()] {
            Type::Float => Operand::Float(column(0)),
            Type::Bool => Operand::Bool(column(0)),
            Type::Vec3 => Operand::Vec3([column(0), column(1), column(2)]),
        }
    }

    #[inline(always)]
    fn run(
        &self,
        step: &BoneInstruction,
        target: ResultColumns,
        bones: usize,
        characters: &[impl BoneData],
    ) {
        match step.op {
            Op::Unary(op, a) => unary(op, self.get(a), target),
            Op::Binary(op, a, b) => binary(op, self.get(a), self.get(b), target),
            Op::Ternary(Ternary::Fma, a, b, c) => {
                fma(self.get(a), self.get(b), self.get(c), target);
            }
            Op::Ternary(Ternary::Select, condition, yes, no) => {
                select(self.get(condition), self.get(yes), self.get(no), target);
            }
            Op::Ternary(Ternary::Vec3, x, y, z) => {
                for (column, from) in [x, y, z].into_iter().enumerate() {
                    if let Operand::Float(from) = self.get(from) {
                        target.columns[column * self.rows..][..self.rows].copy_from_slice(from);
                    }
                }
            }
            Op::State(index) => {
                for (place, character) in characters.iter().enumerate() {
                    for (column, from) in character.state(index).enumerate() {
                        let to = &mut target.columns[column * self.rows + place * bones..][..bones];
                        match from {
                            [one] => to.fill(*one),
                            all => to.copy_from_slice(all),
                        }
                    }
                }
            }
            Op::Ago { history, secs, now } => {
                let [secs, now] = [secs, now].map(|operand| self.get(operand));
                for (place, character) in characters.iter().enumerate() {
                    let (first, ago) = (place * bones, character.ago(history));
                    fill_some!(target, first..first + bones, |bone| {
                        Some(ago(secs.at(first + bone), now.at(first + bone), bone))
                    });
                }
            }
            // Data of bones; components have no step of their own, and the rest is of other stages.
            any_data!() | Op::Constant(..) | Op::Component(..) | any_loop!() => {
                for (place, character) in characters.iter().enumerate() {
                    let (first, read) = (place * bones, character.read(step.value, &step.op));
                    fill_some!(target, first..first + bones, |bone| Some(read(bone)));
                }
            }
        }
    }
}

#[inline(always)]
fn fma(a: Operand, b: Operand, c: Operand, target: ResultColumns) {
    match (a, b, c) {
        (Operand::Float(a), Operand::Float(b), Operand::Float(c)) => {
            fill_column!(target, 0, |i| semantics::fma(float(a, i), float(b, i), float(c, i)));
        }
        (Operand::Vec3(a), Operand::Float(b), Operand::Vec3(c)) => {
            by_column!(target, |k, i| semantics::fma(float(a[k], i), float(b, i), float(c[k], i)));
        }
        (Operand::Vec3(a), Operand::Vec3(b), Operand::Vec3(c)) => {
            by_column!(target, |k, i| semantics::fma(
                float(a[k], i),
                float(b[k], i),
                float(c[k], i)
            ));
        }
        _ => {}
    }
}

#[inline(always)]
fn select(condition: Operand, yes: Operand, no: Operand, target: ResultColumns) {
    match (condition, yes, no) {
        (Operand::Bool(condition), Operand::Float(yes), Operand::Float(no)) => {
            fill_column!(target, 0, |i| {
                semantics::select(bool(condition, i), float(yes, i), float(no, i))
            });
        }
        (Operand::Bool(condition), Operand::Vec3(yes), Operand::Vec3(no)) => {
            by_column!(target, |k, i| {
                semantics::select(bool(condition, i), float(yes[k], i), float(no[k], i))
            });
        }
        (condition, yes, no) => {
            fill!(target, |i| semantics::select(condition.at(i), yes.at(i), no.at(i)));
        }
    }
}

#[inline(always)]
fn unary(op: Unary, a: Operand, target: ResultColumns) {
    for_each_unary! { op, OP =>
        match a {
            Operand::Float(a) => fill_column!(target, 0, |i| semantics::unary(OP, float(a, i))),
            Operand::Bool(a) => fill!(target, |i| semantics::unary(OP, bool(a, i))),
            Operand::Vec3(a) if const { matches!(OP.row().types, UnaryTypes::Each) } => {
                by_column!(target, |k, i| semantics::unary(OP, float(a[k], i)));
            }
            Operand::Vec3(a) => fill!(target, |i| semantics::unary(OP, vec3(a, i))),
        }
    }
}

#[inline(always)]
fn binary(op: Binary, a: Operand, b: Operand, mut target: ResultColumns) {
    for_each_binary! { op, OP => {
            const BY_COLUMN: bool = OP.row().types.is_by_component();
            const IS_FLOAT: bool =
                matches!(OP.row().types.result(Type::Float, Type::Float), Some(Type::Float));
            match (a, b) {
                (Operand::Float(a), Operand::Float(b)) if IS_FLOAT => {
                    fill_column!(target, 0, |i| semantics::binary(OP, float(a, i), float(b, i)));
                }
                (Operand::Float(a), Operand::Float(b)) => {
                    fill!(target, |i| semantics::binary(OP, float(a, i), float(b, i)))
                }
                (Operand::Vec3(a), Operand::Vec3(b)) if BY_COLUMN => {
                    by_column!(target, |k, i| {
                        semantics::binary(OP, float(a[k], i), float(b[k], i))
                    });
                }
                (Operand::Vec3(a), Operand::Float(b)) if BY_COLUMN => {
                    by_column!(target, |k, i| semantics::binary(OP, float(a[k], i), float(b, i)));
                }
                (Operand::Vec3(a), Operand::Vec3(b)) if matches!(OP, Binary::Dot) => {
                    target.fill_dot(a, b);
                }
                // Of a product that is a vector, each column computes only its own part.
                (Operand::Vec3(a), Operand::Vec3(b)) if matches!(OP, Binary::Cross) => {
                    target.fill_cross::<0>(a, b);
                    target.fill_cross::<1>(a, b);
                    target.fill_cross::<2>(a, b);
                }
                (Operand::Vec3(a), Operand::Vec3(b)) => {
                    fill!(target, |i| semantics::binary(OP, vec3(a, i), vec3(b, i)))
                }
                (a, b) => fill!(target, |i| semantics::binary(OP, a.at(i), b.at(i))),
            }
        }
    }
}
