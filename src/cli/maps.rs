//! `jounce maps`: the maps of a character, listed, made, and written where others read them.

use super::{CliError, check_folder, print, print_line};
use crate::cli::graph::load_document;
use clap::Args;
use jounce_base::PaintedMap;
use jounce_base::text::{counted, visible};
use jounce_files::{FillError, write_atomically};
use jounce_graph::document::{CharacterSettings, Document};
use jounce_rig::load::packed_bytes;
use jounce_rig::{Character, CharacterParts, Map, add_maps, write_glb};
use jounce_session::painting::NewMap;
use jounce_session::{Cast, MapOrigin, is_path_argument, map_list, settings_for};
use serde::Serialize;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// List the maps of a character, make new ones, and write them as vertex attributes.
///
/// A map is a number per vertex. Nodes read those that were painted in the editor, those in the character's file (vertex
/// attributes such as _FLOPPY), and those that Jounce computes.
#[derive(Args)]
pub struct MapsArgs {
    /// A .glb or .gltf file, or a built-in character: tube giraffe bird cow snail dragon mushroom
    character: OsString,
    /// A document, whose painted maps of this character count too
    #[arg(long, value_name = "FILE.jounce")]
    graph: Option<PathBuf>,
    /// Make a map of this name; each needs a --from
    #[arg(long, value_name = "NAME", requires = "from")]
    new: Vec<String>,
    /// What it is made from: softness, looseness, protrusion, height (0 at the ground to 1 at the top),
    /// constant=NUMBER, bone-distance=BONE (in sizes of the character), color=red (green, blue, alpha), or map=NAME
    #[arg(long, value_name = "WHAT", requires = "new", value_parser = |text: &str| text.parse::<NewMap>())]
    from: Vec<NewMap>,
    /// Write this map; repeat it for several [default: the painted and the new ones]
    #[arg(long, value_name = "NAME", requires = "output")]
    map: Vec<String>,
    /// Where to write: OUT.glb, the character with the maps as attributes _NAME; OUT.jounce, a document with the maps as
    /// painted ones; OUT.csv, a column of numbers for each
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Print JSON, for programs
    #[arg(long, conflicts_with = "output")]
    json: bool,
}

#[derive(Serialize)]
struct MapReport {
    name: String,
    origin: &'static str,
    least: f32,
    most: f32,
    mean: f64,
    /// The share of vertices whose number is not 0.
    covers: f64,
}

pub fn run(args: MapsArgs) -> Result<(), CliError> {
    if args.new.len() != args.from.len() {
        let (new, from) = (args.new.len(), args.from.len());
        let text =
            format!("there are {new} --new and {from} --from; give one --from for each --new");
        return Err(CliError::Combination(text));
    }
    if let Some(output) = &args.output {
        check_folder(output)?;
    }
    let cast = Cast::of_argument(&args.character, None)?;
    let document = args.graph.as_deref().map(load_document).transpose()?;
    let character = &cast.character;
    let known = document.as_ref().and_then(|document| settings_for(document, &cast.key));
    let mut settings = known.cloned().unwrap_or_default();
    for (name, from) in args.new.iter().zip(&args.from) {
        let values = from.values(character, &settings)?;
        let map = PaintedMap::new(values, Some(character.mesh_fingerprint()));
        settings.maps.insert(name.clone(), map);
    }
    let Some(output) = &args.output else { return list(character, &settings, args.json) };
    let chosen = chosen(&args.map, character, &settings)?;
    if chosen.is_empty() {
        let text = "there is no painted map to write; make one with --new and --from, or name one with --map";
        return Err(CliError::Combination(text.to_owned()));
    }
    let ending = output.extension().map(|ending| ending.to_ascii_lowercase());
    match ending.as_ref().and_then(|ending| ending.to_str()) {
        Some("glb") => write_character(&args.character, character, &chosen, output),
        Some("jounce") => write_document(document, &cast.key, character, chosen, output),
        Some("csv") => write_numbers(&chosen, output),
        _ => {
            let text = format!("{} must end in .glb, .jounce or .csv", output.display());
            Err(CliError::Combination(text))
        }
    }
}

/// By its name, its numbers.
type Named = (String, Vec<f32>);

fn chosen(
    names: &[String],
    character: &Character,
    settings: &CharacterSettings,
) -> Result<Vec<Named>, CliError> {
    let painted: Vec<String> = settings.maps.keys().cloned().collect();
    let names = if names.is_empty() { &painted } else { names };
    let values = |name: &String| {
        let values = NewMap::Copy(name.clone()).values(character, settings)?;
        Ok((name.clone(), values))
    };
    names.iter().map(values).collect()
}

fn list(
    character: &Character,
    settings: &CharacterSettings,
    as_json: bool,
) -> Result<(), CliError> {
    let mut reports = Vec::new();
    for (name, origin) in map_list(character, settings) {
        let values = match NewMap::Copy(name.clone()).values(character, settings) {
            Ok(values) => values,
            Err(error) => {
                say!("{error}");
                continue;
            }
        };
        let origin = match origin {
            MapOrigin::Painted => "painted",
            MapOrigin::File => "file",
            MapOrigin::Derived => "computed",
        };
        let count = values.len().max(1) as f64;
        let sum: f64 = values.iter().copied().map(f64::from).sum();
        let covered = values.iter().filter(|value| **value != 0.0).count();
        reports.push(MapReport {
            name,
            origin,
            least: values.iter().copied().reduce(f32::min).unwrap_or_default(),
            most: values.iter().copied().reduce(f32::max).unwrap_or_default(),
            mean: sum / count,
            covers: covered as f64 / count,
        });
    }
    if as_json {
        return print(&format!("{}\n", serde_json::to_string_pretty(&reports)?));
    }
    let mut text = String::new();
    let width = reports.iter().map(|map| map.name.chars().count()).max().unwrap_or(0).max(4);
    let _ = writeln!(
        text,
        "{:<width$}  {:<8}  {:>8}  {:>8}  {:>8}  covers",
        "map", "from", "least", "most", "mean"
    );
    for MapReport { name, origin, least, most, mean, covers } in &reports {
        let (name, percent) = (visible(name), covers * 100.0);
        let _ = writeln!(
            text,
            "{name:<width$}  {origin:<8}  {least:>8.3}  {most:>8.3}  {mean:>8.3}  {percent:>5.1} %"
        );
    }
    print(&text)
}

/// As files name attributes: `_FLOPPY_EARS`.
fn attribute(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    format!("_{}", name.trim_start_matches('_').chars().map(letter).collect::<String>())
}

fn write_character(
    argument: &std::ffi::OsStr,
    character: &Character,
    chosen: &[Named],
    output: &Path,
) -> Result<(), CliError> {
    let map = |(name, values): &Named| Map {
        name: name.clone(),
        attribute: attribute(name),
        values: values.clone(),
    };
    let maps: Vec<Map> = chosen.iter().map(map).collect();
    for (place, map) in maps.iter().enumerate() {
        let read_as = map.attribute[1..].to_lowercase();
        if maps[..place].iter().any(|other| other.attribute == map.attribute) {
            let text = format!(
                "two of the maps would be called {}; write one of them with --map",
                map.attribute
            );
            return Err(CliError::Combination(text));
        }
        if !read_as.eq_ignore_ascii_case(&map.name) {
            say!("{} is written as {}; nodes find it there as {read_as}", map.name, map.attribute);
        }
    }
    let bytes = match is_path_argument(argument) {
        true => {
            let path = Path::new(argument);
            let failed = |source| {
                let name = path.display().to_string();
                CliError::from(jounce_session::CastError::Load { name, source })
            };
            add_maps(packed_bytes(path).map_err(failed)?, character, &maps)?
        }
        false => {
            let mut parts = CharacterParts::clone(character);
            parts.maps.retain(|known| maps.iter().all(|map| map.attribute != known.attribute));
            parts.maps.extend(maps);
            let with_maps = Character::new(parts).map_err(jounce_eval::EvalError::from)?;
            write_glb(&with_maps)?
        }
    };
    write_atomically::<CliError>(output, |out| out.write_all(&bytes).map_err(FillError::Write))?;
    let names: Vec<String> = chosen.iter().map(|(name, _)| attribute(name)).collect();
    print_line(&format!("{}: {}", output.display(), names.join(", ")))
}

fn write_document(
    document: Option<Document>,
    key: &str,
    character: &Character,
    chosen: Vec<Named>,
    output: &Path,
) -> Result<(), CliError> {
    let mut document = document.unwrap_or_default();
    let known = settings_for(&document, key).cloned().unwrap_or_default();
    let mut settings = CharacterSettings { maps: Default::default(), ..known };
    let mesh = Some(character.mesh_fingerprint());
    let count = chosen.len();
    for (name, values) in chosen {
        settings.maps.insert(name, PaintedMap::new(values, mesh));
    }
    document.characters.retain(|name, _| name != key);
    document.characters.insert(key.to_owned(), settings);
    document.save(output).map_err(CliError::Document)?;
    print_line(&format!("{}: {} of {key}", output.display(), counted(count, "painted map")))
}

fn write_numbers(chosen: &[Named], output: &Path) -> Result<(), CliError> {
    let quoted = |name: &str| match name.contains([',', '"', '\n']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_owned(),
    };
    write_atomically::<CliError>(output, |out| {
        let names: Vec<String> = chosen.iter().map(|(name, _)| quoted(name)).collect();
        writeln!(out, "vertex,{}", names.join(","))?;
        let count = chosen.first().map_or(0, |(_, values)| values.len());
        for vertex in 0..count {
            let values: Vec<String> =
                chosen.iter().map(|(_, values)| values[vertex].to_string()).collect();
            writeln!(out, "{vertex},{}", values.join(","))?;
        }
        Ok(())
    })?;
    print_line(&format!("{}: {}", output.display(), counted(chosen.len(), "map")))
}
