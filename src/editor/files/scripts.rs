//! Node scripts that change while they are used.

use crate::State;
use egui::Context;
use jounce_graph::script::FolderWatch;
use jounce_session::Severity;
use std::time::Duration;

/// Looks at the folders of scripts, from the first frame on.
#[derive(Default)]
pub struct ScriptWatch {
    watch: Option<FolderWatch>,
    is_begun: bool,
}

/// How soon a saved script is seen while nothing else moves.
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);

pub fn follow(state: &mut State, ctx: &Context) {
    let watching = &mut state.files.scripts;
    if !watching.is_begun {
        watching.is_begun = true;
        let folders = state.session.scripts().folders().to_vec();
        if folders.is_empty() {
            return;
        }
        match FolderWatch::new(folders) {
            Ok(watch) => watching.watch = Some(watch),
            Err(error) => state.session.say(Severity::Warning, error.to_string()),
        }
    }
    let Some(watch) = &mut state.files.scripts.watch else { return };
    ctx.request_repaint_after(BETWEEN_LOOKS);
    let changed = watch.poll();
    if changed.is_empty() {
        return;
    }
    let reloaded = state.session.reload_scripts(&changed);
    if reloaded.is_empty() {
        return;
    }
    let broken: Vec<String> = state
        .session
        .scripts()
        .broken()
        .filter(|broken| reloaded.files.contains(&broken.file))
        .map(|broken| match &broken.in_use {
            Some(name) => {
                format!("{}; until it is fixed, the last working \"{name}\" is used", broken.error)
            }
            None => broken.error.to_string(),
        })
        .collect();
    for error in broken {
        state.session.say(Severity::Error, error);
    }
    if !reloaded.types.is_empty() {
        let names: Vec<&str> = reloaded.types.iter().map(String::as_str).collect();
        state.session.say(Severity::Note, format!("reloaded: {}", names.join(", ")));
    }
}
