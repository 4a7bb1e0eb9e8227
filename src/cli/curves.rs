//! `jounce curves`: what filters make of the velocities of bones, over time.

mod lines;
mod plot;
mod table;

use super::graph::{BackendArg, GraphError};
use super::scene::{Scene, SceneError, WithoutClips, find_bone};
use super::scene_args::{FrameRange, MOST_FRAMES, SceneArgs};
use super::{CliError, check_folder, print, progress_bar};
use crate::eval::{Interpreter, Moment, Probed};
use crate::files::{FillError, write_atomically};
use crate::ir::{Number, Value};
use crate::motion::Ending;
use clap::Args;
use lines::{Line, Reading, filter_lines, velocity_lines};
use std::path::{Path, PathBuf};

/// After the end of a clip one more second is shown, in which filters settle.
const AFTER_THE_END_SECS: f64 = 1.0;

/// Plot how fast bones move, before and after each filter (nodes that remember, such as Time Filter).
///
/// The picture shows lengths of vectors; a table (.csv) has x, y and z too. A clip is shown whole and
/// one second more, in which what was set swinging settles; with --loop one round of it, settled; 60
/// times a second, where other commands take 24. Velocities are those of a bone relative to its parent.
#[derive(Args)]
#[command(mut_arg("fps", |fps| fps.default_value("60")))]
pub struct CurvesArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// The bone to look at; may be given several times
    #[arg(long = "bone", value_name = "BONE", required = true)]
    bones: Vec<String>,
    /// Where to write: a picture, OUT.svg, or a table, OUT.csv
    #[arg(short, long, value_name = "OUT.svg|OUT.csv", value_parser = curve_file)]
    output: CurveFile,
}

#[derive(Clone)]
struct CurveFile {
    path: PathBuf,
    is_picture: bool,
}

fn curve_file(text: &str) -> Result<CurveFile, String> {
    let path = PathBuf::from(text);
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase);
    match ending.as_deref() {
        Some("svg") => Ok(CurveFile { path, is_picture: true }),
        Some("csv") => Ok(CurveFile { path, is_picture: false }),
        _ => Err("the name must end in .svg or .csv".to_owned()),
    }
}

/// What is written, whatever it is written as.
struct Curves<'a> {
    /// What it shows, in a line.
    title: String,
    times_secs: Vec<f64>,
    /// When the clip ends, if that is not where the curves end.
    end_secs: Option<f64>,
    bones: Vec<(usize, &'a str)>,
    lines: Vec<Line>,
    /// By bone, then by line, then by time.
    numbers: Vec<Vec<Vec<Number>>>,
}

pub fn run(mut args: CurvesArgs) -> Result<(), CliError> {
    let CurveFile { path, is_picture } = args.output.clone();
    check_folder(&path)?;
    if args.scene.motion.at.is_some() || !args.scene.motion.velocity.is_empty() {
        return Err(CliError::CurvesOfMoment);
    }
    stay_on_cpu(&mut args.scene);
    let scene = Scene::with_watched_graph(&args.scene, WithoutClips::TestMotion)?;
    let mut bones = Vec::new();
    for name in &args.bones {
        let bone = find_bone(&scene.character, name)?;
        if !bones.iter().any(|(known, _)| *known == bone) {
            bones.push((bone, scene.character.skeleton.bone_name(bone)));
        }
    }
    let lines = lines(&scene);
    args.scene.frames = Some(range(&scene, &args.scene)?);
    let frames = scene.frames(&args.scene)?;
    if frames.clock_secs.len() < 2 {
        return Err(CliError::CurvesOfOneFrame);
    }
    let numbers = sample(&scene, &lines, &bones, &frames.pose_secs)?;
    let duration_secs = scene.playback.duration_secs;
    let is_once = scene.playback.ending == Ending::Clamp;
    let curves = Curves {
        title: title(&scene, &args.scene),
        end_secs: (is_once && frames.clock_secs.last().is_some_and(|last| *last > duration_secs))
            .then_some(duration_secs),
        times_secs: frames.clock_secs,
        bones,
        lines,
        numbers,
    };
    let text = if is_picture { plot::svg(&curves)? } else { table::csv(&curves) };
    write_text(&path, &text)?;
    print(&summary(&path, &curves));
    Ok(())
}

/// Values of bones are computed there for every backend, so no device need be opened.
fn stay_on_cpu(args: &mut SceneArgs) {
    #[cfg(feature = "gpu")]
    if args.graph.backend == BackendArg::Gpu || args.graph.gpu.take().is_some() {
        eprintln!(
            "jounce: values of bones are always computed on the CPU; --backend and --gpu change nothing here"
        );
    }
    args.graph.backend = BackendArg::Cpu;
}

fn lines(scene: &Scene) -> Vec<Line> {
    let Some(deformer) = &scene.deformer else {
        return velocity_lines();
    };
    if deformer.filters().is_empty() {
        eprintln!(
            "jounce: {}: no node in it remembers a value of bones, as Time Filter, Smooth, Spring and Delay do; the curves are the bones' own velocities",
            deformer.file()
        );
        return velocity_lines();
    }
    filter_lines(deformer.program(), deformer.filters())
}

/// As asked for; else the clip and what comes after, or one round up to where it joins its beginning.
fn range(scene: &Scene, args: &SceneArgs) -> Result<FrameRange, SceneError> {
    if let Some(range) = args.frames {
        return Ok(range);
    }
    let duration_secs = scene.playback.duration_secs;
    let last = match scene.playback.ending {
        Ending::Loop if duration_secs > 0.0 => (duration_secs * args.fps).round().max(1.0),
        _ => ((duration_secs + AFTER_THE_END_SECS) * args.fps + 1e-3).floor().max(1.0),
    };
    match last < MOST_FRAMES as f64 {
        true => Ok(FrameRange { first: 0, last: last as i64 }),
        false => Err(crate::motion::TooManyFrames { count: last }.into()),
    }
}

fn sample(
    scene: &Scene,
    lines: &[Line],
    bones: &[(usize, &str)],
    times_secs: &[f64],
) -> Result<Vec<Vec<Vec<Number>>>, CliError> {
    let value_of = |line: &Line| match line.reading {
        Reading::Value(value) => Some(value),
        Reading::Velocity { .. } => None,
    };
    let values: Vec<Value> = lines.iter().filter_map(value_of).collect();
    let mut numbers = vec![vec![Vec::with_capacity(times_secs.len()); lines.len()]; bones.len()];
    let progress = progress_bar(times_secs.len());
    for &time_secs in times_secs {
        let probed = match &scene.deformer {
            Some(deformer) if !values.is_empty() => {
                let probe = |moment: &Moment| {
                    Interpreter::probe(deformer.program(), deformer.bound(), moment, &values)
                };
                let probed = scene.with_moment(deformer, time_secs, probe);
                probed.flatten().map_err(GraphError::from)?
            }
            _ => Vec::new(),
        };
        let velocities = scene.velocities(time_secs, 0.0);
        let mut probed = probed.iter();
        for (place, line) in lines.iter().enumerate() {
            let probed = line.is_probed().then(|| probed.next()).flatten();
            for ((bone, _), numbers) in bones.iter().zip(&mut numbers) {
                let number = match (line.reading, probed) {
                    (Reading::Velocity { is_angular: true }, _) => {
                        Number::Vec3(velocities[*bone].angular)
                    }
                    (Reading::Velocity { .. }, _) => Number::Vec3(velocities[*bone].linear),
                    (_, Some(Probed::Bones(all))) => all[*bone],
                    (_, Some(Probed::Frame(number))) => *number,
                    _ => Number::Float(0.0),
                };
                numbers[place].push(number);
            }
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(numbers)
}

fn title(scene: &Scene, args: &SceneArgs) -> String {
    let clip = &scene.clip.name;
    let character = args.character.as_deref().map(Path::new).and_then(name_of);
    let character = character.map_or_else(String::new, |character| format!("{character}, "));
    let looped = if scene.playback.ending == Ending::Loop { ", looped" } else { "" };
    let graph = args.graph.graph.as_deref().and_then(name_of);
    let graph = graph.map_or_else(String::new, |graph| format!(", {graph}"));
    format!("{character}clip \"{clip}\"{looped}{graph}")
}

fn name_of(path: &Path) -> Option<String> {
    path.file_name().map(|name| name.to_string_lossy().into_owned())
}

fn write_text(path: &Path, text: &str) -> Result<(), CliError> {
    write_atomically(path, |out| {
        out.write_all(text.as_bytes())?;
        Ok::<(), FillError<CliError>>(())
    })
}

/// The largest number of each line.
fn summary(path: &Path, curves: &Curves) -> String {
    let Curves { times_secs, .. } = curves;
    let (first, last) = (times_secs[0], times_secs[times_secs.len() - 1]);
    let mut text = format!(
        "{}: {} moments from {first:.3} to {last:.3} s, {}; at most\n",
        path.display(),
        times_secs.len(),
        curves.title
    );
    for ((_, bone), numbers) in curves.bones.iter().zip(&curves.numbers) {
        for (line, numbers) in curves.lines.iter().zip(numbers).filter(|(line, _)| line.is_drawn) {
            let most = numbers.iter().map(|number| magnitude(*number).abs()).fold(0.0, f64::max);
            text += &format!("  {most:9.4} {:8} {bone}, {}\n", line.unit(), line.label);
        }
    }
    text
}

/// A vector's length; of a float the number itself, which may be below 0.
fn magnitude(number: Number) -> f64 {
    match number {
        Number::Float(x) => x,
        Number::Vec3(v) => v.length(),
        Number::Bool(is_true) => f64::from(u8::from(is_true)),
    }
}
