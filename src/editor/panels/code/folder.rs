//! Opens the folder of scripts in the system's own file manager.

use crate::State;
use egui::Context;
use jounce_session::Severity;
use std::process::{Command, Stdio};

#[cfg(target_os = "macos")]
const OPENER: &str = "open";
#[cfg(target_os = "windows")]
const OPENER: &str = "explorer";
#[cfg(not(any(target_os = "macos", target_os = "windows")))]
const OPENER: &str = "xdg-open";

pub fn open(state: &mut State, _: &Context) {
    let Some(folder) = state.session.scripts_folder() else { return };
    let folder = folder.to_owned();
    let made = std::fs::create_dir_all(&folder);
    let opened = made.and_then(|()| {
        let mut command = Command::new(OPENER);
        let command = command.arg(&folder).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()
    });
    match opened {
        Ok(mut child) => {
            // Somebody must wait for it, or it stays in the list of processes for ever.
            std::thread::spawn(move || child.wait());
        }
        Err(error) => {
            let text = format!("{} cannot be opened: {error}; open it yourself", folder.display());
            state.session.say(Severity::Warning, text);
        }
    }
}
