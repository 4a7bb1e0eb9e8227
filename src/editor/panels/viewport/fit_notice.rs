//! What fitting did, in one line below the character, with a way back, and with what it would add.

use crate::files::{hold_feet, undo_fit};
use crate::{State, theme};
use egui::{Align2, Area, Frame, Id, Rect, Ui, vec2};
use jounce_session::fit::Fit;

/// Shown until something else is done.
#[derive(Clone, Debug)]
pub struct FitNotice {
    text: String,
    /// Of the session that the fit made.
    revision: u64,
    /// Feet slide: how far the ground of the motion is above that of the rest pose, as a fraction of the size.
    feet_slide_above: Option<f64>,
}

impl FitNotice {
    pub fn new(fit: &Fit, revision: u64) -> FitNotice {
        let feet_slide_above = fit.feet_slide.then_some(fit.after.ground_lift);
        FitNotice { text: fit.summary(), revision, feet_slide_above }
    }
}

pub fn show(ui: &Ui, state: &mut State, rect: Rect) {
    let revision = state.session.revision();
    let Some(notice) = state.files.fit_notice.take_if(|notice| notice.revision == revision) else {
        state.files.fit_notice = None;
        return;
    };
    let mut is_over = false;
    let place = rect.center_bottom() + vec2(0.0, ABOVE_EDGE);
    Area::new(Id::new("fit notice")).fixed_pos(place).pivot(Align2::CENTER_BOTTOM).show(
        ui.ctx(),
        |ui| {
            Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_max_width((rect.width() - 40.0).max(160.0));
                ui.horizontal_wrapped(|ui| {
                    ui.colored_label(theme::TEXT, &notice.text);
                    if ui.button("Undo").on_hover_text("Takes this step back").clicked() {
                        undo_fit(state);
                        is_over = true;
                    }
                    if let Some(lift) = notice.feet_slide_above {
                        let help = "Puts a Pin before the Output, and fits again";
                        if ui.button("Hold Feet").on_hover_text(help).clicked() {
                            hold_feet(state, ui.ctx(), lift);
                            is_over = true;
                        }
                    }
                    is_over |= ui.button("✕").on_hover_text("Hides this line").clicked();
                });
            });
        },
    );
    if !is_over && state.session.revision() == revision {
        state.files.fit_notice = Some(notice);
    }
}

/// From the lower edge of the picture, in points.
const ABOVE_EDGE: f32 = -28.0;
