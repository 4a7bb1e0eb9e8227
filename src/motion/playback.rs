//! How time on the wall becomes time in the clip.

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

impl Playback {
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

    /// The time in the clip at which a moment of playing is. Time that is no number is the start.
    pub fn clip_time_secs(&self, time_secs: f64) -> f64 {
        let time_secs = if time_secs.is_finite() { time_secs } else { 0.0 };
        let forward = match self.ending {
            Ending::Loop if self.duration_secs > 0.0 => time_secs.rem_euclid(self.duration_secs),
            Ending::Loop => 0.0,
            Ending::Clamp => time_secs,
        };
        if self.reversed { self.duration_secs - forward } else { forward }
    }

    /// The time in the clip whose analytic velocity is the velocity at a moment. Before the start
    /// that is the start itself under [`BeforeStart::Same`]; else the clip stands still there.
    pub fn analytic_time_secs(&self, time_secs: f64) -> f64 {
        match (self.ending, self.before_start) {
            (Ending::Clamp, BeforeStart::Same) => self.clip_time_secs(time_secs.max(0.0)),
            _ => self.clip_time_secs(time_secs),
        }
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
            BeforeStart::Same if since_start > 0.0 => (vec![this_round], since_start),
            // Nothing has been passed yet; the caller falls back to the analytic rate.
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
}
