//! What is rigid stays rigid: pieces on one bone keep their shape under deformers that look at their middle.

use crate::support::evaluators::agreed;
use crate::support::scene::Scene;
use crate::support::shared::shared;
use glam::Vec3;
use jounce::graph::{CharacterSettings, Document, Link, Node, PortRef};
use jounce::rig::load;
use jounce::script::Setting;
use jounce_base::Role;

/// Floppy, by looseness, at the middle of pieces or at each vertex.
fn floppy(at_pieces: bool) -> Document {
    let mut document = Document::default();
    let graph = &mut document.style.graph;
    let mut map = Node::new("Map");
    map.settings.insert("source".to_owned(), Setting::Text("looseness".to_owned()));
    let nodes =
        [("map", map), ("pieces", Node::new("Rigid Pieces")), ("trail", Node::new("Floppy"))];
    graph.nodes.extend(nodes.map(|(id, node)| (id.to_owned(), node)));
    graph.nodes.insert("output".to_owned(), Node::new("Output"));
    let mut link = |from: (&str, &str), to: (&str, &str)| {
        graph.links.insert(Link::new(PortRef::new(from.0, from.1), PortRef::new(to.0, to.1)));
    };
    link(("map", "value"), ("trail", "floppiness"));
    link(("trail", "displacement"), ("output", "displacement"));
    if at_pieces {
        link(("pieces", "position"), ("trail", "position"));
    }
    document
}

/// By how much distances inside pieces differ from those at rest, at most, in sizes of the character.
fn change_of_shape(scene: &Scene, positions: &[Vec3]) -> f32 {
    change_of_shape_of(scene, positions, |_| true)
}

fn change_of_shape_beside_what_stands(scene: &Scene, positions: &[Vec3]) -> f32 {
    let stands = [Role::Trunk, Role::Leg, Role::Foot];
    change_of_shape_of(scene, positions, |role| !stands.contains(&role))
}

fn change_of_shape_of(scene: &Scene, positions: &[Vec3], counts: impl Fn(Role) -> bool) -> f32 {
    let roles = scene.character.roles().automatic();
    let pieces = scene.character.roles().pieces(&scene.character);
    let rest = &scene.character.rest().positions;
    let mut first = vec![None; pieces.all.len()];
    let mut most: f32 = 0.0;
    for (vertex, piece) in pieces.of_vertices.iter().enumerate() {
        let Some(piece) = piece else { continue };
        let bone = scene.character.strongest_bone(vertex).unwrap().0;
        if !counts(roles[bone]) {
            continue;
        }
        let one: usize = *first[*piece as usize].get_or_insert(vertex);
        let change = positions[vertex].distance(positions[one]) - rest[vertex].distance(rest[one]);
        most = most.max(change.abs());
    }
    most / scene.character.size() as f32
}

/// Joined turns turn a piece about its joints. A Pin that lets what does not stand swing holds all of a piece alike,
/// however it lies across the height where the hold ends.
#[test]
fn pieces_that_turn_and_hang_low_keep_their_shape() {
    let Some(path) = shared("characters/RobotExpressive.glb") else { return };
    for (measured, keeps_shape) in [("standing", true), ("now", false)] {
        let mut document = floppy(true);
        document.motion.clip = Some("Running".to_owned());
        let graph = &mut document.style.graph;
        let trail = graph.nodes.get_mut("trail").unwrap();
        trail.settings.insert("turns".to_owned(), Setting::Text("joined".to_owned()));
        let mut pin = Node::new("Pin");
        pin.settings.insert("measured".to_owned(), Setting::Text(measured.to_owned()));
        pin.settings.insert("ground".to_owned(), Setting::Float(0.3));
        pin.settings.insert("fade".to_owned(), Setting::Float(0.3));
        graph.nodes.insert("pin".to_owned(), pin);
        graph.links.retain(|link| link.to.node != "output");
        let port = |node: &str| PortRef::new(node, "displacement");
        graph.links.insert(Link::new(port("trail"), port("pin")));
        graph.links.insert(Link::new(port("pin"), port("output")));
        let robot = load::load_file(&path).unwrap();
        let scene = Scene::new(&document, robot, &CharacterSettings::default());
        let mut most: f32 = 0.0;
        for time_secs in [0.1, 0.3, 0.45] {
            let positions = scene.with_moment(time_secs, |moment| {
                agreed(&scene.program, &scene.bound, moment).positions
            });
            most = most.max(change_of_shape_beside_what_stands(&scene, &positions));
        }
        println!("{measured}: {most}");
        // Held by a half, a turn is a chord, and a little shorter than its arc.
        assert_eq!(most < 2e-3, keeps_shape, "{measured}: {most}");
    }
}

#[test]
fn a_robot_keeps_its_rivets() {
    let Some(path) = shared("characters/RobotExpressive.glb") else { return };
    let settings = CharacterSettings::default();
    let scene = |at_pieces| {
        let mut document = floppy(at_pieces);
        document.motion.clip = Some("Running".to_owned());
        Scene::new(&document, load::load_file(&path).unwrap(), &settings)
    };
    let (rigid, bent) = (scene(true), scene(false));
    let pieces = rigid.character.roles().pieces(&rigid.character);
    assert!(pieces.all.len() > 20, "{}", pieces.all.len());
    let mut most_bent: f32 = 0.0;
    for time_secs in [0.1, 0.3, 0.45] {
        let plain = rigid.character.rest();
        let found = rigid.with_moment(time_secs, |moment| {
            agreed(&rigid.program, &rigid.bound, moment).positions
        });
        let change = change_of_shape(&rigid, &found);
        assert!(change < 1e-5, "{change} at {time_secs} s");
        assert!(found.iter().zip(&plain.positions).any(|(a, b)| a.distance(*b) > 0.01));
        let found = bent
            .with_moment(time_secs, |moment| agreed(&bent.program, &bent.bound, moment).positions);
        most_bent = most_bent.max(change_of_shape(&bent, &found));
    }
    // Without the node they bend.
    assert!(most_bent > 1e-3, "{most_bent}");
}
