//! Roles, looseness, parts that stand out and rigid pieces: what an artist would say of each character, and laws
//! that hold for all of them.

use crate::support::scaled::scaled;
use crate::support::shared::{shared, shared_characters};
use glam::Vec3;
use jounce::rig::{Character, CharacterParts, load, own};
use jounce_base::Role;
use std::collections::BTreeMap;

/// Per role the bones that have it, all of them.
type Expected = [(&'static str, &'static str)];

fn assert_roles(character: &Character, expected: &Expected) {
    let mut found: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (bone, role) in character.roles().automatic().iter().enumerate() {
        found.entry(role.name()).or_default().push(character.skeleton.bone_name(bone));
    }
    let sorted = |mut names: Vec<&'static str>| {
        names.sort_unstable();
        names
    };
    let expected: BTreeMap<&str, Vec<&str>> = expected
        .iter()
        .map(|&(role, names)| (role, sorted(names.split_whitespace().collect())))
        .collect();
    found.values_mut().for_each(|names| names.sort_unstable());
    assert_eq!(found, expected, "{}", character.name);
}

fn of_shared(name: &str) -> Option<Character> {
    let path = shared(&format!("characters/{name}"))?;
    Some(load::load_file(&path).unwrap())
}

#[test]
fn our_own_characters_have_the_roles_that_one_sees() {
    let all: [(&str, &Expected); 7] = [
        ("tube", &[("trunk", "Low"), ("free", "Middle High")]),
        ("bird", &[("trunk", "Body")]),
        (
            "cow",
            &[
                ("trunk", "Root Spine"),
                ("neck", "Neck"),
                ("head", "Head"),
                ("leg", "Leg.FR Shin.FR Leg.FL Shin.FL Leg.BR Shin.BR Leg.BL Shin.BL"),
            ],
        ),
        (
            "giraffe",
            &[
                ("trunk", "Root Spine"),
                ("neck", "Neck.1 Neck.2 Neck.3 Neck.4 Neck.5 Neck.6"),
                ("head", "Head"),
                ("free", "Tail"),
                ("leg", "Leg.FR Shin.FR Leg.FL Shin.FL Leg.BR Shin.BR Leg.BL Shin.BL"),
            ],
        ),
        (
            "dragon",
            &[
                ("trunk", "Root Spine"),
                ("neck", "Neck.1 Neck.2"),
                ("head", "Head"),
                ("free", "Tail.1 Tail.2 Wing.1.R Wing.2.R Wing.1.L Wing.2.L"),
                ("leg", "Leg.FR Shin.FR Leg.FL Shin.FL Leg.BR Shin.BR Leg.BL Shin.BL"),
            ],
        ),
        ("snail", &[("trunk", "Root Shell"), ("neck", "Neck"), ("head", "Head"), ("free", "Tail")]),
        ("mushroom", &[("trunk", "Stalk.1"), ("neck", "Stalk.2"), ("head", "Cap Tip")]),
    ];
    for (name, expected) in all {
        assert_roles(&own::built_in(name).unwrap(), expected);
    }
}

#[test]
fn characters_of_others_have_the_roles_that_one_sees() {
    let all: [(&str, &Expected); 6] = [
        (
            "Fox.glb",
            &[
                ("trunk", "_rootJoint b_Root_00 b_Hip_01 b_Spine01_02 b_Spine02_03"),
                ("neck", "b_Neck_04"),
                ("head", "b_Head_05"),
                ("free", "b_Tail01_012 b_Tail02_013 b_Tail03_014"),
                (
                    "leg",
                    "b_RightUpperArm_06 b_RightForeArm_07 b_LeftUpperArm_09 b_LeftForeArm_010
                     b_LeftLeg01_015 b_LeftLeg02_016 b_LeftFoot01_017
                     b_RightLeg01_019 b_RightLeg02_020 b_RightFoot01_021",
                ),
                ("foot", "b_RightHand_08 b_LeftHand_011 b_LeftFoot02_018 b_RightFoot02_022"),
            ],
        ),
        (
            "CesiumMan.glb",
            &[
                ("trunk", "Skeleton_torso_joint_1 Skeleton_torso_joint_2 torso_joint_3"),
                ("neck", "Skeleton_neck_joint_1"),
                ("head", "Skeleton_neck_joint_2"),
                (
                    "arm",
                    "Skeleton_arm_joint_L__4_ Skeleton_arm_joint_L__3_
                     Skeleton_arm_joint_R Skeleton_arm_joint_R__2_",
                ),
                ("hand", "Skeleton_arm_joint_L__2_ Skeleton_arm_joint_R__3_"),
                ("leg", "leg_joint_L_1 leg_joint_L_2 leg_joint_R_1 leg_joint_R_2"),
                ("foot", "leg_joint_L_3 leg_joint_L_5 leg_joint_R_3 leg_joint_R_5"),
            ],
        ),
        (
            "RiggedFigure.glb",
            &[
                ("trunk", "torso_joint_1 torso_joint_2 torso_joint_3"),
                // The skin of both is the head: the neck has none of its own.
                ("head", "neck_joint_1 neck_joint_2"),
                ("arm", "arm_joint_L_1 arm_joint_L_2 arm_joint_R_1 arm_joint_R_2"),
                ("hand", "arm_joint_L_3 arm_joint_R_3"),
                ("leg", "leg_joint_L_1 leg_joint_L_2 leg_joint_R_1 leg_joint_R_2"),
                ("foot", "leg_joint_L_3 leg_joint_L_5 leg_joint_R_3 leg_joint_R_5"),
            ],
        ),
        (
            "spot.glb",
            &[
                ("trunk", "Armature Root back-front back-back"),
                ("neck", "neck"),
                ("head", "head head-end"),
                ("free", "ass tail tail-end"),
                (
                    "leg",
                    "shoulder_L arm_L hand_L shoulder_R arm_R hand_R
                     hip_L leg_L foot_L hip_R leg_R foot_R",
                ),
                ("foot", "hand_L-end hand_R-end foot_L-end foot_R-end"),
            ],
        ),
        (
            "girafe.glb",
            &[
                (
                    "trunk",
                    "gi gi_T_root gi_root gi_pelvis gi_spineLB gi_spineTC gi_spineTB gi_spineTA",
                ),
                ("neck", "gi_neckC7 gi_neckC4 gi_neckC2 gi_neckC1"),
                ("head", "gi_head gi_head_end gi_T_jawA gi_jawA gi_jawB gi_jawB_end"),
                ("free", "gi_sacrum gi_tailA gi_tailB gi_tailC gi_tailD gi_tailE gi_tailE_end"),
                (
                    "leg",
                    "gi_T_L_scapula gi_L_scapula gi_L_shoulder gi_L_elbow gi_L_wrist
                     gi_T_R_scapula gi_R_scapula gi_R_shoulder gi_R_elbow gi_R_wrist
                     gi_T_L_hip gi_L_hip gi_L_knee gi_L_ankle
                     gi_T_R_hip gi_R_hip gi_R_knee gi_R_ankle",
                ),
                (
                    "foot",
                    "gi_L_fphaA gi_L_fphaB gi_L_fphaC gi_L_fphaC_end
                     gi_R_fphaA gi_R_fphaB gi_R_fphaC gi_R_fphaC_end
                     gi_L_hphaA gi_L_hphaB gi_L_hphaC gi_L_hphaC_end
                     gi_R_hphaA gi_R_hphaB gi_R_hphaC gi_R_hphaC_end",
                ),
            ],
        ),
        (
            "humanoid.gltf",
            &[
                // What nothing hangs on is what carries it.
                (
                    "trunk",
                    "Pelvis Spine1 Spine2 Knee.IK.L Elbow.IK.L Wrist.IK.L
                     Knee.IK.R Elbow.IK.R Wrist.IK.R",
                ),
                ("neck", "Neck"),
                ("head", "Head"),
                ("arm", "Collar.L UpperArm.L ForeArm.L Collar.R UpperArm.R ForeArm.R"),
                ("hand", "Hand.L Hand.R"),
                ("leg", "Hip.L Shin.L Hip.R Shin.R"),
                ("foot", "Heel.IK.L Foot.L Toe.L Heel.IK.R Foot.R Toe.R"),
            ],
        ),
    ];
    for (name, expected) in all {
        if let Some(character) = of_shared(name) {
            assert_roles(&character, expected);
        }
    }
}

/// Of characters with many bones only those that could be mistaken.
#[test]
fn fingers_belong_to_hands_and_eyes_to_heads() {
    let role = |character: &Character, name: &str| {
        let bone = character.skeleton.bone_named(name).unwrap_or_else(|| panic!("{name}"));
        character.roles().automatic()[bone]
    };
    let is = |character: &Character, expected: Role, names: &str| {
        for name in names.split_whitespace() {
            assert_eq!(role(character, name), expected, "{name} of {}", character.name);
        }
    };
    if let Some(marine) = of_shared("marine.glb") {
        let numbers = ["Fbx01", "Fbx01_Pelvis", "Fbx01_Spine", "Fbx01_Spine1", "Fbx01_Spine2"];
        numbers.iter().for_each(|name| is(&marine, Role::Trunk, name));
        is(&marine, Role::Trunk, "Fbx01_Spine3 Fbx01_Neck");
        is(&marine, Role::Head, "Fbx01_Head Fbx01_R_Eye Fbx01_L_Eye Jaw");
        for side in ["R", "L"] {
            let names = |list: &str| -> String {
                list.split_whitespace().map(|name| format!("Fbx01_{side}_{name} ")).collect()
            };
            is(&marine, Role::Leg, &names("Thigh Calf"));
            is(&marine, Role::Foot, &names("Foot Toe0"));
            is(&marine, Role::Arm, &names("Clavicle UpperArm Forearm"));
            is(&marine, Role::Hand, &names("Hand"));
            is(&marine, Role::Finger, &names("Finger0 Finger01 Finger02 Finger4 Finger42 Finger2"));
        }
    }
    if let Some(robot) = of_shared("RobotExpressive.glb") {
        is(&robot, Role::Trunk, "Bone Body Hips Abdomen Torso");
        is(&robot, Role::Head, "Head");
        for side in ["R", "L"] {
            let names = |list: &str| -> String {
                list.split_whitespace().map(|name| format!("{name}.{side} ")).collect()
            };
            is(&robot, Role::Leg, &names("UpperLeg LowerLeg"));
            is(&robot, Role::Foot, &names("Foot"));
            is(&robot, Role::Arm, &names("Shoulder UpperArm LowerArm"));
            is(&robot, Role::Hand, &names("Palm1 Palm2 Palm3 Thumb"));
            is(&robot, Role::Finger, &names("Index Index2 Middle1 Middle2 Ring1 Ring2 Thumb2"));
        }
    }
}

fn characters() -> Vec<Character> {
    const SHARED: [&str; 11] = [
        "CesiumMan.glb",
        "Fox.glb",
        "RiggedFigure.glb",
        "RiggedSimple.glb",
        "RobotExpressive.glb",
        "bird.glb",
        "cylinder.glb",
        "girafe.glb",
        "humanoid.gltf",
        "marine.glb",
        "spot.glb",
    ];
    let own = own::names().into_iter().map(|name| own::built_in(name).unwrap());
    own.chain(SHARED.into_iter().filter_map(of_shared)).collect()
}

fn renamed(character: &Character) -> Character {
    let mut parts: CharacterParts = (**character).clone();
    for (place, node) in parts.skeleton.nodes.iter_mut().enumerate() {
        node.name = format!("b{place}");
    }
    Character::new(parts).unwrap()
}

#[test]
fn names_and_units_change_nothing() {
    for character in characters() {
        let roles = character.roles().automatic();
        assert_eq!(renamed(&character).roles().automatic(), roles, "{}", character.name);
        let looseness = character.roles().looseness(&character, roles);
        for factor in [0.01, 37.0] {
            let other = scaled(&character, factor);
            assert_eq!(other.roles().automatic(), roles, "{} × {factor}", character.name);
            let of_other = other.roles().looseness(&other, roles);
            let pairs = looseness.iter().zip(&of_other);
            let differ = pairs.filter(|(a, b)| (*a - *b).abs() > 1e-3).count();
            // Where two parts meet, rounding may decide for the one or the other.
            let most = character.vertex_count() / 200;
            assert!(differ <= most, "{} × {factor}: {differ}", character.name);
        }
    }
}

/// The names of left and right differ by one letter or word in all of these.
#[test]
fn left_and_right_are_alike() {
    for character in characters() {
        let roles = character.roles().automatic();
        let by_name: BTreeMap<&str, Role> = (0..roles.len())
            .map(|bone| (character.skeleton.bone_name(bone), roles[bone]))
            .collect();
        // The arms of this one are numbered in two ways.
        let is_other = |name: &str| name.starts_with("Skeleton_arm_joint");
        for (name, role) in by_name.iter().filter(|(name, _)| !is_other(name)) {
            for (left, right) in
                [(".L", ".R"), ("FL", "FR"), ("BL", "BR"), ("_L", "_R"), ("Left", "Right")]
            {
                if let Some(other) = by_name.get(name.replace(left, right).as_str()) {
                    assert_eq!(role, other, "{name} of {}", character.name);
                }
            }
        }
    }
}

#[test]
fn looseness_is_0_where_bodies_stand_and_rises_along_what_hangs() {
    let all = shared_characters("characters").into_iter();
    let all = all.filter_map(|path| load::load_file(&path).ok()).chain(characters());
    for character in all {
        let analysis = character.roles();
        let roles = analysis.automatic();
        let bones = analysis.looseness_of_bones(roles);
        for (bone, looseness) in bones.iter().enumerate() {
            let name = format!("{} of {}", character.skeleton.bone_name(bone), character.name);
            assert!((0.0..=1.0).contains(&looseness.start), "{name}: {looseness:?}");
            assert!((0.0..=1.0).contains(&looseness.end), "{name}: {looseness:?}");
            assert!(looseness.end >= looseness.start - 1e-9, "{name}: {looseness:?}");
            match roles[bone] {
                Role::Trunk | Role::Leg | Role::Foot => assert_eq!(looseness.end, 0.0, "{name}"),
                Role::Hand | Role::Finger => assert_eq!(looseness.end, 1.0, "{name}"),
                _ => {}
            }
            if let Some(parent) = character.skeleton.bones[bone].parent {
                let same = roles[parent] == roles[bone];
                assert!(!same || looseness.start >= bones[parent].start - 1e-9, "{name}");
            }
        }
        let of_vertices = analysis.looseness(&character, roles);
        assert!(of_vertices.iter().all(|x| (0.0..=1.0).contains(x)), "{}", character.name);
    }
}

/// The mean over the vertices in a box, given in parts of the bounding box from its lowest corner.
fn mean_in(character: &Character, values: &[f32], from: [f32; 3], to: [f32; 3]) -> f32 {
    let (lowest, highest) = character.rest_bounds();
    let inside = |position: &Vec3| {
        let place = (*position - lowest) / (highest - lowest);
        place.cmpge(Vec3::from(from)).all() && place.cmple(Vec3::from(to)).all()
    };
    let positions = character.rest().positions.iter().zip(values);
    let found: Vec<f32> = positions.filter(|(p, _)| inside(p)).map(|(_, x)| *x).collect();
    assert!(!found.is_empty(), "{}: nothing there", character.name);
    found.iter().sum::<f32>() / found.len() as f32
}

#[test]
fn a_correction_goes_down_to_where_another_role_begins() {
    let dragon = own::built_in("dragon").unwrap();
    let bone = |name: &str| dragon.skeleton.bone_named(name).unwrap();
    let roles = dragon.roles();
    let as_arms = roles.corrected(&[(bone("Wing.1.L"), Role::Arm), (bone("Neck.1"), Role::Free)]);
    assert_eq!(as_arms[bone("Wing.2.L")], Role::Arm);
    assert_eq!(as_arms[bone("Wing.2.R")], Role::Free);
    assert_eq!(as_arms[bone("Neck.2")], Role::Free);
    assert_eq!(as_arms[bone("Head")], Role::Head);
    let changed = as_arms.iter().zip(roles.automatic()).filter(|(a, b)| a != b).count();
    assert_eq!(changed, 4);
    // A leg that hangs freely is loose.
    let tip = |roles: &[Role]| dragon.roles().looseness_of_bones(roles)[bone("Shin.FL")].end;
    assert_eq!(tip(roles.automatic()), 0.0);
    assert!(tip(&roles.corrected(&[(bone("Leg.FL"), Role::Free)])) > 1.0 - 1e-9);
}

/// Vertices along each edge of a box.
const SQUARE: usize = 6;

fn figure_of_boxes(bones: &[BoxBone]) -> Character {
    use jounce::rig::{Binding, Influence, Influences, Mesh, Node, Skeleton, Trs};
    let joint = |bone: usize| Vec3::from(bones[bone].2).as_dvec3();
    let node = |bone: usize| {
        let (name, parent, ..) = bones[bone];
        let from_parent = joint(bone) - parent.map_or(glam::DVec3::ZERO, joint);
        Node::new(name, parent, Trs::at(from_parent))
    };
    let nodes = (0..bones.len()).map(node).collect();
    let skeleton = Skeleton::new(nodes, &vec![true; bones.len()]).unwrap();
    let (mut mesh, mut skin) = (Mesh::default(), Influences::default());
    for (bone, &(_, parent, from, to, thick)) in bones.iter().enumerate() {
        let (from, to) = (Vec3::from(from), Vec3::from(to));
        let (low, high) = (from.min(to) - thick, from.max(to) + thick);
        for face in 0..6 {
            let first = mesh.positions.len() as u32;
            let (axis, is_far) = (face / 2, face % 2 == 1);
            for place in 0..SQUARE * SQUARE {
                let along = |step: usize| step as f32 / (SQUARE - 1) as f32;
                let mut share = [0.0; 3];
                share[axis] = f32::from(u8::from(is_far));
                share[(axis + 1) % 3] = along(place % SQUARE);
                share[(axis + 2) % 3] = along(place / SQUARE);
                let position = low + (high - low) * Vec3::from(share);
                mesh.positions.push(position);
                mesh.normals.push(Vec3::Y);
                mesh.colors.push([1.0; 4]);
                let own = Influence { index: bone as u32, weight: 1.0 };
                match parent.filter(|_| position.distance(from) < 2.0 * thick) {
                    // Where it hangs, what carries it moves the skin too.
                    Some(parent) => skin.push([
                        Influence { weight: 0.7, ..own },
                        Influence { index: parent as u32, weight: 0.3 },
                    ]),
                    None => skin.push([own]),
                }
                let (column, row) = (place % SQUARE, place / SQUARE);
                if column + 1 < SQUARE && row + 1 < SQUARE {
                    let at = first + place as u32;
                    let above = at + SQUARE as u32;
                    let corners = [[at, at + 1, above + 1], [at, above + 1, above]];
                    // Outwards.
                    let turned = |[a, b, c]: [u32; 3]| if is_far { [a, b, c] } else { [a, c, b] };
                    mesh.triangles.extend(corners.map(turned));
                }
            }
        }
    }
    // The skeleton has an order of its own.
    let bind = |node: usize| Binding {
        node,
        bone: skeleton.bones.iter().position(|bone| bone.node == node).unwrap(),
        node_from_bind: glam::DAffine3::from_translation(-joint(node)),
    };
    let parts = CharacterParts {
        name: "boxes".to_owned(),
        bindings: (0..bones.len()).map(bind).collect(),
        skeleton,
        mesh,
        skin,
        rest_morph_weights: Vec::new(),
        maps: Vec::new(),
        clips: Vec::new(),
        notes: Vec::new(),
    };
    Character::new(parts).unwrap()
}

/// A bone of a figure: its name, its parent, its joint, the end of its box, and half the thickness of it.
type BoxBone = (&'static str, Option<usize>, [f32; 3], [f32; 3], f32);

const FIGURE: [BoxBone; 18] = [
    ("hips", None, [0.0, 0.8, 0.0], [0.0, 1.0, 0.0], 0.2),
    ("spine", Some(0), [0.0, 1.0, 0.0], [0.0, 1.3, 0.0], 0.2),
    ("chest", Some(1), [0.0, 1.3, 0.0], [0.0, 1.5, 0.0], 0.22),
    ("head", Some(2), [0.0, 1.7, 0.0], [0.0, 2.2, 0.0], 0.35),
    ("thigh.l", Some(0), [0.15, 0.85, 0.0], [0.15, 0.5, 0.0], 0.08),
    ("shin.l", Some(4), [0.15, 0.45, 0.0], [0.15, 0.2, 0.0], 0.08),
    ("foot.l", Some(5), [0.15, 0.08, 0.0], [0.15, 0.08, 0.15], 0.08),
    ("thigh.r", Some(0), [-0.15, 0.85, 0.0], [-0.15, 0.5, 0.0], 0.08),
    ("shin.r", Some(7), [-0.15, 0.45, 0.0], [-0.15, 0.2, 0.0], 0.08),
    ("foot.r", Some(8), [-0.15, 0.08, 0.0], [-0.15, 0.08, 0.15], 0.08),
    ("upper.l", Some(2), [0.2, 1.5, 0.0], [0.45, 1.5, 0.0], 0.08),
    ("lower.l", Some(10), [0.45, 1.5, 0.0], [0.72, 1.5, 0.0], 0.08),
    ("wrist.l", Some(11), [0.72, 1.5, 0.0], [0.75, 1.5, 0.0], 0.08),
    ("hand.l", Some(12), [0.75, 1.5, 0.0], [0.85, 1.5, 0.0], 0.08),
    ("upper.r", Some(2), [-0.2, 1.5, 0.0], [-0.45, 1.5, 0.0], 0.08),
    ("lower.r", Some(14), [-0.45, 1.5, 0.0], [-0.72, 1.5, 0.0], 0.08),
    ("wrist.r", Some(15), [-0.72, 1.5, 0.0], [-0.75, 1.5, 0.0], 0.08),
    ("hand.r", Some(16), [-0.75, 1.5, 0.0], [-0.85, 1.5, 0.0], 0.08),
];

fn figure_that_holds(in_left: [f32; 3], in_right: [f32; 3], thick: f32) -> Character {
    let mut bones = FIGURE.to_vec();
    for (name, hand, [x, y, z], side) in
        [("held.l", 13, in_left, 1.0), ("held.r", 17, in_right, -1.0)]
    {
        let at = bones[hand].3;
        let end = (Vec3::from(at) + Vec3::new(side * x, y, z)).to_array();
        bones.push((name, Some(hand), at, end, thick));
    }
    figure_of_boxes(&bones)
}

#[test]
fn what_hands_hold_changes_no_role() {
    let expected: &Expected = &[
        ("trunk", "hips spine chest"),
        ("head", "head"),
        ("leg", "thigh.l shin.l thigh.r shin.r"),
        ("foot", "foot.l foot.r"),
        ("arm", "upper.l lower.l upper.r lower.r"),
        ("hand", "wrist.l hand.l held.l wrist.r hand.r held.r"),
    ];
    let (nothing, sword, shield, staff) =
        ([0.05, 0.0, 0.0], [0.0, 0.0, 1.2], [0.1, 0.5, 0.0], [0.0, 1.5, 0.0]);
    let pairs =
        [(nothing, nothing), (nothing, sword), (shield, sword), (sword, sword), (nothing, staff)];
    for (left, right) in pairs {
        println!("left hand {left:?}, right hand {right:?}");
        assert_roles(&figure_that_holds(left, right, 0.06), expected);
    }
    // A shield that has more skin than the body.
    assert_roles(&figure_that_holds(shield, sword, 0.3), expected);
}

/// A forearm and two bones that twist it are no hand with three fingers.
#[test]
fn bones_that_twist_an_arm_are_no_fingers() {
    let mut bones = FIGURE.to_vec();
    for (name, upper, x) in [("left", 10, 1.0), ("right", 14, -1.0)] {
        for (place, part) in ["a", "b"].into_iter().enumerate() {
            let at = 0.28 + 0.08 * place as f32;
            let name = format!("twist {part} {name}").leak();
            bones.push((name, Some(upper), [at * x, 1.5, 0.0], [(at + 0.03) * x, 1.5, 0.0], 0.08));
        }
    }
    let character = figure_of_boxes(&bones);
    let roles = character.roles().automatic();
    for (name, ..) in &bones {
        let expected = match *name {
            name if name.starts_with("twist") || name.starts_with("lower") => Role::Arm,
            name if name.starts_with("hand") => Role::Hand,
            _ => continue,
        };
        let bone = character.skeleton.bone_named(name).unwrap();
        assert_eq!(roles[bone], expected, "{name}");
    }
}

/// A body and, beside it, a ball on one bone and a ring on two.
#[test]
fn rigid_pieces_are_those_that_hang_on_one_bone() {
    let cow = own::built_in("cow").unwrap();
    let mut parts: CharacterParts = (*cow).clone();
    let head =
        parts.bindings.iter().position(|b| b.bone == cow.skeleton.bone_named("Head").unwrap());
    let spine =
        parts.bindings.iter().position(|b| b.bone == cow.skeleton.bone_named("Spine").unwrap());
    let (head, spine) = (head.unwrap() as u32, spine.unwrap() as u32);
    let mut add = |at: Vec3, bindings: [u32; 3]| {
        let first = parts.mesh.positions.len() as u32;
        for (corner, binding) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().zip(bindings) {
            parts.mesh.positions.push(at + corner * 0.1);
            parts.mesh.normals.push(Vec3::Y);
            parts.mesh.colors.push([1.0; 4]);
            let one = jounce::rig::Influence { index: binding, weight: 1.0 };
            parts.skin.push([one]);
            parts.maps.iter_mut().for_each(|map| map.values.push(0.0));
        }
        parts.mesh.triangles.push([first, first + 1, first + 2]);
        first as usize
    };
    let plate = add(Vec3::new(0.0, 1.6, 0.6), [head; 3]);
    let ring = add(Vec3::new(0.0, 1.7, 0.0), [head, spine, spine]);
    let character = Character::new(parts).unwrap();
    let pieces = character.roles().pieces(&character);
    let own = pieces.of_vertices[plate].expect("a plate is a piece");
    assert_eq!(pieces.of_vertices[ring], None);
    let piece = pieces.all[own as usize];
    assert_eq!(character.skeleton.bone_name(piece.bone), "Head");
    let offsets = character.roles().piece_offsets(&character);
    assert_eq!(offsets[ring], glam::DVec3::ZERO);
    let rotation = character.bone_rotation(character.rest_pose(), piece.bone);
    for (vertex, offset) in offsets.iter().enumerate().skip(plate).take(3) {
        let found = character.rest().positions[vertex].as_dvec3() + rotation * *offset;
        assert!(found.distance(piece.center) < 1e-6, "{found} {}", piece.center);
    }
    // The body hangs on many, whatever single vertices do.
    assert_eq!(pieces.of_vertices[0], None);
    let roles = character.roles().automatic();
    let looseness = character.roles().looseness(&character, roles);
    assert!(looseness[plate..plate + 3].iter().all(|x| *x == looseness[plate]));
}

#[test]
fn hostile_skeletons_take_no_longer_than_others() {
    use jounce::rig::{Binding, Influence, Influences, Mesh, Node, Skeleton, Trs};
    let started = crate::support::clock::thread_secs();
    let count = 5_000_usize;
    // A chain, a star and a comb.
    let parent: [fn(usize) -> Option<usize>; 3] = [
        |bone| bone.checked_sub(1),
        |bone| (bone > 0).then_some(0),
        |bone| (bone > 0).then_some(bone / 2),
    ];
    for parent in parent {
        let node = |bone: usize| {
            let place = glam::DVec3::new((bone % 7) as f64, 0.01, (bone % 3) as f64) * 0.1;
            Node::new("", parent(bone), Trs::at(place))
        };
        let skeleton = Skeleton::new((0..count).map(node).collect(), &vec![true; count]).unwrap();
        let mut mesh = Mesh::default();
        let mut skin = Influences::default();
        for vertex in 0..2_000_u32 {
            let x = vertex as f32;
            mesh.positions.push(Vec3::new(x.sin(), x.cos(), (x * 0.1).sin()));
            mesh.normals.push(Vec3::Y);
            mesh.colors.push([1.0; 4]);
            skin.push([Influence { index: vertex * 7919 % count as u32, weight: 1.0 }]);
            if vertex > 1 {
                mesh.triangles.push([vertex - 2, vertex - 1, vertex]);
            }
        }
        let bind = |bone: usize| Binding {
            node: skeleton.bones[bone].node,
            bone,
            node_from_bind: glam::DAffine3::IDENTITY,
        };
        let bindings = (0..count).map(bind).collect();
        let parts = CharacterParts {
            name: "hostile".to_owned(),
            bindings,
            skeleton,
            mesh,
            skin,
            rest_morph_weights: Vec::new(),
            maps: Vec::new(),
            clips: Vec::new(),
            notes: Vec::new(),
        };
        let character = Character::new(parts).unwrap();
        let roles = character.roles().automatic();
        assert_eq!(roles.len(), count);
        let looseness = character.roles().looseness(&character, roles);
        assert!(looseness.iter().all(|x| (0.0..=1.0).contains(x)));
    }
    let secs = crate::support::clock::thread_secs() - started;
    println!("three skeletons of 5 000 bones: {secs:.2} s");
    assert!(secs < if cfg!(debug_assertions) { 10.0 } else { 3.0 }, "{secs} s");
}

#[test]
fn a_hundred_and_fifty_thousand_vertices_take_little_time() {
    let giraffe = own::make("giraffe", Some(150_000)).unwrap();
    giraffe.surface();
    // All of the work on one thread, whose time is counted.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (secs, roles) = pool.install(|| {
        let started = crate::support::clock::thread_secs();
        let roles = giraffe.roles().automatic();
        giraffe.roles().looseness(&giraffe, roles);
        (crate::support::clock::thread_secs() - started, roles)
    });
    println!("roles of {} vertices: {secs:.3} s", giraffe.vertex_count());
    // The mesh is another, the body is not.
    let coarse = own::built_in("giraffe").unwrap();
    assert_eq!(roles, coarse.roles().automatic());
    assert!(secs < if cfg!(debug_assertions) { 2.0 } else { 0.4 }, "{secs} s");
}

#[test]
fn a_point_and_nothing_at_all_have_roles() {
    use jounce::rig::{Binding, Influence, Influences, Mesh, Node, Skeleton, Trs};
    for vertices in [0, 1, 90_000] {
        let skeleton = Skeleton::new(vec![Node::new("", None, Trs::IDENTITY)], &[true]).unwrap();
        let mut skin = Influences::default();
        (0..vertices).for_each(|_| skin.push([Influence { index: 0, weight: 1.0 }]));
        let mesh = Mesh {
            positions: vec![Vec3::ZERO; vertices],
            normals: vec![Vec3::Y; vertices],
            colors: vec![[1.0; 4]; vertices],
            triangles: (2..vertices as u32).map(|v| [v - 2, v - 1, v]).collect(),
            ..Mesh::default()
        };
        let binding = Binding { node: 0, bone: 0, node_from_bind: glam::DAffine3::IDENTITY };
        let parts = CharacterParts {
            name: String::new(),
            skeleton,
            bindings: vec![binding],
            mesh,
            skin,
            rest_morph_weights: Vec::new(),
            maps: Vec::new(),
            clips: Vec::new(),
            notes: Vec::new(),
        };
        let character = Character::new(parts).unwrap();
        let roles = character.roles().automatic();
        assert_eq!(roles, [Role::Trunk]);
        assert_eq!(character.roles().looseness(&character, roles), vec![0.0; vertices]);
    }
}

#[test]
fn ears_without_bones_are_loose_at_their_tips_and_paws_are_not() {
    let of = |character: &Character| {
        character.roles().looseness(character, character.roles().automatic())
    };
    if let Some(fox) = of_shared("Fox.glb") {
        let loose = of(&fox);
        // Nothing else is as high as the tips of its ears.
        for [from, to] in [[0.0, 0.5], [0.5, 1.0]] {
            assert!(mean_in(&fox, &loose, [from, 0.97, 0.0], [to, 1.0, 1.0]) > 0.95, "ears");
        }
        assert!(mean_in(&fox, &loose, [0.0; 3], [1.0, 0.1, 1.0]) < 0.02, "paws");
        assert!(mean_in(&fox, &loose, [0.0; 3], [1.0, 1.0, 0.06]) > 0.8, "the tip of the tail");
        let muzzle = mean_in(&fox, &loose, [0.0, 0.6, 0.95], [1.0; 3]);
        assert!((0.2..0.5).contains(&muzzle), "{muzzle}");
        assert!(mean_in(&fox, &loose, [0.0, 0.4, 0.4], [1.0, 0.6, 0.6]) < 0.05, "the belly");
    }
    let cow = own::built_in("cow").unwrap();
    let loose = of(&cow);
    // The ears are what is widest.
    for [from, to] in [[0.0, 0.03], [0.97, 1.0]] {
        assert!(mean_in(&cow, &loose, [from, 0.0, 0.0], [to, 1.0, 1.0]) > 0.85, "ears");
    }
    assert!(mean_in(&cow, &loose, [0.0; 3], [1.0, 0.1, 1.0]) < 0.02, "hooves");
    let roles = cow.roles().automatic();
    let protrusion = cow.roles().protrusion(&cow, roles);
    let head = mean_in(&cow, &protrusion, [0.35, 0.55, 0.9], [0.65, 0.8, 1.0]);
    assert!(head < 0.05, "the muzzle does not stand out: {head}");
}
