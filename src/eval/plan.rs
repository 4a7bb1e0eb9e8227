//! A program made ready to run: checked, so that running it cannot fail, and sorted by loops.
//!
//! Frame code never reads bones, and bone code never reads vertices or other bones. So all frame
//! code may run first, then all bone code, one operation for all bones after the other, then all
//! vertex code and loops over pairs for a few vertices after the other.
//!
//! Vertices and pairs go side by side in lanes: one operation for all lanes, then the next. With one
//! lane instead of 16 a program takes about a fifth longer.

use super::EvalError;
use super::bone_code::BoneCode;
use super::registers::{Address, LaneOf, Lanes, MOST_VALUES, Registers};
use jounce_ir::op::{MotionPart, Op};
use jounce_ir::{Number, Program, Rate, Schedule, Source, Stage, Type, Value, semantics};

pub struct Plan {
    /// Registers of the frame with all constants in them.
    pub constants: Registers,
    pub frame: Vec<Step>,
    /// Do values of the frame depend on sliders, the character and the length of a step alone?
    pub frame_is_of_sliders: bool,
    pub bone: BoneCode,
    /// Motions that are asked for, each with its part and its window.
    pub motions: Vec<(Value, MotionPart, Value)>,
    pub passes: Vec<Pass>,
    /// What is handed on, including what is watched.
    pub schedule: Schedule,
    /// Where each value can be read when everything has run.
    places: Vec<Place>,
    types: Vec<Type>,
}

/// One walk over all vertices, then smoothings.
pub struct Pass {
    /// From a place in [`Schedule::kept`].
    pub loads: Vec<(usize, Address)>,
    pub runs: Vec<VertexRun>,
    pub stores: Vec<(Address, usize)>,
    pub relaxations: Vec<Relaxation>,
}

pub enum VertexRun {
    Vertex(Vec<Step>),
    Pairs(PairLoop),
}

/// `from` and `to` are places in [`Schedule::kept`].
pub struct Relaxation {
    pub from: usize,
    pub to: usize,
    pub amount: Amount,
    pub passes: u32,
}

pub enum Amount {
    /// Of each vertex: a place in [`Schedule::kept`].
    Kept(usize),
    /// The same for all: an address of the frame's registers.
    Frame(Address),
}

/// An operation whose operands are addresses in place of values.
pub struct Step {
    pub value: Value,
    pub op: Op,
    pub result: Address,
}

pub struct PairLoop {
    /// Its place among the program's stages.
    pub stage: usize,
    /// What to copy from the bone table before each pair: from its column to an address.
    pub loads: Vec<(usize, Address)>,
    pub steps: Vec<Step>,
    pub sums: Vec<WeightedSum>,
}

pub struct WeightedSum {
    pub sum: Address,
    pub summand: Address,
    pub column: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Nowhere,
    Frame,
    Bone,
    Vertex,
    /// In the loop over pairs that is this stage of the program.
    Pair(usize),
}

impl Plan {
    /// `watched` are values that somebody wants to read afterwards.
    pub fn new(program: &Program, watched: &[Value]) -> Result<Plan, EvalError> {
        let count = program.ops.len();
        if [program.types.len(), program.rates.len()] != [count; 2] {
            let value = Value(count as u32);
            return Err(EvalError::Program { value, why: "there are values without a type" });
        }
        if count > MOST_VALUES {
            let value = Value(MOST_VALUES as u32);
            return Err(EvalError::Program { value, why: "there are too many values" });
        }
        let constant = |op: &Op| match op {
            Op::Constant(..) => Place::Frame,
            _ => Place::Nowhere,
        };
        let mut plan = Plan {
            constants: Registers::new(count),
            frame: Vec::new(),
            frame_is_of_sliders: false,
            bone: BoneCode::default(),
            motions: Vec::new(),
            passes: Vec::new(),
            schedule: program.schedule_watched(watched),
            places: program.ops.iter().map(constant).collect(),
            types: program.types.clone(),
        };
        for (index, op) in program.ops.iter().enumerate() {
            if let Some(number) = op.as_constant() {
                let address = plan.address(Value(index as u32), Place::Frame);
                plan.constants.set(address, Lanes::default(), number);
            }
        }
        let mut runs: Vec<Option<VertexRun>> = Vec::with_capacity(program.stages.len());
        let mut of_bones = Vec::new();
        for (place, stage) in program.stages.iter().enumerate() {
            runs.push(plan.add(program, place, stage, &mut of_bones)?);
        }
        plan.bone = BoneCode::new(program, &of_bones, &plan.schedule.bone_table);
        plan.frame_is_of_sliders = !plan.frame.iter().any(|step| {
            matches!(step.op, Op::Source(Source::Time) | Op::State(_) | Op::Ago { .. })
        });
        plan.motions = plan.motions(program);
        plan.passes = plan.passes(program, runs);
        Ok(plan)
    }

    fn motions(&self, program: &Program) -> Vec<(Value, MotionPart, Value)> {
        let motion = |(index, op): (usize, &Op)| match *op {
            Op::Motion(part, window) => Some((Value(index as u32), part, window)),
            _ => None,
        };
        let all = program.ops.iter().enumerate().filter_map(motion);
        all.filter(|&(value, ..)| self.place(value) != Place::Nowhere).collect()
    }

    fn passes(&self, program: &Program, mut runs: Vec<Option<VertexRun>>) -> Vec<Pass> {
        let address = |slot: usize| self.address(self.schedule.kept[slot], Place::Vertex);
        let mut passes = Vec::with_capacity(self.schedule.passes.len());
        for pass in &self.schedule.passes {
            passes.push(Pass {
                loads: pass.loads.iter().map(|&slot| (slot, address(slot))).collect(),
                runs: pass.stages.iter().filter_map(|&stage| runs[stage].take()).collect(),
                stores: pass.stores.iter().map(|&slot| (address(slot), slot)).collect(),
                relaxations: pass
                    .relaxed
                    .iter()
                    .filter_map(|&value| self.relaxation(program, value))
                    .collect(),
            });
        }
        passes
    }

    fn relaxation(&self, program: &Program, value: Value) -> Option<Relaxation> {
        let Op::Relax { value: from, amount, passes } = *program.op(value) else {
            return None;
        };
        let slot = |value: Value| self.schedule.kept.iter().position(|kept| *kept == value);
        let amount = match slot(amount) {
            Some(slot) => Amount::Kept(slot),
            None => Amount::Frame(self.address(amount, Place::Vertex)),
        };
        Some(Relaxation { from: slot(from)?, to: slot(value)?, amount, passes })
    }

    pub fn place(&self, value: Value) -> Place {
        self.places.get(value.index()).copied().unwrap_or(Place::Nowhere)
    }

    /// Where a stage at `here` finds a value.
    pub fn address(&self, value: Value, here: Place) -> Address {
        let lane = match (self.place(value), here) {
            (Place::Vertex, _) => LaneOf::Vertex,
            // A pair has its own copy of what its bone knows.
            (Place::Pair(_), _) | (Place::Bone, Place::Pair(_)) => LaneOf::Pair,
            (Place::Frame | Place::Bone | Place::Nowhere, _) => LaneOf::None,
        };
        let ty = self.types.get(value.index()).copied().unwrap_or(Type::Float);
        Address::new(value, ty, lane, self.types.len())
    }

    fn add(
        &mut self,
        program: &Program,
        place: usize,
        stage: &Stage,
        of_bones: &mut Vec<Value>,
    ) -> Result<Option<VertexRun>, EvalError> {
        match stage {
            Stage::Frame(values) => {
                let steps = self.define(program, values, Place::Frame)?;
                self.frame.extend(steps);
            }
            Stage::Bone(values) => {
                let steps = self.define(program, values, Place::Bone)?;
                of_bones.extend(steps.iter().map(|step| step.value));
            }
            Stage::Vertex(values) => {
                let steps = self.define(program, values, Place::Vertex)?;
                return Ok(Some(VertexRun::Vertex(steps)));
            }
            Stage::Influences { values, sums } => {
                return self.pair_loop(program, place, values, sums).map(Some);
            }
            Stage::Relax(value) => self.check_relaxation(program, *value)?,
        }
        Ok(None)
    }

    fn check_relaxation(&mut self, program: &Program, relaxed: Value) -> Result<(), EvalError> {
        let broken = |why| Err(EvalError::Program { value: relaxed, why });
        let Some(&Op::Relax { value, amount, .. }) = program.ops.get(relaxed.index()) else {
            return broken("it does not smooth anything");
        };
        let is_known = |value| self.is_readable(value, Place::Vertex);
        let types = [value, amount, relaxed].map(|value| program.ty(value));
        if !is_known(amount) || self.place(value) != Place::Vertex {
            return broken("it smooths a value that is not known there");
        }
        if types[0] == Type::Bool || types[1] != Type::Float || types[2] != types[0] {
            return broken("only float and vec3 can be smoothed, by a float");
        }
        self.places[relaxed.index()] = Place::Vertex;
        Ok(())
    }

    fn pair_loop(
        &mut self,
        program: &Program,
        stage: usize,
        values: &[Value],
        sums: &[Value],
    ) -> Result<VertexRun, EvalError> {
        let here = Place::Pair(stage);
        let steps = self.define(program, values, here)?;
        let operands = steps.iter().flat_map(|step| program.op(step.value).operands());
        let mut read: Vec<Value> = operands.collect();
        // All are checked before any is known: in one loop no sum can feed on another.
        let checked = sums.iter().map(|&sum| self.check_sum(program, sum, here));
        let summands: Vec<(Value, usize)> = checked.collect::<Result<_, _>>()?;
        let mut weighted = Vec::with_capacity(sums.len());
        for (&sum, (value, column)) in sums.iter().zip(summands) {
            read.push(value);
            let summand = self.address(value, here);
            self.places[sum.index()] = Place::Vertex;
            weighted.push(WeightedSum { sum: self.address(sum, here), summand, column });
        }
        read.retain(|&value| self.place(value) == Place::Bone);
        read.sort_unstable();
        read.dedup();
        let column = |value: Value| self.schedule.bone_table.iter().position(|v| *v == value);
        let load = |value| Some((column(value)?, self.address(value, here)));
        let loads = read.into_iter().filter_map(load).collect();
        Ok(VertexRun::Pairs(PairLoop { stage, loads, steps, sums: weighted }))
    }

    /// Checks the values of one stage and says where they are from now on. Gives back what is to
    /// be computed there.
    fn define(
        &mut self,
        program: &Program,
        values: &[Value],
        here: Place,
    ) -> Result<Vec<Step>, EvalError> {
        let mut steps = Vec::with_capacity(values.len());
        for &value in values {
            let op = program
                .ops
                .get(value.index())
                .ok_or(EvalError::Program { value, why: "there is no such value" })?;
            // Constants are there from the start, and what is known need not be computed again.
            if self.is_readable(value, here) {
                continue;
            }
            self.check(program, value, op, here)?;
            self.places[value.index()] = here;
            let op = op.map_operands(|operand| Value(self.address(operand, here).0));
            steps.push(Step { value, op, result: self.address(value, here) });
        }
        Ok(steps)
    }

    fn check(
        &self,
        program: &Program,
        value: Value,
        op: &Op,
        here: Place,
    ) -> Result<(), EvalError> {
        let broken = |why| Err(EvalError::Program { value, why });
        if op.operands().any(|operand| !self.is_readable(operand, here)) {
            return broken("it is made from a value that is not known there");
        }
        let Some((ty, rate)) = result(program, op) else {
            return broken("its operands do not fit, or it refers to nothing");
        };
        let is_here = match here {
            Place::Frame => rate == Rate::Frame,
            Place::Bone => matches!(rate, Rate::Frame | Rate::Bone),
            Place::Vertex => matches!(rate, Rate::Frame | Rate::Vertex),
            Place::Pair(_) => true,
            Place::Nowhere => false,
        };
        if !is_here {
            return broken("it stands in a stage that cannot read its data");
        }
        if let Op::Motion(_, window) = *op
            && self.place(window) != Place::Frame
        {
            return broken("the window of a motion must be the same for the whole character");
        }
        if program.ty(value) != ty {
            broken("its type is not what its operation gives")
        } else {
            Ok(())
        }
    }

    fn is_readable(&self, operand: Value, here: Place) -> bool {
        match self.place(operand) {
            Place::Nowhere => false,
            Place::Frame => true,
            Place::Bone => matches!(here, Place::Bone | Place::Pair(_)),
            Place::Vertex => matches!(here, Place::Vertex | Place::Pair(_)),
            pair => pair == here,
        }
    }

    /// What is summed, with which column.
    fn check_sum(
        &self,
        program: &Program,
        sum: Value,
        here: Place,
    ) -> Result<(Value, usize), EvalError> {
        let broken = |why| Err(EvalError::Program { value: sum, why });
        let Some(&Op::Sum { value, column }) = program.ops.get(sum.index()) else {
            return broken("it is no sum");
        };
        let column = column as usize;
        if !self.is_readable(value, here) || column >= program.tables.columns.len() {
            return broken("it sums a value that is not known there");
        }
        let ty = program.ty(value);
        if ty == Type::Bool || program.ty(sum) != ty {
            return broken("only float and vec3 can be summed");
        }
        Ok((value, column))
    }
}

/// The type of an operation's result, and the least rate of what it reads itself; None where it
/// cannot be run. Operations are tried on zeros: what [`semantics::apply`] takes, it takes always.
fn result(program: &Program, op: &Op) -> Option<(Type, Rate)> {
    let tables = &program.tables;
    let entry =
        |index: u32, count: usize, rate| ((index as usize) < count).then_some((Type::Float, rate));
    let as_bool = |entry: Option<(Type, Rate)>| entry.map(|(_, rate)| (Type::Bool, rate));
    match *op {
        Op::Source(source) => Some((source.info().ty(), source.info().rate)),
        Op::Parameter(index, ty) => {
            let parameter = tables.parameters.get(index as usize)?;
            (parameter.value.ty() == ty).then_some((ty, Rate::Frame))
        }
        Op::Map(index) => entry(index, tables.maps.len(), Rate::Vertex),
        Op::MapIsThere(index) => as_bool(entry(index, tables.maps.len(), Rate::Frame)),
        Op::BoneTable(index) => entry(index, tables.bone_tables.len(), Rate::Bone),
        Op::BoneTableIsSet(index) => as_bool(entry(index, tables.bone_tables.len(), Rate::Bone)),
        Op::BoneSet(index) => entry(index, tables.bone_sets.len(), Rate::Bone),
        Op::Weight(index) => entry(index, tables.columns.len(), Rate::Influence),
        Op::State(index) => tables.states.get(index as usize).map(|state| (state.ty, state.rate)),
        Op::Ago { history, secs, now } => {
            let history = tables.histories.get(history as usize)?;
            let fits = program.ty(secs) == Type::Float && program.ty(now) == history.ty;
            fits.then_some((history.ty, history.rate))
        }
        Op::Motion(_, window) => {
            (program.ty(window) == Type::Float).then_some((Type::Vec3, Rate::Bone))
        }
        Op::Component(_, 3..) | Op::Sum { .. } | Op::Relax { .. } => None,
        _ => {
            let result = semantics::apply(op, |operand| Number::zero(program.ty(operand)))?;
            Some((result.ty(), Rate::Frame))
        }
    }
}
