//! A port of the graph on the mesh: a number or a vector per vertex, now.
//!
//! It is compiled beside the show, with that port kept: what the show makes must not depend on what
//! somebody looks at.

use super::companion::Companion;
use super::hand::{self, Hand};
use super::{Session, Show, ShowError};
use glam::Vec3;
use jounce_eval::vm::Prepared;
use jounce_eval::{EvalError, Moment, Puppet};
use jounce_graph::compile::{NoSuchPort, Showing, ShownPort, compile_showing};
use jounce_ir::{Rate, Type};
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
    /// A vector per vertex; else a number, in all three components.
    pub is_vector: bool,
    /// The whole program: what nodes remember comes from it.
    companion: Companion,
    /// The part of it that the port needs.
    prepared: Prepared,
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
        let Showing { compiled, value } = compile_showing(style, session.library(), &port)?;
        let program = compiled.program;
        let why = "it is not one number or vector per vertex";
        let shown = program.showing(value).ok_or(EvalError::Program { value, why });
        let shown = shown.map_err(ShowError::from)?;
        let is_vector = program.ty(value) == Type::Vec3;
        let companion = Companion::new(session, show, program)?;
        let prepared = Prepared::new(&shown, companion.performer.bound());
        let prepared = prepared.map_err(ShowError::from)?;
        Ok(PortOnMesh { port, is_vector, companion, prepared, puppet: None })
    }

    /// Takes over what has changed since, if it can be without compiling. False: make it again.
    pub fn update(&mut self, session: &Session, show: &Show) -> bool {
        self.companion.update(session, show)
    }

    /// Per vertex, at a time of the motion.
    pub fn at(&mut self, time_secs: f64) -> Result<Vec<Vec3>, EvalError> {
        self.puppet = None;
        self.companion.performer.with_moment(time_secs, |moment| self.numbers(moment))
    }

    /// The same in the pose that a hand holds the character in, while its clip is at a time. Velocities and memory begin when it is
    /// first asked.
    pub fn in_hand(
        &mut self,
        hand: &Hand,
        pose: &Pose,
        time_secs: f64,
    ) -> Result<Vec<Vec3>, EvalError> {
        let performer = &self.companion.performer;
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
        let performer = &self.companion.performer;
        performer.with_frozen_pose(pose, time_secs, velocities, |moment| self.numbers(moment))
    }

    fn numbers(&self, moment: &Moment) -> Result<Vec<Vec3>, EvalError> {
        let mut numbers = Vec::new();
        let bound = self.companion.performer.bound();
        self.prepared.positions_into(bound, moment, &mut numbers)?;
        Ok(numbers)
    }
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
