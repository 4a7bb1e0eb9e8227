//! Textures the renderer draws into on the way; kept until another size is needed.

use super::pipelines::{DEPTH_FORMAT, GROUND_FORMAT, HEIGHT_FORMAT, SAMPLES};
use jounce_draw::light::MapSizes;
use wgpu::{Device, TextureFormat, TextureUsages, TextureView};

pub fn texture(
    device: &Device,
    label: &str,
    [width, height]: [u32; 2],
    format: TextureFormat,
    sample_count: u32,
    usage: TextureUsages,
) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: usage | TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    })
}

/// Colour and depth with several samples per pixel.
#[derive(Debug)]
pub struct Canvas {
    pub size: [u32; 2],
    pub color: TextureView,
    pub depth: TextureView,
}

impl Canvas {
    pub fn new(device: &Device, size: [u32; 2], format: TextureFormat) -> Canvas {
        let view = |label, format| {
            texture(device, label, size, format, SAMPLES, TextureUsages::empty())
                .create_view(&Default::default())
        };
        Canvas {
            size,
            color: view("canvas colour", format),
            depth: view("canvas depth", DEPTH_FORMAT),
        }
    }
}

/// The maps light is computed in.
#[derive(Debug)]
pub struct Maps {
    pub sizes: MapSizes,
    pub key: TextureView,
    pub sky: TextureView,
    pub sky_height: TextureView,
    pub ground_raw: TextureView,
    pub ground: TextureView,
}

impl Maps {
    pub fn new(device: &Device, sizes: MapSizes) -> Maps {
        let view = |label, size, format| {
            texture(device, label, size, format, 1, TextureUsages::TEXTURE_BINDING)
                .create_view(&Default::default())
        };
        Maps {
            sizes,
            key: view("key map", sizes.key, DEPTH_FORMAT),
            sky: view("sky map", sizes.sky, DEPTH_FORMAT),
            sky_height: view("sky height", sizes.sky, HEIGHT_FORMAT),
            ground_raw: view("ground raw", sizes.ground, GROUND_FORMAT),
            ground: view("ground light", sizes.ground, GROUND_FORMAT),
        }
    }
}
