//! One mesh on the GPU.

use super::materials::DeviceMaterials;
use crate::Gpu;
use crate::eval::OnDeviceMoments;
use bytemuck::cast_slice;
use glam::Vec3;
use jounce_draw::geometry::{CLAY, check_count};
use jounce_draw::{DrawError, Geometry, OnDevice};
use std::sync::Arc;
use wgpu::util::{BufferInitDescriptor, DeviceExt};

/// Vertices that were computed on the device and never left it: three numbers each, from so many
/// bytes on.
#[derive(Clone, Copy, Debug)]
pub struct DeviceVertices<'a> {
    pub positions: &'a wgpu::Buffer,
    pub positions_offset: u64,
    pub normals: &'a wgpu::Buffer,
    pub normals_offset: u64,
}

impl<'a> DeviceVertices<'a> {
    /// Those that a picture speaks of, if this crate has computed them.
    pub fn of(on_device: &OnDevice<'a>) -> Result<DeviceVertices<'a>, DrawError> {
        let moments = on_device.vertices.downcast_ref::<OnDeviceMoments>();
        let moments = moments.filter(|moments| on_device.moment < moments.count());
        Ok(moments.ok_or(DrawError::OtherDevice)?.vertices(on_device.moment))
    }
}

/// Buffers of one mesh. Triangles stay; positions, normals, colours and materials can be replaced.
#[derive(Debug)]
pub struct Model {
    vertex_count: usize,
    pub(super) corner_count: u32,
    pub(super) positions: wgpu::Buffer,
    pub(super) normals: wgpu::Buffer,
    pub(super) colors: wgpu::Buffer,
    pub(super) corners: wgpu::Buffer,
    pub(super) materials: Option<Arc<DeviceMaterials>>,
}

impl Model {
    /// Of clay, whatever materials the geometry has: they are made on their own, and shared.
    pub fn new(gpu: &Gpu, geometry: &Geometry) -> Result<Model, DrawError> {
        check(gpu, geometry)?;
        gpu.guarded(|| Ok(Model::build(gpu, geometry)))
    }

    fn build(gpu: &Gpu, geometry: &Geometry) -> Model {
        let vertex_count = geometry.positions.len();
        let flat = vec![Vec3::ZERO; missing(geometry.normals, vertex_count)];
        let clay = vec![CLAY; missing(geometry.colors, vertex_count)];
        let normals = if flat.is_empty() { geometry.normals } else { &flat };
        let colors = if clay.is_empty() { geometry.colors } else { &clay };
        use wgpu::BufferUsages as Usage;
        let buffer = |label, bytes: &[u8], usage| filled_buffer(gpu, label, bytes, usage);
        Model {
            vertex_count,
            corner_count: geometry.triangles.len() as u32 * 3,
            positions: buffer(
                "positions",
                cast_slice(geometry.positions),
                Usage::VERTEX | Usage::STORAGE,
            ),
            normals: buffer("normals", cast_slice(normals), Usage::VERTEX),
            colors: buffer("colors", cast_slice(colors), Usage::VERTEX),
            corners: buffer(
                "corners",
                cast_slice(geometry.triangles),
                Usage::INDEX | Usage::STORAGE,
            ),
            materials: None,
        }
    }

    pub fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    /// Moves the model. Empty normals mean flat shading, as in [`Geometry`].
    pub fn update(&self, gpu: &Gpu, positions: &[Vec3], normals: &[Vec3]) -> Result<(), DrawError> {
        check_count("positions", positions.len(), self.vertex_count)?;
        gpu.queue.write_buffer(&self.positions, 0, cast_slice(positions));
        if normals.is_empty() {
            let flat = vec![Vec3::ZERO; self.vertex_count];
            gpu.queue.write_buffer(&self.normals, 0, cast_slice(&flat));
        } else {
            check_count("normals", normals.len(), self.vertex_count)?;
            gpu.queue.write_buffer(&self.normals, 0, cast_slice(normals));
        }
        Ok(())
    }

    /// Moves the model to where a computation on the same device has put it.
    pub fn update_on_device(&self, gpu: &Gpu, from: &DeviceVertices) -> Result<(), DrawError> {
        let bytes = (self.vertex_count * size_of::<Vec3>()) as u64;
        if bytes == 0 {
            return Ok(());
        }
        gpu.guarded(|| {
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            let mut copy = |from: &wgpu::Buffer, offset: u64, to: &wgpu::Buffer| {
                encoder.copy_buffer_to_buffer(from, offset, to, 0, bytes);
            };
            copy(from.positions, from.positions_offset, &self.positions);
            copy(from.normals, from.normals_offset, &self.normals);
            gpu.queue.submit([encoder.finish()]);
            Ok(())
        })
    }

    /// What its surface is made of; without it of clay. They must have been made for this mesh.
    pub fn set_materials(
        &mut self,
        materials: Option<Arc<DeviceMaterials>>,
    ) -> Result<(), DrawError> {
        if let Some(materials) = &materials {
            check_count("texture coordinates", materials.vertex_count(), self.vertex_count)?;
            check_count(
                "corners with a material",
                materials.corner_count(),
                self.corner_count as usize,
            )?;
        }
        self.materials = materials;
        Ok(())
    }

    /// Paints the model. No colours mean clay, as in [`Geometry`].
    pub fn update_colors(&self, gpu: &Gpu, colors: &[[f32; 4]]) -> Result<(), DrawError> {
        if colors.is_empty() {
            let clay = vec![CLAY; self.vertex_count];
            gpu.queue.write_buffer(&self.colors, 0, cast_slice(&clay));
            return Ok(());
        }
        check_count("colours", colors.len(), self.vertex_count)?;
        gpu.queue.write_buffer(&self.colors, 0, cast_slice(colors));
        Ok(())
    }
}

/// How many entries an optional list lacks.
fn missing<T>(list: &[T], expected: usize) -> usize {
    if list.is_empty() { expected } else { 0 }
}

fn check(gpu: &Gpu, geometry: &Geometry) -> Result<(), DrawError> {
    gpu.check_buffer("vertices", geometry.positions.len() as u64 * 16)?;
    gpu.check_buffer("triangles", geometry.triangles.len() as u64 * 12)?;
    geometry.check()
}

pub(super) fn filled_buffer(
    gpu: &Gpu,
    label: &str,
    bytes: &[u8],
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    // A buffer of no bytes cannot be bound.
    let bytes = if bytes.is_empty() { &[0; 16] } else { bytes };
    gpu.device.create_buffer_init(&BufferInitDescriptor {
        label: Some(label),
        contents: bytes,
        usage: usage | wgpu::BufferUsages::COPY_DST,
    })
}
