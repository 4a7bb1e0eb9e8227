//! A character as a binary glTF 2.0 file.
//!
//! ```text
//!  nodes       the skeleton's, at the same indices
//!  skin 0      one joint per binding, in the same order
//!  mesh 0      one primitive: POSITION NORMAL COLOR_0 JOINTS_n WEIGHTS_n and one _NAME per map
//!  animations  the clips, keys as they are
//! ```
//! What such a file cannot hold is refused, never dropped: several parts or skins, rigid meshes
//! carried by plain nodes, morph targets, weights that do not sum to 1. `notes` describe the file a
//! character came from and are not written.
//! The same character gives the same bytes.

mod accessors;
mod into_file;

use super::{Character, Interpolation, Map, Property};
use accessors::{Bytes, ViewTarget};
use glam::DAffine3;
pub use into_file::add_maps;
use serde_json::{Value, json};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum SaveError {
    #[error(
        "the character has {0} meshes or materials; join them into one before it is written as a .glb"
    )]
    Parts(usize),
    #[error("the character has morph targets, which the .glb writer does not write yet")]
    Morphs,
    #[error(
        "the joint \"{0}\" is bound in two ways (the character has several skins); merge the skins before it is written"
    )]
    Skins(String),
    #[error(
        "the node \"{0}\" carries a rigid mesh or has no binding; only skinned characters can be written"
    )]
    Unbound(String),
    #[error("the skin weights of vertex {vertex} sum to {sum}; a .glb needs weights that sum to 1")]
    Weights { vertex: usize, sum: f64 },
    #[error(
        "the map \"{name}\" has the attribute name \"{attribute}\", which must begin with an underscore"
    )]
    MapName { name: String, attribute: String },
    #[error("the clip \"{clip}\" has a track whose keys do not fit together")]
    Keys { clip: String },
    #[error("the character is too large for a .glb file, which holds at most 4 GB")]
    TooLarge,
    #[error("the character holds the number {0}, which a .glb cannot")]
    NotFinite(f32),
    #[error("the file has changed since it was read; try again")]
    OtherFile,
    #[error("{0}")]
    Load(String),
}

/// Of the file and its two chunks.
const GLB_HEADERS_BYTES: usize = 12 + 8 + 8;

pub fn write_glb(character: &Character) -> Result<Vec<u8>, SaveError> {
    check(character)?;
    let mut bytes = Bytes::default();
    let primitive = primitive(character, &mut bytes)?;
    let skin = skin(character, &mut bytes)?;
    let animations = animations(character, &mut bytes)?;
    let part_node = character.mesh.parts[0].node;

    let mut document = json!({
        "asset": { "version": "2.0", "generator": "Jounce" },
        "scene": 0,
        "scenes": [{ "name": character.name, "nodes": roots(character) }],
        "nodes": nodes(character, part_node),
        "meshes": [{ "name": character.mesh.parts[0].name, "primitives": [primitive] }],
        "skins": [skin],
        "materials": [material(character)],
        "accessors": bytes.accessors,
        "bufferViews": bytes.views,
        "buffers": [{ "byteLength": bytes.data.len() }],
    });
    if !animations.is_empty() {
        document["animations"] = Value::Array(animations);
    }
    if let Some(number) = bytes.not_finite {
        return Err(SaveError::NotFinite(number));
    }
    container(document.to_string().into_bytes(), Some(bytes.data))
}

fn check(character: &Character) -> Result<(), SaveError> {
    let skeleton = &character.skeleton;
    if character.mesh.parts.len() != 1 {
        return Err(SaveError::Parts(character.mesh.parts.len()));
    }
    if !character.mesh.morph_targets.is_empty() {
        return Err(SaveError::Morphs);
    }
    let name_of = |node: usize| skeleton.nodes[node].name.clone();
    let mut bound = vec![false; skeleton.nodes.len()];
    for binding in &character.bindings {
        if bound[binding.node] {
            return Err(SaveError::Skins(name_of(binding.node)));
        }
        if skeleton.bones[binding.bone].node != binding.node {
            return Err(SaveError::Unbound(name_of(binding.node)));
        }
        bound[binding.node] = true;
    }
    if let Some(bone) = skeleton.bones.iter().find(|bone| !bound[bone.node]) {
        return Err(SaveError::Unbound(name_of(bone.node)));
    }
    for map in own_maps(character) {
        if !map.attribute.starts_with('_') {
            return Err(SaveError::MapName {
                name: map.name.clone(),
                attribute: map.attribute.clone(),
            });
        }
    }
    Ok(())
}

/// The maps that are attributes of their own: what came from the colours is written with them.
fn own_maps(character: &Character) -> impl Iterator<Item = &Map> {
    character.maps.iter().filter(|map| map.attribute != "COLOR_0")
}

fn primitive(character: &Character, bytes: &mut Bytes) -> Result<Value, SaveError> {
    let mesh = &character.mesh;
    let opaque = is_opaque(character);
    let color_width = if opaque { 3 } else { 4 };
    let colors: Vec<f32> =
        mesh.colors.iter().flat_map(|color| color[..color_width].iter().copied()).collect();
    let positions: Vec<f32> = mesh.positions.iter().flat_map(|p| p.to_array()).collect();
    let normals: Vec<f32> = mesh.normals.iter().flat_map(|n| n.to_array()).collect();
    let mut attributes = serde_json::Map::new();
    let mut put =
        |name: &str, accessor: usize| attributes.insert(name.to_string(), json!(accessor));
    put("POSITION", bytes.floats(&positions, 3, ViewTarget::Vertices, true));
    put("NORMAL", bytes.floats(&normals, 3, ViewTarget::Vertices, false));
    put("COLOR_0", bytes.floats(&colors, color_width, ViewTarget::Vertices, false));
    for (set, (joints, weights)) in influence_sets(character)?.into_iter().enumerate() {
        let wide = character.bindings.len() > 256;
        put(&format!("JOINTS_{set}"), bytes.joints(&joints, wide));
        put(&format!("WEIGHTS_{set}"), bytes.floats(&weights, 4, ViewTarget::Vertices, false));
    }
    for map in own_maps(character) {
        put(&map.attribute, bytes.floats(&map.values, 1, ViewTarget::Vertices, false));
    }
    let indices = bytes.indices(mesh.triangles.as_flattened(), mesh.positions.len());
    Ok(json!({ "attributes": attributes, "indices": indices, "material": 0 }))
}

/// Four joints and four weights per vertex, one vertex after the other.
type InfluenceSet = (Vec<u16>, Vec<f32>);

/// The skin in as many sets as the longest list needs.
fn influence_sets(character: &Character) -> Result<Vec<InfluenceSet>, SaveError> {
    let lists: Vec<Vec<(u16, f32)>> = character
        .skin
        .lists()
        .enumerate()
        .map(|(vertex, list)| {
            let mut merged: Vec<(u16, f64)> = Vec::with_capacity(list.len());
            // A joint may be listed once only, and a weight of 0 must not name a joint.
            for influence in list.iter().filter(|influence| influence.weight != 0.0) {
                let (joint, weight) = (influence.index as u16, f64::from(influence.weight));
                match merged.iter_mut().find(|entry| entry.0 == joint) {
                    Some(entry) => entry.1 += weight,
                    None => merged.push((joint, weight)),
                }
            }
            let sum: f64 = merged.iter().map(|entry| entry.1).sum();
            if (sum - 1.0).abs() > 1e-6 || merged.iter().any(|entry| entry.1 < 0.0) {
                return Err(SaveError::Weights { vertex, sum });
            }
            Ok(merged.iter().map(|&(j, w)| (j, w as f32)).collect())
        })
        .collect::<Result<_, _>>()?;
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let sets = longest.div_ceil(4).max(1);
    Ok((0..sets)
        .map(|set| {
            let entries = lists
                .iter()
                .flat_map(|list| (0..4).map(move |i| list.get(set * 4 + i).copied()))
                .map(|entry| entry.unwrap_or((0, 0.0)));
            entries.unzip()
        })
        .collect())
}

fn is_opaque(character: &Character) -> bool {
    character.mesh.colors.iter().all(|color| color[3] == 1.0)
}

/// The colours are in the vertices; the material only lets them through.
fn material(character: &Character) -> Value {
    let mode = if is_opaque(character) { "OPAQUE" } else { "BLEND" };
    json!({
        "name": "Vertex colours",
        "alphaMode": mode,
        "pbrMetallicRoughness": {
            "baseColorFactor": [1.0, 1.0, 1.0, 1.0],
            "metallicFactor": 0.0,
            "roughnessFactor": 0.8,
        },
    })
}

fn skin(character: &Character, bytes: &mut Bytes) -> Result<Value, SaveError> {
    let joints: Vec<usize> = character.bindings.iter().map(|b| b.node).collect();
    if joints.len() > usize::from(u16::MAX) {
        return Err(SaveError::TooLarge);
    }
    let matrices: Vec<f32> = character
        .bindings
        .iter()
        .flat_map(|binding| matrix(binding.node_from_bind).map(|x| x as f32))
        .collect();
    let accessor = bytes.floats(&matrices, 16, ViewTarget::None, false);
    Ok(json!({ "name": character.name, "joints": joints, "inverseBindMatrices": accessor }))
}

fn matrix(affine: DAffine3) -> [f64; 16] {
    glam::DMat4::from(affine).to_cols_array()
}

fn roots(character: &Character) -> Vec<usize> {
    let nodes = character.skeleton.nodes.iter().enumerate();
    nodes.filter(|(_, node)| node.parent.is_none()).map(|(index, _)| index).collect()
}

fn nodes(character: &Character, part_node: usize) -> Vec<Value> {
    let nodes = &character.skeleton.nodes;
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent].push(index);
        }
    }
    let animated = |index: usize| {
        let mut tracks = character.clips.iter().flat_map(|clip| &clip.tracks);
        tracks.any(|track| track.node == index)
    };
    nodes
        .iter()
        .enumerate()
        .map(|(index, node)| {
            let mut value = json!({ "name": node.name });
            let rest = &node.rest;
            match node.rest_matrix {
                // An animated node may not have a matrix; its rest says the same without shear.
                Some(affine) if !animated(index) => value["matrix"] = json!(matrix(affine)),
                _ => {
                    let defaults = super::Trs::IDENTITY;
                    if rest.translation != defaults.translation {
                        value["translation"] = json!(rest.translation.to_array());
                    }
                    if rest.rotation != defaults.rotation {
                        value["rotation"] = json!(rest.rotation.to_array());
                    }
                    if rest.scale != defaults.scale {
                        value["scale"] = json!(rest.scale.to_array());
                    }
                }
            }
            if !children[index].is_empty() {
                value["children"] = json!(children[index]);
            }
            if index == part_node {
                value["mesh"] = json!(0);
                value["skin"] = json!(0);
            }
            value
        })
        .collect()
}

fn animations(character: &Character, bytes: &mut Bytes) -> Result<Vec<Value>, SaveError> {
    let mut animations = Vec::new();
    for clip in &character.clips {
        let mut channels = Vec::new();
        let mut samplers = Vec::new();
        // Tracks of one clip mostly share their times; one accessor serves them all.
        let mut inputs: Vec<(&[f32], usize)> = Vec::new();
        for track in &clip.tracks {
            let keys = &track.keys;
            let per_key = match keys.interpolation {
                Interpolation::CubicSpline => 3 * keys.width,
                Interpolation::Linear | Interpolation::Step => keys.width,
            };
            let (path, width) = match track.property {
                Property::Translation => ("translation", 3),
                Property::Rotation => ("rotation", 4),
                Property::Scale => ("scale", 3),
                Property::MorphWeights => return Err(SaveError::Morphs),
            };
            let fits = keys.width == width && keys.values.len() == per_key * keys.times_secs.len();
            if !fits || keys.times_secs.is_empty() {
                let clip = clip.name.clone();
                return Err(SaveError::Keys { clip });
            }
            let known = inputs.iter().find(|input| input.0 == keys.times_secs);
            let input = match known {
                Some(input) => input.1,
                None => {
                    let accessor = bytes.floats(&keys.times_secs, 1, ViewTarget::None, true);
                    inputs.push((&keys.times_secs, accessor));
                    accessor
                }
            };
            let interpolation = match keys.interpolation {
                Interpolation::Step => "STEP",
                Interpolation::Linear => "LINEAR",
                Interpolation::CubicSpline => "CUBICSPLINE",
            };
            channels.push(json!({
                "sampler": samplers.len(),
                "target": { "node": track.node, "path": path },
            }));
            samplers.push(json!({
                "input": input,
                "output": bytes.floats(&keys.values, width, ViewTarget::None, false),
                "interpolation": interpolation,
            }));
        }
        if !channels.is_empty() {
            let animation =
                json!({ "name": clip.name, "channels": channels, "samplers": samplers });
            animations.push(animation);
        }
    }
    Ok(animations)
}

/// The crate pads both chunks, and would cut a length that does not fit into the header.
fn container(text: Vec<u8>, data: Option<Vec<u8>>) -> Result<Vec<u8>, SaveError> {
    let data_bytes = data.as_ref().map_or(0, |data| data.len().next_multiple_of(4));
    let total = GLB_HEADERS_BYTES + text.len().next_multiple_of(4) + data_bytes;
    let length = u32::try_from(total).map_err(|_| SaveError::TooLarge)?;
    let header = gltf::binary::Header { magic: *b"glTF", version: 2, length };
    let glb = gltf::Glb { header, json: text.into(), bin: data.map(Into::into) };
    // Memory takes any bytes; nothing else can go wrong.
    glb.to_vec().map_err(|_| SaveError::TooLarge)
}
