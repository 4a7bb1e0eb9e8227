//! The node canvas, driven by hand: what it does is read back from the document.
#![cfg(feature = "editor")]

#[path = "support/canvas.rs"]
mod canvas;
#[path = "support/editor.rs"]
mod editor;

#[path = "editor_canvas/build.rs"]
mod build;
#[path = "editor_canvas/fold.rs"]
mod fold;
#[path = "editor_canvas/groups.rs"]
mod groups;
#[path = "editor_canvas/layout.rs"]
mod layout;
#[path = "editor_canvas/nodes.rs"]
mod nodes;
#[path = "editor_canvas/selection.rs"]
mod selection;
#[path = "editor_canvas/values.rs"]
mod values;
#[path = "editor_canvas/view.rs"]
mod view;
#[path = "editor_canvas/wires.rs"]
mod wires;

use canvas::*;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, pos2, vec2};
use egui_kittest::kittest::Queryable;
use jounce::graph::{Command, Document, GraphRef, Link, Node, PortRef, built_in_style};
use jounce::ir::Number;
use jounce::script::{Library, Setting};

const NONE: Modifiers = Modifiers::NONE;
const CTRL: Modifiers = Modifiers::COMMAND;

fn has_link(hands: &Hands, from: (&str, &str), to: (&str, &str)) -> bool {
    let link = Link::new(PortRef::new(from.0, from.1), PortRef::new(to.0, to.1));
    graph(hands).links.contains(&link)
}

fn last_message(hands: &Hands) -> String {
    hands.state().state.session.messages().last().map(|it| it.text.clone()).unwrap_or_default()
}
