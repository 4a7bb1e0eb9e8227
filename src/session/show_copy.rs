//! What a show is made from, for a thread that answers a question about it.

use super::{Session, Show};
use crate::eval::performance::OwnedPlayer;
use crate::eval::{
    Bound, EvalError, Moment, MomentParts, Parameters, Played, PlayedMotion, Stepped, Timeline,
};
use crate::graph::{CharacterSettings, Style};
use crate::ir::Program;
use crate::motion::Playback;
use crate::rig::{Character, CharacterError, Clip};
use crate::script::Library;
use std::sync::Arc;

#[derive(Clone)]
pub struct ShowCopy {
    pub style: Style,
    pub library: Library,
    pub character: Arc<Character>,
    settings: CharacterSettings,
    clip: Arc<Clip>,
    pub playback: Playback,
}

impl ShowCopy {
    pub fn of(session: &Session, show: &Show) -> ShowCopy {
        ShowCopy {
            style: session.document().style.clone(),
            library: session.library().clone(),
            character: show.character().clone(),
            settings: session.character_settings(),
            clip: show.clip().clone(),
            playback: show.playback(),
        }
    }

    pub fn bound(&self, program: &Program) -> Result<Bound, CharacterError> {
        Bound::new(program, &self.character, &self.settings)
    }

    /// The motion, computed with a program of its own.
    pub fn play<'a>(
        &'a self,
        program: &'a Program,
        bound: &'a Bound,
    ) -> Result<Play<'a>, EvalError> {
        let player = OwnedPlayer {
            character: self.character.clone(),
            clip: self.clip.clone(),
            playback: self.playback,
        };
        let timeline = Timeline::new(program, bound, player.ending(), player.duration_secs())?;
        Ok(Play { program, bound, parameters: Parameters::new(program), player, timeline })
    }
}

/// Keeps what is remembered from time to time.
pub struct Play<'a> {
    program: &'a Program,
    bound: &'a Bound,
    parameters: Parameters,
    pub player: OwnedPlayer,
    timeline: Option<Timeline>,
}

impl Play<'_> {
    pub fn at<T>(
        &self,
        time_secs: f64,
        work: impl FnOnce(&Moment) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let Play { program, bound, parameters, .. } = self;
        let player = self.player.player();
        let motion = PlayedMotion { player, time_secs };
        let mut moment = Moment::new(&MomentParts {
            character: player.character,
            program,
            parameters,
            pose: &player.pose(time_secs),
            motion: &motion,
            time_secs,
            base: None,
        });
        if let Some(timeline) = &self.timeline {
            let (character, played) = (player.character, &self.player);
            let stepped = Stepped { character, bound, parameters, played, base: None };
            moment.recalled = timeline.recall(stepped, time_secs)?;
        }
        work(&moment)
    }
}
