//! Many of the character, each at its own time: computed where they are drawn, in one dispatch.

use crate::State;
use glam::Mat4;
use jounce_draw::{Bounds, DrawError, HerdSource, Stage};
use jounce_gpu::Gpu;
use jounce_gpu::eval::DeviceCrowd;
use jounce_session::{CrowdInLists, CrowdLayout, CrowdLists, Room, Staged};

#[derive(Clone)]
pub struct CrowdView {
    pub is_on: bool,
    pub layout: CrowdLayout,
    /// The window shows no more of them, because its adapter could not keep up.
    pub most_shown: Option<usize>,
}

impl Default for CrowdView {
    fn default() -> Self {
        let layout = CrowdLayout { count: 9, spacing_secs: None };
        CrowdView { is_on: false, layout, most_shown: None }
    }
}

/// Vertices that an adapter without hardware draws while the window stays usable.
const SOFTWARE_VERTICES: usize = 250_000;

impl CrowdView {
    /// As many as are shown.
    pub fn shown(&self) -> CrowdLayout {
        let most = self.most_shown.unwrap_or(usize::MAX);
        CrowdLayout { count: self.layout.count().min(most), ..self.layout }
    }

    /// Are enough shown to stand as a herd?
    pub fn is_herd(&self) -> bool {
        self.is_on && self.shown().is_herd()
    }

    /// Where each stands. Alone: where it is.
    pub fn places(&self, stage: &Stage) -> Vec<Mat4> {
        let Bounds { min, max } = stage.bounds;
        match self.is_on {
            true => self.shown().places(&Room { min, max }),
            false => vec![Mat4::IDENTITY],
        }
    }

    /// What to say where not all are shown.
    pub fn hint(&self, adapter: &str) -> Option<String> {
        let (shown, all) = (self.shown().count(), self.layout.count());
        (self.is_on && shown < all).then(|| {
            format!(
                "Showing {shown} of {all}, because {adapter} draws in software. Screenshots and films show all"
            )
        })
    }
}

/// How many the window shows: all, except on a software adapter.
pub fn limit(state: &mut State) {
    let vertices = state.show.character().vertex_count().max(1);
    let is_software = state.device.as_ref().is_some_and(|device| device.gpu.is_software);
    let most = (SOFTWARE_VERTICES / vertices).max(9);
    state.viewport.crowd.most_shown = is_software.then_some(most);
}

/// What is kept of a crowd from picture to picture.
#[derive(Default)]
pub struct HerdView {
    on_device: Option<DeviceCrowd>,
    lists: CrowdLists,
}

impl HerdView {
    /// The program or the character has changed.
    pub fn forget(&mut self) {
        if let Some(crowd) = &mut self.on_device {
            crowd.forget();
        }
    }

    /// How often the device was asked to run the graph for the last picture, and for how many.
    pub fn work(&self) -> Option<(usize, usize)> {
        self.on_device.as_ref()?.work()
    }

    /// All members as they are now. Displacements that are drawn larger than they are come from the CPU.
    pub fn members<'a>(
        &'a mut self,
        staged: &'a Staged,
        gpu: &Gpu,
        time_secs: f64,
        offsets_secs: &'a [f64],
        amount: f32,
    ) -> Result<Box<dyn HerdSource + 'a>, DrawError> {
        if amount != 1.0 {
            let lists = &mut self.lists;
            let members = CrowdInLists { staged, time_secs, offsets_secs, amount, lists };
            return Ok(Box::new(members));
        }
        let crowd = self.on_device.get_or_insert_with(|| DeviceCrowd::new(gpu));
        let (performer, revision) = (staged.performer(), staged.revision());
        let members = crowd.members(performer, revision, time_secs, offsets_secs);
        Ok(Box::new(members.map_err(|error| DrawError::Herd(error.to_string()))?))
    }
}
