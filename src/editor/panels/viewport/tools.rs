//! What a click selects, and what a drag takes hold of.

use super::pick::{self, BoneHit, CentroidHit};
use super::{Screen, paint};
use crate::State;
use egui::{Key, PointerButton, Pos2, Response};
use glam::{DQuat, DVec3, Quat, Vec3};
use jounce_graph::document::{Command, Owner};
use jounce_rig::motion::BoneMotion;
use jounce_rig::polar::proper_rotation;
use jounce_session::overlays::SECS_PER_ARROW;
use jounce_session::{Hand, Pull, Severity};

/// What a drag with the left button does where there is something to take hold of; elsewhere it orbits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    #[default]
    Look,
    /// Moves a bone live; let go, it springs back.
    Pull,
    /// Gives a bone a constant velocity, in place of the motion.
    Velocity,
    /// Moves a bone's centroid or turns its axis.
    Centroid,
    /// Paints a map.
    Paint,
}

impl Tool {
    pub const ALL: [Tool; 5] =
        [Tool::Look, Tool::Pull, Tool::Velocity, Tool::Centroid, Tool::Paint];

    pub const fn name(self) -> &'static str {
        match self {
            Tool::Look => "Look",
            Tool::Pull => "Drag Bones",
            Tool::Velocity => "Draw Velocities",
            Tool::Centroid => "Move Centroids",
            Tool::Paint => "Paint",
        }
    }

    pub const fn help(self) -> &'static str {
        match self {
            Tool::Look => "Drag to turn the view, click to select a vertex or a bone.",
            Tool::Pull => "Drag a bone and watch the flesh follow. Let go, and it springs back.",
            Tool::Velocity => {
                "Drag from a bone to give it a velocity, and see where the skin goes."
            }
            Tool::Centroid => {
                "Drag a bone's centroid, the centre of what it moves, or the axis to it."
            }
            Tool::Paint => {
                "Drag over the character to paint a map: where it is soft, and how much."
            }
        }
    }

    pub fn hint(self) -> &'static str {
        match self {
            Tool::Look => "Drag: turn · Shift and drag: pan · Wheel: zoom · Hold H: plain skinning",
            Tool::Pull => "Drag a bone: turn it · Ctrl and drag: move it · Let go: it springs back",
            Tool::Velocity => {
                "Drag from a bone: set how fast it turns · Ctrl and drag: set how fast it moves"
            }
            Tool::Centroid => "Drag a dot: move the centroid · Drag its line: turn the axis",
            Tool::Paint => {
                "Drag: paint · Ctrl: the other way · F: radius · Shift+F: strength · Drag beside it: turn"
            }
        }
    }

    pub fn shows_bones(self) -> bool {
        matches!(self, Tool::Pull | Tool::Velocity)
    }
}

/// What is being dragged.
#[derive(Clone, Copy, Debug)]
pub enum Drag {
    Pull {
        hit: BoneHit,
        joint: Vec3,
    },
    /// `before` is what the bone had.
    Velocity {
        hit: BoneHit,
        joint: Vec3,
        before: Option<BoneMotion>,
    },
    /// `offset` is what it was, in the bone's frame.
    Centroid {
        hit: CentroidHit,
        offset: DVec3,
    },
    /// A stroke of the brush, which [`paint`] has.
    Paint,
}

/// A drag of one unit is a velocity of so many units per second, so that an arrow is as long as the drag that
/// made it.
const PER_SEC: f64 = 1.0 / SECS_PER_ARROW as f64;

pub fn choose(state: &mut State, tool: Tool) {
    let before = std::mem::replace(&mut state.viewport.tool, tool);
    match (before, tool) {
        (Tool::Paint, Tool::Paint) => {}
        (Tool::Paint, _) => paint::leave(state),
        (_, Tool::Paint) => paint::enter(state),
        _ => {}
    }
    if tool == Tool::Velocity {
        // Velocities are drawn on one pose.
        state.playhead.is_playing = false;
    }
}

pub fn interact(ui: &egui::Ui, state: &mut State, response: &Response, screen: &Screen) {
    let modifiers = ui.input(|input| input.modifiers);
    let origin = ui.input(|input| input.pointer.press_origin());
    if response.drag_started_by(PointerButton::Primary)
        && !modifiers.shift
        && state.viewport.tool != Tool::Paint
        && let Some(at) = origin
    {
        begin(state, screen, at);
    }
    // If nothing is being dragged, Escape puts the tool away.
    let puts_down = response.hovered()
        && state.viewport.drag.is_none()
        && !state.viewport.paint.is_adjusting()
        && !ui.ctx().egui_wants_keyboard_input()
        && ui.input(|input| input.key_pressed(Key::Escape));
    if puts_down {
        choose(state, Tool::Look);
    }
    if state.viewport.tool == Tool::Paint {
        paint::interact(ui, state, response, screen);
        return;
    }
    if state.viewport.drag.is_some() {
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            cancel(state);
        } else if let Some(at) = response.interact_pointer_pos() {
            drag_to(state, screen, at, modifiers.command);
        }
        if response.drag_stopped() || !response.dragged() {
            end(state);
        }
    }
    if response.clicked()
        && let Some(at) = response.interact_pointer_pos()
    {
        click(state, screen, at, modifiers.command);
    }
}

fn centroid_owner() -> Owner {
    Owner::Hand(egui::Id::new("move centroid").value())
}

fn begin(state: &mut State, screen: &Screen, at: Pos2) {
    let joint_of = |state: &State, bone: usize| {
        let pose = state.shown.pose.as_ref();
        pose.map_or(Vec3::ZERO, |pose| state.show.character().bone_origin(pose, bone).as_vec3())
    };
    state.viewport.drag = match state.viewport.tool {
        Tool::Look | Tool::Paint => None,
        Tool::Pull => pick::bone(state, screen, at).and_then(|hit| {
            let hand = Hand::new(&state.show, hit.bone, state.playhead.time_secs);
            match hand {
                Ok(hand) => state.viewport.hand = Some(hand),
                Err(error) => {
                    state.session.say(Severity::Error, error.to_string());
                    return None;
                }
            }
            state.selection.bones = vec![hit.bone];
            Some(Drag::Pull { hit, joint: joint_of(state, hit.bone) })
        }),
        Tool::Velocity => pick::bone(state, screen, at).map(|hit| {
            state.selection.bones = vec![hit.bone];
            let before = state.viewport.velocities.by_bone().get(&hit.bone).copied();
            Drag::Velocity { hit, joint: joint_of(state, hit.bone), before }
        }),
        Tool::Centroid => pick::centroid(state, screen, at).map(|hit| {
            state.selection.bones = vec![hit.bone()];
            state.session.begin(centroid_owner(), "Move centroid");
            let offset = state.show.bound().centroid_offsets.get(hit.bone());
            Drag::Centroid { hit, offset: offset.copied().unwrap_or(DVec3::ZERO) }
        }),
    };
}

/// The shortest turn that brings one direction to another, as a rotation vector.
fn turn_between(from: Vec3, to: Vec3) -> DVec3 {
    let (from, to) = (from.as_dvec3().normalize_or_zero(), to.as_dvec3().normalize_or_zero());
    if from == DVec3::ZERO || to == DVec3::ZERO {
        return DVec3::ZERO;
    }
    DQuat::from_rotation_arc(from, to).to_scaled_axis()
}

fn drag_to(state: &mut State, screen: &Screen, at: Pos2, has_ctrl: bool) {
    match state.viewport.drag {
        Some(Drag::Pull { hit, joint }) => {
            let target = screen.on_plane(at, hit.point);
            let bone = state.show.character().skeleton.bones.get(hit.bone);
            let is_root = bone.is_none_or(|bone| bone.parent.is_none());
            let pull = match is_root || has_ctrl {
                true => Pull { shift: (target - hit.point).as_dvec3(), ..Pull::default() },
                false => {
                    let turn = turn_between(hit.point - joint, target - joint);
                    Pull { turn, ..Pull::default() }
                }
            };
            if let Some(hand) = &mut state.viewport.hand {
                hand.drag(pull);
            }
        }
        Some(Drag::Velocity { hit, joint, .. }) => {
            let travelled = (screen.on_plane(at, hit.point) - hit.point).as_dvec3() * PER_SEC;
            let arm = (hit.point - joint).as_dvec3();
            let motion = match has_ctrl || arm.length_squared() < 1e-20 {
                true => BoneMotion { linear: travelled, angular: DVec3::ZERO },
                false => {
                    let angular = arm.cross(travelled) / arm.length_squared();
                    BoneMotion { linear: DVec3::ZERO, angular }
                }
            };
            state.viewport.velocities.set(hit.bone, motion);
        }
        Some(Drag::Centroid { hit, offset }) => {
            let moved = match hit {
                CentroidHit::Dot { centroid, .. } => screen.on_plane(at, centroid) - centroid,
                CentroidHit::Axis { joint, centroid, grabbed, .. } => {
                    let turn = turn_between(grabbed - joint, screen.on_plane(at, grabbed) - joint);
                    let turn = Quat::from_scaled_axis(turn.as_vec3());
                    joint + turn * (centroid - joint) - centroid
                }
            };
            set_offset(state, hit.bone(), moved.as_dvec3(), offset);
        }
        Some(Drag::Paint) | None => {}
    }
}

/// From what it was at the beginning of the drag, by so much in the scene.
fn set_offset(state: &mut State, bone: usize, moved: DVec3, offset: DVec3) {
    let Some(pose) = &state.shown.pose else { return };
    let skeleton = &state.show.character().skeleton;
    let Some(node) = skeleton.bones.get(bone).map(|bone| bone.node) else { return };
    let scene_from_bone = pose.scene_from_node[node].matrix3;
    let in_bone = offset + proper_rotation(scene_from_bone).inverse() * moved;
    let command = Command::SetCentroidOffset {
        character: state.session.character_settings_key(),
        bone: skeleton.bone_name(bone).to_owned(),
        offset: Some(in_bone.to_array()),
    };
    state.session.update(centroid_owner(), "Move centroid", command);
}

fn end(state: &mut State) {
    match state.viewport.drag.take() {
        Some(Drag::Pull { .. }) => {
            if let Some(hand) = &mut state.viewport.hand {
                hand.release();
            }
        }
        Some(Drag::Centroid { .. }) => state.session.commit(centroid_owner()),
        Some(Drag::Velocity { .. } | Drag::Paint) | None => {}
    }
}

/// The object being dragged no longer exists. What the drag has set so far stays, as a step.
pub fn give_up(state: &mut State) {
    paint::give_up(state);
    if let Some(Drag::Centroid { .. }) = state.viewport.drag.take() {
        state.session.commit(centroid_owner());
    }
}

fn cancel(state: &mut State) {
    match state.viewport.drag.take() {
        Some(Drag::Pull { .. }) => state.viewport.hand = None,
        Some(Drag::Centroid { .. }) => state.session.cancel(centroid_owner()),
        Some(Drag::Velocity { hit, before, .. }) => {
            state.viewport.velocities.put_back(hit.bone, before);
        }
        Some(Drag::Paint) | None => {}
    }
}

/// Selects the bone under the pointer if bones are shown, else the vertex.
fn click(state: &mut State, screen: &Screen, at: Pos2, adds: bool) {
    let view = &state.viewport;
    if view.has_skeleton || view.tool != Tool::Look {
        let centroid = || pick::centroid(state, screen, at).map(|hit| hit.bone());
        let bone = match view.tool {
            Tool::Centroid => centroid(),
            _ => pick::bone(state, screen, at).map(|hit| hit.bone),
        };
        if let Some(bone) = bone {
            let bones = &mut state.selection.bones;
            match bones.iter().position(|&known| known == bone) {
                Some(place) if adds => drop(bones.remove(place)),
                None if adds => bones.push(bone),
                _ => *bones = vec![bone],
            }
            return;
        }
    }
    let character = state.show.character().clone();
    let triangles = &character.mesh.triangles;
    state.selection.vertex = match state.positions() {
        Ok(positions) => pick::vertex(screen, at, positions, triangles),
        Err(error) => {
            state.session.say(Severity::Error, error.to_string());
            None
        }
    };
}

/// Names of selected bones whose centroid is not where the mesh has it; of all bones if none is selected.
fn moved_centroids(state: &State) -> Vec<String> {
    let offsets = state.session.character_settings().centroid_offsets;
    let skeleton = &state.show.character().skeleton;
    let selected = &state.selection.bones;
    let is_selected = |name: &String| {
        selected.is_empty() || selected.iter().any(|&bone| skeleton.bone_name(bone) == name)
    };
    offsets.into_keys().filter(is_selected).collect()
}

pub fn has_offsets(state: &State) -> bool {
    !moved_centroids(state).is_empty()
}

pub fn reset_centroids(state: &mut State) {
    let character = state.session.character_settings_key();
    let reset = |bone: String| Command::SetCentroidOffset {
        character: character.clone(),
        bone,
        offset: None,
    };
    let commands = moved_centroids(state).into_iter().map(reset).collect();
    state.session.perform("Reset centroids", Command::batch(commands));
}
