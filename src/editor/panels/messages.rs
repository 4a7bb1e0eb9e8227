//! What is wrong with the graph, and what has happened.

use crate::{State, theme};
use egui::Color32;
use jounce_session::Severity;

pub fn show(ui: &mut egui::Ui, state: &mut State) {
    let problems = &state.show.compiled().problems;
    for problem in problems {
        line(ui, theme::ERROR, &problem.to_string());
    }
    for warning in state.show.warnings() {
        line(ui, theme::WARNING, &warning.to_string());
    }
    for message in state.session.messages().iter().rev() {
        let text = match message.count {
            1 => message.text.clone(),
            count => format!("{} (× {count})", message.text),
        };
        line(ui, color(message.severity), &text);
    }
    let is_silent = state.show.warnings().is_empty() && state.session.messages().is_empty();
    if problems.is_empty() && is_silent {
        ui.weak("No problems");
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
