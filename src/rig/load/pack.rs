//! A character as one piece of bytes that needs no other file.

use super::LoadError;
use super::container::{file_beside, is_glb, parse_json, read_file, read_uri};
use super::error::limit;
use base64::Engine;
use jounce_base::reading;
use serde_json::Value;
use std::path::Path;

/// The bytes of a file, with the buffers and images that it keeps in files of their own put inside. An image
/// that is not there stays out, as when the file is read.
pub fn packed_bytes(path: &Path) -> Result<Vec<u8>, LoadError> {
    let bytes = read_file(path)?;
    if is_glb(&bytes) {
        return Ok(bytes);
    }
    let mut json = parse_json(&bytes)?;
    let mut total: u64 = 0;
    for buffer in list(&mut json, "buffers") {
        let length = buffer.get("byteLength").and_then(Value::as_u64).unwrap_or(0);
        let Some(uri) = buffer.get("uri").and_then(Value::as_str) else { continue };
        if uri.starts_with("data:") {
            continue;
        }
        total = total.saturating_add(length);
        limit::check("bytes", total, limit::FILE_BYTES)?;
        let data = read_uri(uri, length, path.parent())?;
        buffer["uri"] = inside("application/octet-stream", &data);
    }
    for image in list(&mut json, "images") {
        let uri = image.get("uri").and_then(Value::as_str).filter(|uri| !uri.starts_with("data:"));
        let file = uri.and_then(|uri| file_beside(uri, path.parent()).ok());
        let most = limit::FILE_BYTES.saturating_sub(total);
        let Some(Ok(data)) = file.map(|file| reading::read_file(&file, most)) else { continue };
        // A packed document is handed on: what a file calls an image and is none stays where it is.
        if !is_image(&data) {
            continue;
        }
        total += data.len() as u64;
        image["uri"] = inside("image/*", &data);
    }
    serde_json::to_vec(&json).map_err(|error| LoadError::invalid(error.to_string()))
}

/// Does it begin as PNG, JPEG and WebP do?
fn is_image(bytes: &[u8]) -> bool {
    let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    is_webp || bytes.starts_with(b"\x89PNG") || bytes.starts_with(b"\xff\xd8\xff")
}

fn list<'a>(json: &'a mut Value, name: &str) -> impl Iterator<Item = &'a mut Value> {
    json.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten()
}

fn inside(kind: &str, data: &[u8]) -> Value {
    let text = base64::engine::general_purpose::STANDARD.encode(data);
    Value::from(format!("data:{kind};base64,{text}"))
}
