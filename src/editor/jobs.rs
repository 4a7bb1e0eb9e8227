//! Long work beside the window: a thread, a bar, a way to give it up, and what to do when it is done.

use super::{State, theme};
use crate::session::{Progress, Severity};
use egui::{Align2, Context};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

/// What is done with a result, by the thread of the window.
pub type Finish = Box<dyn FnOnce(&mut State, &Context) + Send>;

struct Job {
    title: String,
    progress: Progress,
    result: Receiver<Finish>,
}

#[derive(Default)]
pub struct Jobs {
    running: Vec<Job>,
}

impl Jobs {
    /// Begins some work. It should look at its progress often: that is how it is given up.
    pub fn start(
        &mut self,
        ctx: &Context,
        title: impl Into<String>,
        work: impl FnOnce(&Progress) -> Finish + Send + 'static,
    ) {
        let title = title.into();
        let (sender, result) = channel();
        let progress = Progress::default();
        let (watch, ctx, name) = (progress.clone(), ctx.clone(), title.clone());
        std::thread::spawn(move || {
            let finish = catch_unwind(AssertUnwindSafe(|| work(&watch))).unwrap_or_else(|_| {
                let text = format!("{name} failed by a fault in Jounce; the document is untouched");
                Box::new(move |state: &mut State, _: &Context| {
                    state.session.say(Severity::Error, text);
                })
            });
            // Nobody waits any more when the window is gone.
            let _ = sender.send(finish);
            ctx.request_repaint();
        });
        self.running.push(Job { title, progress, result });
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

/// Takes over what is finished.
pub fn poll(state: &mut State, ctx: &Context) {
    let mut finished = Vec::new();
    state.jobs.running.retain(|job| match job.result.try_recv() {
        Ok(finish) => {
            finished.push(finish);
            false
        }
        Err(TryRecvError::Empty) => true,
        Err(TryRecvError::Disconnected) => false,
    });
    for finish in finished {
        finish(state, ctx);
    }
    if !state.jobs.is_idle() {
        ctx.request_repaint_after(Duration::from_millis(60));
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
