//! `--set NAME=VALUE`: the sliders of a graph, and what is decided before it is compiled, from the command
//! line.

mod settings;

pub use settings::{Settable, set_before_compiling, settables};

use super::graph::GraphError;
use glam::DVec3;
use jounce_base::text::{either, nearest};
use jounce_eval::{ParameterError, Parameters};
use jounce_graph::document::{PortRef, Style};
use jounce_graph::script::Library;
use jounce_ir::{Number, Parameter, Program};
use std::str::FromStr;

#[derive(Clone, Debug)]
pub struct Assignment {
    pub name: String,
    /// As it was written: what it means depends on the input.
    pub value: String,
}

impl FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Assignment, String> {
        let wrong = || {
            format!(
                "\"{text}\" does not set a value; write it as floppy=0.3, node.port=0,1,0 or node.port=word"
            )
        };
        let (name, value) = text.split_once('=').ok_or_else(wrong)?;
        let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
        if name.is_empty() || value.is_empty() {
            return Err(wrong());
        }
        Ok(Assignment { name, value })
    }
}

fn number(text: &str) -> Option<Number> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|n| n.trim().parse()).collect();
    match numbers.ok()?[..] {
        [x] => Some(Number::Float(x)),
        [x, y, z] => Some(Number::Vec3(DVec3::new(x, y, z))),
        _ => None,
    }
}

fn wrong_value(file: &str, name: &str, found: &str, wanted: String) -> GraphError {
    let (file, name, found) = (file.to_owned(), name.to_owned(), found.to_owned());
    GraphError::Value { file, name, found, wanted }
}

/// As the document says, then as the user does. `program` is what `style` was compiled to; what was decided
/// before that is done (see [`set_before_compiling`]).
pub fn parameters(
    file: &str,
    style: &Style,
    library: &Library,
    program: &Program,
    assignments: &[Assignment],
) -> Result<Parameters, GraphError> {
    let mut parameters = Parameters::new(program);
    if assignments.is_empty() {
        return Ok(parameters);
    }
    let settables = settables(style, library);
    for Assignment { name, value: text } in assignments {
        if settings::find(&settables, name).is_some() {
            continue;
        }
        let value = number(text);
        // What is not a number need not be a valid name either.
        let set = parameters.set(program, name, value.unwrap_or(Number::Float(0.0)));
        match (set, value) {
            (Ok(()), Some(value)) => say_if_limited(program, &parameters, name, value),
            (Err(error @ ParameterError::Unknown { .. }), _) | (Err(error), Some(_)) => {
                return Err(explained(file, style, program, &settables, error));
            }
            (_, None) => {
                let wanted = match parameters.get(program, name) {
                    Some(Number::Vec3(_)) => "three numbers such as 0,1,0, or one for all three",
                    _ => "a number such as 0.3",
                };
                return Err(wrong_value(file, name, text, wanted.to_owned()));
            }
        }
    }
    Ok(parameters)
}

/// A wired input is not a slider, and a list of sliders does not show why.
fn explained(
    file: &str,
    style: &Style,
    program: &Program,
    settables: &[Settable],
    mut error: ParameterError,
) -> GraphError {
    let file = file.to_owned();
    if let ParameterError::Unknown { name, .. } = &error
        && let Some(Wired { input, from }) = wired(style, name)
    {
        let instead = instead_of(program, &from);
        return GraphError::Wired { file, name: name.clone(), input, from, instead };
    }
    if let ParameterError::Unknown { name, near } = &mut error
        && near.is_empty()
    {
        let names: Vec<String> = settables.iter().map(Settable::name).collect();
        near.extend(nearest(name, names.iter().map(String::as_str)).map(str::to_owned));
    }
    GraphError::Parameter { file, source: Box::new(error) }
}

/// Sliders of the nodes that feed an input: those that users of the style see, else all.
fn instead_of(program: &Program, feeders: &[String]) -> String {
    let parameters = program.tables.parameters.iter().filter(|p| feeders.contains(&p.node));
    let exposed: Vec<String> = parameters.clone().filter_map(|p| p.exposed.clone()).collect();
    let inputs = || parameters.map(Parameter::path).collect();
    let sliders = if exposed.is_empty() { inputs() } else { exposed };
    match sliders.is_empty() {
        true => "remove the wire to set it".to_owned(),
        false => format!("set {} instead", either(&sliders)),
    }
}

/// An input, and the nodes that feed it, by their paths.
#[derive(Debug, PartialEq)]
struct Wired {
    input: String,
    from: Vec<String>,
}

/// The wired input that a name means: `node.port`, `group/node.port`, or a port of the outer graph.
fn wired(style: &Style, name: &str) -> Option<Wired> {
    let Some((path, port)) = name.split_once('.') else {
        let link = style.graph.links.iter().find(|link| link.to.port == name)?;
        return wired(style, &link.to.to_string());
    };
    let mut graph = &style.graph;
    let mut prefix = String::new();
    // What feeds the published inputs of the group we are in.
    let mut fed: Vec<(&PortRef, Vec<String>)> = Vec::new();
    let mut ids = path.split('/').peekable();
    while let Some(id) = ids.next() {
        let feeders_of = |port: &PortRef| {
            let links = graph.links.iter().filter(|link| link.to == *port);
            let inside = links.map(|link| format!("{prefix}{}", link.from.node));
            let outside = fed.iter().filter(|(inner, _)| *inner == port);
            inside.chain(outside.flat_map(|(_, from)| from.clone())).collect::<Vec<_>>()
        };
        if ids.peek().is_none() {
            let from = feeders_of(&PortRef::new(id, port));
            return (!from.is_empty()).then(|| Wired { input: name.to_owned(), from });
        }
        let group = style.groups.get(graph.nodes.get(id)?.group()?)?;
        let published = group.inputs.iter();
        fed = published.map(|p| (&p.inner, feeders_of(&PortRef::new(id, &p.name)))).collect();
        graph = &group.graph;
        prefix = format!("{prefix}{id}/");
    }
    None
}

/// A slider stops at its ends without a word, and shows how far people usually go; a command line should
/// say both.
fn say_if_limited(program: &Program, parameters: &Parameters, name: &str, wanted: Number) {
    let mut said = Vec::new();
    for (parameter, value) in program.tables.parameters.iter().zip(&*parameters.values) {
        let path = parameter.path();
        let is_name = |known: &str| known.eq_ignore_ascii_case(name);
        if !parameter.exposed.as_deref().is_some_and(is_name) && !is_name(&path) {
            continue;
        }
        let is_limited = value.ty() == wanted.ty() && *value != wanted;
        let hint = match parameter.soft {
            _ if is_limited => format!("{name} is limited to {value}"),
            Some((from, to)) if is_outside(*value, from, to) => {
                format!("{name} is set to {value}, which is beyond its slider ({from} to {to})")
            }
            _ => continue,
        };
        if !said.contains(&hint) {
            say!("{hint}");
            said.push(hint);
        }
    }
}

fn is_outside(number: Number, from: f64, to: f64) -> bool {
    match number {
        Number::Float(x) => x < from || x > to,
        Number::Vec3(v) => v.to_array().into_iter().any(|x| x < from || x > to),
        Number::Bool(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jounce_graph::document::{Graph, Group, Link, Node, Published};

    fn graph(nodes: &[(&str, &str)], links: &[[&str; 2]]) -> Graph {
        let port = |text: &str| PortRef::try_from(text.to_owned()).unwrap();
        Graph {
            nodes: nodes.iter().map(|(id, ty)| (id.to_string(), Node::new(*ty))).collect(),
            links: links.iter().map(|[from, to]| Link::new(port(from), port(to))).collect(),
            ..Graph::default()
        }
    }

    #[test]
    fn wires_are_found_through_the_ports_of_groups() {
        let inner = graph(&[("trail", "Floppy"), ("k", "Constant")], &[["k.value", "trail.max"]]);
        let published =
            Published { name: "softness".to_owned(), inner: PortRef::new("trail", "floppiness") };
        let group = Group { graph: inner, inputs: vec![published], ..Group::default() };
        let style = Style {
            graph: graph(
                &[("g", "group:soft"), ("slider", "Parameter")],
                &[["slider.value", "g.softness"]],
            ),
            groups: [("soft".to_owned(), group)].into(),
        };
        let from =
            |name: &str| wired(&style, name).map(|found| (found.input, found.from.join(" ")));
        let found = |input: &str, from: &str| Some((input.to_owned(), from.to_owned()));
        assert_eq!(from("g.softness"), found("g.softness", "slider"));
        assert_eq!(from("softness"), found("g.softness", "slider"));
        assert_eq!(from("g/trail.floppiness"), found("g/trail.floppiness", "slider"));
        assert_eq!(from("g/trail.max"), found("g/trail.max", "g/k"));
        for not_wired in ["g/trail.position", "g/nobody.max", "slider.value", "g/x/y.z", "max", ""]
        {
            assert_eq!(from(not_wired), None, "{not_wired}");
        }
    }
}
