//! `jounce fit`: how strong a style must be on a character.

use super::graph::{ScriptArgs, load_document, script_folders, tell_of_scripts};
use super::{CliError, ProgressBars, check_folder, print_line};
use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use jounce_files::{folder_of, is_same_place};
use jounce_graph::document::{Document, MotionSettings, PackedFile};
use jounce_rig::load::packed_bytes;
use jounce_session::fit::{Fit, FitError, fit, hold_feet};
use jounce_session::{Cast, CastError, Progress, Session, beside, is_path_argument, name_of_file};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Adjust the strength of a style to a character and a clip, so that the motion shows and nothing tears.
///
/// A style that tells parts of the body apart is fitted part by part: tips of tails move by about a tenth of the
/// character's size, hands and head by less. Of any other style, what lags is scaled by one number and what
/// squashes by another. Nothing but numbers is changed, unless --hold-feet asks for a Pin.
#[derive(Args)]
pub struct FitArgs {
    /// A .glb or .gltf file, or a built-in character: tube giraffe bird cow snail dragon mushroom
    character: OsString,
    /// The style: a .jounce file, or a built-in style such as default
    #[arg(long, value_name = "FILE.jounce")]
    graph: PathBuf,
    /// Name or number of a clip [default: the clip with the most motion]
    #[arg(long)]
    clip: Option<String>,
    /// Where to write the document: OUT.jounce
    #[arg(short, long, value_name = "OUT.jounce", value_parser = PathBufValueParser::new().try_map(document_file))]
    output: PathBuf,
    /// Where planted feet slide, put a Pin before the Output that holds them
    #[arg(long)]
    hold_feet: bool,
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
    let cast = Cast::of_argument(&args.character, None)?;
    let cast = Cast { name: name_for(&mut document, &args)?, ..cast };
    document.motion = motion_on(&cast, args.clip.as_deref(), document.motion)?;
    let mut session = Session::new(document, cast, scripts);
    let waiting = bars.spinner("fitting …".to_owned());
    let fitted = fit_session(&mut session, args.hold_feet);
    waiting.finish_and_clear();
    let summary = fitted?.summary();
    session.document().save(&args.output).map_err(CliError::Document)?;
    Ok(summary)
}

/// The motion of a document on another character: the clip that was asked for, or the one that an artist would show.
/// What its keys and its rate are stays.
pub fn motion_on(
    cast: &Cast,
    wanted_clip: Option<&str>,
    own: MotionSettings,
) -> Result<MotionSettings, CliError> {
    let motion = match wanted_clip {
        Some(wanted) => MotionSettings {
            character: Some(cast.name.clone()),
            clip: Some(cast.find_clip(wanted)?.name.clone()),
            looped: true,
            fps: own.fps,
            ..MotionSettings::default()
        },
        None => cast.default_motion(own.fps),
    };
    Ok(MotionSettings { keys: own.keys, ..motion })
}

fn fit_session(session: &mut Session, holds_feet: bool) -> Result<Fit, FitError> {
    let mut fitted = fit(session, &Progress::default())?;
    let pin = (holds_feet && fitted.feet_slide)
        .then(|| hold_feet(session, fitted.after.ground_lift))
        .flatten();
    if let Some(pin) = pin {
        session.perform("Hold Feet", pin);
        fitted = fit(session, &Progress::default())?;
    }
    session.perform("Fit to Clip", fitted.command.clone());
    Ok(fitted)
}

/// As the document calls the character. Its text is UTF-8, and not all paths are: a character whose path
/// cannot stand there travels inside.
fn name_for(document: &mut Document, args: &FitArgs) -> Result<String, CliError> {
    if !is_path_argument(&args.character) {
        return Ok(args.character.to_string_lossy().into_owned());
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
    let failed =
        |source| CastError::Load { name: args.character.to_string_lossy().into_owned(), source };
    let bytes = packed_bytes(path).map_err(failed)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    document.packed.insert(name.clone(), PackedFile(bytes.into()));
    say!(
        "the path of {name} is not UTF-8 and cannot be written in a document, so the character is packed into it"
    );
    Ok(name)
}
