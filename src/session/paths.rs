//! How a document refers to its files, and where the program keeps the user's data.

use jounce_files::user_folders::state_folder;
use serde::{Deserialize, Serialize};
use std::path::{Component, Path, PathBuf};

/// A path as a document in this folder has it: relative, with slashes, where the two have more than a
/// root in common; else absolute. A document without a file has absolute ones.
pub fn name_of_file(path: &Path, folder: Option<&Path>) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let path = absolute(path);
    let relative = folder.and_then(|folder| relative(&path, &absolute(folder)));
    let name = relative.unwrap_or(path).display().to_string();
    match cfg!(windows) {
        true => name.replace('\\', "/"),
        false => name,
    }
}

/// A path as it stands in a file of JSON: a text, or the bytes of one that is no text.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StoredPath {
    Text(String),
    Bytes { bytes: Vec<u8> },
}

impl StoredPath {
    pub fn of(path: &Path) -> StoredPath {
        match path.to_str() {
            Some(text) => StoredPath::Text(text.to_owned()),
            #[cfg(unix)]
            None => {
                use std::os::unix::ffi::OsStrExt;
                StoredPath::Bytes { bytes: path.as_os_str().as_bytes().to_vec() }
            }
            #[cfg(not(unix))]
            None => StoredPath::Text(path.to_string_lossy().into_owned()),
        }
    }

    pub fn path(self) -> PathBuf {
        match self {
            StoredPath::Text(text) => text.into(),
            #[cfg(unix)]
            StoredPath::Bytes { bytes } => {
                use std::os::unix::ffi::OsStringExt;
                std::ffi::OsString::from_vec(bytes).into()
            }
            #[cfg(not(unix))]
            StoredPath::Bytes { bytes } => String::from_utf8_lossy(&bytes).into_owned().into(),
        }
    }
}

fn relative(path: &Path, folder: &Path) -> Option<PathBuf> {
    let (path, folder) = (normal(path), normal(folder));
    let alike = path.iter().zip(&folder).take_while(|(a, b)| a == b).count();
    let is_named = |part: &Component| matches!(part, Component::Normal(_));
    if !path[..alike].iter().any(is_named) {
        return None;
    }
    let up = folder[alike..].iter().map(|_| Component::ParentDir);
    let relative: PathBuf = up.chain(path[alike..].iter().copied()).collect();
    // A name without a slash or a dot would be a built-in character.
    Some(if relative.extension().is_none() { Path::new(".").join(relative) } else { relative })
}

/// Without `.` and `..`.
fn normal(path: &Path) -> Vec<Component<'_>> {
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(parts.last(), Some(Component::Normal(_))) => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts
}

/// Where recent files and what is to be recovered are kept between runs.
pub fn user_state_folder() -> Option<PathBuf> {
    state_folder()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_relative_where_that_makes_sense() {
        let name =
            |path: &str, folder: &str| name_of_file(Path::new(path), Some(Path::new(folder)));
        assert_eq!(name("/home/me/show/Fox.glb", "/home/me/show"), "Fox.glb");
        assert_eq!(name("/home/me/rigs/Fox.glb", "/home/me/show"), "../rigs/Fox.glb");
        assert_eq!(name("/home/me/show/../rigs/Fox.glb", "/home/me/show"), "../rigs/Fox.glb");
        assert_eq!(name("/media/disk/Fox.glb", "/home/me"), "/media/disk/Fox.glb");
        assert_eq!(name("/home/me/show/fox", "/home/me/show"), "./fox");
        assert_eq!(name_of_file(Path::new("/a/Fox.glb"), None), "/a/Fox.glb");
    }
}
