//! A character that is moved from outside, pose by pose: a bone dragged by hand, a game's own animation.
//!
//! Its velocities are measured and its memory steps along. One policy says what a jump is to both. Many of
//! one kind are shown together: [`Puppet::show_all`].

use super::live::LiveMemory;
use super::{Bound, ConstantMotion, EvalError, Moment, MomentParts, Parameters};
use jounce_ir::Program;
use jounce_rig::motion::live::{Jump, LiveMotion};
use jounce_rig::{Character, Pose};

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

    /// Another of the same kind, which has not moved yet.
    pub fn another(&self) -> Puppet {
        Puppet {
            motion: LiveMotion::new(self.motion.window_secs, self.motion.jump),
            memory: self.memory.as_ref().map(LiveMemory::another),
        }
    }

    /// Takes the next pose; what it gives to evaluate is only for `work`.
    pub fn show<T>(
        &mut self,
        frame: PuppetFrame,
        work: impl FnOnce(&Moment) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let motion = self.measure(&frame);
        let mut moment = frame.moment(&motion);
        if let Some(memory) = &mut self.memory {
            moment.recalled = memory.recall(frame.bound, &moment)?;
        }
        work(&moment)
    }

    /// The next pose of each of many that were made by [`Puppet::another`]: the same as one by one, but
    /// what they remember is stepped side by side.
    pub fn show_all<T>(
        puppets: &mut [Puppet],
        frames: &[PuppetFrame],
        work: impl FnOnce(&[Moment]) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let (what, found, expected) = ("list of poses", frames.len(), puppets.len());
        if found != expected {
            return Err(EvalError::Count { what, found, expected });
        }
        let motions: Vec<ConstantMotion> =
            puppets.iter_mut().zip(frames).map(|(puppet, frame)| puppet.measure(frame)).collect();
        let mut moments: Vec<Moment> =
            frames.iter().zip(&motions).map(|(frame, motion)| frame.moment(motion)).collect();
        let mut memories: Vec<&mut LiveMemory> =
            puppets.iter_mut().filter_map(|puppet| puppet.memory.as_mut()).collect();
        if let (Some(first), false) = (frames.first(), memories.is_empty()) {
            let recalled = LiveMemory::recall_all(&mut memories, first.bound, &moments)?;
            moments.iter_mut().zip(recalled).for_each(|(moment, it)| moment.recalled = it);
        }
        work(&moments)
    }

    /// How the pose has moved.
    fn measure(&mut self, frame: &PuppetFrame) -> ConstantMotion {
        let jumps = self.motion.jump_count();
        let velocities = self.motion.push(frame.character, frame.pose, frame.time_secs);
        if self.motion.jump_count() != jumps
            && let Some(memory) = &mut self.memory
        {
            memory.teleport();
        }
        let accelerations = self.motion.accelerations(frame.character, frame.pose);
        ConstantMotion { velocities, accelerations }
    }
}

impl PuppetFrame<'_> {
    /// Nothing is recalled in it yet.
    fn moment<'m>(&self, motion: &'m ConstantMotion) -> Moment<'m> {
        let PuppetFrame { character, program, parameters, pose, time_secs, .. } = *self;
        let base = None;
        Moment::new(&MomentParts { character, program, parameters, pose, motion, time_secs, base })
    }
}
