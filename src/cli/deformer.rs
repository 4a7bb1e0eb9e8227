//! A compiled graph that is bound to a character, and what computes it.

use super::CliError;
use super::assignments::{Assignment, parameters, set_before_compiling};
#[cfg(feature = "gpu")]
use super::graph::BackendArg;
use super::graph::{GraphArgs, GraphError, UNLINKED, is_unlinked, library};
use super::scene_args::BaseArg;
use jounce_base::keyed_value::MotionKeys;
use jounce_eval::heat::check_bone;
use jounce_eval::timeline::SEAM;
use jounce_eval::{Backend, BindWarning, Bound, Deformed, OnCpu, Parameters, Performer};
#[cfg(feature = "gpu")]
use jounce_eval::{EvalError, Moment};
#[cfg(feature = "gpu")]
use jounce_gpu::Gpu;
#[cfg(feature = "gpu")]
use jounce_gpu::eval::GpuBackend;
#[cfg(feature = "gpu")]
pub use jounce_gpu::eval::OnDeviceMoments;
use jounce_graph::compile::{
    Compiled, Filter, Showing, ShownPort, compile, compile_showing, compile_watched,
};
use jounce_graph::document::{CharacterSettings, Document};
use jounce_ir::{Program, Value};
use jounce_rig::motion::Playback;
use jounce_rig::{Base, Character, Clip};
use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

/// What was computed where it is drawn, and the positions of each moment.
#[cfg(feature = "gpu")]
pub type DrawnThere = (OnDeviceMoments, Vec<Vec<glam::Vec3>>);

/// As a part of the size; what moves less does not move.
const LEAST_DISPLACEMENT: f64 = 1e-6;

pub struct Deformer {
    file: String,
    /// What keeps the graph itself from doing anything, as far as that is known.
    obstacle: Option<&'static str>,
    problem_count: usize,
    /// The document has bone values and maps, for other characters.
    lacks_settings: bool,
    /// Only where they are watched.
    filters: Vec<Filter>,
    /// Shows the port that is looked at.
    shown: Option<Value>,
    /// Keys that `--set` has put aside: of which clip, of what, and what was typed.
    overruled: Vec<(String, Assignment)>,
    performer: Performer,
    /// Was any vertex displaced, in any of the frames so far?
    has_moved: Cell<bool>,
    told_of_seam: Cell<bool>,
    /// Computes where it draws.
    #[cfg(feature = "gpu")]
    device: Option<GpuBackend>,
}

/// What of a graph is looked at beside its result.
#[derive(Clone, Copy)]
pub enum LookingAt<'a> {
    Nothing,
    /// What goes into filters and comes out of them.
    Filters,
    Port(&'a ShownPort),
}

impl Deformer {
    pub fn new(
        args: &GraphArgs,
        file: &Path,
        document: &Document,
        character: &Arc<Character>,
        key: &str,
        base: Option<BaseArg>,
        looking_at: LookingAt,
    ) -> Result<Deformer, CliError> {
        let library = library(&args.scripts)?;
        let name = file.display().to_string();
        let style = &*set_before_compiling(&name, &document.style, &library, &args.set)?;
        let (compiled, shown) = match looking_at {
            LookingAt::Nothing => (compile(style, &library), None),
            LookingAt::Filters => (compile_watched(style, &library), None),
            LookingAt::Port(port) => {
                let showing = compile_showing(style, &library, port);
                let failed =
                    |error| GraphError::Show { file: name.clone(), source: Box::new(error) };
                let Showing { compiled, value } = showing.map_err(failed)?;
                (compiled, Some(value))
            }
        };
        let Compiled { program, problems, filters, .. } = compiled;
        for problem in &problems {
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
        let parameters = parameters(&name, style, &library, &program, &args.set)?;
        let backend: Box<dyn Backend>;
        #[cfg(feature = "gpu")]
        let device = match args.backend {
            Some(BackendArg::Gpu) => Some(GpuBackend::new(&args.open_gpu()?)),
            _ => None,
        };
        #[cfg(feature = "gpu")]
        {
            let on_cpu = || Box::<OnCpu>::default() as Box<dyn Backend>;
            backend = device.clone().map_or_else(on_cpu, |device| Box::new(device));
        }
        #[cfg(not(feature = "gpu"))]
        {
            backend = Box::<OnCpu>::default();
        }
        let performer = Performer::on(backend, program, character.clone(), &settings);
        let mut performer = performer.map_err(GraphError::from)?;
        performer.set_parameters(parameters);
        let (keys, overruled) = keys_beside(&document.motion.keys, performer.program(), &args.set);
        performer.set_keys(Arc::new(keys));
        performer.set_base(base.map(Base::from)).map_err(GraphError::from)?;
        // What is wrong with it is said before anything is written.
        performer.prepare().map_err(GraphError::from)?;
        if let LookingAt::Port(port) = looking_at {
            check_bone(performer.bound(), port)?;
        }
        for warning in &performer.bound().warnings {
            say!("{name}: {warning}");
        }
        Ok(Deformer {
            file: name,
            obstacle,
            problem_count: problems.len(),
            lacks_settings,
            filters,
            shown,
            overruled,
            performer,
            has_moved: Cell::new(false),
            told_of_seam: Cell::default(),
            #[cfg(feature = "gpu")]
            device,
        })
    }

    pub fn play(&mut self, clip: Arc<Clip>, playback: Playback) -> Result<(), CliError> {
        for (_, Assignment { name, value }) in
            self.overruled.iter().filter(|(of, _)| *of == clip.name)
        {
            let (file, clip) = (&self.file, &clip.name);
            say!("{file} has keys for {name} in clip \"{clip}\"; here it is {value} throughout");
        }
        self.performer.play(clip, playback).map_err(GraphError::from)?;
        for warning in self.performer.key_warnings() {
            say!("{}: {warning}", self.file);
        }
        Ok(())
    }

    /// The graph on the character, playing.
    pub fn performer(&self) -> &Performer {
        &self.performer
    }

    /// Once, where what is remembered shows that the motion is a loop.
    pub fn say_if_it_has_a_seam(&self) {
        if self.performer.has_seam() && !self.told_of_seam.replace(true) {
            say!("{}: {SEAM}", self.file);
        }
    }

    /// What messages call the graph.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// What is wrong with the graph itself, on any character.
    pub fn problem_count(&self) -> usize {
        self.problem_count
    }

    pub fn obstacle(&self) -> Option<&'static str> {
        self.obstacle
    }

    pub fn lacks_settings(&self) -> bool {
        self.lacks_settings
    }

    /// Does the graph move flesh where the character has none?
    pub fn lacks_flesh(&self) -> bool {
        self.program().has_flesh() && self.bound().flesh.is_empty()
    }

    /// What the graph names and the character lacks.
    pub fn warnings(&self) -> &[BindWarning] {
        &self.bound().warnings
    }

    pub fn has_moved(&self) -> bool {
        self.has_moved.get()
    }

    pub fn base(&self) -> Base {
        self.performer.setup().base()
    }

    pub fn program(&self) -> &Program {
        self.performer.program()
    }

    /// Nodes that remember and are fed with values of bones.
    pub fn filters(&self) -> &[Filter] {
        &self.filters
    }

    /// What shows the port that is looked at.
    pub fn shown(&self) -> Option<Value> {
        self.shown
    }

    /// The settings of its character.
    pub fn settings(&self) -> &CharacterSettings {
        self.performer.settings()
    }

    pub fn bound(&self) -> &Bound {
        self.performer.bound()
    }

    /// Looks whether anything is displaced, which needs plain skinning.
    pub fn see_if_moved(&self, Deformed { positions, skinned }: &Deformed) {
        let least = (LEAST_DISPLACEMENT * self.bound().size) as f32;
        let mut pairs = positions.iter().zip(&skinned.positions);
        if !self.has_moved.get() && pairs.any(|(a, b)| a.distance(*b) > least) {
            self.has_moved.set(true);
        }
    }

    /// The device that computes, if it is one; pictures must be drawn there.
    #[cfg(feature = "gpu")]
    pub fn gpu(&self) -> Option<Gpu> {
        self.device.as_ref().map(|device| device.deformer().gpu().clone())
    }

    /// For drawing: computed where it is drawn, and the positions for whoever needs them. None if the CPU
    /// computes.
    #[cfg(feature = "gpu")]
    pub fn deform_on_device(&self, moments: &[Moment]) -> Result<Option<DrawnThere>, EvalError> {
        let Some(device) = &self.device else { return Ok(None) };
        let (mut device, setup) = (device.deformer(), self.performer.setup());
        let Some(done) = device.run(setup, moments)? else { return Ok(None) };
        let prepared = device.prepared(setup)?;
        if self.has_moved.get() {
            return Ok(Some((done, prepared.read_positions()?)));
        }
        let deformed = prepared.read()?;
        deformed.iter().for_each(|deformed| self.see_if_moved(deformed));
        let positions = deformed.into_iter().map(|deformed| deformed.positions).collect();
        Ok(Some((done, positions)))
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

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use crate::cli::scene::{Scene, WithoutClips};
    use crate::cli::scene_args::SceneArgs;
    use crate::cli::skipped;
    use clap::Parser;
    use jounce_gpu::Gpu;

    #[derive(Parser)]
    struct Parsed {
        #[command(flatten)]
        scene: SceneArgs,
    }

    #[test]
    fn what_is_drawn_on_the_device_is_what_it_hands_out() {
        if let Err(error) = Gpu::new() {
            let is_required = std::env::var("JOUNCE_REQUIRE_GPU").is_ok_and(|value| value == "1");
            assert!(!is_required, "JOUNCE_REQUIRE_GPU=1, but {error}");
            skipped::skip_loudly(skipped::Lacking::Gpu, &error.to_string());
            return;
        }
        let args = ["test", "--graph", "cow-bouncy", "--loop", "--backend", "gpu"];
        let scene = Scene::with_graph(&Parsed::parse_from(args).scene, WithoutClips::Rest).unwrap();
        let deformer = scene.deformer.as_ref().unwrap();
        let (_, positions) = scene.on_device(&[0.1, 0.4]).unwrap().unwrap();
        let mut again = Vec::new();
        scene.positions_into(0.4, &mut again).unwrap();
        assert!(deformer.has_moved());
        assert_eq!(positions[1], again);
    }
}
