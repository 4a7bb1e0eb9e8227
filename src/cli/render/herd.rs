//! The members of a crowd, computed where they are drawn, or by the CPU, part by part.

use super::Take;
use crate::cli::CliError;
use glam::Vec3;
use jounce_draw::{DrawError, HerdSource, HerdVertices, MOST_LIST_BYTES, members_in};
use jounce_rig::Skinned;
#[cfg(feature = "gpu")]
use {
    crate::cli::deformer::OnDeviceMoments,
    crate::cli::graph::{BackendArg, GraphError},
    crate::cli::scene::Scene,
    jounce_eval::EvalError,
    jounce_gpu::Gpu,
    jounce_gpu::eval::DeviceDeformer,
};

pub struct Members<'a> {
    take: &'a Take<'a>,
    offsets_secs: &'a [f64],
    time_secs: f64,
    #[cfg(feature = "gpu")]
    on_device: Option<OnDevice>,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

#[cfg(feature = "gpu")]
struct OnDevice {
    deformer: DeviceDeformer,
    part_size: usize,
    /// Results of the current part.
    results: Option<OnDeviceMoments>,
    /// The number of dispatches for this picture.
    dispatches: usize,
}

impl<'a> Members<'a> {
    /// By the device that draws, where there is one, and a graph, and nobody wants the CPU.
    pub fn new(take: &'a Take<'a>, offsets_secs: &'a [f64]) -> Result<Members<'a>, CliError> {
        #[cfg(feature = "gpu")]
        let on_device = {
            let wants_cpu = take.args.scene.graph.backend == Some(BackendArg::Cpu)
                || take.args.comparison.exaggerate != 1.0;
            match (&take.gpu, &take.scene().deformer) {
                (Some(gpu), Some(_)) if !wants_cpu => {
                    Some(OnDevice::new(take.scene(), gpu).map_err(GraphError::from)?)
                }
                _ => None,
            }
        };
        Ok(Members {
            take,
            offsets_secs,
            time_secs: 0.0,
            #[cfg(feature = "gpu")]
            on_device,
            positions: Vec::new(),
            normals: Vec::new(),
        })
    }

    /// When the first of them is.
    pub fn go_to(&mut self, time_secs: f64) {
        self.time_secs = time_secs;
        #[cfg(feature = "gpu")]
        if let Some(on_device) = &mut self.on_device {
            on_device.dispatches = 0;
        }
    }

    /// What they are, and how the last picture of them was computed.
    pub fn how(&self) -> String {
        let vertices = self.vertex_count();
        #[cfg(feature = "gpu")]
        if let Some(OnDevice { deformer, dispatches, .. }) = &self.on_device {
            let adapter = &deformer.gpu().adapter;
            let times = match dispatches {
                1 => "one dispatch".to_owned(),
                several => format!("{several} dispatches"),
            };
            return format!("{vertices} vertices each, computed by {adapter} in {times}");
        }
        format!("{vertices} vertices each, computed one by one on the CPU")
    }
}

#[cfg(feature = "gpu")]
impl OnDevice {
    fn new(scene: &Scene, gpu: &Gpu) -> Result<OnDevice, EvalError> {
        let mut deformer = DeviceDeformer::new(gpu);
        let part_size = match &scene.deformer {
            Some(graph) => deformer.most_moments(graph.performer().setup())?,
            None => 1,
        };
        Ok(OnDevice { deformer, part_size, results: None, dispatches: 0 })
    }

    fn run(&mut self, scene: &Scene, times_secs: &[f64]) -> Result<(), CliError> {
        let Some(graph) = &scene.deformer else { return Ok(()) };
        let deformer = &mut self.deformer;
        self.results = scene.with_moments(graph, times_secs, |moments| {
            deformer.run(graph.performer().setup(), moments)
        })?;
        self.dispatches += self.deformer.dispatches();
        Ok(())
    }
}

impl HerdSource for Members<'_> {
    fn vertex_count(&self) -> usize {
        self.take.scene().character.vertex_count()
    }

    fn part_size(&self) -> usize {
        #[cfg(feature = "gpu")]
        if let Some(on_device) = &self.on_device {
            return on_device.part_size;
        }
        members_in(MOST_LIST_BYTES, self.vertex_count())
    }

    fn part(&mut self, members: &[usize]) -> Result<HerdVertices<'_>, DrawError> {
        let said = |error: CliError| DrawError::Herd(error.to_string());
        let scene = self.take.scene();
        let times_secs: Vec<f64> =
            members.iter().map(|&member| self.time_secs + self.offsets_secs[member]).collect();
        #[cfg(feature = "gpu")]
        if let Some(on_device) = &mut self.on_device {
            on_device.run(scene, &times_secs).map_err(said)?;
            let results = on_device.results.as_ref().ok_or(DrawError::NoMoments)?;
            return Ok(HerdVertices::OnDevice(results.get(0)));
        }
        self.positions.clear();
        self.normals.clear();
        for time_secs in times_secs {
            let Skinned { positions, normals } = self.take.drawn(scene, time_secs).map_err(said)?;
            self.positions.extend(positions);
            self.normals.extend(normals);
        }
        Ok(HerdVertices::Lists { positions: &self.positions, normals: &self.normals })
    }
}
