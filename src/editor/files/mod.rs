//! Files: documents, characters that are dropped, and what is written for others.
//!
//! ```text
//! documents  new, open, save, and what happens before unsaved work goes away
//! questions  the dialogs that ask: save first? recover? where is the character?
//! browser    choosing a file         menu      recent files, examples
//! drops      a file on the window    cast      the cast follows the document
//! scripts    node scripts that change while they are used
//! orders     dialogs of what takes long: bake, shader, pictures
//! ```

mod browser;
mod cast;
mod documents;
mod drops;
pub mod menu;
mod orders;
mod pictures;
mod questions;
mod scripts;

pub use browser::{Purpose, choose};
pub(super) use documents::unless_unsaved;
pub use documents::{Next, open_document};
pub use drops::{choose_motion, hold_feet, take_dropped, undo_fit};
pub use orders::{BakeForm, Order, PictureForm, ShaderForm};
pub use questions::Question;

use super::action::{Action, Menu};
use super::panels::viewport::FitNotice;
use super::state::State;
use browser::Browser;
use cast::KnownCasts;
use egui::{Context, Key, Modifiers};
use jounce_session::{AUTOSAVE_EVERY, Autosave, RecentFiles, Severity, recoverable};
use scripts::ScriptWatch;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = CTRL.plus(Modifiers::SHIFT);

pub const ACTIONS: &[Action] = &[
    Action::new(
        "New",
        Menu::File,
        "Starts a new document with the default style.",
        |state, ctx| {
            documents::unless_unsaved(state, ctx, Next::New);
        },
    )
    .key(CTRL, Key::N)
    .while_typing(),
    Action::new(
        "Open…",
        Menu::File,
        "Opens a .jounce document, or a character.",
        |state, ctx| {
            documents::unless_unsaved(state, ctx, Next::Choose);
        },
    )
    .key(CTRL, Key::O)
    .while_typing(),
    Action::new("Save", Menu::File, "Saves the document to its file.", |state, ctx| {
        documents::save(state, ctx, None);
    })
    .key(CTRL, Key::S)
    .while_typing(),
    Action::new("Save As…", Menu::File, "Saves the document to another file.", |state, _| {
        browser::open(state, Purpose::SaveAs { next: None });
    })
    .key(CTRL_SHIFT, Key::S)
    .while_typing(),
    Action::new(
        "Save Packed…",
        Menu::File,
        "Saves the document with its character inside, as one file that can be shared.",
        |state, _| browser::open(state, Purpose::SavePacked),
    ),
    Action::new(
        "Relink Character…",
        Menu::File,
        "Finds a character that was moved or renamed; its settings are kept.",
        |state, _| browser::open(state, Purpose::Relink),
    ),
    Action::new(
        "Bake…",
        Menu::File,
        "Writes the moving vertices to a file for Blender, Maya or Houdini.",
        |state, _| orders::open_bake(state),
    ),
    Action::new(
        "Export Shader…",
        Menu::File,
        "Writes the graph as a shader for engines, with a manifest.",
        |state, _| orders::open_shader(state),
    ),
    Action::new(
        "Screenshot…",
        Menu::File,
        "Saves what the viewport shows as a .png.",
        |state, _| {
            orders::open_picture(state, false);
        },
    )
    .enabled_if(|state| state.device.is_some()),
    Action::new("Film…", Menu::File, "Saves the motion as a looping .gif.", |state, _| {
        orders::open_picture(state, true);
    })
    .enabled_if(|state| state.device.is_some()),
    Action::new("Quit", Menu::File, "Closes the window.", |state, ctx| {
        documents::unless_unsaved(state, ctx, Next::Close);
    })
    .key(CTRL, Key::Q)
    .while_typing(),
    Action::new(
        "Fit to Clip",
        Menu::Graph,
        "Adjusts the amounts of the style to this character and clip, part by part; wires stay as they are.",
        drops::fit_to_clip,
    ),
];

#[derive(Default)]
pub struct FilesView {
    /// None: nothing is kept between runs.
    folder: Option<PathBuf>,
    pub recent: RecentFiles,
    autosave: Option<Autosave>,
    browser: Browser,
    pub question: Option<Question>,
    pub order: Option<Order>,
    casts: KnownCasts,
    /// The style as the last fit left it: while nobody has touched it, it follows the motion.
    fitted: Option<jounce_graph::document::Style>,
    /// What the last fit did.
    pub fit_notice: Option<FitNotice>,
    scripts: ScriptWatch,
    /// The user has said that unsaved work may go.
    may_close: bool,
}

impl FilesView {
    /// Keeps recent files and copies of unsaved work in a folder, and offers what a crash left there.
    pub fn keep_in(&mut self, folder: &Path) -> std::io::Result<()> {
        self.keep_in_every(folder, AUTOSAVE_EVERY)
    }

    /// The same with another pace, for tests that do not wait.
    pub fn keep_in_every(&mut self, folder: &Path, every: Duration) -> std::io::Result<()> {
        self.recent = RecentFiles::of_folder(folder);
        let left_behind = recoverable(folder);
        if !left_behind.is_empty() {
            self.question = Some(Question::Recover(left_behind));
        }
        self.folder = Some(folder.to_owned());
        self.autosave = Some(Autosave::new(folder, every)?);
        Ok(())
    }

    /// While a dialog is open, keys belong to it.
    pub fn is_asking(&self) -> bool {
        self.question.is_some() || self.order.is_some() || self.browser.is_open()
    }
}

/// Once per frame, before anything is shown.
pub fn logic(state: &mut State, ctx: &Context) {
    let close_requested = ctx.input(|input| input.viewport().close_requested());
    if close_requested && state.session.history().is_modified() && !state.files.may_close {
        ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
        state.files.question = Some(Question::Unsaved(Next::Close));
    }
    let dropped = ctx.input(|input| input.raw.dropped_files.clone());
    for file in dropped {
        drops::answer_or_take(state, ctx, file.path());
    }
    cast::follow(state, ctx);
    scripts::follow(state, ctx);
    if let Some(mut autosave) = state.files.autosave.take() {
        if let Err(error) = autosave.tick(&state.session, Instant::now()) {
            let text = format!("the recovery copy cannot be written: {error}");
            state.session.say(Severity::Warning, text);
        }
        if !autosave.is_up_to_date(&state.session) {
            ctx.request_repaint_after(Duration::from_millis(500));
        }
        state.files.autosave = Some(autosave);
    }
}

/// The dialogs, over everything.
pub fn show(ctx: &Context, state: &mut State) {
    drops::show_hint(ctx);
    // One at a time. A question comes last and is answered first: it may be about closing the window.
    if state.files.question.is_some() {
        questions::show(ctx, state);
    } else if state.files.browser.is_open() {
        browser::show(ctx, state);
    } else {
        orders::show(ctx, state);
    }
}

/// A file's name without its folders, for messages.
pub(super) fn short_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
