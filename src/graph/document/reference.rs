//! How parts of a document are named: graphs, ports, links, published ports.
//!
//! A node's id has no dot and no slash, so `node.port` is a port and `group/node` a path, whatever
//! the port is called. Links and published ports are lists of two texts in a file: one line each.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::fmt;

/// Which graph of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GraphRef {
    #[default]
    Top,
    /// The inside of the group of this name.
    Group(String),
}

impl fmt::Display for GraphRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GraphRef::Top => f.write_str("the graph"),
            GraphRef::Group(name) => write!(f, "the group {name:?}"),
        }
    }
}

/// A port of a node; `node.port` as text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PortRef {
    pub node: String,
    pub port: String,
}

impl PortRef {
    pub fn new(node: impl Into<String>, port: impl Into<String>) -> PortRef {
        PortRef { node: node.into(), port: port.into() }
    }
}

impl fmt::Display for PortRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.node, self.port)
    }
}

impl TryFrom<String> for PortRef {
    type Error = String;

    fn try_from(text: String) -> Result<PortRef, String> {
        let parts = text.split_once('.');
        let (node, port) =
            parts.ok_or_else(|| format!("{text:?} is not a port; write it as \"node.port\""))?;
        Ok(PortRef::new(node, port))
    }
}

impl From<PortRef> for String {
    fn from(port: PortRef) -> String {
        port.to_string()
    }
}

/// A wire, from an output to an input.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "(PortRef, PortRef)", into = "(PortRef, PortRef)")]
pub struct Link {
    pub from: PortRef,
    pub to: PortRef,
}

impl Link {
    pub fn new(from: PortRef, to: PortRef) -> Link {
        Link { from, to }
    }

    pub fn touches(&self, node: &str) -> bool {
        self.from.node == node || self.to.node == node
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} → {}", self.from, self.to)
    }
}

impl From<(PortRef, PortRef)> for Link {
    fn from((from, to): (PortRef, PortRef)) -> Link {
        Link { from, to }
    }
}

impl From<Link> for (PortRef, PortRef) {
    fn from(link: Link) -> (PortRef, PortRef) {
        (link.from, link.to)
    }
}

/// A port that a group shows outside, under a name of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "(String, PortRef)", into = "(String, PortRef)")]
pub struct Published {
    pub name: String,
    /// The port inside.
    pub inner: PortRef,
}

impl From<(String, PortRef)> for Published {
    fn from((name, inner): (String, PortRef)) -> Published {
        Published { name, inner }
    }
}

impl From<Published> for (String, PortRef) {
    fn from(published: Published) -> (String, PortRef) {
        (published.name, published.inner)
    }
}

/// The longest id or name; long enough for people, short enough to be shown.
const MAX_NAME: usize = 64;

/// Letters, digits, `_` and `-`.
pub fn is_node_id(text: &str) -> bool {
    let allowed = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    !text.is_empty() && text.chars().count() <= MAX_NAME && text.chars().all(allowed)
}

/// Can this name a group or a published port? Words that fit into a path and a port's text form.
pub fn is_name(text: &str) -> bool {
    let allowed = |c: char| !c.is_control() && c != '.' && c != '/';
    text.trim() == text
        && !text.is_empty()
        && text.chars().count() <= MAX_NAME
        && text.chars().all(allowed)
}

/// `base`, or the first of `base2`, `base3`, … that is free.
pub fn first_free(base: &str, separator: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(base) {
        return base.to_owned();
    }
    let numbered = (2_u64..).map(|number| format!("{base}{separator}{number}"));
    numbered.into_iter().find(|name| !taken(name)).unwrap_or_default()
}

/// Gives out ids that are free, one after the other.
pub struct FreshIds {
    taken: BTreeSet<String>,
    next: HashMap<String, u64>,
}

impl FreshIds {
    pub fn new<'a>(taken: impl IntoIterator<Item = &'a String>) -> FreshIds {
        FreshIds { taken: taken.into_iter().cloned().collect(), next: HashMap::new() }
    }

    /// The id itself if it is free, else the next of its series: "floppy2" → "floppy3".
    pub fn like(&mut self, id: &str) -> String {
        let base: String = id.chars().take(MAX_NAME / 2).collect();
        let base = base.trim_end_matches(|c: char| c.is_ascii_digit());
        let base = if base.is_empty() { "node" } else { base };
        let mut fresh = id.to_owned();
        while !self.taken.insert(fresh.clone()) {
            let number = self.next.entry(base.to_owned()).or_insert(1);
            *number += 1;
            fresh = format!("{base}{number}");
        }
        fresh
    }
}

/// A node's id made of its type's name: "Weight Propagation" → "weight_propagation".
pub fn id_base(type_name: &str) -> String {
    let plain = type_name.strip_prefix(super::GROUP_PREFIX).unwrap_or(type_name);
    let letters = plain.chars().map(|c| if c.is_alphanumeric() { c } else { '_' });
    let lower: String =
        letters.flat_map(char::to_lowercase).filter(|c| *c == '_' || c.is_alphanumeric()).collect();
    let base: String = lower.trim_matches('_').chars().take(MAX_NAME / 2).collect();
    // A trailing number would read as one of a series: "floppy2" of "Floppy 2" → "floppy".
    let base = base.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    if base.is_empty() { "node".to_owned() } else { base.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_may_have_any_name_behind_the_first_dot() {
        let port = PortRef::try_from("floppy.max angle".to_owned()).unwrap();
        assert_eq!((port.node.as_str(), port.port.as_str()), ("floppy", "max angle"));
        assert_eq!(port.to_string(), "floppy.max angle");
        assert!(PortRef::try_from("floppy".to_owned()).is_err());
    }

    #[test]
    fn ids_come_from_type_names_and_are_always_well_formed() {
        assert_eq!(id_base("Weight Propagation"), "weight_propagation");
        assert_eq!(id_base("group:Soft Tail"), "soft_tail");
        for strange in ["", "...", "İ/İ", "7", "a\u{301}b", &"long ".repeat(100)] {
            assert!(is_node_id(&id_base(strange)), "{strange:?} → {:?}", id_base(strange));
        }
        assert_eq!(first_free("floppy", "", |id| id == "floppy" || id == "floppy2"), "floppy3");
    }
}
