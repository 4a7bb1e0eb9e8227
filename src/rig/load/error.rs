//! Why a file is refused: one sentence that says what to do.

use crate::{CharacterError, SkeletonError};
use jounce_base::reading::ReadError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum LoadError {
    #[error("it cannot be read: {0}")]
    Unreadable(ReadError),
    #[error(
        "this is not a glTF file ({found}); export the character as .glb (in Blender: File › Export › glTF 2.0)"
    )]
    NotGltf { found: String },
    #[error("this is glTF version {version}; export it again as glTF 2.0")]
    Version { version: String },
    #[error("the file is cut off or damaged ({what}); copy or export it again")]
    Damaged { what: String },
    #[error(
        "the file breaks the glTF rules: {what}; export it again, or repair it with a glTF tool"
    )]
    Invalid { what: String },
    #[error(
        "the buffer \"{uri}\" that belongs to this file cannot be read ({reason}); keep it beside the .gltf, or export as .glb, which holds everything in one file"
    )]
    Buffer { uri: String, reason: String },
    #[error(
        "the file needs the extension {name}, which Jounce does not read; export it again without that extension"
    )]
    Extension { name: String },
    #[error(
        "the file's compressed geometry ({extension}) cannot be decoded: {reason}; export it again without compression"
    )]
    Compressed { extension: &'static str, reason: String },
    #[error(
        "this file has no mesh, so there is nothing to move; export the mesh together with its skeleton"
    )]
    NoMesh,
    #[error("this file has no animation; choose a file with at least one clip")]
    NoClips,
    #[error(
        "the file holds {count} {what}, and Jounce reads at most {limit}; reduce them and export the file again"
    )]
    TooLarge { what: &'static str, count: u64, limit: u64 },
    #[error("{0}")]
    Character(CharacterError),
}

impl LoadError {
    pub(super) fn invalid(what: impl Into<String>) -> LoadError {
        LoadError::Invalid { what: what.into() }
    }

    pub(super) fn damaged(what: impl Into<String>) -> LoadError {
        LoadError::Damaged { what: what.into() }
    }
}

impl From<ReadError> for LoadError {
    fn from(error: ReadError) -> LoadError {
        match error {
            ReadError::TooLarge { bytes: count, most: limit } => {
                LoadError::TooLarge { what: "bytes", count, limit }
            }
            other => LoadError::Unreadable(other),
        }
    }
}

impl From<SkeletonError> for LoadError {
    fn from(error: SkeletonError) -> LoadError {
        LoadError::invalid(error.to_string())
    }
}

impl From<CharacterError> for LoadError {
    fn from(error: CharacterError) -> LoadError {
        match error {
            // Nothing is wrong with the file.
            too_large @ CharacterError::TooManyPairs { .. } => LoadError::Character(too_large),
            other => LoadError::invalid(other.to_string()),
        }
    }
}

/// What one file may hold. Generous for characters, and small enough that no file, however
/// cleverly it repeats itself, makes the program ask for gigabytes.
pub(super) mod limit {
    pub const FILE_BYTES: u64 = 2 << 30;
    pub const ACCESSOR_NUMBERS: u64 = 32_000_000;
    /// Over all accessors, each time one is read: a file may name one a million times.
    pub const NUMBERS_READ: u64 = 400_000_000;
    /// Values in the JSON text: each takes 32 bytes or more once it is parsed.
    pub const JSON_VALUES: u64 = 8_000_000;
    /// What compressed data may unpack to, per file.
    pub const DECODED_BYTES: u64 = 1 << 29;
    pub const VERTICES: u64 = 4_000_000;
    pub const TRIANGLES: u64 = 8_000_000;
    pub const SKIN_WEIGHTS: u64 = 32_000_000;
    pub const MAP_VALUES: u64 = 32_000_000;
    pub const MORPH_WEIGHTS: u64 = 1_000_000;
    pub const MORPH_OFFSETS: u64 = 8_000_000;
    pub const KEY_VALUES: u64 = 32_000_000;
    /// A number larger than this is a mistake, not a size (design.md, "IR and Program").
    pub const MAGNITUDE: f32 = jounce_base::LARGEST_NUMBER as f32;

    pub fn check(what: &'static str, count: u64, limit: u64) -> Result<(), super::LoadError> {
        if count <= limit { Ok(()) } else { Err(super::LoadError::TooLarge { what, count, limit }) }
    }
}
