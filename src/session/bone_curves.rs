//! Curves of one bone over the motion: the lines that `jounce curves` draws, for a window. They take a pass
//! over the whole motion, so a window asks for them on a thread of its own.

use super::show_copy::ShowCopy;
use super::{Cancelled, Progress, Session, Show, ShowError};
use jounce_eval::EvalError;
use jounce_eval::curves::{CURVES_FPS, Line, Readings, Row, curve_range, end_of_clip_secs};
use jounce_graph::compile::{Compiled, compile_watched};
use jounce_ir::Number;
use jounce_rig::motion::{Ending, Frames};
use thiserror::Error;

/// Everything that curves are made from; a thread can keep it.
#[derive(Clone)]
pub struct CurvesAsked {
    pub bone: usize,
    show: ShowCopy,
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

impl CurvesAsked {
    /// What the show plays now; a bone that does not exist has no curves.
    pub fn of(session: &Session, show: &Show, bone: usize) -> CurvesAsked {
        CurvesAsked { bone, show: ShowCopy::of(session, show) }
    }

    /// Slow: for the background.
    pub fn answer(&self, progress: &Progress) -> Result<BoneCurves, CurvesError> {
        let ShowCopy { style, library, character, playback, .. } = &self.show;
        let Compiled { program, filters, .. } = compile_watched(style, library);
        let performer = self.show.performer(&program)?;
        let readings = Readings::of_filters(&program, &filters);
        let frames = self.frames()?;
        let mut numbers = vec![Vec::new(); readings.lines.len()];
        for (place, &time_secs) in frames.pose_secs.iter().enumerate() {
            progress.check()?;
            progress.set(place as f64 / frames.pose_secs.len() as f64);
            let velocities = performer.player().velocities(time_secs, 0.0);
            let sample = performer.with_moment(time_secs, |moment| {
                readings.at(&program, performer.bound(), moment, velocities)
            })?;
            for (line, numbers) in readings.lines.iter().zip(&mut numbers) {
                numbers.extend(sample.number(line, Row::Bone(self.bone)));
            }
        }
        let curves = readings.lines.into_iter().zip(numbers);
        let curves = curves.filter(|(_, numbers)| numbers.len() == frames.pose_secs.len());
        let skeleton = &character.skeleton;
        let is_there = self.bone < skeleton.bones.len();
        Ok(BoneCurves {
            bone: self.bone,
            bone_name: if is_there {
                skeleton.bone_name(self.bone).to_owned()
            } else {
                String::new()
            },
            end_secs: end_of_clip_secs(playback, &frames.clock_secs),
            times_secs: frames.clock_secs,
            has_filters: !filters.is_empty(),
            curves: curves.map(|(line, numbers)| Curve { line, numbers }).collect(),
        })
    }

    fn frames(&self) -> Result<Frames, CurvesError> {
        let playback = &self.show.playback;
        let range = curve_range(playback, CURVES_FPS).map_err(|_| CurvesError::TooLong)?;
        let looped = playback.ending == Ending::Loop;
        Frames::of_motion(playback.duration_secs, CURVES_FPS, looped, Some(range))
            .map_err(|_| CurvesError::TooLong)
    }
}
