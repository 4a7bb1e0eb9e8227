//! A compiled graph that is bound to a character, and what computes it.

use super::CliError;
use super::assignments::parameters;
use super::graph::{BackendArg, GraphArgs, GraphError, UNLINKED, is_unlinked, library};
use super::scene_args::BaseArg;
use crate::compile::{
    Compiled, Filter, Showing, ShownPort, compile, compile_showing, compile_watched,
};
#[cfg(feature = "gpu")]
use crate::eval::gpu::DeviceDeformer;
#[cfg(feature = "gpu")]
pub use crate::eval::gpu::OnDeviceMoments;
use crate::eval::heat::check_bone;
use crate::eval::normals::NormalTurner;
use crate::eval::timeline::{Frozen, SEAM};
use crate::eval::{
    BindWarning, Bound, ConstantMotion, Deformed, EvalError, Moment, MomentParts, Motion,
    Parameters, Played, PlayedMotion, Recalled, Stepped, Timeline, vm,
};
#[cfg(feature = "gpu")]
use crate::gpu::Gpu;
use crate::graph::{CharacterSettings, Document};
use crate::ir::{Program, Value};
use crate::motion::{BoneMotion, Player};
use crate::rig::{Base, Character, Pose, Skinned};
#[cfg(feature = "gpu")]
use crate::session::FrozenScene;
#[cfg(feature = "gpu")]
use glam::Vec3;
use std::cell::{Cell, RefCell};
use std::path::Path;

/// As a part of the size; what moves less does not move.
const LEAST_DISPLACEMENT: f64 = 1e-6;

pub struct Deformer {
    file: String,
    /// What keeps the graph itself from doing anything, as far as that is known.
    obstacle: Option<&'static str>,
    problem_count: usize,
    /// The document has bone values and maps, for other characters.
    lacks_settings: bool,
    program: Program,
    /// Only where they are watched.
    filters: Vec<Filter>,
    /// Shows the port that is looked at.
    #[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "only pictures show it"))]
    shown: Option<Value>,
    #[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "only pictures show maps"))]
    settings: CharacterSettings,
    bound: Bound,
    parameters: Parameters,
    base: Option<Base>,
    on_cpu: vm::Prepared,
    normals: NormalTurner,
    /// Was any vertex displaced, in any of the frames so far?
    has_moved: Cell<bool>,
    /// It keeps buffers and code from frame to frame, nothing that changes a result.
    backend: RefCell<Backend>,
    /// Of the motion that it was first asked for; there is only one.
    timeline: RefCell<Option<Timeline>>,
    told_of_seam: Cell<bool>,
}

enum Backend {
    Cpu,
    #[cfg(feature = "gpu")]
    Gpu(Box<DeviceDeformer>),
}

/// What of a graph is looked at beside its result.
#[derive(Clone, Copy)]
pub enum LookingAt<'a> {
    Nothing,
    /// What goes into filters and comes out of them.
    Filters,
    #[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "only pictures show it"))]
    Port(&'a ShownPort),
}

/// What moves the bones at one time.
#[derive(Clone, Copy)]
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
        looking_at: LookingAt,
    ) -> Result<Deformer, CliError> {
        let library = library(&args.scripts)?;
        let name = file.display().to_string();
        let style = &document.style;
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
            eprintln!("jounce: {name}: {problem}");
        }
        let obstacle = match problems.is_empty() {
            true => is_unlinked(&document.style).then_some(UNLINKED),
            false => Some("mend its problems first; `jounce check` lists them"),
        };
        let settings = settings_for(document, key, &name);
        let lacks_settings = settings.is_none() && !document.characters.is_empty();
        let mut settings = settings.unwrap_or_default();
        settings.size = args.size.or(settings.size);
        let bound = Bound::new(&program, character, &settings).map_err(GraphError::from)?;
        if let LookingAt::Port(port) = looking_at {
            check_bone(&bound, port)?;
        }
        for warning in &bound.warnings {
            eprintln!("jounce: {name}: {warning}");
        }
        let parameters = parameters(&name, &document.style, &program, &args.set)?;
        let backend = match args.backend {
            BackendArg::Cpu => Backend::Cpu,
            #[cfg(feature = "gpu")]
            BackendArg::Gpu => Backend::Gpu(Box::new(DeviceDeformer::new(&args.open_gpu()?))),
        };
        let on_cpu = vm::Prepared::new(&program, &bound).map_err(GraphError::from)?;
        let (base, backend) = (base.map(Base::from), RefCell::new(backend));
        let normals = NormalTurner::new(character);
        Ok(Deformer {
            file: name,
            obstacle,
            problem_count: problems.len(),
            lacks_settings,
            program,
            filters,
            shown,
            settings,
            bound,
            parameters,
            base,
            on_cpu,
            normals,
            has_moved: Cell::new(false),
            backend,
            timeline: RefCell::default(),
            told_of_seam: Cell::default(),
        })
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
        self.program.has_flesh() && self.bound.flesh.is_empty()
    }

    /// What the graph names and the character lacks.
    pub fn warnings(&self) -> &[BindWarning] {
        &self.bound.warnings
    }

    pub fn has_moved(&self) -> bool {
        self.has_moved.get()
    }

    #[cfg(feature = "gpu")]
    pub fn base(&self) -> Base {
        self.base.unwrap_or(self.program.base)
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Nodes that remember and are fed with values of bones.
    pub fn filters(&self) -> &[Filter] {
        &self.filters
    }

    /// What shows the port that is looked at.
    #[cfg(feature = "gpu")]
    pub fn shown(&self) -> Option<Value> {
        self.shown
    }

    /// Of its character.
    #[cfg(feature = "gpu")]
    pub fn settings(&self) -> &CharacterSettings {
        &self.settings
    }

    pub fn bound(&self) -> &Bound {
        &self.bound
    }

    #[cfg(feature = "gpu")]
    pub fn normals(&self) -> &NormalTurner {
        &self.normals
    }

    /// One pose, for velocities that are made up.
    #[cfg(feature = "gpu")]
    pub fn frozen<'a>(&'a self, character: &'a Character, pose: &'a Pose) -> FrozenScene<'a> {
        FrozenScene {
            character,
            program: &self.program,
            bound: &self.bound,
            prepared: &self.on_cpu,
            parameters: &self.parameters,
            pose,
            base: self.base,
        }
    }

    /// Hands over what some moments of the motion bring.
    pub fn with_moments<T>(
        &self,
        character: &Character,
        motion: MotionAt,
        pose: impl Fn(f64) -> Pose,
        times_secs: &[f64],
        work: impl FnOnce(&[Moment]) -> T,
    ) -> Result<T, EvalError> {
        let motion_at = |&time_secs: &f64| -> Box<dyn Motion + '_> {
            match motion {
                MotionAt::Clip(player) => Box::new(PlayedMotion { player, time_secs }),
                MotionAt::Constant(velocities) => {
                    Box::new(ConstantMotion::steady(velocities.to_vec()))
                }
            }
        };
        let motions: Vec<Box<dyn Motion>> = times_secs.iter().map(motion_at).collect();
        let mut moments = Vec::with_capacity(times_secs.len());
        for (&time_secs, at) in times_secs.iter().zip(&motions) {
            let pose = pose(time_secs);
            let mut moment = Moment::new(&MomentParts {
                character,
                program: &self.program,
                parameters: &self.parameters,
                pose: &pose,
                motion: at.as_ref(),
                time_secs,
                base: self.base,
            });
            moment.recalled = match motion {
                MotionAt::Clip(player) => self.recall(character, &player, time_secs)?,
                MotionAt::Constant(_) => {
                    let frozen = Frozen { pose, motion: at.as_ref() };
                    self.recall(character, &frozen, time_secs)?
                }
            };
            moments.push(moment);
        }
        Ok(work(&moments))
    }

    /// What its nodes remember at a time; nothing where none does.
    fn recall(
        &self,
        character: &Character,
        played: &dyn Played,
        time_secs: f64,
    ) -> Result<Recalled, EvalError> {
        let mut timeline = self.timeline.borrow_mut();
        let timeline = match &*timeline {
            Some(timeline) => timeline,
            None => {
                let (ending, duration_secs) = (played.ending(), played.duration_secs());
                let new = Timeline::new(&self.program, &self.bound, ending, duration_secs)?;
                match new {
                    Some(new) => timeline.insert(new),
                    None => return Ok(Recalled::default()),
                }
            }
        };
        let (bound, parameters) = (&self.bound, &self.parameters);
        let base = self.base;
        let stepped = Stepped { character, bound, parameters, played, base };
        let recalled = timeline.recall(stepped, time_secs)?;
        if timeline.has_seam() && !self.told_of_seam.replace(true) {
            eprintln!("jounce: {}: {SEAM}", self.file);
        }
        Ok(recalled)
    }

    /// Positions and normals at one moment of the motion.
    pub fn deform(&self, moment: &Moment) -> Result<Skinned, EvalError> {
        match &mut *self.backend.borrow_mut() {
            Backend::Cpu => self.deform_on_cpu(moment),
            #[cfg(feature = "gpu")]
            Backend::Gpu(on_gpu) => {
                let (program, bound) = (&self.program, &self.bound);
                let prepared = on_gpu.prepared(program, bound, moment)?;
                prepared.run(bound, std::slice::from_ref(moment))?;
                let deformed = prepared.read()?.pop().unwrap_or_default();
                Ok(self.with_normals(deformed))
            }
        }
    }

    pub fn deform_on_cpu(&self, moment: &Moment) -> Result<Skinned, EvalError> {
        Ok(self.with_normals(self.on_cpu.deform(&self.bound, moment)?))
    }

    #[cfg(feature = "gpu")]
    pub fn positions_on_cpu(&self, moment: &Moment) -> Result<Vec<Vec3>, EvalError> {
        let deformed = self.on_cpu.deform(&self.bound, moment)?;
        self.see_if_moved(&deformed);
        Ok(deformed.positions)
    }

    fn with_normals(&self, deformed: Deformed) -> Skinned {
        self.see_if_moved(&deformed);
        let Deformed { positions, skinned } = deformed;
        let normals = self.normals.turn(&skinned, &positions);
        Skinned { positions, normals }
    }

    fn see_if_moved(&self, Deformed { positions, skinned }: &Deformed) {
        let least = (LEAST_DISPLACEMENT * self.bound.size) as f32;
        let mut pairs = positions.iter().zip(&skinned.positions);
        if !self.has_moved.get() && pairs.any(|(a, b)| a.distance(*b) > least) {
            self.has_moved.set(true);
        }
    }

    /// The device that computes, if it is one; pictures must be drawn there.
    #[cfg(feature = "gpu")]
    pub fn gpu(&self) -> Option<Gpu> {
        match &*self.backend.borrow() {
            Backend::Cpu => None,
            Backend::Gpu(on_gpu) => Some(on_gpu.gpu().clone()),
        }
    }

    /// For drawing: computed where it is drawn. None if the CPU computes.
    #[cfg(feature = "gpu")]
    pub fn deform_on_device(
        &self,
        character: &Character,
        moments: &[Moment],
    ) -> Result<Option<OnDeviceMoments>, EvalError> {
        match &mut *self.backend.borrow_mut() {
            Backend::Cpu => Ok(None),
            Backend::Gpu(on_gpu) => on_gpu.run(character, &self.program, &self.bound, moments),
        }
    }
}

/// What is set for a character; where there are only others', that is said.
fn settings_for(document: &Document, key: &str, file: &str) -> Option<CharacterSettings> {
    let found = crate::session::settings_for(document, key);
    if found.is_none() && !document.characters.is_empty() {
        let known: Vec<&str> = document.characters.keys().map(String::as_str).collect();
        eprintln!(
            "jounce: {file} has settings for {}, none for {key}: its defaults are used",
            known.join(", ")
        );
    }
    found.cloned()
}
