//! Pipelines and the layouts of what they read. Built once per target format.
//!
//! ```text
//! group 0  the scene              all
//! group 1  a model's place        shadows, surfaces, wires
//! group 2  key map, sky heights   ground light, surfaces
//! group 3  what one pass reads    differs: also a material
//! ```

use crate::Gpu;
use jounce_draw::materials::Slot;
use jounce_draw::shaders;
use wgpu::{
    BindGroupLayout, BindingType, BlendState, CompareFunction, RenderPipeline, ShaderStages,
    TextureFormat, VertexBufferLayout,
};

pub const SAMPLES: u32 = 4;
/// The bindings of a material in its group; what herds need is before them.
pub const FIRST_MATERIAL_BINDING: u32 = 4;
pub const DEPTH_FORMAT: TextureFormat = TextureFormat::Depth32Float;
pub const HEIGHT_FORMAT: TextureFormat = TextureFormat::R16Float;
pub const GROUND_FORMAT: TextureFormat = TextureFormat::Rgba8Unorm;

const BOTH: ShaderStages = ShaderStages::VERTEX_FRAGMENT;
const FRAGMENT: ShaderStages = ShaderStages::FRAGMENT;

const DEPTH_TEXTURE: BindingType = BindingType::Texture {
    sample_type: wgpu::TextureSampleType::Depth,
    view_dimension: wgpu::TextureViewDimension::D2,
    multisampled: false,
};
const COLOR_TEXTURE: BindingType = BindingType::Texture {
    sample_type: wgpu::TextureSampleType::Float { filterable: true },
    view_dimension: wgpu::TextureViewDimension::D2,
    multisampled: false,
};
const VOLUME_TEXTURE: BindingType = BindingType::Texture {
    sample_type: wgpu::TextureSampleType::Float { filterable: true },
    view_dimension: wgpu::TextureViewDimension::D3,
    multisampled: false,
};
const SMOOTH: BindingType = BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
const COMPARE: BindingType = BindingType::Sampler(wgpu::SamplerBindingType::Comparison);
const STORAGE: BindingType = BindingType::Buffer {
    ty: wgpu::BufferBindingType::Storage { read_only: true },
    has_dynamic_offset: false,
    min_binding_size: None,
};

const fn uniform(has_dynamic_offset: bool) -> BindingType {
    BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset,
        min_binding_size: None,
    }
}

#[derive(Debug)]
pub struct Layouts {
    pub scene: BindGroupLayout,
    pub instance: BindGroupLayout,
    pub light: BindGroupLayout,
    pub sky_map: BindGroupLayout,
    pub raw_ground: BindGroupLayout,
    pub ground: BindGroupLayout,
    pub wire: BindGroupLayout,
}

fn layout(
    device: &wgpu::Device,
    label: &str,
    stages: ShaderStages,
    types: &[BindingType],
) -> BindGroupLayout {
    let entries: Vec<_> = types
        .iter()
        .zip(0..)
        .map(|(&ty, binding)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: stages,
            ty,
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(label),
        entries: &entries,
    })
}

/// A material, in the order of draw_texture.wgsl.
fn material_types() -> Vec<BindingType> {
    let mut types = vec![uniform(false)];
    (0..Slot::COUNT).for_each(|_| types.extend([COLOR_TEXTURE, SMOOTH]));
    types.extend([VOLUME_TEXTURE, SMOOTH]);
    types
}

fn material_entries() -> Vec<wgpu::BindGroupLayoutEntry> {
    let numbered = (FIRST_MATERIAL_BINDING..).zip(material_types());
    numbered
        .map(|(binding, ty)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: FRAGMENT,
            ty,
            count: None,
        })
        .collect()
}

pub fn material_layout(device: &wgpu::Device) -> BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("material"),
        entries: &material_entries(),
    })
}

/// What a herd has, and a material behind it.
pub fn herd_material_layout(device: &wgpu::Device) -> BindGroupLayout {
    let herd = (0..FIRST_MATERIAL_BINDING).map(|binding| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: ShaderStages::VERTEX,
        ty: STORAGE,
        count: None,
    });
    let entries: Vec<_> = herd.chain(material_entries()).collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("material of a herd"),
        entries: &entries,
    })
}

/// Positions, corners, normals, and where members stand.
pub fn herd_layout(device: &wgpu::Device) -> BindGroupLayout {
    layout(device, "herd", ShaderStages::VERTEX, &[STORAGE; 4])
}

impl Layouts {
    pub fn new(device: &wgpu::Device) -> Layouts {
        let layout = |label, stages, types: &[BindingType]| layout(device, label, stages, types);
        Layouts {
            scene: layout("scene", BOTH, &[uniform(false)]),
            instance: layout("instance", BOTH, &[uniform(true)]),
            light: layout("light", FRAGMENT, &[DEPTH_TEXTURE, COLOR_TEXTURE, COMPARE, SMOOTH]),
            sky_map: layout("sky map", FRAGMENT, &[DEPTH_TEXTURE]),
            raw_ground: layout("raw ground", FRAGMENT, &[COLOR_TEXTURE]),
            ground: layout("ground", FRAGMENT, &[COLOR_TEXTURE, SMOOTH]),
            wire: layout("wire", ShaderStages::VERTEX, &[STORAGE, STORAGE]),
        }
    }
}

#[derive(Debug)]
pub struct Pipelines {
    pub layouts: Layouts,
    pub key_shadow: RenderPipeline,
    pub sky_shadow: RenderPipeline,
    pub sky_height: RenderPipeline,
    pub ground_light: RenderPipeline,
    pub ground_smooth: RenderPipeline,
    pub background: RenderPipeline,
    /// Depth alone. It comes before both of the following: a solid model is then shaded once per
    /// pixel, however many layers it has, and of a ghost only the outside shows.
    pub model_depth: RenderPipeline,
    pub solid: RenderPipeline,
    pub ghost: RenderPipeline,
    pub wire: RenderPipeline,
    pub bone_depth: RenderPipeline,
    pub bone: RenderPipeline,
}

/// What differs between our pipelines.
pub struct Recipe<'a> {
    pub label: &'a str,
    pub module: &'a wgpu::ShaderModule,
    pub groups: [Option<&'a BindGroupLayout>; 4],
    pub vertex: &'a str,
    pub buffers: &'a [Option<VertexBufferLayout<'a>>],
    pub fragment: Option<(&'a str, TextureFormat, Option<BlendState>)>,
    pub depth: Option<(CompareFunction, bool)>,
    pub samples: u32,
    /// A side that is not drawn.
    pub cull: Option<wgpu::Face>,
    /// In place of `fragment`: one that only tells where there is nothing.
    pub sieve: Option<&'a str>,
}

impl Pipelines {
    pub fn new(gpu: &Gpu, target: TextureFormat) -> Pipelines {
        let device = &gpu.device;
        let l = Layouts::new(device);
        let module = |label: &str, text: &str| {
            device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(label),
                source: wgpu::ShaderSource::Wgsl(text.into()),
            })
        };
        let shadow = module("shadow", shaders::SHADOW);
        let prepare = module("prepare", shaders::PREPARE);
        let ground = module("ground", shaders::GROUND);
        let background = module("background", shaders::BACKGROUND);
        let surface = module("surface", shaders::SURFACE);
        let wire = module("wire", shaders::WIRE);
        let bones = module("bones", shaders::BONES);

        let attributes = [
            wgpu::vertex_attr_array![0 => Float32x3],
            wgpu::vertex_attr_array![1 => Float32x3],
            wgpu::vertex_attr_array![2 => Float32x4],
        ];
        let buffer = |index: usize, stride: u64| {
            Some(VertexBufferLayout {
                array_stride: stride,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes: &attributes[index],
            })
        };
        let vertices = [buffer(0, 12), buffer(1, 12), buffer(2, 16)];
        let over = Some(BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        // Depth is reversed: nearer is greater.
        let nearer = Some((CompareFunction::Greater, true));
        let same = Some((CompareFunction::Equal, false));

        let map = |label, vertex| Recipe {
            label,
            module: &shadow,
            groups: [Some(&l.scene), Some(&l.instance), None, None],
            vertex,
            buffers: &vertices[..1],
            fragment: None,
            depth: Some((CompareFunction::Less, true)),
            samples: 1,
            cull: None,
            sieve: None,
        };
        let full = |label, module, light, input, fragment, format, samples| Recipe {
            label,
            module,
            groups: [Some(&l.scene), None, light, input],
            vertex: "fullscreen_vertex",
            buffers: &[],
            fragment: Some((fragment, format, None)),
            depth: (samples > 1).then_some((CompareFunction::Always, false)),
            samples,
            cull: None,
            sieve: None,
        };
        let model = |label, blend, depth| Recipe {
            label,
            module: &surface,
            groups: [Some(&l.scene), Some(&l.instance), Some(&l.light), None],
            vertex: "surface_vertex",
            buffers: &vertices,
            fragment: Some(("surface_fragment", target, blend)),
            depth,
            samples: SAMPLES,
            cull: None,
            sieve: None,
        };
        let bone = |label, depth| Recipe {
            label,
            module: &bones,
            groups: [Some(&l.scene), None, None, None],
            vertex: "bone_vertex",
            buffers: &vertices,
            fragment: Some(("bone_fragment", target, over)),
            depth,
            samples: SAMPLES,
            cull: None,
            sieve: None,
        };
        let lines = Recipe {
            label: "wire",
            module: &wire,
            groups: [Some(&l.scene), Some(&l.instance), None, Some(&l.wire)],
            vertex: "wire_vertex",
            buffers: &[],
            fragment: Some(("wire_fragment", target, over)),
            depth: Some((CompareFunction::GreaterEqual, false)),
            samples: SAMPLES,
            cull: None,
            sieve: None,
        };

        let build = |recipe: Recipe| build(device, recipe);
        Pipelines {
            key_shadow: build(map("key shadow", "key_vertex")),
            sky_shadow: build(map("sky shadow", "sky_vertex")),
            sky_height: build(full(
                "sky height",
                &prepare,
                None,
                Some(&l.sky_map),
                "sky_height_fragment",
                HEIGHT_FORMAT,
                1,
            )),
            ground_light: build(full(
                "ground light",
                &ground,
                Some(&l.light),
                None,
                "ground_light_fragment",
                GROUND_FORMAT,
                1,
            )),
            ground_smooth: build(full(
                "ground smooth",
                &ground,
                None,
                Some(&l.raw_ground),
                "ground_smooth_fragment",
                GROUND_FORMAT,
                1,
            )),
            background: build(full(
                "background",
                &background,
                None,
                Some(&l.ground),
                "background_fragment",
                target,
                SAMPLES,
            )),
            model_depth: build(without_color(model("model depth", None, nearer))),
            solid: build(model("solid", None, same)),
            ghost: build(model("ghost", over, same)),
            wire: build(lines),
            bone_depth: build(without_color(bone("bone depth", nearer))),
            bone: build(bone("bone", same)),
            layouts: l,
        }
    }
}

/// The same pipeline with an output that is thrown away, so that it fits the same render pass.
pub fn without_color(recipe: Recipe) -> Recipe {
    hidden(recipe, "depth_fragment")
}

/// The same with a fragment that may leave out a part of it.
pub fn hidden<'a>(recipe: Recipe<'a>, fragment: &'a str) -> Recipe<'a> {
    Recipe {
        fragment: recipe.fragment.map(|(_, format, _)| (fragment, format, Some(KEEP))),
        ..recipe
    }
}

/// Blending that leaves the target as it is; marks "no colour is written".
const KEEP: BlendState = BlendState { color: KEEP_COMPONENT, alpha: KEEP_COMPONENT };
const KEEP_COMPONENT: wgpu::BlendComponent = wgpu::BlendComponent {
    src_factor: wgpu::BlendFactor::Zero,
    dst_factor: wgpu::BlendFactor::One,
    operation: wgpu::BlendOperation::Add,
};

pub fn build(device: &wgpu::Device, recipe: Recipe) -> RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(recipe.label),
        bind_group_layouts: &recipe.groups,
        immediate_size: 0,
    });
    let targets = recipe.fragment.map(|(_, format, blend)| {
        let hidden = blend == Some(KEEP);
        [Some(wgpu::ColorTargetState {
            format,
            blend: blend.filter(|_| !hidden),
            write_mask: if hidden { wgpu::ColorWrites::empty() } else { wgpu::ColorWrites::ALL },
        })]
    });
    let fragment = recipe.fragment.map(|(entry, ..)| entry).or(recipe.sieve);
    let targets = targets.as_ref().map_or(&[][..], |targets| targets);
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(recipe.label),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: recipe.module,
            entry_point: Some(recipe.vertex),
            compilation_options: Default::default(),
            buffers: recipe.buffers,
        },
        // Without materials nothing is culled: characters may be mirrored or open.
        primitive: wgpu::PrimitiveState { cull_mode: recipe.cull, ..Default::default() },
        depth_stencil: recipe.depth.map(|(compare, write)| wgpu::DepthStencilState {
            format: DEPTH_FORMAT,
            depth_write_enabled: Some(write),
            depth_compare: Some(compare),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: wgpu::MultisampleState { count: recipe.samples, ..Default::default() },
        fragment: fragment.map(|entry| wgpu::FragmentState {
            module: recipe.module,
            entry_point: Some(entry),
            compilation_options: Default::default(),
            targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}
