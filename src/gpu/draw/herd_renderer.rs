//! Many of one mesh: brought to the device part by part, and drawn with one call per part and pass.
//!
//! ```text
//!  for each part:  bring it ─► key map, sky map
//!                              └─► light of the ground, when all have cast their shadows
//!  for each part:  bring it ─► depth ─► surface ─► wires
//! ```
//! Mostly all members are one part, which is brought once. Where they are more than the device can hold,
//! memory stays bounded, and each part is brought twice.

use super::attach::{color, depth, group};
use super::herd_pipelines::{HerdMaterialPipelines, HerdPipelines};
use super::materials::{DeviceMaterials, Run};
use super::readback::check_resolution;
use super::{DeviceVertices, Herd, MaterialPipelines, Model, Picture, Placed, Renderer};
use crate::Gpu;
use bytemuck::{bytes_of, cast_slice};
use glam::{Mat4, Vec3};
use jounce_draw::geometry::check_count;
use jounce_draw::light::{Lights, UnitSpace};
use jounce_draw::uniforms::instance_uniform;
use jounce_draw::{DrawError, HerdVertices, Style};
use wgpu::{BindGroup, BindingResource, CommandEncoder, RenderPipeline, TextureView};

/// Ranges of members that are there together.
fn parts(herd: &Herd) -> Vec<Vec<usize>> {
    let members: Vec<usize> = (0..herd.scene_from_member.len()).collect();
    members.chunks(herd.source.part_size().max(1)).map(<[usize]>::to_vec).collect()
}

/// What a renderer keeps from herd to herd.
#[derive(Debug)]
pub(super) struct HerdDrawing {
    pipelines: HerdPipelines,
    /// Made with the first herd that has materials.
    materials: Option<HerdMaterialPipelines>,
    /// Filled from lists.
    positions: wgpu::Buffer,
    normals: wgpu::Buffer,
    places: wgpu::Buffer,
}

/// A part that is on the device.
struct Part<'a> {
    model: &'a Model,
    vertices: BindGroup,
    /// The same with a material, for each there is.
    by_material: Vec<BindGroup>,
    members: u32,
    is_first: bool,
    is_last: bool,
}

impl Renderer {
    /// A herd alone, in a view of `size_px` pixels. Models and skeletons of the picture are left out.
    pub fn draw_herd(
        &mut self,
        target: &TextureView,
        size_px: [u32; 2],
        picture: &Picture,
        herd: &mut Herd,
    ) -> Result<(), DrawError> {
        check_resolution(&self.gpu, size_px)?;
        check_count("vertices", herd.source.vertex_count(), herd.model.vertex_count())?;
        if herd.scene_from_member.is_empty() {
            return Err(DrawError::NoMoments);
        }
        let models = [Placed::at_origin(herd.model)];
        let Picture { camera, stage, look, .. } = *picture;
        let picture = Picture { camera, stage, look, models: &models, skeletons: &[] };
        let mut drawing = match self.herd.take() {
            Some(drawing) => drawing,
            None => self.gpu.guarded(|| Ok::<_, DrawError>(HerdDrawing::new(self)))?,
        };
        let gpu = self.gpu.clone();
        if herd.model.materials.is_some() && drawing.materials.is_none() {
            let made = gpu.guarded(|| {
                let layouts = &self.pipelines.layouts;
                Ok::<_, DrawError>(HerdMaterialPipelines::new(&gpu, self.format, layouts))
            });
            drawing.materials = Some(made?);
        }
        let drawn = gpu.guarded(|| self.encode_herd(&mut drawing, target, size_px, &picture, herd));
        self.herd = Some(drawing);
        drawn
    }

    fn encode_herd(
        &mut self,
        drawing: &mut HerdDrawing,
        target: &TextureView,
        size_px: [u32; 2],
        picture: &Picture,
        herd: &mut Herd,
    ) -> Result<(), DrawError> {
        let unit = UnitSpace::of(&picture.stage);
        let lights = Lights::of(picture, &unit);
        self.prepare(size_px, picture, &unit, &lights);
        let uniform = instance_uniform(&picture.models[0], &unit, picture.look.wireframe)
            .of_herd(herd.source.vertex_count());
        self.gpu.queue.write_buffer(&self.instances.buffer, 0, bytes_of(&uniform));
        let parts = parts(herd);
        let last = parts.len() - 1;
        // Where there is only one part, it is still there when surfaces are drawn.
        let mut known = None;
        if picture.look.style != Style::Silhouette {
            for (place, members) in parts.iter().enumerate() {
                let part = drawing.bring(&self.gpu, herd, members, place, last)?;
                self.submit(|encoder| self.draw_herd_shadows(encoder, drawing, &part));
                known = Some(part).filter(|_| last == 0);
            }
            self.submit(|encoder| self.draw_ground_light(encoder));
        }
        for (place, members) in parts.iter().enumerate() {
            let part = match known.take() {
                Some(part) => part,
                None => drawing.bring(&self.gpu, herd, members, place, last)?,
            };
            self.submit(|encoder| {
                self.draw_herd_surfaces(encoder, drawing, &part, target, picture);
            });
        }
        Ok(())
    }

    fn submit(&self, encode: impl FnOnce(&mut CommandEncoder)) {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        encode(&mut encoder);
        self.gpu.queue.submit([encoder.finish()]);
    }

    fn draw_herd_shadows(&self, encoder: &mut CommandEncoder, drawing: &HerdDrawing, part: &Part) {
        let (maps, pipelines) = (&self.lit().maps, &drawing.pipelines);
        let shadows =
            [(&maps.key, &pipelines.key_shadow, true), (&maps.sky, &pipelines.sky_shadow, false)];
        for (view, pipeline, is_key) in shadows {
            let load = if part.is_first { wgpu::LoadOp::Clear(1.0) } else { wgpu::LoadOp::Load };
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("shadows of a herd"),
                depth_stencil_attachment: Some(depth(view, load)),
                ..Default::default()
            });
            pass.set_bind_group(0, &self.scene, &[]);
            pass.set_pipeline(pipeline);
            match &part.model.materials {
                None => self.draw_part(&mut pass, part, None),
                Some(materials) => {
                    let whole = materials.runs.iter().filter(|run| !run.has_holes);
                    whole.for_each(|run| self.draw_part(&mut pass, part, Some((run, false))));
                }
            }
            if let Some((materials, pipelines)) = drawing.materials_of(part) {
                pass.set_pipeline(if is_key {
                    &pipelines.key_shadow
                } else {
                    &pipelines.sky_shadow
                });
                pass.set_vertex_buffer(0, part.model.colors.slice(..));
                pass.set_vertex_buffer(1, materials.uvs.slice(..));
                let sieves = materials.runs.iter().filter(|run| run.has_holes);
                sieves.for_each(|run| self.draw_part(&mut pass, part, Some((run, true))));
            }
        }
    }

    fn draw_herd_surfaces(
        &self,
        encoder: &mut CommandEncoder,
        drawing: &HerdDrawing,
        part: &Part,
        target: &TextureView,
        picture: &Picture,
    ) {
        let canvas = self.canvas.as_ref().expect("made by prepare");
        let (color_load, depth_load) = match part.is_first {
            true => (super::attach::CLEAR, wgpu::LoadOp::Clear(0.0)),
            false => (wgpu::LoadOp::Load, wgpu::LoadOp::Load),
        };
        let resolve = part.is_last.then_some(target);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("surfaces of a herd"),
            color_attachments: &[Some(color(&canvas.color, resolve, color_load))],
            depth_stencil_attachment: Some(depth(&canvas.depth, depth_load)),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.scene, &[]);
        if part.is_first {
            self.draw_background(&mut pass);
        }
        pass.set_bind_group(2, &self.lit().light, &[]);
        pass.set_vertex_buffer(0, part.model.colors.slice(..));
        match drawing.materials_of(part) {
            None => {
                for pipeline in [&drawing.pipelines.depth, &drawing.pipelines.solid] {
                    pass.set_pipeline(pipeline);
                    self.draw_part(&mut pass, part, None);
                }
            }
            Some((materials, pipelines)) => {
                pass.set_vertex_buffer(1, materials.uvs.slice(..));
                let mut draw = |run: &Run, pipeline: &RenderPipeline| {
                    pass.set_pipeline(pipeline);
                    self.draw_part(&mut pass, part, Some((run, true)));
                };
                let blended = || materials.runs.iter().filter(|run| run.is_blended);
                materials.runs.iter().for_each(|run| draw(run, pipelines.depth(run)));
                materials.runs.iter().for_each(|run| draw(run, pipelines.solid(run)));
                let two_sided = blended().filter(|run| run.is_double_sided);
                two_sided.for_each(|run| draw(run, &pipelines.blended_backs));
                blended().for_each(|run| draw(run, &pipelines.blended_fronts));
            }
        }
        if picture.look.wireframe > 0.0 && picture.look.style != Style::Silhouette {
            pass.set_pipeline(&drawing.pipelines.wire);
            pass.set_bind_group(3, &part.vertices, &[]);
            pass.draw(0..part.model.corner_count, 0..part.members);
        }
    }

    /// All of it, or a run of its corners, for a shader that reads the material or one that does not.
    fn draw_part(&self, pass: &mut wgpu::RenderPass, part: &Part, run: Option<(&Run, bool)>) {
        self.set_instance(pass, 0);
        let (corners, group) = match run {
            None => (0..part.model.corner_count, &part.vertices),
            Some((run, false)) => (run.corners.clone(), &part.vertices),
            Some((run, true)) => (run.corners.clone(), &part.by_material[run.material]),
        };
        pass.set_bind_group(3, group, &[]);
        pass.set_index_buffer(part.model.corners.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(corners, 0, 0..part.members);
    }
}

impl HerdDrawing {
    fn new(renderer: &Renderer) -> HerdDrawing {
        let gpu = &renderer.gpu;
        HerdDrawing {
            pipelines: HerdPipelines::new(gpu, renderer.format, &renderer.pipelines.layouts),
            materials: None,
            positions: storage(gpu, "positions of a herd", 16),
            normals: storage(gpu, "normals of a herd", 16),
            places: storage(gpu, "places of a herd", 64),
        }
    }

    /// What draws a part that has materials.
    fn materials_of<'a>(
        &'a self,
        part: &'a Part,
    ) -> Option<(&'a DeviceMaterials, &'a MaterialPipelines)> {
        Some((part.model.materials.as_deref()?, &self.materials.as_ref()?.pipelines))
    }

    fn bring<'a>(
        &mut self,
        gpu: &Gpu,
        herd: &mut Herd<'a>,
        members: &[usize],
        place: usize,
        last: usize,
    ) -> Result<Part<'a>, DrawError> {
        let model = herd.model;
        let count = members.len() * herd.source.vertex_count();
        let bytes = (count * size_of::<Vec3>()) as u64;
        let vertices = herd.source.part(members)?;
        let (positions, normals) = match vertices {
            HerdVertices::Lists { positions, normals } => {
                check_count("positions", positions.len(), count)?;
                check_count("normals", normals.len(), count)?;
                put(gpu, &mut self.positions, cast_slice(positions))?;
                put(gpu, &mut self.normals, cast_slice(normals))?;
                (piece(&self.positions, 0, bytes), piece(&self.normals, 0, bytes))
            }
            HerdVertices::OnDevice(from) => {
                let from = DeviceVertices::of(&from)?;
                (
                    piece(from.positions, from.positions_offset, bytes),
                    piece(from.normals, from.normals_offset, bytes),
                )
            }
        };
        let places: Vec<Mat4> = members.iter().map(|&it| herd.scene_from_member[it]).collect();
        put(gpu, &mut self.places, cast_slice(&places))?;
        let resources = [
            positions,
            model.corners.as_entire_binding(),
            normals,
            self.places.as_entire_binding(),
        ];
        let mut by_material = Vec::new();
        if let (Some(materials), Some(pipelines)) = (&model.materials, &self.materials) {
            by_material = materials.groups_with(gpu, &pipelines.layout, &resources);
        }
        Ok(Part {
            vertices: group(gpu, &self.pipelines.layout, &resources),
            by_material,
            model,
            members: members.len() as u32,
            is_first: place == 0,
            is_last: place == last,
        })
    }
}

fn piece(buffer: &wgpu::Buffer, offset: u64, bytes: u64) -> BindingResource<'_> {
    BindingResource::Buffer(wgpu::BufferBinding {
        buffer,
        offset,
        // A mesh without vertices has buffers all the same.
        size: wgpu::BufferSize::new(bytes),
    })
}

fn storage(gpu: &Gpu, label: &str, bytes: u64) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: bytes,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// Makes room if needed.
fn put(gpu: &Gpu, buffer: &mut wgpu::Buffer, bytes: &[u8]) -> Result<(), DrawError> {
    if buffer.size() < bytes.len() as u64 {
        gpu.check_buffer("members of a herd", bytes.len() as u64)?;
        *buffer = storage(gpu, "herd", bytes.len() as u64);
    }
    gpu.queue.write_buffer(buffer, 0, bytes);
    Ok(())
}
