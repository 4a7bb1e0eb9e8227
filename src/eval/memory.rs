//! What nodes remember: how it is laid out, what one moment recalls of it, and how one step goes on.
//!
//! ```text
//! states    one list of numbers; a state of bones has a column per component, a number per bone in it
//! history   a list of rows of such numbers, one for each step that has ended
//! ```
//! Only a [`Stepper`] makes new ones. Evaluating a moment reads them and changes nothing, so it does
//! not matter how often, or in which order, moments are evaluated.

use super::host::{HerdTables, Needs, run_host_stages_of_herd};
use super::plan::{Plan, RunsAt};
use super::record::Record;
use super::registers::{Address, Lanes};
use super::{Bound, EvalError, Moment, validate};
use glam::DVec3;
use jounce_base::parallel::*;
use jounce_ir::{Number, Program, Rate, Type, Value, semantics};
use jounce_rig::flesh::Flesh;
use std::sync::Arc;

/// Where the numbers of states, or of histories, stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MemoryLayout {
    slots: Vec<Slot>,
    bones: usize,
    length: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Slot {
    first: usize,
    ty: Type,
    is_of_bones: bool,
    /// Goes along where its bone is put elsewhere.
    is_place: bool,
}

impl MemoryLayout {
    pub fn of_states(program: &Program, bones: usize) -> MemoryLayout {
        let states = program.tables.states.iter();
        MemoryLayout::new(states.map(|state| (state.ty, state.rate, state.is_place)), bones)
    }

    pub fn of_histories(program: &Program, bones: usize) -> MemoryLayout {
        let histories = program.tables.histories.iter();
        MemoryLayout::new(histories.map(|history| (history.ty, history.rate, false)), bones)
    }

    fn new(values: impl Iterator<Item = (Type, Rate, bool)>, bones: usize) -> MemoryLayout {
        let mut layout = MemoryLayout { slots: Vec::new(), bones, length: 0 };
        for (ty, rate, is_place) in values {
            let (first, is_of_bones) = (layout.length, rate == Rate::Bone);
            let slot = Slot { first, ty, is_of_bones, is_place: is_place && is_of_bones };
            layout.length += slot.components() * layout.count(&slot);
            layout.slots.push(slot);
        }
        layout
    }

    fn count(&self, slot: &Slot) -> usize {
        if slot.is_of_bones { self.bones } else { 1 }
    }

    /// Numbers in all.
    pub fn len(&self) -> usize {
        self.length
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub fn has_places(&self) -> bool {
        self.slots.iter().any(|slot| slot.is_place)
    }

    /// Takes what are points of the scene along with their bones, or rows behind bones.
    fn carry(&self, numbers: &mut [f64], jumps: &[DVec3]) {
        for slot in self.slots.iter().filter(|slot| slot.is_place) {
            for (bone, jump) in jumps.iter().enumerate().take(self.bones) {
                for (place, x) in self.places(slot, bone).zip(jump.to_array()) {
                    numbers[place] += x;
                }
            }
        }
    }

    fn places(&self, slot: &Slot, bone: usize) -> impl Iterator<Item = usize> {
        let (count, bone) = (self.count(slot), if slot.is_of_bones { bone } else { 0 });
        let first = slot.first;
        (0..slot.components()).map(move |component| first + component * count + bone)
    }

    /// The columns of one of them: a number per bone each, or one for all.
    pub fn columns<'n>(&self, numbers: &'n [f64], place: usize) -> impl Iterator<Item = &'n [f64]> {
        let slot = &self.slots[place];
        let columns = numbers[slot.first..].chunks_exact(self.count(slot).max(1));
        columns.take(slot.components())
    }

    pub fn get(&self, numbers: &[f64], place: usize, bone: usize) -> Number {
        let slot = &self.slots[place];
        let mut raw = [0.0; 3];
        raw.iter_mut().zip(self.places(slot, bone)).for_each(|(x, place)| *x = numbers[place]);
        match slot.ty {
            Type::Float => Number::Float(raw[0]),
            Type::Bool => Number::Bool(raw[0] != 0.0),
            Type::Vec3 => Number::Vec3(DVec3::from_array(raw)),
        }
    }
}

impl Slot {
    fn components(&self) -> usize {
        if self.ty == Type::Vec3 { 3 } else { 1 }
    }
}

/// What one moment recalls: what was kept when the last step ended, and how long that is ago.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateSnapshot {
    /// Since then: above 0, at most `grid_secs`.
    pub since_step_secs: f64,
    /// From step to step.
    pub grid_secs: f64,
    pub states: Arc<Vec<f64>>,
    pub record: Arc<Record>,
    /// The last step that counts of the record.
    pub newest_step: i64,
}

impl StateSnapshot {
    /// Some seconds before the moment, between rows on a straight line. Before the first row it was always
    /// so.
    pub fn ago(&self, secs: f64) -> Ago<'_> {
        // Nobody sees into the future.
        if self.record.is_empty() || !(secs > 0.0) {
            return Ago::Now;
        }
        let row = |step: i64| self.record.row(step);
        if secs <= self.since_step_secs {
            return Ago::SinceStep(row(self.newest_step), secs / self.since_step_secs);
        }
        let steps = semantics::divide(secs - self.since_step_secs, self.grid_secs);
        let whole = libm::floor(steps);
        let newer = self.newest_step - whole.min(1e9) as i64;
        Ago::Between(row(newer), row(newer - 1), steps - whole)
    }
}

/// A time in the past, as rows of histories and how far it is from the first to the second.
#[derive(Clone, Copy)]
pub enum Ago<'r> {
    Now,
    /// From now to the last row.
    SinceStep(&'r [f64], f64),
    Between(&'r [f64], &'r [f64], f64),
}

impl Ago<'_> {
    /// What a history was then.
    pub fn of(&self, layout: &MemoryLayout, history: usize, bone: usize, now: Number) -> Number {
        let of = |row: &[f64]| layout.get(row, history, bone);
        match *self {
            Ago::Now => now,
            Ago::SinceStep(row, t) => mix(now, of(row), t),
            Ago::Between(newer, older, t) => mix(of(newer), of(older), t),
        }
    }
}

fn mix(a: Number, b: Number, t: f64) -> Number {
    match (a, b) {
        (Number::Float(a), Number::Float(b)) => Number::Float(a + (b - a) * t),
        (Number::Vec3(a), Number::Vec3(b)) => Number::Vec3(a + (b - a) * t),
        (a, b) => {
            if t < 0.5 {
                a
            } else {
                b
            }
        }
    }
}

/// A program made ready to step: only what is remembered is computed.
pub struct Stepper {
    program: Program,
    plan: Plan,
    needs: Needs,
    next: Vec<Kept>,
    initial: Vec<Kept>,
    recorded: Vec<Kept>,
}

/// Where what is kept is found when the stages have run.
#[derive(Clone, Copy)]
enum Kept {
    /// A place in the bone table.
    Bones(usize),
    Frame(Address),
}

/// What is kept when a step ends.
pub struct Step {
    pub states: Vec<f64>,
    /// A row of histories.
    pub row: Vec<f64>,
}

/// Rows that go through the stage of bones together, of as many characters as they take: enough to keep its
/// loops busy, few enough for their columns to stay in the nearest cache. `cargo bench --bench time` tells.
pub const HERD_ROWS: usize = 224;

impl Stepper {
    pub fn new(program: &Program, bound: &Bound) -> Result<Stepper, EvalError> {
        program.validate()?;
        if program.remembers() && program.memory.values().next().is_none() {
            // A part of a program, made to show a value: it can be evaluated, but nothing in it goes on.
            let why = "it remembers, but does not say what comes next";
            return Err(EvalError::Program { value: program.position, why });
        }
        let program = program.stepping();
        let watched: Vec<Value> = program.memory.values().collect();
        let plan = Plan::of_valid(&program, &watched);
        let table = &plan.schedule.bone_table;
        let kept = |&value: &Value| match table.iter().position(|known| *known == value) {
            Some(place) if bound.row_count() > 0 => Kept::Bones(place),
            _ => Kept::Frame(plan.address(value, RunsAt::Frame)),
        };
        let all = |values: &[Value]| values.iter().map(kept).collect();
        let memory = &program.memory;
        let (next, initial) = (all(&memory.next), all(&memory.initial));
        let recorded = all(&memory.recorded);
        let needs = Needs::new(&program, bound);
        Ok(Stepper { needs, next, initial, recorded, program, plan })
    }

    /// What a moment needs to know to be stepped.
    pub fn program(&self) -> &Program {
        &self.program
    }

    pub fn states(&self) -> &MemoryLayout {
        &self.needs.states
    }

    pub fn histories(&self) -> &MemoryLayout {
        &self.needs.histories
    }

    /// What is remembered, where bones were put from one place to another without moving.
    pub fn carried(
        &self,
        bound: &Bound,
        states: &Arc<Vec<f64>>,
        from: &[DVec3],
        to: &[DVec3],
    ) -> Arc<Vec<f64>> {
        if !self.needs.states.has_places() || from.len() != to.len() {
            return states.clone();
        }
        let mut jumps: Vec<DVec3> = from.iter().zip(to).map(|(from, to)| *to - *from).collect();
        // The middle of a virtual bone is a mean of origins, so its jump is the mean of theirs.
        let middle = |flesh: &Flesh| flesh.virtual_bone(&jumps).middle();
        let of_flesh: Vec<DVec3> = bound.flesh.iter().map(middle).collect();
        jumps.extend(of_flesh);
        // Rows of anchors stand where their bones do.
        let of_anchors: Vec<DVec3> = bound.anchors.rows.iter().map(|row| jumps[row.bone]).collect();
        jumps.extend(of_anchors);
        let mut states = states.to_vec();
        self.needs.states.carry(&mut states, &jumps);
        Arc::new(states)
    }

    /// How it begins, at this moment. There is nothing to recall yet: states read as 0.
    pub fn start(&self, bound: &Bound, moment: &mut Moment) -> Result<Step, EvalError> {
        moment.snapshot.states = Arc::new(vec![0.0; self.needs.states.len()]);
        let tables = self.run(bound, std::slice::from_ref(moment), Vec::new())?;
        let end = StepEnd { stepper: self, tables: &tables, place: 0 };
        Ok(Step { states: end.initial_states(), row: end.row() })
    }

    /// The end of a step that began with what the moment recalls.
    pub fn step(&self, bound: &Bound, moment: &Moment) -> Result<Step, EvalError> {
        let moments = std::slice::from_ref(moment);
        let mut steps = self.step_some(bound, moments, &mut Vec::new())?;
        steps.pop().ok_or(EvalError::Count { what: "list of steps", found: 0, expected: 1 })
    }

    /// The same for many of one character, each in a moment of its own. What one of them becomes does not
    /// depend on the others.
    pub fn step_all(&self, bound: &Bound, moments: &[Moment]) -> Result<Vec<Step>, EvalError> {
        let step = |numbers: &mut Vec<f64>, some: &[Moment]| self.step_some(bound, some, numbers);
        let characters = (HERD_ROWS / bound.row_count().max(1)).max(1);
        let some = moments.par_chunks(characters).map_init(Vec::new, step);
        let steps: Vec<Vec<Step>> = some.collect::<Result<_, _>>()?;
        Ok(steps.into_iter().flatten().collect())
    }

    /// `numbers` is a list to work in.
    fn step_some(
        &self,
        bound: &Bound,
        moments: &[Moment],
        numbers: &mut Vec<f64>,
    ) -> Result<Vec<Step>, EvalError> {
        let tables = self.run(bound, moments, std::mem::take(numbers))?;
        let end = |place| StepEnd { stepper: self, tables: &tables, place };
        let ends = (0..moments.len()).map(end);
        let steps = ends.map(|end| Step { states: end.next_states(), row: end.row() }).collect();
        *numbers = tables.bones.into_numbers();
        Ok(steps)
    }

    fn run(
        &self,
        bound: &Bound,
        moments: &[Moment],
        numbers: Vec<f64>,
    ) -> Result<HerdTables, EvalError> {
        let Stepper { program, plan, needs, .. } = self;
        validate::check_herd(program, bound, needs, moments)?;
        run_host_stages_of_herd(program, plan, bound, needs, moments, numbers)
    }
}

/// What one of a herd has come to.
struct StepEnd<'a> {
    stepper: &'a Stepper,
    tables: &'a HerdTables,
    /// Among the herd.
    place: usize,
}

impl StepEnd<'_> {
    fn initial_states(&self) -> Vec<f64> {
        let Stepper { initial, needs, .. } = self.stepper;
        made_sane(self.collect(&needs.states, initial))
    }

    fn next_states(&self) -> Vec<f64> {
        let Stepper { next, needs, .. } = self.stepper;
        let mut states = self.collect(&needs.states, next);
        // What has gone astray begins anew, or it would be lost for ever.
        if !validate::all_sane(states.iter().copied()) {
            for (x, initial) in states.iter_mut().zip(self.initial_states()) {
                *x = if validate::is_sane(*x) { *x } else { initial };
            }
        }
        states
    }

    fn row(&self) -> Vec<f64> {
        let Stepper { recorded, needs, .. } = self.stepper;
        made_sane(self.collect(&needs.histories, recorded))
    }

    fn collect(&self, layout: &MemoryLayout, kept: &[Kept]) -> Vec<f64> {
        let mut numbers = vec![0.0; layout.len()];
        for (slot, &kept) in layout.slots.iter().zip(kept) {
            let count = layout.count(slot);
            let columns = numbers[slot.first..].chunks_exact_mut(count.max(1));
            let columns = columns.take(slot.components());
            match kept {
                Kept::Bones(column) => {
                    let first_row = self.place * layout.bones;
                    for (to, from) in columns.zip(self.tables.bones.of(column)) {
                        to.copy_from_slice(&from[first_row..first_row + count]);
                    }
                }
                Kept::Frame(address) => {
                    let raw = self.tables.frames[self.place].raw(address, Lanes::default());
                    columns.zip(raw).for_each(|(to, x)| to.fill(x));
                }
            }
        }
        numbers
    }
}

/// What has gone astray, as 0.
fn made_sane(mut numbers: Vec<f64>) -> Vec<f64> {
    if !validate::all_sane(numbers.iter().copied()) {
        numbers.iter_mut().filter(|x| !validate::is_sane(**x)).for_each(|x| *x = 0.0);
    }
    numbers
}
