//! All that a picture of one character is made of, as data: whoever has it needs nothing else to draw it.

use super::{Tool, paint, steer};
use crate::State;
use glam::Vec3;
use jounce_draw::{Camera, Stage};
use jounce_gpu::draw::DeviceMaterials;
use jounce_rig::{Character, Skinned};
use jounce_session::{exaggerated, overlays};
use std::sync::Arc;

/// What was handed to the renderer last; lists are empty where the device has computed them itself.
#[derive(Default)]
pub struct Drawn {
    pub positions: Vec<Vec3>,
    /// Positions of the ghost, or of the left half.
    pub plain: Vec<Vec3>,
    /// Linear colours of a heat map; empty for the character's own.
    pub colors: Vec<[f32; 4]>,
}

#[derive(PartialEq)]
pub struct Subject {
    pub character: SameCharacter,
    pub camera: Camera,
    pub stage: Stage,
    pub main: Skinned,
    /// Plain skinning, where it is seen too.
    pub plain: Option<Skinned>,
    pub has_ghost: bool,
    pub is_split: bool,
    pub has_wireframe: bool,
    /// Colours of a heat map; empty for the character's own.
    pub colors: Vec<[f32; 4]>,
    /// None: clay.
    pub materials: Option<SameMaterials>,
    /// Joints of the skeleton, if it is shown.
    pub joints: Option<Vec<Vec3>>,
}

/// Characters never change, so the same one has the same triangles and colours.
pub struct SameCharacter(pub Arc<Character>);

impl PartialEq for SameCharacter {
    fn eq(&self, other: &SameCharacter) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Nor do materials.
pub struct SameMaterials(pub Arc<DeviceMaterials>);

impl PartialEq for SameMaterials {
    fn eq(&self, other: &SameMaterials) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Subject {
    /// What was evaluated last, seen from there. The state knows from then on that it was drawn.
    pub fn of(state: &mut State, camera: Camera) -> Subject {
        let stage = steer::whole_stage(state);
        let (view, shown, character) = (&state.viewport, &state.shown, state.show.character());
        let amount = view.compare.amount();
        let main = match amount == 1.0 {
            true => shown.deformed.clone(),
            false => {
                let turner = state.show.normals();
                exaggerated(&shown.skinned, &shown.deformed.positions, amount, turner)
            }
        };
        let has_velocities = view.tool == Tool::Velocity && !view.velocities.is_empty();
        let has_ghost = view.compare.has_ghost || has_velocities;
        let is_split = view.compare.split.is_some();
        let pose = shown.pose.as_ref().filter(|_| view.has_skeleton);
        let mut colors = view.heat.colors();
        paint::dim(state, &mut colors);
        let subject = Subject {
            character: SameCharacter(character.clone()),
            camera,
            stage,
            main,
            plain: (has_ghost || is_split).then(|| shown.skinned.clone()),
            has_ghost,
            is_split,
            has_wireframe: view.has_wireframe,
            colors,
            materials: view.materials.shown(character).map(SameMaterials),
            joints: pose.map(|pose| overlays::joints(character, pose)),
        };
        let plain = subject.plain.as_ref();
        state.viewport.drawn = Drawn {
            positions: subject.main.positions.clone(),
            plain: plain.map(|plain| plain.positions.clone()).unwrap_or_default(),
            colors: subject.colors.clone(),
        };
        subject
    }
}
