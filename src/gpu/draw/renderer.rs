//! The passes of one picture.
//!
//! ```text
//!  key map, sky map ─► sky heights ─► light of the ground ─► smoothed
//!                                                              │
//!  background ─► each ghost ─► solid models ◄──────────────────┘
//!                                    └─► bones ─► resolve      (each layer has its own depth)
//! ```

use super::attach::{CLEAR, color, depth, empty_uniform, group};
use super::bone_mesh::BoneMesh;
use super::herd_renderer::HerdDrawing;
use super::material_renderer::draw_run;
use super::pipelines::Pipelines;
use super::readback::check_resolution;
use super::textures::{Canvas, Maps};
use super::{HasMaterials, MaterialPipelines, Picture, Placed};
use crate::Gpu;
use bytemuck::bytes_of;
use jounce_draw::light::{Lights, MapSizes, UnitSpace};
use jounce_draw::uniforms::{InstanceUniform, SceneUniform, instance_uniform, scene_uniform};
use jounce_draw::{DrawError, Style};
use std::sync::Arc;
use wgpu::{BindGroup, BindingResource, CommandEncoder, RenderPass, TextureView};

/// Draws pictures. Pipelines are built once; textures and buffers are kept between pictures.
#[derive(Debug)]
pub struct Renderer {
    pub(super) gpu: Gpu,
    pub(super) format: wgpu::TextureFormat,
    pub(super) pipelines: Pipelines,
    scene_buffer: wgpu::Buffer,
    pub(super) scene: BindGroup,
    pub(super) instances: Instances,
    shadow_sampler: wgpu::Sampler,
    smooth_sampler: wgpu::Sampler,
    pub(super) canvas: Option<Canvas>,
    maps: Option<Lit>,
    /// Made with the first herd.
    pub(super) herd: Option<HerdDrawing>,
    /// Made with the first model that has materials, or elsewhere.
    pub(super) material_pipelines: Option<Arc<MaterialPipelines>>,
    pub(super) readback: Option<super::readback::Readback>,
}

/// Uniforms of all models of a picture in one buffer.
#[derive(Debug)]
pub(super) struct Instances {
    pub(super) buffer: wgpu::Buffer,
    group: BindGroup,
    capacity: usize,
    stride: u64,
}

/// Maps and the groups that read them.
#[derive(Debug)]
pub(super) struct Lit {
    pub(super) maps: Maps,
    pub(super) light: BindGroup,
    sky_map: BindGroup,
    raw_ground: BindGroup,
    ground: BindGroup,
}

impl Renderer {
    /// `format` is that of the views that will be drawn to. Formats that do not encode sRGB get
    /// encoded values, as egui wants them.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Result<Renderer, DrawError> {
        gpu.guarded(|| Ok(Renderer::build(gpu, format)))
    }

    fn build(gpu: &Gpu, format: wgpu::TextureFormat) -> Renderer {
        let pipelines = Pipelines::new(gpu, format);
        let scene_buffer = empty_uniform(gpu, size_of::<SceneUniform>() as u64);
        let scene = group(gpu, &pipelines.layouts.scene, &[scene_buffer.as_entire_binding()]);
        let instances = Instances::new(gpu, &pipelines, 8);
        let sampler = |compare| {
            gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                compare,
                ..Default::default()
            })
        };
        Renderer {
            gpu: gpu.clone(),
            format,
            scene_buffer,
            scene,
            instances,
            shadow_sampler: sampler(Some(wgpu::CompareFunction::LessEqual)),
            smooth_sampler: sampler(None),
            canvas: None,
            maps: None,
            herd: None,
            material_pipelines: None,
            readback: None,
            pipelines,
        }
    }

    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Draws into a view of `size_px` pixels and submits the work.
    pub fn draw(
        &mut self,
        target: &TextureView,
        size_px: [u32; 2],
        picture: &Picture,
    ) -> Result<(), DrawError> {
        check_resolution(&self.gpu, size_px)?;
        self.gpu.clone().guarded(|| self.encode(target, size_px, picture))
    }

    fn encode(
        &mut self,
        target: &TextureView,
        size_px: [u32; 2],
        picture: &Picture,
    ) -> Result<(), DrawError> {
        let unit = UnitSpace::of(&picture.stage);
        let lights = Lights::of(picture, &unit);
        self.prepare(size_px, picture, &unit, &lights);
        self.prepare_materials(picture)?;
        let bones = BoneMesh::new(&self.gpu, picture, &unit, size_px[1])?;

        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        if picture.look.style != Style::Silhouette {
            self.draw_shadows(&mut encoder, picture);
            self.draw_ground_light(&mut encoder);
        }
        self.draw_layers(&mut encoder, target, picture, bones.as_ref());
        self.gpu.queue.submit([encoder.finish()]);
        Ok(())
    }

    /// Makes room and uploads what the shaders read.
    pub(super) fn prepare(
        &mut self,
        size_px: [u32; 2],
        picture: &Picture,
        unit: &UnitSpace,
        lights: &Lights,
    ) {
        if self.canvas.as_ref().is_none_or(|c| c.size != size_px) {
            self.canvas = Some(Canvas::new(&self.gpu.device, size_px, self.format));
        }
        let sizes = MapSizes::of(lights, self.gpu.largest_side_px());
        if self.maps.as_ref().is_none_or(|lit| lit.maps.sizes != sizes) {
            self.maps = Some(self.new_maps(sizes));
        }
        if self.instances.capacity < picture.models.len() {
            let capacity = picture.models.len().next_power_of_two();
            self.instances = Instances::new(&self.gpu, &self.pipelines, capacity);
        }
        let encode = !self.format.is_srgb();
        let scene = scene_uniform(picture, unit, lights, size_px, encode);
        let queue = &self.gpu.queue;
        queue.write_buffer(&self.scene_buffer, 0, bytes_of(&scene));
        for (placed, index) in picture.models.iter().zip(0..) {
            let uniform = instance_uniform(placed, unit, picture.look.wireframe);
            let at = index * self.instances.stride;
            queue.write_buffer(&self.instances.buffer, at, bytes_of(&uniform));
        }
    }

    fn new_maps(&self, sizes: MapSizes) -> Lit {
        let maps = Maps::new(&self.gpu.device, sizes);
        let layouts = &self.pipelines.layouts;
        let texture = BindingResource::TextureView;
        let smooth = || BindingResource::Sampler(&self.smooth_sampler);
        Lit {
            light: group(
                &self.gpu,
                &layouts.light,
                &[
                    texture(&maps.key),
                    texture(&maps.sky_height),
                    BindingResource::Sampler(&self.shadow_sampler),
                    smooth(),
                ],
            ),
            sky_map: group(&self.gpu, &layouts.sky_map, &[texture(&maps.sky)]),
            raw_ground: group(&self.gpu, &layouts.raw_ground, &[texture(&maps.ground_raw)]),
            ground: group(&self.gpu, &layouts.ground, &[texture(&maps.ground), smooth()]),
            maps,
        }
    }

    pub(super) fn lit(&self) -> &Lit {
        self.maps.as_ref().expect("made by prepare")
    }

    fn draw_shadows(&self, encoder: &mut CommandEncoder, picture: &Picture) {
        let maps = &self.lit().maps;
        let p = &self.pipelines;
        let shadows = [(&maps.key, &p.key_shadow, true), (&maps.sky, &p.sky_shadow, false)];
        for (view, pipeline, is_key) in shadows {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("shadow"),
                depth_stencil_attachment: Some(depth(view, wgpu::LoadOp::Clear(1.0))),
                ..Default::default()
            });
            pass.set_bind_group(0, &self.scene, &[]);
            pass.set_pipeline(pipeline);
            for (index, placed) in solid(picture) {
                self.set_instance(&mut pass, index);
                pass.set_vertex_buffer(0, placed.model.positions.slice(..));
                match placed.materials() {
                    None => draw_corners(&mut pass, placed),
                    Some(materials) => {
                        let whole = materials.runs.iter().filter(|run| !run.has_holes);
                        whole.for_each(|run| draw_run(&mut pass, placed, run));
                    }
                }
            }
            self.draw_sieves(&mut pass, picture, is_key);
        }
    }

    pub(super) fn draw_ground_light(&self, encoder: &mut CommandEncoder) {
        let lit = self.lit();
        let maps = &lit.maps;
        let p = &self.pipelines;
        let steps = [
            (&maps.sky_height, &p.sky_height, 3, &lit.sky_map),
            (&maps.ground_raw, &p.ground_light, 2, &lit.light),
            (&maps.ground, &p.ground_smooth, 3, &lit.raw_ground),
        ];
        for (view, pipeline, slot, input) in steps {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("ground light"),
                color_attachments: &[Some(color(view, None, CLEAR))],
                ..Default::default()
            });
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &self.scene, &[]);
            pass.set_bind_group(slot, input, &[]);
            pass.draw(0..3, 0..1);
        }
    }

    /// Background and ghosts, then solid models, then bones; the last layer resolves.
    ///
    /// Ghosts lie behind what is solid wherever they are, as in a pile of translucent paper: a
    /// picture of one body inside another would be unreadable.
    fn draw_layers(
        &self,
        encoder: &mut CommandEncoder,
        target: &TextureView,
        picture: &Picture,
        bones: Option<&BoneMesh>,
    ) {
        let ghosts: Vec<_> = numbered(picture)
            .filter(|(_, placed)| !placed.is_solid() && placed.opacity > 0.0)
            .collect();
        let mut layers: Vec<Layer> = Vec::new();
        for &(index, placed) in &ghosts {
            layers.push(Box::new(move |pass| {
                self.draw_ghost(pass, picture, index, placed);
            }));
        }
        layers.push(Box::new(|pass| self.draw_solid(pass, picture)));
        if let Some(bones) = bones {
            layers.push(Box::new(|pass| self.draw_bones(pass, bones)));
        }
        let last = layers.len() - 1;
        for (index, layer) in layers.iter().enumerate() {
            let resolve = (index == last).then_some(target);
            let mut pass = self.begin_layer(encoder, index == 0, resolve);
            if index == 0 {
                self.draw_background(&mut pass);
            }
            layer(&mut pass);
        }
    }

    fn begin_layer<'e>(
        &self,
        encoder: &'e mut CommandEncoder,
        first: bool,
        resolve: Option<&TextureView>,
    ) -> RenderPass<'e> {
        let canvas = self.canvas.as_ref().expect("made by prepare");
        let load = if first { CLEAR } else { wgpu::LoadOp::Load };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("layer"),
            color_attachments: &[Some(color(&canvas.color, resolve, load))],
            // Reversed depth: 0 is infinitely far.
            depth_stencil_attachment: Some(depth(&canvas.depth, wgpu::LoadOp::Clear(0.0))),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.scene, &[]);
        pass
    }

    pub(super) fn draw_background(&self, pass: &mut RenderPass) {
        pass.set_pipeline(&self.pipelines.background);
        pass.set_bind_group(3, &self.lit().ground, &[]);
        pass.draw(0..3, 0..1);
    }

    fn draw_solid(&self, pass: &mut RenderPass, picture: &Picture) {
        let clay = || solid(picture).filter(|(_, placed)| placed.materials().is_none());
        pass.set_pipeline(&self.pipelines.model_depth);
        clay().for_each(|(index, placed)| self.draw_surface(pass, index, placed));
        self.draw_material_depth(pass, picture);
        pass.set_pipeline(&self.pipelines.solid);
        clay().for_each(|(index, placed)| self.draw_surface(pass, index, placed));
        self.draw_material_surfaces(pass, picture);
        for (index, placed) in solid(picture) {
            self.draw_wire(pass, picture, index, placed);
        }
    }

    fn draw_ghost(&self, pass: &mut RenderPass, picture: &Picture, index: usize, ghost: &Placed) {
        for pipeline in [&self.pipelines.model_depth, &self.pipelines.ghost] {
            pass.set_pipeline(pipeline);
            self.draw_surface(pass, index, ghost);
        }
        self.draw_wire(pass, picture, index, ghost);
    }

    fn draw_bones(&self, pass: &mut RenderPass, bones: &BoneMesh) {
        bones.bind(pass);
        for pipeline in [&self.pipelines.bone_depth, &self.pipelines.bone] {
            pass.set_pipeline(pipeline);
            pass.draw(0..bones.corner_count, 0..1);
        }
    }

    fn draw_surface(&self, pass: &mut RenderPass, index: usize, placed: &Placed) {
        self.set_instance(pass, index);
        pass.set_bind_group(2, &self.lit().light, &[]);
        pass.set_vertex_buffer(0, placed.model.positions.slice(..));
        pass.set_vertex_buffer(1, placed.model.normals.slice(..));
        pass.set_vertex_buffer(2, placed.model.colors.slice(..));
        draw_corners(pass, placed);
    }

    fn draw_wire(&self, pass: &mut RenderPass, picture: &Picture, index: usize, placed: &Placed) {
        let look = &picture.look;
        if look.wireframe <= 0.0 || look.style == Style::Silhouette {
            return;
        }
        let corners = group(
            &self.gpu,
            &self.pipelines.layouts.wire,
            &[placed.model.positions.as_entire_binding(), placed.model.corners.as_entire_binding()],
        );
        pass.set_pipeline(&self.pipelines.wire);
        self.set_instance(pass, index);
        pass.set_bind_group(3, &corners, &[]);
        pass.draw(0..placed.model.corner_count, 0..1);
    }

    pub(super) fn set_instance(&self, pass: &mut RenderPass, index: usize) {
        let offset = index as u64 * self.instances.stride;
        pass.set_bind_group(1, &self.instances.group, &[offset as u32]);
    }
}

impl Instances {
    fn new(gpu: &Gpu, pipelines: &Pipelines, capacity: usize) -> Instances {
        let size = size_of::<InstanceUniform>() as u64;
        let alignment = u64::from(gpu.device.limits().min_uniform_buffer_offset_alignment);
        let stride = size.next_multiple_of(alignment);
        let buffer = empty_uniform(gpu, stride * capacity as u64);
        let one = BindingResource::Buffer(wgpu::BufferBinding {
            buffer: &buffer,
            offset: 0,
            size: wgpu::BufferSize::new(size),
        });
        Instances {
            group: group(gpu, &pipelines.layouts.instance, &[one]),
            buffer,
            capacity,
            stride,
        }
    }
}

/// What is drawn in one pass.
type Layer<'a> = Box<dyn Fn(&mut RenderPass) + 'a>;

fn numbered<'a>(picture: &'a Picture) -> impl Iterator<Item = (usize, &'a Placed<'a>)> {
    picture.models.iter().enumerate()
}

pub(super) fn solid<'a>(picture: &'a Picture) -> impl Iterator<Item = (usize, &'a Placed<'a>)> {
    numbered(picture).filter(|(_, placed)| placed.is_solid())
}

fn draw_corners(pass: &mut RenderPass, placed: &Placed) {
    pass.set_index_buffer(placed.model.corners.slice(..), wgpu::IndexFormat::Uint32);
    pass.draw_indexed(0..placed.model.corner_count, 0, 0..1);
}
