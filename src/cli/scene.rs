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
use jounce_graph::document::{MotionSettings, PackedFile};
pub use jounce_rig::motion::Frames;
use jounce_rig::motion::retarget::{RetargetError, retarget};
use jounce_rig::motion::test_motion::TestMotionError;
use jounce_rig::motion::{BoneMotion, Playback, Player, TestMotion};
use jounce_rig::own::OwnError;
use jounce_rig::{Base, Character, Clip, Pose, Skinned, load, own};
use jounce_session as session;
use std::borrow::Borrow;
use std::ffi::OsStr;
use std::mem::take;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum SceneError {
    #[error("there is no clip \"{wanted}\" in this character; it has {known}")]
    NoSuchClip { wanted: String, known: String },
    #[error("there is no bone \"{wanted}\" in this character{nearest}")]
    NoSuchBone { wanted: String, nearest: String },
    #[error("{name}: {source}")]
    Retarget { name: String, source: RetargetError },
    #[error(transparent)]
    TooManyFrames(#[from] jounce_rig::motion::TooManyFrames),
    #[error(transparent)]
    TestMotion(#[from] TestMotionError),
    #[error(
        "there is no built-in character called \"{name}\", but this folder has a file {file}; give its whole name, with the ending"
    )]
    EndingLeftOut { name: String, file: String },
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

/// What a document says about motion, where the arguments say nothing.
#[derive(Default)]
struct DocumentMotion<'a> {
    test: Option<&'a str>,
    clip: Option<&'a str>,
    clips: Option<PathBuf>,
    packed_clips: Option<&'a PackedFile>,
}

/// A character and how it moves.
pub struct Scene {
    /// As the character was called.
    name: String,
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
        let loaded = load_character(character)?;
        let motion = DocumentMotion::default();
        Scene::of(&called(character), loaded, args, motion, looped, without_clips)
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
            let loaded = load_lean(name, args.lean_vertices)?;
            let motion = DocumentMotion::default();
            let mut scene =
                Scene::of(&called(name), loaded, &args.motion, motion, args.looped, without_clips)?;
            scene.base = args.base.map_or(Base::Lbs, Base::from);
            return Ok(scene);
        };
        let document = load_document(file)?;
        // What was painted is a number for each vertex that there is.
        let is_painted = document.characters.values().any(|settings| !settings.maps.is_empty());
        let lean_vertices = args.lean_vertices.filter(|_| !is_painted);
        let (name, character) = match (&args.character, &document.motion.character) {
            (Some(argument), _) => (called(argument), load_lean(argument, lean_vertices)?),
            (None, Some(name)) if document.packed.is_empty() && !session::is_path(name) => {
                (name.clone(), load_lean(OsStr::new(name), lean_vertices)?)
            }
            (None, Some(name)) => {
                (name.clone(), session::load_character(name, file.parent(), &document.packed)?)
            }
            (None, None) => return Err(SceneError::NoCharacter.into()),
        };
        // They belong to the document's character, but another one may have the clip too.
        let defaults = DocumentMotion {
            test: document.motion.test.as_deref(),
            clip: document.motion.clip.as_deref(),
            clips: (document.motion.clips.as_ref())
                .map(|clips| session::beside(file.parent(), clips)),
            packed_clips: document.motion.clips.as_ref().and_then(|it| document.packed.get(it)),
        };
        let mut scene =
            Scene::of(&name, character, &args.motion, defaults, args.looped, without_clips)?;
        scene.say_if_not_looped(file, &document.motion, args);
        let key = session::character_key(&name);
        let character = &scene.character;
        let mut deformer =
            Deformer::new(&args.graph, file, &document, character, &key, args.base, looking_at)?;
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
        name: &str,
        character: Character,
        args: &MotionArgs,
        document: DocumentMotion,
        looped: bool,
        without_clips: WithoutClips,
    ) -> Result<Scene, CliError> {
        let clip = choose_clip(&character, args, document, without_clips)?;
        let constant = constant_velocities(&character, &args.velocity)?;
        let clip = match (&constant, args.at) {
            // Constant velocities replace all motion: without a moment, the rest pose.
            (Some(_), None) => Clip::rest(),
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
            say!("clip \"{name}\" goes from 0 to {length:.3} s and stands still at {at} s");
        }
        let (name, character) = (name.to_owned(), Arc::new(character));
        let clip = Arc::new(clip);
        Ok(Scene { name, character, clip, playback, constant, deformer: None, base: Base::Lbs })
    }

    /// The same character and motion with the graph of another file.
    pub fn with_other_graph(&self, args: &SceneArgs, file: &Path) -> Result<Scene, CliError> {
        let document = load_document(file)?;
        let (graph, key) = (args.graph.with_other(file), session::character_key(&self.name));
        let (character, looking_at) = (&self.character, LookingAt::Nothing);
        let mut deformer =
            Deformer::new(&graph, file, &document, character, &key, args.base, looking_at)?;
        deformer.play(self.clip.clone(), self.playback)?;
        Ok(Scene {
            name: self.name.clone(),
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
        Player { character: &self.character, clip: &self.clip, playback: self.playback }
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

/// An argument with a dot or a slash is a path, any other a built-in name.
pub fn load_character(argument: &OsStr) -> Result<Character, CliError> {
    let name = called(argument);
    if !is_file(argument) {
        return own::built_in(&name).map_err(or_file_of_that_name);
    }
    load::load_file(Path::new(argument)).map_err(|source| CliError::Load { name, source })
}

/// What is not UTF-8 is no built-in name either.
pub fn is_file(argument: &OsStr) -> bool {
    argument.to_str().is_none_or(session::is_path)
}

/// What messages call the character of an argument.
pub fn called(argument: &OsStr) -> String {
    argument.to_string_lossy().into_owned()
}

/// The same; a built-in one may be asked for with fewer vertices than it has.
fn load_lean(argument: &OsStr, vertices: Option<usize>) -> Result<Character, CliError> {
    match vertices {
        Some(_) if !is_file(argument) => {
            own::make(&called(argument), vertices).map_err(or_file_of_that_name)
        }
        _ => load_character(argument),
    }
}

/// A word that is not a built-in name may be a file whose ending was left out.
fn or_file_of_that_name(error: OwnError) -> CliError {
    if let OwnError::Unknown { name, .. } = &error {
        let files = ["glb", "gltf"].map(|ending| format!("{name}.{ending}"));
        if let Some(file) = files.into_iter().find(|file| Path::new(file).is_file()) {
            return SceneError::EndingLeftOut { name: name.clone(), file }.into();
        }
    }
    error.into()
}

fn choose_clip(
    character: &Character,
    args: &MotionArgs,
    document: DocumentMotion,
    without_clips: WithoutClips,
) -> Result<Clip, CliError> {
    if args.rest {
        return Ok(Clip::rest());
    }
    if let Some(motion) = &args.motion {
        let mut test = TestMotion::new(motion.kind, find_bone(character, &motion.bone)?);
        test.amplitude = args.amplitude.unwrap_or(test.amplitude);
        test.period_secs = args.period.unwrap_or(test.period_secs);
        return Ok(test.clip(character).map_err(SceneError::from)?);
    }
    if let Some(test) = document.test.filter(|_| args.clip.is_none() && args.clips.is_none()) {
        return Ok(session::test_clip(character, test)?);
    }
    let borrowed = match args.clips.as_ref().or(document.clips.as_ref()) {
        Some(path) => {
            let packed = document.packed_clips.filter(|_| args.clips.is_none());
            Some(borrow_clips(character, path, packed)?)
        }
        None => None,
    };
    let clips = borrowed.as_deref().unwrap_or(&character.clips);
    match &args.clip {
        Some(wanted) => Ok(find_clip(clips, wanted)?.clone()),
        None => match named_by_document(clips, document.clip).or(clips.first()) {
            Some(first) => Ok(first.clone()),
            None if without_clips == WithoutClips::Rest => Ok(Clip::rest()),
            None => {
                let test = TestMotion::default_for(character);
                Ok(test.clip(character).map_err(SceneError::from)?)
            }
        },
    }
}

/// The clip a document names, if this character has it.
fn named_by_document<'a>(clips: &'a [Clip], wanted: Option<&str>) -> Option<&'a Clip> {
    let wanted = wanted?;
    let found = clips.iter().find(|clip| clip.name == wanted);
    if let (None, Some(first)) = (found, clips.first()) {
        let first = &first.name;
        say!(
            "the character does not have the graph's clip \"{wanted}\", so \"{first}\" is played instead"
        );
    }
    found
}

/// By name, else by name in upper or lower case, else by number.
pub fn find_clip<'a, C: Borrow<Clip>>(
    clips: &'a [C],
    wanted: &str,
) -> Result<&'a Clip, SceneError> {
    let clips = || clips.iter().map(|clip| -> &'a Clip { clip.borrow() });
    let named = clips().find(|clip| clip.name == wanted);
    let alike = || clips().find(|clip| clip.name.eq_ignore_ascii_case(wanted));
    let numbered = || clips().nth(wanted.parse::<usize>().ok()?);
    named.or_else(alike).or_else(numbered).ok_or_else(|| {
        let known: Vec<String> = clips().map(|clip| format!("\"{}\"", clip.name)).collect();
        SceneError::NoSuchClip {
            wanted: wanted.to_owned(),
            known: if known.is_empty() { "none".to_owned() } else { known.join(", ") },
        }
    })
}

fn borrow_clips(
    character: &Character,
    path: &Path,
    packed: Option<&PackedFile>,
) -> Result<Vec<Clip>, CliError> {
    let name = path.display().to_string();
    let loaded = match packed {
        Some(file) => load::load_clips_from_bytes(file.0.to_vec(), None),
        None => load::load_clips(path),
    };
    let other = loaded.map_err(|source| CliError::Load { name: name.clone(), source })?;
    let retargeted = retarget(&character.skeleton, &other)
        .map_err(|source| SceneError::Retarget { name: name.clone(), source })?;
    for note in &other.notes {
        say!("{name}: {note}");
    }
    for note in retargeted.notes(&name) {
        say!("{note}");
    }
    Ok(retargeted.clips)
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
