//! `jounce nodes`: the manual of the node library.

use super::graph::{ScriptArgs, library};
use super::{CliError, print};
use clap::Args;
use jounce_base::text::{visible, visible_json};
use jounce_graph::script::declarations::{self, DECLARATIONS};
use jounce_graph::script::functions::FAMILIES;
use jounce_graph::script::{
    DefaultInput, InputPort, Library, NodeType, PortType, ScriptOrigin, Setting,
};
use jounce_ir::Rate;
use jounce_ir::op::MotionPart;
use jounce_ir::source::SOURCES;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// List the nodes that graphs are built from, or explain one
#[derive(Args)]
pub struct NodesArgs {
    /// A node to explain, such as Floppy
    #[arg(conflicts_with = "functions")]
    name: Option<String>,
    /// Print JSON, for programs
    #[arg(long)]
    json: bool,
    /// List what node scripts may declare and call
    #[arg(long)]
    functions: bool,
    #[command(flatten)]
    scripts: ScriptArgs,
}

pub fn run(args: NodesArgs) -> Result<(), CliError> {
    if args.functions {
        return print(&if args.json { to_json(&functions_json())? } else { functions_text() });
    }
    let library = library(&args.scripts)?;
    let text = match (&args.name, args.json) {
        (Some(name), is_json) => match (&find(&library, name)?[..], is_json) {
            ([node], false) => node_text(node),
            ([node], true) => to_json(&node_json(node))?,
            (nodes, false) => list_text(nodes),
            (nodes, true) => to_json(&nodes.iter().map(|node| node_json(node)).collect())?,
        },
        (None, false) => list_text(&library.types().map(|node| &**node).collect::<Vec<_>>()),
        (None, true) => {
            let nodes: Vec<Value> = library.types().map(|node| node_json(node)).collect();
            to_json(&Value::Array(nodes))?
        }
    };
    print(&text)
}

fn to_json(value: &Value) -> Result<String, CliError> {
    Ok(visible_json(value)?)
}

/// The one of that name, in upper or lower case, or all that are also known under it; at least one.
fn find<'a>(library: &'a Library, name: &str) -> Result<Vec<&'a NodeType>, CliError> {
    let same = |word: &str| word.eq_ignore_ascii_case(name);
    let nodes = || library.types().map(|node| &**node);
    if let Some(named) = nodes().find(|node| same(&node.name)) {
        return Ok(vec![named]);
    }
    let known_as: Vec<&NodeType> =
        nodes().filter(|node| node.also.iter().any(|word| same(word))).collect();
    if known_as.is_empty() {
        let nearest = jounce_base::text::nearest(name, nodes().map(|node| node.name.as_str()));
        let hint = nearest.map_or(String::new(), |nearest| format!("did you mean \"{nearest}\"? "));
        return Err(CliError::NoSuchNode { name: name.to_owned(), hint });
    }
    Ok(known_as)
}

fn list_text(nodes: &[&NodeType]) -> String {
    let mut categories: BTreeMap<&str, Vec<&NodeType>> = BTreeMap::new();
    for node in nodes {
        categories.entry(&node.category).or_default().push(node);
    }
    let widest = nodes.iter().map(|node| node.name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (category, nodes) in categories {
        let _ = writeln!(text, "{}", visible(category));
        for node in nodes {
            let _ =
                writeln!(text, "  {:widest$}  {}", visible(&node.name), visible(&node.summary()));
        }
    }
    text + "\n`jounce nodes NAME` explains one, `jounce nodes --functions` lists what scripts can declare and call.\n"
}

fn node_text(node: &NodeType) -> String {
    let mut text =
        format!("{}  ({})\n\n{}\n", visible(&node.name), visible(&node.category), node.doc);
    if !node.also.is_empty() {
        let _ = writeln!(text, "\nAlso known as: {}", visible(&node.also.join(", ")));
    }
    if let ScriptOrigin::File(path) = &node.origin {
        let _ = writeln!(text, "\nFrom {}", visible(&path.display().to_string()));
    }
    if !node.inputs.is_empty() {
        text += "\nInputs\n";
    }
    let widest = node.inputs.iter().map(|input| input.name.chars().count());
    let widest = widest.chain(node.outputs.iter().map(|output| output.name.chars().count()));
    let widest = widest.max().unwrap_or(0);
    for input in &node.inputs {
        let line = format!("  {:widest$}  {}", input.name, input_line(input));
        let _ = writeln!(text, "{}", visible(line.trim_end()));
    }
    text += "\nOutputs\n";
    for output in &node.outputs {
        let summed = if output.sum.is_some() { ", summed over the vertex's bones" } else { "" };
        let help =
            if output.help.is_empty() { String::new() } else { format!(": {}", output.help) };
        let line = format!("{:widest$}  {}{summed}{help}", output.name, output.ty);
        let _ = writeln!(text, "  {}", visible(&line));
    }
    text
}

fn input_line(input: &InputPort) -> String {
    let mut line = match input.ty {
        PortType::Choice => input.choices.join(" | "),
        ty => ty.to_string(),
    };
    let _ = write!(line, ", {}", default_text(&input.default));
    if !input.unit.is_empty() {
        let _ = write!(line, " {}", input.unit);
    }
    if let Some((from, to)) = input.soft {
        let _ = write!(line, ", slider {from} to {to}");
    }
    if let Some((from, to)) = input.hard {
        let _ = write!(line, ", limited to {from} to {to}");
    }
    if input.adds {
        line += ", adds up several wires";
    }
    if !input.help.is_empty() {
        let _ = write!(line, ": {}", input.help);
    }
    line
}

fn default_text(default: &DefaultInput) -> String {
    match default {
        DefaultInput::Setting(Setting::Text(word)) => format!("\"{word}\""),
        DefaultInput::Setting(Setting::Float(x)) => x.to_string(),
        DefaultInput::Setting(Setting::Bool(b)) => b.to_string(),
        DefaultInput::Setting(Setting::Vec3(v)) => format!("({} {} {})", v[0], v[1], v[2]),
        DefaultInput::Setting(_) => "none".to_owned(),
        DefaultInput::Source(source) => {
            let words = source.info().name.unwrap_or_default().to_lowercase().replace('_', " ");
            format!("the {words}")
        }
        DefaultInput::Motion(part) => format!("the bone's {}", part.label()),
    }
}

fn node_json(node: &NodeType) -> Value {
    let input = |input: &InputPort| {
        json!({
            "name": input.name, "type": input.ty, "default": default_json(&input.default),
            "soft": input.soft, "hard": input.hard, "unit": input.unit, "help": input.help,
            "choices": input.choices, "adds": input.adds,
        })
    };
    let outputs = node.outputs.iter().map(|output| {
        json!({
            "name": output.name, "type": output.ty, "help": output.help,
            "sum": output.sum.map(|column| column.to_string()),
        })
    });
    json!({
        "name": node.name, "category": node.category, "doc": node.doc, "also": node.also,
        "inputs": node.inputs.iter().map(input).collect::<Vec<_>>(),
        "outputs": outputs.collect::<Vec<_>>(),
        "script": match &node.origin {
            ScriptOrigin::File(path) => json!(path.display().to_string()),
            _ => Value::Null,
        },
    })
}

fn default_json(default: &DefaultInput) -> Value {
    match default {
        DefaultInput::Setting(setting) => json!(setting),
        DefaultInput::Source(source) => json!({ "source": source.info().name }),
        DefaultInput::Motion(part) => json!({ "source": part.constant_name() }),
    }
}

fn functions_text() -> String {
    let mut text = "Declarations\n".to_owned();
    for row in &DECLARATIONS {
        let _ = writeln!(text, "  {:<44} {}", row.written, row.doc);
    }
    let types: Vec<&str> = declarations::types().collect();
    let _ = writeln!(text, "  {:<44} {}.", "TYPE", types.join(", "));
    for (family, functions) in FAMILIES {
        let _ = writeln!(text, "{family}");
        for function in functions {
            let call = format!("{}({})", function.name, function.arguments);
            let _ = writeln!(text, "  {call:<44} {}", function.doc);
        }
    }
    text += "The character's data, as constants\n";
    for info in &SOURCES {
        if let Some(name) = info.name {
            let _ = writeln!(text, "  {name:<44} {}", info.doc);
        }
    }
    for part in MotionPart::ALL {
        let (name, label) = (part.constant_name(), part.label());
        let _ =
            writeln!(text, "  {name:<44} Each bone's {label} relative to its parent, unsmoothed.");
    }
    for (name, number) in declarations::numbers() {
        let _ = writeln!(text, "  {name:<44} {number:.5}…");
    }
    text
}

fn functions_json() -> Value {
    let declared = DECLARATIONS.iter().map(|row| {
        json!({
            "name": row.name, "written": row.written, "doc": row.doc, "family": "Declarations",
        })
    });
    let all = FAMILIES.iter().flat_map(|(family, functions)| {
        functions.iter().map(move |function| {
            json!({
                "name": function.name, "arguments": function.arguments,
                "doc": function.doc, "family": family,
            })
        })
    });
    let constants = SOURCES.iter().filter_map(|info| {
        let name = info.name?;
        Some(json!({ "name": name, "doc": info.doc, "rate": info.rate, "family": "Constants" }))
    });
    let motions = MotionPart::ALL.iter().map(|part| {
        json!({
            "name": part.constant_name(), "doc": format!("Each bone's {}.", part.label()),
            "rate": Rate::Bone, "family": "Constants",
        })
    });
    let numbers = declarations::numbers().map(|(name, number)| {
        json!({ "name": name, "doc": number.to_string(), "rate": Rate::Frame, "family": "Constants" })
    });
    Value::Array(declared.chain(all).chain(constants).chain(motions).chain(numbers).collect())
}
