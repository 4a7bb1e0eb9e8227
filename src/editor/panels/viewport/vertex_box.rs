//! A box beside the picture: which bones and nodes move the selected vertex, and what holds it back.

use crate::{State, theme};
use egui::{Align2, Rect, RichText, Ui};
use jounce_session::{Asked, Severity, Share, ShowError, VertexReport, report};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// The answer, and what it was an answer to.
#[derive(Default)]
pub struct ReportView {
    pub latest: Option<VertexReport>,
    /// Vertex, revision and time of the latest question.
    asked: Option<(usize, u64, f64)>,
    asked_at_secs: f64,
    worker: Option<Receiver<Result<VertexReport, ShowError>>>,
}

const FAULT: &str = "what moves the vertex could not be computed because of a bug in Jounce; the document is untouched";

/// Around the box, and inside of it.
const MARGIN: f32 = 10.0;
const PAD: f32 = 10.0;
/// While it plays, no more often than this.
const LEAST_PAUSE_SECS: f64 = 0.5;

impl ReportView {
    pub fn is_pending(&self) -> bool {
        self.worker.is_some()
    }

    fn take(&mut self) -> Option<Result<VertexReport, String>> {
        let answer = match self.worker.as_ref()?.try_recv() {
            Ok(answer) => answer.map_err(|error| error.to_string()),
            Err(TryRecvError::Empty) => return None,
            // The thread has died without an answer.
            Err(TryRecvError::Disconnected) => Err(FAULT.to_owned()),
        };
        self.worker = None;
        Some(answer)
    }
}

pub fn show(ui: &mut Ui, state: &mut State, rect: Rect) {
    match state.viewport.report.take() {
        Some(Ok(report)) => state.viewport.report.latest = Some(report),
        Some(Err(text)) => state.session.say(Severity::Error, text),
        None => {}
    }
    let Some(vertex) = state.selection.vertex else {
        state.viewport.report.latest = None;
        state.viewport.report.asked = None;
        return;
    };
    ask(ui, state, vertex);
    let latest = state.viewport.report.latest.as_ref().filter(|latest| latest.vertex == vertex);
    egui::Area::new(ui.id().with("vertex box"))
        .order(egui::Order::Middle)
        .pivot(Align2::RIGHT_TOP)
        .fixed_pos(rect.right_top() + egui::vec2(-MARGIN, MARGIN))
        .constrain_to(rect)
        .show(ui.ctx(), |ui| {
            let frame = egui::Frame::new()
                .fill(theme::PANEL.gamma_multiply(0.94))
                .corner_radius(6.0)
                .inner_margin(PAD);
            frame.show(ui, |ui| {
                ui.set_width(200.0);
                // Many short lines: all of them should be seen.
                ui.spacing_mut().item_spacing.y = 1.0;
                ui.spacing_mut().interact_size.y = 17.0;
                let room = rect.height() - 2.0 * (MARGIN + PAD);
                let lines = egui::ScrollArea::vertical().max_height(room);
                lines.min_scrolled_height(room).show(ui, |ui| {
                    contents(ui, vertex, latest);
                });
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
    let asked = Asked::of(&state.show, vertex, time_secs);
    view.asked = Some(question);
    view.asked_at_secs = now_secs;
    let ctx = ui.ctx().clone();
    let (sender, receiver) = channel();
    view.worker = Some(receiver);
    std::thread::spawn(move || {
        // The window is drawn again also where this dies, and not before that can be seen: what is
        // declared first is dropped last.
        let _repaint = Repaint(ctx);
        let sender = sender;
        // Nobody waits any more when the window is gone.
        let _ = sender.send(asked.and_then(|asked| report(&asked)));
    });
}

struct Repaint(egui::Context);

impl Drop for Repaint {
    fn drop(&mut self) {
        self.0.request_repaint();
    }
}

fn contents(ui: &mut Ui, vertex: usize, latest: Option<&VertexReport>) {
    ui.strong(format!("Vertex {vertex}"));
    let Some(report) = latest else {
        ui.weak("Computing what moves it…");
        return;
    };
    let percent = report.displacement_sizes * 100.0;
    let text = RichText::new(format!("displaced by {percent:.1} % of the size"));
    ui.label(text.small().color(theme::FAINT));
    bones(ui, report);
    shares(ui, "Nodes", &report.nodes, "No node displaces it now.");
    if !report.limits.is_empty() {
        ui.add_space(4.0);
        ui.label(RichText::new("Limited by").small().color(theme::WARNING));
        for share in &report.limits {
            line(ui, &share.name, format!("−{:.0} %", share.percent));
        }
    }
}

/// More would be a list, not a picture.
const MOST_LINES: usize = 6;

/// Whose skin it is, and whose motion displaces it: often not the same.
fn bones(ui: &mut Ui, report: &VertexReport) {
    let of = |shares: &[Share], name: &str| {
        let found = shares.iter().find(|share| share.name == name);
        found.map_or_else(|| "–".to_owned(), |share| format!("{:.0} %", share.percent))
    };
    heading(ui, ["Bones", "skin", "moves"]);
    let skin_only =
        report.bones.iter().filter(|it| report.movers.iter().all(|known| known.name != it.name));
    let all: Vec<&Share> = report.movers.iter().chain(skin_only).collect();
    if all.is_empty() {
        ui.weak("No bone moves it.");
    }
    for Share { name, .. } in all.into_iter().take(MOST_LINES) {
        row(ui, [name, &of(&report.bones, name), &of(&report.movers, name)]);
    }
}

fn heading(ui: &mut Ui, texts: [&str; 3]) {
    ui.add_space(4.0);
    cells(ui, texts.map(|text| RichText::new(text).small().color(theme::FAINT)));
}

fn row(ui: &mut Ui, texts: [&str; 3]) {
    cells(ui, texts.map(RichText::new));
}

/// A name, and two numbers that end below each other.
fn cells(ui: &mut Ui, [name, first, second]: [RichText; 3]) {
    ui.horizontal(|ui| {
        let width = ui.available_width() - 2.0 * NUMBER_WIDTH;
        let cell = |ui: &mut Ui, text: RichText, width: f32, layout: egui::Layout| {
            let size = egui::vec2(width, ui.spacing().interact_size.y);
            ui.allocate_ui_with_layout(size, layout, |ui| {
                ui.set_min_width(width);
                ui.add(egui::Label::new(text).truncate());
            });
        };
        ui.spacing_mut().item_spacing.x = 0.0;
        cell(ui, name, width, egui::Layout::left_to_right(egui::Align::Center));
        for text in [first, second] {
            cell(ui, text, NUMBER_WIDTH, egui::Layout::right_to_left(egui::Align::Center));
        }
    });
}

const NUMBER_WIDTH: f32 = 52.0;

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
