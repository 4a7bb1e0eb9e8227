//! Answers at once while sliders move.
//!
//! With other sliders all of the past would have been other. Playing does not wait for that: it goes on
//! from what is remembered now, while the past is computed anew in the background; when it is there it is
//! swapped in, and from then on the answers are those of a [`Timeline`] that always had these sliders.

use super::memory::Recalled;
use super::timeline::{OnGrid, Played, Stepped, Timeline};
use super::{Bound, EvalError, Motion, Parameters};
use jounce_ir::Program;
use jounce_rig::motion::{Ending, Playback, Player};
use jounce_rig::{Character, Clip, Pose};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// Playing goes on from the present over no longer a gap than this; what is further away is shown as it
/// was, until it is computed anew.
const LONGEST_GAP_STEPS: i64 = 480;

/// A clip on a character, which background work can keep.
#[derive(Clone)]
pub struct OwnedPlayer {
    pub character: Arc<Character>,
    pub clip: Arc<Clip>,
    pub playback: Playback,
}

impl OwnedPlayer {
    pub fn player(&self) -> Player<'_> {
        Player { character: &self.character, clip: &self.clip, playback: self.playback }
    }
}

impl Played for OwnedPlayer {
    fn at(&self, time_secs: f64, work: &mut dyn FnMut(&Pose, &dyn Motion)) {
        self.player().at(time_secs, work);
    }

    fn ending(&self) -> Ending {
        self.playback.ending
    }

    fn duration_secs(&self) -> f64 {
        self.playback.duration_secs
    }

    fn end_pose(&self) -> Option<Pose> {
        self.player().end_pose()
    }
}

/// What the background shares with the foreground.
struct Shared {
    program: Program,
    bound: Bound,
    player: OwnedPlayer,
}

impl Shared {
    fn stepped<'a>(&'a self, parameters: &'a Parameters) -> Stepped<'a> {
        let (character, bound) = (&*self.player.character, &self.bound);
        Stepped { character, bound, parameters, played: &self.player, base: None }
    }

    fn timeline(&self) -> Result<Option<Timeline>, EvalError> {
        let (ending, duration_secs) = (self.player.ending(), self.player.duration_secs());
        Timeline::new(&self.program, &self.bound, ending, duration_secs)
    }
}

pub struct Performance {
    shared: Arc<Shared>,
    ready: Ready,
    /// What was shown last: playing goes on from there.
    present: Option<Recalled>,
    pending: Option<Pending>,
    /// Sliders whose past cannot be computed, and why.
    failed: Option<(Parameters, EvalError)>,
    latest_secs: f64,
}

/// Sliders whose past is known.
struct Ready {
    parameters: Parameters,
    timeline: Timeline,
}

struct Pending {
    parameters: Parameters,
    is_cancelled: Arc<AtomicBool>,
    /// Until its result is taken.
    worker: Option<JoinHandle<Result<Option<Timeline>, EvalError>>>,
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }
}

impl Performance {
    /// None where the program remembers nothing.
    pub fn new(
        program: Program,
        bound: Bound,
        player: OwnedPlayer,
        parameters: Parameters,
    ) -> Result<Option<Performance>, EvalError> {
        let shared = Shared { program, bound, player };
        let Some(timeline) = shared.timeline()? else {
            return Ok(None);
        };
        Ok(Some(Performance {
            shared: Arc::new(shared),
            ready: Ready { parameters, timeline },
            present: None,
            pending: None,
            failed: None,
            latest_secs: 0.0,
        }))
    }

    /// What is shown at a time with these sliders: exactly, or as near as can be had at once.
    pub fn recall(
        &mut self,
        parameters: &Parameters,
        time_secs: f64,
    ) -> Result<Recalled, EvalError> {
        if time_secs.is_finite() {
            self.latest_secs = self.latest_secs.max(time_secs);
        }
        self.swap_in();
        if let Some((with, error)) = &self.failed
            && with == parameters
        {
            return Err(error.clone());
        }
        let recalled = match self.ready.parameters == *parameters {
            true => {
                self.pending = None;
                let stepped = self.shared.stepped(parameters);
                self.ready.timeline.recall(stepped, time_secs)?
            }
            false => {
                self.prepare(parameters);
                self.go_on(parameters, time_secs)?
            }
        };
        self.present = Some(recalled.clone());
        Ok(recalled)
    }

    /// What is known of the past, and with which sliders: for many who share it.
    pub fn known(&self) -> (&Parameters, &Timeline) {
        (&self.ready.parameters, &self.ready.timeline)
    }

    /// Is the past known for these sliders, so that answers are exact?
    pub fn is_exact(&mut self, parameters: &Parameters) -> bool {
        self.swap_in();
        self.ready.parameters == *parameters
    }

    /// Takes over what the background has finished.
    fn swap_in(&mut self) {
        let is_finished = |pending: &Pending| {
            pending.worker.as_ref().is_none_or(std::thread::JoinHandle::is_finished)
        };
        let Some(mut pending) = self.pending.take_if(|pending| is_finished(pending)) else {
            return;
        };
        let parameters = pending.parameters.clone();
        match pending.worker.take().map(JoinHandle::join) {
            Some(Ok(Ok(Some(timeline)))) => self.ready = Ready { parameters, timeline },
            Some(Ok(Ok(None))) | None => {}
            Some(Ok(Err(error))) => self.failed = Some((parameters, error)),
            Some(Err(panic)) => std::panic::resume_unwind(panic),
        }
    }

    /// Begins to compute the past anew, unless that is under way.
    fn prepare(&mut self, parameters: &Parameters) {
        if self.pending.as_ref().is_some_and(|pending| pending.parameters == *parameters) {
            return;
        }
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let (shared, stop) = (self.shared.clone(), is_cancelled.clone());
        let (own, until_secs) = (parameters.clone(), self.latest_secs);
        let worker = std::thread::spawn(move || {
            let Some(timeline) = shared.timeline()? else { return Ok(None) };
            let stop = || stop.load(Ordering::Relaxed);
            let is_ready = timeline.prepare(shared.stepped(&own), until_secs, &stop)?;
            Ok(is_ready.then_some(timeline))
        });
        let (parameters, worker) = (parameters.clone(), Some(worker));
        self.pending = Some(Pending { parameters, is_cancelled, worker });
    }

    /// From what was shown last, with other sliders.
    fn go_on(&self, parameters: &Parameters, time_secs: f64) -> Result<Recalled, EvalError> {
        let grid = self.ready.timeline.grid();
        let OnGrid { step, rest_secs } = grid.find(time_secs);
        let ahead = |present: &Recalled| match grid.steps_per_round {
            Some(round) => (step - present.newest_step).rem_euclid(round),
            None => step - present.newest_step,
        };
        let near = self.present.as_ref().map(|present| (present, ahead(present)));
        match near {
            Some((present, ahead)) if (0..=LONGEST_GAP_STEPS).contains(&ahead) => {
                let stepped = self.shared.stepped(parameters);
                self.ready.timeline.go_on(stepped, present.clone(), ahead, rest_secs)
            }
            _ => {
                let stepped = self.shared.stepped(&self.ready.parameters);
                self.ready.timeline.recall(stepped, time_secs)
            }
        }
    }
}
