//! A program on a character, playing: made once, asked with a time or a pose, it answers positions and, if
//! asked, normals.
//!
//! ```text
//!  Performer::new(program, character, settings)       bound and prepared
//!  Performer::plain(character)                        skinning, without any program
//!      .with_program(program)                         the same character and motion with another program
//!      .play(clip, playback)                          in a motion, else it stands at rest
//!      .set_velocities(…)                             in made-up velocities, in place of the motion's
//!      .set_parameters(…)  .set_keys(…)               sliders; those that change over a clip
//!      .change(…)                                     bone values, maps, another motion
//!  ask  .at(t)  .positions_into(t, …)                 one, at a time of its motion
//!       .crowd_into(t, offsets, …)                    many, each at its own time
//!       .puppet(…) ─► Puppet::at(performer, pose, t)  moved from outside, pose by pose
//!       .frozen(pose, t, velocities)  .in_motion(…)   in made-up motion
//!       .with_moment(t, …)                            what the motion brings then, for anybody else
//! ```
//! What nodes remember comes along in all of them. As long as sliders and keys stay as they are, an answer depends on
//! its time alone. While [`Performer::is_exact`] is false, answers go on from what was asked last.
//!
//! Ask from any thread, but not from inside of parallel work of your own pool: evaluating waits for threads of it.

use super::backend::has_same_lists;
use super::hierarchy;
use super::normals::NormalTurner;
use super::past::Past;
use super::plain::{PlainSkinning, plain_program};
use super::vm::Wanted;
use super::{
    Backend, Bound, Deformed, EvalError, KeyWarning, Moment, OnCpu, Parameters, PlayedMotion,
    Puppet, Setup, StateSnapshot,
};
use glam::Vec3;
use jounce_base::character_settings::CharacterSettings;
use jounce_base::keyed_value::MotionKeys;
use jounce_base::parallel::*;
use jounce_ir::Program;
use jounce_rig::motion::live::Jump;
use jounce_rig::motion::{BoneMotion, Playback, Player};
use jounce_rig::{Base, Character, Clip, Pose, Skinned};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

mod made_up;

/// What a performer is made of, which background work can keep.
#[derive(Clone)]
pub(super) struct PerformerParts {
    pub program: Arc<Program>,
    /// As it was given.
    pub character: Arc<Character>,
    /// The same, with the parents of bones that the program wants.
    pub hung: Arc<Character>,
    pub bound: Arc<Bound>,
    /// In place of the program's own.
    pub base: Option<Base>,
    pub clip: Arc<Clip>,
    pub playback: Playback,
}

impl PerformerParts {
    pub fn setup(&self) -> Setup<'_> {
        let PerformerParts { program, hung, bound, base, .. } = self;
        Setup { program, character: hung, bound, base: *base }
    }

    pub fn player(&self) -> Player<'_> {
        Player { character: &self.hung, clip: &self.clip, playback: self.playback }
    }
}

pub struct Performer {
    parts: PerformerParts,
    settings: CharacterSettings,
    /// As they were set.
    sliders: Parameters,
    /// By the names of clips.
    keys: Arc<MotionKeys>,
    key_warnings: Vec<KeyWarning>,
    /// The sliders, with the keys of what is played.
    parameters: Parameters,
    /// Of every bone, in place of those of the motion.
    velocities: Option<Vec<BoneMotion>>,
    /// None where the program remembers nothing.
    past: Option<Mutex<Past>>,
    backend: Box<dyn Backend>,
    /// Made when the first are asked for.
    normals: OnceLock<NormalTurner>,
}

/// What [`Performer::change`] has taken over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Settings of the character.
    pub is_rebound: bool,
    /// Nothing but numbers of painted maps.
    pub is_repainted: bool,
    /// Among them lists of vertices: flesh and painted maps.
    pub has_other_lists: bool,
    pub is_other_motion: bool,
}

impl Performer {
    /// On the CPU, at rest.
    pub fn new(
        program: Program,
        character: Arc<Character>,
        settings: &CharacterSettings,
    ) -> Result<Performer, EvalError> {
        Performer::on(Box::<OnCpu>::default(), program, character, settings)
    }

    /// Without a program: vertices are where skinning has them, to the last bit as [`Character::skin`].
    pub fn plain(character: Arc<Character>) -> Result<Performer, EvalError> {
        let settings = CharacterSettings::default();
        Performer::on(Box::new(PlainSkinning), plain_program(), character, &settings)
    }

    /// Computed by something else.
    pub fn on(
        backend: Box<dyn Backend>,
        program: Program,
        character: Arc<Character>,
        settings: &CharacterSettings,
    ) -> Result<Performer, EvalError> {
        let hung = hierarchy::hung(&program, &character, settings)?;
        let bound = Bound::new(&program, &hung, settings)?;
        let parameters = Parameters::new(&program);
        let parts = PerformerParts {
            program: Arc::new(program),
            character,
            hung,
            bound: Arc::new(bound),
            base: None,
            clip: Arc::new(Clip::rest()),
            playback: Playback::once(0.0),
        };
        Performer::of(parts, settings, parameters, Arc::default(), backend)
    }

    fn of(
        parts: PerformerParts,
        settings: &CharacterSettings,
        sliders: Parameters,
        keys: Arc<MotionKeys>,
        backend: Box<dyn Backend>,
    ) -> Result<Performer, EvalError> {
        let (parameters, key_warnings) = keyed(&sliders, &keys, &parts);
        Ok(Performer {
            past: Past::new(&parts, &parameters)?.map(Mutex::new),
            parts,
            settings: settings.clone(),
            sliders,
            keys,
            key_warnings,
            parameters,
            velocities: None,
            backend,
            normals: OnceLock::new(),
        })
    }

    /// The same character in the same motion with another program, on the CPU.
    pub fn with_program(&self, program: Program) -> Result<Performer, EvalError> {
        let hung = hierarchy::hung(&program, &self.parts.character, &self.settings)?;
        let bound = Arc::new(Bound::new(&program, &hung, &self.settings)?);
        let sliders = Parameters::new(&program);
        let program = Arc::new(program);
        let parts = PerformerParts { program, hung, bound, ..self.parts.clone() };
        self.like(parts, sliders)
    }

    /// The same once more, on the CPU: for another thread. It shares what is large.
    pub fn another(&self) -> Result<Performer, EvalError> {
        self.like(self.parts.clone(), self.sliders.clone())
    }

    fn like(&self, parts: PerformerParts, sliders: Parameters) -> Result<Performer, EvalError> {
        let (backend, keys) = (Box::<OnCpu>::default(), self.keys.clone());
        let like = Performer::of(parts, &self.settings, sliders, keys, backend)?;
        Ok(Performer { velocities: self.velocities.clone(), ..like })
    }

    /// From now on it plays this.
    pub fn play(&mut self, clip: Arc<Clip>, playback: Playback) -> Result<(), EvalError> {
        self.replace(PerformerParts { clip, playback, ..self.parts.clone() })
    }

    /// How every bone moves, in place of what the motion says: each pose is as if it had always been so.
    pub fn set_velocities(&mut self, velocities: Option<Vec<BoneMotion>>) {
        self.velocities = velocities;
    }

    /// How vertices are skinned, in place of the program's own way.
    pub fn set_base(&mut self, base: Option<Base>) -> Result<(), EvalError> {
        if base == self.parts.base {
            return Ok(());
        }
        let parts = PerformerParts { base, ..self.parts.clone() };
        self.backend.prepare(parts.setup())?;
        self.replace(parts)
    }

    /// Makes vertices ready to be asked for, which the first question does otherwise: for those who want to
    /// know now what is wrong.
    pub fn prepare(&self) -> Result<(), EvalError> {
        self.backend.prepare(self.setup())
    }

    fn replace(&mut self, parts: PerformerParts) -> Result<(), EvalError> {
        let (parameters, key_warnings) = keyed(&self.sliders, &self.keys, &parts);
        self.past = Past::new(&parts, &parameters)?.map(Mutex::new);
        (self.parts, self.parameters, self.key_warnings) = (parts, parameters, key_warnings);
        Ok(())
    }

    /// Sliders: nothing is made anew for them. Where nodes remember, answers are near until the past is known
    /// for these, which is computed in the background; see [`Performer::is_exact`].
    pub fn set_parameters(&mut self, parameters: Parameters) {
        self.sliders = parameters;
        self.bind_keys();
    }

    /// Parameters that change over a clip, by the clip's name and by names as in [`Parameters::set`]; they go before
    /// sliders. As with those, nothing is made anew.
    pub fn set_keys(&mut self, keys: Arc<MotionKeys>) {
        self.keys = keys;
        self.bind_keys();
    }

    fn bind_keys(&mut self) {
        (self.parameters, self.key_warnings) = keyed(&self.sliders, &self.keys, &self.parts);
    }

    /// Takes over what is set for the character and what it plays, and makes anew no more than that needs.
    /// If it fails, everything stays as it was.
    pub fn change(
        &mut self,
        settings: &CharacterSettings,
        clip: &Arc<Clip>,
        playback: Playback,
    ) -> Result<Change, EvalError> {
        let is_other_setting = self.settings != *settings;
        let mut parts = self.parts.clone();
        let repainted = match is_other_setting {
            true => self.repainted(settings),
            false => None,
        };
        let is_rebound = is_other_setting && repainted.is_none();
        if is_rebound {
            parts.hung = hierarchy::hung(&parts.program, &parts.character, settings)?;
            parts.bound = Arc::new(Bound::new(&parts.program, &parts.hung, settings)?);
        }
        let is_same_clip = Arc::ptr_eq(clip, &parts.clip) || **clip == *parts.clip;
        let is_other_motion = !is_same_clip || playback != parts.playback;
        if is_other_motion {
            (parts.clip, parts.playback) = (clip.clone(), playback);
        }
        let is_repainted = repainted.is_some();
        if let Some(bound) = repainted {
            parts.bound = Arc::new(bound);
            self.backend.repaint(parts.setup())?;
            // What nodes remember is of bones: no map is in it.
            self.parts.bound = parts.bound.clone();
            self.settings = settings.clone();
        }
        if !is_rebound && !is_other_motion {
            return Ok(Change { is_repainted, ..Change::default() });
        }
        let (parameters, key_warnings) = keyed(&self.sliders, &self.keys, &parts);
        let past = Past::new(&parts, &parameters)?;
        let has_other_lists = !has_same_lists(&parts.bound, &self.parts.bound);
        if has_other_lists {
            self.backend.prepare(parts.setup())?;
        }
        self.past = past.map(Mutex::new);
        (self.parts, self.settings) = (parts, settings.clone());
        (self.parameters, self.key_warnings) = (parameters, key_warnings);
        Ok(Change { is_rebound, is_repainted, has_other_lists, is_other_motion })
    }

    /// The binding with other numbers in painted maps, where these settings ask for nothing else.
    fn repainted(&self, settings: &CharacterSettings) -> Option<Bound> {
        let PerformerParts { program, hung, bound, .. } = &self.parts;
        bound.with_maps_of(program, hung, &self.settings, settings)
    }

    /// Positions and normals at a time of its motion.
    pub fn at(&self, time_secs: f64) -> Result<Skinned, EvalError> {
        Ok(self.with_normals(self.deformed_at(time_secs)?))
    }

    /// Positions, and plain skinning of the same moment.
    pub fn deformed_at(&self, time_secs: f64) -> Result<Deformed, EvalError> {
        self.with_moment(time_secs, |moment| self.deform(moment))
    }

    /// Positions alone, in a list that is used again.
    pub fn positions_into(
        &self,
        time_secs: f64,
        positions: &mut Vec<Vec3>,
    ) -> Result<(), EvalError> {
        let mut out =
            vec![Deformed { positions: std::mem::take(positions), ..Deformed::default() }];
        let done = self.with_moment(time_secs, |moment| {
            self.deform_into(std::slice::from_ref(moment), Wanted::default(), &mut out)
        });
        *positions = out.pop().unwrap_or_default().positions;
        done
    }

    /// Many, when the first is at a time and each so far ahead of it, in order. Lists are used again.
    pub fn crowd_into(
        &self,
        time_secs: f64,
        offsets_secs: &[f64],
        wanted: Wanted,
        out: &mut Vec<Deformed>,
    ) -> Result<(), EvalError> {
        self.with_crowd(time_secs, offsets_secs, |moments| self.deform_into(moments, wanted, out))
    }

    /// One of the same kind that is moved from outside. Its velocities are means over `window_secs`.
    pub fn puppet(&self, window_secs: f64, jump: Jump) -> Result<Puppet, EvalError> {
        Puppet::new(&self.parts.program, &self.parts.bound, window_secs, jump)
    }

    /// Hands over what its motion brings at a time.
    pub fn with_moment<T>(
        &self,
        time_secs: f64,
        work: impl FnOnce(&Moment) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        if let Some(velocities) = &self.velocities {
            let poses = [(self.pose(time_secs), time_secs)];
            return self.with_frozen(&poses, velocities, |moments| work(&moments[0]));
        }
        let snapshot = match &self.past {
            Some(past) => lock(past).recall(&self.parameters, time_secs)?,
            None => StateSnapshot::default(),
        };
        let motion = PlayedMotion { player: self.player(), time_secs };
        work(&Moment::played(self.setup(), &self.parameters, &motion, snapshot))
    }

    /// The same at many times. While what is remembered is computed anew for other sliders, all are as
    /// before.
    pub fn with_moments<T>(
        &self,
        times_secs: &[f64],
        work: impl FnOnce(&[Moment]) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        if let Some(velocities) = &self.velocities {
            let pose = |&time_secs: &f64| (self.pose(time_secs), time_secs);
            let poses: Vec<(Pose, f64)> = times_secs.iter().map(pose).collect();
            return self.with_frozen(&poses, velocities, work);
        }
        let (parameters, snapshots) = match &self.past {
            Some(past) => lock(past).recall_all(&self.parameters, times_secs)?,
            None => (self.parameters.clone(), vec![StateSnapshot::default(); times_secs.len()]),
        };
        let player = self.player();
        let motion = |&time_secs: &f64| PlayedMotion { player, time_secs };
        let motions: Vec<PlayedMotion> = times_secs.iter().map(motion).collect();
        let setup = self.setup();
        let moment = |(motion, snapshot)| Moment::played(setup, &parameters, motion, snapshot);
        let moments: Vec<Moment> = motions.par_iter().zip(snapshots).map(moment).collect();
        work(&moments)
    }

    /// Of many, when the first is at a time and each so far ahead of it.
    pub fn with_crowd<T>(
        &self,
        time_secs: f64,
        offsets_secs: &[f64],
        work: impl FnOnce(&[Moment]) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        // What is remembered is of one round, so the time is too.
        let at = |offset: &f64| self.parts.playback.in_first_round_secs(time_secs + offset);
        let times_secs: Vec<f64> = offsets_secs.iter().map(at).collect();
        self.with_moments(&times_secs, work)
    }

    /// Whatever the moment was made for: with plain skinning beside it.
    pub fn deform(&self, moment: &Moment) -> Result<Deformed, EvalError> {
        let mut out = Vec::new();
        self.deform_into(std::slice::from_ref(moment), Wanted::ALL, &mut out)?;
        Ok(out.pop().unwrap_or_default())
    }

    pub fn deform_into(
        &self,
        moments: &[Moment],
        wanted: Wanted,
        out: &mut Vec<Deformed>,
    ) -> Result<(), EvalError> {
        self.backend.deform_into(self.setup(), moments, wanted, out)
    }

    /// With the normals of the deformed surface.
    pub fn with_normals(&self, Deformed { positions, skinned }: Deformed) -> Skinned {
        let normals = self.normals_of(&skinned, &positions);
        Skinned { positions, normals }
    }

    /// Those of a deformed surface; where nothing is displaced, those of skinning to the last bit.
    pub fn normals_of(&self, skinned: &Skinned, positions: &[Vec3]) -> Vec<Vec3> {
        match *positions == *skinned.positions {
            true => skinned.normals.clone(),
            false => self.normals().turn(skinned, positions),
        }
    }

    pub fn normals(&self) -> &NormalTurner {
        self.normals.get_or_init(|| NormalTurner::new(&self.parts.character))
    }

    /// Are answers exact, or is what is remembered being computed anew?
    pub fn is_exact(&self) -> bool {
        self.past.as_ref().is_none_or(|past| lock(past).is_exact(&self.parameters))
    }

    /// Does the motion loop, and what is remembered not?
    pub fn has_seam(&self) -> bool {
        self.past.as_ref().is_some_and(|past| lock(past).has_seam())
    }

    /// How bones move at a time: the mean over the last `window_secs`.
    pub fn velocities(&self, time_secs: f64, window_secs: f64) -> Vec<BoneMotion> {
        match &self.velocities {
            Some(velocities) => velocities.clone(),
            None => self.player().velocities(time_secs, window_secs),
        }
    }

    /// How that changes, over the same window.
    pub fn accelerations(&self, time_secs: f64, window_secs: f64) -> Vec<BoneMotion> {
        match &self.velocities {
            Some(velocities) => vec![BoneMotion::ZERO; velocities.len()],
            None => self.player().accelerations(time_secs, window_secs),
        }
    }

    /// Those that replace the motion's.
    pub fn given_velocities(&self) -> Option<&[BoneMotion]> {
        self.velocities.as_deref()
    }

    pub fn setup(&self) -> Setup<'_> {
        self.parts.setup()
    }

    pub fn player(&self) -> Player<'_> {
        self.parts.player()
    }

    pub fn pose(&self, time_secs: f64) -> Pose {
        self.player().pose(time_secs)
    }

    /// Sliders have the values here that they were compiled with; see [`Performer::parameters`] for those of now.
    pub fn program(&self) -> &Program {
        &self.parts.program
    }

    /// As it was given; [`Performer::setup`] has the one whose bones hang as the program wants it.
    pub fn character(&self) -> &Arc<Character> {
        &self.parts.character
    }

    pub fn settings(&self) -> &CharacterSettings {
        &self.settings
    }

    pub fn bound(&self) -> &Bound {
        &self.parts.bound
    }

    /// With the keys of what is played; see [`Parameters::at`].
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// As they were set, without keys.
    pub fn sliders(&self) -> &Parameters {
        &self.sliders
    }

    pub fn keys(&self) -> &Arc<MotionKeys> {
        &self.keys
    }

    /// Keys of what is played that change nothing, and why.
    pub fn key_warnings(&self) -> &[KeyWarning] {
        &self.key_warnings
    }

    pub fn clip(&self) -> &Arc<Clip> {
        &self.parts.clip
    }

    pub fn playback(&self) -> Playback {
        self.parts.playback
    }
}

/// Sliders with the keys of what is played, and which of those cannot be followed.
fn keyed(
    sliders: &Parameters,
    keys: &MotionKeys,
    PerformerParts { program, clip, playback, .. }: &PerformerParts,
) -> (Parameters, Vec<KeyWarning>) {
    match keys.get(&clip.name) {
        Some(keys) => sliders.with_keys(program, keys, *playback),
        None => (sliders.clone(), Vec::new()),
    }
}

fn lock(past: &Mutex<Past>) -> MutexGuard<'_, Past> {
    past.lock().unwrap_or_else(PoisonError::into_inner)
}
