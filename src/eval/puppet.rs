//! A character that is moved from outside, pose by pose: a bone dragged by hand, a game's own animation.
//!
//! Its velocities are measured and its memory steps along. One policy says what a jump is to both. Many of
//! one kind go together: [`Puppet::with_moments`].
//!
//! Parameters that the performer has keys for are read at the puppet's own clock, or when
//! [`Puppet::read_keys_at`] says; all steps up to a frame have those of the frame.

use super::live::LiveMemory;
use super::{Bound, ConstantMotion, Deformed, EvalError, Moment, Performer};
use jounce_ir::Program;
use jounce_rig::motion::live::{Jump, LiveMotion};
use jounce_rig::{Character, Pose};

pub struct Puppet {
    motion: LiveMotion,
    /// None where the program remembers nothing.
    memory: Option<LiveMemory>,
    /// None: at its own clock.
    keys_secs: Option<f64>,
}

impl Puppet {
    /// See [`Performer::puppet`].
    pub(super) fn new(
        program: &Program,
        bound: &Bound,
        window_secs: f64,
        jump: Jump,
    ) -> Result<Puppet, EvalError> {
        let memory = LiveMemory::new(program, bound, jump)?;
        Ok(Puppet { motion: LiveMotion::new(window_secs, jump), memory, keys_secs: None })
    }

    /// Says that the next pose is elsewhere on purpose. A jump of the whole character needs no telling.
    pub fn teleport(&mut self) {
        self.motion.teleport();
        if let Some(memory) = &mut self.memory {
            memory.teleport();
        }
    }

    /// The time of the performer's motion at which keys of parameters are read from now on: where the clip stands
    /// still, but the puppet's clock goes on.
    pub fn read_keys_at(&mut self, time_secs: f64) {
        self.keys_secs = Some(time_secs);
    }

    /// Another of the same kind, which has not moved yet.
    pub fn another(&self) -> Puppet {
        Puppet {
            motion: LiveMotion::new(self.motion.window_secs, self.motion.jump),
            memory: self.memory.as_ref().map(LiveMemory::another),
            keys_secs: None,
        }
    }

    /// The next pose, at a time of its own clock: positions, and plain skinning of it.
    pub fn at(
        &mut self,
        performer: &Performer,
        pose: &Pose,
        time_secs: f64,
    ) -> Result<Deformed, EvalError> {
        self.with_moment(performer, pose, time_secs, |moment| performer.deform(moment))
    }

    /// The same, where what it brings is handed over.
    pub fn with_moment<T>(
        &mut self,
        performer: &Performer,
        pose: &Pose,
        time_secs: f64,
        work: impl FnOnce(&Moment) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let next = [(pose, time_secs)];
        let puppets = std::slice::from_mut(self);
        Puppet::with_moments(puppets, performer, &next, |moments| work(&moments[0]))
    }

    /// The next pose and time of each of many that were made by [`Puppet::another`]: the same as one by one,
    /// but what they remember is stepped side by side.
    pub fn with_moments<T>(
        puppets: &mut [Puppet],
        performer: &Performer,
        next: &[(&Pose, f64)],
        work: impl FnOnce(&[Moment]) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let (what, found, expected) = ("list of poses", next.len(), puppets.len());
        if found != expected {
            return Err(EvalError::Count { what, found, expected });
        }
        let (setup, parameters) = (performer.setup(), performer.parameters());
        let both = puppets.iter_mut().zip(next);
        let motions: Vec<ConstantMotion> =
            both.map(|(puppet, next)| puppet.measure(setup.character, *next)).collect();
        // What they remember is stepped for all at once, below.
        let mut moments: Vec<Moment> = (puppets.iter().zip(next).zip(&motions))
            .map(|((puppet, (pose, time_secs)), motion)| {
                let parameters = parameters.at(puppet.keys_secs.unwrap_or(*time_secs));
                Moment::new(setup, &parameters, pose, motion, *time_secs)
            })
            .collect();
        let mut memories: Vec<&mut LiveMemory> =
            puppets.iter_mut().filter_map(|puppet| puppet.memory.as_mut()).collect();
        if !memories.is_empty() {
            let snapshots = LiveMemory::recall_all(&mut memories, setup.bound, &moments)?;
            moments.iter_mut().zip(snapshots).for_each(|(moment, it)| moment.snapshot = it);
        }
        work(&moments)
    }

    /// How the pose has moved.
    fn measure(
        &mut self,
        character: &Character,
        (pose, time_secs): (&Pose, f64),
    ) -> ConstantMotion {
        let jumps = self.motion.jump_count();
        let velocities = self.motion.push(character, pose, time_secs);
        if self.motion.jump_count() != jumps
            && let Some(memory) = &mut self.memory
        {
            memory.teleport();
        }
        let accelerations = self.motion.accelerations(character, pose);
        ConstantMotion { velocities, accelerations }
    }
}
