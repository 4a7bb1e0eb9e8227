//! What a program remembers at any time of a motion, as a function of that time alone.
//!
//! ```text
//! steps end at  −h   0   h   2h  3h …                   h = 1/240 s, or what divides a loop evenly
//! asked for at               │   t      recalls what was kept at 2h, and is (t − 2h) ahead of it
//! ```
//! It begins one step before the motion does, as `start` says. A loop is stepped through until it has
//! settled: then its end meets its beginning. So playing, scrubbing and baking give the same bits, at
//! any frame rate, and frames can be made in any order by anybody.
//!
//! Everything up to the latest time asked for is stepped through once; from then on the nearest
//! checkpoint is a few steps away.

use super::memory::{Recalled, Record, Step, Stepper};
use super::{Bound, EvalError, Moment, MomentParts, Motion, Parameters, PlayedMotion};
use crate::ir::Program;
pub use crate::ir::STEPS_PER_SEC;
use crate::motion::{Ending, Player};
use crate::rig::{Character, Pose};
use std::sync::{Arc, Mutex, PoisonError};

/// After the end of a motion what is left of it is followed for so long; then it stays as it is.
pub const LONGEST_AFTERMATH_SECS: f64 = 60.0;
/// Steps between checkpoints, at most: less where all of them are below [`CHECKPOINT_BYTES`].
const FARTHEST_CHECKPOINT: i64 = 16;
const CHECKPOINT_BYTES: f64 = 64e6;
/// Nothing is remembered over more rounds of a loop, nor over so long.
const MOST_ROUNDS: usize = 400;
const MOST_ROUNDS_SECS: f64 = 120.0;
/// A loop has settled when no number changes by more than this part of the largest.
const SETTLED: f64 = 1e-9;
/// Nearer to the end of a step than this part of one is at its end.
const ON_GRID: f64 = 1e-6;

/// A motion that can be looked at at any time.
pub trait Played: Sync {
    fn at(&self, time_secs: f64, work: &mut dyn FnMut(&Pose, &dyn Motion));
    fn ending(&self) -> Ending;
    fn duration_secs(&self) -> f64;
}

impl Played for Player<'_> {
    fn at(&self, time_secs: f64, work: &mut dyn FnMut(&Pose, &dyn Motion)) {
        work(&self.pose(time_secs), &PlayedMotion { player: *self, time_secs });
    }

    fn ending(&self) -> Ending {
        self.playback.ending
    }

    fn duration_secs(&self) -> f64 {
        self.playback.duration_secs
    }
}

/// One pose for ever, and bones that move as if it were not: `--velocity`.
pub struct Frozen<'a> {
    pub pose: Pose,
    pub motion: &'a dyn Motion,
}

impl Played for Frozen<'_> {
    fn at(&self, _time_secs: f64, work: &mut dyn FnMut(&Pose, &dyn Motion)) {
        work(&self.pose, self.motion);
    }

    fn ending(&self) -> Ending {
        Ending::Clamp
    }

    fn duration_secs(&self) -> f64 {
        0.0
    }
}

/// When steps end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    pub step_secs: f64,
    /// Of a loop: how many steps it has.
    pub round: Option<i64>,
    last: i64,
}

/// A time as a step that has ended, and what is left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnGrid {
    /// −1 is the one before the motion begins.
    pub step: i64,
    /// Above 0, at most a step.
    pub rest_secs: f64,
}

impl Grid {
    pub fn new(ending: Ending, duration_secs: f64) -> Grid {
        let steps = (duration_secs * STEPS_PER_SEC).round();
        match ending {
            Ending::Loop if steps >= 1.0 => Grid {
                step_secs: duration_secs / steps,
                round: Some(steps as i64),
                last: steps as i64,
            },
            _ => {
                let longest = duration_secs.max(0.0) + LONGEST_AFTERMATH_SECS;
                let last = (longest * STEPS_PER_SEC).ceil() as i64;
                Grid { step_secs: 1.0 / STEPS_PER_SEC, round: None, last }
            }
        }
    }

    /// Of a motion whose end nobody knows.
    pub fn endless() -> Grid {
        // Beyond this a step is no longer a whole number of steps in f64.
        Grid { step_secs: 1.0 / STEPS_PER_SEC, round: None, last: 1 << 50 }
    }

    /// Time that is no number, or before the start, is the start.
    pub fn find(&self, time_secs: f64) -> OnGrid {
        let time_secs = if time_secs.is_finite() { time_secs } else { 0.0 };
        let mut steps = time_secs / self.step_secs;
        if let Some(round) = self.round {
            steps = steps.rem_euclid(round as f64);
        }
        let nearest = steps.round();
        if (steps - nearest).abs() < ON_GRID {
            steps = nearest;
        }
        // The end of a round is the beginning of the next.
        if self.round.is_some_and(|round| steps >= round as f64) {
            steps = 0.0;
        }
        let steps = steps.clamp(0.0, self.last as f64);
        let step = steps.ceil() as i64 - 1;
        OnGrid { step, rest_secs: (steps - step as f64) * self.step_secs }
    }

    /// When a step ends.
    pub fn secs(&self, step: i64) -> f64 {
        step as f64 * self.step_secs
    }
}

/// What is stepped: everything that stays the same from moment to moment.
#[derive(Clone, Copy)]
pub struct Stepped<'a> {
    pub character: &'a Character,
    pub bound: &'a Bound,
    pub parameters: &'a Parameters,
    pub played: &'a dyn Played,
}

pub struct Timeline {
    stepper: Stepper,
    grid: Grid,
    /// Steps from checkpoint to checkpoint.
    spacing: i64,
    cache: Mutex<Cache>,
}

/// What has been stepped through.
#[derive(Default)]
struct Cache {
    /// Of step −1 and so on, as far apart as the timeline's `spacing`.
    checkpoints: Vec<Arc<Vec<f64>>>,
    record: Arc<Record>,
    /// The last step that was made, and what it left.
    newest: Option<(i64, Arc<Vec<f64>>)>,
    /// What was asked for last: playing goes on from there.
    recent: Option<(i64, Arc<Vec<f64>>)>,
    parameters: Option<Parameters>,
}

impl Timeline {
    /// None where the program remembers nothing.
    pub fn new(
        program: &Program,
        bound: &Bound,
        ending: Ending,
        duration_secs: f64,
    ) -> Result<Option<Timeline>, EvalError> {
        if !program.remembers() {
            return Ok(None);
        }
        let stepper = Stepper::new(program, bound)?;
        let grid = Grid::new(ending, duration_secs);
        let bytes = (duration_secs / grid.step_secs) * (stepper.states().len() * 8) as f64;
        let spacing = (bytes / CHECKPOINT_BYTES).ceil().clamp(1.0, FARTHEST_CHECKPOINT as f64);
        let spacing = spacing as i64;
        Ok(Some(Timeline { stepper, grid, spacing, cache: Mutex::default() }))
    }

    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// What is known of a time. Other sliders than before, and everything begins anew.
    pub fn recall(&self, stepped: Stepped, time_secs: f64) -> Result<Recalled, EvalError> {
        let OnGrid { step, rest_secs } = self.grid.find(time_secs);
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if cache.parameters.as_ref() != Some(stepped.parameters) {
            *cache = Cache { parameters: Some(stepped.parameters.clone()), ..Cache::default() };
        }
        self.reach(&mut cache, stepped, step)?;
        let states = self.states_at(&mut cache, stepped, step)?;
        Ok(Recalled {
            step_secs: rest_secs,
            grid_secs: self.grid.step_secs,
            states,
            record: cache.record.clone(),
            newest: step,
        })
    }

    /// Steps on until this step has been made.
    fn reach(&self, cache: &mut Cache, stepped: Stepped, step: i64) -> Result<(), EvalError> {
        if cache.newest.is_none() {
            let begun = match self.grid.round {
                None => self.start(stepped)?,
                Some(round) => self.settled(stepped, round)?,
            };
            *cache = Cache { parameters: cache.parameters.take(), ..begun };
        }
        while let Some((newest, states)) = cache.newest.clone()
            && newest < step
        {
            let recalled = self.recalled(newest, states, cache.record.clone());
            let Step { states, row } = self.step(stepped, newest + 1, recalled)?;
            let states = Arc::new(states);
            Arc::make_mut(&mut cache.record).push(&row);
            if (newest + 2) % self.spacing == 0 {
                cache.checkpoints.push(states.clone());
            }
            cache.newest = Some((newest + 1, states));
        }
        Ok(())
    }

    fn states_at(
        &self,
        cache: &mut Cache,
        stepped: Stepped,
        step: i64,
    ) -> Result<Arc<Vec<f64>>, EvalError> {
        let near = (step + 1) / self.spacing;
        let mut from = (near * self.spacing - 1, cache.checkpoints[near as usize].clone());
        for known in [&cache.recent, &cache.newest].into_iter().flatten() {
            if (from.0..=step).contains(&known.0) {
                from = known.clone();
            }
        }
        while from.0 < step {
            let recalled = self.recalled(from.0, from.1, cache.record.clone());
            let next = self.step(stepped, from.0 + 1, recalled)?;
            from = (from.0 + 1, Arc::new(next.states));
        }
        cache.recent = Some(from.clone());
        Ok(from.1)
    }

    /// So many steps on from a moment, whatever sliders led there. Nothing of it is kept.
    pub(super) fn go_on(
        &self,
        stepped: Stepped,
        from: Recalled,
        ahead: i64,
        rest_secs: f64,
    ) -> Result<Recalled, EvalError> {
        let (mut newest, mut states) = (from.newest, from.states);
        let mut record = from.record.until(newest);
        for _ in 0..ahead {
            if self.grid.round == Some(newest + 1) {
                newest = -1;
                record.first_step -= self.grid.round.unwrap_or(0);
            }
            let recalled = self.recalled(newest, states, Arc::new(record.clone()));
            let Step { states: next, row } = self.step(stepped, newest + 1, recalled)?;
            record.push(&row);
            (newest, states) = (newest + 1, Arc::new(next));
        }
        let step_secs = rest_secs;
        Ok(Recalled { step_secs, ..self.recalled(newest, states, Arc::new(record)) })
    }

    fn recalled(&self, step: i64, states: Arc<Vec<f64>>, record: Arc<Record>) -> Recalled {
        let grid_secs = self.grid.step_secs;
        Recalled { step_secs: grid_secs, grid_secs, states, record, newest: step }
    }

    fn start(&self, stepped: Stepped) -> Result<Cache, EvalError> {
        let step = self.moment(stepped, -1, Recalled::default(), |moment| {
            self.stepper.start(stepped.bound, moment)
        })?;
        let row_length = self.stepper.histories().len();
        let mut record = Record { first_step: -1, row_length, numbers: Vec::new() };
        record.push(&step.row);
        let states = Arc::new(step.states);
        Ok(Cache {
            checkpoints: vec![states.clone()],
            record: Arc::new(record),
            newest: Some((-1, states)),
            ..Cache::default()
        })
    }

    /// Round after round, until one ends as it has begun.
    fn settled(&self, stepped: Stepped, round: i64) -> Result<Cache, EvalError> {
        let mut cache = self.start(stepped)?;
        let secs = self.grid.secs(round);
        let rounds = (MOST_ROUNDS_SECS / secs).ceil().clamp(2.0, MOST_ROUNDS as f64) as usize;
        let histories = &self.stepper.program().tables.histories;
        let longest_secs = histories.iter().map(|it| it.longest_secs).fold(0.0, f64::max);
        // A history may reach back over several rounds.
        let least = 1 + (longest_secs / secs).ceil() as usize;
        for done in 1..=rounds.max(least) {
            let begun = cache.newest.clone();
            let mut one = self.restarted(&cache, round, longest_secs);
            self.reach(&mut one, stepped, round - 1)?;
            let is_settled = match (&begun, &one.newest) {
                (Some((_, before)), Some((_, after))) => is_close(before, after),
                _ => true,
            };
            cache = one;
            if is_settled && done >= least {
                break;
            }
        }
        Ok(self.restarted(&cache, round, longest_secs))
    }

    /// The end of a round is the beginning of the next; what was recorded lies before it.
    fn restarted(&self, cache: &Cache, round: i64, longest_secs: f64) -> Cache {
        let (last, states) = cache.newest.clone().unwrap_or_default();
        let mut record = (*cache.record).clone();
        let length = record.row_length;
        if let Some(rows) = record.numbers.len().checked_div(length) {
            let wanted = (longest_secs / self.grid.step_secs).ceil() as usize + 2;
            let dropped = rows.saturating_sub(wanted);
            record.numbers.drain(..dropped * length);
            let shift = if last == -1 { 0 } else { round };
            record.first_step += dropped as i64 - shift;
        }
        Cache {
            checkpoints: vec![states.clone()],
            record: Arc::new(record),
            newest: Some((-1, states)),
            ..Cache::default()
        }
    }

    fn step(&self, stepped: Stepped, step: i64, recalled: Recalled) -> Result<Step, EvalError> {
        self.moment(stepped, step, recalled, |moment| self.stepper.step(stepped.bound, moment))
    }

    fn moment<T>(
        &self,
        stepped: Stepped,
        step: i64,
        recalled: Recalled,
        work: impl FnOnce(&mut Moment) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let time_secs = self.grid.secs(step);
        let (mut work, mut result) = (Some(work), None);
        stepped.played.at(time_secs, &mut |pose, motion| {
            let mut moment = Moment::of_bones(&MomentParts {
                character: stepped.character,
                program: self.stepper.program(),
                parameters: stepped.parameters,
                pose,
                motion,
                time_secs,
                base: None,
            });
            moment.recalled = recalled.clone();
            result = work.take().map(|work| work(&mut moment));
        });
        let nothing = EvalError::Number { what: "time of a step", number: time_secs };
        result.unwrap_or(Err(nothing))
    }
}

fn is_close(a: &[f64], b: &[f64]) -> bool {
    let largest = a.iter().chain(b).fold(0.0, |most: f64, x| most.max(x.abs()));
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SETTLED * largest)
}
