//! Asks for a name or a text: of a node, a group, a frame, a comment.

use crate::{State, theme};
use egui::{Align2, Color32, Key, Modifiers};
use jounce_graph::document::{Command, Comment, Graph, NodeFrame, make_group, rename_group};
use jounce_session::Severity;

pub struct Prompt {
    asks: Asks,
    text: String,
    color: [u8; 3],
    is_new: bool,
}

enum Asks {
    NodeTitle(String),
    GroupName(String),
    NewGroup,
    /// As it is, or as it would be.
    Frame(String, NodeFrame),
    Comment(String, Comment),
}

impl Prompt {
    fn new(asks: Asks, text: &str, color: [u8; 3]) -> Prompt {
        Prompt { asks, text: text.to_owned(), color, is_new: true }
    }

    pub fn node(id: &str, title: &str) -> Prompt {
        Prompt::new(Asks::NodeTitle(id.to_owned()), title, [0; 3])
    }

    pub fn group(name: &str) -> Prompt {
        Prompt::new(Asks::GroupName(name.to_owned()), name, [0; 3])
    }

    pub fn new_group(name: &str) -> Prompt {
        Prompt::new(Asks::NewGroup, name, [0; 3])
    }

    pub fn frame(id: &str, frame: &NodeFrame) -> Prompt {
        Prompt::new(Asks::Frame(id.to_owned(), frame.clone()), &frame.title, frame.color)
    }

    pub fn comment(id: &str, comment: &Comment) -> Prompt {
        Prompt::new(Asks::Comment(id.to_owned(), comment.clone()), &comment.text, [0; 3])
    }

    fn question(&self) -> &'static str {
        match self.asks {
            Asks::NodeTitle(_) => "Title of the node",
            Asks::GroupName(_) | Asks::NewGroup => "Name of the group",
            Asks::Frame(..) => "Title of the frame",
            Asks::Comment(..) => "Text of the comment",
        }
    }
}

pub fn show(ui: &egui::Ui, state: &mut State) {
    let Some(mut prompt) = state.canvas.prompt.take() else { return };
    let ctx = ui.ctx();
    let is_long = matches!(prompt.asks, Asks::Comment(..));
    let (enter, escape) = ctx.input_mut(|input| {
        // In a comment, Enter begins a line.
        let modifiers = if is_long { Modifiers::COMMAND } else { Modifiers::NONE };
        (input.consume_key(modifiers, Key::Enter), input.consume_key(Modifiers::NONE, Key::Escape))
    });
    let mut is_done = enter;
    let center = state.canvas.rect.center();
    let question = prompt.question();
    let window = egui::Window::new(question)
        .collapsible(false)
        .resizable(false)
        .pivot(Align2::CENTER_CENTER)
        .default_pos(center)
        .show(ctx, |ui| {
            let edit = match is_long {
                true => egui::TextEdit::multiline(&mut prompt.text).desired_rows(5),
                false => egui::TextEdit::singleline(&mut prompt.text),
            };
            let field = ui.add(edit.desired_width(280.0));
            field.widget_info(|| {
                egui::WidgetInfo::labeled(egui::WidgetType::TextEdit, true, question)
            });
            if prompt.is_new {
                field.request_focus();
            }
            if matches!(prompt.asks, Asks::Frame(..)) {
                swatches(ui, &mut prompt.color);
            }
            is_done |= ui.button("OK").clicked();
        });
    let is_left = window.is_some_and(|it| it.response.clicked_elsewhere()) && !prompt.is_new;
    prompt.is_new = false;
    if escape {
        return;
    }
    match is_done || is_left {
        true => answer(state, prompt),
        false => state.canvas.prompt = Some(prompt),
    }
}

fn swatches(ui: &mut egui::Ui, color: &mut [u8; 3]) {
    ui.horizontal(|ui| {
        for (place, [r, g, b]) in theme::FRAME_COLORS.into_iter().enumerate() {
            let (rect, response) =
                ui.allocate_exact_size(egui::vec2(26.0, 18.0), egui::Sense::click());
            let is_chosen = *color == [r, g, b];
            let label = format!("colour {}", place + 1);
            response.widget_info(|| {
                egui::WidgetInfo::selected(egui::WidgetType::RadioButton, true, is_chosen, &label)
            });
            ui.painter().rect_filled(rect, 4.0, Color32::from_rgb(r, g, b));
            if is_chosen {
                let stroke = egui::Stroke::new(2.0, theme::ACCENT);
                ui.painter().rect_stroke(rect, 4.0, stroke, egui::StrokeKind::Outside);
            }
            if response.clicked() {
                *color = [r, g, b];
            }
        }
    });
}

fn answer(state: &mut State, prompt: Prompt) {
    let graph = state.graph_ref();
    let document = state.session.document();
    let empty = Graph::default();
    let contents = document.style.graph(&graph).unwrap_or(&empty);
    let Prompt { asks, text, color, .. } = prompt;
    let trimmed = text.trim().to_owned();
    match asks {
        Asks::NodeTitle(id) => {
            let Some(node) = contents.nodes.get(&id) else { return };
            let is_plain = trimmed.is_empty() || trimmed == node.node_type;
            let title = (!is_plain).then_some(trimmed);
            state.session.perform("Rename", Command::SetTitle { graph, node: id, title });
        }
        Asks::GroupName(name) => {
            if name == trimmed {
                return;
            }
            match rename_group(&document.style, &name, &trimmed) {
                Ok(command) => {
                    state.session.perform("Rename group", command);
                }
                Err(error) => state.session.say(Severity::Error, error.to_string()),
            }
        }
        Asks::NewGroup => match make_group(document, &graph, &state.selection.in_graph, &trimmed) {
            Ok(edit) => super::edit::perform(state, "Group", edit),
            Err(error) => state.session.say(Severity::Error, error.to_string()),
        },
        Asks::Frame(id, frame) => {
            let frame = Some(NodeFrame { title: trimmed, color, ..frame });
            let label = if contents.frames.contains_key(&id) { "Edit frame" } else { "Frame" };
            state.session.perform(label, Command::SetFrame { graph, id, frame });
        }
        Asks::Comment(id, comment) => {
            let is_there = contents.comments.contains_key(&id);
            let label = if is_there { "Edit comment" } else { "Add comment" };
            let comment = Some(Comment { text, ..comment });
            state.session.perform(label, Command::SetComment { graph, id, comment });
        }
    }
}
