//! The graph on the command line: `--graph FILE --set name=value --size L --scripts DIR …`.

use super::CliError;
use super::assignments::Assignment;
#[cfg(not(feature = "gpu"))]
use super::no_gpu;
use clap::{Args, ValueEnum};
use jounce_eval::{EvalError, ParameterError};
use jounce_files::{folder_of, is_same_place};
#[cfg(feature = "gpu")]
use jounce_gpu::{Gpu, GpuError};
use jounce_graph::document::{Document, FileError, Note, built_in_style, style_names};
pub use jounce_graph::document::{UNLINKED, is_unlinked};
use jounce_graph::script::{Library, Replaced, ScriptFolders, ScriptOrigin, user_scripts_folder};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use thiserror::Error;

#[derive(Args)]
pub struct GraphArgs {
    /// Deform with the graph in this .jounce file, or with a built-in style such as default
    #[arg(long, value_name = "FILE.jounce")]
    pub graph: Option<PathBuf>,
    /// Set a parameter of the graph by its name, or any input as node.port: to a number, three numbers, a
    /// whole number, true or false, or one of its words; `jounce check` lists them. It holds for the whole motion,
    /// whatever keys the file has
    #[arg(long, value_name = "NAME=VALUE", requires = "graph")]
    pub set: Vec<Assignment>,
    /// The length that speeds are measured against [default: the largest side of the rest pose]
    #[arg(long, value_name = "LENGTH", requires = "graph", value_parser = length, allow_hyphen_values = true)]
    pub size: Option<f64>,
    /// Where the graph is computed [default: cpu, and gpu for a crowd]
    #[arg(long, requires = "graph")]
    #[cfg_attr(feature = "gpu", arg(value_enum))]
    #[cfg_attr(not(feature = "gpu"), arg(value_parser = no_gpu::except_gpu::<BackendArg>))]
    pub backend: Option<BackendArg>,
    /// The graphics adapter that computes and draws, by its number or a part of its name; `jounce gpus`
    /// lists them [default: the fastest]
    #[cfg(feature = "gpu")]
    #[arg(long, value_name = "NAME")]
    pub gpu: Option<String>,
    #[cfg(not(feature = "gpu"))]
    #[arg(long = "gpu", hide = true, value_parser = no_gpu::refused)]
    _gpu: Option<String>,
    #[command(flatten)]
    pub scripts: ScriptArgs,
}

impl GraphArgs {
    #[cfg(feature = "gpu")]
    pub fn open_gpu(&self) -> Result<Gpu, GpuError> {
        self.gpu.as_deref().map_or_else(Gpu::new, Gpu::named)
    }

    /// The same for another graph, as its file has it, computed by the CPU.
    pub fn with_other(&self, file: &Path) -> GraphArgs {
        GraphArgs {
            graph: Some(file.to_owned()),
            set: Vec::new(),
            size: self.size,
            backend: None,
            #[cfg(feature = "gpu")]
            gpu: None,
            #[cfg(not(feature = "gpu"))]
            _gpu: None,
            scripts: ScriptArgs { folders: self.scripts.folders.clone() },
        }
    }
}

#[derive(Args)]
pub struct ScriptArgs {
    /// Also read the node scripts (.rhai) in this folder; may be given several times
    #[arg(long = "scripts", value_name = "DIR")]
    pub folders: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BackendArg {
    Cpu,
    #[cfg(feature = "gpu")]
    Gpu,
}

fn length(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(length) if length > 0.0 && length <= jounce_base::LARGEST_NUMBER => Ok(length),
        _ => Err("a length greater than 0 is needed".to_owned()),
    }
}

#[derive(Debug, Error)]
pub enum GraphError {
    #[error("{file}: {source}")]
    File { file: String, source: Box<FileError> },
    #[error("{file}: {source} (`jounce check {file}` lists its parameters)")]
    Parameter { file: String, source: Box<ParameterError> },
    #[error("{file}: \"{name}\" cannot be \"{found}\"; give {wanted}")]
    Value { file: String, name: String, found: String, wanted: String },
    #[error(
        "{file}: \"{name}\" cannot be set, because {} wired to {input}; {instead}",
        nodes_are(from)
    )]
    Wired { file: String, name: String, input: String, from: Vec<String>, instead: String },
    #[error(
        "there is no built-in style called \"{name}\"; the styles are {known}, or give the path of a .jounce file"
    )]
    NoStyle { name: String, known: String },
    #[error("{file}: {source}")]
    Show { file: String, source: Box<jounce_graph::compile::NoSuchPort> },
    #[error(transparent)]
    Eval(#[from] EvalError),
    #[error(transparent)]
    Character(#[from] jounce_rig::CharacterError),
    #[error(
        "the scripts folder {folder} cannot be read: {source}; check the path given with --scripts"
    )]
    Scripts { folder: String, source: std::io::Error },
}

fn nodes_are(nodes: &[String]) -> String {
    match nodes {
        [node] => format!("the node {node} is"),
        nodes => format!("the nodes {} are", nodes.join(", ")),
    }
}

/// The built-in nodes, those of `scripts/` that come along, the user's own, and the given folders.
/// A broken script is reported, and the others are there.
pub fn library(args: &ScriptArgs) -> Result<Library, CliError> {
    let scripts = script_folders(args)?;
    tell_of_scripts(&scripts);
    Ok(scripts.library().clone())
}

/// A folder that was given must be there; the user's own need not.
pub fn script_folders(args: &ScriptArgs) -> Result<ScriptFolders, GraphError> {
    for folder in &args.folders {
        std::fs::read_dir(folder).map_err(|source| {
            let folder = folder.display().to_string();
            GraphError::Scripts { folder, source }
        })?;
    }
    let folders = user_scripts_folder().into_iter().chain(args.folders.iter().cloned());
    Ok(ScriptFolders::new(folders.collect(), SystemTime::now()))
}

/// The same, and the folder that a script stands in: there are the libraries that it uses.
pub fn scripts_around(file: &Path, args: &ScriptArgs) -> Result<ScriptFolders, GraphError> {
    let scripts = script_folders(args)?;
    let own = folder_of(file);
    if scripts.folders().iter().any(|folder| is_same_place(folder, own)) {
        return Ok(scripts);
    }
    let folders = scripts.folders().iter().cloned().chain([own.to_owned()]);
    Ok(ScriptFolders::new(folders.collect(), SystemTime::now()))
}

/// What is wrong or surprising about scripts.
pub fn tell_of_scripts(scripts: &ScriptFolders) {
    for broken in scripts.broken() {
        for error in broken.error.all() {
            say!("{}", error.line());
        }
        if let Some(name) = &broken.in_use {
            say!("until that is fixed, the last working \"{name}\" is used");
        }
    }
    for Replaced { before, by } in scripts.replaced() {
        let (name, by) = (&before.name, by.display());
        match &before.origin {
            ScriptOrigin::File(path) => say!(
                "two scripts define the node \"{name}\", {} and {by}; the second one is used",
                path.display()
            ),
            _ => say!("{by} replaces the node \"{name}\" that comes with Jounce"),
        }
    }
}

/// A name without a dot or a slash is a built-in style. Anything odd about the file is reported.
pub fn load_document(file: &Path) -> Result<Document, GraphError> {
    let (document, notes) = open_document(file)?;
    for note in notes {
        say!("{}: {note}", file.display());
    }
    Ok(document)
}

pub fn open_document(file: &Path) -> Result<(Document, Vec<Note>), GraphError> {
    let name = file.display().to_string();
    if !name.contains(['.', '/', '\\']) && !file.is_file() {
        let known = || style_names().collect::<Vec<_>>().join(", ");
        let style = built_in_style(&name);
        return style
            .map(|style| (style, Vec::new()))
            .ok_or_else(|| GraphError::NoStyle { known: known(), name });
    }
    let loaded = Document::load(file)
        .map_err(|source| GraphError::File { file: name.clone(), source: Box::new(source) })?;
    Ok((loaded.document, loaded.notes))
}
