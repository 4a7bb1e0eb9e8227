//! What each frame uploads: rows of the frame table and the bone table, and the joints.

use glam::{DAffine3, Vec4};
use jounce_base::Base;
use jounce_eval::host::{HerdTables, Needs, run_host_stages_of_herd};
use jounce_eval::memory::HERD_ROWS;
use jounce_eval::plan::{Plan, RunsAt};
use jounce_eval::registers::Lanes;
use jounce_eval::{Bound, EvalError, Moment, Posed, Skinning, validate};
use jounce_ir::schedule::RowLayout;
use jounce_ir::{Program, Type, Value};
use jounce_rig::skinning::Rigid;
use jounce_shader::wgsl::{TableMemory, UNIFORM_BYTES};
use rayon::prelude::*;

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
        memory(self.bytes(bones, joints))
    }

    /// What one instance takes at most: its frame, its bones, its joints.
    pub fn bytes(&self, bones: usize, joints: usize) -> [usize; 3] {
        const JOINT_BYTES: usize = 5 * size_of::<Vec4>();
        [4 * self.frame.stride, 4 * self.bone.stride * bones.max(1), JOINT_BYTES * joints]
    }
}

fn memory(bytes: [usize; 3]) -> TableMemory {
    match bytes.into_iter().max() {
        Some(most) if most > UNIFORM_BYTES => TableMemory::Storage,
        _ => TableMemory::Uniform,
    }
}

/// The tables of all instances, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameData {
    pub frames: Vec<u32>,
    pub bones: Vec<u32>,
    pub joints: Vec<Vec4>,
}

impl FrameData {
    /// Bones of several instances are computed side by side, on all threads: with the same bits as alone.
    pub fn new(
        program: &Program,
        plan: &Plan,
        layouts: &TableLayouts,
        bound: &Bound,
        moments: &[Moment],
    ) -> Result<FrameData, EvalError> {
        let needs = Needs::new(program, bound);
        let run = |numbers: &mut Vec<f64>, some: &[Moment]| {
            for moment in some {
                validate::check_moment(program, bound, moment)?;
            }
            let numbers_before = std::mem::take(numbers);
            let tables =
                run_host_stages_of_herd(program, plan, bound, &needs, some, numbers_before)?;
            let mut data = FrameData::default();
            for (place, moment) in some.iter().enumerate() {
                data.push(program, plan, layouts, bound, &tables, place);
                if let Skinning::Posed(posed) = &moment.skinning {
                    data.joints.extend(joints(posed));
                }
            }
            *numbers = tables.bones.into_numbers();
            Ok(data)
        };
        let instances = (HERD_ROWS / bound.row_count().max(1)).max(1);
        if moments.len() <= instances {
            return run(&mut Vec::new(), moments);
        }
        let parts = moments.par_chunks(instances).map_init(Vec::new, run);
        let parts: Vec<FrameData> = parts.collect::<Result<_, EvalError>>()?;
        let mut data = FrameData::default();
        for part in parts {
            data.frames.extend(part.frames);
            data.bones.extend(part.bones);
            data.joints.extend(part.joints);
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
        tables: &HerdTables,
        instance: usize,
    ) {
        let schedule = &plan.schedule;
        let of_frame = &tables.frames[instance];
        let first = self.frames.len();
        self.frames.resize(first + layouts.frame.stride, 0);
        for (&value, &offset) in schedule.frame_table.iter().zip(&layouts.frame.offsets) {
            let raw = of_frame.raw(plan.address(value, RunsAt::Frame), Lanes::default());
            put(&mut self.frames[first + offset..], program.ty(value), raw);
        }
        let rows = bound.row_count();
        for row in instance * rows..(instance + 1) * rows {
            let first = self.bones.len();
            self.bones.resize(first + layouts.bone.stride, 0);
            let columns = schedule.bone_table.iter().zip(&layouts.bone.offsets);
            for (place, (&value, &offset)) in columns.enumerate() {
                put(
                    &mut self.bones[first + offset..],
                    program.ty(value),
                    tables.bones.raw(row, place),
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
