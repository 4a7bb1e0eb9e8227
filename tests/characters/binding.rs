//! How a program meets a character: maps, bones and weights by name, sliders, one frame's data.

use glam::{DAffine3, DMat3, DVec3, Vec3};
use jounce::eval::{
    BindWarning, Bound, Deformed, Evaluator, Interpreter, Moment, ParameterError, Parameters,
    PlayedMotion, Setup, Still, normals,
};
use jounce::graph::{BoneSetting, CharacterSettings};
use jounce::ir::op::MotionPart;
use jounce::ir::{
    Binary, BoneSet, BoneTable, Builder, Column, MapRequest, MapSource, Number, Parameter, Program,
    Source, Tables, WeightKind,
};
use jounce::motion::{Playback, Player};
use jounce::rig::{Base, Character, own};

/// A program that asks for these tables and computes nothing.
fn asking(ask: impl FnOnce(&mut Tables)) -> Program {
    let mut builder = Builder::default();
    let p = builder.source(Source::SkinnedPosition);
    let mut program = builder.finish(p, Base::Lbs);
    // The builder drops what no value reads.
    ask(&mut program.tables);
    program
}

fn tube() -> Character {
    own::built_in("tube").unwrap()
}

fn named_map(name: &str) -> Program {
    asking(|tables| {
        let (node, source) = ("Map".to_owned(), MapSource::Named(name.to_owned()));
        tables.maps.push(MapRequest { node, source });
    })
}

#[test]
fn painted_maps_go_before_those_of_the_file_and_case_matters_least() {
    let character = tube();
    let in_file = character.maps[0].clone();
    let mut settings = CharacterSettings::default();
    let bind = |name: &str, settings: &CharacterSettings| {
        let bound = Bound::new(&named_map(name), &character, settings).unwrap();
        assert_eq!(bound.warnings, []);
        bound.maps[0].as_ref().unwrap()[7]
    };
    let expected = f64::from(in_file.values[7]);
    assert_eq!(bind(&in_file.name, &settings), expected);
    assert_eq!(bind(&in_file.name.to_uppercase(), &settings), expected);
    assert_eq!(bind(&in_file.attribute, &settings), expected);
    settings.maps.insert(in_file.name.clone(), vec![0.25; character.vertex_count()].into());
    assert_eq!(bind(&in_file.name, &settings), 0.25);
    settings.maps.insert("SOFT parts".to_owned(), vec![0.75; character.vertex_count()].into());
    assert_eq!(bind("soft parts", &settings), 0.75);
}

#[test]
fn a_map_that_is_missing_or_does_not_fit_gives_one_warning() {
    let character = tube();
    let mut settings = CharacterSettings::default();
    settings.maps.insert("belly".to_owned(), vec![1.0; 3].into());
    let mut damaged = vec![1.0; character.vertex_count()];
    damaged[5] = f32::NAN;
    settings.maps.insert("damaged".to_owned(), damaged.into());
    let bind = |name: &str| Bound::new(&named_map(name), &character, &settings).unwrap();
    let missing = bind("bely");
    assert_eq!(missing.maps[0], None);
    assert_eq!(missing.warnings.len(), 1);
    assert_eq!(missing.warnings[0].node(), Some("Map"));
    assert_eq!(
        missing.warnings[0].to_string(),
        "Map: the character has no map \"bely\" (did you mean \"belly\"?); \
         the node's value for a missing map is used"
    );
    let short = bind("belly");
    assert_eq!(short.maps[0], None);
    assert!(matches!(short.warnings[..], [BindWarning::MapLength { found: 3, .. }]));
    let damaged = bind("damaged");
    assert_eq!(damaged.maps[0].as_ref().unwrap()[4..7], [1.0, 0.0, 1.0]);
    assert!(matches!(damaged.warnings[..], [BindWarning::MapNumbers { count: 1, .. }]));
}

#[test]
fn the_automatic_softness_is_a_map_too() {
    let character = tube();
    let program = asking(|tables| {
        let (node, source) = ("Map".to_owned(), MapSource::Derived(Source::Softness));
        tables.maps.push(MapRequest { node, source });
    });
    let bound = Bound::new(&program, &character, &CharacterSettings::default()).unwrap();
    assert_eq!(bound.maps[0].as_ref().unwrap()[3], f64::from(character.automatic_softness()[3]));
}

#[test]
fn a_bones_own_value_goes_before_the_nearest_branch_above() {
    let character = tube();
    let program = asking(|tables| {
        let node = "Bone Value".to_owned();
        tables.bone_tables.push(BoneTable { node });
    });
    let bind = |set: &[(&str, f64, bool)]| {
        let entry = |&(name, value, branch): &(&str, f64, bool)| {
            (name.to_owned(), BoneSetting { value, branch })
        };
        let mut settings = CharacterSettings::default();
        let of_node = set.iter().map(entry).collect();
        settings.bone_values.insert("Bone Value".to_owned(), of_node);
        Bound::new(&program, &character, &settings).unwrap()
    };
    // Low ─ Middle ─ High
    let nothing = bind(&[]);
    assert_eq!(nothing.bone_tables, [[None; 3]]);
    let branch = bind(&[("Low", 2.0, true), ("Middle", 3.0, false)]);
    assert_eq!(branch.bone_tables[0], [2.0, 3.0, 2.0].map(Some));
    let single = bind(&[("middle", 3.0, false)]);
    assert_eq!(single.bone_tables, [[None, Some(3.0), None]]);
    let nearest = bind(&[("Low", 2.0, true), ("Middle", 3.0, true)]);
    assert_eq!(nearest.bone_tables[0], [2.0, 3.0, 3.0].map(Some));
    let odd = bind(&[("Midle", 3.0, true), ("High", f64::NAN, true)]);
    assert_eq!(odd.bone_tables, [[None; 3]]);
    let sentences: Vec<String> = odd.warnings.iter().map(|warning| warning.to_string()).collect();
    assert_eq!(
        sentences,
        [
            "Bone Value: what is set for the bone \"High\" is not a usable number; it is ignored",
            "Bone Value: the character has no bone \"Midle\" (did you mean \"Middle\"?); it is left out"
        ]
    );
}

#[test]
fn a_set_of_bones_may_take_all_below_with_it() {
    let character = tube();
    let set = |names: &[&str], branches: bool| {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        let program = asking(|tables| {
            let node = "Pin".to_owned();
            tables.bone_sets.push(BoneSet { node, names, branches });
        });
        Bound::new(&program, &character, &CharacterSettings::default()).unwrap()
    };
    assert_eq!(set(&["Middle"], false).bone_sets[0], [0.0, 1.0, 0.0]);
    assert_eq!(set(&["Middle"], true).bone_sets[0], [0.0, 1.0, 1.0]);
    let missing = set(&["Tail", "Tail"], true);
    assert_eq!(missing.bone_sets[0], [0.0; 3]);
    assert_eq!(missing.warnings.len(), 1);
    let numbers = missing.bone_numbers.iter().map(|bone| [bone.is_root, bone.depth]);
    assert_eq!(numbers.collect::<Vec<_>>(), [[1.0, 0.0], [0.0, 1.0], [0.0, 2.0]]);
}

#[test]
fn the_size_is_the_one_set_unless_that_is_no_length() {
    let character = tube();
    let program = asking(|_| {});
    let bind = |size| {
        let settings = CharacterSettings { size, ..CharacterSettings::default() };
        Bound::new(&program, &character, &settings).unwrap()
    };
    assert_eq!(bind(None).size, character.size());
    assert_eq!(bind(Some(3.0)).size, 3.0);
    for nonsense in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let bound = bind(Some(nonsense));
        assert_eq!(bound.size, character.size());
        assert_eq!(bound.warnings.len(), 1);
    }
    assert!(bind(None).ground_height.abs() < 0.05);
}

/// The columns of all kinds, dense: per vertex and bone.
#[test]
fn every_column_has_its_own_weights_on_the_union_of_the_lists() {
    let character = own::built_in("cow").unwrap();
    let columns = [
        Column::UPWARD,
        Column { kind: WeightKind::Skin, keep: None },
        Column { kind: WeightKind::Downward, keep: None },
        Column { kind: WeightKind::Upward, keep: Some(2) },
    ];
    let program = asking(|tables| tables.columns.extend(columns));
    let bound = Bound::new(&program, &character, &CharacterSettings::default()).unwrap();
    let own = jounce::rig::weights::by_bone(
        &character.skin,
        &character.bindings,
        &character.skeleton.bones,
    );
    let lists = [character.upward(), &own, character.downward().unwrap()];
    for vertex in (0..character.vertex_count()).step_by(37) {
        let pairs = bound.pairs.of(vertex);
        let bones = &bound.pairs.bones[pairs.clone()];
        assert!(bones.is_sorted_by(|a, b| a < b));
        for (column, list) in lists.iter().enumerate() {
            let found: Vec<(u32, f64)> = pairs
                .clone()
                .map(|pair| (bound.pairs.bones[pair], bound.weights[column][pair]))
                .filter(|&(_, weight)| weight != 0.0)
                .collect();
            let expected: Vec<(u32, f64)> =
                list.of(vertex).iter().map(|i| (i.index, f64::from(i.weight))).collect();
            assert_eq!(found, expected);
        }
        let kept: Vec<f64> =
            bound.weights[3][pairs.clone()].iter().copied().filter(|&w| w != 0.0).collect();
        assert!(kept.len() <= 2);
        let sum: f64 = kept.iter().sum();
        let whole: f64 = bound.weights[0][pairs].iter().sum();
        assert!((sum - whole).abs() < 1e-12, "{sum} {whole}");
    }
}

#[test]
fn pruned_pairs_that_no_column_uses_are_gone() {
    let character = own::built_in("cow").unwrap();
    let column = Column { kind: WeightKind::Upward, keep: Some(1) };
    let program = asking(|tables| tables.columns.push(column));
    let bound = Bound::new(&program, &character, &CharacterSettings::default()).unwrap();
    assert_eq!(bound.pairs.count(), character.vertex_count());
}

fn with_parameters() -> Program {
    let parameter = |port: &str, exposed: Option<&str>, value| Parameter {
        node: "floppy_1".to_owned(),
        port: port.to_owned(),
        exposed: exposed.map(str::to_owned),
        value,
        soft: None,
        hard: Some((0.0, 180.0)),
    };
    asking(|tables| {
        tables.parameters = vec![
            parameter("max angle", Some("Max Angle"), Number::Float(200.0)),
            parameter("gain", None, Number::Vec3(DVec3::ONE)),
        ];
    })
}

#[test]
fn parameters_are_set_by_name_or_path_and_stay_in_their_range() {
    let program = with_parameters();
    let mut parameters = Parameters::new(&program);
    assert_eq!(parameters.values[0], Number::Float(180.0));
    parameters.set(&program, "Max Angle", Number::Float(-5.0)).unwrap();
    assert_eq!(parameters.values[0], Number::Float(0.0));
    parameters.set(&program, "floppy_1.max angle", Number::Float(30.0)).unwrap();
    parameters.set(&program, "max angle", Number::Float(45.0)).unwrap();
    assert_eq!(parameters.values[0], Number::Float(45.0));
    parameters.set(&program, "floppy_1.gain", Number::Float(2.0)).unwrap();
    assert_eq!(parameters.values[1], Number::Vec3(DVec3::splat(2.0)));
}

#[test]
fn a_parameter_that_cannot_be_set_says_why() {
    let program = with_parameters();
    let mut parameters = Parameters::new(&program);
    let mut sentence = |name, value| parameters.set(&program, name, value).unwrap_err().to_string();
    assert_eq!(
        sentence("max agle", Number::Float(1.0)),
        "there is no parameter \"max agle\"; did you mean \"Max Angle\"?"
    );
    assert_eq!(sentence("xyz", Number::Float(1.0)), "there is no parameter \"xyz\"");
    assert_eq!(
        sentence("max angle", Number::Vec3(DVec3::X)),
        "\"max angle\" is a float; (1.0, 0.0, 0.0) is a vec3"
    );
    assert_eq!(
        sentence("max angle", Number::Float(f64::NAN)),
        "\"max angle\" cannot be set to NaN"
    );
    let error = parameters.set(&program, "x", Number::Bool(true));
    assert!(matches!(error, Err(ParameterError::Unknown { near, .. }) if near.is_empty()));
}

fn trailing(k: f64) -> Program {
    let mut builder = Builder::default();
    let [zero, k] = [0.0, k].map(|x| builder.float(x));
    let velocity = builder.motion(MotionPart::LinearVelocity, zero);
    let origin = builder.source(Source::BoneOrigin);
    let centroid = builder.source(Source::BoneExactCentroid);
    let p = builder.source(Source::SkinnedPosition);
    let arm = builder.binary(Binary::Sub, p, origin);
    let axis = builder.binary(Binary::Sub, centroid, origin);
    let turning = builder.motion(MotionPart::AngularVelocity, zero);
    let across = builder.binary(Binary::Cross, turning, arm);
    let along = builder.binary(Binary::Dot, arm, axis);
    let bend = builder.binary(Binary::Mul, across, along);
    let speed = builder.binary(Binary::Add, velocity, bend);
    let lag = builder.binary(Binary::Mul, speed, k);
    let lag = builder.sum(lag, Column::UPWARD);
    let position = builder.binary(Binary::Sub, p, lag);
    builder.finish(position, Base::Lbs)
}

#[test]
fn a_moment_of_a_clip_is_evaluated_and_stillness_is_plain_skinning() {
    let character = tube();
    let clip = &character.clips[0];
    let playback = Playback::looped(clip.duration_secs());
    let player = Player { character: &character, clip, playback };
    let pose = player.pose(0.3);
    let program = trailing(0.2);
    let parameters = Parameters::new(&program);
    let bound = Bound::new(&program, &character, &CharacterSettings::default()).unwrap();
    let played = PlayedMotion { player, time_secs: 0.3 };
    let still = Still(character.skeleton.bones.len());
    let setup = Setup::new(&program, &character, &bound);
    let moment = Moment::new(setup, &parameters, &pose, &played, 0.3);
    let Deformed { positions: moving, skinned } =
        Interpreter.deform(&program, &bound, &moment).unwrap();
    let farthest =
        |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(farthest(&moving, &skinned.positions) > 0.01);
    let moment = Moment::new(setup, &parameters, &pose, &still, 0.3);
    let Deformed { positions: resting, skinned } =
        Interpreter.deform(&program, &bound, &moment).unwrap();
    assert_eq!(resting, skinned.positions);
    assert_eq!(normals::deformed_normals(&character, &skinned, &resting), skinned.normals);
    let turned = normals::deformed_normals(&character, &skinned, &moving);
    assert!(turned.iter().all(|normal| normal.is_normalized()));
    assert!(farthest(&turned, &skinned.normals) > 0.01);
}

#[test]
fn mirrored_and_scaled_bones_have_proper_rotations() {
    let character = tube();
    let program = asking(|_| {});
    let mut pose = character.rest_pose().clone();
    let mirror = DMat3::from_diagonal(DVec3::new(-3.0, 3.0, 3.0)) * DMat3::from_rotation_y(0.4);
    for scene_from_node in &mut pose.scene_from_node {
        *scene_from_node = DAffine3 { matrix3: mirror, ..*scene_from_node };
    }
    let (parameters, still) = (Parameters::new(&program), Still(3));
    let bound = Bound::new(&program, &character, &CharacterSettings::default()).unwrap();
    let setup = Setup { base: Some(Base::Dqs), ..Setup::new(&program, &character, &bound) };
    let moment = Moment::new(setup, &parameters, &pose, &still, 0.0);
    assert!(moment.bone_rotations.iter().all(|q| q.is_normalized() && q.w >= 0.0));
    assert_eq!(moment.bone_parent_rotations[0], glam::DQuat::IDENTITY);
    assert_eq!(moment.bone_parent_rotations[2], moment.bone_rotations[1]);
}
