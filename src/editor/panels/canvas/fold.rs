//! Which inputs a node shows. Many take what they need from the character by themselves and are hardly ever
//! linked; with all of them nodes would be twice as tall, and few would fit on the screen. They are folded
//! away below the others, and come out at a click, or while there is a wire in the hand that could go there.

use super::mirror::InputView;
use super::{CanvasView, announce};
use crate::editor::theme;
use crate::graph::Node;
use crate::script::DefaultInput;
use egui::{Button, Context, CursorIcon, RichText, Ui};
use std::collections::BTreeSet;

/// Fewer are shown: the line that stands for them is as high as one.
const FEWEST: usize = 2;

/// The inputs that a node could fold away.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fold {
    pub count: usize,
    pub is_open: bool,
}

/// Which nodes show all inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unfolded {
    /// By their paths from the top graph.
    nodes: BTreeSet<String>,
    pub all: bool,
    /// A wire from an output is in the hand.
    for_wire: bool,
}

impl Unfolded {
    fn has(&self, path: &str) -> bool {
        self.all || self.for_wire || self.nodes.contains(path)
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

/// While a wire is drawn from an output, every input shows that it could end there.
pub fn follow_hand(ctx: &Context, view: &mut CanvasView) {
    let is_held = |id| ctx.read_response(id).is_some_and(|response| response.dragged());
    let in_hand = view.pins.iter().any(|pin| pin.is_output && is_held(pin.id));
    // Snarl looks for the pin under the pointer in the frame in which the button is let go.
    let is_busy = ctx.input(|input| input.pointer.any_down() || input.pointer.any_released());
    let was_in_hand = view.unfolded.for_wire && is_busy;
    view.unfolded.for_wire = in_hand || was_in_hand || !view.loose.is_empty();
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
        .on_hover_text("Inputs that take their data from the character unless they are wired");
    announce::widget(ui, &label, &format!("more inputs of {id}"));
    if label.clicked() {
        unfolded.toggle(path);
    }
}
