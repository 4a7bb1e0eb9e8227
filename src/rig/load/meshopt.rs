//! Buffer views compressed by meshoptimizer (EXT_meshopt_compression).

use super::container::Document;
use super::error::LoadError;

pub(super) const EXTENSION: &str = "EXT_meshopt_compression";
pub(super) const EXTENSION_KHR: &str = "KHR_meshopt_compression";

/// Replaces compressed buffer views by plain ones over new buffers.
pub(super) fn unpack(document: &mut Document) -> Result<(), LoadError> {
    let views = document.json.get("bufferViews").and_then(|v| v.as_array());
    for view in views.into_iter().flatten() {
        for extension in [EXTENSION, EXTENSION_KHR] {
            if view.pointer(&format!("/extensions/{extension}")).is_some() {
                return Err(LoadError::Compressed {
                    extension,
                    reason: "Jounce does not read it yet".to_owned(),
                });
            }
        }
    }
    Ok(())
}
