//! Skeletons on the GPU.

use super::Picture;
use super::model::filled_buffer;
use crate::Gpu;
use bytemuck::cast_slice;
use jounce_draw::DrawError;
use jounce_draw::bones::BoneCorners;
use jounce_draw::light::UnitSpace;

/// Buffers of the skeletons of one picture.
#[derive(Debug)]
pub struct BoneMesh {
    pub corner_count: u32,
    positions: wgpu::Buffer,
    normals: wgpu::Buffer,
    colors: wgpu::Buffer,
}

impl BoneMesh {
    /// `None` if there is nothing to draw.
    pub fn new(
        gpu: &Gpu,
        picture: &Picture,
        unit: &UnitSpace,
        picture_height_px: u32,
    ) -> Result<Option<BoneMesh>, DrawError> {
        let Some(corners) = BoneCorners::of(picture, unit, picture_height_px) else {
            return Ok(None);
        };
        gpu.check_buffer("bones", size_of_val(corners.colors.as_slice()) as u64)?;
        let buffer =
            |label, bytes: &[u8]| filled_buffer(gpu, label, bytes, wgpu::BufferUsages::VERTEX);
        Ok(Some(BoneMesh {
            corner_count: corners.positions.len() as u32,
            positions: buffer("bone positions", cast_slice(&corners.positions)),
            normals: buffer("bone normals", cast_slice(&corners.normals)),
            colors: buffer("bone colors", cast_slice(&corners.colors)),
        }))
    }

    pub fn bind(&self, pass: &mut wgpu::RenderPass) {
        pass.set_vertex_buffer(0, self.positions.slice(..));
        pass.set_vertex_buffer(1, self.normals.slice(..));
        pass.set_vertex_buffer(2, self.colors.slice(..));
    }
}
