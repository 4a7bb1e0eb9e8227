//! The command line. Results go to stdout, messages to stderr; 0 is success, 1 a failure that the
//! message explains, 2 wrong usage.

mod assignments;
mod bake;
mod characters;
mod check;
#[cfg(feature = "gpu")]
mod compare;
mod curves;
mod deformer;
mod edit;
mod export;
mod fit;
#[cfg(feature = "gpu")]
mod flesh_overlay;
#[cfg(feature = "gpu")]
mod framing;
#[cfg(feature = "gpu")]
mod gpus;
mod graph;
#[cfg(feature = "gpu")]
mod heat;
mod inspect;
mod join;
mod nodes;
#[cfg(feature = "gpu")]
mod render;
mod scene;
mod scene_args;
mod standstill;

use clap::{Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Makes rigged characters move as if drawn.
///
/// Skin that trails, squashes and bends is computed from how the skeleton moves, by a graph of
/// nodes in a .jounce file. Bake or draw the result; check graphs and scripts.
/// CHARACTER is a .glb or .gltf file, or one of the built-in characters: tube, giraffe, bird,
/// cow, snail, dragon, mushroom.
#[derive(Parser)]
#[command(version, propagate_version = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Edit(edit::EditArgs),
    Inspect(inspect::InspectArgs),
    Characters(characters::CharactersArgs),
    Bake(bake::BakeArgs),
    Join(join::JoinArgs),
    Curves(curves::CurvesArgs),
    Nodes(nodes::NodesArgs),
    Check(check::CheckArgs),
    Export(export::ExportArgs),
    Fit(fit::FitArgs),
    #[cfg(feature = "gpu")]
    Render(Box<render::RenderArgs>),
    #[cfg(feature = "gpu")]
    Gpus(gpus::GpusArgs),
    #[cfg(feature = "gpu")]
    Compare(compare::CompareArgs),
}

/// Everything that can go wrong after the arguments were understood.
#[derive(Debug, Error)]
enum CliError {
    #[error("{name}: {source}")]
    Load { name: String, source: crate::rig::LoadError },
    #[error(transparent)]
    Scene(Box<scene::SceneError>),
    #[error(transparent)]
    Graph(Box<graph::GraphError>),
    #[cfg(feature = "gpu")]
    #[error("{0}")]
    Combination(String),
    #[cfg(feature = "gpu")]
    #[error(
        "{0} has no vectors to draw as arrows; leave --arrows out, or show a port that is a vector"
    )]
    NoArrows(String),
    #[cfg(feature = "gpu")]
    #[error("a strip is one picture; let its name end in .png, or leave --strip out for a film")]
    StripOfFilm,
    #[error(transparent)]
    Element(Box<crate::eval::flesh::ElementError>),
    #[error(transparent)]
    Heat(Box<crate::eval::heat::HeatError>),
    #[cfg(feature = "gpu")]
    #[error("a port is one of a graph; give the graph with --graph")]
    HeatWithoutGraph,
    #[cfg(feature = "gpu")]
    #[error("--vary shows what the CPU computes; leave --backend gpu out")]
    VaryOnGpu,
    #[error("{0} is a character, not a graph; `jounce inspect {0}` tells what is in it")]
    CheckCharacter(String),
    #[error("curves show a motion over time; leave --at and --velocity out")]
    CurvesOfMoment,
    #[error("one frame makes no curve; give more with --frames")]
    CurvesOfOneFrame,
    #[error("the curves cannot be drawn: {0}; write them as .csv, and draw them elsewhere")]
    Plot(String),
    #[error("there is no node \"{name}\"; {hint}`jounce nodes` lists them")]
    NoSuchNode { name: String, hint: String },
    #[error(transparent)]
    Watch(#[from] crate::script::WatchError),
    #[error("{file} has {problems}")]
    Problems { file: String, problems: String },
    #[error(
        "{file} has {problems}; nothing was written, because an exported shader goes into builds"
    )]
    NoExport { file: String, problems: String },
    #[error(
        "{file} has {problems}; nothing was written, because a bake goes into shots; mend them, or bake what works \
         with --anyway"
    )]
    NoBake { file: String, problems: String },
    #[error("{} is a file; -o takes the folder to write to", .0.display())]
    FolderIsFile(PathBuf),
    #[error(transparent)]
    Cache(#[from] crate::export::point_cache::CacheError),
    #[error(transparent)]
    Join(#[from] crate::export::JoinError),
    #[error("{} is no {ending} file; parts must be of the kind that -o names", part.display())]
    JoinFormat { part: PathBuf, ending: &'static str },
    #[error("{} is one of the parts; give another name with -o", .0.display())]
    JoinIntoPart(PathBuf),
    #[error(transparent)]
    Write(#[from] crate::export::WriteError),
    #[error("cannot make the folder {}: {source}; check that its parent may be written to", folder.display())]
    Folder { folder: PathBuf, source: std::io::Error },
    #[error("with a NAME, -o takes a file that ends in .glb; without one, a folder")]
    CharacterOutput,
    #[error("the folder {} does not exist; make it first", .0.display())]
    NoFolder(PathBuf),
    #[cfg(feature = "gpu")]
    #[error(
        "players show at most 50 frames of a .gif per second; count --frames at --fps 50 or less"
    )]
    FilmTooFast,
    #[error(transparent)]
    Own(#[from] crate::rig::own::OwnError),
    #[error(transparent)]
    Save(#[from] crate::rig::SaveError),
    #[cfg(feature = "gpu")]
    #[error("there is nothing to compare without a graph; give one with --graph")]
    CompareNothing,
    #[cfg(feature = "gpu")]
    #[error("CPU and GPU differ by {difference:.2e} of the size, more than {tolerance:.0e}")]
    TooDifferent { difference: f64, tolerance: f64 },
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] crate::gpu::GpuError),
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Draw(#[from] crate::draw::DrawError),
    #[cfg(feature = "gpu")]
    #[error(
        "{frames} frames of {width} × {height} pixels are too much for one film; give fewer with --frames or --fps, or a smaller --resolution"
    )]
    FilmTooLong { frames: usize, width: u64, height: u64 },
    #[error(transparent)]
    Fit(Box<crate::session::fit::FitError>),
    #[error(transparent)]
    Cast(Box<crate::session::CastError>),
    #[error(transparent)]
    Document(crate::graph::FileError),
    #[cfg(feature = "editor")]
    #[error(
        "{} is neither a document (.jounce) nor a character (.glb, .gltf); `jounce --help` lists all commands",
        .0.display()
    )]
    NotOpenable(std::path::PathBuf),
    #[cfg(feature = "editor")]
    #[error(transparent)]
    Window(Box<crate::editor::OpenWindowError>),
    #[cfg(not(feature = "editor"))]
    #[error("this Jounce was built without its editor; `jounce --help` lists what it can do")]
    NoEditor,
    #[error(transparent)]
    ShaderFolder(Box<crate::export::shader::FolderError>),
    #[error(transparent)]
    Wgsl(#[from] crate::wgsl::WgslError),
    #[error("the result cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// What is large stands in a box: results are handed through many hands.
macro_rules! boxed {
    ($($variant:ident: $source:ty),*) => {
        $(impl From<$source> for CliError {
            fn from(source: $source) -> CliError {
                CliError::$variant(Box::new(source))
            }
        })*
    };
}

boxed! {
    Scene: scene::SceneError,
    Graph: graph::GraphError,
    Heat: crate::eval::heat::HeatError,
    Fit: crate::session::fit::FitError,
    Cast: crate::session::CastError,
    Element: crate::eval::flesh::ElementError,
    ShaderFolder: crate::export::shader::FolderError
}

#[cfg(feature = "editor")]
boxed! { Window: crate::editor::OpenWindowError }

fn problem_count(count: usize) -> String {
    match count {
        1 => "one problem".to_owned(),
        count => format!("{count} problems"),
    }
}

/// Runs the program with the process's arguments.
pub fn run() -> std::process::ExitCode {
    let cli = Cli::parse_from(edit::with_command(std::env::args_os().collect()));
    let done = match cli.command {
        Command::Edit(args) => edit::run(args),
        Command::Inspect(args) => inspect::run(args),
        Command::Characters(args) => characters::run(args),
        Command::Bake(args) => bake::run(args),
        Command::Join(args) => join::run(args),
        Command::Curves(args) => curves::run(args),
        Command::Nodes(args) => nodes::run(args),
        Command::Check(args) => check::run(args),
        Command::Export(args) => export::run(args),
        Command::Fit(args) => fit::run(args),
        #[cfg(feature = "gpu")]
        Command::Render(args) => render::run(*args),
        #[cfg(feature = "gpu")]
        Command::Gpus(args) => gpus::run(args),
        #[cfg(feature = "gpu")]
        Command::Compare(args) => compare::run(args),
    };
    match done {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("jounce: {error}");
            std::process::ExitCode::FAILURE
        }
    }
}

/// Before the work, not after it: is there a folder to write to?
fn check_folder(file: &Path) -> Result<(), CliError> {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(CliError::NoFolder(folder.to_owned()))
        }
        _ => Ok(()),
    }
}

/// Prints a result. A reader that closes the pipe early (`| head`) is no failure.
fn print(text: &str) {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Drawn on stderr, and only where that is a terminal.
fn progress_bar(frames: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} frames, {eta} left");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(frames as u64).with_style(style)
}

/// For work of which nobody knows how long it takes.
fn spinner(message: String) -> ProgressBar {
    let spinner = ProgressBar::new_spinner().with_message(message);
    spinner.enable_steady_tick(std::time::Duration::from_millis(100));
    spinner
}
