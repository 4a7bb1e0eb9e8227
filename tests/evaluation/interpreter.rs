//! Programs of a few operations on two bones and three vertices: what every operation, rate and
//! sum gives, and that nothing absurd comes in or goes out.

use crate::support::random::Random;
use glam::{DQuat, DVec3, dvec3};
use jounce::eval::{
    BoneNumbers, Bound, ConstantMotion, EvalError, Evaluator, Interpreter, Moment, Motion,
    Neighbours, Pairs, Parameters, Probed, Skinning,
};
use jounce::ir::op::MotionPart;
use jounce::ir::{
    Binary, Builder, Column, MapRequest, MapSource, Number, Op, Parameter, Program, Source, Stage,
    Tables, Ternary, Type, Unary, Value, WeightKind,
};
use jounce::motion::BoneMotion;
use jounce::rig::Base;
use std::borrow::Cow;
use std::sync::{Arc, Mutex};

use Number::{Bool, Float, Vec3};

fn vec3(x: f64, y: f64, z: f64) -> Number {
    Vec3(dvec3(x, y, z))
}

/// A value that is known only at run time, so that nothing is folded.
fn parameter(builder: &mut Builder, value: Number) -> Value {
    let port = builder.tables.parameters.len().to_string();
    let node = "test".to_owned();
    builder.tables.parameters.push(Parameter {
        node,
        port,
        exposed: None,
        value,
        soft: None,
        hard: None,
    });
    builder.leaf(Op::Parameter(builder.tables.parameters.len() as u32 - 1, value.ty()))
}

/// Any value as a position.
fn shown(builder: &mut Builder, value: Value) -> Value {
    match builder.ty(value) {
        Type::Vec3 => value,
        Type::Float => builder.splat(value),
        Type::Bool => {
            let (yes, no) = (builder.float(1.0), builder.float(0.0));
            let number = builder.select(value, yes, no);
            builder.splat(number)
        }
    }
}

fn finish(mut builder: Builder, value: Value) -> Program {
    let position = shown(&mut builder, value);
    builder.finish(position, Base::Lbs)
}

/// Vertex 0 hangs on bone 0, vertex 1 on both, vertex 2 on none. Bone 1 is the child of bone 0.
fn tiny_bound(program: &Program) -> Bound {
    let pairs = Pairs { offsets: vec![0, 1, 3, 3], bones: vec![0, 0, 1] };
    let weights = |column: &Column| match column.kind {
        WeightKind::Upward | WeightKind::Anchored => vec![1.0, 1.0, 0.25],
        WeightKind::Downward => vec![1.0, 0.75, 1.0],
        WeightKind::Skin => vec![1.0, 0.75, 0.25],
        WeightKind::Flesh => vec![0.0; 3],
    };
    Bound {
        flesh: Vec::new(),
        anchors: Default::default(),
        bone_names: vec!["Root".to_owned(), "Tip".to_owned()],
        bone_numbers: vec![
            BoneNumbers { is_root: 1.0, ..BoneNumbers::default() },
            BoneNumbers { depth: 1.0, role: 8.0, looseness: 1.0, ..BoneNumbers::default() },
        ],
        bone_tables: program
            .tables
            .bone_tables
            .iter()
            .map(|_| vec![Some(5.0), Some(7.0)])
            .collect(),
        bone_sets: program.tables.bone_sets.iter().map(|_| vec![0.0, 1.0]).collect(),
        rest_positions: vec![dvec3(0.0, 0.0, 0.0), dvec3(1.0, 0.0, 0.0), dvec3(2.0, 0.0, 0.0)]
            .into(),
        rest_normals: vec![DVec3::Y; 3].into(),
        maps: program.tables.maps.iter().map(|_| Some(vec![0.1, 0.2, 0.3].into())).collect(),
        pairs: pairs.into(),
        weights: program.tables.columns.iter().map(weights).collect::<Vec<_>>().into(),
        centroid_offsets: Vec::new(),
        size: 4.0,
        ground_height: -1.0,
        height: 3.0,
        skin: None,
        neighbours: Neighbours::default().into(),
        warnings: Vec::new(),
    }
}

fn tiny_moment<'a>(program: &Program, motion: &'a dyn Motion) -> Moment<'a> {
    Moment {
        time_secs: 0.5,
        parameters: Parameters::new(program),
        motion,
        bone_origins: vec![dvec3(0.0, 0.0, 0.0), dvec3(0.0, 1.0, 0.0)],
        bone_rotations: vec![DQuat::from_rotation_x(1.0), DQuat::from_rotation_y(1.0)],
        bone_parent_rotations: vec![DQuat::IDENTITY, DQuat::from_rotation_x(1.0)],
        bone_centroids: vec![dvec3(0.0, 0.5, 0.0), dvec3(0.0, 1.5, 0.0)],
        bone_exact_centroids: vec![dvec3(0.0, 0.6, 0.0), dvec3(0.0, 1.6, 0.0)],
        snapshot: Default::default(),
        skinning: Skinning::Given {
            positions: vec![dvec3(0.0, 0.0, 1.0), dvec3(1.0, 0.0, 1.0), dvec3(2.0, 0.0, 1.0)],
            normals: vec![DVec3::X; 3],
        },
    }
}

/// Positions and normals that a moment gives.
fn given<'a>(moment: &'a mut Moment) -> (&'a mut Vec<DVec3>, &'a mut Vec<DVec3>) {
    match &mut moment.skinning {
        Skinning::Given { positions, normals } => (positions, normals),
        Skinning::Posed(_) => panic!("nothing is given"),
    }
}

fn tiny_motion() -> ConstantMotion {
    let motion = |x: f64| BoneMotion { linear: DVec3::X * x, angular: DVec3::Z * x };
    ConstantMotion {
        velocities: vec![motion(1.0), motion(2.0)],
        accelerations: vec![motion(10.0), motion(20.0)],
    }
}

fn evaluate(program: &Program) -> Vec<DVec3> {
    let motion = tiny_motion();
    let (bound, moment) = (tiny_bound(program), tiny_moment(program, &motion));
    Interpreter::positions(program, &bound, &moment).unwrap()
}

/// The values of a program whose position is what `make` makes.
fn positions_of(make: impl FnOnce(&mut Builder) -> Value) -> Vec<DVec3> {
    let mut builder = Builder::default();
    let value = make(&mut builder);
    evaluate(&finish(builder, value))
}

#[track_caller]
fn expect(name: &str, found: DVec3, expected: Number) {
    let expected = match expected {
        Float(x) => DVec3::splat(x),
        Bool(b) => DVec3::splat(f64::from(u8::from(b))),
        Vec3(v) => v,
    };
    let close = (found - expected).abs().max_element() <= 1e-12 * expected.abs().max_element();
    assert!(close, "{name}: {found} in place of {expected}");
}

#[test]
fn every_unary_operation_gives_what_it_says() {
    let v = vec3(-1.5, 2.0, 0.0);
    for (op, operand, expected) in [
        (Unary::Neg, Float(2.0), Float(-2.0)),
        (Unary::Neg, v, vec3(1.5, -2.0, 0.0)),
        (Unary::Abs, Float(-2.0), Float(2.0)),
        (Unary::Abs, v, vec3(1.5, 2.0, 0.0)),
        (Unary::Floor, Float(-0.5), Float(-1.0)),
        (Unary::Floor, v, vec3(-2.0, 2.0, 0.0)),
        (Unary::Sqrt, Float(9.0), Float(3.0)),
        (Unary::Sqrt, Float(-9.0), Float(0.0)),
        (Unary::Sin, Float(0.5), Float(0.479425538604203)),
        (Unary::Cos, Float(0.5), Float(0.8775825618903728)),
        (Unary::Exp, Float(1.0), Float(std::f64::consts::E)),
        (Unary::Exp, Float(-1e6), Float((-69f64).exp())),
        (Unary::Log, Float(std::f64::consts::E), Float(1.0)),
        (Unary::Log, Float(0.0), Float(-30.0 * std::f64::consts::LN_10)),
        (Unary::Not, Bool(true), Bool(false)),
        (Unary::Normalize, vec3(0.0, 3.0, 4.0), vec3(0.0, 0.6, 0.8)),
        (Unary::Normalize, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)),
    ] {
        let found = positions_of(|builder| {
            let a = parameter(builder, operand);
            builder.unary(op, a)
        });
        expect(&format!("{op:?} {operand}"), found[0], expected);
    }
}

#[test]
fn every_binary_operation_gives_what_it_says() {
    let (v, w) = (vec3(1.0, -2.0, 3.0), vec3(4.0, 5.0, 0.0));
    for (op, a, b, expected) in [
        (Binary::Add, Float(1.0), Float(2.0), Float(3.0)),
        (Binary::Add, v, w, vec3(5.0, 3.0, 3.0)),
        (Binary::Sub, Float(1.0), Float(2.0), Float(-1.0)),
        (Binary::Sub, v, w, vec3(-3.0, -7.0, 3.0)),
        (Binary::Mul, Float(3.0), Float(2.0), Float(6.0)),
        (Binary::Mul, v, w, vec3(4.0, -10.0, 0.0)),
        (Binary::Mul, v, Float(2.0), vec3(2.0, -4.0, 6.0)),
        (Binary::Div, Float(3.0), Float(2.0), Float(1.5)),
        (Binary::Div, Float(3.0), Float(1e-21), Float(0.0)),
        (Binary::Div, v, Float(2.0), vec3(0.5, -1.0, 1.5)),
        (Binary::Div, v, w, vec3(0.25, -0.4, 0.0)),
        (Binary::Min, Float(3.0), Float(2.0), Float(2.0)),
        (Binary::Min, v, w, vec3(1.0, -2.0, 0.0)),
        (Binary::Max, Float(3.0), Float(2.0), Float(3.0)),
        (Binary::Max, v, w, vec3(4.0, 5.0, 3.0)),
        (Binary::SaneOr, v, w, v),
        (Binary::SaneOr, Float(2.0), Float(3.0), Float(2.0)),
        (Binary::Pow, Float(2.0), Float(10.0), Float(1024.0)),
        (Binary::Pow, Float(-2.0), Float(2.0), Float(0.0)),
        (Binary::Pow, Float(0.0), Float(-1.0), Float(0.0)),
        (Binary::Atan2, Float(1.0), Float(-1.0), Float(0.75 * std::f64::consts::PI)),
        (Binary::Atan2, Float(0.0), Float(0.0), Float(0.0)),
        (Binary::Less, Float(1.0), Float(1.0), Bool(false)),
        (Binary::LessEqual, Float(1.0), Float(1.0), Bool(true)),
        (Binary::Equal, Float(1.0), Float(1.0), Bool(true)),
        (Binary::And, Bool(true), Bool(false), Bool(false)),
        (Binary::Or, Bool(true), Bool(false), Bool(true)),
        (Binary::Dot, v, w, Float(-6.0)),
        (Binary::Cross, v, w, vec3(-15.0, 12.0, 13.0)),
    ] {
        let found = positions_of(|builder| {
            let (a, b) = (parameter(builder, a), parameter(builder, b));
            builder.binary(op, a, b)
        });
        expect(&format!("{a} {op:?} {b}"), found[0], expected);
    }
}

#[test]
fn every_other_operation_gives_what_it_says() {
    let found = positions_of(|builder| {
        let [a, b, c] = [2.0, 3.0, 4.0].map(|x| parameter(builder, Float(x)));
        builder.leaf(Op::Ternary(Ternary::Fma, a, b, c))
    });
    expect("fma", found[0], Float(10.0));
    let found = positions_of(|builder| {
        let [a, c] = [vec3(1.0, 2.0, 3.0), vec3(1.0, 1.0, 1.0)].map(|v| parameter(builder, v));
        let b = parameter(builder, Float(2.0));
        builder.leaf(Op::Ternary(Ternary::Fma, a, b, c))
    });
    expect("fma of a vec3 and a float", found[0], vec3(3.0, 5.0, 7.0));
    for (condition, expected) in [(true, 1.0), (false, 2.0)] {
        let found = positions_of(|builder| {
            let condition = parameter(builder, Bool(condition));
            let [yes, no] = [1.0, 2.0].map(|x| parameter(builder, Float(x)));
            builder.select(condition, yes, no)
        });
        expect("select", found[0], Float(expected));
    }
    let found = positions_of(|builder| {
        let v = parameter(builder, vec3(1.0, 2.0, 3.0));
        let [x, y, z] = [0, 1, 2].map(|i| builder.component(v, i));
        builder.vec3(z, x, y)
    });
    expect("vec3 of components", found[0], vec3(3.0, 1.0, 2.0));
}

#[test]
fn sources_of_the_frame_and_of_vertices_are_read_where_they_belong() {
    for (source, expected) in [
        (Source::Time, [Float(0.5); 3]),
        (Source::CharacterSize, [Float(4.0); 3]),
        (Source::GroundHeight, [Float(-1.0); 3]),
        (Source::SkinnedPosition, [0.0, 1.0, 2.0].map(|x| vec3(x, 0.0, 1.0))),
        (Source::RestPosition, [0.0, 1.0, 2.0].map(|x| vec3(x, 0.0, 0.0))),
        (Source::SkinnedNormal, [vec3(1.0, 0.0, 0.0); 3]),
        (Source::RestNormal, [vec3(0.0, 1.0, 0.0); 3]),
    ] {
        let found = positions_of(|builder| builder.source(source));
        for (found, expected) in found.into_iter().zip(expected) {
            expect(&format!("{source:?}"), found, expected);
        }
    }
    let found = positions_of(|builder| {
        let source = MapSource::Named("softness".to_owned());
        builder.tables.maps.push(MapRequest { node: "Map".to_owned(), source });
        builder.leaf(Op::Map(0))
    });
    assert_eq!(found, [0.1, 0.2, 0.3].map(DVec3::splat));
}

/// With skin weights vertex 0 shows bone 0, vertex 1 the mean 3 : 1, vertex 2 nothing.
#[test]
fn sources_of_bones_are_summed_with_the_weights_of_the_column() {
    let skin = Column { kind: WeightKind::Skin, keep: None };
    let w = DQuat::from_rotation_x(1.0).w;
    for (name, make, of_bones) in [
        ("depth", (|b| b.source(Source::BoneDepth)) as fn(&mut Builder) -> Value, [0.0, 1.0]),
        ("root", |b| b.source(Source::BoneIsRoot), [1.0, 0.0]),
        ("rotation w", |b| b.source(Source::BoneRotationW), [w, w]),
        ("parent rotation w", |b| b.source(Source::BoneParentRotationW), [1.0, w]),
        ("origin y", |b| y_of(b, Source::BoneOrigin), [0.0, 1.0]),
        ("centroid y", |b| y_of(b, Source::BoneCentroid), [0.5, 1.5]),
        ("exact centroid y", |b| y_of(b, Source::BoneExactCentroid), [0.6, 1.6]),
        ("rotation y", |b| y_of(b, Source::BoneRotation), [0.0, 0.5f64.sin()]),
        ("parent rotation y", |b| y_of(b, Source::BoneParentRotation), [0.0, 0.0]),
        ("bone table", bone_table, [5.0, 7.0]),
        ("bone set", bone_set, [0.0, 1.0]),
        ("speed", |b| motion(b, MotionPart::LinearVelocity, 0), [1.0, 2.0]),
        ("turning", |b| motion(b, MotionPart::AngularVelocity, 2), [1.0, 2.0]),
        ("acceleration", |b| motion(b, MotionPart::LinearAcceleration, 0), [10.0, 20.0]),
        ("angular acceleration", |b| motion(b, MotionPart::AngularAcceleration, 2), [10.0, 20.0]),
        ("weight", |b| b.leaf(Op::Weight(0)), [f64::NAN; 2]),
    ] {
        let found = positions_of(|builder| {
            let value = make(builder);
            builder.sum(value, skin)
        });
        let [root, tip] = of_bones;
        // The weight itself is the one thing that no bone alone knows: Σ w².
        let expected =
            if name == "weight" { [1.0, 0.625] } else { [root, 0.75 * root + 0.25 * tip] };
        expect(name, found[0], Float(expected[0]));
        assert!((found[1] - DVec3::splat(expected[1])).length() < 1e-12, "{name}: {found:?}");
        assert_eq!(found[2], DVec3::ZERO, "{name}");
    }
}

fn y_of(builder: &mut Builder, source: Source) -> Value {
    let v = builder.source(source);
    builder.component(v, 1)
}

fn motion(builder: &mut Builder, part: MotionPart, component: u8) -> Value {
    let window = parameter(builder, Float(0.1));
    let v = builder.motion(part, window);
    builder.component(v, component)
}

fn bone_table(builder: &mut Builder) -> Value {
    let node = "test".to_owned();
    builder.tables.bone_tables.push(jounce::ir::BoneTable { node });
    builder.leaf(Op::BoneTable(0))
}

fn bone_set(builder: &mut Builder) -> Value {
    let set = jounce::ir::BoneSet { node: "test".to_owned(), names: vec![], branches: false };
    builder.tables.bone_sets.push(set);
    builder.leaf(Op::BoneSet(0))
}

/// p + Σ up · (Σ skin · depth) · x_j(p), with x_j = |p − p_j|²: bones meet vertices, and a sum
/// feeds on a sum.
#[test]
fn sums_feed_on_sums_and_any_value_can_be_probed() {
    let skin = Column { kind: WeightKind::Skin, keep: None };
    let mut builder = Builder::default();
    let [p, origin, depth] = [Source::SkinnedPosition, Source::BoneOrigin, Source::BoneDepth]
        .map(|source| builder.source(source));
    let mean_depth = builder.sum(depth, skin);
    let arm = builder.binary(Binary::Sub, p, origin);
    let square = builder.binary(Binary::Dot, arm, arm);
    let product = builder.binary(Binary::Mul, square, mean_depth);
    let sum = builder.sum(product, Column::UPWARD);
    let program = finish(builder, sum);
    let find =
        |wanted: &dyn Fn(&Op) -> bool| Value(program.ops.iter().position(wanted).unwrap() as u32);
    let depth = find(&|op| *op == Op::Source(Source::BoneDepth));
    let square = find(&|op| matches!(op, Op::Binary(Binary::Dot, ..)));
    let mean_depth = find(&|op| *op == Op::Sum { value: depth, column: 0 });
    let motion = tiny_motion();
    let (bound, moment) = (tiny_bound(&program), tiny_moment(&program, &motion));
    let watched = [square, depth, program.position, mean_depth];
    let probed = Interpreter::probe(&program, &bound, &moment, &watched).unwrap();
    // |(0,0,1)|², |(1,0,1)|² and |(1,−1,1)|².
    assert_eq!(probed[0], Probed::Pairs(vec![Float(1.0), Float(2.0), Float(3.0)]));
    assert_eq!(probed[1], Probed::Bones(vec![Float(0.0), Float(1.0)]));
    let sums = [0.0, 0.25 * 2.0 + 0.25 * 0.25 * 3.0, 0.0];
    assert_eq!(probed[2], Probed::Vertices(sums.map(|x| Vec3(DVec3::splat(x))).to_vec()));
    assert_eq!(probed[3], Probed::Vertices(vec![Float(0.0), Float(0.25), Float(0.0)]));
    let deformed = Interpreter.deform(&program, &bound, &moment).unwrap();
    assert_eq!(deformed.positions[1], glam::Vec3::splat(sums[1] as f32));
}

/// Remembers what it was asked for.
struct Asked(Mutex<Vec<(bool, f64)>>);

impl Motion for Asked {
    fn velocities(&self, window_secs: f64) -> Cow<'_, [BoneMotion]> {
        self.0.lock().unwrap().push((false, window_secs));
        tiny_motion().velocities.into()
    }

    fn accelerations(&self, window_secs: f64) -> Cow<'_, [BoneMotion]> {
        self.0.lock().unwrap().push((true, window_secs));
        tiny_motion().accelerations.into()
    }
}

#[test]
fn each_motion_is_asked_for_once_with_a_limited_window() {
    let mut builder = Builder::default();
    let parts = [
        (MotionPart::LinearVelocity, 0.1),
        (MotionPart::AngularVelocity, 0.1),
        (MotionPart::LinearVelocity, -3.0),
        (MotionPart::LinearAcceleration, 1e9),
    ];
    let values = parts.map(|(part, secs)| {
        let window = parameter(&mut builder, Float(secs));
        builder.motion(part, window)
    });
    let all = values.into_iter().reduce(|a, b| builder.binary(Binary::Add, a, b)).unwrap();
    let sum = builder.sum(all, Column::UPWARD);
    let program = finish(builder, sum);
    let asked = Asked(Mutex::new(Vec::new()));
    let moment = tiny_moment(&program, &asked);
    Interpreter::positions(&program, &tiny_bound(&program), &moment).unwrap();
    assert_eq!(*asked.0.lock().unwrap(), [(false, 0.1), (false, 0.0), (true, 10.0)]);
}

#[test]
fn absurd_numbers_are_stopped_at_the_door() {
    let program = finish_position();
    let motion = tiny_motion();
    let bound = tiny_bound(&program);
    let sentence = |change: &dyn Fn(&mut Moment, &mut Bound)| {
        let (mut moment, mut bound) = (tiny_moment(&program, &motion), bound.clone());
        change(&mut moment, &mut bound);
        Interpreter::positions(&program, &bound, &moment).unwrap_err().to_string()
    };
    assert_eq!(
        sentence(&|moment, _| moment.bone_origins[1].y = f64::NAN),
        "the origin of bone \"Tip\" is NaN, which is not a usable number"
    );
    assert_eq!(
        sentence(&|moment, _| moment.bone_rotations[0].w = f64::INFINITY),
        "the rotation of bone \"Root\" is inf, which is not a usable number"
    );
    assert_eq!(
        sentence(&|moment, _| given(moment).0[2].z = -2e12),
        "the skinned position of vertex 2 is -2000000000000, which is not a usable number"
    );
    assert_eq!(
        sentence(&|moment, _| moment.time_secs = f64::NAN),
        "the time is NaN, which is not a usable number"
    );
    assert_eq!(
        sentence(&|moment, _| {
            Arc::make_mut(&mut moment.parameters.values)[0] = Float(f64::NAN);
        }),
        "the input \"0\" of \"test\" is NaN, which is not a usable number"
    );
    assert_eq!(
        sentence(&|_, bound| Arc::make_mut(&mut bound.pairs).bones[2] = 2),
        "the pairs of vertices and bones are not in order at vertex 1"
    );
    assert!(
        sentence(&|_, bound| Arc::make_mut(&mut bound.pairs).offsets[1] = 9)
            .contains("at vertex 0")
    );
    assert!(
        sentence(&|_, bound| Arc::make_mut(&mut bound.weights)[0][1] = f64::NAN).contains("weight")
    );
    assert!(sentence(&|moment, _| given(moment).1.truncate(2)).contains("2 entries"));
    let fast = ConstantMotion { velocities: vec![BoneMotion::ZERO; 1], ..tiny_motion() };
    let error = Interpreter::positions(&program, &bound, &tiny_moment(&program, &fast));
    assert!(matches!(error, Err(EvalError::Count { what: "motion", found: 1, expected: 2 })));
    let mut fast = tiny_motion();
    fast.velocities[1].angular.x = 1e13;
    let error = Interpreter::positions(&program, &bound, &tiny_moment(&program, &fast));
    assert!(error.unwrap_err().to_string().starts_with("the velocity of bone \"Tip\""));
}

/// p − k Σ up v.
fn finish_position() -> Program {
    let mut builder = Builder::default();
    let k = parameter(&mut builder, Float(0.2));
    let window = builder.float(0.0);
    let velocity = builder.motion(MotionPart::LinearVelocity, window);
    let lag = builder.binary(Binary::Mul, velocity, k);
    let sum = builder.sum(lag, Column::UPWARD);
    let p = builder.source(Source::SkinnedPosition);
    let position = builder.binary(Binary::Sub, p, sum);
    finish(builder, position)
}

#[test]
fn broken_programs_are_refused_and_never_panic() {
    let good = finish_position();
    let motion = tiny_motion();
    let (bound, moment) = (tiny_bound(&good), tiny_moment(&good, &motion));
    let is_refused = |change: &dyn Fn(&mut Program)| {
        let mut program = good.clone();
        change(&mut program);
        Interpreter::positions(&program, &bound, &moment).is_err()
    };
    assert!(!is_refused(&|_| {}));
    assert!(is_refused(&|program| program.stages.clear()));
    assert!(is_refused(&|program| program.stages.reverse()));
    assert!(is_refused(&|program| program.position = Value(999)));
    assert!(is_refused(&|program| program.types.clear()));
    assert!(is_refused(&|program| program.tables = Tables::default()));
    assert!(is_refused(&|program| program.stages.push(Stage::Vertex(vec![Value(999)]))));
    for place in 0..good.ops.len() {
        let other = Op::Component(Value(0), 3);
        assert!(is_refused(&|program| program.ops[place] = other), "{:?}", good.ops[place]);
        let itself = Op::Unary(Unary::Neg, Value(place as u32));
        assert!(is_refused(&|program| program.ops[place] = itself), "{:?}", good.ops[place]);
    }
}

/// Random programs on the nastiest numbers that may enter: what leaves is finite.
#[test]
fn zeros_denormals_and_giants_give_finite_positions() {
    const NASTY: [f64; 10] =
        [0.0, -0.0, 1.0, -1.0, 1e12, -1e12, 5e-324, 1e-20, -1e-160, std::f64::consts::PI];
    let mut random = Random(7);
    for round in 0..400 {
        let mut builder = Builder::default();
        let mut floats: Vec<Value> =
            NASTY.iter().map(|&x| parameter(&mut builder, Float(x))).collect();
        let mut vectors: Vec<Value> = vec![
            builder.source(Source::SkinnedPosition),
            builder.source(Source::BoneOrigin),
            builder.source(Source::BoneCentroid),
        ];
        for _ in 0..24 {
            let [a, b, c] = [0; 3].map(|_| floats[random.below(floats.len())]);
            let [v, w] = [0; 2].map(|_| vectors[random.below(vectors.len())]);
            use Binary::*;
            use Unary::*;
            match random.below(4) {
                0 => {
                    let op = [Sqrt, Sin, Cos, Exp, Log, Floor, Neg, Abs][random.below(8)];
                    floats.push(builder.unary(op, a));
                }
                1 => {
                    let op = [Add, Sub, Mul, Div, Min, Max, Pow, Atan2][random.below(8)];
                    floats.push(builder.binary(op, a, b));
                    let less = builder.binary(Less, a, b);
                    floats.push(builder.select(less, c, a));
                }
                2 => {
                    let op = [Add, Sub, Mul, Div, Min, Max, Cross][random.below(7)];
                    vectors.push(builder.binary(op, v, w));
                    floats.push(builder.binary(Dot, v, w));
                }
                _ => {
                    let direction = builder.unary(Normalize, v);
                    vectors.push(builder.binary([Mul, Div][random.below(2)], direction, a));
                    vectors.push(builder.sum(w, Column::UPWARD));
                    vectors.push(builder.vec3(a, b, c));
                }
            }
        }
        let last = [vectors[vectors.len() - 1], floats[floats.len() - 1]];
        let scaled = builder.binary(Binary::Mul, last[0], last[1]);
        let sum = builder.sum(scaled, Column::UPWARD);
        let program = finish(builder, sum);
        let motion = tiny_motion();
        let (bound, mut moment) = (tiny_bound(&program), tiny_moment(&program, &motion));
        *given(&mut moment).0 = [0.0, 1e12, 5e-324].map(DVec3::splat).to_vec();
        moment.bone_origins[1] = DVec3::new(-1e12, 0.0, 1e-300);
        let positions = Interpreter::positions(&program, &bound, &moment).unwrap();
        let finite = positions.iter().all(|p| p.abs().max_element() <= 1e12);
        assert!(finite, "round {round}: {positions:?}\n{:?}", program.ops);
    }
}
