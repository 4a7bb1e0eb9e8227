//! Many of the character, each at its own time: computed where they are drawn, in one dispatch.

use crate::State;
use glam::Mat4;
use jounce_draw::{
    Bounds, DrawError, HerdSource, HerdVertices, MOST_LIST_BYTES, Stage, members_in,
};
use jounce_eval::vm::Wanted;
use jounce_eval::{Deformed, EvalError};
use jounce_gpu::Gpu;
use jounce_gpu::eval::{DeviceDeformer, OnDeviceMoments};
use jounce_rig::Skinned;
use jounce_session::{CrowdLayout, Room, Show, exaggerated};
use rayon::prelude::*;

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
    deformer: Option<DeviceDeformer>,
    /// How many fit on the device at once; None until it was asked.
    part_size: Option<usize>,
    /// What is on the device, and what for.
    there: Option<(Asked, Vec<usize>, OnDeviceMoments)>,
    /// Lists of the CPU, used again.
    lists: Skinned,
    deformed: Vec<Deformed>,
}

/// Two pictures of the same are computed once.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Asked {
    time_secs: f64,
    revision: u64,
    layout: CrowdLayout,
}

impl HerdView {
    /// The program or the character has changed.
    pub fn forget(&mut self) {
        (self.part_size, self.there) = (None, None);
        if let Some(deformer) = &mut self.deformer {
            deformer.forget();
        }
    }

    /// How often the device was asked to run the graph for the last picture, and for how many.
    pub fn work(&self) -> Option<(usize, usize)> {
        let (_, members, _) = self.there.as_ref()?;
        Some((self.deformer.as_ref()?.dispatches(), members.len()))
    }
}

/// All members as they are now. Displacements that are drawn larger than they are come from the CPU.
pub struct Members<'a> {
    show: &'a mut Show,
    kept: &'a mut HerdView,
    gpu: &'a Gpu,
    asked: Asked,
    /// How far each is ahead of the first.
    offsets_secs: Vec<f64>,
    amount: f32,
    part_size: usize,
}

impl<'a> Members<'a> {
    pub fn new(
        show: &'a mut Show,
        kept: &'a mut HerdView,
        gpu: &'a Gpu,
        layout: CrowdLayout,
        time_secs: f64,
        amount: f32,
    ) -> Result<Members<'a>, DrawError> {
        let offsets_secs = layout.offsets_secs(show.duration_secs());
        let asked = Asked { time_secs, revision: show.revision(), layout };
        if !show.is_exact() {
            kept.there = None;
        }
        let mut members = Members { show, kept, gpu, asked, offsets_secs, amount, part_size: 1 };
        members.part_size = members.find_part_size().map_err(said)?;
        Ok(members)
    }

    fn is_on_device(&self) -> bool {
        self.amount == 1.0
    }

    fn find_part_size(&mut self) -> Result<usize, EvalError> {
        if !self.is_on_device() {
            return Ok(members_in(MOST_LIST_BYTES, self.vertex_count()));
        }
        if let Some(known) = self.kept.part_size {
            return Ok(known);
        }
        let deformer = self.kept.deformer.get_or_insert_with(|| DeviceDeformer::new(self.gpu));
        let most = deformer.most_moments(self.show.performer().setup())?;
        Ok(*self.kept.part_size.insert(most))
    }

    fn run(&mut self, members: &[usize]) -> Result<(), EvalError> {
        let is_there = |there: &(Asked, Vec<usize>, OnDeviceMoments)| {
            (there.0, &there.1[..]) == (self.asked, members)
        };
        if self.kept.there.as_ref().is_some_and(is_there) {
            return Ok(());
        }
        self.kept.there = None;
        let Some(deformer) = &mut self.kept.deformer else { return Ok(()) };
        let time_secs = self.asked.time_secs;
        let offsets_secs = &offsets_of(&self.offsets_secs, members);
        let performer = self.show.performer();
        let results = performer.with_crowd(time_secs, offsets_secs, |moments| {
            deformer.run(performer.setup(), moments)
        })?;
        self.kept.there = results.map(|results| (self.asked, members.to_vec(), results));
        Ok(())
    }

    fn run_on_cpu(&mut self, members: &[usize]) -> Result<(), EvalError> {
        let HerdView { deformed, lists, .. } = &mut *self.kept;
        let offsets_secs = offsets_of(&self.offsets_secs, members);
        let performer = self.show.performer();
        performer.crowd_into(self.asked.time_secs, &offsets_secs, Wanted::ALL, deformed)?;
        let (turner, amount) = (self.show.normals(), self.amount);
        let scaled = |it: &Deformed| exaggerated(&it.skinned, &it.positions, amount, turner);
        lists.positions.clear();
        lists.normals.clear();
        for some in deformed.chunks(64) {
            let scaled: Vec<Skinned> = some.par_iter().map(scaled).collect();
            for Skinned { positions, normals } in scaled {
                lists.positions.extend(positions);
                lists.normals.extend(normals);
            }
        }
        Ok(())
    }
}

impl HerdSource for Members<'_> {
    fn vertex_count(&self) -> usize {
        self.show.character().vertex_count()
    }

    fn part_size(&self) -> usize {
        self.part_size
    }

    fn part(&mut self, members: &[usize]) -> Result<HerdVertices<'_>, DrawError> {
        if self.is_on_device() {
            self.run(members).map_err(said)?;
            let there = self.kept.there.as_ref().ok_or(DrawError::NoMoments)?;
            return Ok(HerdVertices::OnDevice(there.2.get(0)));
        }
        self.run_on_cpu(members).map_err(said)?;
        let Skinned { positions, normals } = &self.kept.lists;
        Ok(HerdVertices::Lists { positions, normals })
    }
}

fn offsets_of(all: &[f64], members: &[usize]) -> Vec<f64> {
    members.iter().map(|&member| all[member]).collect()
}

fn said(error: EvalError) -> DrawError {
    DrawError::Herd(error.to_string())
}
