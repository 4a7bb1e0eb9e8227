//! The scripts of some folders, kept up to date while their files change.
//!
//! ```text
//! built-in nodes  ◄  folder 1: a.rhai b.rhai …  ◄  folder 2: …      the last one of a name counts
//! ```
//! Scripts that others use are read first. The library is put together again at every change, so that what a removed script had replaced is
//! back. A script that fails keeps its last version that worked, and the error is kept beside it.
//! Documents know nothing of this: they name types and ports, and are checked against the library of
//! the moment.
//!
//! Nothing here watches or waits: [`super::watch`] tells which files changed, and so can a test.

use super::editing::declares_library;
use super::error::{ScriptError, SourcePosition};
use super::parse::LARGEST_SCRIPT_BYTES;
use super::shared::SharedScripts;
use super::{Library, NodeType, Script as Read, ScriptOrigin, SharedScript, script};
use jounce_base::reading::{ReadError, read_file};
use jounce_files::is_same_place;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use thiserror::Error;

/// Scripts of all folders.
const MOST_SCRIPTS: usize = 10_000;
/// Libraries that use each other are read again until all is known; more than that is a circle.
const MOST_ROUNDS: usize = 12;

#[derive(Clone, Debug, Default)]
pub struct ScriptFolders {
    folders: Vec<PathBuf>,
    /// By folder and file name: in the order in which they count.
    scripts: BTreeMap<(usize, OsString), Script>,
    replaced: Vec<Replaced>,
    library: Library,
}

#[derive(Clone, Debug)]
struct Script {
    /// What was read last, or why nothing could be.
    content: Result<String, String>,
    last_good: Option<Good>,
    broken: Option<BrokenScript>,
    /// It, or a library that it may use, has changed since it was read last.
    is_stale: bool,
}

#[derive(Clone, Debug)]
enum Good {
    Node(Arc<NodeType>),
    Library(Arc<SharedScript>),
}

impl Good {
    fn name(&self) -> &str {
        match self {
            Good::Node(made) => &made.name,
            Good::Library(shared) => &shared.name,
        }
    }
}

impl Script {
    /// May it depend on libraries?
    fn uses_others(&self) -> bool {
        self.content.as_ref().is_ok_and(|text| text.contains("uses"))
    }

    fn is_library(&self) -> bool {
        match &self.content {
            Ok(text) => declares_library(text),
            Err(_) => matches!(self.last_good, Some(Good::Library(_))),
        }
    }

    fn read(&mut self, file: &Path, shared: &SharedScripts, now: SystemTime) {
        self.is_stale = false;
        let shown = file.display().to_string();
        let made = match &self.content {
            Ok(text) => script(text, &shown, ScriptOrigin::File(file.to_owned()), shared),
            Err(reason) => Err(ScriptError::new(&shown, SourcePosition::default(), reason)),
        };
        match made {
            Ok(made) => {
                self.broken = None;
                let before = self.last_good.take();
                self.last_good = Some(match (made, before) {
                    (Read::Node(node_type), _) => Good::Node(Arc::new(*node_type)),
                    // What it uses is looked up by whoever uses it: with the same text it is the same.
                    (Read::Library(shared), Some(Good::Library(known)))
                        if known.code == shared.code =>
                    {
                        Good::Library(known)
                    }
                    (Read::Library(shared), _) => Good::Library(Arc::new(shared)),
                });
            }
            Err(error) => {
                let since = self.broken.as_ref().map_or(now, |broken| broken.since);
                let in_use = self.last_good.as_ref().map(|good| good.name().to_owned());
                self.broken = Some(BrokenScript { file: file.to_owned(), error, since, in_use });
            }
        }
    }
}

/// A script that cannot be used as it stands in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenScript {
    pub file: PathBuf,
    pub error: ScriptError,
    /// Since when: while it fails, the last version that worked is used in its place.
    pub since: SystemTime,
    /// The node type that the last version that worked declares; None if none ever did.
    pub in_use: Option<String>,
}

/// A script took the place of another node type of the same name.
#[derive(Clone, Debug)]
pub struct Replaced {
    pub before: Arc<NodeType>,
    pub by: PathBuf,
}

/// What became different.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reloaded {
    /// Node types that appeared, changed or went away.
    pub types: BTreeSet<String>,
    /// Files that broke, broke differently, or were fixed.
    pub files: BTreeSet<PathBuf>,
}

impl Reloaded {
    pub fn is_empty(&self) -> bool {
        self.types.is_empty() && self.files.is_empty()
    }
}

impl ScriptFolders {
    /// Reads every `.rhai` file of the folders. One that is not there is empty, until it appears.
    pub fn new(folders: Vec<PathBuf>, now: SystemTime) -> ScriptFolders {
        let mut scripts = ScriptFolders { folders, ..ScriptFolders::default() };
        let folders = scripts.folders.clone();
        scripts.reload(&folders, now);
        scripts
    }

    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// The built-in nodes and those of all scripts, each in its last version that worked.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// All scripts, in the order in which they count.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.scripts.keys().map(|(folder, name)| self.folders[*folder].join(name))
    }

    /// What was read of a script.
    pub fn text_of(&self, file: &Path) -> Option<&str> {
        let is_it = |(folder, name): &(usize, OsString)| self.folders[*folder].join(name) == file;
        let (_, script) = self.scripts.iter().find(|(key, _)| is_it(key))?;
        script.content.as_deref().ok()
    }

    pub fn broken(&self) -> impl Iterator<Item = &BrokenScript> {
        self.scripts.values().filter_map(|script| script.broken.as_ref())
    }

    pub fn replaced(&self) -> &[Replaced] {
        &self.replaced
    }

    /// Looks again at files that changed, appeared or went away, and at whole folders if one of them
    /// is named. Other paths mean nothing.
    pub fn reload(&mut self, paths: &[PathBuf], now: SystemTime) -> Reloaded {
        let broken_before: BTreeMap<PathBuf, ScriptError> = self.errors();
        for path in paths {
            for folder in 0..self.folders.len() {
                if is_same_place(path, &self.folders[folder]) {
                    self.look_through(folder);
                } else if let (Some(parent), Some(name)) = (path.parent(), path.file_name())
                    && is_script(name)
                    && is_same_place(parent, &self.folders[folder])
                {
                    self.look_at(folder, name.to_owned());
                }
            }
        }
        self.read_stale(now);
        let library_before = std::mem::take(&mut self.library);
        self.lay_together(&library_before);
        let broken_now = self.errors();
        let all = broken_before.keys().chain(broken_now.keys());
        let files = all.filter(|file| broken_before.get(*file) != broken_now.get(*file));
        Reloaded {
            types: different_types(&library_before, &self.library),
            files: files.cloned().collect(),
        }
    }

    fn errors(&self) -> BTreeMap<PathBuf, ScriptError> {
        self.broken().map(|broken| (broken.file.clone(), broken.error.clone())).collect()
    }

    fn look_through(&mut self, folder: usize) {
        let entries = std::fs::read_dir(&self.folders[folder]).into_iter().flatten();
        let names = entries.filter_map(|entry| entry.ok().map(|entry| entry.file_name()));
        let there: BTreeSet<OsString> = names.filter(|name| is_script(name)).collect();
        self.scripts.retain(|(of, name), _| *of != folder || there.contains(name));
        for name in there {
            self.look_at(folder, name);
        }
    }

    fn look_at(&mut self, folder: usize, name: OsString) {
        let file = self.folders[folder].join(&name);
        let key = (folder, name);
        let Some(content) = read(&file) else {
            self.scripts.remove(&key);
            return;
        };
        let known = self.scripts.get(&key);
        if known.is_some_and(|script| script.content == content)
            || (known.is_none() && self.scripts.len() >= MOST_SCRIPTS)
        {
            return;
        }
        let before = self.scripts.remove(&key);
        let (last_good, broken) = match before {
            Some(script) => (script.last_good, script.broken),
            None => (None, None),
        };
        self.scripts.insert(key, Script { content, last_good, broken, is_stale: true });
    }

    /// Reads what changed: libraries first, until none changes what another may use, then what uses them.
    fn read_stale(&mut self, now: SystemTime) {
        let mut shared = self.shared();
        for _ in 0..MOST_ROUNDS {
            self.read_where(&shared, now, Script::is_library);
            let next = self.shared();
            if next.is_same(&shared) {
                break;
            }
            shared = next;
            let users = self.scripts.values_mut().filter(|script| script.uses_others());
            users.for_each(|script| script.is_stale = true);
        }
        if !shared.is_same(self.library.shared()) {
            // Also where a library went away.
            let users = self.scripts.values_mut().filter(|script| script.uses_others());
            users.for_each(|script| script.is_stale = true);
        }
        self.read_where(&shared, now, |_| true);
    }

    fn read_where(
        &mut self,
        shared: &SharedScripts,
        now: SystemTime,
        is_meant: fn(&Script) -> bool,
    ) {
        for ((folder, name), script) in &mut self.scripts {
            if script.is_stale && is_meant(script) {
                script.read(&self.folders[*folder].join(name), shared, now);
            }
        }
    }

    /// All libraries, each in its last version that worked.
    fn shared(&self) -> SharedScripts {
        let mut shared = SharedScripts::default();
        for script in self.scripts.values() {
            if let Some(Good::Library(library)) = &script.last_good {
                shared.insert(library.clone());
            }
        }
        shared
    }

    fn lay_together(&mut self, before: &Library) {
        self.library = Library::built_in();
        self.library.set_shared(Arc::new(self.shared()));
        self.library.remember_with(before);
        self.replaced.clear();
        for ((folder, name), script) in &self.scripts {
            let Some(Good::Node(made)) = &script.last_good else { continue };
            if let Some(before) = self.library.get(&made.name) {
                let by = self.folders[*folder].join(name);
                self.replaced.push(Replaced { before: before.clone(), by });
            }
            self.library.insert(made.clone());
        }
    }
}

fn is_script(name: &OsStr) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "rhai")
}

/// The text of a file, or a message that says why it cannot be read; None if the file does not exist. It
/// may go away at any moment, and need not be what its name says.
fn read(file: &Path) -> Option<Result<String, String>> {
    match read_script(file) {
        Err(error) if error.is_missing() => None,
        // A folder is not a script, whatever it is called.
        Err(ReadScriptError::Read(ReadError::Folder)) => None,
        read => Some(read.map_err(|error| error.to_string())),
    }
}

#[derive(Debug, Error)]
pub enum ReadScriptError {
    #[error("the script is longer than {} KB; check that it is the right file", LARGEST_SCRIPT_BYTES / 1024)]
    TooLong,
    #[error("the file cannot be read: {0}")]
    Read(ReadError),
    #[error("the file is not text; save it as UTF-8")]
    NotText,
}

impl ReadScriptError {
    fn is_missing(&self) -> bool {
        matches!(self, ReadScriptError::Read(error) if error.is_missing())
    }
}

/// The text of a script.
pub fn read_script(file: &Path) -> Result<String, ReadScriptError> {
    let bytes = read_file(file, LARGEST_SCRIPT_BYTES as u64).map_err(|error| match error {
        ReadError::TooLarge { .. } => ReadScriptError::TooLong,
        error => ReadScriptError::Read(error),
    })?;
    String::from_utf8(bytes).map_err(|_| ReadScriptError::NotText)
}

/// Types that are only in one of them, or made again.
fn different_types(before: &Library, now: &Library) -> BTreeSet<String> {
    let is_same = |name: &str| match (before.get(name), now.get(name)) {
        (Some(before), Some(now)) => Arc::ptr_eq(before, now),
        _ => false,
    };
    let all = before.types().chain(now.types());
    all.filter(|ty| !is_same(&ty.name)).map(|ty| ty.name.clone()).collect()
}
