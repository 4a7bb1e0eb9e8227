//! The panel, and what the inspector has of it.

use super::Place;
use super::draft::Draft;
use super::field::Field;
use crate::{State, theme};
use egui::{RichText, ScrollArea, Ui};
use jounce_graph::script::ScriptError;
use jounce_graph::script::editing::TEMPLATES;
use jounce_session::CodeOf;
use std::path::{Path, PathBuf};

/// Lines of the field in the inspector.
const INSPECTOR_ROWS: usize = 8;
const INSPECTOR_HEIGHT: f32 = 260.0;

/// All of it: the code of the selected node, or of a file.
pub fn show(ui: &mut Ui, state: &mut State) {
    let Some(of) = shown_in_panel(state) else {
        ui.weak("Select a node to see its code; Graph › Add Expression begins one of your own.");
        return;
    };
    ui.horizontal_wrapped(|ui| heading(ui, state, &of));
    ui.separator();
    let errors = errors(state, &of);
    let height = ui.available_height() - errors_height(ui, &errors);
    code(ui, state, &of, Place::Panel, &errors, height, 1);
    error_lines(ui, state, Place::Panel, &errors);
}

/// Of the selected node.
fn shown_in_panel(state: &State) -> Option<CodeOf> {
    if let Some(file) = &state.code.file {
        return Some(CodeOf::File(file.clone()));
    }
    let mut nodes = state.selection.in_graph.nodes.iter();
    let (only, None) = (nodes.next()?, nodes.next()) else { return None };
    state.session.code_of_node(&state.graph_ref(), only)
}

/// The field of an Expression, above its inputs.
pub fn in_inspector(ui: &mut Ui, state: &mut State, of: &CodeOf) {
    let errors = errors(state, of);
    egui::Frame::NONE.fill(theme::GROUND).corner_radius(4).inner_margin(4).show(ui, |ui| {
        code(ui, state, of, Place::Inspector, &errors, INSPECTOR_HEIGHT, INSPECTOR_ROWS);
    });
    error_lines(ui, state, Place::Inspector, &errors);
    ui.horizontal_wrapped(|ui| {
        if ui.button("Open in Panel").on_hover_text("Shows the code with more room").clicked() {
            state.code.file = None;
            state.code.wants_panel = true;
            state.code.wants_focus = Some((of.clone(), Some(Place::Panel)));
        }
        forks(ui, state);
        begin_with(ui, state, of);
    });
    ui.add_space(4.0);
}

/// Whose code it is, and what can be done with it.
fn heading(ui: &mut Ui, state: &mut State, of: &CodeOf) {
    chooser(ui, state, of);
    let about = match of {
        CodeOf::Expression { .. } => "in this document",
        CodeOf::File(_) => "a script of yours; changes are written to its file",
        CodeOf::BuiltIn(_) => "comes with Jounce; fork it to change it",
    };
    ui.weak(about);
    if state.code.file.is_none() {
        forks(ui, state);
    }
}

/// Which code is shown: that of the selected node, or a script.
fn chooser(ui: &mut Ui, state: &mut State, of: &CodeOf) {
    let files: Vec<PathBuf> = state.session.scripts().files().collect();
    let name = match of {
        CodeOf::Expression { node, .. } => node.clone(),
        CodeOf::File(path) => short(path),
        CodeOf::BuiltIn(name) => name.clone(),
    };
    if files.is_empty() {
        ui.label(RichText::new(name).color(theme::ACCENT));
        return;
    }
    let shown = RichText::new(name).color(theme::ACCENT);
    let list = egui::ComboBox::from_id_salt("whose code").selected_text(shown);
    let response = list.show_ui(ui, |ui| {
        ui.selectable_value(&mut state.code.file, None, "Selected node");
        for file in files {
            let name = short(&file);
            ui.selectable_value(&mut state.code.file, Some(file), name);
        }
    });
    response
        .response
        .widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::ComboBox, true, "Whose code"));
}

fn short(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// What makes code of the selected node one's own.
fn forks(ui: &mut Ui, state: &mut State) {
    for name in ["Turn into Expression", "Save as Node…"] {
        let Some(action) = super::ACTIONS.iter().find(|action| action.name == name) else {
            continue;
        };
        if (action.is_enabled)(state)
            && ui.small_button(action.name).on_hover_text(action.help).clicked()
        {
            let ctx = ui.ctx().clone();
            (action.run)(state, &ctx);
        }
    }
}

/// Code to begin with, in place of what is there.
fn begin_with(ui: &mut Ui, state: &mut State, of: &CodeOf) {
    let mut chosen = None;
    ui.menu_button("Begin With", |ui| {
        for template in TEMPLATES.iter().filter(|template| !template.is_library) {
            if ui.button(template.name).on_hover_text(template.about).clicked() {
                chosen = Some(template.expression());
                ui.close();
            }
        }
    })
    .response
    .on_hover_text("Replaces the code with an example to go on from");
    if let Some(code) = chosen {
        state.session.set_code(of, &code);
    }
}

/// What is wrong, by line.
fn errors(state: &State, of: &CodeOf) -> Vec<ScriptError> {
    let error = state.session.code_error(of);
    error.iter().flat_map(ScriptError::all).cloned().collect()
}

fn code(
    ui: &mut Ui,
    state: &mut State,
    of: &CodeOf,
    place: Place,
    errors: &[ScriptError],
    height: f32,
    rows: usize,
) {
    let Some(text) = state.session.code(of) else {
        ui.weak("This file cannot be read.");
        return;
    };
    state.code.drafts.entry(of.clone()).or_insert_with(|| Draft::of(text));
    let libraries = state.session.library().shared();
    let field = Field { of, place, rows, errors, libraries };
    ScrollArea::both()
        .id_salt(("code", of, place))
        .max_height(height)
        .auto_shrink([false, place != Place::Panel])
        .show(ui, |ui| {
            field.show(ui, &mut state.code);
        });
}

/// Lines of messages that are shown at once.
const MOST_LINES: usize = 4;

fn errors_height(ui: &Ui, errors: &[ScriptError]) -> f32 {
    let line = ui.text_style_height(&egui::TextStyle::Body) * 2.0 + 8.0;
    errors.len().min(MOST_LINES) as f32 * line
}

/// A click leads to the place.
fn error_lines(ui: &mut Ui, state: &mut State, place: Place, errors: &[ScriptError]) {
    for error in errors.iter().take(MOST_LINES) {
        let text = match error.place.line {
            0 => error.message.clone(),
            line => format!("{line}:{} {}", error.place.column, error.message),
        };
        let text = RichText::new(text).color(theme::ERROR);
        let line = ui.add(egui::Label::new(text).sense(egui::Sense::click()));
        if line.on_hover_cursor(egui::CursorIcon::PointingHand).clicked() {
            state.code.wants_cursor = Some((place, error.clone()));
        }
    }
    if errors.len() > MOST_LINES {
        ui.weak(format!("and {} more", errors.len() - MOST_LINES));
    }
}
