//! `jounce join`: parts of a bake as one point cache.

use super::bake::BakeFile;
use super::{CliError, check_folder, print_line};
use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use jounce_base::text::counted;
use jounce_export::bakes::{FORMATS, Joined, endings_text};
use jounce_export::{BakeFormat, join_bakes};
use jounce_files::is_same_place;
use std::path::PathBuf;

/// Join point caches of consecutive ranges of frames, as baked on a render farm.
///
/// The result is byte for byte the same as one bake of all frames, even with nodes that remember: each
/// frame depends only on its time. Parts may be given in any order; they must be of one character and
/// one --fps, without gaps or overlaps.
#[derive(Args)]
pub struct JoinArgs {
    /// Point caches, all of one kind
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
    #[arg(
        short, long, value_name = "OUT",
        help = format!("Where to write: OUT{}, the same format as the parts", endings_text(&joinable())),
        value_parser = PathBufValueParser::new().try_map(|path| BakeFile::new(path, &joinable())),
    )]
    output: BakeFile,
}

fn joinable() -> Vec<&'static BakeFormat> {
    FORMATS.into_iter().filter(|format| format.can_be_joined()).collect()
}

pub fn run(args: JoinArgs) -> Result<(), CliError> {
    let BakeFile { path, format } = &args.output;
    check_folder(path)?;
    for part in &args.parts {
        if BakeFormat::of_path(part) != Some(*format) {
            let (part, ending) = (part.clone(), format.ending);
            return Err(CliError::JoinFormat { part, ending });
        }
        if is_same_place(part, path) {
            return Err(CliError::JoinIntoPart(part.clone()));
        }
    }
    let Joined { frames, points, begins } = join_bakes(&args.parts, path, format)?;
    let (frames, parts) = (counted(frames, "frame"), counted(args.parts.len(), "part"));
    print_line(&format!("{}: {frames} {begins}, {points} points, of {parts}", path.display()))
}
