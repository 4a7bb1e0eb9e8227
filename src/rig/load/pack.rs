//! A character as one piece of bytes that needs no other file.

use super::LoadError;
use super::container::{is_glb, parse_json, read_file, read_uri};
use super::error::limit;
use base64::Engine;
use serde_json::Value;
use std::path::Path;

/// The bytes of a file, with the buffers that it keeps in files of their own put inside. Pictures stay
/// out: nothing here reads them.
pub fn packed_bytes(path: &Path) -> Result<Vec<u8>, LoadError> {
    let bytes = read_file(path)?;
    if is_glb(&bytes) {
        return Ok(bytes);
    }
    let mut json = parse_json(&bytes)?;
    let Some(buffers) = json.get_mut("buffers").and_then(Value::as_array_mut) else {
        return Ok(bytes);
    };
    let mut total: u64 = 0;
    for buffer in buffers {
        let length = buffer.get("byteLength").and_then(Value::as_u64).unwrap_or(0);
        let Some(uri) = buffer.get("uri").and_then(Value::as_str) else { continue };
        if uri.starts_with("data:") {
            continue;
        }
        total = total.saturating_add(length);
        limit::check("bytes", total, limit::FILE_BYTES)?;
        let data = read_uri(uri, length, path.parent())?;
        let text = base64::engine::general_purpose::STANDARD.encode(data);
        buffer["uri"] = Value::from(format!("data:application/octet-stream;base64,{text}"));
    }
    serde_json::to_vec(&json).map_err(|error| LoadError::invalid(error.to_string()))
}
