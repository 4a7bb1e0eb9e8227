//! A file that was dropped: a character, a document, or a sentence that says what to do.

use super::{Cast, Opened};
use jounce_graph::document::MotionSettings;
use std::path::Path;

pub enum Incoming {
    Character(Box<Cast>),
    Document(Box<Opened>),
}

/// Reads it, whatever it is. Slow: for the background.
pub fn read_incoming(path: &Path) -> Result<Incoming, String> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    if path.is_dir() {
        return Err(format!("{name} is a folder; drop a .glb, .gltf or .jounce file"));
    }
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match ending.as_str() {
        "jounce" => match Opened::read(path) {
            Ok(opened) => Ok(Incoming::Document(Box::new(opened))),
            Err(error) => Err(format!("{name}: {error}")),
        },
        "rhai" => Err(match jounce_graph::script::user_scripts_folder() {
            Some(folder) => format!(
                "{name} is a node script; put it into {}, and its node appears at once",
                folder.display()
            ),
            None => format!("{name} is a node script; put it into a scripts folder"),
        }),
        "glb" | "gltf" => {
            let character = Some(path.display().to_string());
            let motion = MotionSettings { character, ..MotionSettings::default() };
            match Cast::load(&motion, None) {
                Ok(cast) => Ok(Incoming::Character(Box::new(cast))),
                Err(super::CastError::Load { source, .. }) => Err(format!("{name}: {source}")),
                Err(error) => Err(format!("{name}: {error}")),
            }
        }
        _ => Err(format!(
            "{name} is neither a character nor a document; drop a .glb, .gltf or .jounce file"
        )),
    }
}
