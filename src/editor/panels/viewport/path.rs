//! The path of the selected vertex, or of the outermost one of the selected bone: one tick per frame, plain
//! skinning's beside the styled one.

use crate::{State, theme};
use egui::{Align2, FontId, Painter, Rect, pos2, vec2};
use glam::Vec3;
use jounce_draw::Mark;
use jounce_eval::EvalError;
use jounce_session::overlays::{self, PLAIN_PATH, STYLED_PATH};
use jounce_session::{PathFrames, VertexPath, outermost_vertex, paths_at};

#[derive(Default)]
pub struct PathView {
    pub is_on: bool,
    made: Option<Made>,
}

struct Made {
    of: Of,
    /// Of the session.
    revision: u64,
    /// Was what nodes remember known by then?
    is_exact: bool,
    frames: PathFrames,
    path: VertexPath,
    /// Plain and styled.
    now: Option<[Vec3; 2]>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Vertex(usize),
    Bone(usize),
}

impl PathView {
    /// The same, to be computed again elsewhere.
    pub fn look(&self) -> PathView {
        PathView { is_on: self.is_on, made: None }
    }

    pub fn forget(&mut self) {
        self.made = None;
    }

    /// What is shown, if anything.
    pub fn path(&self) -> Option<&VertexPath> {
        self.made.as_ref().filter(|_| self.is_on).map(|made| &made.path)
    }

    pub fn marks(&self, exaggeration: f32) -> Vec<Mark> {
        let made = self.made.as_ref().filter(|_| self.is_on);
        made.map(|made| overlays::path(&made.path, made.now, exaggeration)).unwrap_or_default()
    }

    /// What the colours mean.
    pub fn key(&self) -> &'static [(&'static str, [u8; 3])] {
        match self.path() {
            Some(_) => &[("plain", PLAIN_PATH), ("styled", STYLED_PATH)],
            None => &[],
        }
    }
}

/// Makes the path anew where something has changed, and finds where the vertex is now.
pub fn evaluate(state: &mut State) -> Result<(), EvalError> {
    let view = &mut state.viewport.path;
    let bone = state.selection.bones.first().copied();
    let of = state.selection.vertex.map(Of::Vertex).or(bone.map(Of::Bone));
    let Some(of) = of.filter(|_| view.is_on && !state.viewport.crowd.is_on) else {
        view.forget();
        return Ok(());
    };
    let (show, now_secs) = (&state.show, state.playhead.time_secs);
    let performer = show.performer();
    let frames = PathFrames::of(&show.playback(), state.playhead.fps, now_secs);
    let (revision, is_exact) = (show.revision(), show.is_exact());
    let is_known = view.made.as_ref().is_some_and(|made| {
        made.of == of
            && made.revision == revision
            && made.is_exact == is_exact
            && made.frames == frames
    });
    if !is_known {
        let known = view.made.take().filter(|made| made.of == of).map(|made| made.path.vertex);
        let vertex = known.or_else(|| match of {
            Of::Vertex(vertex) => Some(vertex),
            Of::Bone(bone) => outermost_vertex(show.character(), bone),
        });
        let is_there = |vertex: &usize| *vertex < show.character().vertex_count();
        let Some(vertex) = vertex.filter(is_there) else { return Ok(()) };
        let paths = performer.with_moments(&frames.times_secs(), |moments| {
            paths_at(performer, &[vertex], moments, frames.is_closed)
        })?;
        let path = paths.into_iter().next().unwrap_or_default();
        view.made = Some(Made { of, revision, is_exact, frames, path, now: None });
    }
    if let Some(made) = &mut view.made {
        let now = performer.with_moment(now_secs, |moment| {
            paths_at(performer, &[made.path.vertex], std::slice::from_ref(moment), false)
        })?;
        let now = now.first().and_then(|now| Some([*now.plain.first()?, *now.styled.first()?]));
        made.now = now;
    }
    Ok(())
}

/// What the colours mean, above the hint in the lower left corner.
pub fn paint_key(painter: &Painter, state: &State, rect: Rect) {
    let mut place = rect.left_bottom() + vec2(10.0, -28.0);
    for (text, [r, g, b]) in state.viewport.path.key() {
        let line = Rect::from_min_size(pos2(place.x, place.y - 8.0), vec2(16.0, 3.0));
        painter.rect_filled(line.expand(1.0), 1.0, theme::GROUND);
        painter.rect_filled(line, 1.0, egui::Color32::from_rgb(*r, *g, *b));
        place.x += 21.0;
        let font = FontId::proportional(11.0);
        let written = painter.text(place, Align2::LEFT_BOTTOM, text, font, theme::ON_PICTURE);
        place.x = written.right() + 12.0;
    }
}
