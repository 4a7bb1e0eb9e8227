//! `jounce export`: a graph as a shader for engines.

use super::graph::{ScriptArgs, library, load_document};
use super::scene_args::BaseArg;
use super::{CliError, print};
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Args, Command};
use jounce_base::Base;
use jounce_base::text::{counted, either, nearest, visible};
use jounce_export::shader::{
    Refusal, ShaderExport, Target, check_folder, export_shader, graph_notes, key_warnings,
    write_files,
};
use jounce_graph::compile::{compile_for_export_with_keys, obstacles};
use std::ffi::OsStr;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Write a graph as a shader, with a manifest that tells an engine how to run it
#[derive(Args)]
pub struct ExportArgs {
    /// FILE.jounce, or a built-in style such as default
    file: PathBuf,
    /// The language; may be given several times
    #[arg(long, required = true, value_parser = TargetParser)]
    target: Vec<TargetArg>,
    /// The folder to write to; it is created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// How the bones' transforms are blended before the graph is applied [default: what the graph says]
    #[arg(long, value_enum)]
    base: Option<BaseArg>,
    #[command(flatten)]
    scripts: ScriptArgs,
}

/// One target, or all.
#[derive(Clone, Copy)]
struct TargetArg(Option<Target>);

const ALL: &str = "all";

fn target_names() -> impl Iterator<Item = &'static str> {
    Target::ALL.into_iter().map(Target::name).chain([ALL])
}

/// Targets by name. An unknown name is answered with the names that may be meant.
#[derive(Clone)]
struct TargetParser;

impl TypedValueParser for TargetParser {
    type Value = TargetArg;

    fn parse_ref(
        &self,
        command: &Command,
        _: Option<&Arg>,
        value: &OsStr,
    ) -> Result<TargetArg, clap::Error> {
        let word = value.to_string_lossy();
        let named = Target::ALL.into_iter().find(|target| target.name() == word);
        if let Some(target) = named.map(Some).or((word == ALL).then_some(None)) {
            return Ok(TargetArg(target));
        }
        let known: Vec<&str> = target_names().collect();
        let known = known.join(", ");
        let message = match &meant(&word)[..] {
            [] => format!("there is no target \"{word}\"; the targets are {known}\n"),
            near => format!(
                "there is no target \"{word}\"; did you mean {}? The targets are {known}\n",
                either(near)
            ),
        };
        Err(clap::Error::raw(ErrorKind::InvalidValue, message).with_cmd(command))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue>>> {
        Some(Box::new(target_names().map(PossibleValue::new)))
    }
}

/// The targets that a word may mean: known under it, else written much like it.
fn meant(word: &str) -> Vec<&'static str> {
    let word = word.to_lowercase();
    let is_known = |target: &Target| target.known_as().contains(&word.as_str());
    let known: Vec<&str> = Target::ALL.into_iter().filter(is_known).map(Target::name).collect();
    match known.is_empty() {
        true => nearest(&word, target_names()).into_iter().collect(),
        false => known,
    }
}

impl TargetArg {
    fn targets(self) -> Vec<Target> {
        self.0.map_or_else(|| Target::ALL.to_vec(), |target| vec![target])
    }
}

/// Whoever names a file means one, and would get a folder of that name.
fn is_file_name(path: &Path) -> bool {
    let is_ending = |ending: &OsStr| {
        let of_targets = Target::ALL.into_iter().flat_map(Target::endings);
        of_targets.chain(&["json"]).any(|known| ending.eq_ignore_ascii_case(known))
    };
    path.extension().is_some_and(is_ending) && !path.is_dir()
}

pub fn run(args: ExportArgs) -> Result<(), CliError> {
    let Exported { list, notes } = make(args)?;
    for note in notes {
        say!("{note}");
    }
    print(&list)
}

/// What was written, and what whoever runs it should know.
pub struct Exported {
    list: String,
    notes: Vec<String>,
}

/// Writes the files, and lists them.
pub fn make(args: ExportArgs) -> Result<Exported, CliError> {
    let name = args.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if args.output.is_file() {
        return Err(CliError::FolderIsFile(args.output));
    }
    if is_file_name(&args.output) {
        return Err(CliError::FolderLikeFile(args.output));
    }
    check_folder(&args.output, &name)?;
    let document = load_document(&args.file)?;
    let library = library(&args.scripts)?;
    let keys = &document.motion.keys;
    let compiled = compile_for_export_with_keys(&document.style, &library, keys);
    let problems = obstacles(&document.style, &compiled);
    if !problems.is_empty() {
        let file = args.file.display().to_string();
        for problem in &problems {
            say!("{file}: {problem}");
        }
        return Err(CliError::NoExport { file, problems: counted(problems.len(), "problem") });
    }
    for (clip, warning) in key_warnings(&compiled.program, keys) {
        say!("{}: clip \"{clip}\": {warning}", args.file.display());
    }
    let asked: Vec<Target> = args.target.iter().flat_map(|t| t.targets()).collect();
    let targets: Vec<Target> = Target::ALL.into_iter().filter(|t| asked.contains(t)).collect();
    let files = export_shader(&ShaderExport {
        name: &name,
        program: &compiled.program,
        base: args.base.map(Base::from),
        targets: &targets,
        keys,
    })?;
    // What several refuse is said once.
    let mut refusals: Vec<Refusal> = Vec::new();
    for refusal in targets.iter().flat_map(|target| target.refusals(&compiled.program)) {
        if !refusals.contains(&refusal) {
            refusals.push(refusal);
        }
    }
    let refusal = |it: &Refusal| format!("without the entry point `{}`: {}", it.what, it.why);
    let refusals = refusals.iter().map(refusal);
    let notes = graph_notes(&compiled.program);
    let notes = refusals.chain(notes.iter().map(|note| note.to_string())).collect();
    let written = write_files(&args.output, files)?;
    for path in &written.outdated {
        say!(
            "{} is left over from an earlier export and no longer matches manifest.json; export for its target again, or remove the file",
            visible(&path.display().to_string())
        );
    }
    let mut list = String::new();
    for path in &written.files {
        let _ = writeln!(list, "{}", visible(&path.display().to_string()));
    }
    Ok(Exported { list, notes })
}
