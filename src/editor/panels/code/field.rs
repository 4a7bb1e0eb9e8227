//! The field that code is written in.

use super::draft::Draft;
use super::{CodeView, Place, complete, keys};
use crate::theme;
use egui::text::{CCursor, LayoutJob, TextFormat};
use egui::{Align2, Color32, FontId, Galley, Id, Pos2, Rect, Sense, Stroke, TextEdit, Ui, vec2};
use jounce_graph::script::editing::{Highlight, explain, highlight};
use jounce_graph::script::{ScriptError, SharedScripts};
use jounce_session::CodeOf;
use std::ops::Range;

/// Between line numbers and code.
const GUTTER_GAP: f32 = 10.0;

pub struct Field<'a> {
    pub of: &'a CodeOf,
    /// Which of the places where it is shown.
    pub place: Place,
    pub rows: usize,
    pub errors: &'a [ScriptError],
    pub libraries: &'a SharedScripts,
}

impl Field<'_> {
    fn id(&self) -> Id {
        Id::new(("code", self.of, self.place))
    }

    pub fn show(&self, ui: &mut Ui, view: &mut CodeView) {
        let Some(mut draft) = view.drafts.remove(self.of) else { return };
        let id = self.id();
        if !draft.fields.contains(&id) {
            draft.fields.push(id);
        }
        let font = egui::TextStyle::Monospace.resolve(ui.style());
        let digits = draft.text.lines().count().max(9).to_string().len();
        let letter = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
        let gutter = (digits + 1) as f32 * letter + GUTTER_GAP;
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.allocate_exact_size(vec2(gutter, 1.0), Sense::hover());
            self.text(ui, view, &mut draft, id, &font);
        });
        view.drafts.insert(self.of.clone(), draft);
    }

    fn text(&self, ui: &mut Ui, view: &mut CodeView, draft: &mut Draft, id: Id, font: &FontId) {
        let is_read_only = self.of.is_read_only();
        let now_secs = ui.input(|input| input.time);
        let has_focus = ui.memory(|memory| memory.has_focus(id));
        if has_focus && !is_read_only && keys::press(ui, view, draft, id) {
            draft.typed(now_secs);
        }
        // Places are those of the text that was read; another one has other places.
        let errors = if draft.is_ahead() { &[] } else { self.errors };
        let mut colors = std::mem::take(&mut draft.colors);
        // The text may change while it is shown: colours and marks are those of the text that is laid out.
        let mut layouter = |ui: &Ui, text: &dyn egui::TextBuffer, _wrap: f32| {
            let job = layout(text.as_str(), colors.of(text.as_str()), errors, font);
            ui.fonts_mut(|fonts| fonts.layout_job(job))
        };
        let mut unchanged = draft.text.as_str();
        let buffer: &mut dyn egui::TextBuffer =
            if is_read_only { &mut unchanged } else { &mut draft.text };
        let output = TextEdit::multiline(buffer)
            .id(id)
            .font(font.clone())
            .desired_width(f32::INFINITY)
            .desired_rows(self.rows)
            .frame(egui::Frame::NONE)
            .margin(egui::Margin::ZERO)
            .event_filter(egui::EventFilter {
                tab: true,
                horizontal_arrows: true,
                vertical_arrows: true,
                // It closes the list first.
                escape: view.popup.is_open_for(id),
            })
            .layouter(&mut layouter)
            .show(ui);
        draft.colors = colors;
        let response = &output.response.response;
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::WidgetType::TextEdit, true, self.place.label())
        });
        let is_wanted = |(of, place): &mut (CodeOf, Option<Place>)| {
            of == self.of && place.is_none_or(|place| place == self.place)
        };
        if view.wants_focus.take_if(is_wanted).is_some() {
            response.request_focus();
        }
        if let Some((_, error)) = view.wants_cursor.take_if(|(place, _)| *place == self.place)
            && let Some(range) = range_of(&draft.text, &error)
        {
            keys::select(ui.ctx(), draft, id, range);
            response.request_focus();
        }
        if response.changed() {
            draft.typed(now_secs);
        }
        line_numbers(ui, &output.galley, output.galley_pos, font, errors);
        word_help(response, &output.galley, output.galley_pos, &draft.text);
        if !is_read_only {
            let cursor = output.cursor_range.map(|range| range.primary);
            let at = cursor.map(|cursor| {
                let place = output.galley.pos_from_cursor(cursor);
                (cursor, place.translate(output.galley_pos.to_vec2()))
            });
            let changed = response.changed();
            complete::follow(ui, &mut view.popup, draft, id, at, changed, self.libraries);
        }
    }
}

/// From where something is wrong to the end of the word there.
fn range_of(code: &str, error: &ScriptError) -> Option<Range<usize>> {
    let line = error.place.line.checked_sub(1)?;
    let start: usize = code.split_inclusive('\n').take(line).map(str::len).sum();
    let text = code.get(start..)?.split('\n').next()?;
    let column = error.place.column.saturating_sub(1);
    let from = text.char_indices().nth(column).map_or(text.len(), |(at, _)| at);
    let rest = &text[from..];
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let length = match rest.chars().next() {
        Some(c) if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
        Some(c) => c.len_utf8(),
        None => 0,
    };
    (length > 0).then(|| start + from..start + from + length)
}

/// What words are, found once for each text.
#[derive(Default)]
pub struct Colors {
    code: String,
    spans: Vec<(Range<usize>, Highlight)>,
}

impl Colors {
    fn of(&mut self, code: &str) -> &[(Range<usize>, Highlight)] {
        if self.code != code {
            code.clone_into(&mut self.code);
            self.spans = highlight(code);
        }
        &self.spans
    }
}

fn layout(
    code: &str,
    spans: &[(Range<usize>, Highlight)],
    errors: &[ScriptError],
    font: &FontId,
) -> LayoutJob {
    let marked: Vec<Range<usize>> =
        errors.iter().filter_map(|error| range_of(code, error)).collect();
    let mut job = LayoutJob { text: code.to_owned(), ..LayoutJob::default() };
    job.wrap.max_width = f32::INFINITY;
    let mut at = 0;
    let mut push = |to: usize, color: Color32| {
        // A mark may begin or end inside of what has one colour.
        while at < to {
            let ends = marked.iter().flat_map(|range| [range.start, range.end]);
            let end = ends.filter(|end| *end > at).min().unwrap_or(to).min(to);
            let is_marked = marked.iter().any(|range| range.contains(&at));
            let stroke = Stroke::new(1.5, theme::ERROR);
            let underline = if is_marked { stroke } else { Stroke::NONE };
            let format = TextFormat { underline, ..TextFormat::simple(font.clone(), color) };
            job.sections.push(egui::text::LayoutSection {
                leading_space: 0.0,
                byte_range: (at.into())..(end.into()),
                format,
            });
            at = end;
        }
    };
    for (range, kind) in spans {
        push(range.start, theme::TEXT);
        push(range.end, theme::code(*kind));
    }
    push(code.len(), theme::TEXT);
    job
}

/// Left of each line its number; where something is wrong, in red, and what it is.
fn line_numbers(ui: &Ui, galley: &Galley, origin: Pos2, font: &FontId, errors: &[ScriptError]) {
    let mut is_first = true;
    let mut number = 0;
    for row in &galley.rows {
        if std::mem::replace(&mut is_first, row.ends_with_newline) {
            number += 1;
        } else {
            continue;
        }
        let rect = row.rect().translate(origin.to_vec2());
        let at = Pos2::new(origin.x - GUTTER_GAP, rect.center().y);
        let wrong = errors.iter().find(|error| error.place.line == number);
        let color = if wrong.is_some() { theme::ERROR } else { theme::FAINT.gamma_multiply(0.7) };
        let painted =
            ui.painter().text(at, Align2::RIGHT_CENTER, number.to_string(), font.clone(), color);
        if let Some(error) = wrong {
            let band = Rect::from_x_y_ranges(ui.clip_rect().x_range(), rect.y_range());
            ui.painter().rect_filled(band, 0.0, theme::ERROR.gamma_multiply(0.10));
            let id = ui.id().with(("wrong line", number));
            ui.interact(painted.expand(4.0), id, Sense::hover()).on_hover_text(&error.message);
        }
    }
}

/// What a word of the language means, for a pointer that rests on it.
fn word_help(response: &egui::Response, galley: &Galley, origin: Pos2, code: &str) {
    let Some(pointer) = response.hover_pos() else { return };
    let cursor: CCursor = galley.cursor_from_pos(pointer - origin);
    let at = byte_of(code, cursor.index.0);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let start = code[..at]
        .rfind(|c| !is_word(c))
        .map_or(0, |it| it + code[it..].chars().next().map_or(1, char::len_utf8));
    let end = code[at..].find(|c| !is_word(c)).map_or(code.len(), |it| at + it);
    let is_inside = code[..start].matches('{').count() > code[..start].matches('}').count();
    let Some(explained) = explain(&code[start..end], is_inside) else { return };
    response.clone().on_hover_ui_at_pointer(|ui| {
        ui.set_max_width(360.0);
        ui.label(egui::RichText::new(explained.written).monospace().color(theme::ACCENT));
        ui.label(explained.help);
    });
}

/// The byte at which a letter begins; the end if there are fewer.
pub fn byte_of(text: &str, letter: usize) -> usize {
    text.char_indices().nth(letter).map_or(text.len(), |(at, _)| at)
}

pub fn letter_of(text: &str, byte: usize) -> usize {
    text.char_indices().take_while(|(at, _)| *at < byte).count()
}
