//! `jounce looks`: what styles do to characters, in numbers.

use super::fit::motion_on;
use super::graph::{ScriptArgs, load_document, script_folders};
use super::{CliError, ProgressBars, print, print_line};
use clap::Args;
use jounce_base::text::{elided, visible, visible_json};
use jounce_graph::document::Document;
use jounce_session::fit::{
    FitError, Gauge, MOST_AT_FEET, MOST_HEIGHT_CHANGE, MOST_TORN, MOST_TURNED, Measured, Part,
    after_hold, fit,
};
use jounce_session::{Cast, Progress, Session, Show};
use serde::Serialize;
use std::ffi::OsString;
use std::path::PathBuf;

/// Measure how styles look on characters: how far each part of the body moves, and what slides or tears.
///
/// Each style is fitted to each character first, as `jounce fit` does. Lengths are in percent of the character's size;
/// `height` is of the trunk's height, `torn` of all edges, `turned` of the surface.
/// A number outside its bounds has a "!", and the end of the line says why a part moves less than it should; of parts,
/// only those are judged that the style has amounts for.
#[derive(Args)]
pub struct LooksArgs {
    /// .glb or .gltf files, or built-in characters [default: all built-in characters]
    characters: Vec<OsString>,
    /// A style: a .jounce file, or a built-in style; can be given several times [default: default]
    #[arg(long, value_name = "FILE.jounce")]
    graph: Vec<PathBuf>,
    /// Name or number of a clip [default: the clip with the most motion]
    #[arg(long)]
    clip: Option<String>,
    /// Measure the styles as they are, without fitting them
    #[arg(long)]
    as_is: bool,
    /// Print JSON, as fractions, not percent
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    scripts: ScriptArgs,
}

/// All lengths as fractions.
#[derive(Serialize)]
struct Look {
    style: String,
    character: String,
    clip: String,
    tips: Option<f64>,
    ears: Option<f64>,
    hands: Option<f64>,
    head: Option<f64>,
    trunk: Option<f64>,
    height_change: f64,
    feet: f64,
    torn_edges: f64,
    turned_over: f64,
    after_hold: f64,
    /// Parts whose goals the style has to reach.
    #[serde(skip)]
    judged: Vec<Part>,
    /// Why parts stay below their goals.
    why: Vec<String>,
}

pub fn run(args: LooksArgs) -> Result<(), CliError> {
    let characters = match args.characters.is_empty() {
        true => jounce_rig::own::names().map(OsString::from).into(),
        false => args.characters.clone(),
    };
    let styles = match args.graph.is_empty() {
        true => vec![PathBuf::from("default")],
        false => args.graph.clone(),
    };
    let bars = ProgressBars::default();
    let progress = bars.bar(styles.len() * characters.len(), "looks");
    let mut looks = Vec::new();
    for character in &characters {
        let cast = Cast::of_argument(character, None)?;
        for style in &styles {
            let document = load_document(style)?;
            let name = style.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            match look(&args, name.clone(), document, cast.clone())? {
                Ok(look) => looks.push(look),
                Err(why) => say!("{name} on {}: {why}", character.to_string_lossy()),
            }
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    if args.json {
        return print(&visible_json(&looks)?);
    }
    print_line(&heading())?;
    looks.iter().try_for_each(|look| print_line(&look.line()))
}

/// What a style cannot do on a character is no reason to stop.
fn look(
    args: &LooksArgs,
    style: String,
    mut document: Document,
    cast: Cast,
) -> Result<Result<Look, FitError>, CliError> {
    document.motion = motion_on(&cast, args.clip.as_deref(), document.motion)?;
    let character = cast.key.clone();
    let session = Session::new(document, cast, script_folders(&args.scripts)?);
    Ok(measured(args, session).map(|Found { clip, measured, after_hold, judged, why }| Look {
        style,
        character,
        clip,
        tips: measured.part(Part::Tips),
        ears: measured.part(Part::Ears),
        hands: measured.part(Part::Hands),
        head: measured.part(Part::Head),
        trunk: measured.part(Part::Trunk),
        height_change: measured.height_change,
        feet: measured.feet,
        torn_edges: measured.torn_edges(),
        turned_over: measured.turned(),
        after_hold,
        judged,
        why,
    }))
}

struct Found {
    clip: String,
    measured: Measured,
    after_hold: f64,
    judged: Vec<Part>,
    why: Vec<String>,
}

fn measured(args: &LooksArgs, mut session: Session) -> Result<Found, FitError> {
    let progress = Progress::default();
    let (mut judged, mut why) = (Part::ALL.to_vec(), Vec::new());
    if !args.as_is {
        let fitted = fit(&session, &progress)?;
        why = fitted.shortfall_clauses();
        judged = fitted.parts;
        session.perform("Fit", fitted.command);
    }
    let show = Show::new(&session)?;
    let gauge = Gauge::new(show.character(), &session.character_settings());
    let measured = gauge.measure(&show, &progress)?;
    let (clip, after_hold) = (show.clip().name.clone(), after_hold(&session)?);
    Ok(Found { clip, measured, after_hold, judged, why })
}

fn heading() -> String {
    let columns =
        ["tips", "ears", "hands", "head", "trunk", "height", "feet", "torn", "turned", "hold"];
    let columns: String = columns.iter().map(|name| format!("{name:>8}")).collect();
    format!("{:<20} {:<18} {:<18}{columns}", "style", "character", "clip")
}

/// How far skin may still be away after a hold: a pose that holds is a pose.
const MOST_AFTER_HOLD: f64 = 0.02;

impl Look {
    /// A number outside of its bounds has a mark.
    fn line(&self) -> String {
        let cell = |value: f64, is_kept: bool| {
            format!("{:>7.2}{}", value * 100.0, if is_kept { ' ' } else { '!' })
        };
        let part = |part: Part, value: Option<f64>| match value {
            Some(value) => {
                let least = if self.judged.contains(&part) { part.goal().start } else { 0.0 };
                cell(value, (least..part.goal().end).contains(&value))
            }
            None => format!("{:>7} ", "-"),
        };
        let height = cell(self.height_change, self.height_change < MOST_HEIGHT_CHANGE);
        let cells = [
            part(Part::Tips, self.tips),
            part(Part::Ears, self.ears),
            part(Part::Hands, self.hands),
            part(Part::Head, self.head),
            part(Part::Trunk, self.trunk),
            height,
            cell(self.feet, self.feet < MOST_AT_FEET),
            cell(self.torn_edges, self.torn_edges <= MOST_TORN),
            cell(self.turned_over, self.turned_over <= MOST_TURNED),
            cell(self.after_hold, self.after_hold < MOST_AFTER_HOLD),
        ];
        let [style, character, clip] =
            [&self.style, &self.character, &self.clip].map(|name| visible(name));
        let (character, clip) = (elided(&character, 18), elided(&clip, 18));
        let why = self.why.join("; ");
        let style = elided(&style, 20);
        let line = format!("{style:<20} {character:<18} {clip:<18}{} {why}", cells.concat());
        line.trim_end().to_owned()
    }
}
