//! Makes a document readable by the schema: what Jounce has no use for goes, compressed geometry
//! is unpacked, and what cannot be read is refused by name.
//!
//! Materials, textures and images go their own way ([`Appearance`]), cameras and lights are dropped: a
//! missing image or a material extension from next year must not keep a character from loading.

use super::container::Document;
use super::error::LoadError;
use super::materials::Appearance;
use super::{draco, meshopt};
use serde_json::{Map, Value, json};

/// Extensions that change how a character looks, not how it moves.
const APPEARANCE: [&str; 8] = [
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "MSFT_texture_",
    "KHR_lights_",
    "EXT_lights_",
    "KHR_xmp",
    "KHR_animation_pointer",
];

const GEOMETRY: [&str; 4] =
    ["KHR_mesh_quantization", draco::EXTENSION, meshopt::EXTENSION, meshopt::EXTENSION_KHR];

/// Returns how it looks, and what is worth telling the user.
pub(super) fn prepare(document: &mut Document) -> Result<(Appearance, Vec<String>), LoadError> {
    refuse_unknown_extensions(&document.json)?;
    meshopt::unpack(document)?;
    draco::unpack(document)?;
    let mut notes = Vec::new();
    let json = &mut document.json;
    drop_channels_without_node(json, &mut notes);
    let materials = json.get("materials").cloned().unwrap_or_default();
    reduce_materials(json);
    let Some(root) = json.as_object_mut() else {
        return Err(LoadError::damaged("its JSON is not an object"));
    };
    let mut take = |list: &str| root.remove(list).unwrap_or_default();
    let appearance = Appearance {
        materials,
        textures: take("textures"),
        images: take("images"),
        samplers: take("samplers"),
    };
    for unused in ["cameras", "extensions", "extras", "extensionsUsed", "extensionsRequired"] {
        root.remove(unused);
    }
    for list in ["nodes", "meshes", "skins", "scenes", "accessors", "bufferViews", "buffers"] {
        for item in objects_in(root, list) {
            item.remove("camera");
            item.remove("extensions");
            item.remove("extras");
        }
    }
    for mesh in objects_in(root, "meshes") {
        for primitive in objects_in(mesh, "primitives") {
            primitive.remove("extensions");
            primitive.remove("extras");
        }
    }
    Ok((appearance, notes))
}

fn objects_in<'a>(
    parent: &'a mut Map<String, Value>,
    list: &str,
) -> impl Iterator<Item = &'a mut Map<String, Value>> {
    parent
        .get_mut(list)
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
        .filter_map(Value::as_object_mut)
}

fn refuse_unknown_extensions(json: &Value) -> Result<(), LoadError> {
    let required = json.get("extensionsRequired").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        let known = GEOMETRY.contains(&name) || APPEARANCE.iter().any(|p| name.starts_with(p));
        if !known {
            return Err(LoadError::Extension { name: name.chars().take(80).collect() });
        }
    }
    Ok(())
}

/// The specification allows channels without a target node and says to ignore them; pointer
/// channels animate materials and lights.
fn drop_channels_without_node(json: &mut Value, notes: &mut Vec<String>) {
    let animations = json.get_mut("animations").and_then(Value::as_array_mut);
    let mut dropped = 0;
    for animation in animations.into_iter().flatten() {
        let channels = animation.get_mut("channels").and_then(Value::as_array_mut);
        if let Some(channels) = channels {
            let before = channels.len();
            channels.retain(|channel| {
                let has_node = channel.pointer("/target/node").is_some_and(|n| !n.is_null());
                let is_pointer =
                    channel.pointer("/target/path").and_then(Value::as_str) == Some("pointer");
                has_node && !is_pointer
            });
            dropped += before - channels.len();
        }
    }
    if dropped > 0 {
        notes.push(format!("{dropped} animation channels have no node to move and are ignored"));
    }
}

/// Keeps a material's name and base colour.
fn reduce_materials(json: &mut Value) {
    let materials = json.get_mut("materials").and_then(Value::as_array_mut);
    for material in materials.into_iter().flatten() {
        let color = material.pointer("/pbrMetallicRoughness/baseColorFactor");
        let is_color = |value: &&Value| {
            value.as_array().is_some_and(|c| {
                c.len() == 4 && c.iter().all(|x| x.as_f64().is_some_and(f64::is_finite))
            })
        };
        let color = color.filter(is_color).cloned().unwrap_or(json!([1, 1, 1, 1]));
        *material = json!({ "pbrMetallicRoughness": { "baseColorFactor": color } });
    }
}
