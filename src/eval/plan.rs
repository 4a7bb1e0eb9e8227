//! A program made ready to run: validated, so that running it cannot fail, and sorted by loops.
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
use jounce_ir::source::DataFrom;
use jounce_ir::{
    Program, Schedule, Stage, Type, Value, any_formula, any_loop, any_memory, validate,
};

pub struct Plan {
    /// Registers of the frame with all constants in them.
    pub constants: Registers,
    pub frame: Vec<PlannedOp>,
    /// Do values of the frame depend on sliders, the character and the length of a step alone?
    pub frame_is_of_sliders: bool,
    pub bone: BoneCode,
    /// Motions that are asked for, each with its part and its window.
    pub motions: Vec<(Value, MotionPart, Value)>,
    pub passes: Vec<Pass>,
    /// What is handed on, including what is watched.
    pub schedule: Schedule,
    /// Where each value can be read when everything has run.
    places: Vec<RunsAt>,
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
    Vertex(Vec<PlannedOp>),
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
pub struct PlannedOp {
    pub value: Value,
    pub op: Op,
    pub result: Address,
}

pub struct PairLoop {
    /// Its place among the program's stages.
    pub stage: usize,
    /// What to copy from the bone table before each pair: from its column to an address.
    pub loads: Vec<(usize, Address)>,
    pub steps: Vec<PlannedOp>,
    pub sums: Vec<WeightedSum>,
}

pub struct WeightedSum {
    pub sum: Address,
    pub summand: Address,
    pub column: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunsAt {
    Nowhere,
    Frame,
    Bone,
    Vertex,
    /// In the loop over pairs that is this stage of the program.
    Pair(usize),
}

impl Plan {
    /// Of a program that enters an evaluator. `watched` are values that somebody wants to read afterwards.
    pub fn new(program: &Program, watched: &[Value]) -> Result<Plan, EvalError> {
        program.validate()?;
        Ok(Plan::of_valid(program, watched))
    }

    /// Of a program that was validated, or made from one that was.
    pub fn of_valid(program: &Program, watched: &[Value]) -> Plan {
        const { assert!(validate::MOST_VALUES <= MOST_VALUES) };
        let count = program.ops.len();
        let constant = |op: &Op| match op.as_constant() {
            Some(_) => RunsAt::Frame,
            None => RunsAt::Nowhere,
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
                let address = plan.address(Value(index as u32), RunsAt::Frame);
                plan.constants.set(address, Lanes::default(), number);
            }
        }
        let mut runs: Vec<Option<VertexRun>> = Vec::with_capacity(program.stages.len());
        let mut of_bones = Vec::new();
        for (place, stage) in program.stages.iter().enumerate() {
            runs.push(plan.add(program, place, stage, &mut of_bones));
        }
        plan.bone = BoneCode::new(program, &of_bones, &plan.schedule.bone_table);
        plan.frame_is_of_sliders = !plan.frame.iter().any(|step| changes_by_itself(&step.op));
        plan.motions = plan.motions(program);
        plan.passes = plan.passes(program, runs);
        plan
    }

    fn motions(&self, program: &Program) -> Vec<(Value, MotionPart, Value)> {
        let motion = |(index, op): (usize, &Op)| {
            let Op::Motion(part, window) = *op else { return None };
            Some((Value(index as u32), part, window))
        };
        let all = program.ops.iter().enumerate().filter_map(motion);
        all.filter(|&(value, ..)| self.place(value) != RunsAt::Nowhere).collect()
    }

    fn passes(&self, program: &Program, mut runs: Vec<Option<VertexRun>>) -> Vec<Pass> {
        let address = |slot: usize| self.address(self.schedule.kept[slot], RunsAt::Vertex);
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
            None => Amount::Frame(self.address(amount, RunsAt::Vertex)),
        };
        Some(Relaxation { from: slot(from)?, to: slot(value)?, amount, passes })
    }

    pub fn place(&self, value: Value) -> RunsAt {
        self.places.get(value.index()).copied().unwrap_or(RunsAt::Nowhere)
    }

    /// Where a stage at `here` finds a value.
    pub fn address(&self, value: Value, here: RunsAt) -> Address {
        let lane = match (self.place(value), here) {
            (RunsAt::Vertex, _) => LaneOf::Vertex,
            // A pair has its own copy of what its bone knows.
            (RunsAt::Pair(_), _) | (RunsAt::Bone, RunsAt::Pair(_)) => LaneOf::Pair,
            (RunsAt::Frame | RunsAt::Bone | RunsAt::Nowhere, _) => LaneOf::None,
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
    ) -> Option<VertexRun> {
        match stage {
            Stage::Frame(values) => {
                let steps = self.define(program, values, RunsAt::Frame);
                self.frame.extend(steps);
            }
            Stage::Bone(values) => {
                let steps = self.define(program, values, RunsAt::Bone);
                of_bones.extend(steps.iter().map(|step| step.value));
            }
            Stage::Vertex(values) => {
                return Some(VertexRun::Vertex(self.define(program, values, RunsAt::Vertex)));
            }
            Stage::Influences { values, sums } => {
                return Some(self.pair_loop(program, place, values, sums));
            }
            Stage::Relax(value) => self.places[value.index()] = RunsAt::Vertex,
        }
        None
    }

    fn pair_loop(
        &mut self,
        program: &Program,
        stage: usize,
        values: &[Value],
        sums: &[Value],
    ) -> VertexRun {
        let here = RunsAt::Pair(stage);
        let steps = self.define(program, values, here);
        let operands = steps.iter().flat_map(|step| program.op(step.value).operands());
        let mut read: Vec<Value> = operands.collect();
        let mut weighted = Vec::with_capacity(sums.len());
        for &sum in sums {
            let Op::Sum { value, column } = *program.op(sum) else { continue };
            read.push(value);
            let summand = self.address(value, here);
            self.places[sum.index()] = RunsAt::Vertex;
            let (sum, column) = (self.address(sum, here), column as usize);
            weighted.push(WeightedSum { sum, summand, column });
        }
        read.retain(|&value| self.place(value) == RunsAt::Bone);
        read.sort_unstable();
        read.dedup();
        let column = |value: Value| self.schedule.bone_table.iter().position(|v| *v == value);
        let load = |value| Some((column(value)?, self.address(value, here)));
        let loads = read.into_iter().filter_map(load).collect();
        VertexRun::Pairs(PairLoop { stage, loads, steps, sums: weighted })
    }

    /// Says where the values of one stage are from now on. Gives back what is to be computed there.
    fn define(&mut self, program: &Program, values: &[Value], here: RunsAt) -> Vec<PlannedOp> {
        let mut steps = Vec::with_capacity(values.len());
        for &value in values {
            // Constants are there from the start, and what is known need not be computed again.
            if self.is_readable(value, here) {
                continue;
            }
            self.places[value.index()] = here;
            let op = program.op(value).map_operands(|operand| Value(self.address(operand, here).0));
            steps.push(PlannedOp { value, op, result: self.address(value, here) });
        }
        steps
    }

    fn is_readable(&self, operand: Value, here: RunsAt) -> bool {
        match self.place(operand) {
            RunsAt::Nowhere => false,
            RunsAt::Frame => true,
            RunsAt::Bone => matches!(here, RunsAt::Bone | RunsAt::Pair(_)),
            RunsAt::Vertex => matches!(here, RunsAt::Vertex | RunsAt::Pair(_)),
            pair => pair == here,
        }
    }
}

/// Of the frame: may it be another number at the next moment, though no slider was touched and the last step
/// was as long ago?
fn changes_by_itself(op: &Op) -> bool {
    match *op {
        Op::Source(source) => match source.info().from {
            DataFrom::Clock | DataFrom::Pose | DataFrom::Skinning(_) => true,
            DataFrom::Step
            | DataFrom::Character
            | DataFrom::RestPose(_)
            | DataFrom::VertexTable(_) => false,
        },
        any_memory!() | Op::Motion(..) => true,
        Op::Parameter(..)
        | Op::Map(_)
        | Op::MapIsThere(_)
        | Op::BoneTable(_)
        | Op::BoneTableIsSet(_)
        | Op::BoneSet(_)
        | Op::Weight(_)
        | Op::Constant(..)
        | any_formula!()
        | any_loop!() => false,
    }
}
