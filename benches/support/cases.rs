//! The characters of the bench: made ones of the paper's sizes, and real rigs.

use glam::{DAffine3, DQuat, DVec3, Vec3, dvec3};
use jounce::motion::BoneMotion;
use jounce::rig::{
    Binding, Character, CharacterParts, Influence, Influences, Mesh, Node, Pose, Skeleton, Trs,
    load, own,
};

/// One character at one moment.
pub struct Case {
    pub name: String,
    pub character: Character,
    pub pose: Pose,
    pub velocities: Vec<BoneMotion>,
    pub origin: Origin,
}

/// Where a character comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Tubes, made to measure.
    Made,
    /// It comes with the program.
    Own,
    /// A rig as people make them, from a file.
    Real,
}

/// Bones of one limb.
const LIMB: usize = 4;

/// Tubes that hang on each other: a trunk of four bones, limbs of four bones at its end. Weights fade
/// over the length of a bone, so a vertex has two to three of them.
pub fn made(vertices: usize, bones: usize, moving: usize) -> Case {
    let parent = |bone: usize| match bone {
        0 => None,
        _ if bone.is_multiple_of(LIMB) => Some(LIMB - 1),
        _ => Some(bone - 1),
    };
    let limb_direction = |limb: usize| match limb {
        0 => DVec3::Y,
        _ => DQuat::from_rotation_y(limb as f64 * 2.4) * dvec3(1.0, 0.4, 0.0).normalize(),
    };
    let mut joints: Vec<DVec3> = Vec::new();
    for bone in 0..bones {
        joints.push(match parent(bone) {
            None => DVec3::ZERO,
            Some(above) if bone.is_multiple_of(LIMB) => joints[above] + DVec3::Y * 0.25,
            Some(above) => joints[above] + limb_direction(bone / LIMB) * 0.25,
        });
    }
    let node = |bone: usize| {
        let above = parent(bone).map_or(DVec3::ZERO, |above| joints[above]);
        Node::new(format!("bone {bone}"), parent(bone), Trs::at(joints[bone] - above))
    };
    let skeleton = Skeleton::new((0..bones).map(node).collect(), &vec![true; bones]).unwrap();
    let limbs = bones.div_ceil(LIMB);
    let around = 64;
    let (mut mesh, mut skin) = (Mesh::default(), Influences::with_capacity(vertices, vertices * 3));
    for vertex in 0..vertices {
        let limb = vertex * limbs / vertices;
        let (first, last) = (limb * vertices / limbs, (limb + 1) * vertices / limbs);
        let in_limb = (LIMB).min(bones - limb * LIMB);
        let along = (vertex - first) as f64 / (last - first) as f64 * in_limb as f64;
        let direction = limb_direction(limb);
        let (a, b) = direction.any_orthonormal_pair();
        let (sin, cos) = (vertex as f64 / f64::from(around) * std::f64::consts::TAU).sin_cos();
        let out = a * cos + b * sin;
        let p = joints[limb * LIMB] + direction * along * 0.25 + out * 0.08;
        mesh.positions.push(p.as_vec3());
        mesh.normals.push(out.as_vec3());
        let weight = |bone: usize| {
            let middle = (bone - limb * LIMB) as f64 + 0.5;
            (1.0 - (along - middle).abs() / 1.2).max(0.0)
        };
        let own = limb * LIMB..limb * LIMB + in_limb;
        let sum: f64 = own.clone().map(weight).sum();
        skin.push(
            own.filter(|&bone| weight(bone) > 0.0)
                .map(|bone| Influence { index: bone as u32, weight: (weight(bone) / sum) as f32 }),
        );
    }
    mesh.colors = vec![[1.0; 4]; vertices];
    let next_ring = |v: u32| v + around as u32;
    let quads = 0..(vertices as u32).saturating_sub(around as u32 + 1);
    mesh.triangles = quads
        .flat_map(|v| [[v, v + 1, next_ring(v)], [v + 1, next_ring(v) + 1, next_ring(v)]])
        .collect();
    let bindings = (0..bones).map(|node| Binding {
        node,
        bone: skeleton.bone_at_or_above[node].unwrap(),
        node_from_bind: DAffine3::from_translation(-joints[node]),
    });
    let parts = CharacterParts {
        name: "made".to_owned(),
        bindings: bindings.collect(),
        skeleton,
        mesh,
        skin,
        rest_morph_weights: Vec::new(),
        maps: Vec::new(),
        clips: Vec::new(),
        notes: Vec::new(),
    };
    let character = Character::new(parts).unwrap();
    let motion = |bone: usize| match bone < moving {
        true => BoneMotion {
            linear: dvec3(0.2, 0.1 * bone as f64, -0.1),
            angular: dvec3(0.5, 1.0 - 0.1 * bone as f64, 0.3 + 0.1 * bone as f64),
        },
        false => BoneMotion::ZERO,
    };
    let velocities = (0..bones).map(motion).collect();
    let pose = turned(&character, 0.1);
    let name = format!("{} k, {moving} of {bones}", vertices as f64 / 1000.0);
    Case { name, character, pose, velocities, origin: Origin::Made }
}

/// A file beside the project with all bones in motion; a note where it is not there.
pub fn real(file: &str) -> Option<Case> {
    let root = std::env::var_os("JOUNCE_SHARED").map(std::path::PathBuf::from);
    let root =
        root.unwrap_or_else(|| std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"));
    let path = root.join("characters").join(file);
    let Ok(character) = load::load_file(&path) else {
        eprintln!("SKIPPED: {file} is not beside the project (set JOUNCE_SHARED)");
        return None;
    };
    Some(in_motion(file, character, Origin::Real))
}

/// A character that comes with the program, with all bones in motion.
pub fn own(name: &str) -> Case {
    in_motion(name, own::built_in(name).expect("it comes with the program"), Origin::Own)
}

fn in_motion(name: &str, character: Character, origin: Origin) -> Case {
    let size = character.size();
    let motion = |bone: usize| BoneMotion {
        linear: dvec3(0.2, 0.1 * (bone % 7) as f64, -0.1) * size,
        angular: dvec3(0.5, 1.0 - 0.1 * (bone % 5) as f64, 0.3),
    };
    let velocities = (0..character.skeleton.bones.len()).map(motion).collect();
    let pose = turned(&character, 0.1);
    Case { name: name.to_owned(), character, pose, velocities, origin }
}

/// Every bone turned against its parent.
pub fn turned(character: &Character, angle: f64) -> Pose {
    let skeleton = &character.skeleton;
    let mut pose = character.rest_pose().clone();
    for &node in &skeleton.parents_first {
        let local = skeleton.nodes[node].parent_from_node_at_rest();
        let is_bone = skeleton.bones.iter().any(|bone| bone.node == node);
        let turn = DAffine3::from_quat(DQuat::from_rotation_z(if is_bone { angle } else { 0.0 }));
        let above = skeleton.nodes[node].parent;
        let above = above.map_or(DAffine3::IDENTITY, |above| pose.scene_from_node[above]);
        pose.scene_from_node[node] = above * local * turn;
    }
    pose
}

pub fn farthest(a: &[Vec3], b: &[Vec3]) -> f64 {
    let distance = |(a, b): (&Vec3, &Vec3)| f64::from((*a - *b).length());
    a.iter()
        .zip(b)
        .map(distance)
        .fold(0.0, |most, d| if d.is_nan() { f64::INFINITY } else { most.max(d) })
}
