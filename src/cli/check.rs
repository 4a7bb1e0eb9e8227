//! `jounce check`: is this graph, or this script, sound?

mod character;
mod inputs;
mod keys;
mod watch;

use super::assignments::{Settable, settables};
use super::graph::{ScriptArgs, UNLINKED, is_unlinked, library, open_document, scripts_around};
use super::{CliError, print, print_line};
use clap::Args;
use inputs::{Input, inputs};
use jounce_base::keyed_value::MotionKeys;
use jounce_base::text::{counted, visible, visible_json};
use jounce_export::shader::{Target, exported_module, graph_notes};
use jounce_graph::compile::{Compiled, compile, compile_for_export_with_keys};
use jounce_graph::document::{Document, Graph, GraphRef, MAX_NESTING, Problem, Style, hints};
use jounce_graph::script::{Library, ScriptError, ScriptOrigin, read_script};
use jounce_ir::{Number, Parameter, Program};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Check a graph (.jounce) or a node script (.rhai) for problems
#[derive(Args)]
pub struct CheckArgs {
    /// FILE.jounce or FILE.rhai
    file: PathBuf,
    /// Print JSON, for programs
    #[arg(long)]
    json: bool,
    /// Print the program that the graph compiles to
    #[arg(long)]
    ir: bool,
    /// Print the shader that `jounce export` writes
    #[arg(long, conflicts_with = "ir")]
    wgsl: bool,
    /// List what each target of `jounce export` does not support or leaves to the engine, and why
    #[arg(long, conflicts_with_all = ["ir", "wgsl"])]
    targets: bool,
    /// Fail on warnings too, such as a character that is missing or cannot be read
    #[arg(long)]
    strict: bool,
    /// Keep running, and check again whenever the file or a script changes
    #[arg(long)]
    watch: bool,
    #[command(flatten)]
    scripts: ScriptArgs,
}

impl CheckArgs {
    fn is_script(&self) -> bool {
        self.file.extension().is_some_and(|extension| extension == "rhai")
    }
}

pub fn run(args: CheckArgs) -> Result<(), CliError> {
    let name = args.file.display().to_string();
    let is_character = |extension: &std::ffi::OsStr| extension == "glb" || extension == "gltf";
    if args.file.extension().is_some_and(is_character) {
        return Err(CliError::CheckCharacter(name));
    }
    if args.watch {
        return watch::check_again_and_again(&args);
    }
    // A script is judged alone, with the libraries that it may use.
    let library = match args.is_script() {
        true => scripts_around(&args.file, &args.scripts)?.library().clone(),
        false => library(&args.scripts)?,
    };
    check(&args, &library)
}

/// Checks once.
fn check(args: &CheckArgs, library: &Library) -> Result<(), CliError> {
    let name = args.file.display().to_string();
    if args.is_script() {
        return check_script(&args.file, &name, library, args.json);
    }
    let (document, notes) = open_document(&args.file)?;
    let mut others: Vec<String> = notes.iter().map(|note| note.to_string()).collect();
    others.extend(lost_bone_values(&document));
    if is_unlinked(&document.style) {
        others.push(UNLINKED.to_owned());
    }
    let compiled = compile(&document.style, library);
    let mut warnings = character::warnings(&args.file, &document, &compiled.program);
    warnings.extend(keys::warnings(&document.motion.keys, &compiled.program));
    let hints = hints(&document.style, library);
    let settables = settables(&document.style, library);
    let is_strict = args.strict;
    let keys = document.motion.keys.clone();
    let found = Findings { compiled, others, hints, warnings, settables, keys, is_strict };
    let shader = args.wgsl.then(|| shader_text(&args.file, &document, library));
    let shader = shader.transpose()?;
    let program = &found.compiled.program;
    let text = match args.json {
        true => {
            let mut report = found.report(args.ir);
            if let Some(shader) = shader {
                report["wgsl"] = json!(shader);
            }
            if args.targets {
                report["targets"] = json!(target_reports(program));
            }
            visible_json(&report)?
        }
        false => match shader {
            Some(shader) => found.lines() + shader.as_str(),
            None if args.targets => found.lines() + target_lines(program).as_str(),
            None => found.text(&name, args.ir),
        },
    };
    print(&text)?;
    finish(&name, found.problem_count())?;
    match found.warning_count() {
        count if count > 0 && args.strict => {
            Err(CliError::Strict { file: name, warnings: counted(count, "warning") })
        }
        _ => Ok(()),
    }
}

/// What `jounce export` writes.
fn shader_text(file: &Path, document: &Document, library: &Library) -> Result<String, CliError> {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let Document { style, motion, .. } = document;
    let program = compile_for_export_with_keys(style, library, &motion.keys).program;
    Ok(exported_module(&name, &program, program.base)?.text)
}

fn target_reports(program: &Program) -> Vec<Value> {
    let report = |target: Target| {
        json!({
            "target": target.name(), "language": target.language(),
            "refuses": target.refusals(program), "notes": target.notes(program),
        })
    };
    Target::ALL.into_iter().map(report).collect()
}

fn target_lines(program: &Program) -> String {
    let mut text = String::new();
    for target in Target::ALL {
        let (name, language, note) = (target.name(), target.language(), target.note());
        let _ = writeln!(text, "{name:<10}{language}; {note}");
        for refusal in target.refusals(program) {
            let _ = writeln!(
                text,
                "          without the entry point `{}`: {}",
                refusal.what, refusal.why
            );
        }
    }
    for note in graph_notes(program) {
        let _ = writeln!(text, "In every language: {note}.");
    }
    text
}

/// Bone values belong to a node by its path; a misspelt one would do nothing, silently.
fn lost_bone_values(document: &Document) -> Vec<String> {
    let mut paths = Vec::new();
    bone_value_paths(&document.style, &document.style.graph, "", 0, &mut paths);
    let mut lost = Vec::new();
    for (character, settings) in &document.characters {
        for path in settings.bone_values.keys().filter(|path| !paths.contains(path)) {
            let nearest = jounce_base::text::nearest(path, paths.iter().map(String::as_str));
            let hint = nearest.map_or(String::new(), |near| format!(" (did you mean \"{near}\"?)"));
            lost.push(format!(
                "the bone values of {character} name \"{path}\", which is not a Bone Value node{hint}; rename or remove them"
            ));
        }
    }
    lost
}

/// Files with deeper nesting were refused on loading.
fn bone_value_paths(
    style: &Style,
    graph: &Graph,
    prefix: &str,
    depth: usize,
    paths: &mut Vec<String>,
) {
    for (id, node) in &graph.nodes {
        let path = format!("{prefix}{id}");
        let group = node.group().and_then(|name| style.groups.get(name));
        match group.filter(|_| depth < MAX_NESTING) {
            Some(group) => {
                bone_value_paths(style, &group.graph, &format!("{path}/"), depth + 1, paths);
            }
            // Any script may ask for values of its own.
            None => paths.push(path),
        }
    }
}

fn finish(file: &str, problems: usize) -> Result<(), CliError> {
    match problems {
        0 => Ok(()),
        count => {
            Err(CliError::Problems { file: file.to_owned(), problems: counted(count, "problem") })
        }
    }
}

/// What there is to say about a graph.
struct Findings {
    compiled: Compiled,
    /// Problems of the file as a whole.
    others: Vec<String>,
    /// What is not a problem, but perhaps not intended.
    hints: Vec<Problem>,
    /// What the character of the motion does not have.
    warnings: Vec<String>,
    /// What `--set` can set beside sliders.
    settables: Vec<Settable>,
    /// What changes over clips.
    keys: MotionKeys,
    is_strict: bool,
}

impl Findings {
    fn problem_count(&self) -> usize {
        self.compiled.problems.len() + self.others.len()
    }

    fn warning_count(&self) -> usize {
        self.hints.len() + self.warnings.len()
    }

    fn inputs(&self) -> Vec<Input<'_>> {
        inputs(&self.compiled.program.tables.parameters, &self.settables)
    }

    fn lines(&self) -> String {
        let mut text = String::new();
        for problem in &self.compiled.problems {
            let _ = writeln!(text, "{}", visible(&problem.to_string()));
        }
        for other in &self.others {
            let _ = writeln!(text, "{}", visible(other));
        }
        for hint in &self.hints {
            let _ = writeln!(text, "warning: {}", visible(&hint.to_string()));
        }
        for warning in &self.warnings {
            let _ = writeln!(text, "warning: {}", visible(warning));
        }
        text
    }

    fn text(&self, name: &str, ir: bool) -> String {
        let mut text = self.lines();
        if ir {
            let _ = write!(text, "{}", self.compiled.program);
            return text;
        }
        if self.problem_count() == 0 && !(self.is_strict && self.warning_count() > 0) {
            let _ = writeln!(text, "{}: no problems found.", visible(name));
        }

        let exposed: Vec<&Parameter> = self.exposed().collect();
        if !exposed.is_empty() {
            text += "Parameters\n";
        }
        for parameter in exposed {
            let name = visible(parameter.exposed.as_deref().unwrap_or_default());
            let _ = write!(text, "  {name} = {}", parameter.value);
            match parameter.soft {
                Some((from, to)) => writeln!(text, "  ({from} to {to})"),
                None => writeln!(text),
            }
            .unwrap_or_default();
        }
        for line in keys::lines(&self.keys) {
            let _ = writeln!(text, "{}", visible(&line));
        }
        let inputs = self.inputs();
        if !inputs.is_empty() {
            text += "Other inputs that --set can change\n";
        }
        for input in inputs {
            let _ = writeln!(text, "  {}", visible(&input.line()));
        }
        text
    }

    fn exposed(&self) -> impl Iterator<Item = &Parameter> {
        self.compiled.program.tables.parameters.iter().filter(|p| p.exposed.is_some())
    }

    fn report(&self, ir: bool) -> Value {
        let Findings { compiled, others, hints, warnings, .. } = self;
        let nobodys = |message: &String| json!({ "group": Value::Null, "node": Value::Null, "port": Value::Null, "message": message });
        let others = others.iter().map(nobodys);
        let warnings = hints.iter().map(entry).chain(warnings.iter().map(nobodys));
        let problems = compiled.problems.iter().map(entry).chain(others);
        let parameters = self.exposed().map(|parameter| {
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
            "warnings": warnings.collect::<Vec<_>>(),
            "parameters": parameters.collect::<Vec<_>>(),
            "keys": self.keys,
            "settings": self.inputs().iter().map(Input::json).collect::<Vec<_>>(),
            "outputs": outputs.collect::<Vec<_>>(),
            "values": compiled.program.ops.len(),
        });
        if ir {
            report["ir"] = json!(compiled.program.to_string());
        }
        report
    }
}

fn entry(problem: &Problem) -> Value {
    json!({
        "group": match &problem.graph {
            GraphRef::Top => Value::Null,
            GraphRef::Group(name) => json!(name),
        },
        "node": problem.node, "port": problem.port, "message": problem.reason.to_string(),
    })
}

fn number(number: Number) -> Value {
    match number {
        Number::Float(x) => json!(x),
        Number::Bool(b) => json!(b),
        Number::Vec3(v) => json!(v.to_array()),
    }
}

fn check_script(file: &Path, name: &str, library: &Library, as_json: bool) -> Result<(), CliError> {
    let read = read_script(file).map_err(|error| {
        ScriptError::new(name, jounce_graph::script::SourcePosition::default(), error.to_string())
    });
    let origin = ScriptOrigin::File(file.to_owned());
    let checked = read.and_then(|text| library.script(&text, name, origin));
    let problem = match &checked {
        Ok(script) if !as_json => {
            let what = if script.is_library() { "library" } else { "node" };
            return print_line(&format!(
                "{name}: no problems found in the {what} \"{}\".",
                script.name()
            ));
        }
        Ok(_) => None,
        Err(error) => Some(error),
    };
    if as_json {
        let problems: Vec<Value> = problem
            .iter()
            .flat_map(|error| error.all())
            .map(|error| {
                json!({
                    "line": error.place.line, "column": error.place.column,
                    "message": error.message,
                })
            })
            .collect();
        print(&visible_json(&json!({ "problems": problems }))?)?;
    } else {
        for error in problem.iter().flat_map(|error| error.all()) {
            print_line(&error.line())?;
        }
    }
    finish(name, problem.map_or(0, |error| error.all().count()))
}
