//! What the canvas tells screen readers and tests: snarl's widgets stand in the space of the graph, and
//! egui would report their places there as places on the screen.

use egui::accesskit::{self, Role, Toggled};
use egui::{Context, Id, Rect, Response, Ui};

fn bounds(rect: Rect) -> accesskit::Rect {
    accesskit::Rect {
        x0: rect.min.x.into(),
        y0: rect.min.y.into(),
        x1: rect.max.x.into(),
        y1: rect.max.y.into(),
    }
}

/// Something that is no widget of egui's own. `rect` is on the screen.
pub fn thing(
    ctx: &Context,
    id: Id,
    role: Role,
    label: &str,
    rect: Rect,
    is_selected: Option<bool>,
) {
    ctx.accesskit_node_builder(id, |node| {
        node.set_role(role);
        node.set_label(label);
        node.set_bounds(bounds(rect));
        if let Some(is_selected) = is_selected {
            node.set_toggled(if is_selected { Toggled::True } else { Toggled::False });
        }
    });
}

/// A widget on a node: its name, and its place on the screen.
pub fn widget(ui: &Ui, response: &Response, label: &str) {
    let transform = ui.ctx().layer_transform_to_global(ui.layer_id());
    let rect = transform.unwrap_or_default() * response.rect;
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_label(label);
        node.set_bounds(bounds(rect));
    });
}
