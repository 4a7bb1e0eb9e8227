//! How the canvas is looked at: nothing of it is in the document.

use super::add_node::AddNode;
use super::backdrop::BackdropDrag;
use super::edit::ROUGH_NODE;
use super::fold::Unfolded;
use super::mirror::Mirror;
use super::pin::PinPlace;
use super::pin_menu::PinMenu;
use super::prompt::Prompt;
use super::watch::Watch;
use egui::emath::TSTransform;
use egui::{Pos2, Rect, vec2};
use jounce_graph::document::{GraphRef, Link};
use std::collections::BTreeMap;

/// A frame may be laid out twice, and node sizes change as soon as the zoom does.
const FITS: usize = 8;
/// In the graph's own lengths.
const BETWEEN_NODES: f32 = 20.0;

pub struct CanvasView {
    pub(super) mirror: Mirror,
    /// For each graph that was shown: the transform from its space to the screen's.
    pub(super) screen_from_graph: BTreeMap<GraphRef, TSTransform>,
    /// How large snarl draws: its space is the graph's times this. The rest of the zoom is a transform,
    /// which would blur text if it did all.
    pub(super) detail: f32,
    /// In the frame before.
    pub(super) last_zoom: f32,
    /// A node that was added where it may not be in view.
    pub(super) reveals: Option<String>,
    /// How often the view is still fitted: sizes of nodes are known only once they
    /// were drawn.
    pub(super) fits_left: usize,
    /// What is fitted stays large enough to be read, even if not all of it is in view then.
    pub(super) stays_readable: bool,
    /// The panel, on the screen.
    pub(super) rect: Rect,
    /// In the space of the graph, as they were drawn last.
    pub(super) node_rects: BTreeMap<String, Rect>,
    pub(super) pins: Vec<PinPlace>,
    /// Is the pointer over it, with nothing on top?
    pub is_hovered: bool,
    pub(super) is_moving: bool,
    pub(super) drag: Option<BackdropDrag>,
    /// Where a box was begun, in the space of the graph.
    pub(super) box_from: Option<Pos2>,
    /// Taken off its input, and being dragged.
    pub(super) loose: Vec<Link>,
    pub(super) add_node: Option<AddNode>,
    pub(super) pin_menu: Option<PinMenu>,
    pub(super) prompt: Option<Prompt>,
    pub watch: Watch,
    pub unfolded: Unfolded,
    pub has_costs: bool,
    pub has_values: bool,
    pub has_legend: bool,
}

impl Default for CanvasView {
    fn default() -> CanvasView {
        CanvasView {
            mirror: Mirror::default(),
            screen_from_graph: BTreeMap::new(),
            detail: 1.0,
            last_zoom: 0.0,
            fits_left: 0,
            reveals: None,
            stays_readable: false,
            rect: Rect::ZERO,
            node_rects: BTreeMap::new(),
            pins: Vec::new(),
            is_hovered: false,
            is_moving: false,
            drag: None,
            box_from: None,
            loose: Vec::new(),
            add_node: None,
            pin_menu: None,
            prompt: None,
            watch: Watch::default(),
            unfolded: Unfolded::default(),
            has_costs: false,
            has_values: false,
            has_legend: true,
        }
    }
}

impl CanvasView {
    /// Shows all of the graph.
    pub fn fit(&mut self) {
        (self.fits_left, self.stays_readable) = (FITS, false);
    }

    /// Shows as much of the graph as can be read, with its end in view.
    pub(super) fn open(&mut self) {
        (self.fits_left, self.stays_readable) = (FITS, true);
    }

    /// Moves the view if the node is not all in it.
    pub fn reveal(&mut self, node: &str) {
        self.reveals = Some(node.to_owned());
    }

    /// How often the graph was taken over from the document.
    pub fn rebuild_count(&self) -> usize {
        self.mirror.rebuild_count
    }

    pub fn zoom(&self, graph: &GraphRef) -> f32 {
        self.transform(graph).scaling
    }

    pub fn is_adding(&self) -> bool {
        self.add_node.is_some()
    }

    /// From the space of the graph to the screen's.
    pub fn transform(&self, graph: &GraphRef) -> TSTransform {
        self.screen_from_graph.get(graph).copied().unwrap_or(TSTransform::IDENTITY)
    }

    /// For a new node: in the middle of what is seen, or below what lies there.
    pub fn free_spot(&self, graph: &GraphRef) -> Pos2 {
        let middle = self.transform(graph).inverse() * self.rect.center();
        let mut spot = Rect::from_center_size(middle, ROUGH_NODE);
        for _ in 0..=self.node_rects.len() {
            let taken = self.node_rects.values().find(|rect| rect.intersects(spot));
            let Some(taken) = taken else { break };
            spot = spot.translate(vec2(0.0, taken.bottom() + BETWEEN_NODES - spot.top()));
        }
        spot.min
    }

    /// A node's place on the screen, as it was drawn last.
    pub fn node_rect(&self, graph: &GraphRef, node: &str) -> Option<Rect> {
        Some(self.transform(graph) * *self.node_rects.get(node)?)
    }
}
