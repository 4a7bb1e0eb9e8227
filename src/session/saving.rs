//! Writing a document. A document that moves must find its files from its new place: their names change,
//! also in what can be undone, but that is not a step. All of it happens only once the file is written.

use super::paths::name_of_file;
use super::{Cancelled, Progress, Session, beside, is_path};
use jounce_files::{folder_of, is_same_place};
use jounce_graph::document::{Document, FileError, MotionSettings, PackedFile};
use jounce_rig::LoadError;
use jounce_rig::load::packed_bytes;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum SavePackedError {
    #[error("{name}: {source}; relink the character first")]
    Load { name: String, source: LoadError },
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// The paths of a document's files, before and after it is saved somewhere.
struct Names {
    before: Option<PathBuf>,
    after: PathBuf,
    packed: BTreeMap<String, PackedFile>,
    /// What was packed just now: by the name before, the name after.
    packs: BTreeMap<String, String>,
}

impl Names {
    fn rename(&self, motion: &mut MotionSettings) {
        for name in [&mut motion.character, &mut motion.clips].into_iter().flatten() {
            *name = self.renamed(name);
        }
    }

    fn renamed(&self, name: &str) -> String {
        let was_packed =
            self.packed.contains_key(name) && !self.packs.values().any(|it| it == name);
        if let Some(packed) = self.packs.get(name) {
            return packed.clone();
        }
        let stays = self.before.as_deref().is_some_and(|it| is_same_place(it, &self.after));
        let moved = match was_packed || stays || !is_path(name) {
            true => name.to_owned(),
            false => {
                let place = beside(self.before.as_deref(), name);
                name_of_file(&place, Some(&self.after))
            }
        };
        // By that name the document would take what is packed into it.
        let is_taken = !was_packed && self.packed.contains_key(&moved);
        if is_taken { format!("./{moved}") } else { moved }
    }
}

/// A document that was written, to be gone on with.
pub struct Saved {
    path: PathBuf,
    names: Names,
}

impl Session {
    fn names_at(&self, path: &Path) -> Names {
        Names {
            before: self.folder().map(Path::to_owned),
            after: folder_of(path).to_owned(),
            packed: self.document.packed.clone(),
            packs: BTreeMap::new(),
        }
    }

    /// Writes the document; from now on it belongs to that file. If that fails, nothing has changed.
    pub fn save(&mut self, path: &Path) -> Result<(), FileError> {
        let names = self.names_at(path);
        let mut motion = self.document.motion.clone();
        names.rename(&mut motion);
        match motion == self.document.motion {
            true => self.document.save(path)?,
            false => Document { motion, ..self.document.clone() }.save(path)?,
        }
        self.take_saved(Saved { path: path.to_owned(), names }, self.history.state());
        Ok(())
    }

    /// The same with the files that the motion names inside, by their mere names.
    pub fn save_packed(&mut self, path: &Path) -> Result<(), SavePackedError> {
        let saved = self.write_packed(path, &Progress::default())?;
        self.take_saved(saved, self.history.state());
        Ok(())
    }

    /// Writes it and changes nothing here: slow work, for the background.
    pub fn write_packed(&self, path: &Path, progress: &Progress) -> Result<Saved, SavePackedError> {
        let mut names = self.names_at(path);
        let motion = &self.document.motion;
        for name in [&motion.character, &motion.clips].into_iter().flatten() {
            progress.check()?;
            if !is_path(name) {
                continue;
            }
            let file = match names.packed.get(name) {
                Some(file) => file.clone(),
                None => {
                    let place = beside(self.folder(), name);
                    let bytes = packed_bytes(&place)
                        .map_err(|source| SavePackedError::Load { name: name.clone(), source })?;
                    PackedFile(bytes.into())
                }
            };
            let mere = Path::new(name).file_name().map(|it| it.to_string_lossy().into_owned());
            let is_free = |mere: &String| names.packed.get(mere).is_none_or(|it| *it == file);
            let packed = mere.filter(is_free).unwrap_or_else(|| name.clone());
            names.packed.insert(packed.clone(), file);
            names.packs.insert(name.clone(), packed);
        }
        let mut motion = motion.clone();
        names.rename(&mut motion);
        let document = Document { packed: names.packed.clone(), motion, ..self.document.clone() };
        progress.check()?;
        document.save(path)?;
        Ok(Saved { path: path.to_owned(), names })
    }

    /// Goes on with what was written when the history was in that state. The cast stays the same.
    pub fn take_saved(&mut self, saved: Saved, state: u64) {
        let Saved { path, names } = saved;
        let is_same_cast = self.cast.is_of(&self.document.motion);
        names.rename(&mut self.document.motion);
        self.history.rename_files(&|motion| names.rename(motion));
        if let (true, Some(name)) = (is_same_cast, &self.document.motion.character) {
            self.cast.name.clone_from(name);
            self.cast.clips_of.clone_from(&self.document.motion.clips);
        }
        self.document.packed.extend(names.packed);
        self.history.mark_saved_as(state);
        self.file = Some(path);
        self.revision += 1;
    }
}
