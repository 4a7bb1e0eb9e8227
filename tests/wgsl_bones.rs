//! The entry point `bones` on a real device against the interpreter: every field of every row.
#![cfg(feature = "gpu")]

mod support;

use jounce::eval::{Interpreter, Probed};
use jounce::gpu::Gpu;
use jounce::ir::{Number, Value};
use jounce::wgsl::{self, Module, Options, Row, ShaderSkinning, TableMemory};
use std::borrow::Cow;
use support::scene::{Scene, examples};

/// Of the largest number in a field. Frame and bones are f64 on the CPU and f32 here.
const TOLERANCE: f32 = 1e-4;

fn write(row: &Row, numbers: &[Number]) -> Vec<u32> {
    let mut words = vec![0; row.stride];
    for (field, number) in row.fields.iter().zip(numbers) {
        match *number {
            Number::Float(x) => words[field.offset] = (x as f32).to_bits(),
            Number::Bool(is) => words[field.offset] = is.into(),
            Number::Vec3(v) => {
                for (i, x) in v.to_array().into_iter().enumerate() {
                    words[field.offset + i] = (x as f32).to_bits();
                }
            }
        }
    }
    words
}

/// Of all bones, row by row.
fn rows(row: &Row, probed: &[Probed], bones: usize) -> Vec<u32> {
    let of_bone = |bone: usize| {
        let number = |probed: &Probed| match probed {
            Probed::Bones(numbers) => numbers[bone],
            other => panic!("{other:?}"),
        };
        write(row, &probed.iter().map(number).collect::<Vec<_>>())
    };
    (0..bones).flat_map(of_bone).collect()
}

fn values(row: &Row) -> Vec<Value> {
    row.fields.iter().map(|field| field.value).collect()
}

fn run_bones(gpu: &Gpu, module: &Module, frame: &[u32], inputs: &[u32], bones: usize) -> Vec<u32> {
    let Gpu { device, queue, .. } = gpu;
    let shader = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Naga(Cow::Owned(module.naga.clone())),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &shader,
        entry_point: Some("bones"),
        compilation_options: Default::default(),
        cache: None,
    });
    use wgpu::BufferUsages as Usage;
    let buffer = |words: &[u32], usage: Usage| {
        let size = 4 * words.len().max(4) as u64;
        let usage = usage | Usage::COPY_DST | Usage::COPY_SRC;
        let descriptor =
            wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        let buffer = device.create_buffer(&descriptor);
        queue.write_buffer(&buffer, 0, bytemuck::cast_slice(words));
        buffer
    };
    let mut counts = [0_u32; 16];
    counts[2] = bones as u32;
    let counts = buffer(&counts, Usage::UNIFORM);
    let frame = buffer(frame, Usage::STORAGE);
    let inputs = buffer(inputs, Usage::STORAGE);
    let result = buffer(&vec![0; bones * module.bone.stride], Usage::STORAGE);
    let group = |index: u32, buffers: [(u32, &wgpu::Buffer); 2]| {
        let entries = buffers.map(|(binding, buffer)| wgpu::BindGroupEntry {
            binding,
            resource: buffer.as_entire_binding(),
        });
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(index),
            entries: &entries,
        })
    };
    let groups = [group(0, [(0, &counts), (1, &frame)]), group(1, [(1, &inputs), (2, &result)])];
    let mut encoder = device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_compute_pass(&Default::default());
    pass.set_pipeline(&pipeline);
    for (index, group) in groups.iter().enumerate() {
        pass.set_bind_group(index as u32, group, &[]);
    }
    pass.dispatch_workgroups((bones as u32).div_ceil(wgsl::WORKGROUP_SIZE), 1, 1);
    drop(pass);
    let usage = Usage::MAP_READ | Usage::COPY_DST;
    let size = result.size();
    let staging = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size,
        usage,
        mapped_at_creation: false,
    });
    encoder.copy_buffer_to_buffer(&result, 0, &staging, 0, size);
    queue.submit([encoder.finish()]);
    gpu.read_mapped(&staging, bytemuck::pod_collect_to_vec).unwrap()
}

#[test]
fn bones_computed_by_the_shader_are_those_of_the_interpreter() {
    let Some(gpu) = support::gpu_or_skip() else { return };
    for file in examples() {
        let scene = Scene::example(&file);
        let (program, bound) = (&scene.program, &scene.bound);
        let options = Options {
            name: "test",
            skinning: ShaderSkinning::Lbs,
            with_constants: false,
            tables: TableMemory::Storage,
        };
        let module = wgsl::module(program, &options).unwrap();
        // A row that nothing is computed for is not in the module.
        if module.bone.fields.is_empty() || module.frame.fields.is_empty() {
            continue;
        }
        let bones = bound.bone_count();
        scene.with_moment(0.3 * scene.clip.duration_secs(), |moment| {
            let probe =
                |row: &Row| Interpreter::probe(program, bound, moment, &values(row)).unwrap();
            let of_frame = |probed: Probed| match probed {
                Probed::Frame(number) => number,
                other => panic!("{other:?}"),
            };
            let frame: Vec<Number> = probe(&module.frame).into_iter().map(of_frame).collect();
            let frame = write(&module.frame, &frame);
            let inputs = rows(&module.bone_input, &probe(&module.bone_input), bones);
            let expected = rows(&module.bone, &probe(&module.bone), bones);
            let found = run_bones(&gpu, &module, &frame, &inputs, bones);
            let worst = worst(&module.bone, &found, &expected);
            println!("{}: {worst:e}", file.display());
            assert!(worst < TOLERANCE, "{}: {worst}", file.display());
        });
    }
}

/// The largest difference, as a part of the largest number in the same field.
fn worst(row: &Row, found: &[u32], expected: &[u32]) -> f32 {
    let mut worst = 0.0_f32;
    for field in &row.fields {
        let is_vector = field.ty == jounce::ir::Type::Vec3;
        let places = field.offset..field.offset + if is_vector { 3 } else { 1 };
        let numbers = |words: &[u32]| -> Vec<f32> {
            let rows = words.chunks_exact(row.stride);
            let is_bool = field.ty == jounce::ir::Type::Bool;
            let number = |word: &u32| if is_bool { *word as f32 } else { f32::from_bits(*word) };
            rows.flat_map(|row| &row[places.clone()]).map(number).collect()
        };
        let (found, expected) = (numbers(found), numbers(expected));
        // What is all but 0 is the difference of larger numbers.
        let size = expected.iter().fold(1e-2_f32, |size, x| size.max(x.abs()));
        for (a, b) in found.iter().zip(&expected) {
            let difference = (a - b).abs() / size;
            worst = if difference.is_nan() { f32::INFINITY } else { worst.max(difference) };
        }
    }
    worst
}
