//! A document that is being worked on.

use super::last_good::LastGood;
use super::paths::name_of_file;
use super::{Cast, CastError, settings_for};
use jounce_files::folder_of;
use jounce_graph::document::{
    CharacterSettings, Command, Document, FileError, History, Loaded, Note, Owner,
};
use jounce_graph::script::{Library, Reloaded, ScriptFolders};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

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
    /// How often it was said, one time after the other.
    pub count: usize,
}

pub struct Session {
    pub(super) document: Document,
    pub(super) history: History,
    scripts: ScriptFolders,
    /// That of the scripts; where a script in the document has a mistake, with what stands in for it.
    library: Library,
    last_good: LastGood,
    /// None until it is saved.
    pub(super) file: Option<PathBuf>,
    pub(super) cast: Cast,
    /// What has happened, oldest first.
    messages: Vec<Message>,
    /// Higher after every change of the document, the library or the cast.
    pub(super) revision: u64,
    /// Higher with every document that takes the place of another.
    number: u64,
}

/// Older ones are forgotten.
const MOST_MESSAGES: usize = 500;

impl Session {
    pub fn new(document: Document, cast: Cast, scripts: ScriptFolders) -> Session {
        let mut session = Session {
            document,
            history: History::default(),
            library: scripts.library().clone(),
            scripts,
            last_good: LastGood::default(),
            file: None,
            cast,
            messages: Vec::new(),
            revision: 1,
            number: 0,
        };
        session.keep_last_good();
        session
    }

    /// Something may have changed.
    fn changed(&mut self) {
        self.revision += 1;
        self.keep_last_good();
    }

    fn keep_last_good(&mut self) {
        self.last_good.follow(&self.document.style, &mut self.library);
    }

    pub fn document(&self) -> &Document {
        &self.document
    }

    pub fn history(&self) -> &History {
        &self.history
    }

    pub fn library(&self) -> &Library {
        &self.library
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

    /// Leaves a message. The same again is counted: what fails in every frame fills no list.
    pub fn say(&mut self, severity: Severity, text: impl Into<String>) {
        let text = text.into();
        if let Some(newest) = self.messages.last_mut()
            && (newest.severity, &newest.text) == (severity, &text)
        {
            newest.count += 1;
            return;
        }
        if self.messages.len() >= MOST_MESSAGES {
            self.messages.remove(0);
        }
        self.messages.push(Message { severity, text, count: 1 });
    }

    /// Does something as one step. If it cannot be done, a message says so, and nothing changes.
    pub fn perform(&mut self, label: &str, command: Command) -> bool {
        let done = self.history.perform(&mut self.document, label, command);
        self.finish(done)
    }

    /// Begins something whose updates become one step; what another has begun ends there.
    pub fn begin(&mut self, owner: Owner, label: &str) {
        self.history.begin(owner, label);
    }

    /// The same for background work.
    pub fn begin_work(&mut self, label: &str) -> Owner {
        self.history.begin_work(label)
    }

    /// A part of what the owner has begun. If that was ended, by an undo or by somebody else, it starts again.
    pub fn update(&mut self, owner: Owner, label: &str, command: Command) -> bool {
        if self.history.owner() != Some(owner) {
            self.history.begin(owner, label);
        }
        let done = self.history.update(&mut self.document, command);
        self.finish(done)
    }

    /// Ends what the owner has begun; what others have begun goes on.
    pub fn commit(&mut self, owner: Owner) {
        if self.history.owner() == Some(owner) {
            self.history.commit();
            self.revision += 1;
        }
    }

    /// Takes back what the owner has begun.
    pub fn cancel(&mut self, owner: Owner) {
        if self.history.owner() == Some(owner) {
            let done = self.history.cancel(&mut self.document);
            self.finish(done);
        }
    }

    /// Nothing is held any more: what a hand has begun is a step, even if nobody ended it.
    pub fn let_go(&mut self) {
        if let Some(owner @ Owner::Hand(_)) = self.history.owner() {
            self.commit(owner);
        }
    }

    /// What is noted of the present state, for an undo to bring back.
    pub fn set_mark(&mut self, mark: u8) {
        self.history.set_mark(mark);
    }

    pub fn undo(&mut self) -> Option<String> {
        let done = self.history.undo(&mut self.document);
        self.changed();
        self.said(done)
    }

    pub fn redo(&mut self) -> Option<String> {
        let done = self.history.redo(&mut self.document);
        self.changed();
        self.said(done)
    }

    fn finish(&mut self, done: Result<(), jounce_graph::document::CommandError>) -> bool {
        self.changed();
        match done {
            Ok(()) => true,
            Err(error) => {
                self.say(Severity::Error, error.to_string());
                false
            }
        }
    }

    fn said<T: Default>(&mut self, done: Result<T, jounce_graph::document::CommandError>) -> T {
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
        self.number += 1;
        self.last_good = LastGood::default();
        self.changed();
    }

    /// Tells which document is open, and what it is: another pair, and something was done meanwhile.
    pub fn place(&self) -> (u64, u64) {
        (self.number, self.history.state())
    }

    /// Another character plays; the document is not changed by that.
    pub fn set_cast(&mut self, cast: Cast) {
        self.cast = cast;
        self.revision += 1;
    }

    /// Loads the character that the document names now.
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
            library: self.library.clone(),
            last_good: self.last_good.clone(),
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

    /// The document's character cannot be loaded; another one is shown.
    pub fn say_lacking(&mut self, error: &CastError) {
        let shown = self.cast.name.clone();
        let text = format!("{error}; {shown} is shown instead; choose Relink Character to find it");
        self.say(Severity::Error, text);
    }

    /// What was recovered is in no file yet.
    pub fn mark_unsaved(&mut self) {
        self.history.mark_unsaved();
        self.revision += 1;
    }

    pub fn scripts(&self) -> &ScriptFolders {
        &self.scripts
    }

    /// Reads scripts again that changed, see [`ScriptFolders::reload`].
    pub fn reload_scripts(&mut self, paths: &[PathBuf]) -> Reloaded {
        let reloaded = self.scripts.reload(paths, SystemTime::now());
        self.library = self.scripts.library().clone();
        self.changed();
        reloaded
    }
}

pub type OpenError = FileError;

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
