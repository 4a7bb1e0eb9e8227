//! A picture that is kept while nothing in it changes: a window in which nothing plays is still drawn at every
//! move of the mouse, and its largest part is the character.

use super::scene::{Pictures, ToDraw};
use super::{Screen, steer};
use crate::State;
use egui::TextureId;
use glam::Vec3;
use jounce_draw::{Camera, Stage};
use jounce_rig::{Character, Skinned};
use jounce_session::overlays;
use std::sync::Arc;

#[derive(Default)]
pub struct KeptPicture {
    kept: Option<(Inputs, Pictures<TextureId>)>,
    /// How many pictures were drawn since the window was opened.
    pub drawn_count: u64,
}

/// All that a picture is made of.
#[derive(PartialEq)]
pub struct Inputs {
    character: SameCharacter,
    size_px: [u32; 2],
    camera: Camera,
    stage: Stage,
    main: Skinned,
    plain: Option<Skinned>,
    has_ghost: bool,
    is_split: bool,
    has_wireframe: bool,
    /// Of a heat map; empty for the character's own.
    colors: Vec<[f32; 4]>,
    joints: Option<Vec<Vec3>>,
}

/// Characters never change, so the same one has the same triangles and colours.
struct SameCharacter(Arc<Character>);

impl PartialEq for SameCharacter {
    fn eq(&self, other: &SameCharacter) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Inputs {
    /// None where the next picture is another one anyway, or is made of what only the device knows.
    pub fn of(
        state: &mut State,
        to_draw: &ToDraw,
        size_px: [u32; 2],
        screen: &Screen,
    ) -> Option<Inputs> {
        let view = &state.viewport;
        if state.playhead.is_playing || view.crowd.is_on || view.is_on_device() {
            return None;
        }
        let stage = steer::whole_stage(state);
        let view = &state.viewport;
        let character = state.show.character();
        let pose = state.shown.pose.as_ref().filter(|_| view.has_skeleton);
        Some(Inputs {
            character: SameCharacter(character.clone()),
            size_px,
            camera: screen.camera,
            stage,
            main: to_draw.main.clone(),
            plain: to_draw.has_plain.then(|| state.shown.skinned.clone()),
            has_ghost: to_draw.has_ghost,
            is_split: view.compare.split.is_some(),
            has_wireframe: view.has_wireframe,
            colors: view.heat.colors(),
            joints: pose.map(|pose| overlays::joints(character, pose)),
        })
    }
}

impl KeptPicture {
    pub fn find(&self, inputs: &Option<Inputs>) -> Option<Pictures<TextureId>> {
        let (kept, pictures) = self.kept.as_ref()?;
        (inputs.as_ref() == Some(kept)).then_some(*pictures)
    }

    pub fn keep(&mut self, inputs: Option<Inputs>, pictures: Pictures<TextureId>) {
        self.drawn_count += 1;
        self.kept = inputs.map(|inputs| (inputs, pictures));
    }

    /// What the textures hold is no longer known.
    pub fn forget(&mut self) {
        self.kept = None;
    }
}
