//! `jounce fit`: how strong a style must be on a character.

use super::graph::{ScriptArgs, load_document, script_folders, tell_of_scripts};
use super::{CliError, check_folder, print, spinner};
use crate::graph::MotionSettings;
use crate::session::fit::fit;
use crate::session::{Cast, Progress, Session, is_path, name_of_file};
use clap::Args;
use std::path::{Path, PathBuf};

/// Set a style's amounts so that a character is alive in a clip, and stands still where it stands.
///
/// All amounts are scaled by one number, until 95 of 100 vertices go up to 4 % of the character's
/// size. Where feet would slide, a Pin node holds them; where triangles would turn over, less is more.
#[derive(Args)]
pub struct FitArgs {
    /// A .glb or .gltf file, or a built-in character: tube giraffe bird cow snail dragon mushroom
    character: String,
    /// The style: a .jounce file, or one that comes along, such as default
    #[arg(long, value_name = "FILE.jounce")]
    graph: PathBuf,
    /// Name of a clip [default: the first that moves]
    #[arg(long)]
    clip: Option<String>,
    /// Where to write the document
    #[arg(short, long, value_name = "OUT.jounce")]
    output: PathBuf,
    #[command(flatten)]
    scripts: ScriptArgs,
}

pub fn run(args: FitArgs) -> Result<(), CliError> {
    check_folder(&args.output)?;
    let mut document = load_document(&args.graph)?;
    let scripts = script_folders(&args.scripts)?;
    tell_of_scripts(&scripts);
    let folder = crate::files::folder_of(&args.output);
    let name = match is_path(&args.character) {
        true => name_of_file(Path::new(&args.character), Some(folder)),
        false => args.character.clone(),
    };
    let motion =
        MotionSettings { character: Some(args.character.clone()), ..MotionSettings::default() };
    let mut cast = Cast::load(&motion, None)?;
    cast.name = name;
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
    let waiting = spinner("fitting …".to_owned());
    let fitted = fit(&session, &Progress::default());
    waiting.finish_and_clear();
    let fitted = fitted?;
    let summary = fitted.summary();
    session.perform("Fit to Clip", fitted.command);
    session.document().save(&args.output).map_err(CliError::Document)?;
    print(&format!("{}: {summary}\n", args.output.display()));
    Ok(())
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
