//! Pipelines that draw surfaces with materials; made with the first of them, on any thread.

use super::materials::Run;
use super::pipelines::{Layouts, Recipe, SAMPLES, build, hidden, material_layout, without_color};
use crate::Gpu;
use jounce_draw::{DrawError, shaders};
use std::sync::Arc;
use wgpu::{BindGroupLayout, BlendState, CompareFunction, Face, RenderPipeline, TextureFormat};

/// What is seen from one side, and what from both.
type BySides = [RenderPipeline; 2];

#[derive(Debug)]
pub struct MaterialPipelines {
    /// Shadows of what has holes.
    pub key_shadow: RenderPipeline,
    pub sky_shadow: RenderPipeline,
    depth: BySides,
    depth_with_holes: BySides,
    solid: BySides,
    pub blended_backs: RenderPipeline,
    pub blended_fronts: RenderPipeline,
}

/// Who draws by materials: where vertices come from, and the rest of what differs.
pub struct Drawer<'a> {
    pub name: &'a str,
    pub text: &'a str,
    /// Of shadows by the key light and the sky, and of the surface.
    pub vertices: [&'a str; 3],
    pub group: &'a BindGroupLayout,
    pub buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    pub shadow_buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
}

impl MaterialPipelines {
    /// Of models, for views of that format.
    pub fn new(gpu: &Gpu, target: TextureFormat) -> Result<Arc<MaterialPipelines>, DrawError> {
        gpu.guarded(|| Ok(Arc::new(MaterialPipelines::of_models(gpu, target))))
    }

    fn of_models(gpu: &Gpu, target: TextureFormat) -> MaterialPipelines {
        let attributes = [
            wgpu::vertex_attr_array![0 => Float32x3],
            wgpu::vertex_attr_array![1 => Float32x3],
            wgpu::vertex_attr_array![2 => Float32x4],
            wgpu::vertex_attr_array![3 => Float32x4],
        ];
        let buffer = |index: usize, stride: u64| {
            Some(wgpu::VertexBufferLayout {
                array_stride: stride,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes: &attributes[index],
            })
        };
        let drawer = Drawer {
            name: "material",
            text: shaders::MATERIAL,
            vertices: ["key_material_vertex", "sky_material_vertex", "material_vertex"],
            group: &material_layout(&gpu.device),
            buffers: &[buffer(0, 12), buffer(1, 12), buffer(2, 16), buffer(3, 16)],
            shadow_buffers: &[buffer(0, 12), None, buffer(2, 16), buffer(3, 16)],
        };
        MaterialPipelines::of(gpu, target, &Layouts::new(&gpu.device), &drawer)
    }

    pub fn of(gpu: &Gpu, target: TextureFormat, l: &Layouts, drawer: &Drawer) -> MaterialPipelines {
        let device = &gpu.device;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(drawer.name),
            source: wgpu::ShaderSource::Wgsl(drawer.text.into()),
        });
        let [key, sky, surface] = drawer.vertices;
        let shadow = |vertex| Recipe {
            label: "shadow with holes",
            module: &module,
            groups: [Some(&l.scene), Some(&l.instance), None, Some(drawer.group)],
            vertex,
            buffers: drawer.shadow_buffers,
            fragment: None,
            depth: Some((CompareFunction::Less, true)),
            samples: 1,
            cull: None,
            sieve: Some("material_shadow_fragment"),
        };
        let model = |fragment, blend, depth, cull| Recipe {
            label: drawer.name,
            module: &module,
            groups: [Some(&l.scene), Some(&l.instance), Some(&l.light), Some(drawer.group)],
            vertex: surface,
            buffers: drawer.buffers,
            fragment: Some((fragment, target, blend)),
            depth: Some(depth),
            samples: SAMPLES,
            cull,
            sieve: None,
        };
        // Depth is reversed: nearer is greater.
        let (nearer, same) = ((CompareFunction::Greater, true), (CompareFunction::Equal, false));
        let over = Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        let solid = |depth, cull| model("material_fragment", None, depth, cull);
        let blended = |cull| {
            let in_front = (CompareFunction::GreaterEqual, false);
            model("blended_fragment", over, in_front, Some(cull))
        };
        let build = |recipe: Recipe| build(device, recipe);
        let by_sides =
            |recipe: &dyn Fn(Option<Face>) -> RenderPipeline| [Some(Face::Back), None].map(recipe);
        MaterialPipelines {
            key_shadow: build(shadow(key)),
            sky_shadow: build(shadow(sky)),
            depth: by_sides(&|cull| build(without_color(solid(nearer, cull)))),
            depth_with_holes: by_sides(&|cull| {
                build(hidden(solid(nearer, cull), "material_depth_fragment"))
            }),
            solid: by_sides(&|cull| build(solid(same, cull))),
            blended_backs: build(blended(Face::Front)),
            blended_fronts: build(blended(Face::Back)),
        }
    }

    pub(super) fn depth(&self, run: &Run) -> &RenderPipeline {
        let by_sides = if run.has_holes { &self.depth_with_holes } else { &self.depth };
        &by_sides[usize::from(run.is_double_sided)]
    }

    pub(super) fn solid(&self, run: &Run) -> &RenderPipeline {
        &self.solid[usize::from(run.is_double_sided)]
    }
}
