//! Which node a value belongs to, where several nodes asked for the same one.
//!
//! The first that asked may have done so for an output that nobody uses. So a value goes to the
//! node of whatever uses it, if that asked for it too.

use super::builder::Entry;
use super::program::Origin;
use std::sync::Arc;

pub(super) fn origins(entries: &[Entry]) -> Vec<Origin> {
    let mut users: Vec<Option<Arc<str>>> = vec![None; entries.len()];
    let mut origins = vec![Origin::default(); entries.len()];
    // Users stand behind what they use.
    for (place, entry) in entries.iter().enumerate().rev() {
        let of_user = entry.askers.iter().find(|asker| Some(&asker.node) == users[place].as_ref());
        let Some(asker) = of_user.or(entry.askers.first()) else { continue };
        let text = |text: &Option<Arc<str>>| text.as_ref().map(|text| text.to_string());
        let (name, note) = (text(&asker.name), text(&asker.note));
        origins[place] = Origin { node: asker.node.to_string(), name, note };
        for operand in entry.op.operands() {
            users[operand.index()] = Some(asker.node.clone());
        }
    }
    origins
}
