//! A session's motion as a file of positions.

use super::{Cancelled, Progress, Session, Show, ShowError, Staged};
use jounce_eval::EvalError;
use jounce_export::bakes::{FORMATS, endings_text};
use jounce_export::{BakeFileError, BakeFormat, BakeSubject, WriteError, write_bake};
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
    #[error("{} must end in {}; choose another name", .0.display(), endings_text(&FORMATS))]
    Ending(PathBuf),
    #[error(transparent)]
    TooManyFrames(#[from] TooManyFrames),
    #[error(transparent)]
    File(#[from] BakeFileError),
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

/// Slow: for the background. If it is cancelled or fails, it leaves no file.
pub fn bake(session: &Session, order: &BakeOrder, progress: &Progress) -> Result<Baked, BakeError> {
    let format = format_of(&order.path)?;
    let mut session = session.snapshot();
    let motion = session.document().motion.clone();
    let motion = MotionSettings { looped: order.looped, ..motion };
    session.perform("Bake", Command::SetMotion(motion));
    let show = Show::new(&session)?;
    let frames = Frames::of_motion(show.duration_secs(), order.fps, order.looped, order.range)?;
    let (count, points) = (frames.pose_secs.len(), show.character().vertex_count());
    write(&show, &frames, &order.path, format, |frame| {
        progress.set(frame as f64 / count as f64);
        Ok::<(), BakeError>(progress.check()?)
    })?;
    Ok(Baked { frames: count, points })
}

/// What is staged, frame by frame. `before` is told of each before it is made; if it or anything else fails,
/// there is no file.
pub fn write<E: From<BakeFileError> + From<WriteError> + From<EvalError>>(
    staged: &Staged,
    frames: &Frames,
    path: &Path,
    format: &BakeFormat,
    mut before: impl FnMut(usize) -> Result<(), E>,
) -> Result<(), E> {
    let subject = BakeSubject { character: staged.character(), frames };
    write_bake(path, format, subject, |frame, baked| {
        before(frame)?;
        let time_secs = frames.pose_secs[frame];
        match format.wants_normals {
            false => staged.positions_into(time_secs, &mut baked.positions)?,
            true => *baked = staged.skin(time_secs)?,
        }
        Ok::<_, E>(())
    })
}

fn format_of(path: &Path) -> Result<&'static BakeFormat, BakeError> {
    BakeFormat::of_path(path).ok_or_else(|| BakeError::Ending(path.to_owned()))
}
