//! Everything a user can do, as data: menus, shortcuts and the list of Ctrl+P are made of these tables.

use super::state::State;
use super::{app, files, panels};
use egui::{Event, InputState, Key, KeyboardShortcut, Modifiers};

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
    /// What a menu adds to the name: what would be undone.
    pub object: Option<fn(&State) -> Option<String>>,
    pub shortcut: Option<KeyboardShortcut>,
    /// As long as this key is down, it is on: no other action may have it.
    pub held: Option<Key>,
    /// Held down, its key repeats the action; otherwise it acts only once, so that nothing flickers on and off.
    pub repeats: bool,
    /// Its key works in a text field too. Other keys belong to the text, or would change something out of view.
    pub while_typing: bool,
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
        Action {
            name,
            menu,
            object: None,
            shortcut: None,
            held: None,
            repeats: false,
            while_typing: false,
            help,
            is_enabled: |_| true,
            is_on: None,
            run,
        }
    }

    pub const fn key(mut self, modifiers: Modifiers, key: Key) -> Action {
        self.shortcut = Some(KeyboardShortcut::new(modifiers, key));
        self
    }

    pub const fn held(mut self, key: Key) -> Action {
        self.held = Some(key);
        self
    }

    pub const fn repeating(mut self) -> Action {
        self.repeats = true;
        self
    }

    pub const fn while_typing(mut self) -> Action {
        self.while_typing = true;
        self
    }

    pub const fn of(mut self, object: fn(&State) -> Option<String>) -> Action {
        self.object = Some(object);
        self
    }

    /// As a menu shows it now.
    pub fn title(&self, state: &State) -> String {
        match self.object.and_then(|object| object(state)) {
            Some(object) => format!("{} {object}", self.name),
            None => self.name.to_owned(),
        }
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
    let tables: [&'static [Action]; 6] = [
        files::ACTIONS,
        app::ACTIONS,
        panels::canvas::ACTIONS,
        panels::code::ACTIONS,
        panels::viewport::ACTIONS,
        panels::timeline::ACTIONS,
    ];
    tables.into_iter().flatten()
}

/// Runs the actions of pressed keys. While a text field has the focus, most keys belong to it; while a
/// slider has it, those without Ctrl.
pub fn run_shortcuts(state: &mut State, ctx: &egui::Context) {
    if let Some(action) = state.after_typing.take() {
        (action.run)(state, ctx);
    }
    let is_typing = ctx.text_edit_focused();
    let has_focus = ctx.egui_wants_keyboard_input();
    // Ctrl+Shift+Z before Ctrl+Z: egui takes a shortcut also with more modifiers than it names.
    let mut with_keys: Vec<(&'static Action, KeyboardShortcut)> =
        all_actions().filter_map(|action| Some((action, action.shortcut?))).collect();
    with_keys.sort_by_key(|(_, shortcut)| {
        std::cmp::Reverse(
            usize::from(shortcut.modifiers.shift) + usize::from(shortcut.modifiers.alt),
        )
    });
    for (action, shortcut) in with_keys {
        let is_free = match (is_typing, has_focus) {
            (true, _) => action.while_typing,
            (false, true) => shortcut.modifiers.command,
            (false, false) => true,
        };
        if !is_free || !(action.is_enabled)(state) {
            continue;
        }
        if !ctx.input_mut(|input| is_pressed(input, &shortcut, action.repeats)) {
            continue;
        }
        if is_typing {
            // What is typed counts once the field is left: that comes first.
            let focused = ctx.memory(|memory| memory.focused());
            focused.inspect(|&id| ctx.memory_mut(|memory| memory.surrender_focus(id)));
            state.after_typing = Some(action);
            ctx.request_repaint();
        } else {
            (action.run)(state, ctx);
        }
    }
}

/// Consumes the key, also while it is only held.
fn is_pressed(input: &mut InputState, shortcut: &KeyboardShortcut, repeats: bool) -> bool {
    let mut is_pressed = false;
    input.events.retain(|event| {
        let &Event::Key { key, modifiers, pressed: true, repeat, .. } = event else { return true };
        let is_it = key == shortcut.logical_key && modifiers.matches_logically(shortcut.modifiers);
        is_pressed |= is_it && (repeats || !repeat);
        !is_it
    });
    is_pressed
}
