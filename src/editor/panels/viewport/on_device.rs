//! Large characters are evaluated where they are drawn: the main thread only moves bones.

use super::Tool;
use crate::State;
use jounce_eval::EvalError;
use jounce_gpu::eval::{DeviceDeformer, OnDeviceMoments};
use jounce_session::Shown;

/// With fewer vertices the CPU is fast enough, and what others want to read is there at once.
pub const LARGE_VERTEX_COUNT: usize = 60_000;

#[derive(Default)]
pub struct OnDeviceView {
    deformer: Option<DeviceDeformer>,
    /// Results of this frame; None: the CPU has computed it.
    pub results: Option<OnDeviceMoments>,
    /// For tests: also small characters.
    pub is_forced: bool,
}

impl OnDeviceView {
    /// The program or the character has changed.
    pub fn forget(&mut self) {
        self.results = None;
        if let Some(deformer) = &mut self.deformer {
            deformer.forget();
        }
    }
}

impl super::ViewportView {
    /// Was the last frame computed on the device?
    pub fn is_on_device(&self) -> bool {
        self.on_device.results.is_some()
    }

    /// Evaluates on the device whatever the size; what tests ask for.
    pub fn force_device(&mut self, is_forced: bool) {
        self.on_device.is_forced = is_forced;
    }
}

/// Does anything look at single vertices?
fn needs_lists(state: &State) -> bool {
    let view = &state.viewport;
    let is_scaled = ![0.0, 1.0].contains(&view.compare.amount());
    is_scaled
        || view.heat.is_on()
        || view.crowd.is_on
        || view.tool == Tool::Velocity
        || state.selection.vertex.is_some()
}

/// True: it is done, and lists stay empty.
pub fn evaluate(state: &mut State) -> Result<bool, EvalError> {
    let view = &state.viewport;
    let is_large = state.show.character().vertex_count() >= LARGE_VERTEX_COUNT;
    let is_wanted = (is_large || view.on_device.is_forced) && !needs_lists(state);
    let Some(device) = state.device.as_ref().filter(|_| is_wanted) else { return Ok(false) };
    let mut deformer = match state.viewport.on_device.deformer.take() {
        Some(deformer) => deformer,
        None => DeviceDeformer::new(&device.gpu),
    };
    let time_secs = state.playhead.time_secs;
    let performer = state.show.performer();
    let results = performer.with_moment(time_secs, |moment| {
        deformer.run(performer.setup(), std::slice::from_ref(moment))
    })?;
    let is_done = results.is_some();
    state.viewport.on_device.deformer = Some(deformer);
    state.viewport.on_device.results = results;
    if is_done {
        let pose = Some(state.show.pose(time_secs));
        state.shown = Shown { time_secs, pose, ..Shown::default() };
    }
    Ok(is_done)
}
