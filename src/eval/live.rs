//! Memory of motion that is not known beforehand: a bone dragged by hand, a game's own animation.
//!
//! It steps on the same grid as a clip. Where steps end between two frames, bones are taken to have gone
//! straight from one to the other. There is no latency: the frame itself is the end of the last, shorter
//! step, which is not kept.

use super::memory::{Recalled, Record, Stepper};
use super::timeline::{Grid, OnGrid};
use super::{Bound, ConstantMotion, EvalError, Moment, Skinning};
use crate::ir::Program;
use crate::motion::BoneMotion;
use crate::motion::live::Jump;
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// A longer time between two frames is a jump.
pub const LONGEST_GAP_SECS: f64 = 1.0;

/// What one character remembers while it is moved.
pub struct LiveMemory {
    stepper: Stepper,
    grid: Grid,
    jump: Jump,
    longest_secs: f64,
    /// The step that was made last, and what it left.
    states: Option<(i64, Arc<Vec<f64>>)>,
    record: Arc<Record>,
    last: Option<Frame>,
}

/// What a frame said of bones.
struct Frame {
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
        let histories = &program.tables.histories;
        Ok(Some(LiveMemory {
            stepper: Stepper::new(program, bound)?,
            grid: Grid::endless(),
            jump,
            longest_secs: histories.iter().map(|it| it.longest_secs).fold(0.0, f64::max),
            states: None,
            record: Arc::default(),
            last: None,
        }))
    }

    /// Says that the next frame is elsewhere on purpose, by the policy of [`Jump`]: everything begins
    /// anew, or what is remembered is taken along.
    pub fn teleport(&mut self) {
        self.last = None;
        if self.jump == Jump::Reset {
            self.states = None;
        }
    }

    /// Goes on to the moment's time, and gives what is recalled then.
    pub fn recall(&mut self, bound: &Bound, moment: &Moment) -> Result<Recalled, EvalError> {
        let time_secs = moment.time_secs;
        if !super::door::is_sane(time_secs) {
            return Err(EvalError::Number { what: "time", number: time_secs });
        }
        let OnGrid { step, rest_secs } = self.grid.find(time_secs);
        let is_jump = |last: &Frame| {
            let passed_secs = time_secs - last.time_secs;
            !(0.0..=LONGEST_GAP_SECS).contains(&passed_secs)
        };
        if self.last.as_ref().is_some_and(is_jump) {
            self.teleport();
        }
        let now = Frame::of(moment);
        if self.states.is_none() {
            let stepper = &self.stepper;
            let made = now.on_the_way(&now, 0.0, moment, |begun| stepper.start(bound, begun))?;
            let row_length = self.stepper.histories.len();
            let mut record = Record { first_step: step, row_length, numbers: Vec::new() };
            record.push(&made.row);
            self.record = Arc::new(record);
            self.states = Some((step, Arc::new(made.states)));
        }
        let nothing = (step, Arc::default());
        let (mut made, mut states) = self.states.take().unwrap_or(nothing);
        match &self.last {
            Some(last) => {
                while made < step {
                    let end_secs = self.grid.secs(made + 1);
                    let whole_secs = time_secs - last.time_secs;
                    let t = ((end_secs - last.time_secs) / whole_secs).clamp(0.0, 1.0);
                    let recalled = self.recalled(made, self.grid.step_secs, &states);
                    let next = last.on_the_way(&now, t, moment, |between| {
                        between.time_secs = end_secs;
                        between.recalled = recalled;
                        self.stepper.step(bound, between)
                    })?;
                    Arc::make_mut(&mut self.record).push(&next.row);
                    (made, states) = (made + 1, Arc::new(next.states));
                }
            }
            // After a jump the count goes on where it is; what was recorded moves along.
            None => {
                Arc::make_mut(&mut self.record).first_step += step - made;
                made = step;
            }
        }
        self.states = Some((made, states.clone()));
        self.last = Some(now);
        self.forget(made);
        Ok(self.recalled(made, rest_secs, &states))
    }

    fn recalled(&self, newest: i64, step_secs: f64, states: &Arc<Vec<f64>>) -> Recalled {
        Recalled {
            step_secs,
            grid_secs: self.grid.step_secs,
            states: states.clone(),
            record: self.record.clone(),
            newest,
        }
    }

    /// Rows that no history reaches any more; now and then, not with every step.
    fn forget(&mut self, newest: i64) {
        let wanted = (self.longest_secs / self.grid.step_secs).ceil() as i64 + 2;
        let length = self.record.row_length;
        if newest - self.record.first_step > 2 * wanted + 240 && length > 0 {
            let record = Arc::make_mut(&mut self.record);
            let dropped = newest - wanted - record.first_step;
            record.numbers.drain(..dropped as usize * length);
            record.first_step += dropped;
        }
    }
}

impl Frame {
    fn of(moment: &Moment) -> Frame {
        Frame {
            time_secs: moment.time_secs,
            origins: moment.bone_origins.clone(),
            rotations: moment.bone_rotations.clone(),
            parent_rotations: moment.bone_parent_rotations.clone(),
            centroids: moment.bone_centroids.clone(),
            exact_centroids: moment.bone_exact_centroids.clone(),
            motion: ConstantMotion {
                velocities: moment.motion.velocities(0.0),
                accelerations: moment.motion.accelerations(0.0),
            },
        }
    }

    /// A moment that is a part of the way to another frame; the rest of it is as in `like`.
    fn on_the_way<T>(
        &self,
        other: &Frame,
        t: f64,
        like: &Moment,
        work: impl FnOnce(&mut Moment) -> T,
    ) -> T {
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
        let motion = ConstantMotion {
            velocities: motions(&self.motion.velocities, &other.motion.velocities),
            accelerations: motions(&self.motion.accelerations, &other.motion.accelerations),
        };
        work(&mut Moment {
            bone_origins: points(&self.origins, &other.origins),
            bone_rotations: turns(&self.rotations, &other.rotations),
            bone_parent_rotations: turns(&self.parent_rotations, &other.parent_rotations),
            bone_centroids: points(&self.centroids, &other.centroids),
            bone_exact_centroids: points(&self.exact_centroids, &other.exact_centroids),
            motion: &motion,
            parameters: like.parameters.clone(),
            time_secs: like.time_secs,
            recalled: Recalled::default(),
            skinning: Skinning::Given { positions: Vec::new(), normals: Vec::new() },
        })
    }
}
