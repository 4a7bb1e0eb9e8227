//! What is set: the style's own sliders, the selected nodes, the selected bones.
//!
//! | file | what it shows |
//! |---|---|
//! | `row` | one number, word or choice, with its range, unit and reset |
//! | `keying` | the button beside a number that may change over the clip |
//! | `nodes` | the inputs of the selected nodes; of several at once what they share |
//! | `left_over` | values and wires of inputs that are not there now |
//! | `typing` | a text until its field is left |
//! | `bones` | what Bone Value nodes say of the selected bones, as a table |
//! | `painting` | the brush and its map, while the tool paints |
//! | `flesh` | the soft parts of the character |

mod bones;
mod flesh;
mod keying;
mod left_over;
mod nodes;
pub(super) mod painting;
mod row;
mod typing;

use crate::State;
use jounce_graph::document::{Command, GraphRef, Node, exposed_name};
use jounce_graph::script::Setting;
use keying::Keying;
pub(super) use keying::keyed_now;
use row::Row;
pub(super) use row::track;
pub use typing::finish as finish_typing;

pub fn show(ui: &mut egui::Ui, state: &mut State) {
    if crate::panels::viewport::paint::is_on(state) {
        painting::show(ui, state);
    }
    let has_nodes = !state.selection.in_graph.nodes.is_empty();
    let has_bones = !state.selection.bones.is_empty();
    if has_nodes {
        nodes::show(ui, state);
    }
    finish_typing(ui.ctx(), &mut state.session);
    if has_bones {
        if has_nodes {
            ui.separator();
        }
        bones::show(ui, state);
    }
    if !has_nodes {
        if has_bones {
            ui.separator();
        }
        sliders(ui, state);
        flesh::show(ui, state);
    }
}

/// The Parameter nodes of the style: what its author wants people to turn.
fn sliders(ui: &mut egui::Ui, state: &mut State) {
    let style = &state.session.document().style;
    let exposed = |node: &Node| node.node_type == jounce_graph::document::PARAMETER_TYPE;
    let of_graph =
        |(graph, nodes): (GraphRef, &jounce_graph::document::Graph)| -> Vec<(GraphRef, String)> {
            let found = nodes.nodes.iter().filter(|(_, node)| exposed(node));
            found.map(|(id, _)| (graph.clone(), id.clone())).collect()
        };
    let found: Vec<(GraphRef, String)> = style.graphs().flat_map(of_graph).collect();
    ui.strong("Style");
    if found.is_empty() {
        ui.weak(
            "This style has no sliders; add Parameter nodes to make some. Select a node to set its inputs.",
        );
    }
    for (graph, id) in found {
        let style = &state.session.document().style;
        let Some(node) = style.graph(&graph).and_then(|graph| graph.nodes.get(&id)) else {
            continue;
        };
        let number = |port: &str, otherwise: f64| match node.settings.get(port) {
            Some(Setting::Float(x)) => *x,
            _ => otherwise,
        };
        let name = exposed_name(node).unwrap_or_default().to_owned();
        let row = Row {
            name: &name,
            soft: Some((number("min", 0.0), number("max", 1.0))),
            hard: None,
            unit: "",
            help: "",
            is_default: !node.settings.contains_key("value"),
            is_mixed: false,
            keying: exposed_name(node).and_then(|name| Keying::of(state, name)),
        };
        let value = number("value", 1.0);
        let set = |value: Option<f64>| Command::SetSetting {
            graph: graph.clone(),
            node: id.clone(),
            port: "value".to_owned(),
            value: value.map(Setting::Float),
        };
        let is_keyed = row.keying.as_ref().is_some_and(Keying::is_keyed);
        if row.float(ui, &mut state.session, value, set) && is_keyed {
            // A key is at one time.
            state.playhead.is_playing = false;
        }
    }
}
