//! Ctrl+P: everything that can be done, to search.

use super::action::{Action, all_actions};
use super::state::State;
use egui::{Align2, Key, Modifiers};

#[derive(Default)]
pub struct Palette {
    is_open: bool,
    query: String,
    chosen: usize,
}

impl Palette {
    pub fn open(&mut self) {
        *self = Palette { is_open: true, ..Palette::default() };
    }

    pub fn is_open(&self) -> bool {
        self.is_open
    }
}

/// Best first: names that begin so, names that contain all words, then help texts that do.
pub fn found(query: &str) -> Vec<&'static Action> {
    let query = query.trim().to_lowercase();
    let words: Vec<&str> = query.split_whitespace().collect();
    let rank = |action: &Action| {
        let name = action.name.to_lowercase();
        let text = format!("{name} {} {}", action.menu.name(), action.help).to_lowercase();
        if name.starts_with(&query) {
            Some(0)
        } else if words.iter().all(|word| name.contains(word)) {
            Some(1)
        } else {
            words.iter().all(|word| text.contains(word)).then_some(2)
        }
    };
    let mut ranked: Vec<(usize, &'static Action)> =
        all_actions().filter_map(|action| Some((rank(action)?, action))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, action)| action).collect()
}

pub fn show(ctx: &egui::Context, state: &mut State) {
    if !state.palette.is_open {
        return;
    }
    let (up, down, enter, escape) = ctx.input_mut(|input| {
        let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
        (pressed(Key::ArrowUp), pressed(Key::ArrowDown), pressed(Key::Enter), pressed(Key::Escape))
    });
    let mut run = None;
    let window = egui::Window::new("All Actions")
        .title_bar(false)
        .resizable(false)
        .fixed_size([460.0, 380.0])
        .anchor(Align2::CENTER_TOP, [0.0, 80.0])
        .show(ctx, |ui| {
            let edit = egui::TextEdit::singleline(&mut state.palette.query)
                .hint_text("Search actions")
                .desired_width(f32::INFINITY);
            let field = ui.add(edit);
            field.request_focus();
            if field.changed() {
                state.palette.chosen = 0;
            }
            let actions = found(&state.palette.query);
            let last = actions.len().saturating_sub(1);
            let chosen = &mut state.palette.chosen;
            *chosen = (*chosen + usize::from(down)).saturating_sub(usize::from(up)).min(last);
            let chosen = *chosen;
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                for (place, action) in actions.iter().enumerate() {
                    let line = line(ui, state, action, place == chosen);
                    if place == chosen && (up || down) {
                        line.scroll_to_me(None);
                    }
                    if line.clicked() || (enter && place == chosen) {
                        run = Some(*action);
                    }
                }
                if actions.is_empty() {
                    ui.weak("Nothing is called so.");
                }
            });
        });
    let clicked_elsewhere = window.is_some_and(|it| it.response.clicked_elsewhere());
    if escape || clicked_elsewhere || run.is_some() {
        state.palette.is_open = false;
    }
    if let Some(action) = run.filter(|action| (action.is_enabled)(state)) {
        (action.run)(state, ctx);
    }
}

fn line(ui: &mut egui::Ui, state: &State, action: &Action, is_chosen: bool) -> egui::Response {
    let mut button = egui::Button::selectable(is_chosen, action.name);
    if let Some(shortcut) = &action.shortcut {
        button = button.shortcut_text(ui.ctx().format_shortcut(shortcut));
    }
    let size = [ui.available_width(), 0.0];
    let line =
        ui.add_enabled_ui((action.is_enabled)(state), |ui| ui.add(button.min_size(size.into())));
    line.inner.on_hover_text(action.help)
}
