//! Everything that can be done on the canvas.

use super::edit;
use crate::{Action, Menu};
use egui::{Key, Modifiers};

const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = CTRL.plus(Modifiers::SHIFT);
const NONE: Modifiers = Modifiers::NONE;

pub const ACTIONS: &[Action] = &[
    Action::new("Cut", Menu::Edit, "Takes the selection away, to be pasted.", edit::cut)
        .key(CTRL, Key::X)
        .enabled_if(edit::has_selection),
    Action::new("Copy", Menu::Edit, "Copies the selection as text.", edit::copy)
        .key(CTRL, Key::C)
        .enabled_if(edit::has_selection),
    Action::new("Paste", Menu::Edit, "Puts what was copied under the pointer.", edit::ask_to_paste)
        .key(CTRL, Key::V),
    Action::new(
        "Duplicate",
        Menu::Edit,
        "Makes a copy beside the selection.",
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
    Action::new("Select All", Menu::Edit, "Selects all of this graph.", edit::select_all)
        .key(CTRL, Key::A),
    Action::new("Add Node…", Menu::Graph, "A list of nodes to search.", edit::add_node)
        .key(NONE, Key::Tab)
        .enabled_if(|state| !state.viewport.heat.takes_tab),
    Action::new("Rename…", Menu::Graph, "Gives the selection another title.", edit::rename)
        .key(NONE, Key::F2)
        .enabled_if(edit::has_selection),
    Action::new("Mute", Menu::Graph, "Bypasses the node.", edit::mute)
        .key(NONE, Key::M)
        .enabled_if(edit::has_nodes)
        .on_if(|state| edit::all_selected(state, |node| node.muted)),
    Action::new(
        "Solo",
        Menu::Graph,
        "Mutes what else goes into the result; again brings all back that was there.",
        edit::solo_selected,
    )
    .key(NONE, Key::S)
    .enabled_if(edit::has_nodes)
    .on_if(edit::selected_are_solo),
    Action::new("Collapse", Menu::Graph, "Shows only the titles of nodes.", edit::collapse)
        .key(NONE, Key::C)
        .enabled_if(edit::has_nodes)
        .on_if(|state| edit::all_selected(state, |node| node.collapsed)),
    Action::new("Group…", Menu::Graph, "Makes one node of the selected ones.", edit::group)
        .key(CTRL, Key::G)
        .enabled_if(edit::has_nodes),
    Action::new(
        "Ungroup",
        Menu::Graph,
        "Puts a group's nodes in the place of its node.",
        edit::ungroup_selected,
    )
    .key(CTRL_SHIFT, Key::G)
    .enabled_if(|state| edit::selected_group(state).is_some()),
    Action::new("Enter Group", Menu::Graph, "Shows what is in the group.", edit::enter_group)
        .key(CTRL, Key::ArrowDown)
        .enabled_if(|state| edit::selected_group(state).is_some()),
    Action::new("Leave Group", Menu::Graph, "Back to the graph around it.", edit::leave_group)
        .key(CTRL, Key::ArrowUp)
        .enabled_if(|state| !state.selection.path.is_empty()),
    Action::new("Rename Group…", Menu::Graph, "Renames the group everywhere.", edit::rename_group)
        .enabled_if(|state| {
            edit::selected_group(state).is_some() || !state.selection.path.is_empty()
        }),
    Action::new(
        "Frame Selection…",
        Menu::Graph,
        "A coloured frame around nodes.",
        edit::frame_selected,
    )
    .key(CTRL, Key::J)
    .enabled_if(edit::has_nodes),
    Action::new(
        "Arrange Nodes",
        Menu::Graph,
        "Puts the selected nodes, or all, in columns: wires go to the right, nothing overlaps.",
        edit::arrange_nodes,
    )
    .key(CTRL, Key::L),
    Action::new("Add Comment…", Menu::Graph, "A text on the canvas.", edit::add_comment),
    Action::new(
        "Fit Graph",
        Menu::View,
        "Shows all of the graph; F does it while the pointer is over the graph.",
        |state, _| state.canvas.fit(),
    ),
    Action::new(
        "All Inputs",
        Menu::View,
        "Also shows the inputs that take their data from the character unless they are wired.",
        |state, _| state.canvas.unfolded.all ^= true,
    )
    .on_if(|state| state.canvas.unfolded.all),
    Action::new(
        "Node Costs",
        Menu::View,
        "Shows about how much of the work each node is.",
        |state, _| state.canvas.has_costs ^= true,
    )
    .on_if(|state| state.canvas.has_costs),
    Action::new(
        "Port Values",
        Menu::View,
        "Shows what leaves nodes at the selected vertex and bone.",
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
