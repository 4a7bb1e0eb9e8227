//! Baked positions as Blender's Mesh Cache and others read them.
//!
//! ```text
//! PC2 (little-endian)   "POINTCACHE2\0"  i32 version = 1  i32 points  f32 start  f32 rate  i32 samples
//!                       then samples × points × 3 f32
//! MDD (big-endian)      i32 frames  i32 points  f32 seconds[frames]  then frames × points × 3 f32
//! ```
//! Positions are in the scene, Y up, in the file's units and in the order of the character's
//! vertices. No rest frame is put in front and no axis is swapped.

use crate::files::{FillError, WriteError, write_atomically};
use glam::Vec3;
use std::io::Write;
use std::path::Path;
use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheFormat {
    Pc2,
    Mdd,
}

impl CacheFormat {
    pub fn of_path(path: &Path) -> Option<CacheFormat> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "pc2" => Some(CacheFormat::Pc2),
            "mdd" => Some(CacheFormat::Mdd),
            _ => None,
        }
    }
}

pub struct CacheHeader {
    pub points: usize,
    /// The number of the first frame.
    pub start_frame: f32,
    /// One per frame.
    pub times_secs: Vec<f64>,
}

#[derive(Debug, Error)]
pub enum CacheError {
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(
        "a point cache takes up to 2147483647 {what}, this one would have {count}; bake fewer frames at a time"
    )]
    TooLarge { what: &'static str, count: usize },
    #[error("frame {frame} has {found} points where {expected} are needed")]
    PointCount { frame: usize, found: usize, expected: usize },
}

/// Asks `frame` for the positions of each frame in turn. If that fails there is no file.
pub fn write_point_cache<E: From<CacheError> + From<WriteError>>(
    path: &Path,
    format: CacheFormat,
    header: &CacheHeader,
    mut frame: impl FnMut(usize) -> Result<Vec<Vec3>, E>,
) -> Result<(), E> {
    let points = as_i32("points", header.points)?;
    let frames = as_i32("frames", header.times_secs.len())?;
    write_atomically(path, |out| {
        match format {
            CacheFormat::Pc2 => write_pc2_header(out, points, frames, header.start_frame)?,
            CacheFormat::Mdd => write_mdd_header(out, points, frames, &header.times_secs)?,
        }
        for index in 0..header.times_secs.len() {
            let positions = frame(index).map_err(FillError::Other)?;
            if positions.len() != header.points {
                let wrong = CacheError::PointCount {
                    frame: index,
                    found: positions.len(),
                    expected: header.points,
                };
                return Err(FillError::Other(wrong.into()));
            }
            write_positions(out, format, &positions)?;
        }
        Ok(())
    })
}

fn as_i32(what: &'static str, count: usize) -> Result<i32, CacheError> {
    i32::try_from(count).map_err(|_| CacheError::TooLarge { what, count })
}

fn write_pc2_header(
    out: &mut dyn Write,
    points: i32,
    frames: i32,
    start_frame: f32,
) -> std::io::Result<()> {
    let samples_per_frame: f32 = 1.0;
    out.write_all(b"POINTCACHE2\0")?;
    out.write_all(&1_i32.to_le_bytes())?;
    out.write_all(&points.to_le_bytes())?;
    out.write_all(&start_frame.to_le_bytes())?;
    out.write_all(&samples_per_frame.to_le_bytes())?;
    out.write_all(&frames.to_le_bytes())
}

fn write_mdd_header(
    out: &mut dyn Write,
    points: i32,
    frames: i32,
    times_secs: &[f64],
) -> std::io::Result<()> {
    out.write_all(&frames.to_be_bytes())?;
    out.write_all(&points.to_be_bytes())?;
    for &time_secs in times_secs {
        out.write_all(&(time_secs as f32).to_be_bytes())?;
    }
    Ok(())
}

fn write_positions(
    out: &mut dyn Write,
    format: CacheFormat,
    positions: &[Vec3],
) -> std::io::Result<()> {
    let bytes_of = match format {
        CacheFormat::Pc2 => f32::to_le_bytes,
        CacheFormat::Mdd => f32::to_be_bytes,
    };
    let mut bytes = Vec::with_capacity(positions.len() * 12);
    for position in positions {
        position.to_array().iter().for_each(|&x| bytes.extend(bytes_of(x)));
    }
    out.write_all(&bytes)
}
