//! The place of an output, and what of the file that is there already is kept.

use super::{WriteError, folder_of};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// As many links as Linux follows.
const MOST_LINKS: usize = 40;

pub struct Destination {
    /// No link.
    pub path: PathBuf,
    /// Of the file that gets replaced.
    before: Option<Metadata>,
}

impl Destination {
    /// Follows links, also those to a file that is not there yet.
    pub fn of(path: &Path) -> Result<Destination, WriteError> {
        let failed = |source| WriteError::Io { path: path.to_owned(), source };
        let real = followed(path).map_err(failed)?;
        let before = match std::fs::metadata(&real) {
            Ok(before) => before,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(Destination { path: real, before: None });
            }
            Err(error) => return Err(failed(error)),
        };
        if before.is_dir() {
            return Err(WriteError::IsFolder(path.to_owned()));
        }
        if !before.is_file() {
            return Err(WriteError::IsNoFile(path.to_owned()));
        }
        // Renaming asks the folder alone; who protects a file means it.
        OpenOptions::new().write(true).open(&real).map_err(failed)?;
        Ok(Destination { path: real, before: Some(before) })
    }

    /// Gives a new file the mode of the one before, and its owner and group as far as that is allowed:
    /// whoever could read it can go on.
    pub fn lend_to(&self, file: &File) -> std::io::Result<()> {
        let Some(before) = &self.before else { return Ok(()) };
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
            let now = file.metadata()?;
            if now.gid() != before.gid() {
                let _ = fchown(file, None, Some(before.gid()));
            }
            if now.uid() != before.uid() {
                let _ = fchown(file, Some(before.uid()), None);
            }
            // No program is written here that should run as somebody else.
            let mode = before.mode() & 0o777;
            file.set_permissions(PermissionsExt::from_mode(mode))?;
        }
        #[cfg(not(unix))]
        let _ = (before, file);
        Ok(())
    }
}

fn followed(path: &Path) -> std::io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let is_link = std::fs::symlink_metadata(&path).is_ok_and(|about| about.is_symlink());
        if !is_link {
            return Ok(path);
        }
        // An absolute path replaces the folder.
        path = folder_of(&path).join(std::fs::read_link(&path)?);
    }
    Err(Error::other("too many links lead from one to the next"))
}
