//! What a performer remembers at a time, answered at once while sliders move.
//!
//! With other sliders all of the past would have been other. Playing does not wait for that: it goes on
//! from what is remembered now, while the past is computed anew in the background; when it is there it is
//! swapped in, and from then on the answers are those of a [`Timeline`] that always had these sliders.

use super::memory::StateSnapshot;
use super::performer::PerformerParts;
use super::timeline::{OnGrid, Timeline};
use super::{EvalError, Parameters, Playing};
use jounce_base::parallel::Background;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Playing goes on from the present over no longer a gap than this; what is further away is shown as it
/// was, until it is computed anew.
const LONGEST_GAP_STEPS: i64 = 480;

pub struct Past {
    parts: PerformerParts,
    known: Known,
    /// What was shown last: playing goes on from there.
    present: Option<StateSnapshot>,
    pending: Option<Pending>,
    /// Sliders whose past cannot be computed, and why.
    failed: Option<(Parameters, EvalError)>,
    latest_secs: f64,
}

/// Sliders whose past is known.
struct Known {
    parameters: Parameters,
    timeline: Timeline,
}

struct Pending {
    parameters: Parameters,
    is_cancelled: Arc<AtomicBool>,
    /// None once its result was taken.
    worker: Option<Background<Result<Option<Timeline>, EvalError>>>,
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }
}

impl PerformerParts {
    fn timeline(&self) -> Result<Option<Timeline>, EvalError> {
        Timeline::new(&self.program, &self.bound, &self.player())
    }

    fn recall(
        &self,
        timeline: &Timeline,
        parameters: &Parameters,
        time_secs: f64,
    ) -> Result<StateSnapshot, EvalError> {
        let played = &self.player();
        timeline.recall(Playing { setup: self.setup(), parameters, played }, time_secs)
    }
}

impl Past {
    /// None where the program remembers nothing.
    pub fn new(parts: &PerformerParts, parameters: &Parameters) -> Result<Option<Past>, EvalError> {
        let Some(timeline) = parts.timeline()? else {
            return Ok(None);
        };
        Ok(Some(Past {
            parts: parts.clone(),
            known: Known { parameters: parameters.clone(), timeline },
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
    ) -> Result<StateSnapshot, EvalError> {
        if time_secs.is_finite() {
            self.latest_secs = self.latest_secs.max(time_secs);
        }
        if self.present.is_none() {
            // Nothing was shown with other sliders: there is nothing to go on from.
            self.known.parameters = parameters.clone();
        }
        self.swap_in(parameters);
        if let Some((with, error)) = &self.failed
            && with == parameters
        {
            return Err(error.clone());
        }
        let snapshot = match self.known.parameters == *parameters {
            true => self.parts.recall(&self.known.timeline, parameters, time_secs)?,
            false => {
                self.prepare(parameters);
                self.go_on(parameters, time_secs)?
            }
        };
        self.present = Some(snapshot.clone());
        Ok(snapshot)
    }

    /// At many times, for many who share what is known: with the sliders whose past that is, which are
    /// given back. Others begin to be computed.
    pub fn recall_all(
        &mut self,
        parameters: &Parameters,
        times_secs: &[f64],
    ) -> Result<(Parameters, Vec<StateSnapshot>), EvalError> {
        if let Some(&first_secs) = times_secs.first() {
            self.recall(parameters, first_secs)?;
        }
        let Known { parameters, timeline } = &self.known;
        let recall = |&time_secs: &f64| self.parts.recall(timeline, parameters, time_secs);
        let snapshots = times_secs.iter().map(recall).collect::<Result<_, _>>()?;
        Ok((parameters.clone(), snapshots))
    }

    /// Is the past known for these sliders, so that answers are exact?
    pub fn is_exact(&mut self, parameters: &Parameters) -> bool {
        self.swap_in(parameters);
        self.known.parameters == *parameters
    }

    /// See [`Timeline::has_seam`].
    pub fn has_seam(&self) -> bool {
        self.known.timeline.has_seam()
    }

    /// Takes over what the background has finished for these sliders. What it does for others, who have
    /// gone back since, is dropped.
    fn swap_in(&mut self, parameters: &Parameters) {
        if self.known.parameters == *parameters {
            self.pending = None;
        }
        let is_finished = |pending: &Pending| {
            pending.parameters == *parameters
                && pending.worker.as_ref().is_none_or(Background::is_finished)
        };
        let Some(mut pending) = self.pending.take_if(|pending| is_finished(pending)) else {
            return;
        };
        let parameters = pending.parameters.clone();
        match pending.worker.take().map(Background::finish) {
            Some(Ok(Some(timeline))) => self.known = Known { parameters, timeline },
            Some(Ok(None)) | None => {}
            Some(Err(error)) => self.failed = Some((parameters, error)),
        }
    }

    /// Begins to compute the past anew, unless that is under way.
    fn prepare(&mut self, parameters: &Parameters) {
        if self.pending.as_ref().is_some_and(|pending| pending.parameters == *parameters) {
            return;
        }
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let (parts, stop) = (self.parts.clone(), is_cancelled.clone());
        let (own, until_secs) = (parameters.clone(), self.latest_secs);
        let worker = Background::begin(move || {
            let Some(timeline) = parts.timeline()? else { return Ok(None) };
            let stop = || stop.load(Ordering::Relaxed);
            let played = &parts.player();
            let playing = Playing { setup: parts.setup(), parameters: &own, played };
            let is_ready = timeline.prepare(playing, until_secs, &stop)?;
            Ok(is_ready.then_some(timeline))
        });
        let (parameters, worker) = (parameters.clone(), Some(worker));
        self.pending = Some(Pending { parameters, is_cancelled, worker });
    }

    /// From what was shown last, with other sliders.
    fn go_on(&self, parameters: &Parameters, time_secs: f64) -> Result<StateSnapshot, EvalError> {
        let timeline = &self.known.timeline;
        let grid = timeline.grid();
        let OnGrid { step, rest_secs } = grid.find(time_secs);
        let ahead = |present: &StateSnapshot| match grid.steps_per_round {
            Some(round) => (step - present.newest_step).rem_euclid(round),
            None => step - present.newest_step,
        };
        let near = self.present.as_ref().map(|present| (present, ahead(present)));
        match near {
            Some((present, ahead)) if (0..=LONGEST_GAP_STEPS).contains(&ahead) => {
                let played = &self.parts.player();
                let playing = Playing { setup: self.parts.setup(), parameters, played };
                timeline.go_on(playing, present.clone(), ahead, rest_secs)
            }
            _ => self.parts.recall(timeline, &self.known.parameters, time_secs),
        }
    }
}
