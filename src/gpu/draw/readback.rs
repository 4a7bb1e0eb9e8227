//! Pictures off screen: drawn into a texture, copied to a buffer, read.

use super::textures::texture;
use super::{Herd, Picture, Renderer};
use crate::Gpu;
use image::RgbaImage;
use jounce_draw::{Background, DrawError};
use wgpu::{BufferUsages, TextureFormat, TextureUsages};

/// What a renderer for image files should be made with.
pub const IMAGE_FORMAT: TextureFormat = TextureFormat::Rgba8UnormSrgb;

/// The texture and the buffer of the last picture size.
#[derive(Debug)]
pub struct Readback {
    size: [u32; 2],
    texture: wgpu::Texture,
    buffer: wgpu::Buffer,
    /// Bytes from one row to the next in the buffer; the GPU wants a multiple of 256.
    row_bytes: u32,
}

impl Renderer {
    /// Draws off screen. The image is sRGB with straight alpha.
    pub fn render_to_image(
        &mut self,
        picture: &Picture,
        size_px: [u32; 2],
    ) -> Result<RgbaImage, DrawError> {
        self.off_screen(picture, size_px, |renderer, view| renderer.draw(view, size_px, picture))
    }

    /// The same of a herd.
    pub fn herd_to_image(
        &mut self,
        picture: &Picture,
        herd: &mut Herd,
        size_px: [u32; 2],
    ) -> Result<RgbaImage, DrawError> {
        self.off_screen(picture, size_px, |renderer, view| {
            renderer.draw_herd(view, size_px, picture, herd)
        })
    }

    fn off_screen(
        &mut self,
        picture: &Picture,
        size_px: [u32; 2],
        draw: impl FnOnce(&mut Renderer, &wgpu::TextureView) -> Result<(), DrawError>,
    ) -> Result<RgbaImage, DrawError> {
        check_resolution(&self.gpu, size_px)?;
        check_memory(size_px)?;
        let readback = match self.readback.take() {
            Some(kept) if kept.size == size_px => kept,
            _ => self.gpu.guarded(|| self.new_readback(size_px))?,
        };
        let view = readback.texture.create_view(&Default::default());
        draw(self, &view)?;
        let mut image = self.read(&readback)?;
        self.readback = Some(readback);
        if picture.look.background == Background::Transparent {
            image.pixels_mut().for_each(|pixel| divide_by_alpha(&mut pixel.0));
        }
        Ok(image)
    }

    fn new_readback(&self, size: [u32; 2]) -> Result<Readback, DrawError> {
        let row_bytes = (size[0] * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let bytes = u64::from(row_bytes) * u64::from(size[1]);
        if bytes > self.gpu.device.limits().max_buffer_size {
            return Err(DrawError::Readback("it is too large".into()));
        }
        Ok(Readback {
            size,
            row_bytes,
            texture: texture(
                &self.gpu.device,
                "picture",
                size,
                self.format,
                1,
                TextureUsages::COPY_SRC,
            ),
            buffer: self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("readback"),
                size: bytes,
                usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
        })
    }

    fn read(&self, readback: &Readback) -> Result<RgbaImage, DrawError> {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            readback.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &readback.buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(readback.row_bytes),
                    rows_per_image: None,
                },
            },
            readback.texture.size(),
        );
        self.gpu.queue.submit([encoder.finish()]);

        let swap = self.swaps_red_and_blue()?;
        let pixels =
            self.gpu.read_mapped(&readback.buffer, |mapped| unpadded(mapped, readback, swap))?;
        let [width, height] = readback.size;
        RgbaImage::from_raw(width, height, pixels)
            .ok_or_else(|| DrawError::Readback("it is incomplete".into()))
    }

    fn swaps_red_and_blue(&self) -> Result<bool, DrawError> {
        match self.format {
            TextureFormat::Rgba8Unorm | TextureFormat::Rgba8UnormSrgb => Ok(false),
            TextureFormat::Bgra8Unorm | TextureFormat::Bgra8UnormSrgb => Ok(true),
            other => Err(DrawError::Readback(format!("its pixels are {other:?}, not 8 bits each"))),
        }
    }
}

pub(super) fn check_resolution(gpu: &Gpu, [width, height]: [u32; 2]) -> Result<(), DrawError> {
    let largest = gpu.largest_side_px();
    if width.min(height) == 0 || width.max(height) > largest {
        return Err(DrawError::Resolution { width, height, largest });
    }
    Ok(())
}

/// Four samples with colour and depth, and the picture itself, take 40 bytes per pixel.
const MOST_PIXELS: u64 = 1 << 25;

pub(super) fn check_memory([width, height]: [u32; 2]) -> Result<(), DrawError> {
    match u64::from(width) * u64::from(height) > MOST_PIXELS {
        true => Err(DrawError::TooManyPixelsOnGpu { width, height, most: MOST_PIXELS >> 20 }),
        false => Ok(()),
    }
}

fn unpadded(mapped: &[u8], readback: &Readback, swap: bool) -> Vec<u8> {
    let row = readback.size[0] as usize * 4;
    let mut pixels = Vec::with_capacity(row * readback.size[1] as usize);
    for padded in mapped.chunks_exact(readback.row_bytes as usize) {
        pixels.extend_from_slice(&padded[..row]);
    }
    if swap {
        pixels.chunks_exact_mut(4).for_each(|pixel| pixel.swap(0, 2));
    }
    pixels
}

/// The GPU blends colours that are multiplied by their alpha, files hold them undivided. Light is
/// linear, so the division is, too.
fn divide_by_alpha(pixel: &mut [u8; 4]) {
    let alpha = f32::from(pixel[3]) / 255.0;
    if alpha <= 0.0 {
        *pixel = [0; 4];
        return;
    }
    for channel in &mut pixel[..3] {
        let linear = linear_from_srgb(f32::from(*channel) / 255.0) / alpha;
        *channel = (srgb_from_linear(linear.min(1.0)) * 255.0).round() as u8;
    }
}

fn linear_from_srgb(encoded: f32) -> f32 {
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

fn srgb_from_linear(linear: f32) -> f32 {
    if linear <= 0.0031308 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}
