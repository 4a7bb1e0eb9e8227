//! New, open, save; and what happens before unsaved work goes away.

use super::browser::{self, Purpose};
use super::{Question, short_name};
use crate::State;
use crate::jobs::said;
use egui::Context;
use jounce_graph::document::{Document, MotionSettings, built_in_style};
use jounce_session::{Cast, Opened, SavePackedError, Session, Severity, Show};
use std::path::{Path, PathBuf};

/// What comes next, once unsaved work was saved or discarded.
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
    crate::panels::code::take_all(state);
    match state.session.history().is_modified() {
        true => state.files.question = Some(Question::Unsaved(next)),
        false => go_on(state, ctx, next),
    }
}

/// Unsaved work is discarded.
pub fn go_on(state: &mut State, ctx: &Context, next: Next) {
    match next {
        Next::New => {
            let document = built_in_style("default").unwrap_or_default();
            begin(state, ctx, "untitled", document, Next::New);
        }
        Next::Example(name) => match built_in_style(&name) {
            Some(document) => begin(state, ctx, &name.clone(), document, Next::Example(name)),
            None => {
                state.session.say(Severity::Error, format!("there is no example called {name}"))
            }
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
fn begin(state: &mut State, ctx: &Context, name: &str, document: Document, next: Next) {
    let (place, snapshot) = (state.session.place(), state.session.snapshot());
    state.jobs.start_reading(ctx, format!("Opening {name}"), move |_| {
        match Cast::of_document(&document, None) {
            Ok(cast) => {
                let show = rehearse(snapshot, &document, &cast, None);
                Box::new(move |state, ctx| {
                    if asks_again(state, ctx, place, next) {
                        return;
                    }
                    say_notes(state, &cast.clip_notes);
                    state.session.replace(document, cast, None);
                    look_anew(state, show);
                })
            }
            Err(error) => said(Severity::Error, error.to_string()),
        }
    });
}

/// What was changed while another document was being read is unsaved work like any other.
fn asks_again(state: &mut State, ctx: &Context, place: (u64, u64), next: Next) -> bool {
    let is_changed = state.session.place() != place && state.session.history().is_modified();
    if is_changed {
        unless_unsaved(state, ctx, next);
    }
    is_changed
}

/// The slowest work before a document is first shown, so the window's thread does not do it.
pub fn rehearse(
    mut session: Session,
    document: &Document,
    cast: &Cast,
    file: Option<&Path>,
) -> Option<Box<Show>> {
    session.replace(document.clone(), cast.clone(), file.map(Path::to_owned));
    // What goes wrong here goes wrong again where it is shown, and is reported there.
    Show::new(&session).ok().map(Box::new)
}

/// Reads a document in the background and goes on with it; if it cannot be read, nothing changes.
pub fn open_document(state: &mut State, ctx: &Context, path: &Path) {
    let (path, name) = (path.to_owned(), short_name(path));
    let (place, snapshot) = (state.session.place(), state.session.snapshot());
    state.jobs.start_reading(ctx, format!("Opening {name}"), move |_| match Opened::read(&path) {
        Ok(opened) => {
            let cast = opened.cast.as_ref().ok();
            let show =
                cast.and_then(|cast| rehearse(snapshot, &opened.document, cast, Some(&path)));
            Box::new(move |state, ctx| {
                if !asks_again(state, ctx, place, Next::Open(path)) {
                    take_opened(state, opened, show);
                }
            })
        }
        Err(error) => said(Severity::Error, format!("{name}: {error}")),
    });
}

fn take_opened(state: &mut State, opened: Opened, show: Option<Box<Show>>) {
    let file = opened.file.clone();
    let lacking = opened.cast.as_ref().err().map(ToString::to_string);
    if let Ok(cast) = &opened.cast {
        say_notes(state, &cast.clip_notes);
    }
    state.session.take_opened(opened);
    look_anew(state, show);
    remember(state, &file);
    if let Some(error) = lacking {
        super::cast::give_up(state);
        state.files.question = Some(Question::Relink(error));
    }
}

/// What is odd about borrowed clips.
pub fn say_notes(state: &mut State, notes: &[String]) {
    for note in notes {
        state.session.say(Severity::Warning, note);
    }
}

/// What was looked at belongs to the document before.
pub fn look_anew(state: &mut State, show: Option<Box<Show>>) {
    state.selection = Default::default();
    state.canvas = Default::default();
    state.viewport.camera = None;
    state.viewport.compare.slots = Default::default();
    state.viewport.velocities.clear();
    state.viewport.heat.hide();
    state.viewport.hand = None;
    state.viewport.forget_stage();
    if let Some(show) = show {
        state.take_show(*show);
    }
    state.playhead.time_secs = 0.0;
    state.playhead.range_secs = None;
    state.files.casts.forget();
}

fn remember(state: &mut State, file: &Path) {
    if let Err(error) = state.files.recent.add(file) {
        let text = format!("the list of recent files cannot be saved: {error}");
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
    let motion = state.session.document().motion.clone();
    match state.session.save(&path) {
        Ok(()) => {
            state.session.say(Severity::Note, format!("saved {}", path.display()));
            after_saving(state, &motion);
            remember(state, &path);
            if let Some(next) = next {
                go_on(state, ctx, next);
            }
        }
        Err(error) => state.session.say(Severity::Error, error.to_string()),
    }
}

/// Files whose paths have changed are no longer known by their old paths.
fn after_saving(state: &mut State, motion_before: &MotionSettings) {
    let session = &state.session;
    if session.document().motion != *motion_before {
        state.files.casts.forget();
    }
    if !session.cast().is_of(&session.document().motion) {
        super::cast::give_up(state);
    }
}

/// Characters are large: they are read and written in the background.
pub fn save_packed(state: &mut State, ctx: &Context, path: &Path) {
    let path = with_ending(path);
    let (place, snapshot) = (state.session.place(), state.session.snapshot());
    let name = short_name(&path);
    state.jobs.start(ctx, format!("Saving {name}"), move |progress| {
        match snapshot.write_packed(&path, progress) {
            Ok(saved) => Box::new(move |state, _| {
                let text = format!("saved {} with its character inside", path.display());
                state.session.say(Severity::Note, text);
                // Another document may be open by now.
                if state.session.place().0 == place.0 {
                    let motion = state.session.document().motion.clone();
                    state.session.take_saved(saved, place.1);
                    after_saving(state, &motion);
                }
                remember(state, &path);
            }),
            Err(SavePackedError::Cancelled(_)) => {
                said(Severity::Note, format!("saving {name} was cancelled"))
            }
            Err(error) => said(Severity::Error, error.to_string()),
        }
    });
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
