//! The scalar interpreter, in f64: one operation after the other, as [`super::plan`] has laid them
//! out.

use super::plan::{PairLoop, Place, Plan, Step, VertexRun};
use super::registers::{Address, LANES, Lanes, Registers};
use super::{Bound, Deformed, EvalError, Evaluator, Moment, door};
use crate::ir::op::{MotionPart, Op};
use crate::ir::{Number, Program, Source, Type, Value, semantics};
use crate::motion::BoneMotion;
use glam::DVec3;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

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
        Ok(Deformed { positions: positions.iter().map(|p| p.as_vec3()).collect() })
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

    /// Runs the program and gives back any of its values, in the order asked for.
    pub fn probe(
        program: &Program,
        bound: &Bound,
        moment: &Moment,
        values: &[Value],
    ) -> Result<Vec<Probed>, EvalError> {
        let plan = Plan::new(program, values)?;
        if let Some(&value) = values.iter().find(|&&value| plan.place(value) == Place::Nowhere) {
            return Err(EvalError::Program { value, why: "no stage computes it" });
        }
        door::check(program, bound, moment)?;
        let mut run = Run {
            program,
            bound,
            moment,
            plan: &plan,
            motions: vec![None; program.ops.len()],
            bone_table: Vec::new(),
        };
        let mut registers = Registers::new(program.ops.len());
        for (index, op) in program.ops.iter().enumerate() {
            if let Some(number) = op.as_constant() {
                let address = plan.address(Value(index as u32), Place::Frame);
                registers.set(address, Lanes::default(), number);
            }
        }
        for step in &plan.frame {
            run.step(step, &mut registers, Lanes::default(), At::default());
        }
        run.ask_motions(&registers)?;
        run.run_bones(&registers);
        let mut of_vertices = run.run_vertices(&registers, values).into_iter();
        let probed = |&value: &Value| {
            let of_vertices = of_vertices.next().unwrap_or_default();
            match plan.place(value) {
                Place::Bone => Probed::Bones(run.of_bones(value)),
                Place::Vertex => Probed::Vertices(of_vertices),
                Place::Pair(_) => Probed::Pairs(of_vertices),
                Place::Frame | Place::Nowhere => Probed::Frame(run.of_frame(value, &registers)),
            }
        };
        Ok(values.iter().map(probed).collect())
    }
}

/// What the loops stand at. Only what a stage may read is meaningful in it.
#[derive(Clone, Copy, Default)]
struct At {
    bone: usize,
    vertex: usize,
    pair: usize,
}

/// Of all bones; several values may share them.
type Motions = Arc<Vec<BoneMotion>>;

struct Run<'a> {
    program: &'a Program,
    bound: &'a Bound,
    moment: &'a Moment<'a>,
    plan: &'a Plan,
    /// Per value that is a motion: all bones'.
    motions: Vec<Option<Motions>>,
    /// A row per bone, a column per value of [`Plan::carried`].
    bone_table: Vec<[f64; 3]>,
}

impl Run<'_> {
    #[inline]
    fn step(&self, step: &Step, registers: &mut Registers, lanes: Lanes, at: At) {
        let of = |operand: Value| registers.get(Address(operand.0), lanes);
        let number = match semantics::apply(&step.op, of) {
            Some(number) => number,
            None => self.read(step.value, &step.op, at),
        };
        registers.set(step.result, lanes, number);
    }

    #[inline(never)]
    fn read(&self, value: Value, op: &Op, at: At) -> Number {
        let (bound, moment) = (self.bound, self.moment);
        match *op {
            Op::Source(source) => self.source(source, at),
            Op::Parameter(index, _) => moment.parameters.values[index as usize],
            Op::Map(index) => {
                let map = bound.maps[index as usize].as_ref();
                Number::Float(map.map_or(0.0, |map| map[at.vertex]))
            }
            Op::MapIsThere(index) => Number::Bool(bound.maps[index as usize].is_some()),
            Op::BoneTable(index) => {
                Number::Float(bound.bone_tables[index as usize][at.bone].unwrap_or(0.0))
            }
            Op::BoneTableIsSet(index) => {
                Number::Bool(bound.bone_tables[index as usize][at.bone].is_some())
            }
            Op::BoneSet(index) => Number::Float(bound.bone_sets[index as usize][at.bone]),
            Op::Weight(index) => Number::Float(bound.weights[index as usize][at.pair]),
            Op::Motion(part, _) => {
                let motions = self.motions[value.index()].as_ref();
                Number::Vec3(motions.map_or(DVec3::ZERO, |all| part_of(&all[at.bone], part)))
            }
            // All others were computed; the plan has tried them.
            _ => Number::zero(self.program.ty(value)),
        }
    }

    fn source(&self, source: Source, at: At) -> Number {
        let (bound, moment) = (self.bound, self.moment);
        let (bone, vertex) = (at.bone, at.vertex);
        let vector_part = |q: glam::DQuat| Number::Vec3(q.xyz());
        match source {
            Source::Time => Number::Float(moment.time_secs),
            Source::CharacterSize => Number::Float(bound.size),
            Source::GroundHeight => Number::Float(bound.ground_height),
            Source::CharacterHeight => Number::Float(bound.height),
            Source::BoneOrigin => Number::Vec3(moment.bone_origins[bone]),
            Source::BoneRotation => vector_part(moment.bone_rotations[bone]),
            Source::BoneRotationW => Number::Float(moment.bone_rotations[bone].w),
            Source::BoneParentRotation => vector_part(moment.bone_parent_rotations[bone]),
            Source::BoneParentRotationW => Number::Float(moment.bone_parent_rotations[bone].w),
            Source::BoneCentroid => Number::Vec3(moment.bone_centroids[bone]),
            Source::BoneExactCentroid => Number::Vec3(moment.bone_exact_centroids[bone]),
            Source::BoneIsRoot => Number::Float(bound.bone_is_root[bone]),
            Source::BoneDepth => Number::Float(bound.bone_depths[bone]),
            Source::SkinnedPosition => Number::Vec3(moment.skinned_positions[vertex]),
            Source::SkinnedNormal => Number::Vec3(moment.skinned_normals[vertex]),
            Source::RestPosition => Number::Vec3(bound.rest_positions[vertex]),
            Source::RestNormal => Number::Vec3(bound.rest_normals[vertex]),
        }
    }

    /// Asks for each motion once, now that the windows are known.
    fn ask_motions(&mut self, registers: &Registers) -> Result<(), EvalError> {
        let mut known: Vec<((bool, f64), Motions)> = Vec::new();
        for (index, op) in self.program.ops.iter().enumerate() {
            let Op::Motion(part, window) = *op else {
                continue;
            };
            let is_computed = self.plan.place(Value(index as u32)) != Place::Nowhere;
            let Number::Float(wanted_secs) = self.of_frame(window, registers) else {
                continue;
            };
            if !is_computed {
                continue;
            }
            let request = (part.is_acceleration(), door::window_secs(wanted_secs));
            let found = known.iter().find(|(asked, _)| *asked == request);
            let motions = match found {
                Some((_, motions)) => motions.clone(),
                None => {
                    let (is_acceleration, window_secs) = request;
                    let motions =
                        door::ask_motion(is_acceleration, window_secs, self.bound, self.moment)?;
                    let motions = Arc::new(motions);
                    known.push((request, motions.clone()));
                    motions
                }
            };
            self.motions[index] = Some(motions);
        }
        Ok(())
    }

    fn run_bones(&mut self, frame: &Registers) {
        let mut registers = frame.clone();
        let mut table = Vec::with_capacity(self.bound.bone_count() * self.plan.carried.len());
        for bone in 0..self.bound.bone_count() {
            for step in &self.plan.bone {
                self.step(step, &mut registers, Lanes::default(), At { bone, ..At::default() });
            }
            let address = |&value: &Value| self.plan.address(value, Place::Bone);
            let carried = self.plan.carried.iter().map(address);
            table.extend(carried.map(|address| registers.raw(address, Lanes::default())));
        }
        self.bone_table = table;
    }

    fn of_frame(&self, value: Value, registers: &Registers) -> Number {
        registers.get(self.plan.address(value, Place::Frame), Lanes::default())
    }

    fn of_bones(&self, value: Value) -> Vec<Number> {
        let carried = &self.plan.carried;
        let column = carried.iter().position(|&carried| carried == value).unwrap_or(0);
        let rows = self.bone_table.chunks_exact(carried.len().max(1));
        let number = |[x, y, z]: [f64; 3]| match self.program.ty(value) {
            Type::Float => Number::Float(x),
            Type::Bool => Number::Bool(x != 0.0),
            Type::Vec3 => Number::Vec3(DVec3::new(x, y, z)),
        };
        rows.map(|row| number(row[column])).collect()
    }

    /// Per watched value what it was at every vertex or pair; nothing for all others.
    fn run_vertices(&self, frame: &Registers, watched: &[Value]) -> Vec<Vec<Number>> {
        let vertices = self.bound.vertex_count();
        let starts: Vec<usize> = (0..vertices).step_by(CHUNK).collect();
        let run_chunk = |registers: &mut Registers, start: usize| {
            let mut watch: Vec<Vec<Number>> = vec![Vec::new(); watched.len()];
            let end = vertices.min(start + CHUNK);
            for first in (start..end).step_by(LANES) {
                let some = first..end.min(first + LANES);
                self.run_some(some, registers, watched, &mut watch);
            }
            watch
        };
        let init = || frame.clone();
        let chunks: Vec<Vec<Vec<Number>>> =
            starts.into_par_iter().map_init(init, run_chunk).collect();
        let mut all: Vec<Vec<Number>> = vec![Vec::new(); watched.len()];
        for chunk in chunks {
            all.iter_mut().zip(chunk).for_each(|(all, chunk)| all.extend(chunk));
        }
        all
    }

    /// At most [`LANES`] vertices.
    fn run_some(
        &self,
        vertices: Range<usize>,
        registers: &mut Registers,
        watched: &[Value],
        watch: &mut [Vec<Number>],
    ) {
        for (place, run) in self.plan.vertex.iter().enumerate() {
            match run {
                VertexRun::Vertex(steps) => {
                    for step in steps {
                        for (lane, vertex) in vertices.clone().enumerate() {
                            let at = At { vertex, ..At::default() };
                            self.step(step, registers, Lanes { vertex: lane, pair: 0 }, at);
                        }
                    }
                }
                VertexRun::Pairs(pair_loop) => {
                    for (lane, vertex) in vertices.clone().enumerate() {
                        self.run_pairs(pair_loop, (lane, vertex), registers, |registers, lanes| {
                            self.note(Place::Pair(place), registers, lanes, watched, watch);
                        });
                    }
                }
            }
        }
        for lane in 0..vertices.len() {
            self.note(Place::Vertex, registers, Lanes { vertex: lane, pair: 0 }, watched, watch);
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
                for (lane, &bone) in bones.iter().enumerate() {
                    let at = At { bone: bone as usize, vertex, pair: first + lane };
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
        let width = self.plan.carried.len();
        for &(column, address) in &pair_loop.loads {
            for (lane, &bone) in bones.iter().enumerate() {
                let raw = self.bone_table[bone as usize * width + column];
                registers.set_raw(address, Lanes { vertex: 0, pair: lane }, raw);
            }
        }
    }

    /// Keeps what is watched and was computed at this place.
    fn note(
        &self,
        place: Place,
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
}

fn part_of(motion: &BoneMotion, part: MotionPart) -> DVec3 {
    if part.is_angular() { motion.angular } else { motion.linear }
}
