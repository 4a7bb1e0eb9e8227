//! A box beside the picture: which bones and nodes move the selected vertex, and what holds it back.

use crate::editor::{State, theme};
use crate::session::{Asked, Severity, Share, ShowError, VertexReport, report};
use egui::{Align2, Rect, RichText, Ui};
use std::thread::JoinHandle;

/// The answer, and what it was an answer to.
#[derive(Default)]
pub struct ReportView {
    pub latest: Option<VertexReport>,
    /// Vertex, revision and time of the latest question.
    asked: Option<(usize, u64, f64)>,
    asked_at_secs: f64,
    worker: Option<JoinHandle<Result<VertexReport, ShowError>>>,
}

/// While it plays, no more often than this.
const LEAST_PAUSE_SECS: f64 = 0.5;

impl ReportView {
    pub fn is_pending(&self) -> bool {
        self.worker.is_some()
    }

    fn take(&mut self) -> Option<Result<VertexReport, ShowError>> {
        let worker = self.worker.take_if(|worker| worker.is_finished())?;
        match worker.join() {
            Ok(result) => Some(result),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

pub fn show(ui: &mut Ui, state: &mut State, rect: Rect) {
    let Some(vertex) = state.selection.vertex else {
        state.viewport.report.latest = None;
        state.viewport.report.asked = None;
        return;
    };
    match state.viewport.report.take() {
        Some(Ok(report)) => state.viewport.report.latest = Some(report),
        Some(Err(error)) => state.session.say(Severity::Error, error.to_string()),
        None => {}
    }
    ask(ui, state, vertex);
    let latest = state.viewport.report.latest.as_ref().filter(|latest| latest.vertex == vertex);
    egui::Area::new(ui.id().with("vertex box"))
        .order(egui::Order::Middle)
        .pivot(Align2::RIGHT_TOP)
        .fixed_pos(rect.right_top() + egui::vec2(-10.0, 10.0))
        .constrain_to(rect)
        .show(ui.ctx(), |ui| {
            let frame = egui::Frame::new()
                .fill(theme::PANEL.gamma_multiply(0.94))
                .corner_radius(6.0)
                .inner_margin(10.0);
            frame.show(ui, |ui| {
                ui.set_width(190.0);
                contents(ui, vertex, latest);
            });
        });
}

/// On a thread of its own: it compiles the style once for each node.
fn ask(ui: &Ui, state: &mut State, vertex: usize) {
    let time_secs = state.playhead.time_secs;
    let question = (vertex, state.session.revision(), time_secs);
    let now_secs = ui.input(|input| input.time);
    let view = &mut state.viewport.report;
    let is_known = view.asked == Some(question);
    let is_soon = state.playhead.is_playing
        && view.asked.is_some_and(|(known, ..)| known == vertex)
        && now_secs - view.asked_at_secs < LEAST_PAUSE_SECS;
    if is_known || is_soon || view.worker.is_some() {
        return;
    }
    let asked = Asked::of(&state.session, &state.show, vertex, time_secs);
    view.asked = Some(question);
    view.asked_at_secs = now_secs;
    let ctx = ui.ctx().clone();
    view.worker = Some(std::thread::spawn(move || {
        let result = report(&asked);
        ctx.request_repaint();
        result
    }));
}

fn contents(ui: &mut Ui, vertex: usize, latest: Option<&VertexReport>) {
    ui.strong(format!("Vertex {vertex}"));
    let Some(report) = latest else {
        ui.weak("Looking at what moves it…");
        return;
    };
    ui.weak(format!("{:.1} % of the size from plain skinning", report.displacement_sizes * 100.0));
    shares(ui, "Bones", &report.bones, "None: it stays where it is.");
    shares(ui, "Nodes", &report.nodes, "None displaces it now.");
    if !report.limits.is_empty() {
        ui.add_space(4.0);
        ui.label(RichText::new("Held back").small().color(theme::WARNING));
        for share in &report.limits {
            line(ui, &share.name, format!("−{:.0} %", share.percent));
        }
    }
}

/// More would be a list, not a picture.
const MOST_LINES: usize = 6;

fn shares(ui: &mut Ui, title: &str, shares: &[Share], none: &str) {
    ui.add_space(4.0);
    ui.label(RichText::new(title).small().color(theme::FAINT));
    if shares.is_empty() {
        ui.weak(none);
    }
    for share in shares.iter().take(MOST_LINES) {
        line(ui, &share.name, format!("{:.0} %", share.percent));
    }
}

fn line(ui: &mut Ui, name: &str, amount: String) {
    ui.horizontal(|ui| {
        ui.add(egui::Label::new(name).truncate());
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| ui.label(amount));
    });
}
