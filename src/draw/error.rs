//! What can go wrong between positions and a picture.

use thiserror::Error;

#[derive(Debug, Error)]
pub enum DrawError {
    #[error(
        "no graphics adapter was found: install a driver for your graphics card, or the software \
         renderer lavapipe (package `mesa-vulkan-drivers` on Debian, Ubuntu and Fedora, \
         `vulkan-swrast` on Arch)"
    )]
    NoAdapter,
    #[error("the graphics adapter {adapter} refused to work ({reason}): update its driver")]
    NoDevice { adapter: String, reason: String },
    #[error("the graphics adapter {adapter} cannot draw this ({reason}): update its driver")]
    Refused { adapter: String, reason: String },
    #[error(
        "the graphics adapter has no memory left: ask for a smaller picture or use a smaller mesh"
    )]
    OutOfMemory,
    #[error(
        "a picture of {width} × {height} pixels is more than this graphics adapter can draw: \
         ask for at least 1 and at most {largest} pixels per side"
    )]
    Resolution { width: u32, height: u32, largest: u32 },
    #[error(
        "the mesh needs {needed} bytes for its {what}, but this graphics adapter allows {largest}: \
         use a smaller mesh"
    )]
    MeshTooLarge { what: &'static str, needed: u64, largest: u64 },
    #[error("the list of {what} has {found} entries where {expected} are needed")]
    Count { what: &'static str, found: usize, expected: usize },
    #[error("triangle {triangle} refers to vertex {vertex}, but there are only {count} vertices")]
    NoSuchVertex { triangle: usize, vertex: u32, count: usize },
    #[error("the graphics adapter could not give back the picture ({0}): try a smaller picture")]
    Readback(String),
    #[error("there is no moment to draw: give at least one")]
    NoMoments,
    #[error("the pictures of a GIF must all have the same size, of at most 65535 pixels per side")]
    FrameSizes,
    #[error(transparent)]
    Write(#[from] crate::export::WriteError),
}
