//! `jounce fit`: how strong a style must be on a character.

use super::graph::{ScriptArgs, load_document, script_folders, tell_of_scripts};
use super::scene::{called, is_file, load_character};
use super::{CliError, ProgressBars, check_folder, print_line};
use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use jounce_base::files::{folder_of, is_same_place};
use jounce_graph::document::{Document, MotionSettings, PackedFile};
use jounce_rig::load::packed_bytes;
use jounce_session::fit::fit;
use jounce_session::{Cast, Progress, Session, beside, character_key, name_of_file};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Set a style's amounts so that a character is alive in a clip, and stands still where it stands.
///
/// All amounts are scaled by one number, until 95 of 100 vertices go up to 4 % of the character's
/// size. Where feet would slide, a Pin node holds them; where triangles would turn over, less is more.
#[derive(Args)]
pub struct FitArgs {
    /// A .glb or .gltf file, or a built-in character: tube giraffe bird cow snail dragon mushroom
    character: OsString,
    /// The style: a .jounce file, or one that comes along, such as default
    #[arg(long, value_name = "FILE.jounce")]
    graph: PathBuf,
    /// Name of a clip [default: the first that moves]
    #[arg(long)]
    clip: Option<String>,
    /// Where to write the document: OUT.jounce
    #[arg(short, long, value_name = "OUT.jounce", value_parser = PathBufValueParser::new().try_map(document_file))]
    output: PathBuf,
    #[command(flatten)]
    scripts: ScriptArgs,
}

fn document_file(path: PathBuf) -> Result<PathBuf, &'static str> {
    match path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("jounce")) {
        true => Ok(path),
        false => Err("the name must end in .jounce"),
    }
}

pub fn run(args: FitArgs) -> Result<(), CliError> {
    let output = args.output.clone();
    let summary = make(args, &ProgressBars::default())?;
    print_line(&format!("{}: {summary}", output.display()))
}

/// Writes the document, and says what fitting came to.
pub fn make(args: FitArgs, bars: &ProgressBars) -> Result<String, CliError> {
    check_folder(&args.output)?;
    let mut document = load_document(&args.graph)?;
    let scripts = script_folders(&args.scripts)?;
    tell_of_scripts(&scripts);
    let character = load_character(&args.character)?;
    let name = name_for(&mut document, &args)?;
    let cast = Cast { key: character_key(&called(&args.character)), ..Cast::of(&name, character) };
    document.motion = match &args.clip {
        Some(wanted) => MotionSettings {
            character: Some(cast.name.clone()),
            clip: Some(named(&cast, wanted)?),
            looped: true,
            fps: document.motion.fps,
            ..MotionSettings::default()
        },
        None => cast.lively_motion(document.motion.fps),
    };
    let mut session = Session::new(document, cast, scripts);
    let waiting = bars.spinner("fitting …".to_owned());
    let fitted = fit(&session, &Progress::default());
    waiting.finish_and_clear();
    let fitted = fitted?;
    let summary = fitted.summary();
    session.perform("Fit to Clip", fitted.command);
    session.document().save(&args.output).map_err(CliError::Document)?;
    Ok(summary)
}

/// As the document calls the character. Its text is UTF-8, and not all paths are: a character whose path
/// cannot stand there travels inside.
fn name_for(document: &mut Document, args: &FitArgs) -> Result<String, CliError> {
    if !is_file(&args.character) {
        return Ok(called(&args.character));
    }
    let (path, folder) = (Path::new(&args.character), folder_of(&args.output));
    let name = name_of_file(path, Some(folder));
    if is_same_place(&beside(Some(folder), &name), path) {
        return Ok(name);
    }
    // A link among the folders leads elsewhere: then the whole path is the name.
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    if let Some(name) = absolute.to_str() {
        return Ok(name.to_owned());
    }
    let failed = |source| CliError::Load { name: called(&args.character), source };
    let bytes = packed_bytes(path).map_err(failed)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    document.packed.insert(name.clone(), PackedFile(bytes.into()));
    say!(
        "the path of {name} is not UTF-8 and cannot be written in a document, so the character is packed into it"
    );
    Ok(name)
}

fn named(cast: &Cast, wanted: &str) -> Result<String, CliError> {
    let clips = || cast.clips.iter().map(|clip| &clip.name);
    let exact = clips().find(|name| *name == wanted);
    let found = exact.or_else(|| clips().find(|name| name.eq_ignore_ascii_case(wanted)));
    found.cloned().ok_or_else(|| {
        let known: Vec<String> = clips().map(|name| format!("\"{name}\"")).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        super::scene::SceneError::NoSuchClip { wanted: wanted.to_owned(), known }.into()
    })
}
