//! What the motion hierarchy changes, and why.

use jounce_base::text::{counted, visible};
use jounce_rig::Character;
use jounce_rig::hierarchy::Rehung;
use jounce_session::parents::{parent_name, reason};
use serde::Serialize;
use std::fmt::Write;

/// A bone that hangs elsewhere in the motion hierarchy than in the file. Lengths are parts of the size.
#[derive(Serialize)]
pub struct RehungReport {
    bone: usize,
    file_parent: Option<usize>,
    parent: usize,
    contact_share: f64,
    travel_in_file_parent: Option<f64>,
    travel_in_parent: Option<f64>,
}

pub fn report(character: &Character) -> Vec<RehungReport> {
    let of = |change: &Rehung| RehungReport {
        bone: change.bone,
        file_parent: change.file_parent,
        parent: change.parent,
        contact_share: change.contact_share,
        travel_in_file_parent: change.travel.map(|travel| travel.in_file_parent),
        travel_in_parent: change.travel.map(|travel| travel.in_parent),
    };
    character.motion_hierarchy().changes.iter().map(of).collect()
}

/// Writing to a string cannot fail, so the results of `writeln!` are dropped.
pub fn describe(text: &mut String, character: &Character) {
    let (skeleton, changes) = (&character.skeleton, &character.motion_hierarchy().changes);
    if changes.is_empty() {
        let _ = writeln!(text, "\nmotion hierarchy: as in the file");
        return;
    }
    let bones = counted(changes.len(), "bone");
    let _ = writeln!(text, "\nmotion hierarchy ({bones} elsewhere than in the file)");
    for change in changes {
        let [bone, parent] = [change.bone, change.parent].map(|bone| skeleton.bone_name(bone));
        let file_parent = parent_name(skeleton, change.file_parent);
        let _ = writeln!(
            text,
            "  {} on {}, not on {}: {}",
            visible(bone),
            visible(parent),
            visible(file_parent),
            visible(&reason(skeleton, change))
        );
    }
}
