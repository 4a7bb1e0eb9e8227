//! Positions become a picture: on screen in the editor, off screen for files and tests.
//!
//! The drawing code knows nothing of rigs or motion. It takes plain borrowed arrays in scene space
//! (Y up, any unit) and is indifferent to scale: a character of 0.01 and one of 200 units give the
//! same picture. Input that is not finite may look wrong, but never panics or hangs.
//!
//! There is one description of a picture, and two painters that draw it alike: the CPU, which is always there,
//! and the GPU, which is the crate `jounce-gpu`. This one knows no device: vertices on one are opaque to it.
//!
//! ```text
//!  lists ─► Mesh ──────┐                         ┌─ cpu::CpuPainter ─┐
//!  Camera, Stage, Look ┼─► PictureOf ─► Painter ─┤                   ├─► RgbaImage ─► save_png, save_gif
//!  joints ─► Bones ────┘                         └─ (GpuPainter) ────┘
//!
//!  Subject + Moments ─► Studio: still · strip · ghosts · herd   (all of the above in one call)
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `bounds`, `camera` | what to show, and from where |
//! | `geometry` | meshes as lists |
//! | `picture` | the description of one picture |
//! | `painter` | what both painters have in common |
//! | `materials` | what surfaces are made of: textures, factors, and which triangle has which |
//! | `studio_image` | what shining surfaces mirror |
//! | `light` | lamps, shadow maps and the ground's light map, all relative to the subject's size |
//! | `bones` | the skeleton's sticks and dots |
//! | `uniforms`, `shaders` | what the shaders read, and their texts |
//! | `cpu` | the shaders once more, file by file, on tiles of the picture |
//! | `herd`, `cpu/herd` | many of one mesh, in parts |
//! | `on_device` | vertices that never left the device they were computed on |
//! | `studio` | moments of one character: alone, side by side, overlaid |
//! | `heat`, `legend`, `text` | numbers as colours, and what the colours mean |
//! | `marks`, `split` | lines, dots and arrows over a picture; two pictures in one |
//! | `files`, `palette` | PNG and GIF |

pub mod bones;
mod bounds;
mod camera;
pub mod cpu;
mod error;
mod files;
pub mod geometry;
mod heat;
mod herd;
mod legend;
pub mod light;
mod marks;
pub mod materials;
mod on_device;
mod painter;
mod palette;
mod picture;
pub mod shaders;
mod split;
mod studio;
pub mod studio_image;
mod text;
pub mod uniforms;

pub use bounds::Bounds;
pub use camera::{Camera, Framing, Margins, View};
pub use cpu::CpuPainter;
pub use error::DrawError;
pub use files::{save_gif, save_png};
pub use geometry::{Geometry, Mesh};
pub use heat::{PAINTED_UNLIT, Ramp, heat_colors};
pub use herd::{HerdOf, HerdSource, HerdVertices, MOST_LIST_BYTES, members_in};
pub use image::RgbaImage;
pub use legend::{Legend, write_key, write_label};
pub use marks::{Facing, MARK_EDGE, Mark, Shape, draw_marks};
pub use materials::Materials;
pub use on_device::OnDevice;
pub use painter::Painter;
pub use picture::{Background, Bones, Look, PictureOf, PlacedOf, Stage, Style, WIREFRAME_OPACITY};
pub use split::split_picture;
pub use studio::{
    Behind, COMPARED_OPACITY, COMPARED_TINT, DrawnMoment, GhostLayout, Shot, StripLayout, Studio,
    Subject, Travel, strip_size_px,
};
