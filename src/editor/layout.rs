//! Which panel stands where; users drag them about, and find them there the next time.

use super::panels;
use super::state::State;
use egui_dock::{DockArea, DockState, Node, NodeIndex, SplitNode, TabViewer};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Panel {
    Graph,
    Viewport,
    Timeline,
    Inspector,
    Outliner,
    Messages,
    Code,
}

impl Panel {
    pub const ALL: [Panel; 7] = [
        Panel::Graph,
        Panel::Viewport,
        Panel::Timeline,
        Panel::Inspector,
        Panel::Outliner,
        Panel::Messages,
        Panel::Code,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Panel::Graph => "Graph",
            Panel::Viewport => "Viewport",
            Panel::Timeline => "Timeline",
            Panel::Inspector => "Inspector",
            Panel::Outliner => "Outliner",
            Panel::Messages => "Messages",
            Panel::Code => "Code",
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Layout {
    dock: DockState<Panel>,
    /// Where the line above the timeline was before curves needed room.
    #[serde(default)]
    without_curves: Option<f32>,
}

impl Default for Layout {
    /// The character large in the middle, its graph below, what is set beside it.
    fn default() -> Self {
        let mut dock = DockState::new(vec![Panel::Viewport]);
        let main = dock.main_surface_mut();
        let [middle, right] = main.split_right(NodeIndex::root(), 0.78, vec![Panel::Inspector]);
        let [middle, _left] = main.split_left(middle, 0.17, vec![Panel::Outliner]);
        let [_viewport, below] = main.split_below(middle, 0.46, vec![Panel::Graph]);
        main.split_below(below, 0.75, vec![Panel::Timeline]);
        main.split_below(right, 0.80, vec![Panel::Messages]);
        Layout { dock, without_curves: None }
    }
}

impl Layout {
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &mut State) {
        let mut style = egui_dock::Style::from_egui(ui.style());
        super::theme::dock(&mut style);
        let keys = panels::timeline::height_of_keys(state);
        let before = self.keep_timeline_usable(LEAST_TIMELINE + keys);
        DockArea::new(&mut self.dock)
            .style(style)
            .show_leaf_close_all_buttons(false)
            .show_leaf_collapse_buttons(false)
            .show_inside(ui, &mut Viewer { state });
        if let (Some((before, shown)), Some(fraction)) = (before, self.above_timeline())
            && *fraction == shown
        {
            // In a larger window it is what was chosen.
            *fraction = before;
        }
    }

    /// Where the line above the timeline is, as a fraction of the room of both sides.
    fn above_timeline(&mut self) -> Option<&mut f32> {
        Some(&mut self.split_above_timeline()?.fraction)
    }

    fn split_above_timeline(&mut self) -> Option<&mut SplitNode> {
        let path = self.dock.find_tab(&Panel::Timeline)?;
        let parent = path.node.parent().filter(|_| path.node.is_right())?;
        match &mut self.dock[path.surface][parent] {
            Node::Vertical(split) => Some(split),
            _ => None,
        }
    }

    /// In a low window the timeline keeps the room that its controls need. Gives what was chosen, and what is
    /// shown.
    fn keep_timeline_usable(&mut self, least: f32) -> Option<(f32, f32)> {
        let split = self.split_above_timeline()?;
        let height = split.rect.height();
        let before = split.fraction;
        let needed = (least / height).min(MOST_FOR_TIMELINE);
        if !height.is_normal() || !(1.0 - before < needed) {
            return None;
        }
        split.fraction = 1.0 - needed;
        Some((before, split.fraction))
    }

    /// Brings a panel to the front, wherever it is; one that was closed comes back.
    pub fn show(&mut self, panel: Panel) {
        match self.dock.find_tab(&panel) {
            Some(place) => {
                let _ = self.dock.set_active_tab(place);
            }
            None if panel == Panel::Code => self.show_beside_graph(panel),
            None => self.dock.push_to_focused_leaf(panel),
        }
    }

    /// Both in view: ports appear on the canvas while they are declared in the code.
    fn show_beside_graph(&mut self, panel: Panel) {
        match self.dock.find_tab(&Panel::Graph) {
            Some(path) => {
                let tree = &mut self.dock[path.surface];
                tree.split_right(path.node, 0.58, vec![panel]);
            }
            None => self.dock.push_to_focused_leaf(panel),
        }
    }

    pub fn is_open(&self, panel: Panel) -> bool {
        self.dock.find_tab(&panel).is_some()
    }

    pub fn toggle(&mut self, panel: Panel) {
        match self.is_open(panel) {
            true => self.close(panel),
            false => self.show(panel),
        }
    }

    pub fn close(&mut self, panel: Panel) {
        if let Some(place) = self.dock.find_tab(&panel) {
            self.dock.remove_tab(place);
        }
    }

    /// Curves need room below the ruler. The line above the timeline moves up for them, if it is there,
    /// and back when they are folded away.
    pub fn make_room_for_curves(&mut self, is_open: bool) {
        let without_curves = self.without_curves;
        let Some(split) = self.split_above_timeline() else { return };
        let height = split.rect.height();
        match without_curves {
            None if is_open && height.is_normal() => {
                let before = split.fraction;
                let needed = (TIMELINE_WITH_CURVES / height).min(MOST_FOR_TIMELINE);
                split.fraction = before.min(1.0 - needed);
                self.without_curves = Some(before);
            }
            Some(before) if !is_open => {
                split.fraction = before;
                self.without_curves = None;
            }
            _ => {}
        }
    }

    /// One panel alone in the window.
    pub fn show_only(&mut self, panel: Panel) {
        self.dock = DockState::new(vec![panel]);
    }

    pub fn reset(&mut self) {
        *self = Layout::default();
    }
}

/// How high the timeline should be with curves, in points; and what part of the room it may take.
const TIMELINE_WITH_CURVES: f32 = 330.0;
/// Its tab, two rows of controls, and the ruler.
const LEAST_TIMELINE: f32 = 134.0;
const MOST_FOR_TIMELINE: f32 = 0.62;

struct Viewer<'a> {
    state: &'a mut State,
}

impl TabViewer for Viewer<'_> {
    type Tab = Panel;

    fn id(&mut self, panel: &mut Panel) -> egui::Id {
        egui::Id::new(("panel", *panel))
    }

    fn title(&mut self, panel: &mut Panel) -> egui::WidgetText {
        panel.name().into()
    }

    fn on_tab_button(&mut self, panel: &mut Panel, response: &egui::Response) {
        let kind = egui::WidgetType::SelectableLabel;
        response.widget_info(|| egui::WidgetInfo::labeled(kind, true, panel.name()));
    }

    fn ui(&mut self, ui: &mut egui::Ui, panel: &mut Panel) {
        let state = &mut *self.state;
        match panel {
            Panel::Graph => panels::canvas::show(ui, state),
            Panel::Viewport => panels::viewport::show(ui, state),
            Panel::Timeline => panels::timeline::show(ui, state),
            Panel::Inspector => panels::inspector::show(ui, state),
            Panel::Outliner => panels::outliner::show(ui, state),
            Panel::Messages => panels::messages::show(ui, state),
            Panel::Code => panels::code::show(ui, state),
        }
    }

    /// Only lists scroll.
    fn scroll_bars(&self, panel: &Panel) -> [bool; 2] {
        match panel {
            Panel::Graph | Panel::Viewport | Panel::Timeline | Panel::Code => [false, false],
            Panel::Inspector | Panel::Outliner | Panel::Messages => [false, true],
        }
    }
}
