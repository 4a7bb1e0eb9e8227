//! An export as files in a folder.

use super::manifest::{Exported, MANIFEST_NAME, json_text};
use super::{ExportedFile, Target};
use jounce_base::reading::{ReadError, read_file};
use jounce_files::{WriteError, write_atomically};
use serde::Deserialize;
use serde_json::Value;
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum FolderError {
    #[error("{} is a file; choose a folder to write to", .0.display())]
    IsFile(PathBuf),
    #[error("cannot make the folder {}: {source}; check that you may write to the folder above it", folder.display())]
    Make { folder: PathBuf, source: std::io::Error },
    #[error(
        "{} holds the export of the graph \"{graph}\", whose manifest.json would be lost; export into another folder, or remove that export first",
        folder.display()
    )]
    OtherGraph { folder: PathBuf, graph: String },
    #[error(
        "{} holds a manifest.json that Jounce did not write; export into another folder",
        .0.display()
    )]
    OtherManifest(PathBuf),
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: ReadError },
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// A manifest has some 100 KB at most.
const MOST_MANIFEST_BYTES: u64 = 16 << 20;

/// Can the graph of that name be exported there? A folder has one manifest, so it takes one graph, as often
/// as it changes.
pub fn check_folder(folder: &Path, graph: &str) -> Result<(), FolderError> {
    manifest_in(folder, graph).map(drop)
}

/// The manifest that is there, if any; it must be of the graph of that name.
fn manifest_in(folder: &Path, graph: &str) -> Result<Option<Value>, FolderError> {
    if folder.is_file() {
        return Err(FolderError::IsFile(folder.to_owned()));
    }
    if !folder.is_dir() {
        return Ok(None);
    }
    let path = folder.join(MANIFEST_NAME);
    let bytes = match read_file(&path, MOST_MANIFEST_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.is_missing() => return Ok(None),
        Err(source) => return Err(FolderError::Read { path, source }),
    };
    let manifest: Option<Value> = serde_json::from_slice(&bytes).ok();
    let known = manifest.as_ref().and_then(|manifest| Exported::deserialize(manifest).ok());
    match known.filter(|known| known.tool.starts_with("Jounce ")) {
        None => Err(FolderError::OtherManifest(folder.to_owned())),
        Some(known) if known.graph != graph => {
            Err(FolderError::OtherGraph { folder: folder.to_owned(), graph: known.graph })
        }
        Some(_) => Ok(manifest),
    }
}

/// What an export has made of a folder.
#[derive(Debug)]
pub struct Written {
    pub files: Vec<PathBuf>,
    /// Left there by an earlier export, and no longer in the manifest, because they do not go with it.
    pub outdated: Vec<PathBuf>,
}

/// Writes the files; the folder is made if it is not there.
pub fn write_files(folder: &Path, mut files: Vec<ExportedFile>) -> Result<Written, FolderError> {
    if folder.is_file() {
        return Err(FolderError::IsFile(folder.to_owned()));
    }
    let outdated = keep_targets(folder, &mut files)?;
    std::fs::create_dir_all(folder)
        .map_err(|source| FolderError::Make { folder: folder.to_owned(), source })?;
    let write = |file: &ExportedFile| {
        let path = folder.join(&file.name);
        write_atomically::<WriteError>(&path, |out| Ok(out.write_all(&file.bytes)?))?;
        Ok(path)
    };
    let files = files.iter().map(write).collect::<Result<_, FolderError>>()?;
    Ok(Written { files, outdated })
}

/// Takes what the manifest that is there says of other targets into the new one, as long as their shaders
/// are still those of the graph. Gives the files that are then in the folder, but not in the manifest.
fn keep_targets(folder: &Path, files: &mut [ExportedFile]) -> Result<Vec<PathBuf>, FolderError> {
    let Some(file) = files.iter_mut().find(|file| file.name == MANIFEST_NAME) else {
        return Ok(Vec::new());
    };
    let mut new: Value = serde_json::from_slice(&file.bytes).unwrap_or_default();
    let graph = new["graph"].as_str().unwrap_or_default();
    let Some(old) = manifest_in(folder, graph)? else { return Ok(Vec::new()) };
    let is_there = |name: &str| folder.join(name).is_file();
    if have_same_shader(&old, &new) {
        let is_new = |entry: &Value| entries(&new).any(|it| it["target"] == entry["target"]);
        let others: Vec<Value> = entries(&old)
            .filter(|&entry| !is_new(entry) && file_names(entry).all(is_there))
            .cloned()
            .collect();
        if let (false, Some(targets)) = (others.is_empty(), new["targets"].as_array_mut()) {
            targets.extend(others);
            targets.sort_by_key(|entry| {
                Target::ALL.iter().position(|target| entry["target"] == target.name())
            });
            file.bytes = json_text(&new);
        }
    }
    let listed: Vec<&str> = entries(&new).flat_map(file_names).collect();
    let left = entries(&old).flat_map(file_names);
    let outdated = left.filter(|&name| !listed.contains(&name) && is_there(name));
    Ok(outdated.map(|name| folder.join(name)).collect())
}

/// Do two manifests describe the same shader? Its text depends on all that they say but the defaults of
/// sliders. The program's number alone would not do: it leaves out constants.
fn have_same_shader(a: &Value, b: &Value) -> bool {
    let is_of_shader =
        |(key, _): &(&String, &Value)| !["targets", "parameters"].contains(&key.as_str());
    match (a.as_object(), b.as_object()) {
        (Some(a), Some(b)) => a.iter().filter(is_of_shader).eq(b.iter().filter(is_of_shader)),
        _ => false,
    }
}

/// What a manifest says of its targets.
fn entries(manifest: &Value) -> impl Iterator<Item = &Value> {
    manifest["targets"].as_array().into_iter().flatten()
}

fn file_names(entry: &Value) -> impl Iterator<Item = &str> {
    entry["files"].as_array().into_iter().flatten().filter_map(Value::as_str)
}
