//! What each frame uploads: rows of the frame table and the bone table, and the joints.

use super::super::host::{HostTables, run_host_stages};
use super::super::plan::Plan;
use super::super::{Bound, EvalError, Moment, Posed, Skinning};
use crate::ir::schedule::RowLayout;
use crate::ir::{Program, Type, Value};
use crate::rig::Base;
use crate::rig::skinning::Rigid;
use crate::wgsl::{TableMemory, UNIFORM_BYTES};
use glam::{DAffine3, Vec4};

/// How the two tables lie in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableLayouts {
    pub frame: RowLayout,
    pub bone: RowLayout,
}

impl TableLayouts {
    pub fn new(program: &Program, plan: &Plan) -> TableLayouts {
        let types = |values: &[Value]| -> Vec<Type> {
            values.iter().map(|&value| program.ty(value)).collect()
        };
        TableLayouts {
            frame: RowLayout::new(&types(&plan.schedule.frame_table)),
            bone: RowLayout::new(&types(&plan.schedule.bone_table)),
        }
    }
}

impl TableLayouts {
    /// Can the tables of one instance be read as uniforms?
    pub fn memory(&self, bones: usize, joints: usize) -> TableMemory {
        const JOINT_BYTES: usize = 5 * size_of::<Vec4>();
        memory([4 * self.frame.stride, 4 * self.bone.stride * bones.max(1), JOINT_BYTES * joints])
    }
}

fn memory(bytes: [usize; 3]) -> TableMemory {
    match bytes.into_iter().max() {
        Some(most) if most > UNIFORM_BYTES => TableMemory::Storage,
        _ => TableMemory::Uniform,
    }
}

/// Of all instances, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameData {
    pub frames: Vec<u32>,
    pub bones: Vec<u32>,
    pub joints: Vec<Vec4>,
}

impl FrameData {
    pub fn new(
        program: &Program,
        plan: &Plan,
        layouts: &TableLayouts,
        bound: &Bound,
        moments: &[Moment],
    ) -> Result<FrameData, EvalError> {
        let mut data = FrameData::default();
        for moment in moments {
            let tables = run_host_stages(program, plan, bound, moment)?;
            data.push(program, plan, layouts, bound, &tables);
            if let Skinning::Posed(posed) = &moment.skinning {
                data.joints.extend(joints(posed));
            }
        }
        Ok(data)
    }

    /// Can it be read as uniforms?
    pub fn memory(&self) -> TableMemory {
        memory([
            size_of_val(self.frames.as_slice()),
            size_of_val(self.bones.as_slice()),
            size_of_val(self.joints.as_slice()),
        ])
    }

    fn push(
        &mut self,
        program: &Program,
        plan: &Plan,
        layouts: &TableLayouts,
        bound: &Bound,
        tables: &HostTables,
    ) {
        let schedule = &plan.schedule;
        let first = self.frames.len();
        self.frames.resize(first + layouts.frame.stride, 0);
        for (&value, &offset) in schedule.frame_table.iter().zip(&layouts.frame.offsets) {
            let raw = tables.of_frame(plan, value);
            put(&mut self.frames[first + offset..], program.ty(value), raw);
        }
        for bone in 0..bound.row_count() {
            let first = self.bones.len();
            self.bones.resize(first + layouts.bone.stride, 0);
            let columns = schedule.bone_table.iter().zip(&layouts.bone.offsets);
            for (place, (&value, &offset)) in columns.enumerate() {
                put(
                    &mut self.bones[first + offset..],
                    program.ty(value),
                    tables.bones.raw(bone, place),
                );
            }
        }
    }
}

/// Rounds once; a bool is 0 or 1.
fn put(words: &mut [u32], ty: Type, raw: [f64; 3]) {
    match ty {
        Type::Float => words[0] = (raw[0] as f32).to_bits(),
        Type::Bool => words[0] = u32::from(raw[0] != 0.0),
        Type::Vec3 => {
            for (word, number) in words.iter_mut().zip(raw) {
                *word = (number as f32).to_bits();
            }
        }
    }
}

/// As `shaders/skin_lbs.wgsl` and `shaders/skin_dqs.wgsl` read them.
fn joints(posed: &Posed) -> Vec<Vec4> {
    let matrices = posed.scene_from_bind.iter();
    match posed.base {
        Base::Lbs => matrices.flat_map(rows).collect(),
        Base::Dqs => matrices.flat_map(|matrix| dual_quaternion(&Rigid::of(matrix))).collect(),
    }
}

fn rows(matrix: &DAffine3) -> [Vec4; 3] {
    let (m, t) = (matrix.matrix3.transpose(), matrix.translation);
    [m.x_axis.extend(t.x), m.y_axis.extend(t.y), m.z_axis.extend(t.z)].map(|row| row.as_vec4())
}

fn dual_quaternion(rigid: &Rigid) -> [Vec4; 5] {
    let column = |v: glam::Vec3A| v.extend(0.0);
    let stretch = rigid.stretch;
    [
        Vec4::from(rigid.real),
        Vec4::from(rigid.dual),
        column(stretch.x_axis),
        column(stretch.y_axis),
        column(stretch.z_axis),
    ]
}
