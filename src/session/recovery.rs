//! Recovery after a crash: a copy of unsaved work, and which document it belongs to.
//!
//! ```text
//! show/walk.jounce             the file
//! show/walk.jounce.autosave    the copy, beside it
//! STATE/recovery/ID.json       which file, which copy
//! STATE/recovery/ID.lock       locked as long as the program runs: a crash lets go of it
//! STATE/recovery/ID.jounce     the copy of a document without a file, or beside whose file nothing can be written
//! ```
//! The copy is removed when the document is saved, or when the program ends normally.

use super::paths::StoredPath;
use super::{Cast, CastError, Opened, Session, Severity};
use jounce_base::reading::{open_file, read_file};
use jounce_files::{WriteError, folder_of, write_atomically};
use jounce_graph::document::{Document, FileError, Loaded, Note};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

/// A copy is never older than this, while there is something to lose.
pub const AUTOSAVE_EVERY: Duration = Duration::from_secs(5);

/// A journal is two paths.
const LARGEST_JOURNAL_BYTES: u64 = 1 << 20;

#[derive(Serialize, Deserialize)]
struct Journal {
    file: Option<StoredPath>,
    copy: StoredPath,
}

pub struct Autosave {
    folder: PathBuf,
    id: String,
    every: Duration,
    /// Held, not read.
    _lock: File,
    begun_at: Option<Instant>,
    /// The revision of the session when the copy was made.
    revision: u64,
    copy: Option<PathBuf>,
    writer: Option<JoinHandle<Result<PathBuf, FileError>>>,
    /// The last copy could not be written.
    has_failed: Arc<AtomicBool>,
}

impl Autosave {
    /// Keeps its journal in the folder `recovery` of this one.
    pub fn new(state_folder: &Path, every: Duration) -> std::io::Result<Autosave> {
        let folder = state_folder.join("recovery");
        std::fs::create_dir_all(&folder)?;
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let id = format!("{}-{}", std::process::id(), since.as_nanos());
        let lock = File::create(folder.join(format!("{id}.lock")))?;
        lock.try_lock()?;
        Ok(Autosave {
            folder,
            id,
            every,
            _lock: lock,
            begun_at: None,
            revision: 0,
            copy: None,
            writer: None,
            has_failed: Arc::default(),
        })
    }

    /// Call it often. Makes a copy in the background where one is due; tells once why it cannot.
    pub fn tick(&mut self, session: &Session, now: Instant) -> Result<(), FileError> {
        if !session.history().is_modified() {
            self.clear();
            return Ok(());
        }
        let is_due = self.begun_at.is_none_or(|begun| now.duration_since(begun) >= self.every);
        match &self.writer {
            Some(writer) if !writer.is_finished() => return Ok(()),
            Some(_) => self.join()?,
            None => {}
        }
        let has_failed = self.has_failed.load(Ordering::Relaxed);
        if is_due && (has_failed || session.revision() != self.revision) {
            (self.begun_at, self.revision) = (Some(now), session.revision());
            let (document, file) = (session.document().clone(), session.file().map(Path::to_owned));
            let (folder, id) = (self.folder.clone(), self.id.clone());
            let before = self.copy.clone();
            let has_failed = self.has_failed.clone();
            has_failed.store(false, Ordering::Relaxed);
            self.writer = Some(std::thread::spawn(move || {
                let written = write_copy(&document, file, &folder, &id, before.as_deref());
                has_failed.store(written.is_err(), Ordering::Relaxed);
                written
            }));
        }
        Ok(())
    }

    /// Would a crash lose nothing?
    pub fn is_up_to_date(&self, session: &Session) -> bool {
        let is_idle = self.writer.as_ref().is_none_or(JoinHandle::is_finished);
        let is_written = is_idle && !self.has_failed.load(Ordering::Relaxed);
        !session.history().is_modified() || (is_written && self.revision == session.revision())
    }

    fn join(&mut self) -> Result<(), FileError> {
        match self.writer.take().map(JoinHandle::join) {
            Some(Ok(Ok(copy))) => self.copy = Some(copy),
            Some(Ok(Err(error))) => return Err(error),
            // It writes a file; there is nothing in it that panics, and nothing to do about it.
            Some(Err(_)) | None => {}
        }
        Ok(())
    }

    /// There is nothing to lose any more.
    pub fn clear(&mut self) {
        let _ = self.join();
        if let Some(copy) = self.copy.take() {
            let _ = std::fs::remove_file(copy);
            let _ = std::fs::remove_file(journal_path(&self.folder, &self.id));
        }
        (self.begun_at, self.revision) = (None, 0);
    }
}

impl Drop for Autosave {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.clear();
            let _ = std::fs::remove_file(self.folder.join(format!("{}.lock", self.id)));
        }
    }
}

fn journal_path(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.json"))
}

/// The journal is written after the copy it describes, so that it never refers to a missing copy.
fn write_copy(
    document: &Document,
    file: Option<PathBuf>,
    folder: &Path,
    id: &str,
    before: Option<&Path>,
) -> Result<PathBuf, FileError> {
    let own = folder.join(format!("{id}.jounce"));
    let beside = file.as_ref().map(|file| {
        let mut name = file.as_os_str().to_owned();
        name.push(".autosave");
        PathBuf::from(name)
    });
    let copy = match beside {
        Some(beside) if document.save(&beside).is_ok() => beside,
        _ => {
            document.save(&own)?;
            own
        }
    };
    let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
    let (file, copy) = (file.map(absolute), absolute(copy));
    let journal =
        Journal { file: file.as_deref().map(StoredPath::of), copy: StoredPath::of(&copy) };
    let text = serde_json::to_string_pretty(&journal).unwrap_or_default();
    write_atomically::<WriteError>(&journal_path(folder, id), |out| {
        Ok(out.write_all(text.as_bytes())?)
    })?;
    if let Some(before) = before.filter(|before| *before != copy) {
        let _ = std::fs::remove_file(before);
    }
    Ok(copy)
}

/// What a program that ended too early left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recoverable {
    pub file: Option<PathBuf>,
    pub saved_at: SystemTime,
    copy: PathBuf,
    journal: PathBuf,
}

/// Newest first. Programs that still run keep theirs.
pub fn recoverable(state_folder: &Path) -> Vec<Recoverable> {
    let folder = state_folder.join("recovery");
    let entries = std::fs::read_dir(&folder).into_iter().flatten();
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let journals = paths.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let mut found: Vec<Recoverable> = journals.filter_map(left_behind).collect();
    found.sort_by_key(|it| std::cmp::Reverse(it.saved_at));
    found
}

fn left_behind(journal: PathBuf) -> Option<Recoverable> {
    let lock = open_file(&journal.with_extension("lock"));
    if lock.is_ok_and(|(lock, _)| lock.try_lock().is_err()) {
        return None;
    }
    let text = read_file(&journal, LARGEST_JOURNAL_BYTES).ok()?;
    let Journal { file, copy } = serde_json::from_slice(&text).ok()?;
    let (file, copy) = (file.map(StoredPath::path), copy.path());
    let changed_at = |path: &Path| std::fs::metadata(path).and_then(|about| about.modified()).ok();
    let saved_at = changed_at(&copy)?;
    // Saved after the copy was made: the file has all that the copy has.
    if file.as_deref().and_then(changed_at).is_some_and(|in_file| in_file > saved_at) {
        return None;
    }
    Some(Recoverable { file, saved_at, copy, journal })
}

impl Recoverable {
    pub fn name(&self) -> String {
        let name = self.file.as_deref().and_then(Path::file_name);
        name.map_or("an untitled document".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    /// The document as it was, with its character.
    pub fn read(&self) -> Result<Recovered, FileError> {
        let Loaded { document, notes } = Document::load(&self.copy)?;
        let cast = Cast::of_document(&document, self.file.as_deref().map(folder_of));
        Ok(Recovered { document, notes, cast, file: self.file.clone() })
    }

    pub fn discard(&self) {
        for path in [&self.copy, &self.journal, &self.journal.with_extension("lock")] {
            let _ = std::fs::remove_file(path);
        }
    }
}

pub struct Recovered {
    pub document: Document,
    pub notes: Vec<Note>,
    pub cast: Result<Cast, CastError>,
    pub file: Option<PathBuf>,
}

impl Session {
    /// Goes on with what was recovered; it is not saved anywhere yet.
    pub fn take_recovered(&mut self, recovered: Recovered) {
        let Recovered { document, notes, cast, file } = recovered;
        match file {
            Some(file) => {
                self.take_opened(Opened { document, notes, cast, file });
            }
            None => {
                let (cast, lacking) = match cast {
                    Ok(cast) => (cast, None),
                    Err(error) => (self.cast().clone(), Some(error)),
                };
                self.replace(document, cast, None);
                for note in notes {
                    self.say(Severity::Warning, note.to_string());
                }
                if let Some(error) = lacking {
                    self.say_lacking(&error);
                }
            }
        }
        self.mark_unsaved();
    }
}
