//! Heat maps: the numbers they show are those of the character and of the graph.

use crate::support::scene::Scene;
use glam::Vec3;
use jounce::compile::{Showing, ShownPort, compile_showing};
use jounce::eval::heat::{Heat, HeatSubject, PortHeat};
use jounce::eval::{Bound, Deformed, Interpreter, Probed, vm::Prepared};
use jounce::graph::{CharacterSettings, Document, built_in_style};
use jounce::ir::{Number, Program, Value};
use jounce::rig::{Character, own};
use jounce::script::Library;

fn port(text: &str, bone: Option<&str>) -> ShownPort {
    match text.parse().unwrap() {
        HeatSubject::Port(port) => ShownPort { bone: bone.map(str::to_owned), ..port },
        other => panic!("{other} is no port"),
    }
}

/// A style that comes along, with what it knows of the character.
fn settings(document: &Document, character: &Character) -> CharacterSettings {
    document.characters.get(&character.name).cloned().unwrap_or_default()
}

/// A scene whose program shows a port too, and the value that does.
fn showing(document: &Document, character: &str, shown: &ShownPort) -> (Scene, Value) {
    let character = own::built_in(character).unwrap();
    let settings = settings(document, &character);
    let mut scene = Scene::new(document, character, &settings);
    let Showing { compiled, value } =
        compile_showing(&document.style, &Library::built_in(), shown).unwrap();
    assert!(compiled.problems.is_empty(), "{:?}", compiled.problems);
    scene.bound = Bound::new(&compiled.program, &scene.character, &settings).unwrap();
    scene.program = compiled.program;
    (scene, value)
}

/// What is shown, and the deformed character of the same moment.
fn heat_at(scene: &Scene, value: Value, time_secs: f64) -> (Heat, Deformed) {
    let heat = PortHeat::new(&scene.program, value, &scene.bound).unwrap();
    let prepared = Prepared::new(&scene.program, &scene.bound).unwrap();
    scene.with_moment(time_secs, |moment| {
        let (heat, _) = heat.at(&scene.bound, moment).unwrap();
        (heat, prepared.deform(&scene.bound, moment).unwrap())
    })
}

fn heat(document: &Document, character: &str, shown: &ShownPort, time_secs: f64) -> Heat {
    let (scene, value) = showing(document, character, shown);
    heat_at(&scene, value, time_secs).0
}

fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn the_weights_shown_are_those_of_the_bound_elements() {
    let document = built_in_style("flesh-body").unwrap();
    let scene = Scene::new(&document, own::built_in("cow").unwrap(), &document.characters["cow"]);
    let bound = &scene.bound;
    let mut most = vec![0.0_f32; bound.vertex_count()];
    for (name, flesh) in bound.element_names().iter().zip(&bound.flesh) {
        let heat = Heat::of_flesh(bound, Some(name)).unwrap();
        let mut expected = vec![0.0; bound.vertex_count()];
        for &(vertex, weight) in &flesh.weights {
            expected[vertex as usize] = weight as f32;
            most[vertex as usize] = most[vertex as usize].max(weight as f32);
        }
        assert_eq!(heat.values, expected, "{name}");
        assert_eq!((heat.range.least, heat.range.most), (0.0, 1.0), "{name}");
    }
    assert_eq!(Heat::of_flesh(bound, None).unwrap().values, most);
    let upper = Heat::of_flesh(bound, Some("UDDER")).unwrap();
    assert_eq!(upper, Heat::of_flesh(bound, Some("udder")).unwrap());
}

#[test]
fn a_displacement_is_shown_as_far_as_vertices_move() {
    for (style, node) in [("floppy", "trail.displacement"), ("mushroom", "flesh.displacement")] {
        let document = built_in_style(style).unwrap();
        let character = document.motion.character.clone().unwrap();
        let (scene, value) = showing(&document, &character, &port(node, None));
        for time_secs in [0.3, 1.1] {
            let (heat, deformed) = heat_at(&scene, value, time_secs);
            let moved = deformed.positions.iter().zip(&deformed.skinned.positions);
            let moved: Vec<f32> = moved.map(|(a, b)| a.distance(*b)).collect();
            let off = largest_difference(&heat.values, &moved);
            assert!(off < 2e-6, "{style}: {off}");
            let least = moved.iter().copied().fold(f32::INFINITY, f32::min);
            let most = moved.iter().copied().fold(0.0, f32::max);
            assert!(most > 0.01, "{style}: {most}");
            assert!((heat.range.least - least).abs() < 2e-6, "{style}: {:?} {least}", heat.range);
            assert!((heat.range.most - most).abs() < 2e-6, "{style}: {:?} {most}", heat.range);
            assert!(!heat.range.is_signed());
        }
    }
}

#[test]
fn looking_at_a_port_changes_nothing_of_the_result() {
    let document = built_in_style("cartoon").unwrap();
    let plain = {
        let cow = own::built_in("cow").unwrap();
        let settings = settings(&document, &cow);
        Scene::new(&document, cow, &settings)
    };
    let node = document.style.graph.nodes.iter().find(|(_, node)| node.node_type == "Floppy");
    let shown = port(&format!("{}.displacement", node.unwrap().0), None);
    let (looked_at, _) = showing(&document, "cow", &shown);
    let positions = |scene: &Scene| {
        let prepared = Prepared::new(&scene.program, &scene.bound).unwrap();
        scene.with_moment(0.8, |m| prepared.deform(&scene.bound, m).unwrap().positions)
    };
    let off = crate::support::scene::farthest(&positions(&plain), &positions(&looked_at));
    assert!(off < 1e-5, "{off}");
}

/// The interpreter's word for a value.
fn probed(program: &Program, scene: &Scene, value: Value, time_secs: f64) -> Vec<f32> {
    let probed = scene
        .with_moment(time_secs, |m| Interpreter::probe(program, &scene.bound, m, &[value]))
        .unwrap()
        .remove(0);
    let Probed::Vertices(numbers) = probed else { panic!("{probed:?}") };
    let number = |number: Number| match number {
        Number::Float(x) => x as f32,
        Number::Vec3(v) => v.length() as f32,
        Number::Bool(_) => f32::NAN,
    };
    numbers.into_iter().map(number).collect()
}

#[test]
fn values_of_bones_are_shown_by_their_weights_and_parts_of_bones_add_up() {
    let document = built_in_style("giraffe-sway").unwrap();
    let giraffe = own::built_in("giraffe").unwrap();
    let bones: Vec<String> = (0..giraffe.skeleton.bones.len())
        .map(|bone| giraffe.skeleton.bone_name(bone).to_owned())
        .collect();
    let bone_value = document
        .style
        .graph
        .nodes
        .iter()
        .find(|(_, node)| node.node_type == "Bone Value")
        .map(|(id, _)| format!("{id}.value"))
        .unwrap();
    let (scene, value) = showing(&document, "giraffe", &port(&bone_value, None));
    let whole = heat_at(&scene, value, 0.4).0;
    let by_interpreter = probed(&scene.program, &scene, value, 0.4);
    assert!(largest_difference(&whole.values, &by_interpreter) < 1e-5);
    // Skin weights sum to 1, so skin that one bone carries shows the number of that bone.
    let table = scene.bound.bone_tables.iter().find(|table| table.iter().any(Option::is_some));
    let table = table.unwrap();
    let mut looked_at = 0;
    for (vertex, shown) in whole.values.iter().enumerate() {
        if let [only] = giraffe.skin.of(vertex)
            && let Some(number) = table[giraffe.bindings[only.index as usize].bone]
        {
            assert!((shown - number as f32).abs() < 1e-5, "{vertex}: {shown} {number}");
            looked_at += 1;
        }
    }
    assert!(looked_at > 50, "{looked_at}");
    let mut sum = vec![0.0; whole.values.len()];
    for bone in &bones {
        let part = heat(&document, "giraffe", &port(&bone_value, Some(bone)), 0.4);
        sum.iter_mut().zip(&part.values).for_each(|(sum, part)| *sum += part);
    }
    assert!(largest_difference(&sum, &whole.values) < 1e-5);
}

#[test]
fn what_is_not_summed_yet_is_shown_as_its_port_sums_it() {
    for (style, character, node) in [("floppy", "cow", "trail"), ("mushroom", "mushroom", "flesh")]
    {
        let document = built_in_style(style).unwrap();
        let sum = heat(&document, character, &port(&format!("{node}.displacement"), None), 0.7);
        let unsummed = port(&format!("{node}.per bone"), None);
        let unsummed = heat(&document, character, &unsummed, 0.7);
        assert!(sum.range.most > 0.01, "{style}: {:?}", sum.range);
        assert!(largest_difference(&sum.values, &unsummed.values) < 1e-6, "{style}");
    }
    // One flesh element of several.
    let document = built_in_style("mushroom").unwrap();
    let part = |name: &str| {
        let shown = port("flesh.per bone", Some(name));
        heat(&document, "mushroom", &shown, 0.7)
    };
    let weights = showing(&document, "mushroom", &port("flesh.displacement", None)).0.bound;
    let cap = Heat::of_flesh(&weights, Some("cap")).unwrap();
    let (cap_moves, belly_moves) = (part("cap"), part("belly"));
    for (vertex, weight) in cap.values.iter().enumerate() {
        assert_eq!(*weight > 0.0, cap_moves.values[vertex] > 0.0, "{vertex}");
    }
    assert!(belly_moves.range.most > 0.0 && belly_moves.values != cap_moves.values);
}

#[test]
fn inputs_numbers_of_the_frame_and_signed_numbers_can_be_shown() {
    let document = built_in_style("floppy").unwrap();
    let slider = heat(&document, "tube", &port("trail.max angle", None), 0.0);
    assert!(
        slider.range.least == slider.range.most && slider.range.most > 1.0,
        "{:?}",
        slider.range
    );
    let position = heat(&document, "tube", &port("trail.position", None), 0.0);
    let tube = own::built_in("tube").unwrap();
    let far = |p: &Vec3| p.length();
    let most = tube.mesh.positions.iter().map(far).fold(0.0, f32::max);
    assert!((position.range.most - most).abs() < 0.05, "{:?} {most}", position.range);

    let bird = own::built_in("bird").unwrap();
    let none = CharacterSettings::default();
    let softness = Heat::of_map(&bird, &none, "softness").unwrap();
    assert!(softness.range.is_signed() && softness.range.most > 0.9);
    let map = bird.maps.iter().find(|map| map.name == "softness").unwrap();
    assert_eq!(softness.values, map.values);
    assert_eq!(Heat::of_map(&bird, &none, "_SOFTNESS").unwrap(), softness);
    let mut painted = none.clone();
    painted.maps.insert("softness".to_owned(), vec![0.5; bird.vertex_count()].into());
    assert_eq!(Heat::of_map(&bird, &painted, "Softness").unwrap().range.most, 0.5);
    // One without such a map has the one that every character has.
    let parts = jounce::rig::CharacterParts { maps: Vec::new(), ..(*tube).clone() };
    let bare = jounce::rig::Character::new(parts).unwrap();
    let automatic = Heat::of_map(&bare, &none, "softness").unwrap();
    assert_eq!(automatic.values, bare.automatic_softness());
}

/// A limit's input is called as its output is.
#[test]
fn an_input_is_told_from_an_output_of_the_same_name() {
    let document = built_in_style("default").unwrap();
    let node = |kind: &str| {
        let nodes = &document.style.graph.nodes;
        nodes.iter().find(|(_, node)| node.node_type == kind).unwrap().0.clone()
    };
    let id = node("Limit Length");
    let of =
        |port_name: &str| heat(&document, "cow", &port(&format!("{id}.{port_name}"), None), 0.4);
    let (before, after) = (of("in:displacement"), of("displacement"));
    let link = document.style.graph.links_into(&id).find(|it| it.to.port == "displacement");
    let from = &link.unwrap().from;
    let source = port(&format!("{}.{}", from.node, from.port), None);
    assert_eq!(before, heat(&document, "cow", &source, 0.4), "what arrives is what was sent");
    assert!(before.range.most >= after.range.most, "{:?} {:?}", before.range, after.range);
}

#[test]
fn skin_weights_of_all_bones_add_up_to_1() {
    let cow = own::built_in("cow").unwrap();
    let mut sum = vec![0.0; cow.vertex_count()];
    for bone in 0..cow.skeleton.bones.len() {
        let heat = Heat::of_bone(&cow, cow.skeleton.bone_name(bone)).unwrap();
        sum.iter_mut().zip(&heat.values).for_each(|(sum, weight)| *sum += weight);
    }
    assert!(largest_difference(&sum, &vec![1.0; sum.len()]) < 1e-5);
}

#[test]
fn what_is_not_there_is_answered_with_what_is() {
    let document = built_in_style("mushroom").unwrap();
    let library = Library::built_in();
    let refused = |text: &str, bone: Option<&str>| {
        compile_showing(&document.style, &library, &port(text, bone)).err().unwrap().to_string()
    };
    let node = refused("flehs.displacement", None);
    assert_eq!(node, "there is no node \"flehs\" in the graph; did you mean \"flesh\"?");
    let node = refused("something else.x", None);
    assert!(node.ends_with("; it has damping, flesh, frequency, output, sag"), "{node}");
    let port_name = refused("flesh.dampin", None);
    assert!(
        port_name.ends_with("has no port \"dampin\"; did you mean \"damping\"?"),
        "{port_name}"
    );
    let choice = refused("output.base", None);
    assert!(choice.contains("output.base is a text, which is not a number"), "{choice}");
    let no_bones = refused("flesh.displacement", Some("Cap"));
    assert!(no_bones.contains("is not one value per bone"), "{no_bones}");

    let (scene, _) = showing(&document, "mushroom", &port("flesh.displacement", None));
    let said = |heat: Result<Heat, jounce::eval::heat::HeatError>| heat.unwrap_err().to_string();
    let element = said(Heat::of_flesh(&scene.bound, Some("cup")));
    assert_eq!(element, "there is no flesh element \"cup\"; did you mean \"cap\"?");
    let element = said(Heat::of_flesh(&scene.bound, Some("nose")));
    assert!(element.ends_with("; it has belly, cap"), "{element}");
    let character = &scene.character;
    let bone = said(Heat::of_bone(character, "Stalk2"));
    assert!(bone.ends_with("did you mean \"Stalk.2\"?"), "{bone}");
    let none = CharacterSettings::default();
    let map = said(Heat::of_map(character, &none, "softnes"));
    assert!(map.ends_with("did you mean \"softness\"?"), "{map}");
    let mut painted = none.clone();
    painted.maps.insert("short".to_owned(), vec![0.5; 3].into());
    assert!(said(Heat::of_map(character, &painted, "short")).contains("paint it again"));
    let tube = Scene::style("floppy", own::built_in("tube").unwrap());
    assert!(said(Heat::of_flesh(&tube.bound, None)).contains("needs a Flesh node"));
}
