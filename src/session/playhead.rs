//! Where in its motion the character is, and how it goes on.

use jounce_rig::motion::FrameRange;

/// Times are of the motion: 0 is its first frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playhead {
    pub time_secs: f64,
    pub is_playing: bool,
    /// 1 is as fast as it is; negative plays backwards.
    pub speed: f64,
    /// What is played again and again; None: all of it.
    pub range_secs: Option<(f64, f64)>,
    /// The document's.
    pub fps: f64,
}

impl Default for Playhead {
    fn default() -> Self {
        Playhead {
            time_secs: 0.0,
            is_playing: true,
            speed: 1.0,
            range_secs: None,
            fps: DEFAULT_FPS,
        }
    }
}

/// A time this close to a frame counts as that frame, in frames.
const ON_FRAME: f64 = 1e-3;
/// The rate for documents that do not set one.
pub const DEFAULT_FPS: f64 = 24.0;

/// A window that was not drawn for longer stands still meanwhile.
const LONGEST_LEAP_SECS: f64 = 0.25;

impl Playhead {
    /// Advances by some wall-clock time. A motion that does not loop stops at its end.
    pub fn advance(&mut self, wall_secs: f64, duration_secs: f64, looped: bool) {
        if !self.is_playing || !wall_secs.is_finite() {
            return;
        }
        let speed = if self.speed.is_finite() { self.speed } else { 1.0 };
        self.time_secs += wall_secs.clamp(0.0, LONGEST_LEAP_SECS) * speed;
        let (first, last) = self.range(duration_secs);
        let length = last - first;
        if (first..=last).contains(&self.time_secs) {
            return;
        }
        if length <= 0.0 {
            self.time_secs = first;
        } else if looped || self.range_secs.is_some() {
            self.time_secs = first + (self.time_secs - first).rem_euclid(length);
        } else {
            self.time_secs = self.time_secs.clamp(first, last);
            self.is_playing = false;
        }
    }

    /// From where to where it plays.
    pub fn range(&self, duration_secs: f64) -> (f64, f64) {
        let (first, last) = self.range_secs.unwrap_or((0.0, duration_secs));
        let last = last.clamp(0.0, duration_secs.max(0.0));
        (first.clamp(0.0, last), last)
    }

    /// The frames between in and out point, both included; None where all of it is played.
    pub fn frame_range(&self, duration_secs: f64, fps: f64) -> Option<FrameRange> {
        let (first, last) = self.range(duration_secs);
        if self.range_secs.is_none() || (first <= 0.0 && last >= duration_secs) {
            return None;
        }
        // A point set at a frame is that frame, whatever dividing it by a rate has made of it.
        let first = (first * fps - ON_FRAME).ceil() as i64;
        Some(FrameRange { first, last: ((last * fps + ON_FRAME).floor() as i64).max(first) })
    }

    pub fn frame(&self) -> i64 {
        (self.time_secs * self.fps).round() as i64
    }

    pub fn go_to_frame(&mut self, frame: i64, duration_secs: f64) {
        self.time_secs = (frame as f64 / self.fps).clamp(0.0, duration_secs.max(0.0));
    }

    /// Starts or stops; where it ends it starts from the other end.
    pub fn toggle(&mut self, duration_secs: f64) {
        self.is_playing = !self.is_playing;
        let (first, last) = self.range(duration_secs);
        if self.is_playing && self.speed > 0.0 && self.time_secs >= last {
            self.time_secs = first;
        } else if self.is_playing && self.speed < 0.0 && self.time_secs <= first {
            self.time_secs = last;
        }
    }

    /// Another motion is played: what lies beyond its end is brought back.
    pub fn keep_within(&mut self, duration_secs: f64) {
        self.time_secs = self.time_secs.clamp(0.0, duration_secs.max(0.0));
        // A range of which nothing is left would hold the motion still.
        let (first, last) = self.range(duration_secs);
        self.range_secs = self.range_secs.filter(|_| last > first).map(|_| (first, last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_loops_stops_and_keeps_to_its_range() {
        let mut head = Playhead { time_secs: 0.9, ..Playhead::default() };
        head.advance(0.2, 1.0, true);
        assert!((head.time_secs - 0.1).abs() < 1e-9 && head.is_playing);
        head.time_secs = 0.9;
        head.advance(0.2, 1.0, false);
        assert_eq!((head.time_secs, head.is_playing), (1.0, false));
        head.toggle(1.0);
        assert_eq!((head.time_secs, head.is_playing), (0.0, true));
        head.range_secs = Some((0.4, 0.6));
        head.advance(0.1, 1.0, false);
        assert!((0.4..=0.6).contains(&head.time_secs));
        for odd in [f64::NAN, f64::INFINITY, -1.0] {
            head.speed = odd;
            head.advance(0.1, 1.0, true);
            head.advance(odd, 1.0, true);
            assert!((0.4..=0.6).contains(&head.time_secs));
        }
        head.advance(0.1, 0.0, true);
        assert_eq!(head.time_secs, 0.0);
    }
}
