//! The cast follows the document, also after an undo; and characters that were moved are found again.

use super::{Question, documents, short_name};
use crate::State;
use crate::jobs::said;
use egui::Context;
use jounce_files::folder_of;
use jounce_graph::document::{Command, MotionSettings};
use jounce_session::{Cast, Severity, character_key, settings_for};
use std::path::Path;

/// How many characters are kept for an undo.
const MOST: usize = 4;

/// Characters that played lately, and those that cannot be loaded.
#[derive(Default)]
pub struct KnownCasts {
    casts: Vec<Cast>,
    /// Being loaded now, or not loadable: a character and the file of its clips.
    tried: Option<(Option<String>, Option<String>)>,
}

impl KnownCasts {
    /// Names mean other files in another folder.
    pub fn forget(&mut self) {
        *self = KnownCasts::default();
    }

    pub fn keep(&mut self, cast: &Cast) {
        let is_same = |known: &Cast| known.name == cast.name && known.clips_of == cast.clips_of;
        self.casts.retain(|known| !is_same(known));
        self.casts.push(cast.clone());
        if self.casts.len() > MOST {
            self.casts.remove(0);
        }
    }
}

fn named(motion: &MotionSettings) -> (Option<String>, Option<String>) {
    (motion.character.clone(), motion.clips.clone())
}

/// Does not ask for this character again.
pub fn give_up(state: &mut State) {
    state.files.casts.tried = Some(named(&state.session.document().motion));
}

pub fn follow(state: &mut State, ctx: &Context) {
    let motion = &state.session.document().motion;
    if state.session.cast().is_of(motion) {
        state.files.casts.tried = None;
        return;
    }
    let wanted = named(motion);
    if state.files.casts.tried.as_ref() == Some(&wanted) {
        return;
    }
    let leaving = state.session.cast().clone();
    state.files.casts.keep(&leaving);
    if let Some(known) = state.files.casts.casts.iter().find(|cast| cast.is_of(motion)) {
        let known = known.clone();
        state.session.set_cast(known);
        return;
    }
    state.files.casts.tried = Some(wanted.clone());
    let document = state.session.document().clone();
    let folder = state.session.folder().map(Path::to_owned);
    let name = wanted.0.clone().unwrap_or_default();
    state.jobs.start_reading(ctx, format!("Loading {}", short_name(Path::new(&name))), move |_| {
        let cast = Cast::of_document(&document, folder.as_deref());
        Box::new(move |state, _| {
            // By now, another character may be playing.
            if named(&state.session.document().motion) != wanted {
                return;
            }
            match cast {
                Ok(cast) => {
                    documents::say_notes(state, &cast.clip_notes);
                    state.session.set_cast(cast);
                }
                Err(error) => {
                    state.session.say_lacking(&error);
                    state.files.question = Some(Question::Relink(error.to_string()));
                }
            }
        })
    });
}

/// The character is another file from now on. What is set for it stays, under its new name.
pub fn relink(state: &mut State, ctx: &Context, path: &Path) {
    let name = state.session.name_of(path);
    let old = &state.session.document().motion;
    let motion = MotionSettings { character: Some(name), ..old.clone() };
    let folder = state.session.folder().map(Path::to_owned);
    let shown = short_name(path);
    state.jobs.start_reading(ctx, format!("Loading {shown}"), move |_| {
        match Cast::load(&motion, folder.as_deref()) {
            Ok(cast) => Box::new(move |state, _| {
                let command = relinking(state, motion);
                if state.session.perform("Relink Character", command) {
                    documents::say_notes(state, &cast.clip_notes);
                    state.session.set_cast(cast);
                    state.viewport.camera = None;
                    state.session.say(Severity::Note, format!("now showing {shown}"));
                }
            }),
            Err(error) => said(Severity::Error, error.to_string()),
        }
    });
}

fn relinking(state: &State, motion: MotionSettings) -> Command {
    let document = state.session.document();
    let key = |motion: &MotionSettings| motion.character.as_deref().map(character_key);
    let (old, new) = (key(&document.motion), key(&motion));
    let mut commands = vec![Command::SetMotion(motion)];
    if let (Some(old), Some(new)) = (old, new)
        && old != new
        && let Some(settings) = settings_for(document, &old)
        && settings_for(document, &new).is_none()
    {
        let settings = Some(settings.clone());
        commands.push(Command::SetCharacter { character: new, settings });
    }
    Command::batch(commands)
}

/// Where the document's files are looked for, for the question.
pub fn looked_in(state: &State) -> Option<String> {
    state.session.file().map(|file| folder_of(file).display().to_string())
}
