//! How nodes look, and which gestures snarl reports: the one place that knows egui-snarl's trait.

use super::mirror::{InputView, NodeView};
use super::order::WiresPlace;
use super::pin::{Pin, PinLook, PinPlace, PinPlaces};
use super::{announce, fold, value};
use crate::panels::inspector::keyed_now;
use crate::{State, all_actions, menu, theme};
use egui::emath::TSTransform;
use egui::{
    Color32, CornerRadius, Frame, Label, Margin, Painter, Pos2, Rect, RichText, Stroke, Ui,
};
use egui_snarl::ui::{
    AnyPins, BackgroundPattern, NodeLayout, PinPlacement, SnarlStyle, SnarlViewer, WireLayer,
    WireStyle,
};
use egui_snarl::{InPin, InPinId, NodeId, OutPin, OutPinId, Snarl};
use jounce_graph::document::GraphRef;
use std::collections::BTreeMap;

/// What the user did, in snarl's terms.
#[derive(Clone, Copy, Debug)]
pub enum Gesture {
    Connect(OutPinId, InPinId),
    Disconnect(OutPinId, InPinId),
    /// All wires of a pin.
    /// A right click: snarl would take all wires off.
    InputMenu(InPinId),
    OutputMenu(OutPinId),
    /// A wire was let go over the empty canvas.
    DropOutput(OutPinId),
    DropInput(InPinId),
}

pub struct Viewer<'a> {
    pub state: &'a mut State,
    pub nodes: &'a BTreeMap<String, NodeView>,
    pub graph: &'a GraphRef,
    pub gestures: Vec<Gesture>,
    pub pins: PinPlaces,
    /// In the space of the graph.
    pub node_rects: BTreeMap<String, Rect>,
    /// From the lowest to the uppermost.
    pub drawn: Vec<NodeId>,
    pub wires: Option<WiresPlace>,
    pub screen_from_graph: TSTransform,
    /// See [`super::CanvasView`].
    pub detail: f32,
}

/// The width of messages about problems.
const PROBLEM_WIDTH: f32 = 230.0;

/// Everything that egui draws on nodes, larger or smaller.
pub fn scale(style: &mut egui::Style, by: f32) {
    style.text_styles.values_mut().for_each(|font| font.size *= by);
    let spacing = &mut style.spacing;
    spacing.item_spacing *= by;
    spacing.button_padding *= by;
    spacing.interact_size *= by;
    spacing.icon_width *= by;
    spacing.icon_width_inner *= by;
    spacing.icon_spacing *= by;
}

pub fn style(detail: f32) -> SnarlStyle {
    SnarlStyle {
        node_layout: Some(NodeLayout::coil().with_min_pin_row_height(18.0 * detail)),
        pin_size: Some(11.0 * detail),
        pin_placement: Some(PinPlacement::Edge),
        wire_width: Some(2.0 * detail),
        wire_style: Some(WireStyle::Bezier3),
        wire_frame_size: Some(super::wires::REACH * detail),
        downscale_wire_frame: Some(true),
        wire_layer: Some(WireLayer::BehindNodes),
        header_drag_space: Some(egui::Vec2::ZERO),
        bg_frame: Some(Frame::new().fill(theme::GROUND)),
        centering: Some(false),
        ..SnarlStyle::new()
    }
}

impl Viewer<'_> {
    fn view(&self, snarl: &Snarl<String>, node: NodeId) -> Option<(&str, &NodeView)> {
        let id = snarl.get_node(node)?;
        self.nodes.get_key_value(id).map(|(id, view)| (id.as_str(), view))
    }

    fn is_selected(&self, id: &str) -> bool {
        self.state.selection.in_graph.nodes.contains(id)
    }

    fn place(&self, ui: &Ui, node: &str, port: &str, is_output: bool) -> PinPlace {
        let (node, port) = (node.to_owned(), port.to_owned());
        // Snarl takes the next id for the pin, once what is beside it has been drawn.
        PinPlace { node, port, is_output, id: ui.next_auto_id(), rect: Rect::NOTHING }
    }

    /// The colour of a wire is that of what flows in it.
    fn wire_color(&self, input: &InputView) -> Color32 {
        let source = input.sources.first();
        let from = source.and_then(|from| {
            let outputs = &self.nodes.get(&from.node)?.outputs;
            outputs.iter().find(|output| output.name == from.port)
        });
        theme::port(from.map_or(input.ty, |output| output.ty))
    }

    fn pin(&self, look: Option<PinLook>, wire_color: Color32, place: PinPlace) -> Pin {
        Pin { look, wire_color, place, places: self.pins.clone(), detail: self.detail }
    }

    fn margin(&self, x: f32, y: f32) -> Margin {
        Margin::symmetric((x * self.detail).round() as i8, (y * self.detail).round() as i8)
    }

    fn corner(&self) -> CornerRadius {
        CornerRadius::same((6.0 * self.detail).round() as u8)
    }

    fn nowhere(&self, ui: &Ui) -> Pin {
        let place = self.place(ui, "", "", false);
        self.pin(None, Color32::TRANSPARENT, place)
    }
}

fn text(ui: &mut Ui, text: impl Into<RichText>) -> egui::Response {
    ui.add(Label::new(text.into()).selectable(false))
}

impl SnarlViewer<String> for Viewer<'_> {
    fn title(&mut self, node: &String) -> String {
        self.nodes.get(node).map(|view| view.node.shown_title().to_owned()).unwrap_or_default()
    }

    fn inputs(&mut self, node: &String) -> usize {
        self.nodes.get(node).map_or(0, |view| view.inputs.len())
    }

    fn outputs(&mut self, node: &String) -> usize {
        self.nodes.get(node).map_or(0, |view| view.outputs.len())
    }

    fn node_frame(
        &mut self,
        _: Frame,
        node: NodeId,
        _: &[InPin],
        _: &[OutPin],
        snarl: &Snarl<String>,
    ) -> Frame {
        let frame = Frame::new().inner_margin(self.margin(8.0, 6.0)).corner_radius(self.corner());
        let Some((id, view)) = self.view(snarl, node) else { return frame };
        let fill = if view.node.muted { theme::PANEL.gamma_multiply(0.6) } else { theme::PANEL };
        let stroke = match (self.is_selected(id), view.problems.is_empty()) {
            (true, true) => Stroke::new(1.8 * self.detail, theme::ACCENT),
            (true, false) => Stroke::new(2.4 * self.detail, theme::ERROR),
            (false, false) => Stroke::new(1.4 * self.detail, theme::ERROR),
            (false, true) => Stroke::new(1.0 * self.detail, theme::LINE),
        };
        frame.fill(fill).stroke(stroke)
    }

    fn header_frame(
        &mut self,
        _: Frame,
        node: NodeId,
        _: &[InPin],
        _: &[OutPin],
        snarl: &Snarl<String>,
    ) -> Frame {
        let frame = Frame::new().inner_margin(self.margin(8.0, 4.0));
        let Some((_, view)) = self.view(snarl, node) else { return frame };
        let color = theme::category(&view.category);
        let color = if view.node.muted { color.gamma_multiply(0.5) } else { color };
        let radius = match view.node.collapsed {
            true => self.corner(),
            false => CornerRadius { sw: 0, se: 0, ..self.corner() },
        };
        frame.fill(color).corner_radius(radius)
    }

    fn has_node_style(
        &mut self,
        node: NodeId,
        _: &[InPin],
        _: &[OutPin],
        snarl: &Snarl<String>,
    ) -> bool {
        self.view(snarl, node).is_some_and(|(_, view)| view.node.muted)
    }

    fn apply_node_style(
        &mut self,
        style: &mut egui::Style,
        _: NodeId,
        _: &[InPin],
        _: &[OutPin],
        _: &Snarl<String>,
    ) {
        style.visuals.override_text_color = Some(theme::FAINT);
    }

    fn show_header(
        &mut self,
        node: NodeId,
        _: &[InPin],
        _: &[OutPin],
        ui: &mut Ui,
        snarl: &mut Snarl<String>,
    ) {
        let Some((_, view)) = self.view(snarl, node) else { return };
        let mut title = RichText::new(view.node.shown_title()).strong();
        if view.node.muted {
            title = title.strikethrough();
        }
        let name = text(ui, title);
        let kind =
            view.node.group().map_or(view.node.node_type.clone(), |it| format!("Group {it}"));
        name.on_hover_ui(|ui| {
            ui.strong(kind);
            if !view.summary.is_empty() {
                ui.label(&view.summary);
            }
        });
        if !view.warnings.is_empty() {
            let mark = text(ui, RichText::new("⚠").color(theme::WARNING));
            mark.on_hover_text(view.warnings.join("\n"));
        }
        if view.node.muted {
            text(ui, RichText::new("muted").small().color(theme::FAINT));
        }
        if let Some(cost) = view.cost.filter(|_| self.state.canvas.has_costs) {
            let words = match cost * 100.0 {
                percent if percent < 1.0 => "<1 %".to_owned(),
                percent => format!("about {percent:.0} %"),
            };
            let badge = text(ui, RichText::new(words).small().color(theme::FAINT));
            badge.on_hover_text(
                "Estimated share of the work of a frame, from what the node computes and how often.",
            );
        }
    }

    #[expect(refining_impl_trait, reason = "there is only one kind of pin")]
    fn show_input(&mut self, pin: &InPin, ui: &mut Ui, snarl: &mut Snarl<String>) -> Pin {
        let nodes = self.nodes;
        let id = snarl.get_node(pin.id.node).and_then(|id| nodes.get_key_value(id));
        let Some((id, view)) = id else { return self.nowhere(ui) };
        let Some(input) = view.inputs.get(pin.id.input) else { return self.nowhere(ui) };
        ui.spacing_mut().interact_size.y = 16.0 * self.detail;
        ui.spacing_mut().button_padding = egui::vec2(4.0 * self.detail, 0.0);
        ui.spacing_mut().item_spacing.x = 6.0 * self.detail;
        ui.add_space(4.0 * self.detail);
        let color = if input.problem.is_some() { theme::ERROR } else { theme::TEXT };
        let mut name = RichText::new(&input.name);
        if !view.node.muted {
            name = name.color(color);
        }
        let name = text(ui, name);
        if let Some(help) = input.port.as_ref().map(|port| &port.help).filter(|it| !it.is_empty()) {
            name.on_hover_text(help);
        }
        if input.sources.is_empty() {
            match keyed_now(self.state, id, &view.node, &input.name) {
                Some(now) => value::show_keyed(ui, now),
                None => {
                    let place = value::NodeInGraph { graph: self.graph, id, view };
                    value::show(ui, &mut self.state.session, &place, input);
                }
            }
        }
        let look = PinLook {
            ty: input.ty,
            rate: input.rate,
            is_linked: !input.sources.is_empty(),
            is_broken: input.problem.is_some(),
        };
        let place = self.place(ui, id, &input.name, false);
        let look = (!input.is_compile_time() || look.is_linked).then_some(look);
        self.pin(look, self.wire_color(input), place)
    }

    #[expect(refining_impl_trait, reason = "there is only one kind of pin")]
    fn show_output(&mut self, pin: &OutPin, ui: &mut Ui, snarl: &mut Snarl<String>) -> Pin {
        let nodes = self.nodes;
        let id = snarl.get_node(pin.id.node).and_then(|id| nodes.get_key_value(id));
        let Some((id, view)) = id else { return self.nowhere(ui) };
        let Some(output) = view.outputs.get(pin.id.output) else { return self.nowhere(ui) };
        ui.spacing_mut().item_spacing.x = 6.0 * self.detail;
        ui.add_space(4.0 * self.detail);
        let name = text(ui, output.name.as_str());
        if !output.help.is_empty() {
            name.on_hover_text(&output.help);
        }
        let look = PinLook {
            ty: output.ty,
            rate: output.rate,
            is_linked: !pin.remotes.is_empty(),
            is_broken: false,
        };
        let place = self.place(ui, id, &output.name, true);
        self.pin(Some(look), theme::port(output.ty), place)
    }

    fn has_footer(&mut self, node: &String) -> bool {
        self.nodes.get(node).is_some_and(|view| !view.problems.is_empty() || view.fold.count > 0)
    }

    fn show_footer(
        &mut self,
        node: NodeId,
        _: &[InPin],
        _: &[OutPin],
        ui: &mut Ui,
        snarl: &mut Snarl<String>,
    ) {
        let nodes = self.nodes;
        let id = snarl.get_node(node).and_then(|id| nodes.get_key_value(id));
        let Some((id, view)) = id else { return };
        ui.vertical(|ui| {
            fold::line(ui, view.fold, id, &view.path, &mut self.state.canvas.unfolded);
            ui.set_max_width(PROBLEM_WIDTH * self.detail);
            for problem in &view.problems {
                let words = RichText::new(problem).small().color(theme::ERROR);
                let label = ui.add(Label::new(words).wrap().selectable(false));
                announce::widget(ui, &label, &format!("problem of {id}"));
            }
        });
    }

    fn has_node_menu(&mut self, _: &String) -> bool {
        true
    }

    fn show_node_menu(
        &mut self,
        _: NodeId,
        _: &[InPin],
        _: &[OutPin],
        ui: &mut Ui,
        _: &mut Snarl<String>,
    ) {
        ui.set_min_width(200.0);
        for name in super::actions::NODE_MENU {
            match all_actions().find(|action| action.name == *name) {
                Some(action) => menu::item(ui, self.state, action),
                None => {
                    ui.separator();
                }
            }
        }
    }

    fn final_node_rect(&mut self, node: NodeId, rect: Rect, _: &mut Ui, snarl: &mut Snarl<String>) {
        if let Some(id) = snarl.get_node(node) {
            self.node_rects.insert(id.clone(), rect / self.detail);
        }
        self.drawn.push(node);
    }

    fn connect(&mut self, from: &OutPin, to: &InPin, _: &mut Snarl<String>) {
        self.gestures.push(Gesture::Connect(from.id, to.id));
    }

    fn disconnect(&mut self, from: &OutPin, to: &InPin, _: &mut Snarl<String>) {
        self.gestures.push(Gesture::Disconnect(from.id, to.id));
    }

    fn drop_inputs(&mut self, pin: &InPin, _: &mut Snarl<String>) {
        self.gestures.push(Gesture::InputMenu(pin.id));
    }

    fn drop_outputs(&mut self, pin: &OutPin, _: &mut Snarl<String>) {
        self.gestures.push(Gesture::OutputMenu(pin.id));
    }

    /// Takes note, and lets the wire go: the palette is our own.
    fn has_dropped_wire_menu(&mut self, pins: AnyPins, _: &mut Snarl<String>) -> bool {
        match pins {
            AnyPins::Out(pins) => {
                self.gestures.extend(pins.first().map(|it| Gesture::DropOutput(*it)))
            }
            AnyPins::In(pins) => {
                self.gestures.extend(pins.first().map(|it| Gesture::DropInput(*it)))
            }
        }
        false
    }

    fn has_graph_menu(&mut self, _: Pos2, _: &mut Snarl<String>) -> bool {
        false
    }

    fn draw_background(
        &mut self,
        _: Option<&BackgroundPattern>,
        viewport: &Rect,
        _: &SnarlStyle,
        _: &egui::Style,
        painter: &Painter,
        _: &Snarl<String>,
    ) {
        super::backdrop::paint(painter, *viewport, self.state, self.graph, self.detail);
        self.wires = Some(WiresPlace::next(painter));
    }

    /// Panning and zooming are ours.
    fn current_transform(&mut self, to_global: &mut TSTransform, _: &mut Snarl<String>) {
        let TSTransform { scaling, translation } = self.screen_from_graph;
        *to_global = TSTransform { scaling: scaling / self.detail, translation };
    }
}
