//! Curves of one bone over the motion: the lines that `jounce curves` draws, for a window. They take a pass
//! over the whole motion, so a window asks for them on a thread of its own.

use super::{Cancelled, Progress, Session, Show, ShowError};
use crate::compile::{Compiled, compile_watched};
use crate::eval::curves::{CURVES_FPS, Line, Readings, Row, curve_range, end_of_clip_secs};
use crate::eval::performance::OwnedPlayer;
use crate::eval::{
    Bound, EvalError, Moment, MomentParts, Parameters, Played, PlayedMotion, Stepped, Timeline,
};
use crate::graph::{CharacterSettings, Style};
use crate::ir::Number;
use crate::motion::{Ending, Frames, Playback};
use crate::rig::{Character, CharacterError, Clip};
use crate::script::Library;
use std::sync::Arc;
use thiserror::Error;

/// Everything that curves are made from; a thread can keep it.
#[derive(Clone)]
pub struct CurvesAsked {
    pub bone: usize,
    style: Style,
    library: Library,
    character: Arc<Character>,
    settings: CharacterSettings,
    clip: Arc<Clip>,
    playback: Playback,
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

impl From<CharacterError> for CurvesError {
    fn from(error: CharacterError) -> CurvesError {
        ShowError::from(error).into()
    }
}

impl CurvesAsked {
    /// What the show plays now; a bone that there is not has no curves.
    pub fn of(session: &Session, show: &Show, bone: usize) -> CurvesAsked {
        CurvesAsked {
            bone,
            style: session.document().style.clone(),
            library: session.library().clone(),
            character: show.character().clone(),
            settings: session.character_settings(),
            clip: show.clip().clone(),
            playback: show.playback(),
        }
    }

    /// Slow: for the background.
    pub fn answer(&self, progress: &Progress) -> Result<BoneCurves, CurvesError> {
        let Compiled { program, filters, .. } = compile_watched(&self.style, &self.library);
        let bound = Bound::new(&program, &self.character, &self.settings)?;
        let parameters = Parameters::new(&program);
        let readings = Readings::of_filters(&program, &filters);
        let played = OwnedPlayer {
            character: self.character.clone(),
            clip: self.clip.clone(),
            playback: self.playback,
        };
        let (ending, duration_secs) = (played.ending(), played.duration_secs());
        let timeline = Timeline::new(&program, &bound, ending, duration_secs)?;
        let stepped = Stepped {
            character: &self.character,
            bound: &bound,
            parameters: &parameters,
            played: &played,
            base: None,
        };
        let frames = self.frames()?;
        let mut numbers = vec![Vec::new(); readings.lines.len()];
        for (place, &time_secs) in frames.pose_secs.iter().enumerate() {
            progress.check()?;
            progress.set(place as f64 / frames.pose_secs.len() as f64);
            let player = played.player();
            let motion = PlayedMotion { player, time_secs };
            let mut moment = Moment::new(&MomentParts {
                character: &self.character,
                program: &program,
                parameters: &parameters,
                pose: &player.pose(time_secs),
                motion: &motion,
                time_secs,
                base: None,
            });
            if let Some(timeline) = &timeline {
                moment.recalled = timeline.recall(stepped, time_secs)?;
            }
            let velocities = player.velocities(time_secs, 0.0);
            let sample = readings.at(&program, &bound, &moment, velocities)?;
            for (line, numbers) in readings.lines.iter().zip(&mut numbers) {
                numbers.extend(sample.number(line, Row::Bone(self.bone)));
            }
        }
        let curves = readings.lines.into_iter().zip(numbers);
        let curves = curves.filter(|(_, numbers)| numbers.len() == frames.pose_secs.len());
        let skeleton = &self.character.skeleton;
        let is_there = self.bone < skeleton.bones.len();
        Ok(BoneCurves {
            bone: self.bone,
            bone_name: if is_there {
                skeleton.bone_name(self.bone).to_owned()
            } else {
                String::new()
            },
            end_secs: end_of_clip_secs(&self.playback, &frames.clock_secs),
            times_secs: frames.clock_secs,
            has_filters: !filters.is_empty(),
            curves: curves.map(|(line, numbers)| Curve { line, numbers }).collect(),
        })
    }

    fn frames(&self) -> Result<Frames, CurvesError> {
        let range = curve_range(&self.playback, CURVES_FPS).map_err(|_| CurvesError::TooLong)?;
        let looped = self.playback.ending == Ending::Loop;
        Frames::of_motion(self.playback.duration_secs, CURVES_FPS, looped, Some(range))
            .map_err(|_| CurvesError::TooLong)
    }
}
