//! Maps as attributes of a file that is there already: everything else in it stays as it is.

use super::{SaveError, container};
use crate::load::{LoadError, parse_json_of};
use crate::{Character, Map};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// `bytes` are the file that the character was loaded from, with all it needs inside; the result is a `.glb`. A map
/// takes the place of an attribute of its name.
pub fn add_maps(bytes: Vec<u8>, character: &Character, maps: &[Map]) -> Result<Vec<u8>, SaveError> {
    let (mut json, mut binary) = parse_json_of(bytes)?;
    let places = primitives(&mut json, character).ok_or(SaveError::OtherFile)?;
    let mut data = Vec::new();
    // A chunk's own buffer is the first, and has no address.
    let own_buffer = binary.is_some() && json.pointer("/buffers/0/uri").is_none();
    let (buffer, start) = match &binary {
        Some(own) if own_buffer => (0, own.len().next_multiple_of(4)),
        _ => (count(&json, "buffers"), 0),
    };
    for map in maps {
        let name = map.attribute.as_str();
        if !name.starts_with('_') {
            let (name, attribute) = (map.name.clone(), map.attribute.clone());
            return Err(SaveError::MapName { name, attribute });
        }
        for (part, pointer) in character.mesh.parts.iter().zip(&places) {
            let values = map.values.get(part.vertices.clone()).ok_or(SaveError::OtherFile)?;
            if let Some(number) = values.iter().find(|number| !number.is_finite()) {
                return Err(SaveError::NotFinite(*number));
            }
            let view = push(
                &mut json,
                "bufferViews",
                json!({
                    "buffer": buffer,
                    "byteOffset": start + data.len(),
                    "byteLength": values.len() * 4,
                    "target": 34962,
                }),
            );
            data.extend(values.iter().flat_map(|number| number.to_le_bytes()));
            let accessor = push(
                &mut json,
                "accessors",
                json!({
                    "bufferView": view,
                    "componentType": 5126,
                    "count": values.len(),
                    "type": "SCALAR",
                }),
            );
            let attributes = json.pointer_mut(pointer).and_then(|it| it.get_mut("attributes"));
            let attributes = attributes.and_then(Value::as_object_mut);
            attributes.ok_or(SaveError::OtherFile)?.insert(name.to_owned(), json!(accessor));
        }
    }
    match &mut binary {
        Some(own) if own_buffer => {
            own.resize(start, 0);
            own.extend(data);
            json["buffers"][0]["byteLength"] = json!(own.len());
        }
        _ => {
            let uri = format!("data:application/octet-stream;base64,{}", STANDARD.encode(&data));
            push(&mut json, "buffers", json!({ "byteLength": data.len(), "uri": uri }));
        }
    }
    container(json.to_string().into_bytes(), binary)
}

/// Where the primitive of each part is. Meshes that several nodes carry are told apart: their maps may differ. None
/// where the file is not the character's.
fn primitives(json: &mut Value, character: &Character) -> Option<Vec<String>> {
    let mut places = Vec::new();
    // By node its mesh, and which of its primitives comes next.
    let mut next: BTreeMap<usize, (u64, usize)> = BTreeMap::new();
    let mut taken = Vec::new();
    for part in &character.mesh.parts {
        let (mesh, from) = match next.entry(part.node) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let mut mesh = json.pointer(&format!("/nodes/{}/mesh", part.node))?.as_u64()?;
                if taken.contains(&mesh) {
                    let copy = json.pointer(&format!("/meshes/{mesh}"))?.clone();
                    mesh = push(json, "meshes", copy) as u64;
                    json["nodes"][part.node]["mesh"] = json!(mesh);
                }
                taken.push(mesh);
                new.insert((mesh, 0))
            }
        };
        // Primitives without positions are no parts.
        let primitive = loop {
            let pointer = format!("/meshes/{mesh}/primitives/{from}");
            let primitive = json.pointer(&pointer)?;
            *from += 1;
            if let Some(positions) = primitive.pointer("/attributes/POSITION") {
                let accessor = format!("/accessors/{}/count", positions.as_u64()?);
                let vertices = json.pointer(&accessor)?.as_u64()?;
                (vertices == part.vertices.len() as u64).then_some(())?;
                break pointer;
            }
        };
        places.push(primitive);
    }
    Some(places)
}

fn count(json: &Value, list: &str) -> usize {
    json.get(list).and_then(Value::as_array).map_or(0, Vec::len)
}

/// Gives the place in the list.
fn push(json: &mut Value, list: &str, item: Value) -> usize {
    if !json.get(list).is_some_and(Value::is_array) {
        json[list] = json!([]);
    }
    let place = count(json, list);
    if let Some(items) = json[list].as_array_mut() {
        items.push(item);
    }
    place
}

impl From<LoadError> for SaveError {
    fn from(error: LoadError) -> SaveError {
        SaveError::Load(error.to_string())
    }
}
