//! PC2, as Blender's Mesh Cache and others read it.
//!
//! ```text
//! little-endian   "POINTCACHE2\0"  i32 version = 1  i32 points  f32 start  f32 rate  i32 samples
//!                 then samples × points × 3 f32
//! ```

use super::point_cache::{
    ByteOrder, CacheHeader, CacheReader, CacheWriter, HeaderError, PointCache, as_i32, counts,
};
use super::{BakeFileError, BakeFormat, JoinError};
use std::io::Read;

pub static FORMAT: BakeFormat = BakeFormat {
    ending: ".pc2",
    wants_normals: false,
    writer: || Box::new(CacheWriter(&Pc2)),
    point_cache: Some(&Pc2),
};

struct Pc2;

const NAME: &[u8; 12] = b"POINTCACHE2\0";
const VERSION: i32 = 1;
const SAMPLES_PER_FRAME: f32 = 1.0;

impl PointCache for Pc2 {
    fn byte_order(&self) -> ByteOrder {
        ByteOrder::LittleEndian
    }

    fn header_bytes(&self, header: &CacheHeader) -> Result<Vec<u8>, BakeFileError> {
        let points = as_i32("points", header.points)?;
        let frames = as_i32("frames", header.times_secs.len())?;
        let mut bytes = NAME.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(points.to_le_bytes());
        bytes.extend(header.start_frame.to_le_bytes());
        bytes.extend(SAMPLES_PER_FRAME.to_le_bytes());
        bytes.extend(frames.to_le_bytes());
        Ok(bytes)
    }

    fn read_header(&self, file: &mut dyn Read, length: u64) -> Result<CacheHeader, HeaderError> {
        let mut words = [[0; 4]; 8];
        words.iter_mut().try_for_each(|word| file.read_exact(word))?;
        let [name @ .., version, points, start_frame, rate, frames] = words;
        if name.concat() != NAME || i32::from_le_bytes(version) != VERSION {
            return Err(HeaderError::Wrong("it does not begin like a PC2 file".to_owned()));
        }
        let rate = f32::from_le_bytes(rate);
        if rate != SAMPLES_PER_FRAME {
            let why = format!("it has {rate} samples per frame, but Jounce bakes one");
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

    fn place(&self, header: &CacheHeader) -> f64 {
        f64::from(header.start_frame)
    }

    fn begins(&self, header: &CacheHeader) -> String {
        format!("from frame {}", header.start_frame)
    }

    /// It knows the number of its first frame.
    fn check_sequence(&self, parts: &[CacheReader]) -> Result<(), JoinError> {
        for (part, next) in parts.iter().zip(parts.iter().skip(1)) {
            let end = f64::from(part.header.start_frame) + part.header.times_secs.len() as f64;
            let begin = f64::from(next.header.start_frame);
            if begin == end {
                continue;
            }
            let (before, after) = (part.path.clone(), next.path.clone());
            if begin > end {
                let missing = match begin - end {
                    1.0 => format!("frame {end} is missing"),
                    _ => format!("frames {end} to {} are missing", begin - 1.0),
                };
                return Err(JoinError::Gap { missing, before, after });
            }
            let last = (begin + next.header.times_secs.len() as f64).min(end) - 1.0;
            let twice = match last - begin {
                0.0 => format!("frame {begin} is"),
                _ => format!("frames {begin} to {last} are"),
            };
            return Err(JoinError::Overlap { twice, before, after });
        }
        Ok(())
    }
}
