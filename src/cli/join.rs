//! `jounce join`: parts of a bake as one point cache.

use super::bake::{CacheFile, cache_file};
use super::{CliError, check_folder, print_line};
use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use jounce_base::files::is_same_place;
use jounce_base::text::counted;
use jounce_export::{CacheFormat, join_point_caches};
use std::path::PathBuf;

/// Join point caches of ranges of frames that follow each other, as a farm bakes them.
///
/// The result is byte for byte what one bake of all frames writes, also where nodes remember: what a
/// frame shows depends on its time alone. Parts may be given in any order; they must be of one
/// character and one --fps, without a gap and without a frame that is in two of them.
#[derive(Args)]
pub struct JoinArgs {
    /// Point caches, all .pc2 or all .mdd
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
    /// Where to write: OUT.pc2 or OUT.mdd, as the parts are
    #[arg(short, long, value_name = "OUT.pc2|OUT.mdd", value_parser = PathBufValueParser::new().try_map(cache_file))]
    output: CacheFile,
}

pub fn run(args: JoinArgs) -> Result<(), CliError> {
    let CacheFile { path, format } = &args.output;
    check_folder(path)?;
    for part in &args.parts {
        if CacheFormat::of_path(part) != Some(*format) {
            let (part, ending) = (part.clone(), format.ending());
            return Err(CliError::JoinFormat { part, ending });
        }
        if is_same_place(part, path) {
            return Err(CliError::JoinIntoPart(part.clone()));
        }
    }
    let header = join_point_caches(&args.parts, path, *format)?;
    let frames = counted(header.times_secs.len(), "frame");
    let from = match format {
        CacheFormat::Pc2 => format!("from frame {}", header.start_frame),
        CacheFormat::Mdd => format!("from {:.3} s", header.times_secs[0]),
    };
    let (parts, points) = (counted(args.parts.len(), "part"), header.points);
    print_line(&format!("{}: {frames} {from}, {points} points, of {parts}", path.display()))
}
