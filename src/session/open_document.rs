//! A document that is being worked on.

use super::paths::name_of_file;
use super::{Cast, CastError, beside, is_path, settings_for};
use crate::files::{folder_of, is_same_place};
use crate::graph::{
    CharacterSettings, Command, Document, FileError, History, Loaded, MotionSettings, Note,
    PackedFile,
};
use crate::rig::LoadError;
use crate::rig::load::packed_bytes;
use crate::script::{Library, ScriptFolders};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// How much a message matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Note,
    Warning,
    Error,
}

/// Something to tell the user.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub severity: Severity,
    pub text: String,
}

pub struct Session {
    document: Document,
    history: History,
    scripts: ScriptFolders,
    /// None until it is saved.
    file: Option<PathBuf>,
    cast: Cast,
    /// What has happened, oldest first.
    messages: Vec<Message>,
    /// Higher after every change of the document, the library or the cast.
    revision: u64,
}

/// Older ones are forgotten.
const MOST_MESSAGES: usize = 500;

impl Session {
    pub fn new(document: Document, cast: Cast, scripts: ScriptFolders) -> Session {
        Session {
            document,
            history: History::default(),
            scripts,
            file: None,
            cast,
            messages: Vec::new(),
            revision: 1,
        }
    }

    pub fn document(&self) -> &Document {
        &self.document
    }

    pub fn history(&self) -> &History {
        &self.history
    }

    pub fn library(&self) -> &Library {
        self.scripts.library()
    }

    pub fn cast(&self) -> &Cast {
        &self.cast
    }

    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// What the window is called: the file's name, or that there is none yet.
    pub fn title(&self) -> String {
        let name = self.file.as_deref().and_then(Path::file_name);
        let name = name.map_or("untitled".into(), |name| name.to_string_lossy());
        let mark = if self.history.is_modified() { "*" } else { "" };
        format!("{name}{mark}")
    }

    /// What the document has set for the character that plays.
    pub fn character_settings(&self) -> CharacterSettings {
        settings_for(&self.document, &self.cast.key).cloned().unwrap_or_default()
    }

    /// Under which the document keeps them, or would.
    pub fn character_settings_key(&self) -> String {
        let key = &self.cast.key;
        let found = settings_for(&self.document, key);
        let is_it = |(_, known): &(&String, &CharacterSettings)| {
            found.is_some_and(|found| std::ptr::eq(found, *known))
        };
        let known = self.document.characters.iter().find(is_it);
        known.map_or_else(|| key.clone(), |(name, _)| name.clone())
    }

    pub fn say(&mut self, severity: Severity, text: impl Into<String>) {
        let text = text.into();
        if self.messages.len() >= MOST_MESSAGES {
            self.messages.remove(0);
        }
        self.messages.push(Message { severity, text });
    }

    /// Does something as one step. What cannot be done is said, and nothing changes.
    pub fn perform(&mut self, label: &str, command: Command) -> bool {
        let done = self.history.perform(&mut self.document, label, command);
        self.finish(done)
    }

    /// Begins a drag; its updates become one step.
    pub fn begin(&mut self, label: &str) {
        self.history.begin(label);
    }

    /// A part of a drag; a step of its own if none has begun.
    pub fn update(&mut self, label: &str, command: Command) -> bool {
        if !self.history.is_open() {
            return self.perform(label, command);
        }
        let done = self.history.update(&mut self.document, command);
        self.finish(done)
    }

    pub fn commit(&mut self) {
        self.history.commit();
        self.revision += 1;
    }

    pub fn cancel(&mut self) {
        let done = self.history.cancel(&mut self.document);
        self.finish(done);
    }

    pub fn undo(&mut self) -> Option<String> {
        let done = self.history.undo(&mut self.document);
        self.revision += 1;
        self.said(done)
    }

    pub fn redo(&mut self) -> Option<String> {
        let done = self.history.redo(&mut self.document);
        self.revision += 1;
        self.said(done)
    }

    fn finish(&mut self, done: Result<(), crate::graph::CommandError>) -> bool {
        self.revision += 1;
        match done {
            Ok(()) => true,
            Err(error) => {
                self.say(Severity::Error, error.to_string());
                false
            }
        }
    }

    fn said<T: Default>(&mut self, done: Result<T, crate::graph::CommandError>) -> T {
        done.unwrap_or_else(|error| {
            self.say(Severity::Error, error.to_string());
            T::default()
        })
    }

    /// Another document in place of this one, which is forgotten with its history.
    pub fn replace(&mut self, document: Document, cast: Cast, file: Option<PathBuf>) {
        self.document = document;
        self.history = History::default();
        self.cast = cast;
        self.file = file;
        self.revision += 1;
    }

    /// Another character plays; the document is not changed by that.
    pub fn set_cast(&mut self, cast: Cast) {
        self.cast = cast;
        self.revision += 1;
    }

    /// Loads whom the document names now.
    pub fn recast(&mut self) -> Result<(), CastError> {
        let cast = Cast::of_document(&self.document, self.folder())?;
        self.set_cast(cast);
        Ok(())
    }

    /// The folder that paths in the document are relative to.
    pub fn folder(&self) -> Option<&Path> {
        self.file.as_deref().map(folder_of)
    }

    /// What the document calls a file: relative to its own folder, if it has one.
    pub fn name_of(&self, path: &Path) -> String {
        let name = name_of_file(path, self.folder());
        // By that name the document would take what is packed into it.
        if self.document.packed.contains_key(&name) { format!("./{name}") } else { name }
    }

    /// The same document and character without their past: for work in the background.
    pub fn snapshot(&self) -> Session {
        Session {
            file: self.file.clone(),
            ..Session::new(self.document.clone(), self.cast.clone(), self.scripts.clone())
        }
    }

    /// Opens a file. If anything is wrong with it, everything stays as it is.
    pub fn open(&mut self, path: &Path) -> Result<(), OpenError> {
        let opened = Opened::read(path)?;
        self.take_opened(opened);
        Ok(())
    }

    /// Goes on with a document that was read; False if its character could not be.
    pub fn take_opened(&mut self, opened: Opened) -> bool {
        let Opened { document, notes, cast, file } = opened;
        let (cast, lacking) = match cast {
            Ok(cast) => (cast, None),
            Err(error) => (self.cast.clone(), Some(error)),
        };
        self.replace(document, cast, Some(file));
        for note in notes {
            self.say(Severity::Warning, note.to_string());
        }
        let is_complete = lacking.is_none();
        if let Some(error) = lacking {
            self.say_lacking(&error);
        }
        is_complete
    }

    /// The document's character cannot be had; another is shown.
    pub fn say_lacking(&mut self, error: &CastError) {
        let shown = self.cast.name.clone();
        let text = format!("{error}; {shown} is shown in its place: choose Relink Character");
        self.say(Severity::Error, text);
    }

    /// Writes the document; from now on it belongs to that file.
    pub fn save(&mut self, path: &Path) -> Result<(), FileError> {
        self.history.commit();
        self.keep_names_true(path);
        self.document.save(path)?;
        self.saved_to(path);
        Ok(())
    }

    /// The same with the files that the motion names inside, by their mere names.
    pub fn save_packed(&mut self, path: &Path) -> Result<(), SavePackedError> {
        self.history.commit();
        let mut packed = self.document.packed.clone();
        let mut motion = self.document.motion.clone();
        for slot in [&mut motion.character, &mut motion.clips] {
            let Some(name) = slot.clone().filter(|name| is_path(name)) else { continue };
            let file = match packed.get(&name) {
                Some(file) => file.clone(),
                None => {
                    let place = beside(self.folder(), &name);
                    let bytes = packed_bytes(Path::new(&place))
                        .map_err(|source| SavePackedError::Load { name: name.clone(), source })?;
                    PackedFile(bytes.into())
                }
            };
            let mere = Path::new(&name).file_name().map(|it| it.to_string_lossy().into_owned());
            let mere = mere.filter(|mere| packed.get(mere).is_none_or(|other| *other == file));
            let name = mere.unwrap_or(name);
            packed.insert(name.clone(), file);
            *slot = Some(name);
        }
        let document = Document { packed, motion, ..self.document.clone() };
        document.save(path)?;
        self.document.packed = document.packed;
        self.rename_files("Save Packed", document.motion);
        self.saved_to(path);
        Ok(())
    }

    fn saved_to(&mut self, path: &Path) {
        self.history.mark_saved();
        self.file = Some(path.to_owned());
        self.revision += 1;
    }

    /// A document that moves to another folder must find its files from there.
    fn keep_names_true(&mut self, path: &Path) {
        let before = self.folder().map(Path::to_owned);
        let after = folder_of(path);
        if before.as_deref().is_some_and(|before| is_same_place(before, after)) {
            return;
        }
        let renamed = |name: &Option<String>| {
            let is_packed = |name: &String| self.document.packed.contains_key(name);
            let name = name.as_ref()?;
            let moves = is_path(name) && !is_packed(name);
            let path = PathBuf::from(beside(before.as_deref(), name));
            Some(if moves { name_of_file(&path, Some(after)) } else { name.clone() })
        };
        let old = &self.document.motion;
        let motion = MotionSettings {
            character: renamed(&old.character),
            clips: renamed(&old.clips),
            ..old.clone()
        };
        self.rename_files("Save Elsewhere", motion);
    }

    /// The same files by other names; who plays stays who plays.
    fn rename_files(&mut self, label: &str, motion: MotionSettings) {
        if motion == self.document.motion {
            return;
        }
        let is_same_cast = self.cast.is_of(&self.document.motion);
        let (name, clips_of) = (motion.character.clone(), motion.clips.clone());
        self.perform(label, Command::SetMotion(motion));
        if let (true, Some(name)) = (is_same_cast, name) {
            (self.cast.name, self.cast.clips_of) = (name, clips_of);
        }
    }

    /// What was recovered is in no file yet.
    pub fn mark_unsaved(&mut self) {
        self.history.mark_unsaved();
        self.revision += 1;
    }

    pub fn scripts(&self) -> &ScriptFolders {
        &self.scripts
    }

    /// After scripts were read anew.
    pub fn scripts_mut(&mut self) -> &mut ScriptFolders {
        self.revision += 1;
        &mut self.scripts
    }
}

pub type OpenError = FileError;

#[derive(Debug, Error)]
pub enum SavePackedError {
    #[error("{name}: {source}; relink the character first")]
    Load { name: String, source: LoadError },
    #[error(transparent)]
    File(#[from] FileError),
}

/// A document that was read, with its character: slow work, for the background.
pub struct Opened {
    pub document: Document,
    pub notes: Vec<Note>,
    pub cast: Result<Cast, CastError>,
    pub file: PathBuf,
}

impl Opened {
    pub fn read(path: &Path) -> Result<Opened, OpenError> {
        let Loaded { document, notes } = Document::load(path)?;
        let cast = Cast::of_document(&document, Some(folder_of(path)));
        Ok(Opened { document, notes, cast, file: path.to_owned() })
    }
}
