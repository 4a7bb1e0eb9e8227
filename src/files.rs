//! Files that appear complete or not at all: written beside their place, then renamed. And whether two
//! paths lead to the same place.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Debug, Error)]
#[error("cannot write {}: {source}; check that the folder exists, may be written to and has room", path.display())]
pub struct WriteError {
    path: PathBuf,
    source: std::io::Error,
}

/// Runs `fill` on a temporary file and renames it to `path` when it succeeds.
pub fn write_atomically<E: From<WriteError>>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), FillError<E>>,
) -> Result<(), E> {
    let failed = |source| E::from(WriteError { path: path.to_owned(), source });
    let folder = folder_of(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".jounce-");
    // As a plain `open` would: what others may do with the file is the user's umask to say.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(folder).map_err(failed)?;
    let mut writer = BufWriter::with_capacity(1 << 20, file);
    match fill(&mut writer) {
        Ok(()) => {}
        Err(FillError::Write(source)) => return Err(failed(source)),
        Err(FillError::Other(error)) => return Err(error),
    }
    let file = writer.into_inner().map_err(|error| failed(error.into_error()))?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
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
