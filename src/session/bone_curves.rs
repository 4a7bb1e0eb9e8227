//! Curves over the motion: how fast bones move, before and after each filter, and how far flesh swings. They
//! take a pass over the whole motion, so a window asks for them on a thread of its own.

use super::{Cancelled, Progress, ShowError, Staged};
use jounce_eval::curves::{CURVES_FPS, Line, Readings, Row, curve_range, end_of_clip_secs};
use jounce_eval::{EvalError, Performer};
use jounce_graph::compile::{Compiled, compile_watched};
use jounce_ir::Number;
use jounce_rig::motion::{Ending, Frames};
use std::sync::Arc;
use thiserror::Error;

/// Everything that curves are made from; a thread can keep it.
#[derive(Clone)]
pub struct CurvesAsked {
    pub bone: usize,
    staged: Arc<Staged>,
}

/// All lines of one bone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoneCurves {
    pub bone: usize,
    pub bone_name: String,
    pub times_secs: Vec<f64>,
    /// When the clip ends, if curves go on after that.
    pub end_secs: Option<f64>,
    /// False: the lines are the bone's own velocity.
    pub has_filters: bool,
    pub curves: Vec<Curve>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    pub line: Line,
    /// One per time.
    pub numbers: Vec<Number>,
}

#[derive(Debug, Error)]
pub enum CurvesError {
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    #[error("the motion is too long for curves; choose a shorter clip")]
    TooLong,
    #[error(transparent)]
    Show(#[from] ShowError),
}

impl From<EvalError> for CurvesError {
    fn from(error: EvalError) -> CurvesError {
        ShowError::from(error).into()
    }
}

/// What each line shows of each row, by row, line and time; none where the line is not of the row. `readings`
/// are of the performer's program. `before` is told the place of each time before it is looked at.
pub fn sample<E: From<EvalError>>(
    performer: &Performer,
    readings: &Readings,
    rows: &[Row],
    times_secs: &[f64],
    mut before: impl FnMut(usize) -> Result<(), E>,
) -> Result<Vec<Vec<Vec<Number>>>, E> {
    let mut numbers = vec![vec![Vec::new(); readings.lines.len()]; rows.len()];
    let (program, bound) = (performer.program(), performer.bound());
    for (place, &time_secs) in times_secs.iter().enumerate() {
        before(place)?;
        let velocities = performer.velocities(time_secs, 0.0);
        let sample = performer
            .with_moment(time_secs, |moment| readings.at(program, bound, moment, velocities))?;
        for (row, numbers) in rows.iter().zip(&mut numbers) {
            for (line, numbers) in readings.lines.iter().zip(numbers) {
                numbers.extend(sample.number(line, *row));
            }
        }
    }
    Ok(numbers)
}

impl CurvesAsked {
    /// What is played now; a bone that does not exist has no curves.
    pub fn of(staged: &Staged, bone: usize) -> Result<CurvesAsked, CurvesError> {
        Ok(CurvesAsked { bone, staged: Arc::new(staged.another()?) })
    }

    /// Slow: for the background.
    pub fn answer(&self, progress: &Progress) -> Result<BoneCurves, CurvesError> {
        let staged = &*self.staged;
        let Compiled { program, filters, .. } = compile_watched(staged.style(), staged.library());
        let performer = staged.performer().with_program(program)?;
        let readings = Readings::of_filters(performer.program(), &filters);
        let frames = self.frames()?;
        let count = frames.pose_secs.len() as f64;
        let rows = [Row::Bone(self.bone)];
        let numbers = sample(&performer, &readings, &rows, &frames.pose_secs, |place| {
            progress.set(place as f64 / count);
            Ok::<(), CurvesError>(progress.check()?)
        })?;
        let numbers = numbers.into_iter().next().unwrap_or_default();
        let curves = readings.lines.into_iter().zip(numbers);
        let curves = curves.filter(|(_, numbers)| numbers.len() == frames.pose_secs.len());
        let skeleton = &staged.character().skeleton;
        let is_there = self.bone < skeleton.bones.len();
        Ok(BoneCurves {
            bone: self.bone,
            bone_name: if is_there {
                skeleton.bone_name(self.bone).to_owned()
            } else {
                String::new()
            },
            end_secs: end_of_clip_secs(&staged.playback(), &frames.clock_secs),
            times_secs: frames.clock_secs,
            has_filters: !filters.is_empty(),
            curves: curves.map(|(line, numbers)| Curve { line, numbers }).collect(),
        })
    }

    fn frames(&self) -> Result<Frames, CurvesError> {
        let playback = self.staged.playback();
        let range = curve_range(&playback, CURVES_FPS).map_err(|_| CurvesError::TooLong)?;
        let looped = playback.ending == Ending::Loop;
        Frames::of_motion(playback.duration_secs, CURVES_FPS, looped, Some(range))
            .map_err(|_| CurvesError::TooLong)
    }
}
