//! What is wrong with the graph, and what has happened.

use crate::editor::{State, theme};
use crate::session::Severity;
use egui::Color32;

pub fn show(ui: &mut egui::Ui, state: &mut State) {
    let problems = &state.show.compiled().problems;
    for problem in problems {
        line(ui, theme::ERROR, &problem.to_string());
    }
    for warning in state.show.warnings() {
        line(ui, theme::WARNING, &warning.to_string());
    }
    for message in state.session.messages().iter().rev() {
        line(ui, color(message.severity), &message.text);
    }
    if problems.is_empty() && state.session.messages().is_empty() {
        ui.weak("All is well.");
    }
}

pub fn color(severity: Severity) -> Color32 {
    match severity {
        Severity::Note => theme::FAINT,
        Severity::Warning => theme::WARNING,
        Severity::Error => theme::ERROR,
    }
}

fn line(ui: &mut egui::Ui, color: Color32, text: &str) {
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(color, "•");
        ui.label(text);
    });
}
