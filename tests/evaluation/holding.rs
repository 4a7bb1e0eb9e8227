//! A pose that holds is a pose again: what trails, stretches or swings by how bones move is gone soon after they stop.
//! And limits of form: short bones stretch less, shafts stay straight.

use crate::support::oracle::floppy_r;
use crate::support::scene::{Scene, farthest};
use glam::{DVec3, Vec3};
use jounce::compile::compile;
use jounce::eval::{Bound, ConstantMotion, Evaluator, Interpreter, Moment, Parameters, Setup, Vm};
use jounce::graph::{CharacterSettings, Document, Link, Node, PortRef};
use jounce::motion::BoneMotion;
use jounce::rig::{Character, own};
use jounce::script::{Library, Setting};

/// A deformer as it comes, behind the node that gives its velocities as that comes.
fn as_it_comes(deformer: &str, clip: &str) -> Document {
    let mut document = Document::default();
    document.motion.clip = Some(clip.to_owned());
    let graph = &mut document.style.graph;
    let motion = if deformer == "Follow Through" { "Acceleration" } else { "Velocity Extract" };
    for (id, ty) in [("motion", motion), ("deformer", deformer), ("output", "Output")] {
        graph.nodes.insert(id.to_owned(), Node::new(ty));
    }
    let links = [
        (("motion", "linear"), ("deformer", "linear")),
        (("motion", "angular"), ("deformer", "angular")),
        (("deformer", "displacement"), ("output", "displacement")),
    ];
    for (from, to) in links {
        let link = Link::new(PortRef::new(from.0, from.1), PortRef::new(to.0, to.1));
        graph.links.insert(link);
    }
    document
}

/// A pose has held when nothing has moved for so long.
const HELD_SECS: f64 = 0.2;
const STILL: f64 = 1e-4;

#[test]
fn a_pose_that_holds_is_a_pose_again() {
    for deformer in ["Floppy", "Squash", "Follow Through"] {
        let character = own::built_in("tube").unwrap();
        let size = character.size();
        let scene =
            Scene::new(&as_it_comes(deformer, "twist"), character, &CharacterSettings::default());
        let times: Vec<f64> =
            (0..240).map(|i| scene.clip.duration_secs() * f64::from(i) / 240.0).collect();
        let moments = scene.moments(&times);
        let frames: Vec<[Vec<Vec3>; 2]> = moments
            .iter()
            .map(|moment| {
                let deformed = Vm::default().deform(&scene.program, &scene.bound, moment).unwrap();
                [deformed.skinned.positions, deformed.positions]
            })
            .collect();
        let held = (HELD_SECS / (times[1] - times[0])).round() as usize;
        let (mut most, mut moving, mut holds): (f64, f64, usize) = (0.0, 0.0, 0);
        for frame in held..frames.len() {
            let moved = farthest(&frames[frame][0], &frames[frame][1]) / size;
            let is_held = (frame - held..frame)
                .all(|before| farthest(&frames[before][0], &frames[frame][0]) < STILL * size);
            if is_held {
                most = most.max(moved);
                holds += 1;
            } else {
                moving = moving.max(moved);
            }
        }
        println!(
            "{deformer}: {:.1} % while it moves, {:.2} % in {holds} held frames",
            moving * 100.0,
            most * 100.0
        );
        assert!(holds > 10 && moving > 0.02, "{deformer}: {holds} {moving}");
        assert!(most < 0.02, "{deformer}: {most}");
    }
}

fn deformed(
    deformer: &str,
    settings: &[(&str, Setting)],
    character: &Character,
    velocities: &[BoneMotion],
) -> Vec<DVec3> {
    let mut document = as_it_comes(deformer, "");
    document.style.graph.links.retain(|link| link.from.node != "motion");
    let node = document.style.graph.nodes.get_mut("deformer").unwrap();
    for (port, setting) in settings {
        node.settings.insert((*port).to_owned(), setting.clone());
    }
    let compiled = compile(&document.style, &Library::built_in());
    assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
    let program = compiled.program;
    let bound = Bound::new(&program, character, &CharacterSettings::default()).unwrap();
    let motion = ConstantMotion {
        velocities: velocities.to_vec(),
        accelerations: vec![BoneMotion::ZERO; velocities.len()],
    };
    let parameters = Parameters::new(&program);
    let setup = Setup::new(&program, character, &bound);
    let moment = Moment::new(setup, &parameters, character.rest_pose(), &motion, 0.0);
    Interpreter::positions(&program, &bound, &moment).unwrap()
}

fn number(x: f64) -> Setting {
    Setting::Float(x)
}

fn word(word: &str) -> Setting {
    Setting::Text(word.to_owned())
}

/// However fast a bone travels, it makes its skin no longer than 1.35 times, and short bones less.
#[test]
fn squash_stretches_each_bone_only_so_far() {
    let character = own::built_in("cow").unwrap();
    let pose = character.rest_pose();
    let centroids = character.centroids().evaluate(&character, pose);
    let rest = &character.rest().positions;
    // The same bones as parts of a larger whole are shorter.
    let mut limits = Vec::new();
    for size in [character.size(), 6.0 * character.size()] {
        for bone in 0..character.skeleton.bones.len() {
            let carried = |vertex: &usize| {
                let mut pairs = character.upward().of(*vertex).iter();
                pairs.any(|pair| pair.index == bone as u32 && pair.weight > 0.999)
            };
            let carried: Vec<usize> = (0..rest.len()).filter(carried).collect();
            let by_height = |a: &&usize, b: &&usize| rest[**a].y.total_cmp(&rest[**b].y);
            let (Some(&low), Some(&high)) =
                (carried.iter().min_by(by_height), carried.iter().max_by(by_height))
            else {
                continue;
            };
            let mut of = vec![BoneMotion::ZERO; character.skeleton.bones.len()];
            of[bone].linear = DVec3::new(0.0, 60.0 * size, 0.0);
            let stretched = deformed("Squash", &[("size", number(size))], &character, &of);
            let ratio =
                (stretched[high].y - stretched[low].y) / f64::from(rest[high].y - rest[low].y);
            let length = 2.0 * centroids[bone].distance(character.bone_origin(pose, bone));
            let limit = 1.0 + 0.35 * smoothstep(length / (0.1 * size));
            assert!((ratio - limit).abs() < 1e-3, "bone {bone}: {ratio}, not {limit}");
            limits.push(limit);
        }
    }
    assert!(limits.iter().any(|&limit| limit < 1.2) && limits.contains(&1.35));
}

fn smoothstep(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// A shaft lags as one piece: by the angle at its centroid, give or take half of `max bend`.
#[test]
fn a_shaft_lags_as_a_piece_and_bends_only_so_far() {
    let character = own::built_in("tube").unwrap();
    let size = character.size();
    let mut of = vec![BoneMotion::ZERO; character.skeleton.bones.len()];
    let omega = DVec3::new(0.0, 0.0, 3.0);
    of[0].angular = omega;
    let origin = character.bone_origin(character.rest_pose(), 0);
    let centroid = character.centroids().evaluate(&character, character.rest_pose())[0];
    let k = 0.3;
    for bend in [0.0, 5.0, 180.0] {
        let settings = [
            ("floppiness", number(k)),
            ("shafts", word("stay straight")),
            ("max bend", number(bend)),
        ];
        let found = deformed("Floppy", &settings, &character, &of);
        let whole = k * omega.cross(centroid - origin).length() / size;
        let half = bend.to_radians() / 2.0;
        for (vertex, p) in character.rest().positions.iter().enumerate() {
            let p = p.as_dvec3();
            let speed = omega.cross(p - origin).length();
            let angle = (k * speed / size)
                .clamp(-1.0, 45_f64.to_radians())
                .clamp(whole - half, whole + half);
            // The oracle's own k gives that angle.
            let by = if speed > 0.0 { angle / speed } else { 0.0 };
            let up = f64::from(character.upward().of(vertex)[0].weight);
            let expected = p + floppy_r(by, p, origin, omega, 4.0) * up;
            assert!((found[vertex] - expected).length() < 1e-6 * size, "{bend}° {vertex}");
        }
    }
}
