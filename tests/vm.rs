//! The CPU VM against the interpreter.

mod support;

use glam::Vec3;
use jounce::eval::vm::{Prepared, Simd, Wanted};
use jounce::eval::{Deformed, Evaluator, Interpreter, Moment, Skinning};
use jounce::ir::{Builder, MapRequest, MapSource, Number, Op, Type, Value};
use jounce::rig::{Base, Skinned};
use std::path::Path;
use support::conformance::run;
use support::scene::{Scene, examples, farthest};

/// Every example on its character, or on the cow.
fn scenes() -> Vec<(String, Scene)> {
    let name = |file: &Path| file.file_stem().unwrap().to_string_lossy().into_owned();
    examples().iter().map(|file| (name(file), Scene::example(file))).collect()
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

/// So that what is judged here is what runs: code with instructions that do the work of several.
#[test]
fn velocity_skinning_is_done_in_few_instructions() {
    let scenes = scenes();
    let (_, scene) = scenes.iter().find(|(name, _)| name == "velocity-skinning").unwrap();
    let code = Prepared::new(&scene.program, &scene.bound).unwrap().code_text();
    for kind in [
        "CrossLength",
        "Stretch",
        "ShiftDiv",
        "DotScale",
        "Fma2Fma",
        "RejectLength",
        "Mul3",
        "MulDivLength",
        "SumFms2",
        "AddSaneOr3",
    ] {
        assert!(code.contains(&format!("= {kind} ")), "no {kind}:\n{code}");
    }
    assert!(code.lines().count() <= 21, "{code}");
}

fn bits(points: &[Vec3]) -> Vec<[u32; 3]> {
    points.iter().map(|p| p.to_array().map(f32::to_bits)).collect()
}

#[test]
fn widths_that_fuse_give_the_same_bits() {
    let fused: Vec<Simd> = Simd::all().filter(|simd| simd.is_fused()).collect();
    for (name, scene) in scenes() {
        for base in [Base::Lbs, Base::Dqs] {
            scene.at(0.3, Some(base), |moment| {
                let run = |simd: &Simd| {
                    let prepared = Prepared::with_simd(&scene.program, &scene.bound, *simd);
                    let found = prepared.unwrap().deform(&scene.bound, moment).unwrap();
                    let skinned = &found.skinned;
                    [&found.positions, &skinned.positions, &skinned.normals].map(|list| bits(list))
                };
                let all: Vec<_> = fused.iter().map(run).collect();
                let same = all.windows(2).all(|pair| pair[0] == pair[1]);
                assert!(same, "{name} {base:?} {fused:?}");
            });
        }
    }
}

#[test]
fn many_instances_at_once_are_each_what_they_are_alone() {
    for (name, scene) in scenes() {
        let prepared = Prepared::new(&scene.program, &scene.bound).unwrap();
        // One call with moments that live side by side.
        scene.at(0.1, None, |first| {
            scene.at(0.4, Some(Base::Dqs), |second| {
                let moments = [first, second];
                let alone = moments.map(|moment| prepared.deform(&scene.bound, moment).unwrap());
                let copies: Vec<Moment> = moments.into_iter().cloned().collect();
                let mut together = vec![Deformed::default(); 2];
                let wanted = Wanted::ALL;
                prepared.deform_into(&scene.bound, &copies, wanted, &mut together).unwrap();
                assert_eq!(together, alone, "{name}");
                // Lists that are there are used again, and what is not wanted is not made.
                let wanted = Wanted::default();
                prepared.deform_into(&scene.bound, &copies, wanted, &mut together).unwrap();
                assert_eq!(together[0].positions, alone[0].positions);
                assert!(together[0].skinned.positions.is_empty());
                let error = prepared.deform_into(&scene.bound, &copies, wanted, &mut together[..1]);
                assert!(error.is_err());
            });
        });
    }
}

#[test]
fn absurd_input_is_stopped_at_the_door() {
    let (_, scene) = scenes().remove(0);
    let prepared = Prepared::new(&scene.program, &scene.bound).unwrap();
    scene.at(0.2, None, |moment| {
        let fails = |change: &dyn Fn(&mut Moment)| {
            let mut moment = moment.clone();
            change(&mut moment);
            prepared.deform(&scene.bound, &moment).is_err()
        };
        assert!(!fails(&|_| {}));
        assert!(fails(&|moment| moment.bone_origins[0].x = f64::NAN));
        assert!(fails(&|moment| moment.bone_rotations[0].w = f64::INFINITY));
        assert!(fails(&|moment| moment.time_secs = 1e13));
        assert!(fails(&|moment| moment.bone_origins.clear()));
        assert!(fails(&|moment| moment.parameters.values.clear()));
        assert!(fails(&|moment| {
            let Skinning::Posed(posed) = &mut moment.skinning else { return };
            posed.scene_from_bind[0].translation.y = f64::NAN;
        }));
        let mut bound = scene.bound.clone();
        bound.rest_positions[3].x = f64::NAN;
        assert!(Prepared::new(&scene.program, &bound).is_err());
        // Another character's binding.
        let mut other = scene.bound.clone();
        other.bone_depths.push(0.0);
        assert!(prepared.deform(&other, moment).is_err());
        let mut other = scene.bound.clone();
        other.rest_positions.push(glam::DVec3::ZERO);
        assert!(prepared.deform(&other, moment).is_err());
    });
}

#[test]
fn morphed_vertices_are_skinned() {
    let (_, scene) = scenes().remove(0);
    let size = scene.character.size();
    scene.at(0.2, None, |moment| {
        let mut moment = moment.clone();
        let Skinning::Posed(posed) = &mut moment.skinning else { panic!("not posed") };
        let skin = scene.bound.skin.as_ref().unwrap();
        let positions = skin.positions.iter().map(|p| *p + Vec3::splat(0.1)).collect();
        let normals = skin.normals.iter().map(|n| -*n).collect();
        posed.morphed = Some(std::sync::Arc::new(Skinned { positions, normals }));
        let expected = Interpreter.deform(&scene.program, &scene.bound, &moment).unwrap();
        for simd in Simd::all() {
            let prepared = Prepared::with_simd(&scene.program, &scene.bound, simd).unwrap();
            let found = prepared.deform(&scene.bound, &moment).unwrap();
            assert!(farthest(&found.positions, &expected.positions) / size < 1e-6);
            assert!(farthest(&found.skinned.normals, &expected.skinned.normals) < 1e-5);
        }
    });
}

#[test]
fn a_map_can_be_painted_without_preparing_anew() {
    let scene = scenes().into_iter().map(|(_, scene)| scene);
    let mut scene = scene.into_iter().find(|scene| !scene.bound.maps.is_empty()).unwrap();
    let mut prepared = Prepared::new(&scene.program, &scene.bound).unwrap();
    let painted: Vec<f64> = (0..scene.bound.vertex_count()).map(|v| (v as f64).sin()).collect();
    prepared.set_map(0, Some(&painted)).unwrap();
    let found = scene.at(0.3, None, |moment| prepared.deform(&scene.bound, moment).unwrap());
    scene.bound.maps[0] = Some(painted);
    let anew = Prepared::new(&scene.program, &scene.bound).unwrap();
    let expected = scene.at(0.3, None, |moment| anew.deform(&scene.bound, moment).unwrap());
    assert_eq!(found, expected);
}

/// A few operations on nasty numbers, each judged by what single precision can do with its operands.
#[test]
fn every_operation_agrees_on_nasty_numbers() {
    const NASTY: [f32; 24] = [
        0.0,
        -0.0,
        1e-40,
        -1e-38,
        1e-30,
        1e-20,
        -1e-20,
        1e-12,
        1e-6,
        -0.1,
        0.5,
        1.0,
        -1.0,
        1.5,
        2.0,
        -3.7,
        std::f32::consts::PI,
        7.5,
        88.0,
        289.0,
        1e4,
        -1e6,
        1e12,
        -1e12,
    ];
    let rows: Vec<Vec<f64>> = (0..NASTY.len() * NASTY.len())
        .map(|i| {
            let (a, b) = (NASTY[i % NASTY.len()], NASTY[i / NASTY.len()]);
            let c = NASTY[(i * 7 + 3) % NASTY.len()];
            [a, b, c, b, c, a].map(f64::from).to_vec()
        })
        .collect();
    use jounce::ir::{Binary::*, Unary::*};
    let program_of = |make: &dyn Fn(&mut Builder, [Value; 6]) -> Value| {
        let mut builder = Builder::default();
        let maps = [0, 1, 2, 3, 4, 5].map(|place: u32| {
            let source = MapSource::Named(place.to_string());
            builder.tables.maps.push(MapRequest { node: String::new(), source });
            builder.leaf(Op::Map(place))
        });
        let value = make(&mut builder, maps);
        let shown = match builder.ty(value) {
            Type::Vec3 => value,
            Type::Float => builder.splat(value),
            Type::Bool => {
                let (yes, no) = (builder.float(1.0), builder.float(0.0));
                let number = builder.select(value, yes, no);
                builder.splat(number)
            }
        };
        builder.finish(shown, Base::Lbs)
    };
    for op in [Neg, Abs, Floor, Sqrt, Sin, Cos, Exp, Log] {
        run(&program_of(&|builder, m| builder.unary(op, m[0])), &rows);
    }
    for op in [Add, Sub, Mul, Div, Min, Max, SaneOr, Pow, Atan2, Less, LessEqual, Equal] {
        run(&program_of(&|builder, m| builder.binary(op, m[0], m[1])), &rows);
    }
    for op in [Add, Sub, Mul, Div, Min, Max, SaneOr, Dot, Cross] {
        let on_vectors = |builder: &mut Builder, m: [Value; 6]| {
            let (v, w) = (builder.vec3(m[0], m[1], m[2]), builder.vec3(m[3], m[4], m[5]));
            builder.binary(op, v, w)
        };
        run(&program_of(&on_vectors), &rows);
    }
    run(
        &program_of(&|builder, m| {
            let v = builder.vec3(m[0], m[1], m[2]);
            builder.unary(Normalize, v)
        }),
        &rows,
    );
    run(
        &program_of(&|builder, m| {
            let (v, w) = (builder.vec3(m[0], m[1], m[2]), builder.vec3(m[3], m[4], m[5]));
            let less = builder.binary(Less, m[0], m[1]);
            let equal = builder.binary(Equal, m[0], m[2]);
            let either = builder.binary(Or, less, equal);
            let not = builder.unary(Not, equal);
            let both = builder.binary(And, either, not);
            builder.select(both, v, w)
        }),
        &rows,
    );
}

/// A length that a choice may take over is also what its vector is divided by.
#[test]
fn a_row_that_is_still_read_is_not_taken_over() {
    use jounce::ir::{Binary, Parameter, Unary};
    for setting in [0.2, 0.9] {
        let mut builder = Builder::default();
        let maps = [0, 1, 2].map(|place: u32| {
            let source = MapSource::Named(place.to_string());
            builder.tables.maps.push(MapRequest { node: String::new(), source });
            builder.leaf(Op::Map(place))
        });
        builder.tables.parameters.push(Parameter {
            node: "test".to_owned(),
            port: "strength".to_owned(),
            exposed: None,
            value: Number::Float(setting),
            soft: None,
            hard: None,
        });
        let strength = builder.leaf(Op::Parameter(0, Type::Float));
        let half = builder.float(0.5);
        let is_strong = builder.binary(Binary::Less, half, strength);
        let v = builder.vec3(maps[0], maps[1], maps[2]);
        let square = builder.binary(Binary::Dot, v, v);
        let length = builder.unary(Unary::Sqrt, square);
        let scale = builder.select(is_strong, length, half);
        let direction = builder.unary(Unary::Normalize, v);
        let scaled = builder.binary(Binary::Mul, direction, scale);
        let rows: Vec<Vec<f64>> =
            (0..40).map(|i| vec![f64::from(i), 1.5, -0.25 * f64::from(i)]).collect();
        run(&builder.finish(scaled, Base::Lbs), &rows);
    }
}
