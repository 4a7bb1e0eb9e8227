//! Who plays: the character and the clips that a document names.

use crate::graph::{CharacterSettings, Document, MotionSettings};
use crate::motion::TestMotion;
use crate::motion::retarget::{RetargetError, retarget};
use crate::motion::test_motion::{TestMotionError, TestMotionKind};
use crate::rig::own::OwnError;
use crate::rig::{Character, Clip, load, own};
use std::path::Path;
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
    #[error("there is no bone \"{0}\" in this character for a test motion")]
    NoBone(String),
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
    pub notes: Vec<String>,
}

/// Who plays where a document names nobody.
pub const DEFAULT_CHARACTER: &str = "cow";

impl Cast {
    /// `folder` is the document's: its paths are relative to it.
    pub fn load(motion: &MotionSettings, folder: Option<&Path>) -> Result<Cast, CastError> {
        let name = motion.character.as_deref().unwrap_or(DEFAULT_CHARACTER);
        let path = beside(folder, name);
        let character = match is_path(name) {
            true => load::load_file(Path::new(&path))
                .map_err(|source| CastError::Load { name: name.to_owned(), source })?,
            false => own::built_in(name)?,
        };
        let mut cast = Cast::of(name, character);
        if let Some(clips) = &motion.clips {
            cast.borrow_clips(clips, Path::new(&beside(folder, clips)))?;
        }
        Ok(cast)
    }

    pub fn of(name: &str, character: Character) -> Cast {
        let clips = character.clips.iter().cloned().map(Arc::new).collect();
        Cast {
            name: name.to_owned(),
            key: character_key(name),
            notes: character.notes.iter().map(ToString::to_string).collect(),
            character: Arc::new(character),
            clips,
        }
    }

    fn borrow_clips(&mut self, name: &str, path: &Path) -> Result<(), CastError> {
        let name = name.to_owned();
        let other = load::load_clips(path)
            .map_err(|source| CastError::Load { name: name.clone(), source })?;
        let borrowed = retarget(&self.character.skeleton, &other)
            .map_err(|source| CastError::Retarget { name, source })?;
        self.clips = borrowed.clips.into_iter().map(Arc::new).collect();
        Ok(())
    }

    /// What the document's motion plays: a test motion, the clip it names, the first, or a test motion.
    pub fn clip(&self, motion: &MotionSettings) -> Result<Arc<Clip>, CastError> {
        if let Some(test) = &motion.test {
            return Ok(Arc::new(self.test_clip(test)?));
        }
        let named = motion.clip.as_deref();
        let named = named.and_then(|name| self.clips.iter().find(|clip| clip.name == name));
        match named.or(self.clips.first()) {
            Some(clip) => Ok(clip.clone()),
            None => {
                let test = TestMotion::default_for(&self.character);
                Ok(Arc::new(test.clip(&self.character)?))
            }
        }
    }

    /// `nod:Head`: a motion and a bone, whose name may have colons of its own.
    fn test_clip(&self, test: &str) -> Result<Clip, CastError> {
        let (kind, bone) = test.split_once(':').unwrap_or((test, ""));
        let kind: TestMotionKind = kind.parse()?;
        let found = match bone {
            "" => Some(TestMotion::default_for(&self.character).bone),
            name => self.character.skeleton.bone_named(name),
        };
        let bone = found.ok_or_else(|| CastError::NoBone(bone.to_owned()))?;
        Ok(TestMotion::new(kind, bone).clip(&self.character)?)
    }
}

/// An argument with a dot or a slash is a path, any other a built-in name.
pub fn is_path(name: &str) -> bool {
    name.contains(['.', '/', '\\'])
}

/// A path in a document is relative to its folder.
pub fn beside(folder: Option<&Path>, name: &str) -> String {
    match folder {
        Some(folder) if is_path(name) => folder.join(name).display().to_string(),
        _ => name.to_owned(),
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
        let name = name.trim_end_matches(".glb").trim_end_matches(".gltf");
        name.to_lowercase()
    };
    let alike = || document.characters.iter().find(|(name, _)| stem(name) == stem(key));
    let found = document.characters.get_key_value(key).or_else(alike);
    found.map(|(_, settings)| settings)
}
