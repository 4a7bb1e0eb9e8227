//! A file on the window: a document opens, a character takes the stage and is fitted.

use super::documents::{Next, unless_unsaved};
use super::{Question, browser, cast, short_name};
use crate::jobs::{Finish, said};
use crate::panels::viewport::FitNotice;
use crate::{State, theme};
use egui::{Align2, Context, FontId, Id, LayerId, Order};
use jounce_graph::document::{Command, MotionSettings, Owner};
use jounce_session::fit::{self, Fit, FitError, fit};
use jounce_session::{Cast, Incoming, Progress, Session, Severity, Show, read_incoming};
use std::path::Path;
use std::sync::Arc;

/// While a file hovers over the window.
pub fn show_hint(ctx: &Context) {
    if ctx.input(|input| input.raw.hovered_files.is_empty()) {
        return;
    }
    let painter = ctx.layer_painter(LayerId::new(Order::Tooltip, Id::new("drop hint")));
    let rect = ctx.content_rect();
    painter.rect_filled(rect, 0.0, theme::GROUND.gamma_multiply(0.85));
    let text = "Drop a character (.glb, .gltf) or a .jounce document";
    painter.text(
        rect.center(),
        Align2::CENTER_CENTER,
        text,
        FontId::proportional(22.0),
        theme::ACCENT,
    );
}

/// While something is asked, a file is the answer or has to wait.
pub fn answer_or_take(state: &mut State, ctx: &Context, path: &Path) {
    match &state.files.question {
        Some(Question::Relink(_)) if is_character(path) => {
            state.files.question = None;
            cast::relink(state, ctx, path);
        }
        None if browser::takes_drops(state) => browser::choose(state, ctx, path),
        None if !state.files.is_asking() => take_dropped(state, ctx, path),
        _ => {
            let text =
                format!("answer the open question first, then drop {} again", short_name(path));
            state.session.say(Severity::Warning, text);
        }
    }
}

fn is_character(path: &Path) -> bool {
    let ends_in = |ending: &str| path.extension().is_some_and(|it| it.eq_ignore_ascii_case(ending));
    ends_in("glb") || ends_in("gltf")
}

/// Reads it in the background. Anything that is neither a character nor a document leaves one message.
pub fn take_dropped(state: &mut State, ctx: &Context, path: &Path) {
    let is_document = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("jounce"));
    if is_document && path.is_file() {
        unless_unsaved(state, ctx, Next::Open(path.to_owned()));
        return;
    }
    let (path, name) = (path.to_owned(), short_name(path));
    let snapshot = state.session.snapshot();
    state.jobs.start_reading(ctx, format!("Loading {name}"), move |_| -> Finish {
        match read_incoming(&path) {
            Ok(Incoming::Character(cast)) => {
                let show = rehearse(snapshot, &cast, &path);
                Box::new(move |state, ctx| take_stage(state, ctx, *cast, show, &path))
            }
            Ok(Incoming::Document(opened)) => {
                Box::new(move |state, ctx| unless_unsaved(state, ctx, Next::Open(opened.file)))
            }
            Err(error) => said(Severity::Error, error),
        }
    });
}

/// The graph stays, the character is another one. It is seen at once, and fitted beside that; both are
/// one step, unless the user does something in between.
fn take_stage(
    state: &mut State,
    ctx: &Context,
    mut cast: Cast,
    show: Option<Box<Show>>,
    path: &Path,
) {
    let label = format!("Drop {}", short_name(path));
    cast.name = state.session.name_of(path);
    let motion = default_motion(&state.session, &cast);
    for note in cast.notes.clone() {
        state.session.say(Severity::Note, note);
    }
    let owner = state.session.begin_work(&label);
    if !state.session.update(owner, &label, Command::SetMotion(motion)) {
        state.session.cancel(owner);
        return;
    }
    // An undo brings the one before back at once.
    let before = state.session.cast().clone();
    state.files.casts.keep(&before);
    state.session.set_cast(cast);
    if let Some(show) = show {
        state.take_show(*show);
    }
    state.viewport.camera = None;
    state.playhead.time_secs = 0.0;
    state.playhead.range_secs = None;
    state.playhead.is_playing = true;
    start_fit(state, ctx, Some(owner));
}

/// The slowest work before a character is first shown, so the window's thread does not do it.
fn rehearse(mut session: Session, cast: &Cast, path: &Path) -> Option<Box<Show>> {
    let mut cast = cast.clone();
    cast.name = session.name_of(path);
    let motion = default_motion(&session, &cast);
    session.perform("Rehearse", Command::SetMotion(motion));
    session.set_cast(cast);
    // What goes wrong here goes wrong again where it is shown, and is reported there.
    Show::new(&session).ok().map(Box::new)
}

/// Keys stay with the names of their clips: the character before may come back.
fn default_motion(session: &Session, cast: &Cast) -> MotionSettings {
    let before = &session.document().motion;
    MotionSettings { keys: before.keys.clone(), ..cast.default_motion(before.fps) }
}

/// Takes back what the last fit did, with the character if it was dropped in the same step.
pub fn undo_fit(state: &mut State) {
    state.session.undo();
}

/// A Pin before the Output, which the user has asked for, and amounts that go with it.
pub fn hold_feet(state: &mut State, ctx: &Context, ground_lift: f64) {
    match fit::hold_feet(&state.session, ground_lift) {
        Some(pin) => {
            if state.session.perform("Hold Feet", pin) {
                start_fit(state, ctx, None);
            }
        }
        None => state
            .session
            .say(Severity::Warning, "nothing is wired to the Output, so nothing can be held"),
    }
}

pub fn fit_to_clip(state: &mut State, ctx: &Context) {
    start_fit(state, ctx, None);
}

/// Plays another clip or test motion. A style that was fitted, and that nobody has touched since, is fitted
/// to it as well: what was right for a character that looks about would tear one that runs.
pub fn choose_motion(state: &mut State, ctx: &Context, motion: MotionSettings) {
    let label = "Choose motion";
    let command = Command::SetMotion(motion);
    if state.files.fitted.as_ref() != Some(&state.session.document().style) {
        state.session.perform(label, command);
        return;
    }
    let owner = state.session.begin_work(label);
    if state.session.update(owner, label, command) {
        start_fit(state, ctx, Some(owner));
    } else {
        state.session.cancel(owner);
    }
}

/// `drop`: who has begun the step of a drop, which is still open.
fn start_fit(state: &mut State, ctx: &Context, drop: Option<Owner>) {
    let session = state.session.snapshot();
    let title = format!("Fitting {}", session.cast().key);
    let character = session.cast().character.clone();
    let work = move |progress: &Progress| -> Finish {
        let fitted = fit(&session, progress);
        Box::new(move |state, _| {
            let is_same = Arc::ptr_eq(&state.session.cast().character, &character);
            take_fit(state, fitted, is_same, drop);
        })
    };
    state.jobs.start_or(ctx, title, work, move |state| end_drop(state, drop));
}

fn end_drop(state: &mut State, drop: Option<Owner>) {
    if let Some(owner) = drop {
        state.session.commit(owner);
    }
}

fn take_fit(state: &mut State, fitted: Result<Fit, FitError>, is_same: bool, drop: Option<Owner>) {
    let is_open = drop.is_some() && state.session.history().owner() == drop;
    let mut done_fit = None;
    match (fitted, drop) {
        // The user has changed the style in the meantime; only the user may set its sliders again.
        (Ok(_), Some(_)) if is_same && !is_open => {
            let text = "the style was changed while it was being fitted, so it was left alone; choose Fit to Clip to fit it";
            state.session.say(Severity::Note, text);
        }
        (Ok(fit), drop) if is_same => {
            let summary = fit.summary();
            let command = fit.command.clone();
            let done = match drop {
                Some(owner) => state.session.update(owner, "Fit to Clip", command),
                None => state.session.perform("Fit to Clip", command),
            };
            if done {
                state.files.fitted = Some(state.session.document().style.clone());
                state.session.say(Severity::Note, summary);
                done_fit = Some(fit);
            }
        }
        // By now, another character is playing.
        (Ok(_) | Err(FitError::Cancelled(_)), _) => {}
        (Err(error), drop) => {
            let severity = if drop.is_some() { Severity::Warning } else { Severity::Error };
            state.session.say(severity, error.to_string());
        }
    }
    end_drop(state, drop);
    if let Some(fit) = done_fit {
        state.files.fit_notice = Some(FitNotice::new(&fit, state.session.revision()));
    }
}
