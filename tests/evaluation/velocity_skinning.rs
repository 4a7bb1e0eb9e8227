//! The compiled `velocity-skinning` graph against the expected values, and the laws of its nodes.

use crate::support::evaluators::agreed;
use crate::support::golden::{Golden, floats, vectors, worst};
use crate::support::oracle::{Around, Rig, floppy_r, floppy_t, squash_r, squash_t};
use crate::support::random::Random;
use glam::{DQuat, DVec3};
use jounce::compile::compile;
use jounce::eval::{
    BoneNumbers, Bound, ConstantMotion, Interpreter, Moment, Neighbours, Pairs, Parameters,
    Skinning,
};
use jounce::graph::{Document, Node};
use jounce::ir::{MapSource, Number, Program, WeightKind};
use jounce::motion::BoneMotion;
use jounce::script::{Library, Setting};

fn example(name: &str) -> Document {
    let path = format!("{}/examples/{name}.jounce", env!("CARGO_MANIFEST_DIR"));
    Document::load(path).unwrap().document
}

fn program(document: &Document) -> Program {
    let compiled = compile(&document.style, &Library::built_in());
    assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
    compiled.program
}

/// Everything a program of the paper's nodes reads, from a rig in f64.
fn bind(program: &Program, rig: &Rig, k_floppy: &[f64], size: f64) -> Bound {
    let upward = rig.upward();
    let mut pairs = Pairs { offsets: vec![0], bones: Vec::new() };
    let mut weights = vec![Vec::new(); program.tables.columns.len()];
    for up in &upward {
        for (bone, weight) in up.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
            pairs.bones.push(bone as u32);
            for (column, weights) in program.tables.columns.iter().zip(&mut weights) {
                assert_eq!(column.kind, WeightKind::Upward);
                weights.push(*weight);
            }
        }
        pairs.offsets.push(pairs.bones.len() as u32);
    }
    let bones = rig.parents.len();
    let maps = program.tables.maps.iter().map(|map| match &map.source {
        MapSource::Named(name) if name == "k" => Some(k_floppy.to_vec().into()),
        other => panic!("unexpected map {other:?}"),
    });
    let numbers = |parent: &Option<usize>| BoneNumbers {
        is_root: f64::from(u8::from(parent.is_none())),
        ..BoneNumbers::default()
    };
    Bound {
        flesh: Vec::new(),
        anchors: Default::default(),
        bone_names: (0..bones).map(|bone| bone.to_string()).collect(),
        bone_numbers: rig.parents.iter().map(numbers).collect(),
        bone_tables: Vec::new(),
        bone_sets: Vec::new(),
        rest_positions: rig.rest.clone().into(),
        rest_normals: vec![DVec3::Y; rig.rest.len()].into(),
        maps: maps.collect(),
        pairs: pairs.into(),
        weights: weights.into(),
        centroid_offsets: Vec::new(),
        size,
        ground_height: 0.0,
        height: 1.0,
        skin: None,
        neighbours: Neighbours::default().into(),
        warnings: Vec::new(),
    }
}

fn run(
    program: &Program,
    bound: &Bound,
    rig: &Rig,
    base: &[DVec3],
    centroids: &[DVec3],
    parameters: Parameters,
) -> Vec<DVec3> {
    run_braking(program, bound, rig, base, centroids, parameters, DVec3::ZERO)
}

/// The same with an acceleration of all bones.
fn run_braking(
    program: &Program,
    bound: &Bound,
    rig: &Rig,
    base: &[DVec3],
    centroids: &[DVec3],
    parameters: Parameters,
    acceleration: DVec3,
) -> Vec<DVec3> {
    let velocities = rig.v.iter().zip(&rig.omega);
    let velocities = velocities.map(|(v, w)| BoneMotion { linear: *v, angular: *w }).collect();
    let mut motion = ConstantMotion::steady(velocities);
    motion.accelerations.iter_mut().for_each(|motion| motion.linear = acceleration);
    let bones = rig.parents.len();
    let moment = Moment {
        time_secs: 0.0,
        parameters,
        motion: &motion,
        bone_origins: (0..bones).map(|bone| rig.joint(bone)).collect(),
        bone_rotations: vec![DQuat::IDENTITY; bones],
        bone_parent_rotations: vec![DQuat::IDENTITY; bones],
        bone_centroids: centroids.to_vec(),
        bone_exact_centroids: centroids.to_vec(),
        snapshot: Default::default(),
        skinning: Skinning::Given { positions: base.to_vec(), normals: vec![DVec3::Y; base.len()] },
    };
    agreed(program, bound, &moment);
    Interpreter::positions(program, bound, &moment).unwrap()
}

/// The example with floppiness from a map, so that it can differ from vertex to vertex.
fn per_vertex_floppiness() -> Document {
    let mut document = example("velocity-skinning");
    let mut map = Node::new("Map");
    map.settings.insert("source".to_owned(), Setting::Text("painted".to_owned()));
    map.settings.insert("name".to_owned(), Setting::Text("k".to_owned()));
    document.style.graph.nodes.insert("floppy".to_owned(), map);
    document
}

fn set(program: &Program, settings: &[(&str, f64)]) -> Parameters {
    let mut parameters = Parameters::new(program);
    for (name, value) in settings {
        parameters.set(program, name, Number::Float(*value)).unwrap();
    }
    parameters
}

#[test]
fn the_graph_gives_the_expected_values_of_every_variant_that_is_ours() {
    let with_map = per_vertex_floppiness();
    let mut around_centroid = with_map.clone();
    let around = ("around centroid".to_owned(), Setting::Float(1.0));
    around_centroid.style.graph.nodes.get_mut("stretch").unwrap().settings.extend([around]);
    for mut golden in Golden::all() {
        let threshold = golden.number("/velocity/threshold");
        let rig = &mut golden.rig;
        for (v, omega) in rig.v.iter_mut().zip(&mut rig.omega) {
            if v.length() <= threshold && omega.length() <= threshold {
                (*v, *omega) = (DVec3::ZERO, DVec3::ZERO);
            }
        }
        let rig = &golden.rig;
        let k_floppy = floats(&golden.json["params"]["k_floppy_per_vertex"]);
        let k_squash = golden.number("/params/k_squash");
        let (lbs, dqs) = (rig.lbs(), rig.dqs());
        let centroids = vectors(&golden.json["centroids"]["upward_triangle"]);
        let dqs_centroids = vectors(&golden.json["centroids"]["dqs_upward_triangle"]);
        // (variant, floppy move, turn, max angle, squash move, turn)
        let variants = [
            ("floppy_t", [1.0, 0.0, 180.0, 0.0, 0.0]),
            ("floppy_r", [0.0, 1.0, 180.0, 0.0, 0.0]),
            ("floppy_r_max45", [0.0, 1.0, 45.0, 0.0, 0.0]),
            ("squash_t", [0.0, 0.0, 180.0, 1.0, 0.0]),
            ("squash_r", [0.0, 0.0, 180.0, 0.0, 1.0]),
            ("squash_r_centroid", [0.0, 0.0, 180.0, 0.0, 1.0]),
            ("all", [1.0, 1.0, 180.0, 1.0, 1.0]),
            ("dqs_all", [1.0, 1.0, 180.0, 1.0, 1.0]),
        ];
        for (name, [floppy_move, floppy_turn, max_angle, squash_move, squash_turn]) in variants {
            let is_around = name == "squash_r_centroid";
            let program = program(if is_around { &around_centroid } else { &with_map });
            let parameters = set(
                &program,
                &[
                    ("max angle", max_angle),
                    ("squash", k_squash),
                    ("trail.move", floppy_move),
                    ("trail.turn", floppy_turn),
                    ("stretch.move", squash_move),
                    ("stretch.turn", squash_turn),
                ],
            );
            let bound = bind(&program, rig, &k_floppy, 1.0);
            let (base, centroids) = match name {
                "dqs_all" => (&dqs, &dqs_centroids),
                _ => (&lbs, &centroids),
            };
            let found = run(&program, &bound, rig, base, centroids, parameters);
            let difference = golden.difference(&found, name);
            println!("{} {name}: {difference:.1e}", golden.json["name"]);
            assert!(difference < 1e-9, "{} {name}: {difference:e}", golden.json["name"]);
        }
    }
}

/// One bone at the origin, its centroid at (0.3, 1, 0.2), and some points around.
fn lone_bone(points: Vec<DVec3>, v: DVec3, omega: DVec3) -> Rig {
    Rig {
        triangles: Vec::new(),
        skin: vec![vec![(0, 1.0)]; points.len()],
        rest: points,
        parents: vec![None],
        scene_from_bone: vec![glam::DAffine3::IDENTITY],
        bone_from_bind: vec![glam::DAffine3::IDENTITY],
        omega: vec![omega],
        v: vec![v],
    }
}

const CENTROID: DVec3 = DVec3::new(0.3, 1.0, 0.2);

fn deform_lone_bone(rig: &Rig, settings: &[(&str, f64)], size: f64) -> Vec<DVec3> {
    let program = program(&example("velocity-skinning"));
    let bound = bind(&program, rig, &[], size);
    run(&program, &bound, rig, &rig.rest, &[CENTROID], set(&program, settings))
}

const NASTY: [f64; 11] = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-9, -1e-9, 1e-30, 4e-310, 1e6, -1e12];

/// Zeros, parallel and on-axis vectors, tiny, huge and denormal numbers.
fn nasty_vectors(random: &mut Random, count: usize) -> Vec<DVec3> {
    let mut vectors = vec![DVec3::ZERO, DVec3::X, DVec3::Y, -DVec3::Y, CENTROID, CENTROID * 2.0];
    while vectors.len() < count {
        let mut one = || match random.below(3) {
            0 => NASTY[random.below(NASTY.len())],
            _ => random.between(-2.0, 2.0),
        };
        vectors.push(DVec3::new(one(), one(), one()));
    }
    vectors
}

#[test]
fn floppy_and_squash_agree_with_the_oracle_on_nasty_input() {
    let mut random = Random::new(7);
    let points = nasty_vectors(&mut random, 60);
    let mut compared = 0;
    for v in nasty_vectors(&mut random, 16) {
        for omega in nasty_vectors(&mut random, 16) {
            for k in [0.0, 0.2, -0.3, 1e3, -1e9] {
                let rig = lone_bone(points.clone(), v, omega);
                let settings = [("floppy", k), ("squash", k), ("max angle", 45.0)];
                let found = deform_lone_bone(&rig, &settings, 1.0);
                for (p, found) in points.iter().zip(found) {
                    assert!(found.is_finite(), "v {v} ω {omega} k {k} p {p}: {found}");
                    let sane = [*p, v, omega].iter().all(|x| x.length() < 10.0);
                    if !sane || k.abs() > 1.0 {
                        continue;
                    }
                    let expected = *p
                        + floppy_t(k, v)
                        + floppy_r(k, *p, DVec3::ZERO, omega, std::f64::consts::FRAC_PI_4)
                        + squash_t(k, *p, CENTROID, v)
                        + squash_r(k, *p, DVec3::ZERO, CENTROID, omega, Around::Axis);
                    // Directions of speeds below 1e-10 are none: there a stretch may be missing.
                    let difference = (found - expected).abs().max_element();
                    assert!(difference < 1e-8, "v {v} ω {omega} k {k} p {p}: {found} {expected}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 5_000, "{compared}");
}

/// det of x ↦ deformed(x), by central differences.
fn volume_scale(rig_at: impl Fn(Vec<DVec3>) -> Vec<DVec3>, at: DVec3) -> f64 {
    let h = 1e-4;
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let points = axes.iter().flat_map(|axis| [at + *axis * h, at - *axis * h]).collect();
    let moved = rig_at(points);
    let column = |i: usize| (moved[2 * i] - moved[2 * i + 1]) / (2.0 * h);
    column(0).dot(column(1).cross(column(2)))
}

#[test]
fn squash_keeps_the_volume() {
    let mut random = Random::new(3);
    let mut vector = || DVec3::from_array([0; 3].map(|_| random.between(-1.0, 1.0)));
    for _ in 0..50 {
        let (v, at) = (vector() * 3.0, vector());
        let deform = |points: Vec<DVec3>| {
            let rig = lone_bone(points, v, DVec3::ZERO);
            deform_lone_bone(&rig, &[("squash", 0.3), ("floppy", 0.0)], 1.0)
        };
        let volume = volume_scale(deform, at);
        assert!((volume - 1.0).abs() < 1e-6, "travelling: {volume}");
        // The stretch of a turning bone differs from vertex to vertex; the map of each vertex's own
        // stretch keeps the volume: s and 1/(1 + s) across, nothing along.
        let omega = vector() * 3.0;
        let rig = lone_bone(vec![at], DVec3::ZERO, omega);
        let moved = deform_lone_bone(&rig, &[("squash", 0.3), ("floppy", 0.0)], 1.0)[0] - at;
        let m = CENTROID.normalize();
        let (e, q) = (m.cross(omega).normalize(), m.cross(m.cross(omega)).normalize());
        assert!(moved.dot(m).abs() < 1e-12);
        if at.dot(e).abs() > 1e-3 && at.dot(q).abs() > 1e-3 {
            let product = (1.0 + moved.dot(e) / at.dot(e)) * (1.0 + moved.dot(q) / at.dot(q));
            assert!((product - 1.0).abs() < 1e-9, "turning: {product}");
        }
    }
}

#[test]
fn floppy_keeps_lengths_about_a_turning_bone() {
    let mut random = Random::new(5);
    for _ in 0..200 {
        let mut vector = || DVec3::from_array([0; 3].map(|_| random.between(-2.0, 2.0)));
        let (at, omega) = (vector(), vector() * 2.0);
        let rig = lone_bone(vec![at], DVec3::ZERO, omega);
        let settings = [("floppy", 0.4), ("squash", 0.0), ("max angle", 180.0)];
        let moved = deform_lone_bone(&rig, &settings, 1.0)[0];
        assert!((moved.length() - at.length()).abs() < 1e-12);
        assert!((moved - at).dot(omega).abs() < 1e-12);
    }
}

#[test]
fn scaling_a_character_scales_the_result_and_nothing_else() {
    let mut random = Random::new(11);
    let mut vector = || DVec3::from_array([0; 3].map(|_| random.between(-1.0, 1.0)));
    let points: Vec<DVec3> = (0..100).map(|_| vector()).collect();
    let (v, omega) = (vector(), vector() * 3.0);
    let settings = [("floppy", 0.3), ("squash", 0.2), ("max angle", 30.0)];
    let program = program(&example("velocity-skinning"));
    let at_scale = |scale: f64| {
        let scaled = points.iter().map(|p| *p * scale).collect();
        let rig = lone_bone(scaled, v * scale, omega);
        let bound = bind(&program, &rig, &[], 2.0 * scale);
        let parameters = set(&program, &settings);
        let found = run(&program, &bound, &rig, &rig.rest, &[CENTROID * scale], parameters);
        found.into_iter().map(|p| p / scale).collect::<Vec<_>>()
    };
    let one = at_scale(1.0);
    for scale in [0.01, 100.0] {
        assert!(worst(&at_scale(scale), &one) < 1e-12);
    }
}

/// Squash T with s given: (1 + s) along v, 1/√(1 + s) across, about c.
fn stretched(p: DVec3, c: DVec3, v: DVec3, s: f64) -> DVec3 {
    let s = s.max(-0.8);
    let (along, reach) = (v.normalize(), p - c);
    let par = along * reach.dot(along);
    par * s + (reach - par) * (1.0 / (1.0 + s).sqrt() - 1.0)
}

#[test]
fn squash_knows_impact_pivot_axis_and_offset() {
    let mut random = Random::new(23);
    let mut vector = || DVec3::from_array([0; 3].map(|_| random.between(-1.0, 1.0)));
    let points: Vec<DVec3> = (0..40).map(|_| vector()).collect();
    let (v, omega, size) = (vector(), vector() * 2.0, 2.0);
    let document = example("velocity-skinning");
    let only_squash = [("floppy", 0.0), ("squash", 0.3)];
    let deform = |document: &Document, rig: &Rig, more: &[(&str, Number)], braking: DVec3| {
        let program = program(document);
        let bound = bind(&program, rig, &[], size);
        let mut parameters = set(&program, &only_squash);
        for (name, value) in more {
            parameters.set(&program, name, *value).unwrap();
        }
        run_braking(&program, &bound, rig, &rig.rest, &[CENTROID], parameters, braking)
    };
    let compare = |found: Vec<DVec3>, expected: &dyn Fn(DVec3) -> DVec3, what: &str| {
        let expected: Vec<DVec3> = points.iter().map(|p| *p + expected(*p)).collect();
        assert!(worst(&found, &expected) < 1e-12, "{what}: {}", worst(&found, &expected));
    };
    let travelling = lone_bone(points.clone(), v, DVec3::ZERO);
    let turning = lone_bone(points.clone(), DVec3::ZERO, omega);

    // s = k|v|/ℓ − k_i max(0, −a·v̂)/ℓ: braking compresses, speeding up does nothing more.
    let impact = [("stretch.impact", Number::Float(0.2))];
    for (braking, part) in
        [(-v * 3.0, 3.0 * v.length()), (v * 3.0, 0.0), (-v * 1e3, 1e3 * v.length())]
    {
        let s = (0.3 * v.length() - 0.2 * part) / size;
        let found = deform(&document, &travelling, &impact, braking);
        compare(found, &|p| stretched(p, CENTROID, v, s), "impact");
    }
    // The ground point under the centroid stays where it is.
    let mut grounded = document.clone();
    let pivot = ("pivot".to_owned(), Setting::Text("ground".to_owned()));
    grounded.style.graph.nodes.get_mut("stretch").unwrap().settings.extend([pivot]);
    let ground = DVec3::new(CENTROID.x, 0.0, CENTROID.z);
    let s = 0.3 * v.length() / size;
    let found = deform(&grounded, &travelling, &[], DVec3::ZERO);
    compare(found, &|p| stretched(p, ground, v, s), "ground");
    // An offset moves the centroid; the bone is not turned here.
    let offset = DVec3::new(0.4, -0.3, 0.1);
    let moved = [("stretch.centroid offset", Number::Vec3(offset))];
    let found = deform(&document, &travelling, &moved, DVec3::ZERO);
    compare(found, &|p| stretched(p, CENTROID + offset, v, s), "offset");
    let found = deform(&document, &turning, &moved, DVec3::ZERO);
    let about = |c: DVec3| move |p| squash_r(0.3 / size, p, DVec3::ZERO, c, omega, Around::Axis);
    compare(found, &about(CENTROID + offset), "axis through the offset centroid");
    // An axis of its own: as if the centroid stood there.
    let axis = DVec3::new(0.2, 0.1, 3.0);
    let given = [("stretch.axis", Number::Vec3(axis))];
    let found = deform(&document, &turning, &given, DVec3::ZERO);
    compare(found, &about(axis), "axis");
    // The longest stretch is a limit.
    let limit =
        [("stretch.max stretch", Number::Float(1.05)), ("stretch.squashiness", Number::Float(9.0))];
    let mut direct = document.clone();
    direct.style.graph.links.retain(|link| link.to.port != "squashiness");
    let found = deform_direct(&direct, &travelling, &limit, size);
    compare(found, &|p| stretched(p, CENTROID, v, 0.05), "limit");
}

/// Without the sliders of the example.
fn deform_direct(
    document: &Document,
    rig: &Rig,
    settings: &[(&str, Number)],
    size: f64,
) -> Vec<DVec3> {
    let program = program(document);
    let bound = bind(&program, rig, &[], size);
    let mut parameters = set(&program, &[("floppy", 0.0)]);
    for (name, value) in settings {
        parameters.set(&program, name, *value).unwrap();
    }
    run(&program, &bound, rig, &rig.rest, &[CENTROID], parameters)
}
