//! Checks the settings of a character against the character itself.

use jounce_base::text::nearest;
use jounce_eval::{Bound, hierarchy};
use jounce_graph::document::{Document, MotionSettings};
use jounce_ir::Program;
use jounce_session::{Cast, ClipChoice, character_key, load_character, settings_for};
use std::path::Path;
use std::sync::Arc;

/// What the style and the settings name, and the character of the motion does not have. Evaluating goes
/// on without it, so these are warnings. Of other characters a file does not say where they are.
pub fn warnings(file: &Path, document: &Document, program: &Program) -> Vec<String> {
    let Some(name) = &document.motion.character else {
        return Vec::new();
    };
    let (character, mut said) = match Cast::of_document(document, file.parent()) {
        Ok(cast) => (cast.character.clone(), motion_warnings(&cast, &document.motion)),
        // Is it the character, or only the clips it borrows?
        Err(error) => match load_character(name, file.parent(), &document.packed) {
            Ok(character) => {
                let said = format!("the clips of the motion cannot be read: {error}");
                (Arc::new(character), vec![said])
            }
            Err(error) => {
                let what = "its bones, maps and flesh were not checked";
                return vec![format!(
                    "the character of the motion cannot be read: {error}; {what}"
                )];
            }
        },
    };
    let settings = settings_for(document, &character_key(name)).cloned().unwrap_or_default();
    let hung = hierarchy::hung(program, &character, &settings);
    match hung.and_then(|hung| Bound::warnings(program, &hung, &settings)) {
        Ok(warnings) => said.extend(warnings.iter().map(ToString::to_string)),
        Err(error) => said.push(error.to_string()),
    }
    said
}

/// Why something else is played than the document says.
fn motion_warnings(cast: &Cast, motion: &MotionSettings) -> Vec<String> {
    let is_there = |name: &String| cast.clips.iter().any(|clip| clip.name == *name);
    let lost = motion.clip.iter().filter(|name| motion.test.is_none() && !is_there(name));
    let lost = lost.map(|name| format!("the character does not have the motion's clip \"{name}\""));
    lost.chain(cast.motion_warning(motion)).chain(lost_keys(cast, motion)).collect()
}

/// Keys belong to a clip by its name; those of a misspelt one would do nothing, silently.
fn lost_keys(cast: &Cast, motion: &MotionSettings) -> Vec<String> {
    let played = cast.play(ClipChoice::OfDocument(motion), motion.looped).ok();
    let played = played.iter().map(|(clip, _)| clip);
    let known: Vec<&str> = cast.clips.iter().chain(played).map(|clip| clip.name.as_str()).collect();
    let lost = motion.keys.keys().filter(|name| !known.contains(&name.as_str()));
    lost.map(|name| {
        let nearest = nearest(name, known.iter().copied());
        let hint = nearest.map_or(String::new(), |near| format!(" (did you mean \"{near}\"?)"));
        format!(
            "the keys of the clip \"{name}\" do nothing, because the character has no such clip{hint}; rename or remove them"
        )
    })
    .collect()
}
