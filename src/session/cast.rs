//! The cast: the character and the clips that a document names.

use jounce_graph::document::{CharacterSettings, Document, MotionSettings, PackedFile};
use jounce_rig::load::ClipFile;
use jounce_rig::motion::retarget::{RetargetError, retarget};
use jounce_rig::motion::test_motion::TestMotionError;
use jounce_rig::own::OwnError;
use jounce_rig::{Character, Clip, load, own};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum CastError {
    #[error("{name}: {source}")]
    Load { name: String, source: load::LoadError },
    #[error(transparent)]
    BuiltIn(#[from] OwnError),
    #[error("{name}: {source}")]
    Retarget { name: String, source: RetargetError },
    #[error(transparent)]
    TestMotion(#[from] TestMotionError),
    #[error("the character has no bone \"{0}\" for the test motion; choose another bone")]
    NoBone(String),
    #[error("there is no clip \"{wanted}\" in this character; it has {known}")]
    NoSuchClip { wanted: String, known: String },
    #[error(
        "there is no built-in character called \"{name}\", but this folder has a file {file}; give the whole file name, with its extension"
    )]
    EndingLeftOut { name: String, file: String },
}

/// A character with the clips it can play.
#[derive(Clone)]
pub struct Cast {
    /// As the document has it: a path, or the name of a built-in character.
    pub name: String,
    /// Under which a document keeps its settings.
    pub key: String,
    pub character: Arc<Character>,
    /// Its own, or borrowed ones.
    pub clips: Vec<Arc<Clip>>,
    /// The file that clips were borrowed from, as the document has it.
    pub clips_of: Option<String>,
    pub notes: Vec<String>,
    /// What is odd about borrowed clips.
    pub clip_notes: Vec<String>,
}

/// The character that plays if a document names none.
pub const DEFAULT_CHARACTER: &str = "cow";

impl Cast {
    /// `folder` is the document's: its paths are relative to it.
    pub fn load(motion: &MotionSettings, folder: Option<&Path>) -> Result<Cast, CastError> {
        Cast::load_with(motion, folder, &BTreeMap::new())
    }

    /// The character that a document names; what is packed into it takes precedence over what lies beside it.
    pub fn of_document(document: &Document, folder: Option<&Path>) -> Result<Cast, CastError> {
        Cast::load_with(&document.motion, folder, &document.packed)
    }

    fn load_with(
        motion: &MotionSettings,
        folder: Option<&Path>,
        packed: &BTreeMap<String, PackedFile>,
    ) -> Result<Cast, CastError> {
        let name = motion.character.as_deref().unwrap_or(DEFAULT_CHARACTER);
        let mut cast = Cast::of(name, load_character(name, folder, packed)?);
        cast.borrow_clips_named(motion, folder, packed)?;
        Ok(cast)
    }

    /// The character that the command line names: a path, or a built-in one, which may be asked for with fewer
    /// vertices than it has.
    pub fn of_argument(argument: &OsStr, vertices: Option<usize>) -> Result<Cast, CastError> {
        let name = argument.to_string_lossy().into_owned();
        let character = match (is_path_argument(argument), vertices) {
            (true, _) => load::load_file(Path::new(argument))
                .map_err(|source| CastError::Load { name: name.clone(), source }),
            (false, None) => own::built_in(&name).map_err(or_file_of_that_name),
            (false, vertices) => own::make(&name, vertices).map_err(or_file_of_that_name),
        };
        Ok(Cast::of(&name, character?))
    }

    /// The clips of the file that a document names for them, if it names one.
    pub fn borrow_clips_named(
        &mut self,
        motion: &MotionSettings,
        folder: Option<&Path>,
        packed: &BTreeMap<String, PackedFile>,
    ) -> Result<(), CastError> {
        let Some(clips) = &motion.clips else { return Ok(()) };
        let failed = |source| CastError::Load { name: clips.clone(), source };
        let other = match packed.get(clips) {
            Some(file) => load::load_clips_from_bytes(file.0.to_vec(), None),
            None => load::load_clips(&beside(folder, clips)),
        };
        self.borrow_clips(clips, &other.map_err(failed)?)
    }

    pub fn borrow_clips_from(&mut self, file: &Path) -> Result<(), CastError> {
        let name = file.display().to_string();
        let other = load::load_clips(file);
        let other = other.map_err(|source| CastError::Load { name: name.clone(), source })?;
        self.borrow_clips(&name, &other)
    }

    /// Is this the character that the motion names?
    pub fn is_of(&self, motion: &MotionSettings) -> bool {
        let name = motion.character.as_deref().unwrap_or(DEFAULT_CHARACTER);
        self.name == name && self.clips_of == motion.clips
    }

    pub fn of(name: &str, character: Character) -> Cast {
        let clips = character.clips.iter().cloned().map(Arc::new).collect();
        Cast {
            name: name.to_owned(),
            key: character_key(name),
            notes: character.notes.iter().map(ToString::to_string).collect(),
            character: Arc::new(character),
            clips,
            clips_of: None,
            clip_notes: Vec::new(),
        }
    }

    fn borrow_clips(&mut self, name: &str, other: &ClipFile) -> Result<(), CastError> {
        let borrowed = retarget(&self.character.skeleton, other)
            .map_err(|source| CastError::Retarget { name: name.to_owned(), source })?;
        self.clip_notes = other.notes.iter().map(|note| format!("{name}: {note}")).collect();
        self.clip_notes.extend(borrowed.notes(name));
        self.clips = borrowed.clips.into_iter().map(Arc::new).collect();
        self.clips_of = Some(name.to_owned());
        Ok(())
    }
}

/// A character as a document names it; what is packed into the document takes precedence over what lies beside it.
pub fn load_character(
    name: &str,
    folder: Option<&Path>,
    packed: &BTreeMap<String, PackedFile>,
) -> Result<Character, CastError> {
    let loaded = match packed.get(name) {
        Some(file) => load::load_bytes(&character_key(name), file.0.to_vec(), None),
        None if is_path(name) => load::load_file(&beside(folder, name)),
        None => Ok(own::built_in(name)?),
    };
    loaded.map_err(|source| CastError::Load { name: name.to_owned(), source })
}

/// A word that is not a built-in name may be a file whose ending was left out.
fn or_file_of_that_name(error: OwnError) -> CastError {
    if let OwnError::Unknown { name, .. } = &error {
        let files = ["glb", "gltf"].map(|ending| format!("{name}.{ending}"));
        if let Some(file) = files.into_iter().find(|file| Path::new(file).is_file()) {
            return CastError::EndingLeftOut { name: name.clone(), file };
        }
    }
    error.into()
}

/// An argument with a dot or a slash is a path, any other a built-in name.
pub fn is_path(name: &str) -> bool {
    name.contains(['.', '/', '\\'])
}

/// The same of the command line: what is not UTF-8 cannot be a built-in name.
pub fn is_path_argument(argument: &OsStr) -> bool {
    argument.to_str().is_none_or(is_path)
}

/// A path in a document is relative to its folder.
pub fn beside(folder: Option<&Path>, name: &str) -> PathBuf {
    match folder {
        Some(folder) if is_path(name) => folder.join(name),
        _ => PathBuf::from(name),
    }
}

/// Under which name a document keeps the settings of a character: its file's without the ending.
pub fn character_key(name: &str) -> String {
    let stem = Path::new(name).file_stem().filter(|_| is_path(name));
    stem.map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// By the character's name in upper or lower case, with or without the ending of its file.
pub fn settings_for<'d>(document: &'d Document, key: &str) -> Option<&'d CharacterSettings> {
    let stem = |name: &str| {
        let name = name.to_lowercase();
        let stem = [".glb", ".gltf"].iter().find_map(|extension| name.strip_suffix(extension));
        stem.map_or_else(|| name.clone(), str::to_owned)
    };
    let alike = || document.characters.iter().find(|(name, _)| stem(name) == stem(key));
    let found = document.characters.get_key_value(key).or_else(alike);
    found.map(|(_, settings)| settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_found_in_upper_and_lower_case_with_and_without_the_extension() {
        let mut document = Document::default();
        document.characters.insert("Cow.GLB".to_owned(), CharacterSettings::default());
        for key in ["cow", "Cow", "COW.glb", "Cow.GLB"] {
            assert!(settings_for(&document, key).is_some(), "{key}");
        }
        for key in ["co", "cow.fbx", "glb"] {
            assert!(settings_for(&document, key).is_none(), "{key}");
        }
    }
}
