//! What the File menu has beside its actions.

use super::documents::{Next, unless_unsaved};
use super::short_name;
use crate::State;
use jounce_graph::document::style_names;
use jounce_session::Severity;

pub fn show(ui: &mut egui::Ui, state: &mut State) {
    ui.separator();
    let ctx = ui.ctx().clone();
    let mut next = None;
    ui.menu_button("Recent Files", |ui| {
        ui.set_min_width(260.0);
        let files = state.files.recent.files().to_vec();
        for file in &files {
            let line = ui.button(short_name(file)).on_hover_text(file.display().to_string());
            if line.clicked() {
                next = Some(Next::Open(file.clone()));
                ui.close();
            }
        }
        if files.is_empty() {
            ui.weak("No recent files");
            return;
        }
        ui.separator();
        if ui.button("Clear List").clicked() {
            if let Err(error) = state.files.recent.clear() {
                state.session.say(Severity::Warning, error.to_string());
            }
            ui.close();
        }
    });
    ui.menu_button("Examples", |ui| {
        ui.set_min_width(180.0);
        egui::ScrollArea::vertical().max_height(520.0).show(ui, |ui| {
            for name in style_names() {
                if ui.button(name).clicked() {
                    next = Some(Next::Example(name.to_owned()));
                    ui.close();
                }
            }
        });
    });
    if let Some(next) = next {
        unless_unsaved(state, &ctx, next);
    }
}
