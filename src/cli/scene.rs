//! What `bake`, `render` and others work on: a character, its motion, the frames to make.

use super::CliError;
use super::graph::load_document;
use super::scene_args::{ConstantVelocity, MotionArgs, SceneArgs};
use super::staging::{GraphFile, LookingAt, stage};
use jounce_eval::EvalError;
use jounce_eval::timeline::SEAM;
use jounce_graph::document::MotionSettings;
pub use jounce_rig::motion::Frames;
use jounce_rig::motion::{BoneMotion, Playback, TestMotion};
use jounce_rig::{Base, Character, Clip, Skinned};
use jounce_session::{self as session, Cast, ClipChoice, Staged};
use std::cell::Cell;
use std::ffi::OsStr;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum SceneError {
    #[error("there is no bone \"{wanted}\" in this character{nearest}")]
    NoSuchBone { wanted: String, nearest: String },
    #[error(transparent)]
    TooManyFrames(#[from] jounce_rig::motion::TooManyFrames),
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

/// A character and how it moves, with the graph of the command line or with none.
pub struct Scene {
    /// Under which a document keeps its settings.
    key: String,
    staged: Staged,
    /// None: plain skinning.
    pub graph: Option<GraphFile>,
    told_of_seam: Cell<bool>,
}

impl Deref for Scene {
    type Target = Staged;

    fn deref(&self) -> &Staged {
        &self.staged
    }
}

/// How a character moves.
struct Motion {
    clip: Arc<Clip>,
    playback: Playback,
    /// Per bone, in place of the clip's.
    velocities: Option<Vec<BoneMotion>>,
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
        let motion = Motion::of(&cast, args, &MotionSettings::default(), looped, without_clips)?;
        Scene::playing(cast.key, Staged::plain(&cast.character)?, None, motion)
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
            let (looped, document) = (args.looped, MotionSettings::default());
            let motion = Motion::of(&cast, &args.motion, &document, looped, without_clips)?;
            let mut staged = Staged::plain(&cast.character)?;
            staged.performer_mut().set_base(args.base.map(Base::from))?;
            return Scene::playing(cast.key, staged, None, motion);
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
        let motion = Motion::of(&cast, &args.motion, motion, args.looped, without_clips)?;
        motion.say_if_not_looped(file, &document.motion, args);
        let (character, key) = (&cast.character, &cast.key);
        let (staged, graph) =
            stage(&args.graph, file, &document, character, key, args.base, looking_at)?;
        Scene::playing(cast.key, staged, Some(graph), motion)
    }

    fn playing(
        key: String,
        mut staged: Staged,
        graph: Option<GraphFile>,
        motion: Motion,
    ) -> Result<Scene, CliError> {
        let performer = staged.performer_mut();
        performer.play(motion.clip, motion.playback)?;
        performer.set_velocities(motion.velocities);
        if let Some(graph) = &graph {
            graph.say_what_is_keyed(&staged);
        }
        Ok(Scene { key, staged, graph, told_of_seam: Cell::default() })
    }

    /// The same character and motion with the graph of another file.
    pub fn with_other_graph(&self, args: &SceneArgs, file: &Path) -> Result<Scene, CliError> {
        let document = load_document(file)?;
        let (graph, key) = (args.graph.with_other(file), &self.key);
        let (character, looking_at) = (self.character(), LookingAt::Nothing);
        let (staged, graph) =
            stage(&graph, file, &document, character, key, args.base, looking_at)?;
        let motion = Motion {
            clip: self.clip().clone(),
            playback: self.playback(),
            velocities: self.performer().given_velocities().map(<[BoneMotion]>::to_vec),
        };
        Scene::playing(key.clone(), staged, Some(graph), motion)
    }

    /// Positions and normals, with displacements so many times as large.
    pub fn exaggerated(&self, time_secs: f64, amount: f32) -> Result<Skinned, EvalError> {
        let deformed = self.skin(time_secs)?;
        if amount == 1.0 {
            return Ok(deformed);
        }
        let plain = self.plain_at(time_secs);
        Ok(session::exaggerated(&plain, &deformed.positions, amount, self.normals()))
    }

    /// Once, where what is remembered shows that the motion is a loop.
    pub fn say_if_it_has_a_seam(&self) {
        if let Some(graph) = &self.graph
            && self.performer().has_seam()
            && !self.told_of_seam.replace(true)
        {
            say!("{}: {SEAM}", graph.name);
        }
    }

    /// The frames to make.
    pub fn frames(&self, args: &SceneArgs) -> Result<Frames, SceneError> {
        if let Some(at) = args.motion.at {
            return Ok(Frames::still(at, args.fps));
        }
        if self.performer().given_velocities().is_some() {
            return Ok(Frames::still(0.0, args.fps));
        }
        Ok(Frames::of_motion(self.duration_secs(), args.fps, args.looped, args.frames)?)
    }
}

impl Motion {
    fn of(
        cast: &Cast,
        args: &MotionArgs,
        document: &MotionSettings,
        looped: bool,
        without_clips: WithoutClips,
    ) -> Result<Motion, CliError> {
        for note in &cast.clip_notes {
            say!("{note}");
        }
        // Other clips are asked for to be played.
        let test = document.test.clone().filter(|_| args.clips.is_none());
        let document = MotionSettings { test, ..document.clone() };
        let choice = choose(cast, args, &document, without_clips)?;
        let (mut clip, mut playback) = cast.play(choice, looped)?;
        let velocities = constant_velocities(&cast.character, &args.velocity)?;
        if velocities.is_some() && args.at.is_none() {
            // They replace all motion: without a moment, the rest pose.
            (clip, playback) = cast.play(ClipChoice::Rest, looped)?;
        }
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
        Ok(Motion { clip, playback, velocities })
    }

    /// The command line loops only where it is told to, whatever the file says to the editor.
    fn say_if_not_looped(&self, file: &Path, document: &MotionSettings, args: &SceneArgs) {
        let is_files_clip =
            document.clip.as_ref() == Some(&self.clip.name) && self.velocities.is_none();
        let is_clip = args.motion.motion.is_none() && !args.motion.rest;
        if document.looped && !args.looped && is_files_clip && is_clip {
            let (file, clip) = (file.display(), &self.clip.name);
            say!(
                "{file} plays the clip \"{clip}\" as a loop, but here it is played once; add --loop to repeat it"
            );
        }
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

/// What the command line names, else what the document does. Its test motion must be one that the character
/// can do.
fn choose<'a>(
    cast: &Cast,
    args: &'a MotionArgs,
    document: &'a MotionSettings,
    without_clips: WithoutClips,
) -> Result<ClipChoice<'a>, CliError> {
    let character = &*cast.character;
    if args.rest {
        return Ok(ClipChoice::Rest);
    }
    if let Some(motion) = &args.motion {
        let mut test = TestMotion::new(motion.kind, find_bone(character, &motion.bone)?);
        test.amplitude = args.amplitude.unwrap_or(test.amplitude);
        test.period_secs = args.period.unwrap_or(test.period_secs);
        return Ok(ClipChoice::Test(test));
    }
    if let Some(wanted) = &args.clip {
        return Ok(ClipChoice::Named(wanted));
    }
    if let Some(test) = &document.test {
        return Ok(ClipChoice::Test(session::test_motion(character, test)?));
    }
    let Some(first) = cast.clips.first() else {
        return Ok(match without_clips {
            WithoutClips::Rest => ClipChoice::Rest,
            WithoutClips::TestMotion => ClipChoice::OfDocument(document),
        });
    };
    if let Some(wanted) = &document.clip
        && cast.clips.iter().all(|clip| clip.name != *wanted)
    {
        let played = &first.name;
        say!(
            "the character does not have the graph's clip \"{wanted}\", so \"{played}\" is played instead"
        );
    }
    Ok(ClipChoice::OfDocument(document))
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
