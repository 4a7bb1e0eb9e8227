//! What a document sets for a character, looked at on that very character.

use crate::eval::Bound;
use crate::graph::Document;
use crate::ir::Program;
use crate::session::{character_key, load_character, settings_for};
use std::path::Path;

/// What the style and the settings name, and the character of the motion does not have. Evaluating goes
/// on without it, so these are warnings. Of other characters a file does not say where they are.
pub fn warnings(file: &Path, document: &Document, program: &Program) -> Vec<String> {
    let Some(name) = &document.motion.character else {
        return Vec::new();
    };
    let character = match load_character(name, file.parent(), &document.packed) {
        Ok(character) => character,
        Err(error) => {
            let what = "what is set for its bones, maps and flesh was not looked at";
            return vec![format!("the character of the motion is not there: {error}; {what}")];
        }
    };
    let settings = settings_for(document, &character_key(name)).cloned().unwrap_or_default();
    match Bound::warnings(program, &character, &settings) {
        Ok(warnings) => warnings.iter().map(ToString::to_string).collect(),
        Err(error) => vec![error.to_string()],
    }
}
