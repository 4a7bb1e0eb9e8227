//! What `bake`, `render` and others work on: a character, its motion, the frames to make.

use super::CliError;
#[cfg(feature = "gpu")]
use super::deformer::DrawnThere;
use super::deformer::{Deformer, LookingAt};
use super::graph::{GraphError, load_document};
use super::scene_args::{ConstantVelocity, MotionArgs, SceneArgs};
use glam::{DVec3, Vec3};
use jounce_eval::vm::Wanted;
use jounce_eval::{Deformed, EvalError, Moment};
use jounce_graph::document::MotionSettings;
pub use jounce_rig::motion::Frames;
use jounce_rig::motion::test_motion::TestMotionError;
use jounce_rig::motion::{BoneMotion, Playback, Player, TestMotion};
use jounce_rig::{Base, Character, Clip, Pose, Skinned};
use jounce_session::{self as session, Cast};
use std::ffi::OsStr;
use std::mem::take;
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum SceneError {
    #[error("there is no bone \"{wanted}\" in this character{nearest}")]
    NoSuchBone { wanted: String, nearest: String },
    #[error(transparent)]
    TooManyFrames(#[from] jounce_rig::motion::TooManyFrames),
    #[error(transparent)]
    TestMotion(#[from] TestMotionError),
    #[error(
        "the graph does not name a character; name one on the command line, as in `jounce bake cow --graph …`"
    )]
    NoCharacter,
}

/// What a character without clips does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum WithoutClips {
    /// Nothing: what is measured or baked must be in the file.
    Rest,
    /// A test motion: what is looked at should move.
    TestMotion,
}

/// A character and how it moves.
pub struct Scene {
    /// Under which a document keeps its settings.
    key: String,
    pub character: Arc<Character>,
    pub clip: Arc<Clip>,
    pub playback: Playback,
    /// Per bone, in place of the clip's velocities.
    pub constant: Option<Vec<BoneMotion>>,
    /// Without one, plain skinning.
    pub deformer: Option<Deformer>,
    pub base: Base,
}

impl Scene {
    /// What `inspect` looks at: a character and its motion.
    pub fn new(
        character: &OsStr,
        args: &MotionArgs,
        looped: bool,
        without_clips: WithoutClips,
    ) -> Result<Scene, CliError> {
        let cast = cast_of(character, None, args)?;
        Scene::of(&cast, args, &MotionSettings::default(), looped, without_clips)
    }

    /// What `bake` and `render` make: with a graph, if one is given.
    pub fn with_graph(args: &SceneArgs, without_clips: WithoutClips) -> Result<Scene, CliError> {
        Scene::looking_at(args, without_clips, LookingAt::Nothing)
    }

    /// The same, with what can be probed.
    pub fn looking_at(
        args: &SceneArgs,
        without_clips: WithoutClips,
        looking_at: LookingAt,
    ) -> Result<Scene, CliError> {
        let Some(file) = &args.graph.graph else {
            let name = args.character.as_deref().unwrap_or_default();
            let cast = cast_of(name, args.lean_vertices, &args.motion)?;
            let motion = MotionSettings::default();
            let mut scene = Scene::of(&cast, &args.motion, &motion, args.looped, without_clips)?;
            scene.base = args.base.map_or(Base::Lbs, Base::from);
            return Ok(scene);
        };
        let document = load_document(file)?;
        // What was painted is a number for each vertex that there is.
        let is_painted = document.characters.values().any(|settings| !settings.maps.is_empty());
        let lean_vertices = args.lean_vertices.filter(|_| !is_painted);
        let (motion, folder) = (&document.motion, file.parent());
        let mut cast = match (&args.character, &motion.character) {
            (Some(argument), _) => Cast::of_argument(argument, lean_vertices)?,
            (None, Some(name)) if document.packed.is_empty() && !session::is_path(name) => {
                Cast::of_argument(OsStr::new(name), lean_vertices)?
            }
            (None, Some(name)) => {
                Cast::of(name, session::load_character(name, folder, &document.packed)?)
            }
            (None, None) => return Err(SceneError::NoCharacter.into()),
        };
        // They belong to the document's character, but another one may have the clip too.
        match &args.motion.clips {
            Some(file) => cast.borrow_clips_from(file)?,
            None if plays_clip(&args.motion, motion) => {
                cast.borrow_clips_named(motion, folder, &document.packed)?;
            }
            None => {}
        }
        let mut scene = Scene::of(&cast, &args.motion, motion, args.looped, without_clips)?;
        scene.say_if_not_looped(file, &document.motion, args);
        let (character, key) = (&scene.character, &scene.key);
        let mut deformer =
            Deformer::new(&args.graph, file, &document, character, key, args.base, looking_at)?;
        deformer.play(scene.clip.clone(), scene.playback)?;
        scene.deformer = Some(deformer);
        Ok(scene)
    }

    /// The command line loops only where it is told to, whatever the file says to the editor.
    fn say_if_not_looped(&self, file: &Path, motion: &MotionSettings, args: &SceneArgs) {
        let is_files_clip =
            motion.clip.as_ref() == Some(&self.clip.name) && self.constant.is_none();
        let is_clip = args.motion.motion.is_none() && !args.motion.rest;
        if motion.looped && !args.looped && is_files_clip && is_clip {
            let (file, clip) = (file.display(), &self.clip.name);
            say!(
                "{file} plays the clip \"{clip}\" as a loop, but here it is played once; add --loop to repeat it"
            );
        }
    }

    fn of(
        cast: &Cast,
        args: &MotionArgs,
        document: &MotionSettings,
        looped: bool,
        without_clips: WithoutClips,
    ) -> Result<Scene, CliError> {
        for note in &cast.clip_notes {
            say!("{note}");
        }
        let clip = choose_clip(cast, args, document, without_clips)?;
        let constant = constant_velocities(&cast.character, &args.velocity)?;
        let clip = match (&constant, args.at) {
            // Constant velocities replace all motion: without a moment, the rest pose.
            (Some(_), None) => Arc::new(Clip::rest()),
            _ => clip,
        };
        let mut playback = match looped {
            true => Playback::looped(clip.duration_secs()),
            false => Playback::once(clip.duration_secs()),
        };
        playback.reversed = args.reverse;
        if let Some(at) = args.at
            && !looped
            && !(0.0..=playback.duration_secs).contains(&at)
        {
            let (name, length) = (&clip.name, playback.duration_secs);
            say!(
                "clip \"{name}\" lasts from 0 to {length:.3} s, so the character stands still at {at} s"
            );
        }
        let (key, character) = (cast.key.clone(), cast.character.clone());
        Ok(Scene { key, character, clip, playback, constant, deformer: None, base: Base::Lbs })
    }

    /// The same character and motion with the graph of another file.
    pub fn with_other_graph(&self, args: &SceneArgs, file: &Path) -> Result<Scene, CliError> {
        let document = load_document(file)?;
        let (graph, looking_at) = (args.graph.with_other(file), LookingAt::Nothing);
        let (character, key) = (&self.character, &self.key);
        let mut deformer =
            Deformer::new(&graph, file, &document, character, key, args.base, looking_at)?;
        deformer.play(self.clip.clone(), self.playback)?;
        Ok(Scene {
            key: self.key.clone(),
            character: self.character.clone(),
            clip: self.clip.clone(),
            playback: self.playback,
            constant: self.constant.clone(),
            deformer: Some(deformer),
            base: self.base,
        })
    }

    /// Positions and normals, with displacements so many times as large.
    pub fn exaggerated(&self, time_secs: f64, amount: f32) -> Result<Skinned, CliError> {
        let deformed = self.skin(time_secs)?;
        match &self.deformer {
            Some(deformer) if amount != 1.0 => {
                let (plain, turner) = (self.plain(time_secs), deformer.performer().normals());
                Ok(session::exaggerated(&plain, &deformed.positions, amount, turner))
            }
            _ => Ok(deformed),
        }
    }

    /// What the document has moved centroids by, per bone; nothing without a graph.
    pub fn centroid_offsets(&self) -> &[DVec3] {
        self.deformer.as_ref().map_or(&[], |deformer| &deformer.bound().centroid_offsets)
    }

    /// The same without the graph.
    pub fn plain(&self, time_secs: f64) -> Skinned {
        let base = self.deformer.as_ref().map_or(self.base, Deformer::base);
        self.character.skin(&self.pose(time_secs), base)
    }

    pub fn plain_positions(&self, time_secs: f64) -> Vec<Vec3> {
        let base = self.deformer.as_ref().map_or(self.base, Deformer::base);
        let mut positions = Vec::new();
        self.character.skin_positions(&self.pose(time_secs), base, &mut positions);
        positions
    }

    /// Positions alone at one moment of the motion, in a list that may be used again.
    pub fn positions_into(
        &self,
        time_secs: f64,
        positions: &mut Vec<Vec3>,
    ) -> Result<(), CliError> {
        let Some(deformer) = &self.deformer else {
            self.character.skin_positions(&self.pose(time_secs), self.base, positions);
            return Ok(());
        };
        // Plain skinning comes along only until something has moved.
        let is_looked_at = !deformer.has_moved();
        let wanted = Wanted { skinned_positions: is_looked_at, ..Wanted::default() };
        let mut out = vec![Deformed { positions: take(positions), ..Deformed::default() }];
        self.with_moment(deformer, time_secs, |moment| {
            deformer.performer().deform_into(std::slice::from_ref(moment), wanted, &mut out)
        })?;
        if let Some(deformed) = out.pop() {
            if is_looked_at {
                deformer.see_if_moved(&deformed);
            }
            *positions = deformed.positions;
        }
        Ok(())
    }

    /// Positions and normals at one moment of the motion.
    pub fn skin(&self, time_secs: f64) -> Result<Skinned, CliError> {
        let Some(deformer) = &self.deformer else {
            return Ok(self.plain(time_secs));
        };
        let performer = deformer.performer();
        let deformed = self.with_moment(deformer, time_secs, |moment| performer.deform(moment))?;
        deformer.see_if_moved(&deformed);
        Ok(performer.with_normals(deformed))
    }

    /// Moments that are computed where they are drawn, and the positions of each; None if the CPU computes.
    #[cfg(feature = "gpu")]
    pub fn on_device(&self, times_secs: &[f64]) -> Result<Option<DrawnThere>, CliError> {
        let Some(deformer) = &self.deformer else {
            return Ok(None);
        };
        self.with_moments(deformer, times_secs, |moments| deformer.deform_on_device(moments))
    }

    /// Hands over what one moment of the motion brings to a graph.
    pub fn with_moment<T>(
        &self,
        deformer: &Deformer,
        time_secs: f64,
        work: impl FnOnce(&Moment) -> Result<T, EvalError>,
    ) -> Result<T, CliError> {
        self.with_moments(deformer, &[time_secs], |moments| work(&moments[0]))
    }

    pub fn with_moments<T>(
        &self,
        deformer: &Deformer,
        times_secs: &[f64],
        work: impl FnOnce(&[Moment]) -> Result<T, EvalError>,
    ) -> Result<T, CliError> {
        let performer = deformer.performer();
        let done = match &self.constant {
            None => performer.with_moments(times_secs, work),
            Some(constant) => {
                let at = |&time_secs: &f64| (self.pose(time_secs), time_secs);
                let poses: Vec<(Pose, f64)> = times_secs.iter().map(at).collect();
                performer.with_frozen(&poses, constant, work)
            }
        };
        deformer.say_if_it_has_a_seam();
        Ok(done.map_err(GraphError::from)?)
    }

    pub fn player(&self) -> Player<'_> {
        Player { character: self.hung(), clip: &self.clip, playback: self.playback }
    }

    /// The character, whose bones hang as the graph wants them; without one, as in the file.
    pub fn hung(&self) -> &Character {
        let deformer = self.deformer.as_ref();
        deformer.map_or(&self.character, |deformer| deformer.performer().setup().character)
    }

    pub fn pose(&self, time_secs: f64) -> Pose {
        self.player().pose(time_secs)
    }

    pub fn velocities(&self, time_secs: f64, smoothing_secs: f64) -> Vec<BoneMotion> {
        match &self.constant {
            Some(constant) => constant.clone(),
            None => self.player().velocities(time_secs, smoothing_secs),
        }
    }

    /// The frames to make.
    pub fn frames(&self, args: &SceneArgs) -> Result<Frames, SceneError> {
        let duration = self.playback.duration_secs;
        if let Some(at) = args.motion.at {
            return Ok(Frames::still(at, args.fps));
        }
        if self.constant.is_some() {
            return Ok(Frames::still(0.0, args.fps));
        }
        Ok(Frames::of_motion(duration, args.fps, args.looped, args.frames)?)
    }
}

/// The character of an argument, with the clips that it is to play.
fn cast_of(
    character: &OsStr,
    vertices: Option<usize>,
    args: &MotionArgs,
) -> Result<Cast, CliError> {
    let mut cast = Cast::of_argument(character, vertices)?;
    if let Some(file) = &args.clips {
        cast.borrow_clips_from(file)?;
    }
    Ok(cast)
}

/// Does neither the command line nor the document name anything but a clip?
fn plays_clip(args: &MotionArgs, document: &MotionSettings) -> bool {
    let is_test = document.test.is_some() && args.clip.is_none() && args.clips.is_none();
    !args.rest && args.motion.is_none() && !is_test
}

fn choose_clip(
    cast: &Cast,
    args: &MotionArgs,
    document: &MotionSettings,
    without_clips: WithoutClips,
) -> Result<Arc<Clip>, CliError> {
    let character = &*cast.character;
    if args.rest {
        return Ok(Arc::new(Clip::rest()));
    }
    if let Some(motion) = &args.motion {
        let mut test = TestMotion::new(motion.kind, find_bone(character, &motion.bone)?);
        test.amplitude = args.amplitude.unwrap_or(test.amplitude);
        test.period_secs = args.period.unwrap_or(test.period_secs);
        return Ok(Arc::new(test.clip(character).map_err(SceneError::from)?));
    }
    if let Some(wanted) = &args.clip {
        return Ok(cast.find_clip(wanted)?.clone());
    }
    if let Some(test) = document.test.as_ref().filter(|_| args.clips.is_none()) {
        return Ok(Arc::new(session::test_clip(character, test)?));
    }
    if cast.clips.is_empty() && without_clips == WithoutClips::Rest {
        return Ok(Arc::new(Clip::rest()));
    }
    let played = cast.clip(&MotionSettings { test: None, ..document.clone() })?;
    if let Some(wanted) = document.clip.as_ref().filter(|it| **it != played.name)
        && !cast.clips.is_empty()
    {
        let played = &played.name;
        say!(
            "the character does not have the graph's clip \"{wanted}\", so \"{played}\" is played instead"
        );
    }
    Ok(played)
}

fn constant_velocities(
    character: &Character,
    given: &[ConstantVelocity],
) -> Result<Option<Vec<BoneMotion>>, CliError> {
    if given.is_empty() {
        return Ok(None);
    }
    let mut all = vec![BoneMotion::ZERO; character.skeleton.bones.len()];
    for velocity in given {
        all[find_bone(character, &velocity.bone)?] = velocity.motion;
    }
    Ok(Some(all))
}

pub fn find_bone(character: &Character, name: &str) -> Result<usize, SceneError> {
    let skeleton = &character.skeleton;
    skeleton.bone_named(name).ok_or_else(|| {
        let names = (0..skeleton.bones.len()).map(|bone| skeleton.bone_name(bone));
        SceneError::NoSuchBone {
            wanted: name.to_owned(),
            nearest: match jounce_base::text::nearest(name, names) {
                Some(nearest) => format!("; did you mean \"{nearest}\"?"),
                None => "; `jounce inspect` lists its bones".to_owned(),
            },
        }
    })
}
