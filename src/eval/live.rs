//! Memory of motion that is not known beforehand: a bone dragged by hand, a game's own animation.
//!
//! It steps on the same grid as a clip. Where steps end between two frames, bones are taken to have gone
//! straight from one to the other. There is no latency: the frame itself is the end of the last, shorter
//! step, which is not kept.

use super::memory::{StateSnapshot, Step, Stepper};
use super::record::Record;
use super::timeline::{Grid, OnGrid, rows_wanted};
use super::{Bound, ConstantMotion, EvalError, Moment, Skinning};
use glam::{DQuat, DVec3};
use jounce_ir::Program;
use jounce_rig::motion::BoneMotion;
use jounce_rig::motion::live::{Jump, LONGEST_GAP_SECS};
use std::mem::take;
use std::sync::Arc;

/// What one character remembers while it is moved.
pub struct LiveMemory {
    /// One for all of a herd.
    stepper: Arc<Stepper>,
    grid: Grid,
    jump: Jump,
    /// The step that was made last, and what it left.
    states: Option<(i64, Arc<Vec<f64>>)>,
    record: Arc<Record>,
    last: Option<BonesSeen>,
    /// Where bones were before a jump, until the next frame says where they are now.
    left: Option<Vec<DVec3>>,
}

/// What a frame said of bones.
struct BonesSeen {
    time_secs: f64,
    origins: Vec<DVec3>,
    rotations: Vec<DQuat>,
    parent_rotations: Vec<DQuat>,
    centroids: Vec<DVec3>,
    exact_centroids: Vec<DVec3>,
    motion: ConstantMotion,
}

impl LiveMemory {
    /// None where the program remembers nothing.
    pub fn new(
        program: &Program,
        bound: &Bound,
        jump: Jump,
    ) -> Result<Option<LiveMemory>, EvalError> {
        if !program.remembers() {
            return Ok(None);
        }
        Ok(Some(LiveMemory {
            stepper: Arc::new(Stepper::new(program, bound)?),
            grid: Grid::endless(),
            jump,
            states: None,
            record: Arc::default(),
            last: None,
            left: None,
        }))
    }

    /// Says that the next frame is elsewhere on purpose, by the policy of [`Jump`]: everything begins
    /// anew, or what is remembered is taken along.
    pub fn teleport(&mut self) {
        if let Some(last) = self.last.take() {
            self.left = Some(last.origins);
        }
        if self.jump == Jump::Reset {
            self.states = None;
        }
    }

    /// Another of the same kind, which remembers nothing yet.
    pub fn another(&self) -> LiveMemory {
        LiveMemory {
            stepper: self.stepper.clone(),
            states: None,
            record: Arc::default(),
            last: None,
            left: None,
            ..*self
        }
    }

    /// Goes on to the moment's time, and gives what is recalled then.
    pub fn recall(&mut self, bound: &Bound, moment: &Moment) -> Result<StateSnapshot, EvalError> {
        let mut all = LiveMemory::recall_all(&mut [self], bound, std::slice::from_ref(moment))?;
        all.pop().ok_or(EvalError::Count { what: "list of characters", found: 0, expected: 1 })
    }

    /// The same for many that were made by [`LiveMemory::another`], each with a moment of its own: they
    /// step side by side. What is recalled is what each would recall alone.
    pub fn recall_all(
        memories: &mut [&mut LiveMemory],
        bound: &Bound,
        moments: &[Moment],
    ) -> Result<Vec<StateSnapshot>, EvalError> {
        let (what, found, expected) = ("list of moments", moments.len(), memories.len());
        if found != expected {
            return Err(EvalError::Count { what, found, expected });
        }
        let mut goals = Vec::with_capacity(moments.len());
        for (memory, moment) in memories.iter_mut().zip(moments) {
            goals.push(memory.begin(bound, moment)?);
        }
        loop {
            let mut waiting: Vec<(usize, Between)> = (memories.iter().zip(&goals).enumerate())
                .filter_map(|(place, (memory, goal))| Some((place, memory.next_step(goal)?)))
                .collect();
            let Some(&(first, _)) = waiting.first() else { break };
            let between: Vec<Moment> = (waiting.iter_mut())
                .map(|(place, between)| {
                    let memory = &memories[*place];
                    between.moment(&moments[*place], memory.snapshot(memory.grid.step_secs))
                })
                .collect();
            let steps = memories[first].stepper.step_all(bound, &between)?;
            drop(between);
            for ((place, _), step) in waiting.into_iter().zip(steps) {
                memories[place].keep(step);
            }
        }
        let ends = memories.iter_mut().zip(goals);
        Ok(ends.map(|(memory, goal)| memory.end(goal)).collect())
    }

    /// What is to be reached. After it, all that is left to do is steps.
    fn begin(&mut self, bound: &Bound, moment: &Moment) -> Result<Goal, EvalError> {
        let time_secs = moment.time_secs;
        if !super::validate::is_sane(time_secs) {
            return Err(EvalError::Number { what: "time", number: time_secs });
        }
        let at = self.grid.find(time_secs);
        let is_jump = |last: &BonesSeen| {
            let passed_secs = time_secs - last.time_secs;
            !(0.0..=LONGEST_GAP_SECS).contains(&passed_secs)
        };
        if self.last.as_ref().is_some_and(is_jump) {
            self.teleport();
        }
        let now = BonesSeen::of(moment);
        match (&mut self.states, &self.last) {
            (None, _) => {
                let mut start = Between::new(&now, &now, 0.0, time_secs);
                let mut start = start.moment(moment, StateSnapshot::default());
                let made = self.stepper.start(bound, &mut start)?;
                let mut record = Record::new(at.step, self.stepper.histories().len());
                record.push(&made.row);
                self.record = Arc::new(record);
                self.states = Some((at.step, Arc::new(made.states)));
            }
            // After a jump the count goes on where it is; what was recorded moves along.
            (Some((made, states)), None) => {
                let left = self.left.take().unwrap_or_default();
                *states = self.stepper.carried(bound, states, &left, &now.origins);
                Arc::make_mut(&mut self.record).shift(at.step - *made);
                *made = at.step;
            }
            (Some(_), Some(_)) => {}
        }
        Ok(Goal { at, now })
    }

    /// Where bones are when the next step ends, on their way from the last frame to this one. None where
    /// no step is left to make.
    fn next_step(&self, goal: &Goal) -> Option<Between> {
        let (made, last) = (self.states.as_ref()?.0, self.last.as_ref()?);
        if made >= goal.at.step {
            return None;
        }
        let end_secs = self.grid.secs(made + 1);
        let whole_secs = goal.now.time_secs - last.time_secs;
        let t = ((end_secs - last.time_secs) / whole_secs).clamp(0.0, 1.0);
        Some(Between::new(last, &goal.now, t, end_secs))
    }

    fn keep(&mut self, step: Step) {
        if let Some((made, states)) = &mut self.states {
            *made += 1;
            *states = Arc::new(step.states);
        }
        Arc::make_mut(&mut self.record).push(&step.row);
    }

    fn end(&mut self, goal: Goal) -> StateSnapshot {
        self.last = Some(goal.now);
        let wanted = rows_wanted(self.stepper.program(), self.grid.step_secs);
        Arc::make_mut(&mut self.record).forget_before(goal.at.step - wanted);
        self.snapshot(goal.at.rest_secs)
    }

    fn snapshot(&self, since_step_secs: f64) -> StateSnapshot {
        let (newest_step, states) = self.states.clone().unwrap_or_default();
        let (grid_secs, record) = (self.grid.step_secs, self.record.clone());
        StateSnapshot { since_step_secs, grid_secs, states, record, newest_step }
    }
}

/// Where a frame is to be reached.
struct Goal {
    at: OnGrid,
    now: BonesSeen,
}

impl BonesSeen {
    fn of(moment: &Moment) -> BonesSeen {
        BonesSeen {
            time_secs: moment.time_secs,
            origins: moment.bone_origins.clone(),
            rotations: moment.bone_rotations.clone(),
            parent_rotations: moment.bone_parent_rotations.clone(),
            centroids: moment.bone_centroids.clone(),
            exact_centroids: moment.bone_exact_centroids.clone(),
            motion: ConstantMotion {
                velocities: moment.motion.velocities(0.0).into_owned(),
                accelerations: moment.motion.accelerations(0.0).into_owned(),
            },
        }
    }
}

/// A part of the way from one frame to another.
struct Between {
    frame: BonesSeen,
    motion: ConstantMotion,
}

impl Between {
    fn new(from: &BonesSeen, to: &BonesSeen, t: f64, time_secs: f64) -> Between {
        let points = |a: &[DVec3], b: &[DVec3]| -> Vec<DVec3> {
            a.iter().zip(b).map(|(a, b)| a.lerp(*b, t)).collect()
        };
        let turns = |a: &[DQuat], b: &[DQuat]| -> Vec<DQuat> {
            a.iter().zip(b).map(|(a, b)| a.slerp(*b, t)).collect()
        };
        let motions = |a: &[BoneMotion], b: &[BoneMotion]| -> Vec<BoneMotion> {
            let both = a.iter().zip(b);
            both.map(|(a, b)| BoneMotion {
                linear: a.linear.lerp(b.linear, t),
                angular: a.angular.lerp(b.angular, t),
            })
            .collect()
        };
        Between {
            frame: BonesSeen {
                time_secs,
                origins: points(&from.origins, &to.origins),
                rotations: turns(&from.rotations, &to.rotations),
                parent_rotations: turns(&from.parent_rotations, &to.parent_rotations),
                centroids: points(&from.centroids, &to.centroids),
                exact_centroids: points(&from.exact_centroids, &to.exact_centroids),
                motion: ConstantMotion::default(),
            },
            motion: ConstantMotion {
                velocities: motions(&from.motion.velocities, &to.motion.velocities),
                accelerations: motions(&from.motion.accelerations, &to.motion.accelerations),
            },
        }
    }

    /// Sliders are as in `like`. Its lists go into the moment.
    fn moment(&mut self, like: &Moment, snapshot: StateSnapshot) -> Moment<'_> {
        let Between { frame, motion } = self;
        Moment {
            bone_origins: take(&mut frame.origins),
            bone_rotations: take(&mut frame.rotations),
            bone_parent_rotations: take(&mut frame.parent_rotations),
            bone_centroids: take(&mut frame.centroids),
            bone_exact_centroids: take(&mut frame.exact_centroids),
            motion,
            parameters: like.parameters.clone(),
            time_secs: frame.time_secs,
            snapshot,
            skinning: Skinning::Given { positions: Vec::new(), normals: Vec::new() },
        }
    }
}
