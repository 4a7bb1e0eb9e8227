//! Many of the character, each at its own time of the motion.

use super::Show;
use crate::eval::vm::Wanted;
use crate::eval::{Crowd, Deformed, EvalError};
use crate::motion::Player;

impl Show {
    /// All of them when the first is at a time. While what is remembered is computed anew for other
    /// sliders, they move as before.
    pub fn crowd(
        &mut self,
        time_secs: f64,
        offsets_secs: &[f64],
        out: &mut Vec<Deformed>,
    ) -> Result<(), EvalError> {
        let current = self.parameters().clone();
        if let Some(performance) = &mut self.performance {
            performance.recall(&current, time_secs)?;
        }
        let known = self.performance.as_ref().map(|performance| performance.known());
        let crowd = Crowd {
            program: self.program(),
            bound: self.bound(),
            prepared: self.prepared(),
            parameters: known.map_or(&current, |(parameters, _)| parameters),
            player: Player {
                character: self.character(),
                clip: self.clip(),
                playback: self.playback(),
            },
            timeline: known.map(|(_, timeline)| timeline),
            offsets_secs,
        };
        crowd.deform_into(time_secs, Wanted::ALL, out)
    }
}
