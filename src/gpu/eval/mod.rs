//! Runs programs on the GPU.
//!
//! ```text
//!  Program ─► wgsl ─► naga module ─► pipelines       once per program and way of skinning
//!  Bound ──► blocks ─► CharacterData ─► buffers       once per character
//!  Moments ─► host stages ─► tables, joints ─► upload ─► dispatch ─► positions on the GPU ─► read back
//! ```
//! Sliders, poses and painted maps change data only. Any number of instances of one character run in
//! one dispatch. Results stay on the device for drawing, or are read back.

mod buffers;
mod crowd;
mod normals;
mod on_device;
mod pipelines;
mod prepared;
mod tables;

pub use crowd::{DeviceCrowd, DeviceMembers};
pub use normals::NormalsOnGpu;
pub use on_device::{DeviceDeformer, GpuBackend, OnDeviceMoments};
pub use prepared::{OnGpu, PreparedOnGpu};

use crate::{Gpu, GpuError};
use jounce_eval::{Bound, Deformed, EvalError, Evaluator, Moment, Skinning};
use jounce_ir::Program;
use jounce_shader::wgsl::ShaderSkinning;
use pipelines::PipelineCache;
use std::sync::{Arc, Mutex, PoisonError};

/// Evaluates on one device; keeps the pipelines of all programs it has seen.
#[derive(Debug)]
pub struct GpuEvaluator {
    gpu: Gpu,
    pipelines: Arc<Mutex<PipelineCache>>,
}

impl GpuEvaluator {
    pub fn new(gpu: &Gpu) -> GpuEvaluator {
        GpuEvaluator { gpu: gpu.clone(), pipelines: Arc::default() }
    }

    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// A character's data on the device, and the pipelines of a program.
    pub fn prepare(
        &mut self,
        program: &Program,
        bound: &Bound,
        kind: ShaderSkinning,
    ) -> Result<PreparedOnGpu, EvalError> {
        PreparedOnGpu::new(&self.gpu, program, bound, kind, self.pipelines.clone())
    }

    /// How often it has compiled a program: once for each, and each way of skinning.
    pub fn pipeline_count(&self) -> usize {
        self.pipelines.lock().unwrap_or_else(PoisonError::into_inner).compilations()
    }
}

/// How the vertices of a moment are skinned.
pub fn skinning_kind(moment: &Moment) -> ShaderSkinning {
    match &moment.skinning {
        Skinning::Given { .. } => ShaderSkinning::Given,
        Skinning::Posed(posed) => posed.base.into(),
    }
}

impl Evaluator for GpuEvaluator {
    fn deform(
        &mut self,
        program: &Program,
        bound: &Bound,
        moment: &Moment,
    ) -> Result<Deformed, EvalError> {
        let mut prepared = self.prepare(program, bound, skinning_kind(moment))?;
        prepared.run(bound, std::slice::from_ref(moment))?;
        Ok(prepared.read()?.pop().unwrap_or_default())
    }
}

impl From<GpuError> for EvalError {
    fn from(error: GpuError) -> EvalError {
        EvalError::Device(error.to_string())
    }
}
