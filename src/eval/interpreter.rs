//! The scalar interpreter, in f64: one operation after the other, as [`super::plan`] has laid them
//! out.

use super::host::{HostTables, run_host_stages};
use super::plan::{Amount, PairLoop, Pass, Plan, PlannedOp, Relaxation, RunsAt, VertexRun};
use super::registers::{Address, LANES, Lanes, Registers};
use super::skinning::{Skinning, skinned};
use super::{Bound, Deformed, EvalError, Evaluator, Moment, validate};
use glam::DVec3;
use jounce_base::parallel::*;
use jounce_ir::op::Op;
use jounce_ir::source::{DataFrom, VertexVector};
use jounce_ir::{Number, Program, Type, Value, any_formula, any_loop, any_memory, semantics};
use jounce_rig::Skinned;
use std::ops::Range;

/// Vertices that one thread works on at a time.
const CHUNK: usize = 16 * LANES;

#[derive(Clone, Copy, Debug, Default)]
pub struct Interpreter;

/// What a value was, wherever it was computed.
#[derive(Clone, Debug, PartialEq)]
pub enum Probed {
    Frame(Number),
    Bones(Vec<Number>),
    Vertices(Vec<Number>),
    /// In the order of [`super::Pairs`].
    Pairs(Vec<Number>),
}

impl Evaluator for Interpreter {
    fn deform(
        &mut self,
        program: &Program,
        bound: &Bound,
        moment: &Moment,
    ) -> Result<Deformed, EvalError> {
        let positions = Interpreter::positions(program, bound, moment)?;
        let positions = positions.iter().map(|p| p.as_vec3()).collect();
        Ok(Deformed { positions, skinned: skinned(bound, &moment.skinning) })
    }
}

impl Interpreter {
    /// The deformed positions, not rounded.
    pub fn positions(
        program: &Program,
        bound: &Bound,
        moment: &Moment,
    ) -> Result<Vec<DVec3>, EvalError> {
        let value = program.position;
        let vector = |number: Number| match number {
            Number::Vec3(v) => Ok(v),
            _ => Err(EvalError::Program { value, why: "a position must be a vec3" }),
        };
        match Interpreter::probe(program, bound, moment, &[value])?.pop() {
            Some(Probed::Frame(number)) => Ok(vec![vector(number)?; bound.vertex_count()]),
            Some(Probed::Vertices(numbers)) => numbers.into_iter().map(vector).collect(),
            _ => Err(EvalError::Program { value, why: "a position must be one per vertex" }),
        }
    }

    /// Runs the program and gives back any of its values, in the order asked for. Vertices are left out
    /// where nobody asks for one.
    pub fn probe(
        program: &Program,
        bound: &Bound,
        moment: &Moment,
        values: &[Value],
    ) -> Result<Vec<Probed>, EvalError> {
        let plan = Plan::new(program, values)?;
        if let Some(&value) = values.iter().find(|&&value| plan.place(value) == RunsAt::Nowhere) {
            return Err(EvalError::Program { value, why: "no stage computes it" });
        }
        validate::check(program, bound, moment)?;
        let tables = run_host_stages(program, &plan, bound, moment)?;
        let is_pair = |value: &&Value| matches!(plan.place(**value), RunsAt::Pair(_));
        let watched: Vec<Value> = values.iter().filter(is_pair).copied().collect();
        let is_of_vertices = |value: &Value| plan.place(*value) == RunsAt::Vertex;
        let mut vertices = (KeptValues::new(), Vec::new());
        if !watched.is_empty() || values.iter().any(is_of_vertices) {
            let skinned = SkinnedVertices::new(bound, &moment.skinning);
            vertices = Run { bound, plan: &plan, skinned, tables: &tables }.run_vertices(&watched);
        }
        let (kept, of_pairs) = vertices;
        let mut of_pairs = of_pairs.into_iter();
        let number = |value: Value, raw: &[f64; 3]| as_number(program.ty(value), *raw);
        let probed = |&value: &Value| match plan.place(value) {
            RunsAt::Bone => {
                let table = &plan.schedule.bone_table;
                let column = table.iter().position(|&known| known == value).unwrap_or(0);
                let bones = 0..bound.row_count();
                Probed::Bones(
                    bones.map(|bone| number(value, &tables.bones.raw(bone, column))).collect(),
                )
            }
            RunsAt::Vertex => {
                let slot = plan.schedule.kept.iter().position(|&known| known == value);
                let kept = slot.map(|slot| kept[slot].as_slice()).unwrap_or_default();
                Probed::Vertices(kept.iter().map(|raw| number(value, raw)).collect())
            }
            RunsAt::Pair(_) => Probed::Pairs(of_pairs.next().unwrap_or_default()),
            RunsAt::Frame | RunsAt::Nowhere => {
                Probed::Frame(number(value, &tables.of_frame(&plan, value)))
            }
        };
        Ok(values.iter().map(probed).collect())
    }
}

fn as_number(ty: Type, [x, y, z]: [f64; 3]) -> Number {
    match ty {
        Type::Float => Number::Float(x),
        Type::Bool => Number::Bool(x != 0.0),
        Type::Vec3 => Number::Vec3(DVec3::new(x, y, z)),
    }
}

/// What was given is not rounded, what is skinned here comes in single precision.
enum SkinnedVertices<'a> {
    Given(&'a [DVec3], &'a [DVec3]),
    Posed(Skinned),
}

impl SkinnedVertices<'_> {
    fn new<'a>(bound: &Bound, skinning: &'a Skinning) -> SkinnedVertices<'a> {
        match skinning {
            Skinning::Given { positions, normals } => SkinnedVertices::Given(positions, normals),
            Skinning::Posed(_) => SkinnedVertices::Posed(skinned(bound, skinning)),
        }
    }

    fn position(&self, vertex: usize) -> DVec3 {
        match self {
            SkinnedVertices::Given(positions, _) => positions[vertex],
            SkinnedVertices::Posed(skinned) => skinned.positions[vertex].as_dvec3(),
        }
    }

    fn normal(&self, vertex: usize) -> DVec3 {
        match self {
            SkinnedVertices::Given(_, normals) => normals[vertex],
            SkinnedVertices::Posed(skinned) => skinned.normals[vertex].as_dvec3(),
        }
    }
}

/// What the loops stand at. Only what a stage may read is meaningful in it.
#[derive(Clone, Copy, Default)]
struct At {
    vertex: usize,
    pair: usize,
}

/// Per place in [`jounce_ir::Schedule::kept`] one entry per vertex.
type KeptValues = Vec<Vec<[f64; 3]>>;

struct Run<'a> {
    bound: &'a Bound,
    plan: &'a Plan,
    skinned: SkinnedVertices<'a>,
    tables: &'a HostTables,
}

impl Run<'_> {
    #[inline]
    fn step(&self, step: &PlannedOp, registers: &mut Registers, lanes: Lanes, at: At) {
        let of = |operand: Value| registers.get(Address(operand.0), lanes);
        let number = match semantics::apply(&step.op, of) {
            Some(number) => number,
            None => self.read(&step.op, at),
        };
        registers.set(step.result, lanes, number);
    }

    #[inline(never)]
    fn read(&self, op: &Op, at: At) -> Number {
        let bound = self.bound;
        match *op {
            Op::Source(source) => match source.info().from {
                DataFrom::Skinning(VertexVector::Position) => {
                    Number::Vec3(self.skinned.position(at.vertex))
                }
                DataFrom::Skinning(VertexVector::Normal) => {
                    Number::Vec3(self.skinned.normal(at.vertex))
                }
                DataFrom::RestPose(VertexVector::Position) => {
                    Number::Vec3(bound.rest_positions[at.vertex])
                }
                DataFrom::RestPose(VertexVector::Normal) => {
                    Number::Vec3(bound.rest_normals[at.vertex])
                }
                // Of frame and bones; a table of vertices is read as a map.
                DataFrom::Clock
                | DataFrom::Step
                | DataFrom::Character
                | DataFrom::Pose
                | DataFrom::VertexTable(_) => Number::zero(source.info().ty()),
            },
            Op::Map(index) => {
                let map = bound.maps[index as usize].as_ref();
                Number::Float(map.map_or(0.0, |map| map[at.vertex]))
            }
            Op::Weight(index) => Number::Float(bound.weights[index as usize][at.pair]),
            // Of frame and bones.
            Op::Parameter(..)
            | Op::MapIsThere(_)
            | Op::BoneTable(_)
            | Op::BoneTableIsSet(_)
            | Op::BoneSet(_)
            | Op::Motion(..)
            | any_memory!() => Number::Float(0.0),
            // Computed from operands, or by loops of their own.
            Op::Constant(..) | any_formula!() | any_loop!() => Number::Float(0.0),
        }
    }

    /// What was kept, and per watched value of pairs what it was at every pair.
    fn run_vertices(&self, watched: &[Value]) -> (KeptValues, Vec<Vec<Number>>) {
        let vertices = self.bound.vertex_count();
        let mut kept: KeptValues = vec![vec![[0.0; 3]; vertices]; self.plan.schedule.kept.len()];
        let mut of_pairs: Vec<Vec<Number>> = vec![Vec::new(); watched.len()];
        for pass in &self.plan.passes {
            for chunk in self.run_pass(pass, &kept, watched) {
                for (stored, (_, slot)) in chunk.stored.iter().zip(&pass.stores) {
                    kept[*slot][chunk.first..chunk.first + stored.len()].copy_from_slice(stored);
                }
                of_pairs.iter_mut().zip(chunk.watch).for_each(|(all, some)| all.extend(some));
            }
            for relaxation in &pass.relaxations {
                self.relax(relaxation, &mut kept);
            }
        }
        (kept, of_pairs)
    }

    /// In the order of the vertices.
    fn run_pass(&self, pass: &Pass, kept: &KeptValues, watched: &[Value]) -> Vec<Chunk> {
        let vertices = self.bound.vertex_count();
        let starts: Vec<usize> = (0..vertices).step_by(CHUNK).collect();
        let run_chunk = |registers: &mut Registers, first: usize| {
            let end = vertices.min(first + CHUNK);
            let mut chunk = Chunk {
                first,
                stored: vec![Vec::with_capacity(end - first); pass.stores.len()],
                watch: vec![Vec::new(); watched.len()],
            };
            for start in (first..end).step_by(LANES) {
                let some = start..end.min(start + LANES);
                self.run_some(pass, kept, some, registers, watched, &mut chunk);
            }
            chunk
        };
        starts.into_par_iter().map_init(|| self.tables.frame.with_lanes(), run_chunk).collect()
    }

    /// At most [`LANES`] vertices.
    fn run_some(
        &self,
        pass: &Pass,
        kept: &KeptValues,
        vertices: Range<usize>,
        registers: &mut Registers,
        watched: &[Value],
        chunk: &mut Chunk,
    ) {
        let lanes = |vertex: usize| Lanes { vertex, pair: 0 };
        for &(slot, address) in &pass.loads {
            for (lane, vertex) in vertices.clone().enumerate() {
                registers.set_raw(address, lanes(lane), kept[slot][vertex]);
            }
        }
        for run in &pass.runs {
            match run {
                VertexRun::Vertex(steps) => {
                    for step in steps {
                        for (lane, vertex) in vertices.clone().enumerate() {
                            let at = At { vertex, ..At::default() };
                            self.step(step, registers, lanes(lane), at);
                        }
                    }
                }
                VertexRun::Pairs(pair_loop) => {
                    let here = RunsAt::Pair(pair_loop.stage);
                    for (lane, vertex) in vertices.clone().enumerate() {
                        self.run_pairs(pair_loop, (lane, vertex), registers, |registers, lanes| {
                            self.note(here, registers, lanes, watched, &mut chunk.watch);
                        });
                    }
                }
            }
        }
        for (&(address, _), stored) in pass.stores.iter().zip(&mut chunk.stored) {
            stored.extend((0..vertices.len()).map(|lane| registers.raw(address, lanes(lane))));
        }
    }

    fn run_pairs(
        &self,
        pair_loop: &PairLoop,
        (vertex_lane, vertex): (usize, usize),
        registers: &mut Registers,
        mut after_each: impl FnMut(&Registers, Lanes),
    ) {
        let lanes = |pair: usize| Lanes { vertex: vertex_lane, pair };
        for sum in &pair_loop.sums {
            registers.clear(sum.sum, lanes(0));
        }
        let pairs = self.bound.pairs.of(vertex);
        for first in pairs.clone().step_by(LANES) {
            let count = LANES.min(pairs.end - first);
            let bones = &self.bound.pairs.bones[first..first + count];
            self.load_bones(pair_loop, bones, registers);
            for step in &pair_loop.steps {
                for lane in 0..count {
                    let at = At { vertex, pair: first + lane };
                    self.step(step, registers, lanes(lane), at);
                }
            }
            for sum in &pair_loop.sums {
                let weights = &self.bound.weights[sum.column][first..first + count];
                for (lane, &weight) in weights.iter().enumerate() {
                    registers.add_weighted(sum.sum, weight, sum.summand, lanes(lane));
                }
            }
            (0..count).for_each(|lane| after_each(registers, lanes(lane)));
        }
    }

    fn load_bones(&self, pair_loop: &PairLoop, bones: &[u32], registers: &mut Registers) {
        for &(column, address) in &pair_loop.loads {
            for (lane, &bone) in bones.iter().enumerate() {
                let raw = self.tables.bones.raw(bone as usize, column);
                registers.set_raw(address, Lanes { vertex: 0, pair: lane }, raw);
            }
        }
    }

    /// Keeps what is watched and was computed at this place.
    fn note(
        &self,
        place: RunsAt,
        registers: &Registers,
        lanes: Lanes,
        watched: &[Value],
        watch: &mut [Vec<Number>],
    ) {
        for (&value, watch) in watched.iter().zip(watch) {
            if self.plan.place(value) == place {
                watch.push(registers.get(self.plan.address(value, place), lanes));
            }
        }
    }

    /// x ← x + a · (mean over the neighbours − x), again and again, from one copy to the other.
    fn relax(&self, relaxation: &Relaxation, kept: &mut KeptValues) {
        let amount = |vertex: usize| {
            let amount = match relaxation.amount {
                Amount::Kept(slot) => kept[slot][vertex][0],
                Amount::Frame(address) => self.tables.frame.raw(address, Lanes::default())[0],
            };
            semantics::max(semantics::min(amount, 1.0), 0.0)
        };
        let vertices = self.bound.vertex_count();
        let mut from = kept[relaxation.from].clone();
        for _ in 0..relaxation.passes {
            let smoothed = |vertex: usize| {
                let around = self.bound.neighbours.of(vertex);
                if around.is_empty() {
                    return from[vertex];
                }
                let (own, amount) = (from[vertex], amount(vertex));
                let mean = |i: usize| {
                    let sum: f64 = around.iter().map(|&other| from[other as usize][i]).sum();
                    sum / around.len() as f64
                };
                [0, 1, 2].map(|i| own[i] + amount * (mean(i) - own[i]))
            };
            from = (0..vertices).into_par_iter().map(smoothed).collect();
        }
        kept[relaxation.to] = from;
    }
}

/// What a run of vertices leaves.
struct Chunk {
    first: usize,
    /// Per store of the pass one entry per vertex.
    stored: Vec<Vec<[f64; 3]>>,
    watch: Vec<Vec<Number>>,
}
