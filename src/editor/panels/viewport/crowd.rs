//! Many of the character on a grid, each at its own time.

use crate::draw::Stage;
use crate::editor::State;
use crate::eval::{Deformed, EvalError};
use glam::Vec3;

pub struct CrowdView {
    pub is_on: bool,
    pub count: usize,
    /// How far each is ahead of the one before, in seconds; None: evenly over the motion.
    pub spacing_secs: Option<f64>,
    /// All of them as they are now; lists are used again.
    pub members: Vec<Deformed>,
}

pub const MOST_MEMBERS: usize = 100;
/// Between two of them, as a part of the room that one needs.
const GAP: f32 = 0.08;

impl Default for CrowdView {
    fn default() -> Self {
        CrowdView { is_on: false, count: 9, spacing_secs: None, members: Vec::new() }
    }
}

impl CrowdView {
    pub fn count(&self) -> usize {
        self.count.clamp(1, MOST_MEMBERS)
    }

    pub fn offsets_secs(&self, duration_secs: f64) -> Vec<f64> {
        let even = duration_secs / self.count() as f64;
        let spacing_secs = self.spacing_secs.unwrap_or(even);
        (0..self.count()).map(|member| member as f64 * spacing_secs).collect()
    }

    /// Where each stands, around the middle of the grid. Alone: where it is.
    pub fn places(&self, stage: &Stage) -> Vec<Vec3> {
        if !self.is_on {
            return vec![Vec3::ZERO];
        }
        let columns = (self.count() as f32).sqrt().ceil() as usize;
        let rows = self.count().div_ceil(columns);
        let pace = stage.bounds.size() * (1.0 + GAP);
        let place = |member: usize| {
            let column = (member % columns) as f32 - (columns - 1) as f32 * 0.5;
            let row = (member / columns) as f32 - (rows - 1) as f32 * 0.5;
            Vec3::new(column * pace.x, 0.0, -row * pace.z)
        };
        (0..self.count()).map(place).collect()
    }
}

/// All of them, when the first is where the playhead is.
pub fn evaluate(state: &mut State) -> Result<(), EvalError> {
    let crowd = &mut state.viewport.crowd;
    if !crowd.is_on {
        crowd.members.clear();
        return Ok(());
    }
    let offsets = crowd.offsets_secs(state.show.duration_secs());
    state.show.crowd(state.playhead.time_secs, &offsets, &mut crowd.members)
}
