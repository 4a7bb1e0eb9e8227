//! Draco-compressed primitives (KHR_draco_mesh_compression).

use super::container::Document;
use super::error::LoadError;

pub(super) const EXTENSION: &str = "KHR_draco_mesh_compression";

/// Replaces compressed primitives by plain accessors over new buffers.
pub(super) fn unpack(document: &mut Document) -> Result<(), LoadError> {
    let meshes = document.json.get("meshes").and_then(|m| m.as_array());
    let primitives = meshes
        .into_iter()
        .flatten()
        .filter_map(|mesh| mesh.get("primitives").and_then(|p| p.as_array()))
        .flatten();
    for primitive in primitives {
        if primitive.pointer("/extensions/KHR_draco_mesh_compression").is_some() {
            return Err(LoadError::Compressed {
                extension: EXTENSION,
                reason: "Jounce does not read it yet".to_owned(),
            });
        }
    }
    Ok(())
}
