//! A compiled graph that is bound to a character, and what computes it.

use super::CliError;
use super::assignments::{parameters, set_before_compiling};
use super::graph::{BackendArg, GraphArgs, GraphError, UNLINKED, is_unlinked, library};
use super::scene_args::BaseArg;
use glam::Vec3;
use jounce_eval::heat::check_bone;
use jounce_eval::normals::NormalTurner;
use jounce_eval::timeline::{Frozen, SEAM};
use jounce_eval::vm::Wanted;
use jounce_eval::{
    BindWarning, Bound, ConstantMotion, Deformed, EvalError, Moment, MomentParts, Motion,
    Parameters, Played, PlayedMotion, Recalled, Stepped, Timeline, vm,
};
#[cfg(feature = "gpu")]
use jounce_gpu::Gpu;
#[cfg(feature = "gpu")]
pub use jounce_gpu::eval::OnDeviceMoments;
#[cfg(feature = "gpu")]
use jounce_gpu::eval::{DeviceDeformer, PreparedOnGpu};
use jounce_graph::compile::{
    Compiled, Filter, Showing, ShownPort, compile, compile_showing, compile_watched,
};
use jounce_graph::document::{CharacterSettings, Document};
use jounce_ir::{Program, Value};
use jounce_rig::motion::{BoneMotion, Player};
use jounce_rig::{Base, Character, Pose, Skinned};
use jounce_session::FrozenScene;
use std::cell::{Cell, OnceCell, RefCell};
use std::path::Path;
use std::sync::Arc;

/// What was computed where it is drawn, and the positions of each moment.
#[cfg(feature = "gpu")]
pub type DrawnThere = (OnDeviceMoments, Vec<Vec<Vec3>>);

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
    shown: Option<Value>,
    settings: CharacterSettings,
    bound: Bound,
    parameters: Parameters,
    base: Option<Base>,
    /// Made when it is first asked for: a device may do without.
    on_cpu: OnceCell<vm::Prepared>,
    /// Made when the first is asked for: a bake asks for none.
    normals: OnceCell<NormalTurner>,
    character: Arc<Character>,
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
        let bound = Bound::new(&program, character, &settings).map_err(GraphError::from)?;
        if let LookingAt::Port(port) = looking_at {
            check_bone(&bound, port)?;
        }
        for warning in &bound.warnings {
            say!("{name}: {warning}");
        }
        let parameters = parameters(&name, style, &library, &program, &args.set)?;
        let backend = match args.backend {
            None | Some(BackendArg::Cpu) => Backend::Cpu,
            #[cfg(feature = "gpu")]
            Some(BackendArg::Gpu) => Backend::Gpu(Box::new(DeviceDeformer::new(&args.open_gpu()?))),
        };
        let is_on_cpu = matches!(backend, Backend::Cpu);
        let (base, backend) = (base.map(Base::from), RefCell::new(backend));
        let deformer = Deformer {
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
            on_cpu: OnceCell::new(),
            normals: OnceCell::new(),
            character: character.clone(),
            has_moved: Cell::new(false),
            backend,
            timeline: RefCell::default(),
            told_of_seam: Cell::default(),
        };
        if is_on_cpu {
            // What is wrong with it is said before anything is written.
            deformer.on_cpu().map_err(GraphError::from)?;
        }
        Ok(deformer)
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
    pub fn shown(&self) -> Option<Value> {
        self.shown
    }

    /// Of its character.
    pub fn settings(&self) -> &CharacterSettings {
        &self.settings
    }

    pub fn bound(&self) -> &Bound {
        &self.bound
    }

    pub fn normals(&self) -> &NormalTurner {
        self.normals.get_or_init(|| NormalTurner::new(&self.character))
    }

    /// One pose, for velocities that are made up.
    pub fn frozen<'a>(
        &'a self,
        character: &'a Character,
        pose: &'a Pose,
    ) -> Result<FrozenScene<'a>, EvalError> {
        Ok(FrozenScene {
            character,
            program: &self.program,
            bound: &self.bound,
            prepared: self.on_cpu()?,
            parameters: &self.parameters,
            pose,
            base: self.base,
        })
    }

    fn on_cpu(&self) -> Result<&vm::Prepared, EvalError> {
        if self.on_cpu.get().is_none() {
            // Nobody else has come between: this is one thread's.
            let _ = self.on_cpu.set(vm::Prepared::new(&self.program, &self.bound)?);
        }
        Ok(self.on_cpu.get().expect("it was just made"))
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
            say!("{}: {SEAM}", self.file);
        }
        Ok(recalled)
    }

    /// Positions and normals at one moment of the motion.
    #[cfg(feature = "gpu")]
    pub fn deform(&self, moment: &Moment) -> Result<Skinned, EvalError> {
        match &mut *self.backend.borrow_mut() {
            Backend::Cpu => self.deform_on_cpu(moment),
            Backend::Gpu(on_gpu) => {
                let (program, bound) = (&self.program, &self.bound);
                let prepared = on_gpu.prepared(program, bound, moment)?;
                prepared.write_skinned(true);
                prepared.run(bound, std::slice::from_ref(moment))?;
                let deformed = prepared.read()?.pop().unwrap_or_default();
                Ok(self.with_normals(deformed))
            }
        }
    }

    /// The positions alone, in a list that may be used again.
    pub fn positions_into(
        &self,
        moment: &Moment,
        positions: &mut Vec<Vec3>,
    ) -> Result<(), EvalError> {
        match &mut *self.backend.borrow_mut() {
            Backend::Cpu => self.positions_on_cpu(moment, positions),
            #[cfg(feature = "gpu")]
            Backend::Gpu(on_gpu) => {
                let (program, bound) = (&self.program, &self.bound);
                let prepared = on_gpu.prepared(program, bound, moment)?;
                prepared.write_skinned(!self.has_moved.get());
                prepared.run(bound, std::slice::from_ref(moment))?;
                *positions = self.read_positions(prepared)?.pop().unwrap_or_default();
                Ok(())
            }
        }
    }

    /// What the device has computed, instance after instance.
    #[cfg(feature = "gpu")]
    fn read_positions(&self, prepared: &mut PreparedOnGpu) -> Result<Vec<Vec<Vec3>>, EvalError> {
        if self.has_moved.get() {
            return prepared.read_positions();
        }
        let deformed = prepared.read()?;
        deformed.iter().for_each(|deformed| self.see_if_moved(deformed));
        Ok(deformed.into_iter().map(|deformed| deformed.positions).collect())
    }

    pub fn deform_on_cpu(&self, moment: &Moment) -> Result<Skinned, EvalError> {
        Ok(self.with_normals(self.on_cpu()?.deform(&self.bound, moment)?))
    }

    /// Plain skinning comes along only until something has moved.
    pub fn positions_on_cpu(
        &self,
        moment: &Moment,
        positions: &mut Vec<Vec3>,
    ) -> Result<(), EvalError> {
        if self.has_moved.get() {
            return self.on_cpu()?.positions_into(&self.bound, moment, positions);
        }
        let wanted = Wanted { skinned_positions: true, ..Wanted::default() };
        let (moments, mut deformed) = (std::slice::from_ref(moment), [Deformed::default()]);
        self.on_cpu()?.deform_into(&self.bound, moments, wanted, &mut deformed)?;
        let [deformed] = deformed;
        self.see_if_moved(&deformed);
        *positions = deformed.positions;
        Ok(())
    }

    fn with_normals(&self, deformed: Deformed) -> Skinned {
        self.see_if_moved(&deformed);
        let Deformed { positions, skinned } = deformed;
        let normals = self.normals().turn(&skinned, &positions);
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

    /// For drawing: computed where it is drawn, and the positions for whoever needs them. None if the CPU
    /// computes.
    #[cfg(feature = "gpu")]
    pub fn deform_on_device(
        &self,
        character: &Character,
        moments: &[Moment],
    ) -> Result<Option<DrawnThere>, EvalError> {
        let mut backend = self.backend.borrow_mut();
        let (Backend::Gpu(on_gpu), Some(first)) = (&mut *backend, moments.first()) else {
            return Ok(None);
        };
        let (program, bound) = (&self.program, &self.bound);
        // Normals are turned from those of plain skinning.
        on_gpu.prepared(program, bound, first)?.write_skinned(true);
        let Some(done) = on_gpu.run(character, program, bound, moments)? else { return Ok(None) };
        let positions = self.read_positions(on_gpu.prepared(program, bound, first)?)?;
        Ok(Some((done, positions)))
    }
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
    fn what_the_device_computes_is_not_computed_once_more_by_the_cpu() {
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
        assert!(deformer.on_cpu.get().is_none(), "the CPU was prepared");
        assert!(deformer.normals.get().is_none(), "normals were turned");
    }
}
