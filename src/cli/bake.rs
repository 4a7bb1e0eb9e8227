//! `jounce bake`: positions over time, as a point cache.

#[cfg(feature = "gpu")]
use super::graph::BackendArg;
use super::scene::{Scene, WithoutClips};
use super::scene_args::SceneArgs;
use super::standstill::say_if_nothing_moved;
use super::{CliError, ProgressBars, check_folder, print_line};
use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use jounce_base::text::counted;
use jounce_export::{CacheFormat, CacheHeader, write_point_cache};
use std::path::PathBuf;

/// Write the moving vertices as a point cache (.pc2 or .mdd) for Blender, Maya, Houdini …
///
/// Positions are in the scene, Y up, in the file's units. Vertices come in the order of the
/// file's nodes, each node's mesh once, primitives in order.
#[derive(Args)]
pub struct BakeArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Where to write: OUT.pc2 or OUT.mdd
    #[arg(short, long, value_name = "OUT.pc2|OUT.mdd", value_parser = PathBufValueParser::new().try_map(cache_file))]
    output: CacheFile,
    /// Bake what works, even where parts of the graph are broken
    #[arg(long)]
    anyway: bool,
}

#[derive(Clone)]
pub struct CacheFile {
    pub path: PathBuf,
    pub format: CacheFormat,
}

pub fn cache_file(path: PathBuf) -> Result<CacheFile, String> {
    match CacheFormat::of_path(&path) {
        Some(format) => Ok(CacheFile { path, format }),
        None => Err("the name must end in .pc2 or .mdd".to_owned()),
    }
}

pub fn run(args: BakeArgs) -> Result<(), CliError> {
    print_line(&make(args, &ProgressBars::default())?)
}

/// Writes the cache, and says what is in it.
pub fn make(args: BakeArgs, bars: &ProgressBars) -> Result<String, CliError> {
    let CacheFile { path, format } = &args.output;
    check_folder(path)?;
    #[cfg(feature = "gpu")]
    if args.scene.graph.gpu.is_some() && args.scene.graph.backend != Some(BackendArg::Gpu) {
        say!("--gpu has no effect here without --backend gpu");
    }
    let scene = Scene::with_graph(&args.scene, WithoutClips::Rest)?;
    if let Some(deformer) = &scene.deformer
        && deformer.problem_count() > 0
        && !args.anyway
    {
        let problems = counted(deformer.problem_count(), "problem");
        return Err(CliError::NoBake { file: deformer.file().to_owned(), problems });
    }
    let frames = scene.frames(&args.scene)?;
    let header = CacheHeader {
        points: scene.character.vertex_count(),
        start_frame: frames.first as f32,
        times_secs: frames.clock_secs,
    };
    let progress = bars.frames(header.times_secs.len());
    write_point_cache(path, *format, &header, |frame, positions| {
        progress.inc(1);
        scene.positions_into(frames.pose_secs[frame], positions)
    })?;
    progress.finish_and_clear();
    say_if_nothing_moved(&scene, &frames.pose_secs);
    Ok(format!(
        "{}: {} from frame {}, {} points, clip \"{}\"\n",
        path.display(),
        counted(header.times_secs.len(), "frame"),
        frames.first,
        header.points,
        scene.clip.name
    ))
}
