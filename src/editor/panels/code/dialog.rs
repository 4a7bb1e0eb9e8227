//! Asks for the name of a new script, and what it begins with.

use crate::{State, theme};
use egui::{Context, Id, Key, Modal, Modifiers, RichText, TextEdit, Ui};
use jounce_graph::document::{Command, GraphRef, Node, Selection};
use jounce_graph::script::editing::{TEMPLATES, Template};
use jounce_session::{CodeOf, ForkError};
use std::path::PathBuf;

pub struct Dialog {
    asks: Asks,
    name: String,
    /// Why the last try failed.
    error: Option<String>,
    is_new: bool,
}

enum Asks {
    NewScript { template: usize },
    SaveAsNode { graph: GraphRef, id: String },
}

impl Dialog {
    fn new(asks: Asks, name: String) -> Dialog {
        Dialog { asks, name, error: None, is_new: true }
    }

    pub fn new_script() -> Dialog {
        Dialog::new(Asks::NewScript { template: 0 }, String::new())
    }

    pub fn save_as_node(graph: GraphRef, id: &str, name: &str) -> Dialog {
        Dialog::new(Asks::SaveAsNode { graph, id: id.to_owned() }, name.to_owned())
    }
}

const WIDTH: f32 = 420.0;

enum Answer {
    Make,
    Cancel,
}

pub fn show(ctx: &Context, state: &mut State) {
    let Some(mut dialog) = state.code.dialog.take() else { return };
    let enter = ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
    let modal = Modal::new(Id::new("script dialog")).frame(theme::dialog()).show(ctx, |ui| {
        ui.set_width(WIDTH);
        ui.spacing_mut().item_spacing.y = 10.0;
        contents(ui, state, &mut dialog)
    });
    dialog.is_new = false;
    let cancelled = modal.should_close().then_some(Answer::Cancel);
    let answer = modal.inner.or(enter.then_some(Answer::Make)).or(cancelled);
    match answer {
        Some(Answer::Cancel) => {}
        Some(Answer::Make) => match make(state, &dialog) {
            Ok(()) => {}
            Err(error) => {
                dialog.error = Some(error.to_string());
                state.code.dialog = Some(dialog);
            }
        },
        None => state.code.dialog = Some(dialog),
    }
}

fn contents(ui: &mut Ui, state: &State, dialog: &mut Dialog) -> Option<Answer> {
    let (title, button) = match dialog.asks {
        Asks::NewScript { .. } => ("New Node Script", "Create"),
        Asks::SaveAsNode { .. } => ("Save as Node", "Save"),
    };
    ui.heading(title);
    let edit = TextEdit::singleline(&mut dialog.name).hint_text("Name");
    let field = ui.add(edit.desired_width(f32::INFINITY));
    field.widget_info(|| {
        egui::WidgetInfo::labeled(egui::WidgetType::TextEdit, true, "Name of the script")
    });
    if dialog.is_new {
        field.request_focus();
    }
    if let Asks::NewScript { template } = &mut dialog.asks {
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            for (place, one) in TEMPLATES.iter().enumerate() {
                ui.radio_value(template, place, one.name);
                ui.indent(one.name, |ui| ui.label(RichText::new(one.about).color(theme::FAINT)));
            }
        });
    }
    if let Some(folder) = state.session.scripts_folder() {
        let text = format!("It becomes a file in {}.", folder.display());
        ui.label(RichText::new(text).small().color(theme::FAINT));
    }
    if let Some(error) = &dialog.error {
        ui.colored_label(theme::ERROR, error);
    }
    let mut answer = None;
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        if ui.button(button).clicked() {
            answer = Some(Answer::Make);
        }
        if ui.button("Cancel").clicked() {
            answer = Some(Answer::Cancel);
        }
    });
    answer
}

fn make(state: &mut State, dialog: &Dialog) -> Result<(), ForkError> {
    match &dialog.asks {
        Asks::NewScript { template } => {
            let Some(template) = TEMPLATES.get(*template) else { return Ok(()) };
            let path = state.session.new_script(&dialog.name, template)?;
            begin_writing(state, dialog.name.trim(), template, path);
        }
        Asks::SaveAsNode { graph, id } => {
            state.session.save_as_node(graph, id, &dialog.name)?;
        }
    }
    Ok(())
}

/// A new node stands on the canvas, and its code, or that of a new library, is in the panel.
fn begin_writing(state: &mut State, name: &str, template: &Template, path: PathBuf) {
    state.code.wants_panel = true;
    state.code.wants_focus = Some((CodeOf::File(path.clone()), None));
    state.code.file = template.is_library.then_some(path);
    let graph = state.graph_ref();
    let contents = state.session.document().style.graph(&graph);
    let Some(contents) = contents.filter(|_| !template.is_library) else { return };
    let id = contents.fresh_id(name);
    let spot = state.canvas.free_spot(&graph);
    let position = [f64::from(spot.x.round()), f64::from(spot.y.round())];
    let node = Node { position, ..Node::new(name) };
    let add = Command::AddNode { graph, id: id.clone(), node };
    if state.session.perform(&format!("Add {name}"), add) {
        state.canvas.reveal(&id);
        state.selection.in_graph = Selection::nodes([id]);
    }
}
