//! What makes pictures of lists: the CPU, or a graphics adapter.

use super::{DrawError, HerdOf, Mesh, PictureOf};
use image::RgbaImage;
use std::fmt::Debug;

/// Both painters make the same picture of the same description, up to rounding.
pub trait Painter: Debug {
    /// The image is sRGB with straight alpha.
    fn paint(
        &mut self,
        picture: &PictureOf<Mesh>,
        size_px: [u32; 2],
    ) -> Result<RgbaImage, DrawError>;

    /// A herd alone. Models and skeletons of the picture are left out.
    fn paint_herd(
        &mut self,
        picture: &PictureOf<Mesh>,
        herd: &mut HerdOf<Mesh>,
        size_px: [u32; 2],
    ) -> Result<RgbaImage, DrawError>;
}
