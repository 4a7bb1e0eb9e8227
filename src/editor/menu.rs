//! The bar at the top.

use super::action::{Action, Menu, all_actions};
use super::layout::{Layout, Panel};
use super::panels::viewport::{SIDES, Tool};
use super::state::State;
use egui::containers::menu::MenuBar;

/// Does a group have the action of a name?
type HasAction = fn(&str) -> bool;

/// One line each for all that belong together: a menu must not be higher than a window.
const GROUPS: [(&str, HasAction); 3] = [
    ("Tool", |name| Tool::ALL.iter().any(|tool| tool.name() == name)),
    ("Brush", |name| name.contains("Brush")),
    ("Look From", |name| SIDES.contains(&name)),
];

pub fn show(ui: &mut egui::Ui, state: &mut State, layout: &mut Layout) {
    MenuBar::new().ui(ui, |ui| {
        for menu in Menu::ALL {
            ui.menu_button(menu.name(), |ui| {
                ui.set_min_width(220.0);
                let of_menu = || all_actions().filter(|action| action.menu == menu);
                let group =
                    |action: &Action| GROUPS.iter().position(|(_, contains)| contains(action.name));
                let alone = of_menu().filter(|action| group(action).is_none());
                alone.for_each(|action| item(ui, state, action));
                for (place, (name, _)) in GROUPS.iter().enumerate() {
                    let mut of_group = of_menu().filter(|it| group(it) == Some(place)).peekable();
                    if of_group.peek().is_some() {
                        ui.menu_button(*name, |ui| {
                            of_group.for_each(|action| item(ui, state, action));
                        });
                    }
                }
                if menu == Menu::File {
                    super::files::menu::show(ui, state);
                }
                if menu == Menu::View {
                    ui.separator();
                    panels(ui, layout);
                }
            });
        }
    });
}

/// A line of a menu.
pub fn item(ui: &mut egui::Ui, state: &mut State, action: &Action) {
    let is_on = action.is_on.is_some_and(|is_on| is_on(state));
    let mut button = egui::Button::selectable(is_on, action.title(state));
    if let Some(shortcut) = &action.shortcut {
        button = button.shortcut_text(ui.ctx().format_shortcut(shortcut));
    }
    let is_enabled = (action.is_enabled)(state);
    if ui.add_enabled(is_enabled, button).on_hover_text(action.help).clicked() {
        ui.close();
        let ctx = ui.ctx().clone();
        (action.run)(state, &ctx);
    }
}

fn panels(ui: &mut egui::Ui, layout: &mut Layout) {
    for panel in Panel::ALL {
        let mut is_open = layout.is_open(panel);
        if ui.checkbox(&mut is_open, panel.name()).clicked() {
            layout.toggle(panel);
        }
    }
    if ui.button("Reset Layout").clicked() {
        layout.reset();
        ui.close();
    }
}
