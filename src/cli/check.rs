//! `jounce check`: is this graph, or this script, sound?

use super::graph::{ScriptArgs, library, load_document};
use super::{CliError, print};
use crate::compile::{Compiled, compile};
use crate::graph::GraphRef;
use crate::ir::{Number, Parameter};
use crate::script::{ScriptError, ScriptOrigin, node_type};
use clap::Args;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Say what is wrong with a graph (.jounce) or a node script (.rhai), if anything is
#[derive(Args)]
pub struct CheckArgs {
    /// FILE.jounce or FILE.rhai
    file: PathBuf,
    /// For programs
    #[arg(long)]
    json: bool,
    /// Print the program that the graph compiles to
    #[arg(long)]
    ir: bool,
    #[command(flatten)]
    scripts: ScriptArgs,
}

pub fn run(args: CheckArgs) -> Result<(), CliError> {
    let name = args.file.display().to_string();
    if args.file.extension().is_some_and(|extension| extension == "rhai") {
        return check_script(&args.file, &name, args.json);
    }
    let document = load_document(&args.file)?;
    let library = library(&args.scripts)?;
    let compiled = compile(&document.style, &library);
    let text = match args.json {
        true => serde_json::to_string_pretty(&report(&compiled, args.ir))? + "\n",
        false => text(&name, &compiled, args.ir),
    };
    print(&text);
    finish(&name, compiled.problems.len())
}

fn finish(file: &str, problems: usize) -> Result<(), CliError> {
    let problems = match problems {
        0 => return Ok(()),
        1 => "one problem".to_owned(),
        n => format!("{n} problems"),
    };
    Err(CliError::Problems { file: file.to_owned(), problems })
}

fn text(name: &str, compiled: &Compiled, ir: bool) -> String {
    let Compiled { program, problems, .. } = compiled;
    let mut text = String::new();
    for problem in problems {
        let _ = writeln!(text, "{problem}");
    }
    if ir {
        let _ = write!(text, "{program}");
        return text;
    }
    if problems.is_empty() {
        let _ = writeln!(text, "{name} is sound.");
    }
    let exposed: Vec<&Parameter> = exposed(compiled).collect();
    if !exposed.is_empty() {
        text += "Parameters\n";
    }
    for parameter in exposed {
        let name = parameter.exposed.as_deref().unwrap_or_default();
        let _ = write!(text, "  {name} = {}", parameter.value);
        match parameter.soft {
            Some((from, to)) => writeln!(text, "  ({from} to {to})"),
            None => writeln!(text),
        }
        .unwrap_or_default();
    }
    text
}

fn exposed(compiled: &Compiled) -> impl Iterator<Item = &Parameter> {
    compiled.program.tables.parameters.iter().filter(|p| p.exposed.is_some())
}

fn report(compiled: &Compiled, ir: bool) -> Value {
    let problems = compiled.problems.iter().map(|problem| {
        json!({
            "group": match &problem.graph {
                GraphRef::Top => Value::Null,
                GraphRef::Group(name) => json!(name),
            },
            "node": problem.node, "port": problem.port, "message": problem.reason.to_string(),
        })
    });
    let parameters = exposed(compiled).map(|parameter| {
        json!({
            "name": parameter.exposed, "node": parameter.node, "port": parameter.port,
            "value": number(parameter.value), "soft": parameter.soft, "hard": parameter.hard,
        })
    });
    let outputs = compiled.outputs.iter().map(|((node, port), (ty, rate))| {
        json!({ "node": node, "port": port, "type": ty, "rate": rate })
    });
    let mut report = json!({
        "problems": problems.collect::<Vec<_>>(),
        "parameters": parameters.collect::<Vec<_>>(),
        "outputs": outputs.collect::<Vec<_>>(),
        "values": compiled.program.ops.len(),
    });
    if ir {
        report["ir"] = json!(compiled.program.to_string());
    }
    report
}

fn number(number: Number) -> Value {
    match number {
        Number::Float(x) => json!(x),
        Number::Bool(b) => json!(b),
        Number::Vec3(v) => json!(v.to_array()),
    }
}

fn check_script(file: &Path, name: &str, as_json: bool) -> Result<(), CliError> {
    let read = std::fs::read_to_string(file).map_err(|error| {
        ScriptError::new(
            name,
            crate::script::Place::default(),
            format!("the file cannot be read: {error}"),
        )
    });
    let checked = read.and_then(|text| node_type(&text, name, ScriptOrigin::File(file.to_owned())));
    let problem = match &checked {
        Ok(node) if !as_json => {
            print(&format!("{name} is sound: the node \"{}\".\n", node.name));
            return Ok(());
        }
        Ok(_) => None,
        Err(error) => Some(error),
    };
    if as_json {
        let problems: Vec<Value> = problem
            .iter()
            .map(|error| {
                json!({
                    "line": error.place.line, "column": error.place.column,
                    "message": error.message,
                })
            })
            .collect();
        print(&(serde_json::to_string_pretty(&json!({ "problems": problems }))? + "\n"));
    } else if let Some(error) = problem {
        print(&format!("{error}\n"));
    }
    finish(name, usize::from(problem.is_some()))
}
