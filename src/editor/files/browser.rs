//! Choosing a file, inside the window.

use super::documents::{self, Next};
use super::{cast, drops, orders};
use crate::State;
use egui::Context;
use egui_file_dialog::{DialogState, FileDialog};
use std::path::{Path, PathBuf};

/// What the file is chosen for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    Open,
    SaveAs {
        next: Option<Next>,
    },
    SavePacked,
    Relink,
    /// The file or folder that an order writes.
    Order,
}

#[derive(Default)]
pub struct Browser {
    open: Option<(Purpose, Box<FileDialog>)>,
    /// Where the user was last.
    folder: Option<PathBuf>,
}

impl Browser {
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }
}

const CHARACTERS: &str = "Characters (.glb, .gltf)";
const DOCUMENTS: &str = "Jounce documents";
const BOTH: &str = "Documents and characters";

pub fn open(state: &mut State, purpose: Purpose) {
    let file = state.session.file().map(Path::to_owned);
    let of_file = file.as_deref().and_then(Path::parent).map(Path::to_owned);
    let folder = state.files.browser.folder.clone().or(of_file);
    let folder = folder.filter(|folder| folder.is_dir());
    let folder = folder.or_else(|| std::env::current_dir().ok()).unwrap_or_default();
    let name = file.as_deref().map(super::short_name).unwrap_or("untitled.jounce".to_owned());
    let dialog = FileDialog::new()
        .initial_directory(folder)
        .default_size([720.0, 460.0])
        .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
        .add_file_filter_extensions(BOTH, vec!["jounce", "glb", "gltf"])
        .add_file_filter_extensions(DOCUMENTS, vec!["jounce"])
        .add_file_filter_extensions(CHARACTERS, vec!["glb", "gltf"]);
    let mut dialog = match &purpose {
        Purpose::Open => dialog.title("Open").default_file_filter(BOTH),
        Purpose::Relink => dialog.title("Where is the character?").default_file_filter(CHARACTERS),
        Purpose::SaveAs { .. } => dialog
            .title("Save As")
            .default_file_name(&name)
            .add_save_extension(DOCUMENTS, "jounce")
            .default_save_extension(DOCUMENTS),
        Purpose::SavePacked => dialog
            .title("Save Packed")
            .default_file_name(&name)
            .add_save_extension(DOCUMENTS, "jounce")
            .default_save_extension(DOCUMENTS),
        Purpose::Order => {
            let order = state.files.order.as_ref();
            dialog
                .title("Choose Where to Save")
                .default_file_name(&order.map(orders::file_name).unwrap_or_default())
        }
    };
    match &purpose {
        Purpose::Open | Purpose::Relink => dialog.pick_file(),
        Purpose::SaveAs { .. } | Purpose::SavePacked => dialog.save_file(),
        Purpose::Order => match state.files.order.as_ref().is_some_and(orders::wants_folder) {
            true => dialog.pick_directory(),
            false => dialog.save_file(),
        },
    }
    state.files.browser.open = Some((purpose, Box::new(dialog)));
}

pub fn show(ctx: &Context, state: &mut State) {
    let Some((purpose, mut dialog)) = state.files.browser.open.take() else { return };
    dialog.update(ctx);
    if let Some(path) = dialog.take_picked() {
        state.files.browser.folder = path.parent().map(Path::to_owned);
        picked(state, ctx, purpose, &path);
    } else if *dialog.state() == DialogState::Open {
        state.files.browser.open = Some((purpose, dialog));
    }
}

/// May a file that is dropped be taken for the one that is asked for?
pub fn takes_drops(state: &State) -> bool {
    let open = state.files.browser.open.as_ref();
    open.is_some_and(|(purpose, _)| matches!(purpose, Purpose::Open | Purpose::Relink))
}

/// As if the user had chosen this file in the dialog that is open.
pub fn choose(state: &mut State, ctx: &Context, path: &Path) {
    if let Some((purpose, _)) = state.files.browser.open.take() {
        picked(state, ctx, purpose, path);
    }
}

/// What is done with a file that was chosen.
fn picked(state: &mut State, ctx: &Context, purpose: Purpose, path: &Path) {
    match purpose {
        // Unsaved work was asked for before the file was chosen.
        Purpose::Open => match path.extension() {
            Some(ending) if ending.eq_ignore_ascii_case("jounce") => {
                documents::open_document(state, ctx, path);
            }
            _ => drops::take_dropped(state, ctx, path),
        },
        Purpose::SaveAs { next } => documents::save_as(state, ctx, path, next),
        Purpose::SavePacked => documents::save_packed(state, ctx, path),
        Purpose::Relink => cast::relink(state, ctx, path),
        Purpose::Order => {
            if let Some(order) = &mut state.files.order {
                orders::set_path(order, path);
            }
        }
    }
}
