//! A document that is being worked on.

use super::{Cast, CastError, settings_for};
use crate::graph::{CharacterSettings, Command, Document, FileError, History, Loaded};
use crate::script::{Library, ScriptFolders};
use std::path::{Path, PathBuf};

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

    /// Loads whom the document names now, if that is somebody else.
    pub fn recast(&mut self) -> Result<(), CastError> {
        let folder = self.file.as_deref().and_then(Path::parent);
        let cast = Cast::load(&self.document.motion, folder)?;
        self.set_cast(cast);
        Ok(())
    }

    /// Opens a file. If anything is wrong with it, everything stays as it is.
    pub fn open(&mut self, path: &Path) -> Result<(), OpenError> {
        let Loaded { document, notes } = Document::load(path)?;
        let cast = Cast::load(&document.motion, path.parent());
        let (cast, lacking) = match cast {
            Ok(cast) => (cast, None),
            Err(error) => (self.cast.clone(), Some(error)),
        };
        self.replace(document, cast, Some(path.to_owned()));
        for note in notes {
            self.say(Severity::Warning, note.to_string());
        }
        if let Some(error) = lacking {
            let shown = self.cast.name.clone();
            let text = format!("{error}; {shown} is shown in its place: choose Relink Character");
            self.say(Severity::Error, text);
        }
        Ok(())
    }

    /// Writes the document; from now on it belongs to that file.
    pub fn save(&mut self, path: &Path) -> Result<(), FileError> {
        self.history.commit();
        self.document.save(path)?;
        self.history.mark_saved();
        self.file = Some(path.to_owned());
        self.revision += 1;
        Ok(())
    }

    /// After scripts were read anew.
    pub fn scripts_mut(&mut self) -> &mut ScriptFolders {
        self.revision += 1;
        &mut self.scripts
    }
}

pub type OpenError = FileError;
