//! The renderer of [`jounce_draw`], in a texture that egui shows.

use egui_wgpu::RenderState;
use jounce_draw::DrawError;
use jounce_gpu::Gpu;
use jounce_gpu::draw::{Herd, MaterialPipelines, Picture, Renderer};
use std::sync::Arc;

/// What egui wants of a texture: encoded values, as they are.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

pub struct Device {
    pub gpu: Gpu,
    renderer: Renderer,
    egui_renderer: Arc<egui::mutex::RwLock<egui_wgpu::Renderer>>,
    canvases: Vec<Option<Canvas>>,
}

/// Where the viewport is drawn.
struct Canvas {
    size_px: [u32; 2],
    view: wgpu::TextureView,
    id: egui::TextureId,
}

impl Device {
    pub fn new(state: &RenderState) -> Result<Device, DrawError> {
        let info = state.adapter.get_info();
        let is_software = info.device_type == wgpu::DeviceType::Cpu;
        let mut gpu = Gpu::from_device(state.device.clone(), state.queue.clone(), info.name);
        gpu.is_software = is_software;
        let renderer = Renderer::new(&gpu, FORMAT)?;
        Ok(Device { gpu, renderer, egui_renderer: state.renderer.clone(), canvases: Vec::new() })
    }

    /// What draws materials, made on another thread.
    pub fn adopt(&mut self, pipelines: Arc<MaterialPipelines>) {
        self.renderer.adopt(pipelines);
    }

    /// Draws a picture of that size and gives the texture that holds it. There may be several, by number:
    /// each stays as it is while another is drawn.
    pub fn draw(
        &mut self,
        number: usize,
        size_px: [u32; 2],
        picture: &Picture,
    ) -> Result<egui::TextureId, DrawError> {
        let (view, id) = self.canvas(number, size_px)?;
        self.renderer.draw(&view, size_px, picture)?;
        Ok(id)
    }

    /// The same of a herd.
    pub fn draw_herd(
        &mut self,
        number: usize,
        size_px: [u32; 2],
        picture: &Picture,
        herd: &mut Herd,
    ) -> Result<egui::TextureId, DrawError> {
        let (view, id) = self.canvas(number, size_px)?;
        self.renderer.draw_herd(&view, size_px, picture, herd)?;
        Ok(id)
    }

    fn canvas(
        &mut self,
        number: usize,
        size_px: [u32; 2],
    ) -> Result<(wgpu::TextureView, egui::TextureId), DrawError> {
        if self.canvases.len() <= number {
            self.canvases.resize_with(number + 1, || None);
        }
        if self.canvases[number].as_ref().is_none_or(|canvas| canvas.size_px != size_px) {
            self.resize(number, size_px)?;
        }
        let canvas = self.canvases[number].as_ref();
        canvas.map(|canvas| (canvas.view.clone(), canvas.id)).ok_or(DrawError::NoMoments)
    }

    fn resize(&mut self, number: usize, size_px: [u32; 2]) -> Result<(), DrawError> {
        let device = &self.gpu.device;
        let texture = self.gpu.guarded(|| {
            Ok::<_, DrawError>(device.create_texture(&wgpu::TextureDescriptor {
                label: Some("viewport"),
                size: wgpu::Extent3d {
                    width: size_px[0],
                    height: size_px[1],
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: FORMAT,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                    | wgpu::TextureUsages::TEXTURE_BINDING
                    | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            }))
        })?;
        let view = texture.create_view(&Default::default());
        let mut renderer = self.egui_renderer.write();
        let filter = wgpu::FilterMode::Linear;
        let id = match self.canvases[number].take() {
            Some(Canvas { id, .. }) => {
                renderer.update_egui_texture_from_wgpu_texture(device, &view, filter, id);
                id
            }
            None => renderer.register_native_texture(device, &view, filter),
        };
        drop(renderer);
        self.canvases[number] = Some(Canvas { size_px, view, id });
        Ok(())
    }
}
