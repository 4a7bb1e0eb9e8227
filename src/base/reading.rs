//! Reading files that anybody may have put there: regular files only, and their size before their
//! content. A pipe would wait for its other end for ever, a device may never end, and a file of
//! gigabytes is refused before a byte of it is in memory.

#![cfg_attr(
    not(test),
    expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "this is loading")
)]

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;
use thiserror::Error;

/// Why nothing was read, and what to do; goes behind "cannot read FILE: ".
#[derive(Debug, Error)]
pub enum ReadError {
    #[error("{0}; check the path, and that you may read the file")]
    Failed(std::io::Error),
    #[error("it is a folder; name a file instead")]
    Folder,
    #[error(
        "it is {what}, and only regular files are read; copy what comes out of it to a file first"
    )]
    Special { what: &'static str },
    #[error(
        "it has {bytes} bytes, and files with more than {most} are not read; check that it is the right file"
    )]
    TooLarge { bytes: u64, most: u64 },
}

impl ReadError {
    pub fn is_missing(&self) -> bool {
        matches!(self, ReadError::Failed(error) if error.kind() == std::io::ErrorKind::NotFound)
    }
}

/// Opens a regular file; also says how long it is.
pub fn open_file(path: &Path) -> Result<(File, u64), ReadError> {
    // Before opening: that alone would wait at a pipe. And again after it: the path may be another's by now.
    check_kind(&std::fs::metadata(path).map_err(ReadError::Failed)?)?;
    let file = File::open(path).map_err(ReadError::Failed)?;
    let about = file.metadata().map_err(ReadError::Failed)?;
    check_kind(&about)?;
    Ok((file, about.len()))
}

/// All bytes of a regular file that has no more than so many.
pub fn read_file(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    read_file_if(path, most, |_| Ok(()))
}

/// The same for those who can tell by the first kilobytes that a file is none of theirs.
pub fn read_file_if<E: From<ReadError>>(
    path: &Path,
    most: u64,
    accept_start: impl FnOnce(&[u8]) -> Result<(), E>,
) -> Result<Vec<u8>, E> {
    let (mut file, length) = open_file(path)?;
    let too_large = |bytes| ReadError::TooLarge { bytes, most };
    if length > most {
        return Err(too_large(length).into());
    }
    let mut bytes = Vec::new();
    let failed = |error| E::from(ReadError::Failed(error));
    (&mut file).take(START_BYTES).read_to_end(&mut bytes).map_err(failed)?;
    accept_start(&bytes)?;
    let rest = length.saturating_sub(bytes.len() as u64);
    // A length that turns out to be a lie costs time here, no abort.
    bytes.try_reserve_exact(rest as usize).map_err(|error| failed(error.into()))?;
    // One byte more than allowed is enough to see that it has grown.
    let wanted = most.saturating_sub(bytes.len() as u64).saturating_add(1);
    file.take(wanted).read_to_end(&mut bytes).map_err(failed)?;
    match bytes.len() as u64 {
        bytes if bytes > most => Err(too_large(bytes).into()),
        _ => Ok(bytes),
    }
}

/// The first bytes of a regular file, so many at most. What lies behind them is not read, however long the
/// file is.
pub fn read_start(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    let (file, length) = open_file(path)?;
    let mut bytes = Vec::new();
    // Too much to ask for is an error here, no abort.
    let reserved = bytes.try_reserve_exact(usize::try_from(length.min(most)).unwrap_or(usize::MAX));
    reserved.map_err(|error| ReadError::Failed(error.into()))?;
    file.take(most).read_to_end(&mut bytes).map_err(ReadError::Failed)?;
    Ok(bytes)
}

/// What a look at the beginning sees of a file.
const START_BYTES: u64 = 4096;

fn check_kind(about: &Metadata) -> Result<(), ReadError> {
    if about.is_file() {
        return Ok(());
    }
    if about.is_dir() {
        return Err(ReadError::Folder);
    }
    Err(ReadError::Special { what: kind_of(about) })
}

#[cfg(unix)]
fn kind_of(about: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = about.file_type();
    match kind {
        _ if kind.is_fifo() => "a pipe",
        _ if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn kind_of(_: &Metadata) -> &'static str {
    "a device or a pipe"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_a_sane_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, vec![7; 10_000]).unwrap();
        assert_eq!(read_file(&path, 10_000).unwrap(), vec![7; 10_000]);
        let error = read_file(&path, 9_999).unwrap_err().to_string();
        assert!(
            error.contains("it has 10000 bytes, and files with more than 9999 are not read"),
            "{error}"
        );
        let error = read_file(folder.path(), 10).unwrap_err().to_string();
        assert!(error.contains("it is a folder"), "{error}");
        assert!(read_file(&folder.path().join("missing"), 10).unwrap_err().is_missing());
    }

    #[test]
    fn a_file_that_begins_wrong_is_not_read_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("huge");
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        let refused = read_file_if(&path, 1 << 41, |start| {
            assert_eq!(start.len(), 4096);
            Err::<(), _>(ReadError::Folder)
        });
        assert!(matches!(refused, Err(ReadError::Folder)));
    }

    #[test]
    fn of_a_huge_file_only_what_is_wanted_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("huge");
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        let bytes = read_start(&path, 10).unwrap();
        assert_eq!((&bytes[..], bytes.capacity()), (&[0; 10][..], 10));
        std::fs::write(&path, [7; 5]).unwrap();
        assert_eq!(read_start(&path, u64::MAX).unwrap(), [7; 5]);
        assert!(matches!(read_start(folder.path(), 10), Err(ReadError::Folder)));
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_pipes_are_named() {
        let error = read_file(Path::new("/dev/zero"), 10).unwrap_err().to_string();
        assert!(error.contains("it is a device"), "{error}");
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let error = read_file(&pipe, 10).unwrap_err().to_string();
        assert!(error.contains("it is a pipe"), "{error}");
    }
}
