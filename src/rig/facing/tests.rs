use super::*;
use crate::own;
use crate::{CharacterParts, Node, Skeleton, Trs};
use glam::DQuat;

/// The same character below one more node, which turns, moves and scales all of it, clips included.
fn below(character: &Character, transform: Trs) -> Character {
    let CharacterParts { skeleton, .. } = &**character;
    let top = skeleton.nodes.len();
    let mut nodes = skeleton.nodes.clone();
    nodes.iter_mut().filter(|node| node.parent.is_none()).for_each(|it| it.parent = Some(top));
    nodes.push(Node::new("top", None, transform));
    let mut is_bone = vec![false; nodes.len()];
    skeleton.bones.iter().for_each(|bone| is_bone[bone.node] = true);
    let skeleton = Skeleton::new(nodes, &is_bone).unwrap();
    Character::new(CharacterParts { skeleton, ..CharacterParts::clone(character) }).unwrap()
}

fn turned(degrees: f64, scale: f64) -> Trs {
    Trs {
        translation: DVec3::new(3.0, -1.0, 7.0) * scale,
        rotation: DQuat::from_rotation_y(degrees.to_radians()),
        scale: DVec3::splat(scale),
    }
}

#[test]
fn all_of_ours_look_along_z() {
    for name in own::names() {
        let facing = own::built_in(name).unwrap().facing().clone();
        println!("{name}: {facing:?}");
        assert_eq!(facing.forward, Vec3::Z, "{name}");
    }
}

#[test]
fn a_front_turns_with_its_character_and_does_not_depend_on_size() {
    for name in ["cow", "giraffe", "dragon", "bird", "snail"] {
        let character = own::built_in(name).unwrap();
        for (degrees, scale) in
            [(90.0, 1.0), (180.0, 0.01), (-90.0, 200.0), (150.0, 1.0), (37.0, 3.0)]
        {
            let other = below(&character, turned(degrees, scale));
            let expected = DQuat::from_rotation_y(f64::to_radians(degrees)) * DVec3::Z;
            let found = other.facing().forward.as_dvec3();
            let apart = found.angle_between(expected).to_degrees();
            assert!(apart < 7.0, "{name} turned by {degrees}°: {found}, {apart:.1}° off");
            assert!(!other.facing().votes.is_empty(), "{name}");
        }
    }
}

#[test]
fn what_is_the_same_all_around_looks_along_z() {
    // A tube and a mushroom have no front; glTF says which it is.
    for name in ["tube", "mushroom"] {
        let character = own::built_in(name).unwrap();
        let parts = CharacterParts { clips: Vec::new(), ..CharacterParts::clone(&character) };
        let facing = Character::new(parts).unwrap().facing().clone();
        assert_eq!(facing.forward, Vec3::Z, "{name}: {facing:?}");
    }
}

#[test]
fn without_clips_and_names_the_shape_alone_tells() {
    for name in ["cow", "giraffe", "dragon"] {
        let character = own::built_in(name).unwrap();
        let mut parts = CharacterParts { clips: Vec::new(), ..CharacterParts::clone(&character) };
        let nodes = parts.skeleton.nodes.iter_mut().enumerate();
        nodes.for_each(|(index, node)| node.name = format!("n{index}"));
        let facing = Character::new(parts).unwrap().facing().clone();
        assert_eq!(facing.forward, Vec3::Z, "{name}: {facing:?}");
    }
}

#[test]
fn nothing_to_see_is_no_reason_to_fail() {
    let character = own::built_in("tube").unwrap();
    for scale in [DVec3::ZERO, DVec3::new(1.0, 0.0, 1.0), DVec3::splat(1e-30)] {
        let flat = below(&character, Trs { scale, ..Trs::IDENTITY });
        let forward = flat.facing().forward;
        assert!((forward.length() - 1.0).abs() < 1e-5 && forward.y == 0.0, "{scale}: {forward}");
    }
}
