//! Positions over time, in files: a format is one file here, and a row in [`FORMATS`].
//!
//! ```text
//! character, frames ─► BakeWriter::begin ┐
//! positions (and normals) of each frame ─► BakeWriter::frame ─► a file that appears when all is in it
//!                      BakeWriter::finish ┘
//! ```
//! Positions are in the scene, Y up, in the file's units and in the order of the character's
//! vertices. No rest frame is put in front and no axis is swapped.

mod join;
mod mdd;
mod pc2;
mod point_cache;
mod writing;

pub use join::{JoinError, Joined, join_bakes};
pub use writing::write_bake;

use jounce_base::reading::ReadError;
use jounce_files::{FileBeingWritten, FillError, WriteError};
use jounce_rig::motion::Frames;
use jounce_rig::{Character, Skinned};
use point_cache::PointCache;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The first is the default.
pub static FORMATS: [&BakeFormat; 2] = [&pc2::FORMAT, &mdd::FORMAT];

/// A kind of file that a bake can be written to.
pub struct BakeFormat {
    /// The ending of the file's name, with the dot, in lower case.
    pub ending: &'static str,
    /// Normals beside positions; computing them takes about as long again.
    pub wants_normals: bool,
    writer: fn() -> Box<dyn BakeWriter>,
    /// Where bakes of ranges of frames can be joined into one.
    point_cache: Option<&'static dyn PointCache>,
}

/// What a format does with a bake. All frames go through one writer, in order, beside the thread that
/// computes them. Whoever goes back in the file to correct its head returns to the end of it.
pub trait BakeWriter: Send {
    /// Once, before the first frame.
    fn begin(
        &mut self,
        out: &mut dyn FileBeingWritten,
        subject: &BakeSubject,
    ) -> Result<(), FillError<BakeFileError>>;

    /// What is in the lists afterwards is nobody's concern: the next frame overwrites it. Normals are
    /// there where the format wants them.
    fn frame(&mut self, out: &mut dyn FileBeingWritten, frame: &mut Skinned)
    -> std::io::Result<()>;

    /// Once, after the last frame; not where a frame has failed, which leaves no file.
    fn finish(&mut self, _out: &mut dyn FileBeingWritten) -> std::io::Result<()> {
        Ok(())
    }
}

/// What is baked, apart from what changes with every frame.
#[derive(Clone, Copy)]
pub struct BakeSubject<'a> {
    /// Names, triangles, parts and colours.
    pub character: &'a Character,
    /// How many there are, how fast they follow each other, and when each is shown.
    pub frames: &'a Frames,
}

#[derive(Debug, Error)]
pub enum BakeFileError {
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(
        "a point cache holds at most 2147483647 {what}, and this one would have {count}; bake fewer frames at a time"
    )]
    TooLarge { what: &'static str, count: usize },
    #[error("frame {frame} has {found} {what}, but {expected} are needed")]
    Count { frame: usize, what: &'static str, found: usize, expected: usize },
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: ReadError },
    #[error("{} is not a complete point cache: {why}; bake it again", path.display())]
    NoCache { path: PathBuf, why: String },
}

impl BakeFormat {
    /// By the ending of a file's name.
    pub fn of_path(path: &Path) -> Option<&'static BakeFormat> {
        let ending = path.extension()?.to_str()?;
        let is_it = |format: &&BakeFormat| format.ending[1..].eq_ignore_ascii_case(ending);
        FORMATS.into_iter().find(is_it)
    }

    /// Can bakes of ranges of frames be joined into one?
    pub fn can_be_joined(&self) -> bool {
        self.point_cache.is_some()
    }
}

impl PartialEq for BakeFormat {
    fn eq(&self, other: &BakeFormat) -> bool {
        self.ending == other.ending
    }
}

/// The endings as a choice: ".pc2 or .mdd".
pub fn endings_text(formats: &[&BakeFormat]) -> String {
    let endings: Vec<&str> = formats.iter().map(|format| format.ending).collect();
    match endings.as_slice() {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => endings.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_known_by_its_ending() {
        let of = |name: &str| BakeFormat::of_path(Path::new(name)).map(|format| format.ending);
        assert_eq!(of("a.b/c.PC2"), Some(".pc2"));
        assert_eq!(of("c.mdd"), Some(".mdd"));
        assert_eq!((of("mdd"), of(".pc2"), of("c.obj")), (None, None, None));
        assert_eq!(endings_text(&FORMATS), ".pc2 or .mdd");
        assert_eq!(endings_text(&FORMATS[..1]), ".pc2");
    }
}
