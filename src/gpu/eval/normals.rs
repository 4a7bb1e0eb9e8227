//! Normals of a deformed surface, from results that stay on the device.

use super::OnGpu;
use super::prepared::staging_buffer;
use crate::{Gpu, GpuError};
use bytemuck::cast_slice;
use glam::Vec3;
use jounce_eval::normals::CornerFaces;
use jounce_rig::weld::Weld;
use wgpu::BufferUsages as Usage;

const THREADS: u32 = 64;

#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
struct Counts {
    vertices: u32,
    instances: u32,
    first_offset: u32,
    first_face: u32,
}

/// What stays the same while a mesh moves, and the last result.
#[derive(Debug)]
pub struct NormalsOnGpu {
    gpu: Gpu,
    pipeline: wgpu::ComputePipeline,
    around: wgpu::Buffer,
    counts: Counts,
    counts_buffer: wgpu::Buffer,
    normals: wgpu::Buffer,
}

impl NormalsOnGpu {
    /// `smooth` says which vertices are one smooth corner of the surface.
    pub fn new(gpu: &Gpu, smooth: &Weld, triangles: &[[u32; 3]]) -> Result<NormalsOnGpu, GpuError> {
        let words = words_of(&CornerFaces::new(smooth, triangles));
        gpu.check_buffer("faces", words.len() as u64 * 4)?;
        gpu.guarded(|| Ok(NormalsOnGpu::build(gpu, smooth, &words)))
    }

    fn build(gpu: &Gpu, smooth: &Weld, words: &[u32]) -> NormalsOnGpu {
        let vertices = smooth.point_of_vertex.len();
        let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("normals"),
            source: wgpu::ShaderSource::Wgsl(include_str!("../shaders/deform_normals.wgsl").into()),
        });
        let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("normals"),
            layout: None,
            module: &module,
            entry_point: Some("normals_of_vertices"),
            compilation_options: Default::default(),
            cache: None,
        });
        let buffer = |label, size: u64, usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: size.max(16),
                usage: usage | Usage::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let around = buffer("faces", words.len() as u64 * 4, Usage::STORAGE);
        gpu.queue.write_buffer(&around, 0, cast_slice(words));
        NormalsOnGpu {
            gpu: gpu.clone(),
            pipeline,
            around,
            counts: Counts {
                vertices: vertices as u32,
                instances: 0,
                first_offset: vertices as u32,
                first_face: (vertices + smooth.point_count + 1) as u32,
            },
            counts_buffer: buffer("counts of normals", size_of::<Counts>() as u64, Usage::UNIFORM),
            normals: normals_buffer(gpu, 16),
        }
    }

    /// Three numbers per vertex and instance. `deformed` must have plain skinning with it.
    pub fn run(&mut self, deformed: OnGpu) -> Result<&wgpu::Buffer, GpuError> {
        let (found, expected) = (deformed.vertices, u64::from(self.counts.vertices));
        if found != expected || !deformed.has_skinned {
            return Err(GpuError::OtherMesh { found, expected });
        }
        let limits = self.gpu.device.limits();
        let largest = u64::from(limits.max_compute_workgroups_per_dimension);
        for (what, needed) in [
            ("groups of vertices", expected.div_ceil(THREADS.into())),
            ("instances at once", deformed.instances),
        ] {
            if needed > largest {
                return Err(GpuError::Limit { what, needed, largest });
            }
        }
        let needed = deformed.section_bytes(1).max(16);
        self.gpu.check_buffer("normals", needed)?;
        self.counts.instances = deformed.instances as u32;
        let gpu = self.gpu.clone();
        let done = gpu.guarded(|| {
            if self.normals.size() < needed {
                self.normals = normals_buffer(&gpu, needed);
            }
            gpu.queue.write_buffer(&self.counts_buffer, 0, bytemuck::bytes_of(&self.counts));
            self.submit(&deformed);
            Ok::<_, GpuError>(())
        });
        if done.is_err() {
            self.counts.instances = 0;
            self.normals = normals_buffer(&self.gpu, 16);
        }
        done?;
        Ok(&self.normals)
    }

    /// Waits for the last result.
    pub fn read(&self) -> Result<Vec<Vec3>, GpuError> {
        let count = self.counts.vertices as usize * self.counts.instances as usize;
        let bytes = (count * size_of::<Vec3>()) as u64;
        if bytes == 0 {
            return Ok(Vec::new());
        }
        let gpu = &self.gpu;
        let staging = gpu.guarded(|| {
            let staging = staging_buffer(gpu, bytes);
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            encoder.copy_buffer_to_buffer(&self.normals, 0, &staging, 0, bytes);
            gpu.queue.submit([encoder.finish()]);
            Ok::<_, GpuError>(staging)
        })?;
        gpu.read_mapped(&staging, bytemuck::pod_collect_to_vec)
    }

    fn submit(&self, deformed: &OnGpu) {
        let buffers = [&self.counts_buffer, deformed.buffer, &self.around, &self.normals];
        let entries: Vec<wgpu::BindGroupEntry> = buffers
            .iter()
            .enumerate()
            .map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding: binding as u32,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let group = self.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("normals"),
            layout: &self.pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &group, &[]);
            let groups = self.counts.vertices.div_ceil(THREADS);
            pass.dispatch_workgroups(groups, self.counts.instances, 1);
        }
        self.gpu.queue.submit([encoder.finish()]);
    }
}

fn normals_buffer(gpu: &Gpu, bytes: u64) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("normals"),
        size: bytes,
        usage: Usage::STORAGE | Usage::COPY_SRC | Usage::VERTEX,
        mapped_at_creation: false,
    })
}

/// Per vertex its corner, per corner the number of its first face, then the faces' vertices.
fn words_of(around: &CornerFaces) -> Vec<u32> {
    let CornerFaces { corner_of_vertex, offsets, faces } = around;
    [corner_of_vertex, offsets, cast_slice(faces)].concat()
}
