//! A program beside the one that is shown, on the same character in the same motion: for looking at what the
//! shown one does not keep.

use super::show::performance;
use super::{Session, Show, ShowError};
use jounce_eval::performance::{OwnedPlayer, Performance};
use jounce_eval::{Bound, EvalError, Moment, Parameters, PlayedMotion, Recalled};
use jounce_graph::compile::sliders;
use jounce_graph::document::{CharacterSettings, Style};
use jounce_graph::script::Library;
use jounce_ir::Program;

pub(super) struct Companion {
    revision: u64,
    structure: Style,
    library: Library,
    settings: CharacterSettings,
    player: OwnedPlayer,
    pub program: Program,
    pub bound: Bound,
    pub parameters: Parameters,
    /// None where nothing is remembered.
    performance: Option<Performance>,
}

impl Companion {
    pub fn new(session: &Session, show: &Show, program: Program) -> Result<Companion, ShowError> {
        let settings = session.character_settings();
        let (character, clip) = (show.character().clone(), show.clip().clone());
        let player = OwnedPlayer { character, clip, playback: show.playback() };
        let bound = Bound::new(&program, &player.character, &settings)?;
        let parameters = Parameters::new(&program);
        Ok(Companion {
            revision: session.revision(),
            structure: sliders::structure(&session.document().style, &program),
            library: session.library().clone(),
            settings,
            performance: performance(&program, &bound, player.clone(), &parameters)?,
            player,
            program,
            bound,
            parameters,
        })
    }

    /// Takes over what has changed since, if it can be without compiling. False: make it anew.
    pub fn update(&mut self, session: &Session, show: &Show) -> bool {
        if self.revision == session.revision() {
            return true;
        }
        let style = &session.document().style;
        let is_same = self.library.is_same(session.library())
            && self.is_played_by(show)
            && self.settings == session.character_settings()
            && sliders::structure(style, &self.program) == self.structure;
        if is_same {
            sliders::refresh(&mut self.program, style, &self.library);
            self.parameters = Parameters::new(&self.program);
            self.revision = session.revision();
        }
        is_same
    }

    fn is_played_by(&self, show: &Show) -> bool {
        let OwnedPlayer { character, clip, playback } = &self.player;
        std::sync::Arc::ptr_eq(character, show.character())
            && std::sync::Arc::ptr_eq(clip, show.clip())
            && *playback == show.playback()
    }

    /// Hands over what the motion brings at a time.
    pub fn with_moment<T>(
        &mut self,
        time_secs: f64,
        work: impl FnOnce(&Companion, Moment) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let recalled = match &mut self.performance {
            Some(performance) => performance.recall(&self.parameters, time_secs)?,
            None => Recalled::default(),
        };
        let motion = PlayedMotion { player: self.player.player(), time_secs };
        work(self, Moment::played(&motion, &self.program, &self.parameters, recalled, None))
    }

    pub fn character(&self) -> &jounce_rig::Character {
        &self.player.character
    }
}
