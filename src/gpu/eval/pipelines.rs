//! Pipelines of a program, made once for each program and way of skinning.

use super::buffers::Buffers;
use crate::{Gpu, GpuError};
use jounce_eval::EvalError;
use jounce_ir::Program;
use jounce_shader::wgsl::{self, Buffer, RelaxStep, ShaderSkinning, TableMemory, UNIFORM_BYTES};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Bindings of `shaders/deform_data.wgsl`: one uniform, then storage.
const BINDINGS: u32 = 9;
/// Frames, bones and joints.
const IN_TABLES: [u32; 3] =
    [binding_of(Buffer::Frames), binding_of(Buffer::Bones), binding_of(Buffer::Joints)];
/// Those that shaders write to.
const WRITTEN: [u32; 2] = [binding_of(Buffer::Positions), binding_of(Buffer::KeptNumbers)];
const RELAX_BINDING: u32 = binding_of(Buffer::Relax);
const STEP_BYTES: u32 = 16;

/// In its group.
const fn binding_of(buffer: Buffer) -> u32 {
    buffer.binding().binding
}

#[derive(Debug)]
pub struct Pipelines {
    group_layout: wgpu::BindGroupLayout,
    pub tables: TableMemory,
    /// To be run in this order, all vertices of one before the next.
    passes: Vec<Pass>,
    /// Which places a step of smoothing reads and writes; a step each, as far apart as the device
    /// wants it.
    relax_steps: RelaxSteps,
    /// Numbers per lane that are kept between passes.
    pub kept_slots: u32,
}

#[derive(Debug)]
struct Pass {
    deform: wgpu::ComputePipeline,
    /// Pipelines with the numbers of their steps.
    relaxations: Vec<(wgpu::ComputePipeline, Range<u32>)>,
}

#[derive(Debug)]
struct RelaxSteps {
    group: wgpu::BindGroup,
    stride: u32,
}

/// Pipelines by program: a slider, a pose or another character never makes a new one.
#[derive(Debug, Default)]
pub struct PipelineCache {
    known: HashMap<Key, Arc<Pipelines>>,
    compilations: usize,
}

/// Content hash of the program, and how its data comes.
type Key = (u128, ShaderSkinning, TableMemory);

impl PipelineCache {
    pub fn get(
        &mut self,
        gpu: &Gpu,
        program: &Program,
        kind: ShaderSkinning,
        tables: TableMemory,
    ) -> Result<Arc<Pipelines>, EvalError> {
        let key = (program.content_hash(), kind, tables);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let options =
            wgsl::Options { name: "graph", skinning: kind, with_constants: false, tables };
        let module = wgsl::module(program, &options)
            .map_err(|error| EvalError::Device(error.to_string()))?;
        let pipelines = gpu.guarded(|| Pipelines::new(gpu, module, tables))?;
        let pipelines = Arc::new(pipelines);
        self.compilations += 1;
        self.known.insert(key, pipelines.clone());
        Ok(pipelines)
    }

    /// How often anything was compiled.
    pub fn compilations(&self) -> usize {
        self.compilations
    }
}

impl Pipelines {
    fn new(gpu: &Gpu, module: wgsl::Module, tables: TableMemory) -> Result<Pipelines, GpuError> {
        check_limits(gpu)?;
        let descriptor = wgpu::ShaderModuleDescriptor {
            label: Some("deform"),
            source: wgpu::ShaderSource::Naga(Cow::Owned(module.naga)),
        };
        let checks = wgpu::ShaderRuntimeChecks::unchecked();
        // SAFETY: naga has validated the module. Its loops end, because lists do. What it indexes with
        // comes from `CharacterData` and `Counts` alone, which are made from a binding that passed
        // `validate::check_bound`, and every buffer is made as large as they say; no value that a graph
        // computes is ever an index.
        let shader = unsafe { gpu.device.create_shader_module_trusted(descriptor, checks) };
        let group_layout = group_layout(gpu, tables);
        let step_layout = step_layout(gpu);
        let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("deform"),
            bind_group_layouts: &[Some(&group_layout), Some(&step_layout)],
            immediate_size: 0,
        });
        let pipeline = |entry: &str| {
            gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(entry),
                layout: Some(&layout),
                module: &shader,
                entry_point: Some(entry),
                compilation_options: Default::default(),
                cache: None,
            })
        };
        let mut steps: Vec<RelaxStep> = Vec::new();
        let mut passes = Vec::with_capacity(module.passes.len());
        for pass in &module.passes {
            let mut relaxations = Vec::with_capacity(pass.relaxations.len());
            for relaxation in &pass.relaxations {
                let first = steps.len() as u32;
                steps.extend_from_slice(&relaxation.steps);
                relaxations.push((pipeline(&relaxation.entry), first..steps.len() as u32));
            }
            passes.push(Pass { deform: pipeline(&pass.entry), relaxations });
        }
        let relax_steps = RelaxSteps::new(gpu, &step_layout, &steps);
        Ok(Pipelines { tables, passes, group_layout, relax_steps, kept_slots: module.kept.count })
    }

    /// Must all groups of a character come along together?
    pub fn sees_neighbours(&self) -> bool {
        self.passes.len() > 1
    }

    pub fn bind(&self, gpu: &Gpu, buffers: &Buffers) -> wgpu::BindGroup {
        let in_order = buffers.in_order();
        let entries: Vec<wgpu::BindGroupEntry> = (0..BINDINGS)
            .zip(in_order)
            .map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding,
                resource: match self.tables {
                    // Buffers may have grown for more instances than uniforms can hold.
                    TableMemory::Uniform if IN_TABLES.contains(&binding) => {
                        wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                            buffer,
                            offset: 0,
                            size: std::num::NonZeroU64::new(UNIFORM_BYTES as u64),
                        })
                    }
                    _ => buffer.as_entire_binding(),
                },
            })
            .collect();
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("deform"),
            layout: &self.group_layout,
            entries: &entries,
        })
    }

    /// Gives back how many dispatches that is.
    pub fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        bind_group: &wgpu::BindGroup,
        [groups, instances]: [u32; 2],
    ) -> usize {
        let mut dispatches = 0;
        let mut compute = encoder.begin_compute_pass(&Default::default());
        compute.set_bind_group(0, bind_group, &[]);
        let RelaxSteps { group, stride } = &self.relax_steps;
        compute.set_bind_group(1, group, &[0]);
        for pass in &self.passes {
            compute.set_pipeline(&pass.deform);
            compute.dispatch_workgroups(groups, instances, 1);
            dispatches += 1;
            for (relax, steps) in &pass.relaxations {
                compute.set_pipeline(relax);
                for step in steps.clone() {
                    compute.set_bind_group(1, group, &[step * stride]);
                    compute.dispatch_workgroups(groups, instances, 1);
                    dispatches += 1;
                }
            }
        }
        dispatches
    }
}

impl RelaxSteps {
    fn new(gpu: &Gpu, layout: &wgpu::BindGroupLayout, steps: &[RelaxStep]) -> RelaxSteps {
        let stride = gpu.device.limits().min_uniform_buffer_offset_alignment.max(STEP_BYTES);
        // Where nothing is smoothed, one step stands in for those that are never read.
        let mut words = vec![0_u32; steps.len().max(1) * stride as usize / 4];
        for (step, words) in steps.iter().zip(words.chunks_mut(stride as usize / 4)) {
            words[..2].copy_from_slice(&[step.from_slot, step.to_slot]);
        }
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("steps of smoothing"),
            size: words.len() as u64 * 4,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        gpu.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(&words));
        let size = std::num::NonZeroU64::new(STEP_BYTES.into());
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("steps of smoothing"),
            layout,
            entries: &[wgpu::BindGroupEntry {
                binding: RELAX_BINDING,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: &buffer,
                    offset: 0,
                    size,
                }),
            }],
        });
        RelaxSteps { group, stride }
    }
}

fn step_layout(gpu: &Gpu) -> wgpu::BindGroupLayout {
    gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("steps of smoothing"),
        entries: &[wgpu::BindGroupLayoutEntry {
            binding: RELAX_BINDING,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: true,
                min_binding_size: None,
            },
            count: None,
        }],
    })
}

/// Most devices allow more; some phones do not.
fn check_limits(gpu: &Gpu) -> Result<(), GpuError> {
    let (needed, largest) =
        (BINDINGS - 1, gpu.device.limits().max_storage_buffers_per_shader_stage);
    if largest < needed {
        let (needed, largest) = (needed.into(), largest.into());
        return Err(GpuError::Limit { what: "buffers in a shader", needed, largest });
    }
    Ok(())
}

fn group_layout(gpu: &Gpu, tables: TableMemory) -> wgpu::BindGroupLayout {
    let entry = |binding: u32| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: match binding {
                0 => wgpu::BufferBindingType::Uniform,
                _ if tables == TableMemory::Uniform && IN_TABLES.contains(&binding) => {
                    wgpu::BufferBindingType::Uniform
                }
                _ => {
                    let read_only = !WRITTEN.contains(&binding);
                    wgpu::BufferBindingType::Storage { read_only }
                }
            },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    };
    let entries: Vec<wgpu::BindGroupLayoutEntry> = (0..BINDINGS).map(entry).collect();
    gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("deform"),
        entries: &entries,
    })
}
