//! A graph of the command line on a character, and what is said about it.

use super::CliError;
use super::assignments::{Assignment, parameters, set_before_compiling};
#[cfg(feature = "gpu")]
use super::graph::BackendArg;
use super::graph::{GraphArgs, GraphError, UNLINKED, is_unlinked, library};
use super::scene_args::BaseArg;
use jounce_base::keyed_value::MotionKeys;
use jounce_eval::heat::check_bone;
use jounce_eval::{Backend, OnCpu, Parameters};
#[cfg(feature = "gpu")]
use jounce_gpu::eval::GpuBackend;
use jounce_graph::compile::{
    Compiled, Showing, ShownPort, compile, compile_showing, compile_watched,
};
use jounce_graph::document::{CharacterSettings, Document};
use jounce_ir::{Program, Value};
use jounce_rig::{Base, Character};
use jounce_session::Staged;
use std::path::Path;
use std::sync::Arc;

/// What is known of a graph beside what plays it.
pub struct GraphFile {
    /// What messages call it.
    pub name: String,
    /// What keeps the graph itself from doing anything, as far as that is known.
    pub obstacle: Option<&'static str>,
    /// The document has bone values and maps, for other characters.
    pub lacks_settings: bool,
    /// Shows the port that is looked at.
    pub shown: Option<Value>,
    /// Keys that `--set` has put aside: of which clip, and what was typed.
    overruled: Vec<(String, Assignment)>,
    /// Computes where it draws.
    #[cfg(feature = "gpu")]
    pub device: Option<GpuBackend>,
}

/// What of a graph is looked at beside its result.
#[derive(Clone, Copy)]
pub enum LookingAt<'a> {
    Nothing,
    /// What goes into filters and comes out of them.
    Filters,
    Port(&'a ShownPort),
}

/// At rest. What is wrong with it is said before anything is written.
pub fn stage(
    args: &GraphArgs,
    file: &Path,
    document: &Document,
    character: &Arc<Character>,
    key: &str,
    base: Option<BaseArg>,
    looking_at: LookingAt,
) -> Result<(Staged, GraphFile), CliError> {
    let library = library(&args.scripts)?;
    let name = file.display().to_string();
    let style = &*set_before_compiling(&name, &document.style, &library, &args.set)?;
    let (compiled, shown) = match looking_at {
        LookingAt::Nothing => (compile(style, &library), None),
        LookingAt::Filters => (compile_watched(style, &library), None),
        LookingAt::Port(port) => {
            let showing = compile_showing(style, &library, port);
            let failed = |error| GraphError::Show { file: name.clone(), source: Box::new(error) };
            let Showing { compiled, value } = showing.map_err(failed)?;
            (compiled, Some(value))
        }
    };
    let Compiled { program, problems, .. } = &compiled;
    for problem in problems {
        say!("{name}: {problem}");
    }
    let obstacle = match problems.is_empty() {
        true => is_unlinked(&document.style).then_some(UNLINKED),
        false => Some("fix its problems first; `jounce check` lists them"),
    };
    let settings = settings_for(document, key, &name);
    let lacks_settings = settings.is_none() && !document.characters.is_empty();
    let mut settings = settings.unwrap_or_default();
    settings.size = args.size.or(settings.size);
    let parameters = parameters(&name, style, &library, program, &args.set)?;
    #[cfg(feature = "gpu")]
    let device = match args.backend {
        Some(BackendArg::Gpu) => Some(GpuBackend::new(&args.open_gpu()?)),
        _ => None,
    };
    let on_cpu = || Box::<OnCpu>::default() as Box<dyn Backend>;
    #[cfg(feature = "gpu")]
    let backend = device.clone().map_or_else(on_cpu, |device| Box::new(device));
    #[cfg(not(feature = "gpu"))]
    let backend = on_cpu();
    let mut staged = Staged::new(backend, style, &library, compiled, character, &settings)?;
    let performer = staged.performer_mut();
    performer.set_parameters(parameters);
    let (keys, overruled) = keys_beside(&document.motion.keys, performer.program(), &args.set);
    performer.set_keys(Arc::new(keys));
    performer.set_base(base.map(Base::from))?;
    performer.prepare()?;
    if let LookingAt::Port(port) = looking_at {
        check_bone(staged.bound(), port)?;
    }
    for warning in staged.warnings() {
        say!("{name}: {warning}");
    }
    let graph = GraphFile {
        name,
        obstacle,
        lacks_settings,
        shown,
        overruled,
        #[cfg(feature = "gpu")]
        device,
    };
    Ok((staged, graph))
}

impl GraphFile {
    /// What becomes of the file's keys in the clip that is played.
    pub fn say_what_is_keyed(&self, staged: &Staged) {
        let (file, clip) = (&self.name, &staged.clip().name);
        for (_, Assignment { name, value }) in self.overruled.iter().filter(|(of, _)| of == clip) {
            say!("{file} has keys for {name} in clip \"{clip}\"; here it is {value} throughout");
        }
        for warning in staged.key_warnings() {
            say!("{file}: {warning}");
        }
    }
}

/// The keys of parameters that nobody sets by hand, and those that somebody does.
fn keys_beside(
    keys: &MotionKeys,
    program: &Program,
    set: &[Assignment],
) -> (MotionKeys, Vec<(String, Assignment)>) {
    let (mut kept, mut overruled) = (MotionKeys::new(), Vec::new());
    for (clip, keys) in keys {
        for (name, keyed) in keys {
            let places = Parameters::places(program, name);
            let is_same = |assignment: &&Assignment| {
                let set = Parameters::places(program, &assignment.name);
                set.iter().any(|place| places.contains(place))
            };
            match set.iter().rev().find(is_same) {
                Some(assignment) => overruled.push((clip.clone(), assignment.clone())),
                None => {
                    kept.entry(clip.clone()).or_default().insert(name.clone(), keyed.clone());
                }
            }
        }
    }
    (kept, overruled)
}

/// What is set for a character; where there are only others', that is said.
fn settings_for(document: &Document, key: &str, file: &str) -> Option<CharacterSettings> {
    let found = jounce_session::settings_for(document, key);
    if found.is_none() && !document.characters.is_empty() {
        let known: Vec<&str> = document.characters.keys().map(String::as_str).collect();
        say!(
            "{file} has settings for {} but none for {key}, so the defaults are used",
            known.join(", ")
        );
    }
    found.cloned()
}
