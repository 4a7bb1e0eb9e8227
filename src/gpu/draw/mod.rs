//! Draws on the device what `jounce-draw` describes.
//!
//! ```text
//!  Mesh ─► GpuPainter ─┐
//!                      ├─► Model ─► Renderer ─► any texture view   (the editor)
//!  DeviceVertices ─────┘                └─► readback ─► RgbaImage
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `model`, `bone_mesh`, `pipelines`, `textures`, `attach`, `renderer` | the passes |
//! | `gpu_painter`, `readback` | lists to the device, pixels back |
//! | `materials`, `material_pipelines`, `material_renderer` | textures on the device, made on any thread; drawing by them |
//! | `herd_renderer`, `herd_pipelines` | many of one mesh in a few draw calls, from where they were computed |

mod attach;
mod bone_mesh;
mod gpu_painter;
mod herd_pipelines;
mod herd_renderer;
mod material_pipelines;
mod material_renderer;
mod materials;
mod model;
mod pipelines;
mod readback;
mod renderer;
mod textures;

pub use gpu_painter::GpuPainter;
pub use material_pipelines::MaterialPipelines;
pub use materials::DeviceMaterials;
pub use model::{DeviceVertices, Model};
pub use readback::IMAGE_FORMAT;
pub use renderer::Renderer;

use crate::GpuError;
use jounce_draw::{DrawError, HerdOf, PictureOf, PlacedOf};

pub type Picture<'a> = PictureOf<'a, Model>;
pub type Placed<'a> = PlacedOf<'a, Model>;
pub type Herd<'a> = HerdOf<'a, Model>;

/// Of a model that stands in a picture. A ghost is seen as a whole, without what its surface is made of, and
/// what shows numbers as colours shows nothing else.
trait HasMaterials {
    fn materials(&self) -> Option<&DeviceMaterials>;
}

impl HasMaterials for Placed<'_> {
    fn materials(&self) -> Option<&DeviceMaterials> {
        self.model.materials.as_deref().filter(|_| self.is_solid())
    }
}

impl From<GpuError> for DrawError {
    fn from(error: GpuError) -> DrawError {
        DrawError::Device(error.to_string())
    }
}
