//! Many of the character on a grid, each at its own time.

use crate::draw::Stage;
use crate::editor::State;
use crate::eval::{Deformed, EvalError};
use crate::session::CrowdLayout;
use glam::Vec3;

#[derive(Clone)]
pub struct CrowdView {
    pub is_on: bool,
    pub layout: CrowdLayout,
    /// All of them as they are now; lists are used again.
    pub members: Vec<Deformed>,
}

impl Default for CrowdView {
    fn default() -> Self {
        let layout = CrowdLayout { count: 9, spacing_secs: None };
        CrowdView { is_on: false, layout, members: Vec::new() }
    }
}

impl CrowdView {
    /// Where each stands. Alone: where it is.
    pub fn places(&self, stage: &Stage) -> Vec<Vec3> {
        match self.is_on {
            true => self.layout.places(stage.bounds.size()),
            false => vec![Vec3::ZERO],
        }
    }
}

/// All of them, when the first is where the playhead is.
pub fn evaluate(state: &mut State) -> Result<(), EvalError> {
    let crowd = &mut state.viewport.crowd;
    if !crowd.is_on {
        crowd.members.clear();
        return Ok(());
    }
    let offsets = crowd.layout.offsets_secs(state.show.duration_secs());
    state.show.crowd(state.playhead.time_secs, &offsets, &mut crowd.members)
}
