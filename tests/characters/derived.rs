//! Laws of what is derived from a character.

use glam::{DAffine3, DQuat, DVec3, Vec3};
use jounce::motion::joint::pose;
use jounce::rig::centroid::{exact_centroids, medial_axis, offset_centroids};
use jounce::rig::{
    Base, Binding, Character, CharacterParts, Influence, Influences, Mesh, Node, Pose, Skeleton,
    Trs, own,
};
use proptest::prelude::*;

/// A closed ring of `sides` × `rings` vertices along X from 0 to 1, radius by place, on two bones
/// at 0 and 0.5 with weights that change linearly over the middle.
fn limb(radius: impl Fn(f32) -> f32) -> Character {
    let (sides, rings) = (16_u32, 41_u32);
    let mut mesh = Mesh::default();
    let mut skin = Influences::default();
    for ring in 0..rings {
        let x = ring as f32 / (rings - 1) as f32;
        let second = ((x - 0.3) / 0.4).clamp(0.0, 1.0);
        for side in 0..sides {
            let (sin, cos) = (std::f32::consts::TAU * side as f32 / sides as f32).sin_cos();
            mesh.positions.push(Vec3::new(x, cos * radius(x), sin * radius(x)));
            mesh.normals.push(Vec3::new(0.0, cos, sin));
            mesh.colors.push([1.0; 4]);
            let list =
                [(0, 1.0 - second), (1, second)].map(|(index, weight)| Influence { index, weight });
            skin.push(list.into_iter().filter(|influence| influence.weight > 0.0));
        }
    }
    for ring in 0..rings - 1 {
        for side in 0..sides {
            let at = |ring: u32, side: u32| ring * sides + side % sides;
            let [a, b, c, d] =
                [at(ring, side), at(ring, side + 1), at(ring + 1, side), at(ring + 1, side + 1)];
            mesh.triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    let half = Trs::at(DVec3::X * 0.5);
    let nodes = vec![Node::new("upper", None, Trs::IDENTITY), Node::new("lower", Some(0), half)];
    let skeleton = Skeleton::new(nodes, &[true, true]).unwrap();
    let binding = |node, x| Binding {
        node,
        bone: node,
        node_from_bind: DAffine3::from_translation(DVec3::X * x),
    };
    Character::new(CharacterParts {
        name: "limb".to_owned(),
        skeleton,
        bindings: vec![binding(0, 0.0), binding(1, -0.5)],
        mesh,
        skin,
        rest_morph_weights: Vec::new(),
        maps: Vec::new(),
        clips: Vec::new(),
        notes: Vec::new(),
    })
    .unwrap()
}

/// The limb with its lower half turned.
fn bent(character: &Character, turn: DQuat) -> Pose {
    let locals = [DAffine3::IDENTITY, DAffine3::from_rotation_translation(turn, DVec3::X * 0.5)];
    Pose::from_locals(&character.skeleton, &locals, Vec::new())
}

#[test]
fn positions_alone_are_skinned_to_the_last_bit_as_with_normals() {
    let character = limb(|_| 0.1);
    let posed = bent(&character, DQuat::from_rotation_z(0.7));
    let mut positions = Vec::new();
    for base in [Base::Lbs, Base::Dqs] {
        character.skin_positions(&posed, base, &mut positions);
        assert_eq!(positions, character.skin(&posed, base).positions, "{base:?}");
    }
}

proptest! {
    #[test]
    fn dual_quaternions_keep_the_thickness_of_a_twisted_limb(angle in -3.0..3.0_f64) {
        let character = limb(|_| 0.1);
        let skinned = character.skin(&bent(&character, DQuat::from_rotation_x(angle)), Base::Dqs);
        for p in &skinned.positions {
            let radius = (p.y * p.y + p.z * p.z).sqrt();
            prop_assert!((radius - 0.1).abs() < 1e-5, "{radius}");
        }
    }

    #[test]
    fn one_rotation_of_everything_turns_the_result_and_nothing_else(
        x in -1.0..1.0_f64, y in -1.0..1.0_f64, z in -1.0..1.0_f64, angle in -2.0..2.0_f64,
    ) {
        let character = limb(|_| 0.1);
        let turn = DQuat::from_scaled_axis(DVec3::new(x, y, z));
        let still = bent(&character, DQuat::from_rotation_z(angle));
        let mut turned = still.clone();
        for matrix in &mut turned.scene_from_node {
            *matrix = DAffine3::from_quat(turn) * *matrix;
        }
        for base in [Base::Lbs, Base::Dqs] {
            let (a, b) = (character.skin(&still, base), character.skin(&turned, base));
            for (a, b) in a.positions.iter().zip(&b.positions) {
                prop_assert!((turn.as_quat() * *a).distance(*b) < 1e-5);
            }
        }
        // Centroids turn with it, in both forms.
        let (a, b) = (character.centroids().evaluate(&character, &still), character.centroids().evaluate(&character, &turned));
        for (a, b) in a.iter().zip(&b) {
            prop_assert!((turn * *a).distance(*b) < 1e-6);
        }
    }

    #[test]
    fn a_centroids_offset_keeps_its_place_in_the_bones_frame(angle in -3.0..3.0_f64) {
        let character = limb(|_| 0.1);
        let pose = bent(&character, DQuat::from_rotation_z(angle));
        let plain = character.centroids().evaluate(&character, &pose);
        let offset = DVec3::new(0.1, 0.2, -0.3);
        let mut moved = plain.clone();
        offset_centroids(&character, &pose, &mut moved, &[DVec3::ZERO, offset]);
        prop_assert_eq!(moved[0], plain[0]);
        let in_bone = character.bone_rotation(&pose, 1).transpose() * (moved[1] - plain[1]);
        prop_assert!((in_bone - offset).length() < 1e-9);
    }
}

#[test]
fn at_rest_the_closed_form_is_the_exact_centroid() {
    for name in own::names() {
        let character = own::built_in(name).unwrap();
        let rest = character.rest_pose();
        let exact = exact_centroids(&character, rest, &character.rest().positions);
        let closed = character.centroids().evaluate(&character, rest);
        for (a, b) in exact.iter().zip(&closed) {
            assert!(a.distance(*b) < 1e-4 * character.size(), "{name}: {a} {b}");
        }
        // In motion it stays close.
        let posed = pose(&character, &character.clips[0], 0.3);
        let exact =
            exact_centroids(&character, &posed, &character.skin(&posed, Base::Lbs).positions);
        let closed = character.centroids().evaluate(&character, &posed);
        let worst = exact.iter().zip(&closed).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        println!("{name}: closed form off by {:.4} of the size", worst / character.size());
        assert!(worst < 0.03 * character.size(), "{name}: {worst}");
    }
}

#[test]
fn a_medial_axis_without_a_direction_is_zero() {
    assert_eq!(medial_axis(DVec3::ONE, DVec3::ONE), DVec3::ZERO);
    assert_eq!(medial_axis(DVec3::ZERO, DVec3::Y * 3.0), DVec3::Y);
}

#[test]
fn areas_of_points_sum_to_the_area_of_the_surface() {
    let character = limb(|_| 0.1);
    let surface = character.surface();
    let (points, triangles): (f32, f32) =
        (surface.point_areas.iter().sum(), surface.triangle_areas.iter().sum());
    assert!((points - triangles).abs() < 1e-5);
    // The mantle of a 16-sided tube.
    let expected = 16.0 * 2.0 * 0.1 * (std::f32::consts::PI / 16.0).sin();
    assert!((triangles - expected).abs() < 1e-4, "{triangles} {expected}");
}

#[test]
fn neighbours_are_mutual_and_a_tube_has_six_of_them_inside() {
    let character = limb(|_| 0.1);
    let surface = character.surface();
    for point in 0..surface.points.point_count {
        for &other in surface.neighbours_of(point) {
            assert!(surface.neighbours_of(other as usize).contains(&(point as u32)));
        }
    }
    assert_eq!(surface.neighbours_of(16 * 20).len(), 6);
}

#[test]
fn thin_parts_are_soft_and_thick_ones_stiff() {
    let character = limb(|x| if x < 0.5 { 0.15 } else { 0.03 });
    let softness = character.automatic_softness();
    let mean = |from: f32, to: f32| {
        let chosen = character
            .mesh
            .positions
            .iter()
            .zip(softness)
            .filter(|(p, _)| (from..to).contains(&p.x));
        let values: Vec<f32> = chosen.map(|(_, s)| *s).collect();
        values.iter().sum::<f32>() / values.len() as f32
    };
    let (thick, thin) = (mean(0.1, 0.4), mean(0.6, 0.9));
    assert!(thick < 0.25 && thin > 0.75, "thick {thick}, thin {thin}");
}

#[test]
fn propagated_weights_of_the_root_are_one_and_fall_along_the_chain() {
    for name in own::names() {
        let character = own::built_in(name).unwrap();
        let bones = &character.skeleton.bones;
        for list in character.upward().lists() {
            let is_root = |up: &&Influence| bones[up.index as usize].parent.is_none();
            let roots: f32 = list.iter().filter(is_root).map(|up| up.weight).sum();
            assert!((roots - 1.0).abs() < 1e-5, "{roots}");
            for up in list {
                let parent = bones[up.index as usize].parent;
                let above = parent
                    .map(|parent| list.iter().find(|up| up.index as usize == parent).unwrap());
                match above {
                    Some(above) => assert!(above.weight >= up.weight - 1e-6),
                    None => assert!(up.weight <= 1.0 + 1e-5),
                }
            }
        }
    }
}
