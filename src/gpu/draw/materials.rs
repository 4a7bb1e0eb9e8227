//! Materials on the device: textures, factors, and what draws by them.
//!
//! They can be made on any thread, and then belong to no renderer: a window hands that work to another
//! thread and goes on. Texels are handed over in small pieces, because a window that draws meanwhile waits
//! for the piece that is under way.

use super::attach::empty_uniform;
use super::model::filled_buffer;
use super::pipelines::{FIRST_MATERIAL_BINDING, material_layout};
use crate::Gpu;
use bytemuck::{bytes_of, cast_slice};
use glam::Vec2;
use jounce_draw::materials::{Material, Materials, Slot, Texture, TextureUse, Wrap};
use jounce_draw::studio_image::{STUDIO_IMAGE_SIZE, studio_image};
use jounce_draw::uniforms::MaterialUniform;
use jounce_draw::{DrawError, Geometry};
use std::ops::Range;
use std::sync::{Arc, Weak};
use wgpu::{BindGroup, BindGroupEntry, BindingResource, Sampler, TextureFormat, TextureView};

/// The materials of one mesh on the device.
#[derive(Debug)]
pub struct DeviceMaterials {
    /// What they were made of. Whoever draws by them needs the texels no more.
    of: Weak<Materials>,
    vertex_count: usize,
    pub(super) uvs: wgpu::Buffer,
    list: Vec<OnDevice>,
    studio: TextureView,
    studio_sampler: Sampler,
    pub(super) runs: Vec<Run>,
}

/// Corners that are drawn at once.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub corners: Range<u32>,
    pub material: usize,
    pub has_holes: bool,
    pub is_blended: bool,
    pub is_double_sided: bool,
}

#[derive(Debug)]
struct OnDevice {
    group: BindGroup,
    uniform: wgpu::Buffer,
    textures: [(TextureView, Sampler); Slot::COUNT],
}

impl DeviceMaterials {
    /// `geometry` is what they belong to: its materials, and how many vertices and triangles there are.
    pub fn new(gpu: &Gpu, geometry: &Geometry) -> Result<Option<Arc<DeviceMaterials>>, DrawError> {
        geometry.check()?;
        let Some(materials) = geometry.materials else { return Ok(None) };
        gpu.check_buffer("texture coordinates", geometry.positions.len() as u64 * 16)?;
        let made = gpu.guarded(|| {
            let made = DeviceMaterials::build(gpu, materials, geometry.positions.len());
            // Texels are copied to where they belong when something is submitted.
            gpu.queue.submit([]);
            Ok::<_, DrawError>(made)
        });
        Ok(Some(Arc::new(made?)))
    }

    fn build(gpu: &Gpu, materials: &Arc<Materials>, vertices: usize) -> DeviceMaterials {
        let uvs: Vec<[Vec2; 2]> =
            (0..vertices as u32).map(|v| [0, 1].map(|set| materials.uv(set, v))).collect();
        let textures: Vec<TextureView> =
            materials.textures.iter().map(|texture| upload(gpu, texture)).collect();
        let studio = upload_studio(gpu);
        let studio_sampler = sampler(gpu, [Wrap::Repeat, Wrap::Clamp], wgpu::FilterMode::Linear, 1);
        let mut made = DeviceMaterials {
            of: Arc::downgrade(materials),
            vertex_count: vertices,
            uvs: filled_buffer(
                gpu,
                "texture coordinates",
                cast_slice(&uvs),
                wgpu::BufferUsages::VERTEX,
            ),
            list: Vec::new(),
            studio,
            studio_sampler,
            runs: runs(materials),
        };
        let blank = blank(gpu);
        let layout = material_layout(&gpu.device);
        let mut samplers = Samplers::default();
        for material in &materials.list {
            let bound = |texture: &Option<TextureUse>| match texture {
                Some(how) => (textures[how.texture].clone(), samplers.of(gpu, how)),
                None => (blank.clone(), made.studio_sampler.clone()),
            };
            let textures = material.textures.each_ref().map(bound);
            made.list.push(made.material(gpu, &layout, material, textures));
        }
        made
    }

    fn material(
        &self,
        gpu: &Gpu,
        layout: &wgpu::BindGroupLayout,
        material: &Material,
        textures: [(TextureView, Sampler); Slot::COUNT],
    ) -> OnDevice {
        let uniform = empty_uniform(gpu, size_of::<MaterialUniform>() as u64);
        gpu.queue.write_buffer(&uniform, 0, bytes_of(&MaterialUniform::of(material)));
        let entries = entries(&uniform, &textures, &self.studio, &self.studio_sampler);
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("material"),
            layout,
            entries: &entries,
        });
        OnDevice { group, uniform, textures }
    }

    /// Were they made of these?
    pub fn is_of(&self, materials: &Arc<Materials>) -> bool {
        std::ptr::eq(Arc::as_ptr(materials), self.of.as_ptr())
    }

    pub(super) fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    pub(super) fn corner_count(&self) -> usize {
        self.runs.last().map_or(0, |run| run.corners.end as usize)
    }

    pub(super) fn group(&self, material: usize) -> &BindGroup {
        &self.list[material].group
    }

    /// For each material a group that holds other things before it.
    pub(super) fn groups_with(
        &self,
        gpu: &Gpu,
        layout: &wgpu::BindGroupLayout,
        before: &[BindingResource],
    ) -> Vec<BindGroup> {
        let group = |OnDevice { uniform, textures, .. }: &OnDevice| {
            let before = (0..)
                .zip(before)
                .map(|(binding, resource)| BindGroupEntry { binding, resource: resource.clone() });
            let material = entries(uniform, textures, &self.studio, &self.studio_sampler);
            let entries: Vec<_> = before.chain(material).collect();
            gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("material of a herd"),
                layout,
                entries: &entries,
            })
        };
        self.list.iter().map(group).collect()
    }
}

fn entries<'a>(
    uniform: &'a wgpu::Buffer,
    textures: &'a [(TextureView, Sampler); Slot::COUNT],
    studio: &'a TextureView,
    studio_sampler: &'a Sampler,
) -> Vec<BindGroupEntry<'a>> {
    let mut resources = vec![uniform.as_entire_binding()];
    for (view, sampler) in textures {
        resources.push(BindingResource::TextureView(view));
        resources.push(BindingResource::Sampler(sampler));
    }
    resources.push(BindingResource::TextureView(studio));
    resources.push(BindingResource::Sampler(studio_sampler));
    let numbered = (FIRST_MATERIAL_BINDING..).zip(resources);
    numbered.map(|(binding, resource)| BindGroupEntry { binding, resource }).collect()
}

fn runs(materials: &Materials) -> Vec<Run> {
    let run = |part: &jounce_draw::materials::MaterialPart| {
        let material = &materials.list[part.material];
        Run {
            corners: part.triangles.start * 3..part.triangles.end * 3,
            material: part.material,
            has_holes: material.least_solid_alpha().is_some(),
            is_blended: material.is_blended(),
            is_double_sided: material.is_double_sided,
        }
    };
    materials.parts.iter().filter(|part| !part.triangles.is_empty()).map(run).collect()
}

/// Each kind once: devices have room for a few thousand samplers, and a file may ask for more.
#[derive(Default)]
struct Samplers(Vec<(([Wrap; 2], bool), Sampler)>);

impl Samplers {
    fn of(&mut self, gpu: &Gpu, how: &TextureUse) -> Sampler {
        let kind = (how.wrap, how.is_nearest);
        if let Some((_, known)) = self.0.iter().find(|(known, _)| *known == kind) {
            return known.clone();
        }
        let made = match how.is_nearest {
            true => sampler(gpu, how.wrap, wgpu::FilterMode::Nearest, 1),
            false => sampler(gpu, how.wrap, wgpu::FilterMode::Linear, ANISOTROPY),
        };
        self.0.push((kind, made.clone()));
        made
    }
}

/// Equal to `MOST_LOOKS` of the CPU.
const ANISOTROPY: u16 = 4;

/// `near` is for texels that are larger than pixels.
fn sampler(gpu: &Gpu, wrap: [Wrap; 2], near: wgpu::FilterMode, anisotropy_clamp: u16) -> Sampler {
    let [across, down] = wrap.map(|wrap| match wrap {
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
        Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
    });
    gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("texture"),
        address_mode_u: across,
        address_mode_v: down,
        mag_filter: near,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        anisotropy_clamp,
        ..Default::default()
    })
}

/// Where a material has no texture: it is bound and never looked at.
fn blank(gpu: &Gpu) -> TextureView {
    let size = wgpu::Extent3d { width: 1, height: 1, depth_or_array_layers: 1 };
    let texture = texture(gpu, size, 1, wgpu::TextureDimension::D2, TextureFormat::Rgba8Unorm);
    texture.create_view(&Default::default())
}

fn texture(
    gpu: &Gpu,
    size: wgpu::Extent3d,
    mip_level_count: u32,
    dimension: wgpu::TextureDimension,
    format: TextureFormat,
) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("material"),
        size,
        mip_level_count,
        sample_count: 1,
        dimension,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

/// How many bytes of texels are handed over at a time.
const PIECE_BYTES: usize = 1 << 20;

fn upload(gpu: &Gpu, source: &Texture) -> TextureView {
    let format = match source.is_srgb {
        true => TextureFormat::Rgba8UnormSrgb,
        false => TextureFormat::Rgba8Unorm,
    };
    // Small devices do without the largest copies.
    let fits = |size_px: [u32; 2]| size_px.iter().all(|side| *side <= gpu.largest_side_px());
    let first = source.levels.iter().position(|level| fits(level.size_px)).unwrap_or(0);
    let levels = &source.levels[first..];
    let extent =
        |[width, height]: [u32; 2]| wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
    let dimension = wgpu::TextureDimension::D2;
    let size = extent(levels[0].size_px);
    let texture = texture(gpu, size, levels.len() as u32, dimension, format);
    for (level, mip_level) in levels.iter().zip(0..) {
        let [width, _] = level.size_px;
        let row_bytes = width as usize * 4;
        let rows = (PIECE_BYTES / row_bytes).max(1);
        for (piece, texels) in level.texels.chunks(rows * row_bytes).enumerate() {
            gpu.queue.write_texture(
                wgpu::TexelCopyTextureInfo {
                    texture: &texture,
                    mip_level,
                    origin: wgpu::Origin3d { x: 0, y: (piece * rows) as u32, z: 0 },
                    aspect: wgpu::TextureAspect::All,
                },
                texels,
                wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row_bytes as u32),
                    rows_per_image: None,
                },
                extent([width, (texels.len() / row_bytes) as u32]),
            );
        }
    }
    texture.create_view(&Default::default())
}

fn upload_studio(gpu: &Gpu) -> TextureView {
    let [width, height, depth] = STUDIO_IMAGE_SIZE.map(|side| side as u32);
    let size = wgpu::Extent3d { width, height, depth_or_array_layers: depth };
    let format = TextureFormat::Rgba16Float;
    let texture = texture(gpu, size, 1, wgpu::TextureDimension::D3, format);
    let halves: Vec<u16> =
        studio_image().iter().flat_map(|texel| texel.to_array()).map(half_from).collect();
    gpu.queue.write_texture(
        texture.as_image_copy(),
        cast_slice(&halves),
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(width * 8),
            rows_per_image: Some(height),
        },
        size,
    );
    texture.create_view(&Default::default())
}

/// A number that is not negative and below 65 504 in 16 bits: what is too small for them is 0.
fn half_from(number: f32) -> u16 {
    // The exponent counts from 15 in place of 127, and 10 bits of 23 remain, rounded.
    let bits = number.to_bits().saturating_sub((127 - 15) << 23);
    ((bits + (1 << 12)) >> 13).min(0x7bff) as u16
}

#[cfg(test)]
mod tests {
    use super::half_from;

    #[test]
    fn halves_are_what_the_standard_says() {
        let known = [(0.0, 0), (1.0, 0x3c00), (0.5, 0x3800), (1.5, 0x3e00), (5.25, 0x4540)];
        for (number, bits) in known {
            assert_eq!(half_from(number), bits, "{number}");
        }
        assert_eq!(half_from(1e9), 0x7bff);
        assert_eq!(half_from(0.1), 0x2e66);
    }
}
