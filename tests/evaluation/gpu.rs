//! The GPU evaluator: the same positions as the CPU, without compiling again, without panics.
#![cfg(feature = "gpu")]

use crate::support::gpu_or_skip;
use crate::support::scene::{Scene, examples, farthest};
use crate::support::shared::shared;
use glam::Vec3;
use jounce::eval::{EvalError, Evaluator, Interpreter, Moment, Parameters, Skinning, normals};
use jounce::gpu::eval::{GpuEvaluator, NormalsOnGpu, skinning_kind};
use jounce::gpu::{Gpu, GpuError, adapters, wgpu};
use jounce::ir::Number;
use jounce::rig::{Base, load, own};
use std::slice::from_ref;

/// What the issue of one suite for all evaluators allows, as a part of the size.
const TOLERANCE: f64 = 1e-5;

/// The largest difference to the interpreter over the clip, as a part of the size.
fn against_reference(gpu: &mut GpuEvaluator, scene: &Scene) -> f64 {
    let times = (0..4).map(|i| scene.clip.duration_secs() * (0.1 + f64::from(i) / 4.0));
    let differences = times.map(|time_secs| {
        scene.with_moment(time_secs, |moment| {
            let expected = Interpreter.deform(&scene.program, &scene.bound, moment).unwrap();
            let found = gpu.deform(&scene.program, &scene.bound, moment).unwrap();
            let of_skin = farthest(&found.skinned.positions, &expected.skinned.positions);
            let of_normals = farthest(&found.skinned.normals, &expected.skinned.normals);
            assert!(of_normals < 1e-4, "normals differ by {of_normals}");
            farthest(&found.positions, &expected.positions).max(of_skin)
        })
    });
    differences.fold(0.0, f64::max) / scene.bound.size
}

#[test]
fn every_example_is_the_same_on_the_gpu() {
    let Some(gpu) = gpu_or_skip() else { return };
    let mut evaluator = GpuEvaluator::new(&gpu);
    for file in examples() {
        let difference = against_reference(&mut evaluator, &Scene::example(&file));
        println!("{}: {difference:.1e}", file.display());
        assert!(difference < TOLERANCE, "{}: {difference:e}", file.display());
    }
}

#[test]
fn dual_quaternions_morphs_and_real_characters_are_the_same_on_the_gpu() {
    let Some(gpu) = gpu_or_skip() else { return };
    let mut evaluator = GpuEvaluator::new(&gpu);
    for name in own::names() {
        let mut scene = Scene::style("velocity-skinning", own::built_in(name).unwrap());
        scene.base = Some(Base::Dqs);
        let difference = against_reference(&mut evaluator, &scene);
        assert!(difference < TOLERANCE, "{name}: {difference:e}");
    }
    for file in ["Fox.glb", "CesiumMan.glb", "RobotExpressive.glb", "marine.glb", "bird.glb"] {
        let Some(path) = shared(&format!("characters/{file}")) else { continue };
        for base in [Base::Lbs, Base::Dqs] {
            let mut scene = Scene::style("default", load::load_file(&path).unwrap());
            scene.base = Some(base);
            let difference = against_reference(&mut evaluator, &scene);
            println!("{file} {}: {difference:.1e}", base.name());
            assert!(difference < TOLERANCE, "{file}: {difference:e}");
        }
    }
}

#[test]
fn many_instances_are_each_as_if_alone() {
    let Some(gpu) = gpu_or_skip() else { return };
    let mut evaluator = GpuEvaluator::new(&gpu);
    let scene = Scene::style("velocity-skinning", own::built_in("giraffe").unwrap());
    let times: Vec<f64> = (0..5).map(|i| 0.13 * f64::from(i)).collect();
    let alone: Vec<_> = times
        .iter()
        .map(|&t| {
            scene.with_moment(t, |m| evaluator.deform(&scene.program, &scene.bound, m).unwrap())
        })
        .collect();
    let moments = scene.moments(&times);
    let kind = skinning_kind(&moments[0]);
    let mut prepared = evaluator.prepare(&scene.program, &scene.bound, kind).unwrap();
    prepared.run(&scene.bound, &moments).unwrap();
    assert_eq!(alone, prepared.read().unwrap());
}

#[test]
fn sliders_poses_and_characters_never_compile_again() {
    let Some(gpu) = gpu_or_skip() else { return };
    let mut evaluator = GpuEvaluator::new(&gpu);
    let mut scene = Scene::style("velocity-skinning", own::built_in("cow").unwrap());
    let before =
        scene.with_moment(0.3, |m| evaluator.deform(&scene.program, &scene.bound, m).unwrap());
    scene.parameters = Parameters::new(&scene.program);
    scene.parameters.set(&scene.program, "floppy", Number::Float(0.9)).unwrap();
    let after =
        scene.with_moment(0.3, |m| evaluator.deform(&scene.program, &scene.bound, m).unwrap());
    assert_ne!(before, after);
    let other = Scene::style("velocity-skinning", own::built_in("bird").unwrap());
    other.with_moment(0.2, |m| evaluator.deform(&other.program, &other.bound, m).unwrap());
    assert_eq!(evaluator.pipeline_count(), 1);
}

#[test]
fn normals_made_on_the_gpu_are_those_of_the_cpu() {
    let Some(gpu) = gpu_or_skip() else { return };
    let mut evaluator = GpuEvaluator::new(&gpu);
    for name in ["cow", "dragon", "tube"] {
        let scene = Scene::style("velocity-skinning", own::built_in(name).unwrap());
        let surface = scene.character.surface();
        let triangles = &scene.character.mesh.triangles;
        scene.with_moment(0.3, |moment| {
            let kind = skinning_kind(moment);
            let mut prepared = evaluator.prepare(&scene.program, &scene.bound, kind).unwrap();
            let mut on_gpu = NormalsOnGpu::new(&gpu, &surface.smooth, triangles).unwrap();
            on_gpu.run(prepared.run(&scene.bound, from_ref(moment)).unwrap()).unwrap();
            let found = on_gpu.read().unwrap();
            let deformed = prepared.read().unwrap().pop().unwrap();
            let expected =
                normals::deformed_normals(&scene.character, &deformed.skinned, &deformed.positions);
            let angle = farthest(&found, &expected);
            assert!(angle < 2e-3, "{name}: {angle}");
        });
    }
}

#[test]
fn absurd_input_is_refused_and_a_given_skin_is_taken() {
    let Some(gpu) = gpu_or_skip() else { return };
    let mut evaluator = GpuEvaluator::new(&gpu);
    let scene = Scene::style("velocity-skinning", own::built_in("tube").unwrap());
    scene.with_moment(0.3, |moment| {
        let deformed = Interpreter.deform(&scene.program, &scene.bound, moment).unwrap();
        let in_f64 = |list: &[Vec3]| list.iter().map(|v| v.as_dvec3()).collect();
        let given = Skinning::Given {
            positions: in_f64(&deformed.skinned.positions),
            normals: in_f64(&deformed.skinned.normals),
        };
        let mut changed = scene.with_moment(0.3, |m| Moment {
            motion: moment.motion,
            parameters: m.parameters.clone(),
            bone_origins: m.bone_origins.clone(),
            bone_rotations: m.bone_rotations.clone(),
            bone_parent_rotations: m.bone_parent_rotations.clone(),
            bone_centroids: m.bone_centroids.clone(),
            bone_exact_centroids: m.bone_exact_centroids.clone(),
            snapshot: m.snapshot.clone(),
            skinning: given,
            time_secs: m.time_secs,
        });
        let found = evaluator.deform(&scene.program, &scene.bound, &changed).unwrap();
        let difference = farthest(&found.positions, &deformed.positions);
        assert!(difference / scene.bound.size < TOLERANCE);
        changed.bone_origins[0].x = f64::NAN;
        let error = evaluator.deform(&scene.program, &scene.bound, &changed).unwrap_err();
        assert!(matches!(error, EvalError::Bone { .. }), "{error}");
    });
}

#[test]
fn a_lost_device_and_an_unknown_adapter_are_sentences() {
    let Some(gpu) = gpu_or_skip() else { return };
    let scene = Scene::style("velocity-skinning", own::built_in("tube").unwrap());
    let mut evaluator = GpuEvaluator::new(&gpu);
    gpu.device.destroy();
    let _ = gpu.device.poll(wgpu::PollType::wait_indefinitely());
    let lost = scene.with_moment(0.1, |m| evaluator.deform(&scene.program, &scene.bound, m));
    assert!(matches!(gpu.check_alive(), Err(GpuError::Lost { .. })));
    assert!(matches!(&lost, Err(EvalError::Device(why)) if why.contains("was lost")), "{lost:?}");
    assert!(lost.unwrap_err().to_string().contains("use the CPU"));
    let unknown = Gpu::named("no such adapter").unwrap_err();
    assert!(matches!(unknown, GpuError::NoSuchAdapter { .. }), "{unknown}");
    let all = adapters();
    assert_eq!(all.iter().filter(|adapter| adapter.is_default).count(), 1, "{all:?}");
    assert!(Gpu::named("0").is_ok());
}

/// Every operation of the IR, as scripts reach it; arguments are called a, b (floats) and v, w.
const OPERATIONS: [&str; 34] = [
    "a + b",
    "a - b",
    "a * b",
    "a / b",
    "-a",
    "abs(a)",
    "floor(a)",
    "fract(a)",
    "round(a)",
    "sqrt(a)",
    "sin(a)",
    "cos(a)",
    "tan(a * 0.01)",
    "exp(a)",
    "log(a)",
    "pow(a, b)",
    "atan2(a, b)",
    "asin(a)",
    "min(a, b)",
    "max(a, b)",
    "clamp(a, -1.0, b)",
    "mod(a, 3.0)",
    "sign(a)",
    "if a < b && !(a == 0.0) || b <= -5.0 { a } else { b }",
    "smoothstep(-1.0, b, a)",
    "v + w * a",
    "v / b",
    "v / w",
    "cross(v, w)",
    "dot(v, w)",
    "normalize(v)",
    "length(v) + distance(v, w)",
    "rotate(v, w, a)",
    "vec3(noise(v), noise(a), noise3(w).y)",
];

/// Numbers of everyday size, and nasty ones.
fn rows() -> Vec<Vec<f64>> {
    let mut random = crate::support::random::Random(7);
    let nasty = [0.0, -0.0, 1.0, -1.0, 1e-30, 1e12, -1e12, 1e6, -3e-7, 0.5, 1e-12, 42.0];
    let everyday = |random: &mut crate::support::random::Random| {
        random.below(1 << 24) as f64 / f64::from(1 << 21) - 4.0
    };
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for row in 0..1500 {
        let number = |i: usize| match row % 3 {
            0 => nasty[random.below(nasty.len())],
            1 if i.is_multiple_of(2) => nasty[random.below(nasty.len())],
            _ => everyday(&mut random),
        };
        rows.push((0..8).map(number).collect());
    }
    rows
}

#[test]
fn every_operation_is_the_same_on_the_gpu() {
    use crate::support::conformance::{PLAIN, program_of_maps, run_on, script};
    use jounce::ir::Type::{Float, Vec3};
    let Some(gpu) = gpu_or_skip() else { return };
    let mut evaluator = GpuEvaluator::new(&gpu);
    let inputs = [("a", Float), ("b", Float), ("v", Vec3), ("w", Vec3)];
    let rows = rows();
    let mut worst = 0.0_f64;
    for body in OPERATIONS {
        let node = script("", &inputs, body).unwrap_or_else(|error| panic!("{body}: {error}"));
        let program = program_of_maps(&node, &inputs);
        let expected = run_on(&mut Interpreter, &program, &rows);
        let found = run_on(&mut evaluator, &program, &rows);
        for ((row, expected), found) in rows.iter().zip(&expected).zip(&found) {
            assert!(found.is_finite(), "{body} of {row:?} is {found}");
            // Absurd numbers may go either way in single precision, everyday ones may not.
            let is_everyday = row.iter().all(|x| *x == 0.0 || (1e-3..1e2).contains(&x.abs()));
            if !is_everyday || *expected == PLAIN {
                continue;
            }
            // What cancels is as exact as its largest part.
            let scale = row.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
            let scale = expected.abs().max_element().max(scale);
            let difference = (*expected - *found).abs().max_element() / scale;
            worst = worst.max(difference);
            assert!(difference < 1e-5, "{body} of {row:?}: {found}, not {expected}");
        }
    }
    println!("{} operations, {} rows each: {worst:.1e} at most", OPERATIONS.len(), rows.len());
}

/// Floppy, smoothed over the surface twice, the second time by a map.
pub fn relaxed_style() -> jounce::graph::Document {
    use jounce::graph::{Link, Node, PortRef, built_in_style};
    use jounce::script::Setting;
    let mut document = built_in_style("floppy").unwrap();
    let graph = &mut document.style.graph;
    let link = |from: (&str, &str), to: (&str, &str)| {
        Link::new(PortRef::new(from.0, from.1), PortRef::new(to.0, to.1))
    };
    graph.links.remove(&link(("trail", "displacement"), ("output", "displacement")));
    let mut again = Node::new("Relax");
    again.settings.insert("passes".to_owned(), Setting::Float(3.0));
    let mut map = Node::new("Map");
    map.settings.insert("source".to_owned(), Setting::Text("softness".to_owned()));
    graph.nodes.insert("once".to_owned(), Node::new("Relax"));
    graph.nodes.insert("again".to_owned(), again);
    graph.nodes.insert("soft".to_owned(), map);
    graph.links.insert(link(("trail", "displacement"), ("once", "displacement")));
    graph.links.insert(link(("once", "displacement"), ("again", "displacement")));
    graph.links.insert(link(("soft", "value"), ("again", "amount")));
    graph.links.insert(link(("again", "displacement"), ("output", "displacement")));
    document
}

#[test]
fn smoothing_over_the_surface_is_the_same_on_the_gpu() {
    let Some(gpu) = gpu_or_skip() else { return };
    let mut evaluator = GpuEvaluator::new(&gpu);
    let settings = Default::default();
    for name in ["cow", "giraffe"] {
        let scene = Scene::new(&relaxed_style(), own::built_in(name).unwrap(), &settings);
        assert!(scene.program.has_relaxations());
        let difference = against_reference(&mut evaluator, &scene);
        println!("{name}: {difference:.1e}");
        assert!(difference < TOLERANCE, "{name}: {difference:e}");
        // Several instances go over the surface together.
        let moments = scene.moments(&[0.1, 0.25, 0.4]);
        let kind = skinning_kind(&moments[0]);
        let mut prepared = evaluator.prepare(&scene.program, &scene.bound, kind).unwrap();
        prepared.run(&scene.bound, &moments).unwrap();
        let together = prepared.read().unwrap();
        for (moment, found) in moments.iter().zip(&together) {
            let alone = evaluator.deform(&scene.program, &scene.bound, moment).unwrap();
            assert_eq!(alone, *found);
        }
    }
}

#[test]
fn more_instances_than_uniforms_hold_are_read_from_storage() {
    let Some(gpu) = gpu_or_skip() else { return };
    let mut evaluator = GpuEvaluator::new(&gpu);
    let scene = Scene::style("velocity-skinning", own::built_in("giraffe").unwrap());
    let times: Vec<f64> = (0..100).map(|i| 0.01 * f64::from(i)).collect();
    let moments = scene.moments(&times);
    let kind = skinning_kind(&moments[0]);
    let mut prepared = evaluator.prepare(&scene.program, &scene.bound, kind).unwrap();
    prepared.run(&scene.bound, &moments).unwrap();
    let many = prepared.read().unwrap();
    prepared.run(&scene.bound, &moments[70..71]).unwrap();
    assert_eq!(prepared.read().unwrap()[0], many[70]);
}

#[test]
fn painting_a_map_changes_what_the_gpu_reads() {
    let Some(gpu) = gpu_or_skip() else { return };
    let mut evaluator = GpuEvaluator::new(&gpu);
    let scene = Scene::new(&relaxed_style(), own::built_in("cow").unwrap(), &Default::default());
    scene.with_moment(0.3, |moment| {
        let kind = skinning_kind(moment);
        let mut prepared = evaluator.prepare(&scene.program, &scene.bound, kind).unwrap();
        prepared.run(&scene.bound, from_ref(moment)).unwrap();
        let before = prepared.read().unwrap();
        let compiled = evaluator.pipeline_count();
        let zeros = vec![0.0; scene.bound.vertex_count()];
        prepared.set_map(0, Some(&zeros)).unwrap();
        prepared.run(&scene.bound, from_ref(moment)).unwrap();
        assert_ne!(before, prepared.read().unwrap());
        let mut painted = scene.bound.clone();
        painted.maps[0] = Some(vec![0.0; scene.bound.vertex_count()].into());
        let expected = Interpreter.deform(&scene.program, &painted, moment).unwrap();
        let found = prepared.read().unwrap().pop().unwrap();
        let difference = farthest(&found.positions, &expected.positions);
        assert!(difference / scene.bound.size < TOLERANCE);
        assert_eq!(evaluator.pipeline_count(), compiled);
        assert!(prepared.set_map(0, Some(&[f64::NAN])).is_err());
        assert!(prepared.set_map(7, None).is_err());
    });
}

#[test]
fn another_characters_data_is_refused() {
    let Some(gpu) = gpu_or_skip() else { return };
    let mut evaluator = GpuEvaluator::new(&gpu);
    let giraffe = Scene::style("velocity-skinning", own::built_in("giraffe").unwrap());
    let tube = Scene::style("velocity-skinning", own::built_in("tube").unwrap());
    let moments = tube.moments(&[0.1]);
    let kind = skinning_kind(&moments[0]);
    let mut prepared = evaluator.prepare(&giraffe.program, &giraffe.bound, kind).unwrap();
    assert!(matches!(prepared.run(&tube.bound, &moments), Err(EvalError::Count { .. })));
    assert!(prepared.read().unwrap().is_empty(), "nothing has run");
    prepared.run(&giraffe.bound, &[]).unwrap();
    assert!(prepared.read().unwrap().is_empty());
    let moments = giraffe.moments(&[0.1]);
    prepared.run(&giraffe.bound, &moments).unwrap();
    assert_eq!(prepared.read().unwrap().len(), 1);
}

#[test]
fn instances_may_be_morphed_differently() {
    let Some(gpu) = gpu_or_skip() else { return };
    let mut evaluator = GpuEvaluator::new(&gpu);
    let scene = Scene::style("velocity-skinning", own::built_in("cow").unwrap());
    let mut moments = scene.moments(&[0.1, 0.1, 0.2]);
    let skin = scene.bound.skin.as_ref().unwrap();
    let Skinning::Posed(posed) = &mut moments[1].skinning else { panic!("posed") };
    posed.morphed = Some(std::sync::Arc::new(jounce::rig::Skinned {
        positions: skin.positions.iter().map(|p| *p * 1.1).collect(),
        normals: skin.normals.clone(),
    }));
    let kind = skinning_kind(&moments[0]);
    let mut prepared = evaluator.prepare(&scene.program, &scene.bound, kind).unwrap();
    prepared.run(&scene.bound, &moments).unwrap();
    for (moment, found) in moments.iter().zip(prepared.read().unwrap()) {
        let expected = Interpreter.deform(&scene.program, &scene.bound, moment).unwrap();
        let difference = farthest(&found.positions, &expected.positions);
        assert!(difference / scene.bound.size < TOLERANCE, "{difference:e}");
    }
}

/// Weights that no mask can make are stored in rows as long as a block, which may have many groups.
#[test]
fn pruned_weights_are_read_in_every_group_of_a_block() {
    use jounce::graph::{Link, Node, PortRef, built_in_style};
    use jounce::script::Setting;
    let Some(gpu) = gpu_or_skip() else { return };
    let mut document = built_in_style("floppy").unwrap();
    let graph = &mut document.style.graph;
    let link = |from: (&str, &str), to: (&str, &str)| {
        Link::new(PortRef::new(from.0, from.1), PortRef::new(to.0, to.1))
    };
    graph.links.remove(&link(("trail", "displacement"), ("output", "displacement")));
    let mut sum = Node::new("Weight Propagation");
    sum.settings.insert("keep".to_owned(), Setting::Float(2.0));
    graph.nodes.insert("few".to_owned(), sum);
    graph.links.insert(link(("trail", "per bone"), ("few", "value")));
    graph.links.insert(link(("few", "sum"), ("output", "displacement")));
    let settings = Default::default();
    let scene = Scene::new(&document, own::built_in("cow").unwrap(), &settings);
    let difference = against_reference(&mut GpuEvaluator::new(&gpu), &scene);
    assert!(difference < TOLERANCE, "{difference:e}");
}

#[test]
fn what_is_painted_while_it_plays_is_what_it_would_be_anew_on_the_device() {
    let Some(gpu) = gpu_or_skip() else { return };
    let scene = Scene::style("ear-flop", own::built_in("cow").unwrap());
    let backend = jounce::gpu::eval::GpuBackend::new(&gpu);
    crate::support::scene::paint_while_it_plays(&scene, || Box::new(backend.clone()));
}
