//! The members of a crowd, computed where they are drawn: nothing comes back.

use super::{DeviceDeformer, OnDeviceMoments};
use crate::Gpu;
use jounce_draw::{DrawError, HerdSource, HerdVertices};
use jounce_eval::{EvalError, Performer};

/// What is kept of a crowd from picture to picture.
pub struct DeviceCrowd {
    deformer: DeviceDeformer,
    /// How many fit on the device at once; None until it was asked.
    part_size: Option<usize>,
    /// What is on the device, and what for.
    there: Option<(Asked, OnDeviceMoments)>,
    /// How often the program was started for this picture.
    dispatches: usize,
}

/// Two pictures of the same are computed once.
#[derive(PartialEq)]
struct Asked {
    time_secs: f64,
    revision: u64,
    offsets_secs: Vec<f64>,
}

impl DeviceCrowd {
    pub fn new(gpu: &Gpu) -> DeviceCrowd {
        let deformer = DeviceDeformer::new(gpu);
        DeviceCrowd { deformer, part_size: None, there: None, dispatches: 0 }
    }

    /// The program or the character has changed.
    pub fn forget(&mut self) {
        (self.part_size, self.there) = (None, None);
        self.deformer.forget();
    }

    /// All members when the first is at a time, each so far ahead of it. Whoever changes the performer in
    /// between calls that another revision.
    pub fn members<'a>(
        &'a mut self,
        performer: &'a Performer,
        revision: u64,
        time_secs: f64,
        offsets_secs: &'a [f64],
    ) -> Result<DeviceMembers<'a>, EvalError> {
        if !performer.is_exact() {
            self.there = None;
        }
        self.dispatches = 0;
        let part_size = match self.part_size {
            Some(known) => known,
            None => *self.part_size.insert(self.deformer.most_moments(performer.setup())?),
        };
        let crowd = self;
        Ok(DeviceMembers { crowd, performer, revision, time_secs, offsets_secs, part_size })
    }

    pub fn gpu(&self) -> &Gpu {
        self.deformer.gpu()
    }

    /// How often the program was started for the last picture; not at all where it was still there.
    pub fn dispatches(&self) -> usize {
        self.dispatches
    }

    /// How often it was started for what is there, and for how many members.
    pub fn work(&self) -> Option<(usize, usize)> {
        let (asked, _) = self.there.as_ref()?;
        Some((self.deformer.dispatches(), asked.offsets_secs.len()))
    }
}

pub struct DeviceMembers<'a> {
    crowd: &'a mut DeviceCrowd,
    performer: &'a Performer,
    revision: u64,
    time_secs: f64,
    offsets_secs: &'a [f64],
    part_size: usize,
}

impl DeviceMembers<'_> {
    fn run(&mut self, members: &[usize]) -> Result<(), EvalError> {
        let offsets_secs = members.iter().map(|&member| self.offsets_secs[member]).collect();
        let asked = Asked { time_secs: self.time_secs, revision: self.revision, offsets_secs };
        let DeviceCrowd { deformer, there, dispatches, .. } = &mut *self.crowd;
        if there.as_ref().is_some_and(|(known, _)| *known == asked) {
            return Ok(());
        }
        *there = None;
        let performer = self.performer;
        let results = performer.with_crowd(asked.time_secs, &asked.offsets_secs, |moments| {
            deformer.run(performer.setup(), moments)
        })?;
        *dispatches += deformer.dispatches();
        *there = results.map(|results| (asked, results));
        Ok(())
    }
}

impl HerdSource for DeviceMembers<'_> {
    fn vertex_count(&self) -> usize {
        self.performer.character().vertex_count()
    }

    fn part_size(&self) -> usize {
        self.part_size
    }

    fn part(&mut self, members: &[usize]) -> Result<HerdVertices<'_>, DrawError> {
        self.run(members).map_err(|error| DrawError::Herd(error.to_string()))?;
        let (_, results) = self.crowd.there.as_ref().ok_or(DrawError::NoMoments)?;
        Ok(HerdVertices::OnDevice(results.get(0)))
    }
}
