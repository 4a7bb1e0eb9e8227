//! The command line. Results go to stdout, messages to stderr; 0 is success, 1 a failure that the
//! message explains, 2 wrong usage. Names of files and of what is in them may hold anything; what is
//! printed here holds nothing that would steer a terminal (see [`jounce_base::text::visible`]).

/// A message: one line on stderr.
macro_rules! say {
    ($($parts:tt)*) => {
        $crate::cli::say_line(&format!($($parts)*))
    };
}

mod assignments;
mod bake;
mod characters;
mod check;
#[cfg(feature = "gpu")]
mod compare;
mod curves;
mod demo;
mod edit;
mod export;
mod fit;
mod flesh_overlay;
mod framing;
#[cfg(feature = "gpu")]
mod gpus;
mod graph;
mod heat;
mod inspect;
mod join;
mod looks;
#[cfg(any(test, not(feature = "gpu")))]
mod no_gpu;
mod nodes;
mod render;
mod scene;
mod scene_args;
mod signals;
#[cfg(all(test, feature = "gpu"))]
#[allow(dead_code, reason = "the other kinds are for other tests")]
#[path = "../../tests/support/skipped.rs"]
mod skipped;
mod staging;
mod standstill;

use clap::{Parser, Subcommand};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use jounce_base::text::{visible, visible_lines};
use jounce_files::KeptFiles;
use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
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
    Demo(demo::DemoArgs),
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
    Looks(looks::LooksArgs),
    Render(Box<render::RenderArgs>),
    #[cfg(feature = "gpu")]
    Gpus(gpus::GpusArgs),
    #[cfg(feature = "gpu")]
    Compare(compare::CompareArgs),
    #[cfg(not(feature = "gpu"))]
    #[command(hide = true, alias = "compare")]
    Gpus(no_gpu::AnyArgs),
}

/// Everything that can go wrong after the arguments were understood.
#[derive(Debug, Error)]
enum CliError {
    #[error(transparent)]
    Scene(Box<scene::SceneError>),
    #[error(transparent)]
    Graph(Box<graph::GraphError>),
    #[error("{0}")]
    Combination(String),
    #[error(
        "{0} has no vectors to draw as arrows; leave out --arrows, or show a port that is a vector"
    )]
    NoArrows(String),
    #[error(
        "a strip is a single picture; end its name in .png, or leave out --strip to make a film"
    )]
    StripOfFilm,
    #[error(transparent)]
    Element(Box<jounce_eval::flesh::ElementError>),
    #[error(transparent)]
    Heat(Box<jounce_eval::heat::HeatError>),
    #[error("a port belongs to a graph; name the graph with --graph")]
    HeatWithoutGraph,
    #[cfg(feature = "gpu")]
    #[error("--vary works only on the CPU; leave out --backend gpu")]
    VaryOnGpu,
    #[error("{0} is a character, not a graph; `jounce inspect {0}` shows what is in it")]
    CheckCharacter(String),
    #[error("curves show a motion over time; leave out --at and --velocity")]
    CurvesOfMoment,
    #[error("a curve needs more than one frame; give a longer range with --frames")]
    CurvesOfOneFrame,
    #[error(
        "the curves cannot be drawn: {0}; write them as .csv and draw them with another program"
    )]
    Plot(String),
    #[error("there is no node \"{name}\"; {hint}`jounce nodes` lists them")]
    NoSuchNode { name: String, hint: String },
    #[error(transparent)]
    Watch(#[from] jounce_graph::script::WatchError),
    #[error("{file} has {problems}")]
    Problems { file: String, problems: String },
    #[error("{file} has {warnings}, and --strict does not allow any")]
    Strict { file: String, warnings: String },
    #[error("{file} has {problems}, so nothing was exported; `jounce check` explains what to fix")]
    NoExport { file: String, problems: String },
    #[error(
        "{file} has {problems}, so nothing was baked; fix them, or bake what works with --anyway"
    )]
    NoBake { file: String, problems: String },
    #[error("{} is a file; -o takes the folder to write to", .0.display())]
    FolderIsFile(PathBuf),
    #[error("{} looks like the name of a file; -o takes the folder to write to", .0.display())]
    FolderLikeFile(PathBuf),
    #[error("{} is a page that Jounce did not make; give another folder with -o", .0.display())]
    PageOfOthers(PathBuf),
    #[error(transparent)]
    BakeFile(#[from] jounce_export::BakeFileError),
    #[error(transparent)]
    Join(#[from] jounce_export::JoinError),
    #[error("{} is not a {ending} file; all parts must have the same extension as the file given with -o", part.display())]
    JoinFormat { part: PathBuf, ending: &'static str },
    #[error("{} is one of the parts; give another name with -o", .0.display())]
    JoinIntoPart(PathBuf),
    #[error(transparent)]
    Write(#[from] jounce_export::WriteError),
    #[error("cannot make the folder {}: {source}; check that you may write to the folder above it", folder.display())]
    Folder { folder: PathBuf, source: std::io::Error },
    #[error("with a NAME, -o takes a file that ends in .glb; without one, a folder")]
    CharacterOutput,
    #[error("the folder {} does not exist; make it first", .0.display())]
    NoFolder(PathBuf),
    #[error(
        "a .gif plays at most 50 frames per second; give --fps 50 or less, and count --frames at that rate"
    )]
    FilmTooFast,
    #[error(transparent)]
    Own(#[from] jounce_rig::own::OwnError),
    #[error(transparent)]
    Save(#[from] jounce_rig::SaveError),
    #[cfg(feature = "gpu")]
    #[error("there is nothing to compare without a graph; give one with --graph")]
    CompareNothing,
    #[cfg(feature = "gpu")]
    #[error("CPU and GPU differ by {difference:.2e} of the size, more than {tolerance:.0e}")]
    TooDifferent { difference: f64, tolerance: f64 },
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] jounce_gpu::GpuError),
    #[cfg(feature = "gpu")]
    #[error("{0}; or leave out --draw gpu, and the CPU draws the same picture")]
    NoGpuToDraw(jounce_draw::DrawError),
    #[cfg(not(feature = "gpu"))]
    #[error("{}", no_gpu::NO_GPU)]
    NoGpu,
    #[error(transparent)]
    Draw(#[from] jounce_draw::DrawError),
    #[error(
        "{frames} frames of {width} × {height} pixels are too many for one film; ask for fewer with --frames or --fps, or for a smaller --resolution"
    )]
    FilmTooLong { frames: usize, width: u64, height: u64 },
    #[error(transparent)]
    Fit(Box<jounce_session::fit::FitError>),
    #[error(transparent)]
    Cast(Box<jounce_session::CastError>),
    #[error(transparent)]
    Document(jounce_graph::document::FileError),
    #[cfg(feature = "editor")]
    #[error(
        "{} is neither a document (.jounce) nor a character (.glb, .gltf); `jounce --help` lists all commands",
        .0.display()
    )]
    NotOpenable(std::path::PathBuf),
    #[cfg(feature = "editor")]
    #[error(transparent)]
    Window(Box<jounce_editor::OpenWindowError>),
    #[cfg(not(feature = "editor"))]
    #[error(
        "this build of Jounce does not include the editor; `cargo run --release` builds and opens it. `jounce demo` makes a page of films, and `jounce --help` lists what else this build can do"
    )]
    NoEditor,
    #[error(transparent)]
    ShaderFolder(Box<jounce_export::shader::FolderError>),
    #[error(transparent)]
    Wgsl(#[from] jounce_shader::wgsl::WgslError),
    #[error("the result cannot be printed: {0}; check that the disk it goes to is not full")]
    Output(std::io::Error),
    #[error("the result cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// Large errors are boxed, because results pass through many functions.
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
    Heat: jounce_eval::heat::HeatError,
    Fit: jounce_session::fit::FitError,
    Cast: jounce_session::CastError,
    Element: jounce_eval::flesh::ElementError,
    ShaderFolder: jounce_export::shader::FolderError
}

impl From<jounce_eval::EvalError> for CliError {
    fn from(error: jounce_eval::EvalError) -> CliError {
        graph::GraphError::from(error).into()
    }
}

#[cfg(feature = "editor")]
boxed! { Window: jounce_editor::OpenWindowError }

/// Runs the program with the process's arguments.
pub fn run() -> ExitCode {
    signals::clean_up_at_signals();
    let args = edit::with_command(std::env::args_os().collect());
    match Cli::try_parse_from(&args) {
        Ok(cli) => {
            if let Some(folder) = jounce_files::user_folders::cache_folder() {
                jounce_rig::softness::keep_softness_in(KeptFiles { folder, prefix: "softness-" });
            }
            exit_code(run_command(cli.command))
        }
        Err(said) => say_usage(&said, &args),
    }
}

fn run_command(command: Command) -> Result<(), CliError> {
    match command {
        Command::Demo(args) => demo::run(args),
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
        Command::Looks(args) => looks::run(args),
        Command::Render(args) => render::run(*args),
        #[cfg(feature = "gpu")]
        Command::Gpus(args) => gpus::run(args),
        #[cfg(feature = "gpu")]
        Command::Compare(args) => compare::run(args),
        #[cfg(not(feature = "gpu"))]
        Command::Gpus(_) => Err(CliError::NoGpu),
    }
}

fn exit_code(done: Result<(), CliError>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        #[cfg(not(feature = "gpu"))]
        Err(error @ CliError::NoGpu) => {
            say!("{error}");
            ExitCode::from(2)
        }
        Err(error) => {
            say!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Help and versions are results; wrong usage is a message, which quotes the arguments.
fn say_usage(said: &clap::Error, args: &[OsString]) -> ExitCode {
    if !said.use_stderr() {
        let printed = said.print().and_then(|()| std::io::stdout().flush());
        return exit_code(unless_closed(printed));
    }
    let is_plain = |arg: &OsString| matches!(visible(&arg.to_string_lossy()), Cow::Borrowed(_));
    // Clap knows colours, but not what an argument may do to a terminal.
    let _ = match args.iter().all(is_plain) {
        true => said.print(),
        false => write!(std::io::stderr(), "{}", visible_lines(&said.to_string())),
    };
    ExitCode::from(u8::try_from(said.exit_code()).unwrap_or(2))
}

/// The function behind [`say!`]. If stderr is closed, there is nobody to tell.
fn say_line(message: &str) {
    let write = || writeln!(std::io::stderr(), "jounce: {}", visible(message));
    let _ = BARS.suspend(write);
}

/// Before the work, not after it: can the file be written?
fn check_folder(file: &Path) -> Result<(), CliError> {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(CliError::NoFolder(folder.to_owned()))
        }
        _ => Ok(jounce_files::check_writable(file)?),
    }
}

/// Prints a result of several lines. Names in it must be [`visible`] already: a line of their own would
/// pass for one of ours.
fn print(text: &str) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    let text = visible_lines(text);
    unless_closed(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Prints a result of one line, whatever the names in it are.
fn print_line(text: &str) -> Result<(), CliError> {
    print(&format!("{}\n", visible(text.trim_end_matches('\n'))))
}

static READER_IS_GONE: AtomicBool = AtomicBool::new(false);

/// A reader that closes the pipe early (`| head`) has what it wants; the work goes on, and is a success.
/// Anything else that keeps a result from being printed is a failure.
fn unless_closed(printed: std::io::Result<()>) -> Result<(), CliError> {
    match printed {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            READER_IS_GONE.store(true, Ordering::Relaxed);
            Ok(())
        }
        printed => printed.map_err(CliError::Output),
    }
}

/// Has nobody read the results since one was printed?
fn reader_is_gone() -> bool {
    READER_IS_GONE.load(Ordering::Relaxed)
}

/// All bars of the program: a message makes room for itself among them.
static BARS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// How far the work is, a line for each kind of it. Drawn on stderr, and only where that is a terminal.
struct ProgressBars(MultiProgress);

impl Default for ProgressBars {
    fn default() -> ProgressBars {
        ProgressBars(BARS.clone())
    }
}

impl ProgressBars {
    fn bar(&self, count: usize, what: &str) -> ProgressBar {
        let template = format!("{{bar:30}} {{pos}}/{{len}} {what}, {{eta}} left");
        let style = ProgressStyle::with_template(&template);
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        self.0.add(ProgressBar::new(count as u64).with_style(style))
    }

    fn frames(&self, count: usize) -> ProgressBar {
        self.bar(count, "frames")
    }

    /// For work of unknown length.
    fn spinner(&self, message: String) -> ProgressBar {
        let spinner =
            self.0.add(ProgressBar::new_spinner().with_message(visible(&message).into_owned()));
        spinner.enable_steady_tick(std::time::Duration::from_millis(100));
        spinner
    }
}
