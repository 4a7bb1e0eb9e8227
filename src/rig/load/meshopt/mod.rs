//! Buffer views compressed by meshoptimizer: EXT_meshopt_compression, KHR_meshopt_compression.
//!
//! ```text
//!  compressed view ─┬─ ATTRIBUTES ─► attributes ─► filter ─┐
//!                   ├─ TRIANGLES ──► indices ──────────────┼─► a buffer of its own
//!                   └─ INDICES ────► indices ──────────────┘
//! ```
//! Written from the Khronos specification, whose appendix A is the bitstream and B the filters.
//! An EXT stream is a KHR stream of version 0, so one decoder reads both.
//!
//! The contract of the decoders: `count` and `stride` have passed [`Packed::check`], the bytes
//! have passed nothing, and a stream must end exactly where its elements do.

mod attributes;
mod filter;
mod indices;
mod reader;

use super::container::Document;
use super::error::{LoadError, limit};
use filter::Filter;
use serde::Deserialize;
use serde_json::{Value, json};

pub(super) const EXTENSION: &str = "EXT_meshopt_compression";
pub(super) const EXTENSION_KHR: &str = "KHR_meshopt_compression";

/// No stream decodes to more than this many times its size. The densest is a block of zero
/// deltas in version 1: one control byte for 256 elements of 4 bytes.
const LARGEST_RATIO: u64 = 1024;

/// Why a stream cannot be decoded.
type Reason = &'static str;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Packed {
    buffer: usize,
    #[serde(default)]
    byte_offset: usize,
    byte_length: usize,
    byte_stride: usize,
    count: usize,
    mode: Mode,
    #[serde(default)]
    filter: Filter,
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Mode {
    Attributes,
    Triangles,
    Indices,
}

/// Replaces compressed buffer views by plain ones over new buffers.
pub(super) fn unpack(document: &mut Document) -> Result<(), LoadError> {
    let Document { json, buffers } = document;
    let views = json.get_mut("bufferViews").and_then(Value::as_array_mut);
    let mut decoded = Vec::new();
    let mut total = 0_u64;
    for view in views.into_iter().flatten() {
        for extension in [EXTENSION, EXTENSION_KHR] {
            let Some(packed) = view.pointer(&format!("/extensions/{extension}")) else {
                continue;
            };
            let refuse = |reason: String| LoadError::Compressed { extension, reason };
            let packed = Packed::deserialize(packed)
                .map_err(|error| refuse(error.to_string().chars().take(120).collect()))?;
            let size = packed.check().map_err(|reason| refuse(reason.to_owned()))?;
            total = total.saturating_add(size);
            limit::check("bytes of decoded buffer views", total, limit::DECODED_BYTES)?;
            let data = packed.decode(buffers).map_err(|reason| refuse(reason.to_owned()))?;
            point_at(view, buffers.len() + decoded.len(), data.len());
            decoded.push(data);
            break;
        }
    }
    for data in decoded {
        document.add_buffer(data);
    }
    Ok(())
}

/// The stride of the view itself stays: it belongs to the accessors, and is absent where they are
/// tightly packed. The stride of the stream may differ, and ends with the decoding.
fn point_at(view: &mut Value, buffer: usize, length: usize) {
    view["buffer"] = json!(buffer);
    view["byteOffset"] = json!(0);
    view["byteLength"] = json!(length);
    if let Some(view) = view.as_object_mut() {
        view.remove("extensions");
    }
}

impl Packed {
    /// The rules of the extension for its own numbers. Returns the decoded size in bytes.
    fn check(&self) -> Result<u64, Reason> {
        let stride = self.byte_stride;
        let is_attributes = self.mode == Mode::Attributes;
        if is_attributes && (!stride.is_multiple_of(4) || !(4..=256).contains(&stride)) {
            return Err("the stride of attributes must be a multiple of 4 up to 256");
        }
        if !is_attributes && stride != 2 && stride != 4 {
            return Err("the stride of indices must be 2 or 4");
        }
        if !is_attributes && self.filter != Filter::None {
            return Err("indices cannot have a filter");
        }
        if !self.filter.takes(stride) {
            return Err("its filter does not fit its stride");
        }
        if self.mode == Mode::Triangles && !self.count.is_multiple_of(3) {
            return Err("the number of triangle indices is not a multiple of 3");
        }
        let size = (self.count as u64).saturating_mul(stride as u64);
        if size > (self.byte_length as u64).saturating_mul(LARGEST_RATIO) {
            return Err("it claims more elements than its bytes can hold");
        }
        Ok(size)
    }

    fn decode(&self, buffers: &[Vec<u8>]) -> Result<Vec<u8>, Reason> {
        let bytes = buffers
            .get(self.buffer)
            .and_then(|buffer| buffer.get(self.byte_offset..)?.get(..self.byte_length))
            .ok_or("some of its bytes are missing")?;
        let (count, stride) = (self.count, self.byte_stride);
        match self.mode {
            Mode::Attributes => {
                let mut data = attributes::decode(bytes, count, stride)?;
                self.filter.apply(&mut data, stride);
                Ok(data)
            }
            Mode::Triangles => Ok(indices::to_bytes(indices::triangles(bytes, count)?, stride)),
            Mode::Indices => Ok(indices::to_bytes(indices::sequence(bytes, count)?, stride)),
        }
    }
}

#[cfg(test)]
mod tests;
