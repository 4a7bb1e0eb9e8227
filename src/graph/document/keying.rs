//! Keys of parameters, as the editor sets them: one command each. They belong to the motion, because they are
//! about moments of a clip; they name parameters as `--set` does: by the name that a Parameter node shows, or by
//! `node.port`, with the path of the node where it is in a group.

use super::bone_paths::{Cut, cut};
use super::{Command, Document, GraphRef, Node, PARAMETER_TYPE};
use crate::script::Setting;
use jounce_base::keyed_value::{KeyedValue, MotionKeys};

/// Sets all keys of a parameter over a clip; without any, it is keyed no more.
pub fn set_keys(clip: &str, parameter: &str, keys: KeyedValue) -> Command {
    let keys = Some(keys).filter(|keys| !keys.keys.is_empty());
    Command::SetKeys { clip: clip.to_owned(), parameter: parameter.to_owned(), keys }
}

/// What a Parameter node shows where nobody has named it, as its script has it.
const DEFAULT_NAME: &str = "amount";

/// The name that a Parameter node shows.
pub fn exposed_name(node: &Node) -> Option<&str> {
    let name = match node.settings.get("name") {
        Some(Setting::Text(name)) => name,
        _ => DEFAULT_NAME,
    };
    (node.node_type == PARAMETER_TYPE && !name.trim().is_empty()).then_some(name)
}

/// By which keys know an input of a node: what a Parameter shows, else `path/node.port`. `path` is that of the node.
pub fn keyed_name(path: &str, node: &Node, port: &str) -> String {
    match exposed_name(node).filter(|_| port == "value") {
        Some(name) => name.to_owned(),
        None => format!("{path}.{port}"),
    }
}

/// The input that keys of a name belong to, if the name is a path.
fn path_and_port(name: &str) -> Option<(&str, &str)> {
    name.split_once('.')
}

/// Keys of the parameters of nodes that go away. A name that another node shows too keeps its keys.
pub(super) fn forget(
    document: &Document,
    graph: &GraphRef,
    gone: impl Fn(&str) -> bool,
) -> Vec<Command> {
    let mut names: Vec<(&str, bool)> = Vec::new();
    for (graph_ref, contents) in document.style.graphs() {
        let is_gone = |id: &str| graph_ref == *graph && gone(id);
        let shown =
            contents.nodes.iter().filter_map(|(id, node)| Some((exposed_name(node)?, is_gone(id))));
        names.extend(shown);
    }
    let is_lost = |name: &str| {
        let mut shown = names.iter().filter(|(known, _)| *known == name).peekable();
        if shown.peek().is_some() {
            return shown.all(|(_, is_gone)| *is_gone);
        }
        path_and_port(name)
            .and_then(|(path, _)| cut(document, graph, path))
            .is_some_and(|(_, cut)| gone(cut.id))
    };
    of_names(&document.motion.keys, |name| is_lost(name).then_some(None))
}

/// The keys that go along when a Parameter is renamed: none where another node shows its name too.
pub fn keys_of_name(document: &Document, node: &Node) -> MotionKeys {
    let name = exposed_name(node);
    let nodes = document.style.graphs().flat_map(|(_, graph)| graph.nodes.values());
    match name.is_some() && nodes.filter(|other| exposed_name(other) == name).count() > 1 {
        true => MotionKeys::default(),
        false => document.motion.keys.clone(),
    }
}

/// The same keys under the name that a Parameter shows from now on; None: that of its script. One that shows none is
/// known by its path. Keys that are there already go.
pub fn rename_keys(keys: &MotionKeys, path: &str, node: &Node, new: Option<&str>) -> Vec<Command> {
    let mut renamed = node.clone();
    renamed.settings.remove("name");
    let set = new.map(|name| ("name".to_owned(), Setting::Text(name.to_owned())));
    renamed.settings.extend(set);
    let (old, new) = (keyed_name(path, node, "value"), keyed_name(path, &renamed, "value"));
    if old == new {
        return Vec::new();
    }
    of_names(keys, |name| (name == old).then(|| Some(new.clone())))
}

/// Keys follow their node along paths; see [`super::bone_paths::carry`].
pub(super) fn carry(
    document: &Document,
    graph: &GraphRef,
    keep: bool,
    new_path: impl Fn(&Cut<'_>) -> Option<Vec<String>>,
) -> Vec<Command> {
    let renamed = |name: &str| {
        let (path, port) = path_and_port(name)?;
        let (prefix, cut) = cut(document, graph, path)?;
        let parts = prefix.iter().map(|part| (*part).to_owned()).chain(new_path(&cut)?);
        Some(Some(format!("{}.{port}", parts.collect::<Vec<_>>().join("/"))))
    };
    let mut commands = of_names(&document.motion.keys, renamed);
    if keep {
        commands.retain(|command| matches!(command, Command::SetKeys { keys: Some(_), .. }));
    }
    commands
}

/// Removes keys from under some names, and sets them under others where there is another name.
fn of_names(keys: &MotionKeys, new_name: impl Fn(&str) -> Option<Option<String>>) -> Vec<Command> {
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    for (clip, keys) in keys {
        for (name, keyed) in keys {
            let Some(new) = new_name(name) else { continue };
            let set =
                |parameter: String, keys| Command::SetKeys { clip: clip.clone(), parameter, keys };
            removed.push(set(name.clone(), None));
            added.extend(new.map(|new| set(new, Some(keyed.clone()))));
        }
    }
    // One's new name may be another's old one.
    removed.extend(added);
    removed
}
