//! Bytes on disk → the JSON document and its buffers.

use super::error::{LoadError, limit};
use super::meshopt;
use base64::Engine;
use jounce_base::reading::{self, ReadError, read_file_if};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A glTF document before it is interpreted.
pub(super) struct Document {
    pub json: Value,
    pub buffers: Vec<Vec<u8>>,
}

impl Document {
    /// Appends a buffer, in the JSON too, and returns its index.
    pub(super) fn add_buffer(&mut self, data: Vec<u8>) -> usize {
        let declared = self.json.get_mut("buffers").and_then(Value::as_array_mut);
        if let Some(declared) = declared {
            declared.push(json!({ "byteLength": data.len() }));
        }
        self.buffers.push(data);
        self.buffers.len() - 1
    }
}

const GLB_MAGIC: &[u8; 4] = b"glTF";

pub(super) fn is_glb(bytes: &[u8]) -> bool {
    bytes.starts_with(GLB_MAGIC)
}

pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, LoadError> {
    read_file_if(path, limit::FILE_BYTES, |start| {
        if is_glb(start) || looks_like_json(start) {
            Ok(())
        } else {
            Err(LoadError::NotGltf { found: what_it_looks_like(start) })
        }
    })
}

/// `folder` is where buffers named by relative paths are looked for; without one they are refused.
pub(super) fn parse(bytes: Vec<u8>, folder: Option<&Path>) -> Result<Document, LoadError> {
    let (json_bytes, blob) = if is_glb(&bytes) {
        check_glb_header(&bytes)?;
        let glb =
            gltf::Glb::from_slice(&bytes).map_err(|error| LoadError::damaged(error.to_string()))?;
        (glb.json.into_owned(), glb.bin.map(|blob| blob.into_owned()))
    } else {
        (bytes, None)
    };
    let json = parse_json(&json_bytes)?;
    check_version(&json)?;
    let buffers = read_buffers(&json, blob, folder)?;
    Ok(Document { json, buffers })
}

/// The `gltf` crate subtracts the header from the length that it claims.
fn check_glb_header(bytes: &[u8]) -> Result<(), LoadError> {
    let word = |at: usize| bytes.get(at..at + 4).and_then(|word| word.try_into().ok());
    let (Some(version), Some(length)) = (word(4), word(8)) else {
        return Err(LoadError::damaged("its header"));
    };
    let (version, length) = (u32::from_le_bytes(version), u32::from_le_bytes(length));
    if version != 2 {
        return Err(LoadError::Version { version: version.to_string() });
    }
    if length < 20 || length as usize > bytes.len() {
        return Err(LoadError::damaged(format!("it should hold {length} bytes")));
    }
    Ok(())
}

/// Exporters on Windows may begin the text with a byte order mark.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

fn looks_like_json(bytes: &[u8]) -> bool {
    without_mark(bytes).iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'{')
}

pub(super) fn parse_json(bytes: &[u8]) -> Result<Value, LoadError> {
    if !looks_like_json(bytes) {
        return Err(LoadError::NotGltf { found: what_it_looks_like(bytes) });
    }
    let text = without_mark(bytes);
    // Every value but the first of a list or an object follows a comma or opens one.
    let values = text.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count() as u64;
    limit::check("values in its JSON", values, limit::JSON_VALUES)?;
    serde_json::from_slice(text).map_err(|error| LoadError::damaged(format!("its JSON: {error}")))
}

fn what_it_looks_like(bytes: &[u8]) -> String {
    let known: [(&[u8], &str); 6] = [
        (b"Kaydara FBX", "it is an FBX file"),
        (b"; FBX", "it is an FBX file"),
        (b"BLENDER", "it is a Blender file"),
        (b"PXR-USDC", "it is a USD file"),
        (b"#usda", "it is a USD file"),
        (b"<?xml", "it is an XML file, perhaps COLLADA"),
    ];
    match known.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        Some((_, name)) => (*name).to_owned(),
        None if bytes.is_empty() => "it is empty".to_owned(),
        None => "it does not begin like a .glb or .gltf file".to_owned(),
    }
}

fn check_version(json: &Value) -> Result<(), LoadError> {
    let Some(asset) = json.get("asset") else {
        return Err(LoadError::NotGltf { found: "its JSON has no `asset`".to_owned() });
    };
    let version = asset.get("version").and_then(Value::as_str).unwrap_or("?");
    if version.starts_with("2.") {
        Ok(())
    } else {
        Err(LoadError::Version { version: version.to_owned() })
    }
}

fn read_buffers(
    json: &Value,
    mut blob: Option<Vec<u8>>,
    folder: Option<&Path>,
) -> Result<Vec<Vec<u8>>, LoadError> {
    let Some(declared) = json.get("buffers").and_then(Value::as_array) else {
        return Ok(Vec::new());
    };
    let mut buffers = Vec::new();
    let mut total: u64 = 0;
    for (index, buffer) in declared.iter().enumerate() {
        let length = buffer.get("byteLength").and_then(Value::as_u64).unwrap_or(0);
        let uri = buffer.get("uri").and_then(Value::as_str);
        let mut data = match uri {
            Some(uri) => {
                // Before it is read, so that no more than one file's worth is ever in memory.
                limit::check("bytes", total.saturating_add(length), limit::FILE_BYTES)?;
                read_uri(uri, length, folder)?
            }
            // Only the first buffer may be the .glb's own; a buffer without data at all is the
            // fallback of a compressed one (EXT_meshopt_compression) and is filled when decoded.
            None if index == 0 => blob.take().unwrap_or_default(),
            None => Vec::new(),
        };
        if (data.len() as u64) < length && !is_placeholder(json, index, buffer) {
            return Err(LoadError::damaged(format!(
                "buffer {index} should hold {length} bytes and holds {}",
                data.len()
            )));
        }
        data.truncate(usize::try_from(length).unwrap_or(usize::MAX));
        total += data.len() as u64;
        limit::check("bytes", total, limit::FILE_BYTES)?;
        buffers.push(data);
    }
    Ok(buffers)
}

/// Whether compressed views stand in for a buffer. The extensions mark such a buffer, but need not.
fn is_placeholder(json: &Value, index: usize, buffer: &Value) -> bool {
    let extensions = [meshopt::EXTENSION, meshopt::EXTENSION_KHR];
    let used = json.get("extensionsUsed").and_then(Value::as_array);
    let is_used =
        used.into_iter().flatten().filter_map(Value::as_str).any(|u| extensions.contains(&u));
    let is_marked =
        extensions.iter().any(|e| buffer.pointer(&format!("/extensions/{e}")).is_some());
    is_marked || (is_used && index > 0 && buffer.get("uri").is_none())
}

/// What a buffer's address stands for. Of a file at most `length` bytes are read: the rest belongs to nobody.
pub(super) fn read_uri(
    uri: &str,
    length: u64,
    folder: Option<&Path>,
) -> Result<Vec<u8>, LoadError> {
    let refuse = |reason: &str| LoadError::Buffer {
        uri: uri.chars().take(80).collect(),
        reason: reason.to_owned(),
    };
    if let Some(data) = inside_uri(uri) {
        return data.map_err(|why| refuse(&why));
    }
    let path = file_beside(uri, folder).map_err(|why| refuse(&why))?;
    limit::check("bytes", length, limit::FILE_BYTES)?;
    reading::read_start(&path, length).map_err(|error| match error {
        ReadError::TooLarge { .. } => error.into(),
        ReadError::Failed(error) => refuse(&error.to_string()),
        ReadError::Folder => refuse("it is a folder"),
        ReadError::Special { what } => refuse(&format!("it is {what}")),
    })
}

/// The bytes of an address that holds them itself.
pub(super) fn inside_uri(uri: &str) -> Option<Result<Vec<u8>, String>> {
    let data = uri.strip_prefix("data:")?;
    let Some((_, encoded)) = data.split_once(";base64,") else {
        return Some(Err("it is not base64".to_owned()));
    };
    let decoded = base64::engine::general_purpose::STANDARD.decode(encoded);
    Some(decoded.map_err(|error| error.to_string()))
}

/// Where the file is that an address names; it need not be there.
pub(super) fn file_beside(uri: &str, folder: Option<&Path>) -> Result<PathBuf, String> {
    if uri.contains("://") {
        return Err("Jounce does not load files over the network".to_owned());
    }
    let folder = folder.ok_or("the file was not read from a folder")?;
    let name = urlencoding::decode(uri).map_err(|error| error.to_string())?;
    let name = Path::new(name.as_ref());
    // It would be another file on every machine, and perhaps one that is nobody's business.
    if name.has_root() {
        return Err("it is an absolute path; keep the file beside the character".to_owned());
    }
    Ok(folder.join(name))
}
