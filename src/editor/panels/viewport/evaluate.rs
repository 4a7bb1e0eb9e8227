//! Which character is shown now.

use super::{Drawn, Tool, crowd, on_device, tools};
use crate::State;
use jounce_eval::EvalError;
use jounce_rig::motion::BoneMotion;
use jounce_session::{
    Changed, NamedView, Shown, TRACE_STEPS, TRACES, Trajectories, spread_vertices, trajectories,
};
use std::collections::BTreeMap;

/// Velocities that were drawn on bones, in place of the motion's.
#[derive(Clone, Default)]
pub struct Velocities {
    by_bone: BTreeMap<usize, BoneMotion>,
    pub trajectories: Trajectories,
    /// Evenly spread over the character.
    vertices: Vec<usize>,
    /// What the trajectories were made for: time and revision.
    made_for: Option<(f64, u64)>,
}

impl Velocities {
    pub fn is_empty(&self) -> bool {
        self.by_bone.is_empty()
    }

    pub fn by_bone(&self) -> &BTreeMap<usize, BoneMotion> {
        &self.by_bone
    }

    /// The same, to be computed again elsewhere.
    pub fn look(&self) -> Velocities {
        Velocities { made_for: None, ..self.clone() }
    }

    pub fn clear(&mut self) {
        *self =
            Velocities { vertices: std::mem::take(&mut self.vertices), ..Velocities::default() };
    }

    fn of_all(&self, bones: usize) -> Vec<BoneMotion> {
        let mut motions = vec![BoneMotion::ZERO; bones];
        for (&bone, &motion) in &self.by_bone {
            if let Some(of_bone) = motions.get_mut(bone) {
                *of_bone = motion;
            }
        }
        motions
    }

    /// As it was before a drag.
    pub fn put_back(&mut self, bone: usize, before: Option<BoneMotion>) {
        self.made_for = None;
        match before {
            Some(motion) => drop(self.by_bone.insert(bone, motion)),
            None => drop(self.by_bone.remove(&bone)),
        }
        if self.by_bone.is_empty() {
            self.clear();
        }
    }

    pub fn set(&mut self, bone: usize, motion: BoneMotion) {
        self.made_for = None;
        if motion.linear.is_finite() && motion.angular.is_finite() {
            self.by_bone.insert(bone, motion);
        }
    }
}

/// Something of the document has changed.
pub fn take_over(state: &mut State, changed: Changed) {
    if changed == Changed::Nothing {
        return;
    }
    let view = &mut state.viewport;
    if changed >= Changed::Motion {
        view.forget_stage();
    }
    view.velocities.made_for = None;
    if changed >= Changed::Binding {
        view.on_device.forget();
        view.herd.forget();
    }
    if changed >= Changed::BoneValues {
        let renewed = view.hand.as_mut().map(|hand| hand.renew(&state.show));
        if let Some(Err(_)) = renewed {
            view.hand = None;
        }
    }
    if changed >= Changed::Character {
        view.view = NamedView::ThreeQuarters.of(state.show.character().facing());
        view.hand = None;
        view.path.forget();
        view.velocities = Velocities::default();
        view.drawn = Drawn::default();
        view.heat.forget_character();
        view.paint.forget_character();
        tools::give_up(state);
    }
}

/// Computes it. Where the device does, lists stay empty; see [`State::positions`].
pub fn evaluate(state: &mut State, wall_secs: f64) -> Result<(), EvalError> {
    evaluate_character(state, wall_secs)?;
    super::heat::evaluate(state);
    super::path::evaluate(state)
}

fn evaluate_character(state: &mut State, wall_secs: f64) -> Result<(), EvalError> {
    let time_secs = state.playhead.time_secs;
    crowd::limit(state);
    state.viewport.on_device.results = None;
    if let Some(mut hand) = state.viewport.hand.take()
        && hand.advance(wall_secs, state.show.character().size())
    {
        state.shown = hand.show(&state.show, time_secs)?;
        state.viewport.hand = Some(hand);
        state.viewport.velocities.made_for = None;
        return Ok(());
    }
    if drawn_velocities(state).is_some() {
        return evaluate_velocities(state);
    }
    state.viewport.velocities.made_for = None;
    if on_device::evaluate(state)? {
        return Ok(());
    }
    state.shown = state.show.at(time_secs)?;
    Ok(())
}

/// The velocities of all bones, while they replace the motion's.
pub fn drawn_velocities(state: &State) -> Option<Vec<BoneMotion>> {
    let view = &state.viewport;
    let is_on = view.tool == Tool::Velocity && !view.velocities.is_empty() && view.hand.is_none();
    is_on.then(|| view.velocities.of_all(state.show.character().skeleton.bones.len()))
}

/// The pose of now with the velocities that were drawn, and the traces that lead there.
fn evaluate_velocities(state: &mut State) -> Result<(), EvalError> {
    let time_secs = state.playhead.time_secs;
    let wanted = Some((time_secs, state.session.revision()));
    let velocities = &mut state.viewport.velocities;
    if velocities.made_for == wanted {
        return Ok(());
    }
    let show = &state.show;
    let motions = velocities.of_all(show.character().skeleton.bones.len());
    if velocities.vertices.is_empty() {
        velocities.vertices = spread_vertices(&show.character().rest().positions, TRACES);
    }
    let pose = show.pose(time_secs);
    let (performer, vertices) = (show.performer(), &velocities.vertices);
    let at = (&pose, time_secs);
    velocities.trajectories = trajectories(performer, at, &motions, vertices, TRACE_STEPS)?;
    let deformed = performer.frozen(&pose, time_secs, &motions)?;
    let shown: Shown = show.shown(deformed, pose, time_secs);
    velocities.made_for = wanted;
    state.shown = shown;
    Ok(())
}
