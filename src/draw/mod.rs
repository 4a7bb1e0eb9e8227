//! Positions become a picture: on screen in the editor, off screen for files and tests.
//!
//! The renderer knows nothing of rigs or motion. It takes plain borrowed arrays in scene space
//! (Y up, any unit) and is indifferent to scale: a character of 0.01 and one of 200 units give the
//! same picture. Input that is not finite may look wrong, but never panics or hangs.
//!
//! ```text
//!  Geometry ─► Model ──┐                          ┌─► any texture view   (the editor)
//!  Camera, Stage, Look ┼─► Picture ─► Renderer ───┤
//!  joints ─► Bones ────┘                          └─► RgbaImage ─► save_png, save_gif
//!
//!  Subject + Moments ─► Studio: still · strip · ghosts   (all of the above in one call)
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `bounds`, `camera` | what to show, and from where |
//! | `model` | buffers of one mesh; positions and normals can be replaced every frame |
//! | `picture` | the description of one picture |
//! | `light` | lamps, shadow maps and the ground's light map, all relative to the subject's size |
//! | `bones` | the skeleton's sticks and dots |
//! | `shaders`, `uniforms`, `pipelines`, `textures`, `attach`, `renderer` | the passes |
//! | `readback` | pixels back from the GPU |
//! | `studio` | moments of one character: alone, side by side, overlaid |
//! | `heat`, `legend`, `text` | numbers as colours, and what the colours mean |
//! | `marks`, `split` | lines, dots and arrows over a picture; two pictures in one |
//! | `files`, `palette` | PNG and GIF |

mod attach;
mod bones;
mod bounds;
mod camera;
mod error;
mod files;
mod heat;
mod legend;
mod light;
mod marks;
mod model;
mod palette;
mod picture;
mod pipelines;
mod readback;
mod renderer;
pub mod shaders;
mod split;
mod studio;
mod text;
mod textures;
mod uniforms;

pub use bounds::Bounds;
pub use camera::{Camera, Framing, Margins, View};
pub use error::DrawError;
pub use files::{save_gif, save_png};
pub use heat::{PAINTED_UNLIT, Ramp, heat_colors};
pub use image::RgbaImage;
pub use legend::{Legend, write_label};
pub use marks::{Facing, MARK_EDGE, Mark, Shape, draw_marks};
pub use model::{Geometry, Model, OnDevice};
pub use picture::{Background, Bones, Look, Picture, Placed, Stage, Style};
pub use readback::IMAGE_FORMAT;
pub use renderer::Renderer;
pub use split::split_picture;
pub use studio::{
    Behind, COMPARED_OPACITY, COMPARED_TINT, GhostLayout, Moment, Shot, StripLayout, Studio,
    Subject, Travel, strip_size_px,
};
