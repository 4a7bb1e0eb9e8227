//! The list of what may be meant, below the cursor.

use super::draft::Draft;
use super::field::byte_of;
use super::keys;
use crate::theme;
use egui::text::CCursor;
use egui::{Context, Id, Key, Order, Rect, RichText, Ui, vec2};
use jounce_graph::script::SharedScripts;
use jounce_graph::script::editing::{Completion, Completions, completions};

#[derive(Default)]
pub struct Popup {
    open: Option<Open>,
    /// Asked for by a key, in this field.
    asked: Option<Id>,
}

struct Open {
    field: Id,
    /// In letters: where the cursor was.
    cursor: usize,
    found: Completions,
    chosen: usize,
    is_moved: bool,
}

/// How much of the list is seen at once.
const ROWS: usize = 9;
const WIDTH: f32 = 330.0;

impl Popup {
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    pub fn is_open_for(&self, field: Id) -> bool {
        self.open.as_ref().is_some_and(|open| open.field == field)
    }

    pub fn close(&mut self) {
        self.open = None;
    }

    pub fn ask(&mut self, field: Id) {
        self.asked = Some(field);
    }

    pub fn step(&mut self, down: bool, up: bool) {
        let Some(open) = &mut self.open else { return };
        let last = open.found.all.len().saturating_sub(1);
        open.chosen = (open.chosen + usize::from(down)).saturating_sub(usize::from(up)).min(last);
        open.is_moved |= down || up;
    }

    /// Takes what is chosen. True: the text was changed.
    pub fn accept(&mut self, ctx: &Context, draft: &mut Draft, id: Id) -> bool {
        let Some(Open { found, chosen, .. }) = self.open.take() else { return false };
        let Some(Completion { insert, select, .. }) = found.all.get(chosen) else { return false };
        keys::replace(ctx, draft, id, found.replaces, insert, select.clone());
        true
    }
}

/// Opens the list while a word is being typed, and closes it when the cursor goes elsewhere.
pub fn follow(
    ui: &Ui,
    popup: &mut Popup,
    draft: &mut Draft,
    id: Id,
    at: Option<(CCursor, Rect)>,
    has_typed: bool,
    libraries: &SharedScripts,
) {
    let has_focus = ui.memory(|memory| memory.has_focus(id));
    let is_asked = popup.asked.take_if(|field| *field == id).is_some();
    let Some((cursor, place)) = at.filter(|_| has_focus) else {
        if popup.is_open_for(id) {
            popup.close();
        }
        return;
    };
    let cursor = cursor.index.0;
    let is_elsewhere = popup.open.as_ref().is_some_and(|it| it.field == id && it.cursor != cursor);
    if has_typed || is_asked || is_elsewhere {
        let byte = byte_of(&draft.text, cursor);
        let found = completions(&draft.text, byte, libraries);
        // What takes a word away asks for none.
        let has_written = ui.input(|input| {
            !input.events.iter().any(|event| {
                matches!(event, egui::Event::Key { key: Key::Enter | Key::Tab, pressed: true, .. })
            })
        });
        let is_wanted = |found: &Completions| {
            let word = draft.text.get(found.replaces.start..byte).unwrap_or_default();
            let is_whole = matches!(&found.all[..], [only] if only.insert == word);
            is_asked
                || (has_typed
                    && has_written
                    && (found.is_expected || !word.is_empty())
                    && !is_whole)
        };
        let found = found.filter(|found| !found.all.is_empty() && is_wanted(found));
        popup.open =
            found.map(|found| Open { field: id, cursor, found, chosen: 0, is_moved: false });
    }
    if popup.is_open_for(id) && list(ui, popup, place) && popup.accept(ui.ctx(), draft, id) {
        draft.typed(ui.input(|input| input.time));
        ui.memory_mut(|memory| memory.request_focus(id));
    }
}

/// True: one was clicked.
fn list(ui: &Ui, popup: &mut Popup, cursor: Rect) -> bool {
    let Some(open) = &mut popup.open else { return false };
    let mut is_taken = false;
    let area = egui::Area::new(open.field.with("completions"))
        .order(Order::Foreground)
        .fixed_pos(cursor.left_bottom() + vec2(-8.0, 3.0))
        .constrain_to(ui.ctx().content_rect());
    area.show(ui.ctx(), |ui| {
        egui::Frame::popup(ui.style()).inner_margin(4).show(ui, |ui| {
            ui.set_width(WIDTH);
            ui.spacing_mut().item_spacing.y = 1.0;
            let height = ui.spacing().interact_size.y + 1.0;
            let rows = open.found.all.len().min(ROWS) as f32;
            let scroll = egui::ScrollArea::vertical().max_height(rows * height).auto_shrink(false);
            scroll.show(ui, |ui| {
                for (place, one) in open.found.all.iter().enumerate() {
                    let name =
                        RichText::new(&one.name).monospace().color(theme::completion(one.kind));
                    let kind = RichText::new(one.kind.label()).small().color(theme::FAINT);
                    let is_chosen = place == open.chosen;
                    let button = egui::Button::selectable(is_chosen, name).right_text(kind);
                    let line = ui.add(button.min_size(vec2(ui.available_width(), 0.0)));
                    line.widget_info(|| {
                        let label = format!("complete {}", one.name);
                        egui::WidgetInfo::labeled(egui::WidgetType::Button, true, label)
                    });
                    if is_chosen && std::mem::take(&mut open.is_moved) {
                        line.scroll_to_me(None);
                    }
                    if line.clicked() {
                        open.chosen = place;
                        is_taken = true;
                    }
                }
            });
            if let Some(one) = open.found.all.get(open.chosen) {
                ui.separator();
                ui.label(RichText::new(&one.written).monospace().color(theme::ACCENT));
                ui.label(RichText::new(&one.help).color(theme::FAINT));
            }
        });
    });
    is_taken
}
