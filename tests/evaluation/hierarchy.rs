//! Programs whose bones have the parents of the motion hierarchy: every evaluator, puppets, and what it is for.

use crate::support::evaluators::agreed;
use crate::support::scene::Scene;
use crate::support::shared::shared;
use glam::Vec3;
use jounce::eval::{BindWarning, Bound, Performer, hierarchy};
use jounce::graph::{CharacterSettings, Document, built_in_style};
use jounce::ir::{Number, Program};
use jounce::motion::Playback;
use jounce::motion::live::Jump;
use jounce::rig::{Character, CharacterError, Hierarchy, load, own};
use jounce::script::{Library, Setting};
use std::collections::BTreeMap;
use std::sync::Arc;

fn humanoid() -> Option<Character> {
    Some(load::load_file(&shared("characters/humanoid.gltf")?).unwrap())
}

/// A style that comes along, with the parents of the motion hierarchy.
fn with_motion(style: &str) -> Document {
    with_hierarchy(style, "motion")
}

fn with_hierarchy(style: &str, hierarchy: &str) -> Document {
    let mut document = built_in_style(style).unwrap();
    for node in document.style.graph.nodes.values_mut() {
        if node.node_type == "Output" {
            node.settings.insert("hierarchy".to_owned(), Setting::Text(hierarchy.to_owned()));
        }
    }
    document
}

fn program_of(document: &Document) -> Program {
    jounce::compile::compile(&document.style, &Library::built_in()).program
}

/// The cow, whose bones have other parents than any file would give them.
fn strange_cow() -> (Character, CharacterSettings) {
    let cow = own::built_in("cow").unwrap();
    let name = |bone: usize| cow.skeleton.bone_name(bone).to_owned();
    let last = cow.skeleton.bones.len() - 1;
    // A bone far down carries the middle of the body, and another one is free.
    let parents = BTreeMap::from([(name(2), Some(name(last))), (name(last), None)]);
    (cow, CharacterSettings { parents, ..CharacterSettings::default() })
}

/// Smoothing, accelerations, filters in the parent's frame, upward and downward weights, centroids.
const STYLES: [&str; 5] =
    ["velocity-skinning", "cartoon", "default", "oscillation", "jelly-wobble"];

#[test]
fn all_evaluators_agree_on_the_motion_hierarchy() {
    for style in STYLES {
        let (cow, settings) = strange_cow();
        let scene = Scene::new(&with_motion(style), cow, &settings);
        assert_eq!(scene.program.hierarchy, Hierarchy::Motion);
        let order = &scene.character.skeleton.bones_parents_first;
        assert!(!order.is_sorted(), "children may stand before their parents");
        scene.with_moment(0.31, |moment| agreed(&scene.program, &scene.bound, moment));
        let Some(humanoid) = humanoid() else { continue };
        let mut scene = Scene::new(&with_motion(style), humanoid, &Default::default());
        scene.clip = scene.character.clips.iter().find(|clip| clip.name == "Run").unwrap().clone();
        scene.with_moment(0.2, |moment| agreed(&scene.program, &scene.bound, moment));
    }
}

/// Does it matter? Every style gives something else, and by itself on plain rigs the same bits.
#[test]
fn the_file_and_the_motion_hierarchy_are_the_same_bits_on_plain_rigs() {
    for style in STYLES {
        for name in ["cow", "snail"] {
            let positions = |document: &Document| {
                let scene = Scene::new(document, own::built_in(name).unwrap(), &Default::default());
                scene.performer(&Default::default()).deformed_at(0.37).unwrap().positions
            };
            assert_eq!(positions(&with_motion(style)), positions(&with_hierarchy(style, "file")));
        }
        let (cow, settings) = strange_cow();
        let cow = Arc::new(cow);
        let positions = |document: &Document| {
            let program = program_of(document);
            let mut performer = Performer::new(program, cow.clone(), &settings).unwrap();
            let clip = Arc::new(cow.clips[0].clone());
            let playback = Playback::looped(clip.duration_secs());
            performer.play(clip, playback).unwrap();
            performer.deformed_at(0.37).unwrap().positions
        };
        assert_ne!(positions(&with_motion(style)), positions(&with_hierarchy(style, "file")));
    }
}

/// The longest edge and the 99.9th percentile, as parts of what plain skinning makes of them.
fn worst_edges(scene: &Scene, times: usize) -> (f64, f64) {
    let performer = scene.performer(&Default::default());
    let mut ratios = Vec::new();
    for frame in 0..times {
        let t = scene.clip.duration_secs() * frame as f64 / times as f64;
        let deformed = performer.deformed_at(t).unwrap();
        let (plain, styled) = (&deformed.skinned.positions, &deformed.positions);
        for corners in &scene.character.mesh.triangles {
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                let [a, b] = [corners[a] as usize, corners[b] as usize];
                let length = |positions: &[Vec3]| f64::from(positions[a].distance(positions[b]));
                if length(plain) > 1e-4 * scene.character.size() {
                    ratios.push(length(styled) / length(plain));
                }
            }
        }
    }
    ratios.sort_by(f64::total_cmp);
    (ratios[ratios.len() - 1], ratios[ratios.len() * 999 / 1000])
}

#[test]
fn feet_of_a_control_rig_are_no_longer_torn_from_its_shins() {
    let worst = |document: &Document, floppy: f64, smoothing: f64| {
        let mut document = document.clone();
        for node in document.style.graph.nodes.values_mut() {
            if node.node_type == "Velocity Extract" {
                node.settings.insert("smoothing".to_owned(), Setting::Float(smoothing));
            }
        }
        let mut scene = Scene::new(&document, humanoid()?, &Default::default());
        scene.clip = scene.character.clips.iter().find(|clip| clip.name == "Run").unwrap().clone();
        scene.parameters.set(&scene.program, "floppy", Number::Float(floppy)).unwrap();
        scene.parameters.set(&scene.program, "squash", Number::Float(floppy / 2.0)).unwrap();
        Some(worst_edges(&scene, 48))
    };
    let style = "velocity-skinning";
    // Between keys that are joined by straight lines the foot slides along the shin, to and fro: unsmoothed
    // velocities show that, so that without smoothing only a small amount can be judged.
    for (smoothing, floppy) in [(0.0, 0.02), (0.05, 0.05), (0.1, 0.1)] {
        let Some(file) = worst(&built_in_style(style).unwrap(), floppy, smoothing) else { return };
        let motion = worst(&with_motion(style), floppy, smoothing).unwrap();
        println!(
            "humanoid Run, smoothing {smoothing} s, floppy {floppy}: longest edge {:.2} × plain skinning's with the file's parents, {:.2} × with \
             the motion hierarchy (99.9 %: {:.2} and {:.2})",
            file.0, motion.0, file.1, motion.1
        );
        assert!(file.0 > 1.9, "{file:?}");
        assert!(motion.0 <= 1.5, "{motion:?}");
    }
}

/// Poses one by one through a performer: the velocities are those under the same parents.
#[test]
fn a_puppet_moves_under_the_motion_hierarchy_as_the_clip_does() {
    let (cow, settings) = strange_cow();
    let scene = Scene::new(&with_motion("velocity-skinning"), cow, &settings);
    let performer = scene.performer(&settings);
    let mut puppet = performer.puppet(0.0, Jump::Reset).unwrap();
    let (step_secs, mut off, mut moved) = (1.0 / 960.0, 0.0_f32, 0.0_f32);
    for frame in 0..120 {
        let t = 0.3 + f64::from(frame) * step_secs;
        let found = puppet.at(&performer, &performer.pose(t), t).unwrap();
        let clip = performer.deformed_at(t - 0.5 * step_secs).unwrap();
        if frame > 0 {
            for (found, clip) in displacements(&found).zip(displacements(&clip)) {
                off = off.max(found.distance(clip));
                moved = moved.max(clip.length());
            }
        }
    }
    println!("a puppet is displaced by up to {moved:.4}, off by {off:.4}");
    assert!(moved > 0.02 && off < 0.05 * moved, "{off} of {moved}");
}

fn displacements(deformed: &jounce::eval::Deformed) -> impl Iterator<Item = Vec3> {
    let both = deformed.positions.iter().zip(&deformed.skinned.positions);
    both.map(|(a, b)| *a - *b).collect::<Vec<_>>().into_iter()
}

#[test]
fn parents_of_the_settings_take_precedence_and_wrong_ones_are_named() {
    let (cow, settings) = strange_cow();
    let program = program_of(&with_motion("floppy"));
    let cow = Arc::new(cow);
    let bones = &cow.skeleton;
    let name = |bone: usize| bones.bone_name(bone).to_owned();
    let hung = hierarchy::hung(&program, &cow, &settings).unwrap();
    assert_eq!(hung.skeleton.bones[2].parent, Some(bones.bones.len() - 1));
    assert_eq!(hung.skeleton.bones[bones.bones.len() - 1].parent, None);
    assert!(Arc::ptr_eq(&hung, &hierarchy::hung(&program, &cow, &settings).unwrap()), "kept");
    // Who is not there, and who would hang on itself: its children are below it in the file.
    let child = (0..bones.bones.len()).find(|&bone| bones.bones[bone].parent == Some(1)).unwrap();
    let parents = BTreeMap::from([
        (name(1), Some(name(child))),
        ("Nobody".to_owned(), None),
        (name(3), Some("No one".to_owned())),
    ]);
    let wrong = CharacterSettings { parents, ..CharacterSettings::default() };
    let hung = hierarchy::hung(&program, &cow, &wrong).unwrap();
    assert!(Arc::ptr_eq(&hung, &cow), "nothing of it can be");
    let warnings = Bound::new(&program, &hung, &wrong).unwrap().warnings;
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    let itself = BindWarning::HangsOnItself { name: name(1), parent: name(child) };
    assert!(warnings.contains(&itself), "{warnings:?}");
    assert!(
        itself
            .to_string()
            .contains("so it cannot be its parent; the parent that was found for it is used")
    );
    // With the file's parents they are not looked at.
    let file = program_of(&built_in_style("floppy").unwrap());
    assert!(Arc::ptr_eq(&hierarchy::hung(&file, &cow, &settings).unwrap(), &cow));
    assert!(Bound::new(&file, &cow, &wrong).unwrap().warnings.is_empty());
    // A binding that does not fit is refused, not guessed.
    assert_eq!(Bound::new(&program, &cow, &settings).unwrap_err(), CharacterError::OtherParents);
}

/// Each program hangs the bones as it wants, whatever the one before it wanted.
#[test]
fn another_program_on_the_same_character_has_its_own_hierarchy() {
    let (cow, settings) = strange_cow();
    let cow = Arc::new(cow);
    let play = |program: Program| {
        let mut performer = Performer::new(program, cow.clone(), &settings).unwrap();
        let clip = Arc::new(cow.clips[0].clone());
        let playback = Playback::looped(clip.duration_secs());
        performer.play(clip, playback).unwrap();
        performer
    };
    let by_motion = |style: &str| program_of(&with_motion(style));
    let by_file = |style: &str| program_of(&built_in_style(style).unwrap());
    let others = [by_motion("oscillation"), by_file("velocity-skinning")];
    for before in [by_motion("floppy"), by_file("floppy")] {
        let performer = play(before);
        for other in &others {
            let changed = performer.with_program(other.clone()).unwrap();
            let made = play(other.clone());
            assert_eq!(changed.deformed_at(0.37).unwrap(), made.deformed_at(0.37).unwrap());
            assert_eq!(changed.velocities(0.37, 0.1), made.velocities(0.37, 0.1));
        }
    }
}

#[test]
fn another_parent_changes_what_plays() {
    let (cow, settings) = strange_cow();
    let scene = Scene::new(&with_motion("velocity-skinning"), cow, &Default::default());
    let mut performer = scene.performer(&Default::default());
    let clip = performer.clip().clone();
    let before = performer.deformed_at(0.4).unwrap().positions;
    let change = performer.change(&settings, &clip, performer.playback()).unwrap();
    assert!(change.is_rebound && change.has_other_lists);
    let after = performer.deformed_at(0.4).unwrap().positions;
    assert_ne!(before, after);
    let (other, _) = strange_cow();
    let made = Scene::new(&with_motion("velocity-skinning"), other, &settings).performer(&settings);
    assert_eq!(after, made.deformed_at(0.4).unwrap().positions);
    performer.change(&Default::default(), &clip, performer.playback()).unwrap();
    assert_eq!(before, performer.deformed_at(0.4).unwrap().positions);
}

/// The paper's bird has one joint: its travel is all the motion it has.
#[test]
fn a_character_of_one_bone_keeps_its_travel() {
    let Some(path) = shared("characters/bird.glb") else { return };
    let largest = |root_motion: Option<f64>| {
        let bird = load::load_file(&path).unwrap();
        assert_eq!(bird.skeleton.bones.len(), 1);
        let mut document = built_in_style("velocity-skinning").unwrap();
        for node in document.style.graph.nodes.values_mut() {
            if node.node_type == "Velocity Extract" {
                node.settings.remove("root motion");
                let set = root_motion.map(Setting::Float);
                node.settings.extend(set.map(|set| ("root motion".to_owned(), set)));
            }
        }
        let scene = Scene::new(&document, bird, &Default::default());
        let performer = scene.performer(&Default::default());
        let size = scene.character.size() as f32;
        let at = |frame: usize| {
            let t = scene.clip.duration_secs() * frame as f64 / 48.0;
            let deformed = performer.deformed_at(t).unwrap();
            displacements(&deformed).map(|d| d.length() / size).fold(0.0, f32::max)
        };
        (0..48).map(at).fold(0.0, f32::max)
    };
    let (by_default, with_all) = (largest(None), largest(Some(1.0)));
    println!(
        "bird: displaced by up to {by_default:.3} of its size, {with_all:.3} with all root motion"
    );
    assert_eq!(by_default, with_all);
    assert!(by_default > 0.1, "{by_default}");
}
