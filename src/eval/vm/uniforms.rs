//! Numbers that are the same for all lanes: a row of them per bone, and one for code of vertices.
//!
//! ```text
//! bone 0   values of the bone │ values of the frame │ constants
//! bone 1   …                  │ the same            │ the same
//! none     –                  │ the same            │ the same
//! ```
//! Everything an instruction can broadcast is in one row, so an operand is one number. They come from
//! f64 and are rounded once; a bool is all bits or none.

use crate::host::HostTables;
use crate::plan::Plan;
use jounce_ir::{Number, Op, Program, Rate, Type, Value};
use jounce_simd::code::{Places, neighbours, rows_of};

pub struct UniformLayout {
    /// Per value where it begins in the row.
    places: Vec<Option<u32>>,
    types: Vec<Type>,
    /// Values of bones: column of the bone table and value.
    bones: Vec<(usize, Value)>,
    frame: Vec<Value>,
    /// The part of a row that never changes, at its place.
    constants: Vec<(Value, [f64; 3])>,
    one: u32,
    width: usize,
}

impl UniformLayout {
    pub fn new(program: &Program, plan: &Plan) -> UniformLayout {
        let mut layout = UniformLayout {
            places: vec![None; program.ops.len()],
            types: program.types.clone(),
            bones: plan.schedule.bone_table.iter().copied().enumerate().collect(),
            frame: plan.schedule.frame_table.clone(),
            constants: Vec::new(),
            one: 0,
            width: 0,
        };
        let position = program.position;
        let is_constant = |op: &Op| matches!(op, Op::Constant(..));
        if program.rate(position) == Rate::Frame
            && !is_constant(program.op(position))
            && !layout.frame.contains(&position)
        {
            layout.frame.push(position);
        }
        for (index, op) in program.ops.iter().enumerate() {
            let numbers = match op.as_constant() {
                Some(Number::Float(x)) => [x; 3],
                Some(Number::Bool(b)) => [f64::from(u8::from(b)); 3],
                Some(Number::Vec3(v)) => v.to_array(),
                None => continue,
            };
            layout.constants.push((Value(index as u32), numbers));
        }
        let values: Vec<Value> = (layout.bones.iter().map(|(_, value)| *value))
            .chain(layout.frame.iter().copied())
            .chain(layout.constants.iter().map(|(value, _)| *value))
            .collect();
        for value in values {
            layout.places[value.index()] = Some(layout.width as u32);
            layout.width += layout.floats(value);
        }
        layout.one = layout.width as u32;
        layout.width += 1;
        layout
    }

    /// Where a 1 stands.
    pub fn one(&self) -> u32 {
        self.one
    }

    fn floats(&self, value: Value) -> usize {
        rows_of(self.types[value.index()])
    }

    /// Where a value stands in the row; a float three times at the same place.
    pub fn place(&self, value: Value) -> Option<Places> {
        let first = self.places[value.index()]?;
        Some(neighbours(first as usize, self.floats(value)))
    }

    fn single(&self, value: Value) -> impl Fn(f64) -> f32 {
        let is_bool = self.types[value.index()] == Type::Bool;
        move |x| match is_bool {
            true => f32::from_bits(if x != 0.0 { u32::MAX } else { 0 }),
            false => x as f32,
        }
    }

    fn write(&self, row: &mut [f32], value: Value, numbers: [f64; 3]) {
        let Some(first) = self.places[value.index()] else { return };
        let row = &mut row[first as usize..first as usize + self.floats(value)];
        let single = self.single(value);
        row.iter_mut().zip(numbers).for_each(|(place, x)| *place = single(x));
    }

    /// A row per bone, then the one without. Where nothing is of bones, that is all there is.
    pub fn rows(&self, plan: &Plan, tables: &HostTables, bone_count: usize) -> Vec<f32> {
        let bone_count = if self.bones.is_empty() { 0 } else { bone_count };
        let mut rows = vec![0.0; self.width * (bone_count + 1)];
        let (of_bones, common) = rows.split_at_mut(self.width * bone_count);
        for &value in &self.frame {
            self.write(common, value, tables.of_frame(plan, value));
        }
        for &(value, numbers) in &self.constants {
            self.write(common, value, numbers);
        }
        common[self.one as usize] = 1.0;
        for row in of_bones.chunks_exact_mut(self.width) {
            row.copy_from_slice(common);
        }
        for &(column, value) in &self.bones {
            let Some(first) = self.places[value.index()] else { continue };
            let single = self.single(value);
            for (i, numbers) in tables.bones.of(column).enumerate() {
                // A character without bones has no row.
                let from_first = of_bones.get_mut(first as usize + i..).unwrap_or_default();
                let places = from_first.iter_mut().step_by(self.width);
                places.zip(numbers).for_each(|(place, &x)| *place = single(x));
            }
        }
        rows
    }

    /// What code of vertices reads.
    pub fn common<'a>(&self, rows: &'a [f32]) -> &'a [f32] {
        &rows[rows.len() - self.width..]
    }

    pub fn of_bone<'a>(&self, rows: &'a [f32], bone: usize) -> &'a [f32] {
        match self.bones.is_empty() {
            true => self.common(rows),
            false => &rows[bone * self.width..][..self.width],
        }
    }
}
