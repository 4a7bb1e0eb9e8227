//! The stages of frame and bones, in f64 with the very text of [`jounce_ir::semantics`].
//!
//! Every evaluator runs them here. Those that compute vertices in f32 round the two tables once, so
//! that they all start from the same numbers.

use super::anchors::{AnchorRow, AnchorState, SPEED_WINDOW_SECS};
use super::bone_code::{BoneColumns, BoneData};
use super::memory::Ago;
use super::plan::{Plan, PlannedOp, RunsAt};
use super::registers::{Address, Lanes, Registers};
use super::{Bound, EvalError, MemoryLayout, Moment, validate};
use glam::DVec3;
use jounce_ir::op::{MotionPart, Op};
use jounce_ir::{Number, Program, Source, Value, any_formula, semantics};
use jounce_rig::flesh::FleshFrame;
use jounce_rig::motion::BoneMotion;
use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;

/// What the frame and its bones hand on to vertices.
pub struct HostTables {
    /// Registers with all values of rate frame in them.
    pub frame: Arc<Registers>,
    /// Of the values of [`jounce_ir::Schedule::bone_table`].
    pub bones: BoneColumns,
}

/// Runs both stages. What passed [`validate::check`] cannot fail but for a motion that is absurd.
pub fn run_host_stages(
    program: &Program,
    plan: &Plan,
    bound: &Bound,
    moment: &Moment,
) -> Result<HostTables, EvalError> {
    let needs = Needs::new(program, bound);
    let host = Host::new(program, plan, bound, &needs, moment, None)?;
    let bones = plan.bone.run(bound.row_count(), std::slice::from_ref(&host));
    Ok(HostTables { frame: host.registers, bones })
}

/// What the frames and the bones of several characters hand on.
pub struct HerdTables {
    pub frames: Vec<Arc<Registers>>,
    /// Rows of one behind those of the other.
    pub bones: BoneColumns,
}

/// Runs both stages for all moments. A small character's bones would not keep the loops over bones busy;
/// those of many do.
pub fn run_host_stages_of_herd(
    program: &Program,
    plan: &Plan,
    bound: &Bound,
    needs: &Needs,
    moments: &[Moment],
    numbers: Vec<f64>,
) -> Result<HerdTables, EvalError> {
    let mut hosts: Vec<Host> = Vec::with_capacity(moments.len());
    for moment in moments {
        let host = Host::new(program, plan, bound, needs, moment, hosts.last())?;
        hosts.push(host);
    }
    let bones = plan.bone.run_in(numbers, bound.row_count(), &hosts);
    Ok(HerdTables { frames: hosts.into_iter().map(|host| host.registers).collect(), bones })
}

/// What a program needs of moments, looked up once: every step of every instance asks.
pub struct Needs {
    pub states: MemoryLayout,
    pub histories: MemoryLayout,
    pub centroids: bool,
    pub exact_centroids: bool,
    pub anchor_states: bool,
}

impl Needs {
    pub fn new(program: &Program, bound: &Bound) -> Needs {
        let rows = bound.row_count();
        Needs {
            states: MemoryLayout::of_states(program, rows),
            histories: MemoryLayout::of_histories(program, rows),
            centroids: program.reads(Source::BoneCentroid),
            exact_centroids: program.reads(Source::BoneExactCentroid),
            anchor_states: program.reads(Source::AnchorHeight)
                || program.reads(Source::AnchorSpeed),
        }
    }
}

impl HostTables {
    /// All three numbers of a value of rate frame, whatever they mean.
    pub fn of_frame(&self, plan: &Plan, value: Value) -> [f64; 3] {
        self.frame.raw(plan.address(value, RunsAt::Frame), Lanes::default())
    }
}

/// What vertices have and bones have not.
macro_rules! any_vertex_source {
    () => {
        Source::SkinnedPosition
            | Source::SkinnedNormal
            | Source::RestPosition
            | Source::RestNormal
            | Source::Softness
            | Source::Looseness
            | Source::Protrusion
            | Source::PieceOffsetX
            | Source::PieceOffsetY
            | Source::PieceOffsetZ
            | Source::ProtrusionRootX
            | Source::ProtrusionRootY
            | Source::ProtrusionRootZ
    };
}

/// Is it an acceleration, and over how many seconds?
type Request = (bool, f64);

struct Host<'a> {
    program: &'a Program,
    plan: &'a Plan,
    bound: &'a Bound,
    moment: &'a Moment<'a>,
    needs: &'a Needs,
    /// With all values of rate frame in them, once they have run.
    registers: Arc<Registers>,
    /// What was asked for, and all bones' answers.
    asked: Vec<(Request, Cow<'a, [BoneMotion]>)>,
    /// Per value that is a motion, in the order of [`Plan::motions`]: its place in `asked`.
    motions: Vec<usize>,
    /// Of the rows behind the bones.
    flesh: Vec<FleshFrame>,
    /// Where anchors are; empty where nobody asks.
    anchors: Vec<AnchorState>,
}

impl<'a> Host<'a> {
    /// With the stage of the frame behind it, and all motions known. What the one before it has found of the
    /// frame is taken from there, where nothing that it depends on differs.
    fn new(
        program: &'a Program,
        plan: &'a Plan,
        bound: &'a Bound,
        needs: &'a Needs,
        moment: &'a Moment<'a>,
        before: Option<&Host>,
    ) -> Result<Host<'a>, EvalError> {
        let flesh = (bound.flesh.iter())
            .map(|flesh| flesh.frame(&moment.bone_origins, &moment.bone_rotations))
            .collect();
        let is_same = |before: &&Host| {
            plan.frame_is_of_sliders
                && before.moment.snapshot.since_step_secs == moment.snapshot.since_step_secs
                && before.moment.parameters == moment.parameters
        };
        let known = before.filter(is_same).map(|before| before.registers.clone());
        let is_known = known.is_some();
        let (registers, asked, motions) = (known.unwrap_or_default(), Vec::new(), Vec::new());
        let anchors = if needs.anchor_states && bound.anchors.count() > 0 {
            let velocities = validate::ask_motion(false, SPEED_WINDOW_SECS, bound, moment)?;
            bound.anchors.states(bound.ground_height, moment, &velocities)
        } else {
            Vec::new()
        };
        let mut host =
            Host { program, plan, bound, moment, needs, registers, asked, motions, flesh, anchors };
        if !is_known {
            let mut registers = plan.constants.clone();
            for step in &plan.frame {
                host.step(step, &mut registers);
            }
            host.registers = Arc::new(registers);
        }
        host.ask_motions()?;
        Ok(host)
    }

    fn step(&self, step: &PlannedOp, registers: &mut Registers) {
        let of = |operand: Value| registers.get(Address(operand.0), Lanes::default());
        let number = match (semantics::apply(&step.op, of), step.op) {
            (Some(number), _) => number,
            (None, Op::Ago { history, secs, now }) => {
                BoneData::ago(self, history)(of(secs), of(now), 0)
            }
            (None, _) => self.read(step.value, &step.op, 0),
        };
        registers.set(step.result, Lanes::default(), number);
    }

    fn read(&self, value: Value, op: &Op, bone: usize) -> Number {
        let (bound, moment) = (self.bound, self.moment);
        match *op {
            Op::Source(source) => self.source(source, bone),
            Op::Parameter(index, _) => moment.parameters.values[index as usize],
            Op::MapIsThere(index) => Number::Bool(bound.maps[index as usize].is_some()),
            Op::BoneTable(index) => {
                Number::Float(bound.bone_tables[index as usize][bone].unwrap_or(0.0))
            }
            Op::BoneTableIsSet(index) => {
                Number::Bool(bound.bone_tables[index as usize][bone].is_some())
            }
            Op::BoneSet(index) => Number::Float(bound.bone_sets[index as usize][bone]),
            Op::State(index) => {
                self.needs.states.get(&moment.snapshot.states, index as usize, bone)
            }
            Op::Motion(part, _) => moved(self.motions_of(value), part, self.moving_bone(bone)),
            // Of vertices, or asked of the past by who runs the stage.
            Op::Map(_) | Op::Weight(_) | Op::Sum { .. } | Op::Relax { .. } | Op::Ago { .. } => {
                Number::zero(self.program.ty(value))
            }
            // Computed from operands.
            Op::Constant(..) | any_formula!() => Number::zero(self.program.ty(value)),
        }
    }

    /// Of a value that is a motion: all bones'.
    fn motions_of(&self, value: Value) -> &[BoneMotion] {
        let place = self.plan.motions.iter().position(|(of, ..)| *of == value);
        let asked = place.and_then(|place| self.asked.get(*self.motions.get(place)?));
        asked.map_or(&[], |(_, motions)| motions)
    }

    /// The bone whose velocity a row has: its own, or where an anchor has made a row of a bone, that bone's.
    fn moving_bone(&self, row: usize) -> usize {
        self.anchor_row(row).map_or(row, |row| row.bone)
    }

    fn anchor_row(&self, row: usize) -> Option<AnchorRow> {
        let rows = &self.bound.anchors.rows;
        let first = self.bound.row_count() - rows.len();
        if row < first { None } else { rows.get(row - first).copied() }
    }

    /// What an anchor makes of a bone is that bone, but for what it carries.
    fn of_anchor(&self, source: Source, row: AnchorRow) -> Number {
        let state = || self.anchors.get(row.anchor).copied().unwrap_or_default();
        let centroid = |centroids: &[DVec3]| {
            let joint = self.moment.bone_origins[row.bone];
            Number::Vec3(self.bound.anchors.centroid_of_the_others(row.bone, centroids, joint))
        };
        match source {
            Source::BoneAnchor => Number::Float((row.key + 1) as f64),
            Source::BoneAnchorSign => Number::Float(if row.is_reversed { -1.0 } else { 1.0 }),
            Source::AnchorHeight => Number::Float(state().height),
            Source::AnchorSpeed => Number::Float(state().vertical_speed),
            Source::BoneCentroid if row.is_reversed => centroid(&self.moment.bone_centroids),
            Source::BoneExactCentroid if row.is_reversed => {
                centroid(&self.moment.bone_exact_centroids)
            }
            _ => self.source(source, row.bone),
        }
    }

    fn source(&self, source: Source, bone: usize) -> Number {
        let (bound, moment) = (self.bound, self.moment);
        let vector_part = |q: glam::DQuat| Number::Vec3(q.xyz());
        let bones = moment.bone_origins.len();
        if let Some(row) = self.anchor_row(bone) {
            return self.of_anchor(source, row);
        }
        if let Some(flesh) = bone.checked_sub(bones).and_then(|element| self.flesh.get(element)) {
            return self.of_flesh(source, flesh, bone - bones);
        }
        match source {
            Source::Time => Number::Float(moment.time_secs),
            Source::StepSecs => Number::Float(moment.snapshot.since_step_secs),
            Source::CharacterSize => Number::Float(bound.size),
            Source::GroundHeight => Number::Float(bound.ground_height),
            Source::CharacterHeight => Number::Float(bound.height),
            Source::BoneOrigin => Number::Vec3(moment.bone_origins[bone]),
            Source::BoneRotation => vector_part(moment.bone_rotations[bone]),
            Source::BoneRotationW => Number::Float(moment.bone_rotations[bone].w),
            Source::BoneParentRotation => vector_part(moment.bone_parent_rotations[bone]),
            Source::BoneParentRotationW => Number::Float(moment.bone_parent_rotations[bone].w),
            Source::BoneCentroid => self.centroid(&moment.bone_centroids, bone),
            Source::BoneExactCentroid => self.centroid(&moment.bone_exact_centroids, bone),
            Source::BoneIsRoot => Number::Float(bound.bone_numbers[bone].is_root),
            Source::BoneDepth => Number::Float(bound.bone_numbers[bone].depth),
            Source::BoneRole => Number::Float(bound.bone_numbers[bone].role),
            Source::BoneLooseness => Number::Float(bound.bone_numbers[bone].looseness),
            Source::BoneCarries => Number::Float(bound.bone_numbers[bone].carries),
            Source::FleshReach | Source::BoneAnchor => Number::Float(0.0),
            Source::BoneAnchorSign => Number::Float(1.0),
            Source::AnchorHeight | Source::AnchorSpeed => Number::Float(0.0),
            // No plan has them here.
            any_vertex_source!() => Number::zero(source.info().ty()),
        }
    }

    /// Where the mesh has it, and the artist's offset in the bone's frame: c_j + R_j offset_j.
    fn centroid(&self, centroids: &[DVec3], bone: usize) -> Number {
        let offset = self.bound.centroid_offsets.get(bone);
        let turned = offset.map(|&offset| self.moment.bone_rotations[bone] * offset);
        Number::Vec3(centroids[bone] + turned.unwrap_or(DVec3::ZERO))
    }

    /// A flesh element as if it were a bone that its driver carries.
    fn of_flesh(&self, source: Source, at: &FleshFrame, element: usize) -> Number {
        let flesh = &self.bound.flesh[element];
        match source {
            Source::BoneOrigin | Source::BoneCentroid | Source::BoneExactCentroid => {
                Number::Vec3(at.origin)
            }
            Source::BoneRotation => Number::Vec3(at.rotation.xyz()),
            Source::BoneRotationW => Number::Float(at.rotation.w),
            Source::FleshReach => Number::Float(flesh.reach),
            Source::BoneParentRotation => {
                Number::Vec3(self.moment.bone_rotations[flesh.driver].xyz())
            }
            Source::BoneParentRotationW => {
                Number::Float(self.moment.bone_rotations[flesh.driver].w)
            }
            Source::BoneIsRoot | Source::BoneCarries | Source::BoneDepth | Source::BoneAnchor => {
                Number::Float(0.0)
            }
            // Flesh is a part of what carries it.
            Source::BoneRole | Source::BoneLooseness => self.source(source, flesh.driver),
            Source::BoneAnchorSign => Number::Float(1.0),
            Source::AnchorHeight | Source::AnchorSpeed => Number::Float(0.0),
            // Not of bones: the same wherever it is asked.
            Source::Time
            | Source::StepSecs
            | Source::CharacterSize
            | Source::CharacterHeight
            | Source::GroundHeight
            | any_vertex_source!() => self.source(source, flesh.driver),
        }
    }

    /// Asks for each motion once, now that the windows are known.
    fn ask_motions(&mut self) -> Result<(), EvalError> {
        for &(_, part, window) in &self.plan.motions {
            let window = self.plan.address(window, RunsAt::Frame);
            let [wanted_secs, ..] = self.registers.raw(window, Lanes::default());
            let request = (part.is_acceleration(), validate::window_secs(wanted_secs));
            let known = self.asked.iter().position(|(asked, _)| *asked == request);
            if known.is_none() {
                let (is_acceleration, window_secs) = request;
                let motions =
                    validate::ask_motion(is_acceleration, window_secs, self.bound, self.moment)?;
                self.asked.push((request, motions));
            }
            self.motions.push(known.unwrap_or(self.asked.len() - 1));
        }
        Ok(())
    }
}

impl BoneData for Host<'_> {
    fn of_frame(&self, value: Value) -> [f64; 3] {
        self.registers.raw(self.plan.address(value, RunsAt::Frame), Lanes::default())
    }

    fn has_frame_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.registers, &other.registers)
    }

    #[inline(always)]
    fn read(&self, value: Value, op: &Op) -> impl Fn(usize) -> Number {
        // Looked up once for all bones.
        let motions = self.motions_of(value);
        move |bone| match *op {
            Op::Motion(part, _) => moved(motions, part, self.moving_bone(bone)),
            _ => Host::read(self, value, op, bone),
        }
    }

    fn state(&self, index: u32) -> impl Iterator<Item = &[f64]> {
        self.needs.states.columns(&self.moment.snapshot.states, index as usize)
    }

    #[inline(always)]
    fn ago(&self, history: u32) -> impl Fn(Number, Number, usize) -> Number {
        let (snapshot, layout) = (&self.moment.snapshot, &self.needs.histories);
        let longest_secs = self.program.tables.histories[history as usize].longest_secs;
        // Most ask all bones for the same time.
        let last = Cell::new((f64::NAN, Ago::Now));
        move |secs, now, bone| {
            let Number::Float(secs) = secs else { return now };
            // Further back nothing is kept for sure.
            let secs = secs.min(longest_secs);
            if last.get().0 != secs {
                last.set((secs, snapshot.ago(secs)));
            }
            last.get().1.of(layout, history as usize, bone, now)
        }
    }
}

fn moved(motions: &[BoneMotion], part: MotionPart, bone: usize) -> Number {
    let motion = motions.get(bone).copied().unwrap_or(BoneMotion::ZERO);
    Number::Vec3(if part.is_angular() { motion.angular } else { motion.linear })
}
