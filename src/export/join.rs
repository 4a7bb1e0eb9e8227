//! Point caches of ranges of frames that follow each other → one cache.

use super::point_cache::{CacheError, CacheFormat, CacheHeader, CacheReader, header_bytes};
use jounce_base::files::{FillError, WriteError, write_atomically};
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum JoinError {
    #[error(transparent)]
    Cache(#[from] CacheError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("there is nothing to join; give the parts of a bake")]
    Nothing,
    #[error(
        "{} has {points} points and {} has {others}; parts must be bakes of one character",
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

/// Parts may come in any order. The result is what one bake of all frames would have written.
pub fn join_point_caches(
    parts: &[PathBuf],
    path: &Path,
    format: CacheFormat,
) -> Result<CacheHeader, JoinError> {
    let opened: Result<Vec<_>, _> =
        parts.iter().map(|part| CacheReader::open(part, format)).collect();
    let mut parts = opened?;
    let first_of = |part: &CacheReader| match format {
        CacheFormat::Pc2 => f64::from(part.header.start_frame),
        CacheFormat::Mdd => part.header.times_secs[0],
    };
    parts.sort_by(|a, b| first_of(a).total_cmp(&first_of(b)));
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
    match format {
        CacheFormat::Pc2 => check_frames(&parts)?,
        CacheFormat::Mdd => check_times(&parts)?,
    }
    let header = CacheHeader {
        points: first.header.points,
        start_frame: first.header.start_frame,
        times_secs: parts.iter().flat_map(|part| part.header.times_secs.clone()).collect(),
    };
    let head = header_bytes(format, &header)?;
    write_atomically(path, |out| {
        out.write_all(&head)?;
        for part in parts {
            part.copy_positions(out)?;
        }
        Ok::<(), FillError<JoinError>>(())
    })?;
    Ok(header)
}

/// PC2 knows the number of its first frame.
fn check_frames(parts: &[CacheReader]) -> Result<(), JoinError> {
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

/// MDD knows when each frame is shown, rounded to single precision.
fn check_times(parts: &[CacheReader]) -> Result<(), JoinError> {
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
                _ => format!("{} frames are missing, from {from:.3} to {to:.3} s,", steps - 1.0),
            };
            return Err(JoinError::Gap { missing, before, after });
        }
        let to = next.header.times_secs.last().map_or(last, |end| end.min(last));
        let twice = format!("frames from {begin:.3} to {to:.3} s are");
        return Err(JoinError::Overlap { twice, before, after });
    }
    Ok(())
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
