//! Frames and comments: what lies behind the nodes.

use super::announce;
use super::prompt::Prompt;
use crate::{State, theme};
use egui::accesskit::Role;
use egui::{
    Align2, Color32, CornerRadius, FontId, Id, Painter, Pos2, Rect, Response, Stroke, StrokeKind,
    Ui, Vec2, pos2, vec2,
};
use jounce_graph::document::{Command, Comment, Graph, GraphRef, Owner};
use std::collections::BTreeMap;

/// One of the two.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Backdrop {
    Frame(String),
    Comment(String),
}

/// A drag that has begun on one.
pub struct BackdropDrag {
    what: Backdrop,
    /// Where the pointer was, in the space of the graph.
    from: Pos2,
    resizes: bool,
    nodes: BTreeMap<String, [f64; 2]>,
    comment: Option<Comment>,
}

const TITLE_HEIGHT: f32 = 26.0;
const PADDING: f32 = 16.0;
const CORNER: f32 = 14.0;
const LEAST_SIZE: f64 = 40.0;

fn graph_of<'a>(state: &'a State, graph: &GraphRef) -> Option<&'a Graph> {
    state.session.document().style.graph(graph)
}

/// In the space of the graph; frames first, as they lie below. A frame is around its nodes.
pub fn rects(state: &State, graph: &GraphRef) -> Vec<(Backdrop, Rect)> {
    let Some(contents) = graph_of(state, graph) else { return Vec::new() };
    let mut all = Vec::new();
    for (id, frame) in &contents.frames {
        let mut rect = Rect::NOTHING;
        for member in &frame.members {
            if let Some(node) = state.canvas.node_rects.get(member) {
                rect = rect.union(*node);
            }
        }
        if rect.is_positive() {
            rect = rect.expand(PADDING);
            rect.min.y -= TITLE_HEIGHT;
            all.push((Backdrop::Frame(id.clone()), rect));
        }
    }
    for (id, comment) in &contents.comments {
        let [x, y] = comment.position.map(|it| it as f32);
        let [width, height] = comment.size.map(|it| it.max(LEAST_SIZE) as f32);
        let rect = Rect::from_min_size(pos2(x, y), vec2(width, height));
        all.push((Backdrop::Comment(id.clone()), rect));
    }
    all
}

/// Where it is taken hold of.
fn handle(what: &Backdrop, rect: Rect) -> Rect {
    match what {
        Backdrop::Frame(_) => rect.with_max_y(rect.min.y + TITLE_HEIGHT),
        Backdrop::Comment(_) => rect,
    }
}

fn under(state: &State, graph: &GraphRef, at: Pos2) -> Option<(Backdrop, Rect)> {
    let all = rects(state, graph).into_iter().rev();
    all.into_iter().find(|(what, rect)| handle(what, *rect).contains(at))
}

fn is_selected(state: &State, what: &Backdrop) -> bool {
    match what {
        Backdrop::Frame(id) => state.selection.in_graph.frames.contains(id),
        Backdrop::Comment(id) => state.selection.in_graph.comments.contains(id),
    }
}

/// Into a space that is the graph's, `detail` times as large.
pub fn paint(painter: &Painter, viewport: Rect, state: &State, graph: &GraphRef, detail: f32) {
    grid(painter, viewport, state.canvas.zoom(graph) / detail);
    let Some(contents) = graph_of(state, graph) else { return };
    for (what, rect) in rects(state, graph) {
        let is_selected = is_selected(state, &what);
        let title = handle(&what, rect) * detail;
        let rect = rect * detail;
        match &what {
            Backdrop::Frame(id) => {
                let Some(frame) = contents.frames.get(id) else { continue };
                let [r, g, b] = frame.color;
                let color = Color32::from_rgb(r, g, b);
                let stroke = match is_selected {
                    true => Stroke::new(1.8 * detail, theme::ACCENT),
                    false => Stroke::new(1.0, color.gamma_multiply(0.7)),
                };
                let radius = CornerRadius::same((8.0 * detail) as u8);
                painter.rect(rect, radius, color.gamma_multiply(0.16), stroke, StrokeKind::Inside);
                let top = CornerRadius { sw: 0, se: 0, ..radius };
                painter.rect_filled(title, top, color.gamma_multiply(0.45));
                let at = title.left_center() + vec2(10.0, 0.0) * detail;
                let font = FontId::proportional(14.0 * detail);
                painter.text(at, Align2::LEFT_CENTER, &frame.title, font, theme::TEXT);
            }
            Backdrop::Comment(id) => {
                let Some(comment) = contents.comments.get(id) else { continue };
                let stroke = match is_selected {
                    true => Stroke::new(1.8 * detail, theme::ACCENT),
                    false => Stroke::new(1.0, theme::LINE),
                };
                let fill = theme::RAISED.gamma_multiply(0.55);
                painter.rect(
                    rect,
                    CornerRadius::same((6.0 * detail) as u8),
                    fill,
                    stroke,
                    StrokeKind::Inside,
                );
                let font = FontId::proportional(13.0 * detail);
                let width = rect.width() - 20.0 * detail;
                let galley = painter.layout(comment.text.clone(), font, theme::FAINT, width);
                let inside = painter.with_clip_rect(painter.clip_rect().intersect(rect));
                inside.galley(rect.min + vec2(10.0, 8.0) * detail, galley, theme::FAINT);
                let corner = rect.max - vec2(4.0, 4.0) * detail;
                for reach in [5.0 * detail, 9.0 * detail] {
                    let ends = [corner - vec2(reach, 0.0), corner - vec2(0.0, reach)];
                    painter.line_segment(ends, Stroke::new(1.0, theme::FAINT));
                }
            }
        }
    }
}

/// Dots, fewer where they would be dense.
fn grid(painter: &Painter, viewport: Rect, zoom: f32) {
    let mut spacing = 24.0;
    while spacing * zoom < 16.0 {
        spacing *= 2.0;
    }
    let first = (viewport.min / spacing).floor() * spacing;
    let count = (viewport.size() / spacing).ceil().min(vec2(200.0, 200.0));
    for row in 0..=count.y as usize {
        for column in 0..=count.x as usize {
            let at = first + vec2(column as f32, row as f32) * spacing;
            painter.circle_filled(at, 0.8 / zoom, theme::LINE.gamma_multiply(0.8));
        }
    }
}

/// A click on the empty canvas or on what lies behind the nodes.
pub fn click(state: &mut State, graph: &GraphRef, at: Pos2, adds: bool) {
    let found = under(state, graph, at).map(|(what, _)| what);
    let selected = &mut state.selection.in_graph;
    if !adds {
        *selected = Default::default();
    }
    match found {
        Some(Backdrop::Frame(id)) => toggle(&mut selected.frames, id),
        Some(Backdrop::Comment(id)) => toggle(&mut selected.comments, id),
        None => {}
    }
}

/// In if it is out, out if it is in.
fn toggle(selected: &mut std::collections::BTreeSet<String>, id: String) {
    if !selected.remove(&id) {
        selected.insert(id);
    }
}

/// A double click opens its text. Was there anything?
pub fn open(state: &mut State, graph: &GraphRef, at: Pos2) -> bool {
    let Some((what, _)) = under(state, graph, at) else { return false };
    let prompt = graph_of(state, graph).and_then(|contents| match what {
        Backdrop::Frame(id) => Some(Prompt::frame(&id, contents.frames.get(&id)?)),
        Backdrop::Comment(id) => Some(Prompt::comment(&id, contents.comments.get(&id)?)),
    });
    state.canvas.prompt = prompt;
    true
}

/// Takes hold of what is there. Was there anything?
pub fn begin_drag(state: &mut State, graph: &GraphRef, from: Pos2) -> bool {
    let Some((what, rect)) = under(state, graph, from) else { return false };
    let Some(contents) = graph_of(state, graph) else { return false };
    let is_selected = is_selected(state, &what);
    let (mut nodes, mut comment, mut resizes) = (BTreeMap::new(), None, false);
    match &what {
        Backdrop::Frame(id) => {
            let members = contents.frames.get(id).map(|frame| &frame.members);
            for member in members.into_iter().flatten() {
                let node = contents.nodes.get(member);
                nodes.extend(node.map(|node| (member.clone(), node.position)));
            }
        }
        Backdrop::Comment(id) => {
            comment = contents.comments.get(id).cloned();
            resizes = Rect::from_min_max(rect.max - Vec2::splat(CORNER), rect.max).contains(from);
        }
    }
    if !is_selected {
        click(state, graph, from, false);
    }
    let label = match (&what, resizes) {
        (Backdrop::Frame(_), _) => "Move frame",
        (Backdrop::Comment(_), false) => "Move comment",
        (Backdrop::Comment(_), true) => "Resize comment",
    };
    state.session.begin(owner(), label);
    state.canvas.drag = Some(BackdropDrag { what, from, resizes, nodes, comment });
    true
}

/// Who drags frames and comments.
pub fn owner() -> Owner {
    Owner::Hand(Id::new("move backdrop").value())
}

pub fn drag(state: &mut State, graph: &GraphRef, to: Pos2) {
    let Some(drag) = &state.canvas.drag else { return };
    let by = (to - drag.from).round();
    let moved = |at: [f64; 2]| [at[0] + f64::from(by.x), at[1] + f64::from(by.y)];
    let command = match &drag.what {
        Backdrop::Frame(_) => {
            let positions = drag.nodes.iter().map(|(id, at)| (id.clone(), moved(*at))).collect();
            Command::MoveNodes { graph: graph.clone(), positions }
        }
        Backdrop::Comment(id) => {
            let Some(mut comment) = drag.comment.clone() else { return };
            match drag.resizes {
                true => comment.size = moved(comment.size).map(|side| side.max(LEAST_SIZE)),
                false => comment.position = moved(comment.position),
            }
            Command::SetComment { graph: graph.clone(), id: id.clone(), comment: Some(comment) }
        }
    };
    state.session.update(owner(), "Move", command);
}

pub fn announce_all(ui: &Ui, state: &State, graph: &GraphRef, canvas: &Response) {
    let to = state.canvas.transform(graph);
    for (what, rect) in rects(state, graph) {
        let label = match &what {
            Backdrop::Frame(id) => format!("frame {id}"),
            Backdrop::Comment(id) => format!("comment {id}"),
        };
        let id = Id::new(("backdrop", canvas.id, &label));
        let on_screen = to * handle(&what, rect);
        announce::thing(
            ui.ctx(),
            id,
            Role::Group,
            &label,
            on_screen,
            Some(is_selected(state, &what)),
        );
    }
}
