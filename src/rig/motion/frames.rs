//! Which frames of a motion are made, and when each is.

use std::str::FromStr;
use thiserror::Error;

/// More frames than this are a slip of the keyboard.
pub const MOST_FRAMES: i64 = 1_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRange {
    pub first: i64,
    /// Included.
    pub last: i64,
}

#[derive(Clone, Debug, PartialEq, Error)]
#[error(
    "the clip has {count} frames at this rate, and at most {MOST_FRAMES} can be made at once; choose a shorter range, or fewer frames per second"
)]
pub struct TooManyFrames {
    pub count: f64,
}

/// Frames to bake or draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Frames {
    /// The number of the first.
    pub first: i64,
    /// How fast they follow each other; in a loop not quite what was asked for.
    pub fps: f64,
    /// When each is shown.
    pub clock_secs: Vec<f64>,
    /// Which moment of the motion each shows.
    pub pose_secs: Vec<f64>,
}

impl Frames {
    /// One moment.
    pub fn still(time_secs: f64, fps: f64) -> Frames {
        let first = (time_secs * fps).round() as i64;
        Frames { first, fps, clock_secs: vec![time_secs], pose_secs: vec![time_secs] }
    }

    /// A range of frames, or all of a motion.
    pub fn of_motion(
        duration_secs: f64,
        fps: f64,
        looped: bool,
        range: Option<FrameRange>,
    ) -> Result<Frames, TooManyFrames> {
        let is_loop = looped && duration_secs > 0.0;
        // A loop has a whole number of frames, so its frames may be a little longer or shorter.
        let loop_frames = (duration_secs * fps).round().max(1.0);
        let fps = if is_loop { loop_frames / duration_secs } else { fps };
        // Keys are stored in single precision: a last key at frame 49.99999 is at frame 50.
        let last = if is_loop { loop_frames - 1.0 } else { (duration_secs * fps + 1e-3).floor() };
        if range.is_none() && last >= MOST_FRAMES as f64 {
            return Err(TooManyFrames { count: last });
        }
        let range = range.unwrap_or(FrameRange { first: 0, last: last as i64 });
        let frames = (range.first..=range.last).map(|frame| frame as f64);
        // Frames, not seconds, go round the loop: a rounded second could fall short of the seam.
        let in_round = |frame: f64| if is_loop { frame.rem_euclid(loop_frames) } else { frame };
        Ok(Frames {
            first: range.first,
            fps,
            clock_secs: frames.clone().map(|frame| frame / fps).collect(),
            pose_secs: frames.map(|frame| in_round(frame) / fps).collect(),
        })
    }
}

impl FromStr for FrameRange {
    type Err = String;

    fn from_str(text: &str) -> Result<FrameRange, String> {
        let wrong = || format!("\"{text}\" is not a range of frames; write it as 0..24");
        let (first, last) = text.split_once("..").ok_or_else(wrong)?;
        let number = |text: &str| i64::from_str(text.trim()).map_err(|_| wrong());
        let range = FrameRange { first: number(first)?, last: number(last)? };
        if range.last < range.first {
            return Err(format!("{text} ends before it begins"));
        }
        let count = range.last.checked_sub(range.first);
        if count.is_none_or(|count| count >= MOST_FRAMES) {
            return Err(format!("{text} has more than {MOST_FRAMES} frames"));
        }
        Ok(range)
    }
}
