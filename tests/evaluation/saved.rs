//! Saved programs: what is loaded is what was saved, and deforms to the same bits.

use crate::support::scene::{Scene, examples};
use glam::Vec3;
use jounce::eval::vm::{Simd, Vm};
use jounce::eval::{EvalError, Evaluator, Interpreter};
use jounce::ir::op::MotionPart;
use jounce::ir::saved::{FORMAT, MOST_BYTES};
use jounce::ir::source::SOURCES;
use jounce::ir::{
    Binary, BoneSet, BoneTable, Builder, Column, History, MapRequest, MapSource, Number, Op,
    Parameter, Program, Rate, SavedError, Source, State, Type, Unary, Value, WeightKind,
};
use jounce::rig::{Base, Hierarchy};
use std::path::PathBuf;

fn bits(points: &[Vec3]) -> Vec<[u32; 3]> {
    points.iter().map(|p| p.to_array().map(f32::to_bits)).collect()
}

fn loaded(program: &Program) -> Program {
    Program::from_saved_text(&program.to_saved_text().unwrap()).unwrap()
}

#[test]
fn every_example_comes_back_and_deforms_to_the_same_bits() {
    for file in examples() {
        let scene = Scene::example(&file);
        let program = loaded(&scene.program);
        let name = file.display();
        assert!(program == scene.program, "{name}");
        assert_eq!(program.content_hash(), scene.program.content_hash(), "{name}");
        let text = scene.program.to_saved_text().unwrap();
        assert!(text == program.to_saved_text().unwrap(), "{name}: another text");
        scene.with_moment(0.3, |moment| {
            let mut evaluators: [Box<dyn Evaluator>; 2] =
                [Box::new(Interpreter), Box::new(Vm(Simd::best()))];
            for evaluator in &mut evaluators {
                let before = evaluator.deform(&scene.program, &scene.bound, moment).unwrap();
                let after = evaluator.deform(&program, &scene.bound, moment).unwrap();
                assert!(bits(&before.positions) == bits(&after.positions), "{name}");
            }
        });
    }
}

/// A program with every operation and every source in it.
fn everything() -> Program {
    let mut b = Builder::default();
    b.enter_node("everything");
    b.name_node("Every thing", "Test");
    b.describe_node("Has one of each.".to_owned());
    let slider = |value: Number, hard: Option<(f64, f64)>| Parameter {
        node: "everything".to_owned(),
        port: "x".to_owned(),
        exposed: Some("how \"much\"".to_owned()),
        value,
        soft: Some((-0.1, 1.0 / 3.0)),
        hard,
    };
    b.tables.parameters.push(slider(Number::Float(0.1 + 0.2), Some((0.0, f64::INFINITY))));
    b.tables.parameters.push(slider(Number::Bool(true), None));
    b.tables.parameters.push(slider(Number::Vec3(glam::dvec3(1.0, -2.5, 1e-300)), None));
    let [x, is, v] = [(0, Type::Float), (1, Type::Bool), (2, Type::Vec3)]
        .map(|(place, ty)| b.leaf(Op::Parameter(place, ty)));
    b.name(x, "amount");
    b.note(x, "How much of everything.");
    let mut floats = vec![x];
    let mut vectors = vec![v];
    let mut bools = vec![is];
    let mut add = |b: &Builder, value: Value| match b.ty(value) {
        Type::Float => floats.push(value),
        Type::Vec3 => vectors.push(value),
        Type::Bool => bools.push(value),
    };
    for info in &SOURCES {
        let value = b.source(info.source);
        add(&b, value);
    }
    for part in MotionPart::ALL {
        let window = b.float(0.1);
        let value = b.motion(part, window);
        add(&b, value);
    }
    for &op in Unary::ALL {
        for a in [x, v, is] {
            if op.row().types.result(b.ty(a)).is_some() {
                let value = b.unary(op, a);
                add(&b, value);
            }
        }
    }
    let other = b.float(0.7);
    let [y, w, not] = [b.binary(Binary::Add, x, other), b.splat(x), b.unary(Unary::Not, is)];
    for &op in Binary::ALL {
        for (a, c) in [(x, y), (v, w), (is, not), (v, x)] {
            if op.row().types.result(b.ty(a), b.ty(c)).is_some() {
                let value = b.binary(op, a, c);
                add(&b, value);
            }
        }
    }
    let node = || "everything".to_owned();
    let source = MapSource::Named("painted\n".to_owned());
    b.tables.maps.push(MapRequest { node: node(), source });
    let map = b.tables.maps.len() as u32 - 1;
    b.tables.bone_tables.push(BoneTable { node: node() });
    let names = vec!["Ear".to_owned(), "Tail".to_owned()];
    b.tables.bone_sets.push(BoneSet { node: node(), names, branches: true });
    let column = Column { kind: WeightKind::Skin, keep: Some(3) };
    let column = Builder::table_entry(&mut b.tables.columns, column);
    let leaves = [
        Op::Map(map),
        Op::MapIsThere(map),
        Op::BoneTable(0),
        Op::BoneTableIsSet(0),
        Op::BoneSet(0),
        Op::Weight(column),
    ];
    for leaf in leaves {
        let value = b.leaf(leaf);
        add(&b, value);
    }
    let name = || "before".to_owned();
    let (ty, rate) = (Type::Vec3, Rate::Bone);
    let state = b.state(State { node: node(), name: name(), ty, rate, is_place: true });
    let history =
        b.history(History { node: node(), name: name(), ty, rate, longest_secs: 1.0 / 7.0 });
    let origin = b.source(Source::BoneOrigin);
    b.keep(state, v, origin);
    b.record(history, origin);
    let ago = b.ago(history, x, origin);
    vectors.extend([state, ago]);
    let select = b.select(is, x, y);
    let z = b.component(v, 2);
    floats.extend([select, z]);
    for value in bools {
        let (yes, no) = (b.float(1.0), b.float(-1.0));
        floats.push(b.select(value, yes, no));
    }
    let mut total = b.vec3(x, y, z);
    for value in floats {
        let scaled = b.binary(Binary::Mul, v, value);
        total = b.binary(Binary::Add, total, scaled);
    }
    for value in vectors {
        total = b.binary(Binary::Add, total, value);
    }
    let flesh = b.sum(total, Column::FLESH);
    let sum = b.sum(total, Column { kind: WeightKind::Downward, keep: None });
    let sum = b.binary(Binary::Add, sum, flesh);
    let relaxed = b.relax(sum, x, 3);
    b.finish(relaxed, Base::Dqs)
}

#[test]
fn every_operation_and_every_source_comes_back() {
    let program = everything();
    program.validate().unwrap();
    for info in SOURCES.iter().filter(|info| info.derived_map().is_none()) {
        assert!(program.reads(info.source), "{:?}", info.source);
    }
    for op in Unary::ALL {
        let has = |known: &Op| matches!(known, Op::Unary(known, _) if known == op);
        assert!(program.ops.iter().any(has), "{op:?}");
    }
    for op in Binary::ALL {
        let has = |known: &Op| matches!(known, Op::Binary(known, ..) if known == op);
        assert!(program.ops.iter().any(has), "{op:?}");
    }
    let after = loaded(&program);
    assert!(after == program);
    assert_eq!(after.content_hash(), program.content_hash());
}

#[test]
fn a_program_says_whose_parents_its_bones_have_and_old_ones_mean_the_files() {
    let file = everything();
    let text = file.to_saved_text().unwrap();
    assert!(text.contains("\"format\": 1") && !text.contains("hierarchy"), "older builds read it");
    assert_eq!(loaded(&file).hierarchy, Hierarchy::File);
    let motion = Program { hierarchy: Hierarchy::Motion, ..file.clone() };
    let text = motion.to_saved_text().unwrap();
    assert!(text.contains("\"format\": 2") && text.contains("\"hierarchy\": \"motion\""));
    assert!(loaded(&motion) == motion);
    assert_ne!(motion.content_hash(), file.content_hash());
    let wrong = text.replace("\"motion\"", "\"muscle\"");
    assert!(refusal(&wrong).contains("muscle"), "{}", refusal(&wrong));
}

fn fixture() -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/program-format1.json");
    std::fs::read_to_string(path).unwrap()
}

/// It was written when format 1 was new, and is never written again: what people have saved since then must
/// load for ever, and mean the same.
#[test]
fn a_program_of_format_1_loads_for_ever() {
    let program = Program::from_saved_text(&fixture()).unwrap();
    assert_eq!(program.ops.len(), FIXTURE_VALUES);
    assert_eq!(format!("{:032x}", program.content_hash()), FIXTURE_HASH);
    assert!(program.remembers() && program.has_flesh() && program.has_relaxations());
    assert_eq!(program.tables.parameters[0].hard, Some((0.0, f64::INFINITY)));
    assert_eq!(program.tables.parameters[0].value, Number::Float(0.1 + 0.2));
}

const FIXTURE_VALUES: usize = 203;
const FIXTURE_HASH: &str = "8abb9001e16b6c37c3356c8ff0a7ba37";

fn refusal(text: &str) -> String {
    let error = Program::from_saved_text(text).unwrap_err().to_string();
    assert!(error.contains(' ') && !error.contains('\n') && error.len() < 700, "{error:?}");
    error
}

#[test]
fn what_is_no_saved_program_is_refused_with_a_sentence() {
    let good = everything().to_saved_text().unwrap();
    let newer = format!("\"format\": {}", FORMAT + 1);
    let newer = good.replacen("\"format\": 1", &newer, 1);
    assert_eq!(
        Program::from_saved_text(&newer).unwrap_err(),
        SavedError::Newer { found: FORMAT + 1 }
    );
    assert!(refusal(&newer).contains("newer Jounce"));
    assert!(refusal(&good.replacen("\"format\": 1", "\"format\": 0", 1)).contains("no format 0"));
    assert!(refusal("").contains("not a saved program"));
    assert!(refusal("{}").contains("missing field `format`"));
    assert!(refusal(&"[".repeat(100_000)).contains("not a saved program"));
    let unknown = good.replace("\"op\":\"atan2\"", "\"op\":\"atan3\"");
    let unknown = unknown.replace("\"is\":\"bone_depth\"", "\"is\":\"bone_width\"");
    let unknown = refusal(&unknown);
    assert!(unknown.contains("the operation \"atan3\", the source \"bone_width\""), "{unknown}");
    let field = good.replacen("\"position\"", "\"rotation\": 1, \"position\"", 1);
    assert!(refusal(&field).contains("unknown field `rotation`"));
    let long = " ".repeat(MOST_BYTES + 1);
    assert!(refusal(&long).contains("and the limit is"));
    let first = "{\"op\":\"neg\",\"of\":[0]}";
    let values = good.replacen("\"values\": [", &format!("\"values\": [{first},"), 1);
    assert!(refusal(&values).contains("broken at value 0"));
}

/// What is wrong with a program alone is said before anything is run, by every evaluator in the same words.
#[test]
fn programs_that_are_broken_are_named_by_their_value() {
    let scene = Scene::example(&examples()[0]);
    let broken = |change: &dyn Fn(&mut Program), why: &str| {
        let mut program = scene.program.clone();
        change(&mut program);
        let error = program.validate().unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
        assert!(program.to_saved_text().is_err());
        scene.with_moment(0.1, |moment| {
            let expected = EvalError::from(error);
            let found = Interpreter.deform(&program, &scene.bound, moment).unwrap_err();
            assert_eq!(found, expected);
            let found = Vm::default().deform(&program, &scene.bound, moment).unwrap_err();
            assert_eq!(found, expected);
        });
    };
    let infinite = Op::constant(Number::Float(f64::INFINITY));
    let last = scene.program.ops.len() - 1;
    broken(&|program| program.ops[0] = infinite, "broken at value 0");
    broken(&|program| program.position = Value(u32::MAX), "no such value");
    broken(&|program| program.ops[last] = Op::Unary(Unary::Not, Value(0)), "do not fit");
    broken(&|program| program.ops[last] = Op::Map(999), "entry of a table");
    broken(&|program| program.ops[0] = Op::Unary(Unary::Neg, Value(0)), "not known there");
    broken(&|program| program.rates[last] = Rate::Bone, "its rate");
    broken(&|program| program.types[last] = Type::Float, "its type");
    broken(&|program| program.stages.reverse(), "the stages");
    broken(&|program| program.memory.next.push(Value(0)), "what is remembered");
}
