//! An export as files in a folder.

use super::ExportedFile;
use super::manifest::{Exported, MANIFEST_NAME};
use jounce_base::files::{WriteError, write_atomically};
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum FolderError {
    #[error("{} is a file; choose the folder to write to", .0.display())]
    IsFile(PathBuf),
    #[error("cannot make the folder {}: {source}; check that its parent may be written to", folder.display())]
    Make { folder: PathBuf, source: std::io::Error },
    #[error(
        "{} holds the export of the graph \"{graph}\", whose manifest.json would be lost; export into a folder of its own, or remove the other first",
        folder.display()
    )]
    OtherGraph { folder: PathBuf, graph: String },
    #[error(
        "{} holds a manifest.json that is not of Jounce; export into a folder of its own",
        .0.display()
    )]
    OtherManifest(PathBuf),
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// A manifest has some 100 KB at most.
const MOST_MANIFEST_BYTES: u64 = 16 << 20;

/// Can the graph of that name be exported there? A folder has one manifest, so it takes one graph, as often
/// as it changes.
pub fn check_folder(folder: &Path, graph: &str) -> Result<(), FolderError> {
    if folder.is_file() {
        return Err(FolderError::IsFile(folder.to_owned()));
    }
    let path = folder.join(MANIFEST_NAME);
    let Ok(about) = std::fs::metadata(&path) else { return Ok(()) };
    let read = match about.is_file() && about.len() <= MOST_MANIFEST_BYTES {
        true => std::fs::read(&path).ok(),
        false => None,
    };
    let known = read.and_then(|bytes| serde_json::from_slice::<Exported>(&bytes).ok());
    match known.filter(|known| known.tool.starts_with("Jounce ")) {
        None => Err(FolderError::OtherManifest(folder.to_owned())),
        Some(known) if known.graph != graph => {
            Err(FolderError::OtherGraph { folder: folder.to_owned(), graph: known.graph })
        }
        Some(_) => Ok(()),
    }
}

/// Writes the files; the folder is made if it is not there.
pub fn write_files(folder: &Path, files: &[ExportedFile]) -> Result<Vec<PathBuf>, FolderError> {
    let manifest = files.iter().find(|file| file.name == MANIFEST_NAME);
    if let Some(new) = manifest.and_then(|it| serde_json::from_slice::<Exported>(&it.bytes).ok()) {
        check_folder(folder, &new.graph)?;
    }
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
