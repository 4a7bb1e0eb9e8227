//! Floppy with joined turns: the screws of a vertex's bones are added up and applied once (the 2021 paper's
//! Fig. 14), against the formulas in f64, and by what it is for: lengths along a limb are kept.

use crate::support::evaluators::agreed;
use crate::support::oracle::{floppy_r, floppy_t};
use crate::support::random::Random;
use crate::support::scene::Scene;
use glam::{DVec3, Vec3};
use jounce::compile::compile;
use jounce::eval::{
    Bound, ConstantMotion, Evaluator, Interpreter, Moment, Parameters, Setup, Skinning, Vm,
};
use jounce::graph::{CharacterSettings, Document, Link, Node, PortRef, Style, built_in_style};
use jounce::ir::Program;
use jounce::motion::BoneMotion;
use jounce::rig::{Character, own};
use jounce::script::{Library, Setting};

const MAX_ANGLE_DEGREES: f64 = 70.0;

/// A Floppy straight into the Output.
fn floppy(turns: &str, floppiness: f64) -> Program {
    let mut style = Style::default();
    let mut node = Node::new("Floppy");
    node.settings.insert("turns".to_owned(), Setting::Text(turns.to_owned()));
    node.settings.insert("floppiness".to_owned(), Setting::Float(floppiness));
    node.settings.insert("max angle".to_owned(), Setting::Float(MAX_ANGLE_DEGREES));
    style.graph.nodes.insert("trail".to_owned(), node);
    style.graph.nodes.insert("output".to_owned(), Node::new("Output"));
    let (from, to) =
        (PortRef::new("trail", "displacement"), PortRef::new("output", "displacement"));
    style.graph.links.insert(Link::new(from, to));
    let compiled = compile(&style, &Library::built_in());
    assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
    compiled.program
}

fn exact_rest(character: &Character) -> Vec<DVec3> {
    character.rest().positions.iter().map(|p| p.as_dvec3()).collect()
}

/// The rest pose with these velocities.
fn with_moment<T>(
    program: &Program,
    character: &Character,
    velocities: &[BoneMotion],
    f: impl FnOnce(&Bound, Moment) -> T,
) -> T {
    let bound = Bound::new(program, character, &CharacterSettings::default()).unwrap();
    let motion = ConstantMotion {
        velocities: velocities.to_vec(),
        accelerations: vec![BoneMotion::ZERO; velocities.len()],
    };
    let parameters = Parameters::new(program);
    let setup = Setup::new(program, character, &bound);
    let moment = Moment::new(setup, &parameters, character.rest_pose(), &motion, 0.0);
    f(&bound, moment)
}

/// In f64, from positions that are not rounded.
fn interpreted(program: &Program, character: &Character, of: &[BoneMotion]) -> Vec<DVec3> {
    with_moment(program, character, of, |bound, mut moment| {
        let normals = character.rest().normals.iter().map(|n| n.as_dvec3()).collect();
        moment.skinning = Skinning::Given { positions: exact_rest(character), normals };
        Interpreter::positions(program, bound, &moment).unwrap()
    })
}

/// d = U∥ + U⊥ sin a/a + Ŵ × U⊥ (1 − cos a)/a: the same screw in its other form.
fn screw(w: DVec3, u: DVec3) -> DVec3 {
    let a = w.length();
    if a < 1e-8 {
        return u + w.cross(u) / 2.0;
    }
    let axis = w / a;
    let along = axis * u.dot(axis);
    let across = u - along;
    along + across * (a.sin() / a) + axis.cross(across) * ((1.0 - a.cos()) / a)
}

/// What the formulas give at a vertex.
fn joined(character: &Character, k: f64, of: &[BoneMotion], vertex: usize, p: DVec3) -> DVec3 {
    let limit = MAX_ANGLE_DEGREES.to_radians();
    let (mut w, mut u, mut trail) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
    for pair in character.upward().of(vertex) {
        let (bone, up) = (pair.index as usize, f64::from(pair.weight));
        let arm = p - character.bone_origin(character.rest_pose(), bone);
        let omega = of[bone].angular;
        let speed = omega.cross(arm).length();
        let angle = -(k * speed / character.size()).clamp(-limit, limit);
        let turn = omega.normalize_or_zero() * angle;
        w += turn * up;
        u += turn.cross(arm) * up;
        trail += floppy_t(k, of[bone].linear) * up;
    }
    screw(w, u) + trail
}

fn any_velocities(character: &Character, speed: f64, seed: u64) -> Vec<BoneMotion> {
    let mut random = Random::new(seed);
    let mut vector = || DVec3::from_array([0; 3].map(|_| random.between(-speed, speed)));
    let bone = |_| BoneMotion { linear: vector() * character.size() * 0.2, angular: vector() };
    character.skeleton.bones.iter().map(bone).collect()
}

#[test]
fn joined_turns_are_the_screw_of_the_added_turns() {
    for name in ["tube", "giraffe", "cow"] {
        let character = own::built_in(name).unwrap();
        // The slowest turns are within the series of small angles, the fastest reach the limit.
        for (seed, speed, k) in [(1, 3.0, 0.3), (2, 2.0, -0.4), (3, 0.004, 0.3), (4, 40.0, 0.2)] {
            let program = floppy("joined", k);
            let of = any_velocities(&character, speed, seed);
            let found = interpreted(&program, &character, &of);
            let mut worst: f64 = 0.0;
            for (vertex, p) in exact_rest(&character).into_iter().enumerate() {
                let expected = p + joined(&character, k, &of, vertex, p);
                worst = worst.max((found[vertex] - expected).length() / character.size());
            }
            println!("{name} at {speed} rad/s: {worst:.1e} of the size from the formulas");
            assert!(worst < 1e-9, "{name} {speed}: {worst:e}");
            with_moment(&program, &character, &of, |bound, moment| {
                agreed(&program, bound, &moment);
            });
        }
    }
}

/// One bone that moves all of a vertex: eq. 17 itself, and so the same as separate turns.
#[test]
fn one_bone_turns_as_in_the_paper() {
    let character = own::built_in("tube").unwrap();
    for k in [0.35, -0.35] {
        let mut of = vec![BoneMotion::ZERO; character.skeleton.bones.len()];
        of[0] =
            BoneMotion { linear: DVec3::new(0.4, -0.2, 0.1), angular: DVec3::new(0.7, 1.1, -2.0) };
        let found = interpreted(&floppy("joined", k), &character, &of);
        let separate = interpreted(&floppy("separate", k), &character, &of);
        let origin = character.bone_origin(character.rest_pose(), 0);
        for (vertex, p) in exact_rest(&character).into_iter().enumerate() {
            // Weights in single precision need not add up to 1.
            let up = f64::from(character.upward().of(vertex)[0].weight);
            if (up - 1.0).abs() > 1e-12 {
                continue;
            }
            let limit = MAX_ANGLE_DEGREES.to_radians();
            let bent = floppy_r(k / character.size(), p, origin, of[0].angular, limit);
            let expected = p + bent + floppy_t(k, of[0].linear);
            assert!((found[vertex] - expected).length() < 1e-12, "{vertex}");
            assert!((found[vertex] - separate[vertex]).length() < 1e-12, "{vertex}");
        }
    }
}

/// How long edges are, of those among the chosen vertices, as a part of what they were: sorted.
fn edge_ratios(
    character: &Character,
    before: &[Vec3],
    after: &[Vec3],
    chosen: impl Fn(usize) -> bool,
) -> Vec<f64> {
    let mut ratios = Vec::new();
    for corners in &character.mesh.triangles {
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let (a, b) = (corners[a] as usize, corners[b] as usize);
            if chosen(a) && chosen(b) {
                let ratio = (after[a] - after[b]).length() / (before[a] - before[b]).length();
                ratios.push(f64::from(ratio));
            }
        }
    }
    ratios.sort_by(f64::total_cmp);
    ratios
}

fn part(sorted: &[f64], part: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * part) as usize]
}

/// The case of Fig. 14: bones of one neck that turn against each other.
#[test]
fn turns_against_each_other_leave_a_neck_as_long_as_it_was() {
    let character = own::built_in("giraffe").unwrap();
    let bone = |name: &str| character.skeleton.bone_named(name).unwrap();
    let mut of = vec![BoneMotion::ZERO; character.skeleton.bones.len()];
    of[bone("Neck.1")].angular = DVec3::new(4.5, 0.0, 0.0);
    of[bone("Neck.3")].angular = DVec3::new(-8.0, 0.0, 0.0);
    let of_neck = |vertex: usize| {
        let up = |name: &str| {
            let index = bone(name) as u32;
            let found = character.upward().of(vertex).iter().find(|pair| pair.index == index);
            found.map_or(0.0, |pair| pair.weight)
        };
        up("Neck.4") > 0.99
    };
    let plain = &character.rest().positions;
    let mut medians = Vec::new();
    for turns in ["separate", "joined"] {
        let program = floppy(turns, 0.2);
        let deformed = with_moment(&program, &character, &of, |bound, moment| {
            Vm::default().deform(&program, bound, &moment).unwrap().positions
        });
        let ratios = edge_ratios(&character, plain, &deformed, of_neck);
        let (low, median) = (part(&ratios, 0.05), part(&ratios, 0.5));
        println!("{turns} turns: edges {low:.3} (5th percentile), {median:.3} (median)");
        medians.push(median);
    }
    assert!(medians[0] < 0.9, "separate turns no longer squeeze: {}", medians[0]);
    assert!((medians[1] - 1.0).abs() < 0.02, "joined turns: {}", medians[1]);
}

fn with_joined_turns(document: &Document) -> Document {
    let mut document = document.clone();
    for node in document.style.graph.nodes.values_mut() {
        if node.node_type == "Floppy" {
            node.settings.insert("turns".to_owned(), Setting::Text("joined".to_owned()));
        }
    }
    document
}

/// The giraffe of the gallery, whose velocities oscillate: the worst frame of its nod.
#[test]
fn an_oscillating_giraffe_keeps_its_edges() {
    let separate = built_in_style("oscillation").unwrap();
    let mut worst = Vec::new();
    for document in [&separate, &with_joined_turns(&separate)] {
        let character = own::built_in("giraffe").unwrap();
        let settings = document.characters["giraffe"].clone();
        let scene = Scene::new(document, character, &settings);
        let neck = scene.character.skeleton.bone_named("Neck.1").unwrap() as u32;
        let of_neck = |vertex: usize| {
            let mut pairs = scene.character.upward().of(vertex).iter();
            pairs.any(|pair| pair.index == neck && pair.weight > 0.99)
        };
        let mut largest: f64 = 0.0;
        let duration_secs = scene.clip.duration_secs();
        let times: Vec<f64> = (0..48).map(|i| duration_secs * f64::from(i) / 48.0).collect();
        for moment in scene.moments(&times) {
            let deformed = Vm::default().deform(&scene.program, &scene.bound, &moment).unwrap();
            let (before, after) = (&deformed.skinned.positions, &deformed.positions);
            let ratios = edge_ratios(&scene.character, before, after, of_neck);
            largest = largest.max(part(&ratios, 0.5));
        }
        worst.push(largest);
    }
    println!("edges of the neck in the worst frame, median: {:.3} → {:.3}", worst[0], worst[1]);
    assert!(worst[1] < 1.06 && worst[0] > worst[1] + 0.1, "{worst:?}");
}
