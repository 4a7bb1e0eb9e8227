//! A port of the graph on the mesh: a number or a vector per vertex, now.
//!
//! It is compiled beside the show, with that port kept: what the show makes must not depend on what
//! somebody looks at.

use super::hand::{self, Hand};
use super::{Session, Show, ShowError};
use crate::compile::{NoSuchPort, Showing, ShownPort, compile_showing, sliders};
use crate::eval::performance::{OwnedPlayer, Performance};
use crate::eval::vm::Prepared;
use crate::eval::{
    Bound, EvalError, Moment, MomentParts, Parameters, PlayedMotion, Puppet, PuppetFrame,
};
use crate::graph::{CharacterSettings, Style};
use crate::ir::{Program, Rate, Type};
use crate::motion::{BoneMotion, Playback, Player};
use crate::rig::{Character, Clip, Pose};
use crate::script::Library;
use glam::Vec3;
use std::sync::Arc;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum PortOnMeshError {
    #[error(transparent)]
    Port(#[from] NoSuchPort),
    #[error(transparent)]
    Show(#[from] ShowError),
}

pub struct PortOnMesh {
    pub port: ShownPort,
    /// A vector per vertex; else a number, in all three components.
    pub is_vector: bool,
    revision: u64,
    structure: Style,
    library: Library,
    settings: CharacterSettings,
    character: Arc<Character>,
    clip: Arc<Clip>,
    playback: Playback,
    program: Program,
    bound: Bound,
    prepared: Prepared,
    parameters: Parameters,
    performance: Option<Performance>,
    /// While a hand moves the character: it goes the same way.
    puppet: Option<Puppet>,
}

impl PortOnMesh {
    pub fn new(
        session: &Session,
        show: &Show,
        port: ShownPort,
    ) -> Result<PortOnMesh, PortOnMeshError> {
        let style = &session.document().style;
        let library = session.library().clone();
        let Showing { compiled, value } = compile_showing(style, &library, &port)?;
        let program = compiled.program;
        let structure = sliders::structure(style, &program);
        let settings = session.character_settings();
        let character = show.character().clone();
        let failed = |error: EvalError| ShowError::from(error);
        let bound = Bound::new(&program, &character, &settings).map_err(ShowError::from)?;
        let why = "it is not one number or vector per vertex";
        let shown = program.showing(value).ok_or(EvalError::Program { value, why });
        let prepared = Prepared::new(&shown.map_err(failed)?, &bound).map_err(failed)?;
        let parameters = Parameters::new(&program);
        let mut made = PortOnMesh {
            port,
            is_vector: program.ty(value) == Type::Vec3,
            revision: session.revision(),
            structure,
            library,
            settings,
            character,
            clip: show.clip().clone(),
            playback: show.playback(),
            program,
            bound,
            prepared,
            parameters,
            performance: None,
            puppet: None,
        };
        made.remember(show).map_err(failed)?;
        Ok(made)
    }

    fn remember(&mut self, show: &Show) -> Result<(), EvalError> {
        self.performance = match self.program.remembers() {
            false => None,
            true => {
                let (character, clip) = (show.character().clone(), show.clip().clone());
                let player = OwnedPlayer { character, clip, playback: show.playback() };
                let (program, bound) = (self.program.clone(), self.bound.clone());
                Performance::new(program, bound, player, self.parameters.clone())?
            }
        };
        Ok(())
    }

    /// Takes over what has changed since, if it can be without compiling. False: make it anew.
    pub fn update(&mut self, session: &Session, show: &Show) -> bool {
        if self.revision == session.revision() {
            return true;
        }
        let style = &session.document().style;
        let is_same = self.library.is_same(session.library())
            && Arc::ptr_eq(&self.character, show.character())
            && self.settings == session.character_settings()
            && sliders::structure(style, &self.program) == self.structure
            && Arc::ptr_eq(&self.clip, show.clip())
            && self.playback == show.playback();
        if is_same {
            sliders::refresh(&mut self.program, style, &self.library);
            self.parameters = Parameters::new(&self.program);
            self.revision = session.revision();
        }
        is_same
    }

    /// Per vertex, at a time of the motion.
    pub fn at(&mut self, show: &Show, time_secs: f64) -> Result<Vec<Vec3>, EvalError> {
        self.puppet = None;
        let recalled = match &mut self.performance {
            Some(performance) => performance.recall(&self.parameters, time_secs)?,
            None => Default::default(),
        };
        let (character, clip) = (&**show.character(), &**show.clip());
        let player = Player { character, clip, playback: show.playback() };
        let motion = PlayedMotion { player, time_secs };
        let mut moment = Moment::new(&MomentParts {
            character,
            program: &self.program,
            parameters: &self.parameters,
            pose: &player.pose(time_secs),
            motion: &motion,
            time_secs,
            base: None,
        });
        moment.recalled = recalled;
        Ok(self.prepared.deform(&self.bound, &moment)?.positions)
    }

    /// The same in the pose that a hand holds the character in. Velocities and memory begin when it is
    /// first asked.
    pub fn in_hand(&mut self, hand: &Hand, pose: &Pose) -> Result<Vec<Vec3>, EvalError> {
        let mut puppet = match self.puppet.take() {
            Some(puppet) => puppet,
            None => hand::puppet(&self.program, &self.bound)?,
        };
        let frame = PuppetFrame {
            character: &self.character,
            program: &self.program,
            bound: &self.bound,
            parameters: &self.parameters,
            pose,
            time_secs: hand.clock_secs(),
        };
        let deformed = puppet.show(frame, |moment| self.prepared.deform(&self.bound, moment));
        self.puppet = Some(puppet);
        Ok(deformed?.positions)
    }

    /// The same in one pose, with made-up velocities.
    pub fn frozen(&self, pose: &Pose, velocities: &[BoneMotion]) -> Result<Vec<Vec3>, EvalError> {
        let scene = super::FrozenScene {
            character: &self.character,
            program: &self.program,
            bound: &self.bound,
            prepared: &self.prepared,
            parameters: &self.parameters,
            pose,
            base: None,
        };
        Ok(scene.deform(velocities)?.positions)
    }
}

/// Does an output differ from bone to bone?
pub fn is_per_bone(show: &Show, node: &str, port: &str) -> bool {
    let known = show.compiled().outputs.get(&(node.to_owned(), port.to_owned()));
    known.is_some_and(|(_, rate)| matches!(rate, Rate::Bone | Rate::Influence))
}
