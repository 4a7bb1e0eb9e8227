//! A file appears complete or not at all: written beside its place, then renamed.

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
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
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
