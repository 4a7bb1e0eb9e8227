//! All that panels share.

use super::Device;
use super::panels::canvas::CanvasView;
use super::panels::code::CodeView;
use super::panels::outliner::OutlinerView;
use super::panels::timeline::{self, CurvesView, KeysView};
use super::panels::viewport::{self, ViewportView};
use egui::Context;
use glam::Vec3;
use jounce_eval::EvalError;
use jounce_eval::timeline::SEAM;
use jounce_graph::document::{GraphRef, Selection as NodeSelection};
use jounce_session::{Changed, DEFAULT_FPS, Playhead, Session, Severity, Show, Shown};

/// What the user is looking at.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The group nodes that were entered, from the top graph down: ids, each in the graph before.
    pub path: Vec<String>,
    /// Nodes, frames and comments of that graph.
    pub in_graph: NodeSelection,
    pub bones: Vec<usize>,
    pub vertex: Option<usize>,
}

pub struct State {
    pub session: Session,
    pub show: Show,
    pub playhead: Playhead,
    pub selection: Selection,
    pub canvas: CanvasView,
    pub code: CodeView,
    pub viewport: ViewportView,
    pub outliner: OutlinerView,
    pub curves: CurvesView,
    pub keys: KeysView,
    pub palette: super::palette::Palette,
    /// The action of a key that was pressed in a text field, which is losing the focus.
    pub(super) after_typing: Option<&'static super::Action>,
    pub files: super::files::FilesView,
    pub jobs: super::jobs::Jobs,
    /// The character as it is now.
    pub shown: Shown,
    /// None where there is no adapter: tests of panels alone.
    pub device: Option<Device>,
    last_error: Option<String>,
    last_warning: Option<String>,
    /// At which revision of the session.
    warned_at: u64,
    told_of_seam: bool,
}

impl State {
    pub fn new(
        session: Session,
        device: Option<Device>,
    ) -> Result<State, jounce_session::ShowError> {
        let show = Show::new(&session)?;
        let mut state = State {
            session,
            show,
            playhead: Playhead::default(),
            selection: Selection::default(),
            canvas: CanvasView::default(),
            code: CodeView::default(),
            viewport: ViewportView::default(),
            outliner: OutlinerView::default(),
            curves: CurvesView::default(),
            keys: KeysView::default(),
            palette: Default::default(),
            after_typing: None,
            files: Default::default(),
            jobs: Default::default(),
            shown: Shown::default(),
            device,
            last_error: None,
            last_warning: None,
            warned_at: 0,
            told_of_seam: false,
        };
        state.take_over(Changed::Character);
        Ok(state)
    }

    /// Which graph the canvas shows.
    pub fn graph_ref(&self) -> GraphRef {
        let style = &self.session.document().style;
        let mut graph = GraphRef::Top;
        for id in &self.selection.path {
            let node = style.graph(&graph).and_then(|graph| graph.nodes.get(id));
            match node.and_then(|node| node.group()) {
                Some(group) => graph = GraphRef::Group(group.to_owned()),
                None => break,
            }
        }
        graph
    }

    /// Advances by some wall-clock time, and computes what is to be seen now.
    pub fn advance(&mut self, wall_secs: f64) {
        self.viewport.compare.slots.follow(&self.session);
        let updated = self.show.update(&self.session);
        let mut error = None;
        match updated {
            Ok(changed) => self.take_over(changed),
            Err(fault) => error = Some(fault.to_string()),
        }
        let motion = &self.session.document().motion;
        self.playhead.fps = motion.fps.unwrap_or(DEFAULT_FPS);
        self.playhead.advance(wall_secs, self.show.duration_secs(), motion.looped);
        if let Err(fault) = viewport::evaluate(self, wall_secs) {
            error = error.or(Some(fault.to_string()));
        }
        self.complain(error);
        self.warn_of_motion();
        let has_seam = self.show.has_seam();
        if has_seam && !self.told_of_seam {
            self.session.say(Severity::Warning, SEAM);
        }
        self.told_of_seam = has_seam;
    }

    /// A show of the session that was made in the background.
    pub fn take_show(&mut self, show: Show) {
        let is_same = std::sync::Arc::ptr_eq(self.show.character(), show.character());
        self.show = show;
        self.take_over(if is_same { Changed::Program } else { Changed::Character });
    }

    /// Where vertices are now. What the device has computed is computed again here, for code that needs it.
    pub fn positions(&mut self) -> Result<&[Vec3], EvalError> {
        if self.shown.deformed.positions.is_empty() && self.show.character().vertex_count() > 0 {
            self.shown = self.show.at(self.playhead.time_secs)?;
        }
        Ok(&self.shown.deformed.positions)
    }

    /// Reports it once, not in every frame.
    fn complain(&mut self, error: Option<String>) {
        if let Some(error) = error.as_ref().filter(|_| self.last_error != error) {
            self.session.say(Severity::Error, error);
        }
        self.last_error = error;
    }

    /// What plays instead of the document's motion is reported once, too.
    fn warn_of_motion(&mut self) {
        if std::mem::replace(&mut self.warned_at, self.session.revision())
            == self.session.revision()
        {
            return;
        }
        let warning = self.session.cast().motion_warning(&self.session.document().motion);
        if let Some(warning) = warning.as_ref().filter(|_| self.last_warning != warning) {
            self.session.say(Severity::Warning, warning);
        }
        self.last_warning = warning;
    }

    fn take_over(&mut self, changed: Changed) {
        viewport::take_over(self, changed);
        timeline::take_over(self, changed);
        if changed >= Changed::Character {
            // The same numbers are other bones and vertices now.
            self.selection.bones.clear();
            self.selection.vertex = None;
            self.shown = Shown::default();
        }
        if changed >= Changed::Motion {
            self.playhead.keep_within(self.show.duration_secs());
        }
    }

    /// While something moves, the window is drawn again and again.
    pub fn needs_repaint(&mut self) -> bool {
        self.playhead.is_playing || self.viewport.is_busy() || !self.show.is_exact()
    }

    pub fn undo(&mut self, _ctx: &Context) {
        self.session.undo();
    }

    pub fn redo(&mut self, _ctx: &Context) {
        self.session.redo();
    }
}
