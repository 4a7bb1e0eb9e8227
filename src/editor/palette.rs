//! Ctrl+P: a searchable list of all actions.

use super::action::{Action, all_actions};
use super::files::{Next, short_name, unless_unsaved};
use super::layout::{Layout, Panel};
use super::panels::timeline;
use super::state::State;
use egui::{Align2, Key, Modifiers};
use jounce_graph::document::style_names;
use jounce_rig::motion::TestMotionKind;

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

/// A line of the list.
#[derive(Clone)]
pub struct Entry {
    pub name: String,
    /// The menu that has it too.
    place: &'static str,
    help: String,
    does: Does,
}

#[derive(Clone)]
enum Does {
    Action(&'static Action),
    TogglePanel(Panel),
    ResetLayout,
    Open(Next),
    Play(TestMotionKind),
}

impl Entry {
    fn new(name: impl Into<String>, place: &'static str, help: &str, does: Does) -> Entry {
        Entry { name: name.into(), place, help: help.to_owned(), does }
    }

    fn is_enabled(&self, state: &State) -> bool {
        match self.does {
            Does::Action(action) => (action.is_enabled)(state),
            _ => true,
        }
    }

    fn run(self, state: &mut State, layout: &mut Layout, ctx: &egui::Context) {
        match self.does {
            Does::Action(action) => (action.run)(state, ctx),
            Does::TogglePanel(panel) => layout.toggle(panel),
            Does::ResetLayout => layout.reset(),
            Does::Open(next) => unless_unsaved(state, ctx, next),
            Does::Play(kind) => timeline::play_test_motion(state, ctx, kind),
        }
    }

    /// Best first: names that begin so, names that contain all words, then places and help texts.
    fn rank(&self, query: &str, words: &[&str]) -> Option<usize> {
        let name = self.name.to_lowercase();
        let text = format!("{name} {} {}", self.place, self.help).to_lowercase();
        if name.starts_with(query) {
            Some(0)
        } else if words.iter().all(|word| name.contains(word)) {
            Some(1)
        } else {
            words.iter().all(|word| text.contains(word)).then_some(2)
        }
    }
}

/// All actions: those in menus, and the entries of lists in menus.
fn all(state: &State) -> Vec<Entry> {
    let mut entries: Vec<Entry> = all_actions()
        .map(|action| {
            Entry::new(action.name, action.menu.name(), action.help, Does::Action(action))
        })
        .collect();
    entries.extend(Panel::ALL.map(|panel| {
        let name = format!("Panel: {}", panel.name());
        Entry::new(name, "View", "Shows or hides the panel.", Does::TogglePanel(panel))
    }));
    let help = "Puts all panels back in their default places.";
    entries.push(Entry::new("Reset Layout", "View", help, Does::ResetLayout));
    entries.extend(TestMotionKind::ALL.map(|kind| {
        let name = format!("Test Motion: {}", kind.name());
        Entry::new(name, "Play", "Plays this test motion on the selected bone.", Does::Play(kind))
    }));
    entries.extend(style_names().map(|name| {
        let next = Next::Example(name.to_owned());
        let help = "Opens an example.";
        Entry::new(format!("Example: {name}"), "File", help, Does::Open(next))
    }));
    entries.extend(state.files.recent.files().iter().map(|file| {
        let name = format!("Recent: {}", short_name(file));
        Entry::new(name, "File", &file.display().to_string(), Does::Open(Next::Open(file.clone())))
    }));
    entries
}

pub fn found(state: &State, query: &str) -> Vec<Entry> {
    let query = query.trim().to_lowercase();
    let words: Vec<&str> = query.split_whitespace().collect();
    let mut ranked: Vec<(usize, Entry)> = all(state)
        .into_iter()
        .filter_map(|entry| Some((entry.rank(&query, &words)?, entry)))
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, entry)| entry).collect()
}

pub fn show(ctx: &egui::Context, state: &mut State, layout: &mut Layout) {
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
            let entries = found(state, &state.palette.query);
            let last = entries.len().saturating_sub(1);
            let chosen = &mut state.palette.chosen;
            *chosen = (*chosen + usize::from(down)).saturating_sub(usize::from(up)).min(last);
            let chosen = *chosen;
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                for (place, entry) in entries.iter().enumerate() {
                    let line = line(ui, state, entry, place == chosen);
                    if place == chosen && (up || down) {
                        line.scroll_to_me(None);
                    }
                    if line.clicked() || (enter && place == chosen) {
                        run = Some(entry.clone());
                    }
                }
                if entries.is_empty() {
                    ui.weak("No matches");
                }
            });
        });
    let clicked_elsewhere = window.is_some_and(|it| it.response.clicked_elsewhere());
    if escape || clicked_elsewhere || run.is_some() {
        state.palette.is_open = false;
    }
    if let Some(entry) = run.filter(|entry| entry.is_enabled(state)) {
        entry.run(state, layout, ctx);
    }
}

fn line(ui: &mut egui::Ui, state: &State, entry: &Entry, is_chosen: bool) -> egui::Response {
    let mut button = egui::Button::selectable(is_chosen, &entry.name);
    if let Does::Action(Action { shortcut: Some(shortcut), .. }) = entry.does {
        button = button.shortcut_text(ui.ctx().format_shortcut(shortcut));
    }
    let size = [ui.available_width(), 0.0];
    let line =
        ui.add_enabled_ui(entry.is_enabled(state), |ui| ui.add(button.min_size(size.into())));
    line.inner.on_hover_text(&entry.help)
}
