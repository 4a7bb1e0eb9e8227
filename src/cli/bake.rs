//! `jounce bake`: positions over time, as a point cache.

#[cfg(feature = "gpu")]
use super::graph::BackendArg;
use super::scene::{Scene, WithoutClips};
use super::scene_args::SceneArgs;
use super::standstill::say_what_was_seen;
use super::{CliError, ProgressBars, check_folder, print_line};
use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use jounce_base::text::counted;
use jounce_export::BakeFormat;
use jounce_export::bakes::{FORMATS, endings_text};
use jounce_session as session;
use std::path::PathBuf;

/// Write the moving vertices as a point cache for Blender, Maya, Houdini …
///
/// Positions are in the scene, Y up, in the file's units. Vertices come in the order of the
/// file's nodes, each node's mesh once, primitives in order.
#[derive(Args)]
pub struct BakeArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[arg(
        short, long, value_name = "OUT",
        help = format!("Where to write: OUT{}", endings_text(&FORMATS)),
        value_parser = PathBufValueParser::new().try_map(|path| BakeFile::new(path, &FORMATS)),
    )]
    output: BakeFile,
    /// Bake what works, even if parts of the graph are broken
    #[arg(long)]
    anyway: bool,
}

#[derive(Clone)]
pub struct BakeFile {
    pub path: PathBuf,
    pub format: &'static BakeFormat,
}

impl BakeFile {
    /// By its ending, which must be one of these.
    pub fn new(path: PathBuf, formats: &[&BakeFormat]) -> Result<BakeFile, String> {
        match BakeFormat::of_path(&path).filter(|format| formats.contains(format)) {
            Some(format) => Ok(BakeFile { path, format }),
            None => Err(format!("the name must end in {}", endings_text(formats))),
        }
    }
}

pub fn run(args: BakeArgs) -> Result<(), CliError> {
    print_line(&make(args, &ProgressBars::default())?)
}

/// Writes the cache, and says what is in it.
pub fn make(args: BakeArgs, bars: &ProgressBars) -> Result<String, CliError> {
    let BakeFile { path, format } = &args.output;
    check_folder(path)?;
    #[cfg(feature = "gpu")]
    if args.scene.graph.gpu.is_some() && args.scene.graph.backend != Some(BackendArg::Gpu) {
        say!("--gpu has no effect here without --backend gpu");
    }
    let scene = Scene::with_graph(&args.scene, WithoutClips::Rest)?;
    let problems = scene.compiled().problems.len();
    if let (Some(graph), true) = (&scene.graph, problems > 0 && !args.anyway) {
        let problems = counted(problems, "problem");
        return Err(CliError::NoBake { file: graph.name.clone(), problems });
    }
    let frames = scene.frames(&args.scene)?;
    let progress = bars.frames(frames.pose_secs.len());
    session::bake::write(&scene, &frames, path, format, |_| {
        progress.inc(1);
        Ok::<_, CliError>(())
    })?;
    progress.finish_and_clear();
    say_what_was_seen(&scene, &frames.pose_secs);
    Ok(format!(
        "{}: {} from frame {}, {} points, clip \"{}\"\n",
        path.display(),
        counted(frames.pose_secs.len(), "frame"),
        frames.first,
        scene.character().vertex_count(),
        scene.clip().name
    ))
}
