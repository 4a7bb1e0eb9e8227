//! Amounts over time: below the ruler, a row for each parameter that is keyed over the clip.
//!
//! ```text
//!  floppy  ──◆──────╮      ╭──◆────  0.42
//!                   ╰──◆───╯
//! ```
//! Keys stand on the curve of their value. The names are the style's; keys that it has no parameter for are shown
//! as well, so that they can be removed.

use super::TimeScale;
use crate::panels::diamond;
use crate::panels::inspector::track;
use crate::{State, theme};
use egui::{Align2, FontId, Rect, Response, Sense, Stroke, Ui, Vec2, WidgetInfo, WidgetType};
use egui::{pos2, vec2};
use jounce_base::keyed_value::{KeyInterpolation, KeyNumber, KeyedValue, ValueKey};
use jounce_graph::document::set_keys;
use jounce_rig::motion::Ending;

#[derive(Default)]
pub struct KeysView {
    drag: Option<KeyDrag>,
}

/// A key that is dragged. All positions are made from how it was before: keys that it passes stay.
struct KeyDrag {
    parameter: String,
    place: usize,
    before: KeyedValue,
}

const ROW_HEIGHT: f32 = 26.0;
const ROWS_APART: f32 = 2.0;
/// Above and below the curve.
const MARGIN: f32 = 6.0;
/// More rows are scrolled.
const MOST_ROWS: usize = 4;
/// More keys of a row are not all drawn.
const MOST_KEYS: usize = 400;

/// How high the rows are, in points.
pub fn height(state: &State) -> f32 {
    let keys = state.session.document().motion.keys.get(&state.show.clip().name);
    let rows = keys.map_or(0, |keys| keys.len()).min(MOST_ROWS);
    rows as f32 * (ROW_HEIGHT + ROWS_APART)
}

pub fn show(ui: &mut Ui, state: &mut State, scale: &TimeScale) {
    let clip = state.show.clip().name.clone();
    let Some(keys) = state.session.document().motion.keys.get(&clip).cloned() else {
        state.keys.drag = None;
        return;
    };
    let area = egui::ScrollArea::vertical().id_salt("keys").max_height(height(state));
    area.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = ROWS_APART;
        for (parameter, keyed) in &keys {
            Row { clip: &clip, parameter, keyed }.show(ui, state, scale);
        }
    });
}

/// A row of the panel, where times are as in the ruler.
struct TimeAxis<'a> {
    rect: Rect,
    scale: &'a TimeScale,
    /// Of the motion: the scale may go on after it.
    duration_secs: f64,
}

impl TimeAxis<'_> {
    fn x(&self, secs: f64) -> f32 {
        self.scale.x_of(secs)
    }

    /// Within the motion.
    fn secs(&self, x: f32) -> f64 {
        self.scale.secs_at(x).clamp(0.0, self.duration_secs)
    }
}

struct Row<'a> {
    clip: &'a str,
    parameter: &'a str,
    keyed: &'a KeyedValue,
}

impl Row<'_> {
    fn show(&self, ui: &mut Ui, state: &mut State, scale: &TimeScale) {
        let Row { clip, parameter, keyed } = *self;
        let size = vec2(ui.available_width(), ROW_HEIGHT);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        let name = format!("Keys of {parameter}");
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &name));
        let duration_secs = state.show.duration_secs().max(1e-6);
        let axis = TimeAxis { rect, scale, duration_secs };
        let round_secs = self.round_secs(state);
        if response.double_clicked()
            && let Some(pointer) = response.interact_pointer_pos()
        {
            let time_secs = on_frame(state, axis.secs(pointer.x));
            if let Some(value) = keyed.at(time_secs, round_secs) {
                let command = set_keys(clip, parameter, keyed.with_key(time_secs, value));
                state.session.perform(&format!("Key {parameter}"), command);
            }
        }
        response.context_menu(|ui| self.remove_all(ui, state));
        self.paint(ui, state, &axis, round_secs);
        // A key that is dragged keeps its number, wherever it is by now.
        let drag = state.keys.drag.as_ref().filter(|drag| drag.parameter == *parameter);
        let shown = match drag {
            None => keyed.keys.clone(),
            Some(KeyDrag { place, before, .. }) => {
                let at_pointer = ui.input(|input| input.pointer.latest_pos());
                let time_secs = at_pointer.map(|at| self.dragged_to(ui, state, &axis, at.x));
                let mut keys = before.keys.clone();
                if let (Some(key), Some(time_secs)) = (keys.get_mut(*place), time_secs) {
                    key.time_secs = time_secs;
                }
                keys
            }
        };
        let span = Span::of(keyed);
        let mut last_x = f32::NEG_INFINITY;
        for (place, key) in shown.iter().enumerate() {
            let at = pos2(axis.x(key.time_secs), span.y(rect, key.value.components()[0]));
            // Of very many, those that can be told apart.
            if shown.len() > MOST_KEYS && at.x - last_x < diamond::RADIUS {
                continue;
            }
            last_x = at.x;
            self.key(ui, state, &axis, (place, key), at);
        }
        response.on_hover_text("Double-click to set a key; right-click to remove all");
    }

    /// Of a loop, how long it is.
    fn round_secs(&self, state: &State) -> Option<f64> {
        let playback = state.show.playback();
        (playback.ending == Ending::Loop).then_some(playback.duration_secs)
    }

    fn paint(&self, ui: &Ui, state: &State, axis: &TimeAxis, round_secs: Option<f64>) {
        let (rect, painter) = (axis.rect, ui.painter_at(axis.rect));
        painter.rect_filled(rect, 4.0, theme::GROUND);
        let span = Span::of(self.keyed);
        let is_vector = self.keyed.keys.iter().any(|key| matches!(key.value, KeyNumber::Vec3(_)));
        for component in 0..if is_vector { 3 } else { 1 } {
            let point = |x: f32| {
                let value = self.keyed.at(axis.secs(x), round_secs);
                let value = value.map_or(0.0, |value| value.components()[component]);
                pos2(x, span.y(rect, value))
            };
            let (left, right) = (axis.x(0.0), axis.x(axis.duration_secs));
            let steps = ((right - left) / 2.0).max(1.0) as usize;
            let points = (0..=steps).map(|i| left + (right - left) * i as f32 / steps as f32);
            painter.line(points.map(point).collect(), Stroke::new(1.0, theme::FAINT));
        }
        let head_secs = state.playhead.time_secs.clamp(0.0, axis.duration_secs);
        let x = axis.x(head_secs);
        let line = [pos2(x, rect.top() + 1.0), pos2(x, rect.bottom() - 1.0)];
        painter.line_segment(line, Stroke::new(1.0, theme::ACCENT));
        let is_followed = !state.show.key_warnings().iter().any(|it| it.name() == self.parameter);
        let color = if is_followed { theme::TEXT } else { theme::ERROR };
        let write = |anchor: Align2, text: String, color| {
            let at = anchor.pos_in_rect(&rect.shrink2(vec2(8.0, 0.0)));
            let galley = painter.layout_no_wrap(text, FontId::proportional(11.0), color);
            let place = anchor.anchor_size(at, galley.size());
            painter.rect_filled(place.expand(2.0), 2.0, theme::GROUND.gamma_multiply(0.75));
            painter.galley(place.min, galley, color);
        };
        write(Align2::LEFT_CENTER, self.parameter.to_owned(), color);
        if let Some(now) = self.keyed.at(head_secs, round_secs) {
            write(Align2::RIGHT_CENTER, text(now), theme::FAINT);
        }
    }

    fn key(
        &self,
        ui: &mut Ui,
        state: &mut State,
        axis: &TimeAxis,
        (place, key): (usize, &ValueKey),
        at: egui::Pos2,
    ) {
        let Row { clip, parameter, keyed } = *self;
        let id = ui.id().with(("key", parameter, place));
        let rect = Rect::from_center_size(at, Vec2::splat(3.0 * diamond::RADIUS));
        let response = ui.interact(rect, id, Sense::click_and_drag());
        let name = format!("Key of {parameter} at {:.2} s", key.time_secs);
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &name));
        if response.drag_started() {
            let drag = KeyDrag { parameter: parameter.to_owned(), place, before: keyed.clone() };
            state.keys.drag = Some(drag);
        }
        self.follow(ui, state, axis, &response);
        if response.clicked() {
            state.playhead.time_secs = key.time_secs.clamp(0.0, axis.duration_secs);
            state.playhead.is_playing = false;
        }
        if response.double_clicked() {
            self.remove(state, place);
        }
        let color = if response.hovered() { theme::TEXT } else { theme::ACCENT };
        diamond::key(ui.painter(), at, key.interpolation, color);
        response.context_menu(|ui| {
            for interpolation in KeyInterpolation::ALL {
                let is_on = key.interpolation == interpolation;
                if ui.selectable_label(is_on, title(interpolation)).clicked() {
                    let keys = keyed.with_interpolation(place, interpolation);
                    let label = format!("Make key of {parameter} {}", interpolation.name());
                    state.session.perform(&label, set_keys(clip, parameter, keys));
                    ui.close();
                }
            }
            ui.separator();
            if ui.button("Remove Key").clicked() {
                self.remove(state, place);
                ui.close();
            }
            self.remove_all(ui, state);
        });
        response.on_hover_text(format!(
            "{parameter} {} at {:.3} s, then {}\nDrag to move, double-click to remove, right-click for more",
            text(key.value),
            key.time_secs,
            key.interpolation.name()
        ));
    }

    /// The key that is dragged goes with the pointer: all of it is one step.
    fn follow(&self, ui: &Ui, state: &mut State, axis: &TimeAxis, response: &Response) {
        let label = format!("Move key of {}", self.parameter);
        let moved = response.interact_pointer_pos().filter(|_| response.dragged()).and_then(|at| {
            let time_secs = self.dragged_to(ui, state, axis, at.x);
            let KeyDrag { place, before, .. } = state.keys.drag.as_ref()?;
            Some(before.with_key_moved(*place, time_secs))
        });
        let command = moved
            .filter(|keys| keys != self.keyed)
            .map(|keys| set_keys(self.clip, self.parameter, keys));
        track(&mut state.session, response, &label, command);
        if response.drag_stopped() {
            state.keys.drag = None;
        }
    }

    /// On whole frames; with Alt anywhere.
    fn dragged_to(&self, ui: &Ui, state: &State, axis: &TimeAxis, x: f32) -> f64 {
        let time_secs = axis.secs(x);
        match ui.input(|input| input.modifiers.alt) {
            true => time_secs,
            false => on_frame(state, time_secs),
        }
    }

    fn remove(&self, state: &mut State, place: usize) {
        let rest = self.keyed.without_key(place);
        let label = format!("Remove key of {}", self.parameter);
        state.session.perform(&label, set_keys(self.clip, self.parameter, rest));
    }

    fn remove_all(&self, ui: &mut Ui, state: &mut State) {
        let label = format!("Remove All Keys of {}", self.parameter);
        if ui.button(&label).clicked() {
            let none = set_keys(self.clip, self.parameter, KeyedValue::default());
            state.session.perform(&label, none);
            ui.close();
        }
    }
}

/// In a menu.
fn title(interpolation: KeyInterpolation) -> &'static str {
    match interpolation {
        KeyInterpolation::Smooth => "Smooth",
        KeyInterpolation::Linear => "Linear",
        KeyInterpolation::Step => "Step",
    }
}

/// The nearest frame, within the motion.
fn on_frame(state: &State, time_secs: f64) -> f64 {
    let fps = state.playhead.fps;
    ((time_secs * fps).round() / fps).clamp(0.0, state.show.duration_secs().max(0.0))
}

fn text(value: KeyNumber) -> String {
    let short = |x: f64| {
        let text = format!("{x:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    match value {
        KeyNumber::Float(x) => short(x),
        KeyNumber::Vec3(v) => v.map(short).join(", "),
    }
}

/// From the least value of keys to the most.
struct Span {
    least: f64,
    most: f64,
}

impl Span {
    fn of(keyed: &KeyedValue) -> Span {
        let numbers = || keyed.keys.iter().flat_map(|key| key.value.components());
        let least = numbers().fold(f64::INFINITY, f64::min);
        Span { least, most: numbers().fold(f64::NEG_INFINITY, f64::max) }
    }

    /// Where keys do not differ, in the middle.
    fn y(&self, row: Rect, value: f64) -> f32 {
        let part = (value - self.least) / (self.most - self.least);
        let part = if part.is_finite() { part as f32 } else { 0.5 };
        egui::lerp(row.bottom() - MARGIN..=row.top() + MARGIN, part)
    }
}
