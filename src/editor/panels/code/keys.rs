//! What keys do in code beside typing.

use super::CodeView;
use super::draft::Draft;
use super::field::{byte_of, letter_of};
use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Context, Id, Key, Modifiers, Ui};
use jounce_graph::script::editing::indentation_after;
use std::ops::Range;

/// Before the field sees them. True: the text was changed.
pub fn press(ui: &Ui, view: &mut CodeView, draft: &mut Draft, id: Id) -> bool {
    let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    if view.popup.is_open_for(id) {
        if pressed(Modifiers::NONE, Key::Escape) {
            view.popup.close();
            return false;
        }
        let down = pressed(Modifiers::NONE, Key::ArrowDown);
        let up = pressed(Modifiers::NONE, Key::ArrowUp);
        view.popup.step(down, up);
        if pressed(Modifiers::NONE, Key::Enter) || pressed(Modifiers::NONE, Key::Tab) {
            return view.popup.accept(ui.ctx(), draft, id);
        }
    }
    if pressed(Modifiers::COMMAND, Key::Space) {
        view.popup.ask(id);
    }
    if pressed(Modifiers::NONE, Key::Enter) {
        let Some(range) = selected(ui.ctx(), draft, id) else { return false };
        let line = format!("\n{}", indentation_after(&draft.text, range.start));
        replace(ui.ctx(), draft, id, range, &line, line.len()..line.len());
        return true;
    }
    if pressed(Modifiers::NONE, Key::Tab) {
        let Some(range) = selected(ui.ctx(), draft, id) else { return false };
        replace(ui.ctx(), draft, id, range, "    ", 4..4);
        return true;
    }
    false
}

/// In bytes; empty where the cursor is.
pub fn selected(ctx: &Context, draft: &Draft, id: Id) -> Option<Range<usize>> {
    let range = TextEditState::load(ctx, id)?.cursor.char_range()?.as_sorted_char_range();
    Some(byte_of(&draft.text, range.start.0)..byte_of(&draft.text, range.end.0))
}

/// Puts a text in place of a part, and selects a part of it.
pub fn replace(
    ctx: &Context,
    draft: &mut Draft,
    id: Id,
    range: Range<usize>,
    by: &str,
    select: Range<usize>,
) {
    if draft.text.get(range.clone()).is_none() || by.get(select.clone()).is_none() {
        return;
    }
    let at = range.start;
    draft.text.replace_range(range, by);
    self::select(ctx, draft, id, at + select.start..at + select.end);
}

/// In bytes; empty: only the cursor goes there.
pub fn select(ctx: &Context, draft: &Draft, id: Id, range: Range<usize>) {
    let cursor = |byte: usize| CCursor::new(letter_of(&draft.text, byte));
    let mut state = TextEditState::load(ctx, id).unwrap_or_default();
    let range = CCursorRange::two(cursor(range.start), cursor(range.end));
    state.cursor.set_char_range(Some(range));
    state.store(ctx, id);
}
