//! Everything a user can do, as data: menus, shortcuts and the list of Ctrl+P are made of these tables.

use super::state::State;
use super::{app, files, panels};
use egui::{Key, KeyboardShortcut, Modifiers};

/// Where an action is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Menu {
    File,
    Edit,
    Graph,
    View,
    Play,
    Help,
}

impl Menu {
    pub const ALL: [Menu; 6] =
        [Menu::File, Menu::Edit, Menu::Graph, Menu::View, Menu::Play, Menu::Help];

    pub fn name(self) -> &'static str {
        match self {
            Menu::File => "File",
            Menu::Edit => "Edit",
            Menu::Graph => "Graph",
            Menu::View => "View",
            Menu::Play => "Play",
            Menu::Help => "Help",
        }
    }
}

pub struct Action {
    pub name: &'static str,
    pub menu: Menu,
    pub shortcut: Option<KeyboardShortcut>,
    /// What it does, in a sentence.
    pub help: &'static str,
    pub is_enabled: fn(&State) -> bool,
    /// For what can be on or off.
    pub is_on: Option<fn(&State) -> bool>,
    pub run: fn(&mut State, &egui::Context),
}

impl Action {
    pub const fn new(
        name: &'static str,
        menu: Menu,
        help: &'static str,
        run: fn(&mut State, &egui::Context),
    ) -> Action {
        let (shortcut, is_on) = (None, None);
        Action { name, menu, shortcut, help, is_enabled: |_| true, is_on, run }
    }

    pub const fn key(mut self, modifiers: Modifiers, key: Key) -> Action {
        self.shortcut = Some(KeyboardShortcut::new(modifiers, key));
        self
    }

    pub const fn enabled_if(mut self, is_enabled: fn(&State) -> bool) -> Action {
        self.is_enabled = is_enabled;
        self
    }

    pub const fn on_if(mut self, is_on: fn(&State) -> bool) -> Action {
        self.is_on = Some(is_on);
        self
    }
}

/// In the order of menus.
pub fn all_actions() -> impl Iterator<Item = &'static Action> {
    let tables: [&'static [Action]; 5] = [
        files::ACTIONS,
        app::ACTIONS,
        panels::canvas::ACTIONS,
        panels::viewport::ACTIONS,
        panels::timeline::ACTIONS,
    ];
    tables.into_iter().flatten()
}

/// With Ctrl too these do something in a text field.
const KEYS_OF_TEXT: [Key; 7] =
    [Key::A, Key::C, Key::V, Key::X, Key::Delete, Key::ArrowUp, Key::ArrowDown];

/// Runs what the keys ask for. Keys without Ctrl belong to a text field while one has the focus.
pub fn run_shortcuts(state: &mut State, ctx: &egui::Context) {
    let is_typing = ctx.egui_wants_keyboard_input();
    // Ctrl+Shift+Z before Ctrl+Z: egui takes a shortcut also with more modifiers than it names.
    let mut with_keys: Vec<(&'static Action, KeyboardShortcut)> =
        all_actions().filter_map(|action| Some((action, action.shortcut?))).collect();
    with_keys.sort_by_key(|(_, shortcut)| {
        std::cmp::Reverse(
            usize::from(shortcut.modifiers.shift) + usize::from(shortcut.modifiers.alt),
        )
    });
    for (action, shortcut) in with_keys {
        let is_of_text = KEYS_OF_TEXT.contains(&shortcut.logical_key);
        let belongs_to_text = is_typing && (!shortcut.modifiers.command || is_of_text);
        if belongs_to_text || !(action.is_enabled)(state) {
            continue;
        }
        if ctx.input_mut(|input| input.consume_shortcut(&shortcut)) {
            (action.run)(state, ctx);
        }
    }
}
