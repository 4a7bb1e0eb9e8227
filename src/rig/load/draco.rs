//! Draco-compressed primitives (KHR_draco_mesh_compression).
//!
//! The bitstream is decoded by `draco-core`; here its mesh becomes plain accessors. The primitive
//! gets accessors of its own: the ones it had may be shared with a primitive whose data differ.

use super::container::Document;
use super::error::{LoadError, limit};
use draco_core::{
    DataType, DecodeLimits, DecoderBuffer, DracoError, Mesh, MeshDecoder, PointAttribute,
    PointIndex,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::panic;

pub(super) const EXTENSION: &str = "KHR_draco_mesh_compression";

/// One primitive: as many vertices as are allowed, with 64 bytes each. The decoder needs a few
/// times as much while it works.
const STREAM_BYTES: u64 = limit::VERTICES * 64;

const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const TRIANGLES: u32 = 4;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Packed {
    buffer_view: usize,
    /// Semantic → the attribute's unique id in the stream.
    attributes: BTreeMap<String, u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct View {
    buffer: usize,
    #[serde(default)]
    byte_offset: usize,
    byte_length: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Layout {
    component_type: u32,
    #[serde(rename = "type")]
    shape: String,
    #[serde(default)]
    normalized: bool,
}

/// Replaces compressed primitives by plain accessors over new buffers.
pub(super) fn unpack(document: &mut Document) -> Result<(), LoadError> {
    // The meshes are out of the document while they change, because its lists change with them.
    let Some(mut meshes) = document.json.get_mut("meshes").map(Value::take) else {
        return Ok(());
    };
    let mut spent = Spent(0);
    let primitives = meshes
        .as_array_mut()
        .into_iter()
        .flatten()
        .filter_map(|mesh| mesh.get_mut("primitives")?.as_array_mut())
        .flatten();
    for primitive in primitives {
        let packed = primitive.pointer_mut("/extensions/KHR_draco_mesh_compression");
        if let Some(packed) = packed.map(Value::take) {
            let packed = parse(Some(&packed), "description")?;
            unpack_primitive(document, primitive, packed, &mut spent)?;
        }
    }
    document.json["meshes"] = meshes;
    Ok(())
}

/// Bytes of decoded geometry so far.
struct Spent(u64);

impl Spent {
    fn add(&mut self, bytes: u64) -> Result<(), LoadError> {
        self.0 = self.0.saturating_add(bytes);
        limit::check("bytes of decoded geometry", self.0, limit::DECODED_BYTES)
    }
}

fn refuse(reason: impl Into<String>) -> LoadError {
    LoadError::Compressed {
        extension: EXTENSION,
        reason: reason.into().chars().take(160).collect(),
    }
}

fn parse<'a, T: Deserialize<'a>>(json: Option<&'a Value>, what: &str) -> Result<T, LoadError> {
    let json = json.ok_or_else(|| refuse(format!("its {what} does not exist")))?;
    T::deserialize(json).map_err(|error| refuse(format!("its {what}: {error}")))
}

fn unpack_primitive(
    document: &mut Document,
    primitive: &mut Value,
    packed: Packed,
    spent: &mut Spent,
) -> Result<(), LoadError> {
    let mesh = decode(view_bytes(document, packed.buffer_view)?, spent)?;
    let points = mesh.num_points();
    for (semantic, id) in packed.attributes {
        let Some(declared) =
            primitive.pointer_mut("/attributes").and_then(|a| a.get_mut(&semantic))
        else {
            continue;
        };
        let accessor = declared.as_u64().and_then(|index| {
            let accessors = document.json.get("accessors")?;
            accessors.get(usize::try_from(index).ok()?)
        });
        let layout: Layout = parse(accessor, "accessor")?;
        let attribute = mesh
            .attribute_by_unique_id(id)
            .ok_or_else(|| refuse(format!("its data has no attribute {id}")))?;
        spent.add(points as u64 * u64::from(attribute.num_components()) * 4)?;
        let data = values(attribute, points, &layout).map_err(refuse)?;
        *declared = json!(add_accessor(document, data, points, &layout)?);
    }
    let corners = mesh.faces().as_flattened();
    spent.add(corners.len() as u64 * 4)?;
    let data = corners.iter().flat_map(|point| point.0.to_le_bytes());
    let layout =
        Layout { component_type: UNSIGNED_INT, shape: "SCALAR".to_owned(), normalized: false };
    let indices = add_accessor(document, data.collect(), corners.len(), &layout)?;
    primitive["indices"] = json!(indices);
    // A strip too is stored as a list.
    primitive["mode"] = json!(TRIANGLES);
    Ok(())
}

fn view_bytes(document: &Document, index: usize) -> Result<&[u8], LoadError> {
    let view = document.json.get("bufferViews").and_then(|v| v.get(index));
    let view: View = parse(view, "buffer view")?;
    document
        .buffers
        .get(view.buffer)
        .and_then(|buffer| buffer.get(view.byte_offset..)?.get(..view.byte_length))
        .ok_or_else(|| refuse("some of its bytes are missing"))
}

fn decode(bytes: &[u8], spent: &mut Spent) -> Result<Mesh, LoadError> {
    let limits = DecodeLimits::default()
        .with_max_points(limit::VERTICES)
        .with_max_faces(limit::TRIANGLES)
        .with_max_decoded_bytes(STREAM_BYTES.min(limit::DECODED_BYTES - spent.0));
    let decoded = panic::catch_unwind(|| {
        let mut mesh = Mesh::new();
        let mut stream = DecoderBuffer::new(bytes).with_limits(limits);
        MeshDecoder::new().decode(&mut stream, &mut mesh)?;
        Ok(mesh)
    });
    // No damaged stream is known to panic the decoder. It is large, though, and not ours, and
    // whoever opens such a file in the editor must not lose what else is open there.
    let mesh = decoded
        .map_err(|_| refuse("the decoder cannot make sense of its data"))?
        .map_err(|error: DracoError| refuse(error.to_string()))?;
    limit::check("vertices", mesh.num_points() as u64, limit::VERTICES)?;
    let attributes = (0..mesh.num_attributes()).map(|id| mesh.attribute(id).buffer().data_size());
    spent.add(attributes.sum::<usize>() as u64 + mesh.num_faces() as u64 * 12)?;
    Ok(mesh)
}

fn add_accessor(
    document: &mut Document,
    data: Vec<u8>,
    count: usize,
    layout: &Layout,
) -> Result<usize, LoadError> {
    let length = data.len();
    let buffer = document.add_buffer(data);
    let view = json!({ "buffer": buffer, "byteLength": length });
    let view = append(&mut document.json, "bufferViews", view)?;
    let accessor = json!({
        "bufferView": view,
        "componentType": layout.component_type,
        "type": layout.shape,
        "normalized": layout.normalized,
        "count": count,
    });
    append(&mut document.json, "accessors", accessor)
}

fn append(json: &mut Value, list: &str, item: Value) -> Result<usize, LoadError> {
    let items = json.get_mut(list).and_then(Value::as_array_mut);
    let items = items.ok_or_else(|| refuse(format!("the file has no {list}")))?;
    items.push(item);
    Ok(items.len() - 1)
}

/// One element per point, in the number format that the accessor declares.
fn values(attribute: &PointAttribute, points: usize, to: &Layout) -> Result<Vec<u8>, String> {
    let width = usize::from(attribute.num_components());
    let wanted = match to.shape.as_str() {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        _ => 0,
    };
    if width != wanted {
        return Err(format!(
            "an accessor is {} but its data has {width} numbers per vertex",
            to.shape
        ));
    }
    let data = attribute.buffer().data();
    let number_size = attribute.data_type().byte_length();
    let stride = usize::try_from(attribute.byte_stride()).unwrap_or(usize::MAX);
    let mut out = Vec::with_capacity(points * width * 4);
    for point in 0..points {
        let value = attribute.mapped_index(PointIndex(point as u32)).0 as usize;
        let element = value
            .checked_mul(stride)
            .and_then(|start| data.get(start..)?.get(..width * number_size))
            .ok_or("a vertex has no value")?;
        for bytes in element.chunks_exact(number_size) {
            let number = read_number(attribute.data_type(), bytes)
                .ok_or("its numbers have a format that glTF does not know")?;
            write_number(to.component_type, number, &mut out)
                .ok_or("a number does not fit the format of its accessor")?;
        }
    }
    Ok(out)
}

fn read_number(format: DataType, bytes: &[u8]) -> Option<f64> {
    Some(match (format, bytes) {
        (DataType::Int8, &[a]) => f64::from(a as i8),
        (DataType::Uint8 | DataType::Bool, &[a]) => f64::from(a),
        (DataType::Int16, &[a, b]) => f64::from(i16::from_le_bytes([a, b])),
        (DataType::Uint16, &[a, b]) => f64::from(u16::from_le_bytes([a, b])),
        (DataType::Int32, &[a, b, c, d]) => f64::from(i32::from_le_bytes([a, b, c, d])),
        (DataType::Uint32, &[a, b, c, d]) => f64::from(u32::from_le_bytes([a, b, c, d])),
        (DataType::Float32, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
        _ => return None,
    })
}

/// `component_type` as glTF numbers them; integers must be exact.
fn write_number(component_type: u32, number: f64, out: &mut Vec<u8>) -> Option<()> {
    let whole = number as i64;
    if component_type != FLOAT && whole as f64 != number {
        return None;
    }
    match component_type {
        5120 => out.extend(i8::try_from(whole).ok()?.to_le_bytes()),
        5121 => out.extend(u8::try_from(whole).ok()?.to_le_bytes()),
        5122 => out.extend(i16::try_from(whole).ok()?.to_le_bytes()),
        5123 => out.extend(u16::try_from(whole).ok()?.to_le_bytes()),
        UNSIGNED_INT => out.extend(u32::try_from(whole).ok()?.to_le_bytes()),
        FLOAT => out.extend((number as f32).to_le_bytes()),
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles of six points over four positions (attribute 0), with joints (attribute 1).
    const EDGEBREAKER: &str = "445241434f02020101000000040201020000011fff011101011002ff00000001000100\
        090300000201040404000101010101000d0301200110230110030030904a002000fe1f00000000ff0f0000000000\
        0000000000000000000000803f0c010101000507a92aad0aad0a03e13cad46212292902022020000000031010000";
    const SEQUENTIAL: &str = "445241434f020201000000020601000102030405010200090300000404040001020100010\
        1000d030120551523ad0a03a170668881040002e0ff0100000000ff0f000000010101020ca92203ad1a1fad02068d\
        9ec72e188600000000310100000000000000000000000000000000803f0c";
    const POSITIONS: [[f32; 3]; 4] = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [1., 1., 0.5]];

    fn bytes(hex: &str) -> Vec<u8> {
        let digits: Vec<u8> =
            hex.bytes().map(|c| (c as char).to_digit(16).unwrap() as u8).collect();
        digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect()
    }

    fn document(stream: Vec<u8>) -> Document {
        Document {
            json: json!({
                "buffers": [{ "byteLength": stream.len() }],
                "bufferViews": [{ "buffer": 0, "byteLength": stream.len() }],
                "accessors": [
                    { "componentType": 5126, "type": "VEC3", "count": 6 },
                    { "componentType": 5121, "type": "VEC4", "count": 6 },
                    { "componentType": 5123, "type": "VEC4", "count": 6 },
                ],
                "meshes": [{ "primitives": [{
                    "attributes": { "POSITION": 0, "JOINTS_0": 2, "WEIGHTS_0": 1 },
                    "mode": 5,
                    "extensions": { EXTENSION: {
                        "bufferView": 0,
                        "attributes": { "POSITION": 0, "JOINTS_0": 1, "COLOR_0": 7 },
                    } },
                }] }],
            }),
            buffers: vec![stream],
        }
    }

    fn data<'a>(document: &'a Document, accessor: &Value) -> (&'a Value, &'a [u8]) {
        let accessor = &document.json["accessors"][accessor.as_u64().unwrap() as usize];
        let view = accessor["bufferView"].as_u64().unwrap() as usize;
        let buffer = &document.json["bufferViews"][view]["buffer"];
        (accessor, &document.buffers[buffer.as_u64().unwrap() as usize])
    }

    #[test]
    fn a_compressed_primitive_becomes_plain_accessors() {
        for stream in [EDGEBREAKER, SEQUENTIAL] {
            let mut document = document(bytes(stream));
            unpack(&mut document).unwrap();
            let primitive = document.json["meshes"][0]["primitives"][0].clone();
            assert_eq!(primitive["mode"], 4);
            assert_eq!(primitive["attributes"]["WEIGHTS_0"], 1, "not in the extension");
            let (indices, corners) = data(&document, &primitive["indices"]);
            assert_eq!((&indices["count"], corners.len()), (&json!(6), 24));
            let (positions, xyz) = data(&document, &primitive["attributes"]["POSITION"]);
            assert_eq!((&positions["type"], xyz.len()), (&json!("VEC3"), 72));
            let (joints, ids) = data(&document, &primitive["attributes"]["JOINTS_0"]);
            assert_eq!((&joints["componentType"], ids.len()), (&json!(5123), 48));

            // The joints number the original points: corner for corner, 0 to 5.
            let original = [0, 1, 2, 2, 1, 3];
            for corner in corners.as_chunks::<4>().0 {
                let point = u32::from_le_bytes(*corner) as usize;
                let joint = usize::from(ids[8 * point]);
                let xyz = xyz.as_chunks::<4>().0[3 * point..3 * point + 3].iter();
                for (found, expected) in xyz.zip(POSITIONS[original[joint]]) {
                    assert!((f32::from_le_bytes(*found) - expected).abs() < 1e-3);
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_the_accessors_is_refused_with_a_reason() {
        let broken = [
            ("/accessors/2/componentType", json!(5121), "does not fit"),
            ("/accessors/2/componentType", json!(1), "does not fit"),
            ("/accessors/0/type", json!("VEC2"), "3 numbers per vertex"),
            ("/bufferViews/0/byteLength", json!(9999), "bytes are missing"),
            ("/meshes/0/primitives/0/attributes/POSITION", json!(-1), "accessor does not exist"),
        ];
        for (place, value, expected) in broken {
            let mut document = document(bytes(EDGEBREAKER));
            *document.json.pointer_mut(place).unwrap() = value;
            let text = unpack(&mut document).unwrap_err().to_string();
            assert!(text.contains(expected), "{place}: {text}");
        }
    }

    fn unpack_or_refuse(stream: Vec<u8>) {
        if let Err(error) = unpack(&mut document(stream)) {
            let text = error.to_string();
            assert!(!text.contains("cannot make sense"), "the decoder panicked");
        }
    }

    #[test]
    fn damaged_streams_never_panic() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as usize % below
        };
        for stream in [EDGEBREAKER, SEQUENTIAL] {
            let whole = bytes(stream);
            for length in 0..whole.len() {
                unpack_or_refuse(whole[..length].to_vec());
            }
            for _ in 0..5_000 {
                let mut damaged = whole.clone();
                for _ in 0..1 + random(4) {
                    let at = random(damaged.len());
                    damaged[at] = random(256) as u8;
                }
                unpack_or_refuse(damaged);
            }
        }
    }
}
