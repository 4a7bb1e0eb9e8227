//! Values and wires of inputs that a node does not have now. They are kept, because the input may come back: a
//! script may be half written, or on its way.

use super::row::name_label;
use crate::{State, theme};
use egui::Ui;
use jounce_graph::document::{Command, GraphRef, Node, Ports};
use std::collections::BTreeSet;

pub fn show(
    ui: &mut Ui,
    state: &mut State,
    graph_ref: &GraphRef,
    id: &str,
    node: &Node,
    ports: &Ports,
) {
    let Some(graph) = state.session.document().style.graph(graph_ref) else { return };
    let wires: Vec<_> = graph.links_into(id).cloned().collect();
    let names = node.settings.keys().chain(wires.iter().map(|link| &link.to.port));
    let lost = names.filter(|name| ports.input(name).is_none());
    let lost: BTreeSet<String> = lost.cloned().collect();
    for name in lost {
        ui.horizontal(|ui| {
            name_label(ui, &name);
            ui.colored_label(theme::WARNING, "no such input now; kept");
            let label = format!("Remove {name}");
            let button = ui.small_button("Remove").on_hover_text("Forgets its value and its wires");
            button
                .widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &label));
            if button.clicked() {
                let graph = graph_ref.clone();
                let mut commands: Vec<Command> = wires
                    .iter()
                    .filter(|link| link.to.port == name)
                    .map(|link| Command::Disconnect { graph: graph.clone(), link: link.clone() })
                    .collect();
                if node.settings.contains_key(&name) {
                    let (node, port) = (id.to_owned(), name.clone());
                    commands.push(Command::SetSetting { graph, node, port, value: None });
                }
                state.session.perform(&label, Command::batch(commands));
            }
        });
    }
}
