//! Deforming for drawing: positions and normals that never leave the device. Windows and pictures use it.

use super::{GpuEvaluator, NormalsOnGpu, PreparedOnGpu};
use crate::Gpu;
use crate::draw::DeviceVertices;
use jounce_draw::OnDevice;
use jounce_eval::vm::Wanted;
use jounce_eval::{Backend, Deformed, EvalError, Moment, Setup};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A program and a character on one device.
pub struct DeviceDeformer {
    evaluator: GpuEvaluator,
    prepared: Option<PreparedOnGpu>,
    normals: Option<NormalsOnGpu>,
}

/// Positions and normals of some moments that never left the graphics device.
#[derive(Clone, Debug)]
pub struct OnDeviceMoments {
    results: wgpu::Buffer,
    normals: wgpu::Buffer,
    bytes_per_moment: u64,
    moments: u64,
}

impl OnDeviceMoments {
    /// For a picture.
    pub fn get(&self, moment: usize) -> OnDevice<'_> {
        OnDevice { vertices: self, moment }
    }

    pub fn vertices(&self, moment: usize) -> DeviceVertices<'_> {
        let offset = self.bytes_per_moment * moment as u64;
        DeviceVertices {
            positions: &self.results,
            positions_offset: offset,
            normals: &self.normals,
            normals_offset: offset,
        }
    }

    pub fn count(&self) -> usize {
        self.moments as usize
    }

    /// What they take on the device.
    pub fn bytes(&self) -> u64 {
        // Positions, plain skinning's positions and normals; normals.
        4 * self.bytes_per_moment * self.moments
    }

    /// Plain skinning of the same moment.
    pub fn plain(&self, moment: usize) -> DeviceVertices<'_> {
        let section = self.bytes_per_moment * self.moments;
        let offset = self.bytes_per_moment * moment as u64;
        DeviceVertices {
            positions: &self.results,
            positions_offset: section + offset,
            normals: &self.results,
            normals_offset: 2 * section + offset,
        }
    }
}

impl DeviceDeformer {
    pub fn new(gpu: &Gpu) -> DeviceDeformer {
        DeviceDeformer { evaluator: GpuEvaluator::new(gpu), prepared: None, normals: None }
    }

    pub fn gpu(&self) -> &Gpu {
        self.evaluator.gpu()
    }

    /// The program or the character has changed. Pipelines that were made stay.
    pub fn forget(&mut self) {
        (self.prepared, self.normals) = (None, None);
    }

    pub fn prepared(&mut self, setup: Setup) -> Result<&mut PreparedOnGpu, EvalError> {
        match &mut self.prepared {
            Some(prepared) => {
                prepared.follow_maps(setup.bound)?;
                Ok(prepared)
            }
            none => {
                let Setup { program, bound, .. } = setup;
                Ok(none.insert(self.evaluator.prepare(program, bound, setup.base().into())?))
            }
        }
    }

    /// How many moments can be run at once.
    pub fn most_moments(&mut self, setup: Setup) -> Result<usize, EvalError> {
        Ok(self.prepared(setup)?.most_instances())
    }

    /// How often the last run has started the shader of the program.
    pub fn dispatches(&self) -> usize {
        self.prepared.as_ref().map_or(0, PreparedOnGpu::dispatches)
    }

    /// All of one program and one character, until [`Self::forget`]. The results stay on the device.
    pub fn run(
        &mut self,
        setup: Setup,
        moments: &[Moment],
    ) -> Result<Option<OnDeviceMoments>, EvalError> {
        if moments.is_empty() {
            return Ok(None);
        }
        if self.normals.is_none() {
            let character = setup.character;
            let smooth = &character.surface().smooth;
            let gpu = self.evaluator.gpu();
            self.normals = Some(NormalsOnGpu::new(gpu, smooth, &character.mesh.triangles)?);
        }
        self.prepared(setup)?;
        let (Some(prepared), Some(normals)) = (&mut self.prepared, &mut self.normals) else {
            return Ok(None);
        };
        // Normals are turned from those of plain skinning.
        prepared.write_skinned(true);
        let result = prepared.run(setup.bound, moments)?;
        Ok(Some(OnDeviceMoments {
            results: result.buffer.clone(),
            normals: normals.run(result)?.clone(),
            bytes_per_moment: result.section_bytes(1) / result.instances.max(1),
            moments: result.instances,
        }))
    }
}

/// A device as what computes for a performer. What it computes is read back.
#[derive(Clone)]
pub struct GpuBackend(Arc<Mutex<DeviceDeformer>>);

impl GpuBackend {
    pub fn new(gpu: &Gpu) -> GpuBackend {
        GpuBackend(Arc::new(Mutex::new(DeviceDeformer::new(gpu))))
    }

    /// For code that draws the results where they are.
    pub fn deformer(&self) -> MutexGuard<'_, DeviceDeformer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Backend for GpuBackend {
    fn prepare(&self, setup: Setup) -> Result<(), EvalError> {
        let mut deformer = self.deformer();
        let Setup { program, bound, .. } = setup;
        let prepared = deformer.evaluator.prepare(program, bound, setup.base().into())?;
        deformer.forget();
        deformer.prepared = Some(prepared);
        Ok(())
    }

    fn deform_into(
        &self,
        setup: Setup,
        moments: &[Moment],
        wanted: Wanted,
        out: &mut Vec<Deformed>,
    ) -> Result<(), EvalError> {
        let mut deformer = self.deformer();
        let prepared = deformer.prepared(setup)?;
        let wants_skinned = wanted != Wanted::default();
        prepared.write_skinned(wants_skinned);
        prepared.run(setup.bound, moments)?;
        *out = match wants_skinned {
            true => prepared.read()?,
            false => {
                let deformed = |positions| Deformed { positions, ..Deformed::default() };
                prepared.read_positions()?.into_iter().map(deformed).collect()
            }
        };
        Ok(())
    }
}
