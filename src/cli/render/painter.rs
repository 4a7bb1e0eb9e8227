//! The painter: a graphics adapter, or the CPU if there is no adapter or the user asks for it.

use super::args::RenderArgs;
use crate::cli::CliError;
use crate::cli::scene::Scene;
use clap::ValueEnum;
use jounce_draw::{CpuPainter, Painter};
#[cfg(feature = "gpu")]
use {
    jounce_draw::{DrawError, HerdOf, Mesh, PictureOf, RgbaImage},
    jounce_gpu::draw::GpuPainter,
    jounce_gpu::{Gpu, GpuError},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DrawArg {
    Cpu,
    #[cfg(feature = "gpu")]
    Gpu,
}

/// A painter, and whether it draws what was computed on the same device without reading it back.
pub struct Chosen {
    pub painter: Box<dyn Painter>,
    #[cfg(feature = "gpu")]
    pub is_on_device: bool,
    /// What draws, where it is a device: it can compute what it draws, too.
    #[cfg(feature = "gpu")]
    pub gpu: Option<Gpu>,
}

impl Chosen {
    fn cpu() -> Chosen {
        Chosen {
            painter: Box::new(CpuPainter::default()),
            #[cfg(feature = "gpu")]
            is_on_device: false,
            #[cfg(feature = "gpu")]
            gpu: None,
        }
    }
}

#[cfg(not(feature = "gpu"))]
pub fn choose(_args: &RenderArgs, _scene: &Scene) -> Result<Chosen, CliError> {
    Ok(Chosen::cpu())
}

#[cfg(feature = "gpu")]
pub fn choose(args: &RenderArgs, scene: &Scene) -> Result<Chosen, CliError> {
    let computing = scene.gpu();
    if args.draw == Some(DrawArg::Cpu) {
        if computing.is_none() && args.scene.graph.gpu.is_some() {
            say!("--gpu has no effect here with --draw cpu");
        }
        return Ok(Chosen::cpu());
    }
    let is_on_device = computing.is_some();
    let opened = match computing {
        Some(gpu) => Ok(gpu),
        None => args.scene.graph.open_gpu(),
    };
    let has_adapter = !matches!(opened, Err(GpuError::NoAdapter));
    let made = opened.map_err(DrawError::from).and_then(|gpu: Gpu| GpuPainter::new(&gpu));
    match made {
        Ok(painter) => {
            let gpu = Some(painter.gpu().clone());
            let painter: Box<dyn Painter> = match is_on_device || args.draw.is_some() {
                true => Box::new(painter),
                false => Box::new(Either { gpu: painter, cpu: None }),
            };
            Ok(Chosen { painter, is_on_device, gpu })
        }
        Err(error) if is_on_device || args.scene.graph.gpu.is_some() => Err(error.into()),
        Err(error) if args.draw == Some(DrawArg::Gpu) => Err(CliError::NoGpuToDraw(error)),
        Err(_) if !has_adapter => {
            say!("no graphics adapter was found, so the CPU draws");
            Ok(Chosen::cpu())
        }
        Err(error) => {
            say!("{error}; the CPU draws instead");
            Ok(Chosen::cpu())
        }
    }
}

/// The GPU, and the CPU for pictures that are too large for it.
#[cfg(feature = "gpu")]
#[derive(Debug)]
struct Either {
    gpu: GpuPainter,
    cpu: Option<CpuPainter>,
}

#[cfg(feature = "gpu")]
impl Painter for Either {
    fn paint(
        &mut self,
        picture: &PictureOf<Mesh>,
        size_px: [u32; 2],
    ) -> Result<RgbaImage, DrawError> {
        match self.gpu.paint(picture, size_px) {
            Err(error) if error.is_size_for_gpu() => {}
            painted => return painted,
        }
        if self.cpu.is_none() {
            say!("the picture is too large for the graphics adapter, so the CPU draws");
        }
        self.cpu.get_or_insert_default().paint(picture, size_px)
    }

    /// Herds may be computed on the device, and stay there.
    fn paint_herd(
        &mut self,
        picture: &PictureOf<Mesh>,
        herd: &mut HerdOf<Mesh>,
        size_px: [u32; 2],
    ) -> Result<RgbaImage, DrawError> {
        self.gpu.paint_herd(picture, herd, size_px)
    }
}
