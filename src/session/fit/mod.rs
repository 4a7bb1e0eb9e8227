//! How strong a style must be on a character, so that it is alive and not torn.
//!
//! ```text
//! parts    the tips, the hands, the head and the trunk, as areas of the skin
//! body     what the body does as a whole, told apart from what its parts do
//! wear     what tears or turns over, part by part
//! measure  all of that over a whole motion, and how far what stands goes
//! amounts  the numbers of a style that say how much, and what each of them moves
//! trial    measures with other amounts, until the goals are reached and nothing tears
//! shortfall  why a part stays below its goal
//! feet     a Pin before the Output, where what stands would not stand still: offered, never put there unasked
//! ```
//! A style that tells roles apart (Role Value) is fitted part by part: each part's amounts until it goes as far
//! as [`Part::goal`] says, and squash until the trunk's height changes by [`HEIGHT_CHANGE`]. Of any other style
//! two numbers are found, each with the other at 0: one for squash, and one for all that lags, until the part that
//! goes furthest, compared with its goal, is at its goal. What tears is reduced where it tears. Where a style
//! has a slider `strength`, all this is for 1, so that 0.5 is subtle and 2 a cartoon on every character.

mod amounts;
mod body;
mod feet;
mod measure;
mod parts;
mod shortfall;
mod trial;
mod wear;

pub use feet::hold_feet;
pub use measure::{Gauge, Measured, after_hold};
pub use parts::Part;
pub use shortfall::Reason;

use super::{Cancelled, Progress, Session, ShowError};
use amounts::Scales;
use jounce_eval::EvalError;
use jounce_graph::document::Command;
use shortfall::Changed;
use thiserror::Error;
use trial::{Relented, Trial};

/// Where a character has none of the parts: how far 95 % of its surface should go, as a fraction of its size.
pub const GOAL: f64 = 0.04;
/// Of a style that does not tell roles apart: how far 95 % of the surface should go by squash alone.
pub const SQUASH_GOAL: f64 = 0.02;
/// Less is hardly visible.
pub const LEAST: f64 = 0.02;
pub const MOST_AT_FEET: f64 = 0.005;
/// The largest part of the surface that may turn over.
pub const MOST_TURNED: f64 = 0.0002;
/// The largest part of the edges that may look torn.
pub const MOST_TORN: f64 = 0.001;
/// How much the height of the trunk should change in its liveliest moments.
pub const HEIGHT_CHANGE: f64 = 0.054;
pub const MOST_HEIGHT_CHANGE: f64 = 0.1;
/// In sizes of the character: what moves nothing further than this moves nothing.
const MOVES: f64 = 1e-6;
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
        "the style moves nothing of this character in clip \"{clip}\", so there is nothing to fit; choose a clip that moves more of the body, or a style for other parts of it"
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
    /// The smallest number that amounts were multiplied by, of those that move a part of this character.
    pub least_scale: f64,
    /// Parts that the style has amounts for; of any style that does not tell roles apart, all.
    pub parts: Vec<Part>,
    /// Those of them that stay below their goals all the same.
    pub shortfalls: Vec<(Part, Reason)>,
    /// Do feet slide that a Pin could hold? Not where one stands before the Output already.
    pub feet_slide: bool,
    /// Were amounts reduced because the skin tore or turned over?
    pub was_torn: bool,
    /// Does it tear or turn over all the same?
    pub still_torn: bool,
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
        if self.least_scale > QUIET {
            text.push_str(
                "; the character barely moves in this clip; fit again with one that moves more",
            );
        } else {
            let clauses = self.shortfall_clauses();
            if clauses.is_empty() && self.was_torn && after.p95 < LEAST / 2.0 {
                text.push_str("; more would tear the skin");
            }
            clauses.iter().for_each(|clause| text.extend(["; ", clause]));
        }
        if self.still_torn {
            text.push_str("; the skin still tears or turns over here: lower the sliders");
        }
        text
    }

    /// Why parts stay below their goals: "more would tear the ears", "the tips hardly move in this clip".
    pub fn shortfall_clauses(&self) -> Vec<String> {
        shortfall::clauses(&self.shortfalls)
    }
}

/// Fits the amounts of a session's style to its character and its clip. Slow: for the background.
pub fn fit(session: &Session, progress: &Progress) -> Result<Fit, FitError> {
    let mut trial = Trial::new(session, progress)?;
    let clip = trial.clip_name();
    let before = trial.measure(&Scales::ONE)?;
    if before.furthest < MOVES {
        return Err(FitError::Still { clip });
    }
    let mut commands = Vec::new();
    let approached = trial.approach(before)?;
    let mut after = trial.measure(&approached)?;
    if after.feet > MOST_AT_FEET {
        // One that is there may reach higher; a new one is only offered.
        if let Some(pin) = trial.raise_pin(after.ground_lift)? {
            commands.push(pin);
            after = trial.measure(&approached)?;
        }
    }
    let Relented { scales, measured: after, torn, still_worn } = trial.relent(approached, after)?;
    let amounts = trial.amounts();
    let changed = Changed { approached: &approached, scales: &scales, torn: &torn };
    let shortfalls = shortfall::shortfalls(amounts, &before, &changed, &after);
    commands.push(trial.amounts().scaled(&scales));
    progress.set(1.0);
    Ok(Fit {
        command: Command::batch(commands),
        before,
        after,
        least_scale: trial.least_scale(&scales, &after),
        parts: trial.amounts().parts(),
        shortfalls,
        feet_slide: after.feet > MOST_AT_FEET && !trial.has_pin(),
        was_torn: !torn.is_empty(),
        still_torn: still_worn,
        clip,
    })
}
