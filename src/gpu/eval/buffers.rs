//! Buffers of one character and its instances.

use super::tables::FrameData;
use crate::{Gpu, GpuError};
use bytemuck::cast_slice;
use jounce_eval::character_data::CharacterData;
use jounce_shader::wgsl::UNIFORM_BYTES;
use wgpu::BufferUsages as Usage;

/// In the order of `JnCounts` in `shaders/deform_data.wgsl`, padded to 16 words.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Counts {
    pub lanes: u32,
    pub vertices: u32,
    pub bones: u32,
    pub joints: u32,
    pub skin_weight_bits: u32,
    pub first_rest_row: u32,
    pub first_map_row: u32,
    pub first_vertex_of_lane: u32,
    pub first_neighbour_list: u32,
    pub kept_slots: u32,
    pub writes_skinned: u32,
    pub instances: u32,
    pub first_group: u32,
    pub first_instance: u32,
    pub padding: [u32; 2],
}

/// By their bindings.
#[derive(Debug)]
pub struct Buffers {
    pub counts: wgpu::Buffer,
    frames: Growing,
    bones: Growing,
    joints: Growing,
    lists: wgpu::Buffer,
    weights: wgpu::Buffer,
    pub vertex_data: wgpu::Buffer,
    /// Sections: positions, then plain skinning's positions and normals if asked for.
    positions: Growing,
    kept: Growing,
}

/// Buffers that grew are new ones: bind groups must be made again.
#[derive(Debug)]
struct Growing {
    label: &'static str,
    buffer: wgpu::Buffer,
    usage: Usage,
}

impl Growing {
    fn new(gpu: &Gpu, label: &'static str, usage: Usage) -> Growing {
        Growing { label, buffer: new_buffer(gpu, label, 16, usage), usage }
    }

    /// Small tables are read as uniforms, which have one size.
    fn table(gpu: &Gpu, label: &'static str) -> Growing {
        let usage = Usage::STORAGE | Usage::UNIFORM;
        Growing { label, buffer: new_buffer(gpu, label, UNIFORM_BYTES as u64, usage), usage }
    }

    /// True if it had to grow.
    fn make_room(&mut self, gpu: &Gpu, bytes: u64) -> Result<bool, GpuError> {
        gpu.check_buffer(self.label, bytes)?;
        let grows = self.buffer.size() < bytes;
        if grows {
            self.buffer = new_buffer(gpu, self.label, bytes, self.usage);
        }
        Ok(grows)
    }
}

fn new_buffer(gpu: &Gpu, label: &str, bytes: u64, usage: Usage) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: bytes,
        usage: usage | Usage::COPY_DST,
        mapped_at_creation: false,
    })
}

fn filled(
    gpu: &Gpu,
    label: &'static str,
    bytes: &[u8],
    usage: Usage,
) -> Result<wgpu::Buffer, GpuError> {
    gpu.check_buffer(label, bytes.len() as u64)?;
    // A buffer of no bytes cannot be bound.
    let buffer = new_buffer(gpu, label, (bytes.len() as u64).max(16), usage);
    gpu.queue.write_buffer(&buffer, 0, bytes);
    Ok(buffer)
}

impl Buffers {
    pub fn new(gpu: &Gpu, data: &CharacterData) -> Result<Buffers, GpuError> {
        Ok(Buffers {
            counts: new_buffer(gpu, "counts", size_of::<Counts>() as u64, Usage::UNIFORM),
            frames: Growing::table(gpu, "values of the frame"),
            bones: Growing::table(gpu, "values of bones"),
            joints: Growing::table(gpu, "joints"),
            lists: filled(gpu, "lists of bones", cast_slice(&data.lists), Usage::STORAGE)?,
            weights: filled(gpu, "weights", cast_slice(&data.weights), Usage::STORAGE)?,
            vertex_data: filled(gpu, "vertices", cast_slice(&data.vertex_data), Usage::STORAGE)?,
            // Drawing reads the result where it is.
            positions: Growing::new(
                gpu,
                "positions",
                Usage::STORAGE | Usage::COPY_SRC | Usage::VERTEX,
            ),
            kept: Growing::new(gpu, "kept values", Usage::STORAGE),
        })
    }

    pub fn positions(&self) -> &wgpu::Buffer {
        &self.positions.buffer
    }

    /// True if bind groups must be made again.
    pub fn make_room(
        &mut self,
        gpu: &Gpu,
        frame: &FrameData,
        positions_bytes: u64,
        kept_bytes: u64,
    ) -> Result<bool, GpuError> {
        let mut grew = self.frames.make_room(gpu, bytes(&frame.frames))?;
        grew |= self.bones.make_room(gpu, bytes(&frame.bones))?;
        grew |= self.joints.make_room(gpu, bytes(&frame.joints))?;
        grew |= self.positions.make_room(gpu, positions_bytes)?;
        grew |= self.kept.make_room(gpu, kept_bytes)?;
        Ok(grew)
    }

    /// After a failure: as small as at first.
    pub fn shrink(&mut self, gpu: &Gpu) {
        for table in [&mut self.frames, &mut self.bones, &mut self.joints] {
            *table = Growing::table(gpu, table.label);
        }
        for growing in [&mut self.positions, &mut self.kept] {
            *growing = Growing::new(gpu, growing.label, growing.usage);
        }
    }

    pub fn upload(&self, gpu: &Gpu, frame: &FrameData) {
        gpu.queue.write_buffer(&self.frames.buffer, 0, cast_slice(&frame.frames));
        gpu.queue.write_buffer(&self.bones.buffer, 0, cast_slice(&frame.bones));
        gpu.queue.write_buffer(&self.joints.buffer, 0, cast_slice(&frame.joints));
    }

    /// In the order of `shaders/deform_data.wgsl`.
    pub fn in_order(&self) -> [&wgpu::Buffer; 9] {
        [
            &self.counts,
            &self.frames.buffer,
            &self.bones.buffer,
            &self.joints.buffer,
            &self.lists,
            &self.weights,
            &self.vertex_data,
            &self.positions.buffer,
            &self.kept.buffer,
        ]
    }
}

fn bytes<T>(list: &[T]) -> u64 {
    size_of_val(list) as u64
}
