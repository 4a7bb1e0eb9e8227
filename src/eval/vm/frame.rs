//! What one moment brings, rounded once to single precision.

use super::simd::{MATRIX, RIGID};
use super::uniforms::UniformLayout;
use crate::eval::host::run_host_stages;
use crate::eval::plan::{Amount, Plan};
use crate::eval::{Bound, EvalError, Moment, Skinning};
use crate::ir::{Program, Value};
use crate::rig::Base;
use crate::rig::skinning::Rigid;
use glam::DAffine3;

/// Of one instance.
pub struct Frame {
    /// Rows of [`UniformLayout`].
    pub uniforms: Vec<f32>,
    /// Per bone: does nothing it could do move anything?
    pub is_still: Vec<bool>,
    /// Of each relaxation that is the same everywhere: how much, in the order of the plan.
    pub amounts: Vec<f32>,
    /// None where skinned vertices are given.
    pub skin: Option<FrameSkin>,
}

pub struct FrameSkin {
    pub base: Base,
    /// [`MATRIX`] or [`RIGID`] floats per binding.
    pub parts: Vec<f32>,
    /// The largest number in a matrix.
    pub largest: f64,
}

impl Frame {
    /// `motions` are values of bones that are all 0 where a bone is still; none: no bone ever is.
    pub fn new(
        program: &Program,
        plan: &Plan,
        layout: &UniformLayout,
        motions: Option<&[Value]>,
        bound: &Bound,
        moment: &Moment,
    ) -> Result<Frame, EvalError> {
        let tables = run_host_stages(program, plan, bound, moment)?;
        let bones = bound.row_count();
        let mut uniforms = Vec::new();
        layout.fill(plan, &tables, bones, &mut uniforms);
        let table = &plan.schedule.bone_table;
        let column = |value: &Value| table.iter().position(|known| known == value);
        let columns: Option<Vec<usize>> =
            motions.and_then(|motions| motions.iter().map(column).collect());
        let is_still = |bone: usize| {
            columns.as_ref().is_some_and(|columns| {
                columns.iter().all(|&column| tables.bones.raw(bone, column) == [0.0; 3])
            })
        };
        let relaxations = plan.passes.iter().flat_map(|pass| &pass.relaxations);
        let amounts = relaxations.map(|relaxation| match relaxation.amount {
            Amount::Frame(address) => tables.frame.raw(address, Default::default())[0] as f32,
            Amount::Kept(_) => 0.0,
        });
        let amounts = amounts.collect();
        Ok(Frame {
            is_still: (0..bones).map(is_still).collect(),
            uniforms,
            amounts,
            skin: match &moment.skinning {
                Skinning::Given { .. } => None,
                Skinning::Posed(posed) => Some(FrameSkin {
                    base: posed.base,
                    largest: largest(&posed.scene_from_bind),
                    parts: match posed.base {
                        Base::Lbs => matrices(&posed.scene_from_bind),
                        Base::Dqs => rigid_parts(&posed.scene_from_bind),
                    },
                }),
            },
        })
    }
}

fn largest(matrices: &[DAffine3]) -> f64 {
    let numbers = matrices.iter().flat_map(DAffine3::to_cols_array);
    numbers.map(f64::abs).fold(0.0, f64::max)
}

fn matrices(scene_from_bind: &[DAffine3]) -> Vec<f32> {
    let mut parts = Vec::with_capacity(scene_from_bind.len() * MATRIX);
    for matrix in scene_from_bind {
        parts.extend(matrix.to_cols_array().map(|x| x as f32));
    }
    parts
}

fn rigid_parts(scene_from_bind: &[DAffine3]) -> Vec<f32> {
    let mut parts = Vec::with_capacity(scene_from_bind.len() * RIGID);
    for matrix in scene_from_bind {
        let rigid = Rigid::of(matrix);
        parts.extend(rigid.real.to_array());
        parts.extend(rigid.dual.to_array());
        parts.extend(rigid.stretch.to_cols_array());
    }
    parts
}
