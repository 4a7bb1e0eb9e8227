//! The node canvas, driven by hand: what it does is read back from the document.

mod build;
mod fold;
mod groups;
mod layout;
mod nodes;
mod selection;
mod values;
mod view;
mod wires;

use crate::support::{canvas, editor};
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
