//! With the style and without it: ghost, split, flip, exaggeration; and two styles: A and B.

use crate::{State, theme};
use egui::{Key, Rect, Sense, Stroke, pos2};
use jounce_session::{MOST_EXAGGERATION, SlotName, Slots};

#[derive(Clone)]
pub struct Compare {
    /// Plain skinning, behind what is solid.
    pub has_ghost: bool,
    /// How much of the picture's width shows plain skinning, 0 to 1.
    pub split: Option<f32>,
    pub shows_plain: bool,
    /// As long as the key is held.
    is_flipped: bool,
    /// How many times the displacement is drawn, for viewing only.
    pub exaggeration: f32,
    pub slots: Slots,
}

impl Default for Compare {
    fn default() -> Self {
        Compare {
            has_ghost: false,
            split: None,
            shows_plain: false,
            is_flipped: false,
            exaggeration: 1.0,
            slots: Slots::default(),
        }
    }
}

impl Compare {
    pub fn toggle_split(&mut self) {
        self.split = if self.split.is_some() { None } else { Some(0.5) };
    }

    /// How many times the displacement is drawn now.
    pub fn amount(&self) -> f32 {
        match self.shows_plain != self.is_flipped {
            true => 0.0,
            false => self.exaggeration.clamp(0.0, MOST_EXAGGERATION),
        }
    }
}

pub const FLIP_KEY: Key = Key::H;

/// While the key is held, the other of the two is shown.
pub fn hold_key(ui: &egui::Ui, state: &mut State) {
    let is_typing = ui.ctx().egui_wants_keyboard_input();
    let is_held = ui.input(|input| input.key_down(FLIP_KEY) && !input.modifiers.any());
    state.viewport.compare.is_flipped = is_held && !is_typing;
}

/// To that one, or else to the other.
pub fn switch_slot(state: &mut State, name: Option<SlotName>) {
    let slots = &mut state.viewport.compare.slots;
    let other = || slots.current().map_or(SlotName::A, SlotName::other);
    let name = name.unwrap_or_else(other);
    slots.switch(&mut state.session, name);
}

/// Says that nothing of the style is seen: else sliders would seem to be broken.
pub fn plain_badge(ui: &egui::Ui, state: &State, rect: Rect) {
    let compare = &state.viewport.compare;
    if compare.amount() != 0.0 {
        return;
    }
    let words = match compare.exaggeration == 0.0 && !compare.shows_plain {
        true => "Exaggerate × 0: plain skinning",
        false => "Plain skinning",
    };
    let font = egui::FontId::proportional(13.0);
    let painter = ui.painter_at(rect);
    let galley = painter.layout_no_wrap(words.to_owned(), font, theme::TEXT);
    let at = rect.center_top() + egui::vec2(0.0, 22.0);
    let back = Rect::from_center_size(at, galley.size() + egui::vec2(18.0, 8.0));
    painter.rect_filled(back, 4.0, theme::GROUND.gamma_multiply(0.85));
    painter.galley(at - galley.size() / 2.0, galley, theme::TEXT);
    ui.ctx().accesskit_node_builder(ui.id().with("plain badge"), |node| {
        node.set_role(egui::accesskit::Role::Status);
        node.set_label(words);
    });
}

/// The line between the halves, to be dragged.
pub fn split_line(ui: &mut egui::Ui, state: &mut State, rect: Rect) {
    let Some(split) = &mut state.viewport.compare.split else { return };
    let x = rect.left() + *split * rect.width();
    let grip = Rect::from_x_y_ranges(x - 5.0..=x + 5.0, rect.y_range());
    let response = ui.interact(grip, ui.id().with("split"), Sense::drag());
    response.widget_info(|| egui::WidgetInfo::slider(true, f64::from(*split), "Split line"));
    if let Some(pointer) = response.interact_pointer_pos().filter(|_| response.dragged()) {
        *split = ((pointer.x - rect.left()) / rect.width().max(1.0)).clamp(0.02, 0.98);
    }
    let is_hot = response.hovered() || response.dragged();
    if is_hot {
        ui.ctx().set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
    }
    let x = rect.left() + *split * rect.width();
    let painter = ui.painter_at(rect);
    let color = if is_hot { theme::ACCENT } else { theme::TEXT };
    painter.vline(x, rect.y_range(), Stroke::new(1.5, color));
    painter.circle_filled(pos2(x, rect.center().y), 5.0, color);
    let font = egui::FontId::proportional(11.0);
    for (text, align, dx) in
        [("plain", egui::Align2::RIGHT_TOP, -8.0), ("deformed", egui::Align2::LEFT_TOP, 8.0)]
    {
        let place = pos2(x + dx, rect.top() + 8.0);
        painter.text(place, align, text, font.clone(), theme::ON_PICTURE);
    }
}
