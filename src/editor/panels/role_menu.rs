//! What a bone is to the body: a grey word behind its name, and the menu that corrects it.

use crate::State;
use egui::containers::menu::MenuButton;
use egui::{Button, RichText, Ui};
use jounce_base::Role;
use jounce_eval::bind::corrected_roles;
use jounce_graph::document::Command;
use std::collections::BTreeMap;

/// Points that the word has.
pub const WIDTH: f32 = 46.0;

/// Of the character that plays.
#[derive(Default)]
pub struct Roles {
    of_bones: Vec<Role>,
    /// What the user has said, by bone's name.
    said: BTreeMap<String, Role>,
}

impl Roles {
    pub fn new(state: &State) -> Roles {
        let settings = state.session.character_settings();
        let of_bones = corrected_roles(&state.session.cast().character, &settings);
        Roles { of_bones, said: settings.roles }
    }

    /// The word behind a bone's name; a click opens the menu.
    pub fn show(&self, ui: &mut Ui, state: &mut State, bone: usize) {
        let Some(role) = self.of_bones.get(bone) else { return };
        let word = RichText::new(role.name()).small();
        // What was found is grey, what was said is not.
        let word = if self.said(state, bone).is_some() { word } else { word.weak() };
        let button = MenuButton::from_button(Button::new(word).frame(false));
        let (response, _) = button.ui(ui, |ui| self.choices(ui, state, bone));
        response.on_hover_text("What the bone is to the body; click to correct it");
    }

    /// For the bone, or for all that are selected with it.
    pub fn choices(&self, ui: &mut Ui, state: &mut State, bone: usize) {
        let said = self.said(state, bone);
        if ui.selectable_label(said.is_none(), "Automatic").clicked() {
            set(state, bone, None);
            ui.close();
        }
        ui.separator();
        for role in Role::ALL {
            let is_it = self.of_bones.get(bone) == Some(&role);
            if ui.selectable_label(is_it, role.name()).clicked() {
                set(state, bone, Some(role));
                ui.close();
            }
        }
    }

    fn said(&self, state: &State, bone: usize) -> Option<Role> {
        self.said.get(state.show.character().skeleton.bone_name(bone)).copied()
    }
}

fn set(state: &mut State, bone: usize, role: Option<Role>) {
    let selected = &state.selection.bones;
    let bones = if selected.contains(&bone) { selected.clone() } else { vec![bone] };
    let character = state.session.character_settings_key();
    let skeleton = &state.show.character().skeleton;
    let command = |bone: usize| Command::SetRole {
        character: character.clone(),
        bone: skeleton.bone_name(bone).to_owned(),
        role,
    };
    let commands = bones.into_iter().map(command).collect();
    state.session.perform("Set role", Command::batch(commands));
}
