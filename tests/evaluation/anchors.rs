//! Velocities counted from planted bones: the laws of counting, and feet that stand.

use crate::support::evaluators::agreed;
use crate::support::random::Random;
use crate::support::scene::Scene;
use crate::support::shared::shared;
use glam::{DVec3, Vec3};
use jounce::compile::compile;
use jounce::eval::{
    BindWarning, Bound, ConstantMotion, Evaluator, Interpreter, Moment, Parameters, Performer,
    Setup, Skinning, Vm, hierarchy,
};
use jounce::graph::{CharacterSettings, Document, Link, Node, PortRef, Style, built_in_style};
use jounce::ir::Program;
use jounce::ir::saved::FORMAT;
use jounce::motion::{BoneMotion, Playback};
use jounce::rig::{Character, load, own};
use jounce::script::{Library, Setting};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn text(word: &str) -> Setting {
    Setting::Text(word.to_owned())
}

fn link(style: &mut Style, from: (&str, &str), to: (&str, &str)) {
    let link = Link::new(PortRef::new(from.0, from.1), PortRef::new(to.0, to.1));
    style.graph.links.insert(link);
}

/// Puts an Anchor between Velocity Extract, here called `velocity`, and all that it feeds.
fn anchored(style: &Style, settings: &[(&str, Setting)]) -> Style {
    let mut style = style.clone();
    let mut anchor = Node::new("Anchor");
    for (port, setting) in settings {
        anchor.settings.insert((*port).to_owned(), setting.clone());
    }
    style.graph.nodes.insert("anchor".to_owned(), anchor);
    let links: Vec<Link> = style.graph.links.iter().cloned().collect();
    for old in links.into_iter().filter(|link| link.from.node == "velocity") {
        style.graph.links.remove(&old);
        style.graph.links.insert(Link::new(PortRef::new("anchor", &old.from.port), old.to));
    }
    link(&mut style, ("velocity", "linear"), ("anchor", "linear"));
    link(&mut style, ("velocity", "angular"), ("anchor", "angular"));
    style
}

/// The displacement is Σ (ω × (p − p_j) + v): linear in what is counted.
fn plain_sum() -> Style {
    let mut style = Style::default();
    let mut sum = Node::new("Expression");
    sum.code = Some(
        "input(\"linear\", VEC3); input(\"angular\", VEC3); output(\"displacement\", VEC3).sum();
         fn eval(linear, angular) { cross(angular, SKINNED_POSITION - BONE_ORIGIN) + linear }"
            .to_owned(),
    );
    let mut velocity = Node::new("Velocity Extract");
    velocity.settings.insert("root motion".to_owned(), Setting::Float(1.0));
    style.graph.nodes.insert("velocity".to_owned(), velocity);
    style.graph.nodes.insert("sum".to_owned(), sum);
    style.graph.nodes.insert("output".to_owned(), Node::new("Output"));
    link(&mut style, ("velocity", "linear"), ("sum", "linear"));
    link(&mut style, ("velocity", "angular"), ("sum", "angular"));
    link(&mut style, ("sum", "displacement"), ("output", "displacement"));
    style
}

fn always(bones: &str, holds: &str) -> Vec<(&'static str, Setting)> {
    vec![("bones", text(bones)), ("planted", text("always")), ("holds", text(holds))]
}

fn compiled(style: &Style) -> Program {
    let compiled = compile(style, &Library::built_in());
    assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
    compiled.program
}

fn any_velocities(character: &Character, seed: u64) -> Vec<BoneMotion> {
    let mut random = Random::new(seed);
    let mut vector = || DVec3::from_array([0; 3].map(|_| random.between(-2.0, 2.0)));
    let bone = |_| BoneMotion { linear: vector() * character.size(), angular: vector() };
    character.skeleton.bones.iter().map(bone).collect()
}

fn exact_rest(character: &Character) -> Vec<DVec3> {
    character.rest().positions.iter().map(|p| p.as_dvec3()).collect()
}

/// By how much the program moves each vertex of the rest pose, in f64.
fn displacements(program: &Program, character: &Character, of: &[BoneMotion]) -> Vec<DVec3> {
    let bound = Bound::new(program, character, &CharacterSettings::default()).unwrap();
    assert!(bound.warnings.is_empty(), "{:?}", bound.warnings);
    let motion =
        ConstantMotion { velocities: of.to_vec(), accelerations: vec![BoneMotion::ZERO; of.len()] };
    let parameters = Parameters::new(program);
    let setup = Setup::new(program, character, &bound);
    let mut moment = Moment::new(setup, &parameters, character.rest_pose(), &motion, 0.0);
    let normals = character.rest().normals.iter().map(|n| n.as_dvec3()).collect();
    let positions = exact_rest(character);
    moment.skinning = Skinning::Given { positions: positions.clone(), normals };
    let moved = Interpreter::positions(program, &bound, &moment).unwrap();
    moved.iter().zip(positions).map(|(moved, p)| *moved - p).collect()
}

fn path(character: &Character, bone: usize) -> Vec<usize> {
    let parent = |&bone: &usize| character.skeleton.bones[bone].parent;
    std::iter::successors(Some(bone), parent).collect()
}

#[test]
fn the_sum_from_any_anchor_and_what_the_anchor_does_is_the_sum_from_the_root() {
    for (name, anchors) in
        [("tube", vec!["Low", "Middle", "High"]), ("cow", vec!["Head", "Leg.FL"])]
    {
        let character = own::built_in(name).unwrap();
        let of = any_velocities(&character, 7);
        let from_root = displacements(&compiled(&plain_sum()), &character, &of);
        for bone_name in anchors {
            let style = anchored(&plain_sum(), &always(bone_name, "whole body"));
            let from_anchor = displacements(&compiled(&style), &character, &of);
            let bone = character.skeleton.bone_named(bone_name).unwrap();
            let mut worst: f64 = 0.0;
            for (vertex, p) in exact_rest(&character).into_iter().enumerate() {
                // What the anchor does against the scene, as the sum along its path.
                let of_anchor: DVec3 = path(&character, bone)
                    .into_iter()
                    .map(|j| {
                        let joint = character.bone_origin(character.rest_pose(), j);
                        of[j].angular.cross(p - joint) + of[j].linear
                    })
                    .sum();
                // Skin weights in single precision need not add up to 1.
                let list = character.skin.of(vertex).iter();
                let reach: f64 = list.map(|influence| f64::from(influence.weight)).sum();
                let counted = from_anchor[vertex] + of_anchor * reach.min(1.0);
                worst = worst.max((counted - from_root[vertex]).length() / character.size());
            }
            println!("{name} from {bone_name}: {worst:.1e} of the size from the sum from the root");
            assert!(worst < 1e-9, "{name} from {bone_name}: {worst:e}");
        }
    }
}

#[test]
fn what_is_planted_does_not_move_and_what_is_not_planted_moves_as_ever() {
    let style = built_in_style("velocity-skinning").unwrap().style;
    let character = own::built_in("dragon").unwrap();
    let of = any_velocities(&character, 3);
    let from_root = displacements(&compiled(&style), &character, &of);
    let bone = character.skeleton.bone_named("Head").unwrap();
    for holds in ["limb", "whole body"] {
        let settings = always("Head", holds);
        let held = displacements(&compiled(&anchored(&style, &settings)), &character, &of);
        let mut of_head = 0;
        for vertex in 0..character.vertex_count() {
            if let [only] = character.skin.of(vertex)
                && character.bindings[only.index as usize].bone == bone
                && only.weight == 1.0
            {
                assert!(held[vertex].length() < 1e-12, "{holds}: {}", held[vertex]);
                assert!(from_root[vertex].length() > 0.01, "it would have moved");
                of_head += 1;
            }
        }
        assert!(of_head > 20, "{of_head} vertices of the head");
        let mut let_go = settings.clone();
        let_go.push(("amount", Setting::Float(0.0)));
        let free = displacements(&compiled(&anchored(&style, &let_go)), &character, &of);
        let mut by_key = settings.clone();
        by_key.push(("first", Setting::Float(0.0)));
        let keyed = displacements(&compiled(&anchored(&style, &by_key)), &character, &of);
        for vertex in 0..character.vertex_count() {
            assert!((free[vertex] - from_root[vertex]).length() < 1e-12, "{holds}");
            assert!((keyed[vertex] - from_root[vertex]).length() < 1e-12, "{holds}");
        }
    }
}

#[test]
fn the_trunk_goes_on_as_before_while_a_limb_is_held() {
    let style = built_in_style("velocity-skinning").unwrap().style;
    let character = own::built_in("cow").unwrap();
    let of = any_velocities(&character, 5);
    let from_root = displacements(&compiled(&style), &character, &of);
    let settings = [("planted", text("always"))];
    let held = displacements(&compiled(&anchored(&style, &settings)), &character, &of);
    let head = character.skeleton.bone_named("Head").unwrap() as u32;
    for vertex in 0..character.vertex_count() {
        if character.upward().of(vertex).iter().any(|pair| pair.index == head && pair.weight > 0.99)
        {
            assert!((held[vertex] - from_root[vertex]).length() < 1e-12);
        }
    }
}

/// Keys go by the names that are asked for, also where a character lacks one of them.
#[test]
fn a_name_that_is_missing_moves_no_other_to_its_key() {
    let style = built_in_style("velocity-skinning").unwrap().style;
    let cow = own::built_in("cow").unwrap();
    let reached = |bones: &str, keys: &[(&'static str, f64)]| {
        let mut settings = always(bones, "limb");
        settings.extend(keys.iter().map(|(key, amount)| (*key, Setting::Float(*amount))));
        let program = compiled(&anchored(&style, &settings));
        let bound = Bound::new(&program, &cow, &CharacterSettings::default()).unwrap();
        let motion = ConstantMotion::steady(any_velocities(&cow, 11));
        let parameters = Parameters::new(&program);
        let setup = Setup::new(&program, &cow, &bound);
        let moment = Moment::new(setup, &parameters, cow.rest_pose(), &motion, 0.0);
        Interpreter::positions(&program, &bound, &moment).unwrap()
    };
    let held = reached("Head", &[]);
    let free = reached("Head", &[("first", 0.0)]);
    assert_ne!(held, free);
    assert_eq!(reached("Haed, Head", &[("first", 0.0)]), held);
    assert_eq!(reached("Haed, Head", &[("second", 0.0)]), free);
    assert_eq!(reached("Head, head, Leg.FL", &[("second", 0.0)]), reached("Head, Leg.FL", &[]));
}

/// Feet are found by their height as a part of the size: another size may have others.
#[test]
fn another_size_with_other_feet_is_as_if_made_afresh() {
    let style = anchored(&built_in_style("velocity-skinning").unwrap().style, &[]);
    let program = compiled(&style);
    let cow = Arc::new(own::built_in("cow").unwrap());
    let clip = Arc::new(cow.clips[0].clone());
    let playback = Playback::looped(clip.duration_secs());
    let sized = |part: f64| CharacterSettings {
        size: Some(cow.size() * part),
        ..CharacterSettings::default()
    };
    let made = |settings: &CharacterSettings| {
        let mut performer = Performer::new(program.clone(), cow.clone(), settings).unwrap();
        performer.play(clip.clone(), playback).unwrap();
        performer
    };
    let mut changed = made(&sized(1.0));
    let mut feet = BTreeSet::new();
    for part in [1.0, 0.02, 3.0, 8.0, 1.0] {
        changed.deformed_at(0.3).unwrap();
        changed.change(&sized(part), &clip, playback).unwrap();
        let fresh = made(&sized(part));
        feet.insert(fresh.bound().anchors.bones().collect::<Vec<_>>());
        assert_eq!(changed.deformed_at(0.4).unwrap(), fresh.deformed_at(0.4).unwrap(), "{part}");
    }
    assert!(feet.len() > 1, "{feet:?}");
}

/// Under the motion hierarchy a bone may hang below one that has a larger number.
#[test]
fn what_an_anchor_carries_does_not_depend_on_how_bones_are_numbered() {
    let mut style = anchored(&plain_sum(), &always("Wing.2.L", "limb"));
    style
        .graph
        .nodes
        .get_mut("output")
        .unwrap()
        .settings
        .extend([("hierarchy".to_owned(), text("motion"))]);
    let height = |parents: BTreeMap<String, Option<String>>| {
        let settings = CharacterSettings { parents, ..CharacterSettings::default() };
        let program = compiled(&style);
        let dragon = Arc::new(own::built_in("dragon").unwrap());
        let number = |name: &str| dragon.skeleton.bone_named(name);
        assert!(number("Leg.FR") < number("Wing.2.L"));
        let dragon = hierarchy::hung(&program, &dragon, &settings).unwrap();
        let bound = Bound::new(&program, &dragon, &settings).unwrap();
        assert!(bound.warnings.is_empty(), "{:?}", bound.warnings);
        let motion = ConstantMotion::steady(vec![BoneMotion::ZERO; dragon.skeleton.bones.len()]);
        let parameters = Parameters::new(&program);
        let setup = Setup::new(&program, &dragon, &bound);
        let moment = Moment::new(setup, &parameters, dragon.rest_pose(), &motion, 0.0);
        let still = vec![BoneMotion::ZERO; dragon.skeleton.bones.len()];
        bound.anchors.states(bound.ground_height, &moment, &still)[0].height / dragon.size()
    };
    let name = |bone: &str| bone.to_owned();
    assert!(height(BTreeMap::new()) > 0.05);
    let stands = height(BTreeMap::from([(name("Leg.FR"), Some(name("Wing.2.L")))]));
    assert!(stands.abs() < 1e-3, "{stands}");
}

/// Who uses no anchors pays nothing for them: pairs and rows are those of the bones.
#[test]
fn graphs_without_anchors_have_the_lists_they_had() {
    let character = own::built_in("cow").unwrap();
    let program = compiled(&built_in_style("velocity-skinning").unwrap().style);
    assert_eq!(program.tables.anchors, None);
    let bound = Bound::new(&program, &character, &CharacterSettings::default()).unwrap();
    assert_eq!(bound.row_count(), character.skeleton.bones.len());
    let upward: Vec<u32> = character.upward().entries().iter().map(|pair| pair.index).collect();
    assert_eq!(bound.pairs.bones, upward);
    // An Anchor that feeds nothing is nobody's either.
    let mut unused = built_in_style("velocity-skinning").unwrap().style;
    unused.graph.nodes.insert("anchor".to_owned(), Node::new("Anchor"));
    assert_eq!(compiled(&unused).tables.anchors, None);
}

#[test]
fn all_evaluators_count_from_anchors_alike() {
    let document = built_in_style("velocity-skinning").unwrap();
    for (name, holds) in [("cow", "limb"), ("giraffe", "whole body")] {
        let character = own::built_in(name).unwrap();
        let settings = [("holds", text(holds))];
        let anchored = Document { style: anchored(&document.style, &settings), ..document.clone() };
        let scene = Scene::new(&anchored, character, &CharacterSettings::default());
        assert!(scene.bound.warnings.is_empty(), "{:?}", scene.bound.warnings);
        for moment in scene.moments(&[0.0, 0.23, 0.61]) {
            agreed(&scene.program, &scene.bound, &moment);
        }
    }
}

fn feet(character: &Character) -> Vec<String> {
    let style = anchored(&plain_sum(), &[]);
    let bound = Bound::new(&compiled(&style), character, &CharacterSettings::default()).unwrap();
    bound.anchors.bones().map(|bone| character.skeleton.bone_name(bone).to_owned()).collect()
}

#[test]
fn feet_are_found_where_a_character_stands() {
    for (name, count) in [("cow", 4), ("giraffe", 4), ("dragon", 4)] {
        let feet = feet(&own::built_in(name).unwrap());
        println!("{name} stands on {feet:?}");
        assert_eq!(feet.len(), count, "{name}: {feet:?}");
        assert!(
            feet.iter().all(|foot| foot.contains("Leg") || foot.contains("Shin")),
            "{name}: {feet:?}"
        );
    }
    for (file, count) in [("CesiumMan.glb", 2), ("Fox.glb", 4), ("RiggedFigure.glb", 2)] {
        let Some(path) = shared(&format!("characters/{file}")) else { continue };
        let feet = feet(&load::load_file(&path).unwrap());
        println!("{file} stands on {feet:?}");
        assert_eq!(feet.len(), count, "{file}: {feet:?}");
    }
    let style = anchored(&plain_sum(), &[]);
    let tube = own::built_in("tube").unwrap();
    let bound = Bound::new(&compiled(&style), &tube, &CharacterSettings::default()).unwrap();
    assert_eq!(bound.warnings, [BindWarning::NoFeet { node: "anchor".to_owned() }]);
}

/// The largest displacement of skin that is on the ground: below 1 % of the size.
fn slide(document: &Document, character: Character, clip: &str) -> f64 {
    let mut document = document.clone();
    document.motion.clip = Some(clip.to_owned());
    let scene = Scene::new(&document, character, &CharacterSettings::default());
    let ground = scene.character.rest_bounds().0.y;
    let size = scene.character.size() as f32;
    let times: Vec<f64> =
        (0..48).map(|i| scene.clip.duration_secs() * f64::from(i) / 48.0).collect();
    let mut worst: f32 = 0.0;
    for moment in scene.moments(&times) {
        let deformed = Vm::default().deform(&scene.program, &scene.bound, &moment).unwrap();
        let pairs = deformed.skinned.positions.iter().zip(&deformed.positions);
        for (plain, moved) in pairs.filter(|(plain, _)| plain.y - ground < 0.01 * size) {
            worst = worst.max(Vec3::distance(*plain, *moved));
        }
    }
    f64::from(worst / size)
}

#[test]
fn feet_of_a_walk_stand_without_a_pin() {
    let document = built_in_style("velocity-skinning").unwrap();
    let held = Document { style: anchored(&document.style, &[]), ..document.clone() };
    let check = |name: &str, clip: &str, load: &dyn Fn() -> Character| {
        let free = slide(&document, load(), clip) * 100.0;
        let stands = slide(&held, load(), clip) * 100.0;
        println!("{name}: feet slide by {free:.2} % of the size, with Anchor by {stands:.2} %");
        assert!(stands < 0.5 && free > 2.0, "{name}: {free} {stands}");
    };
    for name in ["cow", "giraffe"] {
        check(name, "walk", &|| own::built_in(name).unwrap());
    }
    for (file, clip) in [("CesiumMan.glb", ""), ("Fox.glb", "Walk")] {
        let Some(path) = shared(&format!("characters/{file}")) else { continue };
        check(file, clip, &|| load::load_file(&path).unwrap());
    }
}

#[test]
fn a_program_with_anchors_is_saved_in_a_format_of_its_own() {
    let style = built_in_style("velocity-skinning").unwrap().style;
    let plain = compiled(&style).to_saved_text().unwrap();
    assert!(plain.contains("\"format\": 1"), "{}", &plain[..80]);
    let program = compiled(&anchored(&style, &always("Head", "limb")));
    let saved = program.to_saved_text().unwrap();
    assert!(saved.contains(&format!("\"format\": {FORMAT}")), "{}", &saved[..80]);
    assert_eq!(Program::from_saved_text(&saved).unwrap(), program);
    let lost = saved.replace("\"anchors\"", "\"forgotten\"");
    assert!(Program::from_saved_text(&lost).is_err());
}

#[test]
fn what_cannot_be_anchored_is_said_in_a_sentence() {
    let style = built_in_style("velocity-skinning").unwrap().style;
    let problem = |style: &Style| {
        let compiled = compile(style, &Library::built_in());
        compiled.problems.first().map(ToString::to_string).unwrap_or_default()
    };
    let many = anchored(&style, &always("A, B, C, D, E", "limb"));
    assert!(
        problem(&many).contains("at most 4 bones can be anchors, but 5 are named"),
        "{}",
        problem(&many)
    );
    let mut two = anchored(&style, &always("Head", "limb"));
    two.graph.nodes.insert("another".to_owned(), Node::new("Anchor"));
    link(&mut two, ("another", "linear"), ("trail", "linear"));
    assert!(problem(&two).contains("one Anchor node"), "{}", problem(&two));
    let program = compiled(&anchored(&style, &always("Haed", "limb")));
    let cow = own::built_in("cow").unwrap();
    let bound = Bound::new(&program, &cow, &CharacterSettings::default()).unwrap();
    let nearest = Some("Head".to_owned());
    let (node, name) = ("anchor".to_owned(), "Haed".to_owned());
    assert_eq!(bound.warnings, [BindWarning::NoBone { node, name, nearest }]);
}
