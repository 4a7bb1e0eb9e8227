//! New, open, save; and what happens before unsaved work goes away.

use super::browser::{self, Purpose};
use super::{Question, short_name};
use crate::editor::State;
use crate::editor::jobs::said;
use crate::graph::{Document, built_in_style};
use crate::session::{Cast, Opened, Severity};
use egui::Context;
use std::path::{Path, PathBuf};

/// What comes after unsaved work was seen to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    New,
    /// Choose a file to open.
    Choose,
    Open(PathBuf),
    Example(String),
    Close,
}

/// Goes on at once, or asks first.
pub fn unless_unsaved(state: &mut State, ctx: &Context, next: Next) {
    match state.session.history().is_modified() {
        true => state.files.question = Some(Question::Unsaved(next)),
        false => go_on(state, ctx, next),
    }
}

/// Whatever is unsaved is given up.
pub fn go_on(state: &mut State, ctx: &Context, next: Next) {
    match next {
        Next::New => begin(state, ctx, "untitled", built_in_style("default").unwrap_or_default()),
        Next::Example(name) => match built_in_style(&name) {
            Some(document) => begin(state, ctx, &name, document),
            None => state.session.say(Severity::Error, format!("there is no example {name}")),
        },
        Next::Choose => browser::open(state, Purpose::Open),
        Next::Open(path) => open_document(state, ctx, &path),
        Next::Close => {
            state.files.may_close = true;
            if let Some(autosave) = &mut state.files.autosave {
                autosave.clear();
            }
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }
}

/// A document without a file. Its character is built in, but making one takes a moment.
fn begin(state: &mut State, ctx: &Context, name: &str, document: Document) {
    state.jobs.start(ctx, format!("Opening {name}"), move |_| {
        match Cast::of_document(&document, None) {
            Ok(cast) => Box::new(move |state, _| {
                state.session.replace(document, cast, None);
                look_anew(state);
            }),
            Err(error) => said(Severity::Error, error.to_string()),
        }
    });
}

/// Reads a document in the background and goes on with it; if it cannot be read, nothing changes.
pub fn open_document(state: &mut State, ctx: &Context, path: &Path) {
    let (path, name) = (path.to_owned(), short_name(path));
    state.jobs.start(ctx, format!("Opening {name}"), move |_| match Opened::read(&path) {
        Ok(opened) => Box::new(move |state, _| take_opened(state, opened)),
        Err(error) => said(Severity::Error, format!("{name}: {error}")),
    });
}

fn take_opened(state: &mut State, opened: Opened) {
    let file = opened.file.clone();
    let is_complete = state.session.take_opened(opened);
    look_anew(state);
    remember(state, &file);
    if !is_complete {
        super::cast::give_up(state);
        state.files.question = Some(Question::Relink);
    }
}

/// What was looked at belongs to the document before.
pub fn look_anew(state: &mut State) {
    state.selection = Default::default();
    state.canvas = Default::default();
    state.viewport.camera = None;
    state.viewport.forget_stage();
    state.playhead.time_secs = 0.0;
    state.playhead.range_secs = None;
    state.files.casts.forget();
}

fn remember(state: &mut State, file: &Path) {
    if let Err(error) = state.files.recent.add(file) {
        let text = format!("the list of recent files: {error}");
        state.session.say(Severity::Warning, text);
    }
}

/// To the document's file; without one the user is asked for it.
pub fn save(state: &mut State, ctx: &Context, next: Option<Next>) {
    match state.session.file().map(Path::to_owned) {
        Some(file) => save_as(state, ctx, &file, next),
        None => browser::open(state, Purpose::SaveAs { next }),
    }
}

pub fn save_as(state: &mut State, ctx: &Context, path: &Path, next: Option<Next>) {
    let path = with_ending(path);
    match state.session.save(&path) {
        Ok(()) => {
            state.session.say(Severity::Note, format!("saved {}", path.display()));
            remember(state, &path);
            if let Some(next) = next {
                go_on(state, ctx, next);
            }
        }
        Err(error) => state.session.say(Severity::Error, error.to_string()),
    }
}

pub fn save_packed(state: &mut State, path: &Path) {
    let path = with_ending(path);
    match state.session.save_packed(&path) {
        Ok(()) => {
            let text = format!("saved {} with its character inside", path.display());
            state.session.say(Severity::Note, text);
            remember(state, &path);
        }
        Err(error) => state.session.say(Severity::Error, error.to_string()),
    }
}

/// A document that does not end in .jounce would not be found again.
fn with_ending(path: &Path) -> PathBuf {
    match path.extension() {
        Some(ending) if ending.eq_ignore_ascii_case("jounce") => path.to_owned(),
        _ => {
            let mut name = path.as_os_str().to_owned();
            name.push(".jounce");
            PathBuf::from(name)
        }
    }
}
