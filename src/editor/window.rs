//! Opens the window, or says in one sentence why it cannot.

use super::Editor;
use crate::graph::built_in_style;
use crate::script::{ScriptFolders, user_scripts_folder};
use crate::session::{Cast, CastError, Session};
use std::path::Path;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum OpenWindowError {
    #[error(
        "there is no display to open a window on; `jounce render` and `jounce bake` work without one"
    )]
    NoDisplay,
    #[error(
        "no window could be opened: {0}; a Vulkan or OpenGL driver is needed (on Debian: mesa-vulkan-drivers); `jounce bake` works without one"
    )]
    Window(String),
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
    let mut session = first_session()?;
    if let Some(file) = file
        && let Err(error) = session.open(file)
    {
        session.say(crate::session::Severity::Error, error.to_string());
    }
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
    let app: eframe::AppCreator = Box::new(|cc| Ok(Box::new(Editor::new(cc, session)?)));
    let opened = eframe::run_native("Jounce", options, app);
    opened.map_err(|error| OpenWindowError::Window(error.to_string()))
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
