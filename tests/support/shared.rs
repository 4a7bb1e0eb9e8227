//! Data that lives beside the project: third-party characters and expected values.

use std::path::PathBuf;

/// A file or folder beside the project; tests that need it skip loudly where it is absent.
pub fn shared(path: &str) -> Option<PathBuf> {
    let root = match std::env::var_os("JOUNCE_SHARED") {
        Some(root) => PathBuf::from(root),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"),
    };
    let found = root.join(path);
    if found.exists() {
        return Some(found);
    }
    let why = format!("{} is not there (set JOUNCE_SHARED)", found.display());
    super::skip_loudly(super::Lacking::Shared, &why);
    None
}

/// All .glb and .gltf files below a folder beside the project, sorted.
pub fn shared_characters(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = shared(folder).into_iter().collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_character = path.extension().is_some_and(|e| e == "glb" || e == "gltf");
            if path.is_dir() {
                folders.push(path);
            } else if is_character {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
