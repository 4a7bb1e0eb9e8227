//! Curves over time: what filters make of the velocities of bones, and how far flesh swings.
//!
//! ```text
//!  a watched program, its filters ─► Readings   which lines there are
//!  Readings + a moment ────────────► Sample     what each line shows of a bone or a flesh element
//! ```
//! A graph without filters has the bones' own velocities.

mod lines;

pub use lines::{Line, Reading, Side, kinds};

use super::flesh::{FleshMover, elongations, flesh_movers};
use super::{Bound, EvalError, Interpreter, Moment, Probed};
use glam::DVec3;
use jounce_ir::looking::Filter;
use jounce_ir::{Number, Program, Value};
use jounce_rig::flesh::Flesh;
use jounce_rig::motion::frames::{FrameRange, MOST_FRAMES, TooManyFrames};
use jounce_rig::motion::{BoneMotion, Ending, Playback};
use lines::{element_lines, filter_lines, velocity_lines};

/// Times per second that curves are looked at, where nobody asks for others.
pub const CURVES_FPS: f64 = 60.0;
/// After the end of a clip one more second is shown, in which filters settle.
const AFTER_THE_END_SECS: f64 = 1.0;

/// The clip and what comes after, or one round of a loop up to where it joins its beginning.
pub fn curve_range(playback: &Playback, fps: f64) -> Result<FrameRange, TooManyFrames> {
    let duration_secs = playback.duration_secs;
    let last = match playback.ending {
        Ending::Loop if duration_secs > 0.0 => (duration_secs * fps).round().max(1.0),
        _ => ((duration_secs + AFTER_THE_END_SECS) * fps + 1e-3).floor().max(1.0),
    };
    match last < MOST_FRAMES as f64 {
        true => Ok(FrameRange { first: 0, last: last as i64 }),
        false => Err(TooManyFrames { count: last }),
    }
}

/// When the clip ends, if curves go on after that.
pub fn end_of_clip_secs(playback: &Playback, times_secs: &[f64]) -> Option<f64> {
    let is_once = playback.ending == Ending::Clamp;
    let goes_on = times_secs.last().is_some_and(|last| *last > playback.duration_secs);
    (is_once && goes_on).then_some(playback.duration_secs)
}

/// What a line is a line of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    Bone(usize),
    Element(usize),
}

/// All lines that are looked at.
#[derive(Clone, Debug, Default)]
pub struct Readings {
    pub lines: Vec<Line>,
    movers: Vec<FleshMover>,
}

impl Readings {
    /// How fast bones move, without any graph.
    pub fn of_velocities() -> Readings {
        Readings { lines: velocity_lines(), movers: Vec::new() }
    }

    /// What goes into filters and comes out; where there are none, how fast bones move.
    pub fn of_filters(program: &Program, filters: &[Filter]) -> Readings {
        match filters.is_empty() {
            true => Readings::of_velocities(),
            false => Readings { lines: filter_lines(program, filters), movers: Vec::new() },
        }
    }

    /// And how far flesh elements swing.
    pub fn add_elements(&mut self, program: &Program) {
        self.movers = flesh_movers(program);
        self.lines.extend(element_lines(program, &self.movers));
    }

    /// `velocities` are those of the clip, unsmoothed.
    pub fn at<'a>(
        &self,
        program: &Program,
        bound: &'a Bound,
        moment: &Moment,
        velocities: Vec<BoneMotion>,
    ) -> Result<Sample<'a>, EvalError> {
        let value_of = |line: &Line| match line.reading {
            Reading::Value(value) => Some(value),
            _ => None,
        };
        let values: Vec<Value> = self.lines.iter().filter_map(value_of).collect();
        let probed = match values.is_empty() {
            true => Vec::new(),
            false => Interpreter::probe(program, bound, moment, &values)?,
        };
        let elongations = match self.movers.is_empty() {
            true => Vec::new(),
            false => elongations(program, &self.movers, bound, moment)?,
        };
        let probed = values.into_iter().zip(probed).collect();
        Ok(Sample { velocities, probed, elongations, flesh: &bound.flesh })
    }
}

/// Everything that lines show at one time.
pub struct Sample<'a> {
    velocities: Vec<BoneMotion>,
    /// By value.
    probed: Vec<(Value, Probed)>,
    /// By mover, then by element.
    elongations: Vec<Vec<DVec3>>,
    flesh: &'a [Flesh],
}

impl Sample<'_> {
    /// None where the line is not of the row.
    pub fn number(&self, line: &Line, row: Row) -> Option<Number> {
        let probed = |value: Value| self.probed.iter().find(|(known, _)| *known == value);
        match (line.reading, row) {
            (Reading::Velocity { is_angular }, Row::Bone(bone)) => {
                let motion = self.velocities.get(bone)?;
                Some(Number::Vec3(if is_angular { motion.angular } else { motion.linear }))
            }
            (Reading::Value(value), Row::Bone(bone)) => match &probed(value)?.1 {
                Probed::Bones(all) => all.get(bone).copied(),
                Probed::Frame(number) => Some(*number),
                _ => None,
            },
            (Reading::Elongation { mover }, Row::Element(element)) => {
                Some(Number::Vec3(*self.elongations.get(mover)?.get(element)?))
            }
            (Reading::Reach, Row::Element(element)) => {
                Some(Number::Float(self.flesh.get(element)?.reach))
            }
            _ => None,
        }
    }
}

/// A vector's length; of a float the number itself, which may be below 0.
pub fn magnitude(number: Number) -> f64 {
    match number {
        Number::Float(x) => x,
        Number::Vec3(v) => v.length(),
        Number::Bool(is_true) => f64::from(u8::from(is_true)),
    }
}
