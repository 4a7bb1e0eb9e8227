//! Pipelines that draw herds; made with the first one.

use super::material_pipelines::{Drawer, MaterialPipelines};
use super::pipelines::{
    Layouts, Recipe, SAMPLES, build, herd_layout, herd_material_layout, without_color,
};
use crate::Gpu;
use jounce_draw::shaders;
use wgpu::{BindGroupLayout, BlendState, CompareFunction, RenderPipeline, TextureFormat};

#[derive(Debug)]
pub struct HerdPipelines {
    /// Group 3: positions, corners, normals, places.
    pub layout: BindGroupLayout,
    pub key_shadow: RenderPipeline,
    pub sky_shadow: RenderPipeline,
    pub depth: RenderPipeline,
    pub solid: RenderPipeline,
    pub wire: RenderPipeline,
}

impl HerdPipelines {
    pub fn new(gpu: &Gpu, target: TextureFormat, l: &Layouts) -> HerdPipelines {
        let device = &gpu.device;
        let layout = herd_layout(device);
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("herd"),
            source: wgpu::ShaderSource::Wgsl(shaders::HERD.into()),
        });
        let attributes = wgpu::vertex_attr_array![2 => Float32x4];
        let colors = [Some(wgpu::VertexBufferLayout {
            array_stride: 16,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &attributes,
        })];
        let shadow = |label, vertex| Recipe {
            label,
            module: &module,
            groups: [Some(&l.scene), Some(&l.instance), None, Some(&layout)],
            vertex,
            buffers: &[],
            fragment: None,
            depth: Some((CompareFunction::Less, true)),
            samples: 1,
            cull: None,
            sieve: None,
        };
        // Depth is reversed: nearer is greater.
        let surface = |label, depth| Recipe {
            label,
            module: &module,
            groups: [Some(&l.scene), Some(&l.instance), Some(&l.light), Some(&layout)],
            vertex: "herd_surface_vertex",
            buffers: &colors,
            fragment: Some(("surface_fragment", target, None)),
            depth: Some(depth),
            samples: SAMPLES,
            cull: None,
            sieve: None,
        };
        let over = Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        let wire = Recipe {
            label: "wires of a herd",
            vertex: "herd_wire_vertex",
            buffers: &[],
            fragment: Some(("wire_fragment", target, over)),
            ..surface("", (CompareFunction::GreaterEqual, false))
        };
        HerdPipelines {
            key_shadow: build(device, shadow("key shadow of a herd", "herd_key_vertex")),
            sky_shadow: build(device, shadow("sky shadow of a herd", "herd_sky_vertex")),
            depth: build(
                device,
                without_color(surface("depth of a herd", (CompareFunction::Greater, true))),
            ),
            solid: build(device, surface("herd", (CompareFunction::Equal, false))),
            wire: build(device, wire),
            layout,
        }
    }
}

/// The same of herds with materials; made with the first of them. Group 3 has the material, too.
#[derive(Debug)]
pub struct HerdMaterialPipelines {
    pub layout: BindGroupLayout,
    pub pipelines: MaterialPipelines,
}

impl HerdMaterialPipelines {
    pub fn new(gpu: &Gpu, target: TextureFormat, l: &Layouts) -> HerdMaterialPipelines {
        let layout = herd_material_layout(&gpu.device);
        let attributes =
            [wgpu::vertex_attr_array![2 => Float32x4], wgpu::vertex_attr_array![3 => Float32x4]];
        let buffers = attributes.each_ref().map(|attributes| {
            Some(wgpu::VertexBufferLayout {
                array_stride: 16,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes,
            })
        });
        let drawer = Drawer {
            name: "material of a herd",
            text: shaders::HERD,
            vertices: [
                "herd_key_material_vertex",
                "herd_sky_material_vertex",
                "herd_material_vertex",
            ],
            group: &layout,
            buffers: &buffers,
            shadow_buffers: &buffers,
        };
        let pipelines = MaterialPipelines::of(gpu, target, l, &drawer);
        HerdMaterialPipelines { layout, pipelines }
    }
}
