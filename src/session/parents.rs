//! Whom the bones of a character move relative to: the file's parent, the one that was found, or the one that
//! a user has set; and why.

use super::Session;
use jounce_eval::hierarchy::{bones_with_set_parents, in_cycles, motion_parents};
use jounce_graph::document::Command;
use jounce_rig::hierarchy::{Rehung, Travel};
use jounce_rig::{Character, Skeleton};
use thiserror::Error;

/// Why a bone cannot have that parent.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ParentError {
    #[error(
        "{parent} is below {bone}, so it cannot be its parent; choose a bone outside that branch"
    )]
    HangsOnItself { bone: String, parent: String },
    #[error("the character has no such bone; choose one of the list")]
    NoBone,
}

/// Who carries a bone in the motion hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParentChoice {
    /// As it is found.
    Found,
    /// As the file has it.
    File,
    /// Another one; None: the scene.
    Other(Option<usize>),
}

/// A bone's name, or the scene.
pub fn parent_name(skeleton: &Skeleton, parent: Option<usize>) -> &str {
    parent.map_or("the scene", |bone| skeleton.bone_name(bone))
}

/// Why a bone hangs elsewhere than in the file, as a sentence.
pub fn reason(skeleton: &Skeleton, change: &Rehung) -> String {
    let [file, parent] = [change.file_parent, Some(change.parent)];
    let [file, parent] = [file, parent].map(|bone| parent_name(skeleton, bone));
    let contact =
        format!("{:.0} % of the skin it touches belongs to {parent}", change.contact_share * 100.0);
    match change.travel {
        Some(Travel { in_file_parent, in_parent }) => format!(
            "in its clips it moves {:.1} % of the character's size relative to {file} but only {:.1} % relative to \
             {parent}, and {contact}",
            in_file_parent * 100.0,
            in_parent * 100.0
        ),
        None => format!("it touches no bone above it in the file, and {contact}"),
    }
}

/// What was set, found and in the file for one bone, as it counts now.
#[derive(Clone, Debug, PartialEq)]
pub struct ParentInUse {
    pub file_parent: Option<usize>,
    pub parent: Option<usize>,
    pub is_set: bool,
    /// Where something else than the file's was found.
    pub found: Option<Rehung>,
}

/// Per bone of the session's character.
pub fn parents_in_use(session: &Session) -> Vec<ParentInUse> {
    let character = &session.cast().character;
    let settings = session.character_settings();
    let (parents, _) = motion_parents(character, &settings);
    let skeleton = &character.skeleton;
    let mut rows: Vec<ParentInUse> = parents
        .into_iter()
        .enumerate()
        .map(|(bone, parent)| ParentInUse {
            file_parent: skeleton.parent_in_file(bone),
            parent,
            is_set: false,
            found: None,
        })
        .collect();
    for change in &character.motion_hierarchy().changes {
        rows[change.bone].found = Some(*change);
    }
    for bone in bones_with_set_parents(character, &settings) {
        rows[bone].is_set = true;
    }
    rows
}

/// The command that hangs a bone of the session's character there.
pub fn set_parent(
    session: &Session,
    bone: usize,
    choice: ParentChoice,
) -> Result<Command, ParentError> {
    let character: &Character = &session.cast().character;
    let skeleton = &character.skeleton;
    if bone >= skeleton.bones.len() {
        return Err(ParentError::NoBone);
    }
    let (mut parents, _) = motion_parents(character, &session.character_settings());
    let parent = match choice {
        ParentChoice::Found => character.motion_hierarchy().parents[bone],
        ParentChoice::File => skeleton.parent_in_file(bone),
        ParentChoice::Other(parent) => parent,
    };
    if parent.is_some_and(|parent| parent >= skeleton.bones.len()) {
        return Err(ParentError::NoBone);
    }
    parents[bone] = parent;
    if in_cycles(&parents).contains(&bone) {
        let parent = parent_name(skeleton, parent).to_owned();
        let bone = skeleton.bone_name(bone).to_owned();
        return Err(ParentError::HangsOnItself { bone, parent });
    }
    let name = |bone: usize| skeleton.bone_name(bone).to_owned();
    Ok(Command::SetParent {
        character: session.character_settings_key(),
        bone: name(bone),
        parent: (choice != ParentChoice::Found).then(|| parent.map(name)),
    })
}
