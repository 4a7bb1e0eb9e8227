//! An export as files in a folder.

use super::ExportedFile;
use crate::compile::Compiled;
use crate::files::{WriteError, write_atomically};
use crate::graph::{Style, UNLINKED, is_unlinked};
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum FolderError {
    #[error("{} is a file; choose the folder to write to", .0.display())]
    IsFile(PathBuf),
    #[error("cannot make the folder {}: {source}; check that its parent may be written to", folder.display())]
    Make { folder: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// What keeps a graph from being exported: a shader goes into builds, so nothing may be wrong with it.
pub fn obstacles(style: &Style, compiled: &Compiled) -> Vec<String> {
    let mut problems: Vec<String> = compiled.problems.iter().map(ToString::to_string).collect();
    problems.extend(is_unlinked(style).then(|| UNLINKED.to_owned()));
    problems
}

/// Writes the files; the folder is made if it is not there.
pub fn write_files(folder: &Path, files: &[ExportedFile]) -> Result<Vec<PathBuf>, FolderError> {
    if folder.is_file() {
        return Err(FolderError::IsFile(folder.to_owned()));
    }
    std::fs::create_dir_all(folder)
        .map_err(|source| FolderError::Make { folder: folder.to_owned(), source })?;
    let write = |file: &ExportedFile| {
        let path = folder.join(&file.name);
        write_atomically::<WriteError>(&path, |out| Ok(out.write_all(&file.bytes)?))?;
        Ok(path)
    };
    files.iter().map(write).collect()
}
