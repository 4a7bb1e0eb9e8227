//! Bodies made for it: a leg whose foot hangs elsewhere in the file.

use super::*;
use crate::{
    Binding, CharacterParts, Clip, Influence, Influences, Interpolation, Keys, Mesh, Node,
    Property, Skeleton, Track, Trs,
};
use glam::{DAffine3, DVec3, Vec3, vec3};

/// A column of squares for each bone, one above the other: body, shin and foot. The foot's node stands beside
/// the others, as rigs for inverse kinematics have it.
fn leg(clips: Vec<Clip>) -> Character {
    let at = |y: f64| Trs::at(DVec3::new(0.0, y, 0.0));
    let nodes = vec![
        Node::new("body", None, at(1.0)),
        Node::new("shin", Some(0), at(-0.5)),
        Node::new("foot", None, at(0.1)),
    ];
    let skeleton = Skeleton::new(nodes, &[true; 3]).unwrap();
    let heights = [(0, 0.55, 1.5), (1, 0.12, 0.54), (2, 0.0, 0.11)];
    let (mut positions, mut triangles, mut skin) = (Vec::new(), Vec::new(), Influences::default());
    for (bone, from, to) in heights {
        let rings = ((to - from) / 0.01_f32).round() as u32;
        let first = positions.len() as u32;
        for ring in 0..=rings {
            let y = from + (to - from) * ring as f32 / rings as f32;
            for [x, z] in [[-0.05, -0.05], [0.05, -0.05], [0.05, 0.05], [-0.05, 0.05]] {
                positions.push(vec3(x, y, z));
                skin.push([Influence { index: bone, weight: 1.0 }]);
            }
        }
        for ring in 0..rings {
            for side in 0..4 {
                let corner = |up: u32, around: u32| first + 4 * (ring + up) + (side + around) % 4;
                triangles.push([corner(0, 0), corner(0, 1), corner(1, 0)]);
                triangles.push([corner(0, 1), corner(1, 1), corner(1, 0)]);
            }
        }
    }
    let count = positions.len();
    let bindings = [1.0, 0.5, 0.1].into_iter().enumerate().map(|(bone, y)| Binding {
        node: bone,
        bone,
        node_from_bind: DAffine3::from_translation(DVec3::new(0.0, -y, 0.0)),
    });
    let parts = CharacterParts {
        name: "leg".to_owned(),
        skeleton,
        bindings: bindings.collect(),
        mesh: Mesh {
            positions,
            normals: vec![Vec3::Y; count],
            colors: vec![[1.0; 4]; count],
            triangles,
            ..Mesh::default()
        },
        skin,
        rest_morph_weights: Vec::new(),
        maps: Vec::new(),
        clips,
        notes: Vec::new(),
    };
    Character::new(parts).unwrap()
}

/// Moves nodes from where they rest to somewhere else.
fn walk(moved: &[(usize, DVec3, DVec3)]) -> Clip {
    let track = |&(node, from, to): &(usize, DVec3, DVec3)| Track {
        node,
        property: Property::Translation,
        keys: Keys {
            interpolation: Interpolation::Linear,
            width: 3,
            times_secs: vec![0.0, 1.0],
            values: [from, to].into_iter().flat_map(|v| v.as_vec3().to_array()).collect(),
        },
    };
    Clip { name: "walk".to_owned(), tracks: moved.iter().map(track).collect() }
}

const BODY: DVec3 = DVec3::new(0.0, 1.0, 0.0);
const FOOT: DVec3 = DVec3::new(0.0, 0.1, 0.0);

#[test]
fn a_foot_that_goes_along_with_the_shin_hangs_on_it() {
    let way = DVec3::new(1.0, 0.0, 0.0);
    let leg = leg(vec![walk(&[(0, BODY, BODY + way), (2, FOOT, FOOT + way * 1.01)])]);
    let found = leg.motion_hierarchy();
    assert_eq!(found.parents, [None, Some(0), Some(1)]);
    let [change] = found.changes[..] else { panic!("{found:?}") };
    assert_eq!((change.bone, change.file_parent, change.parent), (2, None, 1));
    assert!(change.contact_share > 0.99);
    let travel = change.travel.unwrap();
    assert!((travel.in_file_parent - 1.01 / leg.size()).abs() < 1e-6, "{travel:?}");
    assert!((travel.in_parent - 0.01 / leg.size()).abs() < 1e-6, "{travel:?}");
}

#[test]
fn a_foot_that_goes_its_own_way_stays_where_the_file_has_it() {
    let way = DVec3::new(1.0, 0.0, 0.0);
    for moved in [
        // It stays behind, by more than an eighth.
        vec![(0, BODY, BODY + way), (2, FOOT, FOOT + way * 0.7)],
        // Nothing moves enough to be seen.
        vec![(0, BODY, BODY + way * 0.02), (2, FOOT, FOOT + way * 0.02)],
        // The body goes, the foot stands.
        vec![(0, BODY, BODY + way)],
    ] {
        let leg = leg(vec![walk(&moved)]);
        assert_eq!(leg.motion_hierarchy().parents, [None, Some(0), None], "{moved:?}");
        assert!(leg.motion_hierarchy().changes.is_empty());
    }
}

#[test]
fn without_clips_contact_alone_decides() {
    let leg = leg(Vec::new());
    let found = leg.motion_hierarchy();
    assert_eq!(found.parents, [None, Some(0), Some(1)]);
    assert_eq!(found.changes[0].travel, None);
}

#[test]
fn the_body_hangs_on_nothing_though_it_touches_the_shin() {
    // Body and shin have more than half of the skin: no part of something else.
    let way = DVec3::new(1.0, 0.0, 0.0);
    let leg = leg(vec![walk(&[(0, BODY, BODY + way), (2, FOOT, FOOT + way)])]);
    assert_eq!(leg.motion_hierarchy().parents[0], None);
}

#[test]
fn a_larger_share_goes_first_and_nobody_comes_to_hang_on_itself() {
    let nodes = (0..3).map(|i| Node::new(format!("n{i}"), None, Trs::IDENTITY)).collect();
    let skeleton = Skeleton::new(nodes, &[true; 3]).unwrap();
    let candidate = |bone, parent, share| {
        (Candidate { bone, parent, share, contact: 1.0, touches_ancestors: false }, None)
    };
    let all = vec![candidate(0, 1, 0.6), candidate(1, 2, 0.9), candidate(2, 0, 0.8)];
    let found = choose(&skeleton, all);
    assert_eq!(found.parents, [None, Some(2), Some(0)]);
    assert_eq!(found.changes.len(), 2);
}
