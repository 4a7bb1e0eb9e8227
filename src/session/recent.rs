//! The files that were open lately, newest first, kept in a small file of their own.

use super::paths::StoredPath;
use jounce_base::reading::read_file;
use jounce_files::{WriteError, is_same_place, write_atomically};
use std::path::{Path, PathBuf};

const MOST: usize = 10;
const LARGEST_LIST_BYTES: u64 = 1 << 20;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecentFiles {
    /// None: kept only while the program runs.
    list: Option<PathBuf>,
    files: Vec<PathBuf>,
}

impl RecentFiles {
    /// Reads the list of a folder. A list that cannot be read is an empty one.
    pub fn of_folder(folder: &Path) -> RecentFiles {
        let list = folder.join("recent.json");
        let text = read_file(&list, LARGEST_LIST_BYTES).unwrap_or_default();
        let stored: Vec<StoredPath> = serde_json::from_slice(&text).unwrap_or_default();
        let files = stored.into_iter().take(MOST).map(StoredPath::path).collect();
        RecentFiles { list: Some(list), files }
    }

    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Puts a file in front. Another window may have added some meanwhile: the list is read again.
    pub fn add(&mut self, file: &Path) -> Result<(), WriteError> {
        if let Some(folder) = self.list.as_deref().and_then(Path::parent) {
            *self = RecentFiles::of_folder(folder);
        }
        let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        self.files.retain(|known| !is_same_place(known, &file));
        self.files.insert(0, file);
        self.files.truncate(MOST);
        self.write()
    }

    pub fn clear(&mut self) -> Result<(), WriteError> {
        self.files.clear();
        self.write()
    }

    fn write(&self) -> Result<(), WriteError> {
        let Some(list) = &self.list else { return Ok(()) };
        if let Some(folder) = list.parent() {
            // If that fails, writing says so.
            let _ = std::fs::create_dir_all(folder);
        }
        let stored: Vec<StoredPath> = self.files.iter().map(|file| StoredPath::of(file)).collect();
        let text = serde_json::to_string_pretty(&stored).unwrap_or_default();
        write_atomically::<WriteError>(list, |out| Ok(out.write_all(text.as_bytes())?))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn a_path_that_is_no_text_stands_beside_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let mut recent = RecentFiles::of_folder(folder.path());
        let odd = Path::new(OsStr::from_bytes(b"/tmp/caf\xe9.jounce"));
        for file in [Path::new("/tmp/a.jounce"), odd, Path::new("/tmp/b.jounce")] {
            recent.add(file).unwrap();
        }
        let expected = [Path::new("/tmp/b.jounce"), odd, Path::new("/tmp/a.jounce")];
        assert_eq!(RecentFiles::of_folder(folder.path()).files(), expected);
    }
}
