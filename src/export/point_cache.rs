//! Baked positions as Blender's Mesh Cache and others read them.
//!
//! ```text
//! PC2 (little-endian)   "POINTCACHE2\0"  i32 version = 1  i32 points  f32 start  f32 rate  i32 samples
//!                       then samples × points × 3 f32
//! MDD (big-endian)      i32 frames  i32 points  f32 seconds[frames]  then frames × points × 3 f32
//! ```
//! Positions are in the scene, Y up, in the file's units and in the order of the character's
//! vertices. No rest frame is put in front and no axis is swapped.

use glam::Vec3;
use jounce_base::files::{FillError, WriteError, write_atomically};
use jounce_base::reading::{ReadError, open_file};
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheFormat {
    Pc2,
    Mdd,
}

impl CacheFormat {
    pub fn ending(self) -> &'static str {
        match self {
            CacheFormat::Pc2 => ".pc2",
            CacheFormat::Mdd => ".mdd",
        }
    }

    pub fn of_path(path: &Path) -> Option<CacheFormat> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "pc2" => Some(CacheFormat::Pc2),
            "mdd" => Some(CacheFormat::Mdd),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct CacheHeader {
    pub points: usize,
    /// The number of the first frame. MDD does not keep it.
    pub start_frame: f32,
    /// One per frame. PC2 keeps only how many there are.
    pub times_secs: Vec<f64>,
}

#[derive(Debug, Error)]
pub enum CacheError {
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(
        "a point cache holds at most 2147483647 {what}, and this one would have {count}; bake fewer frames at a time"
    )]
    TooLarge { what: &'static str, count: usize },
    #[error("frame {frame} has {found} points where {expected} are needed")]
    PointCount { frame: usize, found: usize, expected: usize },
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: ReadError },
    #[error("{} is not a complete point cache: {why}; bake it again", path.display())]
    NoCache { path: PathBuf, why: String },
}

/// Has `frame` fill a list with the positions of each frame in turn. If that fails there is no file.
pub fn write_point_cache<E: From<CacheError> + From<WriteError>>(
    path: &Path,
    format: CacheFormat,
    header: &CacheHeader,
    mut frame: impl FnMut(usize, &mut Vec<Vec3>) -> Result<(), E>,
) -> Result<(), E> {
    let head = header_bytes(format, header)?;
    let fill = |mut positions: Vec<Vec3>, index: usize| -> Result<Vec<Vec3>, E> {
        frame(index, &mut positions)?;
        let (found, expected) = (positions.len(), header.points);
        if found != expected {
            return Err(CacheError::PointCount { frame: index, found, expected }.into());
        }
        Ok(positions)
    };
    write_atomically(path, |out| {
        out.write_all(&head)?;
        write_frames(out, format, header.times_secs.len(), fill)
    })
}

/// Two lists go to and fro: while one is filled the other is written.
fn write_frames<E>(
    out: &mut (dyn Write + Send),
    format: CacheFormat,
    frames: usize,
    mut fill: impl FnMut(Vec<Vec3>, usize) -> Result<Vec<Vec3>, E>,
) -> Result<(), FillError<E>> {
    // It holds none: the filling side waits until the previous list is written.
    let (to_writer, filled) = mpsc::sync_channel::<Vec<Vec3>>(0);
    let (from_writer, written) = mpsc::channel();
    std::thread::scope(|scope| {
        let writer = scope.spawn(move || {
            for mut positions in filled {
                write_positions(out, format, &mut positions)?;
                // Nobody waits for the last.
                let _ = from_writer.send(positions);
            }
            Ok::<(), std::io::Error>(())
        });
        let make_all = move || {
            for frame in 0..frames {
                let positions = fill(written.try_recv().unwrap_or_default(), frame)?;
                // A writer that has given up says why when it is waited for.
                if to_writer.send(positions).is_err() {
                    break;
                }
            }
            // However it ends, the writer hears of it.
            drop(to_writer);
            Ok(())
        };
        let made = make_all();
        let wrote = writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        made.map_err(FillError::Other)?;
        Ok(wrote?)
    })
}

/// A cache that is there: its header was read, what comes next are positions.
pub struct CacheReader {
    pub path: PathBuf,
    pub header: CacheHeader,
    positions: BufReader<File>,
}

impl CacheReader {
    /// The length of the file must be what its header says.
    pub fn open(path: &Path, format: CacheFormat) -> Result<CacheReader, CacheError> {
        let failed = |source| CacheError::Read { path: path.to_owned(), source };
        let (file, length) = open_file(path).map_err(failed)?;
        let mut file = BufReader::with_capacity(1 << 20, file);
        let read = match format {
            CacheFormat::Pc2 => read_pc2_header(&mut file, length),
            CacheFormat::Mdd => read_mdd_header(&mut file, length),
        };
        match read {
            Ok(header) => Ok(CacheReader { path: path.to_owned(), header, positions: file }),
            Err(HeaderError::Read(source)) => Err(failed(ReadError::Failed(source))),
            Err(HeaderError::Wrong(why)) => Err(CacheError::NoCache { path: path.to_owned(), why }),
        }
    }

    /// Copies all positions as they are.
    pub fn copy_positions<E: From<CacheError>>(
        mut self,
        out: &mut dyn Write,
    ) -> Result<(), FillError<E>> {
        let mut frame = vec![0; 12 * self.header.points];
        for _ in &self.header.times_secs {
            let read = self.positions.read_exact(&mut frame);
            read.map_err(|error| {
                let source = ReadError::Failed(error);
                FillError::Other(CacheError::Read { path: self.path.clone(), source }.into())
            })?;
            out.write_all(&frame)?;
        }
        Ok(())
    }
}

enum HeaderError {
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

fn read_pc2_header(file: &mut dyn Read, length: u64) -> Result<CacheHeader, HeaderError> {
    let mut words = [[0; 4]; 8];
    words.iter_mut().try_for_each(|word| file.read_exact(word))?;
    let [name @ .., version, points, start_frame, rate, frames] = words;
    if name.concat() != PC2_NAME || i32::from_le_bytes(version) != PC2_VERSION {
        return Err(HeaderError::Wrong("it does not begin as a PC2 file does".to_owned()));
    }
    let rate = f32::from_le_bytes(rate);
    if rate != PC2_SAMPLES_PER_FRAME {
        let why = format!("it has {rate} samples per frame, where Jounce bakes one");
        return Err(HeaderError::Wrong(why));
    }
    let start_frame = f32::from_le_bytes(start_frame);
    if !start_frame.is_finite() {
        return Err(HeaderError::Wrong(format!("it starts at frame {start_frame}")));
    }
    let (points, frames) = (i32::from_le_bytes(points), i32::from_le_bytes(frames));
    let (points, frames) = counts(points, frames, length, 32)?;
    Ok(CacheHeader { points, start_frame, times_secs: vec![0.0; frames] })
}

fn read_mdd_header(file: &mut dyn Read, length: u64) -> Result<CacheHeader, HeaderError> {
    let mut words = [[0; 4]; 2];
    words.iter_mut().try_for_each(|word| file.read_exact(word))?;
    let [frames, points] = words.map(i32::from_be_bytes);
    let head = 8 + 4 * u64::try_from(frames).unwrap_or(0);
    let (points, frames) = counts(points, frames, length, head)?;
    let mut times_secs = Vec::with_capacity(frames);
    for _ in 0..frames {
        let mut word = [0; 4];
        file.read_exact(&mut word)?;
        times_secs.push(f64::from(f32::from_be_bytes(word)));
    }
    if !times_secs.is_sorted_by(|a, b| a < b) || !times_secs.iter().all(|time| time.is_finite()) {
        return Err(HeaderError::Wrong("the times of its frames do not increase".to_owned()));
    }
    Ok(CacheHeader { points, start_frame: 0.0, times_secs })
}

/// Points and frames, if a file of this length holds as many behind its head.
fn counts(points: i32, frames: i32, length: u64, head: u64) -> Result<(usize, usize), HeaderError> {
    let (Ok(points), Ok(frames)) = (usize::try_from(points), usize::try_from(frames)) else {
        return Err(HeaderError::Wrong("its number of points or frames is negative".to_owned()));
    };
    let expected = u128::from(head) + 12 * points as u128 * frames as u128;
    if expected != u128::from(length) {
        let why = format!("its header promises {expected} bytes, but it has {length}");
        return Err(HeaderError::Wrong(why));
    }
    // Without points any number of frames would fit into any file.
    if points == 0 || frames == 0 {
        return Err(HeaderError::Wrong("it is empty".to_owned()));
    }
    Ok((points, frames))
}

const PC2_NAME: &[u8; 12] = b"POINTCACHE2\0";
const PC2_VERSION: i32 = 1;
const PC2_SAMPLES_PER_FRAME: f32 = 1.0;

/// Everything before the positions.
pub(super) fn header_bytes(
    format: CacheFormat,
    header: &CacheHeader,
) -> Result<Vec<u8>, CacheError> {
    let points = as_i32("points", header.points)?;
    let frames = as_i32("frames", header.times_secs.len())?;
    Ok(match format {
        CacheFormat::Pc2 => {
            let mut bytes = PC2_NAME.to_vec();
            bytes.extend(PC2_VERSION.to_le_bytes());
            bytes.extend(points.to_le_bytes());
            bytes.extend(header.start_frame.to_le_bytes());
            bytes.extend(PC2_SAMPLES_PER_FRAME.to_le_bytes());
            bytes.extend(frames.to_le_bytes());
            bytes
        }
        CacheFormat::Mdd => {
            let mut bytes = [frames.to_be_bytes(), points.to_be_bytes()].concat();
            let times = header.times_secs.iter().map(|&time_secs| time_secs as f32);
            times.for_each(|time_secs| bytes.extend(time_secs.to_be_bytes()));
            bytes
        }
    })
}

fn as_i32(what: &'static str, count: usize) -> Result<i32, CacheError> {
    i32::try_from(count).map_err(|_| CacheError::TooLarge { what, count })
}

/// Leaves the list byte-swapped.
fn write_positions(
    out: &mut dyn Write,
    format: CacheFormat,
    positions: &mut [Vec3],
) -> std::io::Result<()> {
    let is_little = format == CacheFormat::Pc2;
    if is_little != cfg!(target_endian = "little") {
        let words: &mut [u32] = bytemuck::cast_slice_mut(positions);
        words.iter_mut().for_each(|word| *word = word.swap_bytes());
    }
    out.write_all(bytemuck::cast_slice(positions))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Error)]
    enum TestError {
        #[error(transparent)]
        Cache(#[from] CacheError),
        #[error(transparent)]
        Write(#[from] WriteError),
        #[error("no more")]
        Enough,
    }

    fn header(points: usize, frames: usize) -> CacheHeader {
        let times_secs = (0..frames).map(|frame| frame as f64).collect();
        CacheHeader { points, start_frame: 0.0, times_secs }
    }

    #[test]
    fn two_lists_go_to_and_fro_and_all_frames_come_in_order() {
        let folder = tempfile::tempdir().unwrap();
        for (format, bytes_of) in [
            (CacheFormat::Pc2, f32::to_le_bytes as fn(f32) -> [u8; 4]),
            (CacheFormat::Mdd, f32::to_be_bytes),
        ] {
            let path = folder.path().join(format!("out{}", format.ending()));
            let (header, mut lists) = (header(1000, 20), Vec::new());
            let wrote: Result<(), TestError> =
                write_point_cache(&path, format, &header, |frame, positions| {
                    positions.resize(1000, Vec3::ZERO);
                    positions.fill(Vec3::splat(frame as f32));
                    lists.push(positions.as_ptr());
                    Ok(())
                });
            wrote.unwrap();
            lists.sort();
            lists.dedup();
            assert!(lists.len() <= 2, "{} lists", lists.len());
            let expected: Vec<u8> = (0..20).flat_map(|i| bytes_of(i as f32).repeat(3000)).collect();
            let bytes = std::fs::read(&path).unwrap();
            assert!(bytes[header_bytes(format, &header).unwrap().len()..] == expected);
        }
    }

    #[test]
    fn a_frame_that_fails_ends_everything_and_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.pc2");
        let mut asked = Vec::new();
        let wrote: Result<(), TestError> =
            write_point_cache(&path, CacheFormat::Pc2, &header(3, 9), |frame, positions| {
                asked.push(frame);
                positions.resize(3, Vec3::ONE);
                if frame == 4 { Err(TestError::Enough) } else { Ok(()) }
            });
        assert!(matches!(wrote, Err(TestError::Enough)));
        assert_eq!(asked, [0, 1, 2, 3, 4]);
        let wrote: Result<(), TestError> =
            write_point_cache(&path, CacheFormat::Pc2, &header(3, 9), |_, positions| {
                positions.resize(2, Vec3::ONE);
                Ok(())
            });
        let error = wrote.unwrap_err().to_string();
        assert!(error.contains("frame 0 has 2 points where 3 are needed"), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    /// A disk that is full: what is written goes nowhere.
    #[test]
    fn a_writer_that_fails_ends_everything() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let mut asked = 0;
        let wrote = write_frames(&mut Full, CacheFormat::Pc2, 1000, |_, _| {
            asked += 1;
            Ok::<_, TestError>(vec![Vec3::ONE; 3])
        });
        assert!(matches!(wrote, Err(FillError::Write(_))));
        assert!(asked <= 3, "{asked} frames were computed for nothing");
    }
}
