//! How time on the wall becomes time in the clip.

use super::sample::{AT_KEY_SECS, Side, at_key_secs};

/// What happens at the end of the clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// Stands still after the last key.
    #[default]
    Clamp,
    Loop,
}

/// What a window that reaches back beyond the start (or the last restart) of the clip finds there.
///
/// None of the three counts the jump from the clip's end to its start as motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BeforeStart {
    /// Reset: the character stood still.
    Still,
    /// Hold: it moved as it does since; the window is shortened to what there is.
    Same,
    /// Wrap: it played the end of the clip.
    Wrapped,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playback {
    pub duration_secs: f64,
    pub ending: Ending,
    pub reversed: bool,
    pub before_start: BeforeStart,
}

/// A stretch of clip time (backwards if reversed) and how often it is passed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    pub from_secs: f64,
    pub to_secs: f64,
    pub times: f64,
}

/// A moment of a clip: where its values are taken, and where and on which side its rates of change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipMoment {
    pub time_secs: f64,
    /// The same time, except at the seam of a loop, which is one moment with two times.
    pub rate_secs: f64,
    pub side: Side,
}

impl ClipMoment {
    /// For callers that want values only.
    pub fn value(time_secs: f64) -> ClipMoment {
        ClipMoment { time_secs, rate_secs: time_secs, side: Side::After }
    }
}

impl Playback {
    pub fn new(duration_secs: f64, is_looped: bool) -> Playback {
        match is_looped {
            true => Playback::looped(duration_secs),
            false => Playback::once(duration_secs),
        }
    }

    /// Plays once and stands still.
    pub fn once(duration_secs: f64) -> Playback {
        Playback {
            duration_secs,
            ending: Ending::Clamp,
            reversed: false,
            before_start: BeforeStart::Still,
        }
    }

    pub fn looped(duration_secs: f64) -> Playback {
        Playback {
            ending: Ending::Loop,
            before_start: BeforeStart::Wrapped,
            ..Playback::once(duration_secs)
        }
    }

    /// The same moment of a loop's first round.
    pub fn in_first_round_secs(&self, time_secs: f64) -> f64 {
        match self.ending {
            Ending::Loop if self.duration_secs > 0.0 => time_secs.rem_euclid(self.duration_secs),
            _ => time_secs,
        }
    }

    /// The time in the clip at which a moment of playing is. Time that is not finite is the start.
    pub fn clip_time_secs(&self, time_secs: f64) -> f64 {
        let time_secs = if time_secs.is_finite() { time_secs } else { 0.0 };
        let forward = match self.ending {
            Ending::Loop if self.duration_secs > 0.0 => time_secs.rem_euclid(self.duration_secs),
            Ending::Loop => 0.0,
            Ending::Clamp => time_secs,
        };
        if self.reversed { self.duration_secs - forward } else { forward }
    }

    /// The moment of the clip whose values and analytic rates are those at a time. Rates are taken from
    /// what comes next: in the time of the clip after a key, played backwards before it. Where nothing
    /// comes next, at the end of a clip played once, from what was; at the end of a loop, from its start.
    ///
    /// Before the start the rate is that of the start under [`BeforeStart::Same`]; else the clip stands
    /// still there.
    pub fn moment(&self, time_secs: f64) -> ClipMoment {
        let time_secs = match (self.ending, self.before_start) {
            (Ending::Clamp, BeforeStart::Same) => time_secs.max(0.0),
            _ => time_secs,
        };
        let time_secs = self.clip_time_secs(time_secs);
        let duration = self.duration_secs;
        let is_at = |secs: f64| (time_secs - secs).abs() <= at_key_secs(secs);
        let onward = if self.reversed { Side::Before } else { Side::After };
        let (rate_secs, side) = match (self.ending, self.reversed) {
            (Ending::Loop, false) if is_at(duration) => (0.0, onward),
            (Ending::Loop, true) if is_at(0.0) => (duration, onward),
            (Ending::Clamp, _) if is_at(0.0) => (time_secs, Side::After),
            (Ending::Clamp, _) if is_at(duration) => (time_secs, Side::Before),
            _ => (time_secs, onward),
        };
        ClipMoment { time_secs, rate_secs, side }
    }

    /// d(clip time)/d(time): the sign that velocities take.
    pub fn rate(&self) -> f64 {
        if self.reversed { -1.0 } else { 1.0 }
    }

    /// The clip time passed in the window [time − length, time], and the length to divide by.
    pub fn window(&self, time_secs: f64, length_secs: f64) -> (Vec<Piece>, f64) {
        let duration = self.duration_secs;
        if !(duration > 0.0) || !time_secs.is_finite() {
            return (Vec::new(), length_secs);
        }
        // In units of the clip's length: which round each end of the window is in.
        let round = match self.ending {
            Ending::Loop => (time_secs / duration).floor(),
            Ending::Clamp => 0.0,
        };
        let since_start = time_secs - round * duration;
        if length_secs <= since_start {
            return (vec![self.piece(since_start - length_secs, since_start, 1.0)], length_secs);
        }
        let this_round = self.piece(0.0, since_start, 1.0);
        match self.before_start {
            BeforeStart::Still => (vec![this_round], length_secs),
            BeforeStart::Same if since_start > AT_KEY_SECS => (vec![this_round], since_start),
            // Nothing has been passed yet, or so little that it is all rounding; the caller falls back to the analytic rate.
            BeforeStart::Same => (Vec::new(), 0.0),
            BeforeStart::Wrapped => {
                let before = length_secs - since_start.max(0.0);
                let rounds = (before / duration).floor();
                let rest = before - rounds * duration;
                let pieces = vec![
                    self.piece(duration - rest, duration, 1.0),
                    self.piece(0.0, duration, rounds),
                    this_round,
                ];
                (pieces, length_secs)
            }
        }
    }

    /// A piece of one round of playing, in clip time, without what lies outside the clip.
    fn piece(&self, from_secs: f64, to_secs: f64, times: f64) -> Piece {
        let clip_time = |forward: f64| {
            let forward = forward.clamp(0.0, self.duration_secs);
            if self.reversed { self.duration_secs - forward } else { forward }
        };
        Piece { from_secs: clip_time(from_secs), to_secs: clip_time(to_secs), times }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_repeats_and_a_reversed_one_runs_backwards() {
        let mut playback = Playback::looped(2.0);
        assert_eq!(playback.clip_time_secs(5.0), 1.0);
        assert_eq!(playback.clip_time_secs(-0.5), 1.5);
        playback.reversed = true;
        assert_eq!(playback.clip_time_secs(0.5), 1.5);
    }

    #[test]
    fn a_window_over_the_seam_is_cut_there() {
        let (pieces, length) = Playback::looped(2.0).window(4.25, 1.0);
        let passed: f64 = pieces.iter().map(|p| p.times * (p.to_secs - p.from_secs)).sum();
        assert!((passed - 1.0).abs() < 1e-12);
        assert_eq!(length, 1.0);
        assert_eq!((pieces[0].from_secs, pieces[0].to_secs), (1.25, 2.0));
    }

    #[test]
    fn a_window_longer_than_the_loop_counts_whole_rounds() {
        let (pieces, _) = Playback::looped(0.5).window(10.1, 2.0);
        let passed: f64 = pieces.iter().map(|p| p.times * (p.to_secs - p.from_secs)).sum();
        assert!((passed - 2.0).abs() < 1e-9, "{pieces:?}");
    }

    #[test]
    fn rates_are_taken_from_what_comes_next_and_at_the_end_from_what_was() {
        let sides = |playback: &Playback, time_secs: f64| {
            let moment = playback.moment(time_secs);
            (moment.rate_secs, moment.side)
        };
        for off_secs in [0.0, 1e-9, -1e-9] {
            let once = Playback::once(2.0);
            assert_eq!(sides(&once, off_secs), (off_secs, Side::After));
            assert_eq!(sides(&once, 1.0), (1.0, Side::After));
            assert_eq!(sides(&once, 2.0 + off_secs), (2.0 + off_secs, Side::Before));
            let back = Playback { reversed: true, ..once };
            assert_eq!(sides(&back, off_secs).1, Side::Before);
            assert_eq!(sides(&back, 0.5), (1.5, Side::Before));
            assert_eq!(sides(&back, 2.0 + off_secs).1, Side::After);
            let looped = Playback::looped(2.0);
            for round in [0.0, 2.0, 40.0] {
                let (rate_secs, side) = sides(&looped, round + off_secs);
                assert!(rate_secs.abs() < 1e-8 && side == Side::After, "{rate_secs} {side:?}");
                let back = Playback { reversed: true, ..looped };
                let (rate_secs, side) = sides(&back, round + off_secs);
                assert!((rate_secs - 2.0).abs() < 1e-8 && side == Side::Before, "{rate_secs}");
            }
        }
    }
}
