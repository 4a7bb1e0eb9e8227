//! What a session makes of its character: compiled, bound, and evaluated at any time.
//!
//! ```text
//!  what changed              what is done again
//!  wires, nodes, scripts     everything
//!  the character             everything but compiling
//!  flesh, painted maps       binding and preparing
//!  bone values, size         binding
//!  the motion                what is remembered
//!  sliders                   nothing: they are numbers of a frame
//! ```

use super::Session;
use jounce_eval::normals::NormalTurner;
use jounce_eval::performance::{OwnedPlayer, Performance};
use jounce_eval::vm::Prepared;
use jounce_eval::{
    BindWarning, Bound, Deformed, EvalError, Moment, Parameters, PlayedMotion, Recalled,
};
use jounce_graph::compile::{Compiled, compile, sliders};
use jounce_graph::document::{CharacterSettings, Style};
use jounce_graph::script::Library;
use jounce_ir::Program;
use jounce_rig::motion::Playback;
use jounce_rig::{Base, Character, CharacterError, Clip, Pose, Skinned};
use std::sync::Arc;

/// How much had to be done again; more may include less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Changed {
    Nothing,
    Sliders,
    /// Numbers of bones, and the size; no list of vertices.
    BoneValues,
    /// Flesh and painted maps.
    Binding,
    Motion,
    Program,
    /// Another one: bones and vertices have other numbers.
    Character,
}

/// A character at one time.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    pub time_secs: f64,
    /// As the document has it.
    pub deformed: Skinned,
    /// Plain skinning.
    pub skinned: Skinned,
    pub pose: Option<Pose>,
}

pub struct Show {
    revision: u64,
    /// Of the style that was compiled; see [`sliders::structure`].
    structure: Style,
    library: Library,
    compiled: Compiled,
    key: String,
    character: Arc<Character>,
    settings: CharacterSettings,
    bound: Bound,
    prepared: Prepared,
    normals: NormalTurner,
    clip: Arc<Clip>,
    playback: Playback,
    parameters: Parameters,
    /// None where nothing is remembered.
    pub(super) performance: Option<Performance>,
    compile_count: usize,
}

impl Show {
    pub fn new(session: &Session) -> Result<Show, ShowError> {
        let library = session.library().clone();
        let compiled = compile(&session.document().style, &library);
        let structure = sliders::structure(&session.document().style, &compiled.program);
        let cast = session.cast();
        let character = cast.character.clone();
        let settings = session.character_settings();
        let bound = Bound::new(&compiled.program, &character, &settings)?;
        let prepared = Prepared::new(&compiled.program, &bound)?;
        let (clip, playback) = motion(session)?;
        let parameters = Parameters::new(&compiled.program);
        let player = OwnedPlayer { character: character.clone(), clip: clip.clone(), playback };
        let performance = performance(&compiled.program, &bound, player, &parameters)?;
        Ok(Show {
            revision: session.revision(),
            structure,
            library,
            key: cast.key.clone(),
            normals: NormalTurner::new(&character),
            parameters,
            compiled,
            character,
            settings,
            bound,
            prepared,
            clip,
            playback,
            performance,
            compile_count: 1,
        })
    }

    /// Takes over what has changed since. If that cannot be evaluated, everything stays as it was.
    pub fn update(&mut self, session: &Session) -> Result<Changed, ShowError> {
        if self.revision == session.revision() {
            return Ok(Changed::Nothing);
        }
        let style = &session.document().style;
        let is_same_cast = Arc::ptr_eq(&self.character, &session.cast().character);
        let is_same_program = self.library.is_same(session.library())
            && sliders::structure(style, &self.compiled.program) == self.structure;
        if !is_same_program || !is_same_cast {
            let compile_count = self.compile_count + usize::from(!is_same_program);
            *self = Show { compile_count, ..Show::new(session)? };
            return Ok(if is_same_cast { Changed::Program } else { Changed::Character });
        }
        // All that can fail comes first, so that half of a change is never taken over.
        let (program, character) = (&self.compiled.program, &self.character);
        let settings = session.character_settings();
        let is_rebound = settings != self.settings || self.key != session.cast().key;
        let bound = is_rebound.then(|| Bound::new(program, character, &settings)).transpose()?;
        let has_other_lists =
            settings.maps != self.settings.maps || settings.flesh != self.settings.flesh;
        let prepared = bound.as_ref().filter(|_| has_other_lists);
        let prepared = prepared.map(|bound| Prepared::new(program, bound)).transpose()?;
        let (clip, playback) = motion(session)?;
        let is_same_clip = is_same_clip(&clip, &self.clip);
        let is_moved = playback != self.playback || !is_same_clip;
        let clip = if is_same_clip { self.clip.clone() } else { clip };
        let performance = match is_rebound || is_moved {
            true => {
                let player =
                    OwnedPlayer { character: character.clone(), clip: clip.clone(), playback };
                let bound = bound.as_ref().unwrap_or(&self.bound);
                Some(performance(program, bound, player, &self.parameters)?)
            }
            false => None,
        };
        let mut changed = match () {
            () if is_moved => Changed::Motion,
            () if has_other_lists => Changed::Binding,
            () if is_rebound => Changed::BoneValues,
            () => Changed::Nothing,
        };
        (self.clip, self.playback, self.settings) = (clip, playback, settings);
        if let Some(bound) = bound {
            self.bound = bound;
            self.key.clone_from(&session.cast().key);
        }
        if let Some(prepared) = prepared {
            self.prepared = prepared;
        }
        if let Some(performance) = performance {
            self.performance = performance;
        }
        sliders::refresh(&mut self.compiled.program, style, &self.library);
        let parameters = Parameters::new(&self.compiled.program);
        if parameters != self.parameters {
            self.parameters = parameters;
            changed = changed.max(Changed::Sliders);
        }
        self.revision = session.revision();
        Ok(changed)
    }

    /// Hands over what the motion brings at a time.
    pub fn with_moment<T>(
        &mut self,
        time_secs: f64,
        work: impl FnOnce(&Show, &Moment) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let recalled = self.recalled(time_secs)?;
        let motion = PlayedMotion { player: self.player(), time_secs };
        work(self, &Moment::played(&motion, self.program(), &self.parameters, recalled, None))
    }

    fn recalled(&mut self, time_secs: f64) -> Result<Recalled, EvalError> {
        match &mut self.performance {
            Some(performance) => performance.recall(&self.parameters, time_secs),
            None => Ok(Recalled::default()),
        }
    }

    fn player(&self) -> jounce_rig::motion::Player<'_> {
        let (character, clip, playback) = (&*self.character, &*self.clip, self.playback);
        jounce_rig::motion::Player { character, clip, playback }
    }

    /// The character at a time, by the CPU.
    pub fn at(&mut self, time_secs: f64) -> Result<Shown, EvalError> {
        let pose = Some(self.pose(time_secs));
        self.with_moment(time_secs, |show, moment| {
            let Deformed { positions, skinned } = show.prepared.deform(&show.bound, moment)?;
            let normals = show.normals.turn(&skinned, &positions);
            let deformed = Skinned { positions, normals };
            Ok(Shown { time_secs, deformed, skinned, pose })
        })
    }

    pub fn pose(&self, time_secs: f64) -> Pose {
        self.player().pose(time_secs)
    }

    /// Are answers exact, or is what is remembered being computed anew?
    pub fn is_exact(&mut self) -> bool {
        let parameters = &self.parameters;
        self.performance.as_mut().is_none_or(|it| it.is_exact(parameters))
    }

    /// Does the motion loop, and what is remembered not?
    pub fn has_seam(&self) -> bool {
        self.performance.as_ref().is_some_and(|it| it.known().1.has_seam())
    }

    pub fn program(&self) -> &Program {
        &self.compiled.program
    }

    pub fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    pub fn bound(&self) -> &Bound {
        &self.bound
    }

    pub fn warnings(&self) -> &[BindWarning] {
        &self.bound.warnings
    }

    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    pub fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    pub fn normals(&self) -> &NormalTurner {
        &self.normals
    }

    pub fn character(&self) -> &Arc<Character> {
        &self.character
    }

    pub fn clip(&self) -> &Arc<Clip> {
        &self.clip
    }

    pub fn playback(&self) -> Playback {
        self.playback
    }

    pub fn duration_secs(&self) -> f64 {
        self.playback.duration_secs
    }

    pub fn base(&self) -> Base {
        self.compiled.program.base
    }

    /// Of the session, when it was last looked at.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// How often a style was compiled: dragging a slider leaves it alone.
    pub fn compile_count(&self) -> usize {
        self.compile_count
    }
}

/// None where nothing is remembered.
pub(super) fn performance(
    program: &Program,
    bound: &Bound,
    player: OwnedPlayer,
    parameters: &Parameters,
) -> Result<Option<Performance>, EvalError> {
    match program.remembers() {
        true => Performance::new(program.clone(), bound.clone(), player, parameters.clone()),
        false => Ok(None),
    }
}

fn motion(session: &Session) -> Result<(Arc<Clip>, Playback), ShowError> {
    let motion = &session.document().motion;
    let clip = session.cast().clip(motion)?;
    let playback = match motion.looped {
        true => Playback::looped(clip.duration_secs()),
        false => Playback::once(clip.duration_secs()),
    };
    Ok((clip, playback))
}

/// A test motion is made anew each time it is asked for.
fn is_same_clip(a: &Arc<Clip>, b: &Arc<Clip>) -> bool {
    Arc::ptr_eq(a, b) || (a.name == b.name && a.tracks == b.tracks)
}

/// Why a document cannot be shown on its character. Nothing a graph does leads here.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    #[error(transparent)]
    Character(#[from] CharacterError),
    #[error(transparent)]
    Eval(#[from] EvalError),
    #[error(transparent)]
    Cast(#[from] super::CastError),
}
