//! A style on a character in motion, as evaluators want it.

use glam::Vec3;
use jounce::compile::compile;
use jounce::eval::{
    Bound, Moment, Parameters, Performer, PlayedMotion, Playing, Setup, Timeline, hierarchy,
};
use jounce::graph::{CharacterSettings, Document, built_in_style};
use jounce::ir::Program;
use jounce::motion::{Playback, Player, TestMotion};
use jounce::rig::{Base, Character, Clip, own};
use jounce::script::Library;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub struct Scene {
    /// Whose bones hang as the program wants them.
    pub character: Arc<Character>,
    pub clip: Clip,
    pub program: Program,
    pub bound: Bound,
    pub parameters: Parameters,
    pub base: Option<Base>,
}

/// All graphs in `examples/`, sorted.
pub fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "jounce")).collect();
    files.sort();
    files
}

impl Scene {
    /// An example on the character that it names, or on the cow.
    pub fn example(file: &Path) -> Scene {
        let document = Document::load(file).unwrap().document;
        let name = document.motion.character.clone().unwrap_or_else(|| "cow".to_owned());
        let character = own::built_in(&name).unwrap();
        let settings = document.characters.get(&name).cloned().unwrap_or_default();
        Scene::new(&document, character, &settings)
    }

    /// A style that comes along.
    pub fn style(name: &str, character: Character) -> Scene {
        let document = built_in_style(name).unwrap();
        Scene::new(&document, character, &CharacterSettings::default())
    }

    pub fn new(document: &Document, character: Character, settings: &CharacterSettings) -> Scene {
        let compiled = compile(&document.style, &Library::built_in());
        assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
        let program = compiled.program;
        let named = document.motion.clip.as_deref();
        let clip = character.clips.iter().find(|clip| Some(clip.name.as_str()) == named);
        let clip = clip.or(character.clips.first()).cloned();
        let test = || TestMotion::default_for(&character).clip(&character).unwrap();
        let clip = clip.unwrap_or_else(test);
        let character = hierarchy::hung(&program, &Arc::new(character), settings).unwrap();
        let bound = Bound::new(&program, &character, settings).unwrap();
        let parameters = Parameters::new(&program);
        Scene { character, clip, program, bound, parameters, base: None }
    }

    /// The same, playing its clip in a loop; `settings` are those of its character.
    #[allow(dead_code, reason = "not every test program plays")]
    pub fn performer(&self, settings: &CharacterSettings) -> Performer {
        let program = self.program.clone();
        let mut performer = Performer::new(program, self.character.clone(), settings).unwrap();
        performer.set_parameters(self.parameters.clone());
        performer.set_base(self.base).unwrap();
        let playback = Playback::looped(self.clip.duration_secs());
        performer.play(Arc::new(self.clip.clone()), playback).unwrap();
        performer
    }

    /// After the program has changed.
    pub fn rebind(&mut self, settings: &CharacterSettings) {
        self.character = hierarchy::hung(&self.program, &self.character, settings).unwrap();
        self.bound = Bound::new(&self.program, &self.character, settings).unwrap();
        self.parameters = Parameters::new(&self.program);
    }

    pub fn with_moment<T>(&self, time_secs: f64, work: impl FnOnce(&Moment) -> T) -> T {
        work(&self.moments(&[time_secs])[0])
    }

    /// The same on another base.
    pub fn at<T>(&self, time_secs: f64, base: Option<Base>, work: impl FnOnce(&Moment) -> T) -> T {
        work(&self.moments_on(base, &[time_secs])[0])
    }

    pub fn moments(&self, times_secs: &[f64]) -> Vec<Moment<'_>> {
        self.moments_on(self.base, times_secs)
    }

    /// Moments borrow their motions, which are few and leaked here.
    fn moments_on(&self, base: Option<Base>, times_secs: &[f64]) -> Vec<Moment<'_>> {
        let playback = Playback::looped(self.clip.duration_secs());
        let player = Player { character: &self.character, clip: &self.clip, playback };
        let timeline = Timeline::new(&self.program, &self.bound, &player);
        let timeline = timeline.unwrap();
        let stepped = Playing {
            setup: Setup::new(&self.program, &self.character, &self.bound),
            parameters: &self.parameters,
            played: &player,
        };
        let moment = |&time_secs: &f64| {
            let motion: &PlayedMotion = Box::leak(Box::new(PlayedMotion { player, time_secs }));
            let mut moment = Moment::new(
                Setup { base, ..Setup::new(&self.program, &self.character, &self.bound) },
                &self.parameters,
                &player.pose(time_secs),
                motion,
                time_secs,
            );
            if let Some(timeline) = &timeline {
                moment.snapshot = timeline.recall(stepped, time_secs).unwrap();
            }
            moment
        };
        times_secs.iter().map(moment).collect()
    }
}

/// The largest distance between two lists of points; what is no number is infinitely far.
pub fn farthest(a: &[Vec3], b: &[Vec3]) -> f64 {
    assert_eq!(a.len(), b.len());
    let distances = a.iter().zip(b).map(|(a, b)| f64::from(a.distance(*b)));
    distances.map(|d| if d.is_nan() { f64::INFINITY } else { d }).fold(0.0, f64::max)
}

/// Paints the map `softness` again and again on a performer of the style `ear-flop`, by whatever computes.
#[allow(dead_code, reason = "not every test program paints")]
pub fn paint_while_it_plays(scene: &Scene, backend: impl Fn() -> Box<dyn jounce::eval::Backend>) {
    let vertices = scene.character.vertex_count();
    let mesh = Some(scene.character.mesh_fingerprint());
    let painted = |speed: f32, settings: &mut CharacterSettings| {
        let values = (0..vertices).map(|vertex| (vertex as f32 * speed).sin()).collect();
        let map = jounce::eval::PaintedMap::new(values, mesh);
        settings.maps.insert("softness".to_owned(), map);
    };
    let mut settings = CharacterSettings::default();
    painted(0.1, &mut settings);
    let made = |settings: &CharacterSettings| {
        let (program, character) = (scene.program.clone(), scene.character.clone());
        let mut performer = Performer::on(backend(), program, character, settings).unwrap();
        let playback = Playback::looped(scene.clip.duration_secs());
        performer.play(Arc::new(scene.clip.clone()), playback).unwrap();
        performer
    };
    let mut performer = made(&settings);
    let time_secs = 0.3 * scene.clip.duration_secs();
    let mut before = performer.at(time_secs).unwrap().positions;
    let clip = performer.clip().clone();
    let playback = performer.playback();
    for speed in [0.2, 0.3] {
        painted(speed, &mut settings);
        let change = performer.change(&settings, &clip, playback).unwrap();
        assert!(change.is_repainted && !change.is_rebound && !change.has_other_lists);
        let found = performer.at(time_secs).unwrap().positions;
        assert!(farthest(&found, &before) > 1e-4, "it moves otherwise");
        let anew = made(&settings).at(time_secs).unwrap().positions;
        assert!(farthest(&found, &anew) == 0.0, "to the bit");
        before = found;
    }
    // A map that goes away, and one of another length, are bound anew, with a warning.
    settings.maps.insert("softness".to_owned(), vec![1.0; 3].into());
    let change = performer.change(&settings, &clip, playback).unwrap();
    assert!(change.is_rebound && !change.is_repainted);
    assert_eq!(performer.bound().warnings.len(), 1);
}
