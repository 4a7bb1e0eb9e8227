//! The code of a node: written in the inspector and, with more room, in a panel of its own.
//!
//! ```text
//! draft    what is being typed, until there is a pause: then the document, or the file, has it
//! field    the field: colours, line numbers, marks where something is wrong
//! keys     what keys do in it beside typing     complete  the list of what may be meant
//! show     the panel, and what the inspector has of it
//! actions  what can be done with code         dialog   asks for names
//! folder   opens the folder of scripts
//! ```
//! The document has what is typed, also with mistakes in it; what plays is then the last version that worked.

mod actions;
mod complete;
mod dialog;
mod draft;
mod field;
mod folder;
mod keys;
mod show;

pub use actions::{ACTIONS, show_code};
pub use dialog::show as show_dialog;
pub use draft::{follow, take_all};
pub use show::{in_inspector, show};

use complete::Popup;
use dialog::Dialog;
use draft::Draft;
use jounce_graph::script::ScriptError;
use jounce_session::CodeOf;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What is remembered of code beside the document.
#[derive(Default)]
pub struct CodeView {
    /// Where something is being typed, or was looked at.
    drafts: BTreeMap<CodeOf, Draft>,
    popup: Popup,
    dialog: Option<Dialog>,
    /// What the panel shows in place of the selected node's code.
    file: Option<PathBuf>,
    /// The panel should come to the front.
    pub wants_panel: bool,
    /// Whose field should get the keyboard, once it is there; None: wherever it is.
    wants_focus: Option<(CodeOf, Option<Place>)>,
    /// A mistake that was clicked, and where.
    wants_cursor: Option<(Place, ScriptError)>,
}

/// Where code is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Inspector,
    Panel,
}

impl Place {
    /// For screen readers.
    fn label(self) -> &'static str {
        match self {
            Place::Inspector => "Code in inspector",
            Place::Panel => "Code in panel",
        }
    }
}

impl CodeView {
    /// Is a dialog open?
    pub fn is_asking(&self) -> bool {
        self.dialog.is_some()
    }

    pub fn is_choosing(&self) -> bool {
        self.popup.is_open()
    }
}
