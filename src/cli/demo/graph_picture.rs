//! A graph as an SVG picture: its nodes with the ports that are wired or set, arranged so that wires go to
//! the right.

use super::page::escaped;
use jounce_graph::document::{
    Document, Graph, Node, NodeShape, PortRef, PortTable, arrange, color_of_category,
    color_of_type, node_type_of,
};
use jounce_graph::script::{Library, PortType, Setting};
use std::collections::BTreeMap;
use std::fmt::Write;

const TITLE_PX: f64 = 26.0;
const ROW_PX: f64 = 19.0;
const BELOW_PX: f64 = 6.0;
/// An average letter of the text; pictures are drawn where nobody can measure a font.
const LETTER_PX: f64 = 6.4;
const LEAST_WIDE_PX: f64 = 110.0;
const MARGIN_PX: f64 = 16.0;

/// One node as it is drawn.
struct Card {
    title: String,
    /// The colour behind its title.
    head: String,
    inputs: Vec<PortRow>,
    outputs: Vec<PortRow>,
    width_px: f64,
}

struct PortRow {
    port: String,
    /// What stands there: the port's name, and its value if no wire brings one.
    text: String,
    color: String,
    is_wired: bool,
}

impl Card {
    fn height_px(&self) -> f64 {
        let rows = self.inputs.len().max(self.outputs.len());
        TITLE_PX + ROW_PX * rows as f64 + BELOW_PX
    }

    fn shape(&self) -> NodeShape {
        let pins = |rows: &[PortRow]| {
            rows.iter().enumerate().map(|(row, it)| (it.port.clone(), pin_px(row))).collect()
        };
        NodeShape {
            size: [self.width_px, self.height_px()],
            inputs: pins(&self.inputs),
            outputs: pins(&self.outputs),
        }
    }
}

/// How far below the upper edge of a card the pin of a row is.
fn pin_px(row: usize) -> f64 {
    TITLE_PX + ROW_PX * (row as f64 + 0.5)
}

/// The graph of a document; of a graph that is damaged, the nodes and wires that can be drawn.
pub fn graph_picture(document: &Document, library: &Library) -> String {
    let graph = &document.style.graph;
    let mut ports = PortTable::new(&document.style, library);
    let cards: BTreeMap<String, Card> = graph
        .nodes
        .iter()
        .map(|(id, node)| (id.clone(), card(id, node, graph, &mut ports, library)))
        .collect();
    let shapes: BTreeMap<String, NodeShape> =
        cards.iter().map(|(id, card)| (id.clone(), card.shape())).collect();
    let places = arrange(graph, &shapes);

    let corner = |axis: usize| {
        places.values().map(|place| place[axis]).fold(f64::INFINITY, f64::min).min(1e9) - MARGIN_PX
    };
    let far = |axis: usize| {
        let ends =
            cards.keys().filter_map(|id| Some(places.get(id)?[axis] + shapes[id].size[axis]));
        ends.fold(f64::NEG_INFINITY, f64::max).max(-1e9) + MARGIN_PX
    };
    let [left, top] = [corner(0), corner(1)];
    let [wide, high] = [(far(0) - left).clamp(1.0, 1e5), (far(1) - top).clamp(1.0, 1e5)];
    let mut svg = format!(
        "<svg class=\"graph\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide:.0} {high:.0}\" width=\"{wide:.0}\" height=\"{high:.0}\" font-family=\"system-ui, sans-serif\" font-size=\"11.5\">\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#18191c\"/>\n"
    );
    let at = |port: &PortRef, is_input: bool| {
        let place = places.get(&port.node)?;
        let shape = shapes.get(&port.node)?;
        let pins = if is_input { &shape.inputs } else { &shape.outputs };
        let x = if is_input { place[0] } else { place[0] + shape.size[0] };
        Some([x - left, place[1] + pins.get(&port.port)? - top])
    };
    for link in &graph.links {
        let (Some([x, y]), Some([to_x, to_y])) = (at(&link.from, false), at(&link.to, true)) else {
            continue;
        };
        let rows = &cards[&link.from.node].outputs;
        let color = rows
            .iter()
            .find(|row| row.port == link.from.port)
            .map_or("#888", |row| row.color.as_str());
        let bend = ((to_x - x).abs() * 0.5).max(24.0);
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {y:.1}C{:.1} {y:.1} {:.1} {to_y:.1} {to_x:.1} {to_y:.1}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.6\" opacity=\"0.8\"/>",
            x + bend,
            to_x - bend
        );
    }
    for (id, card) in &cards {
        if let Some([x, y]) = places.get(id) {
            draw_card(&mut svg, card, x - left, y - top);
        }
    }
    svg + "</svg>\n"
}

fn card(id: &str, node: &Node, graph: &Graph, ports: &mut PortTable, library: &Library) -> Card {
    let title = node.title.clone().unwrap_or_else(|| node.node_type.clone());
    let category = match node.group() {
        Some(_) => "Groups".to_owned(),
        None => node_type_of(node, library).map(|ty| ty.category.clone()).unwrap_or_default(),
    };
    // An input and an output may have one name.
    let feeds = |port: &str| graph.links.iter().any(|link| link.from == PortRef::new(id, port));
    let is_fed = |port: &str| graph.links.iter().any(|link| link.to == PortRef::new(id, port));
    let known = ports.of(node).ok();
    let row = |port: &str, ty: PortType, value: Option<String>, is_wired: bool| PortRow {
        port: port.to_owned(),
        text: value.map_or_else(|| port.to_owned(), |value| format!("{port}  {value}")),
        color: hex(color_of_type(ty)),
        is_wired,
    };
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    if let Some(known) = &known {
        for input in &known.inputs {
            let is_fed = is_fed(&input.name);
            let value = node.settings.get(&input.name).map(|setting| short(setting, &input.unit));
            if is_fed || value.is_some() {
                inputs.push(row(&input.name, input.ty, value.filter(|_| !is_fed), is_fed));
            }
        }
        let used = known.outputs.iter().filter(|output| feeds(&output.name));
        outputs.extend(used.map(|output| row(&output.name, output.ty, None, true)));
    }
    let letters =
        |rows: &[PortRow], i: usize| rows.get(i).map_or(0, |row| row.text.chars().count());
    let widest_row = (0..inputs.len().max(outputs.len()))
        .map(|i| letters(&inputs, i) + letters(&outputs, i) + 6)
        .max()
        .unwrap_or(0);
    let widest = widest_row.max(title.chars().count() + 4) as f64 * LETTER_PX;
    let width_px = widest.clamp(LEAST_WIDE_PX, 340.0);
    Card { title, head: hex(color_of_category(&category)), inputs, outputs, width_px }
}

fn draw_card(svg: &mut String, card: &Card, x: f64, y: f64) {
    let (width, height) = (card.width_px, card.height_px());
    let title = escaped(&card.title);
    let _ = writeln!(
        svg,
        "<g transform=\"translate({x:.1} {y:.1})\"><rect width=\"{width:.0}\" height=\"{height:.0}\" rx=\"6\" fill=\"#2c2e33\" stroke=\"#3a3c42\"/><path d=\"M0 {TITLE_PX}V6a6 6 0 0 1 6-6H{:.0}a6 6 0 0 1 6 6V{TITLE_PX}Z\" fill=\"{}\"/><text x=\"10\" y=\"17\" fill=\"#e8e9ec\" font-weight=\"600\">{title}</text>",
        width - 6.0,
        card.head
    );
    let sides = [(&card.inputs, 0.0, 10.0, "start"), (&card.outputs, width, width - 10.0, "end")];
    for (rows, pin_x, text_x, anchor) in sides {
        for (i, row) in rows.iter().enumerate() {
            let pin_y = pin_px(i);
            if row.is_wired {
                let color = &row.color;
                let _ = write!(
                    svg,
                    "<circle cx=\"{pin_x:.0}\" cy=\"{pin_y:.1}\" r=\"4\" fill=\"{color}\"/>"
                );
            }
            let text = escaped(&row.text);
            let _ = writeln!(
                svg,
                "<text x=\"{text_x:.0}\" y=\"{:.1}\" fill=\"#b8bbc2\" text-anchor=\"{anchor}\" xml:space=\"preserve\">{text}</text>",
                pin_y + 4.0
            );
        }
    }
    svg.push_str("</g>\n");
}

fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// A value in few letters.
fn short(setting: &Setting, unit: &str) -> String {
    let number = |x: &f64| format!("{}", (x * 1000.0).round() / 1000.0);
    let numbers = |all: &[f64]| all.iter().map(number).collect::<Vec<_>>().join(", ");
    match setting {
        Setting::Bool(is_on) => (if *is_on { "on" } else { "off" }).to_owned(),
        Setting::Float(x) if unit.is_empty() => number(x),
        Setting::Float(x) => format!("{} {unit}", number(x)),
        Setting::Vec3(v) => numbers(v),
        Setting::Quat(v) => numbers(v),
        Setting::Text(word) => word.clone(),
        Setting::Other(_) => "…".to_owned(),
    }
}
