//! The dialogs that ask.

use super::browser::{self, Purpose};
use super::documents::{self, Next};
use super::{cast, short_name};
use crate::jobs::{Finish, said};
use crate::{State, theme};
use egui::{Button, Context, Id, Key, Modal, Ui};
use jounce_base::text::counted;
use jounce_session::{Progress, Recoverable, Recovered, Severity, Show};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Save before going on?
    Unsaved(Next),
    /// The last run ended too early.
    Recover(Vec<Recoverable>),
    /// The character cannot be loaded: why.
    Relink(String),
}

enum Answer {
    Save,
    Discard,
    Recover,
    Relink,
    /// Later, or never.
    Cancel,
}

pub fn show(ctx: &Context, state: &mut State) {
    let Some(question) = state.files.question.clone() else { return };
    let modal = Modal::new(Id::new("question")).frame(theme::dialog()).show(ctx, |ui| {
        ui.set_width(400.0);
        ui.spacing_mut().item_spacing.y = 10.0;
        match &question {
            Question::Unsaved(next) => unsaved(ui, state, next),
            Question::Recover(found) => recover(ui, found),
            Question::Relink(error) => relink(ui, state, error),
        }
    });
    // What was found after a crash is not thrown away by a click beside it.
    let must_answer = matches!(question, Question::Recover(_));
    let dismissed = (modal.should_close() && !must_answer).then_some(Answer::Cancel);
    if let Some(answer) = modal.inner.or(dismissed) {
        state.files.question = None;
        act(state, ctx, question, answer);
    }
}

fn unsaved(ui: &mut Ui, state: &State, next: &Next) -> Option<Answer> {
    let name = state.session.file().map_or("this document".to_owned(), short_name);
    let before = match next {
        Next::Close => "closing",
        Next::New => "starting a new one",
        Next::Choose | Next::Open(_) | Next::Example(_) => "opening another",
    };
    ui.heading(format!("Save {name} before {before}?"));
    ui.label("If you don't, your changes since the last save are lost.");
    buttons(
        ui,
        &[("Save", Answer::Save), ("Don't Save", Answer::Discard), ("Cancel", Answer::Cancel)],
    )
}

fn recover(ui: &mut Ui, found: &[Recoverable]) -> Option<Answer> {
    ui.heading("Jounce closed unexpectedly");
    if let Some(newest) = found.first() {
        let secs = newest.saved_at.elapsed().unwrap_or_default().as_secs() as usize;
        let ago = match secs {
            0..90 => counted(secs, "second"),
            90..5400 => counted(secs / 60, "minute"),
            5400..129_600 => counted(secs / 3600, "hour"),
            _ => counted(secs / 86_400, "day"),
        };
        ui.label(format!("A recovery copy of {} was saved {ago} ago.", newest.name()));
    }
    if found.len() > 1 {
        let more = found.len() - 1;
        ui.weak(format!(
            "{} can be recovered; nothing is removed until you discard it.",
            counted(more, "more document")
        ));
    }
    buttons(ui, &[("Recover", Answer::Recover), ("Discard", Answer::Discard)])
}

fn relink(ui: &mut Ui, state: &State, error: &str) -> Option<Answer> {
    ui.heading("The character cannot be loaded");
    ui.label(error);
    if let Some(folder) = cast::looked_in(state) {
        ui.weak(format!("Jounce looked for it in {folder}."));
    }
    ui.weak(
        "Your document is fine. Choose where the file is now, or continue with another character.",
    );
    buttons(ui, &[("Relink…", Answer::Relink), ("Not Now", Answer::Cancel)])
}

/// The first is what Enter does.
fn buttons(ui: &mut Ui, answers: &[(&'static str, Answer)]) -> Option<Answer> {
    let mut chosen = None;
    ui.horizontal(|ui| {
        for (place, (label, _)) in answers.iter().enumerate() {
            let mut button = Button::new(*label).min_size(egui::vec2(96.0, 28.0));
            if place == 0 {
                button = button.fill(theme::ACCENT.gamma_multiply(0.55));
            }
            if ui.add(button).clicked() {
                chosen = Some(place);
            }
        }
    });
    if ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::Enter)) {
        chosen = chosen.or(Some(0));
    }
    chosen.map(|place| match answers[place].1 {
        Answer::Save => Answer::Save,
        Answer::Discard => Answer::Discard,
        Answer::Recover => Answer::Recover,
        Answer::Relink => Answer::Relink,
        Answer::Cancel => Answer::Cancel,
    })
}

fn act(state: &mut State, ctx: &Context, question: Question, answer: Answer) {
    match (question, answer) {
        (Question::Unsaved(next), Answer::Save) => documents::save(state, ctx, Some(next)),
        (Question::Unsaved(next), Answer::Discard) => documents::go_on(state, ctx, next),
        (Question::Recover(found), Answer::Recover) => {
            if let Some(newest) = found.first() {
                take_back(state, ctx, newest.clone());
            }
            // The others stay where they are, for the next start.
        }
        (Question::Recover(mut found), Answer::Discard) => {
            if !found.is_empty() {
                found.remove(0).discard();
            }
            state.files.question = (!found.is_empty()).then_some(Question::Recover(found));
        }
        (Question::Relink(_), Answer::Relink) => browser::open(state, Purpose::Relink),
        _ => {}
    }
}

fn take_back(state: &mut State, ctx: &Context, found: Recoverable) {
    let (place, snapshot) = (state.session.place(), state.session.snapshot());
    let again = found.clone();
    let work = move |_: &Progress| -> Finish {
        let recovered = match found.read() {
            Ok(recovered) => recovered,
            Err(error) => {
                return said(Severity::Error, format!("the recovery copy cannot be read: {error}"));
            }
        };
        let cast = recovered.cast.as_ref().ok();
        let file = recovered.file.as_deref();
        let show =
            cast.and_then(|cast| documents::rehearse(snapshot, &recovered.document, cast, file));
        Box::new(move |state, _| {
            // Something was done meanwhile: both are kept, and the question comes again.
            if state.session.place() != place {
                state.files.question = Some(Question::Recover(vec![found]));
                return;
            }
            take_recovered(state, recovered, show);
            // From now on the copy of this run is the one that counts.
            found.discard();
        })
    };
    let title = format!("Recovering {}", again.name());
    // If this is cancelled, the next start asks again: the copy stays.
    state.jobs.start_reading(ctx, title, work);
}

fn take_recovered(state: &mut State, recovered: Recovered, show: Option<Box<Show>>) {
    let lacking = recovered.cast.as_ref().err().map(ToString::to_string);
    if let Ok(cast) = &recovered.cast {
        documents::say_notes(state, &cast.clip_notes);
    }
    state.session.take_recovered(recovered);
    documents::look_anew(state, show);
    if let Some(error) = lacking {
        cast::give_up(state);
        state.files.question = Some(Question::Relink(error));
    }
    let text = match state.session.file() {
        Some(file) => format!("recovered {}; save it to keep it", short_name(file)),
        None => "recovered an untitled document; save it to keep it".to_owned(),
    };
    state.session.say(Severity::Note, text);
}
