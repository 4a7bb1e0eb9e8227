//! A file on the window: a document opens, a character takes the stage and is fitted.

use super::documents::{Next, unless_unsaved};
use super::short_name;
use crate::editor::jobs::{Finish, said};
use crate::editor::{State, theme};
use crate::graph::Command;
use crate::session::fit::{Fit, FitError, fit};
use crate::session::{Cast, Incoming, Severity, read_incoming};
use egui::{Align2, Context, FontId, Id, LayerId, Order};
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

/// Reads it in the background. What is no character and no document leaves one message.
pub fn take_dropped(state: &mut State, ctx: &Context, path: &Path) {
    let is_document = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("jounce"));
    if is_document && path.is_file() {
        unless_unsaved(state, ctx, Next::Open(path.to_owned()));
        return;
    }
    let (path, name) = (path.to_owned(), short_name(path));
    state.jobs.start(ctx, format!("Loading {name}"), move |_| -> Finish {
        match read_incoming(&path) {
            Ok(Incoming::Character(cast)) => {
                Box::new(move |state, ctx| take_stage(state, ctx, *cast, &path))
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
fn take_stage(state: &mut State, ctx: &Context, mut cast: Cast, path: &Path) {
    let label = format!("Drop {}", short_name(path));
    let name = state.session.name_of(path);
    cast.name = name;
    let motion = cast.lively_motion(state.session.document().motion.fps);
    for note in cast.notes.clone() {
        state.session.say(Severity::Note, note);
    }
    state.session.begin(&label);
    if !state.session.update(&label, Command::SetMotion(motion)) {
        state.session.cancel();
        return;
    }
    // An undo brings the one before back at once.
    let before = state.session.cast().clone();
    state.files.casts.keep(&before);
    state.session.set_cast(cast);
    state.viewport.camera = None;
    state.playhead.time_secs = 0.0;
    state.playhead.range_secs = None;
    state.playhead.is_playing = true;
    start_fit(state, ctx, true);
}

pub fn fit_to_clip(state: &mut State, ctx: &Context) {
    start_fit(state, ctx, false);
}

/// `is_drop`: the step that the drop began is still open.
fn start_fit(state: &mut State, ctx: &Context, is_drop: bool) {
    let session = state.session.snapshot();
    let title = format!("Fitting {}", session.cast().key);
    let character = session.cast().character.clone();
    state.jobs.start(ctx, title, move |progress| {
        let fitted = fit(&session, progress);
        Box::new(move |state, _| {
            let is_same = Arc::ptr_eq(&state.session.cast().character, &character);
            take_fit(state, fitted, is_same, is_drop);
        })
    });
}

fn take_fit(state: &mut State, fitted: Result<Fit, FitError>, is_same: bool, is_drop: bool) {
    let is_open = is_drop && state.session.history().is_open();
    match fitted {
        Ok(fit) if is_same => {
            let summary = fit.summary();
            let done = match is_open {
                true => state.session.update("Fit to Clip", fit.command),
                false => state.session.perform("Fit to Clip", fit.command),
            };
            if done {
                state.session.say(Severity::Note, summary);
            }
        }
        // Somebody else plays by now.
        Ok(_) | Err(FitError::Cancelled(_)) => {}
        Err(error) => {
            let severity = if is_drop { Severity::Warning } else { Severity::Error };
            state.session.say(severity, error.to_string());
        }
    }
    if is_open {
        state.session.commit();
    }
}
