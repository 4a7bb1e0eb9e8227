//! What one moment brings, rounded once to single precision.

use super::uniforms::UniformLayout;
use crate::host::run_host_stages;
use crate::plan::{Amount, Plan};
use crate::{Bound, EvalError, Moment, Skinning};
use glam::DAffine3;
use jounce_base::Base;
use jounce_ir::Program;
use jounce_rig::skinning::Rigid;
use jounce_simd::{MATRIX, RIGID};

/// Of one instance.
pub struct VmFrame {
    /// Rows of [`UniformLayout`].
    pub uniforms: Vec<f32>,
    /// Per bone: does nothing it could do move anything? Empty: none was asked.
    is_still: Vec<bool>,
    /// Of each relaxation that is the same everywhere: how much, in the order of the plan.
    pub amounts: Vec<f32>,
    /// None where skinned vertices are given.
    pub skin: Option<FrameSkin>,
}

pub struct FrameSkin {
    pub base: Base,
    /// [`MATRIX`] or [`RIGID`] floats per binding.
    pub parts: Vec<f32>,
    /// The largest number in a matrix, as far as that is known.
    pub largest: f64,
}

impl VmFrame {
    /// `still` are places in the bone table that are all 0 where a bone is still; none: no bone ever is.
    pub fn new(
        program: &Program,
        plan: &Plan,
        layout: &UniformLayout,
        still: Option<&[usize]>,
        bound: &Bound,
        moment: &Moment,
    ) -> Result<VmFrame, EvalError> {
        let tables = run_host_stages(program, plan, bound, moment)?;
        let bones = bound.row_count();
        let is_still = still.map_or(Vec::new(), |places| {
            let is_still =
                |bone: usize| places.iter().all(|&place| tables.bones.raw(bone, place) == [0.0; 3]);
            (0..bones).map(is_still).collect()
        });
        let relaxations = plan.passes.iter().flat_map(|pass| &pass.relaxations);
        let amounts = relaxations.map(|relaxation| match relaxation.amount {
            Amount::Frame(address) => tables.frame.raw(address, Default::default())[0] as f32,
            Amount::Kept(_) => 0.0,
        });
        let amounts = amounts.collect();
        Ok(VmFrame {
            is_still,
            uniforms: layout.rows(plan, &tables, bones),
            amounts,
            skin: match &moment.skinning {
                Skinning::Given { .. } => None,
                Skinning::Posed(posed) => Some(match posed.base {
                    Base::Lbs => matrices(&posed.scene_from_bind),
                    Base::Dqs => rigid_parts(&posed.scene_from_bind),
                }),
            },
        })
    }

    pub fn is_still(&self, bone: u32) -> bool {
        !self.is_still.is_empty() && self.is_still[bone as usize]
    }
}

fn matrices(scene_from_bind: &[DAffine3]) -> FrameSkin {
    let mut parts = Vec::with_capacity(scene_from_bind.len() * MATRIX);
    // Each number of a matrix has its own, so that they need not wait for each other.
    let mut largest = [0.0; MATRIX];
    for matrix in scene_from_bind {
        let numbers = matrix.to_cols_array();
        for (largest, x) in largest.iter_mut().zip(numbers.map(f64::abs)) {
            *largest = if x > *largest { x } else { *largest };
        }
        parts.extend(numbers.map(|x| x as f32));
    }
    let largest = largest.into_iter().fold(0.0, f64::max);
    FrameSkin { base: Base::Lbs, parts, largest }
}

fn rigid_parts(scene_from_bind: &[DAffine3]) -> FrameSkin {
    let mut parts = Vec::with_capacity(scene_from_bind.len() * RIGID);
    for matrix in scene_from_bind {
        let rigid = Rigid::of(matrix);
        parts.extend(rigid.real.to_array());
        parts.extend(rigid.dual.to_array());
        parts.extend(rigid.stretch.to_cols_array());
    }
    FrameSkin { base: Base::Dqs, parts, largest: f64::INFINITY }
}
