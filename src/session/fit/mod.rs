//! How strong a style must be on a character, so that it is alive and not torn.
//!
//! ```text
//! sample   the motion at some moments, plain and deformed
//! measure  how far the skin goes (95th percentile), how far what stands goes, which triangles turn over
//! amounts  the sliders that say how much
//! feet     a Pin before the Output, where what stands would not stand still
//! ```
//! All amounts are scaled by one number until 95 of 100 vertices go up to 4 % of the character's size. If
//! what touches the ground then goes further than 1 %, a Pin holds it: one that is there reaches a little
//! higher, else one is put in front of the Output. If something still goes wrong, the amounts are reduced.

mod amounts;
mod feet;
mod measure;

pub use measure::Measured;

use super::{Cancelled, Progress, Session, Show, ShowError};
use amounts::Amounts;
use jounce_eval::EvalError;
use jounce_graph::document::Command;
use thiserror::Error;

/// All lengths as fractions of the character's size.
pub const GOAL: f64 = 0.04;
/// Less is hardly visible.
pub const LEAST: f64 = 0.02;
pub const MOST_AT_FEET: f64 = 0.01;
/// Amounts that had to grow by more are those of a clip that hardly moves.
const QUIET: f64 = 10.0;
/// The largest fraction of triangles that may turn over.
pub const MOST_FLIPPED: f64 = 0.001;

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
    /// All amounts times this.
    pub scale: f64,
    pub has_new_pin: bool,
    pub clip: String,
}

impl Fit {
    /// In a sentence.
    pub fn summary(&self) -> String {
        let percent = |part: f64| format!("{:.1} %", part * 100.0);
        let Measured { p95, feet, .. } = self.after;
        let mut text = format!(
            "fitted to clip \"{}\": strength × {:.2}, the skin moves up to {} of the size, planted feet move {}",
            self.clip,
            self.scale,
            percent(p95),
            percent(feet)
        );
        if self.has_new_pin {
            text.push_str("; a Pin holds the feet");
        }
        if p95 < LEAST {
            text.push_str("; more would tear the skin");
        }
        if self.scale > QUIET {
            text.push_str(
                "; the character barely moves in this clip; fit again with one that moves more",
            );
        }
        text
    }
}

/// Measures again and again, with other amounts.
struct Trial<'a> {
    session: Session,
    show: Show,
    amounts: Amounts,
    progress: &'a Progress,
    measured: usize,
}

/// About how often is measured: only for the bar.
const EXPECTED_MEASURES: f64 = 14.0;

impl Trial<'_> {
    fn measure(&mut self, scale: f64) -> Result<Measured, FitError> {
        self.progress.check()?;
        let command = self.amounts.scaled(scale);
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
        let measured = measure::measure(&self.show, self.progress)?;
        // If it was cancelled in between, it has not measured everything.
        self.progress.check()?;
        Ok(measured)
    }

    /// The scale at which the skin goes as far as it should, from one that is near it.
    fn calibrate(&mut self, mut scale: f64) -> Result<(f64, Measured), FitError> {
        let mut measured = self.measure(scale)?;
        for _ in 0..6 {
            let ratio = GOAL / measured.p95.max(1e-9);
            if (0.95..1.05).contains(&ratio) || !(1e-3..1e3).contains(&scale) {
                break;
            }
            // Because of the style's limits, the skin moves less than the amounts ask for.
            let next = (scale * ratio.clamp(0.1, 8.0)).clamp(1e-3, 100.0);
            let then = self.measure(next)?;
            let gained = (then.p95 / measured.p95 - 1.0).abs();
            (scale, measured) = (next, then);
            if gained < 0.02 {
                break;
            }
        }
        Ok((scale, measured))
    }

    /// Takes back what tears, or slides.
    fn relent(
        &mut self,
        mut scale: f64,
        mut measured: Measured,
    ) -> Result<(f64, Measured), FitError> {
        for _ in 0..12 {
            let too_far = measured.feet / MOST_AT_FEET;
            let factor = match measured.flipped > MOST_FLIPPED {
                true => 0.8,
                false if too_far > 1.0 => (0.95 / too_far).max(0.3),
                false => break,
            };
            scale *= factor;
            measured = self.measure(scale)?;
        }
        Ok((scale, measured))
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
    let before = measure::measure(&show, progress)?;
    progress.check()?;
    if before.p95 < 1e-6 {
        return Err(FitError::Still { clip });
    }
    let mut trial = Trial { session, show, amounts, progress, measured: 1 };
    let (mut scale, mut after) = trial.calibrate((GOAL / before.p95).clamp(0.05, 20.0))?;
    let mut commands = Vec::new();
    let mut has_new_pin = false;
    if after.feet > MOST_AT_FEET {
        let held = feet::hold(&trial.session, after.ground_lift);
        if let Some(held) = held {
            has_new_pin = held.is_new;
            if !trial.session.perform("Pin", held.command.clone()) {
                return Err(FitError::Command("the Output cannot be pinned".to_owned()));
            }
            commands.push(held.command);
            trial.show = Show::new(&trial.session)?;
            (scale, after) = trial.calibrate(scale)?;
        }
    }
    let (scale, after) = trial.relent(scale, after)?;
    commands.push(trial.amounts.scaled(scale));
    commands.push(trial.amounts.room_for(scale));
    progress.set(1.0);
    Ok(Fit { command: Command::batch(commands), before, after, scale, has_new_pin, clip })
}
