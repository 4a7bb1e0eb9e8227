//! What can be done in the viewport.

use super::paint::Adjusted;
use super::steer::{CameraTarget, look_from};
use super::{Tool, heat, paint, tools};
use crate::{Action, Menu, State};
use egui::{Key, Modifiers};
use jounce_session::{NamedView, SlotName};

/// Names of the actions that look from a side of the character.
pub const SIDES: &[&str] = &["Front View", "Back View", "Left View", "Right View", "Top View"];

pub const ACTIONS: &[Action] = &[
    Action::new(
        "Frame",
        Menu::View,
        "Moves the camera to the selected bones, or to the whole character.",
        |state, _| {
            state.viewport.wants_frame = Some(CameraTarget::Selected);
        },
    )
    .key(Modifiers::NONE, Key::F)
    // Over the graph the same key fits the graph; while painting it takes hold of the radius.
    .enabled_if(|state| !state.canvas.is_hovered && !paint::is_on(state)),
    Action::new("Frame All", Menu::View, "Moves the camera to the whole character.", |state, _| {
        state.viewport.wants_frame = Some(CameraTarget::All);
    })
    .key(Modifiers::SHIFT, Key::F)
    .enabled_if(|state| !paint::is_on(state)),
    Action::new("Front View", Menu::View, "Looks at the character from the front.", |state, _| {
        look_from(state, NamedView::Front);
    })
    .key(Modifiers::NONE, Key::Num1),
    Action::new("Back View", Menu::View, "Looks at the character from behind.", |state, _| {
        look_from(state, NamedView::Back);
    })
    .key(Modifiers::COMMAND, Key::Num1),
    Action::new("Left View", Menu::View, "Looks at the character from its left.", |state, _| {
        look_from(state, NamedView::Left);
    })
    .key(Modifiers::NONE, Key::Num3),
    Action::new("Right View", Menu::View, "Looks at the character from its right.", |state, _| {
        look_from(state, NamedView::Right);
    })
    .key(Modifiers::COMMAND, Key::Num3),
    Action::new("Top View", Menu::View, "Looks at the character from above.", |state, _| {
        look_from(state, NamedView::Top);
    })
    .key(Modifiers::NONE, Key::Num7),
    Action::new("Wireframe", Menu::View, "Shows the edges of the triangles.", |state, _| {
        state.viewport.has_wireframe ^= true;
    })
    .key(Modifiers::NONE, Key::W)
    .on_if(|state| state.viewport.has_wireframe),
    Action::new(
        "Clay",
        Menu::View,
        "Shows the character as if made of clay: in its colours, without textures and all else that its materials say.",
        |state, _| state.viewport.materials.toggle_clay(),
    )
    .enabled_if(|state| jounce_session::has_materials(state.show.character()))
    .on_if(|state| state.viewport.materials.is_clay),
    Action::new("Skeleton", Menu::View, "Shows the bones.", |state, _| {
        state.viewport.has_skeleton ^= true;
    })
    .key(Modifiers::NONE, Key::B)
    .on_if(|state| state.viewport.has_skeleton),
    Action::new("Bone Axes", Menu::View, "Shows the x, y and z axes of each bone.", |state, _| {
        state.viewport.has_axes ^= true;
    })
    .on_if(|state| state.viewport.has_axes),
    Action::new(
        "Centroids",
        Menu::View,
        "Shows the centre of what each bone moves.",
        |state, _| {
            state.viewport.has_centroids ^= true;
        },
    )
    .on_if(|state| state.viewport.has_centroids),
    Action::new(
        "Path",
        Menu::View,
        "Shows where the selected vertex goes, with one tick per frame: styled, and as plain skinning. Of a selected bone, its outermost vertex.",
        |state, _| state.viewport.path.is_on ^= true,
    )
    .on_if(|state| state.viewport.path.is_on),
    Action::new(
        "Ghost",
        Menu::View,
        "Shows plain skinning as a ghost behind the character.",
        |state, _| {
            state.viewport.compare.has_ghost ^= true;
        },
    )
    .on_if(|state| state.viewport.compare.has_ghost),
    Action::new(
        "Split",
        Menu::View,
        "Shows plain skinning to the left of a line that you can drag.",
        |state, _| state.viewport.compare.toggle_split(),
    )
    .on_if(|state| state.viewport.compare.split.is_some()),
    Action::new(
        "Plain Skinning",
        Menu::View,
        "Shows the character without the style. Hold H for a quick look.",
        |state, _| state.viewport.compare.shows_plain ^= true,
    )
    .held(super::compare::FLIP_KEY)
    .on_if(|state| state.viewport.compare.shows_plain),
    Action::new(
        "Store in A",
        Menu::Edit,
        "Keeps the current style and settings as A.",
        |state, _| {
            state.viewport.compare.slots.store(&mut state.session, SlotName::A);
        },
    ),
    Action::new(
        "Store in B",
        Menu::Edit,
        "Keeps the current style and settings as B.",
        |state, _| {
            state.viewport.compare.slots.store(&mut state.session, SlotName::B);
        },
    ),
    Action::new(
        "Switch A / B",
        Menu::Edit,
        "Keeps the current style and settings in their slot and shows the other one.",
        |state, _| super::compare::switch_slot(state, None),
    )
    .key(Modifiers::NONE, Key::Backtick),
    tool_action(Tool::Look, |state, _| tools::choose(state, Tool::Look))
        .on_if(|state| state.viewport.tool == Tool::Look),
    tool_action(Tool::Pull, |state, _| tools::choose(state, Tool::Pull))
        .key(Modifiers::NONE, Key::D)
        .on_if(|state| state.viewport.tool == Tool::Pull),
    tool_action(Tool::Velocity, |state, _| tools::choose(state, Tool::Velocity))
        .key(Modifiers::NONE, Key::V)
        .on_if(|state| state.viewport.tool == Tool::Velocity),
    tool_action(Tool::Centroid, |state, _| tools::choose(state, Tool::Centroid))
        .on_if(|state| state.viewport.tool == Tool::Centroid),
    tool_action(Tool::Paint, |state, _| tools::choose(state, Tool::Paint))
        .key(Modifiers::NONE, Key::P)
        .on_if(|state| state.viewport.tool == Tool::Paint),
    Action::new(
        "Brush Radius",
        Menu::Edit,
        "Moving the pointer changes the radius of the brush, until you click.",
        |state, _| paint::adjust(state, Adjusted::Radius),
    )
    .key(Modifiers::NONE, Key::R)
    .enabled_if(paint::is_on),
    Action::new(
        "Brush Strength",
        Menu::Edit,
        "Moving the pointer changes the strength of the brush, until you click.",
        |state, _| paint::adjust(state, Adjusted::Strength),
    )
    .key(Modifiers::SHIFT, Key::R)
    .enabled_if(paint::is_on),
    Action::new("Larger Brush", Menu::Edit, "Makes the brush a fifth larger.", |state, _| {
        paint::resize(state, 1.2);
    })
    .key(Modifiers::NONE, Key::CloseBracket)
    .repeating()
    .enabled_if(paint::is_on),
    Action::new("Smaller Brush", Menu::Edit, "Makes the brush a fifth smaller.", |state, _| {
        paint::resize(state, 1.0 / 1.2);
    })
    .key(Modifiers::NONE, Key::OpenBracket)
    .repeating()
    .enabled_if(paint::is_on),
    Action::new("Stronger Brush", Menu::Edit, "Makes the brush stronger.", |state, _| {
        paint::strengthen(state, 0.05);
    })
    .key(Modifiers::NONE, Key::Period)
    .repeating()
    .enabled_if(paint::is_on),
    Action::new("Weaker Brush", Menu::Edit, "Makes the brush weaker.", |state, _| {
        paint::strengthen(state, -0.05);
    })
    .key(Modifiers::NONE, Key::Comma)
    .repeating()
    .enabled_if(paint::is_on),
    Action::new("Clear Velocities", Menu::View, "Removes all velocity arrows.", |state, _| {
        state.viewport.velocities.clear();
    })
    .enabled_if(|state| !state.viewport.velocities.is_empty()),
    Action::new(
        "Reset Centroids",
        Menu::Edit,
        "Moves the centroids of the selected bones back to where the mesh puts them.",
        |state, _| tools::reset_centroids(state),
    )
    .enabled_if(tools::has_offsets),
    Action::new(
        "Show on Mesh",
        Menu::Graph,
        "Colours the character by the first output of the selected node.",
        |state, _| heat::show_selected(state),
    )
    .enabled_if(|state| heat::first_port(state).is_some()),
    Action::new("Hide Heat Map", Menu::View, "Shows the character's own colours.", |state, _| {
        state.viewport.heat.hide();
    })
    .enabled_if(|state| state.viewport.heat.is_on()),
    Action::new(
        "Sum over Bones",
        Menu::View,
        "Shows the sum over all bones instead of the selected bone's contribution.",
        |state, _| state.viewport.heat.sums_bones ^= true,
    )
    .on_if(|state| state.viewport.heat.sums_bones),
    Action::new(
        "Next Bone on Mesh",
        Menu::View,
        "Shows the next bone's contribution. With the pointer over the viewport: Tab.",
        |state, _| heat::next_bone(state),
    )
    .enabled_if(heat::has_bones),
    Action::new(
        "Crowd",
        Menu::View,
        "Shows many copies of the character, each at a different time.",
        |state, _| {
            state.viewport.crowd.is_on ^= true;
        },
    )
    .on_if(|state| state.viewport.crowd.is_on),
];

const fn tool_action(tool: Tool, run: fn(&mut State, &egui::Context)) -> Action {
    Action::new(tool.name(), Menu::View, tool.help(), run)
}
