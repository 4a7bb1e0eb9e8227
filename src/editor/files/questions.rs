//! The dialogs that ask.

use super::browser::{self, Purpose};
use super::documents::{self, Next};
use super::{cast, short_name};
use crate::editor::{State, theme};
use crate::session::{Recoverable, Severity};
use egui::{Button, Context, Id, Key, Modal, Ui};
use std::path::Path;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Save before going on?
    Unsaved(Next),
    /// The last run ended too early.
    Recover(Vec<Recoverable>),
    /// The character is not where the document says.
    Relink,
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
            Question::Relink => relink(ui, state),
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
    ui.label("Otherwise what you changed since it was last saved is lost.");
    buttons(
        ui,
        &[("Save", Answer::Save), ("Don't Save", Answer::Discard), ("Cancel", Answer::Cancel)],
    )
}

fn recover(ui: &mut Ui, found: &[Recoverable]) -> Option<Answer> {
    ui.heading("Jounce ended too early the last time");
    if let Some(newest) = found.first() {
        let ago = newest.saved_at.elapsed().unwrap_or_default().as_secs();
        let ago = match ago {
            0..90 => format!("{ago} seconds"),
            90..5400 => format!("{} minutes", ago / 60),
            5400..129_600 => format!("{} hours", ago / 3600),
            _ => format!("{} days", ago / 86_400),
        };
        ui.label(format!("There is a copy of {} from {ago} ago.", newest.name()));
    }
    if found.len() > 1 {
        let more = found.len() - 1;
        ui.weak(format!("{more} more of other documents; whatever is not discarded is kept."));
    }
    buttons(ui, &[("Recover", Answer::Recover), ("Discard", Answer::Discard)])
}

fn relink(ui: &mut Ui, state: &State) -> Option<Answer> {
    let (name, folder) = cast::missing(state).unwrap_or_default();
    ui.heading("The character is not there");
    ui.label(format!("{name} could not be loaded from {folder}."));
    ui.weak("The document is whole. Say where the file is now, or look at the graph on another character.");
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
                take_back(state, newest);
            }
            // The others stay where they are, for the next start.
        }
        (Question::Recover(mut found), Answer::Discard) => {
            if !found.is_empty() {
                found.remove(0).discard();
            }
            state.files.question = (!found.is_empty()).then_some(Question::Recover(found));
        }
        (Question::Relink, Answer::Relink) => browser::open(state, Purpose::Relink),
        _ => {}
    }
}

fn take_back(state: &mut State, found: &Recoverable) {
    match found.read() {
        Ok(recovered) => {
            let is_complete = recovered.cast.is_ok();
            state.session.take_recovered(recovered);
            documents::look_anew(state);
            if !is_complete {
                cast::give_up(state);
            }
            let place = state.session.file().map(Path::to_owned);
            let text = match place {
                Some(file) => format!("recovered {}; save it to keep it", short_name(&file)),
                None => "recovered an untitled document; save it to keep it".to_owned(),
            };
            state.session.say(Severity::Note, text);
            // From now on the copy of this run is the one that counts.
            found.discard();
        }
        Err(error) => {
            let text = format!("the copy cannot be read: {error}");
            state.session.say(Severity::Error, text);
        }
    }
}
