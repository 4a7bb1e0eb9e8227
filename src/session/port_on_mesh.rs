//! A port of the graph on the mesh: a number or a vector per vertex, now.
//!
//! It is compiled beside the show, with that port kept: what the show makes must not depend on what
//! somebody looks at.

use super::hand::{self, Hand};
use super::{Changed, Session, Show, ShowError, Staged};
use glam::Vec3;
use jounce_eval::heat::PortHeat;
use jounce_eval::{EvalError, Moment, Puppet};
use jounce_graph::compile::{NoSuchPort, Showing, ShownPort, compile_showing};
use jounce_ir::Rate;
use jounce_rig::Pose;
use jounce_rig::motion::BoneMotion;
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
    /// The whole program: what nodes remember comes from it.
    staged: Staged,
    /// The part of it that the port needs.
    shown: PortHeat,
    /// While a hand moves the character: it goes the same way.
    puppet: Option<Puppet>,
}

impl PortOnMesh {
    pub fn new(session: &Session, port: ShownPort) -> Result<PortOnMesh, PortOnMeshError> {
        let style = &session.document().style;
        let Showing { compiled, value } = compile_showing(style, session.library(), &port)?;
        let staged = Staged::of(session, compiled)?;
        let shown = PortHeat::new(staged.program(), value, staged.bound());
        Ok(PortOnMesh { port, shown: shown.map_err(ShowError::from)?, staged, puppet: None })
    }

    /// Takes over what has changed since, if it can be without compiling. False: make it again.
    pub fn update(&mut self, session: &Session) -> bool {
        is_kept(self.staged.update(session))
    }

    /// A vector per vertex; else a number, in all three components.
    pub fn is_vector(&self) -> bool {
        self.shown.is_vector()
    }

    /// Per vertex, at a time of the motion.
    pub fn at(&mut self, time_secs: f64) -> Result<Vec<Vec3>, EvalError> {
        self.puppet = None;
        self.staged.performer().with_moment(time_secs, |moment| self.numbers(moment))
    }

    /// The same in the pose that a hand holds the character in, while its clip is at a time. Velocities and
    /// memory begin when it is first asked.
    pub fn in_hand(
        &mut self,
        hand: &Hand,
        pose: &Pose,
        time_secs: f64,
    ) -> Result<Vec<Vec3>, EvalError> {
        let performer = self.staged.performer();
        let mut puppet = match self.puppet.take() {
            Some(puppet) => puppet,
            None => hand::puppet(performer)?,
        };
        puppet.read_keys_at(time_secs);
        let clock_secs = hand.clock_secs();
        let numbers =
            puppet.with_moment(performer, pose, clock_secs, |moment| self.numbers(moment));
        self.puppet = Some(puppet);
        numbers
    }

    /// The same in the pose of some time, with made-up velocities.
    pub fn frozen(
        &self,
        pose: &Pose,
        time_secs: f64,
        velocities: &[BoneMotion],
    ) -> Result<Vec<Vec3>, EvalError> {
        let performer = self.staged.performer();
        performer.with_frozen_pose(pose, time_secs, velocities, |moment| self.numbers(moment))
    }

    fn numbers(&self, moment: &Moment) -> Result<Vec<Vec3>, EvalError> {
        self.shown.vectors(self.staged.bound(), moment)
    }
}

/// What was prepared beside a program stays good only where nothing but sliders has changed.
pub(super) fn is_kept(updated: Result<Option<Changed>, ShowError>) -> bool {
    matches!(updated, Ok(Some(Changed::Nothing | Changed::Sliders)))
}

/// Does what is at a port differ from bone to bone?
pub fn is_per_bone(show: &Show, port: &ShownPort) -> bool {
    let (name, is_input) = port.named();
    let at = (port.node.clone(), name.to_owned());
    let compiled = show.compiled();
    let output = compiled.outputs.get(&at).filter(|_| !is_input);
    let known = output.or_else(|| compiled.inputs.get(&at));
    known.is_some_and(|(_, rate)| matches!(rate, Rate::Bone | Rate::Influence))
}
