//! Background work: a thread, a progress bar, a way to cancel it, and what to do when it is done.

use super::{State, theme};
use egui::{Align2, Context};
use jounce_graph::document::Owner;
use jounce_session::{Progress, Severity};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

/// What is done with a result, by the thread of the window.
pub type Finish = Box<dyn FnOnce(&mut State, &Context) + Send>;

/// What is done when there is no result: the job was cancelled, or failed because of a bug.
type Otherwise = Box<dyn FnOnce(&mut State) + Send>;

struct Job {
    title: String,
    progress: Progress,
    /// None after a bug made it panic.
    result: Receiver<Option<Finish>>,
    /// A cancelled job leaves no trace: its result is no longer wanted. None for jobs that write
    /// files: they check for themselves, and know best what they have written.
    otherwise: Option<Otherwise>,
}

#[derive(Default)]
pub struct Jobs {
    running: Vec<Job>,
}

impl Jobs {
    /// Begins to write something. It should check its progress often: that is how it is cancelled.
    pub fn start(
        &mut self,
        ctx: &Context,
        title: impl Into<String>,
        work: impl FnOnce(&Progress) -> Finish + Send + 'static,
    ) {
        self.begin(ctx, title.into(), work, None);
    }

    /// Begins to read something. If it is cancelled, nothing is done with the result.
    pub fn start_reading(
        &mut self,
        ctx: &Context,
        title: impl Into<String>,
        work: impl FnOnce(&Progress) -> Finish + Send + 'static,
    ) {
        self.begin(ctx, title.into(), work, Some(Box::new(|_| {})));
    }

    /// The same with something to put in order if there is no result.
    pub fn start_or(
        &mut self,
        ctx: &Context,
        title: impl Into<String>,
        work: impl FnOnce(&Progress) -> Finish + Send + 'static,
        otherwise: impl FnOnce(&mut State) + Send + 'static,
    ) {
        self.begin(ctx, title.into(), work, Some(Box::new(otherwise)));
    }

    fn begin(
        &mut self,
        ctx: &Context,
        title: String,
        work: impl FnOnce(&Progress) -> Finish + Send + 'static,
        otherwise: Option<Otherwise>,
    ) {
        let (sender, result) = channel();
        let progress = Progress::default();
        let (watch, ctx) = (progress.clone(), ctx.clone());
        std::thread::spawn(move || {
            let finish = catch_unwind(AssertUnwindSafe(|| work(&watch))).ok();
            // Nobody waits any more when the window is gone.
            let _ = sender.send(finish);
            ctx.request_repaint();
        });
        self.running.push(Job { title, progress, result, otherwise });
    }

    pub fn is_idle(&self) -> bool {
        self.running.is_empty()
    }

    pub fn cancel_all(&self) {
        self.running.iter().for_each(|job| job.progress.cancel());
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.cancel_all();
    }
}

/// A message that a piece of work leaves.
pub fn said(severity: Severity, text: impl Into<String>) -> Finish {
    let text = text.into();
    Box::new(move |state, _| state.session.say(severity, text))
}

/// Takes over what is finished. While something is dragged, results wait: a drag is one step.
pub fn poll(state: &mut State, ctx: &Context) {
    let is_hand = matches!(state.session.history().owner(), Some(Owner::Hand(_)));
    let is_dragging = is_hand && ctx.input(|input| input.pointer.any_down());
    if !is_dragging {
        let mut running = Vec::new();
        let mut finished = Vec::new();
        for job in std::mem::take(&mut state.jobs.running) {
            match job.result.try_recv() {
                Ok(result) => finished.push((job, result)),
                Err(TryRecvError::Empty) => running.push(job),
                Err(TryRecvError::Disconnected) => finished.push((job, None)),
            }
        }
        state.jobs.running = running;
        finished.into_iter().for_each(|(job, result)| end(state, ctx, job, result));
    }
    if !state.jobs.is_idle() {
        ctx.request_repaint_after(Duration::from_millis(60));
    }
}

fn end(state: &mut State, ctx: &Context, job: Job, result: Option<Finish>) {
    let Job { title, progress, otherwise, .. } = job;
    let is_given_up = progress.is_cancelled();
    match (result, otherwise) {
        (Some(_), Some(otherwise)) if is_given_up => {
            otherwise(state);
            state.session.say(Severity::Note, format!("{title} was cancelled"));
        }
        (Some(finish), _) => finish(state, ctx),
        (None, otherwise) => {
            if let Some(otherwise) = otherwise {
                otherwise(state);
            }
            let text =
                format!("{title} stopped because of a bug in Jounce; the document is untouched");
            state.session.say(Severity::Error, text);
        }
    }
}

/// A card per job in the lower right corner.
pub fn show(ctx: &Context, state: &State) {
    if state.jobs.is_idle() {
        return;
    }
    egui::Area::new(egui::Id::new("jobs"))
        .order(egui::Order::Foreground)
        .anchor(Align2::RIGHT_BOTTOM, [-16.0, -16.0])
        .show(ctx, |ui| {
            for job in &state.jobs.running {
                egui::Frame::popup(ui.style()).show(ui, |ui| card(ui, job));
            }
        });
}

fn card(ui: &mut egui::Ui, job: &Job) {
    ui.set_width(280.0);
    ui.horizontal(|ui| {
        ui.label(&job.title);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let cancel = ui.add_enabled(!job.progress.is_cancelled(), egui::Button::new("Cancel"));
            let label = format!("Cancel {}", job.title);
            cancel.widget_info(|| {
                egui::WidgetInfo::labeled(egui::WidgetType::Button, true, label.as_str())
            });
            if cancel.clicked() {
                job.progress.cancel();
            }
        });
    });
    let bar = egui::ProgressBar::new(job.progress.get()).fill(theme::ACCENT).desired_height(6.0);
    ui.add(bar);
}
