//! What can be done with a pin: look at what is there, take its wires off.

use super::gestures;
use super::pin::PinPlace;
use crate::panels::viewport::heat;
use crate::{State, theme};
use egui::{Key, Modifiers, Pos2, RichText, Ui};
use jounce_eval::heat::HeatSubject;
use jounce_graph::compile::{ShownPort, input_port};
use jounce_graph::document::{Link, PortRef};

pub struct PinMenu {
    at: Pos2,
    port: PortRef,
    is_output: bool,
    is_new: bool,
}

impl PinMenu {
    pub fn new(at: Pos2, port: PortRef, is_output: bool) -> PinMenu {
        PinMenu { at, port, is_output, is_new: true }
    }

    fn is_of(&self, link: &Link) -> bool {
        if self.is_output { link.from == self.port } else { link.to == self.port }
    }
}

pub fn open(state: &mut State, at: Pos2, pin: &PinPlace) {
    let port = PortRef::new(&pin.node, &pin.port);
    state.canvas.pin_menu = Some(PinMenu::new(at, port, pin.is_output));
}

/// As the heat map calls it; None where it is neither a number nor a vector.
pub fn shown_port(state: &State, port: &PortRef, is_output: bool) -> Option<ShownPort> {
    let name = if is_output { port.port.clone() } else { input_port(&port.port) };
    heat::ports_of_node(state, &port.node).into_iter().find(|shown| shown.port == name)
}

pub fn show(ui: &Ui, state: &mut State) {
    let Some(mut menu) = state.canvas.pin_menu.take() else { return };
    let (ctx, graph) = (ui.ctx(), state.graph_ref());
    let escape = ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
    let links = state.session.document().style.graph(&graph).map(|it| it.links.iter());
    let is_linked = links.is_some_and(|mut links| links.any(|link| menu.is_of(link)));
    let shown = shown_port(state, &menu.port, menu.is_output);
    let (mut looks, mut cuts) = (false, false);
    let area = egui::Area::new(ui.id().with("pin menu"))
        .order(egui::Order::Foreground)
        .fixed_pos(menu.at)
        .constrain_to(ctx.content_rect())
        .show(ctx, |ui| {
            egui::Frame::menu(ui.style()).show(ui, |ui| {
                ui.set_min_width(150.0);
                ui.label(RichText::new(menu.port.to_string()).small().color(theme::FAINT));
                looks = ui.add_enabled(shown.is_some(), item("Show on Mesh")).clicked();
                cuts = ui.add_enabled(is_linked, item("Disconnect")).clicked();
            });
        });
    if looks {
        state.viewport.heat.subject = shown.map(HeatSubject::Port);
    }
    if cuts {
        gestures::clear(state, &graph, |link| menu.is_of(link));
    }
    let is_left = area.response.clicked_elsewhere() && !menu.is_new;
    menu.is_new = false;
    if !(looks || cuts || escape || is_left) {
        state.canvas.pin_menu = Some(menu);
    }
}

fn item(name: &str) -> egui::Button<'_> {
    egui::Button::new(name).frame(false).min_size(egui::vec2(150.0, 0.0))
}
