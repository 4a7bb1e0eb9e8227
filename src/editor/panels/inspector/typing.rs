//! What is being typed counts when its field is left, for the node it was typed for: also when that is
//! no longer shown, because another one was clicked.

use egui::{Context, Id};
use jounce_graph::document::Command;
use jounce_session::Session;

#[derive(Clone)]
pub struct Draft {
    pub field: Id,
    pub text: String,
    pub label: String,
    /// None: it is as before.
    pub command: Option<Command>,
}

fn place() -> Id {
    Id::new("inspector draft")
}

fn draft(ctx: &Context) -> Option<Draft> {
    ctx.data(|data| data.get_temp(place()))
}

/// What was typed into a field that is not left yet.
pub fn text_in(ctx: &Context, field: Id) -> Option<String> {
    draft(ctx).filter(|draft| draft.field == field).map(|draft| draft.text)
}

pub fn keep(ctx: &Context, draft: Draft) {
    ctx.data_mut(|data| data.insert_temp(place(), draft));
}

/// Once per frame: takes over what was typed into a field that has been left.
pub fn finish(ctx: &Context, session: &mut Session) {
    let Some(draft) = draft(ctx) else { return };
    if ctx.memory(|memory| memory.has_focus(draft.field)) {
        return;
    }
    ctx.data_mut(|data| data.remove::<Draft>(place()));
    if let Some(command) = draft.command {
        session.perform(&draft.label, command);
    }
}
