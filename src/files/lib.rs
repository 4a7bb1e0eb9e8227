//! Files that appear complete or not at all: written beside their place, then renamed. And whether two
//! paths lead to the same place.
//!
//! What is there already is respected: a link is followed, and what it leads to is replaced; the mode, and
//! where that is allowed the owner and group, of the file before are kept; a new file gets what the umask
//! says. A file that may not be written to is not replaced either. Of hard links only the name that is
//! written to gets the new content: the others keep the old one, because a file that is written in place
//! would be broken for everybody while it is written.
//!
//! This crate knows `jounce-base`. The runtime does not know this crate: a game or a browser has no use
//! for temporary files and the folders of a desktop.

mod kept;
mod target;
mod unfinished;
pub mod user_folders;

pub use kept::KeptFiles;

pub use unfinished::remove_unfinished;

use std::io::{BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use target::Destination;
use thiserror::Error;
use unfinished::Unfinished;

#[derive(Debug, Error)]
pub enum WriteError {
    #[error("cannot write {}: {source}; check that the folder exists, that you may write to it, and that the disk is not full", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    #[error("cannot write {}: a folder has that name; choose another name", .0.display())]
    IsFolder(PathBuf),
    #[error("cannot write {}: it is a device or a pipe, not a file; choose another name", .0.display())]
    IsNoFile(PathBuf),
}

/// What a file is filled through: formats that know only at their end how long they are go back to their head.
pub trait FileBeingWritten: Write + Seek + Send {}

impl<F: Write + Seek + Send> FileBeingWritten for F {}

/// Runs `fill` on a temporary file and renames it to `path` when it succeeds.
pub fn write_atomically<E: From<WriteError>>(
    path: &Path,
    fill: impl FnOnce(&mut dyn FileBeingWritten) -> Result<(), FillError<E>>,
) -> Result<(), E> {
    let failed = |source| E::from(WriteError::Io { path: path.to_owned(), source });
    let target = Destination::of(path)?;
    let unfinished = Unfinished::in_folder(folder_of(&target.path)).map_err(failed)?;
    let mut writer = BufWriter::with_capacity(1 << 20, unfinished);
    match fill(&mut writer) {
        Ok(()) => {}
        Err(FillError::Write(source)) => return Err(failed(source)),
        Err(FillError::Other(error)) => return Err(error),
    }
    let unfinished = writer.into_inner().map_err(|error| failed(error.into_error()))?;
    target.lend_to(unfinished.file()).map_err(failed)?;
    unfinished.rename_to(&target.path).map_err(failed)
}

/// Could a file be written there? To be asked before work whose result would have no place.
pub fn check_writable(path: &Path) -> Result<(), WriteError> {
    let target = Destination::of(path)?;
    match Unfinished::in_folder(folder_of(&target.path)) {
        Ok(_) => Ok(()),
        Err(source) => Err(WriteError::Io { path: path.to_owned(), source }),
    }
}

/// Why filling a file ended: the file itself, or what was to be written.
pub enum FillError<E> {
    Write(std::io::Error),
    Other(E),
}

impl<E> From<std::io::Error> for FillError<E> {
    fn from(error: std::io::Error) -> FillError<E> {
        FillError::Write(error)
    }
}

/// Do both lead to the same place? Those who watch files may tell of them by other paths than were
/// given to them: absolute ones, or with links resolved.
pub fn is_same_place(a: &Path, b: &Path) -> bool {
    let absolute = |path: &Path| std::path::absolute(path).ok();
    let real = |path: &Path| path.canonicalize().ok();
    let are_same = |a: Option<PathBuf>, b: Option<PathBuf>| a.is_some() && a == b;
    a == b || are_same(absolute(a), absolute(b)) || are_same(real(a), real(b))
}

/// The folder of a file; `.` for a mere name.
pub fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
