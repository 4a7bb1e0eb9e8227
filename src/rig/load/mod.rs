//! glTF 2.0 → [`Character`], and the clips of a file without its mesh.
//!
//! ```text
//!  bytes ─► container ─► prepare ─► nodes ─► skins ─► meshes, materials ─┐
//!            JSON, buffers  │         └────────────► clips ──────────────┴─► CharacterParts
//!                     draco, meshopt                  all of them read numbers through accessor
//! ```
//! Nothing in here trusts the file: what is out of range, endless or not a number is an error
//! with one sentence ([`LoadError`]), and what is unusual but sound becomes a note.

mod accessor;
mod clips;
mod container;
mod draco;
mod error;
mod materials;
mod meshes;
mod meshopt;
mod nodes;
mod pack;
mod prepare;
mod skin_weights;
mod skins;

pub(crate) use container::parse_json_of;
pub use error::LoadError;
pub use pack::packed_bytes;

use super::{Character, CharacterParts, Clip, Node};
use accessor::Source;
use container::Document;
use gltf::json::Root;
use materials::Appearance;
use std::cell::Cell;
use std::path::{Path, PathBuf};

/// Loads the character in a `.glb` or `.gltf` file.
pub fn load_file(path: &Path) -> Result<Character, LoadError> {
    let name = path.file_stem().map_or("character".into(), |stem| stem.to_string_lossy());
    load_bytes(&name, container::read_file(path)?, path.parent())
}

/// Loads a character from bytes; buffers outside of them are looked for in `folder`.
pub fn load_bytes(
    name: &str,
    bytes: Vec<u8>,
    folder: Option<&Path>,
) -> Result<Character, LoadError> {
    let opened = Opened::new(bytes, folder)?;
    let parts = opened.parts(name)?;
    Ok(Character::new(parts)?)
}

/// The clips of a file, with the nodes they move. The file may be a bare skeleton.
pub struct ClipFile {
    pub nodes: Vec<Node>,
    pub clips: Vec<Clip>,
    /// What was unusual about the clips.
    pub notes: Vec<String>,
}

pub fn load_clips(path: &Path) -> Result<ClipFile, LoadError> {
    load_clips_from_bytes(container::read_file(path)?, path.parent())
}

/// Clips from bytes; buffers outside of them are looked for in `folder`.
pub fn load_clips_from_bytes(bytes: Vec<u8>, folder: Option<&Path>) -> Result<ClipFile, LoadError> {
    let opened = Opened::new(bytes, folder)?;
    let mut notes = opened.notes.clone();
    let source = opened.source();
    let nodes = nodes::read(source.root)?;
    let clips = clips::read(source, &nodes.nodes, &mut notes)?;
    if clips.is_empty() {
        return Err(LoadError::NoClips);
    }
    Ok(ClipFile { nodes: nodes.nodes, clips, notes })
}

/// A document whose JSON fits the schema. Its indices are still unchecked.
struct Opened {
    root: Root,
    buffers: Vec<Vec<u8>>,
    appearance: Appearance,
    /// Where images may lie that are not in the file.
    folder: Option<PathBuf>,
    notes: Vec<String>,
    numbers_read: Cell<u64>,
}

impl Opened {
    fn new(bytes: Vec<u8>, folder: Option<&Path>) -> Result<Opened, LoadError> {
        let mut document = container::parse(bytes, folder)?;
        let (appearance, notes) = prepare::prepare(&mut document)?;
        let Document { json, buffers } = document;
        let root =
            serde_json::from_value(json).map_err(|error| LoadError::invalid(error.to_string()))?;
        let folder = folder.map(Path::to_owned);
        Ok(Opened { root, buffers, appearance, folder, notes, numbers_read: Cell::new(0) })
    }

    fn source(&self) -> Source<'_> {
        Source { root: &self.root, buffers: &self.buffers, numbers_read: &self.numbers_read }
    }

    fn parts(&self, name: &str) -> Result<CharacterParts, LoadError> {
        let source = self.source();
        let mut notes = self.notes.clone();
        let mut tree = nodes::read(source.root)?;
        let clips = clips::read(source, &tree.nodes, &mut notes)?;
        let rig = skins::read(source, &mut tree, &clips)?;
        let folder = self.folder.as_deref();
        let materials = materials::read(&self.appearance, source, folder, &mut notes);
        let built = meshes::read(source, &tree, &rig, materials, &mut notes)?;
        if built.mesh.positions.is_empty() {
            return Err(LoadError::NoMesh);
        }
        Ok(CharacterParts {
            name: name.to_owned(),
            skeleton: rig.skeleton,
            bindings: rig.bindings,
            mesh: built.mesh,
            skin: built.skin,
            rest_morph_weights: tree.rest_morph_weights,
            maps: built.maps,
            clips,
            notes,
        })
    }
}
