//! What the File menu has beside its actions.

use super::documents::{Next, unless_unsaved};
use super::short_name;
use crate::State;
use jounce_graph::document::{STYLES, StyleKind};
use jounce_session::Severity;

/// Of what a style says of itself, in points.
const TOOLTIP_WIDTH: f32 = 360.0;

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
            for kind in StyleKind::ALL {
                ui.weak(kind.title());
                for style in STYLES.iter().filter(|style| style.kind == kind) {
                    let button = ui.button(style.name).on_hover_ui(|ui| {
                        ui.set_max_width(TOOLTIP_WIDTH);
                        ui.label(style.about());
                    });
                    if button.clicked() {
                        next = Some(Next::Example(style.name.to_owned()));
                        ui.close();
                    }
                }
                if Some(&kind) != StyleKind::ALL.last() {
                    ui.separator();
                }
            }
        });
    });
    if let Some(next) = next {
        unless_unsaved(state, &ctx, next);
    }
}
