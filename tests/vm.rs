//! The CPU VM against the interpreter.

mod support;

use glam::Vec3;
use jounce::compile::compile;
use jounce::eval::vm::{Prepared, Simd};
use jounce::eval::{Bound, Evaluator, Interpreter, Moment, MomentParts, Parameters, PlayedMotion};
use jounce::graph::Document;
use jounce::ir::Program;
use jounce::motion::{Playback, Player};
use jounce::rig::{Base, Character, own};
use jounce::script::Library;
use std::path::{Path, PathBuf};

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "jounce")).collect();
    files.sort();
    files
}

/// The largest distance between two lists of points; NaN is infinitely far.
fn farthest(a: &[Vec3], b: &[Vec3]) -> f64 {
    assert_eq!(a.len(), b.len());
    let distances = a.iter().zip(b).map(|(a, b)| f64::from((*a - *b).length()));
    distances.fold(0.0, |most: f64, d| if d.is_nan() { f64::INFINITY } else { most.max(d) })
}

/// A character with a program and something that moves it.
struct Scene {
    character: Character,
    program: Program,
    bound: Bound,
    clip: usize,
}

impl Scene {
    fn new(document: &Document, character: Character, key: &str) -> Scene {
        let compiled = compile(&document.style, &Library::built_in());
        assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
        let program = compiled.program;
        let settings = document.characters.get(key).cloned().unwrap_or_default();
        let bound = Bound::new(&program, &character, &settings).unwrap();
        let wanted = document.motion.clip.clone().unwrap_or_default();
        let clip = character.clips.iter().position(|clip| clip.name == wanted).unwrap_or(0);
        Scene { character, program, bound, clip }
    }

    fn at<T>(&self, time_secs: f64, base: Option<Base>, run: impl FnOnce(&Moment) -> T) -> T {
        let clip = &self.character.clips[self.clip];
        let playback = Playback::looped(clip.duration_secs());
        let player = Player { character: &self.character, clip, playback };
        let pose = player.pose(time_secs);
        let motion = PlayedMotion { player, time_secs };
        run(&Moment::new(&MomentParts {
            character: &self.character,
            program: &self.program,
            parameters: &Parameters::new(&self.program),
            pose: &pose,
            motion: &motion,
            time_secs,
            base,
        }))
    }
}

fn scenes() -> Vec<(String, Scene)> {
    let scene = |file: PathBuf| {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let document = Document::load(&file).unwrap().document;
        let key = document.motion.character.clone()?;
        let character = own::built_in(&key).unwrap();
        Some((name, Scene::new(&document, character, &key)))
    };
    examples().into_iter().filter_map(scene).collect()
}

#[test]
fn every_example_on_its_character_agrees_with_the_interpreter() {
    let mut worst: f64 = 0.0;
    for (name, scene) in scenes() {
        let size = scene.character.size();
        for simd in Simd::all() {
            let prepared = Prepared::with_simd(&scene.program, &scene.bound, simd).unwrap();
            for base in [Base::Lbs, Base::Dqs] {
                for time_secs in [0.0, 0.21, 0.55] {
                    scene.at(time_secs, Some(base), |moment| {
                        let expected =
                            Interpreter.deform(&scene.program, &scene.bound, moment).unwrap();
                        let found = prepared.deform(&scene.bound, moment).unwrap();
                        let off = farthest(&found.positions, &expected.positions) / size;
                        let skinned = farthest(&found.skinned.positions, &expected.skinned.positions);
                        let normals = farthest(&found.skinned.normals, &expected.skinned.normals);
                        println!("{name} {simd:?} {base:?} {time_secs}: {off:.1e} {skinned:.1e} {normals:.1e}");
                        worst = worst.max(off);
                        assert!(off < 1e-6, "{name} {simd:?} {base:?} {time_secs}: {off:e}");
                        assert!(skinned / size < 1e-6, "{name} {simd:?} {base:?}: {skinned:e}");
                        assert!(normals < 1e-5, "{name} {simd:?} {base:?}: {normals:e}");
                    });
                }
            }
        }
    }
    println!("the worst of all: {worst:.1e} of the size");
}
