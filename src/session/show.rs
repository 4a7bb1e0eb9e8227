//! What a session makes of its character: compiled, bound, and evaluated at any time.
//!
//! ```text
//!  what changed              what is done again
//!  wires, nodes, scripts     everything
//!  the character             everything but compiling
//!  flesh, painted maps       binding and preparing
//!  bone values, size         binding
//!  the motion                what is remembered
//!  sliders, keys             nothing: they are numbers of a frame
//! ```

use super::Session;
use jounce_eval::normals::NormalTurner;
use jounce_eval::{
    BindWarning, Bound, Change, Deformed, EvalError, KeyWarning, Parameters, Performer,
};
use jounce_graph::compile::{Compiled, compile, sliders};
use jounce_graph::document::Style;
use jounce_graph::script::Library;
use jounce_ir::Program;
use jounce_rig::motion::Playback;
use jounce_rig::{Base, Character, Clip, Pose, Skinned};
use std::sync::Arc;

/// How much had to be done again; more may include less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Changed {
    Nothing,
    Sliders,
    /// Numbers of bones, and the size, but no lists of vertices.
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
    /// The structure of the style that was compiled; see [`sliders::structure`].
    structure: Style,
    library: Library,
    compiled: Compiled,
    performer: Performer,
    compile_count: usize,
}

impl Show {
    pub fn new(session: &Session) -> Result<Show, ShowError> {
        let library = session.library().clone();
        let compiled = compile(&session.document().style, &library);
        let structure = sliders::structure(&session.document().style, &compiled.program);
        let (character, settings) =
            (session.cast().character.clone(), session.character_settings());
        let mut performer = Performer::new(compiled.program.clone(), character, &settings)?;
        let (clip, playback) = motion(session)?;
        performer.set_keys(Arc::new(session.document().motion.keys.clone()));
        performer.play(clip, playback)?;
        // What cannot be shown is reported now, while what was shown before is still there.
        performer.prepare()?;
        let revision = session.revision();
        Ok(Show { revision, structure, library, compiled, performer, compile_count: 1 })
    }

    /// Takes over what has changed since. If that cannot be evaluated, everything stays as it was.
    pub fn update(&mut self, session: &Session) -> Result<Changed, ShowError> {
        if self.revision == session.revision() {
            return Ok(Changed::Nothing);
        }
        let style = &session.document().style;
        let is_same_cast = Arc::ptr_eq(self.character(), &session.cast().character);
        let is_same_program = self.library.is_same(session.library())
            && sliders::structure(style, &self.compiled.program) == self.structure;
        if !is_same_program || !is_same_cast {
            let compile_count = self.compile_count + usize::from(!is_same_program);
            *self = Show { compile_count, ..Show::new(session)? };
            return Ok(if is_same_cast { Changed::Program } else { Changed::Character });
        }
        let (clip, playback) = motion(session)?;
        let change = self.performer.change(&session.character_settings(), &clip, playback)?;
        sliders::refresh(&mut self.compiled.program, style, &self.library);
        let parameters = Parameters::new(&self.compiled.program);
        let mut has_moved_sliders = parameters != *self.performer.sliders();
        if has_moved_sliders {
            self.performer.set_parameters(parameters);
        }
        has_moved_sliders |= take_keys(&mut self.performer, session);
        self.revision = session.revision();
        Ok(match change {
            Change { is_other_motion: true, .. } => Changed::Motion,
            Change { has_other_lists: true, .. } => Changed::Binding,
            Change { is_rebound: true, .. } => Changed::BoneValues,
            _ if has_moved_sliders => Changed::Sliders,
            _ => Changed::Nothing,
        })
    }

    /// The character at a time.
    pub fn at(&self, time_secs: f64) -> Result<Shown, EvalError> {
        let deformed = self.performer.deformed_at(time_secs)?;
        Ok(self.shown(deformed, self.pose(time_secs), time_secs))
    }

    /// What was computed, with normals.
    pub fn shown(&self, deformed: Deformed, pose: Pose, time_secs: f64) -> Shown {
        let Deformed { positions, skinned } = deformed;
        let normals = self.normals().turn(&skinned, &positions);
        let deformed = Skinned { positions, normals };
        Shown { time_secs, deformed, skinned, pose: Some(pose) }
    }

    /// The graph on the character, playing.
    pub fn performer(&self) -> &Performer {
        &self.performer
    }

    pub fn pose(&self, time_secs: f64) -> Pose {
        self.performer.pose(time_secs)
    }

    /// Are answers exact, or is what is remembered being computed again?
    pub fn is_exact(&self) -> bool {
        self.performer.is_exact()
    }

    /// Does the motion loop, but memory does not settle into the loop?
    pub fn has_seam(&self) -> bool {
        self.performer.has_seam()
    }

    pub fn program(&self) -> &Program {
        &self.compiled.program
    }

    pub fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    pub fn bound(&self) -> &Bound {
        self.performer.bound()
    }

    pub fn warnings(&self) -> &[BindWarning] {
        &self.bound().warnings
    }

    /// With keys: see [`Parameters::at`].
    pub fn parameters(&self) -> &Parameters {
        self.performer.parameters()
    }

    /// Keys of what is played that change nothing, and why.
    pub fn key_warnings(&self) -> &[KeyWarning] {
        self.performer.key_warnings()
    }

    pub fn normals(&self) -> &NormalTurner {
        self.performer.normals()
    }

    pub fn character(&self) -> &Arc<Character> {
        self.performer.character()
    }

    pub fn clip(&self) -> &Arc<Clip> {
        self.performer.clip()
    }

    pub fn playback(&self) -> Playback {
        self.performer.playback()
    }

    pub fn duration_secs(&self) -> f64 {
        self.playback().duration_secs
    }

    pub fn base(&self) -> Base {
        self.compiled.program.base
    }

    /// The revision of the session that this show was made from.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// How often a style was compiled: dragging a slider leaves it alone.
    pub fn compile_count(&self) -> usize {
        self.compile_count
    }
}

/// Were they others?
pub(super) fn take_keys(performer: &mut Performer, session: &Session) -> bool {
    let keys = &session.document().motion.keys;
    let has_others = *keys != **performer.keys();
    if has_others {
        performer.set_keys(Arc::new(keys.clone()));
    }
    has_others
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

/// Why a document cannot be shown on its character. Nothing a graph does leads here.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    #[error(transparent)]
    Eval(#[from] EvalError),
    #[error(transparent)]
    Cast(#[from] super::CastError),
}
