//! `jounce characters`: our own characters, listed or written as .glb.

use super::{CliError, ProgressBars, check_folder, print_line};
use clap::Args;
use jounce_base::text::counted;
use jounce_files::{FillError, write_atomically};
use jounce_rig::{own, write_glb};
use std::path::PathBuf;

/// List the built-in characters, or write them as .glb.
///
/// With NAME, `-o OUT.glb` writes that character; without NAME, `-o FOLDER` writes all of them.
#[derive(Args)]
pub struct CharactersArgs {
    /// tube, giraffe, bird, cow, snail, dragon or mushroom
    name: Option<String>,
    /// About how many vertices to use, from 2k to 4m, such as 150k
    #[arg(long, value_name = "COUNT", value_parser = vertex_count)]
    vertices: Option<usize>,
    /// Where to write: OUT.glb, or without NAME a folder
    #[arg(short, long, value_name = "OUT.glb")]
    output: Option<PathBuf>,
}

fn vertex_count(text: &str) -> Result<usize, String> {
    let (number, factor) = match text.strip_suffix(['k', 'K']) {
        Some(number) => (number, 1000.0),
        None => match text.strip_suffix(['m', 'M']) {
            Some(number) => (number, 1e6),
            None => (text, 1.0),
        },
    };
    match number.parse::<f64>() {
        Ok(number) if number > 0.0 => Ok((number * factor) as usize),
        _ => Err("a number of vertices is needed, such as 150k".to_owned()),
    }
}

pub fn run(args: CharactersArgs) -> Result<(), CliError> {
    let names = match &args.name {
        Some(name) => vec![name.as_str()],
        None => own::names().to_vec(),
    };
    let Some(output) = &args.output else {
        return names.iter().try_for_each(|name| list(name, args.vertices));
    };
    let is_file = output.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("glb"));
    if args.name.is_some() != is_file {
        return Err(CliError::CharacterOutput);
    }
    if args.name.is_some() {
        check_folder(output)?;
        return write(names[0], args.vertices, output);
    }
    std::fs::create_dir_all(output)
        .map_err(|source| CliError::Folder { folder: output.clone(), source })?;
    names
        .iter()
        .try_for_each(|name| write(name, args.vertices, &output.join(format!("{name}.glb"))))
}

fn list(name: &str, vertices: Option<usize>) -> Result<(), CliError> {
    let character = match vertices {
        None => own::built_in(name)?,
        vertices => {
            let spinner = ProgressBars::default().spinner(format!("making {name} …"));
            let character = own::make(name, vertices)?;
            spinner.finish_and_clear();
            character
        }
    };
    let clips: Vec<&str> = character.clips.iter().map(|clip| clip.name.as_str()).collect();
    print_line(&format!(
        "{name:<8} {:>6} vertices  {:>8}  clips: {}",
        character.vertex_count(),
        counted(character.skeleton.bones.len(), "bone"),
        clips.join(", ")
    ))
}

fn write(name: &str, vertices: Option<usize>, path: &std::path::Path) -> Result<(), CliError> {
    let spinner = ProgressBars::default().spinner(format!("making {name} …"));
    let character = own::make(name, vertices)?;
    let bytes = write_glb(&character)?;
    spinner.finish_and_clear();
    write_atomically::<CliError>(path, |out| out.write_all(&bytes).map_err(FillError::Write))?;
    print_line(&format!(
        "{}: {} vertices, {}, {}",
        path.display(),
        character.vertex_count(),
        counted(character.skeleton.bones.len(), "bone"),
        counted(character.clips.len(), "clip")
    ))
}
