//! `jounce curves`: what filters make of the velocities of bones, and how flesh swings, over time.

mod plot;
mod table;

#[cfg(feature = "gpu")]
use super::graph::BackendArg;
use super::scene::{Scene, SceneError, WithoutClips, find_bone};
use super::scene_args::{FrameRange, SceneArgs};
use super::staging::LookingAt;
use super::{CliError, ProgressBars, check_folder, print};
use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use jounce_base::text::visible;
use jounce_eval::curves::{Line, Readings, Row, curve_range, end_of_clip_secs, magnitude};
use jounce_files::{FillError, write_atomically};
use jounce_ir::Number;
use jounce_rig::motion::Ending;
use jounce_session::sample_curves;
use std::path::{Path, PathBuf};

/// Plot how fast bones move, before and after each filter (nodes that remember, such as Time Filter),
/// and how far flesh elements swing.
///
/// The picture shows the lengths of vectors; a table (.csv) has x, y and z too. A clip is shown whole and
/// for one more second, in which swings settle; with --loop, one settled round is shown. The default is
/// 60 samples per second, not 24 as in other commands. Velocities are those of a bone relative to its
/// parent; the swing of flesh is measured from where its virtual bone carries it. Axes are those of the scene.
#[derive(Args)]
#[command(mut_arg("fps", |fps| fps.default_value("60")))]
pub struct CurvesArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// The bone to look at; may be given several times
    #[arg(long = "bone", value_name = "BONE", required_unless_present = "elements")]
    bones: Vec<String>,
    /// The flesh element to look at; may be given several times
    #[arg(long = "element", value_name = "NAME", requires = "graph")]
    elements: Vec<String>,
    /// Where to write: a picture, OUT.svg, or a table, OUT.csv
    #[arg(short, long, value_name = "OUT.svg|OUT.csv", value_parser = PathBufValueParser::new().try_map(curve_file))]
    output: CurveFile,
}

#[derive(Clone)]
struct CurveFile {
    path: PathBuf,
    is_picture: bool,
}

fn curve_file(path: PathBuf) -> Result<CurveFile, String> {
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
    subjects: Vec<Subject<'a>>,
    lines: Vec<Line>,
    /// By subject, then by line, then by time; none where the line is not of the subject.
    numbers: Vec<Vec<Vec<Number>>>,
}

/// A bone or a flesh element.
struct Subject<'a> {
    name: &'a str,
    of: Row,
}

pub fn run(mut args: CurvesArgs) -> Result<(), CliError> {
    let CurveFile { path, is_picture } = args.output.clone();
    check_folder(&path)?;
    if args.scene.motion.at.is_some() || !args.scene.motion.velocity.is_empty() {
        return Err(CliError::CurvesOfMoment);
    }
    stay_on_cpu(&mut args.scene);
    let scene = Scene::looking_at(&args.scene, WithoutClips::TestMotion, LookingAt::Filters)?;
    let subjects = subjects(&scene, &args)?;
    let mut readings = match args.bones.is_empty() {
        true => Readings::default(),
        false => readings(&scene),
    };
    if !args.elements.is_empty() {
        readings.add_elements(scene.program());
    }
    args.scene.frames = Some(range(&scene, &args.scene)?);
    let frames = scene.frames(&args.scene)?;
    if frames.clock_secs.len() < 2 {
        return Err(CliError::CurvesOfOneFrame);
    }
    let rows: Vec<Row> = subjects.iter().map(|subject| subject.of).collect();
    let progress = ProgressBars::default().frames(frames.pose_secs.len());
    let numbers = sample_curves(scene.performer(), &readings, &rows, &frames.pose_secs, |_| {
        progress.inc(1);
        Ok::<_, CliError>(())
    })?;
    progress.finish_and_clear();
    scene.say_if_it_has_a_seam();
    let curves = Curves {
        title: title(&scene, &args.scene),
        end_secs: end_of_clip_secs(&scene.playback(), &frames.clock_secs),
        times_secs: frames.clock_secs,
        subjects,
        lines: readings.lines,
        numbers,
    };
    let text = if is_picture { plot::svg(&curves)? } else { table::csv(&curves) };
    write_text(&path, &text)?;
    print(&summary(&path, &curves))
}

/// Values of bones are computed there for every backend, so no device need be opened.
fn stay_on_cpu(args: &mut SceneArgs) {
    #[cfg(feature = "gpu")]
    if args.graph.backend == Some(BackendArg::Gpu) || args.graph.gpu.take().is_some() {
        say!("curves are always computed on the CPU; --backend and --gpu have no effect here");
    }
    args.graph.backend = None;
}

/// Each once, bones before flesh elements.
fn subjects<'a>(scene: &'a Scene, args: &CurvesArgs) -> Result<Vec<Subject<'a>>, CliError> {
    let mut subjects: Vec<Subject> = Vec::new();
    let mut add = |name: &'a str, of: Row| {
        if !subjects.iter().any(|known| known.of == of) {
            subjects.push(Subject { name, of });
        }
    };
    for name in &args.bones {
        let bone = find_bone(scene.character(), name)?;
        add(scene.character().skeleton.bone_name(bone), Row::Bone(bone));
    }
    for name in &args.elements {
        let bound = scene.bound();
        let element = bound.element_named(name)?;
        add(&bound.element_names()[element], Row::Element(element));
    }
    Ok(subjects)
}

fn readings(scene: &Scene) -> Readings {
    let filters = &scene.compiled().filters;
    if let (Some(graph), true) = (&scene.graph, filters.is_empty()) {
        say!(
            "{}: no node in this graph filters the values of bones, as Time Filter, Smooth, Spring and Delay do, so the curves only show the velocities of the bones themselves",
            graph.name
        );
    }
    Readings::of_filters(scene.program(), filters)
}

/// As asked for; else all there is to see.
fn range(scene: &Scene, args: &SceneArgs) -> Result<FrameRange, SceneError> {
    match args.frames {
        Some(range) => Ok(range),
        None => Ok(curve_range(&scene.playback(), args.fps)?),
    }
}

fn title(scene: &Scene, args: &SceneArgs) -> String {
    let clip = &scene.clip().name;
    let character = args.character.as_deref().map(Path::new).and_then(name_of);
    let character = character.map_or_else(String::new, |character| format!("{character}, "));
    let looped = if scene.playback().ending == Ending::Loop { ", looped" } else { "" };
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
        "{}: {} samples from {first:.3} to {last:.3} s, {}; largest values:\n",
        visible(&path.display().to_string()),
        times_secs.len(),
        visible(&curves.title)
    );
    for (Subject { name, .. }, numbers) in curves.subjects.iter().zip(&curves.numbers) {
        let lines = curves.lines.iter().zip(numbers);
        for (line, numbers) in lines.filter(|(line, all)| line.is_drawn && !all.is_empty()) {
            let most = numbers.iter().map(|number| magnitude(*number).abs()).fold(0.0, f64::max);
            let (name, label) = (visible(name), visible(&line.label));
            text += &format!("  {most:9.4} {:8} {name}, {label}\n", line.unit());
        }
    }
    text
}
