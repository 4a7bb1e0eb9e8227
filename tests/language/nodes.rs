//! Every built-in node against a formula or a law, with nasty input, through the compiler and an
//! evaluator. Each vertex of the tube is one set of inputs, painted into maps.

mod deformers;
mod effects;
mod ramp_and_noise;
mod roles;
use crate::support::evaluators::agreed;
use crate::support::random::Random;
use glam::{DVec3, dvec3};
use jounce::compile::compile;
use jounce::eval::{Bound, ConstantMotion, Moment, Motion, Parameters, Setup};
use jounce::graph::{BoneSetting, CharacterSettings, Link, Node, PortRef, Style};
use jounce::ir::semantics;
use jounce::motion::BoneMotion;
use jounce::rig::{Character, own};
use jounce::script::{Library, Setting};
use std::collections::BTreeMap;
use std::sync::OnceLock;

fn tube() -> &'static Character {
    static TUBE: OnceLock<Character> = OnceLock::new();
    TUBE.get_or_init(|| own::built_in("tube").unwrap())
}

/// A node under test: settings, and inputs fed from maps (F: one number, V: three).
struct Case<'a> {
    node: &'a str,
    settings: &'a [(&'a str, Setting)],
    inputs: &'a [(&'a str, Fed)],
    output: &'a str,
}

#[derive(Clone, Copy, PartialEq)]
enum Fed {
    F,
    V,
}
use Fed::{F, V};

fn text(word: &str) -> Setting {
    Setting::Text(word.to_owned())
}

/// One row of numbers per vertex → one result per vertex; a float fills all three components.
fn run(case: &Case, rows: &[Vec<f64>], character: &CharacterSettings) -> Vec<Vec<DVec3>> {
    let mut style = Style::default();
    let mut settings = character.clone();
    let mut node = Node::new(case.node);
    for (port, setting) in case.settings {
        node.settings.insert((*port).to_owned(), setting.clone());
    }
    let graph = &mut style.graph;
    let mut link = |from: (&str, &str), to: (&str, &str)| {
        graph.links.insert(Link::new(PortRef::new(from.0, from.1), PortRef::new(to.0, to.1)));
    };
    let mut maps = 0;
    let mut nodes: BTreeMap<String, Node> = BTreeMap::new();
    for (port, fed) in case.inputs {
        let count = if *fed == F { 1 } else { 3 };
        let join = format!("join-{}", port.replace(' ', "-"));
        for axis in ["x", "y", "z"].iter().take(count) {
            let id = format!("map{maps}");
            let mut map = Node::new("Map");
            map.settings.insert("source".to_owned(), text("painted"));
            map.settings.insert("name".to_owned(), text(&id));
            nodes.insert(id.clone(), map);
            let values = (0..tube().vertex_count()).map(|v| rows[v % rows.len()][maps] as f32);
            settings.maps.insert(id.clone(), values.collect::<Vec<f32>>().into());
            match fed {
                F => link((&id, "value"), ("test", port)),
                V => link((&id, "value"), (&join, axis)),
            }
            maps += 1;
        }
        if *fed == V {
            link((&join, "vector"), ("test", port));
            nodes.insert(join, Node::new("Join"));
        }
    }
    link(("test", case.output), ("out", "position"));
    nodes.insert("test".to_owned(), node);
    nodes.insert("out".to_owned(), Node::new("Output"));
    graph.nodes = nodes;
    evaluate(&style, &settings)
}

/// The positions that all evaluators give for the tube.
fn evaluate(style: &Style, settings: &CharacterSettings) -> Vec<Vec<DVec3>> {
    evaluate_on(tube(), &motion(), style, settings)
}

fn evaluate_on(
    character: &Character,
    motion: &dyn Motion,
    style: &Style,
    settings: &CharacterSettings,
) -> Vec<Vec<DVec3>> {
    let compiled = compile(style, &Library::built_in());
    assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
    let program = compiled.program;
    let bound = Bound::new(&program, character, settings).unwrap();
    assert!(bound.warnings.is_empty(), "{:?}", bound.warnings);
    let parameters = Parameters::new(&program);
    let moment = Moment::new(
        Setup::new(&program, character, &bound),
        &parameters,
        character.rest_pose(),
        motion,
        0.3,
    );
    let positions = agreed(&program, &bound, &moment).positions;
    vec![positions.iter().map(|p| p.as_dvec3()).collect()]
}

/// Low travels and turns, Middle and High turn about other axes; all of them change their pace.
fn motion() -> ConstantMotion {
    let bone = |linear, angular| BoneMotion { linear, angular };
    let velocities = vec![
        bone(dvec3(0.5, 0.1, 0.0), dvec3(0.0, 2.0, 1.0)),
        bone(DVec3::ZERO, dvec3(1.0, 0.0, 0.0)),
        bone(dvec3(0.0, 0.2, 0.3), dvec3(0.0, 0.0, -3.0)),
    ];
    let accelerations = vec![
        bone(dvec3(-2.0, 3.0, 1.0), dvec3(5.0, -4.0, 0.0)),
        bone(dvec3(0.0, 0.0, 4.0), DVec3::ZERO),
        bone(DVec3::ZERO, dvec3(-6.0, 2.0, 9.0)),
    ];
    ConstantMotion { velocities, accelerations }
}

const NASTY: [f64; 16] = [
    0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 1e-7, -1e-12, 1e-30, -1e-38, 1e-42, 1e5, -1e6, 1e9, -1e12,
];

/// Nasty and ordinary numbers, as single precision keeps them.
fn rows(width: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut random = Random::new(seed);
    let mut one = || {
        let number = match random.below(2) {
            0 => NASTY[random.below(NASTY.len())],
            _ => random.between(-3.0, 3.0),
        };
        f64::from(number as f32)
    };
    (0..tube().vertex_count()).map(|_| (0..width).map(|_| one()).collect()).collect()
}

fn width(inputs: &[(&str, Fed)]) -> usize {
    inputs.iter().map(|(_, fed)| if *fed == F { 1 } else { 3 }).sum()
}

/// The node gives what the formula gives, to single precision of the numbers in it.
fn agrees(case: &Case, formula: impl Fn(&[f64]) -> DVec3) {
    let rows = rows(width(case.inputs), 17);
    for found in run(case, &rows, &CharacterSettings::default()) {
        let plain = &tube().rest().positions;
        for ((row, found), plain) in rows.iter().zip(&found).zip(plain) {
            let expected = formula(row);
            // In place of an absurd position stands plain skinning's: see the header of the IR.
            let is_sane = expected.to_array().into_iter().all(semantics::is_sane);
            let expected = if is_sane { expected } else { plain.as_dvec3() };
            assert!(found.is_finite(), "{} {row:?}: {found}", case.node);
            // Sums of large numbers cancel: what is lost is a part of the largest.
            let largest = row.iter().fold(expected.abs().max_element(), |a, b| a.max(b.abs()));
            let difference = (*found - expected).abs().max_element();
            assert!(
                difference <= 1e-6 * expected.abs().max_element() + 1e-12 * largest + 1e-30,
                "{} {row:?}: {found}, expected {expected}",
                case.node
            );
        }
    }
}

fn all(x: f64) -> DVec3 {
    DVec3::splat(x)
}

fn v(row: &[f64], at: usize) -> DVec3 {
    DVec3::from_slice(&row[at..])
}

#[test]
fn the_mathematical_nodes_agree_with_their_formulas() {
    let floats =
        |node, names: &'static [(&'static str, Fed)], output, formula: &dyn Fn(&[f64]) -> f64| {
            let case = Case { node, settings: &[], inputs: names, output };
            agrees(&case, |row| all(formula(row)));
        };
    const AB: &[(&str, Fed)] = &[("a", F), ("b", F)];
    floats("Add", AB, "sum", &|r| r[0] + r[1]);
    floats("Subtract", AB, "difference", &|r| r[0] - r[1]);
    floats("Multiply", AB, "product", &|r| r[0] * r[1]);
    floats("Divide", AB, "quotient", &|r| semantics::divide(r[0], r[1]));
    floats("Min", AB, "value", &|r| r[0].min(r[1]));
    floats("Max", AB, "value", &|r| r[0].max(r[1]));
    floats("Abs", &[("value", F)], "value", &|r| r[0].abs());
    floats("Mix", &[("a", F), ("b", F), ("share", F)], "value", &|r| r[0] + (r[1] - r[0]) * r[2]);
    floats("Power", &[("value", F), ("exponent", F)], "value", &|r| match (r[0], r[1]) {
        (_, 0.0) => 1.0,
        (x, _) if x <= 0.0 => 0.0,
        (x, y) => x.powf(y).min(1e30),
    });
    floats("Compare", AB, "result", &|r| f64::from(u8::from(r[0] > r[1])));
    floats("Select", &[("condition", F), ("yes", F), ("no", F)], "value", &|r| {
        if r[0] > 0.5 { r[1] } else { r[2] }
    });
    floats("Clamp", &[("value", F), ("min", F), ("max", F)], "value", &|r| {
        r[0].min(r[2]).max(r[1])
    });
    const REMAP: &[(&str, Fed)] =
        &[("value", F), ("from min", F), ("from max", F), ("to min", F), ("to max", F)];
    floats("Remap", REMAP, "value", &|r| {
        let share = semantics::divide(r[0] - r[1], r[2] - r[1]).clamp(0.0, 1.0);
        r[3] + share * (r[4] - r[3])
    });
}

#[test]
fn compare_compares_in_every_way() {
    type Holds = fn(f64, f64) -> bool;
    let ways: [(&str, Holds); 5] = [
        ("greater", |a, b| a > b),
        ("greater or equal", |a, b| a >= b),
        ("less", |a, b| a < b),
        ("less or equal", |a, b| a <= b),
        ("equal", |a, b| (a - b).abs() <= 0.001),
    ];
    for (how, holds) in ways {
        let settings = [("how", text(how))];
        let inputs = [("a", F), ("b", F)];
        let case = Case { node: "Compare", settings: &settings, inputs: &inputs, output: "result" };
        agrees(&case, |r| all(f64::from(u8::from(holds(r[0], r[1])))));
    }
}

#[test]
fn the_vector_nodes_agree_with_their_formulas() {
    let vectors =
        |node, names: &'static [(&'static str, Fed)], output, formula: &dyn Fn(&[f64]) -> DVec3| {
            agrees(&Case { node, settings: &[], inputs: names, output }, formula);
        };
    const AB: &[(&str, Fed)] = &[("a", V), ("b", V)];
    vectors("Add", AB, "sum", &|r| v(r, 0) + v(r, 3));
    vectors("Multiply", &[("a", V), ("b", F)], "product", &|r| v(r, 0) * r[3]);
    vectors("Divide", AB, "quotient", &|r| {
        let (a, b) = (v(r, 0), v(r, 3));
        dvec3(semantics::divide(a.x, b.x), semantics::divide(a.y, b.y), semantics::divide(a.z, b.z))
    });
    vectors("Dot", AB, "product", &|r| all(v(r, 0).dot(v(r, 3))));
    vectors("Length", &[("vector", V)], "length", &|r| all(v(r, 0).length()));
    vectors("Join", &[("x", F), ("y", F), ("z", F)], "vector", &|r| v(r, 0));
    vectors("Split", &[("vector", V)], "y", &|r| all(r[1]));
    vectors("Abs", &[("value", V)], "value", &|r| v(r, 0).abs());
    vectors("Select", &[("condition", F), ("yes", V), ("no", F)], "value", &|r| {
        if r[0] > 0.5 { v(r, 1) } else { DVec3::splat(r[4]) }
    });
}

#[test]
fn normalize_and_cross_obey_their_laws() {
    let rows = rows(6, 5);
    let inputs = [("vector", V)];
    let case = Case { node: "Normalize", settings: &[], inputs: &inputs, output: "vector" };
    for found in run(&case, &rows, &CharacterSettings::default()) {
        for (row, found) in rows.iter().zip(found) {
            let length = v(row, 0).length();
            if length > 1e-9 {
                assert!((found.length() - 1.0).abs() < 1e-6);
                assert!((found * length - v(row, 0)).length() < 1e-6 * length);
            } else {
                assert!(found == DVec3::ZERO || (found.length() - 1.0).abs() < 1e-6);
            }
        }
    }
    let inputs = [("a", V), ("b", V)];
    let case = Case { node: "Cross", settings: &[], inputs: &inputs, output: "product" };
    for found in run(&case, &rows, &CharacterSettings::default()) {
        for (row, found) in rows.iter().zip(found) {
            let (a, b) = (v(row, 0), v(row, 3));
            let scale = a.length() * b.length();
            assert!(found.is_finite());
            if scale <= 1e12 {
                assert!((found - a.cross(b)).length() <= 2e-6 * scale + 1e-30);
            }
        }
    }
}

#[test]
fn limits_shorten_and_never_turn() {
    let size = tube().size();
    for how in ["hard", "smooth"] {
        let settings = [("how", text(how)), ("max length", Setting::Float(0.25))];
        let inputs = [("displacement", V)];
        let case = Case {
            node: "Limit Length",
            settings: &settings,
            inputs: &inputs,
            output: "displacement",
        };
        let rows = rows(3, 9);
        for found in run(&case, &rows, &CharacterSettings::default()) {
            for (row, found) in rows.iter().zip(found) {
                let (given, most) = (v(row, 0), 0.25 * size);
                let long = given.length();
                assert!(found.length() <= most * 1.000_001, "{row:?} {found}");
                assert!(
                    found.cross(given).length() <= 1e-5 * long * most + 1e-20,
                    "{row:?} {found}"
                );
                let expected =
                    if how == "hard" { long.min(most) } else { most * long / (most + long) };
                assert!((found.length() - expected).abs() <= 1e-5 * most, "{row:?} {found}");
            }
        }
        let settings = [("how", text(how)), ("max angle", Setting::Float(30.0))];
        let case = Case {
            node: "Limit Angle",
            settings: &settings,
            inputs: &inputs,
            output: "displacement",
        };
        for found in run(&case, &rows, &CharacterSettings::default()) {
            for (vertex, (row, found)) in rows.iter().zip(found).enumerate() {
                let joint: DVec3 = tube()
                    .skin
                    .of(vertex)
                    .iter()
                    .map(|influence| {
                        let bone = tube().bindings[influence.index as usize].bone;
                        tube().bone_origin(tube().rest_pose(), bone) * f64::from(influence.weight)
                    })
                    .sum();
                let radius = (tube().rest().positions[vertex].as_dvec3() - joint).length();
                let most = 2.0 * radius * 15_f64.to_radians().sin();
                assert!(found.length() <= most * 1.001 + 1e-9, "{row:?} {found} {most}");
                assert!(found.dot(v(row, 0)) >= 0.0);
            }
        }
    }
}

#[test]
fn layer_and_pin_scale_a_displacement() {
    let inputs = [("displacement", V), ("amount", F), ("mask", F)];
    let case = Case { node: "Layer", settings: &[], inputs: &inputs, output: "displacement" };
    agrees(&case, |r| v(r, 0) * (r[3] * r[4]));

    let (lowest, _) = tube().rest_bounds();
    let size = tube().size();
    let smooth = |from: f64, to: f64, x: f64| {
        let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    };
    for (bones, amount) in [("", 1.0), ("Middle", 1.0), ("", 0.5)] {
        let settings = [
            ("ground", Setting::Float(0.1)),
            ("fade", Setting::Float(0.3)),
            ("bones", text(bones)),
            ("amount", Setting::Float(amount)),
        ];
        let inputs = [("displacement", V)];
        let case =
            Case { node: "Pin", settings: &settings, inputs: &inputs, output: "displacement" };
        let rows = vec![vec![0.1, 0.2, -0.3]];
        for found in run(&case, &rows, &CharacterSettings::default()) {
            for (vertex, found) in found.iter().enumerate() {
                let height = f64::from(tube().rest().positions[vertex].y - lowest.y) / size;
                let by_height = 1.0 - smooth(0.1, 0.4, height);
                let of_branch = tube().skin.of(vertex).iter().filter(|influence| {
                    let bone = tube().bindings[influence.index as usize].bone;
                    bones == "Middle" && bone > 0
                });
                let by_bone: f64 = of_branch.map(|influence| f64::from(influence.weight)).sum();
                let expected = dvec3(0.1, 0.2, -0.3) * (1.0 - by_height.max(by_bone) * amount);
                assert!((*found - expected).length() < 1e-6);
            }
        }
    }
}

/// A node that needs no input from maps.
fn plain(node: &str, settings: &[(&str, Setting)], output: &str) -> Vec<DVec3> {
    plain_with(node, settings, output, &CharacterSettings::default())
}

fn plain_with(
    node: &str,
    settings: &[(&str, Setting)],
    output: &str,
    character: &CharacterSettings,
) -> Vec<DVec3> {
    let case = Case { node, settings, inputs: &[], output };
    run(&case, &[vec![]], character).remove(0)
}

#[test]
fn input_nodes_bring_what_they_say() {
    let rest: Vec<DVec3> = tube().rest().positions.iter().map(|p| p.as_dvec3()).collect();
    assert_eq!(plain("Character", &[], "position"), rest);
    assert_eq!(plain("Character", &[], "rest position"), rest);
    let size = plain("Character", &[], "size")[0];
    assert!((size.x - tube().size()).abs() < 1e-6);
    assert_eq!(plain("Character", &[], "ground height")[0].x as f32, tube().rest_bounds().0.y);
    let larger = CharacterSettings { size: Some(7.0), ..CharacterSettings::default() };
    assert_eq!(plain_with("Character", &[], "size", &larger)[0], DVec3::splat(7.0));
    let constant = [("number", Setting::Float(0.25)), ("vector", Setting::Vec3([1.0, 2.0, 3.0]))];
    assert_eq!(plain("Constant", &constant, "number")[3], DVec3::splat(0.25));
    assert_eq!(plain("Constant", &constant, "vector")[3], dvec3(1.0, 2.0, 3.0));
    let height = tube().rest_bounds().1.y - tube().rest_bounds().0.y;
    assert_eq!(plain("Character", &[], "height")[0].x as f32, height);
    assert_eq!(plain("Parameter", &[("value", Setting::Float(0.75))], "value")[0].x, 0.75);
    assert_eq!(plain("Time", &[], "time")[0].x as f32, 0.3);
    let wave = plain("Time", &[("frequency", Setting::Float(2.0))], "wave")[0].x;
    assert!((wave - (std::f64::consts::TAU * 0.6).sin()).abs() < 1e-6);
    assert_eq!(plain("Expression", &[("value", Setting::Float(2.5))], "result")[0].x, 2.5);
}

#[test]
fn maps_are_softness_painted_height_and_branch() {
    let softness = plain("Map", &[], "value");
    for (found, expected) in softness.iter().zip(tube().automatic_softness()) {
        assert_eq!(found.x as f32, *expected);
    }
    let mut character = CharacterSettings::default();
    let painted: Vec<f32> = (0..tube().vertex_count()).map(|i| (i as f32).sin()).collect();
    character.maps.insert("wet".to_owned(), painted.clone().into());
    let settings = [
        ("source", text("painted")),
        ("name", text("wet")),
        ("gain", Setting::Float(-2.0)),
        ("offset", Setting::Float(0.5)),
    ];
    let found = plain_with("Map", &settings, "value", &character);
    for (found, painted) in found.iter().zip(&painted) {
        assert!((found.x - (0.5 - 2.0 * f64::from(*painted))).abs() < 1e-6);
    }
    let height = plain("Map", &[("source", text("height"))], "value");
    let (lowest, highest) = tube().rest_bounds();
    for (found, p) in height.iter().zip(&tube().rest().positions) {
        let expected = (p.y - lowest.y) / (highest.y - lowest.y);
        assert!((found.x as f32 - expected.clamp(0.0, 1.0)).abs() < 1e-6);
    }
    let branch = plain("Map", &[("source", text("branch")), ("name", text("Middle"))], "value");
    for (vertex, found) in branch.iter().enumerate() {
        let above =
            tube().skin.of(vertex).iter().filter(|i| tube().bindings[i.index as usize].bone > 0);
        let expected: f32 = above.map(|influence| influence.weight).sum();
        assert!((found.x as f32 - expected).abs() < 1e-6);
    }
}

/// Bone-rate values are seen through a mean over the vertex's bones.
fn bone_means(
    node: &str,
    settings: &[(&str, Setting)],
    output: &str,
    weights: &str,
    character: &CharacterSettings,
) -> Vec<DVec3> {
    let mut style = Style::default();
    let mut tested = Node::new(node);
    for (port, setting) in settings {
        tested.settings.insert((*port).to_owned(), setting.clone());
    }
    let mut sum = Node::new("Weight Propagation");
    sum.settings.insert("weights".to_owned(), text(weights));
    let graph = &mut style.graph;
    graph.nodes.insert("test".to_owned(), tested);
    graph.nodes.insert("sum".to_owned(), sum);
    graph.nodes.insert("out".to_owned(), Node::new("Output"));
    for (from, to) in [(("test", output), ("sum", "value")), (("sum", "sum"), ("out", "position"))]
    {
        graph.links.insert(Link::new(PortRef::new(from.0, from.1), PortRef::new(to.0, to.1)));
    }
    evaluate(&style, character).remove(0)
}

/// Σ over a vertex's bones of weight · value, from the character's own lists.
fn expected_sum(weights: &str, value: impl Fn(usize) -> DVec3) -> Vec<DVec3> {
    let of_skin = |vertex: usize| {
        let list = tube().skin.of(vertex).iter();
        let pairs = list.map(|i| (tube().bindings[i.index as usize].bone, i.weight));
        pairs.collect::<Vec<_>>()
    };
    let of = |list: &[jounce::rig::Influence]| {
        list.iter().map(|i| (i.index as usize, i.weight)).collect::<Vec<_>>()
    };
    let sum = |vertex: usize| {
        let list = match weights {
            "upward" => of(tube().upward().of(vertex)),
            "downward" => of(tube().downward().unwrap().of(vertex)),
            _ => of_skin(vertex),
        };
        list.into_iter().map(|(bone, weight)| value(bone) * f64::from(weight)).sum()
    };
    (0..tube().vertex_count()).map(sum).collect()
}

fn assert_close(found: &[DVec3], expected: &[DVec3], what: &str) {
    let off = found.iter().zip(expected).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
    assert!(off < 1e-6, "{what}: {off}");
}

#[test]
fn skeleton_and_bone_value_are_per_bone_and_all_weights_sum() {
    let none = CharacterSettings::default();
    let rest = tube().rest_pose();
    for weights in ["skin", "upward", "downward"] {
        let found = bone_means("Skeleton", &[], "origin", weights, &none);
        assert_close(&found, &expected_sum(weights, |b| tube().bone_origin(rest, b)), weights);
    }
    let centroids = tube().centroids().evaluate(tube(), rest);
    let found = bone_means("Skeleton", &[], "centroid", "skin", &none);
    assert_close(&found, &expected_sum("skin", |b| centroids[b]), "centroid");
    let exact = jounce::rig::centroid::exact_centroids(tube(), rest, &tube().rest().positions);
    let found = bone_means("Skeleton", &[("centroid", text("exact"))], "centroid", "skin", &none);
    assert_close(&found, &expected_sum("skin", |b| exact[b]), "exact centroid");
    let offset = [("centroid offset", Setting::Vec3([0.1, 0.2, 0.3]))];
    let found = bone_means("Skeleton", &offset, "centroid", "skin", &none);
    let moved = |b: usize| centroids[b] + tube().bone_rotation(rest, b) * dvec3(0.1, 0.2, 0.3);
    assert_close(&found, &expected_sum("skin", moved), "offset centroid");
    let found = bone_means("Skeleton", &[], "depth", "skin", &none);
    assert_close(&found, &expected_sum("skin", |b| DVec3::splat(b as f64)), "depth");

    let mut character = CharacterSettings::default();
    let values = BTreeMap::from([
        ("Low".to_owned(), BoneSetting { value: 0.25, branch: false }),
        ("Middle".to_owned(), BoneSetting { value: 2.0, branch: true }),
    ]);
    character.bone_values.insert("test".to_owned(), values);
    let found =
        bone_means("Bone Value", &[("value", Setting::Float(9.0))], "value", "skin", &character);
    let of_bone = |b: usize| DVec3::splat([0.25, 2.0, 2.0][b]);
    assert_close(&found, &expected_sum("skin", of_bone), "bone value");
    let unset = bone_means("Bone Value", &[("value", Setting::Float(9.0))], "value", "skin", &none);
    assert_close(&unset, &expected_sum("skin", |_| DVec3::splat(9.0)), "no bone value");
}

#[test]
fn velocity_extract_takes_out_the_root_and_chooses_bones() {
    let none = CharacterSettings::default();
    let velocities = motion().velocities;
    let kept = [("root motion", Setting::Float(1.0))];
    let found = bone_means("Velocity Extract", &kept, "linear", "upward", &none);
    assert_close(&found, &expected_sum("upward", |b| velocities[b].linear), "kept");
    let found = bone_means("Velocity Extract", &[], "linear", "upward", &none);
    let without_root = |b: usize| if b == 0 { DVec3::ZERO } else { velocities[b].linear };
    assert_close(&found, &expected_sum("upward", without_root), "taken out");
    let found = bone_means("Velocity Extract", &[], "angular", "upward", &none);
    assert_close(&found, &expected_sum("upward", |b| velocities[b].angular), "angular");
    for (how, counts) in [("chosen", [0.0, 1.0, 0.0]), ("branch", [0.0, 1.0, 1.0])] {
        let settings = [("bones", text(how)), ("names", text("Middle"))];
        let found = bone_means("Velocity Extract", &settings, "angular", "upward", &none);
        assert_close(&found, &expected_sum("upward", |b| velocities[b].angular * counts[b]), how);
    }
    // eq. 7: the sum over all bones of what each does to the vertex.
    let rest = tube().rest_pose();
    let found = plain("Velocity Extract", &kept, "vertex velocity");
    for (vertex, found) in found.iter().enumerate() {
        let p = tube().rest().positions[vertex].as_dvec3();
        let of_bone = |i: &jounce::rig::Influence| {
            let (bone, weight) = (i.index as usize, f64::from(i.weight));
            let arm = p - tube().bone_origin(rest, bone);
            (velocities[bone].angular.cross(arm) + velocities[bone].linear) * weight
        };
        let expected: DVec3 = tube().upward().of(vertex).iter().map(of_bone).sum();
        assert!((*found - expected).length() < 1e-5);
    }
}

/// ω = r̂ × v / (ℓ/4): v the travel of the root, r̂ from the joint to the centroid, for all bones but the root.
#[test]
fn travel_to_turns_turns_each_limb_as_it_is_carried() {
    let (rest, size) = (tube().rest_pose(), tube().size());
    let centroids = tube().centroids().evaluate(tube(), rest);
    let found =
        bone_means("Travel to Turns", &[], "angular", "skin", &CharacterSettings::default());
    let travels =
        expected_sum(
            "upward",
            |b| if b == 0 { motion().velocities[0].linear } else { DVec3::ZERO },
        );
    let of_vertex = |vertex: usize| {
        let turn = |influence: &jounce::rig::Influence| {
            let bone = tube().bindings[influence.index as usize].bone;
            let along = (centroids[bone] - tube().bone_origin(rest, bone)).normalize();
            let turn = along.cross(travels[vertex]) / (0.25 * size);
            if bone == 0 { DVec3::ZERO } else { turn * f64::from(influence.weight) }
        };
        tube().skin.of(vertex).iter().map(turn).sum()
    };
    let expected: Vec<DVec3> = (0..tube().vertex_count()).map(of_vertex).collect();
    assert!(expected.iter().any(|turn| turn.length() > 0.1));
    assert_close(&found, &expected, "travel to turns");
}

#[test]
fn weight_propagation_keeps_the_largest() {
    let settings = [("weights", text("upward")), ("keep", Setting::Float(1.0))];
    let mut style = Style::default();
    let mut sum = Node::new("Weight Propagation");
    for (port, setting) in settings {
        sum.settings.insert(port.to_owned(), setting);
    }
    style.graph.nodes.insert("bones".to_owned(), Node::new("Skeleton"));
    style.graph.nodes.insert("sum".to_owned(), sum);
    style.graph.nodes.insert("out".to_owned(), Node::new("Output"));
    for (from, to) in
        [(("bones", "depth"), ("sum", "value")), (("sum", "sum"), ("out", "position"))]
    {
        style.graph.links.insert(Link::new(PortRef::new(from.0, from.1), PortRef::new(to.0, to.1)));
    }
    let program = compile(&style, &Library::built_in()).program;
    let bound = Bound::new(&program, tube(), &CharacterSettings::default()).unwrap();
    for vertex in 0..tube().vertex_count() {
        let pairs = bound.pairs.of(vertex);
        let weights = &bound.weights[0][pairs];
        let whole: f64 = tube().upward().of(vertex).iter().map(|i| f64::from(i.weight)).sum();
        assert_eq!(weights.iter().filter(|weight| **weight != 0.0).count(), 1);
        assert!((weights.iter().sum::<f64>() - whole).abs() < 1e-6, "the sum stays");
    }
}

#[test]
fn relax_goes_towards_the_mean_of_the_neighbours() {
    let inputs = [("displacement", V)];
    let rows = rows(3, 29);
    let tame: Vec<Vec<f64>> =
        rows.iter().map(|row| row.iter().map(|x| x.clamp(-3.0, 3.0)).collect()).collect();
    let relaxed = |amount: f64, passes: f64, rows: &[Vec<f64>]| {
        let settings = [("amount", Setting::Float(amount)), ("passes", Setting::Float(passes))];
        let output = "displacement";
        let case = Case { node: "Relax", settings: &settings, inputs: &inputs, output };
        run(&case, rows, &CharacterSettings::default()).remove(0)
    };
    let given: Vec<DVec3> = tame.iter().map(|row| v(row, 0)).collect();
    assert_eq!(relaxed(0.0, 4.0, &tame), given, "an amount of 0 changes nothing");
    assert_eq!(relaxed(0.7, 0.0, &tame), given, "nor do no passes");
    let constant = relaxed(0.7, 5.0, &[vec![1.5, -2.0, 0.25]]);
    assert_close(&constant, &vec![dvec3(1.5, -2.0, 0.25); constant.len()], "a constant stays");
    // One pass, from the neighbours of the surface.
    let surface = tube().surface();
    let points = &surface.points.point_of_vertex;
    let first = |point: u32| points.iter().position(|&p| p == point).unwrap();
    let once = relaxed(0.4, 1.0, &tame);
    for (vertex, found) in once.iter().enumerate() {
        let around = surface.neighbours_of(points[vertex] as usize);
        let sum: DVec3 = around.iter().map(|&point| given[first(point)]).sum();
        let mean = sum / around.len() as f64;
        let expected = given[vertex] + (mean - given[vertex]) * 0.4;
        assert!((*found - expected).length() < 1e-5, "{vertex}: {found} {expected}");
    }
    // No pass leaves the range of what came in, and many passes come close to one value.
    let range = |list: &[DVec3]| {
        let low = list.iter().fold(DVec3::INFINITY, |low, x| low.min(*x));
        (low, list.iter().fold(DVec3::NEG_INFINITY, |high, x| high.max(*x)))
    };
    let (low, high) = range(&given);
    let (calm_low, calm_high) = range(&relaxed(1.0, 60.0, &tame));
    assert!(calm_low.cmpge(low - 1e-6).all() && calm_high.cmple(high + 1e-6).all());
    assert!((calm_high - calm_low).length() < 0.5 * (high - low).length());
    // A closed seam stays closed: vertices of one point that begin alike end alike.
    let by_point: Vec<Vec<f64>> = points.iter().map(|&point| tame[first(point)].clone()).collect();
    let closed = relaxed(0.6, 7.0, &by_point);
    for (vertex, &point) in points.iter().enumerate() {
        assert!((closed[vertex] - closed[first(point)]).length() < 1e-6);
    }
}

/// A new node must be tested here, or in the file that is named.
#[test]
fn every_node_is_tested() {
    let here = [
        include_str!("nodes.rs"),
        include_str!("nodes/deformers.rs"),
        include_str!("nodes/effects.rs"),
        include_str!("nodes/ramp_and_noise.rs"),
        include_str!("nodes/roles.rs"),
    ];
    let here = &here.concat();
    let elsewhere = [
        ("Anchor", include_str!("../evaluation/anchors.rs")),
        ("Floppy", include_str!("../evaluation/velocity_skinning.rs")),
        ("Squash", include_str!("../evaluation/velocity_skinning.rs")),
        ("Output", include_str!("compile.rs")),
        ("Time Filter", include_str!("../evaluation/time/fed.rs")),
        ("Smooth", include_str!("../evaluation/time/formulas.rs")),
        ("Delay", include_str!("../evaluation/time/formulas.rs")),
        ("Spring", include_str!("../evaluation/time/formulas.rs")),
        ("Flesh", include_str!("../evaluation/flesh.rs")),
    ];
    for node in Library::built_in().types() {
        let quoted = format!("\"{}\"", node.name);
        let text =
            elsewhere.iter().find(|(name, _)| *name == node.name).map_or(here.as_str(), |(_, t)| t);
        let is_tested = text.contains(&quoted) || text.contains(&node.name.to_lowercase());
        assert!(is_tested, "{} has no test", node.name);
    }
}
