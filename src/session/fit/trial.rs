//! Measures again and again with other amounts, until the goals are reached and nothing tears.

use super::amounts::{Amounts, Scales, Share};
use super::feet::{pin_before_output, raise_pin};
use super::{
    FitError, GOAL, Gauge, HEIGHT_CHANGE, MOST_HEIGHT_CHANGE, MOST_TORN, MOST_TURNED, Measured,
    Part, SQUASH_GOAL,
};
use crate::{Progress, Session, Show};
use jounce_graph::document::Command;

/// About how often is measured: only for the bar.
const EXPECTED_MEASURES: f64 = 14.0;
/// Amounts never become more than this many times those of the style, or less than one over it.
const MOST_SCALE: f64 = 50.0;
/// Squash never becomes more than this many times what it was: a clip in which nothing leaps has nothing to show.
const MOST_SQUASH_SCALE: f64 = 8.0;
/// How far one step dares.
const STEP: std::ops::Range<f64> = 0.3..4.0;
/// Rounds of approaching the goals.
const ROUNDS: usize = 7;
/// A part that moves by less than this power of what its amounts grew by has come to a limit of the style.
const LEAST_RESPONSE: f64 = 0.25;
/// What goes further than this many times the end of its goal looks wrong.
const TOO_FAR: f64 = 1.3;
/// Rounds of reducing what tears, and what remains each time.
const REDUCTIONS: usize = 24;
const REDUCED: f64 = 0.85;
/// A part that stays more than this as spoilt as it was, after so many reductions of its own amounts, is spoilt by
/// something else.
const LEAST_RELIEF: f64 = 0.97;
const MOST_WITHOUT_RELIEF: usize = 5;

pub struct Trial<'a> {
    session: Session,
    show: Show,
    gauge: Gauge,
    amounts: Amounts,
    progress: &'a Progress,
    measured: usize,
}

impl<'a> Trial<'a> {
    pub fn new(session: &Session, progress: &'a Progress) -> Result<Trial<'a>, FitError> {
        let mut session = session.snapshot();
        let show = Show::new(&session)?;
        let mut amounts = Amounts::of(&session.document().style, show.program());
        if amounts.is_empty() {
            return Err(FitError::NoAmounts);
        }
        // Keys are what somebody wants at these moments; what else there is, is fitted around them.
        let clip = show.clip().name.clone();
        let keys = session.document().motion.keys.get(&clip);
        let keyed = keys.into_iter().flat_map(|keys| keys.keys());
        amounts.leave_out(show.program(), keyed.map(String::as_str));
        if amounts.is_empty() {
            return Err(FitError::AllKeyed { clip });
        }
        if let Some(command) = amounts.at_full_strength() {
            session.perform("Full Strength", command);
        }
        let gauge = Gauge::new(show.character(), &session.character_settings());
        Ok(Trial { session, show, gauge, amounts, progress, measured: 0 })
    }

    pub fn clip_name(&self) -> String {
        self.show.clip().name.clone()
    }

    pub fn amounts(&self) -> &Amounts {
        &self.amounts
    }

    pub fn measure(&mut self, scales: &Scales) -> Result<Measured, FitError> {
        self.progress.check()?;
        let command = self.amounts.scaled(scales);
        self.perform("Fit", command)?;
        match self.show.program().remembers() {
            // What it remembers is to be exactly that of these sliders.
            true => self.show = Show::new(&self.session)?,
            false => {
                self.show.update(&self.session)?;
            }
        }
        self.measured += 1;
        self.progress.set(self.measured as f64 / EXPECTED_MEASURES);
        let measured = self.gauge.measure(&self.show, self.progress)?;
        // If it was cancelled in between, it has not measured everything.
        self.progress.check()?;
        Ok(measured)
    }

    fn perform(&mut self, label: &str, command: Command) -> Result<(), FitError> {
        if self.session.perform(label, command) {
            return Ok(());
        }
        let last = self.session.messages().last();
        Err(FitError::Command(last.map(|it| it.text.clone()).unwrap_or_default()))
    }

    /// Lets the Pin before the Output, if there is one, hold what stands in this motion.
    pub fn raise_pin(&mut self, ground_lift: f64) -> Result<Option<Command>, FitError> {
        let Some(command) = raise_pin(&self.session, self.show.program(), ground_lift) else {
            return Ok(None);
        };
        self.perform("Hold Feet", command.clone())?;
        Ok(Some(command))
    }

    /// Is there a Pin before the Output?
    pub fn has_pin(&self) -> bool {
        pin_before_output(&self.session).is_some()
    }

    /// Until every part goes as far as it should, or more does not help.
    pub fn approach(&mut self, before: Measured) -> Result<Scales, FitError> {
        let shares = self.amounts.shares();
        if !shares.contains(&Share::All) {
            return self.approach_together(&shares, Scales::ONE, Some(before));
        }
        // In a style that does not know of roles, squash moves every part: each is looked at alone.
        let mut found = Scales::ONE;
        for &share in &shares {
            let mut alone = Scales { squash: 0.0, all: 0.0, ..Scales::ONE };
            if let Some(scale) = alone.of_mut(share) {
                *scale = 1.0;
            }
            let alone = self.approach_together(&[share], alone, None)?;
            if let Some(scale) = found.of_mut(share) {
                *scale = alone.of(share);
            }
        }
        Ok(found)
    }

    fn approach_together(
        &mut self,
        shares: &[Share],
        mut scales: Scales,
        known: Option<Measured>,
    ) -> Result<Scales, FitError> {
        let mut measured = match known {
            Some(measured) => measured,
            None => self.measure(&scales)?,
        };
        let mut growing: Vec<Share> = shares.to_vec();
        for _ in 0..ROUNDS {
            let mut next = scales;
            growing.retain(|share| {
                let Some(scale) = next.of_mut(*share) else { return false };
                let wanted = *scale * self.step(*share, &measured);
                let limited = self.limited(*share, wanted);
                let has_arrived = (limited / *scale - 1.0).abs() < 0.05;
                *scale = limited;
                !has_arrived
            });
            if growing.is_empty() {
                break;
            }
            let now = self.measure(&next)?;
            growing.retain(|share| {
                let grown = next.of(*share) / scales.of(*share);
                let moved = self.moved(*share, &now) / self.moved(*share, &measured).max(1e-9);
                let has_limit = grown > 1.2 && moved.ln() < LEAST_RESPONSE * grown.ln();
                if let Some(scale) = next.of_mut(*share).filter(|_| has_limit) {
                    *scale = scales.of(*share);
                }
                !has_limit
            });
            (scales, measured) = (next, now);
        }
        Ok(scales)
    }

    /// How far what a share moves goes, and how far it should.
    fn moved_and_goal(&self, share: Share, measured: &Measured) -> (f64, f64) {
        match share {
            Share::Lag(Part::Trunk) => {
                let moved = measured.part(Part::Trunk).unwrap_or(0.0);
                let is_too_much = moved > Part::Trunk.goal().end;
                if is_too_much { (moved, Part::Trunk.goal().end) } else { (1.0, 1.0) }
            }
            // A part that the character does not have stays as it is.
            Share::Lag(part) => (measured.part(part).unwrap_or(part.target()), part.target()),
            Share::Squash if self.amounts.has(Share::All) => (measured.p95, SQUASH_GOAL),
            Share::Squash => (measured.height_change, HEIGHT_CHANGE),
            Share::All | Share::Kept => {
                // The trunk may go where it likes, if nothing else tells how far.
                let judged = [Part::Tips, Part::Ears, Part::Hands, Part::Head].into_iter();
                let found = judged.filter_map(|part| Some((measured.part(part)?, part.target())));
                let furthest = found.max_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
                furthest.unwrap_or((measured.p95, GOAL))
            }
        }
    }

    /// Of the shares that move a part which the character has.
    pub fn least_scale(&self, scales: &Scales, measured: &Measured) -> f64 {
        let shares = self.amounts.shares().into_iter();
        let moving = shares.filter(|share| match share {
            Share::Lag(Part::Trunk) | Share::Squash => false,
            Share::Lag(part) => measured.part(*part).is_some(),
            Share::All | Share::Kept => true,
        });
        let least = moving.map(|share| scales.of(share)).reduce(f64::min);
        least.unwrap_or(scales.squash)
    }

    fn moved(&self, share: Share, measured: &Measured) -> f64 {
        self.moved_and_goal(share, measured).0
    }

    fn step(&self, share: Share, measured: &Measured) -> f64 {
        let (moved, goal) = self.moved_and_goal(share, measured);
        (goal / moved.max(1e-6)).clamp(STEP.start, STEP.end)
    }

    fn limited(&self, share: Share, scale: f64) -> f64 {
        let most = if share == Share::Squash { MOST_SQUASH_SCALE } else { MOST_SCALE };
        scale.clamp(1.0 / MOST_SCALE, most.min(self.amounts.most_scale(share)))
    }

    /// Takes back what tears, where it tears, and what goes too far.
    pub fn relent(
        &mut self,
        approached: Scales,
        mut measured: Measured,
    ) -> Result<Relented, FitError> {
        let mut scales = approached;
        let mut torn: Vec<Share> = Vec::new();
        // Rounds in which reducing a part's own amounts did not help it. After too many of them something else
        // tears it, for good: its own amounts come back, and all are reduced.
        let mut without_relief = [0; Part::ALL.len()];
        for _ in 0..REDUCTIONS {
            if !is_worn(&measured) {
                let shares = self.shares_too_far(&measured);
                if shares.is_empty() {
                    break;
                }
                reduce(&shares, &mut scales);
                measured = self.measure(&scales)?;
                continue;
            }
            let before = Part::ALL.map(|part| wear_of(&measured, part));
            let most = before.into_iter().fold(0.0, f64::max);
            let worn = |part: &Part| before[*part as usize] > most * 0.3;
            let mut shares: Vec<Share> = Vec::new();
            for part in Part::ALL.into_iter().filter(worn) {
                let is_torn_by_others = without_relief[part as usize] >= MOST_WITHOUT_RELIEF;
                let of_part = self.shares_that_wear(part, is_torn_by_others);
                shares.extend(
                    of_part
                        .into_iter()
                        .filter(|share| !shares.contains(share))
                        .collect::<Vec<Share>>(),
                );
            }
            reduce(&shares, &mut scales);
            torn.extend(
                shares.into_iter().filter(|share| !torn.contains(share)).collect::<Vec<_>>(),
            );
            measured = self.measure(&scales)?;
            for part in Part::ALL.into_iter().filter(worn) {
                let rounds = &mut without_relief[part as usize];
                if *rounds >= MOST_WITHOUT_RELIEF {
                    continue;
                }
                let is_relieved = wear_of(&measured, part) <= before[part as usize] * LEAST_RELIEF;
                *rounds = if is_relieved { 0 } else { *rounds + 1 };
                if *rounds == MOST_WITHOUT_RELIEF {
                    scales.lag[part as usize] = approached.lag[part as usize];
                }
            }
        }
        Ok(Relented { scales, still_worn: is_worn(&measured), measured, torn })
    }

    /// What may spoil a part: its own amounts, and of the trunk and legs squash too.
    fn shares_that_wear(&self, part: Part, is_torn_by_others: bool) -> Vec<Share> {
        let own = Share::Lag(part);
        let has_own = self.amounts.has(own) && !is_torn_by_others;
        match part {
            Part::Trunk if !is_torn_by_others => vec![own, Share::Squash, Share::All],
            _ if has_own => vec![own],
            _ => self.amounts.shares(),
        }
    }

    /// Squash for a trunk that changes too much. A part that goes too far is taken along by something else, since its
    /// own amounts have been tried: then all of them.
    fn shares_too_far(&self, measured: &Measured) -> Vec<Share> {
        let most = |part: Part| part.goal().end * TOO_FAR;
        let goes_too_far = |part: Part| measured.part(part).is_some_and(|it| it > most(part));
        if Part::ALL.into_iter().any(goes_too_far) {
            return self.amounts.shares();
        }
        let squash: Vec<Share> = [Share::Squash, Share::All]
            .into_iter()
            .filter(|share| self.amounts.has(*share))
            .collect();
        match measured.height_change > MOST_HEIGHT_CHANGE {
            // Lag alone may tip a trunk over.
            true if squash.is_empty() => self.amounts.shares(),
            true => squash,
            false => Vec::new(),
        }
    }
}

/// What is left after what tears and what goes too far was taken back.
pub struct Relented {
    pub scales: Scales,
    pub measured: Measured,
    /// What was reduced because the skin tore or turned over.
    pub torn: Vec<Share>,
    /// It still does.
    pub still_worn: bool,
}

fn reduce(shares: &[Share], scales: &mut Scales) {
    for share in shares {
        if let Some(scale) = scales.of_mut(*share) {
            *scale *= REDUCED;
        }
    }
}

fn is_worn(measured: &Measured) -> bool {
    measured.torn_edges() > MOST_TORN || measured.turned() > MOST_TURNED
}

/// How much of a part is spoilt, in parts of what may be.
fn wear_of(measured: &Measured, part: Part) -> f64 {
    let place = part as usize;
    (measured.torn_by[place] / MOST_TORN).max(measured.turned_by[place] / MOST_TURNED)
}
