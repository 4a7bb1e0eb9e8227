//! Bone values follow their node: they are kept per character under the node's path, which changes
//! when the node is copied, or put into a group or out of one. So do keys of its inputs ([`super::keying`]).
//!
//! A path is the ids of the group nodes that lead to the node, then its own: `tail/bone_value`.

use super::{Command, Document, GraphRef, keying};

/// A path, cut where it enters the graph in question.
pub struct Cut<'a> {
    /// The node of that graph.
    pub id: &'a str,
    /// What follows, if that node is a group.
    pub rest: Vec<&'a str>,
}

/// Commands that carry bone values and keys from the paths through a graph to new ones. `new_path` gives what
/// replaces the node and the rest of the path, or None if nothing changes; `keep` leaves the old
/// values there.
pub fn carry(
    document: &Document,
    graph: &GraphRef,
    keep: bool,
    new_path: impl Fn(&Cut<'_>) -> Option<Vec<String>>,
) -> Vec<Command> {
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    for (character, settings) in &document.characters {
        for (path, bones) in &settings.bone_values {
            let Some((prefix, cut)) = cut(document, graph, path) else { continue };
            let Some(tail) = new_path(&cut) else { continue };
            let parts = prefix.iter().map(|part| (*part).to_owned()).chain(tail);
            let target = parts.collect::<Vec<_>>().join("/");
            for (bone, value) in bones {
                let set = |node: &str, value| Command::SetBoneValue {
                    character: character.clone(),
                    node: node.to_owned(),
                    bone: bone.clone(),
                    value,
                };
                if !keep {
                    removed.push(set(path, None));
                }
                added.push(set(&target, Some(*value)));
            }
        }
    }
    // One node's new path may be another's old one.
    removed.extend(added);
    removed.extend(keying::carry(document, graph, keep, new_path));
    removed
}

/// Bone values and keys of nodes that go away. Without this, a later node of the same id would get them.
pub fn forget(document: &Document, graph: &GraphRef, gone: impl Fn(&str) -> bool) -> Vec<Command> {
    let mut commands = Vec::new();
    for (character, settings) in &document.characters {
        for (path, bones) in &settings.bone_values {
            if cut(document, graph, path).is_some_and(|(_, cut)| gone(cut.id)) {
                commands.extend(bones.keys().map(|bone| Command::SetBoneValue {
                    character: character.clone(),
                    node: path.clone(),
                    bone: bone.clone(),
                    value: None,
                }));
            }
        }
    }
    commands.extend(keying::forget(document, graph, gone));
    commands
}

/// The path up to where it enters the graph, and from there on. A graph is entered at most once:
/// groups do not contain themselves.
pub(super) fn cut<'a>(
    document: &Document,
    graph: &GraphRef,
    path: &'a str,
) -> Option<(Vec<&'a str>, Cut<'a>)> {
    let parts: Vec<&str> = path.split('/').collect();
    let mut inside = GraphRef::Top;
    for (index, id) in parts.iter().enumerate() {
        if inside == *graph {
            let (prefix, rest) = (parts.get(..index)?.to_vec(), parts.get(index + 1..)?.to_vec());
            return Some((prefix, Cut { id, rest }));
        }
        let node = document.style.graph(&inside)?.nodes.get(*id)?;
        inside = GraphRef::Group(node.group()?.to_owned());
    }
    None
}
