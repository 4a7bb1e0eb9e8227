//! Bakes of ranges of frames that follow each other → one.

use super::point_cache::{CacheHeader, CacheReader};
use super::{BakeFileError, BakeFormat};
use jounce_files::{FillError, WriteError, write_atomically};
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum JoinError {
    #[error(transparent)]
    File(#[from] BakeFileError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("{0} files cannot be joined; bake all frames at once")]
    Format(&'static str),
    #[error("there is nothing to join; give at least one part of a bake")]
    Nothing,
    #[error(
        "{} has {points} points and {} has {others}; all parts must be of one character",
        path.display(), other.display()
    )]
    Points { path: PathBuf, points: usize, other: PathBuf, others: usize },
    #[error(
        "{} has {fps:.3} frames per second and {} has {others:.3}; bake all parts with one --fps",
        path.display(), other.display()
    )]
    Rates { path: PathBuf, fps: f64, other: PathBuf, others: f64 },
    #[error(
        "{missing} between {} and {}; bake them too, and join all parts",
        before.display(), after.display()
    )]
    Gap { missing: String, before: PathBuf, after: PathBuf },
    #[error(
        "{twice} both in {} and in {}; leave one of them out, or bake ranges that do not overlap",
        before.display(), after.display()
    )]
    Overlap { twice: String, before: PathBuf, after: PathBuf },
}

/// What was written.
#[derive(Debug)]
pub struct Joined {
    pub frames: usize,
    pub points: usize,
    /// In what the format counts: "from frame 3", "from 0.125 s".
    pub begins: String,
}

/// Parts may come in any order. The result is what one bake of all frames would have written.
pub fn join_bakes(
    parts: &[PathBuf],
    path: &Path,
    format: &BakeFormat,
) -> Result<Joined, JoinError> {
    let Some(cache) = format.point_cache else {
        return Err(JoinError::Format(format.ending));
    };
    let opened: Result<Vec<_>, _> =
        parts.iter().map(|part| CacheReader::open(part, cache)).collect();
    let mut parts = opened?;
    parts.sort_by(|a, b| cache.place(&a.header).total_cmp(&cache.place(&b.header)));
    let Some(first) = parts.first() else {
        return Err(JoinError::Nothing);
    };
    for part in &parts {
        let (points, others) = (part.header.points, first.header.points);
        if points != others {
            let (path, other) = (part.path.clone(), first.path.clone());
            return Err(JoinError::Points { path, points, other, others });
        }
    }
    cache.check_sequence(&parts)?;
    let header = CacheHeader {
        points: first.header.points,
        start_frame: first.header.start_frame,
        times_secs: parts.iter().flat_map(|part| part.header.times_secs.clone()).collect(),
    };
    let head = cache.header_bytes(&header)?;
    write_atomically(path, |out| {
        out.write_all(&head)?;
        for part in parts {
            part.copy_positions(out)?;
        }
        Ok::<(), FillError<JoinError>>(())
    })?;
    let (frames, points) = (header.times_secs.len(), header.points);
    Ok(Joined { frames, points, begins: cache.begins(&header) })
}
