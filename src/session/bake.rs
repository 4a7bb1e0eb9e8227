//! A session's motion as a point cache.

use super::{Cancelled, Progress, Session, Show, ShowError};
use jounce_eval::EvalError;
use jounce_export::point_cache::CacheError;
use jounce_export::{CacheFormat, CacheHeader, WriteError, write_point_cache};
use jounce_graph::document::{Command, MotionSettings};
use jounce_rig::motion::{FrameRange, Frames, TooManyFrames};
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Clone, Debug, PartialEq)]
pub struct BakeOrder {
    pub path: PathBuf,
    pub fps: f64,
    pub looped: bool,
    /// None: all of the motion.
    pub range: Option<FrameRange>,
}

#[derive(Debug, Error)]
pub enum BakeError {
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    #[error("{} must end in .pc2 or .mdd; choose another name", .0.display())]
    Ending(PathBuf),
    #[error(transparent)]
    TooManyFrames(#[from] TooManyFrames),
    #[error(transparent)]
    Cache(#[from] CacheError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Show(#[from] ShowError),
    #[error(transparent)]
    Eval(#[from] EvalError),
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baked {
    pub frames: usize,
    pub points: usize,
}

/// Slow: for the background. Given up or failed, it leaves no file.
pub fn bake(session: &Session, order: &BakeOrder, progress: &Progress) -> Result<Baked, BakeError> {
    let format = format_of(&order.path)?;
    let mut session = session.snapshot();
    let motion = session.document().motion.clone();
    let motion = MotionSettings { looped: order.looped, ..motion };
    session.perform("Bake", Command::SetMotion(motion));
    let show = Show::new(&session)?;
    let frames = Frames::of_motion(show.duration_secs(), order.fps, order.looped, order.range)?;
    let header = CacheHeader {
        points: show.character().vertex_count(),
        start_frame: frames.first as f32,
        times_secs: frames.clock_secs,
    };
    let count = frames.pose_secs.len();
    write_point_cache(&order.path, format, &header, |frame, positions| {
        progress.check()?;
        progress.set(frame as f64 / count as f64);
        Ok::<_, BakeError>(show.performer().positions_into(frames.pose_secs[frame], positions)?)
    })?;
    Ok(Baked { frames: count, points: header.points })
}

fn format_of(path: &Path) -> Result<CacheFormat, BakeError> {
    CacheFormat::of_path(path).ok_or_else(|| BakeError::Ending(path.to_owned()))
}
