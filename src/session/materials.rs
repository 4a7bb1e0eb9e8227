//! What a character's file says of its surfaces → what pictures are drawn with: images are read and decoded.
//!
//! It takes a moment where textures are large. Do it once per character, and not where a window waits.

use super::{Cancelled, Progress};
use jounce_base::reading::read_file;
use jounce_draw::materials::{
    AlphaMode, ImageError, Material, MaterialPart, Materials, Slot, Texture, TextureUse, Wrap,
    image_size, read_image,
};
use jounce_rig::{self as rig, Character, ImageData};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How a character is drawn, and what of it could not be read.
#[derive(Clone, Debug, Default)]
pub struct Appearance {
    /// None: of clay, because its file says no more than colours.
    pub materials: Option<Arc<Materials>>,
    /// One sentence each.
    pub notes: Vec<String>,
}

/// Larger images become so large.
const MOST_SIDE_PX: u32 = 4096;
/// What all textures of a character may take, with their smaller copies: four of 4096 pixels per side.
const MOST_BYTES: u64 = 360 << 20;
/// Where that is too much, images become smaller, to so few pixels per side.
const LEAST_SIDE_PX: u32 = 64;
/// What all images together may have to be decoded: beyond it a file would keep us for minutes. These are 32
/// of 4096 pixels per side.
const MOST_DECODED_PX: u64 = 1 << 29;
const MOST_FILE_BYTES: u64 = 256 << 20;
const MOST_NOTES: usize = 8;

impl Appearance {
    pub fn of(character: &Character) -> Appearance {
        // Nobody cancels.
        Appearance::with_progress(character, &Progress::default()).unwrap_or_default()
    }

    pub fn with_progress(
        character: &Character,
        progress: &Progress,
    ) -> Result<Appearance, Cancelled> {
        if !has_materials(character) {
            return Ok(Appearance::default());
        }
        let mesh = &character.mesh;
        let mut decoder = Decoder { images: &mesh.materials.images, notes: Vec::new() };
        let mut list: Vec<Material> = mesh.materials.list.iter().map(material).collect();
        // What parts without a material are made of.
        list.push(Material::default());
        let parts = parts(character, list.len() - 1);
        // An image can be needed as colours and as numbers, which are different textures.
        let mut wanted: BTreeMap<(usize, bool), usize> = BTreeMap::new();
        for part in &parts {
            let Some(of_file) = mesh.materials.list.get(part.material) else { continue };
            for (slot, texture) in slots(of_file) {
                if let Some(texture) = texture {
                    wanted.entry((texture.image, slot.is_srgb())).or_default();
                }
            }
        }
        let textures = decoder.textures(&mut wanted, progress)?;
        for (material, of_file) in list.iter_mut().zip(&mesh.materials.list) {
            for (slot, texture) in slots(of_file) {
                material.textures[slot as usize] = texture.as_ref().and_then(|texture| {
                    let place = *wanted.get(&(texture.image, slot.is_srgb()))?;
                    (place < textures.len()).then(|| texture_use(texture, place))
                });
            }
        }
        let uvs = mesh.uvs.clone();
        let materials = Materials { list, textures, uvs, parts };
        let mut notes = decoder.notes;
        if notes.len() > MOST_NOTES {
            let more = notes.len() - MOST_NOTES;
            notes.truncate(MOST_NOTES);
            notes.push(format!("{more} more of its images cannot be used"));
        }
        Ok(Appearance { materials: Some(Arc::new(materials)), notes })
    }
}

/// Does a part of it say more of its surface than a colour?
pub fn has_materials(character: &Character) -> bool {
    let mesh = &character.mesh;
    let of_parts = mesh.parts.iter().filter_map(|part| mesh.materials.list.get(part.material?));
    of_parts.into_iter().any(rig::Material::is_more_than_a_color)
}

/// All triangles; neighbours of one material are one part.
fn parts(character: &Character, plain: usize) -> Vec<MaterialPart> {
    let mesh = &character.mesh;
    let mut parts: Vec<MaterialPart> = Vec::new();
    let mut add = |end: usize, material: usize| match parts.last_mut() {
        Some(last) if last.material == material => {
            last.triangles.end = last.triangles.end.max(end as u32);
        }
        last => {
            let start = last.map_or(0, |last| last.triangles.end);
            if end as u32 > start {
                parts.push(MaterialPart { triangles: start..end as u32, material });
            }
        }
    };
    for part in &mesh.parts {
        add(part.triangles.start, plain);
        add(part.triangles.end, part.material.unwrap_or(plain));
    }
    add(mesh.triangles.len(), plain);
    parts
}

fn slots(material: &rig::Material) -> [(Slot, &Option<rig::TextureUse>); Slot::COUNT] {
    [
        (Slot::BaseColor, &material.base_color),
        (Slot::MetallicRoughness, &material.metallic_roughness),
        (Slot::Normal, &material.normal),
        (Slot::Occlusion, &material.occlusion),
        (Slot::Emissive, &material.emissive_texture),
    ]
}

/// Without its textures.
fn material(of_file: &rig::Material) -> Material {
    Material {
        textures: Default::default(),
        metallic: metallic(of_file),
        roughness: of_file.roughness,
        normal_scale: of_file.normal_scale,
        occlusion_strength: of_file.occlusion_strength,
        emissive: of_file.emissive,
        alpha: match of_file.alpha {
            rig::Alpha::Opaque => AlphaMode::Opaque,
            rig::Alpha::Mask { cutoff } => AlphaMode::Mask { cutoff },
            rig::Alpha::Blend => AlphaMode::Blend,
        },
        is_double_sided: of_file.is_double_sided,
        is_unlit: of_file.is_unlit,
    }
}

/// By glTF's letter a material of nothing but a colour is rough metal. With a texture, that is what engines
/// show; without one nobody meant it.
fn metallic(of_file: &rig::Material) -> f32 {
    let is_meant = of_file.has_finish || of_file.textures().next().is_some();
    if is_meant { of_file.metallic } else { 0.0 }
}

fn texture_use(texture: &rig::TextureUse, place: usize) -> TextureUse {
    TextureUse {
        texture: place,
        uv_set: texture.uv_set,
        image_from_uv: texture.image_from_uv,
        wrap: texture.wrap.map(|wrap| match wrap {
            rig::Wrap::Repeat => Wrap::Repeat,
            rig::Wrap::Mirror => Wrap::Mirror,
            rig::Wrap::Clamp => Wrap::Clamp,
        }),
        is_nearest: texture.is_nearest,
    }
}

struct Decoder<'a> {
    images: &'a [rig::Image],
    notes: Vec<String>,
}

impl Decoder<'_> {
    /// The textures, and where each of those that are wanted is among them; what cannot be read is not wanted
    /// any more.
    fn textures(
        &mut self,
        wanted: &mut BTreeMap<(usize, bool), usize>,
        progress: &Progress,
    ) -> Result<Vec<Texture>, Cancelled> {
        let sizes = self.sizes(wanted, progress)?;
        wanted.retain(|(image, _), _| sizes.contains_key(image));
        let side_px = self.largest_side(wanted.keys().map(|(image, _)| sizes[image]));
        let mut textures = Vec::new();
        let (mut done, count) = (0.0, wanted.len() as f64);
        // As colours and as numbers follow each other, but are decoded twice: that is rare.
        let keys: Vec<(usize, bool)> = wanted.keys().copied().collect();
        for key in keys {
            progress.check()?;
            let (image, is_srgb) = key;
            let bytes = self.bytes(image);
            match bytes.and_then(|bytes| read_image(&bytes).map_err(told)) {
                Ok(pixels) => {
                    wanted.insert(key, textures.len());
                    textures.push(Texture::new(pixels, is_srgb, side_px));
                }
                Err(why) => {
                    wanted.remove(&key);
                    self.leave_out(image, &why);
                }
            }
            done += 1.0;
            progress.set(done / count);
        }
        Ok(textures)
    }

    /// What headers tell, of images that can be read.
    fn sizes(
        &mut self,
        wanted: &BTreeMap<(usize, bool), usize>,
        progress: &Progress,
    ) -> Result<BTreeMap<usize, [u32; 2]>, Cancelled> {
        let mut sizes = BTreeMap::new();
        let mut pixels_left = MOST_DECODED_PX;
        for (image, _) in wanted.keys() {
            progress.check()?;
            if sizes.contains_key(image) {
                continue;
            }
            let size = self.bytes(*image).and_then(|bytes| image_size(&bytes).map_err(told));
            match size {
                Ok([width, height]) => {
                    let pixels = u64::from(width) * u64::from(height);
                    match pixels_left.checked_sub(pixels) {
                        Some(left) => {
                            pixels_left = left;
                            sizes.insert(*image, [width, height]);
                        }
                        None => self.leave_out(
                            *image,
                            "is left out, because the images together have too many pixels",
                        ),
                    }
                }
                Err(why) => self.leave_out(*image, &why),
            }
        }
        Ok(sizes)
    }

    /// How large textures may be so that all of them together are not too large.
    fn largest_side(&mut self, sizes: impl Iterator<Item = [u32; 2]> + Clone) -> u32 {
        let mut side_px = MOST_SIDE_PX;
        let bytes =
            |side: u32| -> u64 { sizes.clone().map(|size| Texture::bytes_of(size, side)).sum() };
        while bytes(side_px) > MOST_BYTES && side_px > LEAST_SIDE_PX {
            side_px /= 2;
        }
        let longest = sizes.clone().flatten().max().unwrap_or(0);
        if longest > side_px {
            self.notes.push(format!(
                "its images are drawn with at most {side_px} pixels per side; the largest has {longest}"
            ));
        }
        side_px
    }

    fn bytes(&self, image: usize) -> Result<Cow<'_, [u8]>, String> {
        match &self.images[image].data {
            ImageData::Inside(bytes) => Ok(Cow::Borrowed(bytes)),
            ImageData::Beside(path) => match read_file(path, MOST_FILE_BYTES) {
                Ok(bytes) => Ok(Cow::Owned(bytes)),
                Err(error) => Err(format!("cannot be read: {error}")),
            },
        }
    }

    fn leave_out(&mut self, image: usize, why: &str) {
        let name = &self.images[image].name;
        self.notes.push(format!("the image {name} {why}; the character is drawn without it"));
    }
}

fn told(error: ImageError) -> String {
    error.to_string()
}
