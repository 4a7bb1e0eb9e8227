//! Which nodes could be added: for words that were typed, and for a wire that ends on the empty canvas.

use jounce_graph::document::{EXPRESSION_TYPE, GROUP_PREFIX, PortRef, Ports, Style, ports_of};
use jounce_graph::script::{Library, PortType};

/// The end of a wire that hangs on a port; the other end is free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WireEnd {
    /// It brings this to a new node's input.
    Output(PortRef, PortType),
    /// It takes this from a new node's output.
    Input(PortRef, PortType),
}

/// A type of node that could be added.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub node_type: String,
    pub name: String,
    pub category: String,
    pub doc: String,
    /// Where the wire goes.
    pub port: Option<String>,
}

/// Best first: names that begin so, names that contain all words, other words for it, then what the
/// documentation says. Without words all of them, by category.
pub fn find_nodes(
    style: &Style,
    library: &Library,
    query: &str,
    wire: Option<&WireEnd>,
) -> Vec<Found> {
    let query = query.trim().to_lowercase();
    let mut found: Vec<(usize, Found)> = Vec::new();
    for ty in library.types() {
        let ports = Ports { inputs: ty.inputs.clone(), outputs: ty.outputs.clone() };
        let Some(port) = fitting(&ports, wire) else { continue };
        let Some(rank) = rank(&query, &ty.name, &ty.also, &ty.doc) else { continue };
        let (node_type, name) = (ty.name.clone(), ty.name.clone());
        let (category, doc) = (ty.category.clone(), ty.doc.clone());
        found.push((rank, Found { node_type, name, category, doc, port }));
    }
    for (name, group) in &style.groups {
        let node_type = format!("{GROUP_PREFIX}{name}");
        let node = jounce_graph::document::Node::new(node_type.clone());
        let Ok(ports) = ports_of(&node, style, library) else { continue };
        let Some(port) = fitting(&ports, wire) else { continue };
        let Some(rank) = rank(&query, name, &["group".to_owned()], &group.doc) else { continue };
        let (category, doc) = ("Groups".to_owned(), group.doc.clone());
        found.push((rank, Found { node_type, name: name.clone(), category, doc, port }));
    }
    found.sort_by(|(a_rank, a), (b_rank, b)| {
        let is_last = |it: &Found| it.node_type == EXPRESSION_TYPE;
        let by_category = a.category.cmp(&b.category).then(is_last(a).cmp(&is_last(b)));
        a_rank.cmp(b_rank).then(by_category).then(a.name.cmp(&b.name))
    });
    found.into_iter().map(|(_, found)| found).collect()
}

fn rank(query: &str, name: &str, also: &[String], doc: &str) -> Option<usize> {
    let name = name.to_lowercase();
    let words: Vec<&str> = query.split_whitespace().collect();
    let in_text = |text: &str| words.iter().all(|word| text.contains(word));
    if query.is_empty() || name == query {
        Some(0)
    } else if name.starts_with(query) {
        Some(1)
    } else if in_text(&name) {
        Some(2)
    } else if also.iter().any(|other| other.to_lowercase().starts_with(query)) {
        Some(3)
    } else {
        let all = format!("{name} {} {}", also.join(" "), doc).to_lowercase();
        in_text(&all).then_some(4)
    }
}

/// The port that the wire goes to: of its own name, else the first that fits. The outer None: none does.
#[expect(clippy::option_option, reason = "no wire and no port are different answers")]
fn fitting(ports: &Ports, wire: Option<&WireEnd>) -> Option<Option<String>> {
    let pick = |mut names: Vec<&String>, same: &str| {
        let place = names.iter().position(|name| *name == same).unwrap_or(0);
        (!names.is_empty()).then(|| Some(names.swap_remove(place).clone()))
    };
    match wire {
        None => Some(None),
        Some(WireEnd::Output(from, carries)) => {
            let fits = ports.inputs.iter().filter(|input| carries.fits(input.ty));
            pick(fits.map(|input| &input.name).collect(), &from.port)
        }
        Some(WireEnd::Input(to, takes)) => {
            let fits = ports.outputs.iter().filter(|output| output.ty.fits(*takes));
            pick(fits.map(|output| &output.name).collect(), &to.port)
        }
    }
}
