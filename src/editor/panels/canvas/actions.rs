//! Everything that can be done on the canvas.

use super::edit;
use crate::{Action, Menu};
use egui::{Key, Modifiers};

const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = CTRL.plus(Modifiers::SHIFT);
const NONE: Modifiers = Modifiers::NONE;

pub const ACTIONS: &[Action] = &[
    Action::new("Cut", Menu::Edit, "Moves the selection to the clipboard.", edit::cut)
        .key(CTRL, Key::X)
        .enabled_if(edit::has_selection),
    Action::new("Copy", Menu::Edit, "Copies the selection to the clipboard, as text.", edit::copy)
        .key(CTRL, Key::C)
        .enabled_if(edit::has_selection),
    Action::new("Paste", Menu::Edit, "Pastes from the clipboard at the pointer.", edit::ask_to_paste)
        .key(CTRL, Key::V),
    Action::new(
        "Duplicate",
        Menu::Edit,
        "Adds a copy beside the selection.",
        edit::duplicate_selected,
    )
    .key(CTRL, Key::D)
    .enabled_if(edit::has_selection),
    Action::new(
        "Delete",
        Menu::Edit,
        "Removes the selection and reconnects its neighbours.",
        edit::delete_selected,
    )
    .key(NONE, Key::Delete)
    .enabled_if(edit::has_selection),
    Action::new(
        "Delete and Disconnect",
        Menu::Edit,
        "Removes the selection and its wires.",
        edit::delete_plainly,
    )
    .key(CTRL, Key::Delete)
    .enabled_if(edit::has_selection),
    Action::new("Select All", Menu::Edit, "Selects everything in this graph.", edit::select_all)
        .key(CTRL, Key::A),
    Action::new("Add Node…", Menu::Graph, "Opens a list of nodes to search and add.", edit::add_node)
        .key(NONE, Key::Tab)
        .enabled_if(|state| !state.viewport.heat.takes_tab),
    Action::new("Rename…", Menu::Graph, "Changes the title of the selection.", edit::rename)
        .key(NONE, Key::F2)
        .enabled_if(edit::has_selection),
    Action::new("Mute", Menu::Graph, "Bypasses the selected nodes.", edit::mute)
        .key(NONE, Key::M)
        .enabled_if(edit::has_nodes)
        .on_if(|state| edit::all_selected(state, |node| node.muted)),
    Action::new(
        "Solo",
        Menu::Graph,
        "Mutes everything else that adds to the result; choose it again to undo that.",
        edit::solo_selected,
    )
    .key(NONE, Key::S)
    .enabled_if(edit::has_nodes)
    .on_if(edit::selected_are_solo),
    Action::new("Collapse", Menu::Graph, "Shows only the titles of the selected nodes.", edit::collapse)
        .key(NONE, Key::C)
        .enabled_if(edit::has_nodes)
        .on_if(|state| edit::all_selected(state, |node| node.collapsed)),
    Action::new("Group…", Menu::Graph, "Combines the selected nodes into one.", edit::group)
        .key(CTRL, Key::G)
        .enabled_if(edit::has_nodes),
    Action::new(
        "Ungroup",
        Menu::Graph,
        "Replaces a group with the nodes inside it.",
        edit::ungroup_selected,
    )
    .key(CTRL_SHIFT, Key::G)
    .enabled_if(|state| edit::selected_group(state).is_some()),
    Action::new("Enter Group", Menu::Graph, "Shows the nodes inside the group.", edit::enter_group)
        .key(CTRL, Key::ArrowDown)
        .enabled_if(|state| edit::selected_group(state).is_some()),
    Action::new("Leave Group", Menu::Graph, "Goes back to the graph that uses this group.", edit::leave_group)
        .key(CTRL, Key::ArrowUp)
        .enabled_if(|state| !state.selection.path.is_empty()),
    Action::new("Rename Group…", Menu::Graph, "Renames the group everywhere.", edit::rename_group)
        .enabled_if(|state| {
            edit::selected_group(state).is_some() || !state.selection.path.is_empty()
        }),
    Action::new(
        "Frame Selection…",
        Menu::Graph,
        "Puts a coloured frame around the selected nodes.",
        edit::frame_selected,
    )
    .key(CTRL, Key::J)
    .enabled_if(edit::has_nodes),
    Action::new(
        "Arrange Nodes",
        Menu::Graph,
        "Arranges the selected nodes, or all of them, in columns: wires run to the right and nothing overlaps.",
        edit::arrange_nodes,
    )
    .key(CTRL, Key::L),
    Action::new("Add Comment…", Menu::Graph, "Adds a text to the canvas.", edit::add_comment),
    Action::new(
        "Fit Graph",
        Menu::View,
        "Shows the whole graph. With the pointer over the graph: F.",
        |state, _| state.canvas.fit(),
    ),
    Action::new(
        "All Inputs",
        Menu::View,
        "Also shows the inputs that get their data from the character unless they are wired.",
        |state, _| state.canvas.unfolded.all ^= true,
    )
    .on_if(|state| state.canvas.unfolded.all),
    Action::new(
        "Node Costs",
        Menu::View,
        "Shows the estimated share of the work that each node does.",
        |state, _| state.canvas.has_costs ^= true,
    )
    .on_if(|state| state.canvas.has_costs),
    Action::new(
        "Port Values",
        Menu::View,
        "Shows the values of ports at the selected vertex and bone.",
        |state, _| state.canvas.has_values ^= true,
    )
    .on_if(|state| state.canvas.has_values),
    Action::new(
        "Pin Legend",
        Menu::View,
        "Shows what the colours and shapes of pins mean.",
        |state, _| state.canvas.has_legend ^= true,
    )
    .on_if(|state| state.canvas.has_legend),
];

/// What a right click on a node offers, by name; an empty one is a line between.
pub const NODE_MENU: &[&str] = &[
    "Rename…",
    "Mute",
    "Solo",
    "Collapse",
    "Show on Mesh",
    "",
    "Show Code",
    "Turn into Expression",
    "Save as Node…",
    "",
    "Cut",
    "Copy",
    "Duplicate",
    "",
    "Group…",
    "Ungroup",
    "Enter Group",
    "Rename Group…",
    "Frame Selection…",
    "",
    "Delete",
    "Delete and Disconnect",
];
