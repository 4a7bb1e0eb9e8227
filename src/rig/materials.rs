//! How surfaces look, as the file says it. Images stay as they are stored: whoever draws decodes them.

use glam::Affine2;
use std::path::PathBuf;
use std::sync::Arc;

/// All that the parts of a mesh may be made of.
#[derive(Clone, Debug, Default)]
pub struct Materials {
    pub list: Vec<Material>,
    pub images: Vec<Image>,
}

/// An image that was not decoded yet.
#[derive(Clone, Debug)]
pub struct Image {
    /// For messages.
    pub name: String,
    pub data: ImageData,
}

#[derive(Clone, Debug)]
pub enum ImageData {
    Inside(Arc<[u8]>),
    /// Beside the file. It may not be there.
    Beside(PathBuf),
}

/// glTF's metallic-roughness material. Its base colour is in [`super::Mesh::colors`], which is a factor
/// of the texture.
#[derive(Clone, Debug)]
pub struct Material {
    pub name: String,
    pub base_color: Option<TextureUse>,
    pub metallic: f32,
    pub roughness: f32,
    /// Green: a factor of roughness; blue: of metallic.
    pub metallic_roughness: Option<TextureUse>,
    pub normal: Option<TextureUse>,
    pub normal_scale: f32,
    /// Red: how much of the surrounding light arrives.
    pub occlusion: Option<TextureUse>,
    pub occlusion_strength: f32,
    /// Linear.
    pub emissive: [f32; 3],
    pub emissive_texture: Option<TextureUse>,
    pub alpha: Alpha,
    pub is_double_sided: bool,
    pub is_unlit: bool,
    /// Does the file itself say how metallic or how rough it is? By glTF's defaults it would be metal,
    /// which nobody means who sets nothing at all.
    pub has_finish: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Alpha {
    #[default]
    Opaque,
    /// Seen where alpha is at least so much, else not at all.
    Mask {
        cutoff: f32,
    },
    Blend,
}

/// One of the images, and how it lies on the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureUse {
    pub image: usize,
    /// Which of [`super::Mesh::uvs`].
    pub uv_set: usize,
    pub image_from_uv: Affine2,
    /// Beyond the borders, across and down.
    pub wrap: [Wrap; 2],
    /// Texels are seen as squares, as in pixel art.
    pub is_nearest: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Wrap {
    #[default]
    Repeat,
    Mirror,
    Clamp,
}

impl Default for Material {
    fn default() -> Material {
        Material {
            name: String::new(),
            base_color: None,
            metallic: 1.0,
            roughness: 1.0,
            metallic_roughness: None,
            normal: None,
            normal_scale: 1.0,
            occlusion: None,
            occlusion_strength: 1.0,
            emissive: [0.0; 3],
            emissive_texture: None,
            alpha: Alpha::Opaque,
            is_double_sided: false,
            is_unlit: false,
            has_finish: false,
        }
    }
}

impl Material {
    /// In the order of glTF's properties.
    pub fn textures(&self) -> impl Iterator<Item = &TextureUse> {
        let all = [
            &self.base_color,
            &self.metallic_roughness,
            &self.normal,
            &self.occlusion,
            &self.emissive_texture,
        ];
        all.into_iter().flatten()
    }

    /// Does it say anything that its base colour and a matt surface do not show?
    pub fn is_more_than_a_color(&self) -> bool {
        self.textures().next().is_some()
            || self.emissive != [0.0; 3]
            || self.alpha != Alpha::Opaque
            || self.is_unlit
            || (self.has_finish && self.metallic > 0.0)
    }
}
