//! The graph.

use crate::editor::{Action, State};

pub const ACTIONS: &[Action] = &[];

/// How the canvas is looked at.
#[derive(Default)]
pub struct CanvasView {}

pub fn show(ui: &mut egui::Ui, state: &mut State) {
    let graph = state.graph_ref();
    ui.weak(graph.to_string());
}
