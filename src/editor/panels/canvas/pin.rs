//! Pins: their colour says what they carry, their shape how often it differs.

use crate::theme;
use egui::{Color32, Id, Painter, Rect, Shape, Stroke, Style, Vec2, vec2};
use egui_snarl::ui::{PinWireInfo, SnarlPin, SnarlStyle, WireStyle};
use jounce_graph::script::PortType;
use jounce_ir::Rate;
use std::cell::RefCell;
use std::rc::Rc;

/// Where a pin was drawn.
#[derive(Clone, Debug)]
pub struct PinPlace {
    pub node: String,
    pub port: String,
    pub is_output: bool,
    /// The id of snarl's widget for it.
    pub id: Id,
    /// In the space of the graph.
    pub rect: Rect,
}

pub type PinPlaces = Rc<RefCell<Vec<PinPlace>>>;

/// Draws a pin, and notes where.
pub struct Pin {
    pub look: Option<PinLook>,
    pub wire_color: Color32,
    pub place: PinPlace,
    pub places: PinPlaces,
    pub detail: f32,
}

#[derive(Clone, Copy)]
pub struct PinLook {
    pub ty: PortType,
    pub rate: Rate,
    pub is_linked: bool,
    pub is_broken: bool,
}

impl SnarlPin for Pin {
    fn pin_rect(&self, x: f32, y0: f32, y1: f32, size: f32) -> Rect {
        // What cannot be linked has no pin to take hold of.
        let size = if self.look.is_some() { size } else { 0.0 };
        Rect::from_center_size(egui::pos2(x, (y0 + y1) * 0.5), Vec2::splat(size))
    }

    fn draw(self, _: &SnarlStyle, _: &Style, rect: Rect, painter: &Painter) -> PinWireInfo {
        let info = PinWireInfo { color: self.wire_color, style: WireStyle::Bezier3 };
        if let Some(look) = self.look {
            paint(painter, rect, look);
            let rect = rect / self.detail;
            self.places.borrow_mut().push(PinPlace { rect, ..self.place });
        }
        info
    }
}

pub fn paint(painter: &Painter, rect: Rect, look: PinLook) {
    let color = if look.is_broken { theme::ERROR } else { theme::port(look.ty) };
    let fill = if look.is_linked { color } else { theme::GROUND };
    let stroke = Stroke::new(rect.width() * 0.13, color);
    let (center, size) = (rect.center(), rect.width().min(rect.height()));
    let corners: &[Vec2] = match look.rate {
        Rate::Frame => {
            painter.circle(center, size * 0.42, fill, stroke);
            return;
        }
        Rate::Bone => &[vec2(-0.4, -0.4), vec2(0.4, -0.4), vec2(0.4, 0.4), vec2(-0.4, 0.4)],
        Rate::Vertex => &[vec2(-0.42, 0.4), vec2(0.0, -0.46), vec2(0.42, 0.4)],
        Rate::Influence => &[vec2(-0.54, 0.0), vec2(0.0, -0.54), vec2(0.54, 0.0), vec2(0.0, 0.54)],
    };
    let points = corners.iter().map(|corner| center + *corner * size).collect();
    painter.add(Shape::convex_polygon(points, fill, stroke));
}

/// The types that wires carry, and all rates: what the legend explains.
pub const LEGEND_TYPES: [PortType; 5] =
    [PortType::Float, PortType::Vec3, PortType::Quat, PortType::Mat3, PortType::Any];
pub const LEGEND_RATES: [Rate; 4] = [Rate::Frame, Rate::Bone, Rate::Vertex, Rate::Influence];
