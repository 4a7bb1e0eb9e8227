//! A program beside the one that is shown, on the same character in the same motion: for looking at what the
//! shown one does not keep.

use super::show::take_keys;
use super::{Session, Show, ShowError};
use jounce_eval::{Parameters, Performer};
use jounce_graph::compile::sliders;
use jounce_graph::document::Style;
use jounce_graph::script::Library;
use jounce_ir::Program;
use std::sync::Arc;

pub(super) struct Companion {
    revision: u64,
    structure: Style,
    library: Library,
    /// With the present values of sliders.
    program: Program,
    pub performer: Performer,
}

impl Companion {
    pub fn new(session: &Session, show: &Show, program: Program) -> Result<Companion, ShowError> {
        let (character, settings) = (show.character().clone(), session.character_settings());
        let mut performer = Performer::new(program.clone(), character, &settings)?;
        performer.set_keys(show.performer().keys().clone());
        performer.play(show.clip().clone(), show.playback())?;
        Ok(Companion {
            revision: session.revision(),
            structure: sliders::structure(&session.document().style, &program),
            library: session.library().clone(),
            program,
            performer,
        })
    }

    /// Takes over what has changed since, if it can be without compiling. False: make it again.
    pub fn update(&mut self, session: &Session, show: &Show) -> bool {
        if self.revision == session.revision() {
            return true;
        }
        let style = &session.document().style;
        let is_same = self.library.is_same(session.library())
            && self.is_played_by(show)
            && *self.performer.settings() == session.character_settings()
            && sliders::structure(style, &self.program) == self.structure;
        if is_same {
            sliders::refresh(&mut self.program, style, &self.library);
            self.performer.set_parameters(Parameters::new(&self.program));
            take_keys(&mut self.performer, session);
            self.revision = session.revision();
        }
        is_same
    }

    fn is_played_by(&self, show: &Show) -> bool {
        Arc::ptr_eq(self.performer.character(), show.character())
            && Arc::ptr_eq(self.performer.clip(), show.clip())
            && self.performer.playback() == show.playback()
    }
}
