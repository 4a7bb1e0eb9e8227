//! What is being typed. Each pause is one step of the document, not each key.

use super::field::Colors;
use crate::State;
use egui::{Context, Id};
use jounce_session::{CodeOf, Session};

/// A pause this long is the end of a change.
const PAUSE_SECS: f64 = 0.4;

pub struct Draft {
    pub text: String,
    /// What its place had when both were the same.
    taken: String,
    /// When a key was pressed last.
    typed_at: Option<f64>,
    pub colors: Colors,
    /// Where it was shown in this frame: in the inspector, and in the panel.
    pub fields: Vec<Id>,
}

impl Draft {
    pub fn of(text: String) -> Draft {
        let (taken, colors) = (text.clone(), Colors::default());
        Draft { taken, text, typed_at: None, colors, fields: Vec::new() }
    }

    pub fn typed(&mut self, now_secs: f64) {
        self.typed_at = Some(now_secs);
    }

    /// Is something typed that its place does not have yet?
    pub fn is_ahead(&self) -> bool {
        self.text != self.taken
    }

    fn is_paused(&self, ctx: &Context, now_secs: f64) -> bool {
        let is_left = !self.fields.iter().any(|field| ctx.memory(|it| it.has_focus(*field)));
        is_left || self.typed_at.is_none_or(|at| now_secs - at >= PAUSE_SECS)
    }
}

/// Once per frame: what was typed goes where it belongs, and what changed there comes back.
pub fn follow(ctx: &Context, state: &mut State) {
    let now_secs = ctx.input(|input| input.time);
    let mut drafts = std::mem::take(&mut state.code.drafts);
    drafts.retain(|of, draft| take_over(ctx, &mut state.session, now_secs, of, draft));
    state.code.drafts = drafts;
}

/// What is typed counts now: the document is about to be saved, or left.
pub fn take_all(state: &mut State) {
    for (of, draft) in &mut state.code.drafts {
        if draft.is_ahead() && state.session.code(of).is_some() {
            state.session.set_code(of, &draft.text);
            draft.taken.clone_from(&draft.text);
        }
    }
}

/// False: its place is gone, or nobody looks at it any more.
fn take_over(
    ctx: &Context,
    session: &mut Session,
    now_secs: f64,
    of: &CodeOf,
    draft: &mut Draft,
) -> bool {
    let Some(there) = session.code(of) else { return false };
    if there != draft.taken {
        // By an undo, or somebody else. What is being typed has the last word.
        if !draft.is_ahead() {
            draft.text.clone_from(&there);
        }
        draft.taken = there;
    }
    let is_shown = !draft.fields.is_empty();
    if draft.is_ahead() {
        if draft.is_paused(ctx, now_secs) {
            session.set_code(of, &draft.text);
            // Also if that failed, which was said: not again in every frame.
            draft.taken.clone_from(&draft.text);
        } else {
            ctx.request_repaint_after(std::time::Duration::from_secs_f64(PAUSE_SECS));
        }
    }
    // Those that show it say so again in this frame.
    draft.fields.clear();
    is_shown || draft.is_ahead()
}
