//! What surfaces are made of, ready to be drawn: decoded textures, factors, and which triangle has which.
//! One value per character, shared by everyone who draws it.
//!
//! | file | what it holds |
//! |---|---|
//! | `decode` | images of files, which are not trusted |
//! | `texture` | an image and its smaller copies |

mod decode;
mod texture;

pub use decode::{ImageError, MOST_SIDE_PX, image_size, read_image};
pub use texture::{Level, Texture, light_of_byte};

use super::DrawError;
use super::geometry::check_count;
use glam::{Affine2, Vec2};
use std::ops::Range;

/// The materials of one mesh.
#[derive(Debug, Default)]
pub struct Materials {
    pub list: Vec<Material>,
    pub textures: Vec<Texture>,
    /// Texture coordinates, one per vertex; empty where no texture goes by them.
    pub uvs: [Vec<Vec2>; 2],
    /// All triangles, in their order.
    pub parts: Vec<MaterialPart>,
}

/// Triangles of one material.
#[derive(Clone, Debug)]
pub struct MaterialPart {
    pub triangles: Range<u32>,
    pub material: usize,
}

/// A metallic-roughness surface. Its base colour is in the colours of the vertices.
#[derive(Clone, Debug)]
pub struct Material {
    /// By [`Slot`].
    pub textures: [Option<TextureUse>; Slot::COUNT],
    pub metallic: f32,
    pub roughness: f32,
    pub normal_scale: f32,
    pub occlusion_strength: f32,
    /// Linear.
    pub emissive: [f32; 3],
    pub alpha: AlphaMode,
    pub is_double_sided: bool,
    pub is_unlit: bool,
}

/// What a texture is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    BaseColor,
    MetallicRoughness,
    Normal,
    Occlusion,
    Emissive,
}

impl Slot {
    pub const COUNT: usize = 5;

    /// Do its texels encode colours? The others hold plain numbers.
    pub fn is_srgb(self) -> bool {
        matches!(self, Slot::BaseColor | Slot::Emissive)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AlphaMode {
    Opaque,
    Mask { cutoff: f32 },
    Blend,
}

/// Where a surface is blended, texels of at least this alpha hide what is behind them, and what lies there
/// is not drawn through them in the wrong order.
pub const SOLID_ALPHA: f32 = 0.98;

#[derive(Clone, Copy, Debug)]
pub struct TextureUse {
    pub texture: usize,
    pub uv_set: usize,
    pub image_from_uv: Affine2,
    /// Beyond the borders, across and down.
    pub wrap: [Wrap; 2],
    /// Texels near by are seen as squares.
    pub is_nearest: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    Repeat,
    Mirror,
    Clamp,
}

impl Default for Material {
    fn default() -> Material {
        Material {
            textures: [None; Slot::COUNT],
            metallic: 0.0,
            roughness: 1.0,
            normal_scale: 1.0,
            occlusion_strength: 1.0,
            emissive: [0.0; 3],
            alpha: AlphaMode::Opaque,
            is_double_sided: false,
            is_unlit: false,
        }
    }
}

impl Material {
    pub fn texture(&self, slot: Slot) -> Option<&TextureUse> {
        self.textures[slot as usize].as_ref()
    }

    /// From which alpha on it hides what is behind it; None: everywhere.
    pub fn least_solid_alpha(&self) -> Option<f32> {
        match self.alpha {
            AlphaMode::Opaque => None,
            AlphaMode::Mask { cutoff } => Some(cutoff),
            AlphaMode::Blend => Some(SOLID_ALPHA),
        }
    }

    pub fn is_blended(&self) -> bool {
        self.alpha == AlphaMode::Blend
    }
}

impl Materials {
    /// Do they fit a mesh, and its lists each other?
    pub fn check(&self, vertices: usize, triangles: usize) -> Result<(), DrawError> {
        for uvs in self.uvs.iter().filter(|uvs| !uvs.is_empty()) {
            check_count("texture coordinates", uvs.len(), vertices)?;
        }
        let last = self.parts.last().map_or(0, |part| part.triangles.end as usize);
        check_count("triangles with a material", last, triangles)?;
        let starts = self.parts.iter().map(|part| part.triangles.start);
        let ends = self.parts.iter().map(|part| part.triangles.end);
        let in_order = [0].into_iter().chain(ends).zip(starts).all(|(end, start)| end == start);
        let uses = || self.list.iter().flat_map(|material| material.textures.iter().flatten());
        let fit = self.parts.iter().all(|part| part.material < self.list.len())
            && in_order
            && uses().all(|it| it.texture < self.textures.len() && it.uv_set < self.uvs.len());
        if fit { Ok(()) } else { Err(DrawError::Materials) }
    }

    /// What a triangle is made of.
    pub fn of_triangle(&self, triangle: u32) -> Option<usize> {
        let place = self.parts.partition_point(|part| part.triangles.end <= triangle);
        self.parts.get(place).map(|part| part.material)
    }

    pub fn uv(&self, set: usize, vertex: u32) -> Vec2 {
        self.uvs[set].get(vertex as usize).copied().unwrap_or_default()
    }

    /// What all textures take.
    pub fn texture_bytes(&self) -> usize {
        self.textures.iter().map(Texture::bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_find_their_material() {
        let part = |triangles, material| MaterialPart { triangles, material };
        let materials = Materials {
            list: vec![Material::default(), Material::default()],
            parts: vec![part(0..2, 1), part(2..2, 0), part(2..5, 0)],
            ..Materials::default()
        };
        assert!(materials.check(3, 5).is_ok() && materials.check(3, 4).is_err());
        let found: Vec<_> = (0..6).map(|triangle| materials.of_triangle(triangle)).collect();
        assert_eq!(found, [Some(1), Some(1), Some(0), Some(0), Some(0), None]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let texture = TextureUse {
            texture: 0,
            uv_set: 0,
            image_from_uv: Affine2::IDENTITY,
            wrap: [Wrap::Repeat; 2],
            is_nearest: false,
        };
        let whole = vec![MaterialPart { triangles: 0..1, material: 0 }];
        let list = vec![Material::default()];
        let mut materials = Materials { list, parts: whole.clone(), ..Materials::default() };
        assert!(materials.check(3, 1).is_ok());
        materials.list[0].textures[0] = Some(texture);
        assert!(matches!(materials.check(3, 1), Err(DrawError::Materials)), "no such texture");
        materials.list[0].textures[0] = None;
        materials.parts = vec![MaterialPart { triangles: 0..1, material: 1 }];
        assert!(matches!(materials.check(3, 1), Err(DrawError::Materials)), "no such material");
        materials.parts = vec![MaterialPart { triangles: 1..1, material: 0 }, whole[0].clone()];
        assert!(matches!(materials.check(3, 1), Err(DrawError::Materials)), "not in order");
        materials.parts = whole;
        materials.uvs[1] = vec![Vec2::ZERO; 2];
        assert!(matches!(materials.check(3, 1), Err(DrawError::Count { .. })));
    }
}
