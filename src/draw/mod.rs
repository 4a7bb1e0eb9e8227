//! Positions become a picture: on screen in the editor, off screen for files and tests.
//!
//! Who draws knows nothing of rigs or motion. It takes plain borrowed arrays in scene space
//! (Y up, any unit) and is indifferent to scale: a character of 0.01 and one of 200 units give the
//! same picture. Input that is not finite may look wrong, but never panics or hangs.
//!
//! There is one description of a picture, and two that draw it alike: the CPU, which is always there,
//! and the GPU (feature `gpu`).
//!
//! ```text
//!  lists ─► Mesh ──────┐                         ┌─ cpu::CpuPainter ─┐
//!  Camera, Stage, Look ┼─► PictureOf ─► Painter ─┤                   ├─► RgbaImage ─► save_png, save_gif
//!  joints ─► Bones ────┘                         └─ GpuPainter ──────┘
//!                                                       │ Model
//!                                                       └─ Renderer ─► any texture view   (the editor)
//!
//!  Subject + Moments ─► Studio: still · strip · ghosts · herd   (all of the above in one call)
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `bounds`, `camera` | what to show, and from where |
//! | `geometry` | meshes as lists |
//! | `picture` | the description of one picture |
//! | `painter` | what both that draw have in common |
//! | `light` | lamps, shadow maps and the ground's light map, all relative to the subject's size |
//! | `bones` | the skeleton's sticks and dots |
//! | `uniforms`, `shaders` | what the shaders read, and their texts |
//! | `cpu` | the shaders once more, file by file, on tiles of the picture |
//! | `model`, `bone_mesh`, `pipelines`, `textures`, `attach`, `renderer` | the passes on the GPU |
//! | `gpu_painter`, `readback` | lists to the GPU, pixels back |
//! | `herd`, `herd_renderer`, `herd_pipelines`, `cpu/herd` | many of one mesh, in parts; on the GPU in a few draw calls, from where they were computed |
//! | `studio` | moments of one character: alone, side by side, overlaid |
//! | `heat`, `legend`, `text` | numbers as colours, and what the colours mean |
//! | `marks`, `split` | lines, dots and arrows over a picture; two pictures in one |
//! | `files`, `palette` | PNG and GIF |

#[cfg(feature = "gpu")]
mod attach;
#[cfg(feature = "gpu")]
mod bone_mesh;
mod bones;
mod bounds;
mod camera;
pub mod cpu;
mod error;
mod files;
mod geometry;
#[cfg(feature = "gpu")]
mod gpu_painter;
mod heat;
mod herd;
#[cfg(feature = "gpu")]
mod herd_pipelines;
#[cfg(feature = "gpu")]
mod herd_renderer;
mod legend;
mod light;
mod marks;
#[cfg(feature = "gpu")]
mod model;
mod painter;
mod palette;
mod picture;
#[cfg(feature = "gpu")]
mod pipelines;
#[cfg(feature = "gpu")]
mod readback;
#[cfg(feature = "gpu")]
mod renderer;
pub mod shaders;
mod split;
mod studio;
mod text;
#[cfg(feature = "gpu")]
mod textures;
mod uniforms;

pub use bounds::Bounds;
pub use camera::{Camera, Framing, Margins, View};
pub use cpu::CpuPainter;
pub use error::DrawError;
pub use files::{save_gif, save_png};
pub use geometry::{Geometry, Mesh};
#[cfg(feature = "gpu")]
pub use gpu_painter::GpuPainter;
pub use heat::{PAINTED_UNLIT, Ramp, heat_colors};
#[cfg(feature = "gpu")]
pub use herd::Herd;
pub use herd::{HerdOf, HerdSource, HerdVertices, MOST_LIST_BYTES, members_in};
pub use image::RgbaImage;
pub use legend::{Legend, write_label};
pub use marks::{Facing, MARK_EDGE, Mark, Shape, draw_marks};
#[cfg(feature = "gpu")]
pub use model::{Model, OnDevice};
pub use painter::Painter;
pub use picture::{Background, Bones, Look, PictureOf, PlacedOf, Stage, Style};
#[cfg(feature = "gpu")]
pub use picture::{Picture, Placed};
#[cfg(feature = "gpu")]
pub use readback::IMAGE_FORMAT;
#[cfg(feature = "gpu")]
pub use renderer::Renderer;
pub use split::split_picture;
pub use studio::{
    Behind, COMPARED_OPACITY, COMPARED_TINT, GhostLayout, Moment, Shot, StripLayout, Studio,
    Subject, Travel, strip_size_px,
};
