//! A character that is moved from outside, pose by pose: a bone dragged by hand, a game's own animation.
//!
//! Its velocities are measured and its memory steps along. One policy says what a jump is to both.

use super::live::LiveMemory;
use super::{Bound, ConstantMotion, EvalError, Moment, MomentParts, Parameters};
use crate::ir::Program;
use crate::motion::live::{Jump, LiveMotion};
use crate::rig::{Character, Pose};

pub struct Puppet {
    motion: LiveMotion,
    /// None where the program remembers nothing.
    memory: Option<LiveMemory>,
}

/// What one frame of it is made from. All but the pose and the time stay the same.
#[derive(Clone, Copy)]
pub struct PuppetFrame<'a> {
    pub character: &'a Character,
    pub program: &'a Program,
    pub bound: &'a Bound,
    pub parameters: &'a Parameters,
    pub pose: &'a Pose,
    pub time_secs: f64,
}

impl Puppet {
    /// Velocities are means over `window_secs`.
    pub fn new(
        program: &Program,
        bound: &Bound,
        window_secs: f64,
        jump: Jump,
    ) -> Result<Puppet, EvalError> {
        let memory = LiveMemory::new(program, bound, jump)?;
        Ok(Puppet { motion: LiveMotion::new(window_secs, jump), memory })
    }

    /// Says that the next pose is elsewhere on purpose. A jump of the whole character needs no telling.
    pub fn teleport(&mut self) {
        self.motion.teleport();
        if let Some(memory) = &mut self.memory {
            memory.teleport();
        }
    }

    /// Takes the next pose; what it gives to evaluate is only for `work`.
    pub fn show<T>(
        &mut self,
        frame: PuppetFrame,
        work: impl FnOnce(&Moment) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let PuppetFrame { character, program, bound, parameters, pose, time_secs } = frame;
        let jumps = self.motion.jump_count();
        let velocities = self.motion.push(character, pose, time_secs);
        if self.motion.jump_count() != jumps
            && let Some(memory) = &mut self.memory
        {
            memory.teleport();
        }
        let motion = ConstantMotion::steady(velocities);
        let (motion, base) = (&motion, None);
        let parts = MomentParts { character, program, parameters, pose, motion, time_secs, base };
        let mut moment = Moment::new(&parts);
        if let Some(memory) = &mut self.memory {
            moment.recalled = memory.recall(bound, &moment)?;
        }
        work(&moment)
    }
}
