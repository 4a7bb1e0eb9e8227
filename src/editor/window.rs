//! Opens the window, or says in one sentence why it cannot.

use super::Editor;
use super::files::take_dropped;
use jounce_graph::document::built_in_style;
use jounce_graph::script::{ScriptFolders, user_scripts_folder};
use jounce_session::{Cast, CastError, Session, Severity, user_state_folder};
use std::path::Path;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum OpenWindowError {
    #[error(
        "there is no display to open a window on; `jounce demo` makes a page of films without one, and `jounce --help` lists what else works without one"
    )]
    NoDisplay,
    #[error(
        "no window could be opened: {0}; a Vulkan or OpenGL driver is needed (on Debian: mesa-vulkan-drivers); `jounce demo` makes a page of films without one"
    )]
    Window(String),
    #[error("there is no display: {0}; `jounce demo` makes a page of films without one")]
    DeadDisplay(String),
    #[error("the editor cannot start: {0}")]
    Start(String),
    #[error(transparent)]
    Cast(#[from] CastError),
}

/// What is open at the start: something that is already moving.
fn first_session() -> Result<Session, CastError> {
    let document = built_in_style("default").unwrap_or_default();
    let cast = Cast::load(&document.motion, None)?;
    let folders = user_scripts_folder().into_iter().collect();
    let scripts = ScriptFolders::new(folders, std::time::SystemTime::now());
    Ok(Session::new(document, cast, scripts))
}

pub fn open_window(file: Option<&Path>) -> Result<(), OpenWindowError> {
    if !has_display() {
        return Err(OpenWindowError::NoDisplay);
    }
    let session = first_session()?;
    let file = file.map(Path::to_owned);
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Jounce")
            .with_app_id("jounce")
            .with_inner_size([1500.0, 940.0])
            .with_min_inner_size([720.0, 480.0])
            .with_drag_and_drop(true),
        renderer: eframe::Renderer::Wgpu,
        wgpu_options: wgpu_options(),
        ..Default::default()
    };
    let app: eframe::AppCreator = Box::new(move |cc| {
        let mut editor = Editor::new(cc, session)?;
        keep_between_runs(&mut editor);
        // Handled like a dropped file: in the background, and nothing is lost if it fails.
        if let Some(file) = &file {
            take_dropped(&mut editor.state, &cc.egui_ctx, file);
        }
        Ok(Box::new(editor))
    });
    let opened = eframe::run_native("Jounce", options, app);
    opened.map_err(|error| match error {
        eframe::Error::AppCreation(error) => OpenWindowError::Start(error.to_string()),
        // Before any driver is asked: the server that should open windows does not answer.
        eframe::Error::Winit(_) | eframe::Error::WinitEventLoop(_) => {
            let server = ["WAYLAND_DISPLAY", "DISPLAY"].map(std::env::var);
            let server = server.into_iter().flatten().find(|name| !name.is_empty());
            let server = server.unwrap_or_default();
            OpenWindowError::DeadDisplay(format!("nothing answers at \"{server}\""))
        }
        error => OpenWindowError::Window(error.to_string()),
    })
}

/// Recent files, and copies of what is not saved yet.
fn keep_between_runs(editor: &mut Editor) {
    let state = &mut editor.state;
    let Some(folder) = user_state_folder() else { return };
    if let Err(error) = state.files.keep_in(&folder) {
        let folder = folder.display();
        let text = format!("{folder} cannot be written to ({error}); a crash would lose your work");
        state.session.say(Severity::Warning, text);
    }
}

/// On systems where a window needs a server, is there one?
fn has_display() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let needs_server = cfg!(all(unix, not(target_os = "macos")));
    !needs_server || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET")
}

/// The evaluator reads more buffers than egui asks a device for.
pub fn wgpu_options() -> egui_wgpu::WgpuConfiguration {
    let mut setup = egui_wgpu::WgpuSetupCreateNew::without_display_handle();
    setup.device_descriptor = std::sync::Arc::new(|adapter| wgpu::DeviceDescriptor {
        label: Some("jounce"),
        required_limits: adapter.limits(),
        ..Default::default()
    });
    egui_wgpu::WgpuConfiguration { wgpu_setup: setup.into(), ..Default::default() }
}
