//! Which inputs a node shows. Many take what they need from the character by themselves and are hardly ever
//! wired; with all of them nodes would be twice as tall, and few would fit on the screen. They are folded
//! away below the others, and come out at a click, or while a wire is drawn over the node.

use super::announce;
use super::mirror::InputView;
use crate::{State, theme};
use egui::{Button, Context, CursorIcon, Rect, RichText, Ui};
use jounce_graph::document::Node;
use jounce_graph::script::DefaultInput;
use std::collections::BTreeSet;

/// Pins sit on the edge of a node, half outside.
const REACH: f32 = 12.0;
/// Fewer are shown: the line that stands for them is as high as one.
const FEWEST: usize = 2;

/// The inputs that a node could fold away.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fold {
    pub count: usize,
    pub is_open: bool,
}

impl Fold {
    /// How many are not shown.
    pub fn hidden(&self) -> usize {
        if self.is_open { 0 } else { self.count }
    }
}

/// Which nodes show all inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unfolded {
    /// By their paths from the top graph.
    nodes: BTreeSet<String>,
    pub all: bool,
    /// The node under a wire from an output, while it is being dragged.
    for_wire: Option<String>,
}

impl Unfolded {
    fn has(&self, path: &str) -> bool {
        self.all || self.for_wire.as_deref() == Some(path) || self.nodes.contains(path)
    }

    fn toggle(&mut self, path: &str) {
        if !self.nodes.remove(path) {
            self.nodes.insert(path.to_owned());
        }
    }
}

/// Puts what can be folded away below the others, so that no pin moves when it comes out, and takes it off
/// where the node is folded.
pub fn fold(inputs: &mut Vec<InputView>, node: &Node, path: &str, unfolded: &Unfolded) -> Fold {
    let is_foldable = |input: &InputView| {
        let default = input.port.as_ref().map(|port| &port.default);
        let brings_its_own =
            matches!(default, Some(DefaultInput::Source(_) | DefaultInput::Motion(_)));
        brings_its_own
            && input.sources.is_empty()
            && input.problem.is_none()
            && !node.settings.contains_key(&input.name)
    };
    let count = inputs.iter().filter(|input| is_foldable(input)).count();
    if count < FEWEST {
        return Fold::default();
    }
    // Those that stay keep the order of the script.
    inputs.sort_by_key(is_foldable);
    let is_open = unfolded.has(path);
    if !is_open {
        inputs.truncate(inputs.len() - count);
    }
    Fold { count, is_open }
}

/// A node that a wire is drawn over shows all inputs in which that could end. Only that one: if all did,
/// they would cover each other.
pub fn follow_hand(ctx: &Context, state: &mut State) {
    let graph = state.graph_ref();
    let prefix: String = state.selection.path.iter().map(|id| format!("{id}/")).collect();
    let view = &mut state.canvas;
    let is_held = |id| ctx.read_response(id).is_some_and(|response| response.dragged());
    let in_hand = view.pins.iter().any(|pin| pin.is_output && is_held(pin.id));
    // Snarl looks for the pin under the pointer in the frame in which the button is let go.
    let is_busy = ctx.input(|input| input.pointer.any_down() || input.pointer.any_released());
    let was_in_hand = view.unfolded.for_wire.is_some() && is_busy;
    if !in_hand && !was_in_hand && view.loose.is_empty() {
        view.unfolded.for_wire = None;
        return;
    }
    let pointer = ctx.input(|input| input.pointer.latest_pos());
    let at = pointer.map(|pointer| view.transform(&graph).inverse() * pointer);
    let is_under = |rect: &Rect| at.is_some_and(|at| rect.expand(REACH).contains(at));
    let mut nodes = view.node_rects.iter().rev();
    let under = nodes.find(|(_, rect)| is_under(rect)).map(|(id, _)| format!("{prefix}{id}"));
    // Letting go over the empty canvas leaves the last one as it was drawn.
    if under.is_some() || !was_in_hand || in_hand {
        view.unfolded.for_wire = under;
    }
}

/// The line that stands for folded inputs. A click shows them, or folds them away.
pub fn line(ui: &mut Ui, fold: Fold, id: &str, path: &str, unfolded: &mut Unfolded) {
    if fold.count == 0 {
        return;
    }
    let words = match fold.is_open {
        true => "− fewer inputs".to_owned(),
        false => format!("+ {} more inputs", fold.count),
    };
    let words = RichText::new(words).small().color(theme::FAINT);
    let label = ui.add(Button::new(words).frame(false));
    let label = label
        .on_hover_cursor(CursorIcon::PointingHand)
        .on_hover_text("Inputs that get their data from the character unless they are wired");
    announce::widget(ui, &label, &format!("more inputs of {id}"));
    if label.clicked() {
        unfolded.toggle(path);
    }
}
