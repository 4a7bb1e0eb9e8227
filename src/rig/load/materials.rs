//! Materials, textures and images. Nothing here can keep a character from loading: what is missing or odd
//! is left out, and a note says so.

use super::accessor::Source;
use super::container::{file_beside, inside_uri};
use crate::{Alpha, Image, ImageData, Material, Materials, TextureUse, Wrap};
use glam::{Affine2, Vec2};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

/// The lists of a file that say how it looks.
#[derive(Debug, Default)]
pub(super) struct Appearance {
    pub materials: Value,
    pub textures: Value,
    pub images: Value,
    pub samplers: Value,
}

/// A file may name more than any character has; all that is behind them looks plain.
const MOST_MATERIALS: usize = 1024;
const MOST_IMAGES: usize = 1024;
/// A file that lost its images lost all of them.
const MOST_NOTES: usize = 8;
/// Of names that go into messages.
const NAME_LENGTH: usize = 60;
/// The texture coordinates that are read.
pub(super) const UV_SETS: usize = 2;

pub(super) fn read(
    appearance: &Appearance,
    source: Source,
    folder: Option<&Path>,
    notes: &mut Vec<String>,
) -> Materials {
    let listed = list(&appearance.materials);
    if listed.len() > MOST_MATERIALS {
        notes.push(format!(
            "it has {} materials; only the first {MOST_MATERIALS} are read",
            listed.len()
        ));
    }
    let most_bytes = source.buffers.iter().map(Vec::len).sum();
    let mut reader = Reader {
        appearance,
        source,
        folder,
        notes: Vec::new(),
        images: Vec::new(),
        known: HashMap::new(),
        bytes_left: most_bytes,
    };
    let list = listed.iter().take(MOST_MATERIALS).map(|json| reader.material(json)).collect();
    let Reader { notes: mut own, images, .. } = reader;
    if own.len() > MOST_NOTES {
        let more = own.len() - MOST_NOTES;
        own.truncate(MOST_NOTES);
        own.push(format!("{more} more of its textures cannot be read"));
    }
    notes.extend(own);
    Materials { list, images }
}

fn list(json: &Value) -> &[Value] {
    json.as_array().map_or(&[], Vec::as_slice)
}

fn item(list_: &Value, index: Option<u64>) -> Option<(usize, &Value)> {
    let index = usize::try_from(index?).ok()?;
    Some((index, list(list_).get(index)?))
}

fn number(json: Option<&Value>, usual: f32, least: f32, most: f32) -> f32 {
    let number = json.and_then(Value::as_f64).map(|number| number as f32);
    number.filter(|number| number.is_finite()).unwrap_or(usual).clamp(least, most)
}

struct Reader<'a> {
    appearance: &'a Appearance,
    source: Source<'a>,
    folder: Option<&'a Path>,
    notes: Vec<String>,
    images: Vec<Image>,
    /// Where images of the file are among those that are kept; None for those that cannot be read.
    known: HashMap<usize, Option<usize>>,
    /// Images lie beside each other in the buffers; a file in which they overlap could make gigabytes of
    /// a few bytes.
    bytes_left: usize,
}

impl Reader<'_> {
    fn material(&mut self, json: &Value) -> Material {
        let pbr = json.get("pbrMetallicRoughness").unwrap_or(&Value::Null);
        let factor = |at: Option<&Value>| number(at, 1.0, 0.0, 1.0);
        let extension = |name: &str| json.get("extensions").and_then(|all| all.get(name));
        let strength = extension("KHR_materials_emissive_strength");
        let strength = number(strength.and_then(|it| it.get("emissiveStrength")), 1.0, 0.0, 1e4);
        let emissive = |channel: usize| {
            let factor = json.get("emissiveFactor").and_then(|factor| factor.get(channel));
            number(factor, 0.0, 0.0, 1.0) * strength
        };
        let alpha = match json.get("alphaMode").and_then(Value::as_str) {
            Some("MASK") => {
                Alpha::Mask { cutoff: number(json.get("alphaCutoff"), 0.5, 0.0, f32::MAX) }
            }
            Some("BLEND") => Alpha::Blend,
            _ => Alpha::Opaque,
        };
        let name = json.get("name").and_then(Value::as_str).unwrap_or_default();
        Material {
            name: name.chars().take(NAME_LENGTH).collect(),
            base_color: self.texture(pbr.get("baseColorTexture")),
            metallic: factor(pbr.get("metallicFactor")),
            roughness: factor(pbr.get("roughnessFactor")),
            metallic_roughness: self.texture(pbr.get("metallicRoughnessTexture")),
            normal: self.texture(json.get("normalTexture")),
            normal_scale: number(json.pointer("/normalTexture/scale"), 1.0, -16.0, 16.0),
            occlusion: self.texture(json.get("occlusionTexture")),
            occlusion_strength: factor(json.pointer("/occlusionTexture/strength")),
            emissive: [emissive(0), emissive(1), emissive(2)],
            emissive_texture: self.texture(json.get("emissiveTexture")),
            alpha,
            is_double_sided: json.get("doubleSided").and_then(Value::as_bool).unwrap_or(false),
            is_unlit: extension("KHR_materials_unlit").is_some(),
            has_finish: ["metallicFactor", "roughnessFactor"]
                .iter()
                .any(|it| pbr.get(it).is_some()),
        }
    }

    fn texture(&mut self, json: Option<&Value>) -> Option<TextureUse> {
        let json = json?;
        let appearance = self.appearance;
        let texture = item(&appearance.textures, json.get("index").and_then(Value::as_u64));
        let Some((index, texture)) = texture else {
            self.note(
                "a material names a texture that does not exist; its factors are used".into(),
            );
            return None;
        };
        let transform = json.pointer("/extensions/KHR_texture_transform");
        let uv_set = transform.and_then(|it| it.get("texCoord")).or(json.get("texCoord"));
        let uv_set = uv_set.and_then(Value::as_u64).unwrap_or(0);
        if uv_set >= UV_SETS as u64 {
            self.note(format!(
                "a texture uses TEXCOORD_{uv_set}; only sets 0 and 1 are read, so it is left out"
            ));
            return None;
        }
        let image = self.image_of(index, texture)?;
        let sampler = item(&appearance.samplers, texture.get("sampler").and_then(Value::as_u64));
        let sampler = |key: &str| sampler.and_then(|(_, it)| it.get(key)).and_then(Value::as_u64);
        let wrap = |key: &str| match sampler(key) {
            Some(33071) => Wrap::Clamp,
            Some(33648) => Wrap::Mirror,
            _ => Wrap::Repeat,
        };
        Some(TextureUse {
            image,
            uv_set: uv_set as usize,
            image_from_uv: transform.map_or(Affine2::IDENTITY, image_from_uv),
            wrap: [wrap("wrapS"), wrap("wrapT")],
            is_nearest: sampler("magFilter") == Some(9728),
        })
    }

    fn image_of(&mut self, index: usize, texture: &Value) -> Option<usize> {
        let extension = |name: &str| texture.pointer(&format!("/extensions/{name}/source"));
        let source = extension("EXT_texture_webp").or(texture.get("source"));
        let Some(source) = source else {
            let has_other = texture.get("extensions").is_some();
            let why = if has_other { "is in a format that is not read" } else { "has no image" };
            self.note(format!(
                "texture {index} {why}, so its material is drawn without it; PNG, JPEG and WebP are read"
            ));
            return None;
        };
        let appearance = self.appearance;
        let Some((place, json)) = item(&appearance.images, source.as_u64()) else {
            self.note(format!("texture {index} names an image that does not exist"));
            return None;
        };
        if let Some(known) = self.known.get(&place) {
            return *known;
        }
        let found = self.image(place, json);
        self.known.insert(place, found);
        found
    }

    fn image(&mut self, place: usize, json: &Value) -> Option<usize> {
        if self.images.len() >= MOST_IMAGES {
            self.note(format!("only the first {MOST_IMAGES} of its images are read"));
            return None;
        }
        let uri = json.get("uri").and_then(Value::as_str);
        let short = |text: &str| text.chars().take(NAME_LENGTH).collect::<String>();
        let own = json.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
        let of_file = uri.filter(|uri| !uri.starts_with("data:"));
        let name = of_file.or(own).map_or_else(|| format!("number {place}"), short);
        match self.data(json, uri) {
            Ok(data) => {
                self.images.push(Image { name, data });
                Some(self.images.len() - 1)
            }
            Err(why) => {
                self.note(format!(
                    "the image {name} cannot be read ({why}), so the character is drawn without it"
                ));
                None
            }
        }
    }

    fn data(&mut self, json: &Value, uri: Option<&str>) -> Result<ImageData, String> {
        if let Some(uri) = uri {
            return match inside_uri(uri) {
                // It is a part of the JSON, which has grown by it.
                Some(data) => Ok(ImageData::Inside(data?.into())),
                None => Ok(ImageData::Beside(file_beside(uri, self.folder)?)),
            };
        }
        let view = json.get("bufferView").and_then(Value::as_u64);
        let view = view.and_then(|view| u32::try_from(view).ok()).ok_or("it has no data")?;
        let bytes = self.source.view_bytes(gltf::json::Index::new(view));
        let bytes = bytes.map_err(|_| "its data reaches past the end of the file")?;
        self.bytes_left = self
            .bytes_left
            .checked_sub(bytes.len())
            .ok_or("images of this file overlap, and there are too many of them")?;
        Ok(ImageData::Inside(bytes.into()))
    }

    /// Once: a file may repeat a mistake in each of its materials.
    fn note(&mut self, text: String) {
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }
}

/// KHR_texture_transform: scaled, then turned against the clock as it is seen (v points down), then moved.
fn image_from_uv(json: &Value) -> Affine2 {
    let pair = |key: &str, usual: f32| {
        let part = |at: usize| {
            number(json.get(key).and_then(|pair| pair.get(at)), usual, -FARTHEST_UV, FARTHEST_UV)
        };
        Vec2::new(part(0), part(1))
    };
    let turn_rad = number(json.get("rotation"), 0.0, -FARTHEST_UV, FARTHEST_UV);
    Affine2::from_scale_angle_translation(pair("scale", 1.0), -turn_rad, pair("offset", 0.0))
}

/// Farther out, single precision has no texels left.
const FARTHEST_UV: f32 = 1e4;
