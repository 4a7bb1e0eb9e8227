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

use super::memory::{StateSnapshot, Step, Stepper};
use super::record::Record;
use super::{Bound, EvalError, Moment, Motion, Parameters, PlayedMotion, Playing, Setup};
use glam::DVec3;
use jounce_ir::Program;
pub use jounce_ir::STEPS_PER_SEC;
use jounce_rig::Pose;
use jounce_rig::motion::{Ending, Playback, Player};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// After the end of a motion what is left of it is followed for so long; then it stays as it is.
pub const LONGEST_AFTERMATH_SECS: f64 = 60.0;
/// All checkpoints together are kept below this; where it would be more, every other one is dropped.
const CHECKPOINT_BYTES: usize = 64 << 20;
/// More steps than this are not followed: more than an hour of motion.
const MOST_STEPS: i64 = 1_000_000;
/// Steps times bones. A step takes about a microsecond per bone, so all of them take some twenty seconds: 23
/// minutes of motion with 60 bones, 16 s with 5 000.
const MOST_BONE_STEPS: i64 = 20_000_000;
/// What histories were is kept from the first step on.
const RECORD_BYTES: i64 = 128 << 20;
/// Nothing is remembered over more rounds of a loop, nor over so long.
const MOST_ROUNDS: usize = 400;
pub const MOST_ROUNDS_SECS: f64 = 120.0;
/// What to tell people whose loop has a seam.
pub const SEAM: &str = "what nodes remember never settles, so the end of the loop does not match its start; use more \
                        damping or a shorter decay";
/// A loop has settled when no number changes by more than this part of the largest.
const SETTLED: f64 = 1e-9;
/// Nearer to the end of a step than this part of one is at its end.
const ON_GRID: f64 = 1e-6;

/// A motion that can be looked at at any time.
pub trait Played: Sync {
    fn at(&self, time_secs: f64, work: &mut dyn FnMut(&Pose, &dyn Motion));
    fn ending(&self) -> Ending;
    fn duration_secs(&self) -> f64;

    /// Of a loop: the pose that a round ends with, where the next one begins with another.
    fn end_pose(&self) -> Option<Pose>;
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

    fn end_pose(&self) -> Option<Pose> {
        let playback = Playback { ending: Ending::Clamp, ..self.playback };
        Some(Player { playback, ..*self }.pose(playback.duration_secs))
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

    /// It is no loop.
    fn end_pose(&self) -> Option<Pose> {
        None
    }
}

/// When steps end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    pub step_secs: f64,
    /// Of a loop.
    pub steps_per_round: Option<i64>,
    last_step: i64,
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
                steps_per_round: Some(steps as i64),
                last_step: steps as i64,
            },
            _ => {
                let longest = duration_secs.max(0.0) + LONGEST_AFTERMATH_SECS;
                let last_step = (longest * STEPS_PER_SEC).ceil() as i64;
                Grid { step_secs: 1.0 / STEPS_PER_SEC, steps_per_round: None, last_step }
            }
        }
    }

    /// Of a motion whose end nobody knows.
    pub fn endless() -> Grid {
        // Beyond this a step is no longer a whole number of steps in f64.
        Grid { step_secs: 1.0 / STEPS_PER_SEC, steps_per_round: None, last_step: 1 << 50 }
    }

    /// Time that is not finite, or before the start, is the start.
    pub fn find(&self, time_secs: f64) -> OnGrid {
        let time_secs = if time_secs.is_finite() { time_secs } else { 0.0 };
        let mut steps = time_secs / self.step_secs;
        if let Some(round) = self.steps_per_round {
            steps = steps.rem_euclid(round as f64);
        }
        let nearest = steps.round();
        if (steps - nearest).abs() < ON_GRID {
            steps = nearest;
        }
        // The end of a round is the beginning of the next.
        if self.steps_per_round.is_some_and(|round| steps >= round as f64) {
            steps = 0.0;
        }
        let steps = steps.clamp(0.0, self.last_step as f64);
        let step = steps.ceil() as i64 - 1;
        OnGrid { step, rest_secs: (steps - step as f64) * self.step_secs }
    }

    /// Nothing changes after it, or it begins anew.
    pub fn end_secs(&self) -> f64 {
        self.secs(self.last_step)
    }

    /// When a step ends.
    pub fn secs(&self, step: i64) -> f64 {
        step as f64 * self.step_secs
    }
}

pub struct Timeline {
    stepper: Stepper,
    grid: Grid,
    /// That can be followed, from the first one on.
    most_steps: i64,
    cache: Mutex<Cache>,
}

/// What has been stepped through.
#[derive(Default)]
struct Cache {
    /// Steps from checkpoint to checkpoint.
    spacing: i64,
    /// Of step −1 and so on, `spacing` apart.
    checkpoints: Vec<Arc<Vec<f64>>>,
    record: Arc<Record>,
    /// The last step that was made, and what it left.
    newest: Option<(i64, Arc<Vec<f64>>)>,
    /// What was asked for last: playing goes on from there.
    recent: Option<(i64, Arc<Vec<f64>>)>,
    parameters: Option<Parameters>,
    /// Of a loop: its end does not meet its beginning, however often it is played.
    has_seam: bool,
}

impl Cache {
    fn start(states: Arc<Vec<f64>>, record: Record) -> Cache {
        Cache {
            spacing: 1,
            checkpoints: vec![states.clone()],
            record: Arc::new(record),
            newest: Some((-1, states)),
            ..Cache::default()
        }
    }

    /// What is left when a step has ended.
    fn push(&mut self, step: i64, states: Arc<Vec<f64>>, row: &[f64]) {
        Arc::make_mut(&mut self.record).push(row);
        if (step + 1) % self.spacing == 0 {
            self.checkpoints.push(states.clone());
            if self.checkpoints.len() * states.len() * size_of::<f64>() > CHECKPOINT_BYTES {
                let mut place = 0;
                self.checkpoints.retain(|_| (place % 2 == 0, place += 1).0);
                self.spacing *= 2;
            }
        }
        self.newest = Some((step, states));
    }
}

impl Timeline {
    /// None where the program remembers nothing.
    pub fn new(
        program: &Program,
        bound: &Bound,
        played: &dyn Played,
    ) -> Result<Option<Timeline>, EvalError> {
        if !program.remembers() {
            return Ok(None);
        }
        let stepper = Stepper::new(program, bound)?;
        let grid = Grid::new(played.ending(), played.duration_secs());
        let most_steps = most_steps(bound.row_count(), stepper.histories().len());
        let timeline = Timeline { stepper, grid, most_steps, cache: Mutex::default() };
        // A loop is gone through at least twice before its first frame is known.
        if let Some(round) = grid.steps_per_round {
            timeline.check_steps(round.saturating_mul(2))?;
        }
        Ok(Some(timeline))
    }

    fn check_steps(&self, steps: i64) -> Result<(), EvalError> {
        let secs = |steps: i64| self.grid.secs(steps);
        match steps > self.most_steps {
            true => Err(EvalError::TooLong { secs: secs(steps), most_secs: secs(self.most_steps) }),
            false => Ok(()),
        }
    }

    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Of a loop that has been asked for: does its end not meet its beginning? Then what is remembered
    /// does not settle within [`MOST_ROUNDS_SECS`].
    pub fn has_seam(&self) -> bool {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner).has_seam
    }

    /// What is known of a time. Other sliders than before, and everything begins anew.
    pub fn recall(&self, playing: Playing, time_secs: f64) -> Result<StateSnapshot, EvalError> {
        let OnGrid { step, rest_secs } = self.grid.find(time_secs);
        let mut cache = self.cache_of(playing.parameters);
        self.reach(&mut cache, playing, step, &|| false)?;
        let states = self.states_at(&mut cache, playing, step)?;
        let since_step_secs = rest_secs;
        let record = cache.record.clone();
        Ok(StateSnapshot { since_step_secs, ..self.snapshot(step, states, record) })
    }

    /// Steps on to a time, unless it is told to stop; then it is false.
    pub fn prepare(
        &self,
        playing: Playing,
        time_secs: f64,
        stop: &dyn Fn() -> bool,
    ) -> Result<bool, EvalError> {
        // The last time is reached with the last step, not with the first of the next round.
        let step = match time_secs >= self.grid.end_secs() {
            true => self.grid.last_step - 1,
            false => self.grid.find(time_secs).step,
        };
        self.reach(&mut self.cache_of(playing.parameters), playing, step, stop)
    }

    fn cache_of(&self, parameters: &Parameters) -> MutexGuard<'_, Cache> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if cache.parameters.as_ref() != Some(parameters) {
            *cache = Cache { parameters: Some(parameters.clone()), ..Cache::default() };
        }
        cache
    }

    /// Steps on until this step has been made. False: it was told to stop before.
    fn reach(
        &self,
        cache: &mut Cache,
        playing: Playing,
        step: i64,
        stop: &dyn Fn() -> bool,
    ) -> Result<bool, EvalError> {
        self.check_steps(step)?;
        if cache.newest.is_none() {
            let begun = match self.grid.steps_per_round {
                None => Some(self.start(playing)?),
                Some(round) => self.settled(playing, round, stop)?,
            };
            let Some(begun) = begun else { return Ok(false) };
            *cache = Cache { parameters: cache.parameters.take(), ..begun };
        }
        while let Some((newest, states)) = cache.newest.clone()
            && newest < step
        {
            if stop() {
                return Ok(false);
            }
            let snapshot = self.snapshot(newest, states, cache.record.clone());
            let Step { states, row } = self.step(playing, newest + 1, snapshot)?;
            cache.push(newest + 1, Arc::new(states), &row);
        }
        Ok(true)
    }

    fn states_at(
        &self,
        cache: &mut Cache,
        playing: Playing,
        step: i64,
    ) -> Result<Arc<Vec<f64>>, EvalError> {
        let near = (step + 1) / cache.spacing;
        let mut from = (near * cache.spacing - 1, cache.checkpoints[near as usize].clone());
        for known in [&cache.recent, &cache.newest].into_iter().flatten() {
            if (from.0..=step).contains(&known.0) {
                from = known.clone();
            }
        }
        while from.0 < step {
            let snapshot = self.snapshot(from.0, from.1, cache.record.clone());
            let next = self.step(playing, from.0 + 1, snapshot)?;
            from = (from.0 + 1, Arc::new(next.states));
        }
        cache.recent = Some(from.clone());
        Ok(from.1)
    }

    /// So many steps on from a moment, whatever sliders led there. Nothing of it is kept.
    pub(super) fn go_on(
        &self,
        playing: Playing,
        from: StateSnapshot,
        ahead: i64,
        rest_secs: f64,
    ) -> Result<StateSnapshot, EvalError> {
        let (mut newest, mut states) = (from.newest_step, from.states);
        let mut record = from.record.until(newest);
        record.forget_before(newest - self.rows_wanted());
        let mut record = Arc::new(record);
        for _ in 0..ahead {
            if let Some(round) = self.grid.steps_per_round
                && newest + 1 == round
            {
                newest = -1;
                Arc::make_mut(&mut record).shift(-round);
                states = self.carried(playing, &states);
            }
            let snapshot = self.snapshot(newest, states, record.clone());
            let Step { states: next, row } = self.step(playing, newest + 1, snapshot)?;
            Arc::make_mut(&mut record).push(&row);
            (newest, states) = (newest + 1, Arc::new(next));
        }
        let since_step_secs = rest_secs;
        Ok(StateSnapshot { since_step_secs, ..self.snapshot(newest, states, record) })
    }

    fn snapshot(&self, step: i64, states: Arc<Vec<f64>>, record: Arc<Record>) -> StateSnapshot {
        let grid_secs = self.grid.step_secs;
        StateSnapshot { since_step_secs: grid_secs, grid_secs, states, record, newest_step: step }
    }

    /// Of histories: as far back as anybody can ask.
    fn rows_wanted(&self) -> i64 {
        rows_wanted(self.stepper.program(), self.grid.step_secs)
    }

    fn start(&self, playing: Playing) -> Result<Cache, EvalError> {
        let step = self.moment(playing, -1, StateSnapshot::default(), |moment| {
            self.stepper.start(playing.setup.bound, moment)
        })?;
        let mut record = Record::new(-1, self.stepper.histories().len());
        record.push(&step.row);
        Ok(Cache::start(Arc::new(step.states), record))
    }

    /// Round after round, until one ends as it has begun: with the same states and the same past, as far
    /// as anybody can ask. None: it was told to stop before.
    fn settled(
        &self,
        playing: Playing,
        round: i64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Cache>, EvalError> {
        let mut one = self.start(playing)?;
        let round_secs = self.grid.secs(round);
        // Delays behind one another add up.
        let histories = &self.stepper.program().tables.histories;
        let delayed_secs: f64 = histories.iter().map(|history| history.longest_secs).sum();
        let rounds = ((MOST_ROUNDS_SECS / round_secs).ceil() as usize).clamp(2, MOST_ROUNDS);
        let rounds = rounds.max(2 + (delayed_secs / round_secs).ceil() as usize);
        let mut is_settled = false;
        for _ in 0..rounds {
            let begun = one.newest.clone();
            if !self.reach(&mut one, playing, round - 1, stop)? {
                return Ok(None);
            }
            let next = self.restarted(playing, &one, round);
            if let (Some((_, before)), Some((_, after))) = (begun, &next.newest) {
                is_settled = is_close([(&before[..], &after[..])].into_iter())
                    && is_close(
                        (0..self.rows_wanted())
                            .map(|ago| (one.record.row(-1 - ago), one.record.row(round - 1 - ago))),
                    );
            }
            one = next;
            if is_settled {
                break;
            }
        }
        Ok(Some(Cache { has_seam: !is_settled, ..one }))
    }

    /// The end of a round is the beginning of the next; what was recorded lies before it.
    fn restarted(&self, playing: Playing, cache: &Cache, round: i64) -> Cache {
        let (last, states) = cache.newest.clone().unwrap_or_default();
        let mut record = (*cache.record).clone();
        record.forget_before(last - self.rows_wanted());
        record.shift(-round);
        Cache::start(self.carried(playing, &states), record)
    }

    /// What is remembered at the end of a round, as the next one begins: a character that has walked away
    /// is put back, which is no motion.
    fn carried(&self, playing: Playing, states: &Arc<Vec<f64>>) -> Arc<Vec<f64>> {
        let Some(end) = playing.played.end_pose().filter(|_| self.stepper.states().has_places())
        else {
            return states.clone();
        };
        let origins = |pose: &Pose| -> Vec<DVec3> {
            let bones = 0..playing.setup.character.skeleton.bones.len();
            bones.map(|bone| playing.setup.character.bone_origin(pose, bone)).collect()
        };
        let mut carried = states.clone();
        playing.played.at(0.0, &mut |begin, _| {
            carried =
                self.stepper.carried(playing.setup.bound, states, &origins(&end), &origins(begin));
        });
        carried
    }

    fn step(
        &self,
        playing: Playing,
        step: i64,
        snapshot: StateSnapshot,
    ) -> Result<Step, EvalError> {
        self.moment(playing, step, snapshot, |moment| {
            self.stepper.step(playing.setup.bound, moment)
        })
    }

    fn moment<T>(
        &self,
        playing: Playing,
        step: i64,
        snapshot: StateSnapshot,
        work: impl FnOnce(&mut Moment) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let time_secs = self.grid.secs(step);
        let (mut work, mut result) = (Some(work), None);
        playing.played.at(time_secs, &mut |pose, motion| {
            let setup = Setup { program: self.stepper.program(), ..playing.setup };
            let parameters = playing.parameters;
            let mut moment = Moment::of_bones(setup, parameters, pose, motion, time_secs);
            moment.snapshot = snapshot.clone();
            result = work.take().map(|work| work(&mut moment));
        });
        let nothing = EvalError::Number { what: "time of a step", number: time_secs };
        result.unwrap_or(Err(nothing))
    }
}

/// That are followed of so many bones and so many recorded numbers.
fn most_steps(bones: usize, recorded: usize) -> i64 {
    let row_bytes = (recorded * size_of::<f64>()).max(1) as i64;
    MOST_STEPS.min(MOST_BONE_STEPS / bones.max(1) as i64).min(RECORD_BYTES / row_bytes)
}

/// Rows of histories that can still be asked for, with one on each side to go between.
pub(super) fn rows_wanted(program: &Program, step_secs: f64) -> i64 {
    let longest = program.tables.histories.iter().map(|history| history.longest_secs);
    (longest.fold(0.0, f64::max) / step_secs).ceil() as i64 + 2
}

/// Is no number of the one further from that of the other than a tiny part of the largest of all?
fn is_close<'a>(lists: impl Iterator<Item = (&'a [f64], &'a [f64])>) -> bool {
    let (mut largest, mut farthest) = (0.0f64, 0.0f64);
    for (a, b) in lists.flat_map(|(a, b)| a.iter().zip(b)) {
        largest = largest.max(a.abs()).max(b.abs());
        farthest = farthest.max((a - b).abs());
    }
    farthest <= SETTLED * largest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_motion_is_followed_for_minutes_or_into_gigabytes() {
        // Measured on a small server, generously.
        const BONE_STEP_SECS: f64 = 1.3e-6;
        for bones in [0, 1, 7, 60, 600, 5_000, 100_000] {
            let per_bone = [0, 3 * bones, 100 * bones];
            for recorded in per_bone {
                let steps = most_steps(bones, recorded);
                let secs = steps as f64 * bones as f64 * BONE_STEP_SECS;
                assert!(secs < 30.0, "{bones} bones: {secs} s");
                assert!(steps * recorded as i64 * 8 <= 128 << 20, "{bones} bones, {recorded}");
            }
        }
        // And what people make is: minutes of a hero, a quarter of a minute of the largest skeletons.
        let secs = |bones, recorded| most_steps(bones, recorded) as f64 / STEPS_PER_SEC;
        assert!(secs(7, 0) > 3600.0 && secs(60, 0) > 20.0 * 60.0 && secs(60, 180) > 5.0 * 60.0);
        assert!(secs(5_000, 0) > 15.0);
    }
}
