//! The graph on the command line: `--graph FILE --set name=value --size L --scripts DIR …`.

use super::CliError;
use super::scene_args::BaseArg;
use crate::compile::{Compiled, compile};
use crate::eval::normals::NormalTurner;
use crate::eval::vm::Prepared;
use crate::eval::{
    Bound, ConstantMotion, Deformed, EvalError, Moment, MomentParts, Motion, ParameterError,
    Parameters, PlayedMotion,
};
use crate::graph::{CharacterSettings, Document, FileError, Note, built_in_style, style_names};
use crate::ir::{Number, Program};
use crate::motion::{BoneMotion, Player};
use crate::rig::{Base, Character, Skinned};
use crate::script::{Library, LoadReport, ScriptOrigin, user_scripts_folder};
use clap::{Args, ValueEnum};
use glam::DVec3;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use thiserror::Error;

#[derive(Args)]
pub struct GraphArgs {
    /// Deform with the graph in this .jounce file, or with a style that comes along, such as default
    #[arg(long, value_name = "FILE.jounce")]
    pub graph: Option<PathBuf>,
    /// Set a parameter of the graph by its name, or any input as node.port
    #[arg(long, value_name = "NAME=VALUE", requires = "graph")]
    pub set: Vec<Assignment>,
    /// The length that speeds are measured against [default: the largest side of the rest pose]
    #[arg(long, value_name = "LENGTH", requires = "graph", value_parser = length)]
    pub size: Option<f64>,
    /// Where the graph is computed
    #[arg(long, value_enum, requires = "graph", default_value_t = BackendArg::Cpu)]
    pub backend: BackendArg,
    #[command(flatten)]
    pub scripts: ScriptArgs,
}

#[derive(Args)]
pub struct ScriptArgs {
    /// Also read the node scripts (.rhai) of this folder; may be given several times
    #[arg(long = "scripts", value_name = "DIR")]
    pub folders: Vec<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum BackendArg {
    Cpu,
}

#[derive(Clone, Debug)]
pub struct Assignment {
    name: String,
    value: Number,
}

impl FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Assignment, String> {
        let wrong =
            || format!("\"{text}\" sets nothing; write it as floppy=0.3, or as node.port=0,1,0");
        let (name, value) = text.split_once('=').ok_or_else(wrong)?;
        let numbers: Result<Vec<f64>, _> = value.split(',').map(|n| n.trim().parse()).collect();
        let value = match numbers.map_err(|_| wrong())?[..] {
            [x] => Number::Float(x),
            [x, y, z] => Number::Vec3(DVec3::new(x, y, z)),
            _ => return Err(wrong()),
        };
        Ok(Assignment { name: name.trim().to_owned(), value })
    }
}

fn length(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(length) if length > 0.0 && length <= 1e12 => Ok(length),
        _ => Err("a length greater than 0 is needed".to_owned()),
    }
}

#[derive(Debug, Error)]
pub enum GraphError {
    #[error("{file}: {source}")]
    File { file: String, source: Box<FileError> },
    #[error("{file}: {source}; `jounce check {file}` lists its parameters")]
    Parameter { file: String, source: Box<ParameterError> },
    #[error(
        "there is no style called \"{name}\"; there are {known}, or give the path of a .jounce file"
    )]
    NoStyle { name: String, known: String },
    #[error(transparent)]
    Eval(#[from] EvalError),
    #[error(transparent)]
    Character(#[from] crate::rig::CharacterError),
    #[error("the folder of scripts {folder} cannot be read: {source}")]
    Scripts { folder: String, source: std::io::Error },
}

/// The built-in nodes, those of `scripts/` that come along, the user's own, and the given folders.
/// A broken script is reported, and the others are there.
pub fn library(args: &ScriptArgs) -> Result<Library, CliError> {
    let mut library = Library::built_in();
    let mut report = LoadReport::default();
    let own = user_scripts_folder().filter(|folder| folder.is_dir());
    for folder in own.iter().chain(&args.folders) {
        add_folder(&mut library, folder, &mut report)?;
    }
    for error in &report.errors {
        eprintln!("jounce: {error}");
    }
    for (before, by) in &report.replaced {
        let name = &before.name;
        match &before.origin {
            ScriptOrigin::File(path) => eprintln!(
                "jounce: the node \"{name}\" is in two scripts, {} and {by}; the second counts",
                path.display()
            ),
            _ => eprintln!("jounce: {by} replaces the node \"{name}\" that comes with Jounce"),
        }
    }
    Ok(library)
}

fn add_folder(
    library: &mut Library,
    folder: &Path,
    report: &mut LoadReport,
) -> Result<(), GraphError> {
    let folder_name = folder.display().to_string();
    let read = library.add_folder(folder, report);
    read.map_err(|source| GraphError::Scripts { folder: folder_name, source })
}

/// A name without a dot or a slash is a style that comes along. What was odd about a file is said.
pub fn load_document(file: &Path) -> Result<Document, GraphError> {
    let (document, notes) = open_document(file)?;
    for note in notes {
        eprintln!("jounce: {}: {note}", file.display());
    }
    Ok(document)
}

pub fn open_document(file: &Path) -> Result<(Document, Vec<Note>), GraphError> {
    let name = file.display().to_string();
    if !name.contains(['.', '/', '\\']) && !file.exists() {
        let known = || style_names().collect::<Vec<_>>().join(", ");
        let style = built_in_style(&name);
        return style
            .map(|style| (style, Vec::new()))
            .ok_or_else(|| GraphError::NoStyle { known: known(), name });
    }
    let loaded = Document::load(file)
        .map_err(|source| GraphError::File { file: name.clone(), source: Box::new(source) })?;
    Ok((loaded.document, loaded.notes))
}

/// A compiled graph that is bound to a character.
pub struct Deformer {
    program: Program,
    bound: Bound,
    prepared: Prepared,
    parameters: Parameters,
    base: Option<Base>,
    normals: NormalTurner,
}

/// By the character's name in upper or lower case, with or without the ending of its file.
fn settings_for(document: &Document, key: &str, file: &str) -> CharacterSettings {
    let stem = |name: &str| {
        let name = name.trim_end_matches(".glb").trim_end_matches(".gltf");
        name.to_lowercase()
    };
    let alike = || document.characters.iter().find(|(name, _)| stem(name) == stem(key));
    let found = document.characters.get_key_value(key).or_else(alike);
    if found.is_none() && !document.characters.is_empty() {
        let known: Vec<&str> = document.characters.keys().map(String::as_str).collect();
        eprintln!(
            "jounce: {file} has bone values and maps for {}, none for {key}: its defaults are used",
            known.join(", ")
        );
    }
    found.map(|(_, settings)| settings.clone()).unwrap_or_default()
}

/// A slider stops at its ends without a word; a command line should not.
fn say_if_limited(program: &Program, parameters: &Parameters, name: &str, wanted: Number) {
    for (parameter, value) in program.tables.parameters.iter().zip(&parameters.values) {
        let path = format!("{}.{}", parameter.node, parameter.port);
        let is_meant = parameter.exposed.as_deref() == Some(name) || path == name;
        if is_meant && value.ty() == wanted.ty() && *value != wanted {
            eprintln!("jounce: {name} is limited to {value}");
        }
    }
}

/// What moves the bones at one time.
pub enum MotionAt<'a> {
    Clip(Player<'a>),
    Constant(&'a [BoneMotion]),
}

impl Deformer {
    pub fn new(
        args: &GraphArgs,
        file: &Path,
        document: &Document,
        character: &Character,
        key: &str,
        base: Option<BaseArg>,
    ) -> Result<Deformer, CliError> {
        let library = library(&args.scripts)?;
        let name = file.display().to_string();
        let Compiled { program, problems, .. } = compile(&document.style, &library);
        for problem in &problems {
            eprintln!("jounce: {name}: {problem}");
        }
        let mut settings = settings_for(document, key, &name);
        settings.size = args.size.or(settings.size);
        let bound = Bound::new(&program, character, &settings).map_err(GraphError::from)?;
        for warning in &bound.warnings {
            eprintln!("jounce: {name}: {warning}");
        }
        let mut parameters = Parameters::new(&program);
        for Assignment { name: parameter, value } in &args.set {
            let set = parameters.set(&program, parameter, *value);
            say_if_limited(&program, &parameters, parameter, *value);
            set.map_err(|source| GraphError::Parameter {
                file: name.clone(),
                source: Box::new(source),
            })?;
        }
        let prepared = Prepared::new(&program, &bound).map_err(GraphError::from)?;
        let (base, normals) = (base.map(Base::from), NormalTurner::new(character));
        Ok(Deformer { program, bound, prepared, parameters, base, normals })
    }

    #[cfg(feature = "gpu")]
    pub fn base(&self) -> Base {
        self.base.unwrap_or(self.program.base)
    }

    /// Positions and normals at one moment of the motion.
    pub fn deform(
        &self,
        character: &Character,
        pose: &crate::rig::Pose,
        motion: MotionAt,
        time_secs: f64,
    ) -> Result<Skinned, GraphError> {
        let played;
        let constant;
        let motion: &dyn Motion = match motion {
            MotionAt::Clip(player) => {
                played = PlayedMotion { player, time_secs };
                &played
            }
            MotionAt::Constant(velocities) => {
                constant = ConstantMotion::steady(velocities.to_vec());
                &constant
            }
        };
        let moment = Moment::new(&MomentParts {
            character,
            program: &self.program,
            parameters: &self.parameters,
            pose,
            motion,
            time_secs,
            base: self.base,
        });
        let Deformed { positions, skinned } = self.prepared.deform(&self.bound, &moment)?;
        let normals = self.normals.turn(&skinned, &positions);
        Ok(Skinned { positions, normals })
    }
}
