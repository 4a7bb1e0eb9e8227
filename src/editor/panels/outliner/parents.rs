//! At a bone: whom it moves relative to where that is not the file's parent, why, and a menu to change it.

use super::kept::Kept;
use crate::{State, theme};
use egui::{ScrollArea, Ui};
use jounce_base::Hierarchy;
use jounce_rig::Skeleton;
use jounce_session::Severity;
use jounce_session::parents::{
    ParentChoice, ParentInUse, parent_name, parents_in_use, reason, set_parent,
};
use std::sync::Arc;

/// Of all bones.
pub fn rows(state: &mut State) -> Arc<Vec<ParentInUse>> {
    Kept::get(state, |state| &mut state.outliner.parents, |state| parents_in_use(&state.session))
}

/// The mark behind a name.
pub fn mark(ui: &mut Ui, state: &State, skeleton: &Skeleton, bone: usize, row: &ParentInUse) {
    if row.parent == row.file_parent && !row.is_set {
        return;
    }
    let (name, parent) = (skeleton.bone_name(bone), parent_name(skeleton, row.parent));
    let text = format!("→ {parent}");
    let mark = egui::Label::new(egui::RichText::new(&text).color(theme::ACCENT)).truncate();
    let response = ui.add(mark);
    let label = format!("Parent of {name}: {parent}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, &label));
    response.on_hover_text(explanation(state, skeleton, bone, row));
}

/// Why it moves with that bone, and whether that counts now.
fn explanation(state: &State, skeleton: &Skeleton, bone: usize, row: &ParentInUse) -> String {
    let (name, parent) = (skeleton.bone_name(bone), parent_name(skeleton, row.parent));
    let file_parent = parent_name(skeleton, row.file_parent);
    let mut text = match (&row.found, row.is_set) {
        (_, true) => {
            format!(
                "{name} moves with {parent}, as set here. In the file, its parent is {file_parent}."
            )
        }
        (Some(found), false) => {
            let why = reason(skeleton, found);
            format!(
                "{name} moves with {parent} instead of {file_parent}, its parent in the file: {why}."
            )
        }
        (None, false) => format!("{name} moves with {parent}."),
    };
    if state.show.program().hierarchy == Hierarchy::File {
        text += " This graph uses the file's parents; to use these, set `hierarchy` on the Output node to `motion`.";
    }
    text
}

/// What the menu of a bone offers.
pub fn choices(
    ui: &mut Ui,
    state: &mut State,
    skeleton: &Skeleton,
    bone: usize,
    row: &ParentInUse,
) {
    ui.weak(format!("Parent: {}", parent_name(skeleton, row.parent)));
    let file_parent = parent_name(skeleton, row.file_parent);
    let is_file = row.parent == row.file_parent;
    let to_file = egui::Button::new(format!("Use the File's Parent ({file_parent})"));
    if ui.add_enabled(!is_file, to_file).clicked() {
        choose(state, bone, ParentChoice::File);
        ui.close();
    }
    let found = row.found.map_or(row.file_parent, |found| Some(found.parent));
    let to_found = format!("Use the Detected Parent ({})", parent_name(skeleton, found));
    if ui.add_enabled(row.is_set, egui::Button::new(to_found)).clicked() {
        choose(state, bone, ParentChoice::Found);
        ui.close();
    }
    ui.menu_button("Choose a Parent…", |ui| others(ui, state, skeleton, bone));
}

/// The scene and all other bones. Those that are below this one are refused with a sentence.
fn others(ui: &mut Ui, state: &mut State, skeleton: &Skeleton, bone: usize) {
    let height =
        ui.text_style_height(&egui::TextStyle::Button) + 2.0 * ui.spacing().button_padding.y;
    let count = skeleton.bones.len() + 1;
    ui.set_min_width(180.0);
    ScrollArea::vertical().max_height(320.0).show_rows(ui, height, count, |ui, shown| {
        for place in shown {
            let other = place.checked_sub(1);
            let is_it = other == Some(bone);
            let button = egui::Button::new(parent_name(skeleton, other)).frame(false);
            if ui.add_enabled(!is_it, button).clicked() {
                choose(state, bone, ParentChoice::Other(other));
                ui.close();
            }
        }
    });
}

fn choose(state: &mut State, bone: usize, choice: ParentChoice) {
    match set_parent(&state.session, bone, choice) {
        Ok(command) => {
            state.session.perform("Set parent of bone", command);
        }
        Err(error) => state.session.say(Severity::Warning, error.to_string()),
    }
}
