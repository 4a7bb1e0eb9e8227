//! What can go wrong between positions and a picture.

use thiserror::Error;

#[derive(Debug, Error)]
pub enum DrawError {
    /// The painter of a device has said why.
    #[error("{0}")]
    Device(String),
    #[error(
        "the vertices were computed on a different device than the one that draws; use one device for both"
    )]
    OtherDevice,
    #[error(
        "a picture of {width} × {height} pixels is more than this graphics adapter can draw: \
         ask for at least 1 and at most {largest} pixels per side"
    )]
    Resolution { width: u32, height: u32, largest: u32 },
    #[error(
        "a picture of {width} × {height} pixels is too large: ask for at least 1 pixel per side, and for at most \
         {most} million pixels"
    )]
    TooManyPixels { width: u32, height: u32, most: u64 },
    #[error(
        "a picture of {width} × {height} pixels is too large for a graphics adapter: let the CPU draw it, or ask for at \
         most {most} million pixels"
    )]
    TooManyPixelsOnGpu { width: u32, height: u32, most: u64 },
    #[error("the list of {what} has {found} entries, but {expected} are needed")]
    Count { what: &'static str, found: usize, expected: usize },
    #[error("the materials do not fit each other or the mesh; make them from the character again")]
    Materials,
    #[error("triangle {triangle} refers to vertex {vertex}, but there are only {count} vertices")]
    NoSuchVertex { triangle: usize, vertex: u32, count: usize },
    #[error("the graphics adapter could not return the picture ({0}): try a smaller picture")]
    Readback(String),
    #[error("there is no point in time to draw; give at least one")]
    NoMoments,
    /// The source of a herd's members has said why.
    #[error("{0}")]
    Herd(String),
    #[error("the pictures of a GIF must all have the same size, of at most 65535 pixels per side")]
    FrameSizes,
    #[error(transparent)]
    Write(#[from] jounce_files::WriteError),
}

impl DrawError {
    /// Is the size of the picture the only reason why a graphics adapter cannot draw it?
    pub fn is_size_for_gpu(&self) -> bool {
        matches!(self, DrawError::Resolution { .. } | DrawError::TooManyPixelsOnGpu { .. })
    }
}
