//! `jounce export`: a graph as a shader for engines.

use super::graph::{ScriptArgs, library, load_document};
use super::scene_args::BaseArg;
use super::{CliError, print, problem_count};
use crate::export::shader::{
    ShaderExport, Target, compile_for_export, export_shader, graph_notes, obstacles, write_files,
};
use crate::rig::Base;
use clap::{Args, ValueEnum};
use std::fmt::Write;
use std::path::PathBuf;

/// Write a graph as a shader, with a manifest that tells a host how to feed it
#[derive(Args)]
pub struct ExportArgs {
    /// FILE.jounce, or a style that comes along, such as default
    file: PathBuf,
    /// The language; may be given several times
    #[arg(long, value_enum, required = true)]
    target: Vec<TargetArg>,
    /// The folder to write to; it is made if it is not there
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// How bones are blended before [default: what the graph says]
    #[arg(long, value_enum)]
    base: Option<BaseArg>,
    #[command(flatten)]
    scripts: ScriptArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TargetArg {
    Wgsl,
    #[value(name = "glsl-450")]
    Glsl,
    Hlsl,
    Msl,
    Spirv,
    All,
}

impl TargetArg {
    fn targets(self) -> &'static [Target] {
        match self {
            TargetArg::Wgsl => &[Target::Wgsl],
            TargetArg::Glsl => &[Target::Glsl],
            TargetArg::Hlsl => &[Target::Hlsl],
            TargetArg::Msl => &[Target::Msl],
            TargetArg::Spirv => &[Target::Spirv],
            TargetArg::All => &Target::ALL,
        }
    }
}

pub fn run(args: ExportArgs) -> Result<(), CliError> {
    let document = load_document(&args.file)?;
    let library = library(&args.scripts)?;
    let compiled = compile_for_export(&document.style, &library);
    let problems = obstacles(&document.style, &compiled);
    if !problems.is_empty() {
        let file = args.file.display().to_string();
        for problem in &problems {
            eprintln!("jounce: {file}: {problem}");
        }
        return Err(CliError::NoExport { file, problems: problem_count(problems.len()) });
    }
    if args.output.is_file() {
        return Err(CliError::FolderIsFile(args.output));
    }
    let asked: Vec<Target> = args.target.iter().flat_map(|t| t.targets()).copied().collect();
    let targets: Vec<Target> = Target::ALL.into_iter().filter(|t| asked.contains(t)).collect();
    let name = args.file.file_stem().unwrap_or_default().to_string_lossy();
    let files = export_shader(&ShaderExport {
        name: &name,
        program: &compiled.program,
        base: args.base.map(Base::from),
        targets: &targets,
    })?;
    for refusal in targets.first().map(|t| t.refusals(&compiled.program)).unwrap_or_default() {
        eprintln!("jounce: no {}: {}", refusal.what, refusal.why);
    }
    for note in graph_notes(&compiled.program) {
        eprintln!("jounce: {note}");
    }
    let mut list = String::new();
    for path in write_files(&args.output, &files)? {
        let _ = writeln!(list, "{}", path.display());
    }
    print(&list);
    Ok(())
}
