//! Many of the character, each at its own time of the motion.

use super::Show;
use crate::eval::vm::Wanted;
use crate::eval::{Crowd, Deformed, EvalError};
use crate::motion::Player;
use glam::Vec3;

pub const MOST_MEMBERS: usize = 100;
/// Between two of them, as a part of the room that one needs.
const GAP: f32 = 0.08;

/// How many, how far apart in time, and where they stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdLayout {
    pub count: usize,
    /// How far each is ahead of the one before, in seconds; None: evenly over the motion.
    pub spacing_secs: Option<f64>,
}

impl CrowdLayout {
    pub fn count(&self) -> usize {
        self.count.clamp(1, MOST_MEMBERS)
    }

    /// How far each is ahead of the first.
    pub fn offsets_secs(&self, duration_secs: f64) -> Vec<f64> {
        let even = duration_secs / self.count() as f64;
        let spacing_secs = self.spacing_secs.unwrap_or(even);
        (0..self.count()).map(|member| member as f64 * spacing_secs).collect()
    }

    /// Where each stands, around the middle of the grid. `room` is what one needs over the whole motion.
    pub fn places(&self, room: Vec3) -> Vec<Vec3> {
        let columns = (self.count() as f32).sqrt().ceil() as usize;
        let rows = self.count().div_ceil(columns);
        let pace = room * (1.0 + GAP);
        let place = |member: usize| {
            let column = (member % columns) as f32 - (columns - 1) as f32 * 0.5;
            let row = (member / columns) as f32 - (rows - 1) as f32 * 0.5;
            Vec3::new(column * pace.x, 0.0, -row * pace.z)
        };
        (0..self.count()).map(place).collect()
    }
}

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
