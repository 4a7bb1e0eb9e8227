//! Numbers on the mesh: a port of the graph, a map, weights. Colours, a legend, and arrows for vectors.

use super::paint;
use crate::{State, theme};
use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, Color32, FontId, Key, Modifiers, Rect, Stroke, pos2, vec2};
use glam::Vec3;
use jounce_draw::{Legend, Mark, Ramp, heat_colors};
use jounce_eval::heat::{Heat, HeatError, HeatRange, HeatSubject};
use jounce_graph::compile::{ShownPort, input_port};
use jounce_graph::document::ports_of;
use jounce_graph::script::PortType;
use jounce_session::overlays::{self, ARROWS};
use jounce_session::{PortOnMesh, PortOnMeshError, Severity, is_per_bone, spread_vertices};

#[derive(Default)]
pub struct HeatView {
    /// None: the character's own colours.
    pub subject: Option<HeatSubject>,
    /// For values that differ from bone to bone: show the sum, not the selected bone's part.
    pub sums_bones: bool,
    /// What is shown now; empty while nothing is.
    pub heat: Heat,
    /// The vectors of a port that is a vector.
    pub vectors: Vec<Vec3>,
    /// Tab goes to the next bone now, and opens nothing.
    pub takes_tab: bool,
    /// In place of what the numbers of each moment span: one scale for all pictures of a film.
    pub range: Option<HeatRange>,
    port: Option<PortOnMesh>,
    /// Evenly spread, for arrows.
    arrows: Vec<usize>,
}

impl HeatView {
    pub fn is_on(&self) -> bool {
        self.subject.is_some()
    }

    /// One colour per vertex; none where nothing is shown.
    pub fn colors(&self) -> Vec<[f32; 4]> {
        match self.subject {
            Some(_) => heat_colors(&self.heat.values, &self.heat.range),
            None => Vec::new(),
        }
    }

    pub fn hide(&mut self) {
        *self = HeatView { sums_bones: self.sums_bones, ..HeatView::default() };
    }

    /// The same picture, without what computes the next one.
    pub fn look(&self) -> HeatView {
        HeatView {
            subject: self.subject.clone(),
            sums_bones: self.sums_bones,
            heat: self.heat.clone(),
            vectors: self.vectors.clone(),
            arrows: self.arrows.clone(),
            ..HeatView::default()
        }
    }

    pub fn forget_character(&mut self) {
        self.arrows.clear();
        self.port = None;
    }
}

/// The subject, narrowed to the selected bone where that is wanted.
fn narrowed(state: &State, subject: &HeatSubject) -> HeatSubject {
    let HeatSubject::Port(port) = subject else { return subject.clone() };
    let skeleton = &state.show.character().skeleton;
    let selected = state.selection.bones.first().map(|&bone| skeleton.bone_name(bone).to_owned());
    let is_narrow = !state.viewport.heat.sums_bones && is_per_bone(&state.show, port);
    let bone = selected.filter(|_| is_narrow);
    HeatSubject::Port(ShownPort { bone, ..port.clone() })
}

/// Computes what is to be seen now. What cannot be shown is reported once, and hidden.
pub fn evaluate(state: &mut State) {
    // In a crowd each has its own colours.
    let is_shown = !state.viewport.crowd.is_on;
    let subject = state.viewport.heat.subject.clone().filter(|_| is_shown);
    let Some(subject) = subject else { return };
    let subject = narrowed(state, &subject);
    if let HeatSubject::Map(name) = &subject
        && let Some((values, range)) = paint::shown_values(state, name)
    {
        let view = &mut state.viewport.heat;
        (view.heat, view.vectors) = (Heat { values, range }, Vec::new());
        return;
    }
    match values(state, &subject) {
        Ok((values, vectors)) => {
            let view = &mut state.viewport.heat;
            (view.heat, view.vectors) = (Heat::new(values), vectors);
            if let Some(range) = view.range {
                view.heat.range = range;
            }
        }
        Err(error) => {
            state.viewport.heat.hide();
            state.session.say(Severity::Error, error.to_string());
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum CannotShow {
    #[error(transparent)]
    Heat(#[from] HeatError),
    #[error(transparent)]
    Port(#[from] PortOnMeshError),
    #[error(transparent)]
    Eval(#[from] jounce_eval::EvalError),
}

type Values = (Vec<f32>, Vec<Vec3>);

fn values(state: &mut State, subject: &HeatSubject) -> Result<Values, CannotShow> {
    let character = state.show.character();
    let plain = |heat: Heat| (heat.values, Vec::new());
    match subject {
        HeatSubject::AllFlesh => Ok(plain(Heat::of_flesh(state.show.bound(), None)?)),
        HeatSubject::Flesh(name) => Ok(plain(Heat::of_flesh(state.show.bound(), Some(name))?)),
        HeatSubject::Map(name) => {
            let settings = state.session.character_settings();
            Ok(plain(Heat::of_map(character, &settings, name)?))
        }
        HeatSubject::Bone(name) => Ok(plain(Heat::of_bone(character, name)?)),
        HeatSubject::Port(port) => port_values(state, port),
    }
}

fn port_values(state: &mut State, port: &ShownPort) -> Result<Values, CannotShow> {
    let known = state.viewport.heat.port.take().filter(|known| known.port == *port);
    let known = known.and_then(|mut known| known.update(&state.session).then_some(known));
    let mut made = match known {
        Some(known) => known,
        None => PortOnMesh::new(&state.session, port.clone())?,
    };
    let velocities = super::evaluate::drawn_velocities(state);
    let time_secs = state.playhead.time_secs;
    let shown = match (&velocities, &state.viewport.hand, &state.shown.pose) {
        (Some(velocities), _, Some(pose)) => made.frozen(pose, time_secs, velocities)?,
        (None, Some(hand), Some(pose)) => made.in_hand(hand, pose, time_secs)?,
        _ => made.at(time_secs)?,
    };
    let is_vector = made.is_vector();
    state.viewport.heat.port = Some(made);
    let number = |v: &Vec3| if is_vector { v.length() } else { v.x };
    let values = shown.iter().map(number).collect();
    if is_vector && state.viewport.heat.arrows.is_empty() {
        let rest = &state.show.character().rest().positions;
        state.viewport.heat.arrows = spread_vertices(rest, ARROWS);
    }
    Ok((values, if is_vector { shown } else { Vec::new() }))
}

/// The first output of the selected node that is a number or a vector; else the first input.
pub fn first_port(state: &State) -> Option<ShownPort> {
    let id = state.selection.in_graph.nodes.iter().next()?;
    ports_of_node(state, id).into_iter().next()
}

/// All ports of a node that can be shown, of the graph that is open: outputs, then inputs.
pub fn ports_of_node(state: &State, id: &str) -> Vec<ShownPort> {
    let style = &state.session.document().style;
    let graph = style.graph(&state.graph_ref());
    let Some(node) = graph.and_then(|graph| graph.nodes.get(id)) else { return Vec::new() };
    let Ok(ports) = ports_of(node, style, state.session.library()) else { return Vec::new() };
    let path = state.selection.path.iter().map(String::as_str).chain([id]);
    let path = path.collect::<Vec<_>>().join("/");
    let is_shown = |ty: PortType| matches!(ty, PortType::Float | PortType::Vec3 | PortType::Any);
    let outputs = ports.outputs.iter().filter(|port| is_shown(port.ty));
    let inputs = ports.inputs.iter().filter(|port| is_shown(port.ty));
    let names =
        outputs.map(|port| port.name.clone()).chain(inputs.map(|port| input_port(&port.name)));
    names.map(|port| ShownPort { node: path.clone(), port, bone: None }).collect()
}

pub fn show_selected(state: &mut State) {
    match first_port(state) {
        Some(port) => state.viewport.heat.subject = Some(HeatSubject::Port(port)),
        None => {
            let text = "Select a node that has a number or a vector to show on the mesh.";
            state.session.say(Severity::Warning, text);
        }
    }
}

/// Does what is shown differ from bone to bone?
pub fn has_bones(state: &State) -> bool {
    match &state.viewport.heat.subject {
        Some(HeatSubject::Port(port)) => is_per_bone(&state.show, port),
        Some(HeatSubject::Bone(_)) => true,
        _ => false,
    }
}

pub fn next_bone(state: &mut State) {
    let skeleton = &state.show.character().skeleton;
    let count = skeleton.bones.len();
    if count == 0 {
        return;
    }
    let next = state.selection.bones.first().map_or(0, |bone| (bone + 1) % count);
    let name = skeleton.bone_name(next).to_owned();
    state.selection.bones = vec![next];
    state.viewport.heat.sums_bones = false;
    if let Some(HeatSubject::Bone(shown)) = &mut state.viewport.heat.subject {
        *shown = name;
    }
}

/// Over the viewport Tab goes to the next bone, not to the next field.
pub fn tab_key(ui: &egui::Ui, state: &mut State, response: &egui::Response) {
    let is_here = response.hovered() && has_bones(state);
    state.viewport.heat.takes_tab = is_here;
    if is_here && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Tab)) {
        ui.memory_mut(|memory| memory.move_focus(egui::FocusDirection::None));
        next_bone(state);
    }
}

/// What the colours mean; None where there are none: a crowd has its own.
pub fn legend(state: &State) -> Option<Legend> {
    let subject = state.viewport.heat.subject.as_ref().filter(|_| !state.viewport.crowd.is_on)?;
    let title = narrowed(state, subject).to_string();
    Some(Legend { title, range: state.viewport.heat.heat.range })
}

/// Arrows for a port that is a vector.
pub fn arrows(state: &State) -> Vec<Mark> {
    let view = &state.viewport.heat;
    let (positions, normals) = (&state.viewport.drawn.positions, &state.shown.deformed.normals);
    let longest = view.heat.range.most;
    if view.vectors.len() != positions.len() || !(longest > 0.0) {
        return Vec::new();
    }
    let size = state.show.character().size();
    overlays::arrows(&view.arrows, positions, normals, &view.vectors, longest, size)
}

/// A number as short as it can be read.
pub fn short(value: f32) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if (0.01..1000.0).contains(&size) => format!("{value:.3}"),
        _ => format!("{value:.2e}"),
    }
}

const BAR: egui::Vec2 = vec2(180.0, 10.0);
const LEGEND_PAD: egui::Vec2 = vec2(10.0, 10.0);
const LEGEND_MARGIN: f32 = 10.0;
/// A smaller one could not be read.
const LEAST_LEGEND: egui::Vec2 = vec2(90.0, 50.0);

/// In the lower right corner, as much of it as there is room for.
pub fn paint_legend(ui: &egui::Ui, state: &State, rect: Rect) {
    let Some(Legend { title, range }) = legend(state) else { return };
    let ramp = Ramp::new(range.is_signed());
    let frame = rect.shrink(LEGEND_MARGIN);
    let size = (BAR + 2.0 * LEGEND_PAD + vec2(0.0, 22.0)).min(frame.size());
    if size.x < LEAST_LEGEND.x || size.y < LEAST_LEGEND.y {
        return;
    }
    let frame = Rect::from_min_size(frame.right_bottom() - size, size);
    let painter = ui.painter_at(rect);
    painter.rect_filled(frame, 6.0, theme::PANEL.gamma_multiply(0.94));
    let width = frame.width() - 2.0 * LEGEND_PAD.x;
    let bar = Rect::from_min_size(frame.min + vec2(LEGEND_PAD.x, 24.0), vec2(width, BAR.y));
    const PIECES: usize = 60;
    for piece in 0..PIECES {
        let part = |piece: usize| piece as f32 / PIECES as f32;
        let value = range.least + (range.most - range.least) * (part(piece) + 0.5 / PIECES as f32);
        let color = srgb(ramp.at(range.place(value)));
        let x = |part: f32| bar.left() + part * bar.width();
        let place = Rect::from_x_y_ranges(x(part(piece))..=x(part(piece + 1)) + 0.5, bar.y_range());
        painter.rect_filled(place, 0.0, color);
    }
    let font = FontId::proportional(11.0);
    let mut job = LayoutJob::simple_singleline(title.clone(), font.clone(), theme::TEXT);
    job.wrap = TextWrapping::truncate_at_width(width);
    let title_text = painter.layout_job(job);
    painter.galley(frame.min + vec2(LEGEND_PAD.x, 6.0), title_text, theme::TEXT);
    let below = bar.bottom() + 3.0;
    let numbers =
        [(bar.left(), Align2::LEFT_TOP, range.least), (bar.right(), Align2::RIGHT_TOP, range.most)];
    for (x, align, value) in numbers {
        painter.text(pos2(x, below), align, short(value), font.clone(), theme::FAINT);
    }
    if range.is_signed() && range.most > 0.0 {
        let zero = bar.left() + bar.width() * (-range.least / (range.most - range.least));
        painter.vline(zero, bar.y_range(), Stroke::new(1.0, theme::GROUND));
    }
    let response = ui.interact(frame, ui.id().with("legend"), egui::Sense::hover());
    let label = format!("Legend: {title} from {} to {}", short(range.least), short(range.most));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Other, true, &label));
}

fn srgb(linear: Vec3) -> Color32 {
    let rgba = egui::Rgba::from_rgb(linear.x, linear.y, linear.z);
    rgba.into()
}
