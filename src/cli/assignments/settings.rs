//! `--set` of what is decided before a graph is compiled: whole numbers, yes or no, words and names.

use super::{Assignment, wrong_value};
use crate::cli::graph::GraphError;
use jounce_base::text::either;
use jounce_graph::document::{
    GROUP_PREFIX, Graph, GraphRef, Group, MAX_NESTING, Node, PortRef, PortTable, Style,
};
use jounce_graph::script::{DefaultInput, InputPort, Library, PortType, Setting};
use std::borrow::Cow;

/// An input of a style that is no slider, but can be set.
pub struct Settable {
    /// Its path: `group/node`.
    pub node: String,
    pub input: InputPort,
    pub value: Setting,
    /// A group shows it outside, under a name of its own.
    pub is_published: bool,
}

impl Settable {
    pub fn name(&self) -> String {
        format!("{}.{}", self.node, self.input.name)
    }
}

/// All inputs that are decided before compiling, in the order of graphs and nodes.
pub fn settables(style: &Style, library: &Library) -> Vec<Settable> {
    let mut found = Vec::new();
    let mut ports = PortTable::new(style, library);
    list(style, &mut ports, &style.graph, "", None, &mut found);
    found
}

/// Files with deeper nesting were refused on loading.
fn list<'a>(
    style: &'a Style,
    ports: &mut PortTable<'a>,
    graph: &'a Graph,
    prefix: &str,
    group: Option<&'a Group>,
    found: &mut Vec<Settable>,
) {
    for (id, node) in &graph.nodes {
        let Ok(known) = ports.of(node) else { continue };
        let path = format!("{prefix}{id}");
        for input in known.inputs.iter().filter(|input| input.ty.is_compile_time()) {
            let set = node.settings.get(&input.name).filter(|setting| input.accepts(setting));
            let value = match (set, &input.default) {
                (Some(setting), _) | (None, DefaultInput::Setting(setting)) => setting.clone(),
                (None, _) => continue,
            };
            let at = PortRef::new(id, &input.name);
            let is_published = group.is_some_and(|it| it.inputs.iter().any(|p| p.inner == at));
            found.push(Settable { node: path.clone(), input: input.clone(), value, is_published });
        }
        let inside = node.group().and_then(|name| style.groups.get(name));
        if let Some(inside) = inside.filter(|_| prefix.matches('/').count() < MAX_NESTING) {
            list(style, ports, &inside.graph, &format!("{path}/"), Some(inside), found);
        }
    }
}

/// The one that a name means, in upper or lower case.
pub fn find<'a>(settables: &'a [Settable], name: &str) -> Option<&'a Settable> {
    let exact = settables.iter().find(|it| it.name() == name);
    exact.or_else(|| settables.iter().find(|it| it.name().eq_ignore_ascii_case(name)))
}

/// The style with what the user sets in it. Sliders are left for later: they need no compiling.
pub fn set_before_compiling<'a>(
    file: &str,
    style: &'a Style,
    library: &Library,
    assignments: &[Assignment],
) -> Result<Cow<'a, Style>, GraphError> {
    let mut style = Cow::Borrowed(style);
    if assignments.is_empty() {
        return Ok(style);
    }
    let settables = settables(&style, library);
    for Assignment { name, value } in assignments {
        let Some(Settable { node, input, .. }) = find(&settables, name) else { continue };
        let wrong = |wanted: String| wrong_value(file, name, value, wanted);
        let setting = setting(input, value).map_err(wrong)?;
        let setting = limited(name, input, setting);
        set(style.to_mut(), node, &input.name, setting);
    }
    Ok(style)
}

/// What is written, or else what may be.
fn setting(input: &InputPort, text: &str) -> Result<Setting, String> {
    match input.ty {
        PortType::Int => match text.parse::<f64>() {
            Ok(number) if number.fract() == 0.0 && number.abs() <= 1e9 => {
                Ok(Setting::Float(number))
            }
            _ => Err("a whole number such as 4".to_owned()),
        },
        PortType::Bool => match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Ok(Setting::Bool(true)),
            "false" | "no" | "off" | "0" => Ok(Setting::Bool(false)),
            _ => Err("true or false".to_owned()),
        },
        PortType::Choice => {
            let choices = &input.choices;
            let exact = choices.iter().find(|choice| *choice == text);
            let alike = || choices.iter().find(|choice| choice.eq_ignore_ascii_case(text));
            let found = exact.or_else(alike).cloned();
            found.map(Setting::Text).ok_or_else(|| either(choices))
        }
        _ => Ok(Setting::Text(text.to_owned())),
    }
}

/// As with sliders: what is too much is as much as may be, and that is said.
fn limited(name: &str, input: &InputPort, setting: Setting) -> Setting {
    let (Setting::Float(number), Some((least, most))) = (&setting, input.hard) else {
        return setting;
    };
    let limited = number.min(most).max(least);
    if limited != *number {
        say!("{name} is limited to {limited}");
    }
    Setting::Float(limited)
}

/// Sets an input of a node. Where a group shows it outside, it is set there, because that is what counts;
/// where the group is used more than once, the others stay as they are.
fn set(style: &mut Style, path: &str, port: &str, setting: Setting) {
    let Some((outer, id)) = path.rsplit_once('/') else {
        set_in(&mut style.graph, path, port, setting);
        return;
    };
    let Some(name) = group_at(style, outer) else { return };
    let inner = PortRef::new(id, port);
    let published = style.groups[&name].inputs.iter().find(|published| published.inner == inner);
    if let Some(published) = published.map(|published| published.name.clone()) {
        return set(style, outer, &published, setting);
    }
    let name = make_own(style, outer, name);
    if let Some(group) = style.groups.get_mut(&name) {
        set_in(&mut group.graph, id, port, setting);
    }
}

fn set_in(graph: &mut Graph, id: &str, port: &str, setting: Setting) {
    if let Some(node) = graph.nodes.get_mut(id) {
        node.settings.insert(port.to_owned(), setting);
    }
}

/// The group that a node is.
fn group_at(style: &Style, path: &str) -> Option<String> {
    let (graph, id) = jounce_graph::compile::sliders::place(style, path)?;
    let name = style.graph(&graph)?.nodes.get(id)?.group()?;
    style.groups.contains_key(name).then(|| name.to_owned())
}

/// Gives a node, and the groups around it, a group that no other node is; its name.
fn make_own(style: &mut Style, path: &str, name: String) -> String {
    let around = path.rsplit_once('/').map(|(outer, id)| (outer.to_owned(), id));
    let graph = match &around {
        None => GraphRef::Top,
        Some((outer, _)) => match group_at(style, outer) {
            Some(group) => GraphRef::Group(make_own(style, outer, group)),
            None => return name,
        },
    };
    let node_type = format!("{GROUP_PREFIX}{name}");
    let nodes = style.graphs().flat_map(|(_, graph)| graph.nodes.values());
    if nodes.filter(|node| node.node_type == node_type).count() <= 1 {
        return name;
    }
    let own = style.fresh_group_name(&name);
    let copy = style.groups[&name].clone();
    style.groups.insert(own.clone(), copy);
    let id = around.as_ref().map_or(path, |(_, id)| id);
    let graph = match &graph {
        GraphRef::Top => Some(&mut style.graph),
        GraphRef::Group(name) => style.groups.get_mut(name).map(|group| &mut group.graph),
    };
    if let Some(node) = graph.and_then(|graph| graph.nodes.get_mut(id)) {
        *node = Node { node_type: format!("{GROUP_PREFIX}{own}"), ..node.clone() };
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;
    use jounce_graph::document::Published;

    fn settings(pairs: &[(&str, &str)]) -> Vec<Assignment> {
        let assignment = |(name, value): &(&str, &str)| Assignment {
            name: name.to_string(),
            value: value.to_string(),
        };
        pairs.iter().map(assignment).collect()
    }

    /// Two nodes of a group that holds a group, in which a Relax is.
    fn nested() -> Style {
        let group = |nodes: &[(&str, &str)], inputs: Vec<Published>| Group {
            graph: Graph {
                nodes: nodes.iter().map(|(id, ty)| (id.to_string(), Node::new(*ty))).collect(),
                ..Graph::default()
            },
            inputs,
            ..Group::default()
        };
        let shown = |name: &str, node: &str, port: &str| Published {
            name: name.to_owned(),
            inner: PortRef::new(node, port),
        };
        let inner =
            group(&[("relax", "Relax"), ("pin", "Pin")], vec![shown("when", "pin", "measured")]);
        let outer = group(&[("deep", "group:inner")], vec![shown("pinned", "deep", "when")]);
        Style {
            graph: group(&[("a", "group:outer"), ("b", "group:outer")], Vec::new()).graph,
            groups: [("inner".to_owned(), inner), ("outer".to_owned(), outer)].into(),
        }
    }

    #[test]
    fn an_input_inside_a_group_is_set_for_that_node_alone() {
        let (style, library) = (nested(), Library::built_in());
        let set = settings(&[("a/deep/relax.passes", "9"), ("b/deep/pin.measured", "both")]);
        let set = set_before_compiling("x", &style, &library, &set).unwrap();
        let value = |name: &str| find(&settables(&set, &library), name).unwrap().value.clone();
        assert_eq!(value("a/deep/relax.passes"), Setting::Float(9.0));
        assert_eq!(value("b/deep/relax.passes"), Setting::Float(4.0));
        assert_eq!(value("b.pinned"), Setting::Text("both".to_owned()), "where it counts");
        assert_eq!(value("a.pinned"), Setting::Text("now".to_owned()));
    }

    #[test]
    fn what_does_not_fit_is_answered_with_what_would() {
        let (style, library) = (nested(), Library::built_in());
        let said = |name: &str, value: &str| {
            let set = settings(&[(name, value)]);
            set_before_compiling("x", &style, &library, &set).unwrap_err().to_string()
        };
        assert!(said("A.Pinned", "nwo").contains("\"now\", \"at rest\", \"both\" or \"standing\""));
        assert!(said("a/deep/relax.passes", "2.5").contains("a whole number such as 4"));
    }
}
