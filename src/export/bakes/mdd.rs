//! MDD, which knows when each frame is shown.
//!
//! ```text
//! big-endian   i32 frames  i32 points  f32 seconds[frames]  then frames × points × 3 f32
//! ```

use super::point_cache::{
    ByteOrder, CacheHeader, CacheReader, CacheWriter, HeaderError, PointCache, as_i32, counts,
};
use super::{BakeFileError, BakeFormat, JoinError};
use std::io::Read;

pub static FORMAT: BakeFormat = BakeFormat {
    ending: ".mdd",
    wants_normals: false,
    writer: || Box::new(CacheWriter(&Mdd)),
    point_cache: Some(&Mdd),
};

struct Mdd;

impl PointCache for Mdd {
    fn byte_order(&self) -> ByteOrder {
        ByteOrder::BigEndian
    }

    fn header_bytes(&self, header: &CacheHeader) -> Result<Vec<u8>, BakeFileError> {
        let points = as_i32("points", header.points)?;
        let frames = as_i32("frames", header.times_secs.len())?;
        let mut bytes = [frames.to_be_bytes(), points.to_be_bytes()].concat();
        let times = header.times_secs.iter().map(|&time_secs| time_secs as f32);
        times.for_each(|time_secs| bytes.extend(time_secs.to_be_bytes()));
        Ok(bytes)
    }

    fn read_header(&self, file: &mut dyn Read, length: u64) -> Result<CacheHeader, HeaderError> {
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
        if !times_secs.is_sorted_by(|a, b| a < b) || !times_secs.iter().all(|time| time.is_finite())
        {
            return Err(HeaderError::Wrong("the times of its frames do not increase".to_owned()));
        }
        Ok(CacheHeader { points, start_frame: 0.0, times_secs })
    }

    fn place(&self, header: &CacheHeader) -> f64 {
        header.times_secs[0]
    }

    fn begins(&self, header: &CacheHeader) -> String {
        format!("from {:.3} s", header.times_secs[0])
    }

    /// It knows when each frame is shown, rounded to single precision.
    fn check_sequence(&self, parts: &[CacheReader]) -> Result<(), JoinError> {
        let Some(step_secs) = common_step_secs(parts)? else {
            return Ok(());
        };
        for (part, next) in parts.iter().zip(parts.iter().skip(1)) {
            let (Some(&last), Some(&begin)) =
                (part.header.times_secs.last(), next.header.times_secs.first())
            else {
                continue;
            };
            let steps = ((begin - last) / step_secs).round();
            if steps == 1.0 {
                continue;
            }
            let (before, after) = (part.path.clone(), next.path.clone());
            if steps > 1.0 {
                let (from, to) = (last + step_secs, begin - step_secs);
                let missing = match steps {
                    2.0 => format!("one frame is missing, at {from:.3} s,"),
                    _ => {
                        format!("{} frames are missing, from {from:.3} to {to:.3} s,", steps - 1.0)
                    }
                };
                return Err(JoinError::Gap { missing, before, after });
            }
            let to = next.header.times_secs.last().map_or(last, |end| end.min(last));
            let twice = format!("frames from {begin:.3} to {to:.3} s are");
            return Err(JoinError::Overlap { twice, before, after });
        }
        Ok(())
    }
}

/// Seconds from frame to frame, in parts and, where all of them have one frame only, between them.
/// None where there is but one frame.
fn common_step_secs(parts: &[CacheReader]) -> Result<Option<f64>, JoinError> {
    let step_of = |times: &[f64]| match times {
        [first, .., last] => Some((last - first) / (times.len() - 1) as f64),
        _ => None,
    };
    let steps = parts.iter().filter_map(|part| Some((part, step_of(&part.header.times_secs)?)));
    // The longest is the most exact.
    let longest = steps.clone().max_by_key(|(part, _)| part.header.times_secs.len());
    let Some((longest, step_secs)) = longest else {
        let gaps = parts.iter().zip(parts.iter().skip(1));
        let gaps = gaps.map(|(a, b)| b.header.times_secs[0] - a.header.times_secs[0]);
        return Ok(gaps.filter(|gap| *gap > 0.0).min_by(f64::total_cmp));
    };
    for (part, other) in steps {
        let times = &part.header.times_secs;
        let largest = times.iter().fold(0.0, |most: f64, time| most.max(time.abs()));
        let rounding = 2.0 * f64::from(f32::EPSILON) * largest / (times.len() - 1) as f64;
        if (other - step_secs).abs() > 1e-3 * step_secs + rounding {
            let (path, other_path) = (part.path.clone(), longest.path.clone());
            let (fps, others) = (1.0 / other, 1.0 / step_secs);
            return Err(JoinError::Rates { path, fps, other: other_path, others });
        }
    }
    Ok(Some(step_secs))
}
