//! What is wrong with the graph, and what has happened.

use super::inspector::painting::missing_map;
use super::viewport::paint;
use crate::{State, theme};
use egui::Color32;
use jounce_session::Severity;

pub fn show(ui: &mut egui::Ui, state: &mut State) {
    let problems = &state.show.compiled().problems;
    for problem in problems {
        line(ui, theme::ERROR, &problem.to_string());
    }
    let mut wanted = None;
    for warning in state.show.warnings() {
        line(ui, theme::WARNING, &warning.to_string());
        if let Some(name) = missing_map(warning)
            && ui.button(format!("Paint {name}")).clicked()
        {
            wanted = Some(name.to_owned());
        }
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
    if let Some(name) = wanted {
        paint::paint_it(state, &name);
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
