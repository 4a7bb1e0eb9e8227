//! One line: a name, a value to drag or type, its unit, and a way back to the default.

use super::keying::{self, Keying};
use super::typing::{self, Draft};
use egui::{DragValue, Response, Slider, SliderClamping, Ui};
use jounce_graph::document::{Command, Owner};
use jounce_session::Session;

pub struct Row<'a> {
    pub name: &'a str,
    /// Where the slider ends.
    pub soft: Option<(f64, f64)>,
    /// What it may be.
    pub hard: Option<(f64, f64)>,
    pub unit: &'a str,
    pub help: &'a str,
    pub is_default: bool,
    /// Several are shown, and they differ.
    pub is_mixed: bool,
    /// For numbers that may change over the clip.
    pub keying: Option<Keying>,
}

/// The width of names, in points.
const NAME_WIDTH: f32 = 96.0;
/// The share of the line that names take in a narrow panel.
const NAME_PART: f32 = 0.36;
const LEAST_SLIDER: f32 = 24.0;
/// The width of the number after a slider, in points.
const NUMBER_WIDTH: f32 = 64.0;
/// The room for what follows the number, with the gaps before both.
const BEHIND_NUMBER: f32 = 36.0;
/// Between the parts of a line with many of them.
const NARROW_GAP: f32 = 4.0;

/// Beyond a value that is outside of its slider's range: there is room for half as much again.
const ROOM: f64 = 1.5;

/// A slider's range, as far as the value that it shows: amounts that were fitted to a quiet clip, or typed, may lie
/// outside. It comes back with the value.
fn reaching((low, high): (f64, f64), value: f64) -> (f64, f64) {
    match value {
        _ if value > high => (low, value * if value > 0.0 { ROOM } else { 1.0 }),
        _ if value < low => (value * if value < 0.0 { ROOM } else { 1.0 }, high),
        _ => (low, high),
    }
}

impl Row<'_> {
    /// A number. `set` makes the command; None is the default. Where it is keyed, what is set is a key at the
    /// present time. Gives whether it is being dragged.
    pub fn float(
        &self,
        ui: &mut Ui,
        session: &mut Session,
        value: f64,
        set: impl Fn(Option<f64>) -> Command,
    ) -> bool {
        let label = format!("Set {}", self.name);
        let keyed = self.keyed();
        let value = keyed.and_then(Keying::value).unwrap_or(value);
        let set_number = |x: f64| keyed.map_or_else(|| set(Some(x)), |keying| keying.set(x));
        let reset = || match keyed {
            Some(keying) => Command::batch(vec![keying.remove_all(), set(None)]),
            None => set(None),
        };
        let mut is_dragged = false;
        self.line(ui, session, &reset, |ui, session, name| {
            let mut follow = |new: f64, response: Response| {
                let response = response.labelled_by(name);
                // While it is typed, egui says that it changes.
                let is_new = response.changed() && new != value;
                let changed = is_new.then(|| set_number(self.limited(new)));
                track(session, &response, &label, changed);
                is_dragged |= response.dragged();
            };
            let mut behind = BEHIND_NUMBER;
            if self.keying.is_some() {
                // What the diamond takes, gaps give back.
                ui.spacing_mut().item_spacing.x = NARROW_GAP;
                behind = keying::BUTTON_WIDTH + NARROW_GAP + BEHIND_NUMBER - NARROW_GAP * 2.0;
            }
            // In a narrow panel there is only the number, which can be dragged too.
            let room = ui.available_width() - NUMBER_WIDTH - behind;
            if let Some(range) = self.soft.or(self.hard).filter(|_| room >= LEAST_SLIDER) {
                let mut new = value;
                ui.spacing_mut().slider_width = room;
                // Under a hand that drags, its ends stay where they are.
                let id = ui.next_auto_id();
                let held = ui.data(|data| data.get_temp::<(f64, f64)>(id));
                let (low, high) = held.unwrap_or_else(|| reaching(range, value));
                let slider = Slider::new(&mut new, low..=high).show_value(false);
                let response = ui.add(slider.clamping(SliderClamping::Never));
                ui.data_mut(|data| match response.dragged() {
                    true => {
                        data.insert_temp(id, (low, high));
                    }
                    false => data.remove::<(f64, f64)>(id),
                });
                follow(new, response);
            }
            let mut new = value;
            let drag = DragValue::new(&mut new).speed(self.speed()).max_decimals(4);
            let drag = drag.suffix(self.suffix()).update_while_editing(false);
            let response = ui.add_sized([NUMBER_WIDTH, 20.0], drag);
            follow(new, response);
            if let Some(keying) = &self.keying {
                keying.button(ui, session, value);
            }
        });
        is_dragged
    }

    fn keyed(&self) -> Option<&Keying> {
        self.keying.as_ref().filter(|keying| keying.is_keyed())
    }

    /// A drag over the width of a slider passes its range.
    fn speed(&self) -> f64 {
        self.soft.or(self.hard).map_or(0.01, |(low, high)| ((high - low) / 200.0).abs().max(1e-6))
    }

    fn suffix(&self) -> String {
        match self.unit {
            "" => String::new(),
            unit => format!(" {unit}"),
        }
    }

    fn limited(&self, value: f64) -> f64 {
        match self.hard {
            Some((low, high)) if low <= high => value.clamp(low, high),
            _ => value,
        }
    }

    /// Three numbers; one of them is set at a time, by its place.
    pub fn vec3(
        &self,
        ui: &mut Ui,
        session: &mut Session,
        value: [f64; 3],
        set: impl Fn(Option<(usize, f64)>) -> Command,
    ) {
        self.line(ui, session, &|| set(None), |ui, session, name| {
            for (place, axis) in ["x", "y", "z"].into_iter().enumerate() {
                let mut new = value[place];
                let drag = DragValue::new(&mut new).speed(self.speed()).max_decimals(4);
                let drag = drag.prefix(format!("{axis} ")).suffix(self.suffix());
                let response = ui.add(drag.update_while_editing(false)).labelled_by(name);
                let is_new = response.changed() && new != value[place];
                let changed = is_new.then(|| set(Some((place, self.limited(new)))));
                track(session, &response, &format!("Set {}", self.name), changed);
            }
        });
    }

    pub fn int(
        &self,
        ui: &mut Ui,
        session: &mut Session,
        value: i64,
        set: impl Fn(Option<f64>) -> Command,
    ) {
        self.line(ui, session, &|| set(None), |ui, session, name| {
            let mut new = value;
            let drag = DragValue::new(&mut new).speed(0.05).update_while_editing(false);
            let response = ui.add(drag).labelled_by(name);
            let is_new = response.changed() && new != value;
            let changed = is_new.then(|| set(Some(self.limited(new as f64).round())));
            track(session, &response, &format!("Set {}", self.name), changed);
        });
    }

    pub fn bool(
        &self,
        ui: &mut Ui,
        session: &mut Session,
        value: bool,
        set: impl Fn(Option<bool>) -> Command,
    ) {
        self.line(ui, session, &|| set(None), |ui, session, name| {
            let mut new = value;
            if ui.checkbox(&mut new, "").labelled_by(name).changed() {
                session.perform(&format!("Set {}", self.name), set(Some(new)));
            }
        });
    }

    /// One of some words.
    pub fn choice(
        &self,
        ui: &mut Ui,
        session: &mut Session,
        value: &str,
        choices: &[String],
        set: impl Fn(Option<String>) -> Command,
    ) {
        self.line(ui, session, &|| set(None), |ui, session, name| {
            let mut chosen = None;
            let shown = if self.is_mixed { "several" } else { value };
            let combo = egui::ComboBox::from_id_salt(self.name).selected_text(shown);
            let combo = combo.width(ui.available_width() - 40.0).show_ui(ui, |ui| {
                for choice in choices {
                    if ui.selectable_label(choice == value, choice).clicked() {
                        chosen = Some(choice.clone());
                    }
                }
            });
            combo.response.labelled_by(name);
            if let Some(chosen) = chosen {
                session.perform(&format!("Set {}", self.name), set(Some(chosen)));
            }
        });
    }

    /// A name; it counts when the field is left or Enter pressed.
    pub fn text(
        &self,
        ui: &mut Ui,
        session: &mut Session,
        value: &str,
        set: impl Fn(Option<String>) -> Command,
    ) {
        self.line(ui, session, &|| set(None), |ui, _, name| {
            let field = ui.make_persistent_id(("text", self.name));
            let mut text = typing::text_in(ui.ctx(), field).unwrap_or_else(|| value.to_owned());
            let width = ui.available_width() - 40.0;
            let edit = egui::TextEdit::singleline(&mut text).id(field).desired_width(width);
            if ui.add(edit).labelled_by(name).changed() {
                let command = (text != value).then(|| set(Some(text.clone())));
                let label = format!("Set {}", self.name);
                typing::keep(ui.ctx(), Draft { field, text, label, command });
            }
        });
    }

    fn line(
        &self,
        ui: &mut Ui,
        session: &mut Session,
        reset: &dyn Fn() -> Command,
        value: impl FnOnce(&mut Ui, &mut Session, egui::Id),
    ) {
        ui.push_id(self.name, |ui| {
            ui.horizontal(|ui| {
                let mut name = name_label(ui, self.name);
                if !self.help.is_empty() {
                    name = name.on_hover_text(self.help);
                }
                value(ui, session, name.id);
                if self.is_mixed {
                    ui.weak("≠").on_hover_text(
                        "The selected nodes differ here; a change sets all of them.",
                    );
                }
                if !self.is_default || self.keyed().is_some() {
                    let button = egui::Button::new("⟲").frame(false);
                    let reset_hint = format!("Reset {}", self.name);
                    let response = ui.add(button).on_hover_text("Reset to the default");
                    response.widget_info(|| {
                        egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &reset_hint)
                    });
                    if response.clicked() {
                        session.perform(&reset_hint, reset());
                    }
                }
            });
        });
    }
}

/// A drag from its beginning to its end is one step.
pub fn track(session: &mut Session, response: &Response, label: &str, changed: Option<Command>) {
    let owner = Owner::Hand(response.id.value());
    if response.drag_started() {
        session.begin(owner, label);
    }
    match changed {
        // Also after an undo in the middle of it: what is dragged from there on is one step again.
        Some(command) if response.dragged() => {
            session.update(owner, label, command);
        }
        Some(command) if session.history().owner() == Some(owner) => {
            session.update(owner, label, command);
        }
        Some(command) => {
            session.perform(label, command);
        }
        None => {}
    }
    if response.drag_stopped() {
        session.commit(owner);
    }
}

/// The name at the beginning of a line: short ones and long ones take the same space.
pub fn name_label(ui: &mut Ui, name: &str) -> Response {
    let size = egui::vec2(NAME_WIDTH.min(ui.available_width() * NAME_PART), 20.0);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let inner = ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_size(size);
        ui.add(egui::Label::new(name).truncate())
    });
    inner.inner
}

#[cfg(test)]
mod tests {
    use super::reaching;

    #[test]
    fn a_slider_reaches_its_value_and_comes_back_with_it() {
        assert_eq!(reaching((0.0, 1.0), 0.4), (0.0, 1.0));
        assert_eq!(reaching((0.0, 1.0), 4.0), (0.0, 6.0));
        assert_eq!(reaching((-1.0, 1.0), -2.0), (-3.0, 1.0));
        assert_eq!(reaching((2.0, 4.0), 1.0), (1.0, 4.0));
        assert_eq!(reaching((-4.0, -2.0), -1.0), (-4.0, -1.0));
    }
}
