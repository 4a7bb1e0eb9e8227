//! A style on a character, playing: what windows, pictures, bakes and curves are made from.

use super::{Changed, Session, ShowError};
use glam::Vec3;
use jounce_eval::normals::NormalTurner;
use jounce_eval::vm::Wanted;
use jounce_eval::{
    Backend, BindWarning, Bound, Change, Deformed, EvalError, KeyWarning, OnCpu, Parameters,
    Performer, plain_program,
};
use jounce_graph::compile::{Compiled, sliders};
use jounce_graph::document::{CharacterSettings, Style};
use jounce_graph::script::Library;
use jounce_ir::Program;
use jounce_rig::motion::Playback;
use jounce_rig::{Base, Character, Clip, Pose, Skinned};
use std::collections::BTreeMap;
use std::mem::take;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// As a part of the size; what moves less does not move.
const LEAST_DISPLACEMENT: f64 = 1e-6;

pub struct Staged {
    /// The revision of the session that it follows.
    revision: u64,
    /// As it was compiled, with the present values of sliders.
    style: Style,
    library: Library,
    /// With the present values of sliders.
    compiled: Compiled,
    performer: Performer,
    /// Was any vertex displaced, in any of the frames so far?
    has_moved: AtomicBool,
}

impl Staged {
    /// At rest. `compiled` is what the style was compiled to, for whatever is looked at.
    pub fn new(
        backend: Box<dyn Backend>,
        style: &Style,
        library: &Library,
        compiled: Compiled,
        character: &Arc<Character>,
        settings: &CharacterSettings,
    ) -> Result<Staged, EvalError> {
        let program = compiled.program.clone();
        let performer = Performer::on(backend, program, character.clone(), settings)?;
        Ok(Staged::with(style.clone(), library.clone(), compiled, performer))
    }

    /// What a session shows, playing its motion.
    pub fn of(session: &Session, compiled: Compiled) -> Result<Staged, ShowError> {
        let (style, library) = (&session.document().style, session.library());
        let (character, settings) = (&session.cast().character, session.character_settings());
        let backend = Box::<OnCpu>::default();
        let mut staged = Staged::new(backend, style, library, compiled, character, &settings)?;
        let (clip, playback) = session.motion()?;
        staged.take_keys(session);
        staged.performer.play(clip, playback)?;
        staged.revision = session.revision();
        Ok(staged)
    }

    /// A character without any style.
    pub fn plain(character: &Arc<Character>) -> Result<Staged, EvalError> {
        let compiled = Compiled {
            program: plain_program(),
            problems: Vec::new(),
            outputs: BTreeMap::new(),
            inputs: BTreeMap::new(),
            filters: Vec::new(),
        };
        let performer = Performer::plain(character.clone())?;
        Ok(Staged::with(Style::default(), Library::default(), compiled, performer))
    }

    fn with(style: Style, library: Library, compiled: Compiled, performer: Performer) -> Staged {
        let has_moved = AtomicBool::new(false);
        Staged { revision: 0, style, library, compiled, performer, has_moved }
    }

    /// Takes over what has changed in its session since. If that cannot be evaluated, everything stays as it
    /// was. None: it must be compiled, or staged with another character.
    pub fn update(&mut self, session: &Session) -> Result<Option<Changed>, ShowError> {
        if self.revision == session.revision() {
            return Ok(Some(Changed::Nothing));
        }
        let style = &session.document().style;
        if !Arc::ptr_eq(self.character(), &session.cast().character)
            || !self.is_compiled_from(session)
        {
            return Ok(None);
        }
        let (clip, playback) = session.motion()?;
        let change = self.performer.change(&session.character_settings(), &clip, playback)?;
        self.style.clone_from(style);
        sliders::refresh(&mut self.compiled.program, style, &self.library);
        let parameters = Parameters::new(&self.compiled.program);
        let mut has_moved_sliders = parameters != *self.performer.sliders();
        if has_moved_sliders {
            self.performer.set_parameters(parameters);
        }
        has_moved_sliders |= self.take_keys(session);
        self.revision = session.revision();
        Ok(Some(match change {
            Change { is_other_motion: true, .. } => Changed::Motion,
            Change { has_other_lists: true, .. } => Changed::Binding,
            Change { is_rebound: true, .. } => Changed::BoneValues,
            Change { is_repainted: true, .. } => Changed::Maps,
            _ if has_moved_sliders => Changed::Sliders,
            _ => Changed::Nothing,
        }))
    }

    /// Were they others?
    fn take_keys(&mut self, session: &Session) -> bool {
        let keys = &session.document().motion.keys;
        let has_others = *keys != **self.performer.keys();
        if has_others {
            self.performer.set_keys(Arc::new(keys.clone()));
        }
        has_others
    }

    /// Would compiling give the same program, apart from the values of sliders?
    pub fn is_compiled_from(&self, session: &Session) -> bool {
        let structure = |style: &Style| sliders::structure(style, &self.compiled.program);
        self.library.is_same(session.library())
            && structure(&session.document().style) == structure(&self.style)
    }

    /// The same once more, for another thread.
    pub fn another(&self) -> Result<Staged, EvalError> {
        let performer = self.performer.another()?;
        let compiled = self.compiled.clone();
        let other = Staged::with(self.style.clone(), self.library.clone(), compiled, performer);
        Ok(Staged { revision: self.revision, ..other })
    }

    /// Positions and normals at a time of the motion.
    pub fn skin(&self, time_secs: f64) -> Result<Skinned, EvalError> {
        let deformed = self.performer.deformed_at(time_secs)?;
        self.see_if_moved(&deformed);
        Ok(self.performer.with_normals(deformed))
    }

    /// Positions alone, in a list that is used again.
    pub fn positions_into(
        &self,
        time_secs: f64,
        positions: &mut Vec<Vec3>,
    ) -> Result<(), EvalError> {
        // Plain skinning comes along only until something has moved.
        let wanted = Wanted { skinned_positions: !self.has_moved(), ..Wanted::default() };
        let mut out = vec![Deformed { positions: take(positions), ..Deformed::default() }];
        let done = self.performer.with_moment(time_secs, |moment| {
            self.performer.deform_into(std::slice::from_ref(moment), wanted, &mut out)
        });
        let deformed = out.pop().unwrap_or_default();
        self.see_if_moved(&deformed);
        *positions = deformed.positions;
        done
    }

    /// Plain skinning at a time of the motion.
    pub fn plain_at(&self, time_secs: f64) -> Skinned {
        self.character().skin(&self.pose(time_secs), self.base())
    }

    /// Positions alone of plain skinning.
    pub fn plain_positions(&self, time_secs: f64) -> Vec<Vec3> {
        let mut positions = Vec::new();
        self.character().skin_positions(&self.pose(time_secs), self.base(), &mut positions);
        positions
    }

    /// Looks whether anything is displaced; where plain skinning is not known, nothing is seen.
    pub fn see_if_moved(&self, Deformed { positions, skinned }: &Deformed) {
        let least = (LEAST_DISPLACEMENT * self.bound().size) as f32;
        let mut pairs = positions.iter().zip(&skinned.positions);
        if !self.has_moved() && pairs.any(|(a, b)| a.distance(*b) > least) {
            self.has_moved.store(true, Ordering::Relaxed);
        }
    }

    /// Was any vertex displaced, wherever somebody looked?
    pub fn has_moved(&self) -> bool {
        self.has_moved.load(Ordering::Relaxed)
    }

    /// Does the style move flesh where the character has none?
    pub fn lacks_flesh(&self) -> bool {
        self.program().has_flesh() && self.bound().flesh.is_empty()
    }

    /// The style on the character, playing.
    pub fn performer(&self) -> &Performer {
        &self.performer
    }

    pub fn performer_mut(&mut self) -> &mut Performer {
        &mut self.performer
    }

    pub fn style(&self) -> &Style {
        &self.style
    }

    pub fn library(&self) -> &Library {
        &self.library
    }

    pub fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    pub fn program(&self) -> &Program {
        &self.compiled.program
    }

    pub fn bound(&self) -> &Bound {
        self.performer.bound()
    }

    /// What the style names and the character lacks.
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

    /// The character, whose bones hang as the style wants them.
    pub fn hung(&self) -> &Character {
        self.performer.setup().character
    }

    pub fn pose(&self, time_secs: f64) -> Pose {
        self.performer.pose(time_secs)
    }

    /// How vertices are skinned before the style displaces them.
    pub fn base(&self) -> Base {
        self.performer.setup().base()
    }

    /// The revision of the session that this was made from.
    pub fn revision(&self) -> u64 {
        self.revision
    }
}
