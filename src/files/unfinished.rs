//! Files that are being written, under names of their own until they are whole.
//!
//! ```text
//! .jounce-XXXXXXXXXXXX.unfinished    locked by the process that writes it
//! ```
//! They go away when writing fails, when a signal ends the program ([`remove_unfinished`]), and when
//! another file is written beside one whose process was killed. Whether a process still writes is told by
//! the lock: it ends with its process, however that ends. The number of a process would mean nothing on
//! another computer that writes to the same folder, and an age would spare what was killed just now or take
//! away what is written slowly. Where a file system has no locks, nothing is taken away.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Error, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

const PREFIX: &str = ".jounce-";
const SUFFIX: &str = ".unfinished";
const RANDOM_LETTERS: usize = 12;

/// Those of this process.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// For a program that is about to end in the middle of its work. Afterwards no file can be begun any more:
/// whoever tries waits for the end.
pub fn remove_unfinished() {
    let paths = unfinished();
    for path in paths.iter() {
        let _ = std::fs::remove_file(path);
    }
    std::mem::forget(paths);
}

pub struct Unfinished {
    /// None after it was renamed.
    file: Option<NamedTempFile<File>>,
    path: PathBuf,
}

impl Unfinished {
    /// A new file, after what was left in the folder by killed processes is gone.
    pub fn in_folder(folder: &Path) -> std::io::Result<Unfinished> {
        remove_left_behind(folder);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM_LETTERS);
        let mut failed = None;
        let begin = |path: &Path| begin(path).inspect_err(|error| failed = error.raw_os_error());
        let made = builder.make_in(folder, begin);
        // Without the name that nobody has asked for.
        let file = made.map_err(|error| failed.map_or(error, Error::from_raw_os_error))?;
        let path = absolute(file.path());
        Ok(Unfinished { file: Some(file), path })
    }

    pub fn file(&self) -> &File {
        self.named().as_file()
    }

    fn named(&self) -> &NamedTempFile<File> {
        self.file.as_ref().expect("it is there until it is renamed, which takes self")
    }

    pub fn rename_to(mut self, path: &Path) -> std::io::Result<()> {
        match self.file.take() {
            Some(file) => file.persist(path).map(|_| ()).map_err(|error| error.error),
            None => Ok(()),
        }
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file().flush()
    }
}

impl Seek for Unfinished {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.file().seek(to)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        drop(self.file.take());
        unfinished().retain(|path| *path != self.path);
    }
}

/// The folder that the process works in may change.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Known before it is there, so that no signal finds a file that nobody knows.
fn begin(path: &Path) -> std::io::Result<File> {
    let mut all = unfinished();
    let file = OpenOptions::new().write(true).create_new(true).open(path)?;
    // Another process may have found it before it was locked, and taken it for left behind.
    let is_taken = match file.try_lock() {
        Ok(()) => !path.exists(),
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(_)) => false,
    };
    if is_taken {
        return Err(ErrorKind::AlreadyExists.into());
    }
    all.push(absolute(path));
    Ok(file)
}

fn remove_left_behind(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_own_name(&entry.file_name().to_string_lossy())) {
        let path = entry.path();
        if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        // The lock is held until the file is gone: see `begin`.
        if let Ok(file) = OpenOptions::new().write(true).open(&path)
            && file.try_lock().is_ok()
        {
            let _ = std::fs::remove_file(&path);
        }
    }
}

fn is_own_name(name: &str) -> bool {
    let middle = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
    let is_letter = |c: char| c.is_ascii_alphanumeric();
    middle.is_some_and(|middle| middle.len() == RANDOM_LETTERS && middle.chars().all(is_letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_writes_any_more_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join(".jounce-abcdefghijkl.unfinished");
        let others = [".jounce-notes", ".jounce-abc.unfinished", "a.unfinished"];
        let others = others.map(|name| folder.path().join(name));
        let link = folder.path().join(".jounce-000000000000.unfinished");
        std::fs::write(&left, "half").unwrap();
        others.iter().for_each(|path| std::fs::write(path, "mine").unwrap());
        #[cfg(unix)]
        std::os::unix::fs::symlink(&others[0], &link).unwrap();
        let first = Unfinished::in_folder(folder.path()).unwrap();
        assert!(!left.exists(), "its process is gone");
        assert!(others.iter().all(|path| path.exists()) && (link.exists() || !cfg!(unix)));
        let second = Unfinished::in_folder(folder.path()).unwrap();
        assert!(first.path.exists() && second.path.exists(), "both are still written");
        let paths = [first.path.clone(), second.path.clone()];
        drop((first, second));
        assert!(paths.iter().all(|path| !path.exists()));
        assert!(unfinished().iter().all(|path| !paths.contains(path)));
    }
}
