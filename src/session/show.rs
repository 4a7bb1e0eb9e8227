//! What a session makes of its character: compiled, bound, and evaluated at any time.
//!
//! ```text
//!  what changed              what is done again
//!  wires, nodes, scripts     everything
//!  the character             everything but compiling
//!  flesh, another map        binding and preparing
//!  numbers of painted maps   nothing: they are put where the old ones were
//!  bone values, size         binding
//!  the motion                what is remembered
//!  sliders, keys             nothing: they are numbers of a frame
//! ```

use super::{Session, Staged};
use jounce_eval::{Deformed, EvalError};
use jounce_graph::compile::compile;
use jounce_rig::{Pose, Skinned};
use std::ops::Deref;
use std::sync::Arc;

/// How much had to be done again; more may include less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Changed {
    Nothing,
    Sliders,
    /// Numbers of painted maps.
    Maps,
    /// Numbers of bones, and the size, but no lists of vertices.
    BoneValues,
    /// Flesh, and which maps there are.
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

/// The style of a session on its character, which follows what is done to it.
pub struct Show {
    staged: Staged,
    compile_count: usize,
}

impl Deref for Show {
    type Target = Staged;

    fn deref(&self) -> &Staged {
        &self.staged
    }
}

impl Show {
    pub fn new(session: &Session) -> Result<Show, ShowError> {
        let compiled = compile(&session.document().style, session.library());
        let staged = Staged::of(session, compiled)?;
        // What cannot be shown is reported now, while what was shown before is still there.
        staged.performer().prepare()?;
        Ok(Show { staged, compile_count: 1 })
    }

    /// Takes over what has changed since. If that cannot be evaluated, everything stays as it was.
    pub fn update(&mut self, session: &Session) -> Result<Changed, ShowError> {
        if let Some(changed) = self.staged.update(session)? {
            return Ok(changed);
        }
        let is_same_cast = Arc::ptr_eq(self.character(), &session.cast().character);
        let is_compiled = self.is_compiled_from(session);
        let compile_count = self.compile_count + usize::from(!is_compiled);
        *self = Show { compile_count, ..Show::new(session)? };
        Ok(if is_same_cast { Changed::Program } else { Changed::Character })
    }

    /// The character at a time.
    pub fn at(&self, time_secs: f64) -> Result<Shown, EvalError> {
        let deformed = self.performer().deformed_at(time_secs)?;
        Ok(self.shown(deformed, self.pose(time_secs), time_secs))
    }

    /// What was computed, with normals.
    pub fn shown(&self, deformed: Deformed, pose: Pose, time_secs: f64) -> Shown {
        let Deformed { positions, skinned } = deformed;
        let normals = self.performer().normals_of(&skinned, &positions);
        let deformed = Skinned { positions, normals };
        Shown { time_secs, deformed, skinned, pose: Some(pose) }
    }

    /// Are answers exact, or is what is remembered being computed again?
    pub fn is_exact(&self) -> bool {
        self.performer().is_exact()
    }

    /// Does the motion loop, but memory does not settle into the loop?
    pub fn has_seam(&self) -> bool {
        self.performer().has_seam()
    }

    /// How often a style was compiled: dragging a slider leaves it alone.
    pub fn compile_count(&self) -> usize {
        self.compile_count
    }
}

/// Why a document cannot be shown on its character. Nothing a graph does leads here.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    #[error(transparent)]
    Eval(#[from] EvalError),
    #[error(transparent)]
    Cast(#[from] super::CastError),
}
