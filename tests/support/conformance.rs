//! Runs a script's `eval` on many tuples of numbers at once, with all evaluators.
//!
//! Each tuple is a vertex of a made-up character of two bones; the arguments come in as maps, so
//! they are only known at run time, and the result leaves as the vertex's position.

use glam::{DQuat, DVec3, dvec3};
use jounce::eval::{
    BoneNumbers, Bound, ConstantMotion, Evaluator, Moment, Neighbours, Pairs, Parameters, Skinning,
};
use jounce::ir::{
    BoneSet, BoneTable, Builder, Column, MapRequest, MapSource, Number, Op, Program, Type, Value,
    WeightKind,
};
use jounce::motion::BoneMotion;
use jounce::rig::Base;
use jounce::script::{NodeType, ScriptError, ScriptOrigin, Val, evaluate_node, node_type};

/// Weights of the two bones of every vertex.
pub const UPWARD: [f64; 2] = [1.0, 0.25];
pub const DOWNWARD: [f64; 2] = [0.75, 1.0];
pub const SKIN: [f64; 2] = [0.75, 0.25];
/// A column pruned to few weights is marked, so that it can be told from the whole one.
pub const OF_PRUNED: f64 = 0.5;
/// Where plain skinning puts every vertex: what leaves in place of a result above 1e12.
pub const PLAIN: DVec3 = dvec3(123.5, -0.25, 77.0);
pub const SOFTNESS: f64 = 0.625;
/// What is set for the first bone; the second has nothing.
pub const BONE_VALUE: f64 = 0.3;
pub const VELOCITIES: [f64; 2] = [1.0, 2.0];
pub const ACCELERATIONS: [f64; 2] = [10.0, 20.0];

/// `inputs` are port names with FLOAT or VEC3; the result is a float or a vec3.
pub fn script(helpers: &str, inputs: &[(&str, Type)], body: &str) -> Result<NodeType, ScriptError> {
    let mut text = "node(\"Test\", \"Tests\");\noutput(\"r\", ANY);\n".to_owned();
    for (name, ty) in inputs {
        text +=
            &format!("input(\"{name}\", {});\n", if *ty == Type::Vec3 { "VEC3" } else { "FLOAT" });
    }
    let names: Vec<&str> = inputs.iter().map(|(name, _)| *name).collect();
    text += &format!("{helpers}\nfn eval({}) {{\n{body}\n}}\n", names.join(", "));
    node_type(&text, "test.rhai", ScriptOrigin::BuiltIn)
}

/// A result as a position: a float fills it.
pub fn shown(builder: &mut Builder, result: &Val) -> Value {
    match *result {
        Val::Bool(value) => {
            let (yes, no) = (builder.float(1.0), builder.float(0.0));
            let number = builder.select(value, yes, no);
            builder.splat(number)
        }
        ref number => number.vec3(builder).unwrap_or_else(|| panic!("a {}", number.describe())),
    }
}

/// The program of a node whose arguments are the maps "0", "1", ….
pub fn program_of_maps(node_type: &NodeType, inputs: &[(&str, Type)]) -> Program {
    let mut builder = Builder::default();
    let mut count = 0;
    let mut map = |builder: &mut Builder| {
        let source = MapSource::Named(count.to_string());
        builder.tables.maps.push(MapRequest { node: String::new(), source });
        count += 1;
        builder.leaf(Op::Map(count - 1))
    };
    let ports = inputs.iter().map(|(name, ty)| {
        let value = match ty {
            Type::Vec3 => {
                let [x, y, z] = [(); 3].map(|()| map(&mut builder));
                Val::Vec3(builder.vec3(x, y, z))
            }
            _ => Val::Float(map(&mut builder)),
        };
        ((*name).to_owned(), value)
    });
    let ports = ports.collect();
    finish(node_type, builder, ports)
}

pub fn finish(node_type: &NodeType, mut builder: Builder, ports: Vec<(String, Val)>) -> Program {
    let result = evaluate_node(node_type, &mut builder, &ports, false).ok().unwrap();
    let position = shown(&mut builder, &result);
    builder.finish(position, Base::Lbs)
}

/// One row of numbers per vertex. What all evaluators give.
pub fn run(program: &Program, rows: &[Vec<f64>]) -> Vec<DVec3> {
    with_moment(program, rows, |bound, moment| {
        let deformed = super::evaluators::agreed(program, bound, moment);
        deformed.positions.iter().map(|p| p.as_dvec3()).collect()
    })
}

/// What one evaluator gives.
pub fn run_on(evaluator: &mut dyn Evaluator, program: &Program, rows: &[Vec<f64>]) -> Vec<DVec3> {
    with_moment(program, rows, |bound, moment| {
        let deformed = evaluator.deform(program, bound, moment).unwrap();
        deformed.positions.iter().map(|p| p.as_dvec3()).collect()
    })
}

fn with_moment<T>(
    program: &Program,
    rows: &[Vec<f64>],
    work: impl FnOnce(&Bound, &Moment) -> T,
) -> T {
    let motion = motion();
    let bound = bound(program, rows);
    let moment = Moment {
        time_secs: 0.5,
        parameters: Parameters::new(program),
        motion: &motion,
        bone_origins: vec![DVec3::ZERO, DVec3::Y],
        bone_rotations: vec![DQuat::IDENTITY; 2],
        bone_parent_rotations: vec![DQuat::IDENTITY; 2],
        bone_centroids: vec![DVec3::ZERO, DVec3::Y],
        bone_exact_centroids: vec![DVec3::ZERO, DVec3::Y],
        snapshot: Default::default(),
        skinning: Skinning::Given {
            positions: vec![PLAIN; rows.len()],
            normals: vec![DVec3::Y; rows.len()],
        },
    };
    work(&bound, &moment)
}

fn motion() -> ConstantMotion {
    let motion = |x: f64| BoneMotion { linear: DVec3::X * x, angular: DVec3::Z * x };
    ConstantMotion {
        velocities: VELOCITIES.map(motion).to_vec(),
        accelerations: ACCELERATIONS.map(motion).to_vec(),
    }
}

fn bound(program: &Program, rows: &[Vec<f64>]) -> Bound {
    let count = rows.len();
    let tables = &program.tables;
    let map = |request: &MapRequest| match &request.source {
        MapSource::Derived(_) => Some(vec![SOFTNESS; count]),
        MapSource::Named(name) => {
            let place: usize = name.parse().ok()?;
            Some(rows.iter().map(|row| row[place]).collect())
        }
    };
    let weights = |column: &Column| {
        let of_bones = match column.kind {
            WeightKind::Upward | WeightKind::Anchored => UPWARD,
            WeightKind::Downward => DOWNWARD,
            WeightKind::Skin => SKIN,
            WeightKind::Flesh => [0.0; 2],
        };
        let factor = if column.keep.is_some() { OF_PRUNED } else { 1.0 };
        of_bones.map(|weight| weight * factor).repeat(count)
    };
    let bone_set = |set: &BoneSet| match set.names.is_empty() {
        true => vec![0.0, 0.0],
        false => vec![0.0, 1.0],
    };
    let bone_table = |_: &BoneTable| vec![Some(BONE_VALUE), None];
    Bound {
        flesh: Vec::new(),
        anchors: Default::default(),
        bone_names: vec!["Root".to_owned(), "Tip".to_owned()],
        bone_numbers: vec![
            BoneNumbers { is_root: 1.0, ..BoneNumbers::default() },
            BoneNumbers { depth: 1.0, role: 8.0, looseness: 1.0, ..BoneNumbers::default() },
        ],
        bone_tables: tables.bone_tables.iter().map(bone_table).collect(),
        bone_sets: tables.bone_sets.iter().map(bone_set).collect(),
        rest_positions: vec![dvec3(0.0, 0.0, 0.0); count].into(),
        rest_normals: vec![DVec3::Y; count].into(),
        maps: tables.maps.iter().map(|it| map(it).map(Into::into)).collect(),
        pairs: Pairs {
            offsets: (0..=count as u32).map(|vertex| vertex * 2).collect(),
            bones: [0, 1].repeat(count),
        }
        .into(),
        weights: tables.columns.iter().map(weights).collect::<Vec<_>>().into(),
        centroid_offsets: Vec::new(),
        size: 4.0,
        ground_height: -1.0,
        height: 3.0,
        skin: None,
        neighbours: ring(count).into(),
        warnings: Vec::new(),
    }
}

/// The numbers of an argument.
pub fn numbers(number: Number) -> Vec<f64> {
    match number {
        Number::Float(x) => vec![x],
        Number::Bool(b) => vec![f64::from(u8::from(b))],
        Number::Vec3(v) => v.to_array().to_vec(),
    }
}

/// Vertices stand in a circle: each has the one before and the one behind it.
fn ring(count: usize) -> Neighbours {
    let count = count as u32;
    let around = |v: u32| [(v + count - 1) % count, (v + 1) % count];
    Neighbours {
        offsets: (0..=count).map(|v| v * 2).collect(),
        vertices: (0..count).flat_map(around).collect(),
    }
}
