//! How strong a style must be on a character, so that it is alive and not torn.
//!
//! ```text
//! parts    the tips, the hands, the head and the trunk, as areas of the skin
//! measure  how far each goes in its liveliest moments, how far what stands goes, what tears or turns over
//! amounts  the numbers of a style that say how much, and what each of them moves
//! feet     a Pin before the Output, where what stands would not stand still: offered, never put there unasked
//! ```
//! A style that tells roles apart (Role Value) is fitted part by part: each part's amounts until it goes as far
//! as [`Part::goal`] says, and squash until the trunk's height changes by [`HEIGHT_CHANGE`]. Of any other style
//! all amounts are scaled by one number, until the part that goes furthest, compared with its goal, is at its
//! goal. If something tears, or slides, all amounts are reduced.

mod amounts;
mod feet;
mod measure;
mod parts;

pub use feet::hold_feet;
pub use measure::{Gauge, Measured, after_hold};
pub use parts::Part;

use super::{Cancelled, Progress, Session, Show, ShowError};
use amounts::{Amounts, Scales, Share};
use jounce_eval::EvalError;
use jounce_graph::document::Command;
use thiserror::Error;

/// Where a character has none of the parts: how far 95 % of its surface should go, as a fraction of its size.
pub const GOAL: f64 = 0.04;
/// Less is hardly visible.
pub const LEAST: f64 = 0.02;
pub const MOST_AT_FEET: f64 = 0.005;
/// The largest part of the surface that may turn over.
pub const MOST_FLIPPED: f64 = 0.0002;
/// The largest part of the edges that may look torn.
pub const MOST_TORN: f64 = 0.001;
/// How much the height of the trunk should change in its liveliest moments.
pub const HEIGHT_CHANGE: f64 = 0.07;
/// Amounts that had to grow by more are those of a clip that hardly moves.
const QUIET: f64 = 10.0;

#[derive(Debug, Error)]
pub enum FitError {
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    #[error(transparent)]
    Show(#[from] ShowError),
    #[error(transparent)]
    Eval(#[from] EvalError),
    #[error("this style has no amount to fit; wire a Parameter to an input that moves the skin")]
    NoAmounts,
    #[error(
        "the style does not move anything in clip \"{clip}\", so there is nothing to fit; choose a clip that moves the body"
    )]
    Still { clip: String },
    #[error(
        "all amounts of this style are keyed over clip \"{clip}\", so there is nothing to fit; remove the keys of one"
    )]
    AllKeyed { clip: String },
    #[error("the fitted values cannot be set: {0}")]
    Command(String),
}

/// What to do to the document, and what comes of it.
#[derive(Clone, Debug)]
pub struct Fit {
    pub command: Command,
    pub before: Measured,
    pub after: Measured,
    /// The largest number that amounts were multiplied by.
    pub scale: f64,
    /// Do feet slide that a Pin could hold?
    pub feet_slide: bool,
    pub clip: String,
}

impl Fit {
    /// In a sentence.
    pub fn summary(&self) -> String {
        let percent = |part: f64| format!("{:.1} %", part * 100.0);
        let after = &self.after;
        let of_part = |part: Part| Some(format!("{} {}", part.name(), percent(after.part(part)?)));
        let parts: Vec<String> = Part::ALL.into_iter().filter_map(of_part).collect();
        let moves = match parts.is_empty() {
            true => format!("the skin moves up to {}", percent(after.p95)),
            false => parts.join(", "),
        };
        let mut text = format!(
            "fitted to clip \"{}\": {moves} of the size; planted feet move {}",
            self.clip,
            percent(after.feet)
        );
        if self.feet_slide {
            text.push_str("; a Pin before the Output would hold the feet");
        }
        if self.scale > QUIET {
            text.push_str(
                "; the character barely moves in this clip; fit again with one that moves more",
            );
        } else if after.p95 < LEAST / 2.0 {
            text.push_str("; more would tear the skin");
        }
        text
    }
}

/// Measures again and again, with other amounts.
struct Trial<'a> {
    session: Session,
    show: Show,
    gauge: Gauge,
    amounts: Amounts,
    progress: &'a Progress,
    measured: usize,
}

/// About how often is measured: only for the bar.
const EXPECTED_MEASURES: f64 = 12.0;
/// Amounts never become more than this many times those of the style, or less than one over it.
const MOST_SCALE: f64 = 50.0;
/// Rounds of approaching the goals.
const ROUNDS: usize = 7;

impl Trial<'_> {
    fn measure(&mut self, scales: &Scales) -> Result<Measured, FitError> {
        self.progress.check()?;
        let command = self.amounts.scaled(scales);
        if !self.session.perform("Fit", command) {
            let last = self.session.messages().last();
            return Err(FitError::Command(last.map(|it| it.text.clone()).unwrap_or_default()));
        }
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

    /// What each share should be multiplied by to reach its goal, as far as one step dares.
    fn step(&self, measured: &Measured) -> Scales {
        let dare = |goal: f64, is: f64| (goal / is.max(1e-6)).clamp(0.3, 4.0);
        let middle = |part: Part| (part.goal().start + part.goal().end) / 2.0;
        let mut step = Scales::ONE;
        for part in Part::ALL {
            if let Some(is) = measured.part(part).filter(|_| self.amounts.has(Share::Lag(part))) {
                step.lag[part as usize] = dare(middle(part), is);
            }
        }
        if self.amounts.has(Share::Squash) {
            step.squash = dare(HEIGHT_CHANGE, measured.height_change);
        }
        // The trunk may go where it likes, if nothing else tells how far.
        let most = |found: Option<f64>, part: Part| {
            let ratio = measured.part(part).map(|is| is / middle(part));
            [found, ratio].into_iter().flatten().reduce(f64::max)
        };
        let furthest = [Part::Tips, Part::Hands, Part::Head].into_iter().fold(None, most);
        step.all = match furthest {
            Some(ratio) => dare(1.0, ratio),
            None => dare(GOAL, measured.p95),
        };
        step
    }

    /// Until every part goes as far as it should, or more does not help.
    fn approach(&mut self, before: Measured) -> Result<(Scales, Measured), FitError> {
        let (mut scales, mut measured) = (Scales::ONE, before);
        for _ in 0..ROUNDS {
            let step = self.step(&measured);
            let limited = |scale: f64, by: f64| (scale * by).clamp(1.0 / MOST_SCALE, MOST_SCALE);
            let mut next = scales;
            for part in Part::ALL {
                let place = part as usize;
                next.lag[place] = limited(scales.lag[place], step.lag[place]);
            }
            next.squash = limited(scales.squash, step.squash);
            next.all = limited(scales.all, step.all);
            let is_close = |a: f64, b: f64| (a / b - 1.0).abs() < 0.05;
            let is_there = next.lag.iter().zip(&scales.lag).all(|(a, b)| is_close(*a, *b))
                && is_close(next.squash, scales.squash)
                && is_close(next.all, scales.all);
            if is_there {
                break;
            }
            (scales, measured) = (next, self.measure(&next)?);
        }
        Ok((scales, measured))
    }

    /// Takes back what tears, or slides.
    fn relent(
        &mut self,
        mut scales: Scales,
        mut measured: Measured,
    ) -> Result<(Scales, Measured), FitError> {
        for _ in 0..10 {
            let is_torn = measured.flipped > MOST_FLIPPED || measured.torn_edges > MOST_TORN;
            if !is_torn {
                break;
            }
            scales = scales.times(0.85);
            measured = self.measure(&scales)?;
        }
        Ok((scales, measured))
    }
}

/// Fits the amounts of a session's style to its character and its clip. Slow: for the background.
pub fn fit(session: &Session, progress: &Progress) -> Result<Fit, FitError> {
    let session = session.snapshot();
    let show = Show::new(&session)?;
    let mut amounts = Amounts::of(&session.document().style, show.program());
    if amounts.is_empty() {
        return Err(FitError::NoAmounts);
    }
    let clip = show.clip().name.clone();
    // Keys are what somebody wants at these moments; what else there is, is fitted around them.
    let keys = session.document().motion.keys.get(&clip);
    let keyed = keys.into_iter().flat_map(|keys| keys.keys());
    amounts.leave_out(show.program(), keyed.map(String::as_str));
    if amounts.is_empty() {
        return Err(FitError::AllKeyed { clip });
    }
    let gauge = Gauge::new(show.character(), &session.character_settings());
    let before = gauge.measure(&show, progress)?;
    progress.check()?;
    if before.p95 < 1e-6 {
        return Err(FitError::Still { clip });
    }
    let mut trial = Trial { session, show, gauge, amounts, progress, measured: 1 };
    let (scales, after) = trial.approach(before)?;
    let (scales, after) = trial.relent(scales, after)?;
    let commands = vec![trial.amounts.scaled(&scales), trial.amounts.room_for(&scales)];
    progress.set(1.0);
    let largest = scales.lag.into_iter().fold(scales.all.max(scales.squash), f64::max);
    Ok(Fit {
        command: Command::batch(commands),
        before,
        after,
        scale: largest,
        feet_slide: after.feet > MOST_AT_FEET,
        clip,
    })
}
