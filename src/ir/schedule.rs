//! What is handed on: from the frame stage to the others, from bones to loops over pairs, and from
//! one pass over the vertices to the next.
//!
//! ```text
//! frame ──frame table──► bones ──bone table──► pass 0 ──kept──► smoothing ──kept──► pass 1 …
//! ```
//! Every evaluator lays out its memory by these lists.

use super::op::{Op, Value};
use super::program::{Program, Stage};
use super::{Rate, Type};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schedule {
    /// Values of rate frame that other stages read; constants are not among them.
    pub frame_table: Vec<Value>,
    /// Values of rate bone that loops over pairs read.
    pub bone_table: Vec<Value>,
    /// Values of vertices that are kept in memory between passes.
    pub kept: Vec<Value>,
    pub passes: Vec<VertexPass>,
}

/// What one walk over all vertices does, then smoothings over the surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VertexPass {
    /// What it reads of earlier passes: places in [`Schedule::kept`].
    pub loads: Vec<usize>,
    /// Its [`Stage::Vertex`] and [`Stage::Influences`], as places in [`Program::stages`].
    pub stages: Vec<usize>,
    /// What it leaves for smoothings and later passes: places in [`Schedule::kept`].
    pub stores: Vec<usize>,
    /// [`Op::Relax`]es to run behind it, in order.
    pub relaxed: Vec<Value>,
}

impl Program {
    pub fn schedule(&self) -> Schedule {
        self.schedule_watched(&[])
    }

    /// Also hands on values that somebody wants to see.
    pub fn schedule_watched(&self, watched: &[Value]) -> Schedule {
        let mut maker = Maker {
            program: self,
            schedule: Schedule::default(),
            pass_of: vec![None; self.ops.len()],
        };
        maker.schedule.passes.push(VertexPass::default());
        for (place, stage) in self.stages.iter().enumerate() {
            maker.add(place, stage);
        }
        maker.read_memory_of_bones();
        for &value in watched {
            match self.rates.get(value.index()) {
                Some(Rate::Vertex) => {
                    maker.keep(value);
                }
                Some(Rate::Bone) => push_new(&mut maker.schedule.bone_table, value),
                _ => {}
            }
        }
        maker.schedule
    }

    /// Does it smooth over the surface? A vertex shader sees no neighbours.
    pub fn has_relaxations(&self) -> bool {
        self.ops.iter().any(|op| matches!(op, Op::Relax { .. }))
    }
}

struct Maker<'a> {
    program: &'a Program,
    schedule: Schedule,
    /// Where a value of rate vertex is computed.
    pass_of: Vec<Option<usize>>,
}

impl Maker<'_> {
    fn add(&mut self, place: usize, stage: &Stage) {
        match stage {
            Stage::Frame(_) => {}
            Stage::Bone(values) => {
                for value in values {
                    self.read_operands(*value);
                }
            }
            Stage::Vertex(values) => {
                self.enter_pass().stages.push(place);
                for value in values {
                    self.read_operands(*value);
                    self.define(*value);
                }
            }
            Stage::Influences { values, sums } => {
                self.enter_pass().stages.push(place);
                for value in values.iter().chain(sums) {
                    self.read_operands(*value);
                }
                for sum in sums {
                    self.define(*sum);
                }
            }
            Stage::Relax(value) => {
                for operand in self.operands(*value) {
                    match self.rate(operand) {
                        Some(Rate::Vertex) => {
                            self.keep(operand);
                        }
                        _ => self.read(operand),
                    }
                }
                push_new(&mut self.schedule.kept, *value);
                self.last_pass().relaxed.push(*value);
            }
        }
    }

    /// What bones remember may begin, or be kept, as a value of the frame.
    fn read_memory_of_bones(&mut self) {
        let memory = &self.program.memory;
        let tables = &self.program.tables;
        let of_states = tables.states.iter().map(|state| state.rate);
        let of_states = of_states.zip(memory.initial.iter().zip(&memory.next));
        let of_states = of_states.map(|(rate, (initial, next))| (rate, vec![*initial, *next]));
        let of_histories = tables.histories.iter().map(|history| history.rate);
        let of_histories = of_histories.zip(memory.recorded.iter().map(|value| vec![*value]));
        for (rate, values) in of_states.chain(of_histories) {
            for value in values {
                if rate == Rate::Bone && self.rate(value) == Some(Rate::Frame) {
                    self.read(value);
                }
            }
        }
    }

    /// Code behind a smoothing is a pass of its own.
    fn enter_pass(&mut self) -> &mut VertexPass {
        if !self.last_pass().relaxed.is_empty() {
            self.schedule.passes.push(VertexPass::default());
        }
        self.last_pass()
    }

    fn last_pass(&mut self) -> &mut VertexPass {
        if self.schedule.passes.is_empty() {
            self.schedule.passes.push(VertexPass::default());
        }
        let last = self.schedule.passes.len() - 1;
        &mut self.schedule.passes[last]
    }

    fn define(&mut self, value: Value) {
        let pass = self.schedule.passes.len() - 1;
        if let Some(place) = self.pass_of.get_mut(value.index()) {
            place.get_or_insert(pass);
        }
    }

    fn operands(&self, value: Value) -> Vec<Value> {
        self.program.ops.get(value.index()).map(|op| op.operands().collect()).unwrap_or_default()
    }

    fn rate(&self, value: Value) -> Option<Rate> {
        self.program.rates.get(value.index()).copied()
    }

    fn read_operands(&mut self, value: Value) {
        for operand in self.operands(value) {
            self.read(operand);
        }
    }

    fn read(&mut self, operand: Value) {
        let is_constant = matches!(self.program.ops.get(operand.index()), Some(Op::Constant(..)));
        match self.rate(operand) {
            Some(Rate::Frame) if !is_constant => {
                push_new(&mut self.schedule.frame_table, operand);
            }
            // Bone code reads other values of the same bone; only what pairs read is handed on.
            Some(Rate::Bone) if self.is_in_pass() => {
                push_new(&mut self.schedule.bone_table, operand);
            }
            Some(Rate::Vertex) => {
                let here = self.schedule.passes.len() - 1;
                if self.pass_of[operand.index()] != Some(here) {
                    let slot = self.keep(operand);
                    push_new(&mut self.last_pass().loads, slot);
                }
            }
            _ => {}
        }
    }

    fn is_in_pass(&mut self) -> bool {
        !self.last_pass().stages.is_empty()
    }

    /// The place in memory; the pass that computes it is made to store it there.
    fn keep(&mut self, value: Value) -> usize {
        push_new(&mut self.schedule.kept, value);
        let is_it = |kept: &Value| *kept == value;
        let slot = self.schedule.kept.iter().position(is_it).unwrap_or(0);
        if let Some(Some(pass)) = self.pass_of.get(value.index()) {
            push_new(&mut self.schedule.passes[*pass].stores, slot);
        }
        slot
    }
}

fn push_new<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

/// A row of a table in memory that shaders can read: where each value stands, in numbers of 4 bytes.
///
/// A vec3 begins at a multiple of 4, as WGSL wants it; floats fill the gaps, so that little is lost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowLayout {
    /// In the order of the values laid out.
    pub offsets: Vec<usize>,
    /// From row to row; a multiple of 4, and never 0.
    pub stride: usize,
}

impl RowLayout {
    pub fn new(types: &[Type]) -> RowLayout {
        let vectors = types.iter().filter(|ty| **ty == Type::Vec3).count();
        let (mut next_vector, mut next_gap, mut next_float) = (0, 0, vectors * 4);
        let mut offset = |ty: &Type| match ty {
            Type::Vec3 => {
                next_vector += 4;
                next_vector - 4
            }
            Type::Float | Type::Bool if next_gap < vectors => {
                next_gap += 1;
                next_gap * 4 - 1
            }
            Type::Float | Type::Bool => {
                next_float += 1;
                next_float - 1
            }
        };
        let offsets = types.iter().map(&mut offset).collect();
        RowLayout { offsets, stride: next_float.next_multiple_of(4).max(4) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_fill_the_gaps_behind_vectors() {
        use Type::{Bool, Float, Vec3};
        let layout = RowLayout::new(&[Float, Vec3, Bool, Vec3, Float, Float]);
        assert_eq!(layout.offsets, [3, 0, 7, 4, 8, 9]);
        assert_eq!(layout.stride, 12);
        assert_eq!(RowLayout::new(&[]).stride, 4);
    }
}
