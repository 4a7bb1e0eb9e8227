//! Many of one character, each at its own time of one motion.
//!
//! They share everything: what is remembered at a time does not depend on who asks, so one [`Timeline`]
//! serves them all.

use super::vm::{Prepared, Wanted};
use super::{Bound, Deformed, EvalError, Moment, Parameters, PlayedMotion};
use super::{Recalled, Stepped, Timeline};
use jounce_base::Base;
use jounce_ir::Program;
use jounce_rig::motion::Player;
use rayon::prelude::*;

/// What all of them are.
pub struct Crowd<'a> {
    pub program: &'a Program,
    pub bound: &'a Bound,
    pub prepared: &'a Prepared,
    pub parameters: &'a Parameters,
    pub player: Player<'a>,
    /// None where the program remembers nothing.
    pub timeline: Option<&'a Timeline>,
    /// In place of the program's own.
    pub base: Option<Base>,
    /// How far each is ahead of the first, in seconds of the motion.
    pub offsets_secs: &'a [f64],
}

impl Crowd<'_> {
    /// All of them when the first is at a time, in order. Lists of `out` are used again.
    pub fn deform_into(
        &self,
        time_secs: f64,
        wanted: Wanted,
        out: &mut Vec<Deformed>,
    ) -> Result<(), EvalError> {
        self.with_moments(time_secs, |moments| {
            out.resize(moments.len(), Deformed::default());
            self.prepared.deform_into(self.bound, moments, wanted, out)
        })
    }

    /// Hands over what all of them bring when the first is at a time.
    pub fn with_moments<T>(
        &self,
        time_secs: f64,
        work: impl FnOnce(&[Moment]) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let at = |offset_secs: &f64| PlayedMotion {
            player: self.player,
            // What is remembered is of one round, so the time is too.
            time_secs: self.player.playback.in_first_round_secs(time_secs + offset_secs),
        };
        let motions: Vec<PlayedMotion> = self.offsets_secs.iter().map(at).collect();
        let moments = motions.par_iter().map(|motion| self.moment(motion));
        work(&moments.collect::<Result<Vec<Moment>, EvalError>>()?)
    }

    fn moment<'m>(&self, motion: &'m PlayedMotion) -> Result<Moment<'m>, EvalError> {
        let (character, base) = (self.player.character, self.base);
        let recalled = match self.timeline {
            Some(timeline) => {
                let (bound, parameters, played) = (self.bound, self.parameters, &self.player);
                let stepped = Stepped { character, bound, parameters, played, base };
                timeline.recall(stepped, motion.time_secs)?
            }
            None => Recalled::default(),
        };
        Ok(Moment::played(motion, self.program, self.parameters, recalled, base))
    }
}
