//! The CPU VM against the interpreter.

use crate::support::conformance::{run, run_on};
use crate::support::scene::{Scene, examples, farthest};
use glam::{DQuat, DVec3, Vec3, dvec3};
use jounce::eval::vm::{Prepared, Simd, Vm, Wanted};
use jounce::eval::{
    BoneNumbers, Bound, ConstantMotion, Deformed, EvalError, Evaluator, Interpreter, Moment,
    Parameters, Skinning,
};
use jounce::ir::op::MotionPart;
use jounce::ir::{
    Binary, BoneTable, Builder, Column, MapRequest, MapSource, Number, Op, Program, Source, Type,
    Unary, Value,
};
use jounce::rig::{Base, Skinned};
use std::path::Path;

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

/// What a bake takes.
#[test]
fn positions_alone_are_those_of_everything_and_their_list_is_used_again() {
    for (name, scene) in scenes() {
        let prepared = Prepared::new(&scene.program, &scene.bound).unwrap();
        let mut positions = Vec::new();
        let mut places = Vec::new();
        for time_secs in [0.0, 0.21, 0.55] {
            scene.at(time_secs, None, |moment| {
                prepared.positions_into(&scene.bound, moment, &mut positions).unwrap();
                places.push(positions.as_ptr());
                let all = prepared.deform(&scene.bound, moment).unwrap();
                assert!(positions == all.positions, "{name} at {time_secs} s");
            });
        }
        places.dedup();
        assert_eq!(places.len(), 1, "{name}: another list in every frame");
    }
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
        assert!(fails(&|moment| moment.parameters = Parameters::default()));
        assert!(fails(&|moment| {
            let Skinning::Posed(posed) = &mut moment.skinning else { return };
            posed.scene_from_bind[0].translation.y = f64::NAN;
        }));
        let mut bound = scene.bound.clone();
        std::sync::Arc::make_mut(&mut bound.rest_positions)[3].x = f64::NAN;
        assert!(Prepared::new(&scene.program, &bound).is_err());
        // Another character's binding.
        let mut other = scene.bound.clone();
        other.bone_numbers.push(BoneNumbers::default());
        assert!(prepared.deform(&other, moment).is_err());
        let mut other = scene.bound.clone();
        std::sync::Arc::make_mut(&mut other.rest_positions).push(glam::DVec3::ZERO);
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
    scene.bound.maps[0] = Some(painted.into());
    let anew = Prepared::new(&scene.program, &scene.bound).unwrap();
    let expected = scene.at(0.3, None, |moment| anew.deform(&scene.bound, moment).unwrap());
    assert_eq!(found, expected);
}

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

/// Tuples of them: two vectors that are mostly different.
fn nasty_rows() -> Vec<Vec<f64>> {
    (0..NASTY.len() * NASTY.len())
        .map(|i| {
            let (a, b) = (NASTY[i % NASTY.len()], NASTY[i / NASTY.len()]);
            let c = NASTY[(i * 7 + 3) % NASTY.len()];
            [a, b, c, b, c, a].map(f64::from).to_vec()
        })
        .collect()
}

/// A program of six maps, whose position is what `make` makes of them.
fn program_of(make: &dyn Fn(&mut Builder, [Value; 6]) -> Value) -> Program {
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
}

/// A few operations on nasty numbers, each judged by what single precision can do with its operands.
#[test]
fn every_operation_agrees_on_nasty_numbers() {
    use jounce::ir::{Binary::*, Unary::*};
    let rows = nasty_rows();
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
    use jounce::ir::Parameter;
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

/// Runs nothing; keeps the code for a character.
#[derive(Default)]
struct CodeText(String);

impl Evaluator for CodeText {
    fn deform(
        &mut self,
        program: &Program,
        bound: &Bound,
        moment: &Moment,
    ) -> Result<Deformed, EvalError> {
        self.0 = Prepared::new(program, bound)?.code_text();
        Interpreter.deform(program, bound, moment)
    }
}

/// How an expression over two vectors and the maps they are made of is written.
struct Pen<'a> {
    builder: &'a mut Builder,
    maps: [Value; 6],
    v: Value,
    w: Value,
}

impl Pen<'_> {
    fn two(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.builder.binary(op, a, b)
    }

    fn add(&mut self, a: Value, b: Value) -> Value {
        self.two(Binary::Add, a, b)
    }

    fn sub(&mut self, a: Value, b: Value) -> Value {
        self.two(Binary::Sub, a, b)
    }

    fn mul(&mut self, a: Value, b: Value) -> Value {
        self.two(Binary::Mul, a, b)
    }

    fn dot(&mut self, a: Value, b: Value) -> Value {
        self.two(Binary::Dot, a, b)
    }

    fn float(&mut self, x: f64) -> Value {
        self.builder.float(x)
    }

    fn vector(&mut self, x: f64, y: f64, z: f64) -> Value {
        self.builder.constant(Number::Vec3(dvec3(x, y, z)))
    }

    fn length(&mut self, v: Value) -> Value {
        let square = self.dot(v, v);
        self.builder.unary(Unary::Sqrt, square)
    }

    /// v and its length, so that both are needed.
    fn with_length(&mut self, v: Value) -> Value {
        let length = self.length(v);
        let length = self.builder.splat(length);
        self.add(v, length)
    }

    /// What is left of a across b.
    fn reject(&mut self, a: Value, b: Value) -> Value {
        let along = self.dot(a, b);
        let along = self.mul(b, along);
        self.sub(a, along)
    }

    /// The vector unless it is later than so many seconds.
    fn until(&mut self, secs: f64, v: Value) -> Value {
        let (time, secs) = (self.builder.source(Source::Time), self.float(secs));
        let is_before = self.two(Binary::Less, time, secs);
        let other = self.w;
        self.builder.select(is_before, v, other)
    }
}

type Expression = fn(&mut Pen) -> Value;

/// Which kinds of instructions an expression becomes, beside those that load its maps.
const COMBINED: [(&[&str], Expression); 15] = [
    (&["Stretch"], |pen| {
        let (place, axis) = (pen.vector(0.5, -2.0, 1e3), pen.vector(0.6, 0.0, 0.8));
        let (along, across) = (pen.float(1.5), pen.float(-0.25));
        let x = pen.sub(pen.v, place);
        let part = pen.dot(x, axis);
        let part = pen.mul(part, along);
        let (grown, moved) = (pen.mul(x, across), pen.mul(axis, part));
        pen.add(grown, moved)
    }),
    (&["ShiftDiv"], |pen| {
        let [above, shift, less] = [1.5, 1.0, 0.75].map(|x| pen.float(x));
        let below = pen.add(pen.maps[0], shift);
        let ratio = pen.two(Binary::Div, above, below);
        pen.sub(ratio, less)
    }),
    (&["Mul3"], |pen| {
        let product = pen.mul(pen.maps[1], pen.maps[2]);
        pen.mul(pen.maps[0], product)
    }),
    (&["MulDivLength", "Fnma"], |pen| {
        let length = pen.length(pen.v);
        let direction = pen.builder.unary(Unary::Normalize, pen.v);
        let factor = pen.mul(pen.maps[3], pen.maps[4]);
        let moved = pen.mul(direction, factor);
        let length = pen.builder.splat(length);
        pen.sub(length, moved)
    }),
    (&["Fma2Fma"], |pen| {
        let (b, d) = (pen.vector(0.5, -2.0, 3.0), pen.vector(1.0, 0.0, -0.125));
        let (x, y) = (pen.mul(b, pen.maps[0]), pen.mul(d, pen.maps[1]));
        let both = pen.add(x, y);
        let scale = pen.float(1.75);
        let scaled = pen.mul(both, scale);
        pen.add(scaled, pen.w)
    }),
    (&["SumFms2"], |pen| {
        let (origin, none) = (pen.builder.source(Source::BoneOrigin), pen.float(0.0));
        let velocity = pen.builder.motion(MotionPart::LinearVelocity, none);
        let (turned, arm) = (pen.two(Binary::Cross, pen.v, velocity), pen.sub(pen.v, origin));
        let (turned, arm) = (pen.mul(turned, pen.maps[3]), pen.mul(arm, pen.maps[4]));
        let moved = pen.sub(turned, arm);
        let moved = pen.sub(moved, velocity);
        let summand = pen.add(pen.w, moved);
        pen.builder.sum(summand, Column::UPWARD)
    }),
    (&["CrossLength"], |pen| {
        let cross = pen.two(Binary::Cross, pen.v, pen.w);
        pen.with_length(cross)
    }),
    (&["RejectLength"], |pen| {
        let axis = pen.vector(0.6, 0.0, 0.8);
        let rest = pen.reject(pen.v, axis);
        pen.with_length(rest)
    }),
    (&["Reject"], |pen| {
        let axis = pen.vector(0.6, 0.0, 0.8);
        pen.reject(pen.v, axis)
    }),
    (&["Reject"], |pen| {
        let axis = pen.builder.unary(Unary::Normalize, pen.w);
        pen.reject(pen.v, axis)
    }),
    (&["ScaleClamp"], |pen| {
        let [scale, most, least] = [0.3, 2.0, -1.25].map(|x| pen.float(x));
        let scaled = pen.mul(pen.maps[0], scale);
        let limited = pen.two(Binary::Min, scaled, most);
        pen.two(Binary::Max, limited, least)
    }),
    (&["Add", "KeepIf"], |pen| {
        let sum = pen.add(pen.v, pen.w);
        pen.until(0.6, sum)
    }),
    (&["Add", "KeepIf"], |pen| {
        let sum = pen.add(pen.v, pen.w);
        pen.until(0.4, sum)
    }),
    (&["Sin"], |pen| {
        let scale = pen.float(0.3);
        let angle = pen.mul(pen.maps[0], scale);
        pen.builder.unary(Unary::Sin, angle)
    }),
    (&["AddSaneOr3"], |pen| {
        let skinned = pen.builder.source(Source::SkinnedPosition);
        pen.add(skinned, pen.v)
    }),
];

#[test]
fn what_is_combined_agrees_on_nasty_numbers() {
    let mut rows = nasty_rows();
    // Parallel vectors, and ones that point away from each other.
    for sign in [1.0, -1.0] {
        let parallel = |row: &Vec<f64>| {
            let v = [row[0], row[1], row[2]];
            v.into_iter().chain(v.map(|x| sign * x)).collect()
        };
        rows.extend(nasty_rows().iter().map(parallel).collect::<Vec<_>>());
    }
    for (kinds, expression) in COMBINED {
        let program = program_of(&|builder, maps| {
            let v = builder.vec3(maps[0], maps[1], maps[2]);
            let w = builder.vec3(maps[3], maps[4], maps[5]);
            expression(&mut Pen { builder, maps, v, w })
        });
        let mut code = CodeText::default();
        run_on(&mut code, &program, &rows);
        for kind in kinds {
            assert!(code.0.contains(&format!("= {kind} ")), "no {kind}:\n{}", code.0);
        }
        assert!(!code.0.contains("= Mul ") && !code.0.contains("= Dot "), "{kinds:?}\n{}", code.0);
        run(&program, &rows);
    }
}

/// Small angles are not reduced where many of them stand together. Nobody may see where.
#[test]
fn a_sine_does_not_depend_on_the_angles_beside_it() {
    let program = program_of(&|builder, maps| builder.unary(Unary::Sin, maps[0]));
    // Up to and beyond the largest angle that counts as small.
    let angle = |i: usize| (i as f32 * 0.0137 - 1.6) * if i.is_multiple_of(3) { 1e-3 } else { 1.0 };
    let small: Vec<f32> = (0..230).map(angle).collect();
    let is_large = |mode: usize, i: usize| match mode {
        0 => false,
        1 => i % 32 == 5,
        2 => (i / 8).is_multiple_of(2),
        _ => i % 64 == 63 || i.is_multiple_of(7),
    };
    let fused: Vec<Simd> = Simd::all().filter(|simd| simd.is_fused()).collect();
    let mut alone: Option<Vec<f64>> = None;
    for mode in 0..4 {
        let row = |(i, &x): (usize, &f32)| {
            let x = if is_large(mode, i) { x + 100.0 * (i + 1) as f32 } else { x };
            vec![f64::from(x); 6]
        };
        let rows: Vec<Vec<f64>> = small.iter().enumerate().map(row).collect();
        let sines = |simd: &Simd| -> Vec<f64> {
            run_on(&mut Vm(*simd), &program, &rows).iter().map(|p| p.x).collect()
        };
        let all: Vec<Vec<f64>> = fused.iter().map(sines).collect();
        assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "{mode}: {fused:?}");
        let alone = alone.get_or_insert_with(|| all[0].clone());
        for (i, (found, alone)) in all[0].iter().zip(alone.iter()).enumerate() {
            assert!(is_large(mode, i) || found == alone, "{mode}: {found} at {i}, {alone} alone");
        }
        run(&program, &rows);
    }
}

/// Where no position can be absurd none is looked at. With morphed vertices all are: the same positions
/// as a morph must give the same bits, on both sides of where looking begins.
#[test]
fn positions_are_looked_at_where_they_could_be_absurd() {
    let (_, scene) = scenes().remove(0);
    let mut builder = Builder::default();
    let position = builder.source(Source::SkinnedPosition);
    let program = builder.finish(position, Base::Lbs);
    let bound = Bound::new(&program, &scene.character, &Default::default()).unwrap();
    let skin = bound.skin.as_ref().unwrap();
    let reach = |(vertex, p): (usize, &Vec3)| {
        let weights = skin.influences.of(vertex).iter().map(|it| f64::from(it.weight.abs()));
        weights.sum::<f64>() * (f64::from(p.abs().element_sum()) + 1.0)
    };
    let reach = skin.positions.iter().enumerate().map(reach).fold(0.0, f64::max);
    let parameters = Parameters::new(&program);
    scene.at(0.2, Some(Base::Lbs), |moment| {
        // Just below and above the edge, and so that some are absurd.
        for largest in [0.999e11 / reach, 1.001e11 / reach, 0.99e12] {
            let mut moment = moment.clone();
            moment.parameters = parameters.clone();
            let Skinning::Posed(posed) = &mut moment.skinning else { panic!("not posed") };
            for (i, matrix) in posed.scene_from_bind.iter_mut().enumerate() {
                matrix.matrix3.x_axis.x = if i.is_multiple_of(2) { largest } else { 1.0 };
                matrix.translation.x = largest;
            }
            let (positions, normals) = (skin.positions.clone(), skin.normals.clone());
            let morphed = std::sync::Arc::new(Skinned { positions, normals });
            let expected = Interpreter.deform(&program, &bound, &moment).unwrap();
            for simd in Simd::all() {
                let prepared = Prepared::with_simd(&program, &bound, simd).unwrap();
                let found = prepared.deform(&bound, &moment).unwrap();
                let mut looked_at = moment.clone();
                let Skinning::Posed(posed) = &mut looked_at.skinning else { panic!("not posed") };
                posed.morphed = Some(morphed.clone());
                let looked_at = prepared.deform(&bound, &looked_at).unwrap();
                assert_eq!(
                    bits(&found.positions),
                    bits(&looked_at.positions),
                    "{simd:?} {largest:e}"
                );
                for (found, expected) in found.positions.iter().zip(&expected.positions) {
                    let off = (found.as_dvec3() - expected.as_dvec3()).abs().max_element();
                    assert!(
                        off <= 1e-6 * reach * largest,
                        "{simd:?} {largest:e}: {found}, {expected}"
                    );
                }
            }
        }
    });
}

/// A character of vertices alone, under a style that reads what is set for bones.
#[test]
fn no_bones_are_enough() {
    let mut builder = Builder::default();
    builder.tables.bone_tables.push(BoneTable { node: "test".to_owned() });
    let set = builder.leaf(Op::BoneTable(0));
    // Several numbers of a bone: all but the first would stand behind the end.
    let origin = builder.source(Source::BoneOrigin);
    let skinned = builder.source(Source::SkinnedPosition);
    let arm = builder.binary(Binary::Sub, skinned, origin);
    let product = builder.binary(Binary::Mul, arm, set);
    let sum = builder.sum(product, Column::UPWARD);
    let moved = builder.binary(Binary::Add, skinned, sum);
    let program = builder.finish(moved, Base::Lbs);
    let vertices = 5;
    let bound = Bound {
        flesh: Vec::new(),
        anchors: Default::default(),
        bone_names: Vec::new(),
        bone_numbers: Vec::new(),
        bone_tables: vec![Vec::new()],
        bone_sets: Vec::new(),
        rest_positions: vec![DVec3::ZERO; vertices].into(),
        rest_normals: vec![DVec3::Y; vertices].into(),
        maps: Vec::new(),
        pairs: jounce::eval::Pairs { offsets: vec![0; vertices + 1], bones: Vec::new() }.into(),
        weights: vec![Vec::new(); program.tables.columns.len()].into(),
        centroid_offsets: Vec::new(),
        size: 1.0,
        ground_height: 0.0,
        height: 1.0,
        skin: None,
        neighbours: Default::default(),
        warnings: Vec::new(),
    };
    let positions = vec![DVec3::ONE; vertices];
    let moment = Moment {
        snapshot: Default::default(),
        time_secs: 0.0,
        parameters: Parameters::new(&program),
        motion: &ConstantMotion::steady(Vec::new()),
        bone_origins: Vec::new(),
        bone_rotations: Vec::<DQuat>::new(),
        bone_parent_rotations: Vec::new(),
        bone_centroids: Vec::new(),
        bone_exact_centroids: Vec::new(),
        skinning: Skinning::Given { positions, normals: vec![DVec3::Y; vertices] },
    };
    for simd in Simd::all() {
        let found = Vm(simd).deform(&program, &bound, &moment).unwrap();
        assert_eq!(found.positions, vec![Vec3::ONE; vertices]);
    }
}

#[test]
fn what_is_painted_while_it_plays_is_what_it_would_be_anew() {
    let scene = Scene::style("ear-flop", jounce::rig::own::built_in("cow").unwrap());
    crate::support::scene::paint_while_it_plays(&scene, || Box::<jounce::eval::OnCpu>::default());
}
