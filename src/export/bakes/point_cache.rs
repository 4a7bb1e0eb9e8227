//! Files that hold a head and then nothing but the positions of all frames, so that parts of a bake can be
//! joined by their bytes.

use super::{BakeFileError, BakeSubject, BakeWriter, JoinError};
use glam::Vec3;
use jounce_base::reading::{ReadError, open_file};
use jounce_files::{FileBeingWritten, FillError};
use jounce_rig::Skinned;
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq)]
pub struct CacheHeader {
    pub points: usize,
    /// The number of the first frame. MDD does not keep it.
    pub start_frame: f32,
    /// One per frame. PC2 keeps only how many there are.
    pub times_secs: Vec<f64>,
}

impl CacheHeader {
    pub fn of(subject: &BakeSubject) -> CacheHeader {
        CacheHeader {
            points: subject.character.vertex_count(),
            start_frame: subject.frames.first as f32,
            times_secs: subject.frames.clock_secs.clone(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    LittleEndian,
    BigEndian,
}

/// What is particular to one kind of them.
pub trait PointCache: Sync {
    /// Of all its numbers.
    fn byte_order(&self) -> ByteOrder;

    /// Everything before the positions.
    fn header_bytes(&self, header: &CacheHeader) -> Result<Vec<u8>, BakeFileError>;

    /// Reads the header of a file of that length.
    fn read_header(&self, file: &mut dyn Read, length: u64) -> Result<CacheHeader, HeaderError>;

    /// What parts are sorted by. A header that was read has a frame.
    fn place(&self, header: &CacheHeader) -> f64;

    /// The same in words.
    fn begins(&self, header: &CacheHeader) -> String;

    /// Does each of the sorted parts begin where the one before ends?
    fn check_sequence(&self, parts: &[CacheReader]) -> Result<(), JoinError>;
}

/// Writes any of them: the head, then positions.
pub struct CacheWriter(pub &'static dyn PointCache);

impl BakeWriter for CacheWriter {
    fn begin(
        &mut self,
        out: &mut dyn FileBeingWritten,
        subject: &BakeSubject,
    ) -> Result<(), FillError<BakeFileError>> {
        let head = self.0.header_bytes(&CacheHeader::of(subject)).map_err(FillError::Other)?;
        Ok(out.write_all(&head)?)
    }

    fn frame(
        &mut self,
        out: &mut dyn FileBeingWritten,
        frame: &mut Skinned,
    ) -> std::io::Result<()> {
        write_positions(out, &mut frame.positions, self.0.byte_order())
    }
}

/// A cache that is there: its header was read, what comes next are positions.
pub struct CacheReader {
    pub path: PathBuf,
    pub header: CacheHeader,
    positions: BufReader<File>,
}

impl CacheReader {
    /// The length of the file must be what its header says.
    pub fn open(path: &Path, cache: &dyn PointCache) -> Result<CacheReader, BakeFileError> {
        let failed = |source| BakeFileError::Read { path: path.to_owned(), source };
        let (file, length) = open_file(path).map_err(failed)?;
        let mut file = BufReader::with_capacity(1 << 20, file);
        match cache.read_header(&mut file, length) {
            Ok(header) => Ok(CacheReader { path: path.to_owned(), header, positions: file }),
            Err(HeaderError::Read(source)) => Err(failed(ReadError::Failed(source))),
            Err(HeaderError::Wrong(why)) => {
                Err(BakeFileError::NoCache { path: path.to_owned(), why })
            }
        }
    }

    /// Copies all positions as they are.
    pub fn copy_positions<E: From<BakeFileError>>(
        mut self,
        out: &mut dyn Write,
    ) -> Result<(), FillError<E>> {
        let mut frame = vec![0; 12 * self.header.points];
        for _ in &self.header.times_secs {
            let read = self.positions.read_exact(&mut frame);
            read.map_err(|error| {
                let source = ReadError::Failed(error);
                FillError::Other(BakeFileError::Read { path: self.path.clone(), source }.into())
            })?;
            out.write_all(&frame)?;
        }
        Ok(())
    }
}

pub enum HeaderError {
    Read(std::io::Error),
    Wrong(String),
}

impl From<std::io::Error> for HeaderError {
    fn from(error: std::io::Error) -> HeaderError {
        match error.kind() {
            std::io::ErrorKind::UnexpectedEof => HeaderError::Wrong("it ends early".to_owned()),
            _ => HeaderError::Read(error),
        }
    }
}

/// Points and frames, if a file of this length holds as many behind its head.
pub fn counts(
    points: i32,
    frames: i32,
    length: u64,
    head: u64,
) -> Result<(usize, usize), HeaderError> {
    let (Ok(points), Ok(frames)) = (usize::try_from(points), usize::try_from(frames)) else {
        return Err(HeaderError::Wrong("its number of points or frames is negative".to_owned()));
    };
    let expected = u128::from(head) + 12 * points as u128 * frames as u128;
    if expected != u128::from(length) {
        let why = format!("its header says {expected} bytes, but it has {length}");
        return Err(HeaderError::Wrong(why));
    }
    // Without points any number of frames would fit into any file.
    if points == 0 || frames == 0 {
        return Err(HeaderError::Wrong("it is empty".to_owned()));
    }
    Ok((points, frames))
}

pub fn as_i32(what: &'static str, count: usize) -> Result<i32, BakeFileError> {
    i32::try_from(count).map_err(|_| BakeFileError::TooLarge { what, count })
}

/// Leaves the list as it was written: with its bytes swapped, if so.
fn write_positions(
    out: &mut dyn FileBeingWritten,
    positions: &mut [Vec3],
    order: ByteOrder,
) -> std::io::Result<()> {
    let is_own = match order {
        ByteOrder::LittleEndian => cfg!(target_endian = "little"),
        ByteOrder::BigEndian => cfg!(target_endian = "big"),
    };
    if !is_own {
        let words: &mut [u32] = bytemuck::cast_slice_mut(positions);
        words.iter_mut().for_each(|word| *word = word.swap_bytes());
    }
    out.write_all(bytemuck::cast_slice(positions))
}
